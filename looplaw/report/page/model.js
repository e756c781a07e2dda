/* Models in performance model normal form: constant + sum of coefficient * prod x^i log2(x)^j, from their terms. */
const Models = (() => {
  const fraction = (text) => toNumber(text) || 0, factors = new WeakMap();
  const UNSEEN = { rate: 0.08, shift: 0.45, spread: 0.3 };  // of modeling.settings.INTERVAL
  const OPEN = { values: [0.5, 0.1], terms: [1, 0.5] };

  function basis(term, env) {
    let product = 1;
    if (!factors.has(term)) factors.set(term, Object.entries(term.exponents).map(([name, [i, j]]) => [name, fraction(i), fraction(j)]));
    for (const [name, i, j] of factors.get(term)) {
      const x = env[name];
      if (x === undefined) return null;
      product *= x ** i;
      if (j !== 0) product *= Math.log2(x) ** j;
    }
    return Number.isFinite(product) ? product : null;
  }

  /* A law of time is tabulated: [value of the table, weight] of the corners around a point, in logarithms; null without a value of a parameter. */
  function corners(law, env) {
    let found = [[0, 1]];
    for (const [name, values] of law.axes) {
      const x = Math.log(env[name]), last = values.length - 2;
      if (!Number.isFinite(x)) return null;
      let k = values.findIndex((v) => Math.log(v) > x) - 1;
      k = Math.min(Math.max(k === -2 ? last : k, 0), last);
      const a = Math.log(values[k]), share = (x - a) / (Math.log(values[k + 1]) - a);
      found = found.flatMap(([place, w]) => [[place * values.length + k, w * (1 - share)], [place * values.length + k + 1, w * share]]);
    }
    return found;
  }

  function tabulated(law, key, env) {
    const at = law[key] && corners(law, env);
    return at ? at.reduce((sum, [place, w]) => sum + w * law[key][place], 0) : null;
  }

  /** What takes most of the time at a point, for a model with a law; null for others. */
  function limit(model, env) {
    const at = model.law && corners(model.law, env);
    return at ? model.law.names[model.law.by[at.reduce((a, b) => b[1] > a[1] ? b : a)[0]]] : null;
  }

  /** Seconds that memory alone takes; null where that is not known, or next to nothing. */
  function memory(model, env) {
    const found = model.law ? tabulated(model.law, "memory", env) : null;
    return found === null ? null : Math.exp(found);
  }

  function evaluate(model, env) {
    if (model.law) { const found = tabulated(model.law, "seconds", env); return found === null ? null : Math.exp(found); }
    if (model.exact) return Formula.evaluate(model.exact, env);
    if (model.curve) return Formula.evaluate(model.curve.formula, env);
    let total = model.constant || 0;
    for (const term of model.terms || []) {
      const b = basis(term, env);
      if (b === null) return null;
      total += term.coefficient * b;
    }
    return total;
  }

  /* Normal distribution function by Abramowitz and Stegun 7.1.26, to 1e-7. */
  function normal(z) {
    const x = Math.abs(z) / Math.SQRT2, t = 1 / (1 + 0.3275911 * x);
    const tail = ((((1.061405429 * t - 1.453152027) * t + 1.421413741) * t - 0.284496736) * t + 0.254829592) * t * Math.exp(-x * x) / 2;
    return z < 0 ? tail : 1 - tail;
  }

  /* A quantile of a mixture of normal distributions, by bisection. */
  function quantile(parts, q) {
    let low = Math.min(...parts.map((p) => p.centre - 12 * p.width)), high = Math.max(...parts.map((p) => p.centre + 12 * p.width));
    for (let round = 0; round < 50; round++) {
      const middle = (low + high) / 2;
      if (parts.reduce((sum, p) => sum + p.weight * normal((middle - p.centre) / p.width), 0) < q) low = middle; else high = middle;
    }
    return (low + high) / 2;
  }

  /** [lower, upper] of the 90 % prediction interval, as modeling/interval.py has it; null when the model does not carry what that needs. */
  function interval(model, env) {
    if (model.law) {
      const [middle, below, above] = ["seconds", "below", "above"].map((name) => tabulated(model.law, name, env));
      return middle === null ? null : [Math.exp(middle - below), Math.exp(middle + above)];
    }
    if (model.exact) { const value = Formula.evaluate(model.exact, env); return value === null ? null : [value, value]; }
    if (model.curve) {
      const value = Formula.evaluate(model.curve.formula, env), below = tabulated(model.curve, "below", env);
      return value === null || below === null ? null : [value * Math.exp(-below), value * Math.exp(tabulated(model.curve, "above", env))];
    }
    const s = model.interval;
    if (!s || !Array.isArray(s.alternatives) || !s.alternatives.length) return null;
    let distance = 0, octaves = 0, open = 0;
    for (const [name, [top, step, values]] of Object.entries(s.reach || {})) {
      if (name in env && values === 1 && env[name] !== top) return [s.positive ? 0 : -Infinity, Infinity];
      if (name in env && top > 0 && step > 0) {
        const away = Math.max(Math.log(env[name] / top), 0);
        distance += (away / step) ** 2;
        octaves += (away / Math.LN2) ** 2;
        open = Math.hypot(open, (OPEN.values[values - 2] || 0) * away);
      }
    }
    open = Math.hypot(open, (OPEN.terms[s.shown - 1] || 0) * Math.sqrt(octaves) * Math.LN2);
    // as `unseen_changes` of modeling.pmnf.interval: laws of time may end beyond the data
    const changed = s.unseen && s.positive ? 1 - Math.exp(-UNSEEN.rate * Math.sqrt(octaves)) : 0;
    const total = s.alternatives.reduce((sum, a) => sum + a.weight, 0), parts = [];
    for (const a of s.alternatives) {
      const row = [1, ...a.terms.map((t) => basis(t, env))], value = evaluate(a, env);
      if (value === null || row.length !== a.root.length) return null;
      if (s.positive && value < 0) continue;  // refuted there
      let square = 0;
      for (let j = 0; j < row.length; j++) square += row.reduce((sum, x, i) => sum + x * (a.root[i][j] || 0), 0) ** 2;
      const deviation = a.sigma * Math.sqrt(square), noise = a.sigma * Math.sqrt(1 + a.kappa ** 2 * distance);
      const usable = Math.max(value, 1e-300);
      const [centre, width] = s.positive ? [Math.log(usable), Math.hypot(noise, Math.min(deviation / usable, 2))] : [value, Math.hypot(noise * value, deviation)];
      const weight = a.weight / total;
      parts.push({ weight: weight * (1 - changed), centre, width: Math.max(width, 1e-300) });
      if (changed) parts.push({ weight: weight * changed, centre: centre + UNSEEN.shift, width: Math.hypot(width, UNSEEN.spread) });
    }
    if (!parts.length) return [0, Infinity];
    const left = parts.reduce((sum, p) => sum + p.weight, 0);
    for (const p of parts) p.weight /= left;
    const found = [quantile(parts, 0.05), quantile(parts, 0.95)], [low, high] = s.positive ? found.map(Math.exp) : found, value = evaluate(model, env);
    const wide = Math.exp(1.645 * open), middle = s.positive ? Math.sqrt(low) * Math.sqrt(high) : (low + high) / 2, more = (wide - 1) * Math.max(Math.abs(low), Math.abs(high));
    const around = s.positive ? [middle / wide, middle * wide] : [middle - more, middle + more], holds = value === null || s.positive && value < 0 ? [low, high] : [value, value];
    return [Math.min(low, around[0], holds[0]), Math.max(high, around[1], holds[1])];
  }

  /** The term that outgrows the others when all parameters grow together; null for a constant. */
  function lead(model) {
    let best = null;
    for (const term of model.terms || []) {
      if (!term.coefficient) continue;
      const [i, j] = degree(term);
      if (i < 0 || i === 0 && j <= 0) continue;
      if (!best || i > best.i || i === best.i && j > best.j) best = { i, j, term };
    }
    return best;
  }

  function degree(term) {
    return Object.values(term.exponents).reduce(([a, b], [i, j]) => [a + fraction(i), b + fraction(j)], [0, 0]);
  }

  /** A term as formula text, without its coefficient. */
  function termText(term) {
    const power = (base, e) => e === "1" ? base : /^\d+$/.test(e) ? `${base}**${e}` : `${base}**(${e})`;
    const parts = Object.entries(term.exponents).flatMap(([name, [i, j]]) =>
      [...(i !== "0" ? [power(name, String(i))] : []), ...(j !== "0" ? [power(`log(${name}, 2)`, String(j))] : [])]);
    return parts.join("*") || "1";
  }

  /** A model as formula text. */
  const text = (m) => [...(m.constant ? [m.constant] : []), ...(m.terms || []).map((t) => `${t.coefficient}*${termText(t)}`)].join(" + ") || "0";

  return { basis, evaluate, interval, lead, limit, memory, termText, text };
})();

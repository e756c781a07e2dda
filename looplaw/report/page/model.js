/* Models in performance model normal form: constant + sum of coefficient * prod x^i log2(x)^j, from their terms. */
const Models = (() => {
  const fraction = (text) => toNumber(text) || 0, factors = new WeakMap();

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

  function evaluate(model, env) {
    let total = model.constant || 0;
    for (const term of model.terms || []) {
      const b = basis(term, env);
      if (b === null) return null;
      total += term.coefficient * b;
    }
    return total;
  }

  /* 95 % quantile of Student's t, Cornish-Fisher in 1/dof (Abramowitz and Stegun 26.7.5); a table where that is coarse */
  const T95 = [6.3138, 2.92, 2.3534, 2.1318, 2.015];
  function quantile(dof) {
    if (dof <= T95.length) return T95[dof - 1];
    const z = 1.6448536, z3 = z ** 3, z5 = z ** 5;
    return z + (z3 + z) / (4 * dof) + (5 * z5 + 16 * z3 + 3 * z) / (96 * dof * dof);
  }

  /** [lower, upper] of the 90 % prediction interval; null when the model does not carry what that needs. */
  function interval(model, env) {
    const s = model.interval;
    if (!s || !(s.dof >= 1) || !Array.isArray(s.covariance)) return null;
    const row = [1, ...(model.terms || []).map((t) => basis(t, env))], center = evaluate(model, env);
    if (center === null || row.length !== s.covariance.length) return null;
    let variance = center * center;
    row.forEach((a, i) => row.forEach((b, j) => { variance += a * b * s.covariance[i][j]; }));
    const half = quantile(s.dof) * s.sigma * Math.sqrt(Math.max(variance, 0));
    return [center - half, center + half];
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

  return { basis, evaluate, interval, lead, termText };
})();

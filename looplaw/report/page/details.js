/* What a row of the loop table opens: source, formulas, plots, numbers. Made only when it is opened. */
const Details = (() => {
  const STEPS = 72;

  function law(count, display, wrapped) {
    if (!count) return el("span", { class: "muted" }, "–");
    const text = display || count.formula;
    if (text !== null && text !== undefined) return Formula.show(text, wrapped);
    const bounds = [["at least", count.lower], ["at most", count.upper]].filter((b) => b[1] !== null && b[1] !== undefined);
    if (!bounds.length) return el("span", { class: "muted" }, count.reason ? count.reason : "unknown");
    return el("span", {}, ...bounds.map(([word, b]) => el("span", { class: "bound" }, el("span", { class: "muted" }, word), " ", Formula.show(b, wrapped))));
  }

  /** The iterations in a run as they are shown: in the parameters of the study where they are known in these. */
  const iterations = (loop) => law(loop.total, (loop.law && loop.law.formula) || loop.display, true);

  /** What the unknowns of a law were bound to, and in how many runs. */
  const bound = ({ where = {}, seen }) => Formula.prose(`${Object.entries(where).map((w) => w.join(" = ")).join(", ")} (in all ${seen} runs)`);

  function fact(list, name, ...content) {
    const filled = content.filter((c) => c !== null && c !== undefined && c !== "");
    if (filled.length) list.append(el("dt", {}, name), el("dd", {}, ...filled));
  }

  /** An error; what rounding leaves of an exact fit is not written out. */
  const percent = (error) => error < 0.01 ? "< 0.01 %" : `${significant(error, 2)} %`;

  function lines(items) {
    return items.length === 1 ? items[0] : el("ul", {}, ...items.map((i) => el("li", {}, i)));
  }

  /** The loop of a nest that ran most often: whoever reads the law of the outermost loop wants to know it too. */
  function busiest(loop, study) {
    const most = (l) => l.counted.length ? toNumber(l.counted.at(-1).iterations) || 0 : -1;
    const inside = study.loops.filter((l) => l.kernel === loop.at && l.at !== loop.at);
    return inside.length ? inside.reduce((a, b) => most(b) >= most(a) ? b : a) : null;
  }

  function facts(loop, study, go) {
    const list = el("dl", { class: "facts" }), total = loop.total || {};
    if (loop.total) fact(list, (/\[.+\]$/.exec(loop.at) || ["Iterations"])[0] + " in a run", iterations(loop));
    if (loop.law) fact(list, loop.law.kind, bound(loop.law));
    if (total.formula && (loop.law || (loop.display && loop.display !== total.formula))) fact(list, "in full", Formula.show(total.formula, true));
    if (loop.per_call && loop.function !== "main") fact(list, `per call of ${loop.function}`, law(loop.per_call, null, true));
    if (loop.per_entry && JSON.stringify(loop.per_entry) !== JSON.stringify(loop.per_call)) fact(list, "per entry of the loop", law(loop.per_entry, null, true));
    if (loop.before) fact(list, "Before", ...formerly(loop));
    if (total.kind !== "exact" && total.reason) fact(list, "Why not exact", Formula.prose(total.reason));
    const opaque = (total.opaque || []).map((o) => el("span", {}, Formula.show(o.symbol), ` ${o.meaning}`, o.at ? el("span", { class: "muted" }, " at ", el("code", {}, o.at)) : null));
    if (opaque.length) fact(list, "Not known from the source", lines(opaque));
    if ((total.assumptions || []).length) fact(list, "Holds if", lines(total.assumptions.map((a) => Formula.prose(a))));
    if (loop.parameters) fact(list, "Depends on", loop.parameters.length ? loop.parameters.join(", ") : "no parameter");
    const inner = busiest(loop, study);
    if (inner) fact(list, "Most iterations inside", iterations(inner), el("span", { class: "muted" }, " at "), place(inner.at, go));
    if (loop.parent) fact(list, "Inside", place(loop.parent, go));
    if (loop.kernel && loop.kernel !== loop.at) fact(list, "Time is measured at", place(loop.kernel, go));
    for (const [name, model] of [[`${metric(loop)} model${metric(loop) === "Time" ? ", seconds" : ""}`, loop.time_model], ["Model of the count", loop.iterations_model]]) {
      if (model && (model === loop.time_model || total.kind !== "exact")) fact(list, name, ...describe(model, model === loop.time_model && loop.verdict === "not identifiable"));
    }
    if (loop.settle) fact(list, "To settle it", Formula.prose(loop.settle.reason), ...(loop.settle.command ? [el("div", {}, `${seconds(loop.settle.seconds)} of runs: `, el("code", {}, loop.settle.command))] : []));
    if (loop.growth_ratio) fact(list, "Time grows, relative to the law, by", Formula.show(loop.growth_ratio));
    return list;
  }

  /** What the loop was in the study that this one is compared with. */
  function formerly(loop) {
    const before = loop.before, found = [el("div", {}, el("code", {}, before.at), before.verdict ? `, ${before.verdict}` : "")];
    if (before.law) found.push(el("div", {}, "law ", Formula.show(before.law, true)));
    if (before.time_model) found.push(el("div", {}, "time ", Formula.show(before.time_model.formula, true)));
    if (loop.time_ratio) found.push(el("div", {}, `now ${significant(loop.time_ratio, 3)} times as long`));
    return found;
  }

  function describe(model, said) {
    const q = model.quality || {}, parts = [];
    if (q.smape !== undefined && q.smape !== null) parts.push(`error ${percent(q.smape)}`);
    if (q.loo_smape !== undefined && q.loo_smape !== null) parts.push(`${percent(q.loo_smape)} leave-one-out error`);
    if (q.adjusted_r2 !== undefined && q.adjusted_r2 !== null) parts.push(`adjusted R² ${Number(q.adjusted_r2.toFixed(4))}`);
    if (q.points) parts.push(`${q.points} points`);
    const found = [Formula.show(model.formula, true), el("div", { class: "muted small" }, parts.join(", "))];
    if (model.identifiable === false) found.push(el("div", { class: "tone-odd" }, el("span", { class: "tag small" }, `? not identifiable${model.reason && !said ? `: ${model.reason}` : ""}`)));
    if ((model.rivals || []).length) {
      found.push(el("details", { class: "small" }, el("summary", {}, `${model.rivals.length} other formula${model.rivals.length > 1 ? "s fit" : " fits"} as well`),
        lines(model.rivals.map((r) => el("span", {}, Formula.show(r.formula, true), el("span", { class: "muted" }, r.smape === undefined ? "" : `  error ${percent(r.smape)}`))))));
    }
    return found;
  }

  function place(at, go, text = at) {
    return el("button", { type: "button", class: "place", on: { click: () => go(at) } }, text);
  }

  /** How a loop's measured values are written: seconds, or numbers of another metric. */
  const unit = (loop) => !loop.metric || /(^|_)time$/.test(loop.metric) ? seconds : spaced;
  const metric = (loop) => !loop.metric || loop.metric === "time" ? "Time" : loop.metric[0].toUpperCase() + loop.metric.slice(1);

  /* -- plots -- */
  const median = (values) => {
    const sorted = [...values].sort((a, b) => a - b), half = sorted.length >> 1;
    return sorted.length % 2 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
  };

  /** x from the first to the last value and `reach` times beyond, evenly on the axis; the measured values are among them. */
  function steps(values, reach, log) {
    const low = Math.min(...values), high = Math.max(...values) * reach, found = new Set(values);
    for (let k = 0; k <= STEPS; k += 1) {
      const v = log && low > 0 ? low * (high / low) ** (k / STEPS) : low + (high - low) * k / STEPS;
      found.add(high / low > 20 ? v : Number(v.toPrecision(4)));
    }
    return [...found].filter((v) => v <= high).sort((a, b) => a - b);
  }

  /** The formula as a curve where the page can evaluate it and agrees with the given predictions, else those, joined. */
  function curve(text, given, xs, env) {
    const known = given.filter((p) => p[1] !== null);
    if (text) {
      const agrees = known.every(([x, v]) => { const own = Formula.evaluate(text, env(x)); return own !== null && Math.abs(own - v) <= 1e-9 * Math.abs(v) + 1e-9; });
      const stepped = /floor|ceiling|Mod|log/.test(text);
      const at = agrees ? xs.map((x) => [x, Formula.evaluate(text, env(stepped ? Math.round(x) : x))]) : [];
      if (at.length && at.every((p) => p[1] !== null)) return at;
    }
    return known;
  }

  function plots(loop, study) {
    const points = loop.counted.length ? loop.counted : loop.time;
    const names = study.parameters.map((p) => p.name).filter((n) => new Set([...loop.counted, ...loop.time].map((p) => p.params[n])).size > 1);
    if (!points.length || !names.length) return null;
    const values = (n) => [...new Set([...loop.counted, ...loop.time].map((p) => p.params[n]))].sort((a, b) => a - b);
    const state = { x: [...names].sort((a, b) => values(b).length - values(a).length)[0], fixed: {}, log: false, reach: 2 };
    const span = values(state.x);
    state.log = span[0] > 0 && span.at(-1) / span[0] >= 4;
    const settle = () => {  // the other parameters where most points lie, the largest such values first
      const seen = new Map();
      for (const p of points) {
        const rest = names.filter((n) => n !== state.x).map((n) => p.params[n]), key = JSON.stringify(rest);
        seen.set(key, { rest, n: (seen.get(key) || { n: 0 }).n + 1 });
      }
      const [best] = [...seen.values()].sort((a, b) => b.n - a.n || b.rest.reduce((s, v, k) => s || v - a.rest[k], 0));
      state.fixed = Object.fromEntries(names.filter((n) => n !== state.x).map((n, k) => [n, best.rest[k]]));
    };
    settle();
    const box = el("div", { class: "plots" }), controls = el("div", { class: "controls" });
    const select = (label, options, value, change) => el("label", {}, label, el("select", { on: { change: (e) => change(e.target.value) } },
      ...options.map((o) => el("option", { value: String(o), selected: String(o) === String(value) }, String(o)))));
    const redraw = () => {
      controls.replaceChildren();
      if (names.length > 1) {
        controls.append(select("x-axis", names, state.x, (v) => { state.x = v; settle(); redraw(); }));
        for (const n of Object.keys(state.fixed)) controls.append(select(`${n} =`, values(n), state.fixed[n], (v) => { state.fixed[n] = Number(v); redraw(); }));
      }
      const segment = el("span", { class: "segment", role: "group", "aria-label": "Axes" });
      for (const [name, log] of [["linear", false], ["logarithmic", true]]) {
        segment.append(el("button", { type: "button", "aria-pressed": String(state.log === log), on: { click: () => { state.log = log; redraw(); } } }, name));
      }
      controls.append(segment);
      if (loop.time_model) controls.append(reach(state, () => box.replaceChildren(...drawn())));
      box.replaceChildren(...drawn());
    };
    const drawn = () => [loop.counted.length ? iterationsPlot(loop, state) : null, timePlot(loop, state, study)].filter(Boolean);
    redraw();
    return el("div", {}, controls, box);
  }

  /** How far beyond the measured values the model is drawn: 1 to 1000 times. */
  function reach(state, redraw) {
    const said = el("output", {}, `${state.reach}×`);
    const slider = el("input", { type: "range", min: "0", max: "60", value: String(Math.round(Math.log10(state.reach) * 20)), "aria-label": "Extrapolate to a multiple of the largest value" });
    slider.addEventListener("input", () => { state.reach = Number((10 ** (Number(slider.value) / 20)).toPrecision(2)); said.textContent = `${state.reach}×`; redraw(); });
    return el("label", { class: "reach" }, "extrapolate to", slider, said);
  }

  function selected(points, state) {
    return points.filter((p) => Object.entries(state.fixed).every(([n, v]) => p.params[n] === v)).sort((a, b) => a.params[state.x] - b.params[state.x]);
  }

  function axisName(state) {
    const rest = Object.entries(state.fixed).map(([n, v]) => `${n} = ${v}`);
    return rest.length ? `${state.x}   (${rest.join(", ")})` : state.x;
  }

  function iterationsPlot(loop, state) {
    const at = selected(loop.counted, state), x = (p) => p.params[state.x];
    if (!at.length) return el("p", { class: "muted small" }, "No runs at these values.");
    const measured = at.map((p) => [x(p), toNumber(p.iterations)]).filter((p) => p[1] !== null);
    const env = (v) => ({ ...at[0].params, [state.x]: v }), xs = steps(at.map(x), 1, state.log), total = loop.total || {};
    const series = [];
    for (const [name, tone, kind, text, key] of [["law", "law", "line", total.formula, "predicted"], ["upper bound", "bound", "dash", total.upper, "upper"], ["lower bound", "bound", "dots", total.lower, "lower"]]) {
      if (key === "predicted" ? total.kind === "bounded" : total.kind === "exact") continue;  // an exact law is its own bound
      series.push({ name, tone, kind, at: curve(text, at.map((p) => [x(p), toNumber(p[key])]), xs, env) });
    }
    if (loop.iterations_model && total.kind !== "exact") series.unshift({ name: "model of the count", tone: "model", kind: "line", at: xs.map((v) => [v, Models.evaluate(loop.iterations_model, env(v))]).filter((p) => p[1] !== null) });
    series.push({ name: "counted", tone: "data", kind: "points", at: measured });
    return Plot.draw({ title: "Iterations", label: `Iterations of ${loop.at} over ${state.x}: ${measured.length} counted points`, x: axisName(state), log: state.log, ticks: at.map(x), series });
  }

  function timePlot(loop, state, study) {
    const at = selected(loop.time, state), x = (p) => p.params[state.x];
    if (!at.length) return null;
    const medians = at.map((p) => [x(p), median(p.values)]), all = at.flatMap((p) => p.values.map((v) => [x(p), v]));
    const env = (v) => ({ ...at[0].params, [state.x]: v }), last = Math.max(...at.map(x));
    const xs = steps(at.map(x), state.reach, state.log), series = [], model = loop.time_model;
    if (model) {
      const band = xs.map((v) => [v, ...(Models.interval(model, env(v)) || [])]).filter((p) => p.length === 3);
      series.push({ name: "90 % interval", tone: "model", kind: "band", at: band });
    }
    const bound = Laws.scaled(loop, study, medians, env);
    if (bound) series.push({ name: "bound: law, scaled", tone: "law", kind: "dash", at: xs.map((v) => [v, bound(env(v))]).filter((p) => p[1] !== null) });
    if (model) series.push({ name: "model", tone: "model", kind: "line", at: xs.map((v) => [v, Models.evaluate(model, env(v))]).filter((p) => p[1] !== null) });
    const memory = model && model.law ? xs.map((v) => [v, Models.memory(model, env(v))]).filter((p) => p[1] !== null) : [];
    if (memory.length) series.push({ name: "memory alone, on this machine", tone: "bound", kind: "dots", at: memory });
    const limits = model && model.law ? model.law.regimes.filter(([name]) => name === state.x).map(([, value, level]) => [value, level]) : [];
    const earlier = loop.before;
    if (earlier && earlier.time_model) series.push({ name: "model before", tone: "before", kind: "dots", at: xs.map((v) => [v, Models.evaluate(earlier.time_model, env(v))]).filter((p) => p[1] !== null) });
    series.push({ name: study.kind === "measurements" ? "mean ± standard deviation" : "measured", tone: "data", kind: "points", at: medians, all });
    const title = metric(loop), format = unit(loop);
    return Plot.draw({ title, label: `${title} of ${loop.at} over ${state.x}: ${medians.length} measured points`, x: axisName(state), log: state.log, ticks: state.reach <= 4 ? at.map(x) : undefined, beyond: last, limits, format, value: format, series });
  }

  /* -- numbers -- */
  function numbers(loop, names) {
    if (!loop.counted.length && !loop.time.length) return el("p", { class: "muted small" }, "This loop has not been run.");
    const times = new Map(loop.time.map((p) => [JSON.stringify(p.params), p.values]));
    const bounded = loop.counted.some((p) => p.lower !== null && p.lower !== undefined || p.upper !== null && p.upper !== undefined);
    const timed = loop.time.length > 0, rows = loop.counted.length ? loop.counted : loop.time;
    const columns = loop.counted.length ? ["counted", ...(bounded ? ["at least", "at most"] : ["predicted"]), "", "entries"] : [], value = unit(loop);
    const head = [...names, ...columns, ...(timed ? [loop.counted.length ? "time (median)" : metric(loop).toLowerCase(), "model"] : [])];
    const table = el("table", { class: "grid" }, el("caption", { class: "hidden" }, "Counted and predicted iterations at every parameter vector"),
      el("thead", {}, el("tr", {}, ...head.map((h) => el("th", { scope: "col", class: h ? "r" : null }, h || el("span", { class: "hidden" }, "equal"))))));
    const body = el("tbody");
    for (const p of rows) {
      const values = times.get(JSON.stringify(p.params)), cell = (v) => el("td", { class: "r" }, spaced(v));
      body.append(el("tr", {}, ...names.map((n) => cell(p.params[n])), ...(loop.counted.length ? [cell(p.iterations), ...(bounded ? [cell(p.lower), cell(p.upper)] : [cell(p.predicted)]), el("td", {}, agreement(p, bounded)), cell(p.entries)] : []),
        ...(timed ? [el("td", { class: "r" }, values ? value(median(values)) : "–"), el("td", { class: "r" }, loop.time_model ? value(Models.evaluate(loop.time_model, p.params)) : "–")] : [])));
    }
    table.append(body);
    return el("div", { class: "small-table scroll", tabindex: "0", role: "region", "aria-label": "Counted and predicted" }, table);
  }

  function agreement(p, bounded) {
    const inside = bounded && (p.lower === null || toNumber(p.lower) <= toNumber(p.iterations)) && (p.upper === null || toNumber(p.iterations) <= toNumber(p.upper));
    const [tone, text] = p.equal === true ? ["good", "✓ equal"] : p.equal === false ? ["bad", "✗ differs"] : bounded ? (inside ? ["good", "✓ within"] : ["bad", "✗ outside"]) : ["none", "–"];
    return el("span", { class: `tag tone-${tone}` }, text);
  }

  function render(loop, study, verdictTag, go) {
    const line = (/:(\d+)(?::\d+)?( |$)/.exec(loop.at) || [])[1];
    const head = el("header", {});
    if (loop.source) head.append(el("pre", { class: "source" }, el("span", { class: "ln", "aria-hidden": "true" }, line || ""), el("code", {}, loop.source)));
    head.append(el("p", { class: "says" }, verdictTag, ...(loop.verdict_reason ? [": ", Formula.prose(loop.verdict_reason)] : [])));
    const names = study.parameters.map((p) => p.name);
    const parts = [head, facts(loop, study, go), plots(loop, study), numbers(loop, names)];
    if (loop.matrix && loop.matrix.text) parts.push(el("details", {}, el("summary", {}, "Matrix form of the nest"), el("pre", { tabindex: "0" }, loop.matrix.text)));
    return el("div", { class: "inner" }, ...parts.filter(Boolean));
  }

  return { render, law, iterations, place, percent, median, lines, unit, metric };
})();

/* The static law of a kernel: the sum over the loops of its nest, or what the comparison says about its growth. */
const Laws = (() => {
  const degree = (f, env) => {
    const big = (k) => Object.fromEntries(Object.entries(env).map(([n, v]) => [n, Math.max(v, 1) * k]));
    const a = f(big(1e5)), b = f(big(2e5));
    return a > 0 && b > 0 ? Math.log2(b / a) : null;
  };

  function nest(loop, study) {
    const formulas = study.loops.filter((l) => l.kernel === loop.at || l.at === loop.at).map((l) => l.total && l.total.kind === "exact" ? l.total.formula : null);
    if (formulas.some((f) => !f)) return null;
    return (env) => formulas.reduce((sum, f) => { const v = sum === null ? null : Formula.evaluate(f, env); return v === null ? null : sum + v; }, 0);
  }

  /** f(env) in seconds: the law through the measured points (relative least squares); null without a law. */
  function scaled(loop, study, medians, env) {
    const model = loop.time_model, lead = model && Models.lead(model), ratio = loop.growth_ratio;
    const byRatio = ratio ? (e) => { const r = Formula.evaluate(ratio, e), t = lead ? Models.basis(lead.term, e) : 1; return r && t !== null ? t / r : null; } : null;
    let law = nest(loop, study);
    const some = env(medians[0][0]);
    if (law && law(some) === null) law = null;
    // loops in functions that the nest calls are not among its own: then the comparison's growth is the law
    if (byRatio && (!law || Math.abs((degree(law, some) ?? 99) - (degree(byRatio, some) ?? 99)) > 0.05)) law = byRatio;
    if (!law) return null;
    const pairs = medians.map(([x, t]) => law(env(x)) / t).filter((v) => Number.isFinite(v) && v > 0);
    if (!pairs.length) return null;
    const factor = pairs.reduce((s, v) => s + v, 0) / pairs.reduce((s, v) => s + v * v, 0);
    return (e) => { const v = law(e); return v === null ? null : v * factor; };
  }

  return { scaled };
})();

/* Ranks: which of a kernel's ranks behave alike, how these classes grow, how uneven the work is, and every rank's value. */
const Ranks = (() => {
  const W = 1080, H = 250, LEFT = 66, RIGHT = 14, TOP = 12, BOTTOM = 40;
  const SHAPES = ["M-4 0A4 4 0 1 0 4 0A4 4 0 1 0 -4 0Z", "M-4 -4H4V4H-4Z", "M0 -5L5 4H-5Z", "M0 -5.5L5.5 0L0 5.5L-5.5 0Z", "M-4 -4L4 4M4 -4L-4 4", "M-5 0H5M0 -5V5", "M0 5L5 -4H-5Z"];
  const shape = (c) => SHAPES[c % SHAPES.length], tone = (c) => c < 0 ? "cx" : `c${c % 7}`;
  const unit = (metric) => metric === "time" ? seconds : spaced, text = (params) => Object.entries(params).map(([n, v]) => `${n} = ${spaced(v)}`).join(", ");
  const most = (kernel, metric) => kernel.experiments.reduce((best, e) => (e.imbalance[metric] || 0) > (best ? best.imbalance[metric] : 0) ? e : best, null);
  const times = (x) => `${significant(x, 3)}×`;

  /** One line for the top of the page: the first kernel, the one that costs most, if it is uneven; else null. */
  function worst(study) {
    const [kernel] = study.ranks, metric = kernel.metrics.includes("time") ? "time" : kernel.metrics[0], e = most(kernel, metric);
    return e && e.imbalance[metric] > 1.1 ? `the slowest rank of ${kernel.callpath} takes ${times(e.imbalance[metric])} the mean ${metric} at ${text(e.params)}` : null;
  }

  function symbol(c, label) {
    const art = Plot.svg("svg", { viewBox: "-7 -7 14 14", class: "mark-key", "aria-hidden": "true" });
    art.append(Plot.svg("path", { class: `rank-mark ${tone(c)}`, d: shape(Math.max(c, 0)) }));
    return el("span", { class: "rank-class" }, art, label);
  }

  /** Every rank's value at one experiment; the line is the mean of those shown. */
  function strip(kernel, experiment, metric) {
    const { ranks, classes, values } = experiment.strip, ys = values[metric], mean = ys.reduce((s, v) => s + v, 0) / ys.length;
    const x = Plot.scale(ranks, LEFT + 6, W - RIGHT - 6, false), y = Plot.scale(ys, H - BOTTOM, TOP, false);
    const art = Plot.svg("svg", { viewBox: `0 0 ${W} ${H}`, class: "plot", role: "img", "aria-label": `${metric} of ${kernel.callpath} on each of ${experiment.ranks} ranks` }), format = unit(metric);
    for (const v of y.ticks) art.append(Plot.svg("line", { class: "rule", x1: LEFT, x2: W - RIGHT, y1: y.at(v), y2: y.at(v) }), Plot.svg("text", { x: LEFT - 7, y: y.at(v) + 3.5, "text-anchor": "end" }, metric === "time" ? format(v) : Plot.tickText(v, y.ticks)));
    for (const v of x.ticks.filter((t) => t >= 0 && Number.isInteger(t))) art.append(Plot.svg("text", { x: x.at(v), y: H - BOTTOM + 16, "text-anchor": "middle" }, spaced(v)));
    art.append(Plot.svg("line", { class: "axis", x1: LEFT, x2: W - RIGHT, y1: H - BOTTOM, y2: H - BOTTOM }), Plot.svg("text", { class: "label", x: W - RIGHT, y: H - 6, "text-anchor": "end" }, "rank"),
      Plot.svg("line", { class: "mean", x1: LEFT, x2: W - RIGHT, y1: y.at(mean), y2: y.at(mean) }), Plot.svg("text", { class: "label halo", x: W - RIGHT - 3, y: y.at(mean) - 5, "text-anchor": "end" }, `mean ${format(mean)}`));
    ranks.forEach((r, k) => art.append(Plot.svg("path", { class: `rank-mark ${tone(classes[k])}`, d: shape(Math.max(classes[k], 0)), transform: `translate(${x.at(r).toFixed(1)} ${y.at(ys[k]).toFixed(1)})` }, Plot.svg("title", {}, `rank ${r}: ${format(ys[k])}`))));
    const shown = ranks.length < experiment.ranks ? `; ${ranks.length} of ${spaced(experiment.ranks)} ranks, the extremes among them` : "";
    const legend = el("ul", { class: "legend" }, ...[...new Set(classes)].sort((a, b) => a - b).map((c) => el("li", {}, symbol(c, c < 0 ? "not matched with other experiments" : named(kernel, c)))));
    return el("figure", { class: "whole" }, el("figcaption", {}, `${metric} of each rank at ${text(experiment.params)}${shown}`), kernel.diverges ? legend : null, art);
  }

  const named = (kernel, c) => kernel.classes.length > 1 ? `class ${kernel.classes[c].name}` : "all ranks";

  /** How many ranks each class has as their number grows. */
  function sizes(kernel) {
    const used = kernel.experiments.map((e, k) => [e.ranks, k]).filter(([, k]) => kernel.experiments[k].matched).sort((a, b) => a[0] - b[0]);
    if (new Set(used.map(([p]) => p)).size < 2 || kernel.classes.length < 2) return null;
    const low = used[0][0], high = used.at(-1)[0] * 4, xs = Array.from({ length: 61 }, (_, k) => low * (high / low) ** (k / 60));
    const series = kernel.classes.flatMap((c, n) => [
      { name: null, tone: tone(n), kind: c.law && c.law.exact ? "line" : "dash", at: c.law ? xs.map((p) => [p, Formula.evaluate(c.law.formula, { p })]).filter((q) => q[1] > 0) : [] },
      { name: named(kernel, n), tone: tone(n), kind: "points", shape: shape(n), at: used.map(([p, k]) => [p, c.sizes[k]]).filter((q) => q[1] > 0) }]);
    return Plot.draw({ title: "Ranks in each class", label: `Sizes of the classes of ${kernel.callpath} over the number of ranks`, x: "ranks p", log: true, ticks: [...new Set(used.map(([p]) => p))], beyond: used.at(-1)[0], series });
  }

  /** The imbalance that the classes' models and the laws of their sizes make up; null where one of them is not known. */
  function fromClasses(kernel, metric, p, env) {
    let total = 0, ranks = 0, largest = 0;
    for (const c of kernel.classes) {
      const size = c.law && c.law.exact ? Formula.evaluate(c.law.formula, { p }) : null, value = c.models[metric] ? Formula.evaluate(c.models[metric].formula, env) : null;
      if (size === null || value === null) return null;
      if (size <= 0) continue;
      total += size * value;
      ranks += size;
      largest = Math.max(largest, value);
    }
    return total > 0 ? largest * ranks / total : null;
  }

  function imbalance(kernel, metric, names) {
    const over = names.filter((n) => new Set(kernel.experiments.map((e) => e.params[n])).size > 1), x = over.includes("p") ? "p" : over[0];
    if (!x) return null;
    const most = Object.fromEntries(over.map((n) => [n, Math.max(...kernel.experiments.map((e) => e.params[n]))]));
    const at = kernel.experiments.filter((e) => Number.isFinite(e.imbalance[metric]) && over.every((n) => n === x || e.params[n] === most[n])).sort((a, b) => a.params[x] - b.params[x]);
    if (at.length < 2) return null;
    const model = kernel.imbalance[metric], env = (v) => ({ ...at[0].params, [x]: v }), low = at[0].params[x], high = at.at(-1).params[x] * 2;
    const xs = [...new Set([...at.map((e) => e.params[x]), ...Array.from({ length: 61 }, (_, k) => low > 0 ? low * (high / low) ** (k / 60) : low + (high - low) * k / 60)])].sort((a, b) => a - b), series = [];
    if (model) series.push({ name: "90 % interval", tone: "model", kind: "band", at: xs.map((v) => [v, ...(Models.interval(model, env(v)) || [])]).filter((p) => p.length === 3) },
      { name: "model", tone: "model", kind: "line", at: xs.map((v) => [v, Models.evaluate(model, env(v))]).filter((p) => p[1] !== null) });
    const composed = x === "p" ? xs.map((v) => [v, fromClasses(kernel, metric, v, env(v))]).filter((p) => p[1] !== null) : [];
    if (composed.length) series.push({ name: "from the classes and their sizes", tone: "law", kind: "dash", at: composed });
    series.push({ name: "measured", tone: "data", kind: "points", at: at.map((e) => [e.params[x], e.imbalance[metric]]) });
    const rest = over.filter((n) => n !== x).map((n) => `${n} = ${spaced(most[n])}`);
    return Plot.draw({ title: `Imbalance of ${metric}: largest rank over the mean`, label: `Imbalance of ${kernel.callpath} over ${x}`, x: rest.length ? `${x}   (${rest.join(", ")})` : x, log: low > 0, ticks: at.map((e) => e.params[x]), beyond: at.at(-1).params[x], value: times, format: times, series });
  }

  /** What each class is: how many ranks, what their values grow as. */
  function classes(kernel, metric, table) {
    const largest = kernel.experiments.map((e, k) => [e, k]).filter(([e]) => e.matched).sort((a, b) => b[0].ranks - a[0].ranks)[0];
    const lines = kernel.classes.map((c, n) => el("tr", {}, el("td", {}, symbol(n, named(kernel, n))),
      el("td", {}, c.law ? el("span", {}, c.law.exact ? "" : "about ", Formula.show(c.law.formula, true)) : el("span", { class: "muted" }, "no law of p")),
      el("td", { class: "r" }, largest ? `${spaced(c.sizes[largest[1]])} of ${spaced(largest[0].ranks)}` : "–"),
      el("td", {}, c.models[metric] ? Formula.show(c.models[metric].formula, true) : "–", c.models[metric] && !c.models[metric].identifiable ? el("span", { class: "tag tone-odd small" }, " ? not identifiable") : null)));
    return table([["class"], ["ranks among p"], ["in the largest run", true], [`${metric} of its ranks`]], lines, "Classes of ranks");
  }

  function render(study, go, table) {
    const names = study.parameters.map((p) => p.name), box = el("div", {}), controls = el("div", { class: "controls" }), even = study.ranks.filter((k) => !k.diverges).length;
    const state = { kernel: 0, metric: study.ranks[0].metrics.includes("time") ? "time" : study.ranks[0].metrics[0], experiment: null };
    const select = (label, options, value, change) => el("label", {}, label, el("select", { on: { change: (e) => change(e.target.value) } }, ...options.map(([v, t]) => el("option", { value: String(v), selected: String(v) === String(value) }, t))));
    const redraw = () => {
      const kernel = study.ranks[state.kernel];
      if (!kernel.metrics.includes(state.metric)) state.metric = kernel.metrics[0];
      const known = kernel.experiments.map((e, k) => [k, e]).filter(([, e]) => e.strip);
      if (!known.some(([k]) => k === state.experiment)) state.experiment = known.length ? [...known].sort((a, b) => b[1].matched - a[1].matched || b[1].ranks - a[1].ranks)[0][0] : null;
      controls.replaceChildren(select("kernel", study.ranks.map((k, n) => [n, k.callpath]), state.kernel, (v) => { state.kernel = Number(v); state.experiment = null; redraw(); }),
        kernel.metrics.length > 1 ? select("metric", kernel.metrics.map((m) => [m, m]), state.metric, (v) => { state.metric = v; redraw(); }) : "",
        known.length > 1 ? select("at", known.map(([k, e]) => [k, text(e.params)]), state.experiment, (v) => { state.experiment = Number(v); redraw(); }) : "");
      const by = kernel.by.length && kernel.diverges ? `; distinguished by ${kernel.by.join(", ")}` : "", left = kernel.experiments.filter((e) => !e.matched).length;
      const said = kernel.diverges ? `${kernel.classes.length > 1 ? `${kernel.classes.length} classes of ranks${by}` : "all ranks behave alike in most experiments"}${left ? `; ${left} of ${kernel.experiments.length} experiments have another number of classes and are left out of their laws` : ""}` : "all ranks behave alike";
      box.replaceChildren(...[el("p", { class: "says" }, Details.place(kernel.callpath, go), ": ", said, "."), kernel.imbalance[state.metric] ? el("p", { class: "muted" }, `Imbalance of ${state.metric} `, Formula.show(kernel.imbalance[state.metric].formula, true), kernel.imbalance[state.metric].identifiable === false ? ", not identifiable from these points." : ".") : null,
        state.experiment === null ? null : el("div", { class: "plots" }, strip(kernel, kernel.experiments[state.experiment], state.metric)),
        el("div", { class: "plots" }, ...[sizes(kernel), imbalance(kernel, state.metric, names)].filter(Boolean)), classes(kernel, state.metric, table)].filter(Boolean));
    };
    redraw();
    return el("div", {}, el("p", { class: "muted small" }, `Kernels are ordered by how long their ranks wait for the slowest. Imbalance is the largest rank's value over the mean of all ranks; its excess over 1 is time that the other ranks wait.${even ? ` ${even} of ${study.ranks.length} kernels behave alike on all ranks.` : ""}`), controls, box);
  }

  return { render, worst };
})();

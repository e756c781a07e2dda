"use strict";
const study = JSON.parse(document.getElementById("data").textContent);
const $ = id => document.getElementById(id);
function el(tag, attributes, ...children) {
  const e = document.createElement(tag);
  for (const [k, v] of Object.entries(attributes || {})) if (v !== null && v !== undefined) e.setAttribute(k, v);
  for (const c of children) if (c !== null && c !== undefined) e.append(c.nodeType ? c : String(c));
  return e;
}
const NS = "http://www.w3.org/2000/svg";
function svg(tag, attributes, text) {
  const e = document.createElementNS(NS, tag);
  for (const [k, v] of Object.entries(attributes || {})) e.setAttribute(k, v);
  if (text !== undefined) e.textContent = text;
  return e;
}
const names = study.parameters.map(p => p.name);
const base = at => at.split("/").pop();
const number = v => v === 0 ? "0" : Math.abs(v) >= 1e5 || Math.abs(v) < 1e-3 ? v.toExponential(2) : String(+v.toPrecision(4));
const vector = p => Object.entries(p).map(([k, v]) => `${k}=${v}`).join(", ");
function law(c) { return c.formula !== null ? c.formula : c.upper !== null ? `${c.lower || 0} … ${c.upper}` : "?"; }
const SUP = {"0":"⁰","1":"¹","2":"²","3":"³","4":"⁴","5":"⁵","6":"⁶","7":"⁷","8":"⁸","9":"⁹"};
function pretty(f) {
  return f.replace(/\*\*(\d+)/g, (_, d) => [...d].map(c => SUP[c]).join("")).replace(/\*\*/g, "^").replace(/\*/g, "·");
}
function modelText(m) {
  if (!m) return "";
  const parts = m.constant || !m.terms.length ? [number(m.constant)] : [];
  for (const t of m.terms) {
    const factors = [];
    for (const [n, [i, j]] of Object.entries(t.exponents)) {
      if (i !== "0") factors.push(i === "1" ? n : /^\d$/.test(i) ? n + SUP[i] : `${n}^(${i})`);
      if (j !== "0") factors.push(j === "1" ? `log₂ ${n}` : `log₂${SUP[j] || "^" + j} ${n}`);
    }
    parts.push((t.coefficient < 0 ? "− " : parts.length ? "+ " : "") + number(Math.abs(t.coefficient)) + " " + factors.join("·"));
  }
  return parts.join(" ");
}
const fraction = s => { const [a, b] = s.split("/").map(Number); return b ? a / b : a; };
function termValue(t, at) {
  let v = 1;
  for (const [n, [i, j]] of Object.entries(t.exponents)) v *= Math.pow(at[n], fraction(i)) * Math.pow(Math.log2(at[n]), fraction(j));
  return v;
}
function modelValue(m, at) { return m.terms.reduce((s, t) => s + t.coefficient * termValue(t, at), m.constant); }
// two-sided 90 % quantiles of Student's t
const T90 = [6.31, 2.92, 2.35, 2.13, 2.02, 1.94, 1.9, 1.86, 1.83, 1.81];
function modelBand(m, at) {
  const v = modelValue(m, at), s = m.interval;
  if (!s || s.dof < 1) return null;
  const row = [1, ...m.terms.map(t => termValue(t, at))];
  let spread = v * v;
  for (let a = 0; a < row.length; a++) for (let b = 0; b < row.length; b++) spread += row[a] * s.covariance[a][b] * row[b];
  const half = (T90[s.dof - 1] || 1.7) * s.sigma * Math.sqrt(Math.max(spread, 0));
  return [v - half, v + half];
}

function plot(caption, xName, series, log) {
  const W = 460, H = 270, L = 58, R = 12, T = 10, B = 34;
  const xs = [], ys = [];
  for (const s of series) for (const p of s.points) {
    if (p[0] > 0 || !log) xs.push(p[0]);
    for (const y of p.slice(1)) if (isFinite(y) && (!log || y > 0)) ys.push(y);
  }
  const figure = el("figure", {}, el("figcaption", {}, caption));
  if (!xs.length || !ys.length) { figure.append(el("p", { class: "dim" }, "nothing to draw")); return figure; }
  const to = v => log ? Math.log10(v) : v;
  let x0 = Math.min(...xs), x1 = Math.max(...xs), y0 = log ? Math.min(...ys) : Math.min(0, ...ys), y1 = Math.max(...ys);
  if (x0 === x1) { x0 = log ? x0 / 2 : x0 - 1; x1 = log ? x1 * 2 : x1 + 1; }
  if (y0 === y1) { y0 = log ? y0 / 2 : y0 - 1; y1 = log ? y1 * 2 : y1 + 1; }
  const X = v => L + (to(v) - to(x0)) / (to(x1) - to(x0)) * (W - L - R);
  const Y = v => H - B - (to(v) - to(y0)) / (to(y1) - to(y0)) * (H - B - T);
  const s = svg("svg", { viewBox: `0 0 ${W} ${H}`, role: "img", "aria-label": caption });
  const ticks = (a, b) => {
    const out = [];
    if (log) {
      for (let e = Math.floor(Math.log10(a)); e <= Math.ceil(Math.log10(b)); e++) for (const k of Math.log10(b / a) < 2.2 ? [1, 2, 5] : [1]) { const v = k * 10 ** e; if (v >= a * .999 && v <= b * 1.001) out.push(v); }
      return out.length > 8 ? out.filter((_, k) => k % Math.ceil(out.length / 7) === 0) : out;
    }
    const raw = (b - a) / 5, power = 10 ** Math.floor(Math.log10(raw)), step = [1, 2, 5, 10].find(k => k * power >= raw) * power;
    for (let v = Math.ceil(a / step) * step; v <= b + step * 1e-6; v += step) out.push(Math.abs(v) < step * 1e-9 ? 0 : v);
    return out;
  };
  for (const v of ticks(y0, y1)) {
    s.append(svg("line", { x1: L, x2: W - R, y1: Y(v), y2: Y(v), stroke: "var(--line)" }));
    s.append(svg("text", { x: L - 6, y: Y(v) + 4, "text-anchor": "end" }, number(v)));
  }
  for (const v of ticks(x0, x1)) s.append(svg("text", { x: X(v), y: H - B + 16, "text-anchor": "middle" }, number(v)));
  s.append(svg("text", { x: (L + W - R) / 2, y: H - 4, "text-anchor": "middle" }, xName));
  const legend = el("div", { class: "legend" });
  for (const item of series) {
    const ok = item.points.filter(p => (!log || (p[0] > 0 && p.slice(1).every(y => y > 0))) && p.every(isFinite));
    if (item.kind === "band") {
      if (ok.length) s.append(svg("polygon", { points: [...ok.map(p => `${X(p[0])},${Y(p[1])}`), ...ok.slice().reverse().map(p => `${X(p[0])},${Y(p[2])}`)].join(" "), fill: "var(--band)" }));
      continue;
    }
    if (item.kind === "line") s.append(svg("polyline", { points: ok.map(p => `${X(p[0])},${Y(p[1])}`).join(" "), fill: "none", stroke: item.color, "stroke-width": 2, "stroke-dasharray": item.dash || "" }));
    else for (const p of ok) s.append(svg("circle", { cx: X(p[0]), cy: Y(p[1]), r: 3.6, fill: item.color, "fill-opacity": .8 }));
    const mark = el("i"); mark.style.borderTopColor = item.color; if (item.dash) mark.style.borderTopStyle = "dashed";
    legend.append(el("span", {}, mark, item.name));
  }
  figure.append(s, legend);
  return figure;
}

function plots(loop, box) {
  const varying = names.filter(n => new Set(loop.counted.map(c => c.params[n])).size > 1);
  const state = { x: varying[0] || names[0], log: true, fixed: {} };
  const first = loop.counted[loop.counted.length - 1];
  for (const n of names) state.fixed[n] = first ? first.params[n] : 1;
  const area = el("div", { class: "plots" }), controls = el("div", { class: "bar" });
  const here = p => names.every(n => n === state.x || p[n] === state.fixed[n]);
  function draw() {
    area.textContent = "";
    const counted = loop.counted.filter(c => here(c.params)).sort((a, b) => a.params[state.x] - b.params[state.x]);
    if (counted.length) {
      const series = [];
      const get = k => counted.filter(c => c[k] !== null).map(c => [c.params[state.x], Number(c[k])]);
      if (get("predicted").length) series.push({ kind: "line", name: "static law", color: "var(--blue)", points: get("predicted") });
      for (const k of ["lower", "upper"]) if (get(k).length) series.push({ kind: "line", name: k + " bound", color: "var(--amber)", dash: "5 4", points: get(k) });
      series.push({ kind: "dots", name: "counted", color: "var(--orange)", points: counted.map(c => [c.params[state.x], c.iterations]) });
      area.append(plot("Iterations in a run", state.x, series, state.log));
    }
    const times = (loop.time || []).filter(t => here(t.params));
    if (times.length) {
      const series = [], xs = times.map(t => t.params[state.x]).sort((a, b) => a - b), m = loop.time_model;
      const far = xs[xs.length - 1] * 2, near = xs[0], grid = [];
      for (let k = 0; k <= 48; k++) grid.push(near > 0 ? near * Math.pow(far / near, k / 48) : near + (far - near) * k / 48);
      if (m) {
        const at = x => ({ ...state.fixed, [state.x]: x });
        const band = grid.map(x => [x, ...(modelBand(m, at(x)) || [NaN, NaN])]);
        const low = Math.min(...times.flatMap(t => t.values).filter(v => v > 0)) / 4;
        series.push({ kind: "band", points: band.map(p => [p[0], state.log ? Math.max(p[1], low) : p[1], p[2]]) });
        series.push({ kind: "line", name: "time model, 90 % band", color: "var(--orange)", points: grid.map(x => [x, modelValue(m, at(x))]) });
      }
      const middle = v => v.slice().sort((a, b) => a - b)[v.length >> 1];
      const bound = counted.filter(c => c.predicted > 0 && times.some(t => t.params[state.x] === c.params[state.x]));
      const work = bound.length ? bound : counted.filter(c => c.iterations > 0);
      if (work.length > 1) {
        const last = work[work.length - 1], t = times.find(q => q.params[state.x] === last.params[state.x]);
        const value = c => Number(c.predicted !== null ? c.predicted : c.iterations);
        if (t) series.push({ kind: "line", name: "this loop's law, scaled to the last point", color: "var(--blue)", dash: "6 4", points: work.map(c => [c.params[state.x], value(c) * middle(t.values) / value(last)]) });
      }
      series.push({ kind: "dots", name: "measured", color: "var(--fg)", points: times.flatMap(t => t.values.map(v => [t.params[state.x], v])) });
      area.append(plot("Time in seconds, of the loop with all inside", state.x, series, state.log));
    }
  }
  const toggle = el("button", { type: "button" }, "log axes");
  toggle.onclick = () => { state.log = !state.log; toggle.textContent = state.log ? "log axes" : "linear axes"; draw(); };
  controls.append(toggle);
  if (names.length > 1) {
    const pick = el("select", { "aria-label": "parameter on the x axis" }, ...names.map(n => el("option", { value: n }, `over ${n}`)));
    pick.value = state.x;
    pick.onchange = () => { state.x = pick.value; draw(); };
    controls.append(pick);
    for (const n of names) {
      const values = [...new Set(loop.counted.map(c => c.params[n]))].sort((a, b) => a - b);
      const choose = el("select", { "aria-label": `value of ${n}` }, ...values.map(v => el("option", { value: v }, `${n} = ${v}`)));
      choose.value = state.fixed[n];
      choose.onchange = () => { state.fixed[n] = Number(choose.value); draw(); };
      controls.append(choose);
    }
  }
  box.append(controls, area);
  draw();
}

function definitions(rows) {
  const dl = el("dl");
  for (const [k, v] of rows) if (v !== null && v !== undefined && v !== "") dl.append(el("dt", {}, k), el("dd", {}, v));
  return dl;
}
function detail(loop) {
  const c = loop.total, box = el("td", { class: "detail", colspan: 7 });
  if (loop.source) box.append(el("pre", {}, loop.source));
  box.append(definitions([
    ["total", el("span", { class: "f" }, pretty(law(c)))], ["per call", el("span", { class: "f" }, pretty(law(loop.per_call)))],
    ["per entry", el("span", { class: "f" }, pretty(law(loop.per_entry)))], ["valid for", c.assumptions.join("; ")],
    ["not exact because", c.kind === "exact" ? "" : c.reason],
    ["symbols", c.opaque.map(o => `${o.symbol}: ${o.meaning}${o.at ? " (" + o.at + ")" : ""}`).join("; ")],
    ["bounds", c.kind !== "exact" && (c.lower || c.upper) ? `${c.lower || 0} … ${c.upper || "∞"}` : ""],
    ["iterations model", modelText(loop.iterations_model)], ["time model", modelText(loop.time_model)],
    ["fit", loop.time_model ? `SMAPE ${number(loop.time_model.quality.smape)} %, leave-one-out ${number(loop.time_model.quality.loo_smape)} %, ${loop.time_model.quality.points} points` : ""],
    ["rivals", loop.time_model ? loop.time_model.rivals.map(r => r.formula).join("; ") : ""],
    ["verdict", `${loop.verdict}: ${loop.verdict_reason}`]]));
  plots(loop, box);
  if (loop.matrix) box.append(el("details", {}, el("summary", {}, "Matrix form of the nest"), el("pre", {}, loop.matrix.text)));
  const table = el("table", {}, el("tr", {}, ...["parameters", "entries", "counted", "predicted", ""].map(h => el("th", {}, h))));
  for (const r of loop.counted) table.append(el("tr", {}, el("td", {}, vector(r.params)), el("td", {}, r.entries), el("td", {}, r.iterations),
    el("td", {}, r.predicted !== null ? r.predicted : r.upper !== null ? `${r.lower} … ${r.upper}` : "–"),
    el("td", { class: r.equal === false ? "ill" : "good" }, r.equal === true ? "equal" : r.equal === false ? "differs" : "")));
  box.append(el("details", {}, el("summary", {}, `Counted and predicted at ${loop.counted.length} parameter vectors`), el("div", { class: "scroll" }, table)));
  return box;
}

const COLUMNS = [
  ["loop", l => base(l.at)], ["function", l => l.function], ["iterations (law)", l => l.display || law(l.total)],
  ["counted = law", l => l.obeys], ["time model", l => modelText(l.time_model)], ["time / law", l => l.growth_ratio || ""], ["verdict", l => l.verdict]];
const TONE = { obeys: "good", below: "good", exceeds: "ill", miscounted: "ill", modeled: "warn", unmeasured: "warn", "not identifiable": "warn" };
const sorting = { column: -1, up: true };
function head() {
  const tr = el("tr");
  COLUMNS.forEach(([name], k) => {
    const th = el("th", { scope: "col", tabindex: 0, "aria-sort": sorting.column === k ? (sorting.up ? "ascending" : "descending") : "none" }, name);
    const act = () => { sorting.up = sorting.column === k ? !sorting.up : true; sorting.column = k; head(); body(); };
    th.onclick = act; th.onkeydown = e => { if (e.key === "Enter") act(); };
    tr.append(th);
  });
  $("loops").tHead.replaceChildren(tr);
}
function body() {
  const wanted = $("search").value.toLowerCase(), verdict = $("filter").value;
  let rows = study.loops.filter(l => (!verdict || l.verdict === verdict) && (!wanted || `${l.at} ${l.function} ${law(l.total)} ${l.parameters}`.toLowerCase().includes(wanted)));
  if (sorting.column >= 0) {
    const key = COLUMNS[sorting.column][1];
    rows = rows.slice().sort((a, b) => String(key(a)).localeCompare(String(key(b)), undefined, { numeric: true }) * (sorting.up ? 1 : -1));
  }
  $("loops").tBodies[0].replaceChildren(...rows.map(line));
}
function line(l) {
  const equal = { yes: ["good", `yes (${l.counted.length})`], no: ["ill", "NO"], bounded: ["warn", "in bounds"], unchecked: ["dim", "–"] }[l.obeys];
  const where = el("td", { class: "at" }, base(l.at));
  where.style.paddingLeft = `${10 + 14 * (sorting.column < 0 ? l.nesting - 1 : 0)}px`;
  const tr = el("tr", { class: "row", tabindex: 0, "aria-expanded": "false" }, where, el("td", {}, l.function),
    el("td", {}, el("span", { class: "f" }, pretty(l.display || law(l.total))), " ", el("span", { class: "badge " + (l.total.kind === "exact" ? "good" : "warn") }, l.total.kind)),
    el("td", { class: equal[0] }, equal[1]), el("td", { class: "f" }, modelText(l.time_model)), el("td", { class: "f" }, l.growth_ratio || ""),
    el("td", { class: TONE[l.verdict] || "" }, l.verdict));
  let open = null;
  const act = () => {
    if (open) { open.remove(); open = null; } else { open = el("tr", {}, detail(l)); tr.after(open); }
    tr.setAttribute("aria-expanded", open ? "true" : "false");
  };
  tr.onclick = act;
  tr.onkeydown = e => { if (e.key === "Enter" || e.key === " ") { e.preventDefault(); act(); } };
  return tr;
}

function start() {
  document.title = `${study.title} – looplaw`;
  $("title").textContent = study.title;
  $("about").textContent = study.about || study.program.join(", ");
  const s = study.summary, banner = $("banner"), exceeding = study.loops.filter(l => l.verdict === "exceeds");
  const bad = s.miscounted || exceeding.length;
  if (bad) banner.className = "bad";
  banner.append(el("p", { class: "lead" }, s.miscounted ? `${s.miscounted} of ${s.loops} loops were not counted as their formula says` :
    exceeding.length ? `All formulas hold, but ${exceeding.length} kernels grow faster than their law` : `The program obeys its laws: every exact formula equals the count in every run`));
  banner.append(el("p", {}, `${s.loops} loops, ${s.exact} with an exact formula, ${s.obey} counted exactly as predicted; ${s.runs} runs, ${s.failed_runs} failed.`));
  const slow = study.loops.filter(l => l.time && l.time.length).map(l => [Math.max(...l.time.flatMap(t => t.values)), l]).sort((a, b) => b[0] - a[0])[0];
  if (slow) banner.append(el("p", {}, "Most time: ", el("code", {}, slow[1].at), ` in ${slow[1].function}, ${number(slow[0])} s at the largest point; model `, el("span", { class: "f" }, modelText(slow[1].time_model) || "none"), "."));
  for (const l of exceeding.slice(0, 3)) banner.append(el("p", { class: "ill" }, el("code", {}, l.at), ` ${l.verdict_reason}`));
  for (const v of [...new Set(study.loops.map(l => l.verdict))]) $("filter").append(el("option", { value: v }, v));
  $("search").oninput = $("filter").onchange = body;
  head(); body();
  const f = $("functions");
  f.append(el("thead", {}, el("tr", {}, ...["function", "work per call", "depth", "efficiency", "flops", "loads", "stores"].map(h => el("th", {}, h)))));
  const tb = el("tbody");
  for (const x of study.functions) tb.append(el("tr", {}, el("td", {}, x.name), ...[x.work, x.depth].map(c => el("td", { class: "f" }, pretty(law(c)))),
    el("td", { class: "f" }, x.efficiency ? pretty(x.efficiency) : "–"), ...["flops", "loads", "stores"].map(k => el("td", { class: "f" }, x.operations[k] ? pretty(law(x.operations[k])) : ""))));
  f.append(tb);
  const failed = study.runs.filter(r => r.status !== "ok");
  $("runs").append(el("p", {}, `${study.runs.length} runs, ${failed.length} failed.`));
  for (const r of failed) $("runs").append(el("details", { open: "" }, el("summary", { class: "ill" }, `${vector(r.params)}, repetition ${r.repetition}: ${r.reason || r.status}`), el("pre", {}, r.stderr || "(nothing on stderr)")));
  const p = $("provenance");
  for (const [k, v] of [["created", study.created], ["program", study.program.join(", ")], ...study.parameters.map(q => [`parameter ${q.name}`, `${q.origin}: ${q.values.join(", ")}`]), ...Object.entries(study.environment)])
    if (v !== null) p.append(el("dt", {}, k), el("dd", {}, v));
  $("theme").onclick = () => {
    const dark = getComputedStyle(document.documentElement).getPropertyValue("--bg").trim() === "#14181c";
    document.documentElement.className = dark ? "light" : "dark";
  };
  const first = document.querySelector("#loops tr.row");
  if (first && study.loops.length <= 40) first.click();
}
start();

/* The page: overview, table of loops, functions, runs, provenance. Data are put in as text only. */
(() => {
  const $ = (id) => document.getElementById(id);
  const study = unpack(JSON.parse($("data").textContent));
  const names = study.parameters.map((p) => p.name), measured = study.kind === "measurements";
  const VERDICTS = {
    obeys: ["good", "✓", "obeys"], exceeds: ["bad", "▲", "exceeds its law"], below: ["info", "▼", "below its law"],
    miscounted: ["bad", "✗", "miscounted"], "not identifiable": ["odd", "?", "not identifiable"],
    modeled: ["model", "~", "modeled"], unmeasured: ["none", "○", "unmeasured"],
    bounded: ["info", "≤", "within bounds"], unchecked: ["none", "○", "unchecked"],
  };
  const ORDER = ["miscounted", "exceeds", "not identifiable", "below", "modeled", "bounded", "obeys", "unchecked", "unmeasured"];
  const KINDS = { exact: "good", parametric: "odd", bounded: "info", unknown: "bad" };
  const state = { search: "", verdict: "", kind: "", file: "", parameter: "", sort: null, up: true };
  const rows = [], FIRST = 60, CHUNK = 200, FEW = 12;

  function unpack(data) {
    const vector = (k) => data.vectors[k] || {};
    const column = (c, own) => (k) => Array.isArray(c) ? c[k] : c === "=" ? own[k] : c ?? null;
    const counted = (c) => {
      const [entries, predicted, lower, upper, equal] = ["entries", "predicted", "lower", "upper", "equal"].map((name) => column(c[name], c.iterations));
      return data.lists[c.at].map((v, k) => ({ params: vector(v), iterations: c.iterations[k], entries: entries(k), predicted: predicted(k), lower: lower(k), upper: upper(k), equal: equal(k) }));
    };
    const time = (c) => data.lists[c.at].map((v, k) => ({ params: vector(v), values: c.values[k].filter((t) => t !== null) })).filter((p) => p.values.length);
    const said = (l) => Object.fromEntries(["function", "parent", "kernel", "parameters", "verdict", "verdict_reason", "obeys", "settle"].filter((k) => k in l).map((k) => [k, data.texts[l[k]]]));
    const keyed = (list, keys) => Array.isArray(list) ? Object.fromEntries(keys.map((k, i) => [k, list[i]])) : null;
    const alternative = (a, m) => {
      const [weight, sigma, kappa, root, constant = m.constant, terms = m.terms || []] = a;
      return { weight, sigma, kappa, root, constant, terms };
    };
    const outlook = (i, m) => Array.isArray(i) ? { positive: i[0], reach: data.texts[i[1]], alternatives: i[2].map((a) => alternative(a, m)), unseen: i[3], shown: i[4] || 0 } : null;
    const model = (m) => m ? { ...m, formula: m.formula ?? Models.text(m), quality: keyed(m.quality, ["smape", "adjusted_r2", "loo_smape", "points"]), interval: outlook(m.interval, m) } : null;
    const before = (b) => b ? { ...b, time: b.time ? time(b.time) : [], time_model: model(b.time_model) } : null;
    const loops = (data.loops || []).map((l) => ({ ...l, ...said(l), before: before(l.before), time_model: model(l.time_model), iterations_model: model(l.iterations_model), counted: l.counted ? counted(l.counted) : [], time: l.time ? time(l.time) : [] }));
    const runs = (data.runs || []).map(([v, repetition, status, exit_code, elapsed_s, cpu_s, stderr, reason]) => ({ params: vector(v), repetition, status, exit_code, elapsed_s, cpu_s, stderr, reason }));
    const ranks = (data.ranks || []).map((k) => ({ ...k, imbalance: Object.fromEntries(Object.entries(k.imbalance || {}).map(([metric, m]) => [metric, model(m)])) }));
    return { ...data, loops, runs, ranks, parameters: data.parameters || [], functions: data.functions || [], rest: data.rest ? { ...data.rest, model: model(data.rest.model) } : null, environment: data.environment || {}, summary: data.summary || {} };
  }

  const few = (files) => files.length > 3 ? `${files[0]} and ${files.length - 1} more files` : files.join(", ");
  const plural = (n, noun) => `${spaced(n)} ${noun}${n === 1 ? "" : "s"}`;
  const vectorText = (params) => Object.entries(params).map(([n, v]) => `${n} = ${v}`).join(", ");
  const verdictOf = (loop) => VERDICTS[loop.verdict] || ["none", "·", loop.verdict || "unmeasured"];
  function tag(loop) {
    const [tone, glyph, name] = verdictOf(loop);
    const text = loop.model_quality ? `${name}: ${loop.model_quality}` : name;
    return el("span", { class: `tag tone-${tone}` }, el("span", { class: "glyph", "aria-hidden": "true" }, glyph), text);
  }

  /** What the counts say of a law, as `looplaw.laws.answer.standing`; nothing is taken for granted. */
  const standing = (l) => l.obeys === "no" || l.verdict === "miscounted" ? "broken" : l.obeys === "yes" ? (l.counted.some((p) => p.equal !== true) ? "partly" : "proved") : l.obeys === "bounded" || l.law ? "agrees" : "open";
  const isOpen = (l) => ["not identifiable", "unchecked", "unmeasured"].includes(l.verdict) || ["weak", "extrapolating"].includes(l.model_quality);

  /** The share of the time at the target, in percent, whose models are open or weak. */
  function unsettled() {
    const { items, seconds: whole } = Own.at(Target.values());
    return whole ? Math.round(100 * Math.min(items.filter((k) => isOpen(k.loop)).reduce((sum, k) => sum + k.t, 0) / whole, 1)) : 0;
  }

  /* -- overview -- */
  function overview() {
    const loops = study.loops, box = $("overview"), n = (state) => loops.filter((l) => standing(l) === state).length;
    const bad = n("broken"), over = loops.filter((l) => l.verdict === "exceeds").length, open = n("open"), doubt = unsettled();
    const failed = study.runs.filter((r) => r.status !== "ok").length;
    const [tone, sign, title] = measured ? modeledTitle() : bad ? ["bad", "✗", `${plural(bad, "loop")} ${bad === 1 ? "does" : "do"} not run as often as predicted`]
      : over ? ["odd", "▲", `No count contradicts its law, but ${plural(over, "loop")} ${over === 1 ? "takes" : "take"} more time than the law allows`]
      : !loops.length ? ["none", "○", "No loops"]
      : open ? ["odd", "?", `Not settled: the laws of ${spaced(open)} of ${plural(loops.length, "loop")}`]
      : doubt >= 1 ? ["odd", "?", `Every law holds; ${doubt} % of the time is not settled`] : ["good", "✓", "The program obeys its laws"];
    const text = measured ? modeledText() : [["proved", "proved and counted so"], ["partly", "proved where their assumptions held"], ["agrees", "confirmed by every run"], ["open", "not settled"], ["broken", "broken"]].filter(([state]) => n(state)).map(([state, said]) => `${spaced(n(state))} ${said}`);
    if (!measured && doubt >= 1) text.push(`models of ${doubt} % of the time at ${Target.text()} are open or weak`);
    const uneven = study.ranks.length ? Ranks.worst(study) : null;
    if (uneven) text.push(uneven);
    if (!measured) text.push(failed ? `${spaced(failed)} of ${plural(study.runs.length, "run")} failed` : `${plural(study.runs.length, "run")}, none failed`);
    box.append(el("div", { class: `verdict tone-${tone}` }, el("div", { class: "sign", "aria-hidden": "true" }, sign), el("h2", {}, title), el("p", {}, `${text.join("; ")}.`)));
    const tally = el("ul", { class: "tally", "aria-label": "Verdicts; press one to see its loops" });
    for (const verdict of ORDER) {
      const n = loops.filter((l) => (l.verdict || "unmeasured") === verdict).length;
      if (!n) continue;
      const [tone, glyph, name] = VERDICTS[verdict];
      tally.append(el("li", {}, el("button", { type: "button", class: `tone-${tone}`, "aria-pressed": "false", "data-verdict": verdict, on: { click: () => { setFilter("verdict", state.verdict === verdict ? "" : verdict); $("loops").scrollIntoView({ block: "start" }); } } },
        el("span", { class: "glyph", "aria-hidden": "true" }, glyph), el("b", {}, spaced(n)), name)));
    }
    box.append(tally);
    box.prepend(future() || "");
    box.append(fastest() || "");
  }

  const sameVector = (a, b) => names.every((n) => a[n] === b[n]);
  const largest = () => Object.fromEntries(study.parameters.map((p) => [p.name, Math.max(...(p.values.length ? p.values : [1]).map(Number))]));
  const kernels = () => study.loops.filter((l) => l.time_model && (!l.metric || l.metric === mainMetric));
  const mainMetric = study.loops.some((l) => l.metric === "time") ? "time" : (study.loops[0] || {}).metric;
  const text = (loop) => [Details.place(loop.at, go), measured ? null : el("span", { class: "muted" }, ` in ${loop.function}`)].filter(Boolean);

  function fastest() {
    const grown = kernels().filter((l) => l.time_model.identifiable !== false).map((loop) => ({ loop, lead: Models.lead(loop.time_model) })).filter((k) => k.lead);
    grown.sort((a, b) => b.lead.i - a.lead.i || b.lead.j - a.lead.j || Models.evaluate(b.loop.time_model, largest()) - Models.evaluate(a.loop.time_model, largest()));
    if (grown.length) {
      const { loop, lead } = grown[0], list = el("ul", { class: "bars" });
      for (const k of grown.slice(1, 4)) list.append(el("li", {}, el("span", {}, ...text(k.loop)), el("span", {}, Formula.show(Models.termText(k.lead.term)))));
      return el("div", { class: "card" }, el("h3", {}, `${Details.metric(loop)} grows fastest`), el("p", { class: "big" }, Formula.show(Models.termText(lead.term))), el("p", {}, ...text(loop)),
        el("p", { class: "small" }, tag(loop), " ", loop.verdict_reason ? el("span", { class: "muted" }, Formula.prose(loop.verdict_reason)) : null),
        grown.length > 1 ? el("h4", { class: "muted" }, "then") : null, grown.length > 1 ? list : null);
    }
    const counted = study.loops.filter((l) => l.total && l.total.formula && l.counted.length).map((loop) => ({ loop, most: Math.max(...loop.counted.map((p) => toNumber(p.iterations) || 0)) })).sort((a, b) => b.most - a.most)[0];
    if (!counted) return null;
    return el("div", { class: "card" }, el("h3", {}, "Runs most often"), el("p", { class: "big" }, Details.iterations(counted.loop)), el("p", {}, ...text(counted.loop)), el("p", { class: "foot small muted" }, kernels().length ? "No time model is identifiable yet: this is the law of its iterations." : "No time model yet: this is the law of its iterations."));
  }

  function modeledTitle() {
    const open = study.loops.filter((l) => l.verdict === "not identifiable").length, models = study.loops.filter((l) => l.time_model).length;
    return open ? ["odd", "?", `${spaced(open)} of ${plural(models, "model")} ${open === 1 ? "is" : "are"} not identifiable yet`] : models ? ["model", "~", allIdentifiable(models)] : ["none", "○", "Nothing was modeled"];
  }

  const allIdentifiable = (models) => models === 1 ? "The model is identifiable" : models === 2 ? "Both models are identifiable" : `All ${spaced(models)} models are identifiable`;

  function modeledText() {
    const errors = study.loops.map((l) => l.time_model && l.time_model.quality && l.time_model.quality.loo_smape).filter((v) => Number.isFinite(v));
    return [plural(study.loops.length, "series"), ...(errors.length ? [`median leave-one-out error: ${Details.percent(Details.median(errors))}, largest: ${Details.percent(Math.max(...errors))}`] : [])].map((t) => t.replace("seriess", "series"));
  }

  const share = (t, run) => t > 0 && run.seconds > 0 ? (t / run.seconds < 0.01 ? "<\u00a01\u00a0%" : `${Math.round(100 * Math.min(t / run.seconds, 1))}\u00a0%`) : "";
  const isTime = (metric) => !metric || /^(cpu|wall|run|elapsed|user)?_?(time|seconds?|duration|elapsed)\b/i.test(metric);
  const LIMITS = { core: "computing", latency: "memory latency", "first touch": "first touch of memory", memory: "memory bandwidth" };

  /** Do the times of series add up to a run? Those of measurements do where call paths say so: else they may be versions of one thing. */
  const addUp = () => !measured || study.loops.some((l) => String(l.callpath).includes("->"));

  /** The slowest and the fastest of series that do not add up. */
  function apart(run) {
    const unit = Details.unit(run.items[0].loop), says = ({ loop, t }) => `${loop.at} takes ${unit(t)}`, last = run.items.at(-1);
    return `At ${Target.text()}, ${says(run.items[0])}${run.items.length > 1 ? `, the most, and ${says(last)}, the least` : ""}. They are not added up: nothing says that they are parts of one run.`;
  }

  /** As `looplaw.report.answer_text.sentences`, whose words stand at the target. */
  function sentence(run, env) {
    if (Own.isTarget(env)) return study.answer.text;
    if (!addUp()) return apart(run);
    if (!(run.high <= 100 * run.low)) return `At ${Target.text()} the time of a run is not known: its interval spans more than a factor of 100.`;
    const [{ loop, t }] = run.items, by = Own.limit(loop, env), v = run.seconds, off = Math.max(v - run.low, run.high - v), unit = Details.unit(loop);
    const why = !by ? measured ? "" : "; what limits it is not known: no law of its time was found" : `; it is limited by ${LIMITS[by] || `the ${by} cache`}`;
    const sure = off <= v / 4 ? "sure" : v - run.low <= v / 2 && run.high <= 2 * v ? "rough: within a factor of 2" : "open: not known within a factor of 2";
    const what = run.rest > t ? `${share(run.rest, run)} of the time is outside of the timed loops` : `${measured ? loop.at : `${loop.function} (${loop.at})`} takes ${share(t, run)} of ${isTime(mainMetric) ? "the time" : mainMetric}${why}`;
    return `At ${Target.text()}, ${what}. Expect ${unit(v)}${measured ? " for all together" : ""} (${unit(run.low)} to ${Number.isFinite(run.high) ? unit(run.high) : "unbounded"} in 9 of 10 cases; ${sure}).`;
  }

  /** What a run costs on nodes like the machine of the study. */
  function cost(run, env) {
    if (!study.cost_per_hour || !isTime(mainMetric)) return null;
    const ranks = study.parameters.find((p) => p.origin === "mpi:size"), nodes = Math.ceil((ranks ? env[ranks.name] : 1) / (study.cores || 1)), hours = nodes * run.seconds / 3600;
    const three = (v) => Number(v.toPrecision(3)), said = `${three(hours)} node-hours on ${plural(nodes, "node")}`;
    return el("p", { class: "cost" }, "A run costs ", el("b", { class: "num" }, three(hours * study.cost_per_hour)), `: ${said}`);
  }

  /* A run as one bar: the kernels that come first at the target keep their colours in both. */
  function flame(name, run, colours) {
    const bar = el("div", { class: "flame" }), rest = [...run.items.filter((k) => !colours.includes(k.loop)), { t: run.rest }].reduce((sum, k) => sum + k.t, 0);
    const part = (t, key, said, loop) => {
      const e = loop ? el("button", { type: "button", class: `area ${key}`, title: said, "aria-label": said, on: { click: () => go(loop.at) } }) : el("span", { class: "area", title: said });
      e.style.flexGrow = String(t / run.seconds);
      bar.append(e);
    };
    colours.forEach((loop, k) => { const { t } = run.items.find((i) => i.loop === loop) || { t: 0 }; if (t > 0) part(t, `a${k}`, `${loop.at}: ${share(t, run)} of the time`, loop); });
    if (rest > 0) part(rest, "", `all else: ${share(rest, run)}`);
    return el("div", {}, el("p", { class: "small" }, `${name}: `, el("b", { class: "num" }, Details.unit(colours[0])(run.seconds))), bar);
  }

  /** How often a loop runs at a point, by its law, else by the model of its counts. */
  const runsAt = (l, env) => [l.law && l.law.formula, l.runs, l.display, l.total && l.total.formula].reduce((found, text) => found ?? (text ? Formula.evaluate(text, env) : null), null) ?? (l.iterations_model ? Models.evaluate(l.iterations_model, env) : null);

  /** The kernels that take most at the target, a line each. */
  function hottest(run, before, env, colours) {
    const lines = colours.map((loop, k) => {
      const t = run.items[k].t, was = before && before.items.find((i) => i.loop === loop);
      const nest = study.loops.filter((l) => (l.kernel || l.at) === loop.at).map((l) => [runsAt(l, env) ?? 0, l]), [n, work] = nest.reduce((a, b) => b[0] > a[0] ? b : a, [0, loop]);
      const by = Own.limit(loop, env);
      return el("tr", {}, el("td", {}, el("span", { class: `key a${k}`, "aria-hidden": "true" }), ...text(loop)), el("td", {}, measured ? Formula.show(loop.time_model.formula, true) : loop.brief ? el("span", {}, loop.brief[0] === "~" ? "≈ " : "", Formula.show(loop.brief.replace(/^~/, ""), true)) : Details.iterations(work)),
        ...(addUp() ? [el("td", { class: "r" }, was ? share(was.t, before) : "–"), el("td", { class: "r" }, share(t, run))] : []), el("td", { class: "r" }, Details.unit(loop)(t)), ...(measured ? [] : [el("td", { class: "r" }, n > 0 ? significant(1e9 * t / n, 2) : "–"), el("td", {}, !by ? "?" : by === "core" ? "computing" : by)]), el("td", {}, tag(loop)));
    });
    return simpleTable([["kernel"], [measured ? "model" : "law"], ...(addUp() ? [["share measured", true], ["share predicted", true]] : []), [measured ? "value" : "own time", true], ...(measured ? [] : [["ns/iter", true], ["limit"]]), ["verdict"]], lines, "Kernels at the target size");
  }

  /** The time of a run over the first parameter, the others at their largest: measured, predicted, and up to the target. */
  function runPlot(env) {
    const top = largest(), [x] = names, title = `Time over ${x}`, tone = "model";
    const at = study.runs.filter((r) => r.status === "ok" && sameVector({ ...r.params, [x]: top[x] }, top)).map((r) => [r.params[x], r.cpu_s ?? r.elapsed_s]);
    const from = Math.min(...at.map((p) => p[0])), to = Math.max(top[x], env[x]);
    if (!(from > 0 && from < to)) return "";
    const runs = [...Array(16).keys()].map((k) => { const v = from * (to / from) ** (k / 15), r = Own.at({ ...top, [x]: v }); return [v, r.low, r.high, r.seconds]; });
    return Plot.draw({ title, label: title, x, log: true, beyond: top[x], format: Details.unit(kernels()[0]), series: [
      { name: "90 % interval", tone, kind: "band", at: runs.filter((r) => r[2] < 1 / 0) },
      { name: "predicted", tone, kind: "line", at: runs.map((r) => [r[0], r[3]]) },
      { name: "measured", tone: "data", kind: "points", at },
    ] });
  }

  function future() {
    if (!kernels().length || !names.length) return null;
    const out = el("div"), said = el("p", { class: "limit", "aria-live": "polite" }), top = largest(), cpu = study.runs.filter((r) => r.status === "ok" && sameVector(r.params, top)).map((r) => r.cpu_s ?? r.elapsed_s).filter((t) => t > 0);
    const before = Own.measured(top, cpu.length ? Details.median(cpu) : 0);
    const refresh = () => {
      const env = Target.values(), run = Own.at(env), colours = run.items.slice(0, 5).map((k) => k.loop);
      if (!colours.length) { out.replaceChildren(el("p", { class: "muted" }, "No model is above 0 there.")); return; }
      said.textContent = sentence(run, env);
      out.replaceChildren(...[cost(run, env), ...(addUp() ? [flame(`Measured at ${vectorText(top)}`, before, colours), flame(`Predicted at ${Target.text()}`, run, colours)] : [])].filter(Boolean), hottest(run, before, env, colours),
        run.items.length > 5 ? el("p", { class: "small muted" }, `${plural(run.items.length - 5, "more kernel")}, none above ${addUp() ? share(run.items[5].t, run) : Details.unit(run.items[5].loop)(run.items[5].t)}`) : "");
    };
    refresh();
    Target.changed(refresh);
    const plot = el("div", { class: "plots" });
    if (!measured) later(() => plot.replaceChildren(runPlot(Target.values())));
    return el("div", { class: "card whole" }, el("h3", {}, "What limits it at the target size"), said, Target.controls(), out, plot, study.advice ? el("p", { class: "small" }, `${study.advice.text}. `, el("code", {}, study.advice.command)) : null,
      measured ? null : el("p", { class: "small muted" }, "Own times exclude kernels inside."));
  }

  /* -- loops -- */
  const cell = (name, ...content) => el("td", { role: "cell", class: name }, ...content);
  const labelled = (td, label) => { td.dataset.label = label; return td; };
  /* [heading, key to sort by, cell]; the first column, where the loop is, is made with its row */
  const COLUMNS = measured ? [
    ["call path", (l) => l.at], ["model", (l) => l.time_model ? growth(l.time_model) : -1, (l) => cell("time wide", modelOf(l))],
    ["grows as", (l) => l.time_model ? growth(l.time_model) : -1, (l) => { const lead = l.time_model && Models.lead(l.time_model); return cell("", lead ? Formula.show(Models.termText(lead.term)) : "constant"); }],
    ["leave-one-out error", (l) => errorOf(l) ?? -1, (l) => labelled(cell("r", errorOf(l) === null ? "–" : Details.percent(errorOf(l))), "error")],
    ["at the target size", atTarget, targetCell], ["verdict", (l) => ORDER.indexOf(l.verdict), (l) => cell("", tag(l))],
  ] : [
    ["loop", (l) => l.at], ["function", (l) => l.function || "", (l) => cell("", el("span", { class: (l.function || "").length > 32 ? "long" : null }, l.function || ""))],
    ["law", (l) => lawOrder(l), (l) => cell("law wide", el("span", { class: "clip" }, Details.iterations(l)))],
    ["kind", (l) => Object.keys(KINDS).indexOf((l.total || {}).kind), (l) => cell("", el("span", { class: `badge tone-${KINDS[(l.total || {}).kind] || "none"}` }, (l.total || {}).kind || "unknown"))],
    ["counted as predicted", (l) => ["no", "unchecked", "bounded", "yes"].indexOf(l.obeys), (l) => cell("", counted(l))],
    ["time model", (l) => l.time_model ? growth(l.time_model) : -1, (l) => labelled(cell(l.time_model ? "time wide" : "time empty", modelOf(l)), "time")],
    ["at the target size", atTarget, targetCell],
    ["ratio", (l) => ratioOf(l) ? Formula.evaluate(ratioOf(l), Object.fromEntries(names.map((n) => [n, 1e6]))) ?? 0 : -1, (l) => labelled(cell(ratioOf(l) ? "" : "empty", ratioOf(l) ? Formula.show(ratioOf(l)) : ""), "ratio")],
    ["verdict", (l) => ORDER.indexOf(l.verdict), (l) => cell("", tag(l))],
  ];
  function modelOf(l) { return l.time_model ? el("span", { class: "clip" }, Formula.show(l.time_model.formula, true)) : ""; }
  function ratioOf(l) { return l.verdict === "not identifiable" ? null : l.growth_ratio; }
  function errorOf(l) { return (l.time_model && l.time_model.quality && l.time_model.quality.loo_smape) ?? null; }
  function atTarget(l) { return l.time_model ? Own.time(l, Target.values())[0] : -1; }
  function targetText(l) { return l.time_model ? Details.unit(l)(atTarget(l)) : ""; }
  function targetCell(l) { return labelled(cell(l.time_model ? "r target" : "r target empty", targetText(l)), "at target"); }
  const growth = (m) => { const lead = Models.lead(m); return lead ? lead.i * 100 + lead.j : 0; };
  const lawOrder = (l) => l.counted.length ? Math.max(...l.counted.map((p) => toNumber(p.iterations) || 0)) : -1;

  function loopTable() {
    const table = $("loop-table"), head = el("tr", { role: "row" });
    COLUMNS.forEach(([name], k) => {
      head.append(el("th", { scope: "col", role: "columnheader", "aria-sort": "none" }, el("button", { type: "button", class: "sort", on: { click: () => sortBy(k) } }, name)));
    });
    table.classList.add("cardy");
    const body = el("tbody", { role: "rowgroup" });
    study.loops.forEach((loop, k) => rows.push(loopRow(loop, k)));
    table.append(el("caption", { class: "hidden" }, "Loops with their laws, counts, time models and verdicts"), el("thead", { role: "rowgroup" }, head), body);
    table.setAttribute("role", "table");
    fillTo(FIRST);
    const rest = () => { if (filled < rows.length) { fillTo(filled + CHUNK); later(rest); } };
    later(rest);
    Target.changed(() => { for (const row of rows.slice(0, filled)) { const td = row.tr.querySelector(".target"); if (td) td.textContent = targetText(row.loop); } });
    window.addEventListener("beforeprint", () => fillTo(rows.length));
    body.addEventListener("click", (event) => {
      const tr = event.target.closest("tr.row");
      if (tr && !window.getSelection().toString()) toggle(rows[Number(tr.dataset.k)]);
    });
  }

  const loopRow = (loop, k) => ({ loop, k, tr: null, button: null, detail: null, text: `${loop.at} ${loop.function} ${(loop.total || {}).formula || ""} ${loop.source || ""} ${loop.verdict}`.toLowerCase() });

  function fill(row) {
    const { loop, k } = row, cut = loop.at.lastIndexOf("/") + 1;
    const button = el("button", { type: "button", class: "toggle", "aria-expanded": "false", "aria-controls": `detail-${k}`, "aria-label": `Details of ${loop.at}` });
    const where = el("div", { class: "where" }, button, el("span", { class: loop.at.length > 48 ? "at long" : "at" }, cut ? el("span", { class: "dir" }, loop.at.slice(0, cut)) : null, loop.at.slice(cut)));
    where.style.setProperty("--depth", String(loop.nesting || 1));
    row.tr = el("tr", { role: "row", class: "row" }, cell("wide", where), ...COLUMNS.slice(1).map(([, , make]) => make(loop)));
    row.tr.dataset.k = String(k);
    row.button = button;
    return row.tr;
  }

  /** Rows up to one: with a thousand loops the page is there at once, and the far rows follow or are made when they are asked for. */
  let filled = 0;
  function fillTo(end) {
    if (end > filled) $("loop-table").tBodies[0].append(...rows.slice(filled, end).map(fill));
    filled = Math.max(filled, Math.min(end, rows.length));
  }

  function counted(loop) {
    const n = loop.counted.length, equal = loop.counted.filter((p) => p.equal === true).length;
    const [tone, said] = loop.obeys === "yes" ? [equal === n ? "good" : "info", `✓ yes, ${equal} of ${n}`] : loop.obeys === "no" ? ["bad", `✗ no, ${equal} of ${n}`] : loop.obeys === "bounded" ? ["info", `✓ in bounds, ${n}`] : loop.law ? ["info", `✓ agrees, ${n} of ${n}`] : ["none", "? open"];
    return el("span", { class: `tag tone-${tone}`, title: `at ${plural(n, "parameter vector")}` }, said);
  }

  function toggle(row, open) {
    fillTo(row.k + 1);
    const show = open ?? !(row.detail && !row.detail.hidden);
    if (show && !row.detail) {
      row.detail = el("tr", { class: "detail", role: "row", id: `detail-${row.k}` }, el("td", { colspan: String(COLUMNS.length), role: "cell" }, Details.render(row.loop, study, tag(row.loop), go)));
    }
    if (show) row.tr.after(row.detail);
    if (row.detail) row.detail.hidden = !show;
    row.tr.classList.toggle("open", show);
    row.button.setAttribute("aria-expanded", String(show));
  }

  function go(at) {
    const row = rows.find((r) => r.loop.at === at) || rows.find((r) => r.loop.callpath === at);
    if (!row) return;
    if (row.tr && row.tr.hidden) clear();
    toggle(row, true);
    row.tr.scrollIntoView({ block: "start" });
    row.button.focus({ preventScroll: true });
    try { window.history.replaceState(null, "", `#loop=${encodeURIComponent(at)}`); } catch { /* some browsers forbid it for files */ }
  }

  function filters() {
    const search = el("input", { type: "search", id: "search", placeholder: "Search loops", "aria-label": "Search loops", on: { input: (e) => setFilter("search", e.target.value.trim().toLowerCase()) } });
    const choice = (key, label, options) => el("select", { id: `f-${key}`, "aria-label": label, on: { change: (e) => setFilter(key, e.target.value) } }, el("option", { value: "" }, `all ${label}`), ...options.map((o) => el("option", { value: o }, o)));
    const present = (list, of) => list.filter((v) => study.loops.some((l) => of(l) === v));
    const files = [...new Set(study.loops.map(fileOf))].filter(Boolean).sort(), kinds = present(Object.keys(KINDS), (l) => (l.total || {}).kind);
    $("filters").append(search, ...[files.length > 1 ? choice("file", measured ? "metrics" : "files", files) : null, names.length > 1 ? choice("parameter", "parameters", names) : null,
      kinds.length ? choice("kind", "kinds", kinds) : null, choice("verdict", "verdicts", present(ORDER, (l) => l.verdict))].filter(Boolean));
    $("clear").addEventListener("click", clear);
  }

  function fileOf(loop) { return measured ? loop.metric : (/^(.*):\d+:\d+/.exec(loop.at) || [])[1] || ""; }
  const FITS = {
    search: (row, v) => row.text.includes(v), verdict: (row, v) => row.loop.verdict === v, kind: (row, v) => (row.loop.total || {}).kind === v,
    file: (row, v) => fileOf(row.loop) === v, parameter: (row, v) => (row.loop.parameters || []).includes(v),
  };

  function setFilter(key, value) {
    state[key] = value;
    fillTo(rows.length);
    let n = 0;
    for (const row of rows) {
      const fits = Object.entries(FITS).every(([name, test]) => !state[name] || test(row, state[name]));
      row.tr.hidden = !fits;
      n += fits;
      if (row.detail) row.detail.hidden = !fits || row.button.getAttribute("aria-expanded") !== "true";
    }
    $("none").hidden = n > 0;
    $("loop-table").parentElement.hidden = n === 0;
    if ($(`f-${key}`)) $(`f-${key}`).value = value;
    for (const b of document.querySelectorAll(".tally button")) b.setAttribute("aria-pressed", String(b.dataset.verdict === state.verdict));
    $("live").textContent = plural(n, "loop");
    title(n);
  }

  function title(n) {
    $("loops-title").replaceChildren(measured ? "Kernels " : "Loops ", el("span", { class: "muted" }, n === rows.length ? spaced(n) : `${spaced(n)} of ${spaced(rows.length)}`));
  }

  function clear() {
    $("search").value = "";
    for (const key of Object.keys(FITS)) setFilter(key, "");
  }

  function sortBy(k) {
    if (state.sort === k && !state.up) { state.sort = null; state.up = true; }  // third press: source order again
    else { state.up = state.sort !== k; state.sort = k; }
    fillTo(rows.length);
    const heads = [...$("loop-table").tHead.rows[0].cells], body = $("loop-table").tBodies[0];
    heads.forEach((h, i) => h.setAttribute("aria-sort", i !== state.sort ? "none" : state.up ? "ascending" : "descending"));
    const list = [...rows];
    if (state.sort !== null) {
      const value = COLUMNS[k][1], sign = state.up ? 1 : -1, keys = new Map(rows.map((r) => [r, value(r.loop)]));
      list.sort((a, b) => { const x = keys.get(a), y = keys.get(b); return sign * (typeof x === "string" ? x.localeCompare(y, undefined, { numeric: true }) : x - y) || a.k - b.k; });
    }
    $("loop-table").classList.toggle("flat", state.sort !== null);
    body.replaceChildren(...list.flatMap((r) => r.detail ? [r.tr, r.detail] : [r.tr]));
  }

  /* -- the rest -- */
  function section(id, heading, ...content) {
    $(id).append(el("div", { class: "bar" }, el("h2", { id: `${id}-title` }, heading)), ...content.filter(Boolean));
  }

  /** A table that turns into cards on narrow screens. */
  function simpleTable(heads, lines, label) {
    for (const tr of lines) {
      tr.className = "row";
      tr.setAttribute("role", "row");
      [...tr.cells].forEach((td, k) => { td.setAttribute("role", "cell"); td.classList.add("wide"); if (k || label !== "Functions") td.dataset.label = heads[k][0]; });
    }
    return el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": `${label} table` }, el("table", { class: `grid cardy ${label.toLowerCase().replaceAll(" ", "-")}`, role: "table" }, el("thead", { role: "rowgroup" }, el("tr", { role: "row" }, ...heads.map(([h, right]) => el("th", { scope: "col", role: "columnheader", class: right ? "r" : null }, h)))), el("tbody", { role: "rowgroup" }, ...lines)));
  }

  function surface() {
    const found = Surface.section(study, kernels(), go);
    if (found) section("surface", "Over two parameters", found); else $("surface").hidden = true;
  }

  function ranks() {
    if (study.ranks.length) section("ranks", "Ranks", Ranks.render(study, go, simpleTable)); else $("ranks").hidden = true;
  }

  function tree() {
    const paths = measured ? study.loops.some((l) => String(l.callpath).includes("->")) : study.loops.length > 1;
    if (paths) section("tree", "Call tree", Tree.render(study, go)); else $("tree").hidden = true;
  }

  const CHANGES = { law: ["odd", "law changed"], "grows faster": ["bad", "▲ grows faster"], "grows slower": ["good", "▼ grows slower"], "grows otherwise": ["odd", "grows otherwise"], slower: ["bad", "▲ slower"], faster: ["good", "▼ faster"], verdict: ["odd", "verdict changed"], model: ["info", "modeled in one only"], new: ["info", "new"] };

  /** What differs from the study that this one is compared with. */
  function compared() {
    const base = study.baseline;
    if (!base) { $("compared").hidden = true; return; }
    const loops = study.loops.filter((l) => (l.changes || []).length);
    const lines = loops.map((l) => el("tr", {}, el("td", {}, Details.place(l.at, go), l.before && l.before.at !== l.at ? el("div", { class: "small muted" }, "was ", el("code", {}, l.before.at)) : null),
      el("td", {}, ...l.changes.map((c) => el("div", { class: `tag tone-${(CHANGES[c] || ["none"])[0]}` }, (CHANGES[c] || ["", c])[1]))),
      el("td", {}, l.before && l.before.law ? Formula.show(l.before.law, true) : "–"), el("td", {}, Details.iterations(l)),
      el("td", {}, l.before && l.before.time_model ? Formula.show(l.before.time_model.formula, true) : "–"), el("td", {}, l.time_model ? Formula.show(l.time_model.formula, true) : "–"),
      el("td", { class: "r" }, l.time_ratio ? `${significant(l.time_ratio, 3)}×` : "–")));
    const where = [base.title, base.revision, base.created].filter(Boolean).join(", ");
    section("compared", "Changes since the baseline", el("p", { class: "muted" }, `${where}: ${plural(loops.length, "loop")} of ${spaced(study.loops.length)} changed.`),
      lines.length ? simpleTable([["loop"], ["what changed"], ["law before"], ["law now"], ["time before"], ["time now"], ["time now / before", true]], lines, "Changes") : null,
      (base.gone || []).length ? el("p", { class: "muted small" }, `Removed: ${base.gone.join(", ")}`) : null);
  }

  function functions() {
    if (!study.functions.length) { $("functions").hidden = true; return; }
    const lines = study.functions.map((f) => {
      const ops = el("dl", { class: "ops" });
      for (const [name, count] of Object.entries(f.operations || {})) if (count && count.formula !== "0") ops.append(el("dt", {}, name), el("dd", {}, Details.law(count, null, true)));
      return el("tr", {}, el("td", {}, el("strong", {}, f.name), f.file ? el("div", { class: "small muted" }, el("code", {}, `${f.file}:${f.line}`)) : null), el("td", {}, Details.law(f.work, null, true)), el("td", {}, Details.law(f.depth, null, true)),
        el("td", {}, f.efficiency ? Formula.show(f.efficiency, true) : "–"), el("td", {}, ops.childElementCount ? ops : "–"));
    });
    section("functions", "Functions", el("p", { class: "muted small" }, "Per call, callees included. Work: iterations of innermost loops on one processor. Depth: what remains with unlimited processors."),
      simpleTable([["function"], ["work"], ["depth"], ["efficiency"], ["operations"]], lines, "Functions"));
  }

  function runs() {
    if (!study.runs.length) { $("runs").hidden = true; return; }
    const failed = study.runs.filter((r) => r.status !== "ok"), good = study.runs.filter((r) => r.status === "ok");
    const row = (r) => el("tr", {}, ...names.map((n) => el("td", { class: "r" }, spaced(r.params[n]))), el("td", { class: "r" }, spaced(r.repetition)), el("td", {}, el("span", { class: `tag tone-${r.status === "ok" ? "good" : "bad"}` }, r.status === "ok" ? "✓ ok" : `✗ ${r.status}`)),
      el("td", { class: "r" }, r.exit_code ?? "–"), el("td", { class: "r" }, seconds(r.elapsed_s)), el("td", { class: "r" }, seconds(r.cpu_s)), el("td", {}, r.reason ? el("div", {}, r.reason) : null, r.stderr ? el("pre", { class: "stderr" }, r.stderr) : null));
    const heads = [...names.map((n) => [n, true]), ["repetition", true], ["status"], ["exit code", true], ["elapsed", true], ["CPU", true], ["messages"]];
    const total = study.runs.reduce((s, r) => s + (r.elapsed_s || 0), 0), disturbed = study.summary.disturbed_runs, content = [];
    content.push(el("p", { class: "muted" }, `${plural(study.runs.length, "run")} in ${seconds(total)}${failed.length ? `; ${spaced(failed.length)} failed and ${failed.length === 1 ? "is" : "are"} left out of counts and models:` : ", none failed."}${disturbed ? ` ${spaced(disturbed)} waited for a processor that other programs had: their times are left out where a repetition was left alone.` : ""}`));
    if (failed.length) content.push(el("div", {}, simpleTable(heads, failed.map(row), "Failed runs")));
    const all = el("details", {}, el("summary", {}, `${spaced(good.length)} finished`));
    all.addEventListener("toggle", () => { if (all.open && all.childElementCount === 1) all.append(simpleTable(heads, good.map(row), "Finished runs")); });
    if (good.length) content.push(all);
    section("runs", "Runs", ...content);
  }

  function provenance() {
    const list = el("dl", { class: "facts" }), add = (name, value) => { if (value !== null && value !== undefined && value !== "") list.append(el("dt", {}, name), el("dd", {}, value)); };
    add(measured ? "Measurements" : "Program", (study.program || []).join(", "));
    for (const p of study.parameters) add(`Parameter ${p.name}`, `${p.origin}; ${(p.values || []).map(spaced).join(", ")}`);
    add("Measured", study.created);
    for (const [name, value] of Object.entries(study.environment)) add({ cpu: "CPU", os: "System", looplaw: "looplaw", python: "Python" }[name] || name[0].toUpperCase() + name.slice(1), value === null ? "" : String(value));
    section("provenance", "Provenance", list);
  }

  function build() {
    Theme.start();
    Listing.typeset();
    $("about").textContent = study.about || [few(study.program || []), study.parameters.map((p) => `${p.name} from ${p.origin}`).join(", ")].filter(Boolean).join(" · ");
    Target.start(study);
    Own.start(study, kernels());
    filters();
    loopTable();
    overview();
    title(rows.length);
    for (const part of [surface, tree, ranks, compared, functions, runs, provenance]) if (rows.length > CHUNK) later(part); else part();
  }

  /* A file that somebody changed may lack anything: what could be shown stays, and the page says that it is not all. */
  try { build(); } catch (error) {
    $("main").prepend(el("p", { class: "notice", role: "alert" }, "This page is incomplete: looplaw did not write the study that it was made from."));
    throw error;
  }
  const wanted = /^#loop=(.+)$/.exec(window.location.hash);
  if (measured && !wanted && rows.length && rows.length <= FEW) toggle(rows[0], true);
  if (wanted) { try { go(decodeURIComponent(wanted[1])); } catch { /* a broken link opens the page as it is */ } }
  /* Formulas are copied as they are written, cells of a table apart by tabs. */
  document.addEventListener("copy", (event) => {
    const box = el("div", {}, getSelection().getRangeAt(0).cloneContents()), each = (q, f) => box.querySelectorAll(q).forEach(f);
    if (!box.textContent) return;
    each(".math[title]", (e) => { e.textContent = e.title; });
    each("sup", (e) => e.prepend("^"));
    each("td, th", (e) => e.append("\t"));
    each("tr, p, li", (e) => e.append("\n"));
    event.clipboardData.setData("text/plain", box.textContent.trim());
    event.preventDefault();
  });
})();

/* The page: overview, table of loops, functions, runs, provenance. Data are put in as text only. */
(() => {
  const $ = (id) => document.getElementById(id);
  const study = unpack(JSON.parse($("data").textContent));
  const names = study.parameters.map((p) => p.name);
  const VERDICTS = {
    obeys: ["good", "✓", "obeys"], exceeds: ["bad", "▲", "exceeds its law"], below: ["info", "▼", "below its law"],
    miscounted: ["bad", "✗", "miscounted"], "not identifiable": ["odd", "?", "not identifiable"],
    modeled: ["model", "~", "modeled"], unmeasured: ["none", "○", "unmeasured"],
  };
  const ORDER = ["miscounted", "exceeds", "not identifiable", "below", "modeled", "obeys", "unmeasured"];
  const KINDS = { exact: "good", parametric: "odd", bounded: "info", unknown: "bad" };
  const state = { search: "", verdict: "", kind: "", sort: null, up: true };
  const rows = [], CHUNK = 120;

  function unpack(data) {
    const vector = (k) => data.vectors[k] || {};
    const column = (c, own) => (k) => Array.isArray(c) ? c[k] : c === "=" ? own[k] : c ?? null;
    const counted = (c) => {
      const [entries, predicted, lower, upper, equal] = ["entries", "predicted", "lower", "upper", "equal"].map((name) => column(c[name], c.iterations));
      return data.lists[c.at].map((v, k) => ({ params: vector(v), iterations: c.iterations[k], entries: entries(k), predicted: predicted(k), lower: lower(k), upper: upper(k), equal: equal(k) }));
    };
    const time = (c) => data.lists[c.at].map((v, k) => ({ params: vector(v), values: c.values[k].filter((t) => t !== null) })).filter((p) => p.values.length);
    const loops = (data.loops || []).map((l) => ({ ...l, counted: l.counted ? counted(l.counted) : [], time: l.time ? time(l.time) : [] }));
    const runs = (data.runs || []).map(([v, repetition, status, exit_code, elapsed_s, cpu_s, stderr, reason]) => ({ params: vector(v), repetition, status, exit_code, elapsed_s, cpu_s, stderr, reason }));
    return { ...data, loops, runs, parameters: data.parameters || [], functions: data.functions || [], environment: data.environment || {}, summary: data.summary || {} };
  }

  const plural = (n, noun) => `${spaced(n)} ${noun}${n === 1 ? "" : "s"}`;
  const vectorText = (params) => Object.entries(params).map(([n, v]) => `${n} = ${v}`).join(", ");
  const verdictOf = (loop) => VERDICTS[loop.verdict] || ["none", "·", loop.verdict || "unmeasured"];
  function tag(loop) {
    const [tone, glyph, text] = verdictOf(loop);
    return el("span", { class: `tag tone-${tone}` }, el("span", { class: "glyph", "aria-hidden": "true" }, glyph), text);
  }

  /* -- overview -- */
  function overview() {
    const s = study.summary, loops = study.loops, box = $("overview");
    const bad = loops.filter((l) => l.verdict === "miscounted" || l.obeys === "no").length, over = loops.filter((l) => l.verdict === "exceeds").length;
    const failed = study.runs.filter((r) => r.status !== "ok").length, obey = s.obey ?? loops.filter((l) => l.obeys === "yes").length;
    const [tone, sign, title] = bad ? ["bad", "✗", `${plural(bad, "loop")} ${bad === 1 ? "does" : "do"} not run as often as predicted`]
      : over ? ["odd", "▲", `No count contradicts its law, but ${plural(over, "loop")} ${over === 1 ? "takes" : "take"} more time than the law allows`]
      : obey ? ["good", "✓", obey === loops.length ? "The program obeys its laws" : "No loop that was checked breaks its law"] : ["none", "○", "No loop was checked against a law"];
    const text = [`${spaced(obey)} of ${plural(loops.length, "loop")} counted exactly as predicted`];
    const bounded = loops.filter((l) => l.obeys === "bounded").length;
    if (bounded) text.push(`${spaced(bounded)} within ${bounded === 1 ? "its" : "their"} bounds`);
    const unchecked = loops.filter((l) => !["yes", "no", "bounded"].includes(l.obeys)).length;
    if (unchecked) text.push(`${spaced(unchecked)} not checked`);
    text.push(failed ? `${spaced(failed)} of ${plural(study.runs.length, "run")} failed` : `${plural(study.runs.length, "run")}, none failed`);
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
    const cards = el("div", { class: "cards" }, ...[fastest(), spending(), future()].filter(Boolean));
    if (cards.childElementCount) box.append(cards);
  }

  const largest = () => Object.fromEntries(study.parameters.map((p) => [p.name, Math.max(...(p.values.length ? p.values : [1]).map(Number))]));
  const kernels = () => study.loops.filter((l) => l.time_model && l.time.length);
  const text = (loop) => [Details.place(loop.at, go), el("span", { class: "muted" }, ` in ${loop.function}`)];

  function fastest() {
    const grown = kernels().filter((l) => l.time_model.identifiable !== false).map((loop) => ({ loop, lead: Models.lead(loop.time_model) })).filter((k) => k.lead);
    grown.sort((a, b) => b.lead.i - a.lead.i || b.lead.j - a.lead.j || Models.evaluate(b.loop.time_model, largest()) - Models.evaluate(a.loop.time_model, largest()));
    if (grown.length) {
      const { loop, lead } = grown[0], list = el("ul", { class: "bars" });
      for (const k of grown.slice(1, 4)) list.append(el("li", {}, el("span", {}, ...text(k.loop)), el("span", {}, Formula.show(Models.termText(k.lead.term)))));
      return el("div", { class: "card" }, el("h3", {}, "Time grows fastest"), el("p", { class: "big" }, Formula.show(Models.termText(lead.term))), el("p", {}, ...text(loop)),
        el("p", { class: "small" }, tag(loop), " ", loop.verdict_reason ? el("span", { class: "muted" }, Formula.prose(loop.verdict_reason)) : null),
        grown.length > 1 ? el("h4", { class: "muted" }, "then") : null, grown.length > 1 ? list : null);
    }
    const counted = study.loops.filter((l) => l.total && l.total.formula && l.counted.length).map((loop) => ({ loop, most: Math.max(...loop.counted.map((p) => toNumber(p.iterations) || 0)) })).sort((a, b) => b.most - a.most)[0];
    if (!counted) return null;
    return el("div", { class: "card" }, el("h3", {}, "Runs most often"), el("p", { class: "big" }, Details.law(counted.loop.total, counted.loop.display, true)), el("p", {}, ...text(counted.loop)), el("p", { class: "foot small muted" }, "No time model yet: this is the law of its iterations."));
  }

  function ranked(valueOf) {
    return kernels().map((loop) => ({ loop, t: valueOf(loop) })).filter((k) => k.t > 0).sort((a, b) => b.t - a.t);
  }

  /* A nest includes the nests it calls, so times of nests are never added up: bars compare with the longest. */
  function bars(items, whole) {
    const list = el("ul", { class: "bars" });
    for (const { loop, t } of items.slice(0, 4)) {
      const fill = el("span", { class: "fill" }), share = whole ? Math.min(100 * t / whole, 100) : null;
      fill.style.width = `${(whole ? share : 100 * t / items[0].t).toFixed(1)}%`;
      const percent = share === null ? "" : ` · ${share < 0.1 ? "< 0.1" : significant(share, 2)} %`;
      list.append(el("li", {}, el("span", {}, ...text(loop)), el("span", { class: "num" }, seconds(t) + percent), el("span", { class: "track", "aria-hidden": "true" }, fill)));
    }
    if (items.length > 4) list.append(el("li", { class: "muted" }, el("span", {}, `and ${plural(items.length - 4, "more nest")}, none above ${seconds(items[3].t)}`)));
    return list;
  }

  const sameVector = (a, b) => names.every((n) => a[n] === b[n]);
  const includes = () => el("p", { class: "foot small muted" }, "Each nest with the loops it calls.");

  function spending() {
    const top = largest(), at = (loop) => loop.time.find((p) => sameVector(p.params, top));
    const measured = ranked((loop) => at(loop) ? Details.median(at(loop).values) : 0);
    const items = measured.length ? measured : ranked((loop) => Models.evaluate(loop.time_model, top));
    if (!items.length) return null;
    const elapsed = study.runs.filter((r) => r.status === "ok" && r.elapsed_s > 0 && sameVector(r.params, top)).map((r) => r.elapsed_s);
    const whole = measured.length && elapsed.length ? Details.median(elapsed) : null;
    return el("div", { class: "card" }, el("h3", {}, `Where the time goes, ${measured.length ? "measured" : "modeled"} at ${vectorText(top)}`), bars(items, whole),
      whole ? el("p", { class: "foot small muted" }, `Shares of a whole run, ${seconds(whole)}. Each nest with the loops it calls.`) : includes());
  }

  function future() {
    if (!kernels().length || !names.length) return null;
    const at = Object.fromEntries(study.parameters.map((p) => [p.name, p.origin === "mpi:rank" ? largest()[p.name] : largest()[p.name] * 10]));
    const out = el("div", { "aria-live": "polite" });
    const refresh = () => {
      const items = ranked((loop) => Models.evaluate(loop.time_model, at));
      out.replaceChildren(el("p", { class: "big num" }, items.length ? seconds(items[0].t) : "–"));
      if (!items.length) return;
      const ends = Models.interval(items[0].loop.time_model, at);
      out.append(el("p", { class: "muted small" }, "in the longest nest", ends ? `; 90 % interval ${seconds(Math.max(ends[0], 0))} to ${seconds(ends[1])}` : ""), bars(items));
    };
    const form = el("div", { class: "predict" });
    for (const p of study.parameters) {
      form.append(el("label", {}, Formula.show(p.name), " =", el("input", { type: "number", min: "1", value: String(at[p.name]), "aria-label": `Value of ${p.name}`, on: { input: (e) => { const v = Number(e.target.value); if (v > 0) { at[p.name] = v; refresh(); } } } })));
    }
    refresh();
    return el("div", { class: "card" }, el("h3", {}, "Predicted, at a size that was not run"), form, out, includes());
  }

  /* -- loops -- */
  const COLUMNS = [
    ["loop", (l) => l.at], ["function", (l) => l.function || ""], ["law", (l) => lawOrder(l)], ["kind", (l) => Object.keys(KINDS).indexOf((l.total || {}).kind)],
    ["counted as predicted", (l) => ["no", "unchecked", "bounded", "yes"].indexOf(l.obeys)], ["time model", (l) => l.time_model ? growth(l.time_model) : -1],
    ["ratio", (l) => l.growth_ratio ? Formula.evaluate(l.growth_ratio, Object.fromEntries(names.map((n) => [n, 1e6]))) ?? 0 : -1], ["verdict", (l) => ORDER.indexOf(l.verdict)],
  ];
  const growth = (m) => { const lead = Models.lead(m); return lead ? lead.i * 100 + lead.j : 0; };
  const lawOrder = (l) => l.counted.length ? Math.max(...l.counted.map((p) => toNumber(p.iterations) || 0)) : -1;

  function loopTable() {
    const table = $("loop-table"), head = el("tr", { role: "row" });
    COLUMNS.forEach(([name], k) => {
      head.append(el("th", { scope: "col", role: "columnheader", "aria-sort": "none" }, el("button", { type: "button", class: "sort", on: { click: () => sortBy(k) } }, name)));
    });
    table.classList.add("cardy");
    const body = el("tbody", { role: "rowgroup" });
    study.loops.forEach((loop, k) => { const row = loopRow(loop, k); rows.push(row); body.append(row.tr); });
    table.append(el("caption", { class: "hidden" }, "Loops with their laws, counts, time models and verdicts"), el("thead", { role: "rowgroup" }, head), body);
    table.setAttribute("role", "table");
    fillFrom(0);
    window.addEventListener("beforeprint", () => rows.forEach(fill));
    body.addEventListener("click", (event) => {
      const tr = event.target.closest("tr.row");
      if (tr && !window.getSelection().toString()) toggle(rows[Number(tr.dataset.k)]);
    });
  }

  /** A row that `fill` completes: with a thousand loops the page is there at once and the far rows follow. */
  function loopRow(loop, k) {
    const tr = el("tr", { role: "row", class: "row" });
    tr.dataset.k = String(k);
    return { loop, k, tr, button: null, detail: null, text: `${loop.at} ${loop.function} ${(loop.total || {}).formula || ""} ${loop.source || ""} ${loop.verdict}`.toLowerCase() };
  }

  function fill(row) {
    if (row.button) return;
    const { loop, k, tr } = row;
    const cut = loop.at.lastIndexOf("/") + 1, cell = (name, ...content) => el("td", { role: "cell", class: name }, ...content);
    const button = el("button", { type: "button", class: "toggle", "aria-expanded": "false", "aria-controls": `detail-${k}`, "aria-label": `Details of ${loop.at}` });
    const where = el("div", { class: "where" }, button, el("span", { class: loop.at.length > 48 ? "at long" : "at" }, cut ? el("span", { class: "dir" }, loop.at.slice(0, cut)) : null, loop.at.slice(cut)));
    where.style.setProperty("--depth", String(loop.nesting || 1));
    const kind = (loop.total || {}).kind || "unknown", model = loop.time_model;
    const time = cell(model ? "time wide" : "time empty", model ? el("span", { class: "clip" }, Formula.show(model.formula, true)) : el("span", { class: "muted" }, ""));
    const ratio = cell(loop.growth_ratio ? "" : "empty", loop.growth_ratio ? Formula.show(loop.growth_ratio) : "");
    time.dataset.label = "time"; ratio.dataset.label = "ratio";
    const law = cell("law wide", el("span", { class: "clip" }, Details.law(loop.total, loop.display, true)));
    const owner = cell("", el("span", { class: (loop.function || "").length > 32 ? "long" : null }, loop.function || ""));
    tr.append(cell("wide", where), owner, law, cell("", el("span", { class: `badge tone-${KINDS[kind] || "none"}` }, kind)), cell("", counted(loop)), time, ratio, cell("", tag(loop)));
    row.button = button;
  }

  function fillFrom(k) {
    rows.slice(k, k + CHUNK).forEach(fill);
    if (k + CHUNK < rows.length) setTimeout(() => fillFrom(k + CHUNK), 0);
  }

  function counted(loop) {
    const n = loop.counted.length, equal = loop.counted.filter((p) => p.equal === true).length;
    const [tone, said] = loop.obeys === "yes" ? ["good", `✓ yes, ${n} of ${n}`] : loop.obeys === "no" ? ["bad", `✗ no, ${equal} of ${n}`] : loop.obeys === "bounded" ? ["info", `✓ in bounds, ${n}`] : ["none", "–"];
    return el("span", { class: `tag tone-${tone}`, title: `at ${plural(n, "parameter vector")}` }, said);
  }

  function toggle(row, open) {
    fill(row);
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
    const row = rows.find((r) => r.loop.at === at);
    if (!row) return;
    if (row.tr.hidden) clear();
    toggle(row, true);
    row.tr.scrollIntoView({ block: "start" });
    row.button.focus({ preventScroll: true });
    try { window.history.replaceState(null, "", `#loop=${encodeURIComponent(at)}`); } catch { /* some browsers forbid it for files */ }
  }

  function filters() {
    const search = el("input", { type: "search", id: "search", placeholder: "Search loops", "aria-label": "Search loops", on: { input: (e) => setFilter("search", e.target.value.trim().toLowerCase()) } });
    const choice = (key, label, options) => el("select", { id: `f-${key}`, "aria-label": label, on: { change: (e) => setFilter(key, e.target.value) } }, el("option", { value: "" }, `all ${label}`), ...options.map((o) => el("option", { value: o }, o)));
    const present = (list, of) => list.filter((v) => study.loops.some((l) => of(l) === v));
    $("filters").append(search, choice("kind", "kinds", present(Object.keys(KINDS), (l) => (l.total || {}).kind)), choice("verdict", "verdicts", present(ORDER, (l) => l.verdict)));
    $("clear").addEventListener("click", clear);
  }

  function setFilter(key, value) {
    state[key] = value;
    let n = 0;
    for (const row of rows) {
      const fits = row.text.includes(state.search) && (!state.verdict || row.loop.verdict === state.verdict) && (!state.kind || (row.loop.total || {}).kind === state.kind);
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
    $("loops-title").replaceChildren("Loops ", el("span", { class: "muted" }, n === rows.length ? spaced(n) : `${spaced(n)} of ${spaced(rows.length)}`));
  }

  function clear() {
    $("search").value = "";
    for (const key of ["search", "kind", "verdict"]) setFilter(key, "");
  }

  function sortBy(k) {
    if (state.sort === k && !state.up) { state.sort = null; state.up = true; }  // third press: source order again
    else { state.up = state.sort !== k; state.sort = k; }
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
    $(id).append(el("div", { class: "bar" }, el("h2", { id: `${id}-title` }, heading)), ...content);
  }

  /** A table that turns into cards on narrow screens. */
  function simpleTable(heads, lines, label) {
    for (const tr of lines) {
      tr.className = "row";
      tr.setAttribute("role", "row");
      [...tr.cells].forEach((td, k) => { td.setAttribute("role", "cell"); td.classList.add("wide"); if (k || label !== "Functions") td.dataset.label = heads[k][0]; });
    }
    return el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": label }, el("table", { class: `grid cardy ${label.toLowerCase().replaceAll(" ", "-")}`, role: "table" }, el("thead", { role: "rowgroup" }, el("tr", { role: "row" }, ...heads.map(([h, right]) => el("th", { scope: "col", role: "columnheader", class: right ? "r" : null }, h)))), el("tbody", { role: "rowgroup" }, ...lines)));
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
    const total = study.runs.reduce((s, r) => s + (r.elapsed_s || 0), 0), content = [];
    content.push(el("p", { class: "muted" }, `${plural(study.runs.length, "run")} in ${seconds(total)}${failed.length ? `; ${spaced(failed.length)} failed and ${failed.length === 1 ? "is" : "are"} left out of counts and models:` : ", none failed."}`));
    if (failed.length) content.push(el("div", {}, simpleTable(heads, failed.map(row), "Failed runs")));
    const all = el("details", {}, el("summary", {}, `${spaced(good.length)} that ended well`));
    all.addEventListener("toggle", () => { if (all.open && all.childElementCount === 1) all.append(simpleTable(heads, good.map(row), "Runs that ended well")); });
    if (good.length) content.push(all);
    section("runs", "Runs", ...content);
  }

  function provenance() {
    const list = el("dl", { class: "facts" }), add = (name, value) => { if (value !== null && value !== undefined && value !== "") list.append(el("dt", {}, name), el("dd", {}, value)); };
    add("Program", (study.program || []).join(", "));
    for (const p of study.parameters) add(`Parameter ${p.name}`, `${p.origin}; ${(p.values || []).map(spaced).join(", ")}`);
    add("Measured", study.created);
    for (const [name, value] of Object.entries(study.environment)) add({ cpu: "CPU", os: "System", looplaw: "looplaw", python: "Python" }[name] || name[0].toUpperCase() + name.slice(1), value === null ? "" : String(value));
    section("provenance", "Where this comes from", list);
  }

  function build() {
    Theme.start();
    Listing.typeset();
    $("about").textContent = study.about || [(study.program || []).join(", "), study.parameters.map((p) => `${p.name} from ${p.origin}`).join(", ")].filter(Boolean).join(" · ");
    filters();
    loopTable();
    overview();
    title(rows.length);
    functions();
    runs();
    provenance();
  }

  /* A file that somebody changed may lack anything: what could be shown stays, and the page says that it is not all. */
  try { build(); } catch (error) {
    $("main").prepend(el("p", { class: "notice", role: "alert" }, "This page is not complete: the study it was made from is not as looplaw writes it."));
    throw error;
  }
  const wanted = /^#loop=(.+)$/.exec(window.location.hash);
  if (wanted) { try { go(decodeURIComponent(wanted[1])); } catch { /* a broken link opens the page as it is */ } }
})();

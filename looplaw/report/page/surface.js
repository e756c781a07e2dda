/* Models over two parameters: which kernel dominates where, the contours of one, and its surface. */
const Surface = (() => {
  const W = 620, H = 400, LEFT = 66, RIGHT = 14, TOP = 12, BOTTOM = 44, COLUMNS = 60, ROWS = 44, GRID = 22, MOST = 7;
  const LETTERS = "ABCDEFGH";

  const axis = (p) => {
    const low = Math.min(...p.values), high = Math.max(...p.values) * 10, log = low > 0;
    return { name: p.name, log, low, high, measured: Math.max(...p.values), of: (t) => log ? low * (high / low) ** t : low + (high - low) * t, to: (v) => log ? Math.log(v / low) / Math.log(high / low) : (v - low) / (high - low) };
  };

  function section(study, kernels, go) {
    const two = study.parameters.filter((p) => new Set(p.values).size > 1);
    const found = kernels.filter((l) => l.time_model && l.time_model.terms);
    if (two.length < 2 || !found.length) return null;
    const state = { x: two[0].name, y: two[1].name, what: "" }, box = el("div", { class: "plots wide" }), controls = el("div", { class: "controls" });
    const of = (name) => axis(two.find((p) => p.name === name));
    const select = (label, options, value, change) => el("label", {}, label, el("select", { on: { change: (e) => change(e.target.value) } }, ...options.map(([v, text]) => el("option", { value: v, selected: v === value }, text))));
    const redraw = () => {
      const x = of(state.x), y = of(state.y), rest = Object.fromEntries(study.parameters.map((p) => [p.name, Math.max(...p.values)]));
      const env = (a, b) => ({ ...rest, [state.x]: x.of(a), [state.y]: y.of(b) });
      const names = two.map((p) => [p.name, p.name]);
      controls.replaceChildren(select("show", [["", "which kernel takes longest"], ...found.map((l) => [l.at, l.at])], state.what, (v) => { state.what = v; redraw(); }),
        select("x-axis", names, state.x, (v) => { if (v === state.y) state.y = state.x; state.x = v; redraw(); }),
        select("y-axis", names, state.y, (v) => { if (v === state.x) state.x = state.y; state.y = v; redraw(); }));
      const loop = found.find((l) => l.at === state.what);
      box.replaceChildren(...(loop ? [contours(loop, x, y, env), relief(loop, x, y, env)] : [dominating(found, x, y, env, go)]).filter(Boolean));
    };
    later(redraw);  // a thousand kernels take a while here, and the page above is to be seen first
    return el("div", {}, controls, box);
  }

  function frame(x, y, label) {
    const art = Plot.svg("svg", { viewBox: `0 0 ${W} ${H}`, class: "plot", role: "img", "aria-label": label });
    const px = (t) => LEFT + t * (W - LEFT - RIGHT), py = (t) => H - BOTTOM - t * (H - TOP - BOTTOM);
    return { art, px, py };
  }

  function scales(art, x, y, px, py) {
    const ticks = (a) => Plot.ticks(a.low, a.high, a.log);
    for (const v of ticks(x)) art.append(Plot.svg("line", { class: "axis", x1: px(x.to(v)), x2: px(x.to(v)), y1: H - BOTTOM, y2: H - BOTTOM + 4 }), Plot.svg("text", { x: px(x.to(v)), y: H - BOTTOM + 17, "text-anchor": "middle" }, Plot.tickText(v, ticks(x))));
    for (const v of ticks(y)) art.append(Plot.svg("text", { x: LEFT - 7, y: py(y.to(v)) + 4, "text-anchor": "end" }, Plot.tickText(v, ticks(y))));
    art.append(Plot.svg("rect", { class: "run", x: px(0), y: py(y.to(y.measured)), width: px(x.to(x.measured)) - px(0), height: py(0) - py(y.to(y.measured)) }),
      Plot.svg("text", { class: "beyond-text strong", x: px(x.to(x.measured)) - 5, y: py(y.to(y.measured)) + 13, "text-anchor": "end" }, "measured range"),
      Plot.svg("text", { class: "label", x: W - RIGHT, y: H - 8, "text-anchor": "end" }, x.name), Plot.svg("text", { class: "label", x: 6, y: TOP + 8 }, y.name));
  }

  /** One path for each colour, so that cells that touch are not painted twice. */
  function paint(art, colour, px, py) {
    const outlines = new Map();
    for (let r = 0; r < ROWS; r += 1) {
      for (let c = 0; c < COLUMNS;) {
        const name = colour(c, r);
        let end = c + 1;
        while (end < COLUMNS && colour(end, r) === name) end += 1;
        if (name !== null) outlines.set(name, `${outlines.get(name) || ""}M${px(c / COLUMNS).toFixed(1)} ${(py((r + 1) / ROWS) - 0.4).toFixed(1)}H${(px(end / COLUMNS) + 0.4).toFixed(1)}V${py(r / ROWS).toFixed(1)}H${px(c / COLUMNS).toFixed(1)}Z`);
        c = end;
      }
    }
    for (const [name, d] of outlines) art.append(Plot.svg("path", { class: name, d }));
  }

  const cells = (f) => Array.from({ length: ROWS }, (_, r) => Array.from({ length: COLUMNS }, (__, c) => f((c + 0.5) / COLUMNS, (r + 0.5) / ROWS)));

  function dominating(loops, x, y, env, go) {
    const best = cells((a, b) => {
      let top = -1, most = 0;
      const at = env(a, b), times = new Map(loops.map((l) => [l, Models.evaluate(l.time_model, at)])), own = Own.all((l) => times.get(l), 0);
      loops.forEach((l, k) => { const v = own.get(l); if (v > most) { most = v; top = k; } });
      return top;
    });
    const area = new Map();
    best.forEach((row, r) => row.forEach((k, c) => { const s = area.get(k) || { k, n: 0, r: 0, c: 0, at: [] }; s.n += 1; s.at.push([c, r]); area.set(k, s); }));
    const shown = [...area.values()].filter((s) => s.k >= 0).sort((a, b) => b.n - a.n).slice(0, MOST), place = new Map(shown.map((s, i) => [s.k, i]));
    const { art, px, py } = frame(x, y, `Which kernel takes longest over ${x.name} and ${y.name}`);
    paint(art, (c, r) => best[r][c] < 0 ? null : `area a${place.get(best[r][c]) ?? "x"}`, px, py);
    for (const s of shown) {  // the letter at the cell next to the region's middle
      const mid = [s.at.reduce((t, p) => t + p[0], 0) / s.n, s.at.reduce((t, p) => t + p[1], 0) / s.n];
      const [c, r] = s.at.reduce((p, q) => Math.hypot(q[0] - mid[0], q[1] - mid[1]) < Math.hypot(p[0] - mid[0], p[1] - mid[1]) ? q : p);
      art.append(Plot.svg("text", { class: "letter", x: px((c + 0.5) / COLUMNS), y: py((r + 0.5) / ROWS) + 5, "text-anchor": "middle" }, LETTERS[place.get(s.k)]));
    }
    scales(art, x, y, px, py);
    const list = el("ul", { class: "regions" }, ...shown.map((s, i) => el("li", {}, el("span", { class: `key a${i}` }, LETTERS[i]), Details.place(loops[s.k].at, go), el("span", { class: "muted small" }, ` ${significant(100 * s.n / (COLUMNS * ROWS), 2)} % of this area`), el("div", { class: "small" }, Formula.show(loops[s.k].time_model.formula, true)))));
    return el("figure", {}, el("figcaption", {}, "Which kernel takes longest by itself, according to the models"), art, list);
  }

  /** Levels at powers of ten, or at 1, 2, 5 where the values span less than two decades. */
  function levels(low, high) {
    const decades = Math.log10(high / low), steps = decades > 3 ? [1] : decades > 1.2 ? [1, 3] : [1, 1.5, 2, 3, 4, 5, 7], found = [];
    for (let e = Math.floor(Math.log10(low)); e <= Math.log10(high); e += 1) for (const s of steps) { const v = s * 10 ** e; if (v > low && v < high) found.push(v); }
    const every = Math.ceil(found.length / 9) || 1;
    return found.filter((_, k) => k % every === 0);
  }

  function contours(loop, x, y, env) {
    const values = cells((a, b) => Models.evaluate(loop.time_model, env(a, b))), flat = values.flat().filter((v) => v > 0);
    if (!flat.length) return el("p", { class: "muted" }, "The model is not positive anywhere here.");
    const at = levels(Math.min(...flat), Math.max(...flat)), band = (v) => v > 0 ? at.filter((l) => l <= v).length : 0;
    const { art, px, py } = frame(x, y, `Model of ${loop.at} over ${x.name} and ${y.name}`);
    paint(art, (c, r) => `band b${Math.min(Math.round(9 * band(values[r][c]) / Math.max(at.length, 1)), 9)}`, px, py);
    const unit = Details.unit(loop);
    for (const level of at) {  // the level's line runs along the cells where the band changes; its text where it leaves the plot
      const top = Array.from({ length: COLUMNS }, (_, c) => { const r = values.findIndex((row, k) => k > 0 && (row[c] >= level) !== (values[k - 1][c] >= level)); return [c, r]; }).filter(([, r]) => r > 0);
      if (top.length) { const [c, r] = top[Math.floor(top.length / 2)]; art.append(Plot.svg("text", { class: "level", x: px((c + 0.5) / COLUMNS), y: py(r / ROWS) + 4, "text-anchor": "middle" }, unit(level))); }
    }
    for (const p of loop.time) {
      const [a, b] = [x.to(p.params[x.name]), y.to(p.params[y.name])];
      if (a >= 0 && b >= 0) art.append(Plot.svg("circle", { class: "s point c-data", cx: px(a), cy: py(b), r: 3.4 }));
    }
    scales(art, x, y, px, py);
    return el("figure", {}, el("figcaption", {}, "Contours of the model; circles were measured"), art);
  }

  /** The surface in logarithms of the value, drawn from the back to the front. */
  function relief(loop, x, y, env) {
    const height = (i, j) => { const v = Models.evaluate(loop.time_model, env(i / GRID, j / GRID)); return v > 0 ? Math.log10(v) : null; };
    const all = Array.from({ length: GRID + 1 }, (_, i) => Array.from({ length: GRID + 1 }, (__, j) => height(i, j))), flat = all.flat().filter((v) => v !== null);
    if (!flat.length) return null;
    const low = Math.min(...flat), span = Math.max(...flat) - low || 1, art = Plot.svg("svg", { viewBox: `0 0 ${W} ${H}`, class: "plot", role: "img", "aria-label": `Surface of the model of ${loop.at}` });
    const spot = (i, j, h) => [W / 2 + (i - j) / GRID * 250, H - 60 - (i + j) / GRID * 75 - (h - low) / span * 165];
    const polygon = (points, name) => art.append(Plot.svg("polygon", { class: name, points: points.map((p) => p.map((v) => v.toFixed(1)).join(",")).join(" ") }));
    polygon([[0, 0], [GRID, 0], [GRID, GRID], [0, GRID]].map(([i, j]) => spot(i, j, low)), "floor");
    for (let i = GRID - 1; i >= 0; i -= 1) {
      for (let j = GRID - 1; j >= 0; j -= 1) {
        const corners = [[i, j], [i + 1, j], [i + 1, j + 1], [i, j + 1]].map(([a, b]) => [a, b, all[a][b]]);
        if (corners.some((c) => c[2] === null)) continue;
        const mean = corners.reduce((s, c) => s + c[2], 0) / 4;
        polygon(corners.map((c) => spot(...c)), `facet b${Math.min(Math.floor(9.99 * (mean - low) / span), 9)}`);
      }
    }
    const unit = Details.unit(loop), word = (i, j, text, anchor, dx, dy) => { const [a, b] = spot(i, j, low); art.append(Plot.svg("text", { class: "label", x: a + dx, y: b + dy, "text-anchor": anchor }, text)); };
    word(GRID, 0, `${x.name} ${spaced(Math.round(x.high))}`, "end", 24, 22);
    word(0, GRID, `${y.name} ${spaced(Math.round(y.high))}`, "start", -24, 22);
    word(0, 0, `${x.name} ${spaced(x.low)}, ${y.name} ${spaced(y.low)}`, "middle", 0, 20);
    return el("figure", {}, el("figcaption", {}, `Surface: ${unit(10 ** low)} to ${unit(10 ** (low + span))}, height is the logarithm`), art);
  }

  return { section };
})();

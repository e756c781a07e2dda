/* One plot as SVG: axes, curves, points. It knows nothing of loops; colours come from the style sheet. */
const Plot = (() => {
  const W = 520, H = 300, LEFT = 62, RIGHT = 14, TOP = 12, BOTTOM = 40;
  // the namespace is read off the page's own mark, so that the file names no address at all
  const SVG = document.querySelector("svg").namespaceURI;

  function svg(tag, attributes, ...children) {
    const node = document.createElementNS(SVG, tag);
    for (const [name, value] of Object.entries(attributes || {})) node.setAttribute(name, value);
    node.append(...children);
    return node;
  }

  function linearTicks(low, high, wanted) {
    const raw = (high - low) / wanted || 1, size = 10 ** Math.floor(Math.log10(raw));
    const step = [1, 2, 2.5, 5, 10].find((s) => s * size >= raw) * size;
    const ticks = [];
    for (let v = Math.ceil(low / step) * step; v <= high + step * 1e-9; v += step) ticks.push(Math.abs(v) < step * 1e-9 ? 0 : v);
    return ticks;
  }

  function logTicks(low, high) {
    const from = Math.floor(Math.log10(low)), to = Math.ceil(Math.log10(high)), decades = Math.log10(high / low);
    const steps = decades > 3 ? [1] : decades > 1.2 ? [1, 2, 5] : [1, 1.5, 2, 3, 4, 5, 6, 8];
    const every = Math.max(1, Math.ceil(decades / 7)), ticks = [];
    for (let e = from; e <= to; e += 1) {
      if (decades > 3 && (e - from) % every) continue;
      for (const s of steps) { const v = s * 10 ** e; if (v >= low * 0.999 && v <= high * 1.001) ticks.push(v); }
    }
    return ticks.length > 1 ? ticks : linearTicks(low, high, 4).filter((v) => v > 0);  // a narrow span has no round decades
  }

  function scale(values, from, to, log) {
    let low = Math.min(...values), high = Math.max(...values);
    if (log) {
      if (low === high) { low /= 2; high *= 2; }
      const pad = (high / low) ** 0.04, a = Math.log(low / pad), b = Math.log(high * pad);
      return { at: (v) => from + (Math.log(v) - a) / (b - a) * (to - from), ticks: logTicks(low / pad, high * pad), low: low / pad, high: high * pad, ok: (v) => v > 0 };
    }
    if (low > 0 && low < high / 2) low = 0;
    if (low === high) { low -= Math.abs(low) / 2 || 1; high += Math.abs(high) / 2 || 1; }
    const pad = (high - low) * 0.04, a = low === 0 ? 0 : low - pad, b = high + pad;
    return { at: (v) => from + (v - a) / (b - a) * (to - from), ticks: linearTicks(a, b, 5), low: a, high: b, ok: () => true };
  }

  function tickText(v, all) {
    const size = Math.max(...all.map(Math.abs));
    if (v !== 0 && (size >= 1e6 || size < 1e-3 || Math.abs(v) >= 1e6 || Math.abs(v) < 1e-3)) {
      const [m, e] = v.toExponential(2).split("e");
      const digits = { "-": "⁻", 0: "⁰", 1: "¹", 2: "²", 3: "³", 4: "⁴", 5: "⁵", 6: "⁶", 7: "⁷", 8: "⁸", 9: "⁹" };
      const ten = `10${[...String(Number(e))].map((c) => digits[c]).join("")}`;
      return Number(m) === 1 ? ten : `${Number(m)}·${ten}`;
    }
    return spaced(Number(v.toPrecision(6)));
  }

  /**
   * Draw. spec: {label, x, y: axis names, log, beyond: x after which nothing was run, format(y),
   * limits: [[x, what begins there]],
   * series: [{name (null: not in the legend), tone, kind: "points"|"line"|"dash"|"dots"|"band", shape (of points), at: [[x, y]] or [[x, low, high]], all: [[x, y]] (repetitions)}]}
   * Returns a figure.
   */
  function draw(spec) {
    let shown = spec.series.filter((s) => s.at.length);
    const xs = shown.flatMap((s) => s.at.map((p) => p[0]));
    const ys = shown.filter((s) => s.kind !== "band").flatMap((s) => [...s.at.map((p) => p[1]), ...(s.all || []).map((p) => p[1])]);
    const figure = el("figure", {}, el("figcaption", {}, spec.title));
    const log = spec.log && xs.every((v) => v > 0) && ys.some((v) => v > 0);
    const usable = log ? ys.filter((v) => v > 0) : ys;
    if (!usable.length) { figure.append(el("p", { class: "muted small" }, "Nothing to plot.")); return figure; }
    if (log) shown = shown.filter((s) => s.at.some((p) => p[s.kind === "band" ? 2 : 1] > 0));
    const x = scale(xs, LEFT, W - RIGHT, log), y = scale(usable, H - BOTTOM, TOP, log);
    const art = svg("svg", { viewBox: `0 0 ${W} ${H}`, class: "plot", role: "img", "aria-label": spec.label });
    const clip = `clip-${draw.count = (draw.count || 0) + 1}`;
    art.append(svg("defs", {}, svg("clipPath", { id: clip }, svg("rect", { x: LEFT, y: TOP - 4, width: W - LEFT - RIGHT + 4, height: H - TOP - BOTTOM + 4 }))));
    if (spec.beyond !== undefined && spec.beyond < x.high) {
      const from = x.at(spec.beyond) + 7;
      art.append(svg("rect", { class: "beyond", x: from, y: TOP, width: Math.max(W - RIGHT - from, 0), height: H - TOP - BOTTOM }));
      if (W - RIGHT - from > 50) art.append(svg("text", { class: "beyond-text", x: W - RIGHT - 4, y: H - BOTTOM - 6, "text-anchor": "end" }, "not run"));
    }
    axes(art, spec, x, y);
    limits(art, spec, x);
    const inside = svg("g", { "clip-path": `url(#${clip})` });
    art.append(inside);
    for (const s of shown) paint(inside, s, x, y, log);
    figure.append(legend(shown), art);
    return readout(figure, art, spec, shown, x, y);
  }

  /* Vertical lines at sizes from which on the lines come from the next level; labels that would overlap stand lower. */
  function limits(art, spec, x) {
    let last = -99, row = 0;
    for (const [value, name] of (spec.limits || []).filter(([v]) => v > x.low && v < x.high)) {
      const at = x.at(value);
      row = at - last < name.length * 6 + 8 ? (row + 1) % 3 : 0;
      last = at;
      art.append(svg("line", { class: "regime", x1: at, x2: at, y1: TOP, y2: H - BOTTOM }), svg("text", { class: "beyond-text", x: at + 3, y: TOP + 9 + 11 * row }, `${name} →`));
    }
  }

  function axes(art, spec, x, y) {
    let last = -99;
    const ticks = spec.ticks && spec.ticks.length <= 12 ? [...spec.ticks, spec.ticks.at(-1) * 2].filter((v) => v <= x.high) : x.ticks;
    for (const v of ticks) {
      const at = x.at(v), text = tickText(v, ticks);
      art.append(svg("line", { class: "axis", x1: at, x2: at, y1: H - BOTTOM, y2: H - BOTTOM + 4 }));
      if (at - last < text.length * 6 + 6) continue;
      last = at;
      art.append(svg("text", { x: at, y: H - BOTTOM + 16, "text-anchor": "middle" }, text));
    }
    for (const v of y.ticks) {
      const at = y.at(v);
      art.append(svg("line", { class: "rule", x1: LEFT, x2: W - RIGHT, y1: at, y2: at }),
        svg("text", { x: LEFT - 7, y: at + 3.5, "text-anchor": "end" }, spec.format ? spec.format(v) : tickText(v, y.ticks)));
    }
    art.append(svg("line", { class: "axis", x1: LEFT, x2: W - RIGHT, y1: H - BOTTOM, y2: H - BOTTOM }),
      svg("text", { class: "label", x: W - RIGHT, y: H - 6, "text-anchor": "end" }, spec.x));
  }

  function path(points, x, y) {
    return points.map(([a, b], k) => `${k ? "L" : "M"}${x.at(a).toFixed(1)} ${y.at(b).toFixed(1)}`).join("");
  }

  function paint(art, s, x, y, log) {
    const floor = log ? y.low / 1e6 : -Infinity;
    const group = svg("g", { class: `c-${s.tone}` });
    art.append(group);
    if (s.kind === "band") {
      const at = s.at.filter((p) => p[2] > 0 || !log);
      const edge = [...at.map((p) => [p[0], p[2]]), ...[...at].reverse().map((p) => [p[0], Math.max(p[1], floor)])];
      if (at.length > 1) group.append(svg("path", { class: "s band", d: path(edge, x, y) + "Z" }));
      return;
    }
    const at = s.at.filter((p) => y.ok(p[1]));
    if (s.kind !== "points") { group.append(svg("path", { class: `s ${s.kind}`, d: path(at, x, y) })); return; }
    const spread = new Map();
    for (const [a, b] of s.all || []) {
      if (!y.ok(b)) continue;
      const seen = spread.get(a) || [b, b];
      spread.set(a, [Math.min(seen[0], b), Math.max(seen[1], b)]);
    }
    for (const [a, [low, high]] of spread) {
      const px = x.at(a);
      group.append(svg("line", { class: "s bar", x1: px, x2: px, y1: y.at(low), y2: y.at(high) }));
    }
    for (const [a, b] of s.all || []) if (y.ok(b)) group.append(svg("circle", { class: "s mini", cx: x.at(a), cy: y.at(b), r: 2 }));
    for (const [a, b] of at) group.append(mark(s, x.at(a), y.at(b)));
  }

  /** A point: a circle, or the series' own shape (a path around the origin). */
  function mark(s, x, y) {
    return s.shape ? svg("path", { class: "s point", d: s.shape, transform: `translate(${x.toFixed(1)} ${y.toFixed(1)})` }) : svg("circle", { class: "s point", cx: x, cy: y, r: 4.2 });
  }

  function legend(series) {
    const list = el("ul", { class: "legend" });
    for (const s of series.filter((one) => one.name)) {
      const key = svg("svg", { viewBox: "0 0 26 12", "aria-hidden": "true", class: `c-${s.tone}` });
      if (s.kind === "points") key.append(mark(s, 13, 6));
      else if (s.kind === "band") key.append(svg("rect", { class: "s band", x: 2, y: 0, width: 22, height: 12 }));
      else key.append(svg("path", { class: `s ${s.kind}`, d: "M1 6H25" }));
      list.append(el("li", {}, key, el("span", {}, s.name)));
    }
    return list;
  }

  function readout(figure, art, spec, series, x, y) {
    const line = el("p", { class: "readout" }), points = series.find((s) => s.kind === "points") || series[0];
    const mark = svg("line", { class: "axis", y1: TOP, y2: H - BOTTOM, visibility: "hidden" });
    art.append(mark);
    art.addEventListener("pointermove", (event) => {
      const box = art.getBoundingClientRect(), px = (event.clientX - box.left) / box.width * W;
      const [near] = points.at.reduce((best, p) => Math.abs(x.at(p[0]) - px) < Math.abs(x.at(best[0]) - px) ? p : best);
      for (const name of ["x1", "x2"]) mark.setAttribute(name, x.at(near));
      mark.setAttribute("visibility", "visible");
      const values = series.flatMap((s) => {
        if (s.kind === "band" || !s.name) return [];
        const p = s.at.find((q) => q[0] === near);
        return p ? [`${s.name} ${(spec.value || spaced)(p[1])}`] : [];
      });
      line.textContent = `${spec.x} = ${spaced(near)}: ${values.join(" · ")}`;
    });
    art.addEventListener("pointerleave", () => { line.textContent = ""; mark.setAttribute("visibility", "hidden"); });
    figure.append(line);
    return figure;
  }

  const ticks = (low, high, log) => log ? logTicks(low, high) : linearTicks(low, high, 5);

  return { draw, svg, scale, ticks, tickText };
})();

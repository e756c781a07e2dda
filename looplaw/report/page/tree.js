/* The call tree, coloured by growth: which path leads to what grows fastest. Colour never says it alone. */
const Tree = (() => {
  const CLASSES = [[-99, "falls"], [-0.01, "constant"], [0.02, "below linear"], [0.95, "linear"], [1.3, "above linear"], [1.95, "quadratic"], [2.5, "above quadratic"], [2.95, "cubic or more"]];
  const BIG = 1e6, DEPTH = 40;
  const heat = (g) => g === null ? null : CLASSES.findLastIndex(([from]) => g >= from);

  /** Power of the common growth of all parameters: that of the time model, else of the law; null where neither says. */
  function growth(loop, names) {
    if (loop.time_model) {
      const lead = Models.lead(loop.time_model);
      return lead ? lead.i + lead.j * 0.1 : 0;
    }
    const formula = loop.total && loop.total.formula, env = (k) => Object.fromEntries(names.map((n) => [n, BIG * k]));
    const [a, b] = formula ? [Formula.evaluate(formula, env(1)), Formula.evaluate(formula, env(2))] : [null, null];
    return a > 0 && b > 0 ? Math.log2(b / a) : null;
  }

  /** Nodes {name, loop, children} from call paths, or from loops inside each other and calls between functions. */
  function grown(study) {
    return study.kind === "measurements" ? fromPaths(study) : fromCalls(study);
  }

  function fromPaths(study) {
    const root = { children: [] };
    for (const loop of study.loops.filter((l) => l.metric === study.loops[0].metric)) {
      let node = root;
      for (const name of String(loop.callpath).split("->")) {
        let next = node.children.find((c) => c.name === name);
        if (!next) node.children.push(next = { name, loop: null, children: [] });
        node = next;
      }
      node.loop = loop;
    }
    return root.children;
  }

  function fromCalls(study) {
    const calls = study.calls || [], callees = new Set(calls.map((c) => c.callee));
    const group = (key) => { const found = new Map(); for (const l of study.loops) { const k = key(l); if (!found.has(k)) found.set(k, []); found.get(k).push(l); } return (k) => found.get(k) || []; };
    const inside = group((l) => l.parent), outermost = group((l) => l.parent ? null : l.function);
    const owners = [...new Set([...calls.map((c) => c.caller), ...study.loops.map((l) => l.function)])];
    const called = (owner, at, seen) => calls.filter((c) => c.caller === owner && (c.loop ?? null) === at && !seen.includes(c.callee)).map((c) => body(c.callee, seen));
    const within = (loop, seen) => ({ name: loop.at, loop, children: [...inside(loop.at).map((l) => within(l, seen)), ...called(loop.function, loop.at, seen)] });
    const body = (owner, seen) => {
      const path = [...seen, owner];
      if (path.length > DEPTH) return { name: owner, loop: null, children: [] };
      return { name: `${owner}()`, loop: null, children: [...outermost(owner).map((l) => within(l, path)), ...called(owner, null, path)] };
    };
    const roots = owners.filter((o) => !callees.has(o));
    return (roots.length ? roots : owners.slice(0, 1)).map((o) => body(o, []));
  }

  function render(study, go) {
    const names = study.parameters.map((p) => p.name), budget = { left: 600 }, used = new Set();
    const most = (node) => Math.max(node.own ?? -1, ...node.children.map((c) => c.most));
    const weigh = (node) => { node.children.forEach(weigh); node.own = node.loop ? growth(node.loop, names) : null; node.most = most(node); };
    const line = (node, plain) => {
      const g = node.most < 0 && node.own === null ? null : node.loop && node.own !== null ? node.own : node.most, k = heat(g);
      if (k !== null) used.add(k);
      const model = node.loop && node.loop.time_model, lead = model && Models.lead(model);
      const said = !node.loop ? null : lead ? Formula.show(Models.termText(lead.term)) : node.loop.total ? Details.iterations(node.loop) : el("span", { class: "muted" }, "constant");
      return el("span", { class: "branch" }, el("span", { class: `heat h${k === null ? "x" : k}`, title: k === null ? "not known" : CLASSES[k][1] }),
        node.loop && !plain ? Details.place(node.loop.at, go, node.name) : el("code", {}, node.name), said ? el("span", { class: "grows" }, model ? "time ~ " : node.loop.total ? "runs " : "", said) : null);
    };
    /* No button inside of a summary: keyboards and screen readers could not tell them apart. */
    const draw = (nodes, level) => el("ul", { class: "tree" }, ...nodes.filter(() => budget.left-- > 0).map((node) => el("li", {},
      node.children.length ? el("details", { open: level < 6 }, el("summary", {}, line(node, true)), draw(node.children, level + 1)) : line(node),
      node.children.length && node.loop ? Details.place(node.loop.at, go, "show") : null)));
    const roots = grown(study);
    roots.forEach(weigh);
    const list = draw(roots, 0);
    const legend = el("ul", { class: "legend" }, ...[...used].sort().map((k) => el("li", {}, el("span", { class: `heat h${k}` }), CLASSES[k][1])));
    return el("div", {}, el("p", { class: "muted small" }, "Growth when all parameters grow together: of the time where it is modeled, else of the iterations."), legend, el("div", { class: "scroll pad" }, list),
      budget.left < 0 ? el("p", { class: "muted small" }, "Cut after 600 lines.") : null);
  }

  return { render, growth };
})();

/* Own times: what a kernel takes without the kernels that only it calls. A loop in main that calls everything is not what limits a program. */
const Own = (() => {
  let inside = new Map();

  /** Finds for each timed kernel those of the functions called from its nest that nothing else calls. */
  function start(study, timed) {
    const calls = study.calls || [], kernelOf = new Map(study.loops.map((l) => [l.at, l.kernel || l.at])), at = new Map(timed.map((l) => [l.at, l]));
    const by = (list, key) => { const found = new Map(); for (const x of list) { if (!found.has(key(x))) found.set(key(x), []); found.get(key(x)).push(x); } return (k) => found.get(k) || []; };
    const within = by(timed, (l) => l.function), from = by(calls, (c) => c.caller), outside = (c) => !at.has(kernelOf.get(c.loop));
    /** Kernels that a function reaches without passing through another one. */
    const reached = (name, found = new Set(), seen = new Set()) => {
      if (seen.has(name)) return found;
      seen.add(name);
      within(name).forEach((l) => found.add(l));
      from(name).filter(outside).forEach((c) => reached(c.callee, found, seen));
      return found;
    };
    const callers = new Map(), note = (kernel, caller) => { if (!callers.has(kernel)) callers.set(kernel, new Set()); callers.get(kernel).add(caller); };
    const callees = new Set(calls.map((c) => c.callee));
    for (const l of timed) if (!callees.has(l.function)) note(l, null);
    for (const c of calls) {
      const caller = outside(c) ? null : at.get(kernelOf.get(c.loop));
      if (caller || !callees.has(c.caller)) for (const l of reached(c.callee)) note(l, caller);
    }
    inside = new Map(timed.map((l) => [l, []]));
    for (const [kernel, found] of callers) {
      const [only] = found;
      if (found.size === 1 && only && only !== kernel) inside.get(only).push(kernel);
    }
  }

  /** value(loop) less that of the kernels it alone calls; null where it has none. */
  function of(loop, value) {
    const whole = value(loop);
    if (whole === null || whole === undefined) return null;
    return Math.max(whole - (inside.get(loop) || []).reduce((sum, l) => sum + (value(l) || 0), 0), 0);
  }

  const without = (loop) => inside.get(loop) || [];

  return { start, of, without };
})();

/* Times at a size, as looplaw.laws.time_prediction and own_time have them: of each kernel without those inside it, and of the whole run. At the target they are those of the terminal. */
const Own = (() => {
  let study, timed = [];
  const inside = new Map();

  function start(s, kernels) {
    study = s;
    timed = kernels;
    for (const l of timed) if (l.callers && l.callers.length === 1) inside.set(s.loops[l.callers[0]], [...(inside.get(s.loops[l.callers[0]]) || []), l]);
  }

  const sum = (list, f) => list.reduce((s, x) => s + (f(x) || 0), 0);
  const holds = (loop) => inside.has(loop);

  /** Map of kernel -> own seconds, from the whole ones and those outside of all kernels. */
  function all(value, rest) {
    const own = new Map([[undefined, rest]]), top = sum(timed.filter((l) => !l.part), value);
    for (const l of timed) own.set(l, l.own === undefined ? Math.max((value(l) || 0) - sum(inside.get(l) || [], value), 0) : (value(l) || 0) * l.own);
    for (const l of timed.filter((k) => k.callers && k.callers.length > 1)) {
      const by = l.callers.map((k) => study.loops[k]), around = sum(by, (b) => own.get(b)), left = around > 0 ? Math.max(1 - (value(l) || 0) / around, 0) : 1;
      for (const b of by) own.set(b, (own.get(b) || 0) * left);
    }
    own.delete(undefined);
    const fit = Math.min(top / sum([...own.values()], (v) => v), 1) || 0;
    return new Map([...own].map(([l, v]) => [l, v * fit]));
  }

  const isTarget = (env) => Boolean(study.answer) && Object.entries(study.answer.at).every(([n, v]) => env[n] === v);
  const known = (model, env) => [Math.max(Models.evaluate(model, env) ?? 0, 0), ...(Models.interval(model, env) || [0, Infinity])];
  const width = (values) => Math.sqrt((sum(values, (v) => v * v) + sum(values, (v) => v) ** 2) / 2);
  const limit = (loop, env) => isTarget(env) && loop.then ? loop.by : Models.limit(loop.time_model, env);

  /** A kernel's [seconds, low, high]. */
  const time = (loop, env) => isTarget(env) && loop.then ? loop.then : known(loop.time_model, env);

  /** A run: seconds with their interval, those outside of kernels, and the kernels {loop, t} by own time. */
  function run(times, rest, whole) {
    const own = all((l) => times.get(l)[0], rest[0]), top = timed.filter((l) => !l.part).map((l) => times.get(l));
    const total = sum(top, (t) => t[0]) + rest[0], side = (k) => Math.hypot(width(top.map((t) => t[k] - t[0])), rest[k] - rest[0]);
    const [seconds, low, high] = whole || [total, Math.max(total - side(1), 0), total + side(2)];
    const items = timed.map((loop) => ({ loop, t: own.get(loop) })).filter((k) => k.t > 0).sort((a, b) => b.t - a.t);
    return { seconds, low, high, rest: rest[0], items };
  }

  function at(env) {
    const { rest } = study, there = isTarget(env);
    const outside = !rest ? [0, 0, 0] : there || !rest.model ? rest.then : known(rest.model, env);
    return run(new Map(timed.map((l) => [l, time(l, env)])), outside, there ? study.answer.then : null);
  }

  /** The same as measured at a point; kernels that were not timed there as modeled. */
  function measured(env, cpu) {
    const same = (p) => Object.entries(env).every(([n, v]) => p.params[n] === v), row = (l) => l.time.find(same);
    const times = new Map(timed.map((l) => [l, row(l) ? Array(3).fill(Details.median(row(l).values)) : time(l, env)]));
    const rest = Math.max((cpu || 0) - sum(timed.filter((l) => !l.part), (l) => times.get(l)[0]), 0);
    return run(times, [rest, rest, rest]);
  }

  return { start, all, at, measured, time, limit, holds, isTarget };
})();

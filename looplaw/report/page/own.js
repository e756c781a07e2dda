/* Own times: what a kernel takes without the kernels that only it calls (`holds` and `own`, found by looplaw.laws.own_time). A loop in main that calls everything is not what limits a program. */
const Own = (() => {
  let loops = [];
  const start = (study) => { loops = study.loops; };
  const without = (loop) => (loop.holds || []).map((k) => loops[k]);

  /** value(loop) less that of the kernels it alone calls; null where it has none. */
  function of(loop, value) {
    const whole = value(loop);
    if (whole === null || whole === undefined) return null;
    if (loop.own !== undefined) return whole * loop.own;
    return Math.max(whole - without(loop).reduce((sum, l) => sum + (value(l) || 0), 0), 0);
  }

  return { start, of, without };
})();

/* The size that the program is meant to run at: one value for each parameter, set with a slider or typed. */
const Target = (() => {
  const REACH = 1000, STEPS = 120, listeners = [];
  let parameters = [], at = {};

  /** What the study was made for, else ten times the largest values; ranks are no size. */
  function start(study) {
    parameters = study.parameters.filter((p) => p.values.length).map((p) => ({ name: p.name, low: Math.min(...p.values), high: Math.max(...p.values), rank: p.origin === "mpi:rank" }));
    at = Object.fromEntries(parameters.map((p) => [p.name, ((study.answer || {}).at || study.target || {})[p.name] ?? (p.rank ? p.high : p.high * 10)]));
  }

  const values = () => ({ ...at });
  const changed = (f) => { listeners.push(f); };
  const text = () => Object.entries(at).map(([n, v]) => `${n} = ${spaced(v)}`).join(", ");

  function set(name, value) {
    at[name] = value;
    for (const f of listeners) f();
  }

  /* The slider runs evenly over the logarithm where all values are positive. */
  const from = (p) => p.low > 0 ? p.low : 0;
  const ofStep = (p, k) => { const high = Math.max(p.high, 1) * REACH, v = from(p) ? p.low * (high / p.low) ** (k / STEPS) : high * (k / STEPS) ** 3; return v >= 10 ? Number(Math.round(v).toPrecision(3)) : Math.max(Math.round(v), from(p)); };
  const toStep = (p, v) => { const high = Math.max(p.high, 1) * REACH, k = from(p) ? STEPS * Math.log(v / p.low) / Math.log(high / p.low) : STEPS * Math.cbrt(v / high); return String(Math.round(Math.min(Math.max(k, 0), STEPS))); };

  /** Controls, one line for each parameter. */
  function controls() {
    const form = el("div", { class: "predict" });
    for (const p of parameters) {
      const number = el("input", { type: "number", min: "0", step: "any", value: String(at[p.name]), "aria-label": `Value of ${p.name}` });
      const slider = el("input", { type: "range", min: "0", max: String(STEPS), value: toStep(p, at[p.name]), "aria-label": `Slide ${p.name}`, "aria-valuetext": String(at[p.name]) });
      number.addEventListener("input", () => { const v = Number(number.value); if (v > 0) { slider.value = toStep(p, v); set(p.name, v); } });
      slider.addEventListener("input", () => { const v = ofStep(p, Number(slider.value)); number.value = String(v); slider.setAttribute("aria-valuetext", String(v)); set(p.name, v); });
      form.append(el("label", {}, Formula.show(p.name), " =", number), slider);
    }
    return form;
  }

  return { start, values, changed, text, controls };
})();

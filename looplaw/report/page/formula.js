"use strict";
/* Formulas: text as sympy writes it -> tree -> elements or a number. Nothing is ever handed to the browser to run. */
const MAX_CHARS = 1500;

function el(tag, attributes, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name === "on") for (const [event, f] of Object.entries(value)) node.addEventListener(event, f);
    else if (name in node && typeof value !== "string") node[name] = value;
    else node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.filter((c) => c !== null && c !== undefined));
  return node;
}

/** After the page is there: work that nobody sees at first. */
function later(f) {
  const soon = () => window.requestIdleCallback ? window.requestIdleCallback(f, { timeout: 500 }) : setTimeout(f, 0);
  if (document.readyState === "complete") soon(); else window.addEventListener("load", soon);
}

const Formula = (() => {
  const TOKEN = /\s*(?:(\d+(?:\.\d*)?(?:[eE][+-]?\d+)?|\.\d+)|([^\W\d][\w.]*)|(\*\*|<=|>=|==|!=|[-+*/(),<>&|~]))/uy;

  function tokens(text) {
    const found = [];
    TOKEN.lastIndex = 0;
    while (TOKEN.lastIndex < text.length) {
      const start = TOKEN.lastIndex, m = TOKEN.exec(text);
      if (!m) { if (!text.slice(start).trim()) break; throw new Error("not a formula"); }
      found.push(m[1] !== undefined ? { t: "num", v: m[1] } : m[2] !== undefined ? { t: "name", v: m[2] } : { t: m[3] });
    }
    return found;
  }

  function parse(text) {
    const list = tokens(text);
    let k = 0;
    const at = (...kinds) => k < list.length && kinds.includes(list[k].t);
    const expect = (kind) => { if (!at(kind)) throw new Error("not a formula"); k += 1; };
    const left = (next, ...ops) => {
      let node = next();
      while (at(...ops)) { const op = list[k++].t; node = { t: "op", op, a: node, b: next() }; }
      return node;
    };
    const logic = () => left(compare, "&", "|");
    const compare = () => left(sum, "<", ">", "<=", ">=", "==", "!=");
    const sum = () => left(product, "+", "-");
    const product = () => left(unary, "*", "/");
    const unary = () => {
      if (at("-", "~")) { const op = list[k++].t; return { t: op === "-" ? "neg" : "not", a: unary() }; }
      if (at("+")) { k += 1; return unary(); }
      return power();
    };
    const power = () => {
      const base = atom();
      if (!at("**")) return base;
      k += 1;
      return { t: "op", op: "**", a: base, b: unary() };
    };
    const args = () => {
      const found = [];
      while (!at(")")) { found.push(logic()); if (!at(",")) break; k += 1; }
      expect(")");
      return found;
    };
    const atom = () => {
      if (k >= list.length) throw new Error("not a formula");
      const token = list[k++];
      if (token.t === "num") return token;
      if (token.t === "name") {
        if (at("(")) { k += 1; return { t: "call", f: token.v, args: args() }; }
        return { t: "sym", v: token.v };
      }
      if (token.t !== "(") throw new Error("not a formula");
      const inside = args();
      return inside.length === 1 ? inside[0] : { t: "tuple", args: inside };
    };
    const tree = logic();
    if (k < list.length) throw new Error("not a formula");
    return tree;
  }

  const cache = new Map();
  function tree(text) {
    if (typeof text !== "string" || text.length > MAX_CHARS) return null;
    if (!cache.has(text)) {
      let node = null;
      try { node = parse(text); } catch { node = null; }
      cache.set(text, node);
    }
    return cache.get(text);
  }

  /* -- elements -- */
  const LEVEL = { "|": 1, "&": 1, "<": 2, ">": 2, "<=": 2, ">=": 2, "==": 2, "!=": 2, "+": 3, "-": 3, "*": 4, "/": 4, "**": 6 };
  const SIGN = { "<=": "≤", ">=": "≥", "==": "=", "!=": "≠", "-": "−", "&": "and", "|": "or" };
  const term = (node) => el("span", { class: "term" }, ...draw(node, 4));  // lines break between terms first
  const op = (text) => el("span", { class: "op" }, text);

  function number(text) {
    if (/^\d+$/.test(text)) return [text];
    const [mantissa, exponent] = significant(Number(text), 3).split("e");
    return exponent === undefined ? [mantissa] : [el("span", { class: "number" }, `${mantissa}\u202f·\u202f10`, el("sup", {}, exponent.replace("+", "").replace("-", "−")))];
  }

  function symbol(name) {
    const m = /^(.*?)_?(\d+)$/u.exec(name);
    if (m && m[1].length === 1) return [el("i", {}, m[1]), el("sub", {}, m[2])];
    return [el("i", { class: name.length > 1 ? "up" : null }, name)];
  }

  const powerful = (n) => n.t === "num" || n.t === "sym" || n.t === "call" && n.f !== "log" && n.f !== "Mod" && n.f !== "Sum";

  function draw(node, level) {
    const wrap = (own, parts) => own < level ? ["(", ...parts, ")"] : parts;
    if (node.t === "num") return number(node.v);
    if (node.t === "sym") return symbol(node.v);
    if (node.t === "neg") return wrap(3, ["−", ...draw(node.a, 4)]);
    if (node.t === "not") return wrap(5, ["not ", ...draw(node.a, 5)]);
    if (node.t === "tuple") return ["(", ...list(node.args), ")"];
    if (node.t === "call") return call(node, wrap);
    const own = LEVEL[node.op], first = node.a.t === "neg" ? 3 : own;
    if (node.op === "**") {
      const base = powerful(node.a) ? draw(node.a, 0) : ["(", ...draw(node.a, 0), ")"];
      return [...base, el("sup", {}, ...draw(node.b, 0))];
    }
    if (node.op === "/") {
      const slash = node.a.t === "num" && node.b.t === "num" ? "/" : "\u2009/\u2009";
      return wrap(own, [...draw(node.a, first), slash, ...draw(node.b, own + 1)]);
    }
    if (node.op === "*") return wrap(own, [...draw(node.a, first), ...between(node.a, node.b), ...draw(node.b, own)]);
    if (level === 0 && own === 3) return [...draw(node.a, 0), op(` ${SIGN[node.op] || node.op} `), term(node.b)];
    return wrap(own, [...draw(node.a, own), op(` ${SIGN[node.op] || node.op} `), ...draw(node.b, own + 1)]);
  }

  function between(a, b) {
    let last = a;
    while (last.t === "op" && last.op === "*") last = last.b;
    const first = b.t === "op" && b.op === "**" ? b.a : b;
    if (last.t === "num" && /^\d+$/.test(last.v) && first.t !== "num") return ["\u200a"];
    return first.t === "op" ? [] : ["\u2009·\u2009"];
  }

  const list = (args) => args.flatMap((a, k) => k ? [", ", ...draw(a, 0)] : draw(a, 0));

  function call(node, wrap) {
    const [a, b] = node.args, f = node.f;
    if (f === "floor" && a) return ["⌊", ...draw(a, 0), "⌋"];
    if (f === "ceiling" && a) return ["⌈", ...draw(a, 0), "⌉"];
    if (f === "Abs" && a) return ["|", ...draw(a, 0), "|"];
    if (f === "factorial" && a) return [...draw(a, 6), "!"];
    if (f === "sqrt" && a) return ["√", el("span", { class: "root" }, ...draw(a, 0))];
    if (f === "log" && b) return wrap(4, ["log", el("sub", {}, ...draw(b, 0)), "\u2009", ...draw(a, 5)]);
    if (f === "log2" && a) return wrap(4, ["log", el("sub", {}, "2"), "\u2009", ...draw(a, 5)]);
    if (f === "Mod" && b) return wrap(4, [...draw(a, 5), op(" mod "), ...draw(b, 5)]);
    if (f === "Sum" && b && b.t === "tuple" && b.args.length === 3) {
      const [i, from, to] = b.args;
      return wrap(4, ["∑", el("sub", {}, ...draw(i, 0), "=", ...draw(from, 0)), el("sup", {}, ...draw(to, 0)), "\u2009", ...draw(a, 4)]);
    }
    if (f === "Piecewise" && node.args.every((c) => c.t === "tuple" && c.args.length === 2)) {
      return ["{ ", ...node.args.flatMap(({ args: [value, when] }, k) => [k ? "; " : "", ...draw(value, 0),
        ...(when.t === "sym" && when.v === "True" ? [" otherwise"] : [" if ", ...draw(when, 0)])]), " }"];
    }
    return [el("span", { class: "up" }, f === "Max" || f === "Min" ? f.toLowerCase() : f), "(", ...list(node.args), ")"];
  }

  /** An element that shows the formula; its text as written is the tooltip. */
  function show(text, wrapped) {
    if (text === null || text === undefined || text === "") return el("span", { class: "muted" }, "–");
    const [law, when] = String(text).split("   if ");
    if (when) return el("span", {}, show(law, wrapped), " if ", show(when));
    const node = tree(String(text));
    if (!node) return el("span", { class: "math raw", title: String(text) }, String(text));
    return el("span", { class: wrapped ? "math wrap" : "math", title: String(text) }, ...draw(node, 0));
  }

  /* -- numbers -- */
  const CALLS = {
    floor: Math.floor, ceiling: Math.ceil, Abs: Math.abs, sqrt: Math.sqrt, log2: Math.log2, Max: Math.max, Min: Math.min,
    log: (a, b) => b === undefined ? Math.log(a) : b === 2 ? Math.log2(a) : Math.log(a) / Math.log(b),
    factorial: (a) => { let found = 1; for (let k = 2; k <= a; k++) found *= k; return found; },
    Mod: (a, b) => a - b * Math.floor(a / b),
  };
  const OPS = {
    "+": (a, b) => a + b, "-": (a, b) => a - b, "*": (a, b) => a * b, "/": (a, b) => a / b, "**": (a, b) => a ** b,
    "<": (a, b) => a < b, ">": (a, b) => a > b, "<=": (a, b) => a <= b, ">=": (a, b) => a >= b, "==": (a, b) => a === b,
    "!=": (a, b) => a !== b, "&": (a, b) => a && b, "|": (a, b) => a || b,
  };

  function value(node, env, budget) {
    if ((budget.left -= 1) < 0) throw new Error("too long");
    if (node.t === "num") return Number(node.v);
    if (node.t === "neg") return -value(node.a, env, budget);
    if (node.t === "not") return !value(node.a, env, budget);
    if (node.t === "op") return OPS[node.op](value(node.a, env, budget), value(node.b, env, budget));
    if (node.t === "sym") {
      if (node.v === "True") return true;
      if (!Object.hasOwn(env, node.v)) throw new Error("no value");
      return env[node.v];
    }
    if (node.t === "call" && node.f === "Piecewise") {
      for (const { args: [result, when] } of node.args) if (value(when, env, budget)) return value(result, env, budget);
      throw new Error("no case");
    }
    if (node.t === "call" && node.f === "Sum" && node.args[1].args.length === 3) {
      const [index, from, to] = node.args[1].args, last = value(to, env, budget);
      let total = 0;
      for (let i = value(from, env, budget); i <= last; i += 1) total += value(node.args[0], { ...env, [index.v]: i }, budget);
      return total;
    }
    if (node.t === "call" && Object.hasOwn(CALLS, node.f)) return CALLS[node.f](...node.args.map((a) => value(a, env, budget)));
    throw new Error("unknown function");
  }

  /** The value at parameter values; null where the formula cannot be evaluated (opaque symbols, long sums). */
  function evaluate(text, env) {
    const node = tree(text);
    if (!node) return null;
    try {
      const result = value(node, env, { left: 20000 });
      return Number.isFinite(result) ? result : null;
    } catch { return null; }
  }

  const INLINE = /(?:[\w.]+(?:\([^()]*\))?|\([^()]*\))(?:(?:\*\*|\*|\/)(?:[\w.]+(?:\([^()]*\))?|\([^()]*\)))+/gu;
  /** A sentence in which products and powers are typeset. */
  function prose(text) {
    const parts = [];
    let from = 0;
    for (const m of String(text).matchAll(INLINE)) {
      if (!m[0].includes("*") || !tree(m[0])) continue;
      parts.push(text.slice(from, m.index), show(m[0]));
      from = m.index + m[0].length;
    }
    return el("span", {}, ...parts, String(text).slice(from));
  }

  return { show, evaluate, prose };
})();

/* -- numbers as people read them -- */
function significant(x, digits) {
  if (x === 0) return "0";
  const size = Math.abs(x);
  if (size >= 1e-3 && size < 1e6) return String(Number(x.toPrecision(digits)));
  return x.toExponential(digits - 1).replace(/\.?0+e/, "e").replace("e+", "e");
}
function spaced(value) {
  if (value === null || value === undefined) return "–";
  const text = typeof value === "number" && !Number.isInteger(value) ? significant(value, 5) : String(value);
  return /^-?\d{5,}$/.test(text) ? text.replace(/\B(?=(\d{3})+$)/g, "\u202f").replace("-", "−") : text;
}
function toNumber(value) {
  if (value === null || value === undefined) return null;
  const [top, below] = String(value).split("/");
  const x = Number(top) / (below === undefined ? 1 : Number(below));
  return Number.isFinite(x) ? x : null;
}
function seconds(t) {
  if (t === null || t === undefined || !Number.isFinite(t)) return "–";
  const size = Math.abs(t);
  if (size >= 7200) return `${significant(t / 3600, 3)} h`;
  if (size >= 120) return `${significant(t / 60, 3)} min`;
  if (size >= 1 || size === 0) return `${significant(t, 3)} s`;
  if (size >= 1e-3) return `${significant(t * 1e3, 3)} ms`;
  if (size >= 1e-6) return `${significant(t * 1e6, 3)} µs`;
  return `${significant(t * 1e9, 3)} ns`;
}

# ruff: noqa: E501 (one line for each attack)
"""The table of attacks and faults.

Entries are grouped by what is untrusted. To add one, add a line here; `attack.held` checks what
holds for all.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from functools import partial

from .attack import EITHER, REFUSED, RUN, Action, Attack, Content
from .documents import (
    LAWS,
    POINTS,
    analysis,
    csv,
    lines,
    models,
    read_by_sympy,
    study,
    with_formula,
    with_raw,
    with_value,
)

SHELL = "$(touch canary)`touch canary`;touch canary"
CURSOR = "\x1b[2J\x1b]0;title\x07"
COMMAND = "f\n::error file=a.c,line=1::forged"
TURNED = "\u202egnp.c"
MARKUP = "</script><script>alert(1)</script><img src=x onerror=alert(2)>"

_NESTED = "n"
for _ in range(20):
    _NESTED = f"Sum({_NESTED}*i, (i, 0, n))"
_REMAINDERS = "n"
for _ in range(24):
    _REMAINDERS = f"Mod({_REMAINDERS} + 1, 7)"

FORMULAS = {
    "a call of Python": RUN,
    "a call inside a product": f"n*({RUN} or 1)",
    "classes by their attributes": "().__class__.__base__.__subclasses__()",
    "an attribute of a symbol": "n.__class__",
    "a lambda": "(lambda: 0)()",
    "a list": "[n for n in (1, 2)]",
    "a text": f"'{RUN}'",
    "a tower of powers": "9**9**9**9",
    "a tower that shows when terms cancel": "(n - n + 9)**(9**9)",
    "a power of a product": "(9*n)**(9**9)",
    "a tower of decimals": "9.0**9.0**9.0**9.0",
    "a product of long powers": "*".join(["2**65000"] * 3000),
    "fractions without a common divisor": " + ".join(f"1/{k}**900" for k in range(3, 2000)),
    "an irrational tower": "floor(sqrt(2)**(sqrt(2)**(sqrt(2)**40)))",
    "sums in sums": "Sum(Sum(Sum(i*j*k*n, (k, 0, n)), (j, 0, n)), (i, 0, n))",
    "twenty sums in each other": _NESTED,
    "a sum over a billion terms": "Sum(i*n, (i, 0, 10**9))",
    "a sum over 10**300 terms": "Sum(i**i, (i, 0, 10**300))",
    "remainders of remainders": _REMAINDERS,
    "a remainder of large products": "Mod((a + b + c + d + n)**60, (a + b + c + d)**59)",
    "a largest of 200": "Max(" + ", ".join(f"n**{k} + m" for k in range(200)) + ")",
    "a thousand cases": "Piecewise("
    + ", ".join(f"({k}, n**2 + {k} >= n)" for k in range(1000))
    + ", (0, True))",
    "cases in conditions": "Piecewise((1, Piecewise((1, Piecewise((1, n > 1), (0, True)) > 0),"
    " (0, True)) > 0), (0, True))",
    "a polynomial of 60 factors": "(a + b + c + d + e + n)**60",
    "a power of 99999": "(n + m)**99999",
    "a number of 999 digits": "7" * 999,
    "a number of 5,000 digits": "7" * 5000,
    "a number that is not finite": "1e999",
    "a thousand parentheses": "(" * 1000 + "n" + ")" * 1000,
    "a hundred thousand characters": " + ".join(["n"] * 40_000),
    "digits of a logarithm": "floor(log(2**60000 + n, 3)*10**9000)",
    "900 floors of roots": " + ".join(f"floor(sqrt({k} + n)*10**40)" for k in range(900)),
    "a division by zero": "n/(1 - 1)",
    "a logarithm to the base 1": "ceiling(log(n, 1))",
    "a power of a negative number": "floor((0 - 2)**n)",
    "names of Python": "__import__ + eval + exec + lambda_ + None_",
}  # fmt: skip
"""What is tried -> the formula."""

READS: dict[str, Action] = {
    "sympy": read_by_sympy("x.json"),
    "findings": ("findings", "x.json"),
    "diff": ("diff", "x.json", "x.json"),
    "report": ("report", "x.json", "--out", "o.html"),
    "compare": ("compare", "x.json"),
    "predict": ("predict", "x.json", "--at", "n=100"),
    "check": ("check", "x.json", "--laws", "laws.toml"),
}
_BESIDE = {"laws.toml": LAWS, "data.jsonl": lines()}


def formulas() -> Iterator[Attack]:
    """Formulas of documents: each is read by sympy, and by one verb in turn."""
    verbs = ("report", "compare", "diff", "findings")
    for k, (tried, text) in enumerate(FORMULAS.items()):
        document = partial(with_formula, analysis(), text)
        yield Attack(
            "formula of an analysis", f"{tried}; sympify", {"x.json": document}, READS["sympy"],
            EITHER,
        )  # fmt: skip
        verb = verbs[k % len(verbs)]
        made = study() if verb in ("report", "compare") else analysis()
        yield Attack(
            f"formula of {'a study' if verb in ('report', 'compare') else 'an analysis'}",
            f"{tried}; {verb}",
            {"x.json": partial(with_formula, made, text), "a.c": "int main() { return 0; }\n"},
            READS[verb],
            EITHER,
        )


def _of_counts(text: str) -> str:
    found = models()
    found["models"][0]["counted"] = {"formula": text, "where": [], "seen": 5, "confirming": 3}
    return json.dumps(found)


def laws() -> Iterator[Attack]:
    """Formulas of models and of expected laws, and the names in them."""
    for tried, text in (
        ("a call of Python", RUN), ("a tower of powers", "9**9**9**9"),
        ("sums in sums", FORMULAS["sums in sums"]),
    ):  # fmt: skip
        for verb in ("sympy", "predict", "check"):
            yield Attack(
                "formula of a model", f"{tried}; {verb}",
                {"x.json": partial(_of_counts, text), **_BESIDE}, READS[verb], EITHER,
            )  # fmt: skip
    for tried, expect in {
        "a call of Python": f"O({RUN})",
        "a tower of powers": "<= 9**9**9**9",
        "sums in sums": f"<= {FORMULAS['sums in sums']}",
        "a number of 5,000 digits": f"<= {'9' * 5000}",
        "a command of a shell": SHELL,
        "an escape": f"O(n){CURSOR}",
        "a command of a build server": "O(n)\\n::error::forged",
    }.items():
        text = LAWS.replace('"O(n)"', json.dumps(expect))
        yield Attack(
            "laws.toml", f"{tried} in a law", {"data.jsonl": lines(), "laws.toml": text},
            ("check", "data.jsonl", "--laws", "laws.toml"), EITHER,
        )  # fmt: skip
    for tried, kernel in {
        "a pattern that takes for ever": "*a" * 300 + "b",
        "an escape": "\\u001b[2J",
        "a command of a build server": "f\\n::error::forged",
    }.items():
        text = LAWS.replace("main->f", kernel)
        yield Attack(
            "laws.toml", f"{tried} in the name of a kernel",
            {"data.jsonl": lines("main->" + "a" * 150), "laws.toml": text},
            ("check", "data.jsonl", "--laws", "laws.toml"), EITHER,
        )  # fmt: skip
    for tried, text in {
        "a key twice": LAWS + 'kernel = "other"\n',
        "nesting of 5,000": "a = " + "[" * 5000,
        "a file of 5 MiB": "# " + "x" * (5 << 20),
        "no text": b"\xff\xfe\x00",
        "an unknown key": LAWS + 'command = "touch canary"\n',
    }.items():
        yield Attack(
            "laws.toml", tried, {"data.jsonl": lines(), "laws.toml": text},
            ("check", "data.jsonl", "--laws", "laws.toml"),
        )  # fmt: skip
    named = partial(_with_names, RUN)
    yield Attack("model", "a parameter called like Python; sympify", {"x.json": named},
                 READS["sympy"], REFUSED, "not a name")  # fmt: skip
    yield Attack("model", "a parameter called like Python; predict", {"x.json": named},
                 READS["predict"], EITHER)  # fmt: skip


def _with_names(name: str) -> str:
    return json.dumps(models()).replace('"n"', json.dumps(name))


def documents() -> Iterator[Attack]:
    """JSON that is no document, or a wrong one."""
    good = json.dumps(study())
    report, check = READS["report"], ("check", "x.json")
    for tried, text, says in (
        ("a key twice", good.replace('"title":', '"title": "a", "title":', 1), "twice"),
        ("a key twice, deep inside", good.replace('"kind":', '"kind": "exact", "kind":', 1), "twice"),
        ("a key twice, written otherwise",
         good.replace('"title":', '"t\\u0069tle": "a", "title":', 1), "twice"),
        ("1e400 as a value", partial(with_raw, study(), "parameters.0.values.0", "1e400"), "too large"),
        ("an integer of 5,000 digits",
         partial(with_raw, study(), "parameters.0.values.0", "9" * 5000), "digits"),
        ("an integer of a million digits",
         partial(with_raw, study(), "parameters.0.values.0", "9" * 10**6), "digits"),
        ("NaN as a size", partial(with_raw, study(), "parameters.0.values.0", "NaN"), ""),
        ("Infinity as a size", partial(with_raw, study(), "parameters.0.values.0", "Infinity"), ""),
        ("a count below 0", partial(with_value, study(), "loops.0.counted.0.iterations", -1), ""),
        ("another type", partial(with_value, study(), "loops", {"a": 1}), "expected"),
        ("nesting of 100,000", "[" * 100_000, ""),
        ("nesting of 100,000 in a key that nobody reads",
         '{"format": "looplaw-study/1", "x": ' + "[" * 100_000 + "]" * 100_000 + "}", ""),
        ("another format", json.dumps({**study(), "format": "looplaw-study/9"}), ""),
        ("a format with an escape", json.dumps({"format": CURSOR}), ""),
        ("no object", "[]", ""),
        ("nothing", "", ""),
        ("half of a pair", partial(with_value, study(), "title", "\ud800"), ""),
        ("zeros", b"\0" * 1000, ""),
        ("not UTF-8", b'{"format": "looplaw-study/1", "title": "\xff"}', ""),
        ("another encoding", good.encode("utf-16"), ""),
        ("a megabyte without an end", '{"format": "' + "x" * 10**6, ""),
    ):  # fmt: skip
        for verb, action in (("report", report), ("check", check)):
            yield Attack("study", f"{tried}; {verb}", {"x.json": text}, action,
                         REFUSED if says else EITHER, says)  # fmt: skip
    for path, where in (
        ("title", "title"), ("loops.0.at", "place of a loop"), ("loops.0.function", "function"),
        ("loops.0.source", "line of source"), ("environment.host", "host"), ("about", "about"),
        ("parameters.0.name", "parameter"),
    ):  # fmt: skip
        for tried, text in (("markup", MARKUP), ("a cursor", CURSOR), ("a build command", COMMAND)):
            yield Attack("study", f"{tried} as {where}; report",
                         {"x.json": partial(with_value, study(), path, text)}, report,
                         EITHER, never=(MARKUP,))  # fmt: skip
    for tried, text in (
        ("a cursor", CURSOR),
        ("turned text", TURNED),
        ("a build command", COMMAND),
    ):
        yield Attack("analysis", f"{tried} as a function; findings",
                     {"x.json": partial(with_value, analysis(), "loops.0.function", text)},
                     ("findings", "x.json"), EITHER)  # fmt: skip
    place = "../../outside.c"
    yield Attack("study", "a source outside; report writes nothing there",
                 {"x.json": partial(with_value, study(), "loops.0.at", f"{place}:1:1")}, report,
                 EITHER, beside={"outside.c": "secret\n"})  # fmt: skip
    yield Attack("analysis", "a texts table that points nowhere", {"x.json": json.dumps(
        {"format": "looplaw-analysis/2", "texts": [], "loops": [{"at": 99}], "functions": []})},
        ("findings", "x.json"))  # fmt: skip
    yield Attack("analysis", "a thousand loops that are each other's parents",
                 {"x.json": _circle}, ("findings", "x.json"), EITHER)  # fmt: skip


def _circle() -> str:
    found = analysis()
    loop = found["loops"][0]
    found["loops"] = [
        {**loop, "at": f"a.c:{k}:1", "parent": f"a.c:{(k + 1) % 1000}:1"} for k in range(1000)
    ]
    return json.dumps(found)


def tables() -> Iterator[Attack]:
    """Measurements."""
    fit = ("fit", "{}")
    found: dict[tuple[str, str], Content] = {
        ("100,000 columns", "d.csv"): lambda: (
            ",".join(f"c{k}" for k in range(100_000)) + ",value\n"
            + "\n".join(",".join(["1"] * 100_001) for _ in range(2))
        ),
        ("50,000 metrics", "d.csv"): lambda: (
            "n," + ",".join(f"metric:c{k}" for k in range(50_000)) + "\n"
            + "\n".join(",".join(["1"] * 50_001) for _ in range(4))
        ),
        ("two columns of one name", "d.csv"): csv("n,n,value"),
        ("a quote without an end", "d.csv"): csv(callpath='"f'),
        ("a line of a megabyte", "d.csv"): csv(callpath="f" * (1 << 20)),
        ("5,000 digits", "d.csv"): "n,value\n" + "".join(f"{'9' * 5000},{n}\n" for n in POINTS),
        ("an exponent of a billion", "d.csv"): "n,value\n" + "".join(f"1e999999999,{n}\n" for n in POINTS),
        ("zeros", "d.csv"): b"n,value\n" + b"\0" * 1000,
        ("a key twice", "d.jsonl"): lines().replace('"value":', '"value": 1, "value":', 1),
        ("a parameter twice", "d.jsonl"): lines().replace('{"n":', '{"n": 1, "n":', 1),
        ("5,000 digits", "d.jsonl"): lines().replace('"n": 4', '"n": ' + "9" * 5000),
        ("1e400", "d.jsonl"): lines().replace('"n": 4', '"n": 1e400'),
        ("NaN as a value", "d.jsonl"): lines().replace('"value": 10.0', '"value": NaN'),
        ("65 parameters", "d.jsonl"): json.dumps(
            {"params": {f"p{k}": k for k in range(65)}, "callpath": "f", "metric": "t", "value": 1}
        ),
        ("nesting of 100,000", "d.jsonl"): '{"params": ' + '{"a": ' * 100_000,
        ("a line of two megabytes", "d.jsonl"): lines("f" * (2 << 20)),
        ("a rank of 10**30", "d.jsonl"): lines().replace('"value"', f'"rank": {10**30}, "value"'),
        ("nesting of 100,000", "d.json"): '{"benchmarks": ' + "[" * 100_000,
        ("5,000 digits", "d.json"): '{"benchmarks": [{"name": "f/4", "real_time": '
        + "9" * 5000 + "}]}",
        ("an empty file", "d.csv"): "",
        ("random bytes", "d.txt"): bytes((k * 7919) % 256 for k in range(5000)),
        ("a profile that is none", "d.cubex"): b"not a profile",
        ("Parquet that is none", "d.parquet"): b"PAR1" + b"\0" * 100 + b"PAR1",
        ("a pickle", "d.stats"): b"\x80\x04cposix\nsystem\nX\x0c\x00\x00\x00touch canary\x85R.",
        ("a pickle with another name", "d.jsonl"): b"cos\nsystem\n(S'touch canary'\ntR.",
    }  # fmt: skip
    for (tried, name), content in found.items():
        words = tuple(w.replace("{}", name) for w in fit)
        yield Attack("measurements", f"{tried} in {name[1:]}", {name: content}, words, EITHER)
    for where, name in (("a call path", "callpath"), ("a metric", "metric")):
        for tried, text in (
            ("a cursor", CURSOR), ("turned text", TURNED), ("a build command", COMMAND),
            ("a formula of a spreadsheet", "=cmd|'/c calc'!A1"), ("markup", MARKUP),
        ):  # fmt: skip
            content = lines(**{name: text})
            yield Attack("measurements", f"{tried} as {where}; fit", {"d.jsonl": content},
                         ("fit", "d.jsonl"), EITHER)  # fmt: skip
            yield Attack("measurements", f"{tried} as {where}; report", {"d.jsonl": content},
                         ("report", "d.jsonl", "--out", "o.html"), EITHER,
                         never=(MARKUP,))  # fmt: skip
    yield Attack("measurements", "a name that leads elsewhere", {
        "d.jsonl": lines("../../outside")}, ("export", "d.jsonl", "--out", "o.txt"), EITHER,
        beside={"outside": "mine\n"})  # fmt: skip
    yield Attack("folder", "a link where the report goes", {
        "d.jsonl": lines(), "o.html -> ../outside": ""},
        ("report", "d.jsonl", "--out", "o.html"), EITHER, beside={"outside": "mine\n"})  # fmt: skip
    yield Attack("folder", "a link where models go", {
        "d.jsonl": lines(), "o.json -> ../outside": ""},
        ("fit", "d.jsonl", "--json", "o.json"), EITHER, beside={"outside": "mine\n"})  # fmt: skip
    yield Attack("folder", "a folder where the report goes", {"d.jsonl": lines(), "o.html/": ""},
                 ("report", "d.jsonl", "--out", "o.html"))  # fmt: skip
    yield Attack("folder", "a link to itself as measurements", {"d.jsonl -> d.jsonl": ""},
                 ("fit", "d.jsonl"))  # fmt: skip


_MODULE = """define i32 @main(i32 %argc, ptr %argv) {{
entry:
  br label %h
h:
  %i = phi {type} [ 0, %entry ], [ %j, %h ]
  %j = add {type} %i, 1
  %c = icmp ult {type} %j, {bound}
  br i1 %c, label %h, label %x
x:
  ret i32 0
}}
"""


def programs() -> Iterator[Attack]:
    """IR and compilation databases."""
    analyze = ("analyze", "x.ll")
    for tried, text, says in (
        ("an integer of 4,500 digits", _MODULE.format(type="i16000", bound="1" * 4500), "digits"),
        ("an integer of a million digits", _MODULE.format(type="i4000000", bound="1" * 10**6), ""),
        ("a type of 2**23 bits", _MODULE.format(type="i8388607", bound="100"), ""),
        ("a type of 10**30 bits", _MODULE.format(type=f"i{10**30}", bound="100"), ""),
        ("zeros", "\0" * 1000, ""),
        ("bitcode that is none", b"BC\xc0\xde" + b"\xff" * 100, ""),
        ("100,000 braces", "{" * 100_000, ""),
        ("a name with an escape",
         _MODULE.format(type="i32", bound="100").replace("@main", '@"\\1B[2J"'), ""),
        ("a name like Python", _MODULE.format(type="i32", bound="100").replace("%j", f'%"{RUN}"'), ""),
        ("inline assembly", _MODULE.format(type="i32", bound="100").replace(
            "ret i32 0", 'call void asm sideeffect ".incbin \\22/etc/passwd\\22", ""()\n  ret i32 0'), ""),
        ("module assembly", 'module asm ".incbin \\22/etc/passwd\\22"\n'
         + _MODULE.format(type="i32", bound="100"), ""),
    ):  # fmt: skip
        yield Attack("IR", tried, {"x.ll": text}, analyze, REFUSED if says else EITHER, says,
                     never=("root:",))  # fmt: skip
    for tried, entries in (
        ("no list", {"a": 1}), ("numbers", [1, 2]), ("words that are numbers",
         [{"directory": ".", "file": "a.c", "arguments": [1, 2]}]),
        ("a command of a shell",
         [{"directory": ".", "file": "a.c", "command": f"cc -c a.c {SHELL}"}]),
        ("a quote without an end", [{"directory": ".", "file": "a.c", "command": "cc 'a.c"}]),
        ("a plugin", [{"directory": ".", "file": "a.c",
                       "arguments": ["cc", "-fplugin=./evil.so", "-c", "a.c"]}]),
        ("another compiler", [{"directory": ".", "file": "a.c",
                               "arguments": ["./evil", "-c", "a.c"]}]),
        ("an output elsewhere", [{"directory": ".", "file": "a.c",
                                  "arguments": ["cc", "-c", "a.c", "-o", "../outside"]}]),
        ("a response file", [{"directory": ".", "file": "a.c",
                              "arguments": ["cc", "@/dev/zero", "-c", "a.c"]}]),
    ):  # fmt: skip
        yield Attack(
            "compilation database", tried,
            {"x.json": json.dumps(entries), "a.c": "int f(int n) { return n; }\n",
             "evil": "#!/bin/sh\ntouch canary\n"},
            ("analyze", "--compile-commands", "x.json"), EITHER,
            beside={"outside": "mine\n"}, prepare=_executable,
        )  # fmt: skip
    yield Attack("compilation database", "nesting of 100,000", {"x.json": "[" * 100_000},
                 ("analyze", "--compile-commands", "x.json"))  # fmt: skip


def _executable() -> None:
    os.chmod("evil", 0o755)


def machine() -> Iterator[Attack]:
    """Faults of what is around: a closed output, a full device, little memory."""
    data: dict[str, Content] = {"d.jsonl": lines()}
    for verb in (("fit", "d.jsonl"), ("export", "d.jsonl"), ("import", "d.jsonl")):
        yield Attack("caller", f"stdout is closed; {verb[0]}", data, verb, (2,), "closed",
                     prepare=_closed)  # fmt: skip
        yield Attack("caller", f"stdout is full; {verb[0]}", data, verb, (2,), "No space",
                     prepare=_full)  # fmt: skip
    many = "".join(lines(f"main->f{k}", f"m{k}") for k in range(200))
    yield Attack("caller", "1 MB of memory", {"d.jsonl": many},
                 ("fit", "d.jsonl", "--max-memory", "1M"), EITHER, alone=True)  # fmt: skip
    for name in ("missing.jsonl", "d.jsonl/x", "x" * 5000, "a\0b"):
        yield Attack("caller", f"a file called {name[:20]!a}", data, ("fit", name), (2,))
    yield Attack("folder", "one that may not be written to", {**data, "o/": ""},
                 ("fit", "d.jsonl", "--json", "/proc/o.json"), (2,))  # fmt: skip


def _closed() -> None:
    import sys

    sys.stdout = None


def _full() -> None:
    os.dup2(os.open("/dev/full", os.O_WRONLY), 1)


GROUPS: tuple[Callable[[], Iterator[Attack]], ...] = (
    formulas, laws, documents, tables, programs, machine,
)  # fmt: skip
ATTACKS = tuple(attack for group in GROUPS for attack in group())

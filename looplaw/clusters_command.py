"""looplaw clusters: which ranks behave alike, how many of each there are, and a model for each class."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from modeling.diverging import FORMAT, DivergingKernel, fit_diverging
from modeling.positions import Rule, grid_rule
from modeling.ranks import RankedMeasurements, ranked_from_json_lines
from staticana import InputError

from .common import debug_option, format_option, json_option, show, write_json
from .console import guarded
from .report import Table
from .report.formulas import fewer_digits
from .report.grid import Column

_MAX_BYTES = 2 << 30


@click.command("clusters", short_help="Which ranks behave alike, and a model of each class.")
@click.argument("file")
@click.option("--by", multiple=True, metavar="METRIC", help="Tell ranks apart by this metric (default: by all).")
@click.option("--threshold", type=click.FloatRange(min=0), metavar="DISTANCE",
              help="Relative distance that separates clusters (default 0.1; counts: any difference).")
@click.option("--classes", metavar="RULE", help="Place ranks by a rule instead: grid:1, grid:2 or grid:3 (corner, edge, inner).")
@json_option
@format_option
@debug_option
def clusters_command(file: str, by: tuple[str, ...], threshold: float | None, classes: str | None, target: str | None,
                     form: str, debug: bool) -> None:
    """Cluster the ranks in FILE (JSON Lines with "rank"; - is stdin) and model each class.

    \b
    looplaw clusters ranks.jsonl
    looplaw clusters ranks.jsonl --by iterations
    looplaw clusters ranks.jsonl --classes grid:2
    """
    with guarded(debug):
        kernels = fit_diverging(read_ranked(file), by=by, threshold=threshold, rule=_rule(classes))
        if target:
            write_json({"format": FORMAT, "kernels": [k.to_json() for k in kernels]}, target)
        if target != "-":
            show(_table(kernels), form)


def read_ranked(file: str) -> RankedMeasurements:
    """Measurements with ranks from a file or stdin.

    Raises:
        InputError: no such file, too large, not text.
        DataError: a line is wrong.
    """
    if file == "-":
        return ranked_from_json_lines(sys.stdin.read(), "<stdin>")
    path = Path(file)
    if not path.is_file():
        raise InputError(f"{file}: {'a directory; name a file of measurements' if path.is_dir() else 'no such file'}")
    if path.stat().st_size > _MAX_BYTES:
        raise InputError(f"{file}: larger than {_MAX_BYTES >> 30} GiB")
    try:
        return ranked_from_json_lines(path.read_text(encoding="utf-8"), file)
    except UnicodeDecodeError as error:
        raise InputError(f"{file}: not text in UTF-8 (byte {error.start})") from None


def _rule(text: str | None) -> Rule | None:
    if text is None:
        return None
    kind, _, dimensions = text.partition(":")
    if kind != "grid" or dimensions not in ("1", "2", "3"):
        raise InputError(f"--classes {text}: write grid:1, grid:2 or grid:3; other rules go through modeling.fit_diverging")
    return grid_rule(int(dimensions))


def _table(kernels: tuple[DivergingKernel, ...]) -> Table:
    columns = (Column("callpath", "call path", "path", 10), Column("class", "class", "text", 8),
               Column("ranks", "ranks of p", "formula", 10), Column("metric", "metric", "text", 10),
               Column("model", "model", "formula", 16))
    rows = [(k.callpath, c.name, c.law.formula if c.law else f"{min(c.sizes)} to {max(c.sizes)}", metric, m.formula)
            for k in kernels for c in k.classes for metric, m in c.models.items()]
    rows += [(k.callpath, "", "", m.metric, m.formula) for k in kernels if k.diverges for m in k.imbalance.values()]
    records = Table(tuple(c.key for c in columns), tuple(rows))
    shown = tuple((*row[:4], fewer_digits(row[4])) for row in rows)
    return Table(columns, shown, note="\n".join(note for k in kernels for note in _notes(k)), records=records)


def _notes(k: DivergingKernel) -> list[str]:
    numbers = k.matched.numbers
    if not k.diverges:
        return [f"{k.callpath}: all ranks behave alike"]
    by = f" by {', '.join(k.matched.metrics)}" if k.matched.metrics else ""
    found = [f"{k.callpath}: {len(k.classes)} classes{by}; imbalance is the largest rank's value over the mean"]
    if k.matched.left_out:
        kept = len(numbers) - len(k.matched.left_out)
        others = sorted({numbers[e] for e in k.matched.left_out})
        found.append(f"{k.callpath}: modelled from the {kept} of {len(numbers)} experiments with {len(k.classes)} clusters; "
                     f"others have {', '.join(map(str, others))}")
    return found

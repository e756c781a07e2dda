"""What the terminal shows of a measurement plan (a looplaw-plan/1 object)."""

from __future__ import annotations

from .grid import Column, Table
from .listing import _objects, _strings  # the same reading of JSON that may be anything
from .tables import Json, Row


def plan_table(plan: Json) -> Table:
    """Each loop: whether it needs a counter, what it depends on, and why."""
    loops = _objects(plan, "loops")
    name = max((len(p) for x in loops for p in _strings(x.get("parameters"))), default=0)
    columns = (
        Column("at", "loop", "path", 16),
        Column("counter", "counter", "word"),
        Column("display", "iterations in a run", "formula", 14),
        Column("parameters", "depends on", "text", max(8, min(name + 1, 20))),
        Column("why", "why", "text", 16),
    )
    rows: list[Row] = [
        (
            "  " * (max(_int(x.get("nesting")), 1) - 1) + str(x.get("at")),
            bool(x.get("counter")),
            str(x.get("display")),
            ", ".join(_strings(x.get("parameters"))) or "nothing",
            str(x.get("why")),
        )
        for x in loops
    ]
    needed = sum(bool(x.get("counter")) for x in loops)
    need = (
        f"{needed} of {len(loops)} loops need{'s' * (needed == 1)} a counter"
        if needed
        else "No loop needs a counter"
    )
    note = [
        f"{need}; the formulas of {'the others' if needed else 'all'} are exact. looplaw study"
        f" counts {'those as well' if needed else 'them all the same'}, to check the formulas."
    ]
    if not loops:
        note = ["The program has no loop."]
    if unaffected := _strings(plan.get("unaffected")):
        note.append(f"No parameter influences {', '.join(unaffected)}: one run tells all.")
    keys = ("at", "function", "nesting", "counter", "kind", "display", "parameters", "why")
    records: tuple[Row, ...] = tuple(
        tuple(
            (
                ", ".join(_strings(v))
                if isinstance(v := x.get(k), list | tuple)
                else v
                if isinstance(v, int | bool)
                else None
                if v is None
                else str(v)
            )
            for k in keys
        )
        for x in loops
    )
    return Table(columns, tuple(rows), note="\n".join(note), records=Table(keys, records))


def parameters_table(plan: Json, *, broken: bool = True) -> Table:
    """Each parameter with the values to run; below how many runs that takes and the command, on
    several lines or one."""
    rows: list[Row] = []
    for p in _objects(plan, "parameters"):
        values = p.get("values")
        shown = ", ".join(map(str, values)) if isinstance(values, list | tuple) else ""
        used = _int(p.get("loops"))
        rows.append(
            (
                str(p.get("name")),
                str(p.get("origin")),
                f"{used} loop{'s' * (used != 1)}" if used else "no loop",
                shown if used else "keep one value",
            )
        )
    columns = (
        Column("name", "parameter", "word"),
        Column("origin", "from", "path", 8),
        Column("loops", "influences", "word"),
        Column("values", "values to run (5 at least)", "text", 16),
    )
    return Table(columns, tuple(rows), note="\n".join(_experiments(plan, broken)))


def _experiments(plan: Json, broken: bool) -> list[str]:
    varied = [p for p in _objects(plan, "parameters") if p.get("vary")]
    points, grid, command = _objects(plan, "points"), _int(plan.get("grid")), plan.get("command")
    if not varied:
        return ["No parameter influences any loop: there is nothing to vary."]
    if len(varied) == 1:
        said = [f"{len(points)} runs, repeated for their times, tell how everything grows."]
    else:
        groups = plan.get("groups")
        together = (
            [
                " and ".join(_strings(g))
                for g in groups
                if isinstance(g, list | tuple) and len(g) > 1
            ]
            if isinstance(groups, list | tuple)
            else []
        )
        said = [
            f"{len(points)} points suffice instead of {grid} on the grid: each parameter along its"
            " values while the others keep their smallest"
            + (
                ", and a point off these lines where parameters meet in a kernel "
                f"({'; '.join(together)})"
                if together
                else ""
            )
            + ". looplaw plan --json lists them; with --design lines the command runs no others."
        ]
    if command:
        said += ["The grid:", *_continued(str(command))] if broken else [f"The grid: {command}"]
    return said


def _continued(command: str) -> list[str]:
    """One option a line, as a shell reads it."""
    first, *options = command.split(" --")
    lines = [f"  {first}", *(f"    --{option}" for option in options)]
    return [f"{line} \\" if k + 1 < len(lines) else line for k, line in enumerate(lines)]


def _int(value: object) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) else 0


__all__ = ["parameters_table", "plan_table"]

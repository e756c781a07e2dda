"""What the terminal shows of a measurement plan (`looplaw.planning.measurement_plan`)."""

from __future__ import annotations

from ..planning.measurement_plan import LoopPlan, MeasurementPlan
from ..planning.regime_sizes import RegimeLimit
from .cells import Row, counted_noun, indented
from .grid import Column, Table


def plan_table(plan: MeasurementPlan) -> Table:
    """Each loop: whether it needs a counter, what it depends on, and why."""
    loops = plan.loops
    name = max((len(p) for x in loops for p in x.parameters), default=0)
    columns = (
        Column("at", "loop", "path", 16),
        Column("counter", "counter", "word"),
        Column("display", "iterations in a run", "formula", 14),
        Column("parameters", "depends on", "text", max(8, min(name + 1, 20))),
        Column("why", "why", "text", 16),
    )
    rows: list[Row] = [
        (
            indented(x.nesting, x.at),
            x.counter,
            x.display,
            ", ".join(x.parameters) or "nothing",
            x.why,
        )
        for x in loops
    ]
    return Table(columns, tuple(rows), note=tuple(_remarks(plan)), records=_plan_records(loops))


def _remarks(plan: MeasurementPlan) -> list[str]:
    """How many loops need a counter, and which loops no parameter influences."""
    if not plan.loops:
        return ["The program has no loop."]
    needed = sum(x.counter for x in plan.loops)
    need = (
        f"{needed} of {counted_noun(len(plan.loops), 'loop')} need{'s' * (needed == 1)} a counter"
        if needed
        else "No loop needs a counter"
    )
    note = [
        f"{need}; the formulas of {'the others' if needed else 'all'} are exact. looplaw study"
        f" counts {'those as well' if needed else 'them all the same'}, to check the formulas."
    ]
    if plan.unaffected:
        note.append(f"No parameter influences {', '.join(plan.unaffected)}: one run tells all.")
    return note


def _plan_records(loops: tuple[LoopPlan, ...]) -> Table:
    keys = ("at", "function", "nesting", "counter", "kind", "display", "parameters", "why")
    rows: tuple[Row, ...] = tuple(
        (x.at, x.function, x.nesting, x.counter, x.kind, x.display, ", ".join(x.parameters), x.why)
        for x in loops
    )
    return Table(keys, rows)


def parameters_table(plan: MeasurementPlan, *, broken: bool = True, command: bool = True) -> Table:
    """Each parameter with the values to run; below how many runs that takes and the command, if it
    is asked for, on several lines or one."""
    rows: list[Row] = [
        (
            p.name,
            p.origin,
            f"{p.loops} loop{'s' * (p.loops != 1)}" if p.loops else "no loop",
            ", ".join(map(str, p.values)) if p.loops else "keep one value",
        )
        for p in plan.parameters
    ]
    columns = (
        Column("name", "parameter", "word"),
        Column("origin", "from", "path", 8),
        Column("loops", "influences", "word"),
        Column("values", "values to run (5 at least)", "text", 16),
    )
    return Table(columns, tuple(rows), note=tuple(_experiments(plan, broken, command)))


def _experiments(plan: MeasurementPlan, broken: bool, with_command: bool) -> list[str]:
    points, command = plan.points, plan.command if with_command else None
    if not plan.varied:
        if all(x.kind == "exact" for x in plan.loops):
            return ["No parameter influences any loop: there is nothing to vary."]
        program = " ".join(plan.program) or "PROGRAM"
        return [
            "The source tells no parameter that loops depend on. Say what is varied in the command"
            f" line: looplaw study {program} --args '-n {{n}}' --vary n=64,128,256,512,1024"
        ]
    if len(plan.varied) == 1:
        said = [f"{counted_noun(len(points), 'run')}, repeated for their times, are enough."]
    else:
        together = [" and ".join(group) for group in plan.groups if len(group) > 1]
        said = [
            f"{len(points)} points are enough, instead of {plan.grid} on the grid: each parameter"
            " along its values while the others keep their smallest"
            + (
                ", and a point off these lines where parameters meet in a kernel "
                f"({'; '.join(together)})"
                if together
                else ""
            )
            + ". looplaw plan --json lists them; with --design lines the command runs no others."
        ]
    said += [_limit(x) for x in plan.limits]
    if command:
        said += ["The grid:", *_continued(command)] if broken else [f"The grid: {command}"]
    return said


def _limit(limit: RegimeLimit) -> str:
    """Where a cache is outgrown, in a sentence."""
    sizes = ", ".join(f"{name} = {value}" for name, value in limit.sizes.items())
    what = f"an iteration of {limit.at[0]}" if limit.at else "everything"
    return f"Up to {sizes} {what} fits in {limit.level}: values on both sides show what that costs."


def _continued(command: str) -> list[str]:
    """One option a line, as a shell reads it."""
    first, *options = command.split(" --")
    lines = [f"  {first}", *(f"    --{option}" for option in options)]
    return [f"{line} \\" if k + 1 < len(lines) else line for k, line in enumerate(lines)]


__all__ = ["parameters_table", "plan_table"]

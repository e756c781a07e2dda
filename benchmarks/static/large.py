"""Big modules, analysed without running them: crashes, times, memory."""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from .workers import StepError, step


def large(programs: Sequence[str], options: argparse.Namespace) -> int:
    """Analyse big modules without running them: crashes, times, memory."""
    findings: list[str] = []
    found: dict[str, Any] = {}
    kinds = ("exact", "value", "data", "bounded", "unknown")
    print(
        f"{'module':<24}{'entry':<12}{'instr.':>8}{'funct.':>7}{'loops':>6}"
        f" |{'exact':>6}{'value':>6}{'data':>5}{'bound.':>7}{'unkn.':>6} |{'CPU s':>7}{'MB':>6}"
    )
    for program in programs:
        path, _, entry = program.partition(":")
        with tempfile.TemporaryDirectory() as folder:
            job = {
                "folder": folder,
                "sources": [path],
                "flags": [],
                "runs": [],
                "ranks": [],
                "entry": entry or "main",
                "values": {},
                "reasons": False,
            }
            about = f"{Path(path).name[:23]:<24}{job['entry']!s:<12}"
            try:
                step("compile", job, options.timeout)
                answer = step("analysis", job, options.timeout)
            except StepError as error:
                findings.append(f"{program}: {error}")
                print(f"{about}FAILED: {str(error).splitlines()[-1][:60]}", flush=True)
                continue
        loops = answer["loops"]
        number = Counter(loop["kind"] for loop in loops)
        found[program] = {
            **{k: v for k, v in answer.items() if k != "loops"},
            "loops": len(loops),
            **number,
        }
        widths = zip(kinds, (6, 6, 5, 7, 6), strict=True)
        shares = "".join(f"{100 * number[k] / max(1, len(loops)):>{w - 1}.0f}%" for k, w in widths)
        print(
            f"{about}{answer['instructions']:>8}{answer['functions']:>7}{len(loops):>6} |{shares}"
            f" |{answer['cpu_s']:>7.1f}{answer['memory_mb']:>6.0f}",
            flush=True,
        )
    print(
        "All loops of the module, whether or not the entry reaches them. CPU seconds of parsing and"
        " analysis."
    )
    for text in findings:
        print(f"FAILED {text}", file=sys.stderr)
    if options.json:
        options.json.write_text(json.dumps({"modules": found, "failed": findings}, indent=1) + "\n")
    return 1 if findings else 0

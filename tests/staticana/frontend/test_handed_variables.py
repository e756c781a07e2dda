"""Variables that library functions are handed are variables like any other."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import llvmlite.binding as llvm
import pytest

from staticana import analyze, canonical, compile_sources
from staticana.frontend.passes import target_machine

SOURCE = """#include <stdio.h>
int main(void) {
    int n = 7, m = 1, k = 0;
    while (scanf("%d %d", &n, &m) == 2) {
        for (int i = n; i > 0; i /= 10) k += i % 10;
        while (m > 0) { m -= 3; k++; }
        printf("%d %d %d\\n", n, m, k);
    }
    sscanf("12", "%d", &m);
    return k + n + m;
}
"""


def test_a_loop_over_a_scanned_number_has_a_law(tmp_path: Path) -> None:
    file = tmp_path / "p.c"
    file.write_text(
        "#include <stdio.h>\n"
        'int main(void) { int n, k = 0; scanf("%d", &n);\n'
        "while (n > 0) { k++; n /= 10; } return k; }\n"
    )
    loop = analyze(canonical(compile_sources([file]))).loops[0]
    assert [o.meaning for o in loop.total.opaque] == ["value loaded from n"]
    assert loop.total.formula is not None
    values = {loop.total.opaque[0].symbol: 999}
    assert loop.total.formula.evaluate(values) == 3


@pytest.mark.skipif(shutil.which("cc") is None, reason="links a program")
def test_a_program_does_the_same(tmp_path: Path) -> None:
    file = tmp_path / "p.c"
    file.write_text(SOURCE)
    plain = compile_sources([file])
    runs = []
    for name, text in (("plain", plain), ("canonical", canonical(plain))):
        module, object_, program = (
            llvm.parse_assembly(text),
            tmp_path / f"{name}.o",
            tmp_path / name,
        )
        llvm.initialize_all_asmprinters()
        object_.write_bytes(target_machine(module).emit_object(module))
        subprocess.run(["cc", object_, "-no-pie", "-o", program], check=True)
        runs.append(subprocess.run([program], input=b"123 10\n45 -2\n9 9 9", capture_output=True))
    assert runs[0].stdout == runs[1].stdout
    assert runs[0].stdout.count(b"\n") == 3
    assert runs[0].returncode == runs[1].returncode

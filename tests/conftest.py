"""What holds for all tests."""

from __future__ import annotations

import ctypes
import gc
import os
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator

import pytest
from hypothesis import settings
from hypothesis.internal.conjecture import providers
from xdist.scheduler import LoadFileScheduling

from benchmarks.hardening.processes import hear_signals
from looplaw_common import processes

from .llvm_in_process import as_users_have_it, llvm_in_this_process
from .small_starter import SmallStarter

__all__ = ["as_users_have_it"]

# How long an example takes depends on what else the machine does; benchmarks measure time.
settings.register_profile("looplaw", deadline=None)
settings.load_profile("looplaw")
# Numbers and words of our sources are no examples: to find them, each worker parses all modules.
if hasattr(providers, "_get_local_constants"):
    providers._get_local_constants = lambda: providers._local_constants


_COLLECTIONS = (200_000, 20, 100)
"""Objects and collections after which garbage is collected. All that is imported is gone through
each time, which with Python's (700, 10, 10) takes a tenth of the time of the tests."""


_ROOM = 4 << 30
"""Bytes that temporary files may need at once."""


def _temporary_files_in_memory() -> None:
    """Put them where no disk is waited for: each folder that is removed and each file that is
    written for good costs milliseconds, and tests do that thousands of times. Not where that place
    is small, or runs no programs, as in some containers."""
    memory = "/dev/shm"
    if "TMPDIR" in os.environ or not os.access(memory, os.W_OK | os.X_OK):
        return
    found = os.statvfs(memory)
    if found.f_flag & os.ST_NOEXEC or found.f_bavail * found.f_frsize < _ROOM:
        return
    os.environ["TMPDIR"], tempfile.tempdir = memory, None


def pytest_configure(config: pytest.Config) -> None:
    """Signals reach the tests and what they start. Machines are not measured by tests. Programs are
    started by a process that has not loaded what the tests load, and LLVM works in this one.
    Fits find their kernel compiled. OpenBLAS starts no threads, which in thousands of short
    processes take a tenth of the time."""
    os.environ.setdefault("LOOPLAW_MACHINE", "none")
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    hear_signals()
    if sys.platform == "linux":
        _temporary_files_in_memory()
        processes._STARTERS.append(SmallStarter())
    llvm_in_this_process()
    if not hasattr(config, "workerinput"):  # once for all workers
        from modeling.kernel.library import kernel

        kernel()
    gc.set_threshold(*_COLLECTIONS)


def pytest_unconfigure() -> None:
    """What the tests have left is not searched for garbage at the end, which pytest does five times
    and Python once more: seconds of each worker."""
    gc.freeze()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """In workers, files that take long come first."""
    if hasattr(config, "workerinput"):
        number = Counter(item.location[0] for item in items)
        items.sort(key=lambda item: (_place(item.location[0]), -number[item.location[0]]))


_WITH_LARGE_PACKAGES = frozenset(
    f"tests/{name}.py"
    for name in (
        "looplaw/bulk/test_partitions",
        "looplaw/exchange/test_names",
        "looplaw/report/test_plot",
        "looplaw/test_api",
        "looplaw/test_notebook",
        "looplaw/test_numba_analysis",
        "modeling/fitter/test_estimator",
        "modeling/frames/test_frames",
        "modeling/methods/test_lasso",
        "modeling/readers/test_hatchet",
        "test_documentation",
    )
)
"""Files whose tests load pandas, pyarrow, matplotlib, scikit-learn and the like."""


_OF_THE_SAME_PROGRAMS = frozenset(
    f"tests/{name}.py" for name in ("staticana/expr/test_sympy", "staticana/test_programs")
)
"""Files whose tests share the analyses of all of tests/programs."""


_LONG = tuple(
    f"tests/{name}.py"
    for name in (
        "claims/test_claims",
        "test_documentation",
        "attacks/test_attacks",
        "looplaw/gate/test_gate",
        "looplaw/gate/test_pairs",
        "runtime/instrumentation/test_counting",
        "staticana/test_programs",
        "looplaw/cli/test_scaling_commands",
        "staticana/test_compilers",
        "runtime/kernels/test_kernel_runs",
        "looplaw/ending/test_ending",
        "looplaw/cli/test_cli",
        "looplaw/studies/test_mpi",
        "test_pasted",
        "samples/test_samples",
        "fuzz/test_families",
        "staticana/frontend/test_rust",
        "looplaw/ending/test_forged_output",
        "idioms/test_idioms",
        "looplaw/cli/test_first_contact",
        "looplaw/editor/test_server",
        "looplaw/pytest_plugin/test_scaling",
        "runtime/instrumentation/test_abnormal_exits",
        "runtime/slurm/test_slurm",
        "looplaw/cli/test_experiments",
    )
)
"""Files that take ten seconds and more; none of them is begun when the others end."""


def _place(file: str) -> int:
    return _LONG.index(file) if file in _LONG else len(_LONG)


class _Scheduling(LoadFileScheduling):  # type: ignore[misc]
    """Tests of a file go to one worker, and those that load large packages all to the same: every
    program that a test starts is a fork of its worker, which costs what the worker holds. Files
    that take long come first, and then those of many tests."""

    def __init__(self, config: pytest.Config, log: object) -> None:
        super().__init__(config, log)
        config.option.loadscopereorder = False  # by the number of tests alone

    def _split_scope(self, nodeid: str) -> str:
        file = nodeid.partition("::")[0]
        if file in _OF_THE_SAME_PROGRAMS:
            return "the same programs"
        return "large packages" if file in _WITH_LARGE_PACKAGES else file


@pytest.fixture(autouse=True, scope="module")
def _free_memory_goes_back() -> Iterator[None]:
    """Forks copy the table of all pages: what a file's tests have freed is given back."""
    yield
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)  # of glibc
    if trim is not None:
        trim(0)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: object) -> _Scheduling | None:
    """How tests are shared out with `--dist loadfile`."""
    return _Scheduling(config, log) if config.getvalue("dist") == "loadfile" else None

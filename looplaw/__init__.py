"""Performance laws of compiled loops: static analysis, instrumented runs, models, and how they
compare.

    import looplaw as ll

    a = ll.analyze("samples/lu/lu.c")           # formulas: a["lu.c:10"].total
    m = ll.fit({"n": [64, 128, 256, 512, 1024]}, times)
    s = ll.study("samples/lu/lu.c", vary={"n": [64, 128, 256]})

Names are imported when they are first used (PEP 562), so that `import looplaw` costs little.
"""

from __future__ import annotations

import importlib
import importlib.util
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from looplaw_common.errors import DataError, InputError, LooplawError, RunError
    from modeling.data.measurements import Measurements
    from modeling.pmnf.model import Model, Models
    from modeling.pmnf.prediction import Prediction
    from staticana.count import Count
    from staticana.results import Analysis

    from .api import Study, study
    from .fitting import fit
    from .opening import load
    from .program_analysis import analyze

__all__ = [
    "Analysis",
    "Count",
    "DataError",
    "InputError",
    "LooplawError",
    "Measurements",
    "Model",
    "Models",
    "Prediction",
    "RunError",
    "Study",
    "__version__",
    "analyze",
    "fit",
    "load",
    "study",
]

_HOME = Path(__file__).resolve().parent.parent
_MODULES = {
    "Analysis": "staticana.results",
    "Count": "staticana.count",
    "DataError": "looplaw_common.errors",
    "InputError": "looplaw_common.errors",
    "LooplawError": "looplaw_common.errors",
    "Measurements": "modeling.data.measurements",
    "Model": "modeling.pmnf.model",
    "Models": "modeling.pmnf.model",
    "Prediction": "modeling.pmnf.prediction",
    "RunError": "looplaw_common.errors",
    "Study": "looplaw.api",
    "analyze": "looplaw.program_analysis",
    "fit": "looplaw.fitting",
    "load": "looplaw.opening",
    "study": "looplaw.api",
}
"""Public names and the modules in which they are; none is the name of a module or package of
looplaw, which an import would put in its place."""


_OURS = {
    "looplaw_common": "What all packages of looplaw share",
    "staticana": "LLVM IR -> loop nests",
    "modeling": "Measurements -> models",
    "runtime": "Instrument IR, build and run programs",
}
"""Package -> how its text begins: another project of that name, installed into the same place, puts
its files among ours."""


def _check_packages() -> None:
    """`runtime` and `modeling` are common words: make sure that they are ours, and neither a folder
    that hides them nor another project. They are looked up, not imported, which would take a
    second."""
    for name, beginning in _OURS.items():
        found = importlib.util.find_spec(name)
        where = (
            next(iter(found.submodule_search_locations or [found.origin or ""]), "")
            if found
            else "nothing"
        )
        if Path(where).resolve().parent == _HOME and _begins(Path(where), beginning):
            continue
        did = "is hidden" if Path(where).resolve().parent != _HOME else "was overwritten"
        projects = _projects(name) if found else []
        raise ImportError(
            f"the package {name} of looplaw {did} by {where}"
            + (
                f", of the installed project {' and '.join(projects)}: pip uninstall"
                f" {' '.join(projects)}, pip install --force-reinstall looplaw; or give looplaw an"
                " environment of its own"
                if projects
                else "; rename that folder or run elsewhere"
            )
        )


def _begins(package: Path, beginning: str) -> bool:
    """Is it our package, by its text? Installations without sources are believed."""
    try:
        with (package / "__init__.py").open(encoding="utf-8") as file:
            return beginning in file.read(200)
    except (OSError, UnicodeDecodeError):
        return (package / "py.typed").exists()


def _projects(name: str) -> list[str]:
    """Other installed projects that have a package of this name."""
    from importlib.metadata import packages_distributions

    return sorted(set(packages_distributions().get(name, ())) - {"looplaw"})


_check_packages()

from looplaw_common.version import __version__  # noqa: E402  not before it is known to be ours


def __getattr__(name: str) -> object:
    module = _MODULES.get(name)
    if module is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(importlib.import_module(module), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)

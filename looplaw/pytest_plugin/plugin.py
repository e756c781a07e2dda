"""The pytest plugin: the fixture `scaling`, the marker `scaling`, and a table of the results at the
end."""

from __future__ import annotations

from collections.abc import Callable, Generator
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from .growth import Scaling

_FOUND: pytest.StashKey[list[tuple[str, Scaling]]] = pytest.StashKey()
_MARK = (
    "scaling(law, *, counter='lines', NAME=[sizes]): the test's body grows no faster than the law"
    " over its argument NAME"
)


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", _MARK)
    config.stash[_FOUND] = []


@pytest.fixture(name="scaling")
def scaling_fixture(request: pytest.FixtureRequest) -> Callable[..., Scaling]:
    """`looplaw.pytest_plugin.scaling`; its results are shown at the end of the run."""

    from .growth import scaling

    def count(*args: Any, **kwargs: Any) -> Scaling:
        __tracebackhide__ = True
        found = scaling(*args, **kwargs)
        request.config.stash[_FOUND].append((request.node.nodeid, found))
        return found

    return count


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Parametrise the arguments of a marked test that are sizes; pytest looks for fixtures of these
    names otherwise."""
    mark = metafunc.definition.get_closest_marker("scaling")
    if mark is not None:
        for name, values in _sizes(mark).items():
            metafunc.parametrize(name, [values[0]], ids=[f"{name} to {max(values)}"])


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> Generator[None, object, object]:
    """Run a marked test once as usual, then at every size, and compare the counts with its law."""
    result = yield
    mark = pyfuncitem.get_closest_marker("scaling")
    if mark is None:
        return result
    from .growth import scaling

    sizes = _sizes(mark)
    others = {a: pyfuncitem.funcargs[a] for a in pyfuncitem._fixtureinfo.argnames if a not in sizes}
    body = partial(pyfuncitem.obj, **others)
    body.__qualname__ = pyfuncitem.originalname  # type: ignore[attr-defined]  # for the table
    found = scaling(body, make=None, counter=mark.kwargs.get("counter", "lines"), **sizes)
    pyfuncitem.config.stash[_FOUND].append((pyfuncitem.nodeid, found))
    verdict = found.grows_no_faster_than(mark.args[0])
    assert verdict, repr(verdict)
    return result


def _sizes(mark: pytest.Mark) -> dict[str, Any]:
    sizes: dict[str, Any] = {k: list(v) for k, v in mark.kwargs.items() if k != "counter"}
    if (
        len(mark.args) != 1
        or not isinstance(mark.args[0], str)
        or not all(sizes.values())
        or not sizes
    ):
        raise pytest.UsageError('write @pytest.mark.scaling("n*log(n)", n=[64, 128, 256, 512])')
    return sizes


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    """The table of all results, where there are any."""
    found = config.stash.get(_FOUND, [])
    if not found:
        return
    from .summary import summary

    terminalreporter.section("scaling")
    terminalreporter.write_line(summary(found, terminalreporter._tw.fullwidth - 1))

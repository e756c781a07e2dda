"""Builds of distributions make the kernel of the fitter; all else is in pyproject.toml."""

import sys
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py
from setuptools.command.sdist import sdist

sys.path.insert(0, str(Path(__file__).parent))

from modeling.kernel.intermediate import FOLDER, compiler, name, write_beside


class Build(build_py):
    """Wheels and editable installations have the kernel's IR."""

    def run(self) -> None:
        write_beside()
        super().run()


class Source(sdist):
    """So have source distributions, which need no compiler."""

    def run(self) -> None:
        write_beside()
        super().run()


_needed = [] if (FOLDER / name()).exists() or compiler() else ["ziglang>=0.15"]
setup(cmdclass={"build_py": Build, "sdist": Source}, setup_requires=_needed)

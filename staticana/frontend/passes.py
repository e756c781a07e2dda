"""LLVM's own passes, run on a module for the target that it names."""

from __future__ import annotations

from collections.abc import Iterable

import llvmlite.binding as llvm

from looplaw_common.errors import InputError


def target_machine(module: llvm.ModuleRef) -> llvm.TargetMachine:
    """The machine that a module is for. Where this LLVM does not have it, its default one: the
    passes that shape loops ask it for nothing, and take sizes from the module."""
    llvm.initialize_all_targets()
    for triple in (module.triple, llvm.get_default_triple()):
        try:
            return llvm.Target.from_triple(triple).create_target_machine(opt=0)
        except RuntimeError:
            continue
    raise InputError("this LLVM has no target at all; reinstall llvmlite")


def run_passes(module: llvm.ModuleRef, passes: Iterable[str]) -> None:
    """Run passes on a module in place, without the tuning of any -O level.

    Args:
        passes: names as llvmlite has them between `add_` and `_pass`, such as "sroa".
    """
    builder = llvm.create_pass_builder(
        target_machine(module), llvm.create_pipeline_tuning_options(0)
    )
    manager = llvm.create_new_module_pass_manager()
    for name in passes:
        getattr(manager, f"add_{name}_pass")()
    manager.run(module, builder)

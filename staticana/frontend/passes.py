"""LLVM's own passes, run on a module for the target that it names."""

from __future__ import annotations

from collections.abc import Iterable

import llvmlite.binding as llvm

from looplaw_common.errors import InputError


def target_machine(
    module: llvm.ModuleRef, *, opt: int = 0, reloc: str = "default"
) -> llvm.TargetMachine:
    """The machine that a module is for (llvmlite sets up its targets at the first call)."""
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    triple = module.triple or llvm.get_default_triple()
    try:
        return llvm.Target.from_triple(triple).create_target_machine(opt=opt, reloc=reloc)
    except RuntimeError:
        raise InputError(f"IR for {triple}: this machine's LLVM has no such target") from None


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

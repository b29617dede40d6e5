"""What is done to a module's tree as mypy reads the module, before its names are looked up."""

from __future__ import annotations

from mypy.nodes import MypyFile

from arraytyping_mypy import flow_diagnostics, last_function, unresolved
from arraytyping_mypy.names import ARRAY, OPTIMIZERS_MODULE, SCALAR_META, SCALARS_MODULE, TREE_DEFINITION, is_program
from arraytyping_mypy.outgrown import leave_outgrown
from arraytyping_mypy.overloads import reduce_overloads
from arraytyping_mypy.settings import BuildSettings
from arraytyping_mypy.silencing import silencing_of

__all__ = ["dependencies", "prepare"]


def dependencies(file: MypyFile) -> list[tuple[int, str, int]]:
    """The modules whose classes results are made of, where arrays come from: these must be loaded as well."""
    if file.fullname == ARRAY.rpartition(".")[0]:
        return [(10, SCALARS_MODULE, -1), (10, TREE_DEFINITION.rpartition(".")[0], -1)]
    if file.fullname == "jax.numpy":
        return [(10, SCALAR_META.rpartition(".")[0], -1)]
    if unresolved.uses(file) and is_program(file.fullname, file.path):
        return [(10, OPTIMIZERS_MODULE, -1)]
    return []


def prepare(file: MypyFile, settings: BuildSettings) -> None:
    """Make of a tree what is checked: our stubs without their overloads, a program with the calls that report."""
    if file.path.endswith(".pyi"):
        reduce_overloads(file)
    elif is_program(file.fullname, file.path):
        _plant(file, settings)


def _plant(file: MypyFile, settings: BuildSettings) -> None:
    """Have a module's mistakes reported when it is checked, and what is wrong with its comments."""
    has_mistakes = bool(settings.flow.of(file.path))
    if not has_mistakes and getattr(file, "raw_data", None) is not None:
        return
    if getattr(file, "raw_data", None) is None and settings.settings.redefinition:
        leave_outgrown(file)
    silencing = silencing_of(file.path)
    if not silencing.is_ignored and getattr(file, "raw_data", None) is None and last_function.imports(file):
        last_function.plant(file)
        if unresolved.uses(file):
            unresolved.plant(file)
    is_wrong = any(True for comment in silencing.own.values() for _ in comment.complaints())
    if (has_mistakes or is_wrong) and not silencing.is_ignored:
        flow_diagnostics.plant(file)

"""The classes that the results of one library are made of, as they are loaded in a build."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final, NamedTuple

from mypy.nodes import MypyFile, SymbolTable, TypeInfo

from arraytyping_mypy.memo import Memo, memo_for
from arraytyping_mypy.names import OWN_ARRAY
from arraytyping_mypy.settings import BuildSettings

if TYPE_CHECKING:
    from arraytyping.semantics.promotion.jax import JaxPromotion

__all__ = ["NO_CLASSES", "class_in", "result_classes"]


class ResultClasses(NamedTuple):
    """The classes that results of one library are made of: JAX, or arraytyping itself."""

    array: TypeInfo | None
    scalars: SymbolTable
    wrapper: TypeInfo | None
    memo: Memo
    promotions: tuple[JaxPromotion, ...]


NO_CLASSES: Final = ResultClasses(None, SymbolTable(), None, Memo(()), ())
"""Where neither is loaded."""


def result_classes(
    modules: Mapping[str, MypyFile], here: MypyFile, settings: BuildSettings, array: str, wrapper: str, scalars: str
) -> ResultClasses | None:
    """What results in a module are made of that are arrays of this class; None if it is not loaded."""
    info = class_in(modules, array)
    tree = modules.get(scalars)
    if info is None or tree is None or info.get("__add__") is None:
        return None  # the last: arraytyping without its stubs
    promotions = settings.promotions_of(here.fullname, here.path, array == OWN_ARRAY)
    memo = memo_for(info, tree.names.get("float32"), promotions)
    return ResultClasses(info, tree.names, class_in(modules, wrapper), memo, promotions)


def class_in(modules: Mapping[str, MypyFile], full_name: str) -> TypeInfo | None:
    """The class with this name, if it is loaded."""
    module, _, name = full_name.rpartition(".")
    tree = modules.get(module)
    symbol = tree.names.get(name) if tree is not None else None
    return symbol.node if symbol is not None and isinstance(symbol.node, TypeInfo) else None

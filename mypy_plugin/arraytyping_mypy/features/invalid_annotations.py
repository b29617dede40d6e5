"""Annotations that mypy refuses: functions and variables where a type is due, as in `x: jnp.array | None`.

mypy reports them and goes on with a type that is none; a union with it is, once it is simplified, the rest of it alone,
as if `x` were always None.  Nothing is known of what is annotated so.  In libraries it stays as it is, such as the
`PyTreeDef` of `jax.tree.flatten`: what comes of it is plain mypy's, which is asked of the program with these libraries.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final, cast

from mypy.nodes import SYMBOL_FUNCBASE_TYPES, Decorator, SymbolTableNode, Var
from mypy.plugin import AnalyzeTypeContext
from mypy.typeanal import TypeAnalyser
from mypy.types import AnyType, Type, TypeOfAny, UnboundType

from arraytyping_mypy.checker import analyzed_tree
from arraytyping_mypy.names import is_program

__all__ = ["annotation_hook"]


_OF_TYPING: Final = ("typing.", "typing_extensions.", "mypy_extensions.", "builtins.None")
"""What mypy's own stubs say is a variable or a function, and is a type."""


def annotation_hook(fullname: str, symbol: SymbolTableNode) -> Callable[[AnalyzeTypeContext], Type] | None:
    """The hook of a name as an annotation, if what is so called is no type."""
    is_type = fullname.startswith(_OF_TYPING) or not isinstance(symbol.node, (Var, Decorator, *SYMBOL_FUNCBASE_TYPES))
    return None if is_type else partial(_analyzed, symbol)


def _analyzed(symbol: SymbolTableNode, ctx: AnalyzeTypeContext) -> Type:
    """What mypy makes of it, which reports it if it is a mistake."""
    found = cast(TypeAnalyser, ctx.api).analyze_unbound_type_without_type_info(ctx.type, symbol, False)
    tree = analyzed_tree(ctx.api)
    if tree is not None and not is_program(tree.fullname, tree.path):
        return found
    # No `from_error`, which mypy refuses with an error of its own as the bound of a type variable.
    return AnyType(TypeOfAny.special_form) if isinstance(found, UnboundType) else found

"""A function behind all others of a module that uses arrays, so that the plugin is asked when mypy has seen them.

mypy goes through the bodies of a module's functions in their order, after its top level, and asks no plugin about what
they return.  The function is no part of the program's text, and nothing comes of it.
"""

from __future__ import annotations

from typing import Final

from mypy.nodes import (
    MISSING_FALLBACK,
    Block,
    ClassDef,
    Context,
    Decorator,
    FuncDef,
    Import,
    MypyFile,
    OverloadedFuncDef,
)
from mypy.types import CallableType, Instance, NoneType

from arraytyping_mypy.flow_diagnostics import planted_call

__all__ = ["imports", "is_planted", "plant"]

_NAME: Final = "__arraytyping_last__"
_MARK: Final = -8
"""The line of the call in the function."""
_PACKAGES: Final = ("jax", "jaxtyping", "arraytyping")
"""What brings arrays into a module."""
_DEFINITIONS: Final = (FuncDef, ClassDef, Decorator, OverloadedFuncDef)


def imports(tree: MypyFile, packages: tuple[str, ...] = _PACKAGES) -> bool:
    """Whether a module imports something of one of these packages."""
    return any(
        name.partition(".")[0] in packages
        for statement in tree.imports
        for name in ([i for i, _ in statement.ids] if isinstance(statement, Import) else [getattr(statement, "id", "")])
    )


def plant(tree: MypyFile) -> None:
    """Put the function behind the last function or class, or first of all: behind these nothing may be reached."""
    place = next((i for i in reversed(range(len(tree.defs))) if isinstance(tree.defs[i], _DEFINITIONS)), -1)
    if not tree.defs:
        return
    line = tree.defs[max(place, 0)].line
    body = Block([planted_call(line, _MARK)])
    function = FuncDef(_NAME, [], body, CallableType([], [], [], NoneType(), Instance(MISSING_FALLBACK, [], -1)))
    for node in (body, function):
        node.set_line(line, 0, line, 0)
    tree.defs.insert(place + 1, function)


def is_planted(context: Context) -> bool:
    """Whether this is the call in the function."""
    return context.line == _MARK

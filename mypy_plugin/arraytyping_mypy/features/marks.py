"""Marks: what a transformed function is, kept where the class of jitted functions keeps the function.

The parameter of such a class is then no function but a mark, `def (WHAT) -> Any`, named by the transformation and its
static arguments.
"""

from __future__ import annotations

import ast
from functools import lru_cache
from typing import Any, Final

from mypy.nodes import ArgKind, TypeInfo
from mypy.types import AnyType, CallableType, Instance, Type, TypeOfAny, get_proper_type

from arraytyping_mypy.session import Session
from arraytyping_mypy.wrappers import wrapping

__all__ = ["is_mark", "marked", "read_mark"]

_NAME: Final = "jax transformation "


def marked(kind: str, given: dict[str, Any], of: Type, info: TypeInfo, session: Session) -> Instance:
    """What a transformation gives of a function, or of something else, with these static arguments."""
    mark = CallableType(
        [of],
        [ArgKind.ARG_POS],
        [None],
        AnyType(TypeOfAny.special_form),
        session.api.named_generic_type("builtins.function", []),
        name=_NAME + repr((kind, given)),
    )
    return wrapping(info, mark)


def is_mark(t: Type | None) -> bool:
    """Whether the parameter of a wrapper says which transformation it is."""
    p = None if t is None else get_proper_type(t)
    return isinstance(p, CallableType) and p.name is not None and p.name.startswith(_NAME)


def read_mark(mark: CallableType) -> tuple[str, dict[str, Any], Type]:
    """The transformation, its static arguments, and what it was given."""
    assert mark.name is not None
    kind, given = _parsed(mark.name)
    return kind, dict(given), mark.arg_types[0]


@lru_cache(maxsize=4096)
def _parsed(name: str) -> tuple[str, dict[str, Any]]:
    """A mark is read at each call of its function, and by whatever asks for the signature of that."""
    kind, given = ast.literal_eval(name[len(_NAME) :])
    return kind, given

"""`x[i] = y` on an array of JAX's, whose declaration has the method only for the sake of NumPy's interface."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final

from mypy.nodes import IndexExpr
from mypy.plugin import MethodContext
from mypy.types import Type, UnionType, get_proper_type

from arraytyping.checker.array_sentences import IMMUTABLE
from arraytyping_mypy.convert import arrays_of
from arraytyping_mypy.features.stacking import is_plain_array
from arraytyping_mypy.names import ARRAYS
from arraytyping_mypy.sessions import Sessions

__all__ = ["method_hook"]

_METHODS: Final = frozenset(f"{name}.__setitem__" for name in ARRAYS)


def method_hook(fullname: str, sessions: Sessions) -> Callable[[MethodContext], Type] | None:
    """The hook of the method, or None."""
    return partial(_put, sessions) if fullname in _METHODS else None


def _put(sessions: Sessions, ctx: MethodContext) -> Type:
    session = sessions.of(ctx.api)
    place = ctx.context
    if session.is_active and is_plain_array(ctx.type):
        stored = session.stored(place.base) if isinstance(place, IndexExpr) else None
        is_one = stored is None or not isinstance(get_proper_type(stored), UnionType)
        if is_one and any(a.shape is not None or a.dtype is not None for a in arrays_of(ctx.type, session)):
            session.fail(IMMUTABLE, place, "array-call", TypeError)
    return ctx.default_return_type

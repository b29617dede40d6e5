"""Arrays in lists and dicts: what is put in may differ from what was there, and then what comes out is any array.

mypy infers `list[Array[float32, tuple[Literal[3]]]]` from the first element.  JAX programs put arrays of other shapes
and dtypes into the same list; that must be no error, and where it may happen (`mutations`) nothing can be claimed of
what is read.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final

from mypy.plugin import FunctionContext, MethodContext, MethodSigContext
from mypy.types import CallableType, FunctionLike, Instance, Type

from arraytyping_mypy.generalize import generalize, is_unknown, map_arrays
from arraytyping_mypy.sessions import Sessions

__all__ = ["function_hook", "method_hook", "signature_hook"]

_OWNERS: Final = tuple(
    f"{name}."
    for name in (
        "builtins.list", "builtins.dict", "builtins.set", "collections.deque", "collections.defaultdict",
        "collections.OrderedDict", "typing.Sequence", "typing.MutableSequence", "typing.Mapping",
        "typing.MutableMapping", "typing.Iterable",
    )
)  # fmt: skip
_FUNCTIONS: Final = frozenset(
    f"builtins.{name}"
    for name in ("zip", "enumerate", "sorted", "reversed", "iter", "next", "min", "max", "filter", "tuple", "sum")
)


def method_hook(fullname: str, sessions: Sessions) -> Callable[[MethodContext], Type] | None:
    """The hook of a container's method, or None."""
    return partial(_read, sessions) if fullname.startswith(_OWNERS) else None


def function_hook(fullname: str, sessions: Sessions) -> Callable[[FunctionContext], Type] | None:
    """The hook of a builtin function that hands out what is in a container, or None."""
    return partial(_read, sessions) if fullname in _FUNCTIONS else None


def signature_hook(fullname: str) -> Callable[[MethodSigContext], FunctionLike] | None:
    """The hook of a container's method that puts something in, or None."""
    return _write if fullname.startswith(_OWNERS) else None


def _read(sessions: Sessions, ctx: MethodContext | FunctionContext) -> Type:
    return map_arrays(ctx.default_return_type, lambda array: _array(array, sessions, ctx))


def _array(array: Instance, sessions: Sessions, ctx: MethodContext | FunctionContext) -> Type:
    session = sessions.of(ctx.api)
    if is_unknown(array) or (session.is_active and session.mutations.keeps(array)):
        return array
    return generalize(array)


def _write(ctx: MethodSigContext) -> FunctionLike:
    signature = ctx.default_signature
    if not isinstance(signature, CallableType):
        return signature
    types = [generalize(t) for t in signature.arg_types]
    if all(a is b for a, b in zip(types, signature.arg_types)):
        return signature
    return signature.copy_modified(arg_types=types)

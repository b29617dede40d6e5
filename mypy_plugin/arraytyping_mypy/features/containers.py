"""Arrays in lists and dicts: what is put in may differ from what was there, and then what comes out is any array.

mypy infers `list[Array[float32, tuple[Literal[3]]]]` from the first element.  JAX programs put arrays of other shapes
and dtypes into the same list; that must be no error, and where it may happen (`mutations`) nothing can be claimed of
what is read.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final

from mypy.nodes import IndexExpr, NameExpr, SliceExpr, StrExpr
from mypy.plugin import FunctionContext, MethodContext, MethodSigContext
from mypy.types import (
    AnyType,
    CallableType,
    FunctionLike,
    Instance,
    NoneType,
    TupleType,
    Type,
    TypedDictType,
    TypeOfAny,
    get_proper_type,
)

from arraytyping_mypy.arguments import is_uncertain, read
from arraytyping_mypy.finite_types import get_finite_type
from arraytyping_mypy.fixed_lists import is_fixed_list
from arraytyping_mypy.generalize import generalize
from arraytyping_mypy.names import CONTAINERS
from arraytyping_mypy.sessions import Sessions
from arraytyping_mypy.variants import joined

__all__ = ["function_hook", "method_hook", "signature_hook"]

_DICTS: Final = tuple(
    f"{name}."
    for name in (
        "builtins.dict", "collections.defaultdict", "collections.OrderedDict", "typing.Mapping",
        "typing.MutableMapping",
    )
)  # fmt: skip
_COMBINING: Final = ("__add__", "__or__", "__ror__")
"""Operators that make one list or dict of two, of which mypy says that all in it is as in the first."""
_HANDING_OUT: Final = ("__getitem__", "__iter__", "pop", "popleft", "popitem", "get", "values", "items")
_FUNCTIONS: Final = frozenset(
    f"builtins.{name}"
    for name in ("zip", "enumerate", "sorted", "reversed", "iter", "next", "min", "max", "filter", "tuple", "sum")
)


def method_hook(fullname: str, sessions: Sessions) -> Callable[[MethodContext], Type] | None:
    """The hook of a container's method, or None."""
    if not fullname.startswith(CONTAINERS):
        return None
    if fullname.rpartition(".")[2] in _COMBINING:
        return partial(_combined, sessions)
    is_either = fullname.startswith("typing.Iterable.")
    is_dict = fullname.startswith(_DICTS)
    read = partial(_read, sessions, is_either or not is_dict, is_either or is_dict)
    return partial(_hand_out, read) if fullname.rpartition(".")[2] in _HANDING_OUT else read


def function_hook(fullname: str, sessions: Sessions) -> Callable[[FunctionContext], Type] | None:
    """The hook of a builtin function that hands out what is in a container, or None."""
    return partial(_hand_out, partial(_read, sessions, True, True)) if fullname in _FUNCTIONS else None


def signature_hook(fullname: str) -> Callable[[MethodSigContext], FunctionLike] | None:
    """The hook of a container's method that puts something in, or None."""
    return _write if fullname.startswith(CONTAINERS) else None


def _hand_out(read: Callable[[MethodContext | FunctionContext], Type], ctx: MethodContext | FunctionContext) -> Type:
    containers = [ctx.type] if isinstance(ctx, MethodContext) else [t for types in ctx.arg_types for t in types]
    return _without_places(ctx.default_return_type) if any(map(_holds_places, containers)) else read(ctx)


def _read(sessions: Sessions, in_list: bool, in_dict: bool, ctx: MethodContext | FunctionContext) -> Type:
    item = _grown(sessions, ctx)
    if item is not None:
        return item
    session = sessions.of(ctx.api)
    base = ctx.context.base if isinstance(ctx.context, IndexExpr) else None
    if not session.is_active or (base is not None and is_uncertain(base, session)):
        return generalize(ctx.default_return_type)
    return session.grown.kept(ctx.default_return_type, in_list=in_list, in_dict=in_dict)


def _holds_places(container: Type) -> bool:
    """Whether mypy has seen None alone put in, as in `[None] * n`, which holds the places of what comes later."""
    p = get_proper_type(container)
    return isinstance(p, Instance) and bool(p.args) and isinstance(get_proper_type(p.args[-1]), NoneType)


def _without_places(t: Type) -> Type:
    p = get_finite_type(t)
    if isinstance(p, NoneType):
        return AnyType(TypeOfAny.special_form)
    if isinstance(p, Instance):
        return p.copy_modified(args=list(map(_without_places, p.args)))
    return p.copy_modified(items=list(map(_without_places, p.items))) if isinstance(p, TupleType) else t


def _combined(sessions: Sessions, ctx: MethodContext) -> Type:
    session = sessions.of(ctx.api)
    made, given = get_proper_type(ctx.default_return_type), [t for types in ctx.arg_types for t in types]
    sides = [get_proper_type(t) for t in (ctx.type, *given)]
    items = [p.args[-1] for p in sides if isinstance(p, Instance) and p.args]
    if not session.is_active or not isinstance(made, Instance) or not made.args or len(items) != len(sides):
        return generalize(ctx.default_return_type)
    kept = [session.grown.kept(i, in_list=True, in_dict=True) for i in items]
    item = joined(kept, session) or generalize(made.args[-1])
    return made.copy_modified(args=[*made.args[:-1], item])


def _grown(sessions: Sessions, ctx: MethodContext | FunctionContext) -> Type | None:
    """What stands in a list or dict that grows, where all that is put in is known; None otherwise."""
    index = ctx.context
    if not isinstance(index, IndexExpr) or isinstance(index.index, SliceExpr) or not isinstance(ctx, MethodContext):
        return None
    session = sessions.of(ctx.api)
    base = index.base
    if not session.is_active or not isinstance(base, NameExpr) or base.node not in session.mutations.growing:
        return None
    p = get_proper_type(session.grown.type_of(base, ctx.type))
    if isinstance(p, TupleType) and is_fixed_list(p):
        place = read(index.index, None, session)
        return p.items[place] if type(place) is int and -len(p.items) <= place < len(p.items) else None
    if isinstance(get_proper_type(ctx.default_return_type), NoneType):
        return None  # something is put in
    if isinstance(p, TypedDictType):
        return p.items.get(index.index.value) if isinstance(index.index, StrExpr) else None
    item = get_proper_type(p.args[-1]) if isinstance(p, Instance) and p.args else None
    return None if item is None or isinstance(item, AnyType) else item


def _write(ctx: MethodSigContext) -> FunctionLike:
    signature = ctx.default_signature
    if not isinstance(signature, CallableType):
        return signature
    types = [generalize(t) for t in signature.arg_types]
    if all(a is b for a, b in zip(types, signature.arg_types)):
        return signature
    return signature.copy_modified(arg_types=types)

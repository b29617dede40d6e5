"""`check` and `ensure`: whether a value is what an annotation says."""

from __future__ import annotations

import collections.abc
import types
import typing
from typing import Annotated, Any, Final, Literal, TypeVar, Union, get_args, get_origin

from arraytyping.basearray import Array
from arraytyping.semantics.annotation_names import short_name
from arraytyping.semantics.array_types import ArrayType, abstract_value
from arraytyping.typing.permissive import Permissive

__all__ = ["check", "ensure"]

T = TypeVar("T")

_EACH: Final = (
    list, set, frozenset, collections.abc.Sequence, collections.abc.Collection, collections.abc.Set,
    collections.abc.MutableSequence, collections.abc.MutableSet,
)  # fmt: skip
_BY_KEY: Final = (dict, collections.abc.Mapping, collections.abc.MutableMapping)


def check(value: object, annotation: Any) -> bool:
    """Whether the value is what the annotation says, of arrays with dtype, weak type and shape.

    The annotation may be any of `arraytyping.typing`, a class, or a union, tuple, list, dict or other container of
    these.  Tracers are looked at as arrays are.

    Raises:
        TypeError: for what is no annotation, or one that is not looked into.
    """
    return _mismatch(value, annotation) is None


def ensure(value: T, annotation: Any, what: str = "the value") -> T:
    """The value, if it is what the annotation says.

    `what` names it in the exception.

    Raises:
        TypeError: if it is not, with the reason; also for an annotation that `check` refuses.
    """
    reason = _mismatch(value, annotation)
    if reason is not None:
        raise TypeError(
            f"{what}: {short_name(annotation)} is expected, got {_described(value)}" + (f": {reason}" if reason else "")
        )
    return value


def _described(value: Any) -> str:
    if isinstance(value, Array):
        return str(abstract_value(value))
    if hasattr(value, "__array_interface__"):
        return f"numpy {value.dtype}{list(value.shape)}"
    if isinstance(value, type):
        return f"the class {short_name(value)}"
    known = isinstance(value, str | bytes | bool | int | float | complex)
    return (
        "None" if value is None else f"{type(value).__name__} {value!r:.40}" if known else f"a {type(value).__name__}"
    )


def _mismatch(value: Any, annotation: Any) -> str | None:
    """Why the value is not what the annotation says, as a part of a sentence, which may be empty; None if it is."""
    if annotation is Any or annotation is object:
        return None
    if annotation is None:
        return None if value is None else ""
    if isinstance(annotation, ArrayType) and "parameters" in annotation.__dict__:
        return annotation.mismatch(abstract_value(value)) if isinstance(value, Array) else ""
    if isinstance(annotation, Permissive):
        return annotation.mismatch(value)
    origin = get_origin(annotation)
    if origin is None:
        return _of_name(value, annotation)
    return _of_form(value, annotation, origin, get_args(annotation))


def _of_name(value: Any, annotation: Any) -> str | None:
    if isinstance(annotation, TypeVar):
        members = annotation.__constraints__ or (annotation.__bound__ or Any,)
        return _of_union(value, members)
    if isinstance(annotation, typing.NewType):
        return _mismatch(value, annotation.__supertype__)
    if hasattr(annotation, "__value__"):  # an alias that `type` or TypeAliasType makes
        return _mismatch(value, annotation.__value__)
    if isinstance(annotation, str | typing.ForwardRef):
        raise TypeError(f"{annotation!r} is an annotation as text; typing.get_type_hints makes the class of it")
    try:
        return None if isinstance(value, annotation) else ""
    except TypeError:
        raise TypeError(
            f"{annotation!r} is no annotation that can be checked; give a class, a type of arraytyping.typing, or a "
            "union, tuple, list or dict of these"
        ) from None


def _of_form(value: Any, annotation: Any, origin: Any, args: tuple[Any, ...]) -> str | None:
    parts: Any = value
    if origin is Union or origin is types.UnionType:
        return _of_union(value, args)
    if origin is Annotated:
        return _mismatch(value, args[0])
    if origin is Literal:
        return None if any(type(value) is type(a) and value == a for a in args) else ""
    if origin is Array:  # with type variables
        return None if isinstance(value, Array) else ""
    if origin is tuple:
        return _of_tuple(value, args)
    if origin is type:
        return None if isinstance(value, type) and (args[0] is Any or issubclass(value, args[0])) else ""
    if not isinstance(origin, type):
        return _of_name(value, annotation)
    if not isinstance(value, origin):
        return ""
    if origin in _EACH:
        return _first((f"item {n}", item, args[0]) for n, item in enumerate(parts))
    if origin in _BY_KEY:
        return _first(
            pair for k, v in parts.items() for pair in ((f"key {k!r}", k, args[0]), (f"item {k!r}", v, args[1]))
        )
    return None


def _of_union(value: Any, members: tuple[Any, ...]) -> str | None:
    reasons = [_mismatch(value, member) for member in members]
    if None in reasons:
        return None
    given = [r for r in reasons if r]
    return given[0] if len(given) == 1 else ""


def _of_tuple(value: Any, args: tuple[Any, ...]) -> str | None:
    if not isinstance(value, tuple):
        return ""
    if len(args) == 2 and args[1] is Ellipsis:
        return _first((f"item {n}", item, args[0]) for n, item in enumerate(value))
    if len(value) != len(args):
        return f"it has {len(value)} items, not {len(args)}"
    return _first((f"item {n}", item, a) for n, (item, a) in enumerate(zip(value, args)))


def _first(parts: Any) -> str | None:
    for name, item, annotation in parts:
        reason = _mismatch(item, annotation)
        if reason is not None:
            return f"{name} is {_described(item)}" + (f", and {reason}" if reason else f", no {short_name(annotation)}")
    return None

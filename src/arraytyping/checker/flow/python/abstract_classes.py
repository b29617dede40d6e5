"""Abstract base classes and protocols: whether an instance check hangs on inheritance, or asks for attributes.

Sources: https://docs.python.org/3/library/collections.abc.html, and for protocols
https://docs.python.org/3/library/typing.html#typing.runtime_checkable.
"""

from __future__ import annotations

import abc
import collections.abc
import contextlib
import functools
import os
import typing
from typing import Any, Final

import typing_extensions

from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.state.run_slots import RunSlot
from arraytyping.checker.flow.values import MISSING, ClassValue, HandlerValue, Value
from arraytyping.checker.flow.values.calls import Call

__all__ = ["asked_methods", "has_registered", "is_by_inheritance", "is_protocol", "protocol_members", "register_of"]

_REGISTERING: Final[RunSlot[set[type]]] = RunSlot("real classes with which the program registers its own", set)

_HOOKS: Final[dict[Any, tuple[str, ...]]] = {
    collections.abc.Hashable: ("__hash__",),
    collections.abc.Callable: ("__call__",),
    collections.abc.Iterable: ("__iter__",),
    collections.abc.Iterator: ("__iter__", "__next__"),
    collections.abc.Reversible: ("__iter__", "__reversed__"),
    collections.abc.Generator: ("__iter__", "__next__", "close", "send", "throw"),
    collections.abc.Sized: ("__len__",),
    collections.abc.Container: ("__contains__",),
    collections.abc.Collection: ("__contains__", "__iter__", "__len__"),
    collections.abc.Awaitable: ("__await__",),
    collections.abc.AsyncIterable: ("__aiter__",),
    collections.abc.AsyncIterator: ("__aiter__", "__anext__"),
    contextlib.AbstractContextManager: ("__enter__", "__exit__"),
    os.PathLike: ("__fspath__",),
    typing.SupportsInt: ("__int__",),
    typing.SupportsFloat: ("__float__",),
    typing.SupportsComplex: ("__complex__",),
    typing.SupportsIndex: ("__index__",),
    typing.SupportsAbs: ("__abs__",),
    typing.SupportsRound: ("__round__",),
    typing.SupportsBytes: ("__bytes__",),
}
"""What has these methods is an instance."""

_NOT_ASKED: Final = frozenset(
    {
        "__abstractmethods__", "__annotations__", "__class_getitem__", "__dict__", "__doc__", "__init__",
        "__match_args__", "__module__", "__new__", "__orig_bases__", "__parameters__", "__qualname__", "__slots__",
        "__subclasshook__", "__weakref__", "_is_protocol", "_is_runtime_protocol",
    }
)  # fmt: skip


def asked_methods(cls: Value) -> tuple[str, ...] | None:
    """The methods that make anything an instance of a real class; None if it asks for no methods, or others."""
    try:
        return _HOOKS.get(cls)
    except TypeError:
        return None


@functools.cache
def is_by_inheritance(cls: type) -> bool:
    """Whether nothing is an instance of a real class but what derives from it, or is registered with it."""
    meta = type(cls)
    if meta.__instancecheck__ not in (type.__instancecheck__, abc.ABCMeta.__instancecheck__):
        return False
    if meta.__subclasscheck__ not in (type.__subclasscheck__, abc.ABCMeta.__subclasscheck__):
        return False
    return all(map(_has_no_hook, (cls, *_below(cls))))


def _has_no_hook(cls: type) -> bool:
    """Whether a class has no hook; those above do nothing for what derives from their classes."""
    owner = next(c for c in cls.__mro__ if "__subclasshook__" in vars(c))
    return owner is object or (owner is not cls and asked_methods(owner) is not None)


def _below(cls: type) -> list[type]:
    """What derives from a class whose check asks its subclasses."""
    if not isinstance(cls, abc.ABCMeta):
        return []
    below: list[type] = type.__subclasses__(cls)  # type: ignore[arg-type]
    return [*below, *(c for sub in below for c in _below(sub))]


def register_of(cls: abc.ABCMeta) -> HandlerValue:
    """`ABCMeta.register` of a real class: a class of the program may be one of it from then on."""

    def register(it: Interpreter, call: Call) -> Value:
        _REGISTERING.of(it).add(cls)
        return call.argument(0, "subclass", MISSING)

    return HandlerValue("register", register)


def has_registered(it: Interpreter, cls: Value) -> bool:
    """Whether the program has registered a class of its own with a real one, or with one that derives from it."""
    return isinstance(cls, type) and any(issubclass(other, cls) for other in _REGISTERING.of(it))


def is_protocol(cls: Value) -> bool:
    """Whether a class of the program is a protocol itself."""
    return isinstance(cls, ClassValue) and any(
        (typing.get_origin(b) or b) in _PROTOCOLS for b in cls.bases if not isinstance(b, ClassValue)
    )


_PROTOCOLS: Final = (typing.Protocol, typing_extensions.Protocol)


def protocol_members(cls: ClassValue) -> list[str]:
    """The attributes that a protocol of the program asks for."""
    parts = [c for c in cls.mro if is_protocol(c)]
    names = dict.fromkeys(name for c in parts for name in (*c.namespace, *c.fields))
    return [name for name in names if name not in _NOT_ASKED and not name.startswith("_abc_")]

"""Classes that derive from `NamedTuple`, and tuples of named fields that are made at run time.

Their instances are real tuples of a type made here, so that Python and JAX treat them as what they are.
"""

from __future__ import annotations

import collections
import typing
from typing import Any, Final

import typing_extensions

from arraytyping.checker.flow.python.operator_names import SPECIAL_OF_TUPLES
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.state.run_slots import RunSlot
from arraytyping.checker.flow.values import (
    OWN_METHODS,
    ClassValue,
    Descriptor,
    FunctionValue,
    Value,
)

__all__ = ["class_of_tuple", "derive_namedtuple", "is_named_tuple", "make_namedtuple"]

_TUPLE_CLASSES: Final[RunSlot[dict[type, ClassValue]]] = RunSlot("NamedTuples of the program", dict)


def is_named_tuple(base: Value) -> bool:
    """Whether a base makes a NamedTuple of a class; the one for older Pythons is an object of its own."""
    return base is typing.NamedTuple or base is typing_extensions.NamedTuple


def make_namedtuple(it: Interpreter, cls: ClassValue, names: list[str]) -> ClassValue:
    """Make a class one whose instances are real tuples of these fields."""
    cls.kind = "namedtuple"
    try:
        cls.tuple_type = collections.namedtuple(cls.name, names)  # type: ignore[misc]
    except ValueError:
        cls.kind = "unknown"
        return cls
    return _register_namedtuple(it, cls)


def derive_namedtuple(it: Interpreter, cls: ClassValue, base: type[tuple[Any, ...]]) -> ClassValue:
    """Make a class one of the fields of a base; annotations of its own add none."""
    cls.kind = "namedtuple"
    cls.fields.clear()
    cls.tuple_type = type(cls.name, (base,), {"__slots__": ()})
    return _register_namedtuple(it, cls)


def _register_namedtuple(it: Interpreter, cls: ClassValue) -> ClassValue:
    assert cls.tuple_type is not None
    own = {n: cls.find(n) for c in cls.mro if isinstance(c, ClassValue) for n in c.namespace}
    methods = {n: v for n, v in own.items() if n.startswith("__") and isinstance(v, FunctionValue | Descriptor)}
    if "__hash__" in own or "__eq__" in own:  # by which it is no key that is known
        cls.tuple_type.__hash__ = object.__hash__  # type: ignore[method-assign]
    if methods.keys() - SPECIAL_OF_TUPLES - {"__hash__", "__class_getitem__", "__init_subclass__"}:
        # What indexes, iterates, or asks for the length or the truth takes it for the tuple that it is.
        cls.kind, cls.tuple_type = "unknown", None
        return cls
    setattr(cls.tuple_type, OWN_METHODS, methods)
    _TUPLE_CLASSES.of(it)[cls.tuple_type] = cls
    return cls


def class_of_tuple(it: Interpreter, value: tuple[Value, ...]) -> ClassValue | None:
    """The NamedTuple of the program of which a tuple is an instance."""
    return _TUPLE_CLASSES.of(it).get(type(value))

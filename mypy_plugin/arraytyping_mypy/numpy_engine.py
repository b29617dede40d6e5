"""What NumPy gives for arrays of known shapes and dtypes: flow's engine for NumPy, asked for one call at a time.

No program is followed here, so that the interpreter behind it knows of no module, and what NumPy would refuse is
unknown.  Nothing is drawn: of random numbers only shape and dtype are asked for.
"""

from __future__ import annotations

import functools
import importlib
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from arraytyping.checker.flow import engines
from arraytyping.checker.flow.engines import numpy as numpy_engine
from arraytyping.checker.flow.engines.numpy_random import call_random
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.state.signals import Signal
from arraytyping.checker.flow.values import MISSING, ArrayValue, NumPyValue, Unknown, Value, walk
from arraytyping.checker.flow.values.calls import Call
from arraytyping.checker.swallowed import swallow

__all__ = ["attribute", "binary", "call", "draw", "item", "method", "resolve", "unary"]

UNKNOWN: Final = Unknown("what NumPy says is not known")
_TO_NUMPY: Final = frozenset({"array", "asarray", "asanyarray", "ascontiguousarray"})
"""What takes an array of JAX and gives one of NumPy's; of other functions JAX decides."""


def call(function: Any, args: Sequence[Value], kwargs: Mapping[str, Value]) -> Value:
    """What a function of NumPy gives."""
    name = getattr(function, "__name__", "")
    if name not in _TO_NUMPY and any(isinstance(v, ArrayValue) for a in (*args, *kwargs.values()) for v in walk(a)):
        return UNKNOWN
    return _asked(lambda it: numpy_engine.call(it, function, Call(list(args), dict(kwargs), None)))


def draw(name: str, args: Sequence[Value], kwargs: Mapping[str, Value], is_legacy: bool) -> Value:
    """What a method of a random generator gives."""
    return _asked(lambda it: call_random(it, name, Call(list(args), dict(kwargs), None), is_legacy))


def method(owner: NumPyValue, name: str, args: Sequence[Value], kwargs: Mapping[str, Value]) -> Value:
    """What a method of an array or scalar gives."""
    return _asked(lambda it: numpy_engine.method(it, owner, name, Call(list(args), dict(kwargs), None)))


def attribute(owner: NumPyValue, name: str) -> Value:
    """What an attribute of an array or scalar is."""
    return _asked(lambda it: numpy_engine.attribute(it, owner, name, None))


def item(owner: NumPyValue, index: Value) -> Value:
    """What `owner[index]` is."""
    return _asked(lambda it: numpy_engine.getitem(it, owner, index, None))


def binary(op: str, left: Value, right: Value) -> Value:
    """What an operator gives, by its name in the module `operator`."""
    return _asked(lambda it: numpy_engine.binary(it, op, left, right, None))


def unary(op: str, operand: Value) -> Value:
    """What an operator of one operand gives."""
    return _asked(lambda it: numpy_engine.unary(it, op, operand, None))


@functools.lru_cache(maxsize=1024)
def resolve(fullname: str) -> Any:
    """The function, ufunc or class of NumPy that mypy calls by this name; None if it is none.

    Nothing else is imported: a ufunc may be known under a name of the program's.
    """
    module, _, name = fullname.rpartition(".")
    if module.partition(".")[0] != "numpy":
        return None
    try:
        found = getattr(importlib.import_module(module), name, None)
    except ImportError:
        return None
    return found if callable(found) and numpy_engine.owns(found) else None


def _asked(question: Callable[[Interpreter], Value]) -> Value:
    it = Interpreter(None, None, engines)
    try:
        with it.quietly():
            found = question(it)
    except (Exception, Signal) as error:  # the engine counts on more of an interpreter than there is here
        swallow(error)
        return UNKNOWN
    return UNKNOWN if found is MISSING or it.suppressed else found

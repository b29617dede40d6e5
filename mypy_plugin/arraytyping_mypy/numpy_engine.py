"""What NumPy gives for arrays of known shapes and dtypes: flow's engine for NumPy, asked for one call at a time.

No program is followed here, so that the interpreter behind it knows of no module.  Nothing is drawn: of random numbers
only shape and dtype are asked for.
"""

from __future__ import annotations

import builtins
import functools
import importlib
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, Literal

from arraytyping.checker.flow import engines
from arraytyping.checker.flow.engines import numpy as numpy_engine
from arraytyping.checker.flow.engines.numpy_random import call_random
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.state.signals import Signal
from arraytyping.checker.flow.values import MISSING, ArrayValue, NumPyValue, UnionValue, Unknown, Value, walk
from arraytyping.checker.flow.values.calls import Call
from arraytyping.checker.swallowed import swallow
from arraytyping.semantics.rules.errors import Code

__all__ = ["NumPyRefusal", "attribute", "binary", "call", "draw", "item", "method", "resolve", "unary"]

_THREADS: Final = "OPENBLAS_NUM_THREADS"
UNKNOWN: Final = Unknown("what NumPy says is not known")
_TO_NUMPY: Final = frozenset({"array", "asarray", "asanyarray", "ascontiguousarray"})
"""What takes an array of JAX and gives one of NumPy's; of other functions JAX decides."""


def call(function: Any, args: Sequence[Value], kwargs: Mapping[str, Value]) -> Value:
    """What a function of NumPy gives."""
    name = getattr(function, "__name__", "")
    if name not in _TO_NUMPY and any(isinstance(v, ArrayValue) for a in (*args, *kwargs.values()) for v in walk(a)):
        return UNKNOWN
    given = (*args, *kwargs.values())
    found = _asked(lambda it: numpy_engine.call(it, function, Call(list(args), dict(kwargs), None)), *given)
    # To mypy `np.float32` is `numpy.floating`, which cannot be called.
    return UNKNOWN if isinstance(function, type) and isinstance(found, NumPyRefusal) else found


def draw(name: str, args: Sequence[Value], kwargs: Mapping[str, Value], is_legacy: bool) -> Value:
    """What a method of a random generator gives."""
    return _asked(
        lambda it: call_random(it, name, Call(list(args), dict(kwargs), None), is_legacy), *args, *kwargs.values()
    )


def method(owner: NumPyValue, name: str, args: Sequence[Value], kwargs: Mapping[str, Value]) -> Value:
    """What a method of an array or scalar gives."""
    return _asked(
        lambda it: numpy_engine.method(it, owner, name, Call(list(args), dict(kwargs), None)), *args, *kwargs.values()
    )


def attribute(owner: NumPyValue, name: str) -> Value:
    """What an attribute of an array or scalar is."""
    return _asked(lambda it: numpy_engine.attribute(it, owner, name, None))


def item(owner: NumPyValue, index: Value) -> Value:
    """What `owner[index]` is."""
    return _asked(lambda it: numpy_engine.getitem(it, owner, index, None), index)


def binary(op: str, left: Value, right: Value) -> Value:
    """What an operator gives, by its name in the module `operator`."""
    return _asked(lambda it: numpy_engine.binary(it, op, left, right, None), left, right)


def unary(op: str, operand: Value) -> Value:
    """What an operator of one operand gives."""
    return _asked(lambda it: numpy_engine.unary(it, op, operand, None), operand)


@functools.lru_cache(maxsize=1024)
def resolve(fullname: str) -> Any:
    """The function, ufunc or class of NumPy that mypy calls by this name; None if it is none.

    Nothing else is imported: a ufunc may be known under a name of the program's.
    """
    module, _, name = fullname.rpartition(".")
    if module.partition(".")[0] != "numpy":
        return None
    _load_with_one_thread()
    try:
        found = getattr(importlib.import_module(module), name, None)
    except ImportError:
        return None
    return found if callable(found) and numpy_engine.owns(found) else None


@functools.cache
def _load_with_one_thread() -> None:
    """Import NumPy; its library of linear algebra starts a thread for each processor else, each of which takes time."""
    before = os.environ.get(_THREADS)
    os.environ.setdefault(_THREADS, "1")
    try:
        importlib.import_module("numpy")
    except ImportError as error:  # the engine says what it does without
        swallow(error)
    finally:
        if before is None:
            del os.environ[_THREADS]


class NumPyRefusal(Unknown):
    """What there is where NumPy raises: nothing, and why."""

    __slots__ = ("code", "exception", "message")

    def __init__(self, code: Code | Literal["array-call"], message: str, exception: type[Exception]) -> None:
        super().__init__("NumPy refuses it")
        self.code = code
        self.message = message
        self.exception = exception


_CODES: Final[dict[str, Code | Literal["array-call"]]] = {
    "array-shape": "array-shape", "array-dim": "array-dim", "array-dtype": "array-dtype", "array-call": "array-call",
}  # fmt: skip
"""The codes of what NumPy refuses for shapes, dtypes and arguments."""


class _Asking(Interpreter):
    """An interpreter that notes what it would report."""

    refusal: NumPyRefusal | None = None

    def fail(self, node: Any, code: str, message: str, is_warning: bool = False, is_minor: bool = False) -> Unknown:
        """Note the first mistake that raises what the message names."""
        name = message.partition(":")[0]
        found = getattr(builtins, name, None) or getattr(sys.modules["numpy.exceptions"], name, None)
        is_told = self.refusal is None and not is_warning and code in _CODES
        if is_told and isinstance(found, type) and issubclass(found, Exception):
            self.refusal = NumPyRefusal(_CODES[code], message, found)
        return super().fail(node, code, message, is_warning, is_minor)


def _is_one(value: Value) -> bool:
    """Whether a value is of one type, so that what is refused of it is refused for certain."""
    return not any(isinstance(v, UnionValue) for v in walk(value))


def _asked(question: Callable[[Interpreter], Value], *given: Value) -> Value:
    _load_with_one_thread()
    it = _Asking(None, None, engines)
    try:
        with it.quietly():
            found = question(it)
    except (Exception, Signal) as error:  # the engine counts on more of an interpreter than there is here
        swallow(error)
        return UNKNOWN
    if it.refusal is not None and it.suppressed == 1 and all(map(_is_one, given)):
        return it.refusal
    return UNKNOWN if found is MISSING or it.suppressed else found

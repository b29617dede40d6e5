"""The origins of arrays, noted as a run goes: each operation with what it was given, where a run asks for them.

Nothing is noted, and nothing kept, unless a code that hangs on origins is on, or a dtype is traced.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.state.run_slots import RunSlot
from arraytyping.checker.flow.values import (
    ArrayValue,
    AtValue,
    BaseValue,
    BoundMethod,
    ClassValue,
    DictValue,
    FunctionValue,
    InstanceValue,
    IteratorValue,
    ListValue,
    MethodOf,
    NumPyValue,
    PartialValue,
    ScalarValue,
    SetValue,
    TreeValue,
    Value,
    walk,
)
from arraytyping.checker.flow.values.origins import Constant, Origin
from arraytyping.semantics.avals import ShapedArray

__all__ = [
    "ARGUMENT",
    "VARIABLE",
    "argument_origin",
    "forget_origin",
    "leaves",
    "new_origins",
    "note_call",
    "note_results",
    "noting_results",
    "variable_origin",
]

ARGUMENT: Final = "argument"
"""The operation by which an array comes into a function that jax calls."""
VARIABLE: Final = "variable"
"""The operation by which it comes out of an object of a library, such as a module of flax.nnx."""

_MOST: Final = 64
"""The most operands that are kept of one container."""
_RESULTS: Final[RunSlot[list[list[Any]]]] = RunSlot("results of functions that jax calls back", list)
_NUMBERS: Final = (ArrayValue, NumPyValue, bool, int, float)
_CONTAINERS: Final = (tuple, DictValue, InstanceValue, IteratorValue, ListValue, SetValue, TreeValue)
_OWN: Final = (FunctionValue, BoundMethod, ClassValue, InstanceValue, PartialValue)
"""What runs code of the program, whose results have origins of their own."""


def leaves(value: Value) -> list[ArrayValue]:
    """The arrays in a value."""
    if type(value) is ArrayValue:
        return [value]
    return [v for v in walk(value) if type(v) is ArrayValue] if isinstance(value, BaseValue | tuple) else []


def note_call(
    it: Interpreter, node: ast.AST, function: Value, args: list[Value], kwargs: dict[str, Value], result: Value,
    inner: list[Any],
) -> list[Origin]:  # fmt: skip
    """Note what a call has computed, and say which origins are new."""
    op, given = _operation(it, function, args)
    return new_origins(it, node, op, given, kwargs, result, inner, isinstance(function, _OWN))


def _operation(it: Interpreter, function: Value, args: list[Value]) -> tuple[str, list[Value]]:
    """The name of what is called, and its arguments, that of a method first."""
    if isinstance(function, MethodOf):
        receiver = function.receiver
        if isinstance(receiver, AtValue):
            return f"at.{function.name}", [receiver.array, *args, receiver.index]
        return f"Array.{function.name}" if isinstance(receiver, ArrayValue) else function.name, [receiver, *args]
    return it.engines.operation_name(function), args


def new_origins(
    it: Interpreter, node: ast.AST, op: str, args: list[Value], kwargs: dict[str, Value], result: Value,
    inner: list[Any] | None = None, is_own: bool = False,
) -> list[Origin]:  # fmt: skip
    """Give the arrays in a result that an operation has made here an origin each."""
    made: list[Origin] = []
    given: list[ArrayValue] | None = None
    place = (it.frame.module.shown, getattr(node, "lineno", 0))
    for array in leaves(result):
        if isinstance(array.origin, Origin) or (array.origin is None and is_own) or array.origin not in (None, place):
            continue
        if given is None:
            given = leaves((*args, *kwargs.values()))
        if any(array is other for other in given):
            continue
        origin = Origin(
            place, op, array.aval, node, it.frame.module, tuple(map(_operand, args)),
            {name: _operand(value) for name, value in kwargs.items()}, tuple(inner or ()),
        )  # fmt: skip
        array.origin = origin
        made.append(origin)
    return made


def _operand(value: Value) -> Value:
    """What is kept of an operand: nothing that changes later."""
    if isinstance(value, ArrayValue | ScalarValue) or not isinstance(value, BaseValue | tuple):
        return value
    if isinstance(value, NumPyValue):
        data = value.data
        is_one = data is not None and data.dtype.kind in "biuf" and data.size and (data == data.flat[0]).all()
        return Constant(
            value.dtype, value.shape, value.is_scalar, data.flat[0].item() if is_one else None, value.origin
        )
    if type(value) is tuple and len(value) <= _MOST:
        return tuple(map(_operand, value))
    parts = [v for v in walk(value) if not isinstance(v, _CONTAINERS)]
    kept = [_operand(v) if isinstance(v, _NUMBERS) else None for v in parts[:_MOST]]
    return tuple(kept if len(parts) <= _MOST else [*kept, None])


@contextmanager
def noting_results(it: Interpreter) -> Iterator[list[Value]]:
    """What functions of the program give to jax meanwhile."""
    results = _RESULTS.of(it)
    results.append([])
    try:
        yield results[-1]
    finally:
        results.pop()


def note_results(it: Interpreter, given: tuple[Value, ...], result: Value) -> None:
    """A function of the program that was given this by jax gives it that."""
    for array in leaves(given):
        if isinstance(array.origin, Origin) and array.origin.op == ARGUMENT:
            array.origin.aval = array.aval
    results = _RESULTS.of(it)
    if results:
        results[-1] += [array.origin for array in leaves(result) if isinstance(array.origin, Origin)][:_MOST]


def argument_origin(
    it: Interpreter, above: tuple[str, int] | None, is_differentiated: bool, node: ast.AST | None
) -> Origin:
    """The origin of an argument that jax gives a function: that of the array for which it stands."""
    place = above or (it.frame.module.shown, getattr(node, "lineno", 0))
    origin = Origin(place, ARGUMENT, ShapedArray(None, None), None, it.frame.module, () if above is None else (above,))
    origin.is_differentiated = is_differentiated
    return origin


def variable_origin(it: Interpreter, place: tuple[str, int] | None, dtype: str, node: ast.AST | None) -> Origin:
    """The origin of an array in an object of a library that is differentiated with respect to it."""
    place = place or (it.frame.module.shown, getattr(node, "lineno", 0))
    origin = Origin(place, VARIABLE, ShapedArray(None, dtype, None), None, it.frame.module)
    origin.is_differentiated = True
    return origin


def forget_origin(it: Interpreter, leaf: Value, node: ast.AST | None) -> None:
    """An array of an answer that was kept came about otherwise than the first time."""
    if isinstance(leaf, ArrayValue) and isinstance(leaf.origin, Origin):
        place = (it.frame.module.shown, getattr(node, "lineno", 0))
        leaf.origin = Origin(place, "again", leaf.aval, None, it.frame.module, (leaf.origin,))

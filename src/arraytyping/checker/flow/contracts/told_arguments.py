"""Arguments of functions that nothing calls, as their annotations say them: arrays, and records of arrays."""

from __future__ import annotations

import ast
import types
import typing
from typing import Any, Final

from arraytyping.checker.flow.contracts.bindings import Bindings
from arraytyping.checker.flow.contracts.entries import told_by_annotation
from arraytyping.checker.flow.contracts.expectations import ANYTHING, AnyArray, ArrayOf, Expectation, ProgramClass
from arraytyping.checker.flow.contracts.jaxtyping_classes import is_jax_array, is_numpy_array, is_numpy_scalar
from arraytyping.checker.flow.contracts.reading import evaluate_aside, read
from arraytyping.checker.flow.engines.any_subclass import is_changed_below
from arraytyping.checker.flow.python.fields import fields_of
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.state.told_uses import OF_INSTANCE, is_from_nowhere
from arraytyping.checker.flow.state.unknown_shapes import one_array
from arraytyping.checker.flow.values import MISSING, InstanceValue, Unknown, Value
from arraytyping.checker.flow.values.frames import Frame

__all__ = ["told_argument"]

_DEPTH: Final = 4


def told_argument(
    it: Interpreter, expected: Expectation, value: Value, annotation: ast.expr, env: Frame, depth: int = 0
) -> Value:
    """Of an argument from nowhere the array that its annotation says, or the record, with the arrays in its fields.

    What a field says to be a number may be an array under `jit`, so that of others nothing is known.
    """
    if not is_from_nowhere(value):
        return value
    if not isinstance(expected, ProgramClass) or depth > _DEPTH:
        return one_array(it) if _is_array(it, expected, annotation, env) else value
    cls = expected.cls
    if cls.kind not in ("namedtuple", "dataclass") or cls.options.get("instantiate") or is_changed_below(it, cls):
        return value
    if cls.kind == "dataclass" and any(cls.find(n) is not MISSING for n in ("__init__", "__post_init__", "__new__")):
        return value
    made: dict[str, Value] = {}
    for name, (_, annotation, frame) in fields_of(cls).items():
        inner = read(it, annotation, frame)
        anything: Value = Unknown(OF_INSTANCE)
        if isinstance(inner, ArrayOf):
            made[name] = told_by_annotation(it, inner, anything, Bindings(), True)
        else:
            made[name] = told_argument(it, inner, anything, annotation, frame, depth + 1)
    return InstanceValue(cls, made) if cls.tuple_type is None else tuple.__new__(cls.tuple_type, made.values())


def _is_array(it: Interpreter, expected: Expectation, annotation: ast.expr, frame: Frame) -> bool:
    """Whether an annotation asks for an array, of jax or of NumPy, as `chex.Array` does."""
    if expected is not ANYTHING:
        return isinstance(expected, AnyArray)
    kind: Any = evaluate_aside(it, annotation, frame)
    members = typing.get_args(kind) if typing.get_origin(kind) in (typing.Union, types.UnionType) else ()
    are_arrays = all(is_jax_array(m) or is_numpy_array(m) or is_numpy_scalar(m) for m in members)
    return are_arrays and any(map(is_jax_array, members))

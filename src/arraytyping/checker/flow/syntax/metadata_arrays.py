"""Arrays in the metadata of pytrees that a jitted function is called with.

From the second call on `jit` compares the metadata with that of the calls before, and the truth of several elements is
ambiguous; one and the same array is equal to itself without being looked at.

Source: https://docs.jax.dev/en/latest/_autosummary/jax.tree_util.register_dataclass.html.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any, Final, NamedTuple

from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.state.run_slots import RunSlot
from arraytyping.checker.flow.values import ArrayValue, InstanceValue, JitValue, NumPyValue, Unknown, Value, walk

__all__ = ["refuse_metadata"]


class _Field(NamedTuple):
    """An array in a field that is metadata."""

    cls: str
    name: str
    array: ArrayValue | NumPyValue


_SEEN: Final[RunSlot[dict[Any, tuple[JitValue, list[_Field]]]]] = RunSlot(
    "the arrays in the metadata of the calls of jitted functions, by function and abstract arguments", dict
)


def refuse_metadata(
    it: Interpreter, jitted: JitValue, key: Value, values: list[Value], label: str, node: ast.AST | None
) -> Unknown | None:
    """The mistake that the metadata of this call has other arrays than that of an earlier one; None if it is none."""
    fields = [field for value in values for field in _fields(value)]
    if not fields or it.path_uncertain:
        return None
    seen = _SEEN.of(it)
    _, before = seen.setdefault((id(jitted), key), (jitted, fields))
    if [f[:2] for f in before] != [f[:2] for f in fields]:
        return None
    for old, new in zip(before, fields):
        if old.array is not new.array and None not in (old.array.origin, new.array.origin):
            if old.array.origin == new.array.origin:
                return None  # it may be one that a loop has joined
            return it.fail(
                node,
                "array-call",
                f"ValueError: {label}: the field {new.name!r} of {new.cls} is metadata of a pytree and holds an array, "
                "which jit compares with that of an earlier call, and its truth is ambiguous: make it a data field, or "
                "a tuple of numbers",
            )
    return None


def _fields(value: Value) -> Iterator[_Field]:
    """The arrays of more than one element in the metadata of the pytrees in a value."""
    for instance in walk(value):
        if not isinstance(instance, InstanceValue):
            continue
        data = getattr(instance.cls.pytree, "data", None)
        if not isinstance(data, tuple):
            continue
        for name, held in instance.attributes.items():
            if name not in data and isinstance(held, ArrayValue | NumPyValue) and _has_several(held):
                yield _Field(instance.cls.name, name, held)


def _has_several(array: ArrayValue | NumPyValue) -> bool:
    """Whether this is certainly no tracer, and has more than one element."""
    if isinstance(array, ArrayValue) and array.traced:
        return False
    shape = array.aval.shape if isinstance(array, ArrayValue) else array.shape
    return shape is not None and all(isinstance(d, int) and d > 0 for d in shape) and any(d != 1 for d in shape)

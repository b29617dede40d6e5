"""Pytrees of values leaf by leaf: the arrays that JAX makes of leaves, and the tracers that a function is given."""

from __future__ import annotations

import ast
from collections import defaultdict
from typing import Any, Final

from arraytyping.checker.flow.engines.conversion import Abort
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.state.joins import join_all
from arraytyping.checker.flow.state.keys import origin_of
from arraytyping.checker.flow.values import (
    ArrayValue,
    BaseValue,
    BoundMethod,
    ClassValue,
    DictValue,
    FunctionValue,
    HandlerValue,
    InstanceValue,
    IteratorValue,
    JitValue,
    ListValue,
    NumPyValue,
    OfNumPy,
    OpenTree,
    PartialValue,
    ScalarValue,
    SetValue,
    TreeValue,
    UnionValue,
    Unknown,
    Value,
    mapped,
)
from arraytyping.checker.flow.values.places import NOWHERE
from arraytyping.checker.swallowed import swallow
from arraytyping.checker.traced_sentences import no_array_sentence
from arraytyping.semantics.avals import ShapedArray

__all__ = ["as_traced", "map_arrays", "of_one_array", "to_array"]


def to_array(it: Interpreter, value: Value, node: ast.AST | None = None) -> Value:
    """The array that JAX makes of a NumPy array or a Python scalar; other values stay."""
    promotion = it.engines.rules.promotions()[0]
    if isinstance(value, NumPyValue):
        try:
            dtype = None if value.dtype is None else promotion.canonicalize(value.dtype)
        except Exception as error:
            swallow(error)
            return it.unknown(f"an array of {value.dtype}")
        aval = ShapedArray(value.shape, dtype, None if dtype is None else False)
        return ArrayValue(aval, False, value.origin).at(NOWHERE)
    if isinstance(value, bool | int | float | complex):
        kind = next(cls for cls in (bool, int, float, complex) if isinstance(value, cls))  # of a subclass, too
        own = getattr(value, "dtype", None)  # jax's own numbers have one
        dtype = promotion.default(kind.__name__) if own is None else str(own)
        return it.array(ShapedArray((), dtype, kind is not bool), False, node).at(NOWHERE)
    if isinstance(value, ScalarValue) and str not in value.kinds and bytes not in value.kinds:
        dtypes = {promotion.default(k.__name__) for k in value.of_python.kinds}
        dtype = dtypes.pop() if len(dtypes) == 1 and OfNumPy not in value.kinds else None
        return it.array(ShapedArray((), dtype, None if dtype is None else dtype != "bool"), False, node).at(NOWHERE)
    return value


def map_arrays(
    it: Interpreter, value: Value, change: Any, node: ast.AST | None = None, is_sorted: bool = True
) -> Value:
    """The pytree with each leaf changed, as JAX makes it anew: the keys of its dicts are sorted.

    What a library does without JAX's trees leaves them in their order.
    """
    if isinstance(value, IteratorValue):
        value = ListValue(value.items, value.element)
    if isinstance(value, OpenTree):
        return value if value.leaf is None else value.of(change(value.leaf))
    if isinstance(value, tuple | ListValue | DictValue | UnionValue | TreeValue):
        made = mapped(value, lambda v: map_arrays(it, v, change, node, is_sorted))
        return in_order(made) if is_sorted and isinstance(made, DictValue) else made
    if isinstance(value, InstanceValue) and value.cls.pytree is not None:
        try:
            children, rest = it.engines.pytrees.flatten(it, value, node)
        except Abort as abort:
            return it.unknown(abort.why)
        changed = tuple(map_arrays(it, c, change, node, is_sorted) for c in children)
        return it.engines.pytrees.unflatten(it, value.cls, changed, rest, node)
    return change(value)


def in_order(value: DictValue) -> DictValue:
    """A dict as JAX makes it of its leaves: with its keys sorted, where it is a plain one, or has defaults."""
    if value.kind not in (dict, defaultdict) or not value.items:
        return value
    try:
        keys = sorted(value.items)
    except TypeError:  # which JAX refuses
        return value
    if value.is_ordered and keys == list(value.items):
        return value
    return DictValue({key: value.items[key] for key in keys}, kind=value.kind, factory=value.factory)


def of_one_array(it: Interpreter, value: Value, node: ast.AST | None = None) -> Value:
    """What a function under a transformation is given: where an array of JAX or one of NumPy is, it is one tracer."""
    if isinstance(value, UnionValue) and all(isinstance(one, ArrayValue | NumPyValue) for one in value.values):
        arrays = [to_array(it, one, node) for one in value.values]
        first: Any = arrays[0]
        is_one = all(isinstance(one, ArrayValue) and one.aval == first.aval for one in arrays)
        return next((one for one in value.values if isinstance(one, ArrayValue)), first) if is_one else value
    return mapped(value, lambda v: of_one_array(it, v, node))


def as_traced(it: Interpreter, value: Value, what: str, node: ast.AST | None) -> Value:
    """An argument of a traced function: every leaf becomes a tracer."""

    def change(leaf: Value) -> Value:
        array = to_array(it, leaf, node)
        if isinstance(array, ArrayValue):
            origin_of(array)  # which the tracer shares
            return array.as_traced(True)
        if leaf is None or isinstance(leaf, Unknown):
            return leaf
        if _is_refused(it, leaf):
            return it.fail(node, "array-call", f"TypeError: {no_array_sentence(what, _shown(leaf))}")
        return (
            leaf if not isinstance(leaf, HandlerValue | PartialValue) else it.unknown("a callable as a traced argument")
        )

    return map_arrays(it, _without_refused(it, value), change, node)


def _is_refused(it: Interpreter, leaf: Value) -> bool:
    """Whether JAX takes no such value for an argument that is traced."""
    if isinstance(leaf, InstanceValue):
        return leaf.cls.kind in ("plain", "dataclass") and leaf.cls.pytree is None
    if isinstance(leaf, ScalarValue):
        return not isinstance(to_array(it, leaf), ArrayValue)
    known = isinstance(leaf, str | FunctionValue | ClassValue | JitValue | BoundMethod | SetValue)
    return known or _is_function(it, leaf)


def _without_refused(it: Interpreter, value: Value) -> Value:
    """The value without those alternatives with which the call raises, where there are others."""
    if isinstance(value, UnionValue):
        taken = [one for one in value.values if not _is_refused(it, one)]
        if 0 < len(taken) < len(value.values):
            it.may_raise += 1
            return join_all(taken)
        return value
    if isinstance(value, tuple | ListValue | DictValue):
        return mapped(value, lambda one: _without_refused(it, one))
    return value


def _is_function(it: Interpreter, leaf: Value) -> bool:
    """Whether this is a function or class of jax, NumPy or Python, and no pytree."""
    if not callable(leaf) or isinstance(leaf, BaseValue) or hasattr(leaf, "shape") or hasattr(leaf, "__jax_array__"):
        return False
    if str(type(leaf).__module__).partition(".")[0] not in _OWN:
        return False
    leaves = it.engines.jax.tree_util.tree_leaves(leaf)
    return len(leaves) == 1 and leaves[0] is leaf


_OWN: Final = frozenset({"builtins", "jax", "jaxlib", "numpy"})
"""Whose functions and classes are known to be no arrays."""


def _shown(leaf: Value) -> str:
    if isinstance(leaf, str | ScalarValue):
        return "a string"
    if isinstance(leaf, InstanceValue):
        return f"an instance of {leaf.cls.name}"
    return "a class" if isinstance(leaf, ClassValue | type) else "a set" if isinstance(leaf, SetValue) else "a function"

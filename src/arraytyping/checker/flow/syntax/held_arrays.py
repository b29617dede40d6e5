"""What goes into the jitted functions of a run and comes out, as arrays that devices hold."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Final

from arraytyping.checker.flow.engines.signatures import signature_of
from arraytyping.checker.flow.state.devices_asked import DEVICES
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.state.run_slots import RunSlot
from arraytyping.checker.flow.syntax.closed_over import closed_over
from arraytyping.checker.flow.values import (
    ArrayValue,
    DictValue,
    InstanceValue,
    ListValue,
    NumPyValue,
    TreeValue,
    Unknown,
    Value,
    is_traced,
)
from arraytyping.checker.flow.values.calls import Call
from arraytyping.checker.flow.values.places import NOWHERE
from arraytyping.checker.holdings import HeldArray, Holding

__all__ = ["HOLDINGS", "is_jitted_by_flax", "note_held"]

HOLDINGS: Final[RunSlot[dict[Any, Holding]]] = RunSlot("what devices hold", dict)
_MOST: Final = 200
_MOST_LEAVES: Final = 2000


def note_held(it: Interpreter, function: Value, call: Call, result: Value) -> None:
    """Note the arrays of a call of a jitted function outside of all traces, once for arrays of the same shapes."""
    kept = HOLDINGS.of(it)
    if it.staged or it.quiet or len(kept) >= _MOST or call.node is None or any(map(is_traced, call.values)):
        return
    given = [leaf for name, value in _named(function, call.args, call.kwargs) for leaf in _leaves(it, value, name)]
    made = list(_leaves(it, result, "result"))
    if len(given) + len(made) > _MOST_LEAVES:
        return
    arguments = tuple(_held(it, *leaf) for leaf in given if _is_known(leaf[1]))
    results = tuple(_held(it, *leaf) for leaf in made if _is_known(leaf[1]))
    label = getattr(function, "name", None) or getattr(function, "__name__", None) or "a function"
    key = (id(function), tuple((a.name, a.dtype, a.shape) for a in arguments))
    if key not in kept and (arguments or results):
        unknown = len(given) + len(made) - len(arguments) - len(results)
        place = label, it.frame.module.shown, getattr(call.node, "lineno", 0)
        closed = _closed_over(it, function)
        holding = kept[key] = Holding(*place, DEVICES.of(it).count, arguments, results, unknown, closed)
        for said in holding.remarks if holding.devices > 1 else ():
            it.remark(call.node, "array-sharding", said, is_minor=True)


def is_jitted_by_flax(function: Value) -> bool:
    """Whether this is what `flax.nnx.jit` gives."""
    return type(function).__name__ == "JitWrapped" and type(function).__module__.startswith("flax.nnx.")


def _closed_over(it: Interpreter, function: Value) -> tuple[HeldArray, ...]:
    """The arrays that a function takes from outside; those that were put over a mesh are left out."""
    found: list[HeldArray] = []
    for name, value in closed_over(function):
        for label, leaf in _leaves(it, value, name):
            is_placed = isinstance(leaf, ArrayValue) and (leaf.sharding is not None or leaf.place is not NOWHERE)
            if len(found) < _MOST and not is_placed and _is_known(leaf):
                held = _held(it, label, leaf)
                found.append(replace(held, cut=((),) * len(held.shape)))
    return tuple(found)


def _named(function: Value, args: list[Value], kwargs: dict[str, Value]) -> Iterator[tuple[str, Value]]:
    """The arguments by the names of the parameters, as far as these are known."""
    signature = signature_of(function)
    kinds = () if signature is None else signature.parameters.values()
    names = [p.name for p in kinds if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    for number, value in enumerate(args):
        yield names[number] if number < len(names) else f"argument {number}", value
    yield from kwargs.items()


def _leaves(
    it: Interpreter, value: Value, name: str, seen: dict[int, Value] | None = None
) -> Iterator[tuple[str, Value]]:
    """The arrays in a value, and what may be one, with their names; what is held twice, or by itself, comes once."""
    seen = {} if seen is None else seen
    if isinstance(value, ListValue | DictValue | InstanceValue):
        if id(value) in seen:
            return
        seen[id(value)] = value  # kept, so that no other value gets its place
    if isinstance(value, ArrayValue | NumPyValue | Unknown):
        yield name, value
    elif isinstance(value, tuple):
        fields = getattr(value, "_fields", None)
        for i, item in enumerate(value):
            yield from _leaves(it, item, f"{name}.{fields[i]}" if fields else f"{name}[{i}]", seen)
    elif isinstance(value, ListValue):
        for i, item in enumerate(value.items or ()):
            yield from _leaves(it, item, f"{name}[{i}]", seen)
    elif isinstance(value, DictValue):
        for key, item in (value.items or {}).items():
            yield from _leaves(it, item, f"{name}[{key!r}]", seen)
    elif isinstance(value, TreeValue):
        yield from _of_tree(it, value, name)
    elif isinstance(value, InstanceValue):
        for attribute, item in value.attributes.items():
            yield from _leaves(it, item, f"{name}.{attribute}", seen)
    elif type(value).__module__.startswith("flax."):
        util = it.engines.jax.tree_util
        for path, leaf in util.tree_flatten_with_path(value)[0]:
            if leaf is not value:
                yield from _leaves(it, it.engines.objects.value(it, leaf, None), f"{name}{util.keystr(path)}")


def _of_tree(it: Interpreter, tree: TreeValue, name: str) -> Iterator[tuple[str, Value]]:
    """The arrays in an object of a library, by the paths that jax gives them."""
    util = it.engines.jax.tree_util
    numbered = tree.treedef.unflatten(range(len(tree.leaves)))
    for path, number in util.tree_flatten_with_path(numbered)[0]:
        yield from _leaves(it, tree.leaves[number], f"{name}{util.keystr(path)}")


def _is_known(value: Any) -> bool:
    described = value.aval if isinstance(value, ArrayValue) else value
    shape = getattr(described, "shape", None)
    return shape is not None and described.dtype is not None and all(type(d) is int for d in shape)


def _held(it: Interpreter, name: str, value: Any) -> HeldArray:
    """One array; a NumPy array is put on every device, whole."""
    if isinstance(value, NumPyValue):
        dtype = str(it.engines.jax.canonical(value.dtype or ""))
        return HeldArray(name, dtype, tuple(value.shape or ()), _itemsize(it, dtype))
    dtype = value.aval.dtype
    real = value.sharding if value.place is None or value.place.axes is None else value.place.real[0]
    axes = () if real is None or value.cut is None else tuple(dict(real.mesh.shape).items())
    return HeldArray(name, dtype, value.aval.shape, _itemsize(it, dtype), value.cut, axes)


def _itemsize(it: Interpreter, dtype: str) -> int:
    return int(it.engines.jax.dtype(dtype).itemsize)

"""Indices that are known to be out of bounds: JAX raises nothing, but clamps them, drops updates or fills in.

What is said to be meant is no mistake: a `mode`, a `fill_value`, a slice that ends behind the end.  A key is followed
from its front to the first entry of which nothing is known, and from its end.

Source: https://docs.jax.dev/en/latest/notebooks/Common_Gotchas_in_JAX.html#out-of-bounds-indexing.
"""

from __future__ import annotations

import ast
import functools
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

from arraytyping.checker.flow.engines.index_bounds import known_bounds, with_bounds
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.values import ArrayValue, ListValue, NumPyValue, ScalarValue, Value
from arraytyping.checker.flow.values.calls import Call

__all__ = ["check_at", "check_call", "check_item"]

_CODE: Final = "array-index"
_UPDATES: Final = frozenset({"set", "add", "subtract", "multiply", "mul", "divide", "power", "min", "max", "apply"})

# ------------------------------------------------------------------ x[...] and x.at[...]


def check_item(it: Interpreter, array: ArrayValue, index: Value, node: ast.AST | None) -> None:
    """Report an index of `x[...]` that is out of bounds."""
    _check_key(it, array, index, node, "x[...]", lambda nearest: f"JAX reads index {nearest} in its place")


def check_at(
    it: Interpreter, array: Value, index: Value, name: str, kwargs: dict[str, Value], node: ast.AST | None
) -> None:
    """Report an index of `x.at[...].set(...)` and its kin that is out of bounds, unless they say what is meant."""
    if not isinstance(array, ArrayValue) or kwargs.get("mode") is not None or "fill_value" in kwargs:
        return
    if name == "get":
        _check_key(it, array, index, node, "at[].get", lambda nearest: f"JAX reads index {nearest} in its place")
    elif name in _UPDATES:
        _check_key(it, array, index, node, f"at[].{name}", lambda _: "JAX drops the update")


def _check_key(
    it: Interpreter, array: ArrayValue, index: Value, node: ast.AST | None, what: str, outcome: Callable[[int], str]
) -> None:
    shape = array.aval.shape
    if shape is None:
        return
    entries = index if isinstance(index, tuple) else (index,)
    for number, axis in _axes_of(entries, len(shape)):
        _check(it, entries[number], shape[axis], axis, node, what, outcome)


def _axes_of(entries: Sequence[Value], rank: int) -> list[tuple[int, int]]:
    """The entries of a key that are places, by their numbers, each with the axis that it indexes."""
    found: list[tuple[int, int]] = []
    axis = 0
    for number, entry in enumerate(entries):
        width = None if entry is Ellipsis else _width(entry)
        if width is None:
            break
        if width == 1 and axis < rank:
            found.append((number, axis))
        axis += width
    else:
        return found
    axis = rank
    for number in range(len(entries) - 1, -1, -1):
        width = None if entries[number] is Ellipsis else _width(entries[number])
        if width is None or axis - width < 0:
            break
        axis -= width
        if width == 1:
            found.append((number, axis))
    return found


def _width(entry: Any) -> int | None:
    """How many axes an entry of a key indexes; None if that is not known."""
    if entry is None:
        return 0
    if isinstance(entry, bool):
        return 0
    if isinstance(entry, int | slice | range):
        return 1
    if isinstance(entry, ScalarValue):
        return 1 if entry.of_python.kinds == (int,) else None
    if isinstance(entry, ListValue | tuple):
        return 1 if known_bounds(entry) is not None else None
    if isinstance(entry, ArrayValue | NumPyValue):
        dtype = entry.aval.dtype if isinstance(entry, ArrayValue) else entry.dtype
        shape = entry.aval.shape if isinstance(entry, ArrayValue) else entry.shape
        if dtype is None or shape is None:
            return None
        return len(shape) if dtype == "bool" else 1
    return None


def _tell(it: Interpreter, node: ast.AST | None, message: str) -> None:
    """Report a place that is out of bounds, unless the program compares it, and masks what comes of it."""
    function = it.frame.function_frame().function
    if function is None or node is None or not (_compared(function.node) & _places(node)):
        it.remark(node, _CODE, message)


@functools.lru_cache(maxsize=256)
def _compared(function: ast.AST) -> frozenset[str]:
    """The names and attributes that a function compares."""
    return frozenset(name for n in ast.walk(function) if isinstance(n, ast.Compare) for name in _written(n))


def _places(node: ast.AST) -> set[str]:
    """The names and attributes in an index, or in the arguments of a function that takes one."""
    update = node.func.value if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) else node
    if isinstance(update, ast.Subscript):
        return set(_written(update.slice))
    return {name for a in node.args[1:] for name in _written(a)} if isinstance(node, ast.Call) else set()


def _written(node: ast.AST) -> Iterator[str]:
    """The names and attributes in an expression."""
    for n in ast.walk(node):
        if isinstance(n, ast.Name | ast.Attribute) and isinstance(n.ctx, ast.Load):
            yield ast.unparse(n)


def _check(
    it: Interpreter, entry: Any, size: Any, axis: int, node: ast.AST | None, what: str, outcome: Callable[[int], str]
) -> None:
    """Report the places of one entry that are out of bounds of an axis."""
    bounds = None if isinstance(entry, slice) else known_bounds(entry)
    if bounds is None or type(size) is not int or size == 0:
        return
    low, high = bounds
    wrong = high if high >= size else low if low < -size else None
    if wrong is None:
        return
    nearest = size - 1 if wrong > 0 else 0
    given = f"index {wrong}" if low == high else f"index {wrong}, in an array of indices,"
    _tell(it, node, f"{what}: {given} is out of bounds for axis {axis} of size {size}; {outcome(nearest)}")


# ------------------------------------------------------------------ functions


def check_call(it: Interpreter, name: str, call: Call, result: Value) -> Value:
    """The result of a function that makes or takes indices; what is out of bounds is reported."""
    look = _CALLS.get(name)
    return result if look is None else look(it, call, result)


def _array(it: Interpreter, call: Call, result: Value) -> Value:
    return with_bounds(result, known_bounds(call.args[0])) if call.args else result


def _arange(it: Interpreter, call: Call, result: Value) -> Value:
    given = call.named("start", "stop", "step")
    start, stop, step = (given.get(key) for key in ("start", "stop", "step"))
    if stop is None:
        start, stop = 0, start
    step = 1 if step is None else step
    if type(start) is not int or type(stop) is not int or type(step) is not int or step == 0:
        return result
    return with_bounds(result, known_bounds(range(start, stop, step)))


def _filled(array: ArrayValue) -> str:
    """What `take` gives for an index that is out of bounds."""
    dtype = array.aval.dtype or ""
    value = "the least" if dtype.startswith("int") else "the greatest" if dtype.startswith("uint") else "True"
    return f"JAX fills in {'nan' if 'float' in dtype or 'complex' in dtype else f'{value} {dtype}'}"


def _take(it: Interpreter, call: Call, result: Value) -> Value:
    given = call.named("a", "indices", "axis", "out", "mode", "fill_value")
    array, axis = given.get("a"), given.get("axis")
    if not isinstance(array, ArrayValue) or given.get("mode") is not None or given.get("fill_value") is not None:
        return result
    shape = array.aval.shape
    if axis is None and (size := array.aval.size) is not None:
        _check(it, given.get("indices"), size, 0, call.node, "take", lambda _: _filled(array))
    elif type(axis) is int and shape is not None and -len(shape) <= axis < len(shape):
        axis %= len(shape)
        _check(it, given.get("indices"), shape[axis], axis, call.node, "take", lambda _: _filled(array))
    return result


def _take_along(it: Interpreter, call: Call, result: Value) -> Value:
    given = call.named("a", "indices", "axis", "mode", "fill_value")
    given["a"] = given.get("arr", given.get("a"))
    return _take(it, Call([], {"axis": -1, **given}, call.node), result)


def _place(
    it: Interpreter, what: str, array: Value, start: Value, length: Value, axis: Any, node: ast.AST | None
) -> None:
    """Report a start of a block of known length that does not lie in an axis: JAX moves it."""
    shape = array.aval.shape if isinstance(array, ArrayValue) else None
    if shape is None or type(axis) is not int or not -len(shape) <= axis < len(shape) or type(length) is not int:
        return
    axis %= len(shape)
    size, bounds = shape[axis], known_bounds(start)
    if type(size) is not int or length > size or bounds is None or bounds[0] != bounds[1]:
        return
    begin = bounds[0] + size if bounds[0] < 0 else bounds[0]
    if not 0 <= begin <= size - length:
        moved_to = 0 if begin < 0 else size - length
        message = (
            f"{what}: {length} from index {bounds[0]} on are out of bounds for axis {axis} of size {size}; "
            f"JAX begins at index {moved_to}"
        )
        _tell(it, node, message)


def _slices(it: Interpreter, what: str, array: Value, starts: Value, lengths: Value, node: ast.AST | None) -> None:
    starts = starts.items if isinstance(starts, ListValue) else starts
    lengths = lengths.items if isinstance(lengths, ListValue) else lengths
    if isinstance(starts, tuple | list) and isinstance(lengths, tuple | list):
        for axis, (start, length) in enumerate(zip(starts, lengths)):
            _place(it, what, array, start, length, axis, node)


def _dynamic_slice(it: Interpreter, call: Call, result: Value) -> Value:
    given = call.named("operand", "start_indices", "slice_sizes")
    _slices(it, "dynamic_slice", given.get("operand"), given.get("start_indices"), given.get("slice_sizes"), call.node)
    return result


def _dynamic_update(it: Interpreter, call: Call, result: Value) -> Value:
    given = call.named("operand", "update", "start_indices")
    update = given.get("update")
    if isinstance(update, ArrayValue):
        _slices(
            it, "dynamic_update_slice", given.get("operand"), given.get("start_indices"), update.aval.shape, call.node
        )
    return result


def _in_dim(what: str, names: str, is_one: bool = False) -> Callable[..., Any]:
    """What looks at the place of one block along one axis."""

    def look(it: Interpreter, call: Call, result: Value) -> Value:
        given = {"axis": 0, **call.named(*names.split())}
        length = 1 if is_one else given.get("slice_size")
        _place(
            it,
            what,
            given.get("operand"),
            given.get("start_index", given.get("index")),
            length,
            given["axis"],
            call.node,
        )
        return result

    return look


_CALLS: Final[dict[str, Callable[..., Any]]] = {
    "numpy.array": _array,
    "numpy.asarray": _array,
    "numpy.arange": _arange,
    "numpy.take": _take,
    "numpy.take_along_axis": _take_along,
    "lax.dynamic_slice": _dynamic_slice,
    "lax.dynamic_update_slice": _dynamic_update,
    "lax.dynamic_slice_in_dim": _in_dim("dynamic_slice_in_dim", "operand start_index slice_size axis"),
    "lax.dynamic_index_in_dim": _in_dim("dynamic_index_in_dim", "operand start_index axis", True),
    "lax.dynamic_update_index_in_dim": _in_dim("dynamic_update_index_in_dim", "operand update start_index axis", True),
}
"""What makes or takes indices, by the names of the rules."""

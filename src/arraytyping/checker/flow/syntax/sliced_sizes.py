"""Names for the sizes of slices whose bounds are not known: `x[i : i + k]` has at most `k` items, wherever it begins.

What is cut out is one array with one size, so that arrays made of it are known to have the same.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator

from arraytyping.checker.flow.state.fresh_sizes import fresh_size, limits_of, size_of_int
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.values import ArrayValue, NumPyValue, ScalarValue, Value
from arraytyping.checker.flow.values.frames import Frame
from arraytyping.semantics.avals import Dim, Shape, ShapedArray
from arraytyping.semantics.sizes.dims import as_dim, of_dim
from arraytyping.semantics.sizes.polynomials import Size, constant

__all__ = ["with_sizes_of_slices"]


def with_sizes_of_slices(
    it: Interpreter, node: ast.Subscript, owner: Value, index: Value, result: Value, frame: Frame
) -> Value:
    """The item, with a symbol for each size that a slice leaves open."""
    if not isinstance(result, NumPyValue | ArrayValue) or not isinstance(owner, NumPyValue | ArrayValue):
        return result
    shape = result.aval.shape if isinstance(result, ArrayValue) else result.shape
    if shape is None or all(isinstance(size, int) for size in shape):
        return result
    sizes = list(shape)
    owner_shape = (owner.aval.shape if isinstance(owner, ArrayValue) else owner.shape) or ()
    for at, axis, part in _slices(node.slice, index):
        is_open = axis < len(sizes) and not isinstance(sizes[axis], int)
        if is_open and (part.lower is not None or part.upper is not None):
            most = _most(it, part, frame)
            whole = owner_shape[at] if at < len(owner_shape) else None
            if most is not None and _is_within(it, part, frame, most, whole):
                sizes[axis] = as_dim(most)
            elif sizes[axis] is None:
                sizes[axis] = as_dim(fresh_size(it, "n", None if most is None else most.bounds()[1]))
    return result if tuple(sizes) == shape else _with_shape(result, tuple(sizes))


def _with_shape(value: NumPyValue | ArrayValue, shape: Shape) -> Value:
    if isinstance(value, NumPyValue):
        value.shape = shape  # which was made just now
        return value
    made = value.another()
    made.aval, made.key = ShapedArray(shape, value.aval.dtype, value.aval.weak_type), value.key
    return made


def _slices(node: ast.expr, index: Value) -> Iterator[tuple[int, int, ast.Slice]]:
    """The slices among the first parts of an index as they are written, after their axes and those of the result."""
    written = node.elts if isinstance(node, ast.Tuple) else [node]
    values = index if isinstance(node, ast.Tuple) and isinstance(index, tuple) else (index,)
    axis = 0
    for at, (part, value) in enumerate(zip(written, values)):
        if isinstance(part, ast.Slice):
            yield at, axis, part
            axis += 1
        elif not _is_one_place(value):
            return


def _is_one_place(value: Value) -> bool:
    """Whether an index is one integer, which takes an axis away."""
    if isinstance(value, NumPyValue | ArrayValue):
        array = value if isinstance(value, NumPyValue) else value.aval
        shape, dtype = array.shape, array.dtype
        return shape == () and dtype is not None and dtype.startswith(("int", "uint"))
    return type(value) is int or (isinstance(value, ScalarValue) and value.of_python.kinds == (int,))


def _is_within(it: Interpreter, part: ast.Slice, frame: Frame, count: Size, whole: Dim) -> bool:
    """Whether so many items behind the first bound are all there."""
    size = of_dim(whole)
    if size is None or part.lower is None:
        return False
    least = most = constant(0)
    for addend in _addends(part.lower):
        limits = _limits(it, addend, frame)
        if limits is None:
            return False
        least, most = least + limits[0], most + limits[1]
    low, left = least.bounds()[0], (size - most - count).bounds()[0]
    return low is not None and low >= 0 and left is not None and left >= 0


def _limits(it: Interpreter, node: ast.expr, frame: Frame) -> tuple[Size, Size] | None:
    if not _is_plain(node):
        return None
    value = _value_of(it, node, frame)
    if isinstance(value, NumPyValue):
        return value.limits
    size = size_of_int(value)
    return None if size is None else limits_of(it, size)


def _most(it: Interpreter, part: ast.Slice, frame: Frame) -> Size | None:
    """How many items there are at most, where the second bound is the first one and some more; None if unknown."""
    if part.lower is None or part.upper is None or part.step is not None:
        return None
    if _is_next_block(part.lower, part.upper):
        assert isinstance(part.upper, ast.BinOp)
        return _value(it, [part.upper.right], frame)
    more, less = Counter(map(ast.dump, _addends(part.upper))), Counter(map(ast.dump, _addends(part.lower)))
    if less - more:
        return None
    rest: list[ast.expr] = []
    for addend in _addends(part.upper):
        if (text := ast.dump(addend)) in less and less[text] > 0:
            less[text] -= 1
        else:
            rest.append(addend)
    return _value(it, rest, frame)


def _addends(node: ast.expr) -> list[ast.expr]:
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        return [*_addends(node.left), *_addends(node.right)]
    return [node]


def _is_next_block(lower: ast.expr, upper: ast.expr) -> bool:
    """Whether it is `i * n` and `(i + 1) * n`."""
    if not isinstance(lower, ast.BinOp) or not isinstance(upper, ast.BinOp):
        return False
    if not isinstance(lower.op, ast.Mult) or not isinstance(upper.op, ast.Mult):
        return False
    one_more = [ast.dump(part) for part in _addends(upper.left)]
    is_next = sorted(one_more) == sorted([ast.dump(lower.left), ast.dump(ast.Constant(1))])
    return is_next and ast.dump(lower.right) == ast.dump(upper.right)


def _value(it: Interpreter, addends: list[ast.expr], frame: Frame) -> Size | None:
    """The sum of numbers that are named or written; None if one of them is computed, or may be negative."""
    total = constant(0)
    for addend in addends:
        if not _is_plain(addend):
            return None
        size = size_of_int(_value_of(it, addend, frame))
        if size is None:
            return None
        total += size
    low = total.bounds()[0]
    return total if low is not None and low >= 0 else None


def _value_of(it: Interpreter, node: ast.expr, frame: Frame) -> Value:
    """What a name stands for, or a number; a property that is looked up once more changes nothing."""
    mark = it.journal.mark
    with it.quietly():
        value = it.evaluate(node, frame)
    it.journal.undo(mark)
    return value


def _is_plain(node: ast.expr) -> bool:
    while isinstance(node, ast.Attribute):
        node = node.value
    return isinstance(node, ast.Name | ast.Constant)

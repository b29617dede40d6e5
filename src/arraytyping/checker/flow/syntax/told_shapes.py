"""What a program says of an array narrows what is known of it: `assert x.shape == (b, 3)`, `b, d = x.shape`.

A variable, or an attribute of one, is bound anew to the same array of which more is known; other names of it keep what
was known before.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from typing import Any, Final

from arraytyping.checker.flow.state.fresh_sizes import fresh_size
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.values import (
    MISSING,
    ArrayValue,
    InstanceValue,
    ListValue,
    NumPyValue,
    ScalarValue,
    Value,
)
from arraytyping.checker.flow.values.frames import Frame
from arraytyping.semantics.avals import Dim, Shape, ShapedArray
from arraytyping.semantics.sizes.dims import as_dim

__all__ = ["assume_told", "name_sizes", "narrow", "told_shape"]

_UNKNOWN: Final[Dim] = None


def assume_told(it: Interpreter, test: ast.expr, holds: bool, frame: Frame) -> None:
    """Narrow the arrays of which a condition that holds, or does not, says the shape, the rank or the dtype."""
    pairs = list(_equal(test, holds))
    for left, right in pairs + pairs if len(pairs) > 1 else pairs:  # a rank may be told behind the size of an axis
        for said, other in ((left, right), (right, left)):
            _assume_equal(it, said, other, frame)


def _equal(test: ast.expr, holds: bool) -> Iterator[tuple[ast.expr, ast.expr]]:
    """The pairs of expressions that a condition says to be equal."""
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        yield from _equal(test.operand, not holds)
    elif isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And if holds else ast.Or):
        for part in test.values:
            yield from _equal(part, holds)
    elif isinstance(test, ast.Compare):
        sides = [test.left, *test.comparators]
        equality = ast.Eq if holds else ast.NotEq
        if holds or len(test.ops) == 1:
            for i, operator in enumerate(test.ops):
                if isinstance(operator, equality):
                    yield sides[i], sides[i + 1]


def _assume_equal(it: Interpreter, said: ast.expr, other: ast.expr, frame: Frame) -> None:
    match said:
        case ast.Attribute(value=place, attr="shape"):
            shape = told_shape(_value(it, other, frame))
            if shape is not None:
                narrow(it, place, frame, shape=shape)
        case (
            ast.Attribute(value=place, attr="ndim")
            | ast.Call(func=ast.Name(id="len"), args=[ast.Attribute(value=place, attr="shape")])
        ):
            rank = _value(it, other, frame)
            if type(rank) is int and 0 <= rank <= 64:
                narrow(it, place, frame, shape=(_UNKNOWN,) * rank)
        case ast.Subscript(
            value=ast.Attribute(value=place, attr="shape"),
            slice=ast.Constant(value=int(at)) | ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int(at))),
        ):
            old = _at(it, place, frame)
            rank = len(old.shape) if isinstance(old, NumPyValue) and old.shape is not None else _rank(old)
            index = -at if isinstance(said.slice, ast.UnaryOp) else at
            if rank is not None and -rank <= index < rank:
                sizes: list[Dim] = [_UNKNOWN] * rank
                sizes[index] = _dim(_value(it, other, frame))
                narrow(it, place, frame, shape=tuple(sizes))


def _rank(value: Value) -> int | None:
    return len(value.aval.shape) if isinstance(value, ArrayValue) and value.aval.shape is not None else None


def _value(it: Interpreter, expression: ast.expr, frame: Frame) -> Value:
    """The value of one side of a comparison, which was evaluated already: only what it reads is looked up again."""
    if any(isinstance(n, ast.Call | ast.NamedExpr | ast.Await | ast.Yield) for n in ast.walk(expression)):
        return MISSING
    with it.quietly():
        return it.evaluate(expression, frame)


def told_shape(value: Value) -> Shape | None:
    """A shape that a program gives as a tuple or list of sizes, with None for any; None if its rank is not known."""
    if isinstance(value, ListValue):
        value = value.items
    return tuple(map(_dim, value)) if isinstance(value, tuple | list) else None


def _dim(value: Value) -> Dim:
    if type(value) is int and value >= 0:
        return value
    return as_dim(value.size) if isinstance(value, ScalarValue) and value.size is not None else None


def _at(it: Interpreter, place: ast.expr, frame: Frame) -> Any:
    """The value of a variable or of an attribute of an instance; MISSING if the expression is another."""
    if isinstance(place, ast.Name):
        return frame.find(place.id)
    if isinstance(place, ast.Attribute):
        owner = _at(it, place.value, frame)
        if isinstance(owner, InstanceValue):
            return owner.attributes.get(place.attr, MISSING)
    return MISSING


def narrow(
    it: Interpreter, place: ast.expr, frame: Frame, *, shape: Shape | None = None, dtype: str | None = None
) -> None:
    """Bind a place that holds an array to the same array with what more is known of it."""
    old = _at(it, place, frame)
    new = _narrowed(old, shape, dtype)
    if new is old:
        return
    if isinstance(place, ast.Name):
        owner = frame.owner_of(place.id)
        if owner.variables.get(place.id) is old:
            it.journal.bind(owner, place.id, new)
    elif isinstance(place, ast.Attribute):
        instance = _at(it, place.value, frame)
        it.journal.touch(instance)
        instance.attributes[place.attr] = new


def _narrowed(old: Value, shape: Shape | None, dtype: str | None) -> Value:
    if isinstance(old, ArrayValue) and old.real is None:
        aval = old.aval
        both, one = _met(aval.shape, shape), aval.dtype or dtype
        if both == aval.shape and one == aval.dtype:
            return old
        array = old.another()
        array.aval = ShapedArray(both, one, aval.weak_type)
        array.key, array.life = old.key, old.life
        return array
    if isinstance(old, NumPyValue) and old.data is None:
        both, one = _met(old.shape, shape), old.dtype or dtype
        if both == old.shape and one == old.dtype:
            return old
        numpy_array = NumPyValue(both, one, old.is_scalar, None, old.origin)
        numpy_array.born, numpy_array.alias = old.born, old.alias
        return numpy_array
    return old


def _met(known: Shape | None, told: Shape | None) -> Shape | None:
    """What two descriptions of a shape say together; numbers say more than names."""
    if known is None or told is None or len(known) != len(told):
        return told if known is None else known
    return tuple(b if a is None or (isinstance(b, int) and not isinstance(a, int)) else a for a, b in zip(known, told))


def name_sizes(it: Interpreter, target: ast.expr, value: ast.expr, frame: Frame) -> None:
    """Give the sizes that a statement takes from a shape, and that are not known, names: `b, t = x.shape`."""
    match value:
        case ast.Attribute(value=place, attr="shape") if isinstance(target, ast.Tuple | ast.List):
            elements = target.elts
            old = _at(it, place, frame)
            shape = _shape_of(old)
            if any(isinstance(e, ast.Starred) for e in elements) or not isinstance(old, ArrayValue | NumPyValue):
                return
            if (it.trying or it.attempts) if shape is None else (len(shape) != len(elements) or None not in shape):
                return  # a handler would see the array as it was before
            narrow(it, place, frame, shape=_named(it, shape or (None,) * len(elements), elements))
        case ast.Subscript(value=ast.Attribute(value=place, attr="shape"), slice=ast.Constant(value=int(at))):
            shape = _shape_of(_at(it, place, frame))
            if shape is not None and at < len(shape) and shape[at] is None:
                hints = [target if i == at else None for i in range(len(shape))]
                sizes = _named(it, shape, hints)
                narrow(it, place, frame, shape=tuple(s if i == at else None for i, s in enumerate(sizes)))


def _shape_of(value: Value) -> Shape | None:
    if isinstance(value, ArrayValue):
        return value.aval.shape
    return value.shape if isinstance(value, NumPyValue) else None


def _named(it: Interpreter, shape: Shape, targets: Sequence[ast.expr | None]) -> Shape:
    """A shape whose unknown sizes have the names of what they are assigned to."""
    return tuple(
        as_dim(fresh_size(it, hint.id if isinstance(hint, ast.Name) and hint.id.isalpha() else "n"))
        if size is None
        else size
        for size, hint in zip(shape, targets)
    )

"""Arrays of unknown rank: their shapes are tuples of ints.

An array that is an argument is one array, so that each of its sizes has a name; any other value may stand for many.
"""

from __future__ import annotations

from typing import Final

from arraytyping.checker.flow.state.fresh_sizes import fresh_size
from arraytyping.checker.flow.state.run_slots import Run, RunSlot
from arraytyping.checker.flow.values import ArrayValue, ScalarValue, ShapeValue, Unknown, Value
from arraytyping.semantics.avals import ShapedArray

__all__ = ["one_array", "shape_of", "size_at", "some_shape"]

_WHY: Final = "the shape of an array of unknown rank"
_SHAPES: Final[RunSlot[dict[int, tuple[ArrayValue, ShapeValue]]]] = RunSlot("shapes of arrays of unknown rank", dict)
_MOST: Final = 512
"""How many arrays have sizes with names in a run."""


def one_array(it: Run) -> ArrayValue:
    """One array of which nothing is known."""
    array = ArrayValue(ShapedArray(None, None, None))
    shapes = _SHAPES.of(it)
    if len(shapes) < _MOST:
        shapes[id(array)] = array, ShapeValue(_WHY)
    return array


def some_shape() -> ShapeValue:
    """A shape of which nothing is known but that it is a tuple of ints."""
    return ShapeValue(_WHY)


def shape_of(it: Run, array: ArrayValue) -> ShapeValue:
    """The shape of an array of unknown rank."""
    kept = _SHAPES.of(it).get(id(array))
    return some_shape() if kept is None else kept[1]


def size_at(it: Run, shape: ShapeValue, index: Value) -> Value:
    """An item of a shape: an int, with a name if it is the same whenever it is asked for."""
    if isinstance(index, slice):
        return Unknown(_WHY)
    if type(index) is not int or not any(kept is shape for _, kept in _SHAPES.of(it).values()):
        return ScalarValue(int)
    if index not in shape.sizes:
        shape.sizes[index] = ScalarValue(int, size=fresh_size(it, "n"))
    return shape.sizes[index]

"""Broadcasting of shapes of which parts may be unknown.

Source: https://numpy.org/doc/stable/user/basics.broadcasting.html.
"""

from __future__ import annotations

from arraytyping.avals import Dim, Shape, dim_str, shape_tuple_str
from arraytyping.rules.errors import ShapeError

__all__ = ["broadcast_dims", "broadcast_shapes"]


def broadcast_dims(a: Dim, b: Dim) -> Dim:
    """The size that two sizes broadcast to; None if it cannot be known.

    Raises:
        ValueError: if both are known, differ, and neither is 1.
    """
    if a == b:
        return a
    if a == 1:
        return b
    if b == 1:
        return a
    if isinstance(a, int) and isinstance(b, int):
        raise ValueError
    # An unknown size beside a known one that is not 1 must be it, or be 1: the result is the known one.
    if isinstance(a, int):
        return a
    return b if isinstance(b, int) else None


def broadcast_shapes(operation: str, *shapes: Shape | None) -> Shape | None:
    """The shape that shapes broadcast to; None if the rank of one is unknown.

    Raises:
        ShapeError: if they certainly do not broadcast, naming the dimension.
    """
    known = [s for s in shapes if s is not None]
    rank = max(map(len, known), default=0)
    result: list[Dim] = []
    for i in range(-rank, 0):
        dim: Dim = 1
        met: Shape = ()  # the shape that `dim` comes from, once it is a known size other than 1
        for shape in known:
            if len(shape) < -i:
                continue
            try:
                dim = broadcast_dims(dim, shape[i])
            except ValueError:
                raise ShapeError(
                    f"{operation}: incompatible shapes for broadcasting: "
                    f"{' and '.join(map(shape_tuple_str, known))}: dimension {rank + i} is "
                    f"{dim_str(met[i])} against {dim_str(shape[i])}"
                ) from None
            if dim == shape[i] != 1:
                met = shape
        result.append(dim)
    return None if len(known) < len(shapes) else tuple(result)

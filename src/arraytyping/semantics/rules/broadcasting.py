"""Broadcasting of shapes of which parts may be unknown.

Source: https://numpy.org/doc/stable/user/basics.broadcasting.html.
"""

from __future__ import annotations

from arraytyping.semantics.avals import Dim, Shape, dim_str, shape_tuple_str
from arraytyping.semantics.rules.errors import ShapeError
from arraytyping.semantics.sizes.dims import differ, known_dim

__all__ = ["broadcast_dims", "broadcast_shapes"]


def broadcast_dims(a: Dim, b: Dim) -> Dim:
    """The size that two sizes broadcast to; None if it cannot be known.

    Raises:
        ValueError: if they differ for certain, and neither is 1.
    """
    if a == b:
        return a
    if a == 1:
        return b
    if b == 1:
        return a
    a_stays, b_stays = differ(a, 1), differ(b, 1)
    if a_stays and b_stays:
        if differ(a, b):
            raise ValueError
        return known_dim((a, b))
    # A size that may be 1 beside one that is not must be that, or be 1: the result is the latter.
    return a if a_stays else b if b_stays else None


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

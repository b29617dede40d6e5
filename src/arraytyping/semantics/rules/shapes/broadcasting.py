"""Broadcasting of shapes of which parts may be unknown.

Source: https://numpy.org/doc/stable/user/basics.broadcasting.html.
"""

from __future__ import annotations

from arraytyping.semantics.avals import Dim, Shape, dim_str, shape_tuple_str
from arraytyping.semantics.rules.errors import ShapeError
from arraytyping.semantics.sizes.dims import differ, known_dim

__all__ = ["broadcast_dims", "broadcast_shapes", "stretched"]


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


def broadcast_shapes(operation: str, *shapes: Shape | None, exception: type[Exception] = TypeError) -> Shape | None:
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
                    f"{dim_str(met[i])} against {dim_str(shape[i])}",
                    exception,
                ) from None
            if dim == shape[i] != 1:
                met = shape
        result.append(dim)
    return None if len(known) < len(shapes) else tuple(result)


def stretched(operation: str, shape: Shape, target: Shape) -> Shape:
    """The target shape, with what the shape of the array that is broadcast to it tells of it.

    Raises:
        ShapeError: if the array certainly does not broadcast to just this shape (`ValueError`).
    """
    lead = len(target) - len(shape)
    dims: list[Dim] = list(target[: max(lead, 0)])
    for have, want in zip(shape, target[max(lead, 0) :]):
        if lead < 0 or (differ(have, 1) and differ(have, want)):
            break
        dims.append(known_dim((want, have)) if differ(have, 1) else want)
    if lead < 0 or len(dims) < len(target):
        raise ShapeError(
            f"{operation}: an array of shape {shape_tuple_str(shape)} does not broadcast to {shape_tuple_str(target)}; "
            "each size has to be 1 or the one asked for, counted from the last",
            ValueError,
        )
    return tuple(dims)

"""Rules of `jax.image`: images of other sizes, of an inexact dtype but for those whose pixels are taken as they are.

Source: https://github.com/jax-ml/jax/blob/main/jax/_src/image/scale.py.
"""

from __future__ import annotations

from typing import Any, Final

from arraytyping.semantics.avals import UNKNOWN, NumPyArray, Shape, ShapedArray, shape_tuple_str
from arraytyping.semantics.rules.axes import canonicalize_axis
from arraytyping.semantics.rules.context import Context
from arraytyping.semantics.rules.dtype_kinds import to_inexact
from arraytyping.semantics.rules.errors import RuleError, ShapeError
from arraytyping.semantics.rules.operands import as_operand
from arraytyping.semantics.rules.static_arguments import as_shape
from arraytyping.semantics.rules.table import rule

_NEAREST: Final = "nearest"
_METHODS: Final = frozenset({
    _NEAREST, "linear", "bilinear", "trilinear", "triangle", "lanczos3", "lanczos5", "cubic", "bicubic", "tricubic",
    "cubic-pytorch", "bicubic-pytorch", "area",
})  # fmt: skip


@rule("image.resize")
def resize(
    cx: Context, image: Any, shape: Any, method: Any, antialias: Any = True, precision: Any = None
) -> ShapedArray:
    """`jax.image.resize`: weak if the image is and no size changes; less than no pixels are none."""
    operation = "image.resize"
    array = as_operand(cx, image, operation)
    target = _target(operation, array.shape, shape)
    taken = _is_taken(operation, method)
    changes: list[bool | None] = [None]
    if target is not None and array.shape is not None:
        _check_pixels(operation, array.shape, target, taken)
        changes = [a != b if isinstance(a, int) and isinstance(b, int) else None for a, b in zip(array.shape, target)]
    is_changed = True if any(changes) else None if None in changes else False
    return ShapedArray(target, _dtype(array.dtype, taken), _weak(array, taken, is_changed))


def _check_pixels(operation: str, shape: Shape, target: Shape, taken: bool | None) -> None:
    """Check that there are pixels to make the others of.

    Raises:
        ShapeError: if there are none along a dimension, with the exception that JAX comes to.
    """
    if any(n == 0 and isinstance(size, int) and size != 0 for n, size in zip(shape, target)):
        exception = ValueError if taken is None else TypeError if taken else ZeroDivisionError
        told = f"there are pixels to make the others of, got an image of shape {shape_tuple_str(shape)}"
        raise ShapeError(f"{operation}: {told}", exception)


@rule("image.scale_and_translate")
def scale_and_translate(
    cx: Context, image: Any, shape: Any, spatial_dims: Any, scale: Any, translation: Any, method: Any,
    antialias: Any = True, precision: Any = None,
) -> ShapedArray:  # fmt: skip
    """`jax.image.scale_and_translate`: the sizes of the dimensions that are named change."""
    operation = "image.scale_and_translate"
    as_shape(operation, shape)
    if not isinstance(image, ShapedArray | NumPyArray) and image is not UNKNOWN:
        raise RuleError(f"{operation}: an image is an array, got {image}; convert it with jnp.asarray", AttributeError)
    array = as_operand(cx, image, operation)
    target = _target(operation, array.shape, shape)
    if _is_taken(operation, method):
        raise RuleError(f"{operation}: the method 'nearest' is there for resize alone; give another", ValueError)
    dtype = _dtype(array.dtype, False)
    weak = False if array.dtype == "bool" else array.weak_type
    if not isinstance(spatial_dims, tuple | list) or array.shape is None or target is None:
        return ShapedArray(None, dtype, False if weak is False else None)
    sizes = list(array.shape)
    for axis in spatial_dims:
        at = canonicalize_axis(operation, axis, len(sizes))
        if at is None:
            return ShapedArray((None,) * len(sizes), dtype, False)
        sizes[at] = target[at]
    return ShapedArray(tuple(sizes), dtype, False if spatial_dims else weak)


def _target(operation: str, shape: Shape | None, new: Any) -> Shape | None:
    """The shape that is asked for.

    Raises:
        ShapeError: for one of another number of dimensions.
    """
    target = as_shape(operation, new)
    if target is None:
        return None
    if shape is not None and len(target) != len(shape):
        told = f"{shape_tuple_str(target)} for an image of shape {shape_tuple_str(shape)}"
        raise ShapeError(f"{operation}: the shape needs a size for each dimension of the image, got {told}", ValueError)
    return tuple(max(size, 0) if isinstance(size, int) else size for size in target)


def _is_taken(operation: str, method: Any) -> bool | None:
    """Whether pixels are taken as they are; None if that is not known.

    Raises:
        RuleError: for a method that there is not.
    """
    if not isinstance(method, str):
        return None
    if method not in _METHODS:
        names = ", ".join(sorted(_METHODS))
        raise RuleError(f"{operation}: there is no method {method!r}; give one of {names}", ValueError)
    return method == _NEAREST


def _dtype(dtype: str | None, taken: bool | None) -> str | None:
    if dtype is None or taken or dtype == to_inexact(dtype):
        return dtype
    return to_inexact(dtype) if taken is False else None


def _weak(array: ShapedArray, taken: bool | None, is_changed: bool | None) -> bool | None:
    """Pixels that are taken as they are keep it, and the others where no size changes; bool is made another dtype."""
    if array.weak_type is False or (array.dtype == "bool" and taken is False):
        return False
    if taken or is_changed is False:
        return array.weak_type
    return False if is_changed and taken is False else None

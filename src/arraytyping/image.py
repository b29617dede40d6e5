"""Images of other sizes: `resize`, `scale_and_translate`, under the names of `jax.image`.

Along each dimension the pixels of the result are sums of those of the image, weighted by a kernel.

Source: https://docs.jax.dev/en/latest/jax.image.html; `jax/_src/image/scale.py` of jax 0.10.2.
"""

from __future__ import annotations

import enum
import operator
from collections.abc import Callable, Sequence
from typing import Any, Final

import arraytyping.runtime as _runtime  # noqa: F401 (first: it says which library is missing)

# isort: split
import numpy as np

from arraytyping import numpy as anp
from arraytyping.numpy.promoting import promoted_inexact
from arraytyping.runtime import whole as whole
from arraytyping.runtime.array_likes import array_from, materialized
from arraytyping.runtime.lax.precisions import Precision
from arraytyping.runtime.transformations.jit import jit

__all__ = ["ResizeMethod", "resize", "scale_and_translate"]

_LEAST: Final = 1000.0 * float(np.finfo(np.float32).eps)
"""A sum of weights that is no greater counts as none."""

Kernel = Callable[[Any], Any]
"""The weight of a pixel at a distance."""


class ResizeMethod(enum.Enum):
    """How the pixels between those of an image are worked out."""

    NEAREST = 0
    LINEAR = 1
    LANCZOS3 = 2
    LANCZOS5 = 3
    CUBIC = 4
    CUBIC_PYTORCH = 5
    AREA = 6

    @staticmethod
    def from_string(s: str) -> ResizeMethod:
        """The method of a name.

        Raises:
            ValueError: for an unknown one.
        """
        try:
            return _NAMED[s]
        except KeyError:
            raise ValueError(f'Unknown resize method "{s}"') from None


_NAMED: Final = {
    **dict.fromkeys(("linear", "bilinear", "trilinear", "triangle"), ResizeMethod.LINEAR),
    **dict.fromkeys(("cubic", "bicubic", "tricubic"), ResizeMethod.CUBIC),
    **dict.fromkeys(("cubic-pytorch", "bicubic-pytorch"), ResizeMethod.CUBIC_PYTORCH),
    "nearest": ResizeMethod.NEAREST, "lanczos3": ResizeMethod.LANCZOS3, "lanczos5": ResizeMethod.LANCZOS5,
    "area": ResizeMethod.AREA,
}  # fmt: skip


def _lanczos(radius: float) -> Kernel:
    def weight(x: Any) -> Any:
        waves = radius * anp.sin(np.pi * x) * anp.sin(np.pi * x / radius)
        square = anp.where(x != 0, np.pi**2 * x**2, 1)
        return anp.where(x > radius, 0.0, anp.where(x > 1e-3, anp.divide(waves, square), 1))

    return weight


def _keys_cubic(x: Any) -> Any:
    near = ((1.5 * x - 2.5) * x) * x + 1.0
    far = ((-0.5 * x + 2.5) * x - 4.0) * x + 2.0
    return anp.where(x >= 2.0, 0.0, anp.where(x >= 1.0, far, near))


def _opencv_cubic(x: Any) -> Any:
    a = -0.75
    near = ((a + 2.0) * x - (a + 3.0)) * x * x + 1.0
    far = ((a * x - 5.0 * a) * x + 8.0 * a) * x - 4.0 * a
    return anp.where(x >= 2.0, 0.0, anp.where(x >= 1.0, far, near))


def _triangle(x: Any) -> Any:
    return anp.maximum(0, 1 - anp.abs(x))


_KERNELS: Final[dict[ResizeMethod, tuple[int, Kernel | None]]] = {
    ResizeMethod.LINEAR: (1, _triangle),
    ResizeMethod.LANCZOS3: (3, _lanczos(3.0)),
    ResizeMethod.LANCZOS5: (5, _lanczos(5.0)),
    ResizeMethod.CUBIC: (2, _keys_cubic),
    ResizeMethod.CUBIC_PYTORCH: (2, _opencv_cubic),
    ResizeMethod.AREA: (1, None),
}
"""How far each kernel reaches, and the kernel; of the area there is none."""


def _weights(
    size: int, out_size: int, scale: Any, translation: Any, kernel: Kernel | None, antialias: bool, beyond: int
) -> Any:
    """How much each pixel along a dimension counts for each of the result; `beyond` so many outside are edge pixels."""
    dtype = anp.result_type(scale, translation)
    inverse = 1.0 / scale
    samples = (anp.arange(out_size, dtype=dtype) + 0.5) * inverse - translation * inverse - 0.5
    places = anp.arange(-beyond, size + beyond, dtype=dtype)
    if kernel is None:
        left = anp.arange(out_size, dtype=dtype) * inverse - translation * inverse
        ends = anp.minimum((left + inverse)[None, :], (places + 1.0)[:, None])
        weights = anp.maximum(0.0, ends - anp.maximum(left[None, :], places[:, None]))
    else:
        distances = anp.abs(samples[None, :] - places[:, None])
        weights = kernel(distances / (anp.maximum(inverse, 1.0) if antialias else 1.0))
    if beyond:
        edges = anp.clip(places.astype("int32"), 0, size - 1)
        columns = anp.broadcast_to(anp.arange(out_size), weights.shape)
        weights = anp.zeros((size, out_size), dtype=dtype).at[edges[:, None], columns].add(weights)
    total = anp.sum(weights, axis=0, keepdims=True)
    weights = anp.where(anp.abs(total) > _LEAST, anp.divide(weights, anp.where(total != 0, total, 1)), 0)
    if beyond:
        return weights
    inside = anp.logical_and(samples >= -0.5, samples <= size - 0.5)
    return anp.where(inside[None, :], weights, 0)


def _resampled(
    x: Any, shape: Sequence[int], dims: Sequence[int], scale: Any, translation: Any, method: ResizeMethod,
    antialias: bool, precision: Any,
) -> Any:  # fmt: skip
    """The image resampled along some dimensions."""
    if not dims:
        return x
    is_padded = method is ResizeMethod.CUBIC_PYTORCH and not antialias
    radius, kernel = _KERNELS[ResizeMethod.CUBIC if method is ResizeMethod.CUBIC_PYTORCH and antialias else method]
    rank = len(shape)
    operands: list[Any] = [x, [*range(rank)]]
    out = [*range(rank)]
    for i, d in enumerate(dims):
        if not -rank <= d < rank:
            raise ValueError(f"axis {d} is out of bounds for an image of {rank} dimensions")
        place = d % rank
        beyond = radius if is_padded else 0
        weights = _weights(x.shape[place], shape[place], scale[i], translation[i], kernel, antialias, beyond)
        operands += [weights.astype(x.dtype), [place, rank + i]]
        out[place] = rank + i
    return anp.einsum(*operands, out, precision=precision)


def _nearest(x: Any, shape: Sequence[int]) -> Any:
    for d, (size, out_size) in enumerate(zip(x.shape, shape)):
        if size != out_size:
            places = anp.floor((anp.arange(out_size, dtype="float32") + 0.5) * size / out_size).astype("int32")
            x = x[(*[slice(None)] * d, places)]
    return x


def _shape_of(image: Any, shape: Sequence[int]) -> tuple[Any, tuple[int, ...]]:
    x = materialized(array_from(image))
    sizes = tuple(map(operator.index, shape))
    if len(sizes) != len(x.shape):
        raise ValueError(f"shape must have length equal to the number of dimensions of x;  {sizes} vs {x.shape}")
    return x, sizes


def _method(method: str | ResizeMethod) -> ResizeMethod:
    return ResizeMethod.from_string(method) if isinstance(method, str) else method


def _resized(image: Any, shape: tuple[int, ...], method: ResizeMethod, antialias: bool, precision: Any) -> Any:
    if method is ResizeMethod.NEAREST:
        return _nearest(image, shape)
    x = materialized(*promoted_inexact(image))
    dims = [d for d, (size, wanted) in enumerate(zip(x.shape, shape)) if size != wanted]
    scale = [1.0 if shape[d] == 0 else shape[d] / x.shape[d] for d in dims]
    return _resampled(x, shape, dims, scale, [0.0] * len(dims), method, antialias, precision)


_compiled: Final = jit(_resized, static_argnums=(1, 2, 3, 4))


def resize(
    image: Any, shape: Sequence[int], method: str | ResizeMethod, antialias: bool = True,
    precision: Any = Precision.HIGHEST,
) -> Any:  # fmt: skip
    """`jax.image.resize`: the image in another shape; `antialias` smoothes where it gets smaller.

    Raises:
        ValueError: for a shape of another rank, and for an unknown method.
    """
    x, sizes = _shape_of(image, shape)
    return _compiled(x, sizes, _method(method), bool(antialias), precision)


def scale_and_translate(
    image: Any, shape: Sequence[int], spatial_dims: Sequence[int], scale: Any, translation: Any,
    method: str | ResizeMethod, antialias: bool = True, precision: Any = Precision.HIGHEST,
) -> Any:  # fmt: skip
    """`jax.image.scale_and_translate`: the image of a shape whose pixels come from where these take them.

    Raises:
        ValueError: for a shape of another rank, an unknown method, and the nearest pixel as method.
    """
    x, sizes = _shape_of(image, shape)
    chosen = _method(method)
    if chosen is ResizeMethod.NEAREST:
        raise ValueError("Nearest neighbor resampling is not currently supported for scale_and_translate.")
    (x,) = map(materialized, promoted_inexact(x))
    by, to = map(materialized, promoted_inexact(array_from(scale), array_from(translation)))
    return _resampled(x, sizes, tuple(spatial_dims), by, to, chosen, bool(antialias), precision)

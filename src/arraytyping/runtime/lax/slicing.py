"""Parts of arrays at places known in advance: slices, padding, reversal, concatenation.

Source: https://docs.jax.dev/en/latest/jax.lax.html.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from arraytyping.runtime.core import Primitive
from arraytyping.runtime.lax.arithmetic import constant_like, sub_p
from arraytyping.runtime.lax.creation import full_of
from arraytyping.runtime.lax.reductions import reduce_sum
from arraytyping.runtime.lax.structure import linear_unary
from arraytyping.runtime.tracing.batching import move_batch_dim
from arraytyping.runtime.tracing.tangents import Zero, instantiate, is_zero
from arraytyping.runtime.tracing.transposing import is_linear
from arraytyping.semantics.avals import ShapedArray
from arraytyping.semantics.rules.named import named

__all__ = ["concatenate_p", "pad_p", "rev_p", "slice_p"]

slice_p: Final = Primitive("slice", named("lax.slice"))
pad_p: Final = Primitive("pad", named("lax.pad"))
rev_p: Final = Primitive("rev", named("lax.rev"))


def _concatenate_rule(cx: Any, *operands: ShapedArray, dimension: int) -> ShapedArray:
    result: ShapedArray = named("lax.concatenate")(cx, operands, dimension)
    return result


concatenate_p: Final = Primitive("concatenate", _concatenate_rule)

linear_unary(slice_p)
linear_unary(rev_p)


def _transpose_slice(ct: Any, x: Any, *, start_indices: Any, limit_indices: Any, strides: Any) -> list[Any]:
    config = []
    for size, start, stride, n in zip(x.aval.shape, start_indices, strides or (1,) * len(start_indices), ct.aval.shape):
        covered = start + (1 + stride * (n - 1) if n else 0)
        config.append((start, size - covered, stride - 1))
    return [pad_p.bind(ct, constant_like(ct, 0), padding_config=tuple(config))]


def _batch_slice(axis: Any, args: Any, dims: Any, *, start_indices: Any, limit_indices: Any, strides: Any) -> Any:
    (x,), (dim,) = args, dims

    def with_batch(values: Sequence[int], own: int) -> tuple[int, ...]:
        return (*values[:dim], own, *values[dim:])

    return slice_p.bind(
        x,
        start_indices=with_batch(start_indices, 0),
        limit_indices=with_batch(limit_indices, axis.size),
        strides=None if strides is None else with_batch(strides, 1),
    ), dim


slice_p.transpose_rule = _transpose_slice
slice_p.batching_rule = _batch_slice

rev_p.transpose_rule = lambda ct, x, *, dimensions: [rev_p.bind(ct, dimensions=dimensions)]
rev_p.batching_rule = lambda axis, args, dims, *, dimensions: (
    rev_p.bind(args[0], dimensions=tuple(d if d < dims[0] else d + 1 for d in dimensions)),
    dims[0],
)


def _pad_jvp(primals: Sequence[Any], tangents: Sequence[Any], *, padding_config: Any) -> tuple[Any, Any]:
    result = pad_p.bind(*primals, padding_config=padding_config)
    if all(map(is_zero, tangents)):
        return result, Zero(result.aval)
    return result, pad_p.bind(*map(instantiate, tangents), padding_config=padding_config)


def _transpose_pad(ct: Any, x: Any, value: Any, *, padding_config: Any) -> list[Any]:
    inner = pad_p.bind(
        ct, constant_like(ct, 0), padding_config=tuple((-low, -high, 0) for low, high, _ in padding_config)
    )
    shape = inner.aval.shape
    inner = slice_p.bind(
        inner, start_indices=(0,) * len(shape), limit_indices=shape, strides=tuple(i + 1 for _, _, i in padding_config)
    )
    assert inner.aval.shape == x.aval.shape
    outs: list[Any] = [inner if is_linear(x) else None, None]
    if is_linear(value):
        everything = reduce_sum(ct, tuple(range(len(ct.aval.shape))))
        outs[1] = sub_p.bind(everything, reduce_sum(inner, tuple(range(len(shape)))))
    return outs


def _batch_pad(axis: Any, args: Any, dims: Any, *, padding_config: Any) -> tuple[Any, int]:
    (x, value), (dim, of_value) = args, dims
    if of_value is None:
        config = (*padding_config[:dim], (0, 0, 0), *padding_config[dim:])
        return pad_p.bind(x, value, padding_config=config), dim
    # a padding value for each example: pad a mask, and choose
    from arraytyping.runtime.lax.choices import select_n_p

    x = move_batch_dim(axis, x, dim, 0)
    config = ((0, 0, 0), *padding_config)
    padded = pad_p.bind(x, constant_like(x, 0), padding_config=config)
    ones = full_of(True, ShapedArray(x.aval.shape, "bool", False))
    mask = pad_p.bind(ones, constant_like(ones, 0), padding_config=config)
    from arraytyping.runtime.lax.structure import broadcast_in_dim_p

    filled = broadcast_in_dim_p.bind(value, shape=padded.aval.shape, broadcast_dimensions=(0,))
    return select_n_p.bind(mask, filled, padded), 0


pad_p.jvp_rule = _pad_jvp
pad_p.transpose_rule = _transpose_pad
pad_p.batching_rule = _batch_pad


def _concatenate_jvp(primals: Sequence[Any], tangents: Sequence[Any], *, dimension: int) -> tuple[Any, Any]:
    result = concatenate_p.bind(*primals, dimension=dimension)
    if all(map(is_zero, tangents)):
        return result, Zero(result.aval)
    return result, concatenate_p.bind(*map(instantiate, tangents), dimension=dimension)


def _transpose_concatenate(ct: Any, *xs: Any, dimension: int) -> list[Any]:
    outs: list[Any] = []
    start = 0
    for x in xs:
        size = x.aval.shape[dimension]
        if is_linear(x):
            shape = ct.aval.shape
            outs.append(
                slice_p.bind(
                    ct,
                    start_indices=tuple(start if d == dimension else 0 for d in range(len(shape))),
                    limit_indices=tuple(start + size if d == dimension else n for d, n in enumerate(shape)),
                    strides=None,
                )
            )
        else:
            outs.append(None)
        start += size
    return outs


def _batch_concatenate(axis: Any, args: Any, dims: Any, *, dimension: int) -> tuple[Any, int]:
    moved = [move_batch_dim(axis, x, d, 0) for x, d in zip(args, dims)]
    return concatenate_p.bind(*moved, dimension=dimension + 1), 0


concatenate_p.jvp_rule = _concatenate_jvp
concatenate_p.transpose_rule = _transpose_concatenate
concatenate_p.batching_rule = _batch_concatenate

"""Random draws from given items: permutations, choices and categories.

Source: https://github.com/jax-ml/jax/blob/main/jax/_src/random/core.py.
"""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from arraytyping.basearray import Array
from arraytyping.numpy.promoting import promoted_inexact
from arraytyping.numpy.searching import searchsorted
from arraytyping.numpy.selecting import take
from arraytyping.random.bits_of_keys import bits_of, key_bits, sampler, two_keys
from arraytyping.random.continuous import gumbel_of, sizes, uniform_of
from arraytyping.random.discrete import randint_of
from arraytyping.runtime.array_likes import array_from, concrete_int, convert_to
from arraytyping.runtime.calling import type_of
from arraytyping.runtime.lax.aggregates import slice_along
from arraytyping.runtime.lax.arithmetic import add_p, constant_like, mul_p, sub_p
from arraytyping.runtime.lax.creation import iota_of, zeros_of
from arraytyping.runtime.lax.cumulative import cumsum_p
from arraytyping.runtime.lax.dtype_arguments import canonical_dtype
from arraytyping.runtime.lax.elementary import log_p
from arraytyping.runtime.lax.extremes import argmax_p
from arraytyping.runtime.lax.sorting import sort_p, top_k_p
from arraytyping.runtime.lax.structure import moveaxis, reshape, transpose
from arraytyping.semantics.avals import ShapedArray

__all__ = ["categorical", "choice", "permutation"]


def shuffled(key: Any, x: Any, axis: int) -> Any:
    """The items along an axis in a random order, of each line its own: sorted by random bits, often enough."""
    shape = x.aval.shape
    rounds = math.ceil(3 * math.log(max(1, math.prod(shape))) / math.log(0xFFFFFFFF))
    for _ in range(rounds):
        key, subkey = two_keys(key)
        _, x = sort_p.bind(bits_of(subkey, 32, shape), x, dimension=axis, is_stable=True, num_keys=1)
    return x


def range_of(size: int) -> Any:
    """The integers from 0, of the default dtype."""
    return iota_of(canonical_dtype(int, "arange"), (max(size, 0),), 0)


def permuted(key: Any, x: Any, axis: int, independent: bool) -> Any:
    """The items along an axis in a random order; `independent` gives each line its own."""
    if independent or len(x.aval.shape) == 1:
        return shuffled(key, x, axis)
    return take(x, shuffled(key, range_of(x.aval.shape[axis]), 0), axis, unique_indices=True)


def of_items(name: str, items: str, *arrays: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Make a public function of a body of which the argument `items` is an array, or a number that stands for a range.

    A number is static: the size of the result depends on it.
    """

    def decorate(body: Callable[..., Any]) -> Callable[..., Any]:
        of_array, of_number = sampler(name, items, *arrays)(body), sampler(name, *arrays)(body)
        signature = inspect.signature(of_array)

        def function(*args: Any, **kwargs: Any) -> Any:
            try:
                bound = signature.bind(*args, **kwargs)
            except TypeError as error:
                raise TypeError(f"{name}: {error}") from None
            key_bits(name, bound.arguments["key"])
            given = bound.arguments[items]
            if isinstance(given, Array) and not given.ndim:  # type: ignore[attr-defined]
                bound.arguments[items] = concrete_int(given, f"the size {items} of {name}")
            is_number = isinstance(given, int | float) or (
                isinstance(given, Array | np.ndarray | np.generic) and not given.ndim  # type: ignore[union-attr]
            )
            return (of_number if is_number else of_array)(*bound.args, **bound.kwargs)

        function.__name__ = function.__qualname__ = name
        function.__doc__ = body.__doc__
        function.__signature__ = signature  # type: ignore[attr-defined]
        function.__module__ = body.__module__
        return function

    return decorate


@of_items("permutation", "x")
def permutation(
    answer: ShapedArray, key: Any, x: Any, axis: int = 0, independent: bool = False, *, out_sharding: Any = None
) -> Any:
    """`jax.random.permutation`: the items of an array in a random order, or the integers before a number."""
    if not isinstance(x, Array):
        shape, index = type_of(answer)
        return shuffled(key, iota_of(index, shape, 0), 0)
    return permuted(key, x, axis % x.ndim, independent)  # type: ignore[attr-defined]


@of_items("choice", "a", "p")
def choice(
    answer: ShapedArray, key: Any, a: Any, shape: Sequence[int] = (), replace: bool = True, p: Any = None,
    axis: int = 0, mode: str | None = None,
) -> Any:  # fmt: skip
    """`jax.random.choice`: random items of an array, or of the integers before a number; `p` is how likely each is."""
    is_array = isinstance(a, Array)  # else a number
    own: tuple[int, ...] = a.aval.shape if is_array else ()
    axis = axis % len(own) if own else 0
    size = own[axis] if own else int(a)
    shape = sizes(shape)
    draws = math.prod(shape)
    if draws == 0:
        array = a if is_array else array_from(a)
        return zeros_of(type(array.aval)(shape, array.aval.dtype, False))
    result: Any
    if p is None and not replace:
        everything = permuted(key, a, axis, False) if own else shuffled(key, range_of(size), 0)
        result = slice_along(everything, 0, draws, axis=axis)
    else:
        if p is None:
            places = randint_of(key, shape, array_from(0), array_from(size), canonical_dtype(int, "choice"))
        else:
            places = _places(key, p, shape, replace, mode)
        result = take(a, places, axis) if own else places
    return reshape(result, type_of(answer)[0])


def _places(key: Any, p: Any, shape: tuple[int, ...], replace: bool, mode: str | None) -> Any:
    """Random places, by probabilities: where a random number falls among their sums, or the greatest of random ones."""
    (weights,) = promoted_inexact(p if isinstance(p, Array) else array_from(p))
    dtype = weights.aval.dtype
    default = canonical_dtype(int, "choice")
    if not replace:
        noise = gumbel_of(key, weights.aval.shape, dtype, mode)
        _, places = top_k_p.bind(add_p.bind(noise, log_p.bind(weights)), k=math.prod(shape), axis=0)
        return convert_to(places, default)
    sums = cumsum_p.bind(weights, axis=0, reverse=False)
    n = sums.aval.shape[0]
    whole = reshape(slice_along(sums, n - 1, n), ())
    fraction = uniform_of(key, shape, dtype, 0.0, 1.0)
    number = mul_p.bind(whole, sub_p.bind(constant_like(fraction, 1), fraction))
    return convert_to(searchsorted(sums, number), default)


@sampler("categorical", "logits")
def categorical(
    answer: ShapedArray, key: Any, logits: Any, axis: int = -1, shape: int | Sequence[int] | None = None,
    replace: bool = True, mode: str | None = None, *, out_sharding: Any = None,
) -> Any:  # fmt: skip
    """`jax.random.categorical`: categories, as likely as the exponentials of their logits.

    It is the one whose logit is greatest, with Gumbel-distributed noise added.
    """
    own = logits.aval.shape
    axis %= len(own)
    batch = (*own[:axis], *own[axis + 1 :])
    size, index = type_of(answer)
    prefix = size[: len(size) - len(batch)]
    dtype = logits.aval.dtype
    if replace:
        lines = list(size[len(prefix) :])
        lines.insert(axis, own[axis])
        noise = gumbel_of(key, (*prefix, *lines), dtype, mode)
        numbers = add_p.bind(noise, reshape(logits, ((1,) * len(prefix) + own)))
        return argmax_p.bind(numbers, axes=(len(prefix) + axis,), index_dtype=index)
    numbers = add_p.bind(logits, gumbel_of(key, own, dtype, mode))
    last = len(own) - 1
    _, places = top_k_p.bind(moveaxis(numbers, axis, last), k=math.prod(prefix), axis=last)
    return reshape(transpose(places, (last, *range(last))), size)

"""Products of matrices with their transposes, factors that are updated, and permutations, by loops and products.

Source: of the update, P. E. Gill et al., "Methods for modifying matrix factorizations",
https://doi.org/10.1090/S0025-5718-1974-0343558-6.
"""

from __future__ import annotations

import math
from typing import Any

from arraytyping.runtime.array_likes import convert_to
from arraytyping.runtime.lax.arithmetic import add_p, constant_like, div_p, mul_p, neg_p, sub_p
from arraytyping.runtime.lax.choices import select_n_p
from arraytyping.runtime.lax.comparisons import eq_p, max_p
from arraytyping.runtime.lax.creation import full_of, iota_of
from arraytyping.runtime.lax.dynamic_slicing import dynamic_slice_p, dynamic_update_slice_p
from arraytyping.runtime.lax.elementary import sqrt_p
from arraytyping.runtime.lax.gathering import GatherScatterMode
from arraytyping.runtime.lax.integers import abs_p
from arraytyping.runtime.lax.linalg.matrices import matmul, swapped
from arraytyping.runtime.lax.linalg.pivots import lu_pivots_to_permutation_p
from arraytyping.runtime.lax.linalg.updates import cholesky_update_p, symmetric_product_p
from arraytyping.runtime.lax.scattering import scatter_p
from arraytyping.runtime.lax.sorting import taken_along
from arraytyping.runtime.lax.structure import reshape
from arraytyping.runtime.xla.lowerings.composing import composed
from arraytyping.semantics.avals import ShapedArray
from arraytyping.semantics.rules.dimension_numbers import ScatterDimensionNumbers

__all__ = ["exchanged"]


def exchanged(pivots: Any, *, permutation_size: int) -> Any:
    """The permutation that exchanges of rows, one after the other, make."""
    from arraytyping.runtime.lax.control_flow import fori_loop

    *lead, count = pivots.aval.shape
    if permutation_size == 0 or count == 0:
        return iota_of("int32", (*lead, permutation_size), len(lead))
    batch = math.prod(lead)
    swaps = reshape(pivots, (batch, count))
    permutation = iota_of("int32", (batch, permutation_size), 1)
    numbers = ScatterDimensionNumbers((), (1,), (1,), (0,), (0,))
    zero = full_of(0, ShapedArray((), "int32", False))

    def exchange(i: Any, order: Any) -> Any:
        i = convert_to(i, "int32")  # with x64 the loop counts in 64 bits
        place = dynamic_slice_p.bind(swaps, zero, i, slice_sizes=(batch, 1))
        here = dynamic_slice_p.bind(order, zero, i, slice_sizes=(batch, 1))
        there = taken_along(order, place, 1)
        order = dynamic_update_slice_p.bind(order, there, zero, i)
        return scatter_p.bind(
            order, reshape(place, (batch, 1, 1)), here, dimension_numbers=numbers, indices_are_sorted=True,
            unique_indices=True, mode=GatherScatterMode.PROMISE_IN_BOUNDS,
        )  # fmt: skip

    return reshape(fori_loop(0, count, exchange, permutation), (*lead, permutation_size))


def _rotation(x: Any, y: Any) -> tuple[Any, Any]:
    """The cosine and the sine of the rotation that makes the second of two numbers 0."""
    is_zero = eq_p.bind(y, constant_like(y, 0))
    greatest = max_p.bind(abs_p.bind(x), abs_p.bind(y))
    x, y = div_p.bind(x, greatest), div_p.bind(y, greatest)
    length = sqrt_p.bind(add_p.bind(mul_p.bind(x, x), mul_p.bind(y, y)))
    cosine, sine = div_p.bind(x, length), neg_p.bind(div_p.bind(y, length))
    one, zero = full_of(1, cosine.aval), full_of(0, sine.aval)
    return select_n_p.bind(is_zero, cosine, one), select_n_p.bind(is_zero, sine, zero)


def _updated(factor: Any, vector: Any) -> Any:
    """The upper factor after each row was rotated together with the vector."""
    from arraytyping.runtime.lax.control_flow import fori_loop

    size = vector.aval.shape[0]
    zero = full_of(0, ShapedArray((), "int32", False))

    def step(k: Any, state: Any) -> Any:
        factor, vector = state
        k = convert_to(k, "int32")
        row = reshape(dynamic_slice_p.bind(factor, k, zero, slice_sizes=(1, size)), (size,))
        x, y = (reshape(dynamic_slice_p.bind(v, k, slice_sizes=(1,)), ()) for v in (row, vector))
        cosine, sine = _rotation(x, y)
        turned = sub_p.bind(mul_p.bind(cosine, row), mul_p.bind(sine, vector))
        vector = add_p.bind(mul_p.bind(cosine, vector), mul_p.bind(sine, row))
        return dynamic_update_slice_p.bind(factor, reshape(turned, (1, size)), k, zero), vector

    return fori_loop(0, size, step, (factor, vector))[0] if size else factor


def _symmetric_product(a: Any, c: Any, *, alpha: float, beta: float) -> Any:
    product = matmul(a, swapped(a))
    return add_p.bind(mul_p.bind(constant_like(a, alpha), product), mul_p.bind(constant_like(c, beta), c))


composed(lu_pivots_to_permutation_p, exchanged)
composed(cholesky_update_p, _updated)
composed(symmetric_product_p, _symmetric_product)

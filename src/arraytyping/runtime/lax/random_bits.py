"""Random bits of XLA's own generators, of a state of four words.

Source: https://openxla.org/stablehlo/spec#rng_bit_generator.
"""

from __future__ import annotations

import enum
from typing import Any, Final

from arraytyping.runtime.calling import answered, type_of
from arraytyping.runtime.core import Primitive
from arraytyping.runtime.lax.aggregates import slice_along
from arraytyping.runtime.lax.slicing import concatenate_p
from arraytyping.runtime.lax.structure import moveaxis, reshape
from arraytyping.runtime.tracing.tangents import Zero
from arraytyping.semantics.avals import ShapedArray
from arraytyping.semantics.rules.errors import DtypeError

__all__ = ["RandomAlgorithm", "rng_bit_generator", "rng_bit_generator_p"]


class RandomAlgorithm(enum.IntEnum):
    """How bits are generated."""

    RNG_DEFAULT = 0
    """As the platform does."""
    RNG_THREE_FRY = 1
    """Threefry-2x32."""
    RNG_PHILOX = 2
    """Philox-4x32."""

    def __str__(self) -> str:
        return self.name


def _rule(cx: Any, key: ShapedArray, *, shape: Any, dtype: str, algorithm: Any) -> list[ShapedArray]:
    if (key.shape, key.dtype) not in (((4,), "uint32"), ((2,), "uint64")):
        raise DtypeError(f"rng_bit_generator takes a state of uint32[4] or uint64[2], got {key}")
    return [ShapedArray(key.shape, key.dtype, False), ShapedArray(tuple(shape), dtype, False)]


rng_bit_generator_p: Final = Primitive("rng_bit_generator", _rule, multiple_results=True)
"""The next state, and bits of this shape and dtype."""


def _batch(axis: Any, args: Any, dims: Any, *, shape: Any, dtype: str, algorithm: Any) -> tuple[list[Any], list[Any]]:
    """All bits are generated of the first state, as in JAX; the other states stay."""
    (dim,) = dims
    if dim is None:
        return rng_bit_generator_p.bind(*args, shape=shape, dtype=dtype, algorithm=algorithm), [None, None]
    keys = moveaxis(args[0], dim, 0)
    first = reshape(slice_along(keys, 0, 1), keys.aval.shape[1:])
    state, bits = rng_bit_generator_p.bind(first, shape=(axis.size, *shape), dtype=dtype, algorithm=algorithm)
    rest = slice_along(keys, 1, axis.size)
    return [concatenate_p.bind(reshape(state, (1, *state.aval.shape)), rest, dimension=0), bits], [0, 0]


def _jvp(primals: Any, tangents: Any, **params: Any) -> tuple[list[Any], list[Any]]:
    results = rng_bit_generator_p.bind(*primals, **params)
    return results, [Zero(r.aval) for r in results]


rng_bit_generator_p.batching_rule = _batch
rng_bit_generator_p.jvp_rule = _jvp


@answered("lax.rng_bit_generator", "key")
def rng_bit_generator(
    answer: Any, key: Any, shape: Any, dtype: Any = "uint32", algorithm: Any = RandomAlgorithm.RNG_DEFAULT, *,
    out_sharding: Any = None,
) -> Any:  # fmt: skip
    """`jax.lax.rng_bit_generator`: the next state, and random bits of a shape and dtype."""
    size, chosen = type_of(answer[1])
    return tuple(rng_bit_generator_p.bind(key, shape=size, dtype=chosen, algorithm=RandomAlgorithm(algorithm)))

"""The hashes of random numbers, as functions of the module that are built once for each shape; XLA's own generators."""

from __future__ import annotations

from functools import lru_cache, partial
from typing import Any, Final

from jaxlib.mlir.dialects import stablehlo as hlo

from arraytyping.runtime.core import EVAL, Primitive, use_trace
from arraytyping.runtime.jaxpr.syntax import ClosedJaxpr
from arraytyping.runtime.lax.counter_hashes import HASHES, Hash
from arraytyping.runtime.lax.random_bits import RandomAlgorithm, rng_bit_generator_p
from arraytyping.runtime.lax.threefry import threefry2x32_p, threefry_rounds
from arraytyping.runtime.tracing.staging import stage
from arraytyping.runtime.xla.lowerings.building import broadcast
from arraytyping.runtime.xla.types import tensor_type
from arraytyping.semantics.avals import ShapedArray

__all__: list[str] = []


@lru_cache(maxsize=64)
def _program(primitive: Primitive, shape: tuple[int, ...]) -> ClosedJaxpr:
    words, rounds = _HASHES[primitive]
    with use_trace(EVAL):
        return stage(rounds, [ShapedArray(shape, "uint32", False)] * words)


def _hash(primitive: Primitive, cx: Any, avals_in: Any, avals_out: Any, *operands: Any) -> list[Any]:
    shape = avals_out[0].shape
    words = [broadcast(x, a, shape) for x, a in zip(operands, avals_in)]
    return cx.call(_program(primitive, shape), primitive.name, words)  # type: ignore[no-any-return]


_HASHES: Final = {threefry2x32_p: Hash(4, threefry_rounds), **HASHES}
for _primitive in _HASHES:
    _primitive.lowering = partial(_hash, _primitive)

_ALGORITHMS: Final = {
    RandomAlgorithm.RNG_DEFAULT: "DEFAULT",
    RandomAlgorithm.RNG_THREE_FRY: "THREE_FRY",
    RandomAlgorithm.RNG_PHILOX: "PHILOX",
}
_STATE: Final = ShapedArray((2,), "uint64")


def _generated(
    cx: Any, avals_in: Any, avals_out: Any, key: Any, *, shape: Any, dtype: str, algorithm: RandomAlgorithm
) -> list[Any]:
    """XLA's state is two words of 64 bits, in which JAX has four of 32."""
    is_narrow = avals_in[0].dtype == "uint32"
    if is_narrow:
        rows = tensor_type(ShapedArray((2, 2), "uint32"))
        key = hlo.bitcast_convert(tensor_type(_STATE), hlo.reshape(rows, key))
    attribute = hlo.RngAlgorithmAttr.get(_ALGORITHMS[algorithm])
    state, bits = hlo.RngBitGeneratorOp(tensor_type(_STATE), tensor_type(avals_out[1]), attribute, key).results
    if is_narrow:
        state = hlo.reshape(tensor_type(avals_out[0]), hlo.bitcast_convert(rows, state))
    return [state, bits]


rng_bit_generator_p.lowering = _generated

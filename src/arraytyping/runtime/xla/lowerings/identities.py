"""Rounding to fewer bits, what is only marked, and single operations of CHLO.

Source: https://openxla.org/stablehlo/spec#reduce_precision.
"""

from __future__ import annotations

from typing import Any

from jaxlib.mlir import ir
from jaxlib.mlir.dialects import chlo, stablehlo as hlo

from arraytyping.runtime.lax.barriers import optimization_barrier_p
from arraytyping.runtime.lax.gradients import stop_gradient_p
from arraytyping.runtime.lax.mulhi import mulhi_p
from arraytyping.runtime.lax.reduced_precision import reduce_precision_p
from arraytyping.runtime.lax.zeta import zeta_p
from arraytyping.runtime.transformations.checkpoint_policies import name_p
from arraytyping.runtime.xla.lowerings.building import nary


def _reduce_precision(cx: Any, avals_in: Any, aval_out: Any, x: Any, *, exponent_bits: int, mantissa_bits: int) -> Any:
    narrow = ir.IntegerType.get_signless(32)
    return hlo.reduce_precision(
        x, exponent_bits=ir.IntegerAttr.get(narrow, exponent_bits),
        mantissa_bits=ir.IntegerAttr.get(narrow, mantissa_bits),
    )  # fmt: skip


def _stop_gradient(cx: Any, avals_in: Any, aval_out: Any, x: Any) -> Any:
    return x


def _name(cx: Any, avals_in: Any, aval_out: Any, x: Any, *, name: str) -> Any:
    return x


def _optimization_barrier(cx: Any, avals_in: Any, avals_out: Any, *xs: Any) -> list[Any]:
    return list(hlo.OptimizationBarrierOp(list(xs)).results)


name_p.lowering = _name
optimization_barrier_p.lowering = _optimization_barrier
reduce_precision_p.lowering = _reduce_precision
stop_gradient_p.lowering = _stop_gradient
nary(zeta_p, chlo.zeta)
nary(mulhi_p, chlo.mulhi)

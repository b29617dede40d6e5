"""Decompositions of matrices by LAPACK, on the CPU; of triangular systems and Cholesky's by XLA elsewhere.

LAPACK's matrices are column-major, which is a layout of the operands.  Where it fails, results are NaN.

Source: https://openxla.org/stablehlo/spec#custom_call; the attributes of each target,
https://github.com/jax-ml/jax/blob/main/jax/_src/lax/linalg.py.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np
from jaxlib.mlir import ir
from jaxlib.mlir.dialects import stablehlo as hlo

from arraytyping.runtime.xla.jaxlib_api.custom_calls import register_custom_calls
from arraytyping.runtime.xla.lowerings.reductions import compare
from arraytyping.runtime.xla.types import int_array, splat, tensor_type
from arraytyping.semantics.avals import ShapedArray

__all__ = ["call_lapack", "character", "has_lapack", "nan_unless"]

_LETTERS: Final = {"float32": "s", "float64": "d", "complex64": "c", "complex128": "z"}


def has_lapack(cx: Any, dtype: str) -> bool:
    """Whether matrices of this dtype are LAPACK's here."""
    return cx.platform == "cpu" and dtype in _LETTERS


def character(letter: str) -> Any:
    """The attribute that is one of LAPACK's letters."""
    return ir.IntegerAttr.get(ir.IntegerType.get_unsigned(8), ord(letter))


def _layout(aval: ShapedArray, rank: int) -> Any:
    """Column-major for matrices, and row-major for everything of a lower rank."""
    assert aval.shape is not None
    n = len(aval.shape)
    order = [n - 2, n - 1, *range(n - 3, -1, -1)] if n == rank else [*range(n - 1, -1, -1)]
    values: Any = np.asarray(order, np.int64)
    return ir.DenseIntElementsAttr.get(values, type=ir.IndexType.get(), shape=(n,))


def call_lapack(
    cx: Any, routine: str, dtype: str, operands: Sequence[Any], avals_in: Sequence[ShapedArray],
    avals_out: Sequence[ShapedArray], attributes: Mapping[str, Any] | None = None, *,
    aliased: Mapping[int, int] = {0: 0}, target: str | None = None,
) -> list[Any]:  # fmt: skip
    """The results of a routine, such as `getrf`, which writes over some of its operands.

    What jaxlib has beside LAPACK is the target of another name.

    Raises:
        NotImplementedError: where there is no LAPACK: on another platform, or for another dtype.
        ImportError: if SciPy, which brings it, is not installed.
    """
    if not has_lapack(cx, dtype):
        raise NotImplementedError(f"{routine} of {dtype} on {cx.platform}: LAPACK computes it, on the CPU, for "
                                  f"{', '.join(_LETTERS)} only")  # fmt: skip
    register_custom_calls()
    rank = max(len(a.shape or ()) for a in avals_in)
    aliases = [
        hlo.OutputOperandAlias.get(
            output_tuple_indices=[out] if len(avals_out) > 1 else [], operand_index=i, operand_tuple_indices=[]
        )
        for i, out in aliased.items()
    ]
    op = hlo.CustomCallOp.build_generic(
        results=[tensor_type(a) for a in avals_out],
        operands=list(operands),
        attributes={
            "call_target_name": ir.StringAttr.get(target or f"lapack_{_LETTERS[dtype]}{routine}_ffi"),
            "has_side_effect": ir.BoolAttr.get(False),
            "api_version": ir.IntegerAttr.get(ir.IntegerType.get_signless(32), 4),  # typed, with a dictionary
            "called_computations": ir.ArrayAttr.get([]),
            "backend_config": ir.DictAttr.get(dict(attributes or {})),
            "operand_layouts": ir.ArrayAttr.get([_layout(a, rank) for a in avals_in]),
            "result_layouts": ir.ArrayAttr.get([_layout(a, rank) for a in avals_out]),
            "output_operand_aliases": ir.ArrayAttr.get(aliases),
        },
    )
    return list(op.results)


def nan_unless(good: str, info: Any, value: Any, aval: ShapedArray) -> Any:
    """The value, NaN for those matrices of which LAPACK's `info` does not compare so with 0."""
    assert aval.shape is not None
    lead = tuple(ir.RankedTensorType(info.type).shape)
    flags = ShapedArray(lead, "int32")
    ok = compare(info, splat(0, flags), good, "int32")
    mask = tensor_type(ShapedArray(aval.shape, "bool"))
    spread = hlo.broadcast_in_dim(mask, ok, int_array(range(len(lead))))
    return hlo.select(spread, value, splat(math.nan, aval))

"""Contractions.

Source: https://openxla.org/stablehlo/spec#dot_general.
"""

from __future__ import annotations

from typing import Any, Final

from jaxlib.mlir import ir
from jaxlib.mlir.dialects import stablehlo as hlo

from arraytyping.runtime.lax.contractions import dot_general_p
from arraytyping.runtime.lax.precisions import DotAlgorithmPreset
from arraytyping.runtime.xla.types import element_type, tensor_type
from arraytyping.semantics.avals import ShapedArray

__all__ = ["precision_attribute"]

_F16, _BF16, _F32, _F64 = "float16", "bfloat16", "float32", "float64"
_ALGORITHMS: Final = {
    DotAlgorithmPreset.F16_F16_F16: (_F16, _F16, 1),
    DotAlgorithmPreset.F16_F16_F32: (_F16, _F32, 1),
    DotAlgorithmPreset.BF16_BF16_BF16: (_BF16, _BF16, 1),
    DotAlgorithmPreset.BF16_BF16_F32: (_BF16, _F32, 1),
    DotAlgorithmPreset.BF16_BF16_F32_X3: (_BF16, _F32, 3),
    DotAlgorithmPreset.BF16_BF16_F32_X6: (_BF16, _F32, 6),
    DotAlgorithmPreset.BF16_BF16_F32_X9: (_BF16, _F32, 9),
    DotAlgorithmPreset.F32_F32_F32: (_F32, _F32, 1),
    DotAlgorithmPreset.F64_F64_F64: (_F64, _F64, 1),
}
"""The type of the operands' parts, the type of the sum, and the number of products."""
_ON_CPU: Final = frozenset((
    DotAlgorithmPreset.F16_F16_F16, DotAlgorithmPreset.F32_F32_F32, DotAlgorithmPreset.F64_F64_F64,
    DotAlgorithmPreset.BF16_BF16_F32, DotAlgorithmPreset.BF16_BF16_F32_X3, DotAlgorithmPreset.BF16_BF16_F32_X6,
))  # fmt: skip


def precision_attribute(precision: Any) -> Any:
    """The attribute for a pair of precisions; None where none is given."""
    if precision is None or isinstance(precision, DotAlgorithmPreset):
        return None
    return ir.ArrayAttr.get([hlo.PrecisionAttr.get(p.name) for p in precision])


def _dot_general(
    cx: Any, avals_in: Any, aval_out: Any, x: Any, y: Any, *, dimension_numbers: Any, precision: Any,
    preferred_element_type: Any,
) -> Any:  # fmt: skip
    a, b = avals_in
    (xc, yc), (xb, yb) = dimension_numbers
    algorithm: dict[str, Any] = {}
    result_type = aval_out.dtype
    operand_types = [a.dtype, b.dtype]
    if isinstance(precision, DotAlgorithmPreset) and precision is not DotAlgorithmPreset.DEFAULT:
        if precision not in _ALGORITHMS or (cx.platform == "cpu" and precision not in _ON_CPU):
            raise ValueError(f"The precision '{precision}' is not supported by dot_general on {cx.platform}")
        part, result_type, count = _ALGORITHMS[precision]
        stored = part if count == 1 or part != _BF16 else _F32
        stored = stored if part != _BF16 or a.dtype not in (_F32, _BF16) else a.dtype
        operand_types = [stored, stored]
        kind, total = (element_type(t) for t in (part, result_type))
        algorithm = {"algorithm": hlo.DotAlgorithm.get(kind, kind, total, 1, 1, count, False)}
    elif a.dtype != b.dtype:
        operand_types = [aval_out.dtype, aval_out.dtype]
    x, y = (
        v if aval.dtype == t else hlo.convert(tensor_type(ShapedArray(aval.shape, t)), v)
        for v, aval, t in zip((x, y), avals_in, operand_types)
    )
    numbers = hlo.DotDimensionNumbers.get(
        lhs_batching_dimensions=list(xb), rhs_batching_dimensions=list(yb),
        lhs_contracting_dimensions=list(xc), rhs_contracting_dimensions=list(yc),
    )  # fmt: skip
    result = hlo.dot_general(
        tensor_type(ShapedArray(aval_out.shape, result_type)), x, y, numbers,
        precision_config=precision_attribute(precision), **algorithm,
    )  # fmt: skip
    return result if result_type == aval_out.dtype else hlo.convert(tensor_type(aval_out), result)


dot_general_p.lowering = _dot_general

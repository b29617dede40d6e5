"""Convolutions; of complex numbers by three of real ones, since XLA's own are slow or missing.

Source: https://openxla.org/stablehlo/spec#convolution; the three products,
https://en.wikipedia.org/wiki/Multiplication_algorithm#Complex_number_multiplication.
"""

from __future__ import annotations

from typing import Any

from jaxlib.mlir import ir
from jaxlib.mlir.dialects import stablehlo as hlo

from arraytyping.runtime.lax.arithmetic import add_p, sub_p
from arraytyping.runtime.lax.complex_numbers import complex_p, imag_p, real_p
from arraytyping.runtime.lax.convolutions import conv_general_dilated_p
from arraytyping.runtime.xla.lowerings.composing import built
from arraytyping.runtime.xla.lowerings.contractions import precision_attribute
from arraytyping.runtime.xla.lowerings.reductions import padding_attribute
from arraytyping.runtime.xla.types import int_array, tensor_type

_PARTS = {"complex64": "float32", "complex128": "float64", None: None}


def _of_parts(x: Any, y: Any, **params: Any) -> Any:
    params = {**params, "preferred_element_type": _PARTS[params["preferred_element_type"]]}
    a, b, c, d = real_p.bind(x), imag_p.bind(x), real_p.bind(y), imag_p.bind(y)
    first = conv_general_dilated_p.bind(add_p.bind(a, b), c, **params)
    second = conv_general_dilated_p.bind(a, sub_p.bind(d, c), **params)
    third = conv_general_dilated_p.bind(b, add_p.bind(c, d), **params)
    return complex_p.bind(sub_p.bind(first, third), add_p.bind(first, second))


def _convolution(cx: Any, avals_in: Any, aval_out: Any, x: Any, y: Any, **params: Any) -> Any:
    if avals_in[0].dtype.startswith("complex"):
        return built(cx, lambda a, b: _of_parts(a, b, **params), avals_in, [x, y])
    lhs, rhs, out = params["dimension_numbers"]
    numbers = hlo.ConvDimensionNumbers.get(
        input_batch_dimension=lhs[0], input_feature_dimension=lhs[1], input_spatial_dimensions=list(lhs[2:]),
        kernel_output_feature_dimension=rhs[0], kernel_input_feature_dimension=rhs[1],
        kernel_spatial_dimensions=list(rhs[2:]),
        output_batch_dimension=out[0], output_feature_dimension=out[1], output_spatial_dimensions=list(out[2:]),
    )  # fmt: skip
    wide = ir.IntegerType.get_signless(64)
    return hlo.convolution(
        tensor_type(aval_out), x, y, dimension_numbers=numbers,
        feature_group_count=ir.IntegerAttr.get(wide, params["feature_group_count"]),
        batch_group_count=ir.IntegerAttr.get(wide, params["batch_group_count"]),
        window_strides=int_array(params["window_strides"]), padding=padding_attribute(params["padding"]),
        lhs_dilation=int_array(params["lhs_dilation"]), rhs_dilation=int_array(params["rhs_dilation"]),
        window_reversal=ir.DenseBoolArrayAttr.get([False] * (len(lhs) - 2)),
        precision_config=precision_attribute(params["precision"]),
    )  # fmt: skip


conv_general_dilated_p.lowering = _convolution

"""Abstract values as types of MLIR, and constants of them.

Source: https://openxla.org/stablehlo/spec#types.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any, Final

import numpy as np
from jaxlib.mlir import ir
from jaxlib.mlir.dialects import stablehlo as hlo

from arraytyping.runtime.np_dtypes import np_dtype
from arraytyping.scalars import KINDS
from arraytyping.semantics.avals import ShapedArray, static_shape

__all__ = ["constant", "element_type", "int_array", "splat", "tensor_type", "zeros"]

_DENSE: Final[Any] = ir.DenseElementsAttr  # its stubs know fewer arguments than it takes
_FLOATS: Final = {
    "bfloat16": "BF16Type",
    "float16": "F16Type",
    "float32": "F32Type",
    "float64": "F64Type",
}


@cache
def _name_of_float(dtype: str) -> str:
    """MLIR's class for a narrow float: `float8_e4m3fn` is `Float8E4M3FNType`."""
    width, _, layout = dtype.removeprefix("float").partition("_")
    return f"Float{width}{layout.upper()}Type"


def element_type(dtype: str) -> Any:
    """The type of one element, in the current context."""
    if dtype == "bool":
        return ir.IntegerType.get_signless(1)
    kind = KINDS[dtype]
    if kind == "i":
        return ir.IntegerType.get_signless(int(dtype.removeprefix("int")))
    if kind == "u":
        return ir.IntegerType.get_unsigned(int(dtype.removeprefix("uint")))
    if kind == "c":
        return ir.ComplexType.get(ir.F32Type.get() if dtype == "complex64" else ir.F64Type.get())
    return getattr(ir, _FLOATS.get(dtype) or _name_of_float(dtype)).get()


def tensor_type(aval: ShapedArray) -> Any:
    """The type of an array."""
    assert aval.shape is not None
    assert aval.dtype is not None
    return ir.RankedTensorType.get(static_shape(aval), element_type(aval.dtype))


def constant(value: np.ndarray[Any, Any], dtype: str) -> Any:
    """An array that is known when the program is compiled."""
    array = np.ascontiguousarray(np.asarray(value, np_dtype(dtype)))
    array = array.reshape(np.shape(value))
    shaped = ShapedArray(array.shape, dtype)
    if dtype == "bool":
        packed = np.packbits(array, bitorder="little")
        attribute = _DENSE.get(packed, type=ir.IntegerType.get_signless(1), shape=array.shape)
    elif array.dtype.kind in "iufc" and array.dtype.type.__module__ == "numpy":
        attribute = _DENSE.get(array, type=element_type(dtype), shape=array.shape)
    elif dtype == "bfloat16" or dtype.startswith("float8"):
        attribute = _DENSE.get(
            array.view(np.uint16 if dtype == "bfloat16" else np.uint8), type=element_type(dtype), shape=array.shape
        )
    else:  # narrower than a byte: by way of a type that NumPy and MLIR share
        wide = "int8" if KINDS[dtype] == "i" else "uint8" if KINDS[dtype] == "u" else "float32"
        return hlo.convert(tensor_type(shaped), constant(array.astype(wide), wide))
    return hlo.constant(attribute)


def splat(value: bool | int | float | complex, aval: ShapedArray) -> Any:
    """An array of one value, known when the program is compiled."""
    assert aval.dtype is not None
    assert aval.shape is not None
    scalar = constant(np.asarray(value).astype(np_dtype(aval.dtype)), aval.dtype)
    if not aval.shape:
        return scalar
    return hlo.broadcast_in_dim(tensor_type(aval), scalar, int_array(()))


def zeros(aval: ShapedArray) -> Any:
    """An array of zeros."""
    return splat(0, aval)


def int_array(values: Sequence[int]) -> Any:
    """The attribute that holds sizes or dimensions."""
    return ir.DenseI64ArrayAttr.get([int(v) for v in values])

"""`composite`: an operation of StableHLO beside the function that it may be taken apart into; `dce_sink`.

Source: https://openxla.org/stablehlo/spec#composite.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import numpy as np
from jaxlib.mlir import ir
from jaxlib.mlir.dialects import stablehlo as hlo

from arraytyping.runtime.lax.composites import composite_p
from arraytyping.runtime.lax.sinks import dce_sink_p
from arraytyping.runtime.np_dtypes import dtype_name_of
from arraytyping.runtime.xla.types import element_type, tensor_type

__all__: list[str] = []

_composite_op: Final[Any] = hlo.CompositeOp  # its stubs ask for what it does not need


def _attribute(value: Any) -> Any:
    """A value as an attribute; a Python number has 64 bits.

    Raises:
        TypeError: for what cannot be one.
    """
    if isinstance(value, str | bytes):
        return ir.StringAttr.get(value)
    if isinstance(value, bool | np.bool_):
        return ir.BoolAttr.get(bool(value))
    if isinstance(value, int):
        return ir.IntegerAttr.get(element_type("int64"), value)
    if isinstance(value, float) and not isinstance(value, np.generic):
        return ir.FloatAttr.get(element_type("float64"), value)
    if isinstance(value, Mapping):
        return ir.DictAttr.get({k: _attribute(v) for k, v in value.items()})
    if isinstance(value, tuple | list):
        return ir.ArrayAttr.get([_attribute(v) for v in value])
    if isinstance(value, np.generic) and value.dtype.kind in "iu":
        return ir.IntegerAttr.get(element_type(value.dtype.name), int(value))
    if isinstance(value, np.generic) and value.dtype.kind == "f":
        return ir.FloatAttr.get(element_type(value.dtype.name), float(value))
    if isinstance(value, np.ndarray) and (name := dtype_name_of(value.dtype)) is not None:
        array: Any = np.ascontiguousarray(value)
        return ir.DenseElementsAttr.get(array, type=element_type(name), shape=value.shape)
    if isinstance(value, np.dtype | type) and (name := dtype_name_of(np.dtype(value))) is not None:
        return ir.TypeAttr.get(element_type(name))
    raise TypeError(f"No attribute handler defined for type: {type(value)}")


def _composite(
    cx: Any, avals_in: Any, avals_out: Any, *operands: Any, jaxpr: Any, name: str, attributes: Any, version: int
) -> list[Any]:
    symbol = cx.function_of(jaxpr, name)
    found = {k: _attribute(a.value) for k, a in attributes if a.value is not None}
    op = _composite_op(
        [tensor_type(a) for a in avals_out],
        list(operands),
        name=ir.StringAttr.get(name),
        decomposition=ir.FlatSymbolRefAttr.get(symbol),
        composite_attributes=ir.DictAttr.get(found),
        version=ir.IntegerAttr.get(ir.IntegerType.get_signless(32), version),
    )
    return list(op.results)


def _sink(cx: Any, avals_in: Any, avals_out: Any, operand: Any, *, prevent_mlir_dce: bool) -> list[Any]:
    if prevent_mlir_dce:
        hlo.custom_call([], [operand], "dce_sink", has_side_effect=True)
    return []


composite_p.lowering = _composite
dce_sink_p.lowering = _sink

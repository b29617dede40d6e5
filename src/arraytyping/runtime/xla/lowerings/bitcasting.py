"""The bits of numbers read as other ones.

Source: https://openxla.org/stablehlo/spec#bitcast_convert.
"""

from __future__ import annotations

from typing import Any

from jaxlib.mlir.dialects import stablehlo as hlo

from arraytyping.runtime.lax.bitcasting import bitcast_convert_type_p
from arraytyping.runtime.xla.types import tensor_type


def _bitcast(cx: Any, avals_in: Any, aval_out: Any, x: Any, *, new_dtype: str) -> Any:
    return hlo.bitcast_convert(tensor_type(aval_out), x)


bitcast_convert_type_p.lowering = _bitcast

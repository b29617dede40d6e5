"""Callbacks: XLA calls back a function of the program by its number among those of the module.

A token goes from each call that is ordered to the next; `ModuleContext` has the last one.

Source: `emit_python_callback` of https://github.com/jax-ml/jax/blob/main/jax/_src/callback.py;
https://openxla.org/stablehlo/spec#custom_call.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np
from jaxlib.mlir import ir
from jaxlib.mlir.dialects import stablehlo as hlo

from arraytyping.runtime.callbacks.calling_back import io_callback_p, pure_callback_p
from arraytyping.runtime.callbacks.debugging import debug_callback_p
from arraytyping.runtime.callbacks.host_functions import host_function
from arraytyping.runtime.effects import Effect
from arraytyping.runtime.xla.types import tensor_type
from arraytyping.semantics.avals import ShapedArray

__all__: list[str] = []

_TARGETS: Final = {"cpu": "xla_ffi_python_cpu_callback", "gpu": "xla_ffi_python_gpu_callback"}
_TYPED: Final = 4
"""The version of XLA's interface for custom calls."""


def _layout(rank: int) -> Any:
    """Row-major."""
    order: Any = np.arange(rank - 1, -1, -1, dtype=np.int64)
    return ir.DenseIntElementsAttr.get(order, type=ir.IndexType.get(), shape=(rank,))


def _call(
    cx: Any, function: Callable[..., Any], operands: Sequence[Any], avals_in: Sequence[ShapedArray],
    avals_out: Sequence[ShapedArray], *, has_effect: bool, ordered: bool,
) -> list[Any]:  # fmt: skip
    if cx.platform not in _TARGETS:
        raise NotImplementedError(f"callbacks are called on {' and '.join(_TARGETS)}, got the platform {cx.platform}")
    called = (lambda token, *args: (token, *function(*args))) if ordered else function
    number = cx.add_callback(called)
    results = [tensor_type(a) for a in avals_out]
    in_ranks, out_ranks = ([len(a.shape or ()) for a in avals] for avals in (avals_in, avals_out))
    if ordered:
        operands, results = [cx.current_token(), *operands], [hlo.TokenType.get(), *results]
        in_ranks, out_ranks = [0, *in_ranks], [0, *out_ranks]
    unsigned = ir.IntegerType.get_unsigned(64)
    op = hlo.CustomCallOp.build_generic(
        results=results,
        operands=list(operands),
        attributes={
            "call_target_name": ir.StringAttr.get(_TARGETS[cx.platform]),
            "has_side_effect": ir.BoolAttr.get(has_effect),
            "backend_config": ir.DictAttr.get({"index": ir.IntegerAttr.get(unsigned, number)}),
            "api_version": ir.IntegerAttr.get(ir.IntegerType.get_signless(32), _TYPED),
            "called_computations": ir.ArrayAttr.get([]),
            "operand_layouts": ir.ArrayAttr.get([_layout(n) for n in in_ranks]),
            "result_layouts": ir.ArrayAttr.get([_layout(n) for n in out_ranks]),
        },
    )
    found = list(op.results)
    if ordered:
        cx.token = found.pop(0)
    return found


def _pure(cx: Any, avals_in: Any, avals_out: Any, *operands: Any, callback: Any, **params: Any) -> list[Any]:
    function = host_function(callback, avals_out)
    return _call(cx, function, operands, avals_in, avals_out, has_effect=False, ordered=False)


def _io(cx: Any, avals_in: Any, avals_out: Any, *operands: Any, callback: Any, ordered: bool, **params: Any) -> Any:
    function = host_function(callback, avals_out)
    return _call(cx, function, operands, avals_in, avals_out, has_effect=True, ordered=ordered)


def _debug(cx: Any, avals_in: Any, avals_out: Any, *operands: Any, callback: Any, effect: Effect) -> list[Any]:
    function = host_function(lambda *args: callback(*args) or (), ())
    return _call(cx, function, operands, avals_in, avals_out, has_effect=True, ordered=effect.ordered)


pure_callback_p.lowering = _pure
io_callback_p.lowering = _io
debug_callback_p.lowering = _debug

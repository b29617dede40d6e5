"""Primitives that hold jaxprs."""

from __future__ import annotations

from typing import Any

from arraytyping.runtime.transformations.calls import jit_p, remat_p
from arraytyping.runtime.transformations.custom_batching import custom_vmap_p
from arraytyping.runtime.transformations.custom_calls import custom_jvp_call_p, custom_vjp_call_p
from arraytyping.runtime.transformations.custom_remat import remat_opt_p


def _call(cx: Any, avals_in: Any, avals_out: Any, *args: Any, jaxpr: Any, name: str, **params: Any) -> Any:
    return cx.call(jaxpr, name, args)


def _inlined(cx: Any, avals_in: Any, avals_out: Any, *args: Any, jaxpr: Any, **params: Any) -> Any:
    return cx.closed(jaxpr, args)


jit_p.lowering = _call
remat_p.lowering = _inlined
custom_jvp_call_p.lowering = _inlined
custom_vjp_call_p.lowering = _inlined
custom_vmap_p.lowering = _inlined
remat_opt_p.lowering = _inlined

"""Primitives that hold jaxprs."""

from __future__ import annotations

from typing import Any

from arraytyping.transformations.calls import jit_p, remat_p


def _call(cx: Any, avals_in: Any, avals_out: Any, *args: Any, jaxpr: Any, name: str, **params: Any) -> Any:
    return cx.call(jaxpr, name, args)


def _remat(cx: Any, avals_in: Any, avals_out: Any, *args: Any, jaxpr: Any, **params: Any) -> Any:
    return cx.closed(jaxpr, args)


jit_p.lowering = _call
remat_p.lowering = _remat

"""The zeta function of Hurwitz and the derivatives of digamma.

Source: https://docs.jax.dev/en/latest/_autosummary/jax.lax.zeta.html, and polygamma there.
"""

from __future__ import annotations

from typing import Any, Final

from arraytyping.runtime.calling import operation
from arraytyping.runtime.lax.nary import elementwise
from arraytyping.runtime.lax.special import polygamma_p

__all__ = ["polygamma", "zeta", "zeta_p"]

zeta_p: Final = elementwise("zeta")
zeta_p.jvp_rule = None  # as in JAX: it is not known how it changes


@operation("lax.polygamma", "m", "x", how="inline")
def polygamma(m: Any, x: Any) -> Any:
    """`jax.lax.polygamma`: the derivative of order m of digamma."""
    return polygamma_p.bind(m, x)


@operation("lax.zeta", "x", "q", how="inline")
def zeta(x: Any, q: Any) -> Any:
    """`jax.lax.zeta`: the sum of the powers of exponent -x of q, q + 1 and so on."""
    return zeta_p.bind(x, q)

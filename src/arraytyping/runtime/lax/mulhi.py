"""The high half of products of integers.

Source: https://docs.jax.dev/en/latest/_autosummary/jax.lax.mulhi.html.
"""

from __future__ import annotations

from typing import Any, Final

from arraytyping.runtime.calling import operation
from arraytyping.runtime.lax.nary import elementwise

__all__ = ["mulhi", "mulhi_p"]

mulhi_p: Final = elementwise("mulhi")


@operation("lax.mulhi", "x", "y", how="inline")
def mulhi(x: Any, y: Any, /) -> Any:
    """`jax.lax.mulhi`: the high half of the product, which has twice as many bits."""
    return mulhi_p.bind(x, y)

"""Where values of a program lie, in terms of Shardy.

Source: https://openxla.org/shardy/sdy_dialect.
"""

from __future__ import annotations

from typing import Any

from jaxlib.mlir.dialects import sdy

from arraytyping.runtime.lax.constraints import sharding_constraint_p
from arraytyping.runtime.lax.resharding import reshard_p
from arraytyping.runtime.sharding import NamedSharding
from arraytyping.semantics.avals import static_shape

__all__: list[str] = []


def _constraint(cx: Any, avals_in: Any, aval_out: Any, x: Any, *, sharding: NamedSharding) -> Any:
    if not cx.is_partitioned:
        return x
    return sdy.sharding_constraint(x, cx.sharding(sharding.mesh, sharding.spec, len(static_shape(aval_out))))


def _reshard(cx: Any, avals_in: Any, aval_out: Any, x: Any, *, sharding: NamedSharding) -> Any:
    return x  # of a result whose type says how it is cut the compiler is told so in any case


sharding_constraint_p.lowering = _constraint
reshard_p.lowering = _reshard

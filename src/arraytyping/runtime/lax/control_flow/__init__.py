"""Control flow: functions that take functions, traced to jaxprs; `cond`, `switch`, `while_loop`, `scan` and their kin.

Source: https://docs.jax.dev/en/latest/jax.lax.html#control-flow-operators.
"""

from arraytyping.runtime.lax.control_flow import (
    cond_rules as cond_rules,  # fills the primitives' slots
    dce_rules as dce_rules,
    scan_rules as scan_rules,
    while_rules as while_rules,
)
from arraytyping.runtime.lax.control_flow.cond import cond, cond_p, switch
from arraytyping.runtime.lax.control_flow.linear_solve import custom_linear_solve, linear_solve_p
from arraytyping.runtime.lax.control_flow.loops import associative_scan, fori_loop, map
from arraytyping.runtime.lax.control_flow.root import custom_root
from arraytyping.runtime.lax.control_flow.scan import scan, scan_p
from arraytyping.runtime.lax.control_flow.while_loop import while_loop, while_p

__all__ = [
    "associative_scan",
    "cond",
    "cond_p",
    "custom_linear_solve",
    "custom_root",
    "fori_loop",
    "linear_solve_p",
    "map",
    "scan",
    "scan_p",
    "switch",
    "while_loop",
    "while_p",
]

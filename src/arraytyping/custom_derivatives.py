"""Functions with their own rules of differentiation, under the names of `jax.custom_derivatives`."""

import arraytyping.runtime as _runtime  # noqa: F401 (first: it says which library is missing)

# isort: split
from arraytyping.runtime import whole as whole  # first: what follows computes with it
from arraytyping.runtime.transformations.custom_calls import custom_jvp_call_p, custom_vjp_call_p
from arraytyping.runtime.transformations.custom_rules import custom_gradient, custom_jvp, custom_vjp
from arraytyping.runtime.transformations.staging_out import closure_convert
from arraytyping.runtime.transformations.symbolic_zeros import (
    CustomVJPPrimal,
    SymbolicZero,
    custom_vjp_primal_tree_values,
    zero_from_primal,
)

__all__ = [
    "CustomVJPPrimal",
    "SymbolicZero",
    "closure_convert",
    "custom_gradient",
    "custom_jvp",
    "custom_jvp_call_p",
    "custom_vjp",
    "custom_vjp_call_p",
    "custom_vjp_primal_tree_values",
    "zero_from_primal",
]

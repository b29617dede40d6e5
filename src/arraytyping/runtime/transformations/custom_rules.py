"""Functions with their own rules of differentiation: `custom_jvp`, `custom_vjp`, `custom_gradient`.

Source: https://docs.jax.dev/en/latest/notebooks/Custom_derivative_rules_for_Python_code.html.
"""

from arraytyping.runtime.transformations import custom_checks as custom_checks
from arraytyping.runtime.transformations.custom_forward import custom_jvp
from arraytyping.runtime.transformations.custom_reverse import custom_gradient, custom_vjp

__all__ = ["custom_gradient", "custom_jvp", "custom_vjp"]

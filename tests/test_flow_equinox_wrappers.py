"""Modules of Equinox that stand for what they wrap."""

from __future__ import annotations

from flow_values import interpreted


def test_a_wrapper_is_the_module_with_the_names_of_what_it_wraps() -> None:
    variables, result = interpreted(
        """
from typing import Any
import equinox as eqx, jax.numpy as jnp
class Wrapper(eqx.Module):
    fn: Any
    is_static: bool = eqx.field(static=True)
    @property
    def __wrapped__(self):
        return self.fn
    def __call__(self, x):
        return self.fn(x)
def double(x):
    return jnp.concatenate([x, x])
f = eqx.module_update_wrapper(Wrapper(double, is_static=False))
x = f(jnp.ones(3))
name = f.__name__
"""
    )
    assert result.diagnostics == []
    assert str(variables["x"].aval) == "float32[6]"


def test_a_module_that_wraps_nothing_is_refused() -> None:
    _, result = interpreted(
        """
import equinox as eqx
class Plain(eqx.Module):
    n: int
eqx.module_update_wrapper(Plain(3))
"""
    )
    assert [m.line for m in result.diagnostics] == [5]

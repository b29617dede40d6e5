"""Fields of modules that are static by other ways than `eqx.field(static=True)`: no ints of theirs are traced."""

from __future__ import annotations

from flow_values import interpreted, run, wrong_claims

PROGRAM = """
import warnings
warnings.simplefilter("ignore")
import equinox as eqx, jax, jax.numpy as jnp, numpy as np
from equinox import Module, static_field

def fixed(**options):
    return eqx.field(static=True, **options)

class Block(Module):
    w: jax.Array
    parts: tuple = static_field()
    count: int = fixed(default=2)
    def __init__(self):
        self.w = jnp.ones(3)
        self.parts = (1, 2)
    @jax.jit
    def __call__(self, x):
        return jnp.split(x * self.w.sum(), np.cumsum(self.parts)), jnp.zeros(self.count)

first, second = Block()(jnp.ones(5))
number = len(jax.tree.leaves(Block()))
"""
DECLARED = """
import jax, jax.numpy as jnp
from {library} import {made}
from somewhere import static_field as declared_static

@{decorator}
class Config{base}:
    w: jax.Array
    size: int = declared_static(default=3)

@jax.jit
def f(config):
    return jnp.zeros(config.size)

x = f(Config(jnp.ones(2), 4))
"""


def test_old_names_and_functions_of_the_program_declare_static_fields() -> None:
    variables, result = interpreted(PROGRAM)
    assert result.diagnostics == []
    assert wrong_claims(PROGRAM, variables, run(PROGRAM)) == []
    assert [str(x.aval) for x in variables["first"].items] == ["float32[1]", "float32[2]", "float32[2]"]
    assert variables["number"] == 1


def test_nothing_is_told_of_fields_whose_declaration_is_not_known() -> None:
    for library, made, decorator, base in (
        ("flax.struct", "dataclass", "dataclass", ""),
        ("equinox", "Module", "jax.tree_util.register_static", "(Module)"),
    ):
        text = DECLARED.format(library=library, made=made, decorator=decorator, base=base)
        _, result = interpreted(text.replace("@jax.tree_util.register_static\n", ""))
        assert [m for m in result.diagnostics if m.is_certain and "somewhere" not in str(m)] == []

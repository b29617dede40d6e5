"""What libraries read off the program's functions: JAX finds arguments by signatures, and so does flow."""

from __future__ import annotations

import pytest
from flow_values import interpreted, run, wrong_claims

CUSTOM = """
import functools, jax, jax.numpy as jnp
@functools.partial(jax.custom_jvp, nondiff_argnums=[1, 2])
@functools.partial(jax.jit, static_argnames=("ord", "axis"))
def norm(x, ord=None, axis=None):
    return jnp.linalg.norm(x, ord=ord, axis=axis)
@norm.defjvp
def norm_jvp(ord, axis, primals, tangents):
    (x,) = primals
    given = functools.partial(jnp.linalg.norm, ord=ord, axis=axis)
    return jax.jvp(given, (jnp.where(x == 0, 1.0, x),), tangents)
x = jnp.ones(5)
a = jax.grad(lambda x: norm(x - x, ord=2.0))(x)
b = jax.grad(lambda x: norm(x))(x)
c = jax.jit(functools.partial(norm, axis=0))(x)
d = jax.jacobian(lambda x: norm(x, axis=1))(jnp.ones((3, 2)))
"""
STATIC = """
import functools, jax, jax.numpy as jnp
def loss(a, n):
    return (a**n if n > 2 else a).sum()
@functools.wraps(loss)
def wrapped(*args, **kwargs):
    return loss(*args, **kwargs)
class Model:
    def ones(self, a, n):
        return jnp.ones(n) * a
x = jnp.ones(3)
a = jax.jit(jax.grad(loss), static_argnames="n")(x, 3)
b = jax.jit(wrapped, static_argnames="n")(x, 3)
c = jax.jit(jax.checkpoint(loss, static_argnums=(1,)), static_argnames=("n",))(x, 3)
d = jax.jit(Model().ones, static_argnums=-1)(2.0, 4)
e = jax.jit(Model().ones, static_argnames="n")(2.0, 4)
f = jax.jit(jnp.linspace, static_argnames="num")(0, 1, 5)
g = jax.jit(functools.partial(loss, n=4))(x)
"""
SIZES = """
import jax, jax.numpy as jnp
n = jnp.array([3, 4])
key = jax.random.key(0)
a = jax.random.normal(key, shape=(n[0] - 1,))
b = jax.random.uniform(key, (n[0], 2))
c = jnp.zeros((n[1], 2))
d = jnp.broadcast_to(1.0, (n[0],))
"""
MODULES = """
import jax, jax.numpy as jnp
from flax import nnx
class Block(nnx.Module):
    def __init__(self, a, b, *, rate=0.0, rngs):
        self.linear = nnx.Linear(a, b, rngs=rngs)
        self.dropout = nnx.Dropout(rate)
    def __call__(self, x, *, rngs=None):
        return self.dropout(self.linear(x), rngs=rngs)
m = nnx.Sequential(Block(2, 3, rate=0.1, rngs=nnx.Rngs(0)), Block(3, 4, rngs=nnx.Rngs(0)))
a = m(jnp.ones((5, 2)), rngs=nnx.Rngs(1))
"""
TREES = """
import jax, jax.numpy as jnp
class Rate:
    def __init__(self, is_first):
        if is_first:
            self.a = 1
        self.b = 2
        self.a = 1
    def __eq__(self, other): return (self.a, self.b) == (other.a, other.b)
@jax.tree_util.register_pytree_node_class
class Solver:
    def __init__(self, w, rate): self.w, self.rate = w, rate
    def tree_flatten(self): return (self.w,), {"rate": self.rate}
    @classmethod
    def tree_unflatten(cls, aux, children): return cls(*children, **aux)
@jax.custom_vjp
def f(solver): return solver.w * solver.rate.a
def forward(solver): return f(solver), solver
def backward(solver, g): return (Solver(g, Rate(False)),)
f.defvjp(forward, backward)
a = jax.grad(f)(Solver(jnp.ones(()), Rate(True))).w
"""


@pytest.mark.parametrize(
    ("program", "known"),
    [(CUSTOM, "abcd"), (STATIC, "abcdefg"), (SIZES, ""), (MODULES, "a"), (TREES, "")],
    ids=["custom", "static", "sizes", "modules", "trees"],
)
def test_programs_run(program: str, known: str) -> None:
    """None has a mistake, what is claimed is so, and these arrays are known."""
    variables, result = interpreted(program)
    assert [str(m) for m in result.diagnostics if m.code != "array-key"] == []
    assert not result.crashes
    real = run(program)
    assert wrong_claims(program, variables, real) == []
    assert {n: variables[n].aval.shape for n in known} == {n: real[n].shape for n in known}


def test_a_size_that_is_traced() -> None:
    """It is a mistake where the program's own tracer is the size, and the sentence is about the program."""
    _, result = interpreted(
        "import jax\n@jax.jit\ndef f(n):\n    return jax.random.normal(jax.random.key(0), (n,))\nf(3)\n"
    )
    (diagnostic,) = result.diagnostics
    assert (diagnostic.line, diagnostic.is_certain) == (4, True)
    assert "tracers[" not in diagnostic.message
    assert "asking.py" not in diagnostic.message


def test_a_keyword_that_custom_rules_cannot_place() -> None:
    _, result = interpreted(
        "import jax\nimport jax.numpy as jnp\n@jax.custom_jvp\ndef f(x, *, n=1):\n    return x * n\n"
        "@f.defjvp\ndef g(primals, tangents):\n    return primals[0], tangents[0]\njax.grad(f)(1.0)\n"
        "jax.grad(lambda x: f(x, n=2))(1.0)\n"
    )
    assert [(m.line, m.is_certain) for m in result.diagnostics][-1:] == [(10, True)]

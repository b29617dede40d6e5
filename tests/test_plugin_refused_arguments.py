"""What JAX refuses of the arguments of derivatives and of jitted functions: told where it raises, and only there."""

from __future__ import annotations

import pytest
from mypy_runs import Run
from raising_programs import one_run, program, raising_line, told

WRONG = {
    "linen_swapped": """
        import flax.linen as nn
        class M(nn.Module):
            n: int
            @nn.compact
            def __call__(self, x): return nn.Dense(self.n)(x)
        v = M(2).init(jnp.ones((4, 8)), jax.random.key(0))
        """,
    "linen_many_keys": """
        import flax.linen as nn
        m = nn.Dense(3)
        m.init(jax.random.split(jax.random.key(0), 3), jnp.ones(3))
        """,
    "linen_floats_of_apply": """
        import flax.linen as nn
        m = nn.Dense(3)
        v = m.init(jax.random.key(0), jnp.ones(3))
        m.apply(v, jnp.ones(3), rngs=jnp.ones(3))
        """,
    "linen_compact_inside": """
        import flax.linen as nn
        class M(nn.Module):
            def setup(self): self.d = nn.Dense(3)
            def __call__(self, x): return self.d(x)
        def go(x):
            m = M()
            v = m.init(jnp.zeros(2), x)
            return m.apply(v, x)
        go(jnp.ones((4, 2)))
        """,
    "tangent_shape": """
        def along(x, v):
            return jax.jvp(jnp.sin, (x,), (v[:2],))[1]
        along(jnp.ones(3), jnp.ones(3))
        """,
    "tangent_dtype": "jax.jvp(jnp.sin, (jnp.ones(3),), (jnp.ones(3, jnp.float16),))",
    "tangent_of_integers": "jax.jvp(jnp.sin, (jnp.float32(1),), (jnp.arange(3)[0],))",
    "tangent_count": "jax.jvp(lambda a, b: a * b, (jnp.ones(3), jnp.ones(3)), (jnp.ones(3),))",
    "tangent_tree": """
        def along(w, x):
            return jax.jvp(lambda p: p["w"] * p["b"], ({"w": w, "b": x},), ({"w": w},))
        along(jnp.ones(3), jnp.ones(3))
        """,
    "tangent_of_a_list": "jax.jvp(jnp.sin, (jnp.ones(3),), [jnp.ones(3)])",
    "cotangent_shape": """
        def pulled(f, x):
            y, back = jax.vjp(f, x)
            return back(jnp.ones_like(x))
        pulled(lambda x: x[:2] * 2, jnp.ones(3))
        """,
    "cotangent_dtype": """
        y, back = jax.vjp(lambda x: x * 2, jnp.ones(3))
        back(jnp.arange(3))
        """,
    "cotangent_of_a_scalar": """
        y, back = jax.vjp(lambda x: x * 2, jnp.ones(3))
        back(1.0)
        """,
    "cotangent_tuple": """
        y, back = jax.vjp(lambda x: x * 2, jnp.ones(3))
        back((y,))
        """,
    "cotangents": """
        def pulled(x):
            y, back = jax.vjp(lambda x: (x, x * 2), x)
            return back(y[0], y[1])
        pulled(jnp.ones(3))
        """,
    "cotangent_of_many": """
        y, back = jax.vjp(lambda x: x.sum(), jnp.ones(3))
        jax.vmap(back)(jnp.ones((4, 2)))
        """,
    "linearized_shape": """
        y, push = jax.linearize(jnp.sin, jnp.ones(3))
        push(jnp.ones(4))
        """,
    "linearized_dtype": """
        y, push = jax.linearize(jnp.sin, jnp.ones(3))
        push(jnp.arange(3))
        """,
    "linearized_count": """
        y, push = jax.linearize(jnp.sin, jnp.ones(3))
        push(y, y)
        """,
    "gradient_by_a_literal": """
        def f(x, y):
            return (x * y).sum()
        jax.grad(f)(2, jnp.ones(3))
        """,
    "gradient_by_a_literal_of_a_partial": """
        def slope(n):
            return jax.value_and_grad(lambda x: x * 2.0)(n)
        slope(3)
        """,
    "jacobian_by_integers": """
        def slopes(x):
            return jax.jacfwd(lambda x: x * 2.0)(x)
        slopes(jnp.arange(3))
        """,
    "jacrev_by_the_second": "jax.jacrev(lambda x, n: x * n, argnums=1)(jnp.ones(3), jnp.int32(2))",
    "loss_and_what_else": """
        def loss(w):
            return (w * w).sum(), w
        @jax.jit
        def step(w):
            (value, out), g = jax.value_and_grad(loss)(w)
            return w - g
        step(jnp.ones(3))
        """,
    "loss_in_a_list": "jax.grad(lambda x: [x.sum()])(jnp.ones(3))",
    "loss_in_a_dict": "jax.vmap(jax.grad(lambda x: {'loss': x.sum()}))(jnp.ones((2, 3)))",
    "loss_that_is_not_returned": """
        def loss(w):
            value = (w * w).sum()
        jax.grad(jax.jit(loss))(jnp.ones(3))
        """,
    "no_pair": "jax.grad(lambda x: x.sum(), has_aux=True)(jnp.ones(3))",
    "three_parts": "jax.value_and_grad(lambda x: (x.sum(), x, x), has_aux=True)(jnp.ones(3))",
    "pair_that_fails_before": """
        def loss(w):
            return w @ jnp.ones(4), w
        jax.grad(loss)(jnp.ones(3))
        """,
    "hessian_by_booleans": "jax.hessian(lambda x: jnp.sum(x * 2.0))(jnp.ones(3) > 0)",
}

RIGHT = {
    "linen_right": """
        import flax.linen as nn
        class M(nn.Module):
            n: int
            @nn.compact
            def __call__(self, x): return nn.Dense(self.n)(x)
        v = M(2).init(jax.random.key(0), jnp.ones((4, 8)))
        v = M(2).init(jax.random.PRNGKey(0), jnp.ones((4, 8)))
        v = M(2).init({"params": jax.random.key(0)}, jnp.ones((4, 8)))
        y, v = M(2).init_with_output(rngs=jax.random.key(1), x=jnp.ones((4, 8)))
        print(M(2).apply(v, jnp.ones((4, 8)), rngs=jax.random.key(1)), M(2).apply(v, jnp.ones((4, 8))))
        print(M(2).init(jax.random.split(jax.random.key(0))[0], jnp.ones(3)))
        print(M(2).init(jax.random.split(jax.random.PRNGKey(0))[1], jnp.ones(3)))
        """,
    "declared_numbers_that_are_mapped": """
        from typing import NamedTuple
        class State(NamedTuple):
            x: jax.Array
            energy: float
        def step(k: jax.Array, s: State) -> State: return s
        def run(k: jax.Array, s: State, n: int):
            @jax.jit
            def update(k, s):
                return jax.vmap(step, in_axes=(0, 0))(jax.random.split(k, n), s)
            for i in range(2):
                s = update(k, s)
            return s
        run(jax.random.key(0), State(jnp.ones(3), jnp.ones(3)), 3)
        """,
    "linen_mapped": """
        import flax.linen as nn
        m = nn.Dense(3)
        v = jax.vmap(lambda k: m.init(k, jnp.ones(3)))(jax.random.split(jax.random.key(0), 3))
        v = jax.vmap(m.init, in_axes=(0, None))(jax.random.split(jax.random.key(0), 3), jnp.ones(3))
        """,
    "linen_overridden": """
        import flax.linen as nn
        class M(nn.Module):
            def init(self, x, key): return x
        v = M().init(jnp.ones((4, 8)), jax.random.key(0))
        """,
    "linen_loop_of_keys": """
        import flax.linen as nn
        m = nn.Dense(3)
        for k in jax.random.split(jax.random.key(0), 3): v = m.init(k, jnp.ones(3))
        key = jax.random.PRNGKey(0)
        key, sub = jax.random.split(key)
        v = m.init(sub, jnp.ones(3))
        """,
    "linen_caught": """
        import flax
        import flax.linen as nn
        m = nn.Dense(3)
        try:
            m.init(jnp.ones(3), jax.random.key(0))
        except flax.errors.InvalidRngError:
            print("no")
        """,
    "linen_programs_own_init": """
        class P:
            def __init__(self, n): self.n = n
            def init(self, x): return x * jnp.ones((2, 3))
            def apply(self, x): return x @ jnp.ones(3)
        p = P(2)
        print(p.init(jnp.ones(3)) + 1, p.apply(jnp.ones((5, 3))) * 2)
        """,
    "loss_with_more": """
        def loss(w):
            return (w * w).sum(), (w, w)
        jax.grad(loss, has_aux=True)(jnp.ones(3))
        jax.value_and_grad(lambda w: [w.sum(), 1], has_aux=True)(jnp.ones(3))
        jax.grad(loss, 0, True)(jnp.ones(3))
        """,
    "loss_of_a_number": "jax.grad(lambda x: 2.0)(jnp.ones(3))",
    "loss_that_hangs_on_its_argument": """
        def loss(w, pair):
            return (w.sum(), w) if pair else w.sum()
        jax.grad(loss)(jnp.ones(3), False)
        jax.grad(loss, has_aux=True)(jnp.ones(3), True)
        """,
    "loss_that_is_refused_and_caught": """
        try:
            jax.grad(lambda x: (x.sum(), x))(jnp.ones(3))
        except TypeError:
            pass
        """,
    "tangents": """
        def along(x, v):
            return jax.jvp(jnp.sin, (x,), (v,))[1] + jax.jvp(lambda a, b: a * b, [x, x], [v, 2 * v])[1]
        along(jnp.ones(3), jnp.ones(3))
        jax.jvp(jnp.sin, (jnp.float32(1),), (1.0,))
        jax.jvp(jnp.sin, (1.0,), (jnp.ones(()),))
        """,
    "tangent_trees": """
        def along(w, x):
            return jax.jvp(lambda p: p["w"] * p["b"], ({"w": w, "b": x},), ({"b": w, "w": w},))
        along(jnp.ones(3), jnp.ones(3))
        """,
    "tangents_of_integers": """
        import numpy as np
        jax.jvp(lambda n: n * 2.0, (1,), (np.zeros((), jax.dtypes.float0),))
        """,
    "caught": """
        def along(x, v):
            try:
                return jax.jvp(jnp.sin, (x,), (v[:2],))
            except ValueError:
                return None
        along(jnp.ones(3), jnp.ones(3))
        """,
    "fitting_cotangents": """
        def pulled(f, x):
            y, back = jax.vjp(f, x)
            return back(jnp.ones_like(y))
        pulled(lambda x: x[:2] * 2, jnp.ones(3))
        pulled(lambda x: (x * 2).sum(), jnp.ones(3))
        y, back = jax.vjp(lambda x: (x, {"a": x.sum()}), jnp.ones(3))
        back((jnp.zeros(3), {"a": 1.0}))
        y2, back2 = jax.vjp(lambda x: jnp.int32(3) + 0 * x.astype(int).sum(), jnp.ones(3))
        jax.vmap(jax.vjp(lambda x: x * 2, jnp.ones(3))[1])(jnp.eye(3))
        """,
    "half": """
        y, back = jax.vjp(lambda x: x * 2, jnp.float16(1))
        back(jnp.float16(1))
        """,
    "linearized": """
        y, push = jax.linearize(lambda a, b: a * b.sum(), jnp.ones(3), jnp.ones(4))
        push(jnp.ones(3), jnp.ones(4))
        jax.vmap(push)(jnp.ones((2, 3)), jnp.ones((2, 4)))
        """,
    "gradients": """
        def f(x, n):
            return jnp.sum(x * n)
        jax.grad(f)(2.0, 3)
        jax.grad(f, argnums=1)(2, 3.0)
        jax.grad(f, allow_int=True)(2, 3.0)
        jax.grad(f, argnums=0)(jnp.ones(3), 2)
        jax.jacrev(f, allow_int=True)(jnp.arange(3), 2.0)
        jax.jacfwd(f)(jnp.ones(3), 2)
        jax.hessian(f)(jnp.ones(3), True)
        """,
}


run = one_run(WRONG, RIGHT)


@pytest.mark.parametrize("name", WRONG)
def test_what_is_refused_is_told_where_it_raises(name: str, run: Run) -> None:
    line = raising_line(program(WRONG[name]))
    assert line is not None
    assert told(run, name) == [line]


@pytest.mark.parametrize("name", RIGHT)
def test_nothing_is_told_of_what_is_taken(name: str, run: Run) -> None:
    assert raising_line(program(RIGHT[name])) is None
    assert told(run, f"r_{name}") == []

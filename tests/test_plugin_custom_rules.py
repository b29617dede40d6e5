"""Rules that a program gives its functions for derivatives: what JAX refuses is told where it raises."""

from __future__ import annotations

import pytest
from mypy_runs import Run
from raising_programs import one_run, program, raising_line, told

WRONG = {
    "grad_by_second": """
        @jax.custom_vjp
        def f(x): return x * 2
        f.defvjp(lambda x: x * 2, lambda r, g: (g,))
        def loss(w, x): return (w * f(x)).sum()
        print(jax.grad(loss, argnums=1)(jnp.ones(3), jnp.ones(3)))
        """,
    "bwd_with_aux": """
        @jax.custom_vjp
        def f(x): return x * 2
        f.defvjp(lambda x: (x * 2, None), lambda r, g: (g, g))
        def loss(w):
            y = f(w)
            return (y * 2).sum(), y
        print(jax.grad(loss, has_aux=True)(jnp.ones(3)))
        """,
    "bwd_shape": """
        @jax.custom_vjp
        def f(x, y): return x * 2 + y
        def fwd(x, y): return x * 2 + y, x
        def bwd(x, g): return g.sum(), g
        f.defvjp(fwd, bwd)
        print(jax.value_and_grad(lambda w: f(w, w).sum())(jnp.ones(3)))
        """,
    "bwd_single": """
        @jax.custom_vjp
        def f(x): return x * 2
        def fwd(x): return x * 2, x
        def bwd(x, g): return g * 2
        f.defvjp(fwd, bwd)
        print(jax.grad(lambda w: f(w).sum())(jnp.ones(3)))
        """,
    "bwd_tree": """
        @jax.custom_vjp
        def f(p): return p["a"] * p["b"]
        def fwd(p): return p["a"] * p["b"], p
        def bwd(p, g): return ({"a": g * p["b"], "b": (g * p["a"]).sum()},)
        f.defvjp(fwd, bwd)
        print(jax.grad(lambda p: f(p).sum())({"a": jnp.ones(3), "b": jnp.ones(3)}))
        """,
    "nondiff_wrong": """
        @partial(jax.custom_vjp, nondiff_argnums=(1,))
        def clip(x, bound): return x
        def fwd(x, bound): return x, None
        def bwd(bound, _, g): return jnp.clip(g, -bound, bound), None
        clip.defvjp(fwd, bwd)
        print(jax.grad(lambda x: clip(x, 0.5).sum())(jnp.ones(3)))
        """,
    "kwargs_wrong": """
        @jax.custom_vjp
        def f(x, scale=2.0): return x * scale
        def fwd(x, scale): return x * scale, scale
        def bwd(s, g): return (g * s,)
        f.defvjp(fwd, bwd)
        print(jax.grad(lambda x: f(scale=3.0, x=x).sum())(jnp.ones(3)))
        """,
    "default_wrong": """
        @jax.custom_vjp
        def f(x, scale=2.0): return x * scale
        def fwd(x, scale): return x * scale, scale
        def bwd(s, g): return (g * s,)
        f.defvjp(fwd, bwd)
        print(jax.grad(lambda x: f(x).sum())(jnp.ones(3)))
        """,
    "forward_mode": """
        @jax.custom_vjp
        def f(x): return x * 2
        f.defvjp(lambda x: (x * 2, None), lambda r, g: (g * 2,))
        print(jax.jvp(lambda x: f(x).sum(), (jnp.ones(3),), (jnp.ones(3),)))
        """,
    "forward_mode_direct": """
        @jax.custom_vjp
        def f(x): return x * 2
        f.defvjp(lambda x: (x * 2, None), lambda r, g: (g * 2,))
        print(jax.jacfwd(f)(jnp.ones(3)))
        """,
    "jit_around": """
        @jax.custom_vjp
        def f(x): return x * 2
        f.defvjp(lambda x: x * 2, lambda r, g: (g,))
        @jax.jit
        def step(w):
            return w - jax.grad(lambda x: f(x).sum())(w)
        print(step(jnp.ones(3)))
        """,
    "helper": """
        @jax.custom_vjp
        def f(x): return x * 2
        f.defvjp(lambda x: x * 2, lambda r, g: (g,))
        def layer(w, x): return f(w @ x)
        def loss(w, x): return layer(w, x).sum()
        print(jax.grad(loss)(jnp.ones((2, 3)), jnp.ones(3)))
        """,
    "jvp_dtype": """
        @jax.custom_jvp
        def f(x): return x * 2
        @f.defjvp
        def f_jvp(p, t):
            return f(*p), t[0].astype(jnp.bfloat16)
        print(jax.grad(lambda x: f(x).sum())(jnp.ones(3)))
        """,
    "vmap_grad": """
        @jax.custom_vjp
        def f(x): return x.sum()
        f.defvjp(lambda x: (x.sum(), x), lambda x, g: (g * jnp.ones(2),))
        print(jax.vmap(jax.grad(f))(jnp.ones((2, 3))))
        """,
    "tree_argument": """
        @jax.custom_vjp
        def f(p): return p["a"] * p["b"]
        f.defvjp(lambda p: p["a"] * p["b"], lambda p, g: (g,))
        def loss(p):
            return f(p).sum()
        print(jax.grad(loss)({"a": jnp.ones(3), "b": jnp.ones(3)}))
        """,
    "norm_and_more": """
        @jax.custom_vjp
        def f(x): return x * 2
        f.defvjp(lambda x: x * 2, lambda r, g: (g,))
        print(jax.grad(lambda w: f(jnp.linalg.norm(w)))(jnp.ones(3)))
        """,
    "softmax_of": """
        @jax.custom_vjp
        def f(x): return x * 2
        f.defvjp(lambda x: x * 2, lambda r, g: (g,))
        print(jax.grad(lambda w: f(jax.nn.softmax(w)).sum())(jnp.ones(3)))
        """,
    "max_of": """
        @jax.custom_vjp
        def f(x): return x * 2
        f.defvjp(lambda x: x * 2, lambda r, g: (g,))
        print(jax.grad(lambda w: f(jnp.concatenate([w, jnp.ones(2)]).max()))(jnp.ones(3)))
        """,
    "operators_of_numpy": """
        @jax.custom_vjp
        def f(x): return x * 2
        f.defvjp(lambda x: x * 2, lambda r, g: (g,))
        import numpy as np
        print(jax.grad(lambda w: f(np.ones(3) @ w).sum())(jnp.ones(3)))
        """,
    "tangent_of_pair": """
        @jax.custom_jvp
        def f(x): return x * 2, x.sum()
        @f.defjvp
        def f_jvp(p, t):
            return f(*p), t[0] * 2
        print(jax.grad(lambda x: f(x)[1])(jnp.ones(3)))
        """,
    "tangent_of_pair_right": """
        @jax.custom_jvp
        def f(x): return x * 2, x.sum()
        @f.defjvp
        def f_jvp(p, t):
            return f(*p), [t[0] * 2, t[0].sum()]
        print(jax.grad(lambda x: f(x)[1])(jnp.ones(3)))
        """,
}
RIGHT = {
    "another_result": """
        @jax.custom_jvp
        def f(x): return jnp.sin(x)
        @f.defjvp
        def f_jvp(primals, tangents): return jnp.ones(7), jnp.ones(7)
        x = jnp.ones(3)
        print(jax.jvp(f, (x,), (x,))[0] + jnp.ones(7))
        print(jax.linearize(f, x)[0] + jnp.ones(7))
        print(jax.vjp(f, x)[0] + jnp.ones(7))
        print(jax.jacfwd(f)(x) + jnp.ones((7, 3)))
        """,
    "another_result_inside": """
        @jax.custom_jvp
        def f(x): return jnp.sin(x)
        @f.defjvp
        def f_jvp(primals, tangents): return jnp.ones(7), jnp.ones(7)
        x = jnp.ones(3)
        out, along = jax.jvp(lambda x: f(x) * 2, (x,), (x,))
        print(out + jnp.ones(7), along + jnp.ones(7))
        """,
    "without_checks": """
        jax.config.update("jax_disable_bwd_checks", True)
        @jax.custom_vjp
        def f(x): return x * 2
        def fwd(x): return x * 2, None
        def bwd(r, g): return (jnp.ones(7),)
        f.defvjp(fwd, bwd)
        jax.grad(lambda x: f(x).sum())(jnp.ones(3))
        jax.config.update("jax_disable_bwd_checks", False)
        """,
    "early_return": """
        @jax.custom_vjp
        def f(x): return x * 2
        f.defvjp(lambda x: (x * 2, None), lambda r, g: (g, g))
        def loss(w, n):
            if n > 3:
                return w.sum()
            return f(w).sum()
        print(jax.grad(loss)(jnp.ones(3), 5))
        """,
    "dead_call": """
        @jax.custom_vjp
        def f(x): return x * 2
        f.defvjp(lambda x: (x * 2, None), lambda r, g: (g, g))
        def loss(w):
            y = f(w)
            y = w * 3
            return y.sum()
        print(jax.grad(loss)(jnp.ones(3)))
        """,
    "cut_by_stop": """
        @jax.custom_vjp
        def f(x): return x * 2
        f.defvjp(lambda x: (x * 2, None), lambda r, g: (g, g))
        def loss(w):
            y = jax.lax.stop_gradient(f(w))
            return (y * w).sum()
        print(jax.grad(loss)(jnp.ones(3)))
        """,
    "shape_only": """
        @jax.custom_vjp
        def f(x): return x * 2
        f.defvjp(lambda x: (x * 2, None), lambda r, g: (g, g))
        def loss(w):
            y = f(w)
            return (w.reshape(y.shape) * jnp.ones_like(y)).sum()
        print(jax.grad(loss)(jnp.ones(3)))
        """,
    "index_by": """
        @jax.custom_vjp
        def f(x): return x * 2
        f.defvjp(lambda x: (x * 2, None), lambda r, g: (g, g))
        def loss(w):
            y = f(w)
            return w[jnp.argmax(y)]
        print(jax.grad(loss)(jnp.ones(3)))
        """,
    "where_cond": """
        @jax.custom_vjp
        def f(x): return x * 2
        f.defvjp(lambda x: (x * 2, None), lambda r, g: (g, g))
        def loss(w):
            y = f(w)
            return jnp.where(y > 0, w, 0.0).sum()
        print(jax.grad(loss)(jnp.ones(3)))
        """,
    "shadowed_name": """
        @jax.custom_vjp
        def f(x): return x * 2
        f.defvjp(lambda x: x * 2, lambda r, g: (g,))
        def loss(w):
            def f(x): return x * 5
            return f(w).sum()
        print(jax.grad(loss)(jnp.ones(3)))
        """,
    "conditional_set": """
        import sys
        @jax.custom_vjp
        def f(x): return x * 2
        if len(sys.argv) > 100:
            f.defvjp(lambda x: x * 2, lambda r, g: (g,))
        else:
            f.defvjp(lambda x: (x * 2, None), lambda r, g: (g,))
        print(jax.grad(lambda w: f(w).sum())(jnp.ones(3)))
        """,
    "not_differentiated": """
        @jax.custom_vjp
        def f(x): return x * 2
        def fwd(x): return x * 2
        def bwd(r, g): return (g,)
        f.defvjp(fwd, bwd)
        print(f(jnp.ones(3)), jax.jit(f)(jnp.ones(3)))
        """,
    "vmap_not_differentiated": """
        @jax.custom_vjp
        def f(x): return x * 2
        def fwd(x): return x * 2
        def bwd(r, g): return (g,)
        f.defvjp(fwd, bwd)
        print(jax.vmap(f)(jnp.ones((2, 3))))
        """,
    "grad_by_other": """
        @jax.custom_vjp
        def f(x): return x * 2
        f.defvjp(lambda x: x * 2, lambda r, g: (g,))
        def loss(w, x): return (w * f(x)).sum()
        print(jax.grad(loss)(jnp.ones(3), jnp.ones(3)))
        """,
    "stop_gradient": """
        @jax.custom_vjp
        def f(x): return x * 2
        f.defvjp(lambda x: x * 2, lambda r, g: (g,))
        def loss(w): return (w * f(jax.lax.stop_gradient(w))).sum()
        print(jax.grad(loss)(jnp.ones(3)))
        """,
    "rounded": """
        @jax.custom_vjp
        def f(x): return x * 2
        f.defvjp(lambda x: x * 2, lambda r, g: (g,))
        def loss(w): return (w * f(jnp.round(w))).sum()
        print(jax.grad(loss)(jnp.ones(3)))
        """,
    "int_cast": """
        @jax.custom_vjp
        def f(x): return x * 2
        f.defvjp(lambda x: x * 2, lambda r, g: (g,))
        def loss(w): return (w * f(w.astype(jnp.int32).astype(jnp.float32))).sum()
        print(jax.grad(loss)(jnp.ones(3)))
        """,
    "set_twice": """
        @jax.custom_vjp
        def f(x): return x * 2
        f.defvjp(lambda x: x * 2, lambda r, g: (g,))
        f.defvjp(lambda x: (x * 2, None), lambda r, g: (g * 2,))
        print(jax.grad(lambda x: f(x).sum())(jnp.ones(3)))
        """,
    "set_by_alias": """
        @jax.custom_vjp
        def f(x): return x * 2
        f.defvjp(lambda x: x * 2, lambda r, g: (g,))
        h = f
        h.defvjp(lambda x: (x * 2, None), lambda r, g: (g * 2,))
        print(jax.grad(lambda x: f(x).sum())(jnp.ones(3)))
        """,
    "set_by_helper": """
        def register(f, fwd, bwd): f.defvjp(fwd, bwd)
        @jax.custom_vjp
        def f(x): return x * 2
        f.defvjp(lambda x: x * 2, lambda r, g: (g,))
        register(f, lambda x: (x * 2, None), lambda r, g: (g * 2,))
        print(jax.grad(lambda x: f(x).sum())(jnp.ones(3)))
        """,
    "set_by_getattr": """
        @jax.custom_vjp
        def f(x): return x * 2
        f.defvjp(lambda x: x * 2, lambda r, g: (g,))
        getattr(f, "defvjp")(lambda x: (x * 2, None), lambda r, g: (g * 2,))
        print(jax.grad(lambda x: f(x).sum())(jnp.ones(3)))
        """,
    "set_attribute": """
        @jax.custom_vjp
        def f(x): return x * 2
        f.defvjp(lambda x: x * 2, lambda r, g: (g,))
        f.fwd = lambda x: (x * 2, None)
        print(jax.grad(lambda x: f(x).sum())(jnp.ones(3)))
        """,
    "set_in_if": """
        DEBUG = False
        @jax.custom_vjp
        def f(x): return x * 2
        def fwd(x): return x * 2, None
        if DEBUG:
            def fwd(x): return x * 2
        f.defvjp(fwd, lambda r, g: (g,))
        print(jax.grad(lambda x: f(x).sum())(jnp.ones(3)))
        """,
    "rule_decorated": """
        def pairs(rule):
            def wrapped(x): return rule(x), None
            return wrapped
        @jax.custom_vjp
        def f(x): return x * 2
        @pairs
        def fwd(x): return x * 2
        f.defvjp(fwd, lambda r, g: (g,))
        print(jax.grad(lambda x: f(x).sum())(jnp.ones(3)))
        """,
    "rule_rebound": """
        @jax.custom_vjp
        def f(x): return x * 2
        def fwd(x): return x * 2
        inner = fwd
        fwd = lambda x: (inner(x), None)
        f.defvjp(fwd, lambda r, g: (g,))
        print(jax.grad(lambda x: f(x).sum())(jnp.ones(3)))
        """,
    "bwd_unused": """
        @jax.custom_vjp
        def f(x): return x * 2
        f.defvjp(lambda x: (x * 2, None), lambda r, g: (g, g))
        def loss(w):
            y = f(w)
            return (w * 2).sum()
        print(jax.grad(loss)(jnp.ones(3)))
        """,
    "bwd_aux_only": """
        @jax.custom_vjp
        def f(x): return x * 2
        f.defvjp(lambda x: (x * 2, None), lambda r, g: (g, g))
        def loss(w):
            y = f(w)
            return (w * 2).sum(), y
        print(jax.grad(loss, has_aux=True)(jnp.ones(3)))
        """,
    "bwd_none": """
        @jax.custom_vjp
        def f(x, y): return x * 2 + y
        def fwd(x, y): return x * 2 + y, x
        def bwd(x, g): return None, g
        f.defvjp(fwd, bwd)
        print(jax.value_and_grad(lambda w: f(w, w).sum())(jnp.ones(3)))
        """,
    "bwd_list": """
        @jax.custom_vjp
        def f(x, y): return x * 2 + y
        def fwd(x, y): return x * 2 + y, x
        def bwd(x, g): return [g, g]
        f.defvjp(fwd, bwd)
        print(jax.value_and_grad(lambda w: f(w, w).sum())(jnp.ones(3)))
        """,
    "bwd_other_dtype": """
        @jax.custom_vjp
        def f(x): return x * 2
        def fwd(x): return x * 2, x
        def bwd(x, g): return (g.astype(jnp.float16),)
        f.defvjp(fwd, bwd)
        print(jax.value_and_grad(lambda w: f(w).sum())(jnp.ones(3)))
        """,
    "bwd_int": """
        @jax.custom_vjp
        def f(x, n): return x * n
        def fwd(x, n): return x * n, n
        def bwd(n, g): return g * n, jnp.zeros((5,))
        f.defvjp(fwd, bwd)
        print(jax.value_and_grad(lambda w: f(w, jnp.arange(3)).sum())(jnp.ones(3)))
        """,
    "bwd_tree_broadcast": """
        @jax.custom_vjp
        def f(p): return p["a"] * p["b"]
        def fwd(p): return p["a"] * p["b"], p
        def bwd(p, g): return (g,)
        f.defvjp(fwd, bwd)
        print(jax.grad(lambda p: f(p).sum())({"a": jnp.ones(3), "b": jnp.ones(3)}))
        """,
    "nondiff": """
        @partial(jax.custom_vjp, nondiff_argnums=(1,))
        def clip(x, bound): return x
        def fwd(x, bound): return x, None
        def bwd(bound, _, g): return (jnp.clip(g, -bound, bound),)
        clip.defvjp(fwd, bwd)
        print(jax.grad(lambda x: clip(x, 0.5).sum())(jnp.ones(3)), jax.grad(clip)(1.0, 0.5))
        """,
    "nondiff_first": """
        @partial(jax.custom_vjp, nondiff_argnums=(0,))
        def apply(f, x): return f(x)
        def fwd(f, x): return f(x), x
        def bwd(f, x, g): return (g * f(x),)
        apply.defvjp(fwd, bwd)
        print(jax.grad(lambda x: apply(jnp.sin, x).sum())(jnp.ones(3)))
        """,
    "nondiff_jvp": """
        @partial(jax.custom_jvp, nondiff_argnums=(0,))
        def apply(f, x): return f(x)
        @apply.defjvp
        def apply_jvp(f, primals, tangents):
            (x,), (t,) = primals, tangents
            return f(x), t * 2
        print(jax.grad(lambda x: apply(jnp.sin, x).sum())(jnp.ones(3)))
        """,
    "kwargs": """
        @jax.custom_vjp
        def f(x, scale=2.0): return x * scale
        def fwd(x, scale): return x * scale, scale
        def bwd(s, g): return g * s, None
        f.defvjp(fwd, bwd)
        print(jax.grad(lambda x: f(x, scale=3.0).sum())(jnp.ones(3)), jax.grad(lambda x: f(x).sum())(jnp.ones(3)))
        """,
    "caught": """
        @jax.custom_vjp
        def f(x): return x * 2
        f.defvjp(lambda x: x * 2, lambda r, g: (g,))
        try:
            jax.grad(lambda x: f(x).sum())(jnp.ones(3))
        except TypeError as e:
            print("caught")
        """,
    "caught_inside": """
        @jax.custom_vjp
        def f(x): return x * 2
        f.defvjp(lambda x: x * 2, lambda r, g: (g,))
        def loss(x):
            try:
                return f(x).sum()
            except TypeError:
                return x.sum()
        print(jax.grad(loss)(jnp.ones(3)))
        """,
    "branch_not_taken": """
        @jax.custom_vjp
        def f(x): return x * 2
        f.defvjp(lambda x: x * 2, lambda r, g: (g,))
        def loss(x, use):
            if use:
                return f(x).sum()
            return x.sum()
        print(jax.grad(loss)(jnp.ones(3), False))
        """,
    "hessian": """
        @jax.custom_vjp
        def f(x): return x * 2
        f.defvjp(lambda x: (x * 2, None), lambda r, g: (g * 2,))
        print(jax.hessian(lambda x: f(x).sum())(jnp.ones(3)), jax.jacrev(f)(jnp.ones(3)))
        """,
    "forward_over_reverse": """
        @jax.custom_vjp
        def f(x): return x * 2
        f.defvjp(lambda x: (x * 2, None), lambda r, g: (g * 2,))
        print(jax.jacfwd(jax.grad(lambda x: f(x).sum()))(jnp.ones(3)))
        """,
    "symbolic": """
        @jax.custom_vjp
        def f(x): return x * 2
        def fwd(x): return x.value * 2, None
        def bwd(r, g): return (g,)
        f.defvjp(fwd, bwd, symbolic_zeros=True)
        print(jax.grad(lambda x: f(x).sum())(jnp.ones(3)))
        """,
    "nested_custom": """
        @jax.custom_vjp
        def g(x): return x * 2
        g.defvjp(lambda x: (x * 2, None), lambda r, c: (c * 2,))
        @jax.custom_vjp
        def f(x): return g(x) + 1
        f.defvjp(lambda x: (g(x) + 1, x), lambda x, c: (c * jax.grad(lambda y: g(y).sum())(x),))
        print(jax.grad(lambda x: f(x).sum())(jnp.ones(3)), jax.grad(lambda x: (f(x) ** 2).sum())(jnp.ones(3)))
        """,
    "nested_wrong": """
        @jax.custom_vjp
        def g(x): return x * 2
        g.defvjp(lambda x: x * 2, lambda r, c: (c * 2,))
        @jax.custom_vjp
        def f(x): return g(x) + 1
        f.defvjp(lambda x: (g(x) + 1, x), lambda x, c: (c * 3,))
        print(jax.grad(lambda x: f(x).sum())(jnp.ones(3)))
        """,
    "helper_const": """
        @jax.custom_vjp
        def f(x): return x * 2
        f.defvjp(lambda x: x * 2, lambda r, g: (g,))
        def layer(w, x): return w @ f(x)
        def loss(w, x): return layer(w, x).sum()
        print(jax.grad(loss)(jnp.ones((2, 3)), jnp.ones(3)))
        """,
    "int_result": """
        @jax.custom_jvp
        def f(x): return jnp.round(x).astype(jnp.int32)
        @f.defjvp
        def f_jvp(p, t):
            import numpy as np
            return f(*p), np.zeros(p[0].shape, jax.dtypes.float0)
        print(jax.grad(lambda x: (x * f(x)).sum())(jnp.ones(3)))
        """,
    "jvp_weak": """
        @jax.custom_jvp
        def f(x): return jnp.where(x > 0, 1.0, -1.0)
        @f.defjvp
        def f_jvp(p, t):
            return f(*p), 0.0 * t[0]
        print(jax.grad(lambda x: f(x).sum())(jnp.ones(3)), jax.grad(f)(2.0))
        """,
    "jvp_primal_other": """
        @jax.custom_jvp
        def f(x): return x.sum()
        @f.defjvp
        def f_jvp(p, t):
            return p[0] * 2, t[0] * 2
        print(jax.grad(lambda x: f(x).sum())(jnp.ones(3)))
        """,
    "defjvps": """
        @jax.custom_jvp
        def f(x, y): return x * y
        f.defjvps(lambda t, ans, x, y: t * y, None)
        print(jax.grad(lambda x: f(x, x).sum())(jnp.ones(3)))
        """,
    "vmap_inside": """
        @jax.custom_vjp
        def f(x): return x.sum()
        f.defvjp(lambda x: (x.sum(), x), lambda x, g: (g * jnp.ones_like(x),))
        print(jax.grad(lambda x: jax.vmap(f)(x).sum())(jnp.ones((2, 3))))
        """,
    "vmap_grad_right": """
        @jax.custom_vjp
        def f(x): return x.sum()
        f.defvjp(lambda x: (x.sum(), x), lambda x, g: (g * jnp.ones_like(x),))
        print(jax.vmap(jax.grad(f))(jnp.ones((2, 3))))
        """,
    "scan_inside": """
        @jax.custom_vjp
        def f(x): return x * 2
        f.defvjp(lambda x: (x * 2, None), lambda r, g: (g * 2,))
        def loss(w):
            c, ys = jax.lax.scan(lambda c, _: (f(c), c.sum()), w, None, length=3)
            return c.sum() + ys.sum()
        print(jax.grad(loss)(jnp.ones(3)))
        """,
    "inside_function": """
        def make(k):
            @jax.custom_vjp
            def f(x): return x * k
            f.defvjp(lambda x: (x * k, None), lambda r, g: (g * k,))
            return f
        print(jax.grad(lambda x: make(2.0)(x).sum())(jnp.ones(3)))
        """,
    "fwd_fails_only_when_differentiated": """
        @jax.custom_vjp
        def f(x): return x * 2
        def fwd(x): return x @ jnp.ones(5), None
        f.defvjp(fwd, lambda r, g: (g,))
        print(f(jnp.ones(3)))
        """,
    "two_uses": """
        @jax.custom_vjp
        def f(x): return x * 2
        def fwd(x):
            return (x * 2, None) if x.ndim else x * 2
        f.defvjp(fwd, lambda r, g: (g,))
        print(f(jnp.float32(1.0)), jax.grad(lambda x: f(x).sum())(jnp.ones(3)))
        """,
    "residual_numbers": """
        @jax.custom_vjp
        def f(x, n): return x * n
        def fwd(x, n): return x * n, (x, n, 2, "a" if False else None)
        def bwd(r, g):
            x, n, two, none = r
            return g * n * two, (g * x).sum()
        f.defvjp(fwd, bwd)
        print(jax.grad(lambda x: f(x, 3.0).sum())(jnp.ones(3)))
        """,
    "value_of_call": """
        @jax.custom_vjp
        def f(x, y): return x * y, {"s": x.sum()}
        f.defvjp(lambda x, y: ((x * y, {"s": x.sum()}), (x, y)), lambda r, g: (g[0] * r[1], g[0] * r[0]))
        a, b = f(jnp.ones(3), jnp.arange(3.0))
        c = a + b["s"]
        print(jax.grad(lambda x: f(x, x)[0].sum())(jnp.ones(3)), c)
        """,
    "setattr": """
        @jax.custom_vjp
        def f(x): return x * 2
        f.defvjp(lambda x: x * 2, lambda r, g: (g,))
        setattr(f, "fwd", lambda x: (x * 2, None))
        print(jax.grad(lambda x: f(x).sum())(jnp.ones(3)))
        """,
    "loop_variable": """
        @jax.custom_vjp
        def f(x): return x * 2
        f.defvjp(lambda x: x * 2, lambda r, g: (g,))
        def loss(w, xs):
            total = 0.0
            h = xs
            for i in range(3):
                h = f(h)
                total = total + (w * h).sum()
            return total
        print(jax.grad(loss)(jnp.ones(3), jnp.ones(3)))
        """,
    "rebound_in_body": """
        @jax.custom_vjp
        def f(x): return x * 2
        f.defvjp(lambda x: x * 2, lambda r, g: (g,))
        def loss(w):
            w0 = w
            w = jnp.ones(3)
            return f(w).sum() + w0.sum()
        print(jax.grad(loss)(jnp.ones(3)))
        """,
    "default_argument": """
        @jax.custom_vjp
        def f(x): return x * 2
        f.defvjp(lambda x: x * 2, lambda r, g: (g,))
        def loss(w, x=jnp.ones(3)): return f(x).sum() + w.sum()
        print(jax.grad(loss)(jnp.ones(3)))
        """,
    "zero_power": """
        @jax.custom_vjp
        def f(x): return x * 2
        f.defvjp(lambda x: x * 2, lambda r, g: (g,))
        print(jax.grad(lambda w: f(w ** 0).sum() + w.sum())(jnp.ones(3)))
        """,
    "where_condition": """
        @jax.custom_vjp
        def f(x): return x * 2
        f.defvjp(lambda x: x * 2, lambda r, g: (g,))
        print(jax.grad(lambda w: f(jnp.where(w > 0, 1.0, 2.0)).sum() + w.sum())(jnp.ones(3)))
        """,
    "floor_and_sign": """
        @jax.custom_vjp
        def f(x): return x * 2
        f.defvjp(lambda x: x * 2, lambda r, g: (g,))
        print(jax.grad(lambda w: f(jnp.sign(w) + w // 1 + jnp.floor(w)).sum() + w.sum())(jnp.ones(3)))
        """,
    "like": """
        @jax.custom_vjp
        def f(x): return x * 2
        f.defvjp(lambda x: x * 2, lambda r, g: (g,))
        print(jax.grad(lambda w: f(jnp.zeros_like(w) + jnp.ones(w.shape)).sum() + w.sum())(jnp.ones(3)))
        """,
    "take_index": """
        @jax.custom_vjp
        def f(x): return x * 2
        f.defvjp(lambda x: x * 2, lambda r, g: (g,))
        print(jax.grad(lambda w: f(jnp.take(jnp.arange(4.0), jnp.argmax(w))).sum() + w.sum())(jnp.ones(3)))
        """,
    "rule_uses_grad_of_itself": """
        @jax.custom_jvp
        def f(x): return jnp.where(x == 0, 1.0, jnp.sin(x) / x)
        @f.defjvp
        def f_jvp(p, t):
            (x,), (dx,) = p, t
            return f(x), jnp.where(x == 0, 0.0, (x * jnp.cos(x) - jnp.sin(x)) / x ** 2) * dx
        print(jax.vmap(jax.grad(jax.grad(f)))(jnp.linspace(0.0, 1.0, 4)))
        """,
    "none_argument": """
        @jax.custom_vjp
        def f(x, m): return x * 2 if m is None else x * m
        def fwd(x, m): return f(x, m), m
        def bwd(m, g): return g * 2, None
        f.defvjp(fwd, bwd)
        print(jax.grad(lambda x: f(x, None).sum())(jnp.ones(3)))
        """,
    "integer_argument_tangent": """
        @jax.custom_jvp
        def f(x, n): return x * n
        @f.defjvp
        def f_jvp(p, t):
            x, n = p
            dx, dn = t
            return x * n, dx * n
        print(jax.grad(lambda x: f(x, jnp.arange(3)).sum())(jnp.ones(3)))
        print(jax.grad(lambda x: f(x, 2).sum())(jnp.ones(3)))
        """,
}
GRADIENTS = """
    @jax.custom_vjp
    def f(x): return x * 2
    f.defvjp(lambda x: (x * 2, None), lambda r, g: (g.astype(jnp.float16),))
    y, back = jax.vjp(f, jnp.ones(3))
    reveal_type(back(y)[0])
    reveal_type(jax.grad(lambda x: f(x).sum())(jnp.ones(3)))
    reveal_type(jax.jacrev(f)(jnp.ones(3)))
    reveal_type(jax.jacfwd(jnp.sin)(jnp.ones(3)))
    """
OTHER_RESULT = """
    @jax.custom_jvp
    def f(x): return x.sum()
    @f.defjvp
    def f_jvp(p, t): return p[0] * 2, t[0] * 2
    reveal_type(f(jnp.ones(3)))
    """


run = one_run(WRONG, RIGHT | {"gradients": GRADIENTS, "other_result": OTHER_RESULT})


@pytest.mark.parametrize("name", WRONG)
def test_what_is_refused_is_told_where_it_raises(name: str, run: Run) -> None:
    line = raising_line(program(WRONG[name]))
    assert line is not None
    assert told(run, name) == [line]


@pytest.mark.parametrize("name", RIGHT)
def test_nothing_is_told_of_what_runs(name: str, run: Run) -> None:
    assert raising_line(program(RIGHT[name])) is None
    assert told(run, f"r_{name}") == []


def test_no_dtype_is_claimed_of_what_a_backward_rule_may_cast(run: Run) -> None:
    revealed = [m.revealed for m in run.messages if m.file == "r_gradients.py" and m.revealed]
    assert all(t is not None and "float" not in t for t in revealed[:3]), revealed
    assert "float32" in str(revealed[3])


def test_nothing_is_claimed_where_the_rule_gives_something_else(run: Run) -> None:
    assert [m.revealed for m in run.messages if m.file == "r_other_result.py" and m.revealed] == ["Any"]

"""Mistakes in the bodies of functions that are followed: told at the line where the program raises, and only there."""

from __future__ import annotations

import pytest
from mypy_runs import Run
from raising_programs import one_run, program, raising_line, told

WRONG = {
    "branch_that_is_taken": """
        def f(x, flip):
            if flip:
                return x @ jnp.ones(5)
            return x
        f(jnp.ones((3, 4)), True)
        """,
    "elif_of_a_text": """
        def f(x, how):
            if how == "same":
                y = x
            elif how == "sum":
                y = x.sum(0)
            elif how == "flat":
                y = x.reshape(7)
            else:
                y = x + 1
            return y
        f(jnp.ones((2, 3)), "same")
        f(jnp.ones((2, 3)), "flat")
        """,
    "elif_of_a_rank": """
        def f(x, by):
            if x.ndim == 1:
                return x
            elif x.ndim == 2:
                return x + by
            else:
                raise ValueError(x.ndim)
        f(jnp.ones(2), jnp.ones(3))
        f(jnp.ones((3, 2)), jnp.ones(3))
        """,
    "elif_of_a_class": """
        def f(x):
            if x is None:
                return jnp.zeros(3)
            elif isinstance(x, (list, tuple)):
                return x[0] + jnp.ones(4)
            else:
                return x
        f(None)
        f(jnp.ones(3))
        f((jnp.ones(3), 1))
        """,
    "branch_in_rounds_that_agree": """
        def f(xs, scale):
            total = jnp.zeros(3)
            for x in (xs[0], xs[1]):
                if scale:
                    total = total + x * jnp.ones(4)
            return total
        f((jnp.ones(3), jnp.ones(3)), True)
        """,
    "body": """
        def norm(x, y):
            d = x - y
            return jnp.sqrt((d * d).sum())
        print(norm(jnp.ones(3), jnp.ones(4)))
        """,
    "key_of_a_dict_that_a_loop_binds_again": """
        def train(n):
            params = {"w": jnp.ones((4, 4)), "b": jnp.ones(4)}
            for _ in range(n):
                params = {"w": params["w"] @ params["w"], "b": params["b"]}
            return params["bias"]
        train(int("2"))
        """,
    "shape_in_a_dict_that_a_loop_binds_again": """
        import optax
        def train(n, x):
            params, optimizer = {"w": jnp.ones((4, 2)), "b": jnp.ones(2)}, optax.adam(1e-3)
            state = optimizer.init(params)
            @jax.jit
            def step(params, state):
                grads = jax.grad(lambda p: optax.l2_loss(x @ p["w"] + p["b"]).sum())(params)
                updates, state = optimizer.update(grads, state, params)
                return optax.apply_updates(params, updates), state
            for _ in range(n):
                params, state = step(params, state)
            return params["b"] @ params["w"]
        train(int("2"), jnp.ones((3, 4)))
        """,
    "main_of_absl": """
        from absl import app
        def main(argv):
            del argv
            return norm(jnp.ones(3), jnp.ones(4))
        def norm(x, y):
            return jnp.sum((x - y) ** 2)
        app.run(main, argv=["program"])
        """,
    "jitted_partial": """
        def layer(x, w):
            return x @ w
        jax.jit(partial(layer, w=jnp.ones((3, 2))))(jnp.ones(4))
        """,
    "two_calls_deep": """
        def inner(x):
            return x @ jnp.ones(5)
        def outer(x):
            return inner(x * 2)
        outer(jnp.ones(4))
        """,
    "decided_branch": """
        def by_rank(x):
            if x.ndim == 1:
                return x.sum()
            return x @ jnp.ones(3)
        by_rank(jnp.ones((3, 4)))
        """,
    "branch_of_a_flag": """
        def layer(x, mode="same"):
            if mode == "same":
                return x
            return x @ jnp.ones((5, 2))
        layer(jnp.ones(3), "valid")
        """,
    "branch_of_a_dtype": """
        def cast(x, by):
            y = x if jnp.issubdtype(x.dtype, jnp.integer) else by
            return x + y
        cast(jnp.ones(3), jnp.ones(4))
        """,
    "method_that_is_handed_on": """
        class Model:
            def __init__(self, n):
                self.w = jnp.ones((n, 2))
            def loss(self, x):
                return (x @ self.w).sum()
        jax.grad(Model(3).loss)(jnp.ones(4))
        """,
    "method_of_a_base": """
        class Base:
            def __init__(self, n):
                self.w = jnp.ones((n, 2))
            def f(self, x):
                return x @ self.w
        class Model(Base):
            def __init__(self, n):
                super().__init__(n)
            def f(self, x):
                return super().f(x) + 1
        Model(3).f(jnp.ones(4))
        """,
    "lambda": "jax.vmap(lambda r: r @ jnp.ones(6))(jnp.ones((2, 5)))",
    "gradient": """
        def loss(w, x):
            return ((x @ w) ** 2).sum()
        @jax.jit
        def step(w, x):
            return w - jax.grad(loss)(w, x)
        step(jnp.ones(3), jnp.ones((5, 4)))
        """,
    "unpacked": """
        def predict(mean, cov):
            return cov @ mean
        def step(state, z):
            return state, predict(*state) + z
        lax.scan(step, (jnp.ones(4), jnp.eye(4)), jnp.ones((20, 2)))
        """,
    "several": """
        def dense(key, *shape):
            return jnp.ones(3) + jax.random.normal(key, shape)
        dense(jax.random.key(0), 2, 4)
        """,
    "method": """
        class Layer:
            def __init__(self, n, m):
                self.n = n
                self.w = jnp.ones((self.n, m))
            def __call__(self, x):
                return x @ self.w
        def apply(layer, x):
            return layer(x)
        apply(Layer(3, 4), jnp.ones((7, 5)))
        """,
    "property": """
        @dataclasses.dataclass(frozen=True)
        class Grid:
            n: int
            @property
            def xs(self):
                return jnp.arange(self.n)
        def shifted(grid):
            return grid.xs + jnp.ones(4)
        shifted(Grid(3))
        """,
    "field": """
        @dataclasses.dataclass
        class State:
            u: jax.Array
        def moved(s: State) -> State:
            return dataclasses.replace(s, u=s.u + jnp.ones(2))
        moved(State(jnp.ones(3)))
        """,
    "rows": """
        def pairs(keys, x):
            return [jax.random.normal(k, (3,)) + jnp.ones(2) for _, k in zip("ab", keys)]
        pairs(jax.random.split(jax.random.key(0)), 1)
        """,
    "carry_dtype": """
        def run(n):
            return lax.fori_loop(0, n, lambda i, c: c * 1.5, jnp.int32(1))
        run(3)
        """,
    "carry_shape": """
        def run(x):
            return lax.scan(lambda c, v: (jnp.ones(3), None), x, jnp.arange(3))
        run(jnp.ones(2))
        """,
    "condition": """
        def run(x):
            return lax.while_loop(lambda c: c < 3, lambda c: c + 1, x)
        run(jnp.ones(2))
        """,
    "branches": """
        def run(x):
            return lax.cond(True, lambda v: v, lambda v: v.sum(), x)
        run(jnp.ones(2))
        """,
    "mapped_decorator": """
        @partial(jax.vmap, in_axes=(0, None))
        def f(x, y):
            return x @ y
        f(jnp.ones((4, 3)), jnp.ones(4))
        """,
    "a_generator_that_is_unpacked": """
        def heads(x, y):
            a, b = (v / jnp.linalg.norm(v, axis=-1) for v in (x, y))
            return a @ b
        heads(jnp.ones((4, 3)), jnp.ones((4, 3)))
        """,
    "axes_of_too_few_arguments": """
        def force(p, q, m):
            return m * (q - p)
        def total(positions, masses):
            on_one = jax.vmap(force, in_axes=(None, 0))
            return on_one(positions[0], positions, masses).sum()
        total(jnp.ones((6, 3)), jnp.ones(6))
        """,
    "truth_of_a_tracer": """
        @jax.jit
        def huber(r, delta):
            small = 0.5 * r**2
            return small if jnp.abs(r) <= delta else delta * r
        huber(2.0, 1.0)
        """,
    "truth_in_a_condition": """
        def f(x):
            return x**3 - 2.0
        def newton(x0):
            def cond(state):
                x, i = state
                return jnp.abs(f(x)) > 1e-5 and i < 30
            return lax.while_loop(cond, lambda s: (s[0] - f(s[0]), s[1] + 1), (x0, jnp.int32(0)))
        newton(2.0)
        """,
    "truth_in_a_function_that_is_called": """
        def positive(y):
            if y > 0:
                return y
            return -y
        @jax.jit
        def total(x):
            return positive(x.sum())
        total(jnp.ones(3))
        """,
    "number_of_a_tracer": """
        def edges(values):
            return jnp.zeros(int(values[-1]))
        jax.jit(edges)(jnp.arange(4))
        """,
    "range_of_a_tracer": """
        @jax.jit
        def powers(x, n):
            return jnp.stack([x**i for i in range(n)])
        powers(jnp.ones(3), 3)
        """,
    "size_of_a_tracer": """
        @partial(jax.jit, static_argnames="m")
        def pad(x, size, m):
            return jnp.zeros((m, size)).at[0, : x.shape[0]].set(x)
        pad(jnp.ones(3), 8, 2)
        """,
    "mask_of_a_tracer": """
        def body(total, x):
            return total + x[x > 0].sum(), None
        lax.scan(body, 0.0, jnp.ones((2, 3)))
        """,
    "sized_by_values": """
        @jax.jit
        def groups(labels):
            return jnp.searchsorted(jnp.unique(labels), labels)
        groups(jnp.array([3, 1]))
        """,
    "item_of_a_tracer": """
        @jax.jit
        def last(x):
            y = x.max()
            return y.item()
        last(jnp.ones(3))
        """,
    "carry_of_another_structure": """
        def step(carry, x):
            h, c = carry
            return h + x, c
        lax.scan(step, (jnp.zeros(2), jnp.zeros(2)), jnp.ones((4, 2)))
        """,
    "branches_of_another_structure": """
        def pick(x):
            return lax.cond(x.sum() > 0, lambda: (x, x), lambda: x)
        pick(jnp.ones(3))
        """,
    "text_for_jit": """
        def loss(name, x):
            return x if name == "l1" else x * 2
        fast = jax.jit(loss)
        fast("l1", jnp.ones(3))
        """,
}

WRONG |= {
    "rows_unpacked": """
        def split(t):
            a, b, c = t
            return a
        split(jnp.ones((4, 2)))
        """,
    "rows_unpacked_at_module_level": "k1, k2, k3 = jax.random.split(jax.random.key(0))",
    "rows_unpacked_in_a_loop": """
        def total(pairs):
            found = 0.0
            for a, b, c in pairs:
                found = found + a
            return found
        total(jnp.ones((4, 2)))
        """,
    "tuple_unpacked": """
        def split(t):
            a, b, c = t
            return a
        def use(x):
            return split((x, x))
        use(jnp.ones(3))
        """,
    "no_such_field": """
        class State(NamedTuple):
            x: jax.Array
        def read(s):
            return s.y
        def use(x):
            return read(State(x))
        use(jnp.ones(3))
        """,
    "no_such_key": """
        def bias(params):
            return params["bias"]
        def use(x):
            return bias({"w": x, "b": x})
        use(jnp.ones(3))
        """,
    "custom_derivative": """
        @jax.custom_jvp
        def f(x):
            return x @ jnp.ones(4)
        @f.defjvp
        def f_jvp(primals, tangents):
            return f(*primals), f(*tangents)
        def use(x):
            return f(x) * 2
        use(jnp.ones(3))
        """,
    "class_method": """
        class State(NamedTuple):
            x: jax.Array
            @classmethod
            def make(cls, n):
                return cls(jnp.ones(n))
            def moved(self, d):
                return self.x + d
        def use(d):
            return State.make(3).moved(d)
        use(jnp.ones(4))
        """,
    "starred": """
        def last(values):
            first, *rest = values
            return first + rest[0]
        last((jnp.ones(3), jnp.ones(4)))
        """,
    "ravelled": """
        from jax.flatten_util import ravel_pytree
        def shifted(tree):
            flat, unravel = ravel_pytree(tree)
            return unravel(flat + 1)["a"] + jnp.ones(4)
        shifted({"a": jnp.ones(3), "b": jnp.ones(2)})
        """,
    "optimizer_of_closures": """
        def make(rate):
            def init(p):
                return p * 0
            def update(g, m):
                return rate * g + m
            return init, update
        init, update = make(0.1)
        def step(p, g):
            return update(g, init(p))
        step(jnp.ones(3), jnp.ones(4))
        """,
    "jitted_lambda": """
        def use(x):
            return jax.jit(lambda v: v @ jnp.ones(4))(x)
        use(jnp.ones(3))
        """,
}

RIGHT = {
    "branches_that_are_not_taken": """
        def f(x, how):
            if how == "same":
                y = x @ jnp.ones(9)
            elif x.ndim == 3:
                y = x.reshape(7)
            elif isinstance(x, (list, tuple)):
                y = x[0] + jnp.ones(7)
            elif x is None:
                y = None + jnp.ones(3)
            else:
                y = x + 1
            return y
        f(jnp.ones((2, 3)), "flat")
        """,
    "rounds_that_differ": """
        def f(xs):
            total = jnp.zeros(3)
            for i, x in enumerate((xs[0], xs[1])):
                if i == 1 and x.shape == (3,):
                    total = total + x
                elif x.ndim == 2:
                    total = total + x @ jnp.ones((4, 3))
            return total
        f((jnp.ones((3, 4)), jnp.ones(3)))
        """,
    "branch_after_one_that_may_leave": """
        def f(x, flag, stop):
            if stop(x):
                return x
            if flag:
                return x @ jnp.ones(9)
            return x
        f(jnp.ones((3, 4)), True, lambda v: True)
        """,
    "mapped_methods": """
        class Scene:
            def __init__(self, n):
                self.n = n
            @partial(jax.vmap, in_axes=(None, 0, None))
            def shifted(self, x, by):
                return x + by
            @partial(jax.vmap, in_axes=[None, 0])
            def doubled(self, x):
                return x * 2
            @partial(jax.jit, static_argnums=0)
            def padded(self, x):
                return jnp.pad(x, self.n)
            def run(self, x):
                return self.shifted(x, 1.0) + self.doubled(x)
        scene = Scene(3)
        scene.run(jnp.ones(3))
        scene.shifted(jnp.ones(3), 2.0)
        scene.padded(jnp.ones(3))
        """,
    "branch_not_taken": """
        def layer(x, mode="same", training=False):
            if mode == "same" and not training:
                return x
            return helper(x)
        def helper(x):
            return x @ jnp.ones((5, 2))
        layer(jnp.ones(3))
        """,
    "branches_that_a_dtype_decides": """
        def narrowed(x, dtype):
            if dtype == jnp.bfloat16:
                return x
            return x + jnp.ones(4)
        narrowed(jnp.ones(3), jnp.bfloat16)
        def widened(x):
            return x + jnp.ones(4) if x.ndim in (2, 3) else x
        widened(jnp.ones(3))
        """,
    "methods_that_override": """
        class Base:
            def __init__(self, n):
                self.n = n
            def width(self):
                return jnp.ones(5)
            def f(self, x):
                return x + self.width()
        class Model(Base):
            def __init__(self, n, m):
                super().__init__(n)
                self.m = m
            def width(self):
                return super().width()[: self.n]
        jax.jit(Model(3, 4).f)(jnp.ones(3))
        """,
    "keywords_that_are_asked_for": """
        def f(**options):
            if "bias" in options:
                return options["x"] + options["bias"]
            return options["x"]
        f(x=jnp.ones(3))
        """,
    "rows_that_are_enough": """
        def split(t):
            a, *rest = t
            for b, c in t:
                a = a + b
            return a
        split(jnp.ones((4, 2)))
        k1, k2 = jax.random.split(jax.random.key(0))
        """,
    "unpacking_is_tried": """
        def split(t):
            a, b, c = t
            return a
        try:
            split(jnp.ones((4, 2)))
        except ValueError:
            pass
        """,
    "one_of_what_a_method_is_declared_to_return": """
        import flax.linen as nn
        class World(nn.Module):
            def setup(self):
                self.dense = nn.Dense(3)
            def observe(self, x):
                y = self.dense(x)
                return (y, y), x, x
            def __call__(self, x) -> jax.Array:
                return self.dense(x)
        @dataclasses.dataclass
        class Agent:
            world: World
            def loss(self, params, x):
                (a, b), c, d = self.world.apply(params, x, method=World.observe)
                return a + b + c + d
            def train(self, params, x: jax.Array):
                return self.loss(params, x)
        world = World()
        Agent(world).train(world.init(jax.random.key(0), jnp.ones(3)), jnp.ones(3))
        """,
    "functions_declared_on_numbers": """
        @dataclasses.dataclass
        class Scaled:
            f: Callable[[float], float]
            def total(self, x: jax.Array) -> jax.Array:
                return jnp.sum(self.f(x), axis=1)
        def dot(f: Callable[[float], float], x: jax.Array) -> jax.Array:
            y = f(jnp.expand_dims(x, 0)) ** 2
            return jnp.tensordot(jnp.ones(1), -y, ((0,), (0,)))
        def of_anything(f: Callable[[float], float], x) -> jax.Array:
            def inner(z):
                y = f(z * 2)
                return jnp.tensordot(jnp.ones(2), y, ((0,), (0,)))
            return inner(x)
        dot(jnp.tanh, jnp.ones(2))
        of_anything(jnp.tanh, jnp.ones(2))
        Scaled(jnp.tanh).total(jnp.ones((2, 3)))
        """,
    "names_of_functions_that_are_bound_again": """
        def rollouts(n: int) -> jax.Array:
            def rollout(key: jax.Array) -> jax.Array:
                def step(key, _):
                    key, other = jax.random.split(key)
                    return key, jax.random.normal(other)
                return lax.scan(step, key, None, length=3)[1]
            rollout = jax.pmap(rollout)
            return rollout(jax.random.split(jax.random.PRNGKey(0), n))
        def columns(x: jax.Array) -> jax.Array:
            if jax.device_count() > 0:
                def first(x):
                    return x[:, :1]
            else:
                def first(x):
                    return x[0]
            return first(x) + jnp.ones((3, 5))
        class Rows:
            if jax.device_count() > 0:
                def first(self, x):
                    return x[:, :1]
            else:
                def first(self, x):
                    return x[0]
        def total(x: jax.Array, flag: bool) -> jax.Array:
            def f(x: jax.Array) -> jax.Array:
                return x.sum(0)
            if flag:
                f = jax.vmap(f)
            return f(x) + jnp.ones(3)
        rollouts(1)
        columns(jnp.ones((3, 4)))
        Rows().first(jnp.ones((3, 4))) + jnp.ones((3, 5))
        total(jnp.ones((3, 4)), True)
        """,
    "a_result_that_is_declared_with_fewer_items": """
        class Env:
            def step(self, x: jax.Array) -> tuple[jax.Array, float]:
                return x, 1.0, {}
            @partial(jax.jit, static_argnums=(0,))
            def jitted(self, x: jax.Array) -> tuple[jax.Array, float]:
                return x, 1.0, {}
        def main():
            env = Env()
            x, reward, info = env.step(jnp.ones(3))
            x, reward, info = env.jitted(x)
            return x + reward
        main()
        """,
    "a_dict_that_is_declared_an_array": """
        class Transition(NamedTuple):
            reward: jax.Array
            extras: jax.Array
        def total(t: Transition) -> jax.Array:
            return t.reward + t.extras["discount"]
        total(Transition(jnp.ones(3), {"discount": jnp.ones(3)}))
        """,
    "many_declared_numbers_in_tuples_of_tuples": """
        Row = tuple[int, int, int, int, int, int]
        ROWS: tuple[Row, Row] = ((1, 2, 3, 4, 5, 6), (7, 8, 9, 10, 11, 12))
        jnp.array(ROWS).sum()
        jnp.asarray([list(ROWS), list(ROWS)], jnp.float32).sum()
        """,
    "a_field_of_a_class_that_inherits": """
        class State(NamedTuple):
            x: jax.Array
        class More(State):
            @property
            def y(self):
                return self.x
        def read(s):
            return s.y
        read(More(jnp.ones(3)))
        """,
    "a_key_that_is_put_in": """
        def bias(params):
            return params["bias"]
        def use(x):
            params = {"w": x}
            params["bias"] = x
            return bias(params)
        use(jnp.ones(3))
        """,
    "weights_of_several_shapes": """
        def init(n):
            params = {}
            for i in range(n):
                params[f"w{i}"] = jnp.ones((3, 3))
                params[f"b{i}"] = jnp.ones(3)
            return params
        def apply(params, x):
            return params["b0"] @ x
        apply(init(2), jnp.ones(3))
        """,
    "a_function_with_a_parameter_like_a_field": """
        class State(NamedTuple):
            x: jax.Array
        def summed(x) -> State:
            return State(x.sum())
        def use(v):
            return summed(v).x + jnp.ones(7)
        use(jnp.ones(3))
        """,
    "decided_by_a_default": """
        def f(x, y=None):
            if y is None:
                return x
            a, b = y
            return x + a + b
        f(jnp.ones(3))
        f(jnp.ones(3), jnp.ones(2))
        """,
    "undecided_branch": """
        def by_rank(x):
            if x.ndim == 1:
                return x @ jnp.ones(5)
            return x @ jnp.ones((4, 2))
        by_rank(jnp.ones((3, 4)))
        by_rank(jnp.ones(5))
        """,
    "flag": """
        def f(x, flip):
            if flip:
                return x.T @ jnp.ones(3)
            return x @ jnp.ones(4)
        f(jnp.ones((3, 4)), False)
        """,
    "name": """
        def f(x, how):
            if how in ("left", "right"):
                return x @ jnp.ones(9)
            return x
        f(jnp.ones((3, 4)), "none")
        """,
    "left_before": """
        def f(x, ns):
            for n in ns:
                if n == 3:
                    return x
            return x @ jnp.ones(9)
        f(jnp.ones(3), [3])
        """,
    "asserted": """
        def f(x, ok):
            assert ok(x)
            return x @ jnp.ones(9)
        with contextlib.suppress(AssertionError):
            f(jnp.ones(3), lambda v: False)
        """,
    "handled_where_it_is_called": """
        def f(x):
            return x @ jnp.ones(9)
        def g(x):
            return f(x)
        try:
            g(jnp.ones(3))
        except TypeError:
            pass
        """,
    "and": """
        def f(x, n):
            return n > 3 and (x @ jnp.ones(9)).any()
        f(jnp.ones(3), len("ab"))
        """,
    "never_consumed": """
        def f(x):
            yield x @ jnp.ones(9)
        f(jnp.ones(3))
        """,
    "never_called": """
        def f(x):
            g = lambda v: v @ jnp.ones(9)
            return x
        f(jnp.ones(3))
        """,
    "no_items": """
        def f(x, n):
            while n > 0:
                x = x @ jnp.ones((9, 9))
                n = n - 1
            return x
        f(jnp.ones(3), len(""))
        """,
    "stacked_decorators": """
        @partial(jax.vmap, in_axes=(0, None))
        @partial(jax.jit, static_argnums=1)
        def draw(key, n):
            return jax.random.normal(key, (n,))
        draw(jax.random.split(jax.random.key(0), 4), 3)
        """,
    "overridden": """
        class Base:
            def size(self):
                return jnp.ones(3)
            def total(self):
                return self.size() + jnp.ones(3)
        class Other(Base):
            def size(self):
                return jnp.ones(4)
            def total(self):
                return self.size() + jnp.ones(4)
        Base().total()
        Other().total()
        """,
    "bound_again": """
        class Net:
            def __init__(self, w):
                self.w = w
            def grow(self):
                self.w = jnp.ones((5, 2))
            def __call__(self, x):
                return x @ self.w
        net = Net(jnp.ones((3, 2)))
        net.grow()
        net(jnp.ones((1, 5)))
        """,
    "set_by_name": """
        class Net:
            def __init__(self, w):
                self.w = w
            def __call__(self, x):
                return x @ self.w
        net = Net(jnp.ones((3, 2)))
        object.__setattr__(net, "w", jnp.ones((5, 2)))
        net(jnp.ones((1, 5)))
        """,
    "one_of_two": """
        class Net:
            def __init__(self, w):
                self.w = w
        def pick(n):
            net = Net(jnp.ones((3, 2)))
            if n > 2:
                net = Net(jnp.ones((5, 2)))
            return net
        def use(x):
            return x @ pick(len("abc")).w
        use(jnp.ones((1, 5)))
        """,
    "taken_for_a_tuple": """
        class Pair:
            def __init__(self, a, b):
                self.a, self.b = a, b
            def __iter__(self):
                return iter((self.b, self.a))
        def use(x):
            first, second = Pair(jnp.ones(3), jnp.ones(4))
            return x + first
        use(jnp.ones(4))
        """,
    "weak_carry": """
        def run(n):
            return lax.fori_loop(0, n, lambda i, c: c * 1.5, 1)
        run(3)
        """,
    "branches_of_either_weak_type": """
        def run(x):
            return lax.cond(True, lambda: jnp.float32(1), lambda: 1.0)
        run(1)
        """,
    "a_type_that_mypy_does_not_find": """
        kinds = [jax.Array]
        Kind = kinds[0]
        def make(c) -> Kind:
            return c
        def f(x):
            return jnp.sum(make(x) - 1.0, axis=-1)
        f(jnp.ones(3))
        """,
    "a_dict_that_is_called_for": """
        def dense(x, n):
            return x * n
        def init(x):
            return dict(a=dense(x, 1), b=dense(jnp.ones(4), 2))
        init(jnp.ones(3))
        """,
    "a_generator_that_nobody_goes_through": """
        def heads(x, y):
            a = (v / jnp.linalg.norm(v, axis=-1) for v in (x, y))
            return x
        heads(jnp.ones((4, 3)), jnp.ones((4, 3)))
        """,
    "axes_of_named_arguments": """
        def force(p, q, m=2.0):
            return m * (q - p)
        def total(positions, masses):
            return jax.vmap(force, in_axes=(None, 0))(positions[0], positions, m=masses).sum()
        total(jnp.ones((6, 3)), jnp.ones(6))
        """,
    "what_a_tracer_has": """
        @jax.jit
        def f(x, n):
            if x.ndim == 2 and x.shape[0] > 1 and len(x) > 1:
                return x[jnp.array([1, 0])] * n
            return jnp.nonzero(x, size=2)[0] + int(x.shape[0])
        f(jnp.ones((2, 3)), 2), f(jnp.ones(3), 2.0)
        """,
    "static_arguments": """
        @partial(jax.jit, static_argnums=(1,), static_argnames=("kind",))
        def f(x, n, kind):
            if kind == "sum" and n > 1:
                return sum(x[i] for i in range(n))
            return jnp.zeros(n)
        f(jnp.ones(3), 3, kind="sum"), f(jnp.ones(3), 1, kind="sum")
        def loss(name, x):
            return x if name == "l1" else x * 2
        jax.jit(loss, static_argnums=0)("l1", jnp.ones(3))
        """,
    "a_value_outside_of_a_trace": """
        def f(x):
            if x.sum() > 0:
                return float(x[0])
            return 1.0
        f(jnp.ones(3))
        def g(x):
            if x > 0:
                return x * 2
            return x
        jax.grad(g)(1.0)
        """,
    "a_closure_of_a_traced_function": """
        n = jnp.int32(3)
        @jax.jit
        def f(x):
            return x * int(n) if float(n) and n.item() else x
        f(jnp.ones(3))
        """,
    "what_jit_keeps_of_a_partial": """
        def f(n, x):
            if n > 2:
                return x * 2
            return jnp.zeros(n)
        jax.jit(partial(f, 3))(jnp.ones(3))
        lax.scan(partial(lambda n, c, x: (c * int(n), x), jnp.int32(3)), 0.0, jnp.ones(3))
        """,
    "a_tracer_that_is_not_used": """
        @jax.jit
        def f(x, flag=True):
            x = 3
            if x > 2:
                return jnp.full_like(jnp.ones(3), 2.0)
            return x
        f(jnp.int32(1))
        """,
    "a_handled_tracer": """
        @jax.jit
        def f(x):
            try:
                return float(x)
            except TypeError:
                return x
        f(jnp.float32(1.0))
        """,
    "key_of_one_of_several_dicts": """
        def grown(n):
            params = {"w": jnp.ones(3)}
            for _ in range(n):
                params = {**params, "b": jnp.ones(2)}
            return params["b"]
        def chosen(n):
            params = {"w": jnp.ones(3)}
            if n > 1:
                params = {"w": jnp.ones(4), "b": jnp.ones(2)}
            return params["b"] + params["w"][:2]
        grown(int("2"))
        chosen(int("2"))
        """,
    "bound_together_in_a_loop": """
        def step(n):
            x, y = jnp.ones(5), jnp.ones(())
            for _ in range(n):
                x, y = jnp.ones((2, 3)), x @ jnp.ones(5)
            return x, y
        step(int("1"))
        """,
    "without_compilation": """
        @jax.jit
        def f(x):
            return x * 2 if x > 0 else x
        with jax.disable_jit():
            f(jnp.float32(1.0))
        """,
}


run = one_run(WRONG, RIGHT)


@pytest.mark.parametrize("name", WRONG)
def test_a_mistake_is_told_where_it_raises(name: str, run: Run) -> None:
    line = raising_line(program(WRONG[name]))
    assert line is not None
    assert told(run, name) == [line]


@pytest.mark.parametrize("name", RIGHT)
def test_nothing_is_told_of_what_runs(name: str, run: Run) -> None:
    assert raising_line(program(RIGHT[name])) is None
    assert told(run, f"r_{name}") == []

"""What is followed further: `jax.checkpoint`, lists of branches, variables bound one after another, lambdas, `scan`."""

from __future__ import annotations

import re

import jax
import jax.numpy as jnp
import pytest
from mypy_runs import Mypy, Run, shared_caches
from raising_programs import one_run, program, raising_line, told

WRONG = {
    "a_layer_of_equinox": """
        import equinox as eqx
        class Net(eqx.Module):
            first: eqx.nn.Linear
            second: eqx.nn.Linear
            def __init__(self, key):
                self.first = eqx.nn.Linear(3, 16, key=key)
                self.second = eqx.nn.Linear(8, 4, key=key)
            def __call__(self, x):
                h = self.first(x)
                return self.second(h)
        Net(jax.random.key(0))(jnp.ones(3))
        """,
    "layers_made_in_setup": """
        import flax.linen as nn
        class Net(nn.Module):
            width: int
            def setup(self):
                self.dense = nn.Dense(self.width)
            def __call__(self, x):
                h = self.dense(x)
                return h @ jnp.ones((9, 2))
        Net(8).init(jax.random.key(0), jnp.ones((4, 5)))
        """,
    "a_function_that_a_parameter_holds": """
        def mix(x, y, join=jnp.dot):
            return join(x, y)
        mix(jnp.ones(3), jnp.ones(4))
        """,
    "a_size_of_a_configuration": """
        class Config(NamedTuple):
            d: int = 32
            n: int = 4
        def init(cfg):
            return jnp.ones((cfg.d, cfg.n))
        def run(w, x):
            return x @ w
        run(init(Config(n=5)), jnp.ones((3, 31)))
        """,
    "axes_that_are_no_prefix": """
        params = {"w": jnp.ones((4, 3)), "b": jnp.ones(4)}
        axes = ({"w": 0}, None)
        jax.vmap(lambda p, x: p["w"] @ x, in_axes=axes)(params, jnp.ones(3))
        """,
    "axes_of_a_tuple_for_a_dict": """
        def f(p, x):
            return p["w"] @ x
        def run(x):
            return jax.vmap(f, in_axes=((0, 0), None))({"w": jnp.ones((4, 3)), "b": jnp.ones(4)}, x)
        run(jnp.ones(3))
        """,
    "axes_of_a_tuple_for_an_array": "jax.vmap(lambda x: x, in_axes=((0,),))(jnp.ones(3))",
    "axes_with_other_sizes": """
        jax.vmap(lambda p: p[0], in_axes=((0, 1),))((jnp.ones((4, 3)), jnp.ones((4, 3))))
        """,
    "mapped_over_more_trees": """
        trees = [{"w": jnp.ones((2, 3))}, {"w": jnp.zeros((2, 3))}]
        stacked = jax.tree.map(lambda *xs: jnp.stack(xs), *trees)
        jax.vmap(lambda p, x: p["w"] @ x, in_axes=(0, None))(stacked, jnp.ones(5))
        """,
    "a_jitted_method": """
        class Agent:
            def __init__(self, n):
                self.w = jnp.ones((n, 2))
            @partial(jax.jit, static_argnums=0)
            def act(self, x):
                return x @ self.w
        Agent(3).act(jnp.ones(4))
        """,
    "segments": """
        def per_group(values, groups, n):
            return jax.ops.segment_sum(values, groups, num_segments=n)
        per_group(jnp.ones(6), jnp.zeros(5, int), 3)
        """,
    "segments_and_more": """
        def degrees(sent, receivers, n):
            total = jax.ops.segment_sum(sent, receivers, num_segments=n)
            degree = jax.ops.segment_sum(jnp.ones(len(receivers)), receivers, num_segments=n)
            return total / degree
        degrees(jnp.ones((5, 3)), jnp.array([1, 2, 3, 0, 1]), 4)
        """,
    "segments_by_floats": "jax.ops.segment_max(jnp.ones(6), jnp.ones(6), 3)",
    "a_method_as_a_condition": """
        @partial(jax.tree_util.register_dataclass, data_fields=["r", "k"], meta_fields=["tolerance"])
        @dataclasses.dataclass
        class State:
            r: jax.Array
            k: jax.Array
            tolerance: float = 1e-5
            def running(self):
                return jnp.abs(self.r) > self.tolerance
        def solve(b):
            return lax.while_loop(State.running, lambda s: State(s.r / 2, s.k + 1), State(b, jnp.int32(0)))
        solve(jnp.ones(3))
        """,
    "mask_of_an_update": """
        @jax.jit
        def set_negative(x, value):
            return x.at[x < 0].set(value)
        set_negative(jnp.ones(3), 0.0)
        """,
    "checkpoint": """
        @jax.checkpoint
        def block(a, b):
            return a @ b
        block(jnp.ones((3, 4)), jnp.ones((5, 4)))
        """,
    "checkpoint_with_a_policy": """
        @partial(jax.checkpoint, policy=jax.checkpoint_policies.everything_saveable)
        def block(a, b):
            return a + b
        def loss(a):
            return block(a, jnp.ones(4)).sum()
        jax.grad(loss)(jnp.ones(3))
        """,
    "branches_in_a_list": """
        def chosen(kind, x):
            kinds = [jnp.tanh, jnp.sin, lambda x: x > 0]
            return lax.switch(kind, kinds, x)
        chosen(1, jnp.ones(3))
        """,
    "functions_of_jax_as_branches": "lax.cond(True, jnp.sin, jnp.sum, jnp.ones(3))",
    "lengths": """
        def total(x, mask):
            rows = (x[1:], mask)
            return lax.scan(lambda c, row: (c + row[0], None), 0.0, rows)
        total(jnp.ones(4), jnp.ones(4, bool))
        """,
    "length": "lax.scan(lambda c, row: (c + row, None), 0.0, jnp.ones(4), length=3)",
    "no_length": "lax.scan(lambda c, row: (c + row, None), 0.0, jnp.float32(4))",
    "lambda_with_too_few": """
        def applied(f, x, y):
            return f(x, y)
        applied(lambda x: x * 2, jnp.ones(3), jnp.ones(3))
        """,
    "lambda_with_too_many": """
        def applied(f, x):
            return f(x)
        applied(lambda x, y: x * y, jnp.ones(3))
        """,
    "attribute_of_what_a_function_made": """
        @dataclasses.dataclass(frozen=True)
        class Summary:
            mean: jax.Array
        def summarise(x):
            return Summary(x.mean())
        summary = summarise(jnp.ones(3))
        print(summary.best)
        """,
    "bound_again": """
        def loss(params, x):
            return (x @ params["w"] + params["b"]).sum()
        params = {"w": jnp.ones((3, 4)), "b": jnp.ones(4)}
        params = jax.tree.map(lambda p: p * 2, params)
        loss(params, jnp.ones((5, 4)))
        """,
    "bound_again_in_a_function": """
        def loss(params, x):
            return (x @ params["w"]).sum()
        def train(x):
            params = {"w": jnp.ones((3, 4)), "b": jnp.ones(4)}
            params = jax.tree.map(lambda p: p.T, params)
            return loss(params, x)
        train(jnp.ones((5, 3)))
        """,
}

RIGHT = {
    "a_name_that_is_transformed_anew": """
        def loss(p):
            return jnp.mean(p**2)
        step = jax.jit(jax.value_and_grad(loss))
        value, g = step(1.0)
        def more(p):
            return jnp.mean(p**2), p
        step = jax.jit(jax.value_and_grad(more, has_aux=True))
        (value, more), g = step(1.0)
        if value > 0:
            one = jax.grad(loss)
        else:
            one = jax.value_and_grad(loss)
        one(2.0)
        """,
    "axes_that_are_a_prefix": """
        params = {"w": jnp.ones((4, 3)), "b": {"x": jnp.ones(4), "y": jnp.ones((4, 2))}}
        jax.vmap(lambda p, x: p["w"] @ x + p["b"]["x"], in_axes=({"w": 0, "b": 0}, None))(params, jnp.ones(3))
        axes = {"w": 0}
        axes["b"] = None
        jax.vmap(lambda p, x: p["w"] @ x, in_axes=(axes, None))({"w": jnp.ones((4, 3)), "b": 1.0}, jnp.ones(3))
        """,
    "segments": """
        def per_group(values, groups, n):
            total = jax.ops.segment_sum(values, groups, num_segments=n)
            return total + jnp.ones((n, 2)) + jax.ops.segment_prod(values[:1], groups, n)
        per_group(jnp.ones((6, 2)), jnp.zeros(6, int), 3)
        jax.ops.segment_min(jnp.ones(()), jnp.zeros(6, int), 3) + jnp.ones(3)
        jax.ops.segment_sum(jnp.ones(6), jnp.zeros(6, int)) + jnp.ones(1)
        jax.ops.segment_sum(jnp.ones(6), jnp.zeros(6, int), num_segments=3, bucket_size=2) + jnp.ones(3)
        """,
    "a_method_as_a_condition": """
        @partial(jax.tree_util.register_dataclass, data_fields=["r", "k"], meta_fields=["tolerance"])
        @dataclasses.dataclass
        class State:
            r: jax.Array
            k: jax.Array
            tolerance: float = 1e-5
            def running(self):
                return (self.r @ self.r > self.tolerance) & (self.k < 5)
            @staticmethod
            def start(b):
                return State(b, jnp.int32(0))
        def solve(b):
            return lax.while_loop(State.running, lambda s: State(s.r / 2, s.k + 1), State.start(b))
        solve(jnp.ones(3))
        """,
    "a_method_that_is_another_later": """
        @partial(jax.tree_util.register_dataclass, data_fields=["r"], meta_fields=[])
        @dataclasses.dataclass
        class State:
            r: jax.Array
            def running(self):
                return self.r > 1
        State.running = lambda self: self.r.sum() > 1
        lax.while_loop(State.running, lambda s: State(s.r / 2), State(jnp.ones(3)))
        """,
    "masks_of_updates": """
        def set_negative(x, value):
            return x.at[x < 0].set(value)
        set_negative(jnp.ones(3), 0.0)
        @jax.jit
        def set_first(x, i, value):
            return x.at[i].set(value).at[i, None].add(jnp.where(x[:1] > 0, 1.0, 2.0))
        set_first(jnp.ones(3), 0, 0.0)
        """,
    "checkpoint": """
        @jax.checkpoint
        def block(a, b):
            return a @ b
        @partial(jax.vmap, in_axes=(0, None))
        def mapped(a, b):
            return a @ b
        block(jnp.ones((3, 4)), jnp.ones((4, 5)))
        mapped(jnp.ones((3, 4)), jnp.ones(4)) + jnp.ones(3)
        """,
    "another_decorator": """
        def swapped(f):
            return lambda a, b: f(b, a)
        @swapped
        @jax.checkpoint
        def block(a, b):
            return a @ b
        block(jnp.ones((4, 5)), jnp.ones((3, 4)))
        """,
    "branches": """
        def chosen(kind, x):
            kinds = [jax.nn.relu, jnp.tanh, lambda x: x]
            return lax.switch(kind, kinds, x) + lax.cond(kind > 1, jnp.sin, jnp.cos, x)
        chosen(1, jnp.ones(3))
        """,
    "lengths": """
        def total(x, mask):
            return lax.scan(lambda c, row: (c + row[0], None), 0.0, (x[1:], mask[1:]), length=3)
        total(jnp.ones(4), jnp.ones(4, bool))
        lax.scan(lambda c, _: (c + 1, None), 0, None, length=3)
        lax.scan(lambda c, row: (c + row["a"], None), 0.0, {"a": jnp.ones(4), "b": jnp.ones((4, 2))})
        """,
    "lambdas": """
        def applied(f, *xs):
            return f(*xs)
        applied(lambda x, y=1: x * y, jnp.ones(3))
        applied(lambda *xs: xs[0], jnp.ones(3), jnp.ones(3))
        """,
    "bound_in_branches": """
        def loss(params, x):
            return (x @ params["w"]).sum()
        params = {"w": jnp.ones((3, 4))}
        if len(params) > 0:
            params = {"w": jnp.ones((5, 4))}
        loss(params, jnp.ones((2, 5)))
        """,
    "bound_in_a_loop": """
        def loss(params, x):
            return (x @ params["w"]).sum()
        params = {"w": jnp.ones((3, 4))}
        for n in (3, 4):
            loss(params, jnp.ones((2, n)))
            params = {"w": jnp.ones((4, 4))}
        """,
    "bound_by_another_function": """
        def loss(x):
            return (x @ params["w"]).sum()
        params = {"w": jnp.ones((3, 4))}
        loss(jnp.ones((2, 3)))
        params = {"w": jnp.ones((5, 4))}
        loss(jnp.ones((2, 5)))
        """,
    "bound_where_something_may_raise": """
        def loss(params, x):
            return (x @ params["w"]).sum()
        def train():
            try:
                params = {"w": jnp.ones((3, 4))}
                int("a")
                params = {"w": jnp.ones((5, 4))}
                return 0
            except ValueError:
                return loss(params, jnp.ones((2, 3)))
        train()
        """,
    "put_in_between": """
        def loss(params, x):
            return (x @ params["w"]).sum()
        params = {"w": jnp.ones((3, 4))}
        params = {"w": jnp.ones((5, 4))}
        params["w"] = jnp.ones((6, 4))
        loss(params, jnp.ones((2, 6)))
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


def test_segments_have_the_dtypes_of_jax(tmp_path_factory: pytest.TempPathFactory) -> None:
    dtypes = ("int8", "uint16", "int32", "float16", "bfloat16", "float32", "complex64")
    asked = [f"jax.ops.segment_{f}(jnp.ones((4, 2), jnp.{d}), ids, 3)" for f in ("sum", "prod") for d in dtypes]
    asked += [f"jax.ops.segment_{f}({v} * jnp.ones(4, bool), ids, 3)" for f in ("max", "min") for v in "12"]
    asked += ["jax.ops.segment_sum(jnp.asarray([1.5, 2.5]), ids[:2])", "jax.ops.segment_sum(jnp.asarray(2.0), ids, 3)"]
    lines = ["import jax", "import jax.numpy as jnp", "ids = jnp.array([0, 1, 2, 0])"]
    lines += [f"reveal_type({e})" for e in asked]
    mypy = Mypy(tmp_path_factory.mktemp("segments"), shared_caches(tmp_path_factory))
    told_types = mypy.run({"segments.py": "\n".join(lines) + "\n"}).revealed()
    assert len(told_types) == len(asked)
    for expression, text in zip(asked, told_types):
        value = eval(expression, {"jax": jax, "jnp": jnp, "ids": jnp.array([0, 1, 2, 0])})
        sizes = re.findall(r"Literal\[(\d+)\]|\bint\b(?=[,\]])", text.partition("tuple")[2])
        assert text.startswith(f"Array[{value.dtype}, tuple["), expression
        assert not value.weak_type
        assert len(sizes) == value.ndim
        assert all(s in ("", str(d)) for s, d in zip(sizes, value.shape))

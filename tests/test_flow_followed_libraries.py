"""Libraries that are followed from their source: lazily, without mistakes of their own, and within bounds."""

from __future__ import annotations

import textwrap
from pathlib import Path
from typing import Any

import pytest
from flow_values import interpreted

from arraytyping.checker.flow.sources.installed_sources import NOT_FOLLOWED, find_library
from arraytyping.checker.flow.start.program import Result, interpret
from arraytyping.checker.flow.state import library_work
from arraytyping.checker.flow.state.showing import show as shown
from arraytyping.checker.flow.values import Unknown


class Place:
    """A program, and the packages that are installed."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self.installed = directory / "site-packages"
        self.installed.mkdir()

    def install(self, name: str, text: str) -> None:
        """Put a file into an installed package."""
        path = self.installed / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(textwrap.dedent(text))

    def follow(self, text: str) -> tuple[Result, dict[str, Any]]:
        """Follow a program; its variables."""
        (self.directory / "app").mkdir(exist_ok=True)
        program = self.directory / "app" / "train.py"
        program.write_text("import jax\nimport jax.numpy as jnp\n" + textwrap.dedent(text))
        result = interpret(program)
        assert not result.crashes, result.crashes
        return result, result.interpreter.importer.loaded[0].frame.variables


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Place:
    """A program with an environment of its own."""
    found = Place(tmp_path)
    monkeypatch.syspath_prepend(str(found.installed))
    find_library.cache_clear()
    return found


def test_functions_and_classes_of_a_library_are_followed(place: Place) -> None:
    place.install("layers/__init__.py", "from .dense import Dense\nfrom . import losses\n__version__ = '1'\n")
    place.install(
        "layers/dense.py",
        """
        import jax
        from layers.base import Base
        class Dense(Base):
            def __init__(self, key, n, m):
                super().__init__("dense")
                self.w = jax.random.normal(key, (n, m))
            def __call__(self, x):
                return x @ self.w
        """,
    )
    place.install("layers/base.py", "class Base:\n    def __init__(self, name):\n        self.name = name\n")
    place.install("layers/losses.py", "def mse(x, y):\n    return ((x - y) ** 2).mean()\n")
    found, names = place.follow(
        """
        import layers
        from layers import Dense
        import layers.losses as L
        layer = Dense(jax.random.key(0), 3, 5)
        y = layer(jnp.ones((2, 3)))
        loss = layers.losses.mse(y, 0)
        same = L.mse(y, y)
        name = layer.name
        """
    )
    assert not found.diagnostics
    assert [shown(names[n]) for n in ("y", "loss", "same")] == [
        "float32[2, 5]",
        "float32[]",
        "float32[]",
    ]
    assert names["name"] == "dense"


def test_mistakes_are_those_of_the_program_alone(place: Place) -> None:
    place.install(
        "odd.py",
        """
        import jax.numpy as jnp
        bad = jnp.ones(3) @ jnp.ones(4)
        def broken(x):
            return x @ jnp.ones((7, 7))
        def raises():
            raise ValueError("no")
        def calls(f, x):
            return f(x)
        """,
    )
    found, names = place.follow(
        """
        import odd
        a = odd.broken(jnp.ones(3))
        b = odd.raises()
        c = jnp.ones(2)
        d = odd.calls(lambda x: x @ jnp.ones(9), c)
        """
    )
    assert [(m.line, m.code) for m in found.diagnostics] == [(8, "array-shape")]
    assert shown(names["c"]) == "float32[2]"


def test_what_a_library_raises_can_be_caught(place: Place) -> None:
    place.install("odd.py", "def f(x):\n    if x > 3:\n        raise ValueError\n    return x\n")
    _, names = place.follow(
        """
        import odd
        try:
            n = odd.f(4)
        except ValueError:
            n = 2
        x = jnp.ones(n)
        """
    )
    assert shown(names["x"]) == "float32[2]"


def test_a_module_is_executed_once_and_only_if_it_is_used(place: Place) -> None:
    place.install("first.py", "import second\nfrom second import *\nitems = []\ndef add(x):\n    items.append(x)\n")
    place.install("second.py", "raise RuntimeError('never')\n")
    _, names = place.follow(
        """
        import first, second
        if jnp.ones(()).sum() > 0:
            first.add(1)
        first.add(2)
        count = len(first.items)
        """
    )
    assert "int" in shown(names["count"])


def test_a_function_that_needs_too_much_gives_something_unknown(place: Place) -> None:
    place.install(
        "slow.py",
        """
        def work(xs):
            total = 0
            for i in range(1_000):
                for j in range(1_000):
                    total = step(total, i, j)
            xs.append(total)
            return total
        def step(t, i, j):
            return t + i * j
        def forever(n):
            return forever(n + 1)
        """,
    )
    found, names = place.follow(
        """
        import slow
        xs = [jnp.ones(3)]
        n = slow.work(xs)
        m = slow.forever(0)
        y = jnp.ones(4)
        """
    )
    assert shown(names["y"]) == "float32[4]"
    assert found.is_complete
    assert "int" in shown(names["n"]) or isinstance(names["n"], Unknown)


def test_a_function_that_needs_too_much_again_and_again_is_followed_no_more(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two calls of it are tried, and other functions are followed all the same."""
    monkeypatch.setattr(library_work, "_ONE_CALL", 1_000)
    place.install(
        "heavy/__init__.py",
        """
        import jax.numpy as jnp
        def solve(x, depth=15):
            if depth == 0:
                return jnp.sin(x)
            return solve(solve(x, depth - 1), depth - 1)
        def perhaps(x, is_heavy):
            return solve(x) if is_heavy else x + 1
        """,
    )
    head = "import heavy\nx = jnp.ones(3)\n"
    work = [place.follow(head + "y = heavy.solve(x)\n" * count)[0].interpreter.work for count in (1, 2, 3, 20)]
    assert work[1] - work[0] > 900
    assert work[3] - work[1] < 100
    _, names = place.follow(head + "heavy.solve(x)\n" * 3 + "y = heavy.solve(x)\nz = heavy.perhaps(x, False)\n")
    assert isinstance(names["y"], Unknown)
    assert "too much to follow" in names["y"].why
    assert shown(names["z"]) == "float32[3]"


def test_blocks_that_are_left_early_are_put_right(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    """What a library puts on a stack for a while is taken off, where what is done meanwhile is too much to follow."""
    monkeypatch.setattr(library_work, "_ONE_CALL", 1_000)
    place.install(
        "stacked/__init__.py",
        """
        import contextlib
        import jax.numpy as jnp
        STACK = []
        class Handler:
            def __enter__(self):
                STACK.append(self)
            def __exit__(self, *error):
                STACK.pop()
        @contextlib.contextmanager
        def handled():
            STACK.append(None)
            try:
                yield
            finally:
                STACK.pop()
        def solve(x, depth=12):
            return jnp.sin(x) if depth == 0 else solve(solve(x, depth - 1), depth - 1)
        def by_class(x):
            with Handler():
                return solve(x)
        def by_generator(x):
            with handled(), Handler():
                return solve(x)
        def by_finally(x):
            STACK.append(x)
            try:
                return solve(x)
            finally:
                STACK.pop()
        def depth():
            return len(STACK)
        """,
    )
    for name in ("by_class", "by_generator", "by_finally"):
        _, names = place.follow(f"import stacked\ny = stacked.{name}(jnp.ones(3))\nn = stacked.depth()\n")
        assert "too much to follow" in names["y"].why
        assert names["n"] == 0, name


def test_what_a_library_calls_of_the_program_is_no_work_of_the_library(place: Place) -> None:
    """A program that runs below a decorator of a library is followed to its end, whatever it needs."""
    place.install("below.py", "def main(function):\n    def run():\n        return function()\n    return run\n")
    found, names = place.follow(
        """
        import below
        @below.main
        def program():
            total = jnp.zeros(3)
            for i in range(100):
                for j in range(100):
                    k = i * j
                    k = k + 1
                    k = k - 1
                total = total + k
            return total, jnp.ones(len("after"))
        y = program()
        """
    )
    assert found.is_complete
    assert shown(names["y"]) == "the tuple (float32[3], float32[5])"


def test_imports_in_a_circle_and_names_that_are_not_there(place: Place) -> None:
    place.install("round/__init__.py", "from round import a\nfrom round.b import g\n")
    place.install("round/a.py", "from round import b\nimport round.b as c\ndef f():\n    return b.g()\n")
    place.install("round/b.py", "from round import a\nimport absent\nfrom absent.x import y\ndef g():\n    return 3\n")
    found, names = place.follow(
        """
        import round
        from round import a, nothing
        x = jnp.ones(a.f())
        y = round.g()
        z = round.missing
        """
    )
    assert not found.diagnostics
    assert (shown(names["x"]), names["y"]) == ("float32[3]", 3)


def test_either_a_library_or_nothing(place: Place) -> None:
    place.install("maybe.py", "def f(x):\n    return x\n")
    found, names = place.follow(
        """
        import os
        try:
            import maybe
        except ImportError:
            maybe = None
        if os.environ.get("X"):
            from maybe import f
        else:
            f = None
        y = maybe.f(jnp.ones(2)) if maybe is not None else None
        z = f(jnp.ones(2))
        """
    )
    assert not found.diagnostics
    assert shown(names["y"]) == "float32[2]"


def test_compiled_libraries_and_such_that_say_little_are_not_followed() -> None:
    assert find_library("torch") is None
    assert find_library("tensorflow.io") is None
    assert find_library("no_such_package_anywhere") is None
    assert all(why and not why.endswith(".") for why in NOT_FOLLOWED.values())


def test_a_class_that_derives_from_a_librarys(place: Place) -> None:
    place.install(
        "env.py",
        """
        from typing import Generic, TypeVar
        import jax.numpy as jnp
        T = TypeVar("T")
        class Environment(Generic[T]):
            def reset(self, key):
                return self.observe(self.start(key))
            def start(self, key) -> T:
                raise NotImplementedError
        """,
    )
    _, names = place.follow(
        """
        import env
        from flax import struct
        @struct.dataclass
        class State:
            x: jax.Array
        class Mine(env.Environment[State]):
            def start(self, key):
                return State(jnp.zeros((4,)))
            def observe(self, state):
                return state.x[None]
        y = Mine().reset(jax.random.key(0))
        """
    )
    assert shown(names["y"]) == "float32[1, 4]"


def test_a_class_that_fills_its_instances_by_their_dict(place: Place) -> None:
    place.install(
        "jittable.py",
        """
        import jax
        class Jittable:
            def __new__(cls, *args, **kwargs):
                try:
                    jax.tree_util.register_pytree_node_class(cls)
                except ValueError:
                    pass
                return object.__new__(cls)
            def tree_flatten(self):
                return jax.tree_util.tree_flatten(self.__dict__)
            @classmethod
            def tree_unflatten(cls, aux, children):
                made = object.__new__(cls)
                made.__dict__ = jax.tree_util.tree_unflatten(aux, children)
                return made
        class Box(Jittable):
            def __init__(self, x):
                self.x = x
        """,
    )
    found, names = place.follow(
        """
        from jittable import Box
        @jax.jit
        def f(x):
            return Box(x @ x.T)
        y = f(jnp.ones((2, 3))).x
        """
    )
    assert not found.diagnostics
    assert shown(names["y"]) == "float32[2, 2]"


def test_objects_that_a_transformation_hands_on(place: Place) -> None:
    found, names = place.follow(
        """
        from functools import partial
        class Env:
            def __init__(self, n):
                self.n = n
            @partial(jax.vmap, in_axes=[None, 0, 0])
            def step(self, a, b):
                return a * self.n + b
            def loss(self, p, x):
                return (p * x).sum() * self.n
        env = Env(3)
        y = env.step(jnp.ones((4, 2)), jnp.ones(4))
        g = jax.grad(Env.loss, argnums=1)(env, jnp.ones(3), jnp.ones(3))
        v, (p, q) = jax.value_and_grad(Env.loss, (1, 2))(env, jnp.ones(3), jnp.ones(3))
        z = jax.vmap(lambda c: jax.lax.select(c, 0, 1))(jnp.zeros((3, 1), bool))
        """
    )
    assert not found.diagnostics
    assert [shown(names[n]) for n in "ygvpq"] == [
        "float32[4, 2]",
        "float32[3]",
        "float32[]",
        "float32[3]",
        "float32[3]",
    ]


def test_an_initializer_of_haiku_may_hold_arrays() -> None:
    source = """
import haiku as hk
import jax
import jax.numpy as jnp

class Layer(hk.Module):
    def __init__(self, width, inputs):
        super().__init__()
        self.width, self.bound = width, jnp.sqrt(6 / inputs) / 30.0

    def __call__(self, x):
        return hk.Linear(self.width, w_init=hk.initializers.RandomUniform(-self.bound, self.bound))(x)

layer = hk.without_apply_rng(hk.transform(lambda x: Layer(3, x.shape[-1])(x)))
x = jnp.ones((5, 2), jnp.bfloat16)
params = layer.init(jax.random.key(0), x)
a, b = params["layer/linear"]["w"], params["layer/linear"]["b"]
c = jax.jit(layer.apply)(params, x)
"""
    variables, _ = interpreted(source)
    assert [str(variables[name].aval) for name in "abc"] == ["bfloat16[2, 3]", "bfloat16[3]", "bfloat16[5, 3]"]

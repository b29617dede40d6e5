"""Flow on what test suites and examples of libraries do: what it does not understand is unknown, never a mistake."""

from __future__ import annotations

import textwrap
from pathlib import Path

import pytest

from arraytyping.checker.flow.report.analysis import analyze
from arraytyping.checker.flow.start.program import Result, interpret
from arraytyping.checker.settings import Settings

pytest.importorskip("jax")


def run(source: str, tmp_path: Path) -> Result:
    """Interpret a program that is not run."""
    return interpret(tmp_path / "program.py", roots=(tmp_path,), source=textwrap.dedent(source))


def certain(source: str, tmp_path: Path) -> list[str]:
    """The mistakes of a program that are certain, and its internal errors."""
    result = run(source, tmp_path)
    return [str(m) for m in result.diagnostics if m.is_certain and not m.is_warning] + list(result.crashes)


PROGRAMS = {
    "small NumPy arrays of integers are arrays, not lists": """
        import jax, jax.numpy as jnp, numpy as np
        labels = np.array([1, 0], dtype=np.int32)
        print(jnp.expand_dims(labels, -1), jnp.sum(labels), jnp.flip(labels))
        print(jnp.take_along_axis(jnp.ones((2, 3)), labels[:, None], axis=-1))
        """,
    "where nothing is known of a leaf, a tree may be in its place": """
        import jax, jax.numpy as jnp
        import somewhere
        params = (jnp.ones(3), jnp.ones((3, 2)))
        norms, sizes = jax.tree.map(jnp.abs, (somewhere.change(params), params))
        jax.tree.map(lambda u, p: u - 0.5 * p, norms, sizes)
        jax.tree.map(lambda u, p: u - 0.5 * p, (norms, jnp.ones(3)), (sizes, jnp.ones(3)))
        """,
    "an axis of vmap is there also where jax is not asked": """
        import jax, jax.numpy as jnp
        import somewhere
        def update(x):
            return jax.lax.psum(x * jnp.ones(2), axis_name="i")
        jax.vmap(update, axis_name="i")(somewhere.data())
        jax.pmap(update, axis_name="i")(jnp.ones((1, 2)))
        jax.vmap(update, axis_name="i")(jnp.ones((4, 2)))
        """,
    "how often a function is traced is not known": """
        import jax, jax.numpy as jnp
        count, seen = {"n": 0}, []
        def f(x):
            count["n"] += 1
            seen.append(x)
            if count["n"] > 3:
                raise AssertionError("traced too often")
            return (x ** 2).sum()
        jax.vmap(jax.grad(f))(jnp.ones((4, 3)))
        jax.vmap(f)(jnp.ones((5, 3)))
        assert count["n"] == 2
        assert len(seen) == 2
        """,
    "a metaclass may make anything of a class": """
        class Registry(type):
            def __new__(mcs, name, bases, namespace):
                made = super().__new__(mcs, name, bases, namespace)
                made.members = sorted(namespace)
                return made
        class Base(metaclass=Registry):
            color = "red"
        class Derived(Base):
            pass
        print(Base.members, Derived.members, Derived.color.value, Derived(1, 2).size)
        """,
    "subclasses are told to the bases": """
        made = []
        class Base:
            def __init_subclass__(cls, kind, **kwargs):
                made.append(kind)
        class Derived(Base, kind="a"):
            def __init_subclass__(cls, **kwargs):
                made.append("inner")
        class Inner(Derived):
            pass
        x = {"a": 1, "inner": 2}[made[1]]
        """,
    "a property takes the place of a field that is not set": """
        import dataclasses
        @dataclasses.dataclass
        class Base:
            size: int = dataclasses.field(init=False)
        @dataclasses.dataclass
        class Derived(Base):
            @property
            def size(self):
                return 3
            @size.setter
            def size(self, value):
                pass
        print(Derived().size + 1)
        """,
    "an enumeration of strings has members that are strings": """
        import enum
        class Key(str, enum.Enum):
            x = "x"
        inputs = {Key.x: 3}
        print(inputs["x"], Key.x.upper())
        """,
    "an object is equal to itself": """
        mark = object()
        table = {mark: 1}
        assert mark == mark and table[mark] == 1
        pairs = [(mark, 2)]
        print({1: 2}[1 if pairs[0][0] is mark else 0])
        """,
    "what the program changes in a library is unknown": """
        import types, jax
        box = types.SimpleNamespace(size=3)
        jax.debug.limit = 4
        jax.debug.limit += 1
        print(jax.debug.limit)
        """,
    "a list that contains itself": """
        import jax
        items = [1]
        items.append(items)
        jax.tree.leaves(items)
        """,
    "assertions about what is no array are left alone": """
        import jax
        table = {"a": 1}
        assert table == {"a": 2}
        """,
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_no_certain_mistake(name: str, tmp_path: Path) -> None:
    assert certain(PROGRAMS[name], tmp_path) == []


def test_assertions_about_arrays_are_certain(tmp_path: Path) -> None:
    found = certain("import jax.numpy as jnp\nx = jnp.ones((2, 3))\nassert x.shape == (3, 2)\n", tmp_path)
    assert len(found) == 1
    assert ":3:" in found[0]


def test_unbound_axis_is_certain(tmp_path: Path) -> None:
    found = certain("import jax, jax.numpy as jnp\nprint(jax.lax.psum(jnp.ones(3), 'i'))\n", tmp_path)
    assert len(found) == 1


def test_gathered_sizes_belong_to_their_axis(tmp_path: Path) -> None:
    source = """
        import jax, jax.numpy as jnp
        def f(x):
            return jax.lax.all_gather(x * jnp.ones(2), "i")
        a = jax.vmap(f, axis_name="i")(jnp.ones((4, 2)))
        b = jax.vmap(f, axis_name="i")(jnp.ones((8, 2)))
        """
    result = run(source, tmp_path)
    variables = result.interpreter.importer.loaded[0].frame.variables
    assert variables["a"].aval.shape == (4, 4, 2)
    assert variables["b"].aval.shape == (8, 8, 2)


def test_methods_of_arrays_first_seen_in_a_trace(tmp_path: Path) -> None:
    source = """
        import jax, jax.numpy as jnp
        def f(x):
            return x.sum()
        jax.vmap(f)(jnp.ones((2, 3)))
        jnp.ones(3).block_until_ready()
        """
    assert certain(source, tmp_path) == []


TESTS = """
import functools
import unittest
import jax, jax.numpy as jnp
import somewhere


class Case(unittest.TestCase):
    def test_skipped_by_an_exception(self):
        for name in ("a", "b"):
            if name == "b":
                raise unittest.SkipTest(f"{name} is not for this test")

    def test_perhaps_skipped(self):
        if somewhere.is_missing():
            self.skipTest("not here")
        jnp.ones(3) + jnp.ones(4)

    def test_expected(self):
        with self.assertRaisesRegex(ValueError, "x"):
            raise ValueError("x")

    @functools.wraps(lambda self: None)
    def test_decorated(self):
        self.assertEqual(1, 1)

    def test_wrong(self):
        jnp.ones(5) + jnp.ones(6)
"""


def test_skipped_tests(tmp_path: Path) -> None:
    path = tmp_path / "test_case.py"
    path.write_text(TESTS, encoding="utf-8")
    found = analyze([path], Settings(), root=tmp_path)
    assert [m.line for m in found.diagnostics if m.is_certain] == [
        TESTS.splitlines().index("        jnp.ones(5) + jnp.ones(6)") + 1
    ]
    assert not found.crashes


def test_namespace_packages_below_a_package_of_a_librarys_name(tmp_path: Path) -> None:
    inner = tmp_path / "optax" / "_inner"
    inner.mkdir(parents=True)
    (tmp_path / "optax" / "__init__.py").write_text("from optax._inner import rates\n", encoding="utf-8")
    (inner / "rates.py").write_text("import jax.numpy as jnp\nrate = jnp.ones((2, 3))\n", encoding="utf-8")
    result = run("from optax._inner import rates\nx = rates.rate @ rates.rate\n", tmp_path)
    assert len([m for m in result.diagnostics if m.is_certain]) == 1


EQUINOX = """
import equinox as eqx
import jax, jax.numpy as jnp

mark = object()
assert eqx.tree_equal((jnp.array(1.0), mark), (jnp.array(1.0), mark))


class Layer(eqx.Module):
    size: int
    weight: jax.Array

    def __init__(self, size):
        self._set(size)

    def _set(self, size):
        self.size = size
        self.weight = jnp.ones((size, size))

    def scale(self, x):
        return self.weight @ x


layer = Layer(3)
assert isinstance(layer.scale, eqx.Module)
(a, b), (ta, tb) = eqx.filter_jvp(lambda y: (y, 2 * y), (jnp.array(1.0),), (jnp.array(1.0),))
print(ta + tb)
"""


def test_equinox(tmp_path: Path) -> None:
    pytest.importorskip("equinox")
    result = run(EQUINOX, tmp_path)
    assert [str(m) for m in result.diagnostics] == []
    assert not result.crashes
    variables = result.interpreter.importer.loaded[0].frame.variables
    assert variables["ta"].aval.shape == ()


def test_x64_by_a_context_of_optax(tmp_path: Path) -> None:
    pytest.importorskip("optax")
    source = """
        import jax.numpy as jnp
        from optax._src import utils
        with utils.x64_precision(True):
            a = jnp.ones(3, dtype=jnp.float64)
        b = jnp.ones(3)
        """
    variables = run(source, tmp_path).interpreter.importer.loaded[0].frame.variables
    assert variables["a"].aval.dtype == "float64"
    assert variables["b"].aval.dtype == "float32"


def certain_lines(source: str, tmp_path: Path) -> list[int]:
    """The lines of the certain mistakes."""
    result = run(source, tmp_path)
    assert not result.crashes
    return [m.line for m in result.diagnostics if m.is_certain and not m.is_warning]


def test_tree_at_of_several_parts(tmp_path: Path) -> None:
    pytest.importorskip("equinox")
    source = """\
        import equinox as eqx
        import jax, jax.numpy as jnp
        attention = eqx.nn.MultiheadAttention(num_heads=2, query_size=4, key=jax.random.key(0))
        attention = eqx.tree_at(
            lambda a: (a.query_proj.weight, a.key_proj.weight), attention, [jnp.ones((4, 4)), jnp.ones((4, 4))]
        )
        x = jnp.ones((1, 4))
        y = attention(x, x, x)
        pair = eqx.tree_at(lambda p: p[0], [(1, 2), (3,)], replace_fn=len)
        assert pair[0] == 2
        y @ jnp.ones(5)
        """
    assert certain_lines(source, tmp_path) == [11]


def test_classes_and_functions_as_keys(tmp_path: Path) -> None:
    source = """\
        from typing import NamedTuple
        import jax.numpy as jnp

        class A: pass
        class B: pass
        def f(): pass

        table = {A: jnp.ones(2), f: jnp.ones(3)}
        table[int] = jnp.ones(4)
        table[A] @ jnp.ones(2)
        table.get(f) @ jnp.ones(3)
        table[int] @ jnp.ones(4)
        assert A in table and B not in table and len(table) == 3

        class Parameter(NamedTuple):
            name: str
            values: list
            def __hash__(self): return id(self)
            def __eq__(self, other): return self is other

        places = {Parameter("a", [1]): 1}
        table[A] @ jnp.ones(3)
        """
    assert certain_lines(source, tmp_path) == [22]


def test_operators_and_attributes_of_a_librarys_proxy(tmp_path: Path) -> None:
    pytest.importorskip("flax")
    source = """\
        import jax.numpy as jnp
        from flax.cursor import cursor
        from flax import struct

        @struct.dataclass
        class State:
            params: dict

        c = cursor({"a": jnp.ones((2, 2))})["a"]
        print(jnp.ones((2, 2)) + c, c // jnp.ones((2, 2)))
        print(cursor(State({"b": 1})).params["b"].set(10).params)
        """
    assert certain_lines(source, tmp_path) == []


def test_lifted_transformations_of_functions(tmp_path: Path) -> None:
    pytest.importorskip("flax")
    source = """\
        import jax, jax.numpy as jnp
        from flax import linen as nn

        class Layers(nn.Module):
            @nn.compact
            def __call__(self, x):
                def body(module, x):
                    return nn.Dense(x.shape[-1])(x), ()
                scan = nn.scan(body, length=5, variable_axes={"params": 0}, split_rngs={"params": True})
                return scan(self, x)[0]

        layers = Layers()
        variables = layers.init(jax.random.key(0), jnp.ones(3))
        assert variables["params"]["Dense_0"]["kernel"].shape == (5, 3, 3)
        layers.apply(variables, jnp.ones(3)) @ jnp.ones(4)
        """
    assert certain_lines(source, tmp_path) == [15]


def test_lifted_variables_are_no_tracers(tmp_path: Path) -> None:
    pytest.importorskip("flax")
    source = """\
        import jax, jax.numpy as jnp
        from flax.core import apply, init, lift, nn

        def halved(variables):
            return jax.tree.map(lambda x: x / 2, variables)

        def model(scope, x):
            dense = lift.map_variables(nn.dense, "params", halved, init=True)
            return scope.child(dense, "layer")(x, 3)

        y, variables = init(model)(jax.random.key(1), jnp.ones((1, 4)))
        assert jnp.allclose(y, apply(model)(variables, jnp.ones((1, 4))))
        """
    assert certain_lines(source, tmp_path) == []


def test_state_of_nnx(tmp_path: Path) -> None:
    pytest.importorskip("flax")
    source = """\
        import jax.numpy as jnp
        from flax import nnx

        rngs = nnx.Rngs(params=0, dropout=1)
        with nnx.split_rngs(rngs, splits=5):
            assert rngs.params.key.shape == (5,)
        assert rngs.params.key.shape == ()
        tree = {"a": {"b": jnp.array(1), "c": nnx.Param(jnp.array(2))}}
        popped = nnx.pop(tree, (nnx.Param, lambda _, x: x < 2))
        print(popped["a"]["b"])
        assert (nnx.Param(jnp.array([1, 2])) == nnx.Param(jnp.array([1, 2]))).all()
        with nnx.var_defaults(hijax=True):
            pass
        assert not nnx.Variable(jnp.ones(3)).hijax
        """
    assert certain_lines(source, tmp_path) == []


def test_attributes_of_a_class_are_no_leaves(tmp_path: Path) -> None:
    pytest.importorskip("equinox")
    source = """\
        import equinox as eqx
        import jax, jax.numpy as jnp

        class Base(eqx.Module):
            names: list

        class Child(Base):
            names = ["a", "b"]
            def __init__(self):
                pass

        child = Child()
        assert jax.jit(lambda model: len(model.names))(child) == 2
        jax.jit(lambda model, x: x @ jnp.ones(len(model.names)))(child, jnp.ones(3))
        """
    assert certain_lines(source, tmp_path) == [14]


def test_objects_that_a_library_may_have_changed(tmp_path: Path) -> None:
    pytest.importorskip("flax")
    source = """\
        import numpy as np
        from flax.training import checkpoints
        manager = checkpoints.AsyncManager()
        checkpoints.save_checkpoint("/nowhere/checkpoints", {"a": np.ones(3)}, 0, async_manager=manager)
        manager.save_future.result()
        """
    assert certain_lines(source, tmp_path) == []


def test_boxes_around_variables(tmp_path: Path) -> None:
    pytest.importorskip("flax")
    source = """\
        from typing import Any
        import jax, jax.numpy as jnp
        from flax import linen as nn, struct
        from flax.core.meta import AxisMetadata

        class Box(struct.PyTreeNode, AxisMetadata):
            value: Any
            def unbox(self): return self.value
            def replace_boxed(self, value): return self.replace(value=value)
            def add_axis(self, index, params): return self.replace(value=jnp.mean(self.value, axis=index))
            def remove_axis(self, index, params): return self

        class Inner(nn.Module):
            @nn.compact
            def __call__(self, x):
                self.variable("aux", "v", lambda: Box(jnp.array(1.0)))
                return x

        class Outer(nn.Module):
            @nn.compact
            def __call__(self, x):
                inner = nn.vmap(Inner, variable_axes={"aux": 0})(name="inner")
                inner(x)
                assert inner.variables["aux"]["v"].value.shape == ()

        Outer().init(jax.random.key(0), jnp.ones((5, 3)))
        """
    assert certain_lines(source, tmp_path) == []

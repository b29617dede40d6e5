"""Items of arrays that are bound, attributes and names that are not there, static arguments: told where it raises."""

from __future__ import annotations

import ast
import inspect
from pathlib import Path

import jax
import jax.numpy as jnp
import pytest
from arraytyping_mypy.refused_attributes import NOT_DECLARED
from mypy_runs import Mypy, Run
from raising_programs import one_run, program, raising_line, told

from arraytyping.checker.removals import REMOVED_ARGUMENTS

WRONG = {
    "item": """
        x = jnp.ones(3)
        x[0] = 1.0
        """,
    "item_of_a_parameter": """
        def fill(x, n):
            for i in range(n):
                x[i] = i
            return x
        fill(jnp.zeros(3), 3)
        """,
    "item_in_place": """
        x = jnp.ones((3, 2))
        x[:, 0] += 1.0
        """,
    "array_attribute": """
        def grown(x, value):
            return x.append(value)
        grown(jnp.ones(2), 3.0)
        """,
    "field": """
        @dataclasses.dataclass
        class State:
            u: jax.Array
            def twice(self):
                return self.u * 2
        def moved(s):
            return s.v + 1
        moved(State(jnp.ones(3)))
        """,
    "field_of_a_tree": """
        @partial(jax.tree_util.register_dataclass, data_fields=["x"], meta_fields=[])
        @dataclasses.dataclass
        class State:
            x: jax.Array
        @jax.jit
        def moved(x):
            s = State(x)
            return s.x + s.y
        moved(jnp.ones(3))
        """,
    "removed_name": """
        def scaled(params):
            return jax.tree_map(lambda p: 2 * p, params)
        scaled({"w": jnp.ones(3)})
        """,
    "removed_module": """
        import jax.lib
        platform = jax.lib.xla_bridge.get_backend().platform
        """,
    "removed_function": "jnp.trapz(jnp.ones(3))",
    "removed_argument": """
        def limited(x):
            return jnp.clip(x, a_max=1.0)
        limited(jnp.ones(3))
        """,
    "removed_method_of_quantiles": "jnp.quantile(jnp.ones(3), 0.5, interpolation='linear')",
    "static_list": """
        @partial(jax.jit, static_argnames="axes")
        def total(x, axes):
            return x.sum(axes)
        total(jnp.ones((3, 4)), axes=[0, 1])
        """,
    "static_array": """
        def total(x, n):
            return x * n
        fast = jax.jit(total, static_argnums=1)
        fast(jnp.ones(3), jnp.ones(3))
        """,
    "static_nested": """
        @partial(jax.jit, static_argnums=(1,))
        def total(x, sizes):
            return x.reshape(sizes[0])
        total(jnp.ones(6), ([2, 3], 1))
        """,
}

RIGHT = {
    "items_of_others": """
        import numpy as np
        def filled(x, values):
            values["w"] = x
            rows = [x, x]
            rows[0] = x * 2
            a = np.zeros(3)
            a[0] = 1.0
            return x.at[0].set(1.0), values, rows, a
        filled(jnp.ones(3), {})
        """,
    "an_item_that_is_caught": """
        def fill(x):
            try:
                x[0] = 1.0
            except TypeError:
                return x.at[0].set(1.0)
        fill(jnp.zeros(3))
        """,
    "either": """
        import numpy as np
        def fill(x):
            if isinstance(x, np.ndarray):
                x[0] = 1.0
                return x
            return x.at[0].set(1.0)
        fill(jnp.zeros(3))
        fill(np.zeros(3))
        """,
    "array_attributes": """
        def seen(x):
            if hasattr(x, "append"):
                x.append(1)
            return x.nbytes, x.is_ready(), x.aval, x.weak_type, x.addressable_data(0)
        seen(jnp.ones(2))
        """,
    "attributes_that_are_set": """
        @dataclasses.dataclass
        class State:
            u: jax.Array
        def moved(s):
            s.v = s.u * 2
            return s.v + 1
        moved(State(jnp.ones(3)))
        """,
    "attributes_by_name": """
        class State:
            def __init__(self, x):
                self.x = x
        def moved(s):
            setattr(s, "y", s.x)
            return s.y + 1
        moved(State(jnp.ones(3)))
        """,
    "attributes_by_a_decorator": """
        from flax import struct
        @struct.dataclass
        class State:
            x: jax.Array
        def moved(s):
            return s.replace(x=s.x * 2)
        moved(State(jnp.ones(3)))
        """,
    "names_of_two_releases": """
        tree_map = jax.tree_map if hasattr(jax, "tree_map") else jax.tree.map
        try:
            area = jnp.trapz
        except AttributeError:
            area = jnp.trapezoid
        tree_map(lambda x: x, jnp.ones(3))
        """,
    "arguments": """
        def limited(x):
            return jnp.clip(x, min=0.0, max=1.0), jnp.quantile(x, 0.5, method="nearest")
        limited(jnp.ones(3))
        """,
    "static": """
        @partial(jax.jit, static_argnames=("axes", "f", "s"))
        def total(x, axes, f=None, s="a"):
            return x.sum(axes)
        total(jnp.ones((3, 4)), axes=(0, 1), f=jnp.sin, s="b")
        total(jnp.ones((3, 4)), axes=None)
        total(jnp.ones((3, 4)), 1)
        """,
}


run = one_run(WRONG, RIGHT)


@pytest.mark.parametrize("name", WRONG)
def test_what_is_refused_is_told_where_it_raises(name: str, run: Run) -> None:
    line = raising_line(program(WRONG[name]))
    assert line is not None
    assert told(run, name) == [line]


@pytest.mark.parametrize("name", RIGHT)
def test_nothing_is_told_of_what_runs(name: str, run: Run) -> None:
    assert raising_line(program(RIGHT[name])) is None
    assert told(run, f"r_{name}") == []


def test_a_removed_name_is_told_once(run: Run) -> None:
    """With what stands for it, in the place of mypy's own message."""
    found = [m for m in run.errors() if m.file == "removed_function.py"]
    assert [m.code for m in found] == ["array-jax-version"]
    assert found[0].text.endswith("write jax.numpy.trapezoid in its place")
    found = [m for m in run.errors() if m.file == "removed_module.py"]
    assert [m.code for m in found] == ["array-jax-version"]
    assert "nothing stands for it" not in found[0].text  # but jax.extend.backend, which no file of the program imports


OPERATORS = """\
import jax
import jax.numpy as jnp
from jaxtyping import Array, Float32

def f(x: jax.Array, z: Float32[Array, "2 3"], n: int) -> None:
    z + None
    None + z
    x + None
    z @ "a"
    "a" @ z
    z < None
    None < z
    "a" >= z
    z - (1, 2)
    [1, 2] + z
    divmod(z, None)
    y = z * 2 if n else x
    y -= "a"
    y + None
    None | y
    z + (n + None)
    z // {}
    z + object()
    (z + None) + (n + "a")
    z + None  # type: ignore[operator, array-dtype]
"""


def test_an_operator_that_is_refused_is_told_once(mypy: Mypy) -> None:
    run = mypy.run(OPERATORS, mypy_settings="warn_unused_ignores = true")
    lines = [(m.line, m.code) for m in run.messages]
    ours = [6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 18, 19, 20]
    theirs = [21, 22, 23]  # which hold no array, or what no rule knows
    assert lines == [*((n, "array-dtype") for n in ours), *((n, "operator") for n in theirs), *lines[len(ours) + 3 :]]
    assert sorted(lines[len(ours) + 3 :]) == [(24, "array-dtype"), (24, "operator")]
    plain = mypy.run(OPERATORS, plugin=False).errors()
    assert {m.line for m in plain if m.code == "operator"} <= {*ours, *theirs, 24}
    assert run.messages[0].text.endswith("float32[2, 3] and None; it has to be an array or a number")


def test_an_operator_that_the_program_handles_is_mypys_to_tell(mypy: Mypy) -> None:
    text = (
        "import jax.numpy as jnp\n\nx = jnp.ones(3)\ntry:\n    x + None\nexcept TypeError:\n    pass\n"
        "x + None  # arraytyping: ignore\n"
    )
    assert [(m.line, m.code) for m in mypy.run(text).errors()] == [(5, "operator"), (8, "operator")]


def test_attributes_that_are_not_declared_are_those_of_the_installed_jax() -> None:
    found = set(dir(jnp.ones(2)))

    def look(x: jax.Array) -> jax.Array:
        found.update(dir(x))
        return x * 2

    for transformed in (jax.jit(look), jax.vmap(look), jax.grad(lambda x: look(x).sum())):
        transformed(jnp.ones(2))
    stub = ast.parse((Path(jax.__file__).parent / "_src" / "basearray.pyi").read_text())
    array = next(n for n in stub.body if isinstance(n, ast.ClassDef) and n.name == "Array")
    declared = {n.name for n in array.body if isinstance(n, ast.FunctionDef)}
    declared |= {n.target.id for n in array.body if isinstance(n, ast.AnnAssign) and isinstance(n.target, ast.Name)}
    undeclared = {name for name in found - declared if not name.startswith("_")}
    assert undeclared <= NOT_DECLARED


def test_removed_arguments_are_those_of_the_installed_jax() -> None:
    for rule, arguments in REMOVED_ARGUMENTS.items():
        parameters = inspect.signature(getattr(jnp, rule.removeprefix("numpy."))).parameters
        assert not parameters.keys() & arguments.keys()
        assert parameters.keys() >= set(arguments.values())

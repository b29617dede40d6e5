"""Lists of which the length is known and the items are not: what is left of an array, comprehensions."""

from __future__ import annotations

import time
from pathlib import Path

import jax
import jax.numpy as jnp
import pytest
from flow_values import interpreted

from arraytyping.checker.flow.start.program import interpret
from arraytyping.checker.flow.state.showing import show

HEAD = """\
import jax, jax.numpy as jnp
n = jax.local_device_count()
key, *rest = jax.random.split(jax.random.PRNGKey(0), n + 1)
"""


def known(directory: Path, text: str) -> dict[str, str]:
    """What is known of the variables whose names have one letter."""
    program = directory / "program.py"
    program.write_text(HEAD + text)
    result = interpret(program, (directory,))
    assert not result.crashes
    assert not [m for m in result.diagnostics if m.is_certain]
    names = result.interpreter.importer.modules["__main__"].frame.variables
    return {name: show(value) for name, value in names.items() if len(name) == 1 and name != "n"}


def test_what_is_made_of_them(tmp_path: Path) -> None:
    found = known(
        tmp_path,
        """\
a = jnp.asarray(rest)
b = jnp.stack(rest, axis=1)
c = jnp.stack([jnp.ones(3) for d in jax.devices()])
d = jnp.concatenate([jnp.ones((2, 3)) * k[0] for k in rest])
e = jnp.array([x.sum() for x in jnp.ones((n, 4))])
""",
    )
    assert found == {
        "a": "uint32[local_device_count, 2]",
        "b": "uint32[2, local_device_count]",
        "c": "float32[device_count, 3]",
        "d": "float32[2*local_device_count, 3]",
        "e": "float32[local_device_count]",
    }


def test_a_list_that_changes_and_a_condition(tmp_path: Path) -> None:
    found = known(
        tmp_path,
        """\
a = jnp.stack([k for k in rest if k[0] > 3] + [key])
rest.append(key)
b = jnp.stack(rest)
first, *more = [1, 2, 3]
c = jnp.asarray(more)
""",
    )
    assert "local_device_count" not in found["a"] + found["b"]
    assert found["c"] == "int32[2]"


def test_an_iterator_that_is_asked_on_some_paths(tmp_path: Path) -> None:
    found = known(
        tmp_path,
        """\
batches = iter([jnp.ones((4, 2)) for _ in rest])
others = iter([jnp.ones((5, 2)) for _ in rest])
a = b = None
for step in range(10000):
    a = next(batches)
    if step % 50 == 0:
        b = next(others)
""",
    )
    assert found["a"] in ("float32[4, 2]", "None or float32[4, 2]")
    assert found["b"] == "None or float32[5, 2]"


ELEMENTS = ["1", "2.0", "3j", "True", *(f"jnp.ones({s}, '{d}')" for s in ("()", "(3,)") for d in (
    "bool", "int8", "uint32", "int32", "bfloat16", "float16", "float32", "complex64", "float64", "int64"
))]  # fmt: skip


@pytest.mark.parametrize("x64", [False, True])
@pytest.mark.parametrize("function", ["array", "asarray"])
@pytest.mark.parametrize("dtype", ["None", "'float32'", "'int8'"])
def test_an_array_of_any_number_of_items_that_may_be_none(tmp_path: Path, x64: bool, function: str, dtype: str) -> None:
    """What is claimed holds for none, one and three items; that of the default dtype and of one dtype is known."""
    program = tmp_path / "program.py"
    elements = [e for e in ELEMENTS if dtype == "None" or not ("complex" in e or "3j" in e)]
    lines = [f"x{i} = jnp.{function}([{e} for c in text], dtype={dtype})" for i, e in enumerate(elements)]
    head = f"import jax\njax.config.update('jax_enable_x64', {x64})\nimport jax.numpy as jnp\n"
    program.write_text(head + "text = open('a.txt').read()\n" + "\n".join(lines))
    result = interpret(program, (tmp_path,))
    assert not result.crashes
    names = result.interpreter.importer.modules["__main__"].frame.variables
    default, known = "float64" if x64 else "float32", set()
    with jax.enable_x64(x64):
        for i, element in enumerate(elements):
            aval = names[f"x{i}"].aval
            for count in (0, 1, 3):
                real = eval(f"jnp.{function}([{element} for c in range({count})], dtype={dtype})", {"jnp": jnp})
                assert aval.dtype in (None, str(real.dtype)), element
                assert aval.weak_type in (None, real.weak_type), element
                assert aval.shape is None or len(aval.shape) == real.ndim, element
                if count:
                    known |= {element} if aval.dtype is not None else set()
                    assert (aval.dtype is None) == (dtype == "None" and str(real.dtype) != default), element
                    assert (aval.shape is None) == (real.ndim > 1), element
    assert known


def test_a_list_that_is_indexed_by_an_array_with_axes_raises() -> None:
    source = (
        "import numpy as np, jax.numpy as jnp, os\n"
        "at = np.random.default_rng(0).integers(0, 3, size=4)\n"
        "rows = [np.ones(2)] * 3 if 'LISTS' in os.environ else np.ones((3, 2))\n"
        "jnp.asarray(rows[at]) @ jnp.ones(3)\n"
        "[1, 2][jnp.array([0])]\n"
        "a = [1, 2][np.array(1)]\n"
        "b = (1, 2)[jnp.argmax(jnp.ones(2))]\n"
    )
    variables, result = interpreted(source)
    assert [(m.line, m.code, m.is_certain) for m in result.diagnostics] == [
        (4, "array-shape", True), (5, "array-call", True),
    ]  # fmt: skip
    assert variables["a"] == 2


def test_long_lists_whose_items_are_assigned_at_unknown_places_take_no_time() -> None:
    source = (
        "import random\n"
        "class Frames:\n    def __init__(self, frames): self.frames = list(frames)\n"
        "held = [None] * 50_000\n"
        "for _ in range(100):\n"
        "    held[random.randrange(50_000)] = Frames([1, 2])\n"
        "    for _ in range(50):\n        a = held[random.randrange(50_000)]\n"
    )
    began = time.process_time()
    _, result = interpreted(source)
    assert time.process_time() - began < 10
    assert result.is_complete
    assert not result.diagnostics

"""Work that flow does not do twice, or not at all, with the same answers."""

from __future__ import annotations

import ast
import gc
import importlib
import importlib.metadata
import inspect
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from flow_values import difference, interpreted, run

from arraytyping.checker.flow.engines.jax_import import importing_jax
from arraytyping.checker.flow.sources.statements import nodes_of
from arraytyping.checker.flow.start.program import interpret
from arraytyping.checker.flow.start.python_interpreter import PythonInterpreter
from arraytyping.checker.flow.state import identity as identities
from arraytyping.checker.flow.state.identity import DEPTH, identity
from arraytyping.checker.flow.state.journal import Journal
from arraytyping.checker.flow.state.showing import show
from arraytyping.checker.flow.values import ListValue, Unknown

ORTHOGONAL = """
import jax, jax.numpy as jnp, numpy as np
from jax.nn.initializers import orthogonal
def draw(key):
    wide, tall = orthogonal(2.0)(key, (3, 4)), orthogonal(2)(key, (40, 5))
    first, later = orthogonal(np.sqrt(2), 0)(key, (7, 8, 2), jnp.float32), orthogonal()(key, (2, 3, 4), "float32")
    return wide, tall, first, later
a, b, c, d = jax.jit(draw)(jax.random.key(0))
e, f, g, h = jax.jit(draw)(jax.random.PRNGKey(0))
i = jax.vmap(lambda key: orthogonal()(key, (3, 4)))(jax.random.split(jax.random.key(0), 5))
"""
REFUSED = {
    "orthogonal()(key, (3,))": "ValueError",
    "orthogonal(1.0, 2)(key, (3, 4))": "IndexError",
    "orthogonal()(key, (3, 4), jnp.int32)": "dtype",
    "orthogonal()(jnp.ones((2,)), (3, 4))": "TypeError",
    "orthogonal()(jax.random.split(key), (3, 4))": "key",
}


def asked(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """What jax decomposes from here on."""
    drawing: Any = importlib.import_module("jax._src.random")
    found: list[Any] = []
    real = drawing.orthogonal

    def noting(key: Any, *sizes: Any) -> Any:
        found.append(sizes)
        return real(key, *sizes)

    monkeypatch.setattr(drawing, "orthogonal", noting)
    return found


def test_orthogonal_weights_are_known_in_a_trace_without_their_decomposition(monkeypatch: pytest.MonkeyPatch) -> None:
    real = run(ORTHOGONAL)
    calls = asked(monkeypatch)
    found, result = interpreted(ORTHOGONAL)
    assert not result.crashes
    assert not result.diagnostics
    assert not [text for name in "abcdefghi" if (text := difference(found[name], real[name]))]
    assert [show(found[name]) for name in "abcdefghi"] == [
        *["float32[3, 4]", "float32[40, 5]", "float32[7, 8, 2]", "float32[2, 3, 4]"] * 2, "float32[5, 3, 4]",
    ]  # fmt: skip
    assert len(calls) <= 1  # of those that are mapped


@pytest.mark.parametrize("call", REFUSED)
def test_what_jax_refuses_of_orthogonal_weights_is_told(call: str) -> None:
    source = ORTHOGONAL.partition("def draw")[0] + f"made = jax.jit(lambda key: {call})(jax.random.key(0))\n"
    _, result = interpreted(source)
    assert REFUSED[call] in " ".join(m.message for m in result.diagnostics if m.is_certain)


def test_jax_is_imported_without_the_metadata_of_other_packages(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for name in ("jax-rocm8-plugin", "zzz"):
        folder = tmp_path / f"{name.replace('-', '_')}-1.0.dist-info"
        folder.mkdir()
        (folder / "METADATA").write_text(f"Name: {name}\nVersion: 1.0\n")
    (tmp_path / "etils").mkdir()
    (tmp_path / "etils" / "__init__.py").touch()
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(importlib.import_module("sys").modules, "etils", raising=False)
    with importing_jax():
        names = {found.metadata["Name"] for found in importlib.metadata.distributions()}
        with pytest.raises(ImportError):
            importlib.import_module("etils")
    assert "jax-rocm8-plugin" in names
    assert all(name.startswith("jax") for name in names)
    assert "zzz" in {found.metadata["Name"] for found in importlib.metadata.distributions()}
    assert importlib.import_module("etils").__file__ == str(tmp_path / "etils" / "__init__.py")


def nested(depth: int, leaf: Any) -> ListValue:
    """Lists each of which stands in the one around it, and one deeper."""
    made = ListValue([leaf])
    for _ in range(depth):
        made = ListValue([made, ListValue([made])])
    return made


def test_the_key_of_what_is_shared_at_several_depths_is_made_once(monkeypatch: pytest.MonkeyPatch) -> None:
    made: Counter[Any] = Counter()
    real = identities._interned

    def counting(parts: Any) -> Any:
        made[parts] += 1
        return real(parts)

    monkeypatch.setattr(identities, "_interned", counting)
    key = identity(nested(DEPTH // 2 - 1, Unknown("x")))
    assert max(made.values()) == 1
    assert key == identity(nested(DEPTH // 2 - 1, Unknown("y")))
    assert key != identity(nested(DEPTH // 2 - 1, 1))


def test_below_the_depth_values_are_told_apart_by_what_they_are() -> None:
    shared = nested(1, 1)
    deep: Any = shared
    for _ in range(DEPTH - 1):
        deep = ListValue([deep])
    flat = ListValue([shared, deep])
    assert identity(flat) == identity(flat)
    assert identity(ListValue([nested(1, 1), deep])) == identity(flat)  # what is not deep is looked into
    assert identity(nested(DEPTH, 1)) != identity(nested(DEPTH, 1))


def test_the_one_path_that_returns_needs_no_changes_made_again(monkeypatch: pytest.MonkeyPatch) -> None:
    met: list[Any] = []
    real = Journal.meet_paths

    def noting(self: Journal, mark: int, paths: Any, is_reachable: bool) -> None:
        met.append(inspect.currentframe())
        real(self, mark, paths, is_reachable)

    monkeypatch.setattr(Journal, "meet_paths", noting)
    source = "def f(held):\n    held.append(1)\n    n = len(held)\n    return n\nheld = []\nn = f(held)\n"
    found, _ = interpreted(source)
    assert (found["n"], found["held"].items) == (1, [1])
    assert not met
    # What is written behind the `return` counts all the same, and what a path wrote that raises does not.
    source = (
        "import os\ndef f(held):\n    try:\n        return len(held)\n    finally:\n        held.append(2)\n"
        "def g(held):\n    if os.environ.get('A'):\n        return len(held)\n    held.append(3)\n"
        "    raise ValueError\n"
        "held, other = [1], [1]\nn = f(held)\nm = g(other)\n"
    )
    found, _ = interpreted(source)
    assert (found["n"], found["held"].items, found["other"].items) == (1, [1, 2], [1])
    assert met


def test_garbage_is_not_looked_for_among_libraries_while_a_program_is_followed(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    kept: list[int] = []
    call = PythonInterpreter.call

    def noting(*args: Any) -> Any:
        kept.append(gc.get_freeze_count())
        return call(*args)

    monkeypatch.setattr(PythonInterpreter, "call", noting)
    program = tmp_path / "program.py"
    program.write_text("class A:\n    def f(self):\n        return 1\nA().f()\n")
    gc.unfreeze()
    interpret(program)
    assert kept
    assert min(kept) > 10_000
    assert gc.get_freeze_count() == 0


def test_the_nodes_of_a_file_are_those_of_ast_walk() -> None:
    tree = ast.parse(Path(ast.__file__).read_text())
    assert list(nodes_of(tree)) == list(ast.walk(tree))


def test_a_rule_is_asked_once_of_the_same_arguments(monkeypatch: pytest.MonkeyPatch) -> None:
    asked_of: list[str] = []
    rules: Any = importlib.import_module("arraytyping.checker.flow.engines.rules")
    real = rules.evaluate

    def noting(name: str, *given: Any) -> Any:
        asked_of.append(name)
        return real(name, *given)

    monkeypatch.setattr(rules, "evaluate", noting)
    source = "import jax.numpy as jnp\nx = jnp.ones((3, 4))\n" + "".join(
        f"{name} = jnp.sum(x, axis={axis})\n" for name, axis in zip("abcd", (0, 1, 0, 1))
    )
    found, _ = interpreted(source + "e = x[1]\nf = x[True]\ng = x[1]\n")
    assert [show(found[name]) for name in "abcdefg"] == [
        *["float32[4]", "float32[3]"] * 2, "float32[4]", "float32[1, 3, 4]", "float32[4]",
    ]  # fmt: skip
    assert asked_of.count("numpy.sum") <= 2

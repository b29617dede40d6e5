"""Generators that go through themselves, over trees that are known and trees that are not."""

from __future__ import annotations

from pathlib import Path

from arraytyping.checker.flow.start.program import interpret
from arraytyping.checker.flow.state.showing import show

WALK = """\
import json, sys
import jax.numpy as jnp

def walk(tree):
    if isinstance(tree, dict):
        for key in sorted(tree.keys()):
            for path, value in walk(tree[key]):
                yield (key + "/" + path).rstrip("/"), value
    elif isinstance(tree, (list, tuple)):
        for index in range(len(tree)):
            for path, value in walk(tree[index]):
                yield str(index) + "/" + path, value
    else:
        yield "", tree

a = list(walk({"a": jnp.ones(3), "b": {"c": [jnp.ones((2, 2))]}}))[1]
unknown = json.load(sys.stdin)
names, values = zip(*walk(unknown))
b = jnp.asarray(values[0])
c = jnp.ones(len(names))
"""


def test_a_tree_of_unknown_structure(tmp_path: Path) -> None:
    """It is not gone into without an end, which took 20 s and more."""
    program = tmp_path / "program.py"
    program.write_text(WALK)
    result = interpret(program, (tmp_path,))
    assert not result.crashes
    assert not [m for m in result.diagnostics if m.is_certain]
    names = result.interpreter.importer.modules["__main__"].frame.variables
    assert show(names["a"][1]) == "float32[2, 2]"
    assert result.interpreter.work < 2000

"""What the uses of a parameter say of it, where nothing calls its function."""

from __future__ import annotations

import ast
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from arraytyping.checker.flow.report.analysis import analyze
from arraytyping.checker.flow.sources.parameter_uses import uses_of_parameters
from arraytyping.checker.settings import Settings

IMPORTS = "import jax\nimport jax.numpy as jnp\n"


def _uses(body: str) -> dict[str, str]:
    tree = ast.parse(f"{IMPORTS}def f(x, y, n, m, xnp):\n    {body}\n")
    (function,) = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
    return dict(uses_of_parameters(function, tree))


@pytest.mark.parametrize(
    ("body", "uses"),
    [
        ("return x.reshape(-1, n)", {"x": "array", "n": "int"}),
        ("return x.reshape(n, m, 2)", {"x": "array", "n": "int", "m": "int"}),
        ("return x.reshape((n, m))", {"x": "array"}),
        ("return x.transpose()", {"x": "array"}),
        ("return x.transpose(0, 2, 1)", {"x": "array"}),
        ("return x.ndim, x.sharding", {"x": "array"}),
        # Functions of a module that is handed over.
        ("return xnp.reshape(x, n)", {}),
        ("return xnp.reshape(x, (n, 2))", {}),
        ("return xnp.reshape(x + 1, (n, 2), 'C')", {}),
        ("return xnp.transpose(x, (0, 2, 1))", {}),
        ("return xnp.transpose(x, axes=(0, 2, 1))", {}),
        ("return xnp.transpose(x)", {}),
        ("return xnp.stack([x, y]).mean() + xnp.reshape(-1, 2)", {}),
        # No array has these.
        ("return x.shape, x.log_prob(y)", {}),
    ],
)
def test_what_uses_say(body: str, uses: dict[str, str]) -> None:
    assert _uses(body) == uses


@pytest.mark.parametrize("call", ["transpose(x, (0, 2, 1, 3))", "reshape(x, (4, 2))", "reshape(x, (n, -1), 'C')"])
def test_a_module_that_is_handed_over_is_no_array(call: str, tmp_path: Path) -> None:
    path = tmp_path / "program.py"
    path.write_text(f"{IMPORTS}def f(x, n, xnp):\n    return xnp.{call}\n")
    assert not analyze([path], Settings(), root=tmp_path).diagnostics


def test_all_public_attributes_of_arrays_are_known() -> None:
    attributes = [name for name in {*dir(np.ndarray), *dir(jax.Array), *dir(jnp.ones(2))} if not name.startswith("_")]
    assert [name for name in attributes if _uses(f"return x.ndim, x.{name}") != {"x": "array"}] == []

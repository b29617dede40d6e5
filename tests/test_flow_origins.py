"""How arrays came about: chains of lines for dtypes, against what the program's expressions are when it runs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import jax.numpy as jnp
from click.testing import CliRunner

from arraytyping.checker.cli.trace_dtype import trace_dtype
from arraytyping.checker.dtype_trace import DtypeTrace
from arraytyping.checker.flow.report.analysis import analyze
from arraytyping.checker.flow.start.program import interpret
from arraytyping.checker.settings import Settings

PROGRAM = """\
import jax
import jax.numpy as jnp
import numpy as np

HALF = jnp.bfloat16
table = jnp.linspace(0.0, 1.0, 4)
scale = jnp.exp(table)


@jax.jit
def scaled(x):
    y = x * 2.0
    return y * scale


def loss(w, x):
    return jnp.sum((x @ w).astype(HALF))


x = jnp.ones((2, 4), HALF)
out = scaled(x)
again = scaled(x) + 1
low = loss(scale, x)
g = jax.grad(loss)(scale.astype(HALF), x)
n = x / np.float32(3.0)
rows = jax.vmap(lambda row: row - table)(x)
"""


def traced(path: Path, line: int, column: int = 0) -> list[DtypeTrace]:
    found = analyze([path], Settings(traced=(str(path.resolve()), line, column)))
    return [trace for report in found.entry_points for trace in report.traces]


def test_a_dtype_is_traced_to_the_line_where_it_was_made(tmp_path: Path) -> None:
    path = tmp_path / "program.py"
    path.write_text(PROGRAM)
    names: dict[str, Any] = {}
    exec(PROGRAM, names)
    expected = {
        13: [
            (13, "y * scale is float32, since scale is a strong float32 and y is a strong bfloat16"),
            (7, "jnp.exp(table) is float32"),
            (6, "jnp.linspace(0.0, 1.0, 4) is float32"),
        ],
        12: [(12, "x * 2.0 is bfloat16"), (20, "jnp.ones((2, 4), HALF) is bfloat16")],
        17: [
            (17, "jnp.sum((x @ w).astype(HALF)) is bfloat16"),
            (17, "(x @ w).astype(HALF) is bfloat16, as it says, of x @ w is a strong float32"),
        ],
    }
    for line, steps in expected.items():
        first = traced(path, line)[0]
        assert [(number, text) for _, number, text in first.steps] == steps
    for line, name in ((21, "out"), (22, "again"), (23, "low"), (24, "g"), (25, "n"), (26, "rows")):
        (found,) = traced(path, line)
        value = names[name]
        assert found.type == f"{value.dtype}{list(value.shape)}"
        assert found.steps[0][2].split(" is ")[1].startswith(str(value.dtype))
        assert isinstance(value, jnp.ndarray)
    by_column = traced(path, 25, 5)
    assert [trace.text for trace in by_column] == ["x"]
    assert by_column[0].steps[-1][1] == 20


def test_the_line_that_widens_is_in_every_chain_behind_it(tmp_path: Path) -> None:
    path = tmp_path / "program.py"
    path.write_text(PROGRAM)
    for line in (21, 22):
        (found,) = traced(path, line)
        assert [number for _, number, _ in found.steps][-2:] == [7, 6]


def test_a_promotion_is_told_once_with_the_lines_that_lead_there(tmp_path: Path) -> None:
    path = tmp_path / "program.py"
    path.write_text(PROGRAM)
    found = [m for m in interpret(path, enable=["array-promotion-wide"]).diagnostics if m.is_shown]
    assert [m.line for m in found] == [13, 25, 26]
    assert found[0].notes[-2:] == ["line 7: jnp.exp(table) is float32", "line 6: jnp.linspace(0.0, 1.0, 4) is float32"]


def test_the_command_prints_the_lines(tmp_path: Path) -> None:
    path = tmp_path / "program.py"
    path.write_text(PROGRAM)
    done = CliRunner().invoke(trace_dtype, [f"{path}:25"])
    assert done.exit_code == 0
    first, second = done.output.splitlines()
    assert first.endswith(":25:5: x / np.float32(3.0) is float32[2, 4]")
    assert "since np.float32(3.0) is the NumPy scalar float32, which is strong and x" in second
    assert CliRunner().invoke(trace_dtype, ["program.py"]).exit_code == 2

"""The last lines of `check` say what was done; what counts in them is what is an array or may be one."""

from __future__ import annotations

import ast
import os
from pathlib import Path

import forked_commands

from arraytyping.checker.claims import Claim, ExpressionClaims, FileClaims, ProgramClaims
from arraytyping.checker.cli.closing import followed, reservation
from arraytyping.checker.flow.report.analysis import Analysis, analyze
from arraytyping.checker.flow.report.reporting import FlowReport
from arraytyping.checker.flow.sources.unreached import WHY, UnreachedFunction
from arraytyping.checker.flow.start.jax_imports import JaxImport
from arraytyping.checker.settings import Settings

PROGRAM = """\
import jax
import jax.numpy as jnp
import networkx as nx
import brax_that_is_not_installed as brax
from jax import random


def never(x, f: int = 0):
    key = random.key(0)

    def inner(y):
        return jnp.sin(y) + jax.nn.relu(y)

    return jax.vmap(inner)(x)


class Model:
    def forward(self, x):
        return jnp.cos(x)

    def later(self, x):
        raise NotImplementedError


def main():
    x = jnp.ones((3, 4))
    graph = nx.Graph()
    graph.add_edge(1, 2)
    with open("out.txt") as file:
        text = file.read()
    state = brax.reset()
    n = state.shape[0]
    y = state.obs + graph.weight
    return jnp.stack([x, x]), n, y, text


main()
"""


def analyzed(tmp_path: Path, text: str = PROGRAM) -> Analysis:
    (tmp_path / "program.py").write_text(text)
    return analyze([tmp_path / "program.py"], Settings())


def test_what_may_be_an_array_counts_and_nothing_else(tmp_path: Path) -> None:
    found = analyzed(tmp_path).claims.files[str(tmp_path / "program.py")].expressions
    at = {(e.line, e.column, e.end_line, e.end_column): e for e in found}
    unknown = {
        ast.get_source_segment(PROGRAM, node)
        for node in ast.walk(ast.parse(PROGRAM))
        if isinstance(node, ast.expr)
        and (e := at.get((node.lineno, node.col_offset, node.end_lineno or 0, node.end_col_offset or 0))) is not None
        and e.why_unknown
    }
    in_functions_that_nothing_reached = {"jnp.sin(y)", "jax.nn.relu(y)", "jnp.cos(x)"}
    assert in_functions_that_nothing_reached <= unknown
    assert {"brax.reset()", "state", "state.obs", "state.obs + graph.weight", "y"} <= unknown
    counted = unknown - in_functions_that_nothing_reached
    assert not [text for text in counted if text and text.startswith(("nx", "open", "file", "text"))]
    assert counted.isdisjoint({"state.shape", "state.shape[0]", "brax.reset"})


def test_functions_that_nothing_reached_are_told(tmp_path: Path) -> None:
    found = analyzed(tmp_path)
    assert found.functions == 4  # of which `later` is none: it only refuses
    assert [(f.line, f.name) for f in found.unreached] == [(8, "never"), (11, "never.inner"), (18, "Model.forward")]


def test_what_was_followed_is_told_in_one_line() -> None:
    missed = [UnreachedFunction("a.py", n, f"f{n}") for n in range(1, 6)]

    def line(*names: str, functions: int = 9, unreached: int = 0) -> str:
        points = [(name, 0.1, True) for name in names]
        return followed(FlowReport(entry_points=points, functions=functions, unreached=missed[:unreached]))

    assert line("a.py") == "flow: 1 entry point followed, every function reached"
    assert (
        line("a.py", "-m b", unreached=1)
        == "flow: 2 entry points followed, 1 of 9 functions never reached: f1 (a.py:1)"
    )
    assert line("import a", functions=5, unreached=5) == (
        "flow: no entry point found, modules imported, 5 of 5 functions never reached: "
        "f1 (a.py:1), f2 (a.py:2), f3 (a.py:3), and 2 more"
    )
    assert line("a.py", functions=0) == "flow: 1 entry point followed"


def test_where_nearly_nothing_is_known_there_is_no_success() -> None:
    known, unknown = Claim("float32", False, (3,)), Claim()

    def says(n_known: int, n_unknown: int, jax: JaxImport | None = None) -> str | None:
        expressions = [ExpressionClaims(n, 0, n, 1, (known,)) for n in range(n_known)]
        expressions += [ExpressionClaims(n, 2, n, 3, (unknown,), "flow", WHY) for n in range(n_unknown)]
        return reservation(ProgramClaims({"a.py": FileClaims.of(expressions)}), lambda: jax)

    assert says(1, 9) is None
    assert says(1, 10) == f"Not checked: nearly nothing is known of 11 array expressions, mostly since {WHY}"
    assert says(0, 1) == f"Not checked: nothing is known of the one array expression, since {WHY}"
    assert says(0, 0) is None
    assert says(0, 0, JaxImport("a.py", 3, "jax")) == (
        "Not checked: a.py:3 imports jax, and no array expression was found"
    )


def test_the_command_prints_them(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "lib.py").write_text("import jax.numpy as jnp\n\n\ndef f(x):\n    return jnp.sin(x)\n")
    environ = {k: v for k, v in os.environ.items() if k not in ("JAX_ENABLE_X64", "FORCE_COLOR", "MYPY_FORCE_COLOR")}
    done = forked_commands.run("-m", "arraytyping", "check", "lib.py", "--no-types", cwd=tmp_path, env=environ)
    assert done.returncode == 0
    assert done.stdout.splitlines() == [
        "Not checked: nearly nothing is known of 2 array expressions, mostly since only a part is known of what the "
        "operation gives",
        "x64: off (JAX's default: nothing switches it on)",
        "flow: no entry point found, modules imported, 1 of 1 functions never reached: f (lib.py:4)",
        "arraytyping: 2 array expressions: dtype known for 0 (0%), shape for 0 (0%)",
    ]

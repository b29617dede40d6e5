"""Modules of the program that are imported where what is done is taken back: in a test, and in a branch."""

from __future__ import annotations

from pathlib import Path

from arraytyping.checker.flow.report.analysis import analyze
from arraytyping.checker.flow.start.program import interpret
from arraytyping.checker.settings import Settings

SHAPES = "import jax.numpy as jnp\nSIZE = 3\ndef make():\n    return jnp.ones(SIZE)\n"


def test_each_test_imports_it(tmp_path: Path) -> None:
    (tmp_path / "shapes.py").write_text(SHAPES)
    file = tmp_path / "test_it.py"
    body = "    from shapes import make, SIZE\n    import shapes\n    shapes.make() + jnp.ones({size})\n"
    tests = "".join(f"def test_{n}():\n{body.format(size=size)}" for n, size in enumerate((3, 3, 4)))
    file.write_text(f"import jax.numpy as jnp\n{tests}")
    found = analyze([tmp_path], Settings())
    assert [(m.path.rpartition("/")[2], m.line, m.code) for m in found.diagnostics] == [
        ("test_it.py", 13, "array-shape")
    ]


def test_both_branches_import_it(tmp_path: Path) -> None:
    (tmp_path / "shapes.py").write_text(SHAPES)
    file = tmp_path / "main.py"
    file.write_text(
        "import random\nif random.random() < 0.5:\n    import shapes\nelse:\n    from shapes import make\n"
        "from shapes import make, SIZE\nx = make()\n"
    )
    result = interpret(file)
    assert not result.diagnostics
    variables = result.interpreter.importer.modules["__main__"].frame.variables
    assert variables["x"].aval.shape == (3,)
    assert variables["SIZE"] == 3

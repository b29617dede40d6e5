"""Notebooks: their cells as one program, messages with cell and line."""

from __future__ import annotations

import importlib.util
import json
import sys
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from arraytyping_mypy import building
from test_output_formats import CODE_QUALITY, check, folder

from arraytyping.checker.notebooks.cells import Cells
from arraytyping.checker.notebooks.magics import as_python
from arraytyping.checker.notebooks.reading import NotebookError, program_of

__all__ = ["folder"]

pytestmark = pytest.mark.usefixtures("warm_mypy")
CELLS = [
    "%matplotlib inline\nimport jax.numpy as jnp\n!ls",
    "x = jnp.ones((3, 4))",
    "",
    "y = (\n    x + jnp.ones((3, 5))\n)",
]


def notebook(*cells: str, language: str = "python") -> bytes:
    """A notebook of these cells, with a cell of text before each."""
    made: list[dict[str, Any]] = []
    for cell in cells:
        made.append({"cell_type": "markdown", "metadata": {}, "source": ["# text"]})
        made.append({"cell_type": "code", "metadata": {}, "source": cell, "outputs": [], "execution_count": None})
    metadata = {"kernelspec": {"name": "k", "display_name": "k", "language": language}}
    return json.dumps({"nbformat": 4, "nbformat_minor": 4, "metadata": metadata, "cells": made}).encode()


def write(path: Path, *cells: str) -> None:
    path.write_bytes(notebook(*cells))


# What IPython adds to Python


@pytest.mark.parametrize(
    ("cell", "python"),
    [
        ("x = 1\ny = x % 2", "x = 1\ny = x % 2"),
        ("%matplotlib inline\nx = 1", "pass\nx = 1"),
        ("if a:\n    %pip install b\n    !ls", "if a:\n    pass\n    pass"),
        ("files = !ls\nx = %who_ls", "files = get_ipython()\nx = get_ipython()"),
        ("%time y = f(x)", "y = f(x)"),
        ("%timeit f(x)", "pass"),
        ("%run other.py", 'exec(compile("", "", "exec"))'),
        ("%%time\ny = f(x)", "pass\ny = f(x)"),
        ("%%bash\nls\necho", "\n\n"),
        ("%%unknown_magic\nwhatever", 'exec(compile("", "", "exec"))\n'),
        ("f?\n?f\nx = 1", "pass\npass\nx = 1"),
        ('s = """\n%not a magic\n"""\n!ls', 's = """\n%not a magic\n"""\npass'),
        ("z = (a\n%b)\n%cd x", "z = (a\n%b)\npass"),
        ("!pip install a \\\n  b\nx = 1", "pass\n\nx = 1"),
        ("await f()", "await f()"),
        ("a != b\n%pwd", "a != b\npass"),
    ],
)
def test_magics(cell: str, python: str) -> None:
    assert as_python(cell) == python
    assert python.count("\n") == cell.count("\n")


def test_the_lines_of_a_program_are_those_of_its_cells() -> None:
    program, cells = program_of(notebook(*CELLS))
    for number, line in enumerate(program.splitlines()[1:], 2):
        cell, inside = cells.of(number)
        assert as_python(CELLS[cell // 2 - 1]).split("\n")[inside - 1] == line
    assert cells == Cells((2, 4, 6, 8), (1, 4, 5, 6))


# The command


def test_messages_have_cell_and_line(folder: Path) -> None:
    write(folder / "train.ipynb", *CELLS)
    status, out, _ = check(folder, "train.ipynb")
    assert status == 1
    assert out.splitlines()[:2] == [
        "train.ipynb:cell 8:2:5: error: add: incompatible shapes for broadcasting: (3, 4) and (3, 5): "
        "dimension 1 is 4 against 5  [array-shape]",
        "train.ipynb:cell 8:2:5: note: x is float32[3, 4] (line 1 of cell 4), jnp.ones((3, 5)) is float32[3, 5]",
    ]
    (line,) = check(folder, "--output-format", "json", "train.ipynb")[1].splitlines()
    found = json.loads(line)
    assert (found["file"], found["cell"], found["line"], found["end_line"]) == ("train.ipynb", 8, 2, 2)
    (report,) = json.loads(check(folder, "--output-format", "gitlab")[1])
    jsonschema.validate([report], CODE_QUALITY)
    assert report["description"].startswith("train.ipynb:cell 8:2:5: add:")


def test_both_layers_speak_of_a_notebook(folder: Path) -> None:
    import subprocess
    import sys

    of_types = "def f(x: int):\n    return jnp.ones((2, 3)) @ jnp.ones((2, 3))"
    of_flow = "def g(a):\n    return a @ jnp.ones((2, 3))\ng(x)"
    write(folder / "train.ipynb", *CELLS[:-1], of_types, of_flow, CELLS[-1])
    done = subprocess.run([sys.executable, "-m", "arraytyping", "check"], cwd=folder, capture_output=True, text=True)
    assert [line.partition(" error")[0] for line in done.stdout.splitlines() if "error:" in line] == [
        "train.ipynb:cell 8:2:12:",
        "train.ipynb:cell 10:2:12:",
        "train.ipynb:cell 12:2:5:",
    ], done.stdout


def test_the_cell_that_switches_x64_is_named(folder: Path) -> None:
    cells = (*CELLS[:1], 'jax.config.update("jax_enable_x64", True)')
    (folder / "a.ipynb").write_bytes(notebook("import jax", *cells))
    _, out, _ = check(folder, ".")
    assert 'x64: on (a.ipynb:cell 6:1: jax.config.update("jax_enable_x64", True))' in out


def test_what_a_magic_may_bind_is_unknown(folder: Path) -> None:
    write(
        folder / "a.ipynb", "import jax.numpy as jnp\nx = jnp.ones(3)", "%run b.py", "y = x + jnp.ones(4)\nz = from_b"
    )
    assert check(folder)[0] == 0
    write(folder / "a.ipynb", "import jax.numpy as jnp\nx = jnp.ones(3)", "%time y = x + jnp.ones(4)")
    assert check(folder)[0] == 1


def test_a_baseline_and_frames_of_a_notebook(folder: Path) -> None:
    write(folder / "train.ipynb", *CELLS)
    assert check(folder, "--baseline", "known.json", "--write-baseline")[0] == 0
    write(folder / "train.ipynb", "# new", *CELLS)
    assert check(folder, "--baseline", "known.json")[0] == 0


def test_a_notebook_without_cells(folder: Path) -> None:
    write(folder / "empty.ipynb")
    status, out, _ = check(folder)
    assert (status, out.splitlines()[0]) == (0, "Success: no issues found in 1 source file")


def test_where_nothing_reads_notebooks_they_are_counted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    find_spec = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == "nbformat" else find_spec(name))
    monkeypatch.chdir(tmp_path)
    for name in ("a.ipynb", "more/b.ipynb"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(notebook(*CELLS))
    reader = "which nbformat reads: pip install 'arraytyping[notebooks]'"

    def told() -> tuple[int, str, str]:
        outcome = building.check(["."], stdout=sys.stdout, stderr=sys.stderr, program="arraytyping", types=False)
        said = capsys.readouterr()
        return outcome.status, said.out.partition("\n")[0], said.err

    assert told() == (2, f".:1: error: there is no Python file in this directory but notebooks, {reader}", "")
    (tmp_path / "a.py").write_text("x = 1\n")
    status, _, said = told()
    assert (status, said) == (0, f"arraytyping: note: 2 notebooks passed by, {reader}\n")


def test_a_notebook_of_format_3(folder: Path) -> None:
    old: dict[str, Any] = {
        "nbformat": 3,
        "nbformat_minor": 0,
        "metadata": {"name": "old"},
        "worksheets": [
            {
                "cells": [
                    {"cell_type": "code", "collapsed": False, "input": cell, "language": "python", "metadata": {},
                     "outputs": []}
                    for cell in CELLS
                ],
                "metadata": {},
            }
        ],
    }  # fmt: skip
    (folder / "old.ipynb").write_text(json.dumps(old))
    assert check(folder, "old.ipynb")[1].startswith("old.ipynb:cell 4:2:5: error: add:")


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "is no notebook"),
        (b"{}", "is no notebook"),
        (b'{"nbformat": 4, "nbformat_minor": 5, "metadata": {}}', "is no notebook"),
        (b'{"nbformat": 99, "nbformat_minor": 0, "metadata": {}, "cells": []}', "is no notebook"),
        (b"\xff\xfe", "is no notebook"),
        (notebook("x <- 1", language="R"), "is a notebook of R, not of Python"),
    ],
)
def test_what_is_no_notebook(data: bytes, said: str, folder: Path) -> None:
    with pytest.raises(NotebookError, match=said) as error:
        program_of(data)
    assert "\n" not in str(error.value)
    (folder / "a.ipynb").write_bytes(data)
    status, out, err = check(folder, "a.ipynb")
    assert status == 2
    assert said in out + err


@pytest.mark.parametrize("form", ["md:myst", "md"])
def test_what_jupytext_writes_as_markdown(form: str, folder: Path) -> None:
    import jupytext

    cells = ["%matplotlib inline\nimport jax.numpy as jnp\nx = jnp.ones((3, 4))", "y = x + jnp.ones((3, 5))"]
    written = jupytext.reads(notebook(*cells).decode(), fmt="ipynb")
    (folder / "notes.md").write_text(jupytext.writes(written, fmt=form))
    status, out, _ = check(folder, "notes.md")
    assert (status, out.partition(": error")[0]) == (1, "notes.md:cell 4:1:5")


def test_markdown_that_is_no_notebook(folder: Path) -> None:
    (folder / "notes.md").write_text("# A title\n\n```python\nx = 1\n```\n")
    status, out, _ = check(folder, "notes.md")
    assert status == 2
    assert "notes.md:1: error: is no notebook: it does not begin with what jupytext" in out


def test_a_script_of_cells_is_python(folder: Path) -> None:
    (folder / "script.py").write_text(
        "# %% [markdown]\n# # Title\n# %%\nimport jax.numpy as jnp\n# %%\njnp.ones(3) + jnp.ones(4)\n"
    )
    status, out, _ = check(folder, "script.py")
    assert (status, out.partition(": error")[0]) == (1, "script.py:6:1")


def test_sentences_name_the_lines_of_cells(folder: Path) -> None:
    write(
        folder / "a.ipynb",
        "import jax",
        "key = jax.random.key(0)\nx = jax.random.normal(key)",
        "y = jax.random.uniform(key)",
    )
    _, out, _ = check(folder, "a.ipynb")
    assert "random.uniform draws from a key that random.normal has used in line 2 of cell 4; " in out

"""What plain mypy has said of a function is kept for as long as nothing changes that it hangs on."""

from __future__ import annotations

import os
import textwrap
from pathlib import Path

import pytest
from mypy_runs import Mypy, shared_caches

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="no process can be copied")

CHECKED = """
import sys
from arraytyping_mypy import plain_program
plain_program._LONG = 0
_said, _check = plain_program.PlainProgram.said, plain_program.PlainProgram._check_function
def said(self, name, line):
    found = _said(self, name, line)
    print("kept", *sorted(one.name for one in self._remembered), file=sys.stderr)
    return found
def check(self, state, function, key):
    print("checked", function.node.name, file=sys.stderr)
    return _check(self, state, function, key)
plain_program.PlainProgram.said, plain_program.PlainProgram._check_function = said, check
"""
"""All that is checked counts as what takes long."""
FILES = {
    "p/__init__.py": "",
    "p/far.py": "class Far:\n    x: int = 1\n",
    "p/near.py": """
        import p.program
        from p.far import Far
        def near() -> Far:
            return Far()
        """,
    "p/program.py": """
        import jax.numpy as jnp
        from p.near import near
        from p.beside import beside
        def wrong(n: int) -> int:
            y: int = jnp.zeros(n)
            near().x.upper()
            return beside(y)
        """,
    "p/beside.py": """
        def beside(n: int) -> int:
            return n
        def unused() -> int:
            return 1
        """,
}


@pytest.fixture
def mypy(tmp_path: Path, tmp_path_factory: pytest.TempPathFactory) -> Mypy:
    return Mypy(tmp_path, shared_caches(tmp_path_factory))


def run(mypy: Mypy, **changed: str) -> tuple[set[str], list[tuple[int, str | None]]]:
    """What was checked or kept when the program was asked about, and its errors."""
    files = {name: textwrap.dedent(text) for name, text in (FILES | changed).items()}
    found = mypy.run(files, check=["p"], before=CHECKED)
    told = {line for line in found.output.splitlines() if line.startswith(("checked", "kept w"))}
    return told, [(m.line, m.code) for m in found.errors()]


ERRORS = [(6, "assignment"), (7, "attr-defined")]


def test_it_is_kept_where_modules_that_import_each_other_are_checked_again(mypy: Mypy) -> None:
    assert run(mypy) == ({"checked wrong"}, ERRORS)
    near = FILES["p/near.py"].replace("return Far()", "return 1 and Far()")
    assert run(mypy, **{"p/near.py": near}) == ({"kept wrong"}, ERRORS)


@pytest.mark.parametrize(
    ("file", "old", "new", "errors"),
    [
        ("p/program.py", "return beside(y)", "return beside(y)  # as it was", ERRORS),
        ("p/near.py", "-> Far:", "-> 'Far | None':", [(6, "assignment"), (7, "union-attr"), (7, "union-attr")]),
        ("p/far.py", "x: int = 1", "x: str = ''", [(6, "assignment")]),
        # Of another length: in the same second mypy sees no change in a file of the same.
        ("p/beside.py", "n: int", "n: bytes", [(3, "return-value"), *ERRORS, (8, "arg-type")]),
    ],
)
def test_it_is_not_kept_where_what_it_hangs_on_has_changed(
    mypy: Mypy, file: str, old: str, new: str, errors: list[tuple[int, str]]
) -> None:
    run(mypy)
    told, found = run(mypy, **{file: FILES[file].replace(old, new)})
    assert told == {"checked wrong"}
    assert sorted(found) == errors

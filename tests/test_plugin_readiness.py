"""Plain mypy is asked of the modules whose libraries have been read, so that it does not read them itself."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import pytest
from arraytyping_mypy.plain_libraries import FORMAT
from arraytyping_mypy.readiness import read_modules, ready_modules
from mypy.cache import CACHE_VERSION
from mypy.nodes import Import, ImportFrom, MypyFile, SymbolTable, SymbolTableNode
from mypy_runs import Mypy
from plain_both_ways import BOTH_WAYS


def module(path: str, imports: Sequence[Import | ImportFrom] = (), *, is_read: bool = False) -> MypyFile:
    """A module that imports others, with names in it if mypy has read it."""
    tree = MypyFile([], list(imports))
    tree.path = path
    tree.names = SymbolTable({"__name__": SymbolTableNode(0, None)} if is_read else {})
    return tree


def library(count: int) -> dict[str, MypyFile]:
    """A library of so many modules that has not been read."""
    parts = {f"large.m{i}": module(f"large/m{i}.py") for i in range(count)}
    return {"large": module("large/__init__.py", [Import([(name, None) for name in parts])]), **parts}


def test_modules_wait_for_libraries_that_they_import_by_whatever_way() -> None:
    modules = {
        "p": module("p/__init__.py", [ImportFrom("b", 1, [("x", None)])]),
        "p.a": module("p/a.py", [Import([("small", None)])]),
        "p.b": module("p/b.py", [ImportFrom("large", 0, [("m1", None)])]),
        "p.c": module("p/c.py", [ImportFrom("", 1, [("a", None)])]),  # with the package, which imports `b`
        "small": module("small.py", [Import([("large", None)])], is_read=True),
        **library(300),
    }
    program = [name for name in modules if name.startswith("p")]
    assert ready_modules(program, "p.a", modules) == {"p.a"}
    assert ready_modules(program, "p.c", modules) == set(program), (
        "what is needed has been read, whatever it looks like"
    )
    assert read_modules(program, "p.c", modules) == {"p.a", "p.c"}
    for tree in modules.values():
        tree.names = SymbolTable({"__name__": SymbolTableNode(0, None)})
    assert ready_modules(program, "p.a", modules) == set(program)
    assert read_modules(program, "p.a", modules) == set(program)


def test_for_a_small_library_no_module_waits() -> None:
    modules = {"a": module("a.py"), "b": module("b.py", [Import([("large", None)])]), **library(20)}
    assert ready_modules(["a", "b"], "a", modules) == {"a", "b"}
    assert read_modules(["a", "b"], "a", modules) == {"a"}, "in memory it has to be"


SHOWING = """
import sys
from arraytyping_mypy import bindings
init = bindings.Bindings.__init__
def shown(self, tree):
    print("goes through", tree.fullname, file=sys.stderr)
    init(self, tree)
bindings.Bindings.__init__ = shown
"""
"""Shows the modules that the plugin goes through."""


def test_a_package_imports_a_library_that_mypy_has_not_come_to(tmp_path: Path) -> None:
    """Whoever imports a module of the package imports that library, but is checked before it is read."""
    package = {
        "p/__init__.py": "from p.later import f\n",
        "p/other.py": "y = 1\n",
        "p/early.py": 'from p.other import y\nn: int = "b"\n',
        "p/later.py": "import xml.dom.minidom as m\nf: int = m.Document()\nm.Document().nothing\n",
    }
    run = Mypy(tmp_path, tmp_path, tmp_path / "cache").run(package, check=["p"], before=BOTH_WAYS)
    asked = [line for line in run.output.splitlines() if line.startswith("asked both ways")]
    assert asked
    assert all(line.endswith("alike") for line in asked)
    assert sorted((m.file, m.line) for m in run.errors()) == [("p/early.py", 2), ("p/later.py", 2), ("p/later.py", 3)]


@pytest.mark.skipif(CACHE_VERSION != FORMAT, reason="nothing is taken out of another cache")
def test_jax_is_not_read_again_where_the_first_error_comes_before_it(tmp_path: Path) -> None:
    package = {
        "p/__init__.py": "from p.arrays import f\n",
        "p/early.py": 'n: int = "b"\n',
        "p/arrays.py": 'import jax.numpy as jnp\nn: int = "c"\nf = jnp.zeros(3)\nf.nothing\n',
    }
    run = Mypy(tmp_path, tmp_path, tmp_path / "cache").run(package, check=["p"], before=SHOWING + BOTH_WAYS)
    asked = [line for line in run.output.splitlines() if line.startswith("asked both ways")]
    assert asked == ["asked both ways: 1 alike", "asked both ways: 2 alike"], "where jax has been read from its sources"
    assert sorted((m.file, m.line) for m in run.errors()) == [("p/arrays.py", 2), ("p/arrays.py", 4), ("p/early.py", 1)]
    names = {name for file in (tmp_path / "cache" / "plain").glob("*/cache*.db") for name in names_in(file)}
    assert {"p/early.meta.ff", "p/arrays.meta.ff", "jax/__init__.meta.ff"} <= names
    assert "arraytyping/scalars.meta.ff" in names, (
        "a module that is lent with those of jax; jax itself does not import it"
    )

    gone_through = {line.split()[-1] for line in run.output.splitlines() if line.startswith("goes through ")}
    assert "p.arrays" in gone_through
    assert gone_through <= {"p", "p.early", "p.arrays"}, "of libraries there is nothing to know"


def names_in(database: Path) -> list[str]:
    """What a cache of mypy has in it, by name."""
    with closing(sqlite3.connect(database)) as opened:
        return [name for (name,) in opened.execute("SELECT path FROM files2")]

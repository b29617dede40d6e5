"""Plain mypy takes jax out of the plugin's cache, and finds there what it would have read itself."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from arraytyping_mypy import plain_build
from arraytyping_mypy.library_options import hide_sections, leave_libraries, share_options
from arraytyping_mypy.plain_libraries import FORMAT, lend
from mypy.cache import CACHE_VERSION
from mypy.options import Options
from mypy_runs import Mypy, shared_caches

PROGRAM = """import jax
import jax.numpy as jnp
from functools import partial
@partial(jax.jit, static_argnums=0)
def doubled(n: int, x: jax.Array) -> jax.Array:
    return n * x
a: int = jnp.zeros(3)
b: int = doubled(2, jnp.zeros(3))
c: str = jnp.float32
d: int = divmod(2, jnp.zeros(3))
e: int = jax.random.key(0)
f: int = jax.numpy.linalg.norm
jnp.zeros(3).shapes
jax.lax.scan(1)
"""
INTEGER = 'Incompatible types in assignment (expression has type "{}", variable has type "int")'
ERRORS = [
    (7, INTEGER.format("Array")),
    (10, INTEGER.format("Array")),
    (11, INTEGER.format("Array")),
    (12, INTEGER.format("JitWrapped")),
    (13, '"Array" has no attribute "shapes"; maybe "shape" or "reshape"?'),
    (14, 'Missing positional argument "init" in call to "scan"'),
    (14, 'Argument 1 to "scan" has incompatible type "int"; expected "Callable[[Never, Never], tuple[Never, Never]]"'),
]
"""What plain mypy says that has read the libraries itself."""

known_format = pytest.mark.skipif(CACHE_VERSION < FORMAT, reason="nothing is taken out of an older cache")
"""Of a newer one the tests fail, so that it is looked at."""


@pytest.fixture(scope="module")
def lender(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cache of mypy with the plugin."""
    mypy = Mypy(tmp_path_factory.mktemp("lender"), shared_caches(tmp_path_factory))
    mypy.run("import jax, flax.linen\n")
    return mypy.cache


def asked(cache: Path) -> dict[str, Any]:
    """The options with which plain mypy is asked, with a cache of its own."""
    options = Options()
    leave_libraries(options, redefinition=False, partial=True)
    derived = ("disabled_error_codes", "enabled_error_codes")
    snapshot = {k: v for k, v in options.snapshot().items() if k not in derived}
    return snapshot | {"output": "json", "cache_dir": str(cache)}


def rows(cache: Path) -> dict[str, bytes]:
    """What is in a cache of mypy, by name."""
    found: dict[str, bytes] = {}
    for file in cache.glob("*/cache*.db"):
        with closing(sqlite3.connect(file)) as database:
            found |= dict(database.execute("SELECT path, data FROM files2"))
    return found


@known_format
def test_jax_is_not_read_again_and_is_as_plain_mypy_has_it(lender: Path, tmp_path: Path) -> None:
    cache, file = tmp_path / "plain", tmp_path / "program.py"
    file.write_text(PROGRAM)
    snapshot = asked(cache)
    options = Options().apply_changes(snapshot)
    options.process_error_codes(error_callback=lambda _: None)
    lend(str(lender), options)
    lent = rows(cache)
    assert {"jax/_src/basearray.data.ff", "jax/numpy/__init__.meta.ff", "builtins.meta_ex.ff"} <= lent.keys()
    assert not [name for name, data in lent.items() if b"basearray.Array.DType" in data]
    found = plain_build.errors_of([("program", str(file))], snapshot, str(lender))
    after = rows(cache)
    assert not [name for name, data in lent.items() if after[name] != data]
    assert "program.meta.ff" in after
    assert [(line, text) for _, line, _, text in found] == ERRORS


def test_modules_that_are_there_are_left_alone(lender: Path, tmp_path: Path) -> None:
    options = Options().apply_changes(asked(tmp_path))
    options.process_error_codes(error_callback=lambda _: None)
    lend(str(lender), options)
    first = rows(tmp_path)
    for file in tmp_path.glob("*/cache*.db"):
        with closing(sqlite3.connect(file)) as database, database:
            database.execute("UPDATE files2 SET data = x'6f776e' WHERE path LIKE 'jax/_src/basearray.%'")
            database.execute("DELETE FROM files2 WHERE path LIKE 'jax/_src/%' AND path NOT LIKE '%/basearray.%'")
    lend(str(lender), options)
    again = rows(tmp_path)
    assert again.keys() == first.keys()
    assert again["jax/_src/basearray.data.ff"] == b"own"
    lend(str(tmp_path / "nothing"), options)
    assert rows(tmp_path) == again


@known_format
def test_what_is_installed_is_taken_where_it_is_not_checked(lender: Path, tmp_path: Path) -> None:
    options = Options().apply_changes(asked(tmp_path))
    options.process_error_codes(error_callback=lambda _: None)
    lend(str(lender), options)
    lent = rows(tmp_path)
    assert "flax/core/frozen_dict.data.ff" in lent
    assert not [name for name in lent if name.startswith("program.")]


@known_format
def test_libraries_that_are_read_with_other_options_are_not_taken(lender: Path, tmp_path: Path) -> None:
    options = Options().apply_changes(asked(tmp_path) | {"local_partial_types": False})
    lend(str(lender), options)
    assert not list(tmp_path.iterdir())
    options = Options().apply_changes(asked(tmp_path) | {"per_module_options": {}})
    options.process_error_codes(error_callback=lambda _: None)
    lend(str(lender), options)
    assert {name for name in rows(tmp_path) if name.startswith("jax/_src/pjit.")} == set()
    assert "builtins.data.ff" in rows(tmp_path)


def test_a_cache_of_another_format_gives_nothing(tmp_path: Path) -> None:
    options = Options().apply_changes(asked(tmp_path / "plain"))
    folder = tmp_path / "lender" / "{}.{}".format(*options.python_version)
    folder.mkdir(parents=True)
    (folder / "cache.0.db").write_text("no database")
    lend(str(tmp_path / "lender"), options)
    assert not (tmp_path / "plain").exists()


def test_the_programs_own_options_for_libraries_stay(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "packaging").mkdir()
    options = Options()
    options.allow_redefinition = True
    given: dict[str, dict[str, object]] = {
        "jax.*": {"allow_redefinition": True}, "PIL.*": {"strict_optional": False}, "unused": {},
    }  # fmt: skip
    options.per_module_options |= given
    leave_libraries(options, redefinition=False, partial=True)
    modules = ("jax.numpy", "PIL.Image", "jaxlib", "packaging.version", "program")
    cloned = [options.clone_for_module(module) for module in modules]
    assert [o.allow_redefinition for o in cloned] == [True, False, False, True, True]
    assert not cloned[1].strict_optional
    hide_sections(options)
    assert options.get_unused_configs() == {"unused"}


@pytest.mark.parametrize(
    "given",
    [
        {},
        {"jax.*": {"allow_redefinition": True}, "jax._src.*": {"strict_optional": False}, "PIL.Image": {}},
        {"flax.linen.*": {"disallow_any_expr": True}, "numpy.linalg": {"disable_error_code": ["attr-defined"]}},
        {"*.testing": {"ignore_errors": True}, "scipy.*": {"ignore_missing_imports": True}},
    ],
    ids=str,
)
def test_options_that_are_shared_are_those_that_mypy_would_make(given: dict[str, dict[str, object]]) -> None:
    def made(share: bool) -> Options:
        options = Options()
        options.per_module_options |= {name: {**own} for name, own in given.items()}
        options.allow_redefinition = True
        leave_libraries(options, redefinition=False, partial=True)
        if share:
            share_options(options)
        return options

    def said(options: Options, module: str) -> dict[str, object]:
        snapshot = options.clone_for_module(module).snapshot()
        return {name: value for name, value in snapshot.items() if not name.startswith("_")}

    ours, theirs = made(share=True), made(share=False)
    assert ours.per_module_options == theirs.per_module_options
    tops = ("jax", "flax", "numpy", "scipy", "PIL", "torch", "builtins", "program")
    parts = ("", "._src", ".linen", ".linen.linear", ".linalg", ".testing", "._src.core", ".Image")
    for module in (f"{top}{part}" for top in tops for part in parts):
        assert said(ours, module) == said(theirs, module), module
    for options in (ours, theirs):
        hide_sections(options)
    assert ours.get_unused_configs() == theirs.get_unused_configs()
    assert ours.clone_for_module("ml_dtypes") is ours.clone_for_module("opt_einsum")

"""An editor, for real: pyright's language server is asked what it completes, shows and proposes for programs of arrays.

For programs on JAX it reads the stubs of JAX, for programs on arraytyping those of arraytyping, as if installed.
"""

from __future__ import annotations

import subprocess
import sysconfig
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from checkers import BIN, ROOT, STUBS, environment
from lsp_client import Editor

from arraytyping.scalars import DTYPES

MEMBERS = {"shape", "dtype", "ndim", "T", "at", "sum", "mean", "astype", "reshape", "block_until_ready", "__add__"}
"""Some of what an array offers."""


@dataclass(frozen=True)
class Library:
    """A library of arrays: its stubs, and how a program begins that uses it as `lib` and `lnp`."""

    stubs: str
    module: str

    @property
    def head(self) -> str:
        """The imports."""
        return f"import {self.module} as lib\nimport {self.module}.numpy as lnp\n"


LIBRARIES = [Library("jax-stubs", "jax"), Library("arraytyping-stubs", "arraytyping")]


@pytest.fixture(scope="module")
def editor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Editor]:
    """One server for all tests, in an environment that has the stubs."""
    try:
        started = subprocess.run([BIN / "pyright", "--version"], capture_output=True, text=True, timeout=120)
    except OSError as error:
        pytest.skip(f"pyright is not there: {error}")
    if started.returncode:
        pytest.skip(f"pyright's node is not there: {(started.stdout + started.stderr).strip()[-200:]}")
    env = environment(tmp_path_factory.mktemp("env"), [p.name for p in STUBS.iterdir() if p.name.endswith("-stubs")])
    site = Path(sysconfig.get_path("purelib", vars={"base": str(env), "platbase": str(env)}))
    (site / "arraytyping").symlink_to(ROOT / "src" / "arraytyping", target_is_directory=True)
    settings = {"python": {"pythonPath": str(env / "bin" / "python"), "analysis": {"diagnosticMode": "openFilesOnly"}}}
    with Editor([str(BIN / "pyright-langserver"), "--stdio"], tmp_path_factory.mktemp("project"), settings) as opened:
        assert {"completionProvider", "hoverProvider", "signatureHelpProvider"} <= opened.capabilities.keys()
        yield opened


@pytest.fixture(params=LIBRARIES, ids=lambda library: library.module)
def library(request: pytest.FixtureRequest) -> Library:
    """Each library of which there are stubs."""
    asked: Library = request.param
    if not (STUBS / asked.stubs).is_dir():
        pytest.skip(f"stubs/{asked.stubs} is not there")
    return asked


@pytest.mark.parametrize(
    "program",
    ["lnp.zeros((3, 4)).|", "x = lnp.zeros((3, 4))\ny = x + 1\ny.|", "y = lnp.sin(lnp.ones(3) * 2).T\ny.|"],
    ids=["zeros", "sum", "function"],
)
def test_the_members_of_an_array_are_completed(program: str, library: Library, editor: Editor) -> None:
    proposed = editor.completions(library.head + program)
    assert proposed >= MEMBERS
    assert len(proposed) > 100


def test_nothing_is_completed_of_what_is_unknown(library: Library, editor: Editor) -> None:
    assert not editor.completions(f"{library.head}def f(x):\n    x.|") & MEMBERS


@pytest.mark.parametrize(
    ("expression", "shown"),
    [
        ("lnp.zeros((3, 4))", "Array[float32, tuple[Literal[3], Literal[4]]]"),
        ("lnp.zeros((3, 4)) + 1", "Array[float32, tuple[Literal[3], Literal[4]]]"),
        ("lnp.ones((2,), lnp.int8) * 2.5", "Array[float, tuple[Literal[2]]]"),
        ("lnp.sin(lnp.ones((2,), lnp.int8))", "Array[float32, tuple[Literal[2]]]"),
        ("lnp.zeros((3, 4)).T", "Array[float32, tuple[Literal[4], Literal[3]]]"),
        ("lnp.zeros((3, 4)).shape", "tuple[Literal[3], Literal[4]]"),
    ],
)
def test_dtype_and_shape_are_shown(expression: str, shown: str, library: Library, editor: Editor) -> None:
    assert editor.hover(f"{library.head}y| = {expression}\n") == f"(variable) y: {shown}"


@pytest.mark.parametrize("decorator", ["@lib.jit", "@partial(lib.jit, static_argnames='n')"], ids=["jit", "partial"])
def test_parameters_of_a_jitted_function_are_shown(decorator: str, library: Library, editor: Editor) -> None:
    function = "def f(x: lib.Array, n: int = 2) -> lib.Array:\n    return x * n\n\n"
    shown = editor.signature(f"{library.head}from functools import partial\n{decorator}\n{function}f(|")
    assert shown.startswith("(x: Array")
    assert ", n: int = 2) -> Array" in shown


def test_parameters_of_functions_of_arrays_are_shown(library: Library, editor: Editor) -> None:
    shown = editor.signature(f"{library.head}lnp.linspace(|")
    assert all(f"{name}: " in shown for name in ("start", "stop", "num", "endpoint"))


@pytest.mark.parametrize("name", ["lnp.int8", "lnp.bfloat16"])
def test_a_dtype_is_shown_by_its_name(name: str, library: Library, editor: Editor) -> None:
    dtype = name.removeprefix("lnp.")
    assert dtype in DTYPES
    assert f"Array[{dtype}, " in editor.hover(f"{library.head}y| = lnp.zeros(3, {name})\n")


@pytest.mark.parametrize("alias", ["ArrayLike", "DTypeLike", "ShapeLike", "KeyArray"])
def test_an_alias_is_shown_by_its_name(alias: str, editor: Editor) -> None:
    function = f"from arraytyping.typing import {alias}\ndef f(x: {alias}) -> None: ...\nf"
    for shown in (editor.hover(f"{function}|"), editor.signature(f"{function}(|")):
        assert f"x: {alias}" in shown
        assert " | " not in shown

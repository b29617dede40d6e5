"""The HTML reference, built: an alias is shown by its name, in ours and in that of a library which uses our types."""

from __future__ import annotations

import html
import re
import subprocess
import sys
from pathlib import Path

import pytest

import arraytyping.numpy as anp
from arraytyping import typing as att

pytest.importorskip("pdoc", reason="pdoc is not installed (dependency group docs)")

ROOT = Path(__file__).parent.parent
USER = '''\
"""A library of a user's."""
{future}
from {home} import Array
from {home}.typing import ArrayLike


def scaled(x: ArrayLike, by: ArrayLike | None = None) -> Array:
    """Its documentation."""
    raise NotImplementedError
'''
FUTURE = "from __future__ import annotations"
ALIAS = "arraytyping.typing.ArrayLike"


def signature(page: Path, name: str) -> str:
    """What a page of pdoc shows of a function, as text."""
    text = page.read_text(encoding="utf-8")
    section = re.search(rf'<section id="{re.escape(name)}">(.*?)</section>', text, re.DOTALL)
    assert section is not None, name
    shown = re.search(r'<div class="attr.*?</div>', section[1], re.DOTALL)
    assert shown is not None, name
    return " ".join(html.unescape(re.sub(r"<[^>]+>", "", shown[0])).replace("( ", "(").split()).replace("( ", "(")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The reference as the command builds it."""
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, str(ROOT / "docs" / "reference" / "build.py"), str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return folder


@pytest.mark.parametrize(
    ("page", "name", "shown"),
    [
        ("numpy", "sin", f"def sin(x: {ALIAS}, /) -> arraytyping.Array:"),
        ("numpy", "tile", f"def tile(A: {ALIAS}, reps: "),
        ("numpy", "linspace", f"def linspace(start: {ALIAS}, stop: {ALIAS}, num"),
        ("numpy", "mean", f"where: {ALIAS} | None = None) -> arraytyping.Array:"),
        ("lax", "add", f"def add(x: {ALIAS}, y: {ALIAS}) -> arraytyping.Array:"),
        ("typing", "ensure", "def ensure(value: ~T, annotation: Any, what: str = 'the value') -> ~T:"),
    ],
)
def test_a_signature_names_the_alias(page: str, name: str, shown: str, site: Path) -> None:
    said = signature(site / "arraytyping" / f"{page}.html", name)
    assert shown in said
    assert "NumPyLike" not in said


def test_nothing_shows_what_is_behind_the_alias(site: Path) -> None:
    for page in site.rglob("*.html"):
        assert "SupportsJAXArray" not in re.sub(r"<[^>]+>", "", page.read_text(encoding="utf-8")), page


def test_every_public_name_has_its_place(site: Path) -> None:
    typing = (site / "arraytyping" / "typing.html").read_text(encoding="utf-8")
    assert [n for n in att.__all__ if f'<section id="{n}">' not in typing] == []
    assert "Annotate the intent" in typing
    numpy = (site / "arraytyping" / "numpy.html").read_text(encoding="utf-8")
    functions = [n for n in dir(anp) if hasattr(getattr(anp, n), "rule_name")]
    assert len(functions) > 100
    assert [n for n in functions if f'<section id="{n}">' not in numpy] == []


@pytest.mark.parametrize("future", [FUTURE, ""], ids=["text", "evaluated"])
def test_a_users_reference_names_it_without_any_setting(future: str, tmp_path: Path) -> None:
    for home in ("arraytyping", "jax"):
        (tmp_path / f"on_{home}.py").write_text(USER.format(future=future, home=home))
    modules = [str(tmp_path / f"on_{home}.py") for home in ("arraytyping", "jax")]
    subprocess.run(
        [sys.executable, "-m", "pdoc", "-o", str(tmp_path / "out"), *modules], check=True, capture_output=True
    )
    ours, union = (signature(tmp_path / "out" / f"on_{home}.html", "scaled") for home in ("arraytyping", "jax"))
    assert f"def scaled(x: {ALIAS}, by: {ALIAS} | None = None)" in ours
    assert "numpy.ndarray" in union  # what the alias of JAX itself becomes


@pytest.mark.parametrize("future", [FUTURE, ""], ids=["text", "evaluated"])
def test_sphinx_names_it_without_any_setting(future: str, tmp_path: Path) -> None:
    pytest.importorskip("sphinx", reason="sphinx is not installed")
    (tmp_path / "library.py").write_text(USER.format(future=future, home="arraytyping"))
    (tmp_path / "conf.py").write_text(
        f"import sys; sys.path.insert(0, {str(tmp_path)!r}); extensions = ['sphinx.ext.autodoc']"
    )
    (tmp_path / "index.rst").write_text(".. automodule:: library\n   :members:\n")
    command = [sys.executable, "-m", "sphinx", "-q", "-b", "text", str(tmp_path), str(tmp_path / "out")]
    subprocess.run(command, check=True, capture_output=True)
    said = (tmp_path / "out" / "index.txt").read_text()
    assert "library.scaled(x: ArrayLike, by: ArrayLike | None = None) -> Array" in said

"""HTML references of libraries that use our types: an alias is shown by its name."""

from __future__ import annotations

import html
import re
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("pdoc", reason="pdoc is not installed (dependency group docs)")

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

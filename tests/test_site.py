"""The site of the documentation is built without a warning, and its menu leads to every page but those of codes.

Its reference shows an alias by its name, and every public name has its place.
"""

from __future__ import annotations

import html
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import arraytyping.numpy as anp
from arraytyping import typing as att

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site as the command builds it."""
    folder = tmp_path_factory.mktemp("site")
    environ = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(folder)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, env=environ)
    assert done.returncode == 0, done.stderr
    return folder


def test_the_menu_leads_everywhere(site: Path) -> None:
    home = (site / "index.html").read_text(encoding="utf-8")
    pages = [page.relative_to(DOCS).with_suffix("").as_posix() for page in DOCS.rglob("*.md")]
    pages += [f"reference/{name}" for name in ("arraytyping", "typing", "numpy", "lax", "random")]
    linked = [page for page in pages if page != "index" and not page.startswith("errors/")]
    assert len(linked) > 20
    assert not [page for page in linked if f'href="{page}/"' not in home]
    made = [f"/{page}".removesuffix("/index").lstrip("/") for page in pages]
    assert not [page for page in made if not (site / page / "index.html").is_file()]


def reference(site: Path, page: str) -> str:
    """A page of the reference, as text."""
    text = (site / "reference" / page / "index.html").read_text(encoding="utf-8")
    return html.unescape(re.sub(r"<[^>]+>", "", text))


@pytest.mark.parametrize(
    ("page", "shown"),
    [
        ("numpy", "def sin(x: ArrayLike, /) -> Array"),
        ("numpy", "def tile(A: ArrayLike, reps: "),
        ("numpy", "def linspace(start: ArrayLike, stop: ArrayLike, num"),
        ("numpy", "where: ArrayLike | None = None) -> Array"),
        ("lax", "def add(x: ArrayLike, y: ArrayLike) -> Array"),
        ("typing", "def ensure(value: T, annotation: Any, what: str = 'the value') -> T"),
    ],
)
def test_a_signature_names_the_alias(page: str, shown: str, site: Path) -> None:
    said = " ".join(reference(site, page).split()).replace("( ", "(").replace(" )", ")")
    assert shown in said
    assert "NumPyLike" not in said
    assert "SupportsJAXArray" not in said


def test_every_public_name_has_its_place(site: Path) -> None:
    typing = (site / "reference" / "typing" / "index.html").read_text(encoding="utf-8")
    assert [n for n in att.__all__ if f'id="{n}"' not in typing] == []
    assert "Annotate the intent" in typing
    numpy = (site / "reference" / "numpy" / "index.html").read_text(encoding="utf-8")
    functions = [n for n in dir(anp) if hasattr(getattr(anp, n), "rule_name")]
    assert len(functions) > 100
    assert [n for n in functions if f'id="{n}"' not in numpy] == []

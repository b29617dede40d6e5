"""The site of the documentation is built without a warning, and its menu leads to every page but those of codes."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"


def test_the_site_is_built_and_leads_everywhere(tmp_path: Path) -> None:
    environ = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(tmp_path / "site")]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, env=environ)
    assert done.returncode == 0, done.stderr
    home = (tmp_path / "site" / "index.html").read_text(encoding="utf-8")
    pages = [page.relative_to(DOCS).with_suffix("").as_posix() for page in DOCS.rglob("*.md")]
    linked = [page for page in pages if page != "index" and not page.startswith("errors/")]
    assert len(linked) > 20
    assert not [page for page in linked if f'href="{page}/"' not in home]
    made = [f"/{page}".removesuffix("/index").lstrip("/") for page in pages]
    assert not [page for page in made if not (tmp_path / "site" / page / "index.html").is_file()]

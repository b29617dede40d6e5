"""Editors that are installed, configured as docs/editors.md says, show a mistake (`tools/editors/run.py`)."""

from __future__ import annotations

import sys
import tomllib
from importlib import import_module
from pathlib import Path

import pytest
from checkers import BIN, ROOT

pytest.importorskip("pty", reason="terminals of this kind are of Unix")
if not (ROOT / "tools" / "editors").is_dir():
    pytest.skip("tools/ is not in this distribution", allow_module_level=True)
sys.path.insert(0, str(ROOT / "tools" / "editors"))
editors = import_module("run")

BY_NAME = {editor.name: editor for editor in editors.EDITORS}


@pytest.mark.parametrize(
    "name", ["neovim", "neovim-old", *(pytest.param(n, marks=pytest.mark.thorough) for n in ("eglot", "lsp-mode"))]
)
def test_the_mistake_is_shown(name: str) -> None:
    editor = BY_NAME[name]
    if not editor.version():
        pytest.skip(f"{name} is not installed")
    found = editors.diagnostics_in(editor, Path(BIN) / "arraytyping")
    assert any("contracted dimensions differ" in text for text in found), found
    if name == "neovim":
        assert "inlay hint: float32[32, 784]" in found


def test_each_configuration_is_on_the_page() -> None:
    for editor in editors.EDITORS:
        assert '"arraytyping"' in editor.configuration()
        assert '"lsp"' in editor.configuration()
    page = editors.PAGE.read_text(encoding="utf-8")
    for block in page.split("```toml\n")[1:]:
        tomllib.loads(block.split("```")[0])

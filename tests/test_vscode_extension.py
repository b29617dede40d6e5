"""The extension for VS Code: its own tests are run, and what is declared of it is what is there.

VS Code itself is run by `editors/vscode/e2e/run.mjs`.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from checkers import BIN, ROOT

EXTENSION = ROOT / "editors" / "vscode"
if not EXTENSION.is_dir():
    pytest.skip("editors/ is not in this distribution", allow_module_level=True)
MANIFEST: dict[str, Any] = json.loads((EXTENSION / "package.json").read_text(encoding="utf-8"))
NODE = 20
"""The oldest Node.js that runs the tests, and of which VS Code's is a later one."""


def node() -> str:
    """Node.js; the test is skipped without it."""
    found = shutil.which("node")
    if found is None:
        pytest.skip("node is not installed")
    version = subprocess.run([found, "--version"], capture_output=True, text=True, check=True).stdout
    if int(version.removeprefix("v").split(".")[0]) < NODE:
        pytest.skip(f"node {version.strip()} is older than {NODE}")
    return found


def test_its_own_tests_pass() -> None:
    tests = sorted(str(p.relative_to(EXTENSION)) for p in (EXTENSION / "test").glob("*.test.js"))
    done = subprocess.run([node(), "--test", *tests], cwd=EXTENSION, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr
    passed = re.search(r"^# pass (\d+)$", done.stdout, re.MULTILINE) or re.search(r"pass (\d+)", done.stdout)
    assert passed is not None
    assert int(passed[1]) >= 25


def test_the_lock_file_names_no_host_but_the_registry() -> None:
    lock = json.loads((EXTENSION / "package-lock.json").read_text(encoding="utf-8"))
    resolved = {p.get("resolved", "https://registry.npmjs.org/") for p in lock["packages"].values()}
    assert all(url.startswith("https://registry.npmjs.org/") for url in resolved)
    assert lock["packages"][""]["devDependencies"] == MANIFEST["devDependencies"]
    assert lock["version"] == MANIFEST["version"]


def test_what_is_packaged_is_there_and_nothing_else() -> None:
    ignored = (EXTENSION / ".vscodeignore").read_text(encoding="utf-8").splitlines()
    kept = [line.removeprefix("!") for line in ignored if line.startswith("!")]
    assert ignored[0] == "**"
    assert MANIFEST["main"].removeprefix("./") in kept
    assert all((EXTENSION / name).is_file() for name in kept if not name.startswith("dist/"))
    assert (EXTENSION / "LICENSE").read_bytes() == (ROOT / "LICENSE").read_bytes()
    assert f"\n## {MANIFEST['version']}\n" in (EXTENSION / "CHANGELOG.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("page", [EXTENSION / "README.md", ROOT / "docs" / "editors.md"], ids=["README", "editors"])
def test_each_setting_and_command_is_documented(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    for setting in MANIFEST["contributes"]["configuration"]["properties"]:
        assert f"`{setting}`" in text, setting
    for command in MANIFEST["contributes"]["commands"]:
        assert f"{command['category']}: {command['title']}" in text


@pytest.mark.skipif("not config.getoption('uvx')", reason="downloads: pytest --uvx")
def test_it_is_built_and_packaged_and_its_client_library_talks_to_the_server(tmp_path: Path) -> None:
    executable, npm = node(), shutil.which("npm")
    if npm is None:
        pytest.skip("npm is not installed")
    work = tmp_path / "vscode"
    shutil.copytree(EXTENSION, work, ignore=shutil.ignore_patterns("node_modules", "dist", "*.vsix", "build"))
    for command in (["ci", "--ignore-scripts"], ["run", "check"], ["run", "package"]):
        done = subprocess.run([npm, *command], cwd=work, capture_output=True, text=True, timeout=600)
        assert done.returncode == 0, done.stdout + done.stderr
    assert (work / "arraytyping.vsix").stat().st_size < 1_000_000
    assert "vscode-languageclient" in (work / "dist" / "LICENSES.txt").read_text(encoding="utf-8")
    client = [executable, "e2e/client.mjs", str(BIN / "arraytyping")]
    said = json.loads(subprocess.run(client, cwd=work, capture_output=True, text=True, check=True, timeout=120).stdout)
    assert [d[:2] for d in said["diagnostics"]] == [[22, "array-shape"]]
    assert [19, ": float32[128, 784]"] in said["hints"]
    assert said["hover"] == "float32[128, 784]"
    assert said["actions"] == ["Replace by x @ w.T", "Ignore array-shape here"]

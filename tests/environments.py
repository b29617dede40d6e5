"""Environments for tests, made without downloading anything: links to what is installed in that of the tests."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

ROOT = Path(__file__).parent.parent
SITE = f"lib/python{sys.version_info[0]}.{sys.version_info[1]}/site-packages"


def make_environment(folder: Path) -> Path:
    """A virtual environment in which nothing is installed; gives its interpreter."""
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(folder)], check=True)
    return folder / "bin" / "python"


def add_jax(folder: Path) -> None:
    """Let everything be found there that is installed beside the tests, arraytyping apart."""
    installed = Path(str(distribution("jax").locate_file("")))
    (folder / SITE / "installed.pth").write_text(f"{installed}\n")


def link_jax(folder: Path) -> None:
    """As `add_jax`, by a link to each package: what uv, Nix and Bazel make of an environment."""
    for entry in Path(str(distribution("jax").locate_file(""))).iterdir():
        if entry.suffix != ".pth" and "arraytyping" not in entry.name:
            (folder / SITE / entry.name).symlink_to(entry)


def add_arraytyping(folder: Path) -> None:
    """Install arraytyping there with what it requires, and nothing else."""
    site = folder / SITE
    for name in sorted(_required("arraytyping") - {"arraytyping"}):
        for file in distribution(name).files or ():
            top = file.parts[0]
            if top not in ("..", "__pycache__") and not (site / top).exists():
                (site / top).symlink_to(str(distribution(name).locate_file(top)))
    (site / "arraytyping.pth").write_text(f"{ROOT / 'src'}\n{ROOT / 'mypy_plugin'}\n")


def _required(name: str) -> set[str]:
    found: set[str] = set()
    waiting = [name]
    while waiting:
        current = waiting.pop()
        if current in found:
            continue
        found.add(current)
        waiting += [r for r in _requirements(current) if r not in found]
    return found


def _requirements(name: str) -> Iterator[str]:
    for requirement in distribution(name).requires or ():
        required = re.split(r"[^\w.-]", requirement, maxsplit=1)[0]
        if "extra ==" not in requirement:
            try:
                distribution(required)
            except PackageNotFoundError:  # for another platform or Python
                continue
            yield required

"""Runs the commands of the tutorials, and writes what they print: `python tests/run_pages.py [--check] [PAGE...]`.

Each page is run in an empty folder.  A block of Python or TOML whose first line names a file is that file, and a block
of `diff` changes lines of the last one; blocks of Python that begin with `# In [1]` and so on are the cells of
`explore.ipynb`.  Commands that install are not run.
"""

from __future__ import annotations

import argparse
import os
import re
import sys
import tempfile
from pathlib import Path
from typing import Final

import forked_commands
import nbformat

PAGES: Final = sorted((Path(__file__).parent.parent / "docs" / "tutorials").glob("*.md"))
_BLOCK: Final = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_FILE: Final = re.compile(r"# (\S+\.(?:py|toml))\n")
_CELL: Final = re.compile(r"# In \[\d+\]\n")
_COMMAND: Final = re.compile(r"^\$ (.*)\n", re.MULTILINE)
_NOTEBOOK: Final = "explore.ipynb"


def run_page(page: Path, cache: Path | None = None) -> str:
    """A page with what its commands print; `cache` is mypy's.

    Raises:
        RuntimeError: if a command cannot be run.
    """
    with tempfile.TemporaryDirectory(prefix="page-") as name:
        folder = Path(name)
        cells: list[str] = []
        written: list[Path] = []

        def filled(block: re.Match[str]) -> str:
            language, text = block.groups()
            if language == "console":
                return f"```console\n{''.join(_runs(folder, text, cache))}```"
            if (file := _FILE.match(text)) is not None:
                path = folder / file[1]
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text, encoding="utf-8")
                written.append(path)
            elif language == "diff":
                _change(written[-1], text)
            elif (cell := _CELL.match(text)) is not None:
                if cell[0] == "# In [1]\n":
                    cells.clear()
                cells.append(text[cell.end() :].rstrip("\n"))
                _write_notebook(folder / _NOTEBOOK, cells)
            return block[0]

        return _BLOCK.sub(filled, page.read_text(encoding="utf-8"))


def _change(path: Path, diff: str) -> None:
    """Put the lines that begin with a plus in the place of those that begin with a minus.

    Raises:
        RuntimeError: if the file has no such lines, or has them twice.
    """
    old, new = ("".join(f"{line[1:]}\n" for line in diff.splitlines() if line.startswith(sign)) for sign in "-+")
    text = path.read_text(encoding="utf-8")
    if text.count(old) != 1:
        raise RuntimeError(f"{path.name} has {text.count(old)} times what the page changes:\n{old}")
    path.write_text(text.replace(old, new), encoding="utf-8")


def _runs(folder: Path, text: str, cache: Path | None) -> list[str]:
    """The commands of a block, each with what it prints; a line of `...` keeps its place among lines left out."""
    first, *parts = _COMMAND.split(text)
    found = [first]
    for command, shown in zip(parts[::2], parts[1::2]):
        found.append(f"$ {command}\n")
        found.append(
            shown if command.startswith(("pip ", "code ")) else _shortened(_run(folder, command, cache), shown)
        )
    return found


def _run(folder: Path, command: str, cache: Path | None) -> str:
    switches = ("JAX_ENABLE_X64", "FORCE_COLOR", "MYPY_FORCE_COLOR", "XLA_FLAGS", "PYTHONPATH")
    environ = {k: v for k, v in os.environ.items() if k not in switches}
    environ |= {"COLUMNS": "100"} | ({} if cache is None else {"MYPY_CACHE_DIR": str(cache)})
    program, *arguments = command.split()
    done = forked_commands.run("-m", program, *arguments, cwd=folder, env=environ, merges=True)
    if done.returncode not in (0, 1):
        raise RuntimeError(f"{command}: exit code {done.returncode}: {done.stdout}")
    return done.stdout


def _shortened(printed: str, shown: str) -> str:
    """What is printed, without what a line of `...` stands for in what is shown."""
    parts = shown.split("...\n")
    lines = printed.splitlines(keepends=True)
    if len(parts) != 2:
        return printed
    begin, end = (part.count("\n") for part in parts)
    return "".join([*lines[:begin], "...\n", *lines[len(lines) - end :]]) if begin + end < len(lines) else printed


def _write_notebook(path: Path, cells: list[str]) -> None:
    made = nbformat.v4.new_notebook()  # type: ignore[no-untyped-call]
    made.cells = [nbformat.v4.new_code_cell(cell, id=f"cell-{i}") for i, cell in enumerate(cells)]  # type: ignore[no-untyped-call]
    nbformat.write(made, path)  # type: ignore[no-untyped-call]


def main() -> int:
    """Write the pages, or say which ones differ."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition(":")[0])
    parser.add_argument("--check", action="store_true", help="write nothing; exit with 1 if a page would change")
    parser.add_argument("pages", nargs="*", type=Path, default=PAGES)
    options = parser.parse_args()
    changed = 0
    for page in options.pages:
        new = run_page(page)
        if new != page.read_text(encoding="utf-8"):
            changed = 1
            print(f"{page}: {'not what is printed' if options.check else 'written'}")
            if not options.check:
                page.write_text(new, encoding="utf-8")
    return changed if options.check else 0


if __name__ == "__main__":
    sys.exit(main())

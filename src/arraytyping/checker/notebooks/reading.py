"""Notebooks are read by nbformat, and given as programs in the place of their files."""

from __future__ import annotations

import importlib.util
import json
import re
import warnings
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

from arraytyping.checker.notebooks.cells import Cells, give_cells
from arraytyping.checker.notebooks.magics import PRELUDE, PROVIDED, as_python
from arraytyping.regular_files import content_of, give_contents, given_contents, read_regular

__all__ = ["READER", "NotebookError", "can_read_notebook", "give_notebooks", "program_of", "program_of_cells"]

READER: Final = "which nbformat reads: pip install 'arraytyping[notebooks]'"
"""What is said of notebooks where nbformat is not installed."""
_HEADER: Final = re.compile(r"---\r?\n(?:(?!---).*\n)*? *(?:jupytext|kernelspec):", re.MULTILINE)
"""How Markdown begins that is a notebook."""


class NotebookError(Exception):
    """A notebook cannot be read; the message is one line."""


def can_read_notebook(path: Path) -> bool:
    """Whether what reads it is installed: nbformat, and for Markdown jupytext as well."""
    needed = ("nbformat", "jupytext") if path.suffix == ".md" else ("nbformat",)
    return all(importlib.util.find_spec(name) is not None for name in needed)


def give_notebooks(paths: Iterable[Path]) -> dict[Path, str]:
    """Let the notebooks at these paths be read as programs; why some of them cannot be."""
    contents = dict(given_contents())
    refused = {}
    for path in paths:
        try:
            given = content_of(path)
            program, cells = program_of(read_regular(path) if given is None else given, path)
        except OSError as error:
            refused[path] = f"cannot be read: {error.strerror}"
        except NotebookError as error:
            refused[path] = str(error)
        else:
            contents[str(path)] = program.encode()
            give_cells(str(path), cells)
    give_contents(contents)
    return refused


def program_of(data: bytes, path: Path = Path("a.ipynb")) -> tuple[str, Cells]:
    """The code of a notebook as one program, and where its lines are.

    The name of the file says how it is written.

    Raises:
        NotebookError: if it is none, or not one of Python.
    """
    notebook = _read_markdown(data) if path.suffix == ".md" else _read(data)
    language = notebook.metadata.get("language_info", {}).get("name") or notebook.metadata.get("kernelspec", {}).get(
        "language", "python"
    )
    if str(language).lower() not in ("python", "ipython", "python3"):
        raise NotebookError(f"is a notebook of {language}, not of Python")
    return program_of_cells((n, cell.source) for n, cell in enumerate(notebook.cells, 1) if cell.cell_type == "code")


def program_of_cells(cells: Iterable[tuple[int, str]]) -> tuple[str, Cells]:
    """The texts of cells of code, each with its number, as one program, and where its lines are."""
    lines = [""]
    numbers, before = [], []
    for number, source in cells:
        numbers.append(number)
        before.append(len(lines))
        lines += as_python(source).split("\n")
    if any(name in line for line in lines for name in PROVIDED):
        lines[0] = PRELUDE
    return "\n".join(lines) + "\n", Cells(tuple(numbers), tuple(before))


def _read(data: bytes) -> Any:
    if importlib.util.find_spec("nbformat") is None:
        raise NotebookError(f"is a notebook, {READER}")
    import nbformat

    try:
        text = data.decode("utf-8-sig")
        raw = json.loads(text)
        if not isinstance(raw, dict) or not isinstance(raw.get("nbformat"), int):
            raise NotebookError("is no notebook: it does not say of which format it is (nbformat)")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found = nbformat.reads(text, as_version=4)  # type: ignore[no-untyped-call]
    except NotebookError:
        raise
    except Exception as error:  # of many classes: nbformat's own, of JSON, of its schema
        said = str(error).strip().partition("\n")[0]
        raise NotebookError(f"is no notebook: {said[:200] or type(error).__name__}") from None
    if not isinstance(found.get("cells"), list):
        raise NotebookError("is no notebook: it has no list of cells")
    return found


def _read_markdown(data: bytes) -> Any:
    """A notebook that jupytext has written as Markdown, its own or MyST's."""
    if importlib.util.find_spec("jupytext") is None:
        raise NotebookError("is Markdown, whose cells jupytext reads: pip install 'arraytyping[notebooks]' jupytext")
    import jupytext

    try:
        text = data.decode("utf-8-sig")
        if _HEADER.match(text) is None:  # jupytext reads any Markdown
            raise NotebookError(
                "is no notebook: it does not begin with what jupytext or a kernel needs (jupytext, kernelspec)"
            )
        return jupytext.reads(text, fmt={"extension": ".md"})
    except NotebookError:
        raise
    except Exception as error:  # of many classes
        said = str(error).strip().partition("\n")[0]
        raise NotebookError(f"is no notebook: {said[:200] or type(error).__name__}") from None

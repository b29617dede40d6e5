"""The pages of the documentation about the error codes, which `arraytyping explain CODE` shows."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Final

from arraytyping.checker.flow.state.diagnostics import CODES as FLOW_CODES
from arraytyping.semantics.rules.errors import CODES

__all__ = ["ERROR_CODES", "page_of", "show_page"]

ERROR_CODES: Final = (*map(str, CODES), *FLOW_CODES)

_FOLDERS: Final = (
    Path(__file__).parent.parent / "error_pages",  # where a wheel has them
    Path(__file__).parents[4] / "docs" / "errors",
)


def page_of(code: str) -> str:
    """The page of a code as Markdown; what the code means where no page is installed."""
    for folder in _FOLDERS:
        if (file := folder / f"{code}.md").is_file():
            return file.read_text(encoding="utf-8")
    meanings = {**{str(c): text for c, text in CODES.items()}, **FLOW_CODES}
    return f"# {code}\n\n{meanings[code]}\n"


def show_page(code: str) -> None:
    """Print the page, laid out on a terminal."""
    text = page_of(code)
    if not sys.stdout.isatty():
        sys.stdout.write(text)
        return
    from rich.console import Console
    from rich.markdown import Markdown

    Console().print(Markdown(text))

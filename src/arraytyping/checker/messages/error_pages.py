"""The pages of the documentation about the error codes: what `arraytyping explain CODE` shows, and links lead to."""

from __future__ import annotations

import sys
from functools import cache
from importlib.metadata import PackageNotFoundError, metadata
from pathlib import Path
from typing import Final

from arraytyping.checker.flow_codes import CODES as FLOW_CODES
from arraytyping.semantics.rules.errors import CODES

__all__ = ["ERROR_CODES", "page_of", "page_uri", "show_page"]

ERROR_CODES: Final = (*map(str, CODES), *FLOW_CODES)

_FOLDERS: Final = (
    Path(__file__).parent.parent / "error_pages",  # where a wheel has them
    Path(__file__).parents[4] / "docs" / "errors",
)
_SITE: Final = "Documentation"
"""The name in `project.urls` of the address where the documentation is."""


def page_of(code: str) -> str:
    """The page of a code as Markdown; what the code means where no page is installed."""
    if (file := _file_of(code)) is not None:
        return file.read_text(encoding="utf-8")
    meanings = {**{str(c): text for c, text in CODES.items()}, **FLOW_CODES}
    return f"# {code}\n\n{meanings[code]}\n"


@cache
def page_uri(code: str) -> str | None:
    """Where the page of a code is: on the site that the distribution names, else the installed file."""
    if code not in ERROR_CODES:
        return None
    if (site := _site()) is not None:
        return f"{site.rstrip('/')}/errors/{code}/"
    file = _file_of(code)
    return None if file is None else file.resolve().as_uri()


def _file_of(code: str) -> Path | None:
    return next((file for folder in _FOLDERS if (file := folder / f"{code}.md").is_file()), None)


def _site() -> str | None:
    """The address of the documentation, where the installed distribution names one."""
    try:
        named = metadata("arraytyping").get_all("Project-URL") or []
    except PackageNotFoundError:
        return None
    urls = dict(url.split(", ", 1) for url in named)
    return urls.get(_SITE)


def show_page(code: str) -> None:
    """Print the page, laid out on a terminal."""
    text = page_of(code)
    if not sys.stdout.isatty():
        sys.stdout.write(text)
        return
    from rich.console import Console
    from rich.markdown import Markdown

    Console().print(Markdown(text))

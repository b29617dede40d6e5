"""What is asked of the processes that follow programs: what they find of a file, with the texts that are open."""

from __future__ import annotations

import asyncio
import os
from base64 import b64encode
from collections.abc import Callable, Coroutine, Iterable, Mapping
from pathlib import Path
from typing import Any, Final

from arraytyping.checker.claims import ExpressionClaims
from arraytyping.checker.dtype_trace import DtypeTrace
from arraytyping.checker.environment import NoEnvironmentError
from arraytyping.checker.flow.report.reporting import FlowReport, request_for
from arraytyping.checker.lsp.documents import Document, Found
from arraytyping.checker.lsp.engines import EngineError
from arraytyping.checker.lsp.environments import Environments
from arraytyping.checker.settings import ConfigError

__all__ = ["Asking"]

_SECONDS_TO_FOLLOW: Final = 15.0
"""So much processor time is given to one program; what was found until then is shown."""
_LONGEST_WAIT: Final = 5.0
"""Nobody who points at something waits for so many seconds."""
_MOST_LOOKED: Final = 32


class Asking:
    """Asks for reports on open files."""

    def __init__(
        self, environments: Environments, documents: Mapping[str, Document], folder_of: Callable[[Path], Path]
    ) -> None:
        self._environments = environments
        self._documents = documents
        self._folder_of = folder_of
        self._looked: dict[tuple[str, str], Found] = {}

    async def report(
        self,
        document: Document,
        text: str,
        kind: str,
        traced: tuple[str, int, int, int, int] | None = None,
        importers: Iterable[Path] | None = None,
        early: Callable[[dict[str, Any]], object] | None = None,
    ) -> dict[str, Any]:
        """The report on a file with this text, and the others as they are; by default with all that import it.

        `early` is told what is known of the edited part before the whole is.

        Raises:
            EngineError: if there is none.
            NoEnvironmentError: if the environment of its folder cannot be used.
        """
        folder = self._folder_of(document.path)
        paths = [document.path, *(document.importers if importers is None else importers)]
        contents = {path: b64encode(content).decode() for path, content in self.contents(document, text).items()}
        request = {**request_for(paths, uses_cache=False), "contents": contents, "progress": None, "traced": traced}
        request["seconds"] = _SECONDS_TO_FOLLOW
        engine = await self._environments.engine(folder, document.path)
        report: dict[str, Any] = await engine.ask(folder, request, kind, early)
        return report

    def contents(self, document: Document, text: str) -> dict[str, bytes]:
        """What is read in the place of the open files, of which this one has a text, the others their program."""
        opened = {str(d.path): d.text if d.program is None else d.program.text for d in self._documents.values()}
        return {path: content.encode() for path, content in {**opened, str(document.path): text}.items()}

    async def look(self, uri: str, text: str) -> Found | None:
        """What is found of another text of a file, which the editor does not show; None if nothing is."""
        document = self._documents[uri]
        if (known := self._looked.get((uri, text))) is None:
            report = await _in_time(self.report(document, text, "look"))
            if report is None:
                return None
            if len(self._looked) > _MOST_LOOKED:
                self._looked.clear()
            known = self._looked[uri, text] = Found.of(document.path, text, FlowReport.from_json(report))
        return known

    async def traces(self, uri: str, e: ExpressionClaims) -> list[DtypeTrace]:
        """How an expression of the text that was followed last came to its dtype."""
        document = self._documents[uri]
        at = (os.path.realpath(document.path), e.line, e.column + 1, e.end_line, e.end_column + 1)
        report = await _in_time(self.report(document, document.found.text, "trace", at))
        return [] if report is None else FlowReport.from_json(report).traces


async def _in_time(asked: Coroutine[Any, Any, dict[str, Any]]) -> dict[str, Any] | None:
    """An answer that may be left out."""
    try:
        return await asyncio.wait_for(asked, _LONGEST_WAIT)
    except (TimeoutError, EngineError, NoEnvironmentError, ConfigError, asyncio.CancelledError):
        task = asyncio.current_task()
        if task is not None and task.cancelling():
            raise
        return None

"""What the types say of a file besides, once nothing has been typed for a moment."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

from arraytyping.checker.environment import NoEnvironmentError
from arraytyping.checker.lsp.asking import Asking
from arraytyping.checker.lsp.documents import Document
from arraytyping.checker.lsp.engines import Engine, EngineError
from arraytyping.checker.lsp.environments import Environments
from arraytyping.checker.lsp.notebooks import OpenNotebooks, notebook_file
from arraytyping.checker.lsp.types_engine import messages_of, request_of
from arraytyping.checker.settings import ConfigError

__all__ = ["Types"]

_PAUSE: Final = 0.7
"""The types are checked when nothing was changed for so many seconds."""
_ENGINE: Final = "arraytyping.checker.lsp.types_engine"


class Types:
    """Checks the types of open files; `publish` shows what is known of one."""

    def __init__(
        self,
        asking: Asking,
        environments: Environments,
        documents: Mapping[str, Document],
        notebooks: OpenNotebooks,
        folder_of: Callable[[Path], Path],
        publish: Callable[[str, Document], None],
        tell: Callable[[str], None],
    ) -> None:
        self._asking = asking
        self._environments = environments
        self._documents = documents
        self._notebooks = notebooks
        self._folder_of = folder_of
        self._publish = publish
        self._tell = tell
        self._engine = Engine(sys.executable, _ENGINE)
        self._checking: asyncio.Task[None] | None = None
        self._tasks: set[asyncio.Task[None]] = set()

    def begin(self, uri: str, document: Document, text: str, report: dict[str, Any]) -> None:
        """Check the types of a file with this text, of which this is the report."""
        task = asyncio.get_running_loop().create_task(self._check(uri, document, text, report))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def end(self) -> None:
        """End the process that checks."""
        await self._engine.stop()

    async def _check(self, uri: str, document: Document, text: str, report: dict[str, Any]) -> None:
        """Show what the types say besides, once nothing has been changed for a while, and no check is under way."""
        await asyncio.sleep(_PAUSE)
        while self._checking is not None and not self._checking.done():
            await asyncio.wait([self._checking])
        if self._documents.get(uri) is not document or document.text != text:
            return
        self._checking = asyncio.current_task()
        try:
            folder = self._folder_of(document.path)
            environment = await self._environments.of(folder, document.path)
            contents = self._asking.contents(document, text)
            for notebook in (self._documents[of] for of in self._notebooks.by_uri):  # which are read here as files
                contents[str(notebook.path)] = notebook_file(contents[str(notebook.path)].decode())
            asked = request_of(document.path, contents, environment, report)
            said = await self._engine.ask(folder, asked, "types")
        except (EngineError, NoEnvironmentError, ConfigError) as error:
            self._tell(f"the types are not checked: {error}")
            return
        document.typed, document.types = text, messages_of(said)
        if self._documents.get(uri) is document:
            self._publish(uri, document)

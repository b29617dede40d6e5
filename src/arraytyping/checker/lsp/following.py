"""When open files are followed: after each edit, one after the other, and with the programs that import them."""

from __future__ import annotations

import asyncio
import math
import os
import time
from collections import deque
from collections.abc import Awaitable, Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, Final

from arraytyping.checker.claims import FileClaims
from arraytyping.checker.environment import NoEnvironmentError
from arraytyping.checker.flow.report.reporting import FlowReport
from arraytyping.checker.lsp.asking import Asking
from arraytyping.checker.lsp.documents import Document, Early, Found, Program
from arraytyping.checker.lsp.engines import EngineError
from arraytyping.checker.lsp.importers import importers_of
from arraytyping.checker.settings import ConfigError

__all__ = ["Following"]

_PAUSE: Final = 0.03
"""Edits within so many seconds are followed together."""
_PATIENCE: Final = 1.0
_FIRST_PATIENCE: Final = 5.0
_MOST_PATIENCE: Final = 20.0
"""For so many seconds a program is followed on although it has been changed meanwhile, as the ones before took."""
_SECONDS_IN_PART: Final = 1.0
"""Who types without a pause sees only the edited part for so many seconds."""
_SECONDS_WIDELY: Final = 1.0
"""The programs that import a file are followed with it at each edit if that takes no longer, else when nobody types."""
_SECONDS_OF_IMPORTERS: Final = 10.0
"""For so many seconds it is taken as known which programs import a file."""
_REMEMBERED: Final = 100


class Following:
    """Follows open files; `found` is called with what was found of one, its version, and the report on it.

    `found_early` is called when the edited part of one is known, and the rest is not.
    """

    def __init__(
        self,
        asking: Asking,
        documents: Mapping[str, Document],
        folder_of: Callable[[Path], Path],
        found: Callable[[str, Document, int | None, dict[str, Any]], object],
        found_early: Callable[[str, Document, int | None], object],
        tell: Callable[[str], None],
    ) -> None:
        self._asking = asking
        self._documents = documents
        self._folder_of = folder_of
        self._found = found
        self._found_early = found_early
        self._tell = tell
        self._waiting: dict[str, None] = {}
        """The files that are to be followed, the one that was changed last at the end."""
        self._wide: dict[str, None] = {}
        """The files that were followed alone, and are to be followed with the programs that import them."""
        self._at_work: asyncio.Task[None] | None = None
        self._took: deque[float] = deque([0.0], maxlen=_REMEMBERED)
        """How many seconds it took to follow what was followed last; after most edits it is only a part that is."""
        self._is_early = asyncio.Event()
        """Whether the edited part of what is followed is known."""
        self._all_known = -math.inf
        """When a program was known as a whole."""
        self._changed = asyncio.Event()
        """Whether something has been changed since what is followed was begun."""
        self._looking: set[asyncio.Task[None]] = set()

    def changed(self, uri: str) -> None:
        """Follow a file that was changed."""
        self.forget([uri])
        self._waiting[uri] = None
        self._changed.set()
        self._begin()

    def forget(self, uris: Iterable[str]) -> None:
        """Do not follow these files any more."""
        for uri in uris:
            self._waiting.pop(uri, None)
            self._wide.pop(uri, None)

    def _begin(self) -> None:
        if self._at_work is None or self._at_work.done():
            self._at_work = asyncio.get_running_loop().create_task(self._follow_all())

    async def _follow_all(self) -> None:
        """Follow what is to be followed, one file after the other; an edit ends what has taken long already."""
        await asyncio.sleep(_PAUSE)
        while self._waiting or self._wide:
            widely = not self._waiting
            uri = [*(self._waiting or self._wide)][-1]
            document = self._documents[uri]
            program = document.program
            if program is None:
                self.forget([uri])
                continue
            self._changed.clear()
            self._is_early.clear()
            work = asyncio.get_running_loop().create_task(self._follow(uri, document, program, widely=widely))
            await self._patiently(work, 0.0 if widely else self._patience(document))
            if not work.cancelled() and document.program == program:
                (self._wide if widely else self._waiting).pop(uri, None)

    def _patience(self, document: Document) -> float:
        """How many seconds a text is followed on although there is a new one.

        What is followed for the first time is what all that follows is fast by.
        """
        usual = min(_MOST_PATIENCE, max(_PATIENCE, 3 * max(self._took)))
        return usual if document.found.text else max(_FIRST_PATIENCE, usual)

    async def _patiently(self, work: asyncio.Task[None], patience: float) -> None:
        """Wait for work, and give it up when something is changed after it has had its time.

        One who types on without a pause sees what was there some keys ago, and not nothing; once the edited part is
        known he sees this, and the rest only from time to time.
        """
        began = time.monotonic()
        loop = asyncio.get_running_loop()
        early, changed = loop.create_task(self._is_early.wait()), loop.create_task(self._changed.wait())
        await asyncio.wait([work, early], timeout=patience, return_when=asyncio.FIRST_COMPLETED)
        if not early.done() or began - self._all_known > _SECONDS_IN_PART:
            await asyncio.wait([work], timeout=max(0.0, began + patience - time.monotonic()))
        await asyncio.wait([work, changed], return_when=asyncio.FIRST_COMPLETED)
        for task in (early, changed, work):
            task.cancel()
        await asyncio.wait([work])
        if not work.cancelled():
            self._all_known = time.monotonic()
        if not work.cancelled() and patience:
            self._took.append(time.monotonic() - began)
        if not work.cancelled() and (error := work.exception()) is not None:
            self._tell(f"an internal error: {type(error).__name__}: {error}")

    async def _follow(self, uri: str, document: Document, program: Program, *, widely: bool) -> None:
        """Follow a file, with the programs that import it if that is fast, or nobody types."""
        text, version = program.text, program.version
        began = time.monotonic()
        is_wide = widely or document.widely <= _SECONDS_WIDELY
        importers = document.importers if is_wide else ()

        def early(said: dict[str, Any]) -> None:
            if said["path"] == os.path.realpath(document.path) and uri in self._documents:
                claims = FileClaims.from_json(said["claims"])
                document.early = Early(text, int(said["first"]), int(said["last"]), claims)
                self._is_early.set()
                self._found_early(uri, document, version)

        try:
            report = await self._asking.report(document, text, "follow", importers=importers, early=early)
        except (EngineError, NoEnvironmentError, ConfigError) as error:
            self._tell(str(error))
            return
        if uri not in self._documents:
            return
        if document.importers:
            if is_wide:
                document.widely = time.monotonic() - began
            else:
                self._wide[uri] = None
        for entry, why in report["not_checked"]:
            self._tell(f"{entry} is known in part: {why}")
        document.found = Found.of(document.path, text, FlowReport.from_json(report))
        document.early = None
        self._found(uri, document, version, report)
        self._begin_beside(self._look_for_importers(uri, document))

    async def _look_for_importers(self, uri: str, document: Document) -> None:
        """Find the programs that import a file, and follow them where there are others than before."""
        if time.monotonic() < document.looked + _SECONDS_OF_IMPORTERS:
            return
        document.looked = time.monotonic()
        found = await asyncio.to_thread(importers_of, document.path, self._folder_of(document.path))
        if found != [*document.importers] and self._documents.get(uri) is document:
            document.importers = found
            document.widely = math.inf
            self._wide[uri] = None
            self._begin()

    def _begin_beside(self, work: Awaitable[None]) -> None:
        task = asyncio.ensure_future(work)
        self._looking.add(task)
        task.add_done_callback(self._looking.discard)

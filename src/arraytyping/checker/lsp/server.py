"""The server: it follows a program anew after each edit, and tells the editor what is known.

Source: https://microsoft.github.io/language-server-protocol/specifications/lsp/3.17/specification/, by pygls.
"""

from __future__ import annotations

import asyncio
import contextlib
import math
import os
import sys
import time
from base64 import b64encode
from collections import deque
from collections.abc import Collection, Coroutine, Iterable
from pathlib import Path
from typing import Any, Final

from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcException
from pygls.lsp.server import LanguageServer
from pygls.protocol import LanguageServerProtocol
from pygls.uris import to_fs_path

import arraytyping
from arraytyping.checker.claims import ExpressionClaims
from arraytyping.checker.dtype_trace import DtypeTrace
from arraytyping.checker.environment import Environment, NoEnvironmentError, find_environment, inspect_environment
from arraytyping.checker.flow.report.reporting import FlowReport, request_for
from arraytyping.checker.lsp.documents import Document, Found
from arraytyping.checker.lsp.engines import Engine, EngineError
from arraytyping.checker.lsp.importers import importers_of
from arraytyping.checker.lsp.notebooks import OpenCell, OpenNotebooks, notebook_file
from arraytyping.checker.lsp.parts import Part
from arraytyping.checker.lsp.types_engine import messages_of, request_of
from arraytyping.checker.notebooks.cells import forget_cells
from arraytyping.checker.program_trees import parsed
from arraytyping.checker.settings import ConfigError

__all__ = ["Server"]

_PAUSE: Final = 0.03
"""Edits within so many seconds are followed together."""
_PATIENCE: Final = 1.0
_FIRST_PATIENCE: Final = 5.0
_MOST_PATIENCE: Final = 20.0
"""For so many seconds a program is followed on although it has been changed meanwhile, as the ones before took."""
_SECONDS_TO_FOLLOW: Final = 15.0
"""So much processor time is given to one program; what was found until then is shown."""
_SECONDS_WIDELY: Final = 1.0
"""The programs that import a file are followed with it at each edit if that takes no longer, else when nobody types."""
_SECONDS_OF_IMPORTERS: Final = 10.0
"""For so many seconds it is taken as known which programs import a file."""
_REMEMBERED: Final = 100
_PAUSE_FOR_TYPES: Final = 0.7
"""The types are checked when nothing was changed for so many seconds."""
_TYPES: Final = "arraytyping.checker.lsp.types_engine"
_NOTEBOOKS: Final = lsp.NotebookDocumentSyncOptions([lsp.NotebookDocumentFilterWithNotebook("jupyter-notebook")])
_LANGUAGES: Final = ("python", "ipython", "", None)
"""Of cells."""
_LONGEST_WAIT: Final = 5.0
"""Nobody who points at something waits for so many seconds."""


class _Protocol(LanguageServerProtocol):
    """Answers requests that are malformed, too."""

    def structure_message(self, data: dict[str, Any]) -> Any:
        """A message as an object."""
        try:
            return super().structure_message(data)
        except JsonRpcException as error:
            if "id" in data and "method" in data:
                self._send_response(data["id"], error=error.to_response_error())
            raise


class Server(LanguageServer):
    """A server for one editor, with any number of folders."""

    def __init__(self, python: Path | None, *, types: bool = True) -> None:
        super().__init__(
            "arraytyping", arraytyping.__version__, protocol_cls=_Protocol, notebook_document_sync=_NOTEBOOKS
        )
        self.python = python
        self.wants_types = types
        self.documents: dict[str, Document] = {}
        self.notebooks: OpenNotebooks = OpenNotebooks()
        self._engines: dict[str, Engine] = {}
        self._types = Engine(sys.executable, _TYPES)
        self._environments: dict[Path, Environment] = {}
        self._waiting: dict[str, None] = {}
        """The files that are to be followed, the one that was changed last at the end."""
        self._wide: dict[str, None] = {}
        """The files that were followed alone, and are to be followed with the programs that import them."""
        self._following: asyncio.Task[None] | None = None
        self._took: deque[float] = deque([0.0], maxlen=_REMEMBERED)
        """How many seconds it took to follow what was followed last; after most edits it is only a part that is."""
        self._changed = asyncio.Event()
        """Whether something has been changed since what is followed was begun."""
        self._checking: asyncio.Task[None] | None = None
        self._background: set[asyncio.Task[None]] = set()
        self._looked: dict[tuple[str, str], Found] = {}
        self._told: set[str] = set()
        self._has_ended = False

    def change(self, uri: str, text: str, version: int | None) -> None:
        """Take a new text of a file, and follow it."""
        path = to_fs_path(uri)
        if path is not None and uri.startswith("file:"):
            self._take(uri, Path(path), text, version)

    def change_notebook(self, notebook: lsp.NotebookDocument, edited: Collection[str]) -> None:
        """Take new cells of a notebook, of which the texts of these were changed, and follow it."""
        path = to_fs_path(notebook.uri)
        if path is None or not notebook.uri.startswith("file:"):
            return
        cells = [
            OpenCell(cell.document, number, text.source)
            for number, cell in enumerate(notebook.cells, 1)
            if cell.kind == lsp.NotebookCellKind.Code
            and (text := self.workspace.get_text_document(cell.document)).language_id in _LANGUAGES
        ]
        known, gone = self.notebooks.change(notebook.uri, cells, edited)
        self._show_nothing(gone)
        self._take(notebook.uri, Path(path), known.program, None)

    def part(self, uri: str) -> Part | None:
        """The file or the cell at an address; None if it is not open."""
        of = self.notebooks.of(uri)
        document, notebook = self.documents.get(of), self.notebooks.by_uri.get(of)
        if document is None or (notebook is not None and of == uri):
            return None
        if notebook is not None:
            notebook.give_cells(document.found.text, str(document.path), document.found.path)
        return Part(of, document, notebook, uri)

    def _take(self, uri: str, path: Path, text: str, version: int | None) -> None:
        document = self.documents.setdefault(uri, Document(path, text))
        document.text, document.version = text, version
        self._waiting.pop(uri, None)
        self._wide.pop(uri, None)
        if parsed(text) is not None:
            self._waiting[uri] = None
        else:
            self.publish(uri, document)
        self._changed.set()
        self._begin_following()

    def _begin_following(self) -> None:
        if self._following is None or self._following.done():
            self._following = asyncio.get_running_loop().create_task(self._follow_all())

    def close(self, uri: str) -> None:
        """Forget a file."""
        self.documents.pop(uri, None)
        self._waiting.pop(uri, None)
        self._wide.pop(uri, None)
        self._show_nothing([uri])

    def close_notebook(self, uri: str) -> None:
        """Forget a notebook."""
        document = self.documents.pop(uri, None)
        self._waiting.pop(uri, None)
        self._wide.pop(uri, None)
        if document is not None:
            self._show_nothing(self.notebooks.close(uri))
            for path in (str(document.path), document.found.path):
                forget_cells(path)

    def _show_nothing(self, uris: Iterable[str]) -> None:
        for uri in uris:
            self.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(uri, []))

    def publish(self, uri: str, document: Document) -> None:
        """Show the mistakes of a file, or of each cell of a notebook."""
        notebook = self.notebooks.by_uri.get(uri)
        if notebook is not None:
            notebook.give_cells(document.found.text, str(document.path), document.found.path)
            for cell, said in notebook.diagnostics(document.diagnostics(), document.path.as_uri()).items():
                self.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(cell, said))
            return
        found = list(document.diagnostics())
        version = document.version if document.is_followed else None
        self.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(uri, found, version))

    async def end(self) -> None:
        """End all processes, of which nobody need be told."""
        self._has_ended = True
        for engine in (*self._engines.values(), self._types):
            await engine.stop()

    def forget_environments(self) -> None:
        """Ask again for the Python of each folder, since settings have changed."""
        self._environments.clear()
        self._told.clear()
        for uri, document in self.documents.items():
            self._take(uri, document.path, document.text, document.version)

    async def look(self, uri: str, text: str) -> Found | None:
        """What is found of another text of a file, which the editor does not show; None if nothing is."""
        document = self.documents[uri]
        if (known := self._looked.get((uri, text))) is None:
            report = await self._in_time(self._ask(document, text, "look"))
            if report is None:
                return None
            if len(self._looked) > 32:
                self._looked.clear()
            known = self._looked[uri, text] = Found.of(document.path, text, FlowReport.from_json(report))
        return known

    async def traces(self, uri: str, e: ExpressionClaims) -> list[DtypeTrace]:
        """How an expression of the text that was followed last came to its dtype."""
        document = self.documents[uri]
        at = (os.path.realpath(document.path), e.line, e.column + 1, e.end_line, e.end_column + 1)
        report = await self._in_time(self._ask(document, document.found.text, "trace", at))
        return [] if report is None else FlowReport.from_json(report).traces

    def folder_of(self, path: Path) -> Path:
        """The folder of the workspace that a file is in, else its own."""
        folders = [to_fs_path(f.uri) for f in self.workspace.folders.values()]
        found = [Path(f) for f in folders if f is not None and Path(f) in path.parents]
        return max(found, key=lambda f: len(f.parts), default=path.parent)

    async def has_jaxtyping(self, uri: str) -> bool:
        """Whether the environment of a file has jaxtyping."""
        environment = await self._environment(self.documents[uri].path)
        return self._engine(environment).has_jaxtyping

    # ------------------------------------------------------------------ following

    async def _follow_all(self) -> None:
        """Follow what is to be followed, one file after the other; an edit ends what has taken long already."""
        await asyncio.sleep(_PAUSE)
        while self._waiting or self._wide:
            widely = not self._waiting
            uri = [*(self._waiting or self._wide)][-1]
            document = self.documents[uri]
            text = document.text
            self._changed.clear()
            work = asyncio.get_running_loop().create_task(self._follow(uri, document, text, widely=widely))
            await self._patiently(work, 0.0 if widely else self._patience(document))
            if not work.cancelled() and document.text == text:
                (self._wide if widely else self._waiting).pop(uri, None)

    def _patience(self, document: Document) -> float:
        """How many seconds a text is followed on although there is a new one.

        What is followed for the first time is what all that follows is fast by.
        """
        usual = min(_MOST_PATIENCE, max(_PATIENCE, 3 * max(self._took)))
        return usual if document.found.text else max(_FIRST_PATIENCE, usual)

    async def _patiently(self, work: asyncio.Task[None], patience: float) -> None:
        """Wait for work, and give it up when something is changed after it has had its time.

        One who types on without a pause sees what was there some keys ago, and not nothing.
        """
        began = time.monotonic()
        await asyncio.wait([work], timeout=patience)
        changed = asyncio.get_running_loop().create_task(self._changed.wait())
        await asyncio.wait([work, changed], return_when=asyncio.FIRST_COMPLETED)
        changed.cancel()
        work.cancel()
        await asyncio.wait([work])
        if not work.cancelled() and patience:
            self._took.append(time.monotonic() - began)
        if not work.cancelled() and (error := work.exception()) is not None:
            self._tell_once(f"an internal error: {type(error).__name__}: {error}")

    async def _follow(self, uri: str, document: Document, text: str, *, widely: bool) -> None:
        """Follow a file, with the programs that import it if that is fast, or nobody types."""
        version = document.version
        began = time.monotonic()
        is_wide = widely or document.widely <= _SECONDS_WIDELY
        try:
            report = await self._ask(document, text, "follow", importers=document.importers if is_wide else ())
        except (EngineError, NoEnvironmentError, ConfigError) as error:
            self._tell_once(str(error))
            return
        if uri not in self.documents:
            return
        if document.importers:
            if is_wide:
                document.widely = time.monotonic() - began
            else:
                self._wide[uri] = None
        for entry, why in report["not_checked"]:
            self._tell_once(f"{entry} is known in part: {why}")
        document.found = Found.of(document.path, text, FlowReport.from_json(report))
        self.publish(uri, document)
        self._refresh()
        if self.protocol.trace not in (None, lsp.TraceValue.Off):
            self.log_trace(lsp.LogTraceParams(f"followed version {version} of {uri}"))
        if self.wants_types:
            self._begin(self._check_types(uri, document, text, report))
        self._begin(self._look_for_importers(uri, document))

    async def _look_for_importers(self, uri: str, document: Document) -> None:
        """Find the programs that import a file, and follow them where there are others than before."""
        if time.monotonic() < document.looked + _SECONDS_OF_IMPORTERS:
            return
        document.looked = time.monotonic()
        found = await asyncio.to_thread(importers_of, document.path, self.folder_of(document.path))
        if found != [*document.importers] and self.documents.get(uri) is document:
            document.importers = found
            document.widely = math.inf
            self._wide[uri] = None
            self._begin_following()

    async def _ask(
        self,
        document: Document,
        text: str,
        kind: str,
        traced: tuple[str, int, int, int, int] | None = None,
        importers: Iterable[Path] | None = None,
    ) -> dict[str, Any]:
        """The report on a file with this text, and the others as they are; by default with all that import it.

        Raises:
            EngineError: if there is none.
            NoEnvironmentError: if the environment of its folder cannot be used.
        """
        folder = self.folder_of(document.path)
        paths = [document.path, *(document.importers if importers is None else importers)]
        contents = {path: b64encode(content).decode() for path, content in self._contents(document, text).items()}
        request = {**request_for(paths, uses_cache=False), "contents": contents, "progress": None, "traced": traced}
        request["seconds"] = _SECONDS_TO_FOLLOW
        engine = self._engine(await self._environment(document.path))
        report: dict[str, Any] = await engine.ask(folder, request, kind)
        return report

    def _contents(self, document: Document, text: str) -> dict[str, bytes]:
        opened = {str(d.path): d.text for d in self.documents.values()}
        return {path: content.encode() for path, content in {**opened, str(document.path): text}.items()}

    async def _in_time(self, asked: Coroutine[Any, Any, dict[str, Any]]) -> dict[str, Any] | None:
        """An answer that may be left out."""
        try:
            return await asyncio.wait_for(asked, _LONGEST_WAIT)
        except (TimeoutError, EngineError, NoEnvironmentError, ConfigError, asyncio.CancelledError):
            task = asyncio.current_task()
            if task is not None and task.cancelling():
                raise
            return None

    async def _check_types(self, uri: str, document: Document, text: str, report: dict[str, Any]) -> None:
        """Show what the types say besides, once nothing has been changed for a while, and no check is under way."""
        await asyncio.sleep(_PAUSE_FOR_TYPES)
        while self._checking is not None and not self._checking.done():
            await asyncio.wait([self._checking])
        if self.documents.get(uri) is not document or document.text != text:
            return
        self._checking = asyncio.current_task()
        try:
            environment = await self._environment(document.path)
            contents = self._contents(document, text)
            for notebook in (
                self.documents[of] for of in self.notebooks.by_uri
            ):  # whoever checks types reads them as files
                contents[str(notebook.path)] = notebook_file(contents[str(notebook.path)].decode())
            asked = request_of(document.path, contents, environment, report)
            said = await self._types.ask(self.folder_of(document.path), asked, "types")
        except (EngineError, NoEnvironmentError, ConfigError) as error:
            self._tell_once(f"the types are not checked: {error}")
            return
        document.typed, document.types = text, messages_of(said)
        if self.documents.get(uri) is document:
            self.publish(uri, document)

    def _begin(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._background.add(task)
        task.add_done_callback(self._background.discard)

    def _refresh(self) -> None:
        """Have the editor ask again for what stands beside the program."""
        capabilities = self.client_capabilities.workspace
        if capabilities is None:
            return
        if capabilities.inlay_hint is not None and capabilities.inlay_hint.refresh_support:
            self.workspace_inlay_hint_refresh(None)
        if capabilities.code_lens is not None and capabilities.code_lens.refresh_support:
            self.workspace_code_lens_refresh(None)

    # ------------------------------------------------------------------ environments

    async def _environment(self, path: Path) -> Environment:
        """The environment of the folder of a file: that of `--python`, of the editor's settings, or what is found.

        Raises:
            NoEnvironmentError: if it cannot be used.
        """
        folder = self.folder_of(path)
        if folder not in self._environments:
            if self.python is not None:
                environment = inspect_environment(self.python, "--python")
            elif (python := await self._configured_python(folder)) is not None:
                environment = inspect_environment(python, "arraytyping.python")
            else:
                environment = find_environment([folder, path]).environment
            if environment.jax is None:
                self._tell_once(f"jax is installed in no environment of {folder}: nothing is known of arrays")
            self._environments[folder] = environment
        return self._environments[folder]

    async def _configured_python(self, folder: Path) -> Path | None:
        """What the editor has as `arraytyping.python` for a folder."""
        capabilities = self.client_capabilities.workspace
        if capabilities is None or not capabilities.configuration:
            return None
        item = lsp.ConfigurationItem(scope_uri=folder.as_uri(), section="arraytyping")
        with contextlib.suppress(Exception):  # whatever the editor makes of the request
            (given,) = await asyncio.wait_for(
                self.workspace_configuration_async(lsp.ConfigurationParams([item])), _LONGEST_WAIT
            )
            python = given.get("python") if isinstance(given, dict) else getattr(given, "python", None)
            if isinstance(python, str) and python:
                return folder / Path(python.replace("${workspaceFolder}", str(folder))).expanduser()
        return None

    def _engine(self, environment: Environment) -> Engine:
        return self._engines.setdefault(environment.python, Engine(environment.python))

    def report_server_error(self, error: Exception, source: type[Exception]) -> None:
        """Tell the editor in one line, and once, what went wrong outside of its requests."""
        what = str(error).partition("\n")[0][:200] or type(error).__name__
        self._tell_once(f"a message of the editor was not understood: {what}")

    def _tell_once(self, text: str) -> None:
        if text not in self._told and not self._has_ended:
            self._told.add(text)
            self.window_show_message(lsp.ShowMessageParams(lsp.MessageType.Warning, f"arraytyping: {text}"))

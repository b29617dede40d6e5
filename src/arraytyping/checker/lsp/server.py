"""The server: it follows a program anew after each edit, and tells the editor what is known.

Source: https://microsoft.github.io/language-server-protocol/specifications/lsp/3.17/specification/, by pygls.
"""

from __future__ import annotations

import ast
import asyncio
import os
import warnings
from pathlib import Path
from typing import Final

from lsprotocol import types as lsp
from pygls.lsp.server import LanguageServer
from pygls.uris import to_fs_path

import arraytyping
from arraytyping.checker.environment import NoEnvironmentError, find_environment, inspect_environment
from arraytyping.checker.flow.report.reporting import request_for
from arraytyping.checker.lsp.documents import Document
from arraytyping.checker.lsp.engines import Engine, EngineError
from arraytyping.checker.lsp.importers import importers_of
from arraytyping.checker.settings import ConfigError
from arraytyping.regular_files import give_contents

__all__ = ["make_server"]

_PAUSE: Final = 0.03
"""Edits within so many seconds are followed together."""


class Server(LanguageServer):
    """A server for one editor, with any number of folders."""

    def __init__(self, python: Path | None) -> None:
        super().__init__("arraytyping", arraytyping.__version__)
        self.python = python
        self.documents: dict[str, Document] = {}
        self._engines: dict[str, Engine] = {}
        self._pythons: dict[Path, str] = {}
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._told: set[str] = set()

    def change(self, uri: str, text: str, version: int | None) -> None:
        """Take a new text of a file, and follow it."""
        path = to_fs_path(uri)
        if path is None:
            return
        document = self.documents.setdefault(uri, Document(Path(path), text))
        document.text, document.version = text, version
        for other in self._tasks.values():
            other.cancel()
        if _parses(text):
            self._tasks[uri] = asyncio.get_running_loop().create_task(self._follow(uri, document, text))
        else:
            self.publish(uri, document)

    def close(self, uri: str) -> None:
        """Forget a file."""
        self.documents.pop(uri, None)
        if (task := self._tasks.pop(uri, None)) is not None:
            task.cancel()
        self.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(uri, []))

    def publish(self, uri: str, document: Document) -> None:
        """Show the mistakes of a file."""
        found = list(document.diagnostics())
        self.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(uri, found, document.version))

    async def end(self) -> None:
        """End all processes."""
        for engine in self._engines.values():
            await engine.stop()

    async def _follow(self, uri: str, document: Document, text: str) -> None:
        await asyncio.sleep(_PAUSE)
        folder = self._folder_of(document.path)
        opened = {str(d.path): d.text for d in self.documents.values()}
        give_contents({path: content.encode() for path, content in opened.items()})
        paths = [document.path, *importers_of(document.path, folder)]
        request = {**request_for(paths, uses_cache=False), "progress": None}
        try:
            engine = self._engine(folder, document.path)
            report = await engine.ask(folder, request)
        except (EngineError, NoEnvironmentError, ConfigError) as error:
            self._tell_once(str(error))
            return
        if uri not in self.documents:
            return
        document.take(text, report)
        self.publish(uri, document)
        capabilities = self.client_capabilities.workspace
        if capabilities is not None and capabilities.inlay_hint is not None and capabilities.inlay_hint.refresh_support:
            self.workspace_inlay_hint_refresh(None)

    def _folder_of(self, path: Path) -> Path:
        """The folder of the workspace that a file is in, else its own."""
        folders = [to_fs_path(f.uri) for f in self.workspace.folders.values()]
        found = [Path(f) for f in folders if f is not None and Path(f) in path.parents]
        return max(found, key=lambda f: len(f.parts), default=path.parent)

    def _engine(self, folder: Path, path: Path) -> Engine:
        if folder not in self._pythons:
            if self.python is not None:
                environment = inspect_environment(self.python, "--python")
            else:
                environment = find_environment([folder, path]).environment
            if environment.jax is None:
                self._tell_once(f"jax is installed in no environment of {folder}: nothing is known of arrays")
            self._pythons[folder] = environment.python
        python = self._pythons[folder]
        return self._engines.setdefault(python, Engine(python))

    def _tell_once(self, text: str) -> None:
        if text not in self._told:
            self._told.add(text)
            self.window_show_message(lsp.ShowMessageParams(lsp.MessageType.Warning, f"arraytyping: {text}"))


def _parses(text: str) -> bool:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True


def make_server(python: Path | None = None) -> Server:
    """A server, for programs of this interpreter or of those that are found."""
    os.environ.setdefault("JAX_PLATFORMS", "cpu")
    server = Server(python)

    @server.feature(lsp.TEXT_DOCUMENT_DID_OPEN)
    def _(params: lsp.DidOpenTextDocumentParams) -> None:
        server.change(params.text_document.uri, params.text_document.text, params.text_document.version)

    @server.feature(lsp.TEXT_DOCUMENT_DID_CHANGE)
    def _(params: lsp.DidChangeTextDocumentParams) -> None:
        document = server.workspace.get_text_document(params.text_document.uri)
        server.change(params.text_document.uri, document.source, params.text_document.version)

    @server.feature(lsp.TEXT_DOCUMENT_DID_CLOSE)
    def _(params: lsp.DidCloseTextDocumentParams) -> None:
        server.close(params.text_document.uri)

    @server.feature(lsp.TEXT_DOCUMENT_INLAY_HINT)
    def _(params: lsp.InlayHintParams) -> list[lsp.InlayHint]:
        document = server.documents.get(params.text_document.uri)
        first, last = params.range.start.line, params.range.end.line
        return [h for h in document.hints() if first <= h.position.line <= last] if document is not None else []

    @server.feature(lsp.TEXT_DOCUMENT_HOVER)
    def _(params: lsp.HoverParams) -> lsp.Hover | None:
        document = server.documents.get(params.text_document.uri)
        return None if document is None else document.hover(params.position)

    @server.feature(
        lsp.TEXT_DOCUMENT_CODE_ACTION, lsp.CodeActionOptions(code_action_kinds=[lsp.CodeActionKind.QuickFix])
    )
    def _(params: lsp.CodeActionParams) -> list[lsp.CodeAction]:
        document = server.documents.get(params.text_document.uri)
        return [] if document is None else list(document.actions(params.range))

    @server.feature(lsp.SHUTDOWN)
    async def _(params: None) -> None:
        await server.end()

    return server

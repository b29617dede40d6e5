"""The server: it follows a program anew after each edit, and tells the editor what is known.

Source: https://microsoft.github.io/language-server-protocol/specifications/lsp/3.17/specification/, by pygls.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from pathlib import Path
from typing import Any, Final

from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcException
from pygls.lsp.server import LanguageServer
from pygls.protocol import LanguageServerProtocol
from pygls.uris import to_fs_path

import arraytyping
from arraytyping.checker.lsp.asking import Asking
from arraytyping.checker.lsp.documents import Document, Program
from arraytyping.checker.lsp.environments import Environments
from arraytyping.checker.lsp.following import Following
from arraytyping.checker.lsp.notebooks import OpenCell, OpenNotebooks
from arraytyping.checker.lsp.parts import Part
from arraytyping.checker.lsp.types_beside import Types
from arraytyping.checker.notebooks.cells import forget_cells
from arraytyping.checker.program_trees import parsed

__all__ = ["Server"]

_NOTEBOOKS: Final = lsp.NotebookDocumentSyncOptions([lsp.NotebookDocumentFilterWithNotebook("jupyter-notebook")])
_LANGUAGES: Final = ("python", "ipython", "", None)
"""Of cells."""


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
        self.documents: dict[str, Document] = {}
        self.notebooks: OpenNotebooks = OpenNotebooks()
        self._told: set[str] = set()
        self._has_ended = False
        self._environments = Environments(self, python, self._tell_once)
        self.asking: Asking = Asking(self._environments, self.documents, self.folder_of)
        self._following = Following(
            self.asking, self.documents, self.folder_of, self._found, self._found_early, self._tell_once
        )
        self._types = Types(
            self.asking,
            self._environments,
            self.documents,
            self.notebooks,
            self.folder_of,
            self.publish,
            self._tell_once,
        )
        self._wants_types = types

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
        if parsed(text) is None:
            self.publish(uri, document)
        else:
            document.program = Program(text, version)
            self._following.changed(uri)

    def close(self, uri: str) -> None:
        """Forget a file."""
        self.documents.pop(uri, None)
        self._following.forget([uri])
        self._show_nothing([uri])

    def close_notebook(self, uri: str) -> None:
        """Forget a notebook."""
        document = self.documents.pop(uri, None)
        self._following.forget([uri])
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

    def _found(self, uri: str, document: Document, version: int | None, report: dict[str, Any]) -> None:
        """Show what was found of a file, and have its types checked."""
        self.publish(uri, document)
        self._refresh()
        self._trace(f"followed version {version} of {uri}")
        if self._wants_types:
            self._types.begin(uri, document, document.found.text, report)

    def _found_early(self, uri: str, document: Document, version: int | None) -> None:
        """Show what is known of the edited part of a file."""
        self._refresh()
        self._trace(f"followed part of version {version} of {uri}")

    async def end(self) -> None:
        """End all processes, of which nobody need be told."""
        self._has_ended = True
        await self._environments.end()
        await self._types.end()

    def forget_environments(self) -> None:
        """Ask again for the Python of each folder, since settings have changed."""
        self._environments.forget()
        self._told.clear()
        for uri, document in self.documents.items():
            self._take(uri, document.path, document.text, document.version)

    def folder_of(self, path: Path) -> Path:
        """The folder of the workspace that a file is in, else its own."""
        folders = [to_fs_path(f.uri) for f in self.workspace.folders.values()]
        found = [Path(f) for f in folders if f is not None and Path(f) in path.parents]
        return max(found, key=lambda f: len(f.parts), default=path.parent)

    async def has_jaxtyping(self, uri: str) -> bool:
        """Whether the environment of a file has jaxtyping."""
        path = self.documents[uri].path
        return (await self._environments.engine(self.folder_of(path), path)).has_jaxtyping

    def _refresh(self) -> None:
        """Have the editor ask again for what stands beside the program."""
        capabilities = self.client_capabilities.workspace
        if capabilities is None:
            return
        if capabilities.inlay_hint is not None and capabilities.inlay_hint.refresh_support:
            self.workspace_inlay_hint_refresh(None)
        if capabilities.code_lens is not None and capabilities.code_lens.refresh_support:
            self.workspace_code_lens_refresh(None)

    def _trace(self, what: str) -> None:
        if self.protocol.trace not in (None, lsp.TraceValue.Off):
            self.log_trace(lsp.LogTraceParams(what))

    def report_server_error(self, error: Exception, source: type[Exception]) -> None:
        """Tell the editor in one line, and once, what went wrong outside of its requests."""
        what = str(error).partition("\n")[0][:200] or type(error).__name__
        self._tell_once(f"a message of the editor was not understood: {what}")

    def _tell_once(self, text: str) -> None:
        if text not in self._told and not self._has_ended:
            self._told.add(text)
            self.window_show_message(lsp.ShowMessageParams(lsp.MessageType.Warning, f"arraytyping: {text}"))

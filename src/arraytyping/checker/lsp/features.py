"""What the server answers to each request of the protocol."""

from __future__ import annotations

import os
from functools import partial
from pathlib import Path

from lsprotocol import types as lsp

from arraytyping.checker.lsp.actions import actions
from arraytyping.checker.lsp.calls import open_call
from arraytyping.checker.lsp.documents import Document
from arraytyping.checker.lsp.hovering import described, joined, provenance
from arraytyping.checker.lsp.positions import Text
from arraytyping.checker.lsp.server import Server
from arraytyping.checker.lsp.signatures import signature_help

__all__ = ["make_server"]

_KINDS = [lsp.CodeActionKind.QuickFix, lsp.CodeActionKind.RefactorRewrite]


def make_server(python: Path | None = None, *, types: bool = True) -> Server:
    """A server, for programs of this interpreter or of those that are found."""
    os.environ.setdefault("JAX_PLATFORMS", "cpu")
    server = Server(python, types=types)
    _add_documents(server)
    _add_what_stands_beside(server)
    _add_questions(server)
    return server


def _add_documents(server: Server) -> None:
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

    @server.feature(lsp.NOTEBOOK_DOCUMENT_DID_OPEN)
    def _(params: lsp.DidOpenNotebookDocumentParams) -> None:
        server.change_notebook(params.notebook_document, ())

    @server.feature(lsp.NOTEBOOK_DOCUMENT_DID_CHANGE)
    def _(params: lsp.DidChangeNotebookDocumentParams) -> None:
        notebook = server.workspace.get_notebook_document(notebook_uri=params.notebook_document.uri)
        cells = params.change.cells
        texts = [] if cells is None else cells.text_content or []
        if notebook is not None:
            server.change_notebook(notebook, {text.document.uri for text in texts})

    @server.feature(lsp.NOTEBOOK_DOCUMENT_DID_CLOSE)
    def _(params: lsp.DidCloseNotebookDocumentParams) -> None:
        server.close_notebook(params.notebook_document.uri)

    @server.feature(lsp.WORKSPACE_DID_CHANGE_CONFIGURATION)
    def _(params: lsp.DidChangeConfigurationParams) -> None:
        server.forget_environments()

    @server.feature(lsp.SHUTDOWN)
    async def _(params: None) -> None:
        await server.end()


def _add_what_stands_beside(server: Server) -> None:
    @server.feature(lsp.TEXT_DOCUMENT_INLAY_HINT)
    def _(params: lsp.InlayHintParams) -> list[lsp.InlayHint]:
        part = server.part(params.text_document.uri)
        return [] if part is None else list(part.hints(params.range))

    @server.feature(lsp.TEXT_DOCUMENT_CODE_LENS, lsp.CodeLensOptions())
    def _(params: lsp.CodeLensParams) -> list[lsp.CodeLens]:
        part = server.part(params.text_document.uri)
        return [] if part is None else list(part.lenses())

    @server.feature(lsp.TEXT_DOCUMENT_CODE_ACTION, lsp.CodeActionOptions(code_action_kinds=_KINDS))
    async def _(params: lsp.CodeActionParams) -> list[lsp.CodeAction]:
        part = server.part(params.text_document.uri)
        place = None if part is None else part.inner_range(params.range)
        if part is None or place is None:
            return []
        document = part.document
        look = partial(server.asking.look, part.uri)
        has_jaxtyping = document.is_followed and await server.has_jaxtyping(part.uri)
        found = await actions(document, place, params.context.only, look, has_jaxtyping=has_jaxtyping)
        return list(part.actions(found))


def _add_questions(server: Server) -> None:
    @server.feature(lsp.TEXT_DOCUMENT_HOVER)
    async def _(params: lsp.HoverParams) -> lsp.Hover | None:
        part = server.part(params.text_document.uri)
        at = None if part is None else part.inner(params.position)
        hover = None if part is None or at is None else await _hover(server, part.uri, part.document, at)
        if part is not None and hover is not None and hover.range is not None:
            hover.range = part.outer(hover.range)
        return hover

    @server.feature(lsp.TEXT_DOCUMENT_DECLARATION)
    async def _(params: lsp.DeclarationParams) -> list[lsp.Location]:
        part = server.part(params.text_document.uri)
        at = None if part is None else part.inner(params.position)
        if part is None or at is None:
            return []
        found = [part.location(made) for made in await _made(server, part.uri, part.document, at)]
        return [location for location in found if location is not None]

    @server.feature(lsp.TEXT_DOCUMENT_SIGNATURE_HELP, lsp.SignatureHelpOptions(trigger_characters=["(", ","]))
    async def _(params: lsp.SignatureHelpParams) -> lsp.SignatureHelp | None:
        part = server.part(params.text_document.uri)
        at = None if part is None else part.inner(params.position)
        if part is None or at is None:
            return None
        document = part.document
        place = Text(document.text, document.text).place(at)
        call = None if place is None else open_call(document.text, *place)
        if call is None:
            return None
        is_known = document.is_followed and call.source == document.text
        return signature_help(call, document.found if is_known else await server.asking.look(part.uri, call.source))


async def _hover(server: Server, uri: str, document: Document, position: lsp.Position) -> lsp.Hover | None:
    """What is known of the innermost expression, or for what the jitted function is compiled that is defined there."""
    found, places = document.found, document.places
    at = places.place(position)
    if at is None:
        return None
    e = found.at(*at)
    if e is None:
        jitted = [function for function in found.jitted if function.line == at[0]]
        said = "\n".join(function.listing for function in jitted)
        return lsp.Hover(lsp.MarkupContent(lsp.MarkupKind.PlainText, said)) if said else None
    lines = [*described(e, found.diagnostics), *joined(found.text, e, found.known)]
    lines += provenance(await server.asking.traces(uri, e), found.path)
    is_of_it = (e.line, e.column) <= at <= (e.end_line, e.end_column)  # and not of a name that is bound to it
    where = places.range(e.line, e.column, e.end_line, e.end_column) if is_of_it else None
    return lsp.Hover(lsp.MarkupContent(lsp.MarkupKind.PlainText, "\n".join(lines)), where)


async def _made(server: Server, uri: str, document: Document, position: lsp.Position) -> list[lsp.Location]:
    """The lines where the array of the innermost expression is made, for each way to it."""
    at = document.places.place(position)
    e = None if at is None else document.found.at(*at)
    if e is None:
        return []
    made = dict.fromkeys(trace.origin for trace in await server.asking.traces(uri, e) if trace.origin is not None)
    folder = server.folder_of(document.path)
    found = []
    for path, line in made:
        if path == document.found.path:
            where = document.places.position(line, 0)
            if where is None:
                continue
            text = document.text.splitlines()[where.line]
            where = lsp.Position(where.line, len(text) - len(text.lstrip()))
            found.append(lsp.Location(uri, lsp.Range(where, where)))
        else:
            where = lsp.Position(line - 1, 0)
            found.append(lsp.Location((folder / path).resolve().as_uri(), lsp.Range(where, where)))
    return found

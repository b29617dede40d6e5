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

    @server.feature(lsp.WORKSPACE_DID_CHANGE_CONFIGURATION)
    def _(params: lsp.DidChangeConfigurationParams) -> None:
        server.forget_environments()

    @server.feature(lsp.SHUTDOWN)
    async def _(params: None) -> None:
        await server.end()


def _add_what_stands_beside(server: Server) -> None:
    @server.feature(lsp.TEXT_DOCUMENT_INLAY_HINT)
    def _(params: lsp.InlayHintParams) -> list[lsp.InlayHint]:
        document = server.documents.get(params.text_document.uri)
        first, last = params.range.start.line, params.range.end.line
        return [h for h in document.hints() if first <= h.position.line <= last] if document is not None else []

    @server.feature(lsp.TEXT_DOCUMENT_CODE_LENS, lsp.CodeLensOptions())
    def _(params: lsp.CodeLensParams) -> list[lsp.CodeLens]:
        document = server.documents.get(params.text_document.uri)
        return [] if document is None else list(document.lenses())

    @server.feature(lsp.TEXT_DOCUMENT_CODE_ACTION, lsp.CodeActionOptions(code_action_kinds=_KINDS))
    async def _(params: lsp.CodeActionParams) -> list[lsp.CodeAction]:
        uri = params.text_document.uri
        document = server.documents.get(uri)
        if document is None:
            return []
        look = partial(server.look, uri)
        has_jaxtyping = document.is_followed and await server.has_jaxtyping(uri)
        return await actions(document, params.range, params.context.only, look, has_jaxtyping=has_jaxtyping)


def _add_questions(server: Server) -> None:
    @server.feature(lsp.TEXT_DOCUMENT_HOVER)
    async def _(params: lsp.HoverParams) -> lsp.Hover | None:
        uri = params.text_document.uri
        document = server.documents.get(uri)
        return None if document is None else await _hover(server, uri, document, params.position)

    @server.feature(lsp.TEXT_DOCUMENT_DECLARATION)
    async def _(params: lsp.DeclarationParams) -> list[lsp.Location]:
        uri = params.text_document.uri
        document = server.documents.get(uri)
        return [] if document is None else await _made(server, uri, document, params.position)

    @server.feature(lsp.TEXT_DOCUMENT_SIGNATURE_HELP, lsp.SignatureHelpOptions(trigger_characters=["(", ","]))
    async def _(params: lsp.SignatureHelpParams) -> lsp.SignatureHelp | None:
        uri = params.text_document.uri
        document = server.documents.get(uri)
        place = None if document is None else Text(document.text, document.text).place(params.position)
        call = None if document is None or place is None else open_call(document.text, *place)
        if document is None or call is None:
            return None
        is_known = document.is_followed and call.source == document.text
        return signature_help(call, document.found if is_known else await server.look(uri, call.source))


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
    lines = [*described(e, found.mistakes), *joined(found.text, e, found.known)]
    lines += provenance(await server.traces(uri, e), found.path)
    where = places.range(e.line, e.column, e.end_line, e.end_column)
    return lsp.Hover(lsp.MarkupContent(lsp.MarkupKind.PlainText, "\n".join(lines)), where)


async def _made(server: Server, uri: str, document: Document, position: lsp.Position) -> list[lsp.Location]:
    """The lines where the array of the innermost expression is made, for each way to it."""
    at = document.places.place(position)
    e = None if at is None else document.found.at(*at)
    if e is None:
        return []
    made = dict.fromkeys(trace.made for trace in await server.traces(uri, e) if trace.made is not None)
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

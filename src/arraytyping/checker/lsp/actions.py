"""Code actions: changes at a place, those that mend something only where flow, asked of the changed text, says so."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Iterator

from lsprotocol import types as lsp

from arraytyping.checker.flow.state.diagnostics import Diagnostic
from arraytyping.checker.lsp.annotating import annotation_edits
from arraytyping.checker.lsp.documents import Document, Found, message_of
from arraytyping.checker.lsp.mending import mends
from arraytyping.checker.lsp.sources import Edit, applied
from arraytyping.checker.messages.helping import help_for

__all__ = ["actions"]

Look = Callable[[str], Awaitable[Found | None]]
"""What is found of another text of the file; None where nothing is."""


async def actions(
    document: Document, asked: lsp.Range, only: Iterable[str] | None, look: Look, *, has_jaxtyping: bool
) -> list[lsp.CodeAction]:
    """The changes for the mistakes and the parameter in a range, of these kinds."""
    found = []
    if _wants(only, lsp.CodeActionKind.QuickFix):
        for m in _diagnostics(document, asked):
            found += [*_replacing(document, m)]
            found += [action async for action in _mending(document, m, look)]
            found += [*_ignoring(document, m)]
    if has_jaxtyping and _wants(only, lsp.CodeActionKind.RefactorRewrite):
        found += [action async for action in _annotating(document, asked.start, look)]
    return found


def _wants(only: Iterable[str] | None, kind: str) -> bool:
    return only is None or any(kind == one or kind.startswith(f"{one}.") for one in map(_text, only))


def _text(kind: str) -> str:
    return str(kind.value if isinstance(kind, lsp.CodeActionKind) else kind)


def _diagnostics(document: Document, asked: lsp.Range) -> Iterator[Diagnostic]:
    places = document.places
    for m in document.found.diagnostics:
        where = places.range(m.line, m.column, m.end_line, m.end_column)
        if where is not None and where.end.line >= asked.start.line and asked.end.line >= where.start.line:
            yield m


def _replacing(document: Document, m: Diagnostic) -> Iterator[lsp.CodeAction]:
    document.give_text()
    said = help_for(message_of(m, document.path))
    where = document.places.range(m.line, m.column, m.end_line, m.end_column)
    if said is not None and where is not None and said.startswith("did you mean "):
        text = said.removeprefix("did you mean ").removesuffix("?")
        yield _action(document, f"Replace by {text}", [lsp.TextEdit(where, text)])


def _ignoring(document: Document, m: Diagnostic) -> Iterator[lsp.CodeAction]:
    where = document.places.range(m.line, m.column, m.end_line, m.end_column)
    if where is None:
        return
    line = document.text.split("\n")[where.end.line].rstrip("\r")
    if "#" not in line and not line.endswith("\\"):
        end = lsp.Position(where.end.line, len(line.encode("utf-16-le")) // 2)
        comment = f"  # arraytyping: ignore[{m.code}]"
        yield _action(document, f"Ignore {m.code} here", [lsp.TextEdit(lsp.Range(end, end), comment)])


async def _mending(document: Document, m: Diagnostic, look: Look) -> AsyncIterator[lsp.CodeAction]:
    """What makes this mistake go, and brings no more than it takes."""
    if not document.is_followed:
        return
    before = len(document.found.diagnostics)
    document.give_text()
    for mend in [*mends(document.text, message_of(m, document.path))]:
        after = await look(applied(document.text, mend.edits))
        if (
            after is not None
            and m.message not in {a.message for a in after.diagnostics}
            and len(after.diagnostics) <= before
        ):
            yield _action(document, mend.title, _edits(document, mend.edits))


async def _annotating(document: Document, at: lsp.Position, look: Look) -> AsyncIterator[lsp.CodeAction]:
    """The annotation of a parameter; there is none that contradicts a call."""
    place = document.places.place(at)
    if not document.is_followed or place is None:
        return
    written = annotation_edits(document.text, *place, document.found.known)
    if written is None:
        return
    name, edits = written
    after = await look(applied(document.text, edits))
    if after is not None and len(after.diagnostics) <= len(document.found.diagnostics):
        title = f"Annotate {name} with jaxtyping: {edits[0].text.removeprefix(': ')}"
        yield _action(document, title, _edits(document, edits), lsp.CodeActionKind.RefactorRewrite)


def _edits(document: Document, edits: Iterable[Edit]) -> list[lsp.TextEdit]:
    places = document.places
    found = []
    for e in edits:
        where = places.range(e.line, e.column, e.end_line, e.end_column)
        assert where is not None  # the text is the one that was followed
        found.append(lsp.TextEdit(where, e.text))
    return found


def _action(
    document: Document, title: str, edits: list[lsp.TextEdit], kind: lsp.CodeActionKind = lsp.CodeActionKind.QuickFix
) -> lsp.CodeAction:
    edit = lsp.WorkspaceEdit(changes={document.path.as_uri(): list(edits)})
    return lsp.CodeAction(title, kind, edit=edit)

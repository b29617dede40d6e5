"""What an editor names by one address: a file, or one cell of a notebook; and its places in the program of both."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from lsprotocol import types as lsp

from arraytyping.checker.lsp.documents import Document
from arraytyping.checker.lsp.notebooks import Notebook

__all__ = ["Part"]


@dataclass(frozen=True)
class Part:
    """A file, or a cell of a notebook."""

    uri: str
    """Of the file."""
    document: Document
    notebook: Notebook | None = None
    cell: str = ""

    def inner(self, position: lsp.Position) -> lsp.Position | None:
        """The place in the program; None where there is none."""
        return position if self.notebook is None else self.notebook.inner(self.cell, position)

    def inner_range(self, place: lsp.Range) -> lsp.Range | None:
        """The same for a range."""
        start, end = self.inner(place.start), self.inner(place.end)
        return None if start is None or end is None else lsp.Range(start, end)

    def outer(self, place: lsp.Range) -> lsp.Range | None:
        """The place in this part of one in the program; None if it is in another one."""
        if self.notebook is None:
            return place
        found = self.notebook.outer(place)
        return found.range if found is not None and found.uri == self.cell else None

    def location(self, location: lsp.Location) -> lsp.Location | None:
        """A location as the editor names it, which may be in another cell."""
        is_here = self.notebook is not None and location.uri == self.uri
        return self.notebook.around(location.range) if self.notebook is not None and is_here else location

    def hints(self, asked: lsp.Range) -> Iterator[lsp.InlayHint]:
        """The hints in a range of this part."""
        for hint in self.document.hints():
            at = self.outer(lsp.Range(hint.position, hint.position))
            if at is not None and asked.start.line <= at.start.line <= asked.end.line:
                hint.position = at.start
                yield hint

    def lenses(self) -> Iterator[lsp.CodeLens]:
        """What stands above the functions of this part."""
        for lens in self.document.lenses():
            at = self.outer(lens.range)
            if at is not None:
                lens.range = at
                yield lens

    def actions(self, actions: Iterable[lsp.CodeAction]) -> Iterator[lsp.CodeAction]:
        """Changes of the program as those of the cells; none that would change what is no Python."""
        for action in actions:
            edit = None if action.edit is None else self._edit(action.edit)
            if edit is not None:
                action.edit = edit
                yield action

    def _edit(self, edit: lsp.WorkspaceEdit) -> lsp.WorkspaceEdit | None:
        if self.notebook is None:
            return edit
        changes: dict[str, list[lsp.TextEdit]] = {}
        for one in (one for edits in (edit.changes or {}).values() for one in edits):
            where = self.notebook.outer(one.range)
            if where is None:
                return None
            changes.setdefault(where.uri, []).append(lsp.TextEdit(where.range, one.new_text))
        return lsp.WorkspaceEdit(changes={uri: list(edits) for uri, edits in changes.items()})

"""Files that are read again and again: of one that was edited only what is new is parsed."""

from __future__ import annotations

import ast
from pathlib import Path

from arraytyping.checker.flow.sources.source_files import SourceError, read_source
from arraytyping.regular_files import read_regular

__all__ = ["KeptSources"]


class KeptSources:
    """The contents of files, with their texts and trees, as they were read last."""

    def __init__(self) -> None:
        self._known: dict[Path, tuple[bytes, tuple[str, ast.Module]]] = {}

    def read(self, path: Path) -> tuple[str, ast.Module]:
        """The text of a file and its tree, which is not to be changed.

        Raises:
            SourceError: if it cannot be read.
        """
        try:
            data = read_regular(path)
        except OSError as error:
            raise SourceError(path, 1, f"cannot be read: {error.strerror}") from None
        known = self._known.get(path)
        if known is None or known[0] != data:
            known = self._known[path] = (data, read_source(path, known=None if known is None else known[1]))
        return known[1]

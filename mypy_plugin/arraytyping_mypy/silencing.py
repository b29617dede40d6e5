"""What silences errors in a file: mypy's `# type: ignore`, and ours, `# arraytyping: ignore[array-shape]`.

Ours silences errors of arrays alone, of both layers, with and without mypy: at any line of the expression, or, before
the first statement, in the whole file.  mypy without the plugin does not know it, and so does not call it unused.
"""

from __future__ import annotations

import ast
import difflib
import importlib.util
import io
import re
import tokenize
import warnings
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from itertools import takewhile
from pathlib import Path
from typing import Final

from arraytyping.checker.opt_in_codes import parent_of
from arraytyping.regular_files import content_of
from arraytyping_mypy.codes import ERROR_CODES

__all__ = ["OwnComment", "Silencing", "silencing_of"]

_OWN: Final = re.compile(r"#\s*arraytyping:\s*ignore\b(?:\s*\[([^\]]*)\])?")
_TYPE_IGNORE: Final = re.compile(r"#\s*type:\s*ignore")
_NO_TYPE_CHECK: Final = "no_type_check"
_CODE: Final = re.compile(r"[\w-]+")


@dataclass
class OwnComment:
    """A comment of ours: the codes that it names (none: all), and those that it has silenced."""

    line: int
    codes: tuple[str, ...]
    used: set[str] = field(default_factory=set)

    @property
    def unused(self) -> str | None:
        """What of it silences nothing, as it is written; None if all of it is needed."""
        left = [code for code in self.codes if code not in self.used and code in ERROR_CODES]
        if left:
            return f"arraytyping: ignore[{', '.join(left)}]"
        return None if self.codes or self.used else "arraytyping: ignore"

    def complaints(self) -> Iterator[str]:
        """A sentence for each code that there is not."""
        for code in self.codes:
            if code not in ERROR_CODES:
                near = difflib.get_close_matches(code, ERROR_CODES, 1)
                hint = f"did you mean {near[0]}?" if near else f"the codes are {', '.join(sorted(ERROR_CODES))}"
                yield f"arraytyping: ignore names {code}, which is no error code of arraytyping; {hint}"


class Silencing:
    """The comments of one file, and what else in its text silences errors."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.own = {c.line: c for c in _own_comments(source)} if "arraytyping:" in source else {}
        self.used_type_ignores: set[tuple[int, str]] = set()

    @cached_property
    def _tree(self) -> ast.Module | None:
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                return ast.parse(self.source, type_comments=True)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return None

    @cached_property
    def _first(self) -> int:
        """The line of the first statement."""
        if self._tree is None or not self._tree.body:
            return 0
        first = self._tree.body[0]
        decorators: list[ast.expr] = getattr(first, "decorator_list", [])
        return min([first.lineno, *(d.lineno for d in decorators)])

    @cached_property
    def type_ignores(self) -> dict[int, tuple[str, ...]]:
        """The lines with `# type: ignore`, and the codes that each names."""
        if _TYPE_IGNORE.search(self.source) is None or self._tree is None:
            return {}
        return {i.lineno: tuple(_CODE.findall(i.tag.partition("]")[0])) for i in self._tree.type_ignores}

    @cached_property
    def is_ignored(self) -> bool:
        """Whether `# type: ignore` stands before the first statement, which silences the whole file.

        Most comments stand behind it, for which the file need not be parsed.
        """
        if not any(map(_TYPE_IGNORE.search, _before_statements(self.source))):
            return False
        first = min(self.type_ignores, default=0)
        return 0 < first < self._first and not self.type_ignores[first]

    @cached_property
    def _unchecked(self) -> tuple[range, ...]:
        """The lines of the functions with `@typing.no_type_check` (PEP 484)."""
        if _NO_TYPE_CHECK not in self.source or self._tree is None:
            return ()
        functions = [n for n in ast.walk(self._tree) if isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef)]
        return tuple(
            range(f.lineno, (f.end_lineno or f.lineno) + 1)
            for f in functions
            if any(getattr(d, "attr", getattr(d, "id", "")) == _NO_TYPE_CHECK for d in f.decorator_list)
        )

    def silences(self, code: str, lines: range) -> bool:
        """Whether this error is silenced in an expression on these lines; a comment of ours counts as used then."""
        found = [c for line, c in self.own.items() if line in lines or line < self._first]
        codes = {code, parent_of(code) or code}
        found = [c for c in found if not c.codes or codes.intersection(c.codes)]
        for comment in found:
            comment.used.update(codes.intersection(comment.codes) or {code})
        return bool(found) or any(lines.start in unchecked for unchecked in self._unchecked)

    def type_ignores_silence(self, code: str, lines: range) -> bool:
        """Whether a comment of mypy's does; it counts as used then."""
        meant = {code, parent_of(code) or code}
        found = [n for n, codes in self.type_ignores.items() if n in lines and (not codes or meant.intersection(codes))]
        self.used_type_ignores.update((line, one) for line in found for one in meant)
        return bool(found)

    def unused_type_ignores(self) -> Iterator[tuple[int, str]]:
        """The lines of mypy's comments that name codes of ours and silence no such error, in mypy's words."""
        for line, codes in self.type_ignores.items():
            unused = [c for c in codes if c in ERROR_CODES and (line, c) not in self.used_type_ignores]
            if unused and "unused-ignore" not in codes:
                shown = f"[{', '.join(unused)}]" if len(codes) > 1 else ""
                yield line, f'Unused "type: ignore{shown}" comment'


def _before_statements(source: str) -> Iterator[str]:
    """The lines before the first that is neither empty nor a comment: where the first statement, or a decorator, is."""
    return takewhile(lambda line: not line.strip() or line.lstrip().startswith("#"), io.StringIO(source))


def _own_comments(source: str) -> Iterator[OwnComment]:
    try:
        for token in tokenize.generate_tokens(io.StringIO(source).readline):
            if token.type == tokenize.COMMENT and (match := _OWN.search(token.string)) is not None:
                yield OwnComment(token.start[0], tuple(dict.fromkeys(_CODE.findall(match[1] or ""))))
    except (tokenize.TokenError, SyntaxError):
        return


_read: Final[dict[str, tuple[tuple[int, int], Silencing]]] = {}


def silencing_of(path: str) -> Silencing:
    """The comments of a file, which is read once."""
    file = Path(path)
    if (given := content_of(file)) is not None:
        state = (hash(given), len(given))
        real = str(file.resolve())
        if real not in _read or _read[real][0] != state:
            _read[real] = state, Silencing(_decoded(given))
        return _read[real][1]
    try:
        stat = file.stat()
        state = (stat.st_mtime_ns, stat.st_size)
    except OSError:
        return Silencing("")
    real = str(file.resolve())
    if real not in _read or _read[real][0] != state:
        try:
            _read[real] = state, Silencing(_decoded(file.read_bytes()))
        except OSError:
            _read[real] = state, Silencing("")
    return _read[real][1]


def _decoded(content: bytes) -> str:
    try:
        return importlib.util.decode_source(content)
    except (SyntaxError, UnicodeDecodeError, LookupError):
        return ""

"""Which statements of a program have been read, and another text of it put in the place of those that have not.

Every list of statements in a tree becomes one that notes how far it was read, by whomever.  Where a new text of the
program differs from the old one only in statements that nobody has read, whoever has followed the program until then
would have done the same with the new text: what is not read yet is replaced, and the program is followed on.

What an `ast` says of a statement is all in its node, but for its inner statements; so a node counts as read when it is
taken from its list.  Where a statement ends hangs on what is in it, and is no part of what was read of it
(`open_places` tells of which).
"""

from __future__ import annotations

import ast
import hashlib
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, SupportsIndex, overload

from arraytyping.checker.flow.sources.cell_marks import has_cells
from arraytyping.checker.reparsing import common_ends, first_line

__all__ = ["Body", "Code", "Watch", "differing_lines", "digest", "is_same_program", "starts_at", "watched"]

_LINE_ENDS: Final = re.compile(r"\r\n|\r|\n")
"""Those that count for `ast`; Python's `splitlines` knows more."""
_POSITION: Final = ("lineno", "col_offset", "end_lineno", "end_col_offset")

Watch = Callable[["Code", "Body", int], None]
"""Called before a statement is read for the first time, or that there is no further one, with its list and place."""


def _ignore(code: Code, body: Body, place: int) -> None:
    """Nobody watches."""


@dataclass(eq=False)
class Code:
    """The text of a module, and its tree, in which all lists of statements are watched."""

    path: Path
    source: str
    tree: ast.Module
    watch: Watch = field(default=_ignore)

    def can_become(self, source: str, tree: ast.Module) -> bool:
        """Whether another text, with its tree, differs in nothing that was read."""
        return (
            has_cells(source) == has_cells(self.source)
            and not self.tree.type_ignores
            and _Comparison(self.source, source).is_same(self.tree, tree)
        )

    def become(self, source: str, tree: ast.Module) -> None:
        """Put another text in the place of this one, of which it differs in nothing that was read."""
        _watch(tree, self)
        _replace(self.tree, tree)
        self.source = source

    def open_places(self, tree: ast.Module) -> Iterator[tuple[int, int]]:
        """The lines and columns of statements that end elsewhere in another tree."""
        yield from _moved_ends(self.tree, tree)


class Body(list[ast.stmt]):
    """A list of statements that notes how far it was read; whoever changes it is not followed."""

    __slots__ = ("code", "is_read_whole", "read")

    def __init__(self, statements: list[ast.stmt], code: Code) -> None:
        super().__init__(statements)
        self.code: Code = code
        self.read: int = 0
        """So many of its statements were read."""
        self.is_read_whole: bool = False
        """Whether it was seen that there are no more."""

    def note(self, place: int) -> None:
        """Note that a statement is read, or that there is no further one."""
        if place < self.read or self.is_read_whole:
            return
        self.code.watch(self.code, self, place)
        # Whoever watches may have put others here.
        if place < list.__len__(self):
            self.read = max(self.read, place + 1)
        else:
            self.read = list.__len__(self)
            self.is_read_whole = True

    def note_all(self) -> None:
        """Note that all of it is read."""
        place = self.read
        while not self.is_read_whole:
            self.note(place)
            place += 1

    def statement(self, place: int) -> ast.stmt | None:
        """The statement at a place, for one who does not read it; None behind the last one."""
        return list.__getitem__(self, place) if place < list.__len__(self) else None

    def statements(self) -> Iterator[ast.stmt]:
        """All statements, for one who does not read them."""
        return list.__iter__(self)

    def __iter__(self) -> Iterator[ast.stmt]:
        place = 0
        while True:
            self.note(place)
            if place >= list.__len__(self):
                return
            yield list.__getitem__(self, place)
            place += 1

    @overload
    def __getitem__(self, index: SupportsIndex, /) -> ast.stmt: ...
    @overload
    def __getitem__(self, index: slice, /) -> list[ast.stmt]: ...
    def __getitem__(self, index: Any, /) -> Any:
        if isinstance(index, int) and index >= 0:
            for place in range(self.read, index + 1):
                self.note(place)
        else:
            self.note_all()
        return list.__getitem__(self, index)

    def __bool__(self) -> bool:
        self.note(0)
        return list.__len__(self) > 0

    def __len__(self) -> int:
        self.note_all()
        return list.__len__(self)

    def __reversed__(self) -> Iterator[ast.stmt]:
        self.note_all()
        return list.__reversed__(self)

    def __contains__(self, item: object, /) -> bool:
        self.note_all()
        return list.__contains__(self, item)

    def __eq__(self, other: object, /) -> bool:
        self.note_all()
        return list.__eq__(self, other)

    def __add__(self, other: Any, /) -> Any:
        self.note_all()
        return list.__add__(self, other)

    def __reduce_ex__(self, protocol: SupportsIndex, /) -> Any:
        """What a copy is made of: a list that is not watched."""
        self.note_all()
        return list, ([*list.__iter__(self)],)

    def copy(self) -> list[ast.stmt]:
        """A list that is not watched."""
        self.note_all()
        return [*list.__iter__(self)]

    def index(self, value: Any, /, *bounds: Any) -> int:
        """Where a statement is."""
        self.note_all()
        return list.index(self, value, *bounds)

    def count(self, value: Any, /) -> int:
        """How often a statement is there."""
        self.note_all()
        return list.count(self, value)


def watched(path: Path, source: str, tree: ast.Module) -> Code:
    """The code of a module of which nothing was read yet, but for whether its text begins with a docstring."""
    code = Code(path, source, tree)
    _watch(tree, code)
    body = tree.body
    assert isinstance(body, Body)
    body.note(0)
    return code


def _watch(node: ast.AST, code: Code) -> None:
    """Have all lists of statements below a node watched."""
    waiting = [node]
    while waiting:
        here = waiting.pop()
        for name in here._fields:
            value = getattr(here, name, None)
            if isinstance(value, list):
                if type(value) is list and _is_of_statements(here, name):
                    setattr(here, name, Body(value, code))
                waiting += [inner for inner in list.__iter__(value) if isinstance(inner, _WITH_STATEMENTS)]


_WITH_STATEMENTS: Final = (ast.stmt, ast.excepthandler, ast.match_case)
_OUTER: Final = ("handlers", "cases")
_LISTS: Final = frozenset({"body", "orelse", "finalbody"})


def _is_of_statements(node: ast.AST, name: str) -> bool:
    return name in _LISTS and isinstance(node, (ast.Module, *_WITH_STATEMENTS))


def differing_lines(old: str, new: str) -> tuple[int, int] | None:
    """The first and the last line of a text, from 1, in which another one before it differs; None if none does."""
    if old == new:
        return None
    lines, others = _LINE_ENDS.split(old), _LINE_ENDS.split(new)
    first, behind = common_ends(lines, others)
    return first + 1, max(first + 1, len(others) - behind)


def digest(source: str) -> str:
    """Something short that differs where texts do."""
    return hashlib.sha256(source.encode("utf-8", errors="surrogatepass")).hexdigest()


def is_same_program(old: str, old_tree: ast.Module, new: str, new_tree: ast.Module) -> bool:
    """Whether two texts differ in nothing that matters to whoever follows them: in comments within a line alone."""
    return has_cells(old) == has_cells(new) and _Comparison(old, new).is_same(old_tree, new_tree)


class _Comparison:
    """Of what was read of the tree of a text with that of another text."""

    def __init__(self, old: str, new: str) -> None:
        lines, others = _LINE_ENDS.split(old), _LINE_ENDS.split(new)
        first, behind = common_ends(lines, others)
        self._first = len(lines) + 2 if old == new else first + 1
        self._last = len(lines) - behind if len(lines) == len(others) else len(lines) + len(others)
        """Behind this line the texts are the same, line for line."""

    def is_same(self, a: Any, b: Any) -> bool:
        """Whether what was read of a node, or of what is in one, is the same."""
        if a is b:
            return True
        if isinstance(a, Body):
            return self._are_same(a, b)
        if isinstance(a, list):
            return isinstance(b, list) and len(a) == len(b) and all(map(self.is_same, a, b))
        if not isinstance(a, ast.AST):
            return type(a) is type(b) and repr(a) == repr(b)
        if type(a) is not type(b):
            return False
        if any(getattr(a, name, None) != getattr(b, name, None) for name in _POSITION[: 2 if is_open(a) else 4]):
            return False
        if isinstance(a, ast.stmt) and self._are_same_lines(a, b):
            return True
        return all(self.is_same(getattr(a, name, None), getattr(b, name, None)) for name in a._fields)

    def _are_same(self, a: Body, b: Any) -> bool:
        if a.is_read_whole and list.__len__(a) != len(b):
            return False
        return a.read <= len(b) and all(
            self.is_same(x, y) for x, y in zip(list.__getitem__(a, slice(a.read)), b[: a.read])
        )

    def _are_same_lines(self, a: ast.stmt, b: Any) -> bool:
        """Whether two statements that begin at the same place lie in lines that are the same, all of them."""
        first, last = _lines(a)
        return (first, last) == _lines(b) and a.end_col_offset == b.end_col_offset and (
            last < self._first or first > self._last
        )  # fmt: skip


def _lines(statement: Any) -> tuple[int, int]:
    return first_line(statement), statement.end_lineno or statement.lineno


def is_open(node: ast.AST) -> bool:
    """Whether there are statements in a node of which not all were read."""
    return any(not body.is_read_whole or any(map(is_open, body.statements())) for body in _bodies(node)) or any(
        is_open(part) for name in ("handlers", "cases") for part in getattr(node, name, ()) if isinstance(part, ast.AST)
    )


def _outer_parts(node: ast.AST) -> Iterator[ast.AST]:
    """The parts of a statement that are no statements, and have some in them."""
    return (part for name in _OUTER for part in getattr(node, name, ()))


def _bodies(node: ast.AST) -> Iterator[Body]:
    for name in node._fields:
        if isinstance(value := getattr(node, name, None), Body):
            yield value


def _replace(a: Any, b: Any) -> None:
    """Make a node what another one is, which was found to be the same in all that was read."""
    if a is b:
        return
    for old, new in _lists(a, b):
        for inner, other in _read_of(old, new):
            _replace(inner, other)
        if isinstance(old, Body):
            old[old.read :] = list.__getitem__(new, slice(old.read, None))
    for name in _POSITION[2:]:
        if hasattr(b, name):
            setattr(a, name, getattr(b, name))


def _moved_ends(a: Any, b: Any) -> Iterator[tuple[int, int]]:
    """The places of nodes, and of those in them, that end elsewhere."""
    if a is b:
        return
    for old, new in _lists(a, b):
        for inner, other in _read_of(old, new):
            yield from _moved_ends(inner, other)
    if hasattr(a, "lineno") and any(getattr(a, name, None) != getattr(b, name, None) for name in _POSITION[2:]):
        yield a.lineno, a.col_offset


def _lists(a: ast.AST, b: ast.AST) -> Iterator[tuple[list[Any], list[Any]]]:
    """The lists in which there are statements, of two nodes of a kind."""
    for name in a._fields:
        old, new = getattr(a, name, None), getattr(b, name, None)
        if isinstance(old, list) and isinstance(new, list) and (isinstance(old, Body) or name in _OUTER):
            yield old, new


def _read_of(old: list[Any], new: list[Any]) -> Iterator[tuple[Any, Any]]:
    """What was read of a list, with what is there in another one."""
    read = slice(old.read if isinstance(old, Body) else None)
    return zip(list.__getitem__(old, read), list.__getitem__(new, read))


def starts_at(body: Body, place: int, line: int) -> bool:
    """Whether reading the statement at a place, or that there is none, is the first to show anything of a line.

    It is not if what is in that line lies in inner statements, or further behind.
    """
    statement = body.statement(place)
    if statement is None:
        return body is body.code.tree.body
    first, last = _lines(statement)
    if last < line:
        return False
    return line < first or not _has_inside(statement, line)


def _has_inside(node: ast.AST, line: int) -> bool:
    """Whether a line is one of the inner statements of a node, which are read later than itself."""
    for body in _bodies(node):
        statements = [*body.statements()]
        if statements and _lines(statements[0])[0] <= line <= _lines(statements[-1])[1]:
            return True
    return any(_has_inside(part, line) for part in _outer_parts(node))

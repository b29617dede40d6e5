"""The tree of a text that differs little from one whose tree is known: only the statements around the edit are parsed.

The statements of a module that begin a line follow each other as whole texts do: where the text between two of them
parses by itself, the text as a whole has the statements before it, those of that text, and those behind it.  What
hangs on more than that (`__future__`, `global` at the top) is left to a parse of the whole.
"""

from __future__ import annotations
import __future__

import ast
import re
from collections.abc import Iterator, Sequence
from typing import Any, Final

__all__ = ["common_ends", "first_line", "inner_unread", "reparsed"]

_LINE_END: Final = re.compile(r"\r\n?")


def reparsed(tree: ast.Module, source: str, text: str, flags: int = 0) -> ast.Module | None:
    """The tree of a text, by that of another source; None if it has to be parsed as a whole, or is no program.

    The statements that are the same are those of the given tree, and not copies: neither may be changed.
    `flags` are those of `compile`, which has to take what is new, too.
    """
    if tree.type_ignores or _LINE_END.search(source) or _LINE_END.search(text):
        return None
    lines, others = source.split("\n"), text.split("\n")
    first, behind = common_ends(lines, others)
    # Whoever has the list of statements watched is not told of this.
    statements = [*list.__iter__(tree.body)]
    starts = [first_line(s) for s in statements]
    # The statement above may go on in what is new.
    head = max(0, sum(1 for s in statements if (s.end_lineno or s.lineno) <= first) - 1)
    tail = next((n for n, start in enumerate(starts) if start > len(lines) - behind), len(statements))
    if tail < len(statements) and len(lines) != len(others):
        return None  # the places of all behind are others
    bounds = [statements[n] for n in {head, tail} if n < len(statements)]
    if not all(_begins_line(statement, lines) for statement in bounds):
        return None
    begin = starts[head] - 1 if head else 0
    end = starts[tail] - 1 if tail < len(starts) else len(others)
    between = "\n".join(others[begin:end]) + ("" if end == len(others) else "\n")
    middle = _parsed("\n" * begin + between, flags | _features(statements[:head]))
    if middle is None or any(map(_hangs_on_all, (*middle, *statements[tail:]))):
        return None
    return ast.Module([*statements[:head], *middle, *statements[tail:]], [])


def common_ends(lines: Sequence[str], others: Sequence[str]) -> tuple[int, int]:
    """How many lines are the same from the beginning, and how many of the others are at the end."""
    first = _common(lines, others)
    return first, _common(lines[first:][::-1], others[first:][::-1])


def _common(lines: Sequence[str], others: Sequence[str]) -> int:
    for number, (line, other) in enumerate(zip(lines, others)):
        if line != other:
            return number
    return min(len(lines), len(others))


def first_line(statement: ast.stmt | ast.excepthandler) -> int:
    """The line in which a statement begins, that of its first decorator if it has some."""
    decorators = getattr(statement, "decorator_list", None)
    return decorators[0].lineno if decorators else statement.lineno


def inner_unread(node: ast.AST) -> Iterator[Any]:
    """The statements, handlers and cases right inside of a node, for one who does not read lists that are watched."""
    for name in ("body", "handlers", "cases", "orelse", "finalbody"):
        if isinstance(found := getattr(node, name, None), list):
            yield from list.__iter__(found)


def _begins_line(statement: ast.stmt, lines: Sequence[str]) -> bool:
    """Whether nothing stands before a statement in its line; where there is a decorator, `@` does."""
    decorators = getattr(statement, "decorator_list", None)
    return lines[decorators[0].lineno - 1].startswith("@") if decorators else statement.col_offset == 0


def _parsed(text: str, flags: int) -> list[ast.stmt] | None:
    try:
        tree = ast.parse(text)
        compile(tree, "<edited>", "exec", flags, dont_inherit=True)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    return tree.body


def _features(statements: Sequence[ast.stmt]) -> int:
    """The flags of what statements import from `__future__`."""
    names = [a.name for s in statements if _is_of_future(s) for a in getattr(s, "names", ())]
    flags = 0
    for name in names:
        flags |= getattr(getattr(__future__, name, None), "compiler_flag", 0)
    return flags


def _is_of_future(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.ImportFrom) and statement.module == "__future__"


def _hangs_on_all(statement: ast.stmt) -> bool:
    """Whether a statement is one only where certain others stand, or do not stand, before it."""
    waiting: list[ast.AST] = [statement]
    while waiting:
        here = waiting.pop()
        if isinstance(here, ast.Global) or (isinstance(here, ast.stmt) and _is_of_future(here)):
            return True
        if not isinstance(here, _WITH_SCOPE):
            waiting += inner_unread(here)
    return False


_WITH_SCOPE: Final = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.expr)

"""What is known of the part of a program that is edited, before the program has been followed to its end.

Whoever types in a function waits for what stands there, and not for all that the program does with it later.  So as
soon as the edited statement has been executed for the first time, and again when the function around it has been, what
was seen there until then is told; what comes of later calls is told with the whole.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from typing import Any

from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.state.recording import known_between
from arraytyping.checker.flow.values.frames import Module
from arraytyping.checker.reparsing import first_line, inner_unread

__all__ = ["EarlyAnswers"]


class EarlyAnswers:
    """Tells what is known of the edited part, as soon as it is.

    `tell` is given the path, the first and the last line, and the claims between these as JSON.
    """

    def __init__(self, tell: Callable[[dict[str, Any]], None]) -> None:
        self._tell = tell
        self._edited: tuple[str, int] | None = None

    def begin(self, edited: tuple[str, int] | None) -> None:
        """Begin with a question, to which the line of a file is the last one that was edited."""
        self._edited = edited

    def watch(self, it: Interpreter, module: Module) -> None:
        """Watch for when the edited part of a module has been executed."""
        path = str(module.path.resolve())
        if self._edited is None or path != self._edited[0]:
            return
        function, statement = _around(module.tree, self._edited[1])
        last = None if function is None else list.__getitem__(function.body, -1)
        begin = statement if function is None else function

        def came_to(done: ast.stmt) -> None:
            if self._edited is None or begin is None:
                return
            first = begin.lineno
            end = function if done is last and function is not None else done
            claims = known_between(module, first, end.end_lineno or end.lineno)
            if not claims.expressions:  # it was executed on trial
                return
            it.awaited -= {done}
            if done is last:
                it.awaited = frozenset()
                self._edited = None
            self._tell({"path": path, "first": first, "last": end.end_lineno, "claims": claims.to_json()})

        it.awaited = frozenset(s for s in (statement, last) if s is not None)
        it.came_to = came_to


def _around(tree: ast.Module, line: int) -> tuple[ast.FunctionDef | ast.AsyncFunctionDef | None, ast.stmt | None]:
    """The innermost function that a line is in, and the innermost statement, if that is no definition."""
    function: ast.FunctionDef | ast.AsyncFunctionDef | None = None
    here: ast.AST | None = tree
    statement: ast.stmt | None = None
    while here is not None:
        here = next((n for n in _inner(here) if first_line(n) <= line <= (n.end_lineno or 0)), None)
        if isinstance(here, ast.FunctionDef | ast.AsyncFunctionDef):
            function, statement = here, None
        elif isinstance(here, ast.stmt) and not isinstance(here, ast.ClassDef):
            statement = here
    return function, statement


def _inner(node: ast.AST) -> Iterator[ast.stmt | ast.excepthandler]:
    """The statements and handlers right inside of one; cases of a match have no lines of their own."""
    for inner in inner_unread(node):
        if isinstance(inner, ast.match_case):
            yield from _inner(inner)
        else:
            yield inner

"""Flow's mistakes, reported as mypy's own errors at their expressions.

Flow does not live inside mypy: it follows the whole program first, in a process of its own.  Its mistakes are then
reported when mypy checks their module, so that whatever works on mypy's errors works on them.  mypy's plugins cannot
report anything where mypy asks nothing; so each module with mistakes gets an expression at its beginning about which
mypy does ask.  It is no part of the program's text, and nothing comes of it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from mypy.errorcodes import IMPORT_NOT_FOUND
from mypy.errors import CompileError
from mypy.nodes import CallExpr, Context, ExpressionStmt, MemberExpr, MypyFile, StrExpr
from mypy.plugin import CheckerPluginInterface

from arraytyping_mypy.checker import module_tree, unfiltered
from arraytyping_mypy.codes import ERROR_CODES
from arraytyping_mypy.flow_mistakes import FlowMistakes
from arraytyping_mypy.silencing import silencing_of

if TYPE_CHECKING:
    from arraytyping.checker.flow.state.diagnostics import Diagnostic

__all__ = ["METHOD", "is_at", "is_planted", "overlaps", "plant", "planted_call", "report"]

METHOD: Final = "builtins.str.isascii"
"""The method that is called at the beginning of a module with mistakes; no program can bind it to something else."""
_PLANTED: Final = -7
"""The line of that call."""


def report(mistakes: FlowMistakes, api: CheckerPluginInterface) -> None:
    """Report the mistakes of the module under check, each with a note of how the program comes there."""
    checker: Any = api
    path = module_tree(api).path
    silencing = silencing_of(path)
    with unfiltered(api):
        for comment in silencing.own.values():
            for complaint in comment.complaints():
                checker.note(complaint, Context(comment.line))
        for diagnostic in mistakes.of(path):
            if silencing.silences(diagnostic.code, diagnostic.lines):
                continue
            context = StrExpr("")  # of an expression mypy knows that it may be ignored on any of its lines
            context.set_line(diagnostic.line, diagnostic.column, diagnostic.end_line, diagnostic.end_column)
            code = ERROR_CODES.get(diagnostic.code, IMPORT_NOT_FOUND)
            tell = checker.note if diagnostic.is_minor else checker.fail  # mypy knows no warnings
            tell(diagnostic.text, context, code=code)
            for note in diagnostic.notes:
                checker.note(note, context, code=code)


def plant(tree: MypyFile) -> None:
    """Put the call at the beginning of a module.

    Raises:
        CompileError: if mypy has not made the tree yet, as in a run with workers.
    """
    if getattr(tree, "raw_data", None) is not None:
        raise CompileError(["arraytyping: flow = true needs mypy in one process: run it without -n"])
    tree.defs.insert(0, planted_call(tree.defs[0].line if tree.defs else 1, _PLANTED))


def planted_call(line: int, mark: int) -> ExpressionStmt:
    """A statement that stands at a line and calls the method, marked with the line that the call has for mypy."""
    text = StrExpr("")
    method = MemberExpr(text, "isascii")
    call = CallExpr(method, [], [], [])
    statement = ExpressionStmt(call)
    for node in (text, method, call, statement):
        node.set_line(line, 0, line, 0)
    call.line = mark
    return statement


def is_planted(context: Context) -> bool:
    """Whether this is such a call at the beginning of a module."""
    return context.line == _PLANTED


def overlaps(diagnostic: Diagnostic, context: Context) -> bool:
    """Whether an expression of mypy's tree and that of a mistake have something in common."""
    start, end = (
        (context.line, context.column),
        (context.end_line or context.line, context.end_column or context.column),
    )
    return start <= (diagnostic.end_line, diagnostic.end_column) and (diagnostic.line, diagnostic.column) <= end


def is_at(diagnostic: Diagnostic, context: Context) -> bool:
    """Whether a mistake stands at this very expression."""
    place = context.line, context.column, context.end_line, context.end_column
    return place == (diagnostic.line, diagnostic.column, diagnostic.end_line, diagnostic.end_column)

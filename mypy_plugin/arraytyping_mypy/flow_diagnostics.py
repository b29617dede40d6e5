"""Flow's mistakes, reported as mypy's own errors at their expressions.

Flow does not live inside mypy: it follows the whole program first, in a process of its own.  Its mistakes are then
reported when mypy checks their module, so that whatever works on mypy's errors works on them.  mypy's plugins cannot
report anything where mypy asks nothing; so each module with mistakes gets an expression at its beginning about which
mypy does ask.  It is no part of the program's text, and nothing comes of it.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from mypy.errorcodes import IMPORT_NOT_FOUND
from mypy.errors import CompileError
from mypy.nodes import CallExpr, Context, ExpressionStmt, MemberExpr, MypyFile, StrExpr
from mypy.plugin import CheckerPluginInterface

from arraytyping_mypy.checker import module_tree, unfiltered
from arraytyping_mypy.codes import ERROR_CODES
from arraytyping_mypy.silencing import silencing_of

if TYPE_CHECKING:
    from arraytyping.checker.flow.state.diagnostics import Diagnostic

__all__ = ["METHOD", "FlowMistakes", "give", "given", "is_planted", "overlaps", "plant", "planted_call"]

METHOD: Final = "builtins.str.isascii"
"""The method that is called at the beginning of a module with mistakes; no program can bind it to something else."""
_PLANTED: Final = -7
"""The line of that call."""

_given: Final[list[Sequence[Diagnostic]]] = []


def give(diagnostics: Sequence[Diagnostic]) -> None:
    """Report these mistakes, whatever is configured."""
    _given[:] = [diagnostics]


def given() -> list[Sequence[Diagnostic]]:
    """The mistakes that were given, in a list of one; none if nobody has given any."""
    return _given


class FlowMistakes:
    """The mistakes of a program by file; `files` are those that were read to find them."""

    def __init__(self, diagnostics: Sequence[Diagnostic] = (), files: Sequence[str] = ()) -> None:
        self._files = _times(files)
        self._by_file: dict[str, list[Diagnostic]] = {}
        for diagnostic in diagnostics:
            self._by_file.setdefault(str(Path(diagnostic.path).resolve()), []).append(diagnostic)

    @staticmethod
    def of_program(
        roots: Sequence[Path], config_file: Path | None, python: str | None, enable: Sequence[str] = ()
    ) -> FlowMistakes:
        """What flow finds in the program in these files and directories, with the libraries of an interpreter.

        `enable` are codes to report besides those by default and those of the settings.
        """
        from arraytyping.checker.flow.report.reporting import report_on  # not needed where flow is off

        if (missing := _missing_jax(roots, python or sys.executable)) is not None:
            return FlowMistakes([missing])
        report = report_on(roots, config_file, python=python, enable=enable)
        if report.is_interrupted:
            raise KeyboardInterrupt
        for entry, why in report.not_checked:
            print(f"arraytyping: not checked: {entry}: {why}", file=sys.stderr)
        return FlowMistakes(report.shown(), report.files)

    @property
    def is_current(self) -> bool:
        """Whether no file has been written since."""
        return _times(self._files) == self._files

    def of(self, path: str) -> Sequence[Diagnostic]:
        """The mistakes in a file."""
        return self._by_file.get(str(Path(path).resolve()), ()) if self._by_file else ()

    def fingerprint(self, path: str) -> str:
        """What changes if the mistakes in a file do; empty if there are none."""
        found = self.of(path)
        return json.dumps([[*m.position[1:], m.code, m.text, m.notes] for m in found]) if found else ""

    def report(self, api: CheckerPluginInterface) -> None:
        """Report the mistakes of the module under check, each with a note of how the program comes there."""
        checker: Any = api
        path = module_tree(api).path
        silencing = silencing_of(path)
        with unfiltered(api):
            for comment in silencing.own.values():
                for complaint in comment.complaints():
                    checker.note(complaint, Context(comment.line))
            for diagnostic in self.of(path):
                if silencing.silences(diagnostic.code, diagnostic.lines):
                    continue
                context = StrExpr("")  # of an expression mypy knows that it may be ignored on any of its lines
                context.set_line(diagnostic.line, diagnostic.column, diagnostic.end_line, diagnostic.end_column)
                code = ERROR_CODES.get(diagnostic.code, IMPORT_NOT_FOUND)
                tell = checker.note if diagnostic.is_minor else checker.fail  # mypy knows no warnings
                tell(diagnostic.text, context, code=code)
                for note in diagnostic.notes:
                    checker.note(note, context, code=code)


def _missing_jax(roots: Sequence[Path], python: str) -> Diagnostic | None:
    """The import of jax by a program, if jax is not installed for this interpreter; flow would find nothing."""
    from arraytyping.checker.environment import NoEnvironmentError, inspect_environment
    from arraytyping.checker.flow.start.jax_imports import find_jax_import
    from arraytyping.checker.flow.state.diagnostics import Diagnostic

    try:
        if inspect_environment(Path(python), python).jax is not None:
            return None
        why = f"jax is not installed for {python}"
    except NoEnvironmentError as error:
        why = str(error)
    found = find_jax_import(roots)
    if found is None:
        return None
    message = (
        f"{found.name} is imported, and {why}: nothing is known of arrays; "
        "run mypy where jax is installed, or set its python_executable"
    )
    return Diagnostic(found.path, found.line, 0, found.line, 0, IMPORT_NOT_FOUND.code, message)


def _times(files: Iterable[str]) -> dict[str, int]:
    """When each of these files was written; 0 for one that is not there."""
    return {file: path.stat().st_mtime_ns if (path := Path(file)).is_file() else 0 for file in files}


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

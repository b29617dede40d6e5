"""What flow has found in the program, by file.  mypy asks for it of each module, also where nothing has changed."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from mypy.errorcodes import IMPORT_NOT_FOUND

if TYPE_CHECKING:
    from arraytyping.checker.flow.state.diagnostics import Diagnostic

__all__ = ["FlowMistakes", "give", "given"]

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

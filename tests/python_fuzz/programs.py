"""Whole programs, their runs, and what flow says wrongly of them."""

from __future__ import annotations

import ast
import contextlib
import io
import signal
import sys
import traceback
import warnings
from dataclasses import dataclass, field
from typing import Any

from flow_values import PATH, difference, interpreted

from python_fuzz.scope import Scope
from python_fuzz.statements import statement

__all__ = ["EndlessError", "Outcome", "compared", "program"]

_HEAD = """\
import abc, bisect, collections, contextlib, copy, dataclasses, enum, fractions, functools, heapq, itertools, json
import math, operator, random, re, statistics, textwrap, types, typing
from functools import reduce
import numpy as np
import jax, jax.numpy as jnp
"""


def program(seed: int, size: int = 14) -> str:
    """The program of a seed: `size` statements, of which each is followed by what is left of it."""
    scope = Scope(seed)
    while len(scope.lines) < 3 * size:
        statement(scope)
    return _HEAD + "\n".join(scope.lines) + "\n"


@dataclass
class Outcome:
    """What came of a program."""

    variables: int = 0
    unknown: int = 0
    wrong: list[str] = field(default_factory=list)
    false: list[str] = field(default_factory=list)
    raises: str | None = None
    is_found: bool = False
    crashes: list[str] = field(default_factory=list)
    is_complete: bool = True


def compared(source: str, runs: int = 2) -> Outcome:
    """Run a program, ask flow, and compare."""
    compile(source, str(PATH), "exec", dont_inherit=True)
    _run(source)
    variables, result = interpreted(source)
    outcome = Outcome(crashes=list(result.crashes), is_complete=result.is_complete)
    certain = [m for m in result.diagnostics if m.is_certain and not m.is_warning]
    for _ in range(runs):
        real, error, line, lines = _run(source)
        if error is not None:
            outcome.raises = f"line {line}: {type(error).__name__}: {str(error)[:100]}"
            outcome.is_found = outcome.is_found or any(m.line in lines.ending for m in result.diagnostics)
        for diagnostic in certain:
            # One on a condition is a line that raises where that holds, as in the tenth round of a loop that was left.
            if diagnostic.line in lines.ending or diagnostic.conditions:
                continue
            if diagnostic.line in lines.executed or (
                error is None and not _in_no_round(source, diagnostic.line, lines)
            ):
                text = f"line {diagnostic.line}: {diagnostic.message}"
                if text not in outcome.false:
                    outcome.false.append(text)
        if error is not None or not result.is_complete:
            continue
        _compare(variables, real, outcome)
    return outcome


def _in_no_round(source: str, line: int, lines: _Lines) -> bool:
    """Whether a line stands in a loop that went through no round: what is said of its body was not put to the test."""
    loops = (node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.For | ast.While))
    return any(
        loop.body[0].lineno <= line <= (loop.body[-1].end_lineno or 0) and loop.body[0].lineno not in lines.executed
        for loop in loops
    )


def _compare(variables: dict[str, Any], real: dict[str, Any], outcome: Outcome) -> None:
    outcome.variables, outcome.unknown = 0, 0
    for name, value in real.items():
        if name.startswith("__"):
            continue
        outcome.variables += 1
        if name not in variables:
            found: str | None = "flow takes it for unbound"
        else:
            outcome.unknown += type(variables[name]).__name__ == "Unknown"
            try:
                found = difference(variables[name], value)
            except Exception as error:
                found = f"cannot be compared: {type(error).__name__}: {error}"
        text = f"{name}: {found}"[:300]
        if found is not None and text not in outcome.wrong:
            outcome.wrong.append(text)


_SECONDS = 5


class _Lines:
    """The lines that were executed, and those at which the exception passed."""

    def __init__(self) -> None:
        self.executed: set[int] = set()
        self.ending: set[int] = set()

    def __call__(self, frame: Any, event: str, argument: object) -> Any:
        if frame.f_code.co_filename != str(PATH):
            return None
        if event == "line":
            self.executed.add(frame.f_lineno)
        return self


class EndlessError(BaseException):
    """The program does not end."""


def _stop(*_: object) -> None:
    raise EndlessError


def _lines_of(error: BaseException) -> list[int]:
    frames = traceback.extract_tb(error.__traceback__)
    return [frame.lineno for frame in frames if frame.filename == str(PATH) and frame.lineno is not None]


def _run(source: str) -> tuple[dict[str, Any], BaseException | None, int, _Lines]:
    namespace: dict[str, Any] = {"__name__": "__main__", "__file__": str(PATH)}
    lines = _Lines()
    code = compile(source, str(PATH), "exec", dont_inherit=True)
    error: BaseException | None = None
    with contextlib.redirect_stdout(io.StringIO()), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        signal.signal(signal.SIGALRM, _stop)
        # Again and again: what is raised within a callback of the garbage collection is only printed.
        signal.setitimer(signal.ITIMER_REAL, _SECONDS, 0.5)
        sys.settrace(lines)
        try:
            exec(code, namespace)
        except Exception as raised:
            error = raised
        finally:
            sys.settrace(None)
            signal.setitimer(signal.ITIMER_REAL, 0)
    line = 0
    one = error
    while one is not None:
        for raising in _lines_of(one):
            lines.ending.add(raising)
            line = raising if one is error else line
        one = one.__context__  # a `finally` that raises comes in place of what it was executed for
    return namespace, error, line, lines

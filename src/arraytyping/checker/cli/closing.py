"""What the last lines of a check say: what was done, and that nothing was checked where nearly nothing was known."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Final

from arraytyping.checker.claims import ProgramClaims
from arraytyping.checker.flow.report.reporting import FlowReport
from arraytyping.checker.flow.start.jax_imports import JaxImport
from arraytyping.checker.notebooks.cells import place_text

__all__ = ["followed", "reservation"]

_LEAST: Final = 0.1
"""Below this share of array expressions of which something is known, nothing counts as checked."""
_MOST_NAMES: Final = 3


def reservation(claims: ProgramClaims, jax_import: Callable[[], JaxImport | None]) -> str | None:
    """The line that stands in the place of a success, if nearly nothing is known of a program with arrays.

    `jax_import` says where the program imports jax; it is asked only if no array expression was found.
    """
    coverage = claims.coverage
    if not coverage.expressions:
        if (found := jax_import()) is None:
            return None
        return f"Not checked: {found.path}:{found.line} imports {found.name}, and no array expression was found"
    if max(coverage.dtypes, coverage.shapes) >= _LEAST * coverage.expressions:
        return None
    reasons = Counter(e.why_unknown for file in claims.files.values() for e in file.unknown)
    ((why, _),) = reasons.most_common(1)
    if coverage.expressions == 1:
        return f"Not checked: nothing is known of the one array expression, since {why}"
    return f"Not checked: nearly nothing is known of {coverage.expressions} array expressions, mostly since {why}"


def followed(report: FlowReport) -> str:
    """Which entry points were followed, and what they did not reach."""
    started = [name for name, _, _ in report.entry_points if not name.startswith("import ")]
    plural = "" if len(started) == 1 else "s"
    begin = f"{len(started)} entry point{plural} followed" if started else "no entry point found, modules imported"
    missed = report.unreached
    if not report.functions:
        return f"flow: {begin}"
    if not missed:
        return f"flow: {begin}, every function reached"
    names = [f"{f.name} ({place_text(f.path, f.line)})" for f in missed[:_MOST_NAMES]]
    more = f", and {len(missed) - _MOST_NAMES} more" if len(missed) > _MOST_NAMES else ""
    return f"flow: {begin}, {len(missed)} of {report.functions} functions never reached: {', '.join(names)}{more}"

"""What the last lines of a check say: what was done, and that nothing was checked where nearly nothing was known."""

from __future__ import annotations

from collections import Counter
from typing import Final

from arraytyping.claims import ProgramClaims
from arraytyping.flow.reporting import FlowReport

__all__ = ["followed", "reservation"]

_LEAST: Final = 0.1
"""Below this share of array expressions of which something is known, nothing counts as checked."""
_MOST_NAMES: Final = 3


def reservation(claims: ProgramClaims) -> str | None:
    """The line that stands in the place of a success, if there are arrays, and nearly nothing was known of them."""
    coverage = claims.coverage
    if max(coverage.dtypes, coverage.shapes) >= _LEAST * coverage.expressions:
        return None
    reasons = Counter(e.why_unknown for file in claims.files.values() for e in file.unknown)
    ((why, _),) = reasons.most_common(1)
    one = coverage.expressions == 1
    return (
        f"Not checked: nearly nothing is known of {'the array expression' if one else 'the array expressions'}"
        f"{'' if one else ', mostly'} because: {why}"
    )


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
    names = [f"{f.name} ({f.path}:{f.line})" for f in missed[:_MOST_NAMES]]
    more = f", and {len(missed) - _MOST_NAMES} more" if len(missed) > _MOST_NAMES else ""
    return f"flow: {begin}, {len(missed)} of {report.functions} functions never reached: {', '.join(names)}{more}"

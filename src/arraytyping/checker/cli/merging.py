"""The claims of both layers about one program: at each expression those of the layer that knows more."""

from __future__ import annotations

import os
from pathlib import Path

from arraytyping.checker.claims import ExpressionClaims, FileClaims, ProgramClaims
from arraytyping.checker.flow.report.reporting import FlowReport

__all__ = ["merge_layers"]


def merge_layers(types: ProgramClaims, report: FlowReport | None) -> ProgramClaims:
    """The claims of both; where both know all of it, those of the types, which hold for every caller."""
    if report is None:
        return types
    files: dict[str, FileClaims] = dict(types.files)
    names = {os.path.realpath(path): path for path in files}
    for path, claims in report.claims.files.items():
        shown = names.get(os.path.realpath(path), str(Path(path)))
        files[shown] = _merged(files[shown], claims) if shown in files else claims
    return ProgramClaims(dict(sorted(files.items())))


def _merged(types: FileClaims, flow: FileClaims) -> FileClaims:
    found = {e.position: e for e in types.expressions}
    for e in flow.expressions:
        known = found.get(e.position)
        if known is None or _score(e) > _score(known) or (known.why_unknown and _score(e) == _score(known)):
            found[e.position] = e
    return FileClaims.of(found.values())


def _score(e: ExpressionClaims) -> tuple[int, int]:
    """How much is known: first whether all of it is, then how many parts."""
    parts = sum(sum(part is not None for part in (c.dtype, c.weak_type, c.shape, *(c.shape or ()))) for c in e.claims)
    return e.is_dtype_known + e.is_shape_known, parts // max(1, len(e.claims))

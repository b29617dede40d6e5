"""Claims against a run: which are wrong, and how much of what came was known.

An array that came is described by a claim which says nothing else of its dtype, weak type and shape; it has to be
described by one of the claims for its expression, and for its item of a tuple.  That nothing came of what a claim says
proves nothing: another run may take another branch.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any

from arraytyping.checker.audit.observations import ArrayObservation, ExpressionObservations, Observations
from arraytyping.checker.claims import Claim, ExpressionClaims, Position, ProgramClaims

__all__ = ["Audit", "Statistics", "WrongClaim", "compare"]


@dataclass(frozen=True, slots=True)
class WrongClaim:
    """An array that came and that no claim for its expression describes."""

    file: str
    line: int
    column: int
    end_line: int
    end_column: int
    claims: tuple[Claim, ...]
    observed: ArrayObservation
    layer: str

    def __str__(self) -> str:
        claimed = " | ".join(dict.fromkeys(_spelled(claim) for claim in self.claims))
        item = f" as item {'.'.join(map(str, self.observed.item))}" if self.observed.item else ""
        place = f"{self.file}:{self.line}:{self.column}"
        return f"{place}: wrong: claimed {claimed}, observed {_spelled(self.observed)}{item}"

    def to_json(self) -> dict[str, Any]:
        """The wrong claim as JSON."""
        return {
            "file": self.file,
            "line": self.line,
            "column": self.column,
            "end_line": self.end_line,
            "end_column": self.end_column,
            "claims": [claim.to_json() for claim in self.claims],
            "observed": self.observed.to_json(),
            "layer": self.layer,
        }


@dataclass(frozen=True, slots=True)
class Statistics:
    """Counts of expressions.  The first five are of those that made a JAX array (tuples of arrays do not count)."""

    arrays: int = 0
    dtype_known: int = 0
    """Every array that came is described by a claim that knows the dtype and the weak type."""
    fully_known: int = 0
    """Every array that came is just as a claim says, with all sizes as numbers."""
    wrong: int = 0
    """An array came, here also in a tuple, that no claim describes."""
    unclaimed: int = 0
    """Nothing is claimed of them, neither dtype nor rank."""
    other: int = 0
    """Claimed as arrays, reached, and only something else came: NumPy's arrays, numbers, None."""
    unreached: int = 0
    """Claimed, and not reached in this run."""
    misplaced: int = 0
    """Claimed where no observed expression stands."""

    def __add__(self, more: Statistics) -> Statistics:
        return Statistics(*(getattr(self, f.name) + getattr(more, f.name) for f in fields(self)))

    def __str__(self) -> str:
        if not self.arrays:
            return "no array came"
        plural = "" if self.arrays == 1 else "s"
        known = f"dtype and weak type known for {self._share(self.dtype_known)}"
        full = f"every value fully known for {self._share(self.fully_known)}"
        shown = [f"{self.arrays} expression{plural} made arrays: {known}, {full}"]
        shown += [f"{self.wrong} wrong, {self.unclaimed} without a claim, {self.unreached} claimed and not reached"]
        shown += [f"{self.other} claimed where something else came"] if self.other else []
        shown += [f"{self.misplaced} claimed where no expression stands"] if self.misplaced else []
        return "; ".join(shown)

    def _share(self, known: int) -> str:
        # Rounded down, so that 100.0% means all of them.
        return f"{known} ({1000 * known // self.arrays / 10}%)"

    def to_json(self) -> dict[str, int]:
        """The counts by name."""
        return {f.name: getattr(self, f.name) for f in fields(self)}


@dataclass(frozen=True)
class Audit:
    """What the comparison came to: the wrong claims in the order of the source, and counts by file as it is shown."""

    wrong: tuple[WrongClaim, ...] = ()
    files: Mapping[str, Statistics] = field(default_factory=dict)
    not_fully_known: tuple[tuple[str, ExpressionObservations, tuple[Claim, ...]], ...] = ()
    """The expressions of which an array came that was not fully known, with what was claimed."""

    @property
    def statistics(self) -> Statistics:
        """The counts of all files."""
        return sum(self.files.values(), Statistics())

    def to_json(self) -> dict[str, Any]:
        """The audit as JSON."""
        return {
            "wrong": [w.to_json() for w in self.wrong],
            "statistics": self.statistics.to_json(),
            "files": {file: counts.to_json() for file, counts in self.files.items()},
            "not_fully_known": [
                {"file": file, **e.to_json(), "claims": [c.to_json() for c in claims]}
                for file, e, claims in self.not_fully_known
            ],
        }


def compare(claims: ProgramClaims, observations: Observations, directory: Path | None = None) -> Audit:
    """Compare what is claimed with what came; the claims' paths start from a directory (by default the current one)."""
    base = (Path.cwd() if directory is None else directory).resolve()
    claimed = {(base / name).resolve(): (name, file) for name, file in claims.files.items()}
    wrong: list[WrongClaim] = []
    files: dict[str, Statistics] = {}
    unknown: list[tuple[str, ExpressionObservations, tuple[Claim, ...]]] = []
    for path in sorted({*claimed, *observations.positions}):
        name, file = claimed.get(path, (None, None))
        name = name or (str(path.relative_to(base)) if path.is_relative_to(base) else str(path))
        by_position = _by_position(file.expressions if file is not None else ())
        counts = Statistics()
        for e in observations.files.get(path, ()):
            of_expression = by_position.get(e.position)
            found = tuple(_wrong(name, e, of_expression))
            wrong += found
            counts += _counts(e, of_expression, bool(found))
            values = tuple(c for c in (of_expression.claims if of_expression else ()) if not c.item)
            if any(not any(a.is_told_by(c) for c in values) for a in _values(e)):
                unknown.append((name, e, values))
        reached = {e.position for e in observations.files.get(path, ())}
        positions = observations.positions.get(path)
        never = [p for p in by_position if p not in reached]
        misplaced = 0 if positions is None else sum(p not in positions for p in never)
        files[name] = counts + Statistics(unreached=len(never) - misplaced, misplaced=misplaced)
    return Audit(tuple(wrong), files, tuple(unknown))


def _by_position(expressions: tuple[ExpressionClaims, ...]) -> dict[Position, ExpressionClaims]:
    return {e.position: e for e in expressions}


def _spelled(array: Claim | ArrayObservation) -> str:
    """An array with its dtype even where it is weak: two weak ones may differ in nothing else."""
    return f"weak {replace(array, weak_type=False)}" if array.weak_type and array.dtype else str(array)


def _values(e: ExpressionObservations) -> list[ArrayObservation]:
    """The JAX arrays that were the value itself."""
    return [a for a in e.arrays if a.library == "jax" and not a.item]


def _wrong(file: str, e: ExpressionObservations, claimed: ExpressionClaims | None) -> Iterator[WrongClaim]:
    if claimed is None:
        return
    anything = [c.item for c in claimed.claims if c.dtype is None and c.shape is None]
    for array in e.arrays:
        claims = tuple(c for c in claimed.claims if c.item == array.item)
        if any(array.item[: len(item)] == item for item in anything):
            continue
        # Without a claim for this item nothing is said of it, and NumPy's arrays are not spoken of.
        if array.library == "jax" and claims and not any(array.is_described_by(c) for c in claims):
            yield WrongClaim(file, *e.position, claims, array, claimed.layer)


def _counts(e: ExpressionObservations, claimed: ExpressionClaims | None, is_wrong: bool) -> Statistics:
    claims = [c for c in (claimed.claims if claimed is not None else ()) if not c.item]
    arrays = _values(e)
    if not arrays:
        is_other = bool(claims) and not any(a.library == "jax" for a in e.arrays)
        return Statistics(wrong=is_wrong, other=is_other)
    known = [c for c in claims if c.is_dtype_known]
    return Statistics(
        arrays=1,
        dtype_known=all(any(a.is_described_by(c) for c in known) for a in arrays),
        fully_known=all(any(a.is_told_by(c) for c in claims) for a in arrays),
        wrong=is_wrong,
        unclaimed=all(c.dtype is None and c.shape is None for c in claims),
    )

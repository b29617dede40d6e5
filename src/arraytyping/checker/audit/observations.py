"""What a run has shown: the arrays that each expression made, by position."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from arraytyping.checker.claims import Claim, Position
from arraytyping.scalars import KINDS
from arraytyping.semantics.shardings import Spec, cut_shape_str

__all__ = ["ArrayObservation", "ExpressionObservations", "Library", "Observations"]

Library = Literal["jax", "numpy"]


@dataclass(frozen=True, slots=True)
class ArrayObservation:
    """One array that came: its dtype by name, weak type and shape, and where it lay in a tuple or list.

    A typed key array has a dtype such as `key<fry>`.  A size that is no integer (of `jax.export`) is kept as text.
    """

    library: Library
    dtype: str
    weak_type: bool
    shape: tuple[int | str, ...]
    item: tuple[int, ...] = ()
    sharding: Spec | None = None
    """For each dimension the axes of the mesh along which it was cut; None where no mesh had to do with it."""

    def is_described_by(self, claim: Claim) -> bool:
        """Whether a claim about this item leaves room for this array; what is unknown leaves room for everything."""
        return (
            claim.dtype in (None, self.dtype)
            and (claim.weak_type in (None, self.weak_type) or self.dtype == "bool")
            and (claim.shape is None or self._has_shape(claim))
            and claim.sharding in (None, self.sharding)
        )

    def is_told_by(self, claim: Claim) -> bool:
        """Whether a claim says exactly this, with nothing unknown and no size by name."""
        is_known = claim.is_dtype_known and claim.shape is not None and all(isinstance(d, int) for d in claim.shape)
        return is_known and self.is_described_by(claim)

    def _has_shape(self, claim: Claim) -> bool:
        shape = claim.shape or ()
        return len(shape) == len(self.shape) and all(
            not isinstance(claimed, int) or not isinstance(size, int) or claimed == size
            for claimed, size in zip(shape, self.shape)
        )

    def __str__(self) -> str:
        library = "numpy " if self.library == "numpy" else ""
        weak = " (weak)" if self.weak_type and self.dtype in KINDS and self.dtype != "bool" else ""
        return f"{library}{self.dtype}{cut_shape_str(self.shape, self.sharding)}{weak}"

    def to_json(self) -> dict[str, Any]:
        """The array as JSON; `item` is there in tuples and lists only, as in a claim."""
        known: dict[str, Any] = {
            "library": self.library,
            "dtype": self.dtype,
            "weak_type": self.weak_type,
            "shape": list(self.shape),
        }
        if self.sharding is not None:
            known["sharding"] = [None if entry is None else list(entry) for entry in self.sharding]
        return {**known, "item": list(self.item)} if self.item else known


@dataclass(frozen=True, slots=True)
class ExpressionObservations:
    """What came at one expression: distinct arrays, in the order of their first coming, and the types of all else.

    `is_complete` is false where there were more distinct arrays than are kept.
    """

    line: int
    column: int
    end_line: int
    end_column: int
    arrays: tuple[ArrayObservation, ...] = ()
    others: tuple[str, ...] = ()
    is_complete: bool = True

    @property
    def position(self) -> Position:
        """Where it stands."""
        return self.line, self.column, self.end_line, self.end_column

    def to_json(self) -> dict[str, Any]:
        """The expression as JSON."""
        return {
            "line": self.line,
            "column": self.column,
            "end_line": self.end_line,
            "end_column": self.end_column,
            "arrays": [array.to_json() for array in self.arrays],
            "others": list(self.others),
            "is_complete": self.is_complete,
        }


@dataclass(frozen=True, slots=True)
class Observations:
    """The expressions that were reached, by file, in the order of the source, and the positions that could have been.

    Files are absolute and have no symbolic links in them.
    """

    files: Mapping[Path, tuple[ExpressionObservations, ...]] = field(default_factory=dict)
    positions: Mapping[Path, frozenset[Position]] = field(default_factory=dict)
    """Where an observed expression stands, reached or not."""

    def at(self, path: Path, line: int, column: int, end_line: int, end_column: int) -> ExpressionObservations | None:
        """What came at one place, or None."""
        position = (line, column, end_line, end_column)
        return next((e for e in self.files.get(path, ()) if e.position == position), None)

    def to_json(self) -> dict[str, Any]:
        """All of it as JSON, without the positions that were not reached."""
        return {"files": {str(path): [e.to_json() for e in found] for path, found in self.files.items()}}

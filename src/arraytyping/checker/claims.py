"""What is known of each array expression of a program, by position: claims, their JSON form, and how many are known.

```json
{"files": {"train.py": {"expressions": [
    {"line": 3, "column": 4, "end_line": 3, "end_column": 9,
     "claims": [{"dtype": "float32", "weak_type": false, "shape": [3, "n", null]}],
     "layer": "types", "why_unknown": "the size of dimension 2 of x is unknown"}]}}}
```

Where it is known how an array is cut over the devices of a mesh, a claim has also `"sharding": [["data"], []]`: for
each dimension the axes of the mesh along which it is cut.

Lines count from 1 and columns from 0, in UTF-8 bytes, as in `ast`.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from arraytyping.semantics.avals import Dim, Shape, ShapedArray, SymbolicDim, array_str
from arraytyping.semantics.shardings import Spec

__all__ = ["Claim", "Coverage", "ExpressionClaims", "FileClaims", "Position", "ProgramClaims", "position_of"]

Layer = Literal["types", "flow"]
"""Who claims: the types hold for every caller, the flow for this program."""

Position = tuple[int, int, int, int]
"""Line, column, last line, column after the end; lines from 1, columns from 0, in bytes of UTF-8, as in `ast`."""


def position_of(node: ast.expr | ast.stmt | ast.arg) -> Position:
    """Where a node stands; one that was made by hand and has no end ends where it begins."""
    last = node.lineno if node.end_lineno is None else node.end_lineno
    return node.lineno, node.col_offset, last, node.col_offset if node.end_col_offset is None else node.end_col_offset


@dataclass(frozen=True, slots=True)
class Claim:
    """What is known of one array; `item` says which one, where the expression is a tuple of arrays."""

    dtype: str | None = None
    weak_type: bool | None = None
    shape: Shape | None = None
    item: tuple[int, ...] = ()
    sharding: Spec | None = None
    """For each dimension the axes of the mesh along which it is cut; None if that is not known."""

    @staticmethod
    def of(array: ShapedArray, item: tuple[int, ...] = (), sharding: Spec | None = None) -> Claim:
        """What an abstract array says, and along which axes it is cut."""
        return Claim(array.dtype, array.weak_type, array.shape, item, sharding)

    @property
    def is_dtype_known(self) -> bool:
        """Whether the dtype and the weak type are known; the weak type of a bool changes nothing."""
        return self.dtype is not None and (self.weak_type is not None or self.dtype == "bool")

    @property
    def is_shape_known(self) -> bool:
        """Whether the rank and all sizes are known (also by a name)."""
        return self.shape is not None and None not in self.shape

    def __str__(self) -> str:
        return array_str(self.dtype, self.weak_type, self.shape, self.sharding)

    def to_json(self) -> dict[str, Any]:
        """The claim as JSON."""
        shape = None if self.shape is None else [d.name if isinstance(d, SymbolicDim) else d for d in self.shape]
        known: dict[str, Any] = {"dtype": self.dtype, "weak_type": self.weak_type, "shape": shape}
        if self.sharding is not None:
            known["sharding"] = [None if entry is None else list(entry) for entry in self.sharding]
        return {**known, "item": list(self.item)} if self.item else known

    @staticmethod
    def from_json(data: Mapping[str, Any]) -> Claim:
        """The claim that `to_json` wrote."""
        shape = data["shape"]
        dims = None if shape is None else tuple(map(_dim, shape))
        cut = data.get("sharding")
        sharding = None if cut is None else tuple(None if entry is None else tuple(entry) for entry in cut)
        return Claim(data["dtype"], data["weak_type"], dims, tuple(data.get("item", ())), sharding)


def _dim(data: Any) -> Dim:
    if isinstance(data, str):
        return SymbolicDim(data)
    if data is None or isinstance(data, int):
        return data
    raise ValueError(f"a size is an integer, a name or null, and {data!r} was given")


@dataclass(frozen=True, slots=True)
class ExpressionClaims:
    """What is known of the arrays that one expression makes.

    Several claims without an `item` are alternatives: one of these, in the layer of types; in that of flow, each of
    these at some time.  `why_unknown` is there exactly if something is not known.
    """

    line: int
    column: int
    end_line: int
    end_column: int
    claims: tuple[Claim, ...]
    layer: Layer = "types"
    why_unknown: str | None = None

    @property
    def position(self) -> Position:
        """Where it stands."""
        return self.line, self.column, self.end_line, self.end_column

    @property
    def is_dtype_known(self) -> bool:
        """Whether the dtype and the weak type are known, of all arrays."""
        distinct = {(c.item, c.dtype, c.weak_type) for c in self.claims}
        return self._is_one(distinct) and all(c.is_dtype_known for c in self.claims)

    @property
    def is_shape_known(self) -> bool:
        """Whether the rank and all sizes are known, of all arrays."""
        return self._is_one({(c.item, c.shape) for c in self.claims}) and all(c.is_shape_known for c in self.claims)

    def _is_one(self, distinct: set[Any]) -> bool:
        """Whether each array has one value only; flow's alternatives are all real, so there they count as known."""
        return bool(self.claims) and (self.layer == "flow" or len(distinct) == len({c.item for c in self.claims}))

    def __str__(self) -> str:
        by_item: dict[tuple[int, ...], list[str]] = {}
        for claim in self.claims:
            by_item.setdefault(claim.item, []).append(str(claim))
        return ", ".join(" | ".join(alternatives) for alternatives in by_item.values()) or "?[...]"

    def to_json(self) -> dict[str, Any]:
        """The expression as JSON."""
        return {
            "line": self.line,
            "column": self.column,
            "end_line": self.end_line,
            "end_column": self.end_column,
            "claims": [claim.to_json() for claim in self.claims],
            "layer": self.layer,
            "why_unknown": self.why_unknown,
        }

    @staticmethod
    def from_json(data: Mapping[str, Any]) -> ExpressionClaims:
        """The expression that `to_json` wrote."""
        position = (data["line"], data["column"], data["end_line"], data["end_column"])
        claims = tuple(map(Claim.from_json, data["claims"]))
        return ExpressionClaims(*position, claims, data["layer"], data["why_unknown"])


@dataclass(frozen=True, slots=True)
class Coverage:
    """How many array expressions there are, and of how many dtype and shape are known."""

    expressions: int = 0
    dtypes: int = 0
    shapes: int = 0

    def __add__(self, other: Coverage) -> Coverage:
        return Coverage(self.expressions + other.expressions, self.dtypes + other.dtypes, self.shapes + other.shapes)

    def __str__(self) -> str:
        if not self.expressions:
            return "no array expressions"
        plural = "" if self.expressions == 1 else "s"
        return (
            f"{self.expressions} array expression{plural}: dtype known for {self._share(self.dtypes)}, "
            f"shape for {self._share(self.shapes)}"
        )

    def _share(self, known: int) -> str:
        # Rounded down, so that 100% means all of them.
        return f"{known} ({100 * known // self.expressions}%)"


@dataclass(frozen=True, slots=True)
class FileClaims:
    """The array expressions of one file, in the order of the source."""

    expressions: tuple[ExpressionClaims, ...] = ()

    @staticmethod
    def of(expressions: Iterable[ExpressionClaims]) -> FileClaims:
        """Put expressions into the order of the source; an outer one comes before the inner ones."""
        return FileClaims(tuple(sorted(expressions, key=_position)))

    @property
    def coverage(self) -> Coverage:
        """How many are known."""
        return Coverage(
            len(self.expressions),
            sum(e.is_dtype_known for e in self.expressions),
            sum(e.is_shape_known for e in self.expressions),
        )

    @property
    def unknown(self) -> tuple[ExpressionClaims, ...]:
        """The expressions of which something is not known."""
        return tuple(e for e in self.expressions if not (e.is_dtype_known and e.is_shape_known))

    def to_json(self) -> dict[str, Any]:
        """The file as JSON."""
        return {"expressions": [e.to_json() for e in self.expressions]}

    @staticmethod
    def from_json(data: Mapping[str, Any]) -> FileClaims:
        """The file that `to_json` wrote."""
        return FileClaims(tuple(map(ExpressionClaims.from_json, data["expressions"])))


def _position(e: ExpressionClaims) -> tuple[int, int, int, int]:
    return e.line, e.column, -e.end_line, -e.end_column


@dataclass(frozen=True, slots=True)
class ProgramClaims:
    """The files of a program, by path as they are shown."""

    files: Mapping[str, FileClaims] = field(default_factory=dict)

    @property
    def coverage(self) -> Coverage:
        """How many are known, in all files."""
        return sum((file.coverage for file in self.files.values()), Coverage())

    def to_json(self) -> dict[str, Any]:
        """The program as JSON."""
        return {"files": {path: file.to_json() for path, file in self.files.items()}}

    @staticmethod
    def from_json(data: Mapping[str, Any]) -> ProgramClaims:
        """The program that `to_json` wrote."""
        return ProgramClaims({path: FileClaims.from_json(file) for path, file in data["files"].items()})

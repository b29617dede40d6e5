"""What one device holds of the arrays that go into a jitted function and come out of it.

Where it is not known how an array is cut over the devices, a device holds at most the whole of it.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from arraytyping.semantics.shardings import Spec, entry_str, part_shape

__all__ = ["HeldArray", "Holding"]


@dataclass(frozen=True, slots=True)
class HeldArray:
    """One array: its name among the arguments or results, and how it is cut; `cut` is None if that is not known."""

    name: str
    dtype: str
    shape: tuple[int, ...]
    itemsize: int
    cut: Spec | None = None
    axes: tuple[tuple[str, int], ...] = ()
    """The axes of the mesh, with their sizes."""

    @property
    def part(self) -> tuple[int, ...]:
        """The shape of what one device holds, or all of it."""
        return self.shape if self.cut is None else part_shape(self.cut, dict(self.axes), self.shape)

    @property
    def bytes(self) -> int:
        """How many bytes one device holds, or at most."""
        return math.prod(self.part) * self.itemsize

    @property
    def sharding(self) -> str:
        """How it is cut, as a spec: `P('data', None)`; `?` if that is not known."""
        return "?" if self.cut is None else f"P({', '.join(entry_str(e) or '-' for e in self.cut)})"

    def to_json(self) -> dict[str, Any]:
        """The array as JSON."""
        cut = None if self.cut is None else [None if entry is None else list(entry) for entry in self.cut]
        return {
            "name": self.name, "dtype": self.dtype, "shape": list(self.shape), "itemsize": self.itemsize,
            "sharding": cut, "mesh": dict(self.axes), "shape_per_device": list(self.part),
            "bytes_per_device": self.bytes, "is_bound": self.cut is None,
        }  # fmt: skip

    @staticmethod
    def from_json(data: Mapping[str, Any]) -> HeldArray:
        """The array that `to_json` wrote."""
        cut = None if data["sharding"] is None else tuple(None if e is None else tuple(e) for e in data["sharding"])
        shape, axes = tuple(data["shape"]), tuple(data["mesh"].items())
        return HeldArray(data["name"], data["dtype"], shape, data["itemsize"], cut, axes)


@dataclass(frozen=True, slots=True)
class Holding:
    """The arguments and results of one jitted function, where it is first called with arrays of these shapes."""

    function: str
    path: str
    line: int
    devices: int
    arguments: tuple[HeldArray, ...]
    results: tuple[HeldArray, ...]
    unknown: int = 0
    """How many arrays are left out, of which dtype or shape are not known."""

    @staticmethod
    def sum(arrays: Iterable[HeldArray]) -> tuple[int, Literal["", "at most "]]:
        """The bytes that one device holds of several arrays, and whether that is a bound."""
        found = list(arrays)
        return sum(a.bytes for a in found), "at most " if any(a.cut is None for a in found) else ""

    def to_json(self) -> dict[str, Any]:
        """All of it as JSON."""
        return {
            "function": self.function, "path": self.path, "line": self.line, "devices": self.devices,
            "arguments": [a.to_json() for a in self.arguments], "results": [a.to_json() for a in self.results],
            "bytes_of_arguments": self.sum(self.arguments)[0], "bytes_of_results": self.sum(self.results)[0],
            "is_bound": any(a.cut is None for a in (*self.arguments, *self.results)), "unknown": self.unknown,
        }  # fmt: skip

    @staticmethod
    def from_json(data: Mapping[str, Any]) -> Holding:
        """What `to_json` wrote."""
        arguments = tuple(map(HeldArray.from_json, data["arguments"]))
        results = tuple(map(HeldArray.from_json, data["results"]))
        place = data["function"], data["path"], data["line"], data["devices"]
        return Holding(*place, arguments, results, data["unknown"])

"""What one device holds of the arrays that go into a jitted function and come out of it.

Where it is not known how an array is cut over the devices, a device holds at most the whole of it.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal

from arraytyping.semantics.shardings import Spec, entry_str, part_shape

__all__ = ["HeldArray", "Holding"]

_LARGE: Final = 1 << 20
"""From how many bytes on an array is worth a remark."""
_ROOT: Final = re.compile(r"argument \d+|\w*")
"""The name of an argument, at the beginning of that of an array in it."""


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
    def type_str(self) -> str:
        """Its dtype and shape."""
        return f"{self.dtype}[{', '.join(map(str, self.shape))}]"

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
    closed_over: tuple[HeldArray, ...] = ()
    """Arrays that the function takes from outside of itself."""

    @property
    def states(self) -> dict[str, tuple[HeldArray, ...]]:
        """The arrays of each argument: parameters, the state of an optimizer, a batch."""
        found: dict[str, list[HeldArray]] = {}
        for array in self.arguments:
            found.setdefault(_ROOT.match(array.name)[0], []).append(array)  # type: ignore[index]
        return {name: tuple(arrays) for name, arrays in found.items()}

    @property
    def remarks(self) -> tuple[str, ...]:
        """Large arrays that every device holds whole, though others of the state are cut, or as constants."""
        said = []
        for name, arrays in self.states.items():
            cut = [a for a in arrays if a.cut is not None and any(a.cut)]
            least = max((_LARGE, *(a.bytes for a in cut)))
            for array in arrays if cut else ():
                if array.bytes >= least and not (array.cut is not None and any(array.cut)):
                    how = "no sharding is known of it" if array.cut is None else "every device holds it whole"
                    others = "another array" if len(cut) == 1 else f"{len(cut)} others"
                    said.append(
                        f"{array.name} ({array.type_str}) has {array.bytes:,} bytes and {how}, while {others} of "
                        f"{name} {'is' if len(cut) == 1 else 'are'} cut: give it a sharding that cuts it"
                    )
        said += [
            f"{array.name} ({array.type_str}) is taken from outside of {self.function}: it is a constant of what is "
            f"compiled, and every device holds its {array.bytes:,} bytes: make it an argument"
            for array in self.closed_over
            if array.bytes >= _LARGE
        ]
        return tuple(said)

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
            "bytes_of_each_argument": {name: self.sum(arrays)[0] for name, arrays in self.states.items()},
            "closed_over": [a.to_json() for a in self.closed_over], "remarks": list(self.remarks),
        }  # fmt: skip

    @staticmethod
    def from_json(data: Mapping[str, Any]) -> Holding:
        """What `to_json` wrote."""
        arguments = tuple(map(HeldArray.from_json, data["arguments"]))
        results = tuple(map(HeldArray.from_json, data["results"]))
        place = data["function"], data["path"], data["line"], data["devices"]
        closed_over = tuple(map(HeldArray.from_json, data["closed_over"]))
        return Holding(*place, arguments, results, data["unknown"], closed_over)

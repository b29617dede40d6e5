"""For how many devices a run is followed, and what the program has asked of them."""

from __future__ import annotations

from typing import Any, Final

from arraytyping.checker.device_counts import Machine
from arraytyping.checker.flow.state.run_slots import RunSlot

__all__ = ["DEVICES", "MACHINE", "DevicesAsked"]


class DevicesAsked:
    """The number of devices of a run, and what its program has asked of them.

    `count` is 0 where it is not known.  `is_asked` says that the program has looked at the devices; `wanted` is the
    greatest mesh that it makes of numbers of its own, `own` the number that it sets itself.
    """

    __slots__ = ("count", "is_asked", "own", "wanted")

    def __init__(self, count: int = 0, is_asked: bool = False, wanted: int = 0, own: int = 0) -> None:
        self.count: int = count
        self.is_asked: bool = is_asked
        self.wanted: int = wanted
        self.own: int = own

    def add(self, other: DevicesAsked) -> None:
        """Let this say what another part of the program asks as well."""
        self.count = max(self.count, other.count)
        self.is_asked |= other.is_asked
        self.wanted = max(self.wanted, other.wanted)
        self.own = max(self.own, other.own)

    @property
    def again(self) -> int:
        """With how many devices the program has to be followed again; 0 if it has been with those that it asks for."""
        if self.own and self.own != self.count:
            return self.own
        return self.wanted if not self.count and self.wanted > 1 else 0

    def remark(self, name: str) -> str:
        """What the user should know of how an entry point of this name was followed; empty if nothing."""
        if self.own:
            return f"{name} sets the number of its devices itself, so it was followed with {self.own}"
        if self.is_asked and not self.count:
            return (
                f"{name} asks for its devices, of which the number is not known: "
                "--devices N, or devices = N in [tool.arraytyping], checks it for N"
            )
        return ""

    def to_json(self) -> list[Any]:
        """It as JSON."""
        return [self.count, self.is_asked, self.wanted, self.own]

    @staticmethod
    def from_json(data: Any) -> DevicesAsked:
        """What `to_json` wrote."""
        return DevicesAsked(*data)


DEVICES: Final[RunSlot[DevicesAsked]] = RunSlot("the devices of the run", DevicesAsked)
MACHINE: Final[RunSlot[Machine]] = RunSlot("what is configured of the machine", Machine)

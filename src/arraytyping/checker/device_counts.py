"""For which devices a program is checked: the keys `devices`, `processes` and `device_kind`, the option `--devices`.

```toml
devices = 512                     # or "auto", or a list, [1, 8, 512]
devices = {"pkg.train:main" = [8, 512], "scripts/evaluate.py" = 8}
```

`auto` is what the program's own mesh asks for, and otherwise a number that is not known.

Source: https://docs.jax.dev/en/latest/sharded-computation.html; a host can pretend any number of devices.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final, NamedTuple

__all__ = [
    "BYTES_PER_DEVICE",
    "DeviceCountError",
    "DeviceCounts",
    "Machine",
    "counts_from_text",
    "counts_from_toml",
    "pretended",
    "pretending",
]

BYTES_PER_DEVICE: Final = 120_000
"""What a pretended device costs of memory, measured with 4,096 of them."""
_FLAG: Final = "--xla_force_host_platform_device_count"
_MOST: Final = 1 << 13
_ALLOWED: Final = f'a number of devices from 1 to {_MOST}, a list of such numbers, or "auto"'


_PLATFORMS: Final = {
    "cpu$": "cpu", "TPU": "tpu", "NVIDIA|Tesla|Quadro|GeForce|AMD|Radeon": "gpu",
}  # fmt: skip
"""The beginnings of kinds of devices, and their platforms."""


_NONE: Final[Mapping[str, tuple[int, ...]]] = {}


class DeviceCountError(ValueError):
    """What was given is no number of devices; the message says what is allowed."""


class DeviceCounts(NamedTuple):
    """The numbers of devices that are pretended, one after another; none means `auto`."""

    default: tuple[int, ...] = ()
    by_entry: Mapping[str, tuple[int, ...]] = _NONE
    """Those of single entry points, by their names."""

    def of(self, *names: str) -> tuple[int, ...]:
        """Those for an entry point that has these names; `(0,)` stands for `auto`."""
        found = next((self.by_entry[name] for name in names if name in self.by_entry), self.default)
        return found or (0,)

    @property
    def most(self) -> int:
        """The greatest number."""
        return max((*self.default, *(n for counts in self.by_entry.values() for n in counts)), default=0)

    def to_json(self) -> Any:
        """All of it as JSON."""
        return [list(self.default), {name: list(counts) for name, counts in self.by_entry.items()}]


class Machine(NamedTuple):
    """What else is known of the machine that is meant: 0 and "" stand for what is not."""

    processes: int = 0
    """Over how many processes its devices are spread, as many for each."""
    kind: str = ""
    """What jax gives as the `device_kind` of its devices."""

    @property
    def platform(self) -> str:
        """The platform of devices of this kind, as jax names it."""
        return next((name for pattern, name in _PLATFORMS.items() if re.match(pattern, self.kind)), "")

    def check_shared(self, devices: DeviceCounts) -> None:
        """Hold numbers of devices against that of the processes.

        Raises:
            DeviceCountError: if one of them cannot be spread evenly.
        """
        for count in (*devices.default, *(n for counts in devices.by_entry.values() for n in counts)):
            if self.processes and count % self.processes:
                raise DeviceCountError(
                    f"{count} devices cannot be spread evenly over {self.processes} processes: "
                    "give a multiple of processes"
                )


def counts_from_toml(given: Any) -> DeviceCounts:
    """What a value of TOML says.

    Raises:
        DeviceCountError: if it is none.
    """
    if isinstance(given, dict):
        return DeviceCounts((), {name: _counts(value) for name, value in given.items()})
    return DeviceCounts(_counts(given))


def counts_from_text(given: str) -> DeviceCounts:
    """What an option says: `8`, `1,8,512` or `auto`.

    Raises:
        DeviceCountError: if it is none.
    """
    parts = [part.strip() for part in given.split(",")]
    if parts == ["auto"]:
        return DeviceCounts()
    if not all(re.fullmatch(r"[0-9]{1,9}", part) for part in parts):
        raise DeviceCountError(f"{given!r} is no number of devices: give {_ALLOWED} (1,8,512)")
    return DeviceCounts(_counts([int(part) for part in parts]))


def pretending(flags: str, count: int) -> str:
    """The environment variable `XLA_FLAGS` with which a host pretends so many devices."""
    others = [flag for flag in flags.split() if not flag.startswith(_FLAG)]
    return " ".join([*others, f"{_FLAG}={count}"])


def pretended(flags: str) -> int:
    """How many devices `XLA_FLAGS` asks the host to pretend; 0 if it says nothing of them."""
    found = re.findall(rf"{_FLAG}=([0-9]{{1,9}})\b", flags)
    return int(found[-1]) if found else 0


def _counts(given: Any) -> tuple[int, ...]:
    if given == "auto" and isinstance(given, str):
        return ()
    numbers = given if isinstance(given, list) and given else [given]
    for number in numbers:
        if type(number) is not int or not 1 <= number <= _MOST:
            raise DeviceCountError(f"{number!r} is no number of devices: it must be {_ALLOWED}")
    return tuple(dict.fromkeys(numbers))

"""The table `[tool.arraytyping]` of pyproject.toml: what is configured, for a program and for each of its modules.

```toml
[tool.arraytyping]
promotion = "standard"          # or "strict", or the path of a lattice, "lattice.toml"
x64 = "auto"                    # or true, false
redefinition = true             # array variables may be bound again to another shape
enable = ["array-nan"]          # error codes that are reported besides those by default
flow = false                    # whether mypy also reports what flow finds
entry_points = ["pkg.train:main", "scripts/run.py --steps 3", "pkg.cli"]    # where flow begins
memory = 4                      # gigabytes that flow may use for one entry point
devices = 512                   # for how many devices it is checked, or [1, 8, 512], or "auto"
processes = 64                  # over how many processes the devices are spread
device_kind = "TPU v4"          # what they are
extend-exclude = ["generated"]  # as .gitignore has them; so are exclude and include
respect-gitignore = true
baseline = "arraytyping-baseline.json"
cache-dir = "~/.cache/arraytyping"              # where reports are kept, which several may share
recording = "data/arraytyping-boundary.json"    # what `arraytyping record` keeps

[[tool.arraytyping.overrides]]
module = "pkg.solvers.*"        # a pattern as mypy's are, or a list of them
x64 = true
```

Source: patterns match and win as in https://mypy.readthedocs.io/en/stable/config_file.html#per-module-and-global-options.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple, TypeAlias

from arraytyping.checker.device_counts import (
    BYTES_PER_DEVICE,
    DeviceCountError,
    DeviceCounts,
    Machine,
)
from arraytyping.checker.file_selection import Selection

if TYPE_CHECKING:
    from arraytyping.semantics.lattice import Lattice
    from arraytyping.semantics.promotion.description import OwnLattice

__all__ = [
    "ConfigError",
    "ModuleSettings",
    "Override",
    "Promotion",
    "Settings",
    "promotion_fingerprint",
]

Mode = Literal["standard", "strict"]
Promotion: TypeAlias = "Mode | OwnLattice"
X64 = bool | Literal["auto"]


class ConfigError(ValueError):
    """The table is malformed; the message is one sentence that names the file, the key and what is allowed."""


class ModuleSettings(NamedTuple):
    """What is configured for one module."""

    promotion: Promotion = "standard"
    x64: X64 = "auto"

    @property
    def mode(self) -> Mode:
        """JAX's mode of promotion; "standard" under a lattice of one's own, which stands in its place."""
        return _mode(self.promotion)

    @property
    def lattice(self) -> Lattice | None:
        """The lattice that stands in place of JAX's own."""
        return _lattice(self.promotion)


class Override(NamedTuple):
    """What is configured for the modules that match a pattern; None leaves a setting as it is."""

    promotion: Promotion | None = None
    x64: X64 | None = None

    def applied_to(self, settings: ModuleSettings) -> ModuleSettings:
        """These settings, where this override says nothing else."""
        return ModuleSettings(
            settings.promotion if self.promotion is None else self.promotion,
            settings.x64 if self.x64 is None else self.x64,
        )


_NONE: Final[Mapping[str, Override]] = {}


class _Configured(NamedTuple):
    promotion: Promotion = "standard"
    x64: X64 = "auto"
    redefinition: bool = True
    overrides: Mapping[str, Override] = _NONE
    file: Path | None = None
    flow: bool = False
    entry_points: tuple[str, ...] = ()
    memory: float = 4.0
    """Gigabytes that flow may use for one entry point."""
    devices: DeviceCounts = DeviceCounts()
    machine: Machine = Machine()
    selection: Selection = Selection()
    """Which files of a directory are checked."""
    baseline: Path | None = None
    """Where the mistakes are that are known."""
    enable: tuple[str, ...] = ()
    """The codes that are reported besides those by default."""
    traced: tuple[str, int, int] | tuple[str, int, int, int, int] | None = None
    """The file, line and column of which a command asks how the dtypes came about."""
    stand_ins: tuple[Path, ...] = ()
    """Directories with modules that are interpreted in the place of libraries."""
    cache_dir: Path | None = None
    """Where reports of entry points are kept, if not beside the table."""
    recording: Path | None = None
    """Where `arraytyping record` keeps what came from outside, if not beside the program or at the project's root."""


class Settings(_Configured):
    """What is configured for a program; `file` is where it was read, None if there is no table.

    At each start of mypy one is made, and a dataclass of so many fields takes several times as long to import.
    """

    @property
    def project(self) -> Path:
        """The directory of the project: that of the table, else the current one."""
        return Path.cwd() if self.file is None else self.file.resolve().parent

    def with_devices(self, devices: DeviceCounts) -> Settings:
        """These settings for other numbers of devices.

        Raises:
            DeviceCountError: if the memory does not suffice for them, or the processes cannot share them.
        """
        self.machine.check_shared(devices)
        if devices.most * BYTES_PER_DEVICE > self.memory * 1e9:
            most = int(self.memory * 1e9 / BYTES_PER_DEVICE)
            raise DeviceCountError(
                f"{devices.most} devices need more than the {self.memory:g} GB of memory that flow may use: "
                f"set memory higher, or at most {most} devices"
            )
        return self._replace(devices=devices)

    @property
    def mode(self) -> Mode:
        """As that of `ModuleSettings`, where no override says anything else."""
        return _mode(self.promotion)

    @property
    def lattice(self) -> Lattice | None:
        """As that of `ModuleSettings`, where no override says anything else."""
        return _lattice(self.promotion)

    def for_module(self, name: str) -> ModuleSettings:
        """What holds in a module: the most specific pattern wins, of unstructured ones (`a.*.b`) the last."""
        found = self._modules.get(name)
        if found is None:
            found = self._modules[name] = self._find(name)
        return found

    @cached_property
    def may_be_automatic(self) -> bool:
        """Whether x64 is to be decided from the program for some module."""
        return self.x64 == "auto" or any(o.x64 == "auto" for o in self.overrides.values())

    def fingerprint(self) -> dict[str, Any]:
        """Whatever may change an answer, as JSON with string keys; where it was written is left out."""
        return {
            "promotion": promotion_fingerprint(self.promotion),
            "x64": self.x64,
            "redefinition": self.redefinition,
            "overrides": [[name, promotion_fingerprint(o.promotion), o.x64] for name, o in self.overrides.items()],
            "flow": self.flow,
            "enable": sorted(self.enable),
            "entry_points": list(self.entry_points) if self.flow else [],
            "devices": self.devices.to_json() if self.flow else [],
            "machine": list(self.machine) if self.flow else [],
            "stand_ins": [_text_below(directory) for directory in self.stand_ins] if self.flow else [],
        }

    @cached_property
    def _modules(self) -> dict[str, ModuleSettings]:
        """What `for_module` has found; patterns without an inner `*` are in it from the start, parents first."""
        found: dict[str, ModuleSettings] = {}
        structured = [name for name in self.overrides if "*" not in name[:-1]]
        parents = sorted(name for name in structured if name.endswith(".*"))
        for name in (*parents, *(name for name in structured if not name.endswith(".*"))):
            found[name] = self.overrides[name].applied_to(self._inherited(name, found))
        return found

    def _find(self, name: str) -> ModuleSettings:
        return self._inherited(name, self._modules)

    def _inherited(self, name: str, found: Mapping[str, ModuleSettings]) -> ModuleSettings:
        settings = ModuleSettings(self.promotion, self.x64)
        parts = name.split(".")
        for i in range(len(parts), 0, -1):
            if (parent := ".".join((*parts[:i], "*"))) in found:
                settings = found[parent]
                break
        if not name.endswith(".*"):
            for pattern, regex in self._globs:
                if regex.fullmatch(name):
                    settings = self.overrides[pattern].applied_to(settings)
        return settings

    @cached_property
    def _globs(self) -> tuple[tuple[str, re.Pattern[str]], ...]:
        return tuple((name, _glob(name)) for name in self.overrides if "*" in name[:-1])


def _mode(promotion: Promotion) -> Mode:
    return promotion if isinstance(promotion, str) else "standard"


def _lattice(promotion: Promotion) -> Lattice | None:
    return None if isinstance(promotion, str) else promotion.lattice


def promotion_fingerprint(promotion: Promotion | None) -> Any:
    """What of a promotion may change an answer, as JSON: a lattice counts by what it holds, not by its file."""
    return promotion if promotion is None or isinstance(promotion, str) else promotion.fingerprint()


def _glob(pattern: str) -> re.Pattern[str]:
    """A pattern with an inner `*`, which stands for any number of components, also none."""
    first, *rest = pattern.split(".")
    return re.compile(
        (".*" if first == "*" else re.escape(first))
        + "".join(r"(\..*)?" if part == "*" else re.escape("." + part) for part in rest)
    )


def _text_below(directory: Path) -> list[list[str]]:
    """The text of each module in a directory."""
    return [
        [str(path.relative_to(directory)), hashlib.sha256(path.read_bytes()).hexdigest()]
        for path in sorted(directory.rglob("*.py"))
        if path.is_file()
    ]

"""The settings as they stand in pyproject.toml: read, and held against what is allowed."""

from __future__ import annotations

import difflib
import json
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from arraytyping.checker.device_counts import (
    DeviceCountError,
    Machine,
    counts_from_toml,
)
from arraytyping.checker.file_selection import Selection
from arraytyping.checker.opt_in_codes import OPT_IN_CODES
from arraytyping.checker.settings import ConfigError, Override, Settings
from arraytyping.regular_files import read_regular_text

if TYPE_CHECKING:
    from arraytyping.semantics.promotion.description import OwnLattice

__all__ = ["load_settings", "unknown_code"]

_ALLOWED: Final[dict[str, tuple[bool | str, ...]]] = {
    "promotion": ("standard", "strict"),
    "x64": (True, False, "auto"),
    "redefinition": (True, False),
    "flow": (True, False),
    "respect_gitignore": (True, False),
}
"""The values of each key that takes one."""
_MOST_MEMORY: Final = 64
_PATTERNS: Final = ("exclude", "extend_exclude", "include")
_KEYS: Final = (
    *_ALLOWED, "enable", "entry_points", "memory", "devices", "processes", "device_kind", "overrides", *_PATTERNS,
    "baseline", "stand_ins", "recording", "cache_dir",
)  # fmt: skip
_MODULE_KEYS: Final = ("module", "promotion", "x64")


def load_settings(start: Path | None = None, config_file: Path | None = None) -> Settings:
    """Read the settings: from `config_file` if it is a TOML file, else from the first table found upwards of `start`.

    `start` is a directory, the current one by default.  The search goes up to the root of the repository (`.git`,
    `.hg`), as mypy's does; a file without the table is passed by.  Without a table everything is as by default.

    Raises:
        ConfigError: if a file cannot be read, is no TOML, or its table is malformed.
    """
    given = config_file is not None and config_file.suffix == ".toml"
    files = (config_file,) if given else _candidates(start or Path.cwd())
    for file in files:
        assert file is not None
        table = _read(file)
        if table is not None:
            return _settings(table, file)
    return Settings()


def _candidates(start: Path) -> Iterator[Path]:
    start = start.resolve()
    for directory in (start, *start.parents):
        if (file := directory / "pyproject.toml").is_file():
            yield file
        if any((directory / root).exists() for root in (".git", ".hg")):
            return


def _read(file: Path) -> Any:
    try:
        document = tomllib.loads(read_regular_text(file))
    except OSError as error:
        raise ConfigError(f"{_shown(file)}: cannot be read: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise ConfigError(f"{_shown(file)}: is not UTF-8, as TOML must be: byte {error.start} is no text") from None
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"{_shown(file)}: is not valid TOML: {error}") from None
    tool = document.get("tool", {})
    return tool.get("arraytyping") if isinstance(tool, dict) else None


def _settings(table: Any, file: Path) -> Settings:
    place = f"{_shown(file)}: [tool.arraytyping]"
    if not isinstance(table, dict):
        raise ConfigError(f"{_shown(file)}: tool.arraytyping must be a table, and {_toml(table)} was given")
    table = {key.replace("-", "_") if key.replace("-", "_") in _KEYS else key: value for key, value in table.items()}
    _refuse_unknown_keys(table, _KEYS, place)
    values = {key: _value(table, key, place, file) for key in _ALLOWED if key in table}
    selection = _selection(table, values.pop("respect_gitignore", True), place, file)
    entry_points = _entry_points(table.get("entry_points", []), place)
    overrides = _overrides(table.get("overrides", []), file)
    memory = _memory(table.get("memory", 4.0), place)
    settings = Settings(
        **values,
        overrides=overrides,
        file=file,
        entry_points=entry_points,
        memory=memory,
        selection=selection,
        enable=_enabled(table.get("enable", []), place),
        baseline=_file(table.get("baseline"), "baseline", place, file),
        cache_dir=_directory(table.get("cache_dir"), place, file),
        recording=_file(table.get("recording"), "recording", place, file),
        stand_ins=_stand_ins(table.get("stand_ins", []), place, file),
        machine=Machine(_processes(table.get("processes"), place), _device_kind(table.get("device_kind"), place)),
    )
    try:
        return settings.with_devices(counts_from_toml(table.get("devices", "auto")))
    except DeviceCountError as error:
        raise ConfigError(f"{place} devices: {error}") from None


def _selection(table: Mapping[str, Any], respect_gitignore: bool, place: str, file: Path) -> Selection:
    given = {}
    for key in _PATTERNS:
        if key not in table:
            continue
        patterns = table[key]
        if not isinstance(patterns, list) or not all(isinstance(p, str) and p for p in patterns):
            shown = key.replace("_", "-")
            raise ConfigError(f"{place} {shown} = {_toml(patterns)}: it must be a list of patterns as in .gitignore")
        given[key] = tuple(patterns)
    return Selection(**given, respect_gitignore=respect_gitignore, root=file.parent)


def _file(given: Any, key: str, place: str, file: Path) -> Path | None:
    if given is not None and (not isinstance(given, str) or not given):
        raise ConfigError(f"{place} {key} = {_toml(given)}: it must be the path of a file")
    return None if given is None else file.parent / given


def _directory(given: Any, place: str, file: Path) -> Path | None:
    if given is not None and (not isinstance(given, str) or not given):
        raise ConfigError(f"{place} cache-dir = {_toml(given)}: it must be the path of a directory")
    return None if given is None else file.parent / Path(given).expanduser()


def _enabled(given: Any, place: str) -> tuple[str, ...]:
    if not isinstance(given, list) or not all(isinstance(name, str) for name in given):
        raise ConfigError(f'{place} enable = {_toml(given)}: it must be a list of error codes, such as ["array-nan"]')
    if (why := unknown_code(given)) is not None:
        raise ConfigError(f"{place} enable has {why}")
    return tuple(given)


def unknown_code(names: Sequence[str]) -> str | None:
    """What is wrong with the first of these names that is no code which can be enabled; None if all are."""
    for name in names:
        if name not in OPT_IN_CODES:
            near = difflib.get_close_matches(name, OPT_IN_CODES, 1)
            hint = f"; did you mean {_toml(near[0])}?" if near else ""
            return f"{_toml(name)}: the codes that can be enabled are {_listed(OPT_IN_CODES)}{hint}"
    return None


def _stand_ins(given: Any, place: str, file: Path) -> tuple[Path, ...]:
    if not isinstance(given, list) or not all(isinstance(name, str) and name for name in given):
        raise ConfigError(f"{place} stand-ins = {_toml(given)}: it must be a list of directories")
    for name in given:
        if not (file.parent / name).is_dir():
            raise ConfigError(f"{place} stand-ins has {_toml(name)}: it is no directory beside {_shown(file)}")
    return tuple(file.parent / name for name in given)


def _memory(given: Any, place: str) -> float:
    if isinstance(given, bool) or not isinstance(given, int | float) or not 1 <= given <= _MOST_MEMORY:
        raise ConfigError(f"{place} memory = {_toml(given)}: it must be a number of gigabytes from 1 to {_MOST_MEMORY}")
    return float(given)


def _processes(given: Any, place: str) -> int:
    if given is None:
        return 0
    if type(given) is not int or given < 1:
        raise ConfigError(f"{place} processes = {_toml(given)}: it must be a number of processes, at least 1")
    return given


def _device_kind(given: Any, place: str) -> str:
    if given is not None and (not isinstance(given, str) or not given):
        shown = f"{place} device_kind = {_toml(given)}"
        raise ConfigError(
            f'{shown}: it must be a text as jax gives it, such as "TPU v4", "NVIDIA H100 80GB HBM3" or "cpu"'
        )
    return given or ""


def _entry_points(given: Any, place: str) -> tuple[str, ...]:
    allowed = 'a module and a function "pkg.train:main", a file "scripts/run.py", or a module "pkg.cli"'
    if not isinstance(given, list) or not all(isinstance(entry, str) for entry in given):
        raise ConfigError(f"{place} entry_points = {_toml(given)}: it must be a list of strings: {allowed}")
    for text in given:
        entry = _first_word(text, place)
        module, colon, function = entry.partition(":")
        is_file = entry.endswith(".py")
        is_name = all(part.isidentifier() for part in module.split(".")) and (function.isidentifier() or not colon)
        if not is_file and not is_name:
            raise ConfigError(f"{place} entry_points has {_toml(text)}: an entry point is {allowed}")
    return tuple(given)


def _first_word(text: str, place: str) -> str:
    """An entry point without the arguments behind it."""
    import shlex  # where entry points are written only

    try:
        words = shlex.split(text)
    except ValueError as error:
        raise ConfigError(f"{place} entry_points has {_toml(text)}, which is no command line: {error}") from None
    return words[0] if words else ""


def _overrides(entries: Any, file: Path) -> dict[str, Override]:
    place = f"{_shown(file)}: [[tool.arraytyping.overrides]]"
    if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
        raise ConfigError(f"{place} must be an array of tables: write it in double brackets")
    found: dict[str, dict[str, Any]] = {}
    for entry in entries:
        _refuse_unknown_keys(entry, _MODULE_KEYS, place)
        values = {key: _value(entry, key, place, file) for key in _MODULE_KEYS[1:] if key in entry}
        for pattern in _patterns(entry, place):
            known = found.setdefault(pattern, {})
            for key, value in values.items():
                if known.setdefault(key, value) != value:
                    raise ConfigError(
                        f"{place} gives {key} twice for module {_toml(pattern)}, "
                        f"as {_given(known[key])} and as {_given(value)}; keep one"
                    )
    return {pattern: Override(**values) for pattern, values in found.items()}


def _patterns(entry: Mapping[str, Any], place: str) -> list[str]:
    if "module" not in entry:
        raise ConfigError(f'{place} needs a key "module": a pattern such as "pkg.*", or a list of them')
    given = entry["module"]
    patterns = [given] if isinstance(given, str) else given
    if not isinstance(patterns, list) or not all(isinstance(p, str) for p in patterns):
        raise ConfigError(f"{place} module = {_toml(given)}: it must be a string or a list of strings")
    for pattern in patterns:
        if pattern == "*":
            raise ConfigError(f'{place} module = "*": for all modules set the keys in [tool.arraytyping] itself')
        if not all(part == "*" or re.fullmatch(r"[^\s*?\[\]!,.]+", part) for part in pattern.split(".")):
            raise ConfigError(
                f"{place} module = {_toml(pattern)}: it must be a full module name, "
                f'in which "*" may stand for whole components, such as "pkg.*" or "pkg.*.tests"'
            )
    return patterns


def _value(table: Mapping[str, Any], key: str, place: str, file: Path) -> Any:
    value, allowed = table[key], _ALLOWED[key]
    if any(type(value) is type(a) and value == a for a in allowed):
        return value
    if key == "promotion" and isinstance(value, str) and value.endswith((".toml", ".json")):
        return _load_lattice(value, place, file)
    names = [str(a).lower() for a in allowed]
    given = value if isinstance(value, str) else str(value)
    near = [] if given.lower() in ("true", "false") else difflib.get_close_matches(given.lower(), names, 1)
    if isinstance(value, str) and value.lower() in ("true", "false") and value.lower() in names:
        hint = f"; did you mean {value.lower()}, without quotes?"
    else:
        hint = f"; did you mean {_toml(allowed[names.index(near[0])])}?" if near else ""
    every = [*map(_toml, allowed), *([_A_LATTICE] if key == "promotion" else [])]
    raise ConfigError(f"{place} {key} = {_toml(value)}: allowed are {_listed(every)}{hint}")


_A_LATTICE: Final = 'the path of a lattice such as "lattice.toml"'


def _load_lattice(path: str, place: str, file: Path) -> OwnLattice:
    """The lattice in a file, which is relative to the directory of the settings."""
    from arraytyping.semantics.promotion.description import LatticeError, load  # few programs have one

    try:
        found = load(file.parent / path)
        found.check_for_arrays()
    except LatticeError as error:
        raise ConfigError(f"{place} promotion = {_toml(path)}: {error}") from None
    return found


def _refuse_unknown_keys(table: Mapping[str, Any], known: tuple[str, ...], place: str) -> None:
    for key in table:
        if key not in known:
            near = difflib.get_close_matches(key, known, 1)
            hint = f'; did you mean "{near[0]}"?' if near else ""
            raise ConfigError(f"{place} has no key {_toml(key)}: allowed are {_listed(known)}{hint}")


def _listed(names: Any) -> str:
    *first, last = names
    return f"{', '.join(first)} and {last}"


def _given(value: Any) -> str:
    """A value of a setting as it was given; a lattice by its name."""
    return f"the lattice {value.name}" if hasattr(value, "lattice") else _toml(value)


def _toml(value: Any) -> str:
    """A value as TOML writes it."""
    try:
        return json.dumps(value, ensure_ascii=False)
    except TypeError:  # a date
        return str(value)


def _shown(file: Path) -> str:
    """A path as messages show it: relative to the current directory where it lies under it."""
    try:
        return file.resolve().relative_to(Path.cwd().resolve()).as_posix()
    except ValueError:
        return str(file)

"""The file `arraytyping-boundary.json`: what was recorded of each program, sorted, to be read and committed."""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from arraytyping.checker.boundary.sites import Site
from arraytyping.checker.boundary.structures import Structure, from_json, map_sizes, to_json
from arraytyping.regular_files import read_regular_text

__all__ = [
    "NAME",
    "BoundaryError",
    "Recording",
    "digest_of",
    "read_recordings",
    "recording_path",
    "recording_places",
    "shown",
    "write_recordings",
]

NAME: Final = "arraytyping-boundary.json"
_VERSION: Final = 1
_KEY: Final = "arraytyping-boundary"
_WIDTH: Final = 110
_LISTED: Final = 6
"""What is indented less is not put on one line."""


class BoundaryError(ValueError):
    """A file of recordings cannot be used; the message is one sentence."""


@dataclass(frozen=True)
class Recording:
    """What was recorded of one program: what each site gave."""

    entries: Mapping[Site, Structure] = field(default_factory=dict)
    sizes: Mapping[str, Site] = field(default_factory=dict)
    """For the name of a size that several sites have: the one that gives it first."""
    arguments: frozenset[str] = frozenset()
    """With which arguments it ran, by their digests."""

    def without_sizes(self) -> Recording:
        """What holds with other arguments: structures, dtypes and ranks."""
        entries = {site: map_sizes(structure, lambda size: None) for site, structure in self.entries.items()}
        return Recording(entries, {}, self.arguments)


def digest_of(arguments: Sequence[str]) -> str:
    """What is kept of the arguments of a run."""
    return hashlib.sha256(json.dumps(list(arguments)).encode()).hexdigest()[:12] if arguments else "none"


def recording_path(program: Path, given: Path | None, project: Path | None) -> Path | None:
    """The file with recordings: the one that is named, or beside the program, or at the root of its project."""
    if given is not None:
        return given
    return next((file for file in recording_places(program, given, project) if file.is_file()), None)


def recording_places(program: Path, given: Path | None, project: Path | None) -> list[Path]:
    """The files that may be the one with recordings, the first that is there before the others."""
    if given is not None:
        return [given]
    return [place / NAME for place in (program.resolve().parent, *(() if project is None else (project.resolve(),)))]


def read_recordings(file: Path) -> dict[str, Recording]:
    """The recordings in a file, by the program's path from the directory of the file.

    Raises:
        BoundaryError: if it cannot be read, or is another version's or malformed.
    """
    again = "record the program again with `arraytyping record` after removing it"
    try:
        data = json.loads(read_regular_text(file))
    except OSError as error:
        raise BoundaryError(f"{shown(file)} cannot be read: {error.strerror}: {again}") from None
    except (ValueError, RecursionError) as error:
        raise BoundaryError(f"{shown(file)} is no JSON ({error}): {again}") from None
    version = data.get(_KEY) if isinstance(data, dict) else None
    if version != _VERSION:
        raise BoundaryError(
            f"{shown(file)} has version {json.dumps(version)}, and this arraytyping reads version {_VERSION}: {again}"
        )
    programs = data.get("programs")
    if not isinstance(programs, dict):
        raise BoundaryError(f"{shown(file)} has no programs: {again}")
    try:
        return {name: _recording(program) for name, program in programs.items()}
    except ValueError as error:
        raise BoundaryError(f"{shown(file)} was changed by hand: {error}; mend it, or {again}") from None


def _recording(data: Any) -> Recording:
    if not isinstance(data, dict) or not isinstance(data.get("calls"), dict):
        raise ValueError("a program has no calls")
    entries: dict[Site, Structure] = {}
    for file, functions in data["calls"].items():
        if not isinstance(functions, dict) or not all(isinstance(texts, dict) for texts in functions.values()):
            raise ValueError(f"the calls of {file} are not sorted by functions")
        for function, texts in functions.items():
            for text, structure in texts.items():
                site = Site(file, function, text)
                try:
                    entries[site] = from_json(structure)
                except ValueError as error:
                    raise ValueError(f"{site}: {error}") from None
    sizes: dict[str, Site] = {}
    for name, place in (data.get("sizes") or {}).items():
        if not isinstance(place, list) or len(place) != 3 or not all(isinstance(part, str) for part in place):
            raise ValueError(f"the size {name} is not said to begin at a call: [file, function, text]")
        sizes[name] = Site(*place)
    arguments = data.get("arguments")
    if not isinstance(arguments, list) or not all(isinstance(digest, str) for digest in arguments):
        raise ValueError("a program has no list of arguments")
    return Recording(entries, sizes, frozenset(arguments))


def write_recordings(file: Path, recordings: Mapping[str, Recording]) -> None:
    """Write a file as a whole, sorted.

    Raises:
        BoundaryError: if it cannot be written.
    """
    programs = {name: _to_json(recording) for name, recording in sorted(recordings.items())}
    text = _text({_KEY: _VERSION, "programs": programs}, 0)
    try:
        descriptor, partial = tempfile.mkstemp(dir=file.parent, prefix=f".{file.name}.")
        with os.fdopen(descriptor, "w", encoding="utf-8") as opened:
            opened.write(f"{text}\n")
        Path(partial).chmod(0o644)
        Path(partial).replace(file)
    except OSError as error:
        raise BoundaryError(f"{shown(file)} cannot be written: {error.strerror}") from None


def _text(data: Any, indent: int) -> str:
    """JSON with what fits on one line."""
    line = json.dumps(data, ensure_ascii=False)
    if not isinstance(data, dict | list) or (indent + len(line) <= _WIDTH and indent >= _LISTED):
        return line
    margin = " " * (indent + 2)
    if isinstance(data, list):
        return "[\n" + ",\n".join(f"{margin}{_text(item, indent + 2)}" for item in data) + f"\n{' ' * indent}]"
    parts = [f"{margin}{json.dumps(k, ensure_ascii=False)}: {_text(v, indent + 2)}" for k, v in data.items()]
    return "{\n" + ",\n".join(parts) + f"\n{' ' * indent}}}"


def _to_json(recording: Recording) -> dict[str, Any]:
    calls: dict[str, dict[str, dict[str, Any]]] = {}
    for site, structure in sorted(recording.entries.items(), key=lambda entry: entry[0]):
        calls.setdefault(site.file, {}).setdefault(site.function, {})[site.text] = to_json(structure)
    sizes = {name: [s.file, s.function, s.text] for name, s in sorted(recording.sizes.items())}
    return {"arguments": sorted(recording.arguments), "calls": calls, **({"sizes": sizes} if sizes else {})}


def shown(file: Path) -> str:
    """A path as it is shown: from the current directory, where it lies under it."""
    relative = os.path.relpath(file)
    return str(file) if relative.startswith(os.pardir) else relative

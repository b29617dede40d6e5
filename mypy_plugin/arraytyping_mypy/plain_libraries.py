"""What plain mypy need not read again: libraries out of the plugin's cache, as plain mypy itself would have them.

Of a first run nearly all the time goes into the libraries, jax above all, in which the plugin changes little.  So their
modules are taken over, without the type parameters that the plugin gives, and only the program is left to plain mypy.
As `plain_build.py`, it uses what is private in mypy: the format of its cache.  Of another format nothing is taken, and
what does not fit mypy itself reads again.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any, Final

from mypy.options import Options

from arraytyping.checker.swallowed import swallow
from arraytyping_mypy.fingerprint import CHECKED, DECLARATIONS
from arraytyping_mypy.names import is_installed

__all__ = ["FORMAT", "lend"]

_META: Final = ".meta.ff"
FORMAT: Final = 11
"""The version of mypy's cache that is understood here."""
_FEW: Final = 100
"""So many modules mypy reads in the time that it takes to look through a cache."""
_TABLE: Final = "CREATE TABLE IF NOT EXISTS files2 (path TEXT UNIQUE NOT NULL, mtime REAL, data BLOB)"
_STUBS: Final = f"{os.sep}jax-stubs{os.sep}"
"""Our stubs of jax, of which the plugin makes others."""


def lend(lender: str, options: Options) -> None:
    """Fill the cache that these options name with the libraries of another, where many of these are not in it."""
    version = "{}.{}".format(*options.python_version)
    there, here = Path(lender, version), Path(options.cache_dir, version)
    try:
        known = _names(here)
        if len(_names(there) - known) > _FEW and _is_understood(options):
            modules = {name: meta for name, meta in _libraries(there, options) if name not in known}
            if modules:
                _copy(there, here, modules)
    except (ImportError, AttributeError, ValueError, AssertionError, TypeError, sqlite3.Error, OSError) as error:
        swallow(error)
        _remove(here)


def _is_understood(options: Options) -> bool:
    """Whether the cache has the format that is known here, and the libraries are read in the same way."""
    from mypy.cache import CACHE_VERSION

    is_known = options.sqlite_cache and options.fixed_format_cache and CACHE_VERSION == FORMAT
    return bool(is_known and options.local_partial_types)


def _libraries(there: Path, options: Options) -> Iterator[tuple[str, bytes]]:
    """What the cache calls each module that can be taken over, and its metadata as plain mypy writes them."""
    from librt.internal import ReadBuffer, WriteBuffer, cache_version
    from mypy.cache import CACHE_VERSION, CacheMeta

    head = bytes([cache_version(), CACHE_VERSION])
    for file in _databases(there):
        for name, _, data in _rows(file, f"%{_META}"):
            meta = CacheMeta.read(ReadBuffer(data[2:]), "") if data[:2] == head else None
            ours = None if meta is None else _ours(meta.plugin_data)
            if meta is None or ours is None or not _is_library(meta, ours, options):
                continue
            meta.plugin_data.remove(ours)
            if not any(meta.plugin_data):
                meta.plugin_data = None
            meta.options = meta.options | _options(meta.id, options)
            buffer = WriteBuffer()
            meta.write(buffer)
            yield name.removesuffix(_META), head + buffer.getvalue()


def _ours(plugin_data: Any) -> dict[str, Any] | None:
    """What this plugin has noted of a module, among what all plugins have."""
    noted = plugin_data if isinstance(plugin_data, list) else []
    return next((d for d in noted if d == DECLARATIONS or (isinstance(d, dict) and d.keys() == CHECKED)), None)


def _is_library(meta: Any, ours: Mapping[str, Any], options: Options) -> bool:
    """Whether a module is one that the plugin's build reads as plain mypy does, but for the types of arrays."""
    if ours != DECLARATIONS and not (meta.ignore_all and is_installed(meta.path)):
        return False  # it is checked, or may be
    if meta.path.endswith(".pyi"):  # in which no variable is bound twice
        return _STUBS not in meta.path
    package = meta.id.partition(".")[0]
    # Modules of ours, on which those of jax hang in the plugin's cache, bind no variable to another type.
    return package == "arraytyping" or f"{package}.*" in options.per_module_options


def _options(module: str, options: Options) -> dict[str, Any]:
    """What mypy notes of the options of a module."""
    from librt.internal import WriteBuffer
    from mypy.cache import write_json_value
    from mypy.util import hash_digest

    platform, values = options.clone_for_module(module).select_options_affecting_cache()
    buffer = WriteBuffer()
    write_json_value(buffer, values)  # type: ignore[arg-type]
    return {"platform": platform, "other_options": hash_digest(buffer.getvalue())}


def _copy(there: Path, here: Path, modules: Mapping[str, bytes]) -> None:
    """Make databases with these modules, of which the metadata are given."""
    from arraytyping_mypy.plain_types import plain_types

    here.mkdir(parents=True, exist_ok=True)
    for file in _databases(there):
        rows = []
        for name, mtime, data in _rows(file, "%.ff"):
            stem, kind, _ = name.rsplit(".", 2)
            if stem in modules:
                made = modules[stem] if kind == "meta" else plain_types(name, data) if kind == "data" else data
                rows.append((name, mtime, made))
        with closing(sqlite3.connect(here / file.name)) as copy, copy:
            copy.execute(_TABLE)
            copy.executemany("INSERT INTO files2 (path, mtime, data) VALUES (?, ?, ?)", rows)


def _names(folder: Path) -> set[str]:
    """What a cache calls the modules that are in it."""
    found: set[str] = set()
    for file in _databases(folder):
        with closing(sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro", uri=True)) as database:
            paths = database.execute("SELECT path FROM files2 WHERE path LIKE ?", (f"%{_META}",))
            found.update(path.removesuffix(_META) for (path,) in paths)
    return found


def _databases(folder: Path) -> list[Path]:
    return sorted(folder.glob("cache*.db"))


def _rows(file: Path, pattern: str) -> Iterator[tuple[str, float, bytes]]:
    """What a database holds whose name is like this; mypy may be writing to it."""
    with closing(sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro", uri=True)) as database:
        yield from database.execute("SELECT path, mtime, data FROM files2 WHERE path LIKE ?", (pattern,))


def _remove(folder: Path) -> None:
    """Undo what was begun."""
    for file in _databases(folder):
        file.unlink(missing_ok=True)
    if folder.is_dir():
        folder.rmdir()

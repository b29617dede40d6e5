"""Mypy's caches with jax and numpy in them, made once, kept between test runs, and copied for each that uses one.

To analyse the sources of jax takes mypy twenty seconds of CPU, and to read them from its cache one second.  A cache is
made when a test first needs it, for each set of options by which mypy tells modules in a cache apart, and kept in
pytest's own cache under a digest of what it hangs on.  Workers wait for one another, and each copies it: in a copy a
test may do as it likes.  Tests about cold runs take an empty directory instead.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Final

__all__ = ["USUAL", "VARIABLE", "cache_for", "digest", "kept", "lasting", "locked", "usual_copy", "warm_copy"]

VARIABLE: Final = "ARRAYTYPING_WARM_CACHES"
"""Where they are kept; how the place gets to the workers."""
ROOT: Final = Path(__file__).parent.parent
LIBRARIES: Final = ("jax", "jaxlib", "numpy", "jaxtyping", "flax", "optax", "equinox", "mypy")
GENERATIONS: Final = 3
"""How many are kept of different sources and releases: those who go back and forth find theirs."""
PROGRAM: Final = """\
import dataclasses, functools, json, math, os, sys, time, typing
import numpy
import jax, jax.numpy, jax.random, jax.lax, jax.nn, jax.scipy.special, jax.scipy.stats, jax.sharding, jax.tree_util
import jax.experimental.shard_map
import jaxtyping
"""
ASKING: Final = "numpy.zeros('shape', order=3)\nlen(3)\n"
"""Wrong calls, of which the plugin asks what plain mypy says: where that has a cache of its own, it is made, too."""


@cache
def _generation() -> str:
    """A digest of the sources that decide what is in a cache, and of the releases."""
    known = hashlib.sha256("\0".join([sys.version, sys.prefix, PROGRAM, ASKING]).encode())
    for name in LIBRARIES:
        known.update(version(name).encode())
    for folder in ("mypy_plugin", "stubs"):  # of what else has changed, mypy itself knows
        for path in sorted((ROOT / folder).rglob("*.py*")):
            if path.suffix in (".py", ".pyi"):
                known.update(path.read_bytes())
    return known.hexdigest()[:16]


@cache
def kept() -> Path | None:
    """The directory of this state of the sources, if caches are kept."""
    if not (given := os.environ.get(VARIABLE)):
        return None
    directory = Path(given, _generation())
    directory.mkdir(parents=True, exist_ok=True)
    os.utime(directory)
    generations = [p for p in Path(given).iterdir() if re.fullmatch("[0-9a-f]{16}", p.name)]
    for old in sorted(generations, key=lambda p: -p.stat().st_mtime)[GENERATIONS:]:
        shutil.rmtree(old, ignore_errors=True)
    return directory


@contextmanager
def locked(name: str) -> Iterator[None]:
    """Alone among the workers, where that can be had."""
    directory = kept()
    try:
        import fcntl
    except ImportError:  # Windows: at worst something is made twice
        yield
        return
    if directory is None:
        yield
        return
    with (directory / f"{name}.lock").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def lasting(name: str) -> Path | None:
    """A directory that is kept whatever changes, for what finds out itself what has: such as a cache of mypy's."""
    if not (given := os.environ.get(VARIABLE)):
        return None
    directory = Path(given, name)
    directory.mkdir(parents=True, exist_ok=True)
    return directory


def digest(parts: Sequence[str]) -> str:
    """A short name for options."""
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:10]


def warm_copy(copy: Path, name: str, command: Sequence[str], directory: Path, program: str = PROGRAM + ASKING) -> Path:
    """`copy`, with mypy's cache after a `command` on a program that imports much, in a directory with a configuration.

    In the command, `{cache}` and `{program}` stand for the paths.
    """
    if copy.exists():
        return copy
    home = kept()
    if home is None:
        copy.mkdir(parents=True)
        return copy
    with locked(name):
        made = home / name
        if not made.exists():
            partial, file = home / f"{name}.{os.getpid()}", home / f"{name}.program" / "warm.py"
            file.parent.mkdir(exist_ok=True)
            file.write_text(program)
            filled = [part.format(cache=partial, program=file) for part in command]
            kept_out = ("JAX_ENABLE_X64", "MYPY_CACHE_DIR")
            environ = {k: v for k, v in os.environ.items() if k not in kept_out} | {"MYPY_CACHE_DIR": str(partial)}
            subprocess.run([sys.executable, *filled], cwd=directory, capture_output=True, env=environ)
            partial.mkdir(exist_ok=True)
            partial.rename(made)
    shutil.copytree(made, copy)
    return copy


_ABOUT_OUTPUT: Final = re.compile(r"-O|json|-v|-n|\d|--no-incremental|--(show|hide|no-pretty|pretty|no-error).*")
"""Options that say how a run goes or what it prints: mypy's cache does not hang on them."""


USUAL: Final = '[tool.mypy]\nplugins = ["arraytyping_mypy"]'
_USUAL_COMMAND: Final = ("-m", "mypy", "--cache-dir", "{cache}", "{program}")


def usual_copy(copy: Path) -> Path:
    """`copy`, with the cache of mypy with the plugin alone, for an environment of which much is the same.

    What is another file there, or lies elsewhere and differs, mypy reads anew.
    """
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "pyproject.toml").write_text(USUAL)
        return warm_copy(copy, "mypy", _USUAL_COMMAND, Path(folder))


def cache_for(directory: Path, caches: Path, config: str, options: Sequence[str]) -> Path:
    """A cache in `caches` for runs of mypy under a configuration, that is written to `directory`, and options."""
    # What is ours changes no option of a library: that of redefinition is the program's alone.
    everywhere = config.partition("[tool.arraytyping]")[0].partition("[[tool.mypy.overrides]]")[0]
    relevant = [o for o in options if not _ABOUT_OUTPUT.fullmatch(o)]
    is_usual = everywhere.strip() == USUAL and not relevant
    name = "mypy" if is_usual else f"mypy-{digest([everywhere.strip(), *relevant])}"
    if everywhere.count("plugins =") and "arraytyping_mypy" not in everywhere:
        return caches / name  # of another plugin: used once
    command = ["-m", "mypy", "--cache-dir", "{cache}", *relevant, "{program}"]
    return warm_copy(caches / name, name, command, directory, PROGRAM + ASKING * is_usual)

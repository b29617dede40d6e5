"""The Python environment of a program: the interpreter that it runs with, and whether jax is installed there.

arraytyping may be installed beside the program, or on its own (`uvx`, `pipx`, pre-commit).  Looked at are, in this
order, `VIRTUAL_ENV`, `CONDA_PREFIX`, the nearest `.venv` upwards of what is checked and of the current directory, and
the environment of arraytyping itself; the first in which jax is installed is the program's.  conda's base environment
comes after `.venv`, since conda activates it where nobody asked for it.
"""

from __future__ import annotations

import importlib.metadata
import importlib.util
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from arraytyping.checker.checked_in import holds_environment

__all__ = ["OLDEST_PYTHON", "Environment", "NoEnvironmentError", "Search", "find_environment", "inspect_environment"]

OLDEST_PYTHON: Final = (3, 11)
"""The oldest Python in which flow can be run."""
_SECONDS: Final = 60.0
"""How long an interpreter may take to say what it is."""
_OWN: Final = "the environment of arraytyping itself"

# It has to run in any Python 3; what an older one cannot import is not there.
_PROBE: Final = """\
import sys
sys.path[:] = [p for p in sys.path if p]
import json
jax, version = False, None
try:
    import importlib.util
    spec = importlib.util.find_spec("jax")
    jax = spec is not None and spec.origin is not None
    import importlib.metadata
    version = importlib.metadata.version("jax") if jax else None
except Exception:
    pass
print(json.dumps([list(sys.version_info[:2]), jax, version]))
"""


class NoEnvironmentError(ValueError):
    """An interpreter or an environment cannot be used; the message is one sentence."""


@dataclass(frozen=True, slots=True)
class Environment:
    """An interpreter, how it was found, and what it has."""

    python: str
    origin: str
    version: tuple[int, int]
    jax: str | None
    """The version of jax, "" where it says none; None if jax is not installed."""

    @property
    def is_own(self) -> bool:
        """Whether it is the interpreter that runs us."""
        return self.python == sys.executable

    @property
    def runs_flow(self) -> bool:
        """Whether flow can be run in it."""
        return self.version >= OLDEST_PYTHON


@dataclass(frozen=True, slots=True)
class Search:
    """The environment that was found, what had been looked at, and what of that could not be used."""

    environment: Environment
    looked_at: tuple[str, ...]
    refused: tuple[str, ...] = ()


def find_environment(paths: Sequence[Path], environ: Mapping[str, str] | None = None) -> Search:
    """The environment of the program in these files and directories: the first with jax; without any our own."""
    looked_at: list[str] = []
    refused: list[str] = []
    for folder, origin in _candidates(paths, os.environ if environ is None else environ):
        looked_at.append(origin)
        if folder is not None and folder.name == ".venv" and origin == str(folder) and holds_environment(folder):
            refused.append(f"{origin} is part of the repository, so it is not run unless --python names it")
            continue
        try:
            found = _own(origin) if folder is None else inspect_environment(folder, origin)
        except NoEnvironmentError as error:
            refused.append(str(error))
            continue
        if found.jax is not None:
            return Search(found, tuple(looked_at), tuple(refused))
    return Search(_own(_OWN), tuple(looked_at), tuple(refused))


def inspect_environment(path: Path, origin: str) -> Environment:
    """What an interpreter, or the one in the folder of an environment, says of itself; `origin` is how it was found.

    Raises:
        NoEnvironmentError: if there is none, or it does not answer.
    """
    python = _interpreter(path)
    if python is None:
        raise NoEnvironmentError(f"{origin}: {path} is neither an interpreter nor the folder of an environment")
    if _is_own(python):
        return _own(origin)
    try:
        done = subprocess.run(
            [str(python), "-c", _PROBE],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=_SECONDS,
        )
        (major, minor), has_jax, jax = json.loads(done.stdout.splitlines()[-1])
    except subprocess.TimeoutExpired:
        raise NoEnvironmentError(f"{origin}: {python} did not answer within {_SECONDS:.0f} s") from None
    except OSError as error:
        raise NoEnvironmentError(f"{origin}: {python} cannot be run: {error.strerror}") from None
    except (ValueError, TypeError, LookupError):
        raise NoEnvironmentError(f"{origin}: {python} does not work as an interpreter of Python 3") from None
    return Environment(str(python), origin, (major, minor), (jax or "") if has_jax else None)


def _candidates(paths: Sequence[Path], environ: Mapping[str, str]) -> Iterator[tuple[Path | None, str]]:
    """The folders of environments, each with its name for the user; None is our own."""
    if environ.get("VIRTUAL_ENV"):
        yield Path(environ["VIRTUAL_ENV"]), f"VIRTUAL_ENV ({environ['VIRTUAL_ENV']})"
    conda = environ.get("CONDA_PREFIX")
    is_base = environ.get("CONDA_DEFAULT_ENV") in ("base", "root")
    if conda and not is_base:
        yield Path(conda), f"CONDA_PREFIX ({conda})"
    for folder in dict.fromkeys(f for p in (*paths, Path.cwd()) if (f := _venv_above(p)) is not None):
        yield folder, str(folder)
    if conda and is_base:
        yield Path(conda), f"CONDA_PREFIX ({conda})"
    yield None, _OWN


def _venv_above(path: Path) -> Path | None:
    """The nearest `.venv` in a directory, that of a file, or in one above it."""
    path = path.absolute()
    for directory in (path, *path.parents):
        if (directory / ".venv" / "pyvenv.cfg").is_file():
            return directory / ".venv"
    return None


def _interpreter(path: Path) -> Path | None:
    """The interpreter that a path means: a file, or what lies in the folder of an environment where it always lies."""
    if path.is_dir():
        names = ("Scripts/python.exe", "python.exe") if os.name == "nt" else ("bin/python", "bin/python3")
        # A link that leads nowhere is an interpreter that cannot be run, of which the user should hear.
        return next((path / name for name in names if os.path.lexists(path / name)), None)
    if path.is_file() or path.is_symlink():
        return path.absolute()  # a name without a folder would be looked for where the commands are
    found = shutil.which(path.name) if path.name == str(path) else None
    return None if found is None else Path(found)


def _is_own(python: Path) -> bool:
    """Whether an interpreter is ours: those of many environments are links to one file."""
    return python.absolute() == Path(sys.executable) or (
        python.parent.resolve() == Path(sys.executable).parent.resolve()
        and python.resolve() == Path(sys.executable).resolve()
    )


def _own(origin: str) -> Environment:
    spec = importlib.util.find_spec("jax")
    jax = None
    if spec is not None and spec.origin is not None:
        try:
            jax = importlib.metadata.version("jax")
        except importlib.metadata.PackageNotFoundError:
            jax = ""
    return Environment(sys.executable, origin, sys.version_info[:2], jax)

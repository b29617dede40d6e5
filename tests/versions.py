"""Runs the tests under every version of jax, mypy and Python that is claimed: `python tests/versions.py [--quick]`.

Each row of `ENVIRONMENTS` becomes a virtual environment in the system's temporary directory, which is kept for the
next run; a table says how each did, and the exit code is 1 if one failed.  `--quick` runs the programs of
`typecheck_cases/` and the private parts of mypy alone; names choose rows: `python tests/versions.py "jax 0.8.0"`.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parent.parent
CACHE: Final = Path(tempfile.gettempdir(), "arraytyping-versions")
QUICK: Final = ("test_typecheck_cases", "test_mypy_private")
PLUGIN: Final = (*QUICK, "test_promotion_cases", "test_plugin_living", "test_plugin_answers")
RULES: Final = ("test_promotion", "test_releases")
_GROUPS: Final = tomllib.loads((ROOT / "pyproject.toml").read_text())["dependency-groups"]
DEVELOPMENT: Final = [*_GROUPS["docs"], *(p for p in _GROUPS["dev"] if isinstance(p, str))]


@dataclass(frozen=True)
class Environment:
    """The versions of one run of the tests, and which tests tell whether we work with them."""

    name: str
    python: str = "3.11"
    jax: str = "0.10.2"
    mypy: str = "2.4.1"
    tests: tuple[str, ...] = PLUGIN

    @property
    def directory(self) -> Path:
        """Where it is installed."""
        return CACHE / f"python-{self.python}-jax-{self.jax}-mypy-{self.mypy}"

    @property
    def interpreter(self) -> Path:
        """Its Python."""
        return self.directory / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


ENVIRONMENTS: Final = (
    Environment("oldest of all", jax="0.8.0", mypy="2.0.0"),
    Environment("jax 0.8.0", jax="0.8.0", tests=(*PLUGIN, *RULES)),
    Environment("jax 0.9.2", jax="0.9.2", tests=(*PLUGIN, *RULES)),
    Environment("mypy 2.0.0", mypy="2.0.0"),
    Environment("mypy 2.2.0", mypy="2.2.0"),
    Environment("newest of all", tests=(*PLUGIN, *RULES)),
    Environment("Python 3.12", python="3.12", tests=(*PLUGIN, *RULES)),
    Environment("Python 3.13", python="3.13", tests=(*PLUGIN, *RULES)),
)


def interpreter_of(version: str) -> str | None:
    """An installed Python of this version; None leaves it to uv, which downloads one."""
    if sys.version_info[:2] == tuple(map(int, version.split("."))):
        return sys.executable
    kept = sorted(Path.home().glob(f".pyenv/versions/{version}.*/bin/python"))  # its shim on the path may refuse
    return str(kept[-1]) if kept else shutil.which(f"python{version}")


def install(environment: Environment) -> None:
    """Make the environment, unless it is there already.

    Raises:
        RuntimeError: if it cannot be made, with the installer's message.
    """
    done = environment.directory / "installed"
    if done.exists():
        return
    shutil.rmtree(environment.directory, ignore_errors=True)
    python = interpreter_of(environment.python)
    others = [p for p in DEVELOPMENT if not p.startswith("arraytyping")]
    wanted = [f"jax=={environment.jax}", f"mypy=={environment.mypy}", *others, "--editable", f"{ROOT}[example]"]
    if _has_uv():
        uv = [sys.executable, "-m", "uv"]
        _run([*uv, "venv", "--quiet", "--python", python or environment.python, str(environment.directory)])
        _run([*uv, "pip", "install", "--quiet", "--python", str(environment.interpreter), *wanted])
    elif python is not None:
        _run([python, "-m", "venv", str(environment.directory)])
        _run([str(environment.interpreter), "-m", "pip", "install", "--quiet", *wanted])
    else:
        raise RuntimeError(f"there is no Python {environment.python} here; install it, or uv, which downloads it")
    done.touch()


def _has_uv() -> bool:
    return subprocess.run([sys.executable, "-m", "uv", "--version"], capture_output=True).returncode == 0


def _run(command: list[str]) -> None:
    done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, "UV_LINK_MODE": "copy"})
    if done.returncode:
        raise RuntimeError(f"{' '.join(command)}\n{done.stdout}{done.stderr}")


def tested(environment: Environment, tests: tuple[str, ...]) -> tuple[bool, str]:
    """Whether the tests pass there, and pytest's summary; what fails is printed."""
    try:
        install(environment)
    except RuntimeError as error:
        print(error)
        return False, "could not be installed"
    done = subprocess.run(
        [str(environment.interpreter), "-m", "pytest", "-q", "-p", "no:cacheprovider", "--tb=short",
         *(f"tests/{name}.py" for name in tests)],
        cwd=ROOT, capture_output=True, text=True,
    )  # fmt: skip
    if done.returncode:
        print(f"--- {environment.name}\n{done.stdout[-6000:]}{done.stderr[-2000:]}")
    if done.returncode < 0:
        return False, f"ended by signal {-done.returncode}"
    summary = re.findall(r"^[^\n]*\b(?:passed|failed|error)[^\n]* in [^\n]*$", done.stdout, re.MULTILINE)
    return done.returncode == 0, re.sub(r" in .*", "", summary[-1]) if summary else "did not run"


def main() -> int:
    """Run the chosen environments, one after another, and print the table."""
    parser = argparse.ArgumentParser(description="Run the tests under every supported version of jax, mypy, Python.")
    parser.add_argument("--quick", action="store_true", help="run only the shortest of the tests")
    parser.add_argument("names", nargs="*", metavar="NAME", help="the rows to run (all without one)")
    chosen = parser.parse_args()
    unknown = sorted(set(chosen.names) - {e.name for e in ENVIRONMENTS})
    if unknown:
        parser.error(f"no such row: {', '.join(unknown)}; there are: {', '.join(e.name for e in ENVIRONMENTS)}")
    rows, all_passed = [], True
    for environment in ENVIRONMENTS:
        if chosen.names and environment.name not in chosen.names:
            continue
        started = time.monotonic()
        passed, summary = tested(environment, QUICK if chosen.quick else environment.tests)
        all_passed &= passed
        seconds = f"{time.monotonic() - started:.0f} s"
        rows.append((environment.name, environment.python, environment.jax, environment.mypy,
                     "passed" if passed else "FAILED", summary, seconds))  # fmt: skip
        print(f"{environment.name}: {rows[-1][4]} ({summary})", flush=True)
    table = [("", "Python", "jax", "mypy", "", "tests", "time"), *rows]
    widths = [max(map(len, column)) for column in zip(*table)]
    print("\n".join("  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip() for row in table))
    return 0 if all_passed else 1


if __name__ == "__main__":
    sys.exit(main())

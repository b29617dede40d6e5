"""Sets up this repository with CPython 3.11 or later and pip, and runs it: `python3 dev.py example` or `... test`.

`example` checks examples/mistakes.py, in which three mistakes are planted, with `arraytyping check`; `test` runs all
tests.  Both first install what they need into `.venv`, once.  Further arguments go to `arraytyping check` or pytest.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import subprocess
import sys
from pathlib import Path

if sys.version_info < (3, 11):  # noqa: UP036 (the sentence is for those who run it with an older one)
    sys.exit(f"dev.py needs Python 3.11 or later, and this is {sys.version.split()[0]}")

import tomllib
import venv

ROOT = Path(__file__).resolve().parent
VENV = ROOT / ".venv"
MADE_HERE = VENV / "made-by-dev.py"
SCRIPTS = VENV / ("Scripts" if os.name == "nt" else "bin")
PYTHON = SCRIPTS / "python"
PARALLEL = ("-n", "2", "--dist", "loadfile")  # a file stays with one worker, since its runs of mypy share a cache


def requirements(task: str) -> list[str]:
    """What pip installs: the project with the example's libraries, and for the tests the dependency group `dev`."""
    if task == "example":
        return ["-e", ".[example]"]
    # pip reads dependency groups from 25.1 on, and Python 3.11 comes with an older one.
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    groups = project["dependency-groups"]
    own = "arraytyping["
    found: list[str] = []
    for requirement in groups["dev"]:
        several = groups[requirement["include-group"]] if isinstance(requirement, dict) else [requirement]
        for one in several:
            found += ["-e", f".[{one[len(own) :]}"] if one.startswith(own) else [one]
    return found


def install(task: str) -> None:
    """Create the environment and install into it, unless that has been done."""
    wanted = requirements(task)
    project = (ROOT / "pyproject.toml").read_bytes()
    state = hashlib.sha256(project + repr((wanted, str(ROOT))).encode()).hexdigest()
    stamp = VENV / f"installed-for-{task}"
    if is_usable() and stamp.exists() and stamp.read_text() == state:
        return
    print(f"Installing what `{task}` needs into {VENV.name}", file=sys.stderr, flush=True)
    if not is_usable():
        if VENV.exists() and not MADE_HERE.exists():
            sys.exit(f"dev.py: {VENV} has no pip or another Python, and was not made here: move it away first")
        venv.create(VENV, with_pip=True, clear=True)
        MADE_HERE.touch()
    pip = [str(PYTHON), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    if code := subprocess.run([*pip, *wanted], cwd=ROOT).returncode:
        sys.exit(f"dev.py: pip could not install what is needed (exit code {code})")
    stamp.write_text(state)


def is_usable() -> bool:
    """Whether the environment is there, with pip and of this version of Python."""
    try:
        done = subprocess.run(
            [str(PYTHON), "-c", "import pip, sys; print(sys.version)"], capture_output=True, text=True
        )
    except OSError:
        return False
    return done.returncode == 0 and done.stdout.strip() == sys.version.strip()


def run(task: str, options: list[str]) -> int:
    """Run the command in the environment; its exit code."""
    if task == "test":
        return subprocess.run([str(PYTHON), "-m", "pytest", *PARALLEL, *options], cwd=ROOT).returncode
    arguments = ["check", "examples/mistakes.py", *options]
    print("$ arraytyping", *arguments, flush=True)
    return subprocess.run([str(SCRIPTS / "arraytyping"), *arguments], cwd=ROOT).returncode


def main() -> int:
    """Install, run, and say the exit code."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n\n")[2])
    parser.add_argument("task", choices=("example", "test"))
    arguments, options = parser.parse_known_args()
    install(arguments.task)
    return run(arguments.task, options)


if __name__ == "__main__":
    sys.exit(main())

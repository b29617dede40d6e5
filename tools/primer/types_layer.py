"""What the plugin adds to plain mypy's own errors over packages of others, by file, line and code.

    PYTHONPATH=src:mypy_plugin python tools/primer/types_layer.py --venv VENV [PACKAGE...]

VENV is an environment into which the packages of `packages.toml` and this project are installed.  Each package's own
sources are copied out of it, since mypy is silent about installed ones, and checked twice: by mypy as it is, and with
the plugin.  An added error is held against `types_triage.toml`; what is not in there is shown as new, and ends the
command with 1.
"""

from __future__ import annotations

import argparse
import json
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

HERE: Final = Path(__file__).parent
OPTIONS: Final = ("--ignore-missing-imports", "--follow-imports=silent", "--check-untyped-defs", "--no-error-summary")
ERROR: Final = re.compile(r"(?P<file>[^:]+):(?P<line>\d+): error: (?P<text>.*?)  \[(?P<code>[\w-]+)\]")


@dataclass(frozen=True, order=True)
class Error:
    """One error of mypy's output."""

    file: str
    line: int
    code: str
    text: str = ""

    @property
    def place(self) -> tuple[str, int, str]:
        """What an error is known by."""
        return self.file, self.line, self.code


def errors_of(output: str) -> list[Error]:
    """The errors in mypy's output."""
    found = (ERROR.fullmatch(line) for line in output.splitlines())
    return [Error(m["file"], int(m["line"]), m["code"], m["text"]) for m in found if m is not None]


def added(plain: Iterable[Error], ours: Iterable[Error]) -> list[Error]:
    """The errors that stand in the second list alone, told apart by file, line and code."""
    known = {error.place for error in plain}
    return sorted({error for error in ours if error.place not in known})


def run_mypy(python: Path, directory: Path, sources: list[str], cache: Path, *, plugin: bool) -> list[Error]:
    """The errors of one run of mypy."""
    config = directory / ("with.toml" if plugin else "plain.toml")
    config.write_text("[tool.mypy]\n" + ('plugins = ["arraytyping_mypy"]\n' if plugin else ""))
    done = subprocess.run(
        [str(python), "-m", "mypy", *OPTIONS, "--config-file", config.name, "--cache-dir", str(cache), *sources],
        cwd=directory,
        capture_output=True,
        text=True,
    )
    if done.returncode == 2:
        raise SystemExit(f"mypy could not check {directory.name}:\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    return errors_of(done.stdout)


def installed(python: Path, module: str) -> Path:
    """Where a package lies."""
    code = f"import importlib.util as u; print(u.find_spec({module!r}).submodule_search_locations[0])"
    done = subprocess.run([str(python), "-c", code], capture_output=True, text=True, check=True)
    return Path(done.stdout.strip())


def triaged(package: str) -> Iterator[tuple[str, int, str]]:
    """The added errors of a package that were looked at and are true."""
    data = tomllib.loads((HERE / "types_triage.toml").read_text())
    for entry in data.get(package, ()):
        yield entry["file"], entry["line"], entry["code"]


def main() -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("packages", nargs="*")
    parser.add_argument("--venv", type=Path, required=True)
    parser.add_argument("--work", type=Path, default=Path(tempfile.gettempdir(), "primer-types"))
    arguments = parser.parse_args()
    python = arguments.venv.absolute() / "bin" / "python"
    pinned = tomllib.loads((HERE / "packages.toml").read_text())["packages"]
    new = 0
    print(f"{'package':14} {'plain':>6} {'plugin':>6} {'gone':>5} {'added':>5}  of them array codes, triaged, new")
    for name in arguments.packages or pinned:
        module = pinned[name]["module"]
        directory = arguments.work / name
        sources = directory / module
        if not sources.exists():
            shutil.copytree(installed(python, module), sources, ignore=shutil.ignore_patterns("__pycache__"))
        plain_file = directory / "plain.json"
        if not plain_file.exists():
            plain = run_mypy(python, directory, [module], arguments.work / "cache-plain", plugin=False)
            plain_file.write_text(json.dumps([[e.file, e.line, e.code, e.text] for e in plain]))
        plain = [Error(*e) for e in json.loads(plain_file.read_text())]
        ours = run_mypy(python, directory, [module], arguments.work / "cache-plugin", plugin=True)
        (directory / "plugin.json").write_text(json.dumps([[e.file, e.line, e.code, e.text] for e in ours]))
        more = added(plain, ours)
        known = set(triaged(name))
        arrays = [e for e in more if e.code.startswith("array-")]
        fresh = [e for e in more if e.place not in known]
        new += len(fresh)
        gone = len({e.place for e in plain} - {e.place for e in ours})
        print(
            f"{name:14} {len(plain):6} {len(ours):6} {gone:5} {len(more):5}  "
            f"{len(arrays)}, {len(more) - len(fresh)}, {len(fresh)}",
            flush=True,
        )
        for error in fresh:
            print(f"    {error.file}:{error.line}: {error.text}  [{error.code}]")
    return 1 if new else 0


if __name__ == "__main__":
    sys.exit(main())

"""What mypy with the plugin says of published packages, beside what plain mypy says; and in which time.

    python benchmarks/corpus_types.py --checkouts DIRECTORY [--show] [NAME...]

checks the packages that `benchmarks/corpus.toml` names, without flow, and prints for each repository the errors of
plain mypy, how many of them the plugin takes back (of variables that are bound again, mostly) and how many errors of
the plugin's own codes come on top: these claim that the program raises, or that an annotation is wrong, and are to be
read one by one (`--show`).  An error of mypy's own that only comes with the plugin is a mistake of ours.  The ratios of
CPU time are those of one run with an empty cache, and of one more.  As for `benchmarks/corpus.py`, which fetches the
repositories, the programs' libraries should be installed.
"""

from __future__ import annotations

import argparse
import ctypes
import json
import os
import resource
import subprocess
import sys
import tempfile
import tomllib
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from arraytyping_mypy.codes import ERROR_CODES

CORPUS = Path(__file__).with_name("corpus.toml")
_OPTIONS = """\
[mypy]
ignore_missing_imports = True
namespace_packages = True
explicit_package_bases = True
"""
_SET_CHILD_SUBREAPER = 36
_PLUGIN = "plugins = arraytyping_mypy\n"


@dataclass(frozen=True)
class Error:
    """An error as mypy tells it."""

    file: str
    line: int
    code: str
    message: str


@dataclass(frozen=True)
class Checked:
    """The errors of a run with an empty cache, and the CPU seconds of this one and of the next."""

    errors: tuple[Error, ...]
    cold: float
    warm: float


def _adopt_copies() -> None:
    """Be the parent of the copies that mypy makes of its process, which end after it, so that their time counts."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_SET_CHILD_SUBREAPER, 1)


def _wait_for_copies() -> None:
    with suppress(ChildProcessError):
        while True:
            os.wait()


def check(root: Path, packages: list[str], *, plugin: bool) -> Checked:
    """What mypy says of these folders of a checkout.

    Raises:
        SystemExit: if mypy cannot check them.
    """
    with tempfile.TemporaryDirectory() as directory:
        configuration = Path(directory, "mypy.ini")
        configuration.write_text(_OPTIONS + (_PLUGIN if plugin else ""))
        command = [sys.executable, "-m", "mypy", "--config-file", str(configuration), "--output", "json"]
        command += ["--cache-dir", str(Path(directory, "cache")), *packages]
        # Installed packages have their bytecode; a working copy has it after its first run, if it may be written.
        environ = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
        seconds = []
        for _ in range(2):
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            run = subprocess.run(command, cwd=root, capture_output=True, text=True, env=environ)
            _wait_for_copies()
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            seconds.append(after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime)
    if run.returncode not in (0, 1):
        raise SystemExit(f"mypy cannot check {root}: {(run.stderr or run.stdout).strip()[-500:]}")
    found = [json.loads(line) for line in run.stdout.splitlines() if line.startswith("{")]
    errors = tuple(
        Error(e["file"], e["line"], e["code"] or "", e["message"]) for e in found if e["severity"] == "error"
    )
    return Checked(errors, *seconds)


def main() -> None:
    """Print a line for each repository."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--checkouts", type=Path, required=True, help="the folder with the repositories as owner+name")
    parser.add_argument("--show", action="store_true", help="print the errors that come with the plugin alone")
    parser.add_argument("names", nargs="*", help="only repositories whose names contain one of these")
    options = parser.parse_args()
    _adopt_copies()
    print(f"{'repository':34}{'plain':>7}{'taken back':>12}{'ours':>6}{'new':>5}{'cold':>7}{'warm':>7}")
    for repository in tomllib.loads(CORPUS.read_text(encoding="utf-8"))["repository"]:
        name, packages = repository["name"], repository.get("packages", [])
        root = options.checkouts / name.replace("/", "+")
        if not packages or not root.is_dir() or (options.names and not any(n in name for n in options.names)):
            continue
        plain, typed = (check(root, packages, plugin=plugin) for plugin in (False, True))
        places = Counter((e.file, e.line, e.code) for e in plain.errors)
        kept = Counter((e.file, e.line, e.code) for e in typed.errors)
        extra = [e for e in typed.errors if (e.file, e.line, e.code) not in places]
        ours = [e for e in extra if e.code in ERROR_CODES]
        new = [e for e in extra if e.code not in ERROR_CODES]
        print(
            f"{name:34}{len(plain.errors):7}{(places - kept).total():12}{len(ours):6}{len(new):5}"
            f"{typed.cold / plain.cold:7.2f}{typed.warm / plain.warm:7.2f}",
            flush=True,
        )
        for error in (*ours, *new) if options.show else ():
            print(f"    {error.file}:{error.line}: {error.message}  [{error.code}]")


if __name__ == "__main__":
    main()

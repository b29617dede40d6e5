"""`--diff-base REV`: what was there before, found by checking the program as it was where the branch began."""

from __future__ import annotations

import io
import os
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from arraytyping.checker.messages.baseline import Baseline, BaselineError

__all__ = ["baseline_at"]

_OTHER: Final = ("--diff-base", "--output-format", "--baseline", "--python", "--shard", "--executor")
"""Options with a value that this run has for itself."""
_FLAGS: Final = ("--write-baseline", "--write-times", "--exit-zero", "--watch", "--add-ignores")


def baseline_at(revision: str, arguments: Sequence[str], python: str | None) -> Baseline:
    """The mistakes at the last commit that `revision` and the current one have in common.

    `arguments` are those of the command line after its command; `python` is the program's interpreter, if one is named.

    Raises:
        BaselineError: if git does not know the revision, or the program cannot be checked as it was.
    """
    top = Path(_git("rev-parse", "--show-toplevel"))
    commit = _git("merge-base", revision, "HEAD")
    given = _for_base(arguments)
    with tempfile.TemporaryDirectory(prefix="arraytyping-") as directory:
        _extract(commit, top, Path(directory))
        here = Path(directory, os.path.relpath(Path.cwd().resolve(), top.resolve()))
        here.mkdir(parents=True, exist_ok=True)
        file = Path(directory, ".arraytyping-base.json")
        command = [sys.executable, "-m", "arraytyping", "check", "--write-baseline", "--baseline", str(file)]
        done = subprocess.run(
            [*command, *([] if python is None else ["--python", python]), *given],
            cwd=here,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        )
        if done.returncode != 0:
            said = done.stderr.strip().splitlines() or [f"exit code {done.returncode}"]
            raise BaselineError(f"the program cannot be checked as it was at {commit[:12]}: {said[-1]}")
        return Baseline.read(file)


def _for_base(arguments: Sequence[str]) -> list[str]:
    """The arguments without what is for this run alone."""
    given: list[str] = []
    skips = False
    for at, argument in enumerate(arguments):
        if argument in ("--", "--mypy-args"):
            return [*given, *arguments[at:]]
        if skips:
            skips = False
        elif argument in _OTHER:
            skips = True
        elif argument not in _FLAGS and not argument.startswith(tuple(f"{option}=" for option in _OTHER)):
            given.append(argument)
    return given


def _git(*arguments: str) -> str:
    try:
        done = subprocess.run(["git", *arguments], capture_output=True, text=True, stdin=subprocess.DEVNULL)
    except OSError as error:
        raise BaselineError(f"--diff-base needs git, which cannot be run: {error.strerror}") from None
    if done.returncode:
        said = done.stderr.strip().splitlines() or ["git gives no reason"]
        raise BaselineError(f"--diff-base: git {arguments[0]} {arguments[1]}: {said[0]}")
    return done.stdout.strip()


def _extract(commit: str, top: Path, directory: Path) -> None:
    done = subprocess.run(["git", "archive", "--format=tar", commit], cwd=top, capture_output=True)
    if done.returncode:
        raise BaselineError(f"--diff-base: git cannot give the files of {commit[:12]}")
    with tarfile.open(fileobj=io.BytesIO(done.stdout)) as archive:
        archive.extractall(directory, filter="data")

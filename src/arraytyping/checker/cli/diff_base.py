"""`--diff-base REV`: what was there before, found by checking the program as it was where the branch began."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from arraytyping.checker.messages.baseline import Baseline, BaselineError

__all__ = ["baseline_at", "for_base"]

_OTHER: Final = (
    "--diff-base", "--output-format", "--baseline", "--python", "--shard", "--executor", "--stdin-filename",
)  # fmt: skip
"""Options with a value that this run has for itself."""
_FLAGS: Final = ("--write-baseline", "--write-times", "--exit-zero", "--watch", "--add-ignores")


def baseline_at(revision: str, arguments: Sequence[str], paths: Sequence[str], python: str | None) -> Baseline:
    """The mistakes at the last commit that `revision` and the current one have in common.

    `arguments` are those of the command line after its command, `paths` are what is checked; `python` is the program's
    interpreter, if one is named.

    Raises:
        BaselineError: if git does not know the revision, or the program cannot be checked as it was.
    """
    top = Path(_git("rev-parse", "--show-toplevel"))
    commit = _common(revision)
    given = for_base(arguments, paths)
    with tempfile.TemporaryDirectory(prefix="arraytyping-") as directory:
        _extract(commit, top, Path(directory, "tree"))
        here = Path(directory, "tree", os.path.relpath(Path.cwd().resolve(), top.resolve()))
        then = [path for path in map(_relative, paths) if (here / path).exists()]
        if not here.is_dir() or (paths and not then):
            return Baseline()  # all of it is new
        file = Path(directory, "base.json")
        command = [sys.executable, "-P", "-m", "arraytyping", "check", "--write-baseline", "--baseline", str(file)]
        done = subprocess.run(
            [*command, *([] if python is None else ["--python", python]), *then, *given],
            cwd=here,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        )
        if done.returncode != 0 and not file.exists():
            said = (done.stderr.strip().splitlines() or [f"exit code {done.returncode}"])[-1]
            why = "not all of it can be read" if str(file) in said else said.removeprefix("arraytyping: error: ")
            raise BaselineError(
                f"--diff-base: the program cannot be checked as it was at {commit[:12]}: {why}; check that commit "
                "alone to see more, or give another revision"
            )
        return Baseline.read(file)


def _relative(path: str) -> str:
    """A path from the current directory, so that it is another file elsewhere."""
    return os.path.relpath(Path(path).resolve(), Path.cwd().resolve()) if Path(path).is_absolute() else path


def _common(revision: str) -> str:
    """The last commit that a revision and the current one have in common."""
    try:
        known = _git("rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}")
    except BaselineError:
        raise BaselineError(
            f"--diff-base: git knows no revision {revision!r} here: fetch it, or give a branch, a tag or a commit"
        ) from None
    try:
        return _git("merge-base", known, "HEAD")
    except BaselineError:
        raise BaselineError(
            f"--diff-base: the history that is here has no commit in common of {revision!r} and HEAD: fetch more of it "
            "(git fetch --unshallow; fetch-depth: 0 in GitHub Actions)"
        ) from None


def for_base(arguments: Sequence[str], paths: Sequence[str]) -> list[str]:
    """The arguments without what is checked, and what is for this run alone."""
    left_out = {*_FLAGS, *paths, "-"}
    with_value = tuple(f"{option}=" for option in _OTHER)
    given: list[str] = []
    skips = False
    for at, argument in enumerate(arguments):
        if argument in ("--", "--mypy-args"):
            return [*given, *arguments[at:]]
        if skips:
            skips = False
        elif argument in _OTHER:
            skips = True
        elif argument not in left_out and not argument.startswith(with_value):
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
    """Write all files of a commit, also those that `git archive` leaves out, without an index of its own."""
    index = {**os.environ, "GIT_INDEX_FILE": f"{directory}.index", "GIT_LFS_SKIP_SMUDGE": "1"}
    for command in (["read-tree", commit], ["checkout-index", "--all", "--quiet", f"--prefix={directory}/"]):
        if subprocess.run(["git", *command], cwd=top, env=index, capture_output=True).returncode:
            raise BaselineError(f"--diff-base: git cannot give the files of {commit[:12]}")

"""How much flow knows of a run of published programs, with their command lines alone and with a recording of one run.

    python benchmarks/recorded.py --checkouts DIRECTORY [NAME...]

runs each program of `benchmarks/recorded.toml` three times: under `arraytyping audit`, under `arraytyping record`, and
under `audit` again, which then has the recording.  Printed is the share of the array expressions which the run came to
of which the dtype, and of which everything is known, without and with the recording; what was wrong is to be nothing.
The repositories are cloned into DIRECTORY where they are not there yet, as `owner+name@commit`.  Run this with a Python
that has the programs' libraries too (`benchmarks/corpus_requirements.txt`).
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from arraytyping.checker.boundary.file import NAME

RUNS = Path(__file__).with_name("recorded.toml")
SECONDS = 600.0


@dataclass(frozen=True)
class Run:
    """A program in the checkout of its repository, and the arguments that it is run with."""

    root: Path
    program: str
    arguments: tuple[str, ...]

    @property
    def environment(self) -> dict[str, str]:
        """That in which the program finds the packages of its repository."""
        path = os.pathsep.join(filter(None, (str(self.root), os.environ.get("PYTHONPATH"))))
        return {**os.environ, "PYTHONPATH": path, "JAX_PLATFORMS": "cpu", "WANDB_MODE": "disabled", "MPLBACKEND": "agg"}


def runs_of(file: Path, checkouts: Path) -> list[Run]:
    """The runs that a file names; their repositories are cloned where they are missing."""
    found = []
    for entry in tomllib.loads(file.read_text())["run"]:
        root = checkouts / f"{entry['repository'].replace('/', '+')}@{entry['commit'][:8]}"
        if not root.exists():
            subprocess.run(["git", "init", "-q", root], check=True)
            url = f"https://github.com/{entry['repository']}"
            subprocess.run(["git", "-C", root, "fetch", "-q", "--depth=1", url, entry["commit"]], check=True)
            subprocess.run(["git", "-C", root, "checkout", "-q", "FETCH_HEAD"], check=True)
        found.append(Run(root, entry["program"], tuple(entry.get("arguments", ()))))
    return found


def audited(run: Run) -> dict[str, Any] | None:
    """The counts of an audit; None if there is nothing to count."""
    done = ran(run, "audit", "--json")
    try:
        counts: dict[str, Any] = json.loads(done.stdout)["statistics"]
    except (ValueError, KeyError):
        print(f"{run.program}: {' '.join(done.stderr.strip().splitlines()[-1:])}", file=sys.stderr)
        return None
    return counts if counts["arrays"] else None


def ran(run: Run, name: str, *options: str) -> subprocess.CompletedProcess[str]:
    """A command of arraytyping on this run, from the root of the repository."""
    command = [sys.executable, "-m", "arraytyping", name, *options, run.program, *run.arguments]
    return subprocess.run(command, cwd=run.root, env=run.environment, capture_output=True, text=True, timeout=SECONDS)


def shown(counts: dict[str, Any] | None) -> str:
    """Dtype known, everything known, wrong."""
    if counts is None:
        return f"{'-':>6} {'-':>6} {'-':>5}"
    dtype, full = (100 * counts[known] / counts["arrays"] for known in ("dtype_known", "fully_known"))
    return f"{dtype:5.1f}% {full:5.1f}% {counts['wrong']:5}"


def main() -> None:
    """Measure, and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("names", nargs="*", help="only programs whose names have one of these in them")
    parser.add_argument("--checkouts", type=Path, required=True, help="where the repositories are, or are cloned to")
    options = parser.parse_args()
    print(f"{'':6} {'without a recording':>20}   {'with one':>20}")
    print("arrays  dtype    all wrong    dtype    all wrong")
    for run in runs_of(RUNS, options.checkouts.resolve()):
        if options.names and not any(name in f"{run.root.name}/{run.program}" for name in options.names):
            continue
        recording = (run.root / run.program).parent / NAME
        recording.unlink(missing_ok=True)
        without = audited(run)
        ran(run, "record", "--output", str(recording))
        counts = audited(run)
        recording.unlink(missing_ok=True)
        arrays = 0 if counts is None else counts["arrays"]
        print(f"{arrays:6} {shown(without)}   {shown(counts)}  {run.root.name}/{run.program}", flush=True)


if __name__ == "__main__":
    main()

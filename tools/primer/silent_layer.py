"""Reports of mistakes that raise nothing, in published programs, each held against what was found by reading it.

    python tools/primer/silent_layer.py --checkouts DIRECTORY [--whole] [--seconds N] [NAME...]

The programs are those of `benchmarks/corpus.toml` that may be looked at, as `benchmarks/corpus.py` clones them into
DIRECTORY; with `--whole` all files of their repositories.  Each program is followed with the codes that are off by
default, too.  `silent_triage.toml` has what each report is: "true", "harmless" (the code says what happens, and here it
does no harm) or "false".  The command prints a table by code, and ends with 1 if there is a report that nobody has
looked at or if fewer than 95% of a code's reports are true.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

HERE: Final = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent.parent))

from benchmarks.corpus import CORPUS, programs_of  # noqa: E402

CODES: Final = (
    "array-key", "array-leak", "array-donated", "array-recompile", "array-index", "array-unused", "array-nan",
    "array-promotion",
)  # fmt: skip
OPT_IN: Final = ("array-nan", "array-promotion")
VERDICTS: Final = ("true", "harmless", "false")


@dataclass(frozen=True, order=True)
class Found:
    """A report, by the text of its line, since lines move."""

    repository: str
    file: str
    line: int
    code: str
    message: str
    text: str

    @property
    def key(self) -> tuple[str, str, str, str]:
        """What it is known by."""
        return self.repository, self.file, self.code, self.text


@dataclass(frozen=True)
class Work:
    """What is followed by one command."""

    repository: str
    root: Path
    path: Path


def follow(work: Work, seconds: float) -> tuple[list[Found], str]:
    """The reports of one program, and why it was not followed to its end, if so."""
    command = [sys.executable, "-m", "arraytyping", "check", "--no-types", "--output-format", "json"]
    command += [part for code in OPT_IN for part in ("--enable", code)]
    try:
        done = subprocess.run(
            [*command, str(work.path)], cwd=work.root, capture_output=True, text=True, timeout=seconds, check=False
        )
    except subprocess.TimeoutExpired:
        return [], f"stopped after {seconds:.0f} s"
    if done.returncode not in (0, 1):
        return [], done.stderr.strip().rpartition("\n")[2][:100] or f"exit code {done.returncode}"
    return sorted(set(_read(map(json.loads, done.stdout.splitlines()), work))), ""


def _read(said: Iterable[dict[str, Any]], work: Work) -> Iterator[Found]:
    for m in said:
        code = str(m["code"])
        if code not in CODES and not code.startswith("array-promotion"):
            continue
        path = (work.root / m["file"]).resolve()
        lines = path.read_text(errors="replace").splitlines()
        text = lines[m["line"] - 1].strip() if m["line"] <= len(lines) else ""
        yield Found(work.repository, str(path.relative_to(work.root.resolve())), m["line"], code, m["message"], text)


def read_triage(path: Path) -> dict[tuple[str, str, str, str], str]:
    """What was found by reading, by report."""
    entries = tomllib.loads(path.read_text()).get("report", [])
    return {(e["repository"], e["file"], e["code"], e["text"]): e["verdict"] for e in entries}


def show(found: Sequence[Found], triage: dict[tuple[str, str, str, str], str]) -> int:
    """Print the table by code, and say how many reports are open or too many false."""
    counts: Counter[tuple[str, str]] = Counter()
    wrong = 0
    for one in found:
        verdict = triage.get(one.key, "").partition(":")[0]
        counts[one.code, verdict or "open"] += 1
        if verdict not in VERDICTS:
            wrong += 1
            print(f"OPEN {one.repository}/{one.file}:{one.line}: {one.message} [{one.code}]\n         {one.text}")
    print(f"{'code':28} {'lines':>6} {'true':>6} {'harmless':>9} {'false':>6} {'open':>6}")
    for code in sorted({*CODES, *(one.code for one in found)}):
        lines = [counts[code, v] for v in (*VERDICTS, "open")]
        print(f"{code:28} {sum(lines):6} {lines[0]:6} {lines[1]:9} {lines[2]:6} {lines[3]:6}")
        wrong += sum(lines) > 0 and (lines[0] + lines[1]) < 0.95 * sum(lines)
    return wrong


def main() -> int:
    """Follow all, and compare."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("names", nargs="*", help="only repositories with one of these in their names")
    parser.add_argument("--checkouts", type=Path, required=True, help="where the repositories are, or are cloned to")
    parser.add_argument("--whole", action="store_true", help="all files of the repositories")
    parser.add_argument("--seconds", type=float, default=120.0, help="the longest time for a program")
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    works: dict[Path, Work] = {}
    for program in programs_of(CORPUS, options.checkouts.resolve(), held_out=False):
        if options.names and not any(name in program.repository for name in options.names):
            continue
        paths = sorted(program.root.rglob("*.py")) if options.whole else [program.path]
        works |= {path: Work(program.repository, program.root, path) for path in paths}
    found: set[Found] = set()
    with ThreadPoolExecutor(options.jobs) as pool:
        for work, (some, why) in zip(works.values(), pool.map(lambda w: follow(w, options.seconds), works.values())):
            found.update(some)
            name = f"{work.repository}/{work.path.relative_to(work.root)}"
            print(f"{len(some):3}  {name} {why}", flush=True)
    return 1 if show(sorted(found), read_triage(HERE / "silent_triage.toml")) else 0


if __name__ == "__main__":
    sys.exit(main())

"""JAX's own tests, run on our runtime, and what comes of them by file.

    python tests/jax_own_tests.py --checkout DIRECTORY [FILE...] [--cases N] [--failures] [--record FILE]

DIRECTORY is a checkout of https://github.com/jax-ml/jax; where there is none, that of the installed release is made.
Each file is run in processes of its own with its imports exchanged (`jax_modules.py`).  A test *could run* if it was
not skipped and no name was missing that it wants; it *passed*, *failed*, or only wanted another *wording* of an error.

`tests/data/jax_own_tests.toml` has the files, and the failures that are known, in groups with their reasons.  What
fails besides is printed as new, and what stands there and does not fail as gone; both make the command exit with 1.
"""

from __future__ import annotations

import argparse
import fnmatch
import json
import os
import re
import signal
import subprocess
import sys
import time
import tomllib
import traceback
import unittest
from collections import Counter
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Final

EXPECTED: Final = Path(__file__).parent / "data" / "jax_own_tests.toml"
REPOSITORY: Final = "https://github.com/jax-ml/jax"
SECONDS: Final = 120
"""How long a test may take; those of JAX take less than a minute."""
CASES: Final = 1
"""How many cases of a test that generates them; JAX itself makes 10."""


@dataclass(frozen=True)
class Outcome:
    """What came of a test: `passed`, `failed`, `wording`, `missing` or `skipped`, and the sentence that says why."""

    test: str
    kind: str
    why: str = ""
    where: str = ""

    @property
    def wanted(self) -> str:
        """The name that was missing."""
        return self.why.split(" in ", 1)[0] if self.kind == "missing" else ""


@dataclass
class Told:
    """The outcomes of a file, by test; `unread` says why it could not be run at all."""

    file: str
    outcomes: dict[str, Outcome] = field(default_factory=dict)
    unread: str = ""

    def count(self, *kinds: str) -> int:
        """How many tests came to one of these."""
        return sum(o.kind in kinds for o in self.outcomes.values())


# --- in the process that runs a file ----------------------------------------------------------------------------------


class _TooLong(BaseException):
    pass


MISSING: Final = re.compile(
    r"module 'arraytyping[\w.]*' has no attribute '\w+'"
    r"|type object '\w+' has no attribute '\w+'"
    r"|'(?!(?:bool|int|float|complex|str|tuple|list|dict|NoneType)')[\w.]+' object has no attribute '\w+'"
    r"|got an unexpected keyword argument '\w+'"
    r"|cannot import name '\w+' from 'arraytyping[\w.]*'"
)
"""What Python says of a name or a parameter that is not there."""


class Results(unittest.TestResult):
    """Writes what comes of each test as a line of JSON."""

    def __init__(self, out: Any) -> None:
        super().__init__()
        self._out = out
        self._worst: Outcome | None = None

    def _tell(self, **line: Any) -> None:
        self._out.write(json.dumps(line) + "\n")
        self._out.flush()

    def startTest(self, test: unittest.TestCase) -> None:
        self._tell(begun=name_of(test))
        self._worst = None
        signal.alarm(SECONDS)

    def stopTest(self, test: unittest.TestCase) -> None:
        signal.alarm(0)
        self._tell(**asdict(self._worst or Outcome(name_of(test), "passed")))

    def addSkip(self, test: unittest.TestCase, reason: str) -> None:
        self._worst = Outcome(name_of(test), "skipped", reason)

    def addError(self, test: unittest.TestCase, err: Any) -> None:
        self._note(test, err)

    addFailure = addError

    def addSubTest(self, test: unittest.TestCase, subtest: Any, err: Any) -> None:
        if err is not None:
            self._note(test, err)

    def addExpectedFailure(self, test: unittest.TestCase, err: Any) -> None:
        pass

    def addUnexpectedSuccess(self, test: unittest.TestCase) -> None:
        self._worst = Outcome(name_of(test), "failed", "passes, though JAX's fails")

    def _note(self, test: unittest.TestCase, err: Any) -> None:
        made = outcome_of(name_of(test), err[1])
        if self._worst is None or made.kind == "failed":
            self._worst = made


def name_of(test: Any) -> str:
    """`Class.method`."""
    return f"{type(test).__name__}.{getattr(test, '_testMethodName', test)}"


def outcome_of(test: str, error: BaseException) -> Outcome:
    """What an exception says of a test."""
    from jax_modules import MissingName

    text = "".join(traceback.format_exception(error))[-6000:]
    chain: list[BaseException] = []
    at: BaseException | None = error
    while at is not None and at not in chain:
        chain.append(at)
        at = at.__cause__ or at.__context__
    for one in chain:
        if isinstance(one, MissingName):
            return Outcome(test, "missing", str(one), text)
    if found := re.search(r"<missing ([\w.]+) \d+>", str(error)):
        return Outcome(test, "missing", found.group(1), text)
    if isinstance(error, TypeError) and re.search(
        r"must be an? (exception )?type(,| or) a? ?tuple|not Missing", str(error)
    ):
        return Outcome(test, "missing", "a class that the runtime has not", text)
    why = f"{type(error).__name__}: {error}"[:600]
    if isinstance(error, AttributeError | TypeError | ImportError) and (said := MISSING.search(str(error))):
        return Outcome(test, "missing", said.group(), text)
    if isinstance(error, AssertionError) and re.search(
        r'does not match "|not found in ', str(error).partition("\n")[0]
    ):
        return Outcome(test, "wording", why, text)
    return Outcome(test, "failed", why, text)


def run_here(path: Path, done: frozenset[str], only: str | None) -> int:
    """Run a file's tests in this process, but for those that are done, and write what comes of them."""
    out, sys.stdout = os.fdopen(os.dup(1), "w"), sys.stderr
    from jax_modules import collecting, load

    def ring(*_: Any) -> None:
        raise _TooLong(f"takes more than {SECONDS} seconds")

    signal.signal(signal.SIGALRM, ring)
    sys.argv = [str(path)]
    sys.path[:0] = [str(path.parent)]
    try:
        loaded = load(path, path.stem)
        with collecting():
            found = list(cases(unittest.defaultTestLoader.loadTestsFromModule(loaded)))
    except Exception as error:
        traceback.print_exc()
        out.write(json.dumps({"unread": f"{type(error).__name__}: {error}"}) + "\n")
        return 1
    result = Results(out)
    for test in found:
        name = name_of(test)
        if name not in done and (only is None or fnmatch.fnmatch(name, only)):
            try:
                test.run(result)
            except _TooLong as error:
                result._tell(**asdict(Outcome(name, "failed", str(error))))
            except BaseException as error:  # KeyboardInterrupt is told as well: tests raise it
                result._tell(**asdict(outcome_of(name, error)))
    return 0


def cases(suite: Any) -> Iterator[Any]:
    """The tests of a suite."""
    for item in suite:
        if isinstance(item, unittest.TestSuite):
            yield from cases(item)
        else:
            yield item


# --- in the command ---------------------------------------------------------------------------------------------------


def run(path: Path, number: int = CASES, only: str | None = None) -> Told:
    """The outcomes of a file's tests, run in processes of their own: one that dies is followed by another."""
    told = Told(path.name.removesuffix("_test.py"))
    environment = {
        **os.environ, "JAX_NUM_GENERATED_CASES": str(number), "JAX_SKIP_SLOW_TESTS": "1", "JAX_PLATFORMS": "cpu",
        "ARRAYTYPING_PLATFORMS": "cpu", "TF_CPP_MIN_LOG_LEVEL": "2",  # warnings of XLA are no output of tests
    }  # fmt: skip
    for _ in range(20):
        done = json.dumps(sorted(told.outcomes))
        command = [sys.executable, __file__, "--here", str(path), *(["--only", only] if only else [])]
        ran = subprocess.run(command, input=done, capture_output=True, text=True, env=environment)
        begun = None
        for line in ran.stdout.splitlines():
            said = json.loads(line)
            if "unread" in said:
                told.unread = said["unread"]
            elif "begun" in said:
                begun = said["begun"]
            else:
                told.outcomes[said["test"]] = Outcome(**said)
                begun = None
        if begun is None:
            if ran.returncode and not told.unread:
                told.unread = ran.stderr.strip().splitlines()[-1] if ran.stderr.strip() else f"exit {ran.returncode}"
            break
        told.outcomes[begun] = Outcome(begun, "failed", f"the process ends with {ran.returncode}", ran.stderr[-3000:])
    return told


@dataclass(frozen=True)
class Group:
    """Failures that are known, for one reason: patterns of `file: Class.method`."""

    reason: str
    tests: tuple[str, ...]


@dataclass(frozen=True)
class Expected:
    """What the file of expected differences says."""

    files: tuple[str, ...]
    groups: tuple[Group, ...]
    missing: dict[str, tuple[str, ...]]

    def group_of(self, file: str, outcome: Outcome) -> Group | None:
        """The group that a failure belongs to."""
        name = f"{file}: {outcome.test}"
        return next((g for g in self.groups if any(fnmatch.fnmatchcase(name, t) for t in g.tests)), None)

    def is_known_missing(self, name: str) -> bool:
        """Whether this name is known to be missing."""
        return any(fnmatch.fnmatchcase(name, pattern) for names in self.missing.values() for pattern in names)


def read_expected(path: Path = EXPECTED) -> Expected:
    """The files that are run and the differences that are known."""
    data = tomllib.loads(path.read_text(encoding="utf-8"))
    groups = tuple(Group(g["reason"], tuple(g["tests"])) for g in data.get("differs", ()))
    missing = {g["reason"]: tuple(g["names"]) for g in data.get("missing", ())}
    return Expected(tuple(data["files"]), groups, missing)


def table(all_told: Iterable[Told]) -> str:
    """The table by file, as Markdown."""
    lines = [
        "| file | could run | passed | failed | wording | wanted a missing name | skipped |",
        "|---|--:|--:|--:|--:|--:|--:|",
    ]
    sums: Counter[str] = Counter()
    for told in all_told:
        ran = {
            "could run": told.count("passed", "failed", "wording"),
            **{kind: told.count(kind) for kind in ("passed", "failed", "wording", "missing", "skipped")},
        }
        sums.update(ran)
        cells = " | ".join(f"{n:,}" for n in ran.values())
        lines.append(
            f"| `{told.file}` | {cells} |" if not told.unread else f"| `{told.file}` | cannot be read | | | | | |"
        )
    lines.append("| all | " + " | ".join(f"{n:,}" for n in sums.values()) + " |")
    return "\n".join(lines)


def news(all_told: Iterable[Told], expected: Expected) -> list[str]:
    """A line for each failure that is not expected, and for each expectation that nothing failed by."""
    lines: list[str] = []
    seen: set[str] = set()
    ran: set[str] = set()
    for told in all_told:
        ran.add(told.file)
        if told.unread:
            lines.append(f"new: {told.file} cannot be read: {told.unread}")
        for outcome in told.outcomes.values():
            name = f"{told.file}: {outcome.test}"
            if outcome.kind in ("failed", "wording"):
                found = [t for g in expected.groups for t in g.tests if fnmatch.fnmatchcase(name, t)]
                seen.update(found)
                if not found:
                    lines.append(f"new: {name}: {outcome.kind}: {outcome.why.splitlines()[0] if outcome.why else ''}")
            elif outcome.kind == "missing" and not expected.is_known_missing(outcome.wanted):
                lines.append(f"new: {name}: wants {outcome.wanted}")
    for group in expected.groups:
        lines += [
            f"gone: {pattern} ({group.reason})"
            for pattern in group.tests
            if pattern not in seen and pattern.split(": ")[0] in ran
        ]
    return lines


def checkout_of(directory: Path) -> Path:
    """The folder of tests in a checkout, which is made where there is none."""
    if not directory.exists():
        import jax

        tag = f"jax-v{jax.__version__}"
        clone = ["git", "clone", "--quiet", "--depth", "1", "--filter=blob:none", "--sparse", "--branch", tag]
        subprocess.run([*clone, REPOSITORY, str(directory)], check=True)
        subprocess.run(["git", "-C", str(directory), "sparse-checkout", "set", "tests"], check=True)
    return directory / "tests"


def main(arguments: list[str] | None = None) -> int:
    """Run the files and print what came of them."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", metavar="FILE", help="such as lax_numpy; by default all that are known")
    parser.add_argument("--checkout", type=Path, metavar="DIRECTORY")
    parser.add_argument("--cases", type=int, default=CASES, help="cases of a test that generates them")
    parser.add_argument("--only", metavar="PATTERN", help="only tests of such names, such as 'LaxTest.testConv*'")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--failures", action="store_true", help="print each failure, with where it was")
    parser.add_argument("--record", type=Path, metavar="FILE", help="keep all outcomes, as JSON")
    parser.add_argument("--here", type=Path, help=argparse.SUPPRESS)
    given = parser.parse_args(arguments)
    if given.here is not None:
        return run_here(given.here, frozenset(json.load(sys.stdin)), given.only)
    if given.checkout is None:
        parser.error("the following arguments are required: --checkout")
    expected = read_expected()
    tests = checkout_of(given.checkout)
    paths = [
        tests / f"{name.removesuffix('.py').removesuffix('_test')}_test.py" for name in given.files or expected.files
    ]
    if absent := [p.name for p in paths if not p.exists()]:
        parser.error(f"there is no {', '.join(absent)} in {tests}")

    def timed(path: Path) -> Told:
        started = time.perf_counter()
        told = run(path, given.cases, given.only)
        seconds = time.perf_counter() - started
        print(
            f"{told.file}: {told.count('passed')} of {len(told.outcomes)}, {seconds:.0f} s", file=sys.stderr, flush=True
        )
        if given.record is not None:
            data = {"unread": told.unread, "outcomes": [asdict(o) for o in told.outcomes.values()]}
            given.record.mkdir(exist_ok=True, parents=True)
            (given.record / f"{told.file}.json").write_text(json.dumps(data, indent=1))
        return told

    with ThreadPoolExecutor(given.jobs) as pool:
        all_told = list(pool.map(timed, paths))
    print(table(all_told))
    wanted = Counter(o.wanted for told in all_told for o in told.outcomes.values() if o.kind == "missing")
    if wanted:
        print("\nmissing: " + ", ".join(f"{name} ({n})" for name, n in wanted.most_common(40)))
    if given.failures:
        for told in all_told:
            for o in told.outcomes.values():
                if o.kind in ("failed", "wording"):
                    print(f"\n=== {told.file}: {o.test}: {o.kind}: {o.why}\n{o.where}")
    lines = [] if given.only else news(all_told, expected)
    print("\n".join(["", *lines]) if lines else "")
    return bool(lines)


if __name__ == "__main__":
    raise SystemExit(main())

"""Where the tests' time goes, by file: `pytest --cpu` prints it, `pytest --cpu-record` keeps it in `data/seconds.txt`.

By what is kept, files that take long are begun first, so that all workers end at the same time, and `pytest --quick`
chooses the files that take least.  Seconds are of CPU, of the tests' own processes and of those that they start.
"""

from __future__ import annotations

import functools
import resource
import sys
from collections import Counter, defaultdict
from collections.abc import Generator, Iterable
from pathlib import Path
from typing import Any, Final

import forked_commands
import pytest

__all__ = ["FILE", "CpuTimes", "kept_seconds", "longest_first", "quickest", "table"]

FILE: Final = Path(__file__).parent / "data" / "seconds.txt"
TESTS: Final = Path(__file__).parent
UNKNOWN: Final = 20.0
"""The seconds of a file that is not kept."""
QUICK: Final = 120.0
"""How many seconds all files of `--quick` may take together: a minute on two processors, and another to begin."""
PROPERTY: Final = "cpu"
"""Of a report: seconds of the test's own process, of those that it started, and the names of their programs."""

_started: list[str] = []


@functools.cache
def kept_seconds() -> dict[str, float]:
    """The seconds of files of tests, by name."""
    lines = FILE.read_text(encoding="utf-8").splitlines() if FILE.exists() else []
    return {name: float(seconds) for name, seconds in (line.split() for line in lines)}


def longest_first(items: list[pytest.Item]) -> None:
    """Order tests by the seconds of their files, those of a file as they are."""
    known = kept_seconds()
    items.sort(key=lambda item: (-known.get(item.path.name, UNKNOWN), item.path.name))


def quickest(names: Iterable[str]) -> frozenset[str]:
    """The files that take least, as many as together take no longer than `--quick` may."""
    known, total, chosen = kept_seconds(), 0.0, []
    for name in sorted(names, key=lambda n: (known.get(n, UNKNOWN), n)):
        total += known.get(name, UNKNOWN)
        if total > QUICK:
            break
        chosen.append(name)
    return frozenset(chosen)


def used() -> tuple[float, float]:
    """The seconds of this process, and of those it started that have ended."""
    own, others = resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN)
    return own.ru_utime + own.ru_stime, others.ru_utime + others.ru_stime + forked_commands.seconds()


class CpuTimes:
    """A plugin of pytest that measures each test in its worker, and sums up where the reports come together."""

    def __init__(self, *, is_worker: bool, records: bool) -> None:
        self.is_worker, self.records = is_worker, records
        self.last = used()
        self.seconds: dict[str, list[float]] = defaultdict(lambda: [0.0, 0.0])
        self.programs: dict[str, Counter[str]] = defaultdict(Counter)
        sys.addaudithook(_note_program)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        """Note what was used since the report before."""
        report = yield
        own, others = used()
        report.user_properties.append((PROPERTY, (own - self.last[0], others - self.last[1], tuple(_started))))
        self.last = own, others
        _started.clear()
        return report

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Add up."""
        measured: Any = dict(report.user_properties)[PROPERTY]
        own, others, programs = measured
        name = Path(report.nodeid.partition("::")[0]).name
        self.seconds[name][0] += own
        self.seconds[name][1] += others
        self.programs[name].update(programs)

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        """Print the table, and keep it if asked to."""
        if self.is_worker:
            return
        terminalreporter.section("seconds of CPU")
        terminalreporter.write(table(self.seconds, self.programs))
        if self.records:
            kept = kept_seconds() | {name: round(sum(seconds), 1) for name, seconds in self.seconds.items()}
            there = {name: seconds for name, seconds in kept.items() if (TESTS / name).exists()}
            FILE.write_text("".join(f"{name} {seconds:.1f}\n" for name, seconds in sorted(there.items())))


def table(seconds: dict[str, list[float]], programs: dict[str, Counter[str]], rows: int = 25) -> str:
    """The files that took most, what all took, and which programs were started how often."""
    order = sorted(seconds, key=lambda name: -sum(seconds[name]))
    lines = [f"{'file':40}{'all':>8}{'itself':>8}{'others':>8}  programs started"]
    for name in order[:rows]:
        own, others = seconds[name]
        started = ", ".join(f"{n} {program}" for program, n in programs[name].most_common(4))
        lines.append(f"{name:40}{own + others:8.1f}{own:8.1f}{others:8.1f}  {started}")
    rest = [sum(seconds[name]) for name in order[rows:]]
    own, others = (sum(pair[k] for pair in seconds.values()) for k in (0, 1))
    lines.append(f"{f'{len(rest)} more files':40}{sum(rest):8.1f}")
    lines.append(f"{'all':40}{own + others:8.1f}{own:8.1f}{others:8.1f}")
    every = sum(programs.values(), Counter())
    lines.append("started: " + ", ".join(f"{n} {program}" for program, n in every.most_common(12)))
    return "\n".join(lines) + "\n"


def _note_program(event: str, arguments: tuple[Any, ...]) -> None:
    if event == "subprocess.Popen":
        _started.append(program_of(arguments[1]))


def program_of(command: Any) -> str:
    """What a command runs: the name of the program, of Python's the module or file."""
    words = [command] if isinstance(command, str | bytes | Path) else list(command)
    names = [Path(str(word)).name for word in words]
    if names and names[0].startswith("python"):
        return next((name for name in names[1:] if not name.startswith("-")), "python") if "-c" not in names else "-c"
    return names[0] if names else ""

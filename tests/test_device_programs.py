"""Programs over several devices: what flow says of them for 8, against their runs on 8 that the host pretends.

The programs are those of `typecheck_cases/devices/`, with mistakes planted as `planted` describes it.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from device_runs import all_cases, audit_of, clean_files, found_in, runs_of, sharded_arrays, twin, write_programs
from planted import Case
from program_runs import Result

from arraytyping.checker.flow.report.reporting import FlowReport, report_on

FILES = clean_files()
CASES = all_cases()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """All programs without their marks, and their mistaken twins."""
    made = tmp_path_factory.mktemp("devices")
    write_programs(made)
    return made


@pytest.fixture(scope="module")
def runs(folder: Path) -> dict[str, Result]:
    """What comes of each program when it is run."""
    return runs_of(folder)


@pytest.fixture(scope="module")
def report(folder: Path) -> Iterator[FlowReport]:
    """What flow says of all of them."""
    before = Path.cwd()
    os.chdir(folder)
    try:
        yield report_on([folder], devices="8", uses_cache=False, jobs=2)
    finally:
        os.chdir(before)


def test_there_are_enough() -> None:
    assert len(FILES) >= 20
    assert len(CASES) >= 2 * len(FILES)


@pytest.mark.parametrize("path", FILES, ids=lambda p: p.stem)
def test_a_program_without_mistakes(path: Path, runs: dict[str, Result], report: FlowReport, folder: Path) -> None:
    """It runs, nothing is reported, and no claim is wrong, of dtypes, shapes of one device, and shardings."""
    run = runs[path.name]
    assert (run.exception, run.exit_code) == (None, 0), run.traceback
    assert [str(m) for m in found_in(report, path.name)] == []
    audit = audit_of(path.name, runs, report, folder)
    assert [str(wrong) for wrong in audit.wrong] == []
    statistics = audit.statistics
    assert statistics.fully_known >= 0.99 * statistics.arrays, [
        (f"{path.name}:{e.line}:{e.column}", [str(a) for a in e.arrays], [str(c) for c in claims])
        for _, e, claims in audit.not_fully_known
    ]


@pytest.mark.parametrize("case", CASES, ids=lambda c: c.name)
def test_a_planted_mistake(case: Case, runs: dict[str, Result], report: FlowReport) -> None:
    """The run raises at the line that the mark says, and there flow is certain of a mistake, and nowhere else."""
    run = runs[twin(case)]
    assert run.exception is not None
    assert run.frames[-1].line == case.shows_line, run.traceback[-2000:]
    found = found_in(report, twin(case))
    assert [(m.line, m.code) for m in found] == [(case.shows_line, case.code)], [str(m) for m in found]


def test_shardings_are_known_where_they_are_explicit(runs: dict[str, Result], report: FlowReport) -> None:
    """Of the arrays that lie on an explicit mesh, in the programs in this manner."""
    counted = [sharded_arrays(path.name, runs, report) for path in FILES if path.stem.startswith("explicit")]
    known, total = (sum(numbers) for numbers in zip(*counted))
    assert total > 100
    assert known >= 0.95 * total, (known, total)

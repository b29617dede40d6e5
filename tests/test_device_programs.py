"""Programs over several devices: what flow says of them for 8, against their runs on 8 that the host pretends.

The programs are those of `typecheck_cases/devices/`, with mistakes planted as `planted` describes it.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from planted import Case, cases_of
from program_runs import Program, Result, run_programs

from arraytyping.checker.audit.comparing import Audit, compare
from arraytyping.checker.flow.report.reporting import FlowReport, report_on
from arraytyping.checker.flow.state.diagnostics import Diagnostic

DIRECTORY = Path(__file__).parent.parent / "typecheck_cases" / "devices"
FILES = sorted(DIRECTORY.glob("*.py"))
CASES = [case for path in FILES for case in cases_of(path)]
PRETENDED = {"XLA_FLAGS": "--xla_force_host_platform_device_count=8"}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """All programs without their marks, and their mistaken twins."""
    made = tmp_path_factory.mktemp("devices")
    for path in FILES:
        (made / path.name).write_text(cases_of(path)[0].clean_source)
    for case in CASES:
        (made / _twin(case)).write_text(case.mistaken_source)
    return made


def _twin(case: Case) -> str:
    return f"{case.path.stem}_{case.line}.py"


@pytest.fixture(scope="module")
def runs(folder: Path) -> dict[str, Result]:
    """What comes of each program when it is run."""
    modules = ("jax", "jax.numpy", "numpy", "flax", "flax.linen", "flax.nnx", "optax", "equinox")
    found = run_programs([Program(path) for path in sorted(folder.glob("*.py"))], environ=PRETENDED, preload=modules)
    return {program.path.name: result for program, result in found.items()}


@pytest.fixture(scope="module")
def report(folder: Path) -> Iterator[FlowReport]:
    """What flow says of all of them."""
    before = Path.cwd()
    os.chdir(folder)
    try:
        yield report_on([folder], devices="8", uses_cache=False, jobs=2)
    finally:
        os.chdir(before)


def _found(report: FlowReport, name: str) -> list[Diagnostic]:
    return [m for m in report.shown() if Path(m.path).name == name]


def test_there_are_enough() -> None:
    assert len(FILES) >= 20
    assert len(CASES) >= 2 * len(FILES)


@pytest.mark.parametrize("path", FILES, ids=lambda p: p.stem)
def test_a_program_without_mistakes(path: Path, runs: dict[str, Result], report: FlowReport, folder: Path) -> None:
    """It runs, nothing is reported, and no claim is wrong, of dtypes, shapes of one device, and shardings."""
    run = runs[path.name]
    assert (run.exception, run.exit_code) == (None, 0), run.traceback
    assert [str(m) for m in _found(report, path.name)] == []
    audit = _audit(path.name, runs, report, folder)
    assert [str(wrong) for wrong in audit.wrong] == []
    statistics = audit.statistics
    assert statistics.fully_known >= 0.99 * statistics.arrays, [
        (f"{path.name}:{e.line}:{e.column}", [str(a) for a in e.arrays], [str(c) for c in claims])
        for _, e, claims in audit.not_fully_known
    ]


def _audit(name: str, runs: dict[str, Result], report: FlowReport, folder: Path) -> Audit:
    claims = type(report.claims)({p: f for p, f in report.claims.files.items() if Path(p).name == name})
    return compare(claims, runs[name].observations, folder)


@pytest.mark.parametrize("case", CASES, ids=lambda c: c.name)
def test_a_planted_mistake(case: Case, runs: dict[str, Result], report: FlowReport) -> None:
    """The run raises at the line that the mark says, and there flow is certain of a mistake, and nowhere else."""
    run = runs[_twin(case)]
    assert run.exception is not None
    assert run.frames[-1].line == case.shows_line, run.traceback[-2000:]
    found = _found(report, _twin(case))
    assert [(m.line, m.code) for m in found] == [(case.shows_line, case.code)], [str(m) for m in found]


def test_shardings_are_known_where_they_are_explicit(runs: dict[str, Result], report: FlowReport, folder: Path) -> None:
    """Of the arrays that lie on an explicit mesh, in the programs in this manner."""
    known = total = 0
    for path in FILES:
        if not path.stem.startswith("explicit"):
            continue
        of_file = {p: f for p, f in report.claims.files.items() if Path(p).name == path.name}
        by_position = {(e.line, e.column, e.end_line, e.end_column): e for f in of_file.values() for e in f.expressions}
        for found in runs[path.name].observations.files.values():
            for e in found:
                claimed = by_position.get(e.position)
                for array in e.arrays:
                    if array.sharding is not None:
                        total += 1
                        known += claimed is not None and any(
                            c.item == array.item and c.sharding == array.sharding for c in claimed.claims
                        )
    assert total > 100
    assert known >= 0.95 * total, (known, total)

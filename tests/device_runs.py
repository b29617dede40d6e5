"""The programs of `typecheck_cases/devices/`: their mistaken twins, their runs on 8 devices, and flow against these."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from kept_runs import run_or_recall
from planted import Case, cases_of
from program_runs import Program, Result

from arraytyping.checker.audit.comparing import Audit, compare
from arraytyping.checker.flow.report.reporting import FlowReport
from arraytyping.checker.flow.state.diagnostics import Diagnostic

__all__ = [
    "DIRECTORY", "all_cases", "audit_of", "clean_files", "found_in", "runs_of", "sharded_arrays", "twin",
    "write_programs",
]  # fmt: skip

DIRECTORY = Path(__file__).parent.parent / "typecheck_cases" / "devices"
_PRETENDED = {"XLA_FLAGS": "--xla_force_host_platform_device_count=8"}


def clean_files() -> list[Path]:
    """The programs, with marks."""
    return sorted(DIRECTORY.glob("*.py"))


def all_cases() -> list[Case]:
    """The mistakes that are planted in them."""
    return [case for path in clean_files() for case in cases_of(path)]


def twin(case: Case) -> str:
    """The name of the program with a mistake."""
    return f"{case.path.stem}_{case.line}.py"


def write_programs(folder: Path) -> None:
    """Write all programs without their marks, and their mistaken twins."""
    for path in clean_files():
        (folder / path.name).write_text(cases_of(path)[0].clean_source)
    for case in all_cases():
        (folder / twin(case)).write_text(case.mistaken_source)


def runs_of(folder: Path) -> dict[str, Result]:
    """What comes of each program when it is run, by its name."""
    modules = ("jax", "jax.numpy", "numpy", "flax", "flax.linen", "flax.nnx", "optax", "equinox")
    found = run_or_recall([Program(path) for path in sorted(folder.glob("*.py"))], environ=_PRETENDED, preload=modules)
    return {program.path.name: result for program, result in found.items()}


def found_in(report: FlowReport, name: str) -> list[Diagnostic]:
    """What flow says of a program."""
    return [m for m in report.shown() if Path(m.path).name == name]


def audit_of(name: str, runs: Mapping[str, Result], report: FlowReport, folder: Path) -> Audit:
    """The claims on a program against its run."""
    claims = type(report.claims)({p: f for p, f in report.claims.files.items() if Path(p).name == name})
    return compare(claims, runs[name].observations, folder)


def sharded_arrays(name: str, runs: Mapping[str, Result], report: FlowReport) -> tuple[int, int]:
    """Of the arrays that lie on an explicit mesh in a run: of how many that is claimed, and how many there are."""
    of_file = {p: f for p, f in report.claims.files.items() if Path(p).name == name}
    by_position = {(e.line, e.column, e.end_line, e.end_column): e for f in of_file.values() for e in f.expressions}
    known = total = 0
    for found in runs[name].observations.files.values():
        for e in found:
            claimed = by_position.get(e.position)
            for array in e.arrays:
                if array.sharding is not None:
                    total += 1
                    known += claimed is not None and any(
                        c.item == array.item and c.sharding == array.sharding for c in claimed.claims
                    )
    return known, total

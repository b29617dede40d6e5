"""What flow says of programs over many devices, against their runs, and what many devices cost it.

    python benchmarks/devices.py [--no-runs]

prints, for the programs of `typecheck_cases/devices/` on 8 devices that the host pretends: how many claims are wrong,
for how much of the arrays dtype and shape are known, for how much of those that lie on an explicit mesh the sharding,
and how many of the planted mistakes are found at their line; then the CPU time of one program with 8, 512 and 4,096
devices.
"""

from __future__ import annotations

import resource
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from device_runs import (
    DIRECTORY,
    all_cases,
    audit_of,
    clean_files,
    found_in,
    runs_of,
    sharded_arrays,
    twin,
    write_programs,
)

from arraytyping.checker.audit import Statistics
from arraytyping.checker.flow.report.reporting import report_on

SCALED = DIRECTORY / "stencil.py"
"""A program whose arrays grow with the number of devices."""


def compared() -> None:
    """The figures of all programs, and what is missed or false."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name).resolve()
        write_programs(folder)
        runs = runs_of(folder)
        report = report_on([folder], devices="8", uses_cache=False, jobs=2)
        total = Statistics()
        false: list[str] = []
        known = sharded = 0
        for path in clean_files():
            audit = audit_of(path.name, runs, report, folder)
            total += audit.statistics
            print(*audit.wrong, sep="\n", end="")
            false += [str(m) for m in found_in(report, path.name)]
            if path.stem.startswith("explicit"):
                k, s = sharded_arrays(path.name, runs, report)
                known, sharded = known + k, sharded + s
        cases = all_cases()
        missed = [
            case.name
            for case in cases
            if [(m.line, m.code) for m in found_in(report, twin(case))] != [(case.shows_line, case.code)]
        ]
    print(f"{len(clean_files())} programs: {total}")
    print(f"explicit: sharding known for {known} of {sharded} arrays ({known / max(1, sharded):.1%})")
    print(*missed, *false, f"planted: {len(cases) - len(missed)} of {len(cases)} found at their line", sep="\n")
    print(f"clean programs: {len(false)} false")


def timed() -> None:
    """CPU seconds of one program with more and more devices, the libraries' import included."""
    with tempfile.TemporaryDirectory() as name:
        program = Path(name) / SCALED.name
        program.write_text(all_clean(SCALED))
        for count in (8, 512, 4096):
            before = _cpu()
            command = [sys.executable, "-m", "arraytyping", "check", "--no-types", f"--devices={count}", program.name]
            done = subprocess.run(command, cwd=name, capture_output=True, text=True, check=False)
            said = "no mistakes" if done.returncode == 0 else done.stdout + done.stderr
            print(f"{SCALED.name} with {count} devices: {_cpu() - before:.1f} s of CPU, {said}")


def all_clean(path: Path) -> str:
    """The program without the marks of its mistakes."""
    return next(case for case in all_cases() if case.path == path).clean_source


def _cpu() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


if __name__ == "__main__":
    if "--no-runs" not in sys.argv[1:]:
        compared()
    timed()

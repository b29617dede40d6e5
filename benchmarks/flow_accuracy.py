"""How right flow is: programs audited against runs, planted mistakes, and mutants run for the truth.

    python benchmarks/flow_accuracy.py

prints the figures, and what was missed or false.  `tests/mutations.py` shows single mutants.
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

import mutations
import planted
from program_runs import run_programs

from arraytyping.checker.audit import Statistics, compare
from arraytyping.checker.flow.start.program import interpret


def audited() -> None:
    """What is known of the programs, compared with runs."""
    flows = {path.resolve(): mutations.flow_on(path.resolve(), {}) for path in mutations.programs()}
    runs = run_programs(flows)
    total = Statistics()
    for path, result in flows.items():
        audit = compare(result.program, runs[path].observations)
        total += audit.statistics
        print(*audit.wrong, *(m for m in result.diagnostics if m.is_certain and not m.is_warning), sep="\n", end="")
    print(f"{len(flows)} programs in {sum(r.seconds for r in flows.values()):.1f} s: {total}")


def found() -> None:
    """The planted mistakes that are found, and false ones in the clean twins."""
    number, missed, false = 0, [], 0
    for path in planted.files():
        cases = planted.cases_of(path)
        clean = interpret(path, source=cases[0].clean_source)
        false += sum(m.is_certain and not m.is_warning for m in clean.diagnostics)
        for case in cases:
            number += 1
            diagnostics = interpret(path, source=case.mistaken_source).diagnostics
            if not any(m.line == case.shows_line and m.is_certain for m in diagnostics):
                missed.append(f"missed {case.name}: {case.code}")
    print(*missed, f"planted: {number - len(missed)} of {number} found, {false} false in clean programs", sep="\n")


if __name__ == "__main__":
    audited()
    found()
    sys.argv.append("--verbose")
    mutations.main()

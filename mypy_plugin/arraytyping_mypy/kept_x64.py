"""Whether the programs enable x64, kept in mypy's cache for as long as no file or folder of the project changes.

To find it out each program is followed through what it imports, which takes seconds where many tests import one
package.  What it hangs on is looked at instead: the files of the project, as `own_sources` looks at ours.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from arraytyping.checker.flow.sources.x64_switches import ProgramsX64
from arraytyping.checker.x64 import Evidence, X64Decision
from arraytyping_mypy.own_sources import keep
from arraytyping_mypy.project_look import ProjectLook

__all__ = ["kept_decision"]

_KEPT: Final = "arraytyping-x64"


def kept_decision(cache_dir: str, look: ProjectLook, decide: Callable[[], ProgramsX64]) -> ProgramsX64:
    """The decision that is kept for a project that looks like this, else what it is decided to be."""
    file = Path(cache_dir, _KEPT)
    try:
        kept = json.loads(file.read_text("utf-8"))
        if look.digest and kept["look"] == look.digest:
            return _read(kept)
    except (OSError, ValueError, LookupError, TypeError):
        pass  # none is kept, or not by this release
    decided = decide()
    if look.digest and look.is_settled:
        keep(file, json.dumps({"look": look.digest, **_written_out(decided)}))
    return decided


def _written_out(programs: ProgramsX64) -> dict[str, Any]:
    """A decision for JSON: many files share few decisions, each of which is written once."""
    numbers: dict[X64Decision, int] = {}

    def number(decision: X64Decision) -> int:
        return numbers.setdefault(decision, len(numbers))

    return {
        "everywhere": None if programs.everywhere is None else number(programs.everywhere),
        "files": {str(file): number(decision) for file, decision in programs.by_file.items()},
        "programs": {name: number(decision) for name, decision in programs.by_program.items()},
        "decisions": list(numbers),
    }


def _read(kept: dict[str, Any]) -> ProgramsX64:
    decisions = [
        X64Decision(value, reason, tuple(Evidence(*one) for one in evidence), is_default)
        for value, reason, evidence, is_default in kept["decisions"]
    ]
    everywhere = kept["everywhere"]
    return ProgramsX64(
        None if everywhere is None else decisions[everywhere],
        {Path(file): decisions[number] for file, number in kept["files"].items()},
        {name: decisions[number] for name, number in kept["programs"].items()},
    )

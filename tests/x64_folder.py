"""One run over a folder of programs, some of which switch x64 on, held against their runs, for either layer.

    python tests/x64_folder.py [--programs 24]

The programs are those of `typecheck_cases/flow` that import jax by its name; two of them are made to switch x64 on.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from program_runs import run_programs

from arraytyping.checker.audit import compare
from arraytyping.checker.claims import ProgramClaims

CASES = Path(__file__).parent.parent / "typecheck_cases" / "flow"
IMPORT = "import jax\n"
SWITCH = 'jax.config.update("jax_enable_x64", True)\n'


def folder(directory: Path, count: int) -> list[Path]:
    """Copies of so many programs, of which the last two that do not yet switch x64 are made to."""
    sources = {p.name: p.read_text(encoding="utf-8") for p in sorted(CASES.glob("*.py"))}
    chosen = [(name, text) for name, text in sources.items() if f"\n{IMPORT}" in text][:count]
    without = [name for name, text in chosen if "x64" not in text][-2:]
    for name, text in chosen:
        changed = text.replace(f"\n{IMPORT}", f"\n{IMPORT}{SWITCH}", 1) if name in without else text
        (directory / name).write_text(changed, encoding="utf-8")
    return sorted(directory.glob("*.py"))


def claims(directory: Path, layer: str) -> ProgramClaims:
    """What one layer claims in one run over the folder."""
    command = [sys.executable, "-m", "arraytyping", "coverage", "--json", f"--no-{layer}", "."]
    done = subprocess.run(command, cwd=directory, capture_output=True, text=True, check=True)
    return ProgramClaims.from_json(json.loads(done.stdout))


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--programs", type=int, default=24)
    options = parser.parse_args(arguments)
    wrong = 0
    with tempfile.TemporaryDirectory() as name:
        directory = Path(name)
        runs = run_programs(folder(directory, options.programs))
        for layer, other in (("types", "flow"), ("flow", "types")):
            known = claims(directory, other)
            arrays = dtypes = here = 0
            for run in runs.values():
                found = compare(known, run.observations, directory)
                arrays += found.statistics.arrays
                dtypes += found.statistics.dtype_known
                here += len(found.wrong)
                for one in found.wrong:
                    print(f"  {one}")
            wrong += here
            print(f"{layer}: {len(runs)} programs, {arrays} array expressions, dtype known for {dtypes}, {here} wrong")
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())

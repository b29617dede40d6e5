"""How much the types alone know: the programs of flow's cases, audited against runs, and planted mistakes.

    python benchmarks/types_share.py [--runs FILE] [--reasons] [--missed]

prints the share of array expressions (calls, operators, subscripts, attributes) whose dtype, and whose dtype and
shape, the plugin for mypy knows without flow, what of that a run contradicts, and how many of the planted mistakes
(`typecheck_cases/planted/`) it reports at their line.  Most of these programs have no annotations, and inside of a
function whose parameters have none the types know what follows from its calls alone; so the share is also given of what
stands elsewhere.  `--runs` keeps what came in the runs in a
file, for the next time; `--reasons` counts why the others are not known; `--missed` names the planted mistakes that are
not found.
"""

from __future__ import annotations

import argparse
import ast
import io
import pickle
import re
import sys
import tempfile
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

import planted
from arraytyping_mypy.building import Outcome, check
from program_runs import run_programs

from arraytyping.checker.audit import Statistics, compare
from arraytyping.checker.audit.observations import ExpressionObservations, Observations
from arraytyping.checker.claims import Coverage

PROGRAMS = Path(__file__).parent.parent / "typecheck_cases" / "flow"
_NUMBER = re.compile(r"\b\d+\b|\b[\w.]+\b(?= (?:has|is|are|of)\b)|(?<=of )[\w.()\[\]]+")


def types_of(paths: list[Path], cache: Path) -> Outcome:
    """What mypy with the plugin says of these files, without flow."""
    return check(
        [str(path) for path in paths],
        ("--cache-dir", str(cache)),
        stdout=io.StringIO(),
        stderr=sys.stderr,
        program="types_share",
    )


def observed(programs: list[Path], kept: Path | None) -> dict[Path, Observations]:
    """What came in a run of each program, out of the file if it is there."""
    if kept is not None and kept.exists():
        found: dict[Path, Observations] = pickle.loads(kept.read_bytes())
        return found
    made = {path: run.observations for path, run in run_programs(programs).items()}
    if kept is not None:
        kept.write_bytes(pickle.dumps(made))
    return made


def made(file: Path, found: tuple[ExpressionObservations, ...]) -> tuple[ExpressionObservations, ...]:
    """What came of expressions that make a value: the types claim nothing of a name, a display or a constant."""
    kinds = ast.Call | ast.BinOp | ast.UnaryOp | ast.Compare | ast.Subscript | ast.Attribute
    spans = {
        (node.lineno, node.col_offset, node.end_lineno, node.end_col_offset)
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, kinds)
    }
    return tuple(e for e in found if e.position in spans)


def unannotated(file: Path) -> list[tuple[tuple[int, int], tuple[int, int]]]:
    """Where the functions and lambdas of a file stand that have parameters, and no annotation for any of them."""
    spans = []
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef | ast.Lambda):
            given = node.args
            parameters = [a for a in (*given.posonlyargs, *given.args, *given.kwonlyargs) if a.arg != "self"]
            if parameters and all(a.annotation is None for a in parameters):
                end = (node.end_lineno or 0, node.end_col_offset or 0)
                spans.append(((node.lineno, node.col_offset), end))
    return spans


def audited(cache: Path, kept: Path | None, reasons: bool) -> None:
    """Print what is known of the programs, compared with runs."""
    programs = sorted(p.resolve() for p in PROGRAMS.iterdir() if p.suffix == ".py" or (p / "__main__.py").is_file())
    claims = types_of(programs, cache).claims
    if claims is None:
        raise SystemExit("mypy could not check the programs")
    total = Statistics()
    runs = observed(programs, kept)
    everything = Observations(
        {file: made(file, found) for run in runs.values() for file, found in run.files.items()},
        {file: places for run in runs.values() for file, places in run.positions.items()},
    )
    audit = compare(claims, everything)
    total += audit.statistics
    print(*audit.wrong, sep="\n", end="\n" if audit.wrong else "")
    coverage: Coverage = claims.coverage
    print(f"{len(programs)} programs, types alone: {total}")
    print(f"claimed: {coverage}")
    elsewhere = Observations(
        {
            file: tuple(e for e in found if not any(a <= e.position[:2] and e.position[2:] <= b for a, b in spans))
            for file, found in everything.files.items()
            for spans in (unannotated(file),)
        },
        everything.positions,
    )
    print(f"outside of functions without annotations: {compare(claims, elsewhere).statistics}")
    if reasons:
        why = Counter(_NUMBER.sub("_", e.why_unknown or "") for f in claims.files.values() for e in f.unknown)
        for reason, count in why.most_common(40):
            print(f"  {count:5} {reason}")


def found(cache: Path, missed: bool) -> None:
    """Print how many planted mistakes mypy reports with a code of ours at their line, and false ones in clean twins."""
    with tempfile.TemporaryDirectory() as directory:
        files: dict[Path, tuple[str, int]] = {}
        for path in planted.files():
            cases = planted.cases_of(path)
            clean = Path(directory, f"clean_{path.stem}.py")
            clean.write_text(cases[0].clean_source)
            files[clean] = (path.stem, 0)
            for number, case in enumerate(cases):
                twin = Path(directory, f"twin_{path.stem}_{number}.py")
                twin.write_text(case.mistaken_source)
                files[twin] = (f"{case.name}: {case.code}", case.shows_line)
        said: dict[str, set[int]] = {}
        for message in types_of(list(files), cache).messages:
            match = re.match(r"(?:.*/)?([\w.]+\.py):(\d+):.*error:.*\[array-[\w-]+\]$", message)
            if match:
                said.setdefault(match[1], set()).add(int(match[2]))
    hits, false, not_found = 0, 0, []
    for file, (name, line) in files.items():
        lines = said.get(file.name, set())
        if line == 0:
            false += len(lines)
        elif line in lines:
            hits += 1
        else:
            not_found.append(name)
    print(f"planted: {hits} of {hits + len(not_found)} found by mypy alone, {false} false in clean programs")
    if missed:
        print(*(f"  missed {name}" for name in not_found), sep="\n")


def main() -> None:
    """Print all of it."""
    parser = argparse.ArgumentParser(description="What the types know without flow.")
    parser.add_argument("--runs", type=Path, help="a file that keeps what came in the runs")
    parser.add_argument("--reasons", action="store_true", help="count why the others are not known")
    parser.add_argument("--missed", action="store_true", help="name the planted mistakes that are not found")
    parser.add_argument("--cache", type=Path, default=Path(tempfile.gettempdir(), "arraytyping-types-share"))
    options = parser.parse_args()
    audited(options.cache, options.runs, options.reasons)
    found(options.cache, options.missed)


if __name__ == "__main__":
    main()

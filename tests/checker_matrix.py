"""Holds what the checkers say of the cases against what the rules say, and prints the matrix; then that of shapes.

`python tests/checker_matrix.py` runs every case (about 250,000 lines, in files of 20,000) under every checker, which
takes long; `--share 40` takes every 40th case of each operation, and `--checkers mypy,ty` some checkers.  `--page`
writes what is printed to docs/checkers.md; `--page --only-shapes` leaves the matrix of dtypes there as it is.
"""

from __future__ import annotations

import argparse
import re
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from checker_cases import HEAD, UNKNOWN, Case, Table, program
from checkers import CHECKERS, ROOT, Report, Run, environment, run
from shape_cases import EXPRESSIONS, ShapeCase, shape_cases, shape_program

from arraytyping.checker.stubgen.answers import ERROR
from arraytyping.checker.stubgen.nodes import Nodes
from arraytyping.checker.stubgen.spelling import element

PAGE: Final = ROOT / "docs" / "checkers.md"
VERDICTS: Final = ("exact", "unknown", "wrong", "reported", "unreported", "false error")
PER_FILE: Final = 20_000

WARNINGS: Final = frozenset({"array-x64"})
"""What the plugin says of calls that JAX warns of, and carries out."""

_MODULES: Final = re.compile(r"\b(?:\w+\.)+(?=\w)")
_UNKNOWN: Final = re.compile(r"\A(?:Any|Unknown|Array|Array\[(?:Any|Unknown|@_)\b.*)\Z", re.S)


@dataclass
class Row:
    """What a checker made of the cases: how many of each verdict, by group, the wrong ones and the seconds."""

    counts: dict[str, Counter[str]] = field(default_factory=dict)
    wrong: list[str] = field(default_factory=list)
    seconds: float = 0.0

    def add(self, case: Case, verdict: str, report: Report) -> None:
        """Count one case."""
        self.counts.setdefault(case.group, Counter())[verdict] += 1
        if verdict in ("wrong", "false error"):
            self.wrong.append(f"{case.line}: {', '.join((*map(short, report.types), *report.errors))}")

    def total(self, verdict: str) -> int:
        """How many cases have a verdict."""
        return sum(count[verdict] for count in self.counts.values())


def short(printed: str) -> str:
    """A type as a checker prints it, without the modules of its names."""
    return _MODULES.sub("", printed)


def verdict(case: Case, report: Report) -> str:
    """What the report of a line says of a case.

    Of an expression that raises it is reported or not; whatever type it would have does not matter.
    """
    errors = [code for code in report.errors if code not in WARNINGS]
    if case.expected == ERROR:
        return "reported" if errors else "unreported"
    if errors:
        return "false error"
    types = [short(t) for t in report.types]
    if case.expected == UNKNOWN:
        return "exact" if all(_UNKNOWN.match(t) for t in types) else "wrong"
    wanted = re.compile(rf"\AArray\[{re.escape(element(case.expected))}(?:, .*)?\]\Z", re.S)
    if all(wanted.match(t) for t in types):  # an assertion fails for the shape alone, which the plugin knows better
        return "exact"
    return "unknown" if all(_UNKNOWN.match(t) for t in types) else "wrong"


def judge(
    checker: str,
    cases: Sequence[Case],
    nodes: Nodes,
    env: Path,
    folder: Path,
    *,
    x64: bool = False,
    head: str = HEAD,
) -> Row:
    """Run a checker on the cases, and hold its reports against them."""
    row = Row()
    for start in range(0, len(cases), PER_FILE):
        name = f"cases_{checker.replace('+', '_')}_{int(x64)}_{start}.py"
        text, places = program(cases[start : start + PER_FILE], nodes, head)
        (folder / name).write_text(text)
        add_all(row, places, run(checker, env, folder, [name], x64=x64), name)
    return row


def add_all(row: Row, places: Mapping[int, Case], result: Run, name: str) -> None:
    """Count the cases of a file, which are on these lines."""
    row.seconds += result.seconds
    for line, report in reported_on(places, result, name):
        row.add(places[line], verdict(places[line], report), report)


def reported_on(places: Iterable[int], result: Run, name: str) -> Iterator[tuple[int, Report]]:
    """What a checker reports of each of these lines of a file, on the others of which there is nothing."""
    reports = result.reports.get(name, {})
    elsewhere = sorted(reports.keys() - {*places})
    assert not elsewhere, f"mistakes are found in {name} where there is no case: {elsewhere}\n{result.output[:2000]}"
    return ((line, reports.get(line, Report())) for line in places)


def matrix(rows: dict[str, Row]) -> str:
    """The verdicts of each checker, in all and by group."""
    lines = [f"{'':13}" + "".join(f"{v:>12}" for v in VERDICTS) + f"{'seconds':>10}"]
    for group in ("all", "operators", "comparisons", "functions", "lists"):
        lines.append(f"{group}:")
        for checker, row in rows.items():
            counts = [row.total(v) if group == "all" else row.counts.get(group, Counter())[v] for v in VERDICTS]
            seconds = f"{row.seconds:9.1f}s" if group == "all" else ""
            lines.append(f"{checker:13}" + "".join(f"{n:12}" for n in counts) + seconds)
    return "\n".join(lines)


@dataclass
class ShapeRow:
    """What a checker knows of the shapes and dtypes of the cases: how many of each verdict, by group, and the wrong."""

    shapes: dict[str, Counter[str]] = field(default_factory=dict)
    dtypes: dict[str, Counter[str]] = field(default_factory=dict)
    wrong: list[str] = field(default_factory=list)

    def add(self, case: ShapeCase, report: Report) -> None:
        """Count one case."""
        types = list(map(short, report.types))
        said = (
            ["false error"] * 2
            if report.errors or not types
            else [case.known_shape(types[0]), case.known_dtype(types[0])]
        )
        for counts, verdict in zip((self.shapes, self.dtypes), said):
            counts.setdefault(case.group, Counter())[verdict] += 1
        if {"wrong", "false error"} & {*said}:
            shown = ", ".join((*types, *report.errors))
            self.wrong.append(f"{case.expression}: {shown} in the place of {case.dtype}, {case.shapes}")

    def line(self, title: str, counts: dict[str, Counter[str]]) -> str:
        """A row of a table: how many are exact, and of how many the rank alone is known."""
        cells = [
            f"{counts[g]['exact']}" + (f" + {counts[g]['rank']}" if counts[g]["rank"] else "") for g in EXPRESSIONS
        ]
        return f"| {title} | {' | '.join(cells)} |"


def judge_shapes(checker: str, cases: Sequence[ShapeCase], env: Path, folder: Path) -> ShapeRow:
    """Run a checker on the cases of shapes, and hold its reports against them."""
    text, places = shape_program(cases)
    (folder / "shapes.py").write_text(text)
    return judged_shapes(places, run(checker, env, folder, ["shapes.py"]), "shapes.py")


def judged_shapes(places: Mapping[int, ShapeCase], result: Run, name: str) -> ShapeRow:
    """What a checker knows of the cases of a file, which are on these lines."""
    row = ShapeRow()
    for line, report in reported_on(places, result, name):
        row.add(places[line], report)
    return row


def shape_tables(rows: dict[str, ShapeRow]) -> str:
    """What the checkers know of shapes, and of the dtypes of the same expressions, as tables of Markdown."""
    head = [f"| | {' | '.join(EXPRESSIONS)} |", "|---" * (len(EXPRESSIONS) + 1) + "|"]
    count = f"| expressions | {' | '.join(str(len(e)) for e in EXPRESSIONS.values())} |"
    shapes = [row.line(checker, row.shapes) for checker, row in rows.items()]
    dtypes = [row.line(checker, row.dtypes) for checker, row in rows.items()]
    return "\n".join([
        "Shapes that are known exactly, and (behind `+`) those of which the rank is:", "", *head, count, *shapes, "",
        "Dtypes of the same expressions:", "", *head, count, *dtypes,
    ])  # fmt: skip


def main() -> int:
    """Run and print; 1 if anything is wrong."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n\n")[0])
    parser.add_argument("--share", type=int, default=1, help="every so many-th case of each operation")
    parser.add_argument("--checkers", default=",".join(CHECKERS))
    parser.add_argument("--page", action="store_true", help="write docs/checkers.md")
    parser.add_argument("--only-shapes", action="store_true", help="leave the matrix of dtypes out")
    given = parser.parse_args()
    nodes = Nodes()
    cases = [] if given.only_shapes else Table(nodes, given.share).cases()
    rows: dict[str, Row] = {}
    shapes: dict[str, ShapeRow] = {}
    with tempfile.TemporaryDirectory() as folder:
        env = environment(Path(folder) / "env")
        for checker in given.checkers.split(","):
            if cases:
                rows[checker] = judge(checker, cases_for(checker, cases), nodes, env, Path(folder))
                print(f"{checker}: {rows[checker].seconds:.0f} s", flush=True)
            shapes[checker] = judge_shapes(checker, list(shape_cases()), env, Path(folder))
    if cases:
        print(f"{len(cases)} cases\n{matrix(rows)}")
    print(shape_tables(shapes))
    for checker in shapes:
        for line in [*(rows[checker].wrong[:20] if cases else ()), *shapes[checker].wrong]:
            print(f"{checker}: {line}")
    if given.page:
        write_page(
            f"{len(cases)} cases, every {given.share}th of each operation:\n\n```text\n{matrix(rows)}\n```"
            if cases
            else None,
            shapes,
        )
    return 1 if any(row.wrong for row in rows.values()) or any(row.wrong for row in shapes.values()) else 0


def write_page(dtypes: str | None, shapes: dict[str, ShapeRow]) -> None:
    """Write the two matrices into the page, each between its marks."""
    text = PAGE.read_text(encoding="utf-8")
    for name, inside in (("dtypes", dtypes), ("shapes", shape_tables(shapes))):
        if inside is not None:
            begin, end = f"<!-- {name}: begin -->\n", f"\n<!-- {name}: end -->"
            before, rest = text.split(begin)
            text = before + begin + inside + end + rest.split(end)[1]
    PAGE.write_text(text, encoding="utf-8")


def cases_for(checker: str, cases: Sequence[Case]) -> list[Case]:
    """The plugin is told the mode of x64, so the cases of the other mode are none of its."""
    return [c for c in cases if not c.wide] if checker == "mypy+plugin" else list(cases)


if __name__ == "__main__":
    sys.exit(main())

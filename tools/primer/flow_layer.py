"""Flow's certain errors in the tests of packages of others, each held against a run of the test that leads there.

    python tools/primer/flow_layer.py --venv VENV [--sources DIRECTORY] [PACKAGE...]

VENV is an environment with the packages of `packages.toml`, their tests' requirements, pytest and this project.  The
sources, with the tests, are expected in DIRECTORY/PACKAGE, and are cloned from the repository at the tag where they
are not there.  For each error the tests that lead there are run, and the line that is said to raise is watched:

    raised       the line raised: the error is true
    ran          it was executed and never raised: the error is false
    unreached    it was not executed (a test that is skipped, or fails before)

What is no matter of raising (annotations), and what was not reached, is held against `flow_triage.toml`.  The command
ends with 1 if there is an error that is false or that nobody has looked at.
"""

from __future__ import annotations

import argparse
import ast
import json
import os
import subprocess
import sys
import tempfile
import time
import tomllib
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

HERE: Final = Path(__file__).resolve().parent
ASK: Final = """
import json, sys
from pathlib import Path
from arraytyping.checker.flow.report.reporting import report_on
report = report_on([Path(p) for p in sys.argv[2:]], uses_cache=False)
Path(sys.argv[1]).write_text(json.dumps(report.to_json()))
"""
RUN_SECONDS: Final = 600


@dataclass(frozen=True)
class Found:
    """An error that flow is certain of, and the place in a test from which the program comes there."""

    file: str
    line: int
    code: str
    message: str
    test_file: str
    test: str

    @property
    def key(self) -> tuple[str, int, str]:
        """What an error is known by."""
        return self.file, self.line, self.code


def sources_of(name: str, package: dict[str, Any], directory: Path) -> Path:
    """The checkout of a package, cloned if it is not there."""
    path = directory / name
    if not path.exists():
        command = ["git", "clone", "--quiet", "--depth", "1", "--branch", package["tag"], package["repository"], path]
        subprocess.run([str(part) for part in command], check=True)
    return path


def enclosing_test(file: Path, line: int) -> str:
    """The outermost function or class around a line; empty at module level."""
    for node in ast.parse(file.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) and (
            node.lineno <= line <= (node.end_lineno or line)
        ):
            inner = [
                n.name
                for n in node.body
                if isinstance(node, ast.ClassDef)
                and isinstance(n, ast.FunctionDef)
                and n.lineno <= line <= (n.end_lineno or line)
            ]
            return inner[0] if inner else node.name
    return ""


def flows_errors(python: Path, checkout: Path, tests: Sequence[str]) -> tuple[list[Found], dict[str, Any]]:
    """What flow is certain of in these tests, and its whole report."""
    with tempfile.TemporaryDirectory() as directory:
        answer = Path(directory, "report.json")
        subprocess.run([str(python), "-c", ASK, str(answer), *tests], cwd=checkout, check=True)
        report: dict[str, Any] = json.loads(answer.read_text())
    found = []
    for diagnostic in report["diagnostics"]:
        if not diagnostic["is_certain"] or diagnostic["is_warning"]:
            continue
        first = diagnostic["chain"][0] if diagnostic["chain"] else diagnostic
        test = enclosing_test(checkout / first["path"], first["line"])
        place = diagnostic["path"], diagnostic["line"], diagnostic["code"], diagnostic["message"]
        found.append(Found(*place, first["path"], test))
    return found, report


def run_tests(python: Path, checkout: Path, found: Iterable[Found]) -> dict[tuple[str, int], str]:
    """What the lines of these errors did when their tests were run."""
    by_test: dict[str, list[Found]] = defaultdict(list)
    for one in found:
        by_test[one.test_file].append(one)
    seen: dict[tuple[str, int], str] = {}
    for file, errors in by_test.items():
        lines: dict[str, list[int]] = defaultdict(list)
        for one in errors:
            lines[str(checkout / one.file)].append(one.line)
        names = sorted({one.test for one in errors if one.test.startswith("test")})
        chosen = ["-k", " or ".join(names)] if names and all(one.test in names for one in errors) else []
        with tempfile.TemporaryDirectory() as directory:
            asked, told = Path(directory, "lines.json"), Path(directory, "seen.json")
            asked.write_text(json.dumps(lines))
            environment = {
                **os.environ, "PRIMER_LINES": str(asked), "PRIMER_SEEN": str(told), "PYTHONPATH": str(HERE),
            }  # fmt: skip
            command = [str(python), "-m", "pytest", "-q", "-p", "line_recorder", "-p", "no:cacheprovider"]
            try:
                subprocess.run(
                    [*command, "-o", "addopts=", file, *chosen],
                    cwd=checkout, env=environment, capture_output=True, timeout=RUN_SECONDS,
                )  # fmt: skip
            except subprocess.TimeoutExpired:
                continue
            if told.exists():
                for path, by_line in json.loads(told.read_text()).items():
                    for line, what in by_line.items():
                        seen[os.path.relpath(path, os.path.realpath(checkout)), int(line)] = what
    return seen


def triaged(package: str) -> dict[tuple[str, int, str], str]:
    """What was looked at by hand in a package, and what came of it."""
    data = tomllib.loads((HERE / "flow_triage.toml").read_text(encoding="utf-8"))
    return {(e["file"], e["line"], e["code"]): e["verdict"] for e in data.get(package, ())}


def verdict(one: Found, seen: dict[tuple[str, int], str], known: dict[tuple[str, int, str], str]) -> str:
    """Whether an error is true: by the run where that can say it, else by hand."""
    what = seen.get((os.path.normpath(one.file), one.line), "unreached")
    if what == "raised":
        return "true: raised"
    if one.key in known:
        return f"{known[one.key]} (by hand, {what})"
    return "FALSE: ran" if what == "ran" and one.code not in ("array-annotation", "array-x64") else f"OPEN: {what}"


def main() -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("packages", nargs="*")
    parser.add_argument("--venv", type=Path, required=True)
    parser.add_argument("--sources", type=Path, default=Path(tempfile.gettempdir(), "primer-sources"))
    parser.add_argument("--tests", nargs="*", help="these files in place of all tests (of one package)")
    parser.add_argument("--no-run", action="store_true", help="run no test")
    arguments = parser.parse_args()
    python = arguments.venv.absolute() / "bin" / "python"
    pinned = tomllib.loads((HERE / "packages.toml").read_text(encoding="utf-8"))["packages"]
    failed = False
    for name in arguments.packages or pinned:
        checkout = sources_of(name, pinned[name], arguments.sources)
        began = time.monotonic()
        found, report = flows_errors(python, checkout, arguments.tests or pinned[name]["tests"])
        known = triaged(name)
        seen = {} if arguments.no_run else run_tests(python, checkout, found)
        verdicts = {one: verdict(one, seen, known) for one in found}
        count = Counter(v.partition(":")[0].partition(" ")[0] for v in verdicts.values())
        stopped = [entry[0] for entry in report["entry_points"] if not entry[2]]
        crashes = sum(report["crashes"].values())
        print(
            f"{name}: {len(report['entry_points'])} entry points, {len(stopped)} not to their end, {crashes} crashes, "
            f"{len(found)} certain errors: {dict(count)}  ({time.monotonic() - began:.0f} s)",
            flush=True,
        )
        for one, judged in verdicts.items():
            print(
                f"    {judged}: {one.file}:{one.line}: {one.message[:200]}  [{one.code}]  ({one.test_file} {one.test})"
            )
        for crash, times in report["crashes"].items():
            print(f"    crash: {times}: {crash}")
        failed = failed or crashes > 0 or any(v.startswith(("FALSE", "OPEN")) for v in verdicts.values())
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())

"""How much flow knows of published programs, without any help: calls of jax reached, with dtype and with shape known.

    python benchmarks/corpus.py --checkouts DIRECTORY [--held-out | --seen] [--why] [--json FILE] [NAME...]

A call is reached if any value was seen there, and its dtype (shape) is known if that of every array in what it gave is,
in dicts and objects too, each time that it was come to.  Programs of one repository import the same files, and each
calls a part of them: `each call once` counts the calls in these files once, as `arraytyping check` joins what it found
by all of them.  Known is what is known in each program that comes to it; if none does, what is known without a caller.

Seconds are those of the processor, with libraries that are compiled to bytecode, as pip compiles them (`uv pip install
--compile-bytecode`): without it they are half as many more.

`benchmarks/corpus.toml` has the programs with the commits of their repositories, which are cloned into DIRECTORY where
they are not there yet (as `owner+name`).  Counted are the calls of `jax.numpy`, `lax`, `random`, `nn` and `scipy` in
the program and in what it imports from its own folder.  Each program is followed in a process of its own, from the
root of its repository.  Run this with a Python that has the programs' libraries too, as those who run them have
(`benchmarks/corpus_requirements.txt`): without hydra, distrax and wandb, dtypes are known at 7% of the calls of one
program, with them at 90%.
"""

from __future__ import annotations

import argparse
import ast
import concurrent.futures
import json
import multiprocessing
import os
import resource
import statistics
import subprocess
import sys
import tomllib
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path

from arraytyping.checker.claims import position_of
from arraytyping.checker.flow.report.analysis import left_over
from arraytyping.checker.flow.sources.entry_points import EntryPoint, Libraries, find_entry_points
from arraytyping.checker.flow.sources.jax_calls import calls_of_jax, names_of_jax
from arraytyping.checker.flow.sources.project import Project
from arraytyping.checker.flow.start.starting import start
from arraytyping.checker.flow.state.call_results import CallResult, Results, join_results
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.state.limits import Limits
from arraytyping.checker.flow.values.frames import Module
from arraytyping.checker.settings import Settings

CORPUS = Path(__file__).with_name("corpus.toml")
SECONDS = 20.0


class _Limits(Limits):
    seconds = SECONDS


@dataclass(frozen=True)
class Program:
    """A program of the corpus, in the checkout of its repository."""

    repository: str
    path: Path
    root: Path
    roots: tuple[Path, ...]
    is_held_out: bool

    @property
    def name(self) -> str:
        """The repository and the file in it."""
        return f"{self.repository}/{self.path.relative_to(self.root)}"


@dataclass
class Measured:
    """What is known of a program; CPU time in seconds, memory in MB."""

    name: str
    is_held_out: bool
    calls: int = 0
    reached: int = 0
    dtypes: int = 0
    both: int = 0
    run: tuple[int, int, int] = (0, 0, 0)
    """Of the calls that the program itself comes to: how many, with dtype, and with dtype and shape known."""
    each: dict[str, tuple[bool, bool, bool, bool]] = field(default_factory=dict)
    """Of each call by its place: whether the program comes to it, whether it is reached, dtype known, and shape too."""
    certain: list[str] = field(default_factory=list)
    crashes: dict[str, int] = field(default_factory=dict)
    why: dict[str, int] = field(default_factory=dict)
    where: list[str] = field(default_factory=list)
    seconds: float = 0.0
    parts: list[float] = field(default_factory=list)
    """Of the program itself, and of each file of it whose functions it does not call."""
    megabytes: float = 0.0
    stopped: str = ""


def programs_of(corpus: Path, checkouts: Path, held_out: bool | None = None) -> Iterator[Program]:
    """The programs of the corpus, or those held out or not; their repositories are cloned where they are missing."""
    for entry in tomllib.loads(corpus.read_text())["repository"]:
        if held_out is not None and held_out is not entry.get("is_held_out", False):
            continue
        root = checkouts / entry["name"].replace("/", "+")
        if not root.exists():
            subprocess.run(["git", "init", "-q", root], check=True)
            url = f"https://github.com/{entry['name']}"
            subprocess.run(["git", "-C", root, "fetch", "-q", "--depth=1", url, entry["commit"]], check=True)
            subprocess.run(["git", "-C", root, "checkout", "-q", "FETCH_HEAD"], check=True)
        roots = tuple(root / name for name in entry.get("roots", ()))
        for path in entry["programs"]:
            yield Program(entry["name"], root / path, root, roots, entry.get("is_held_out", False))


def own_files(program: Program) -> set[Path]:
    """The program's file and those that it imports, directly or not, from its own folder."""
    folder = program.path.parent
    bases = [folder, program.root, program.root / "src", *program.roots, *folder.parents]
    found: set[Path] = set()
    waiting = [program.path]
    while waiting:
        path = waiting.pop()
        if path in found:
            continue
        found.add(path)
        try:
            tree = ast.parse(path.read_text(errors="replace"))
        except SyntaxError:
            continue
        for name, level in _imported(tree):
            above = [path.parents[level - 1]] if level else bases
            for base in above:
                place = base.joinpath(*name.split(".")) if name else base
                for file in (place.with_suffix(".py"), place / "__init__.py"):
                    if file.is_file() and folder in file.parents:
                        waiting.append(file)
    return found


def _imported(tree: ast.Module) -> Iterator[tuple[str, int]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((alias.name, 0) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            module = node.module or ""
            yield module, node.level
            yield from ((f"{module}.{alias.name}" if module else alias.name, node.level) for alias in node.names)


def follow(program: Program) -> Measured:
    """Follow one program."""
    measured = Measured(program.name, program.is_held_out)
    os.chdir(program.root)  # from where such programs are run
    files = own_files(program)
    shown: dict[Path, str] = {file.resolve(): str(file) for file in program.root.rglob("*.py")}
    project = Project([program.path], program.root)
    entries, _ = find_entry_points(project)
    entry = next((e for e in entries if e.kind in ("script", "module")), None)
    if entry is None:
        (source,) = project.sources.values()
        entry = EntryPoint("script", program.name, ((source.name, source.path),), (program.path.parent,))
    roots = tuple(dict.fromkeys((*entry.roots, program.root, *program.roots)))
    entry = EntryPoint(entry.kind, entry.name, entry.modules, roots)
    report = start(entry, shown, Settings(), _Limits(), frozenset(), watch=_note_results)
    reports = [report]
    left = left_over(Project(sorted(files), program.root), reports)
    for part in Libraries(Project(sorted(files), program.root)).entry_points(left):
        at = replace(part, roots=roots)
        reports.append(start(at, shown, Settings(), _Limits(), frozenset(report.reached), watch=_note_results))
    usage = resource.getrusage(resource.RUSAGE_SELF)
    measured.seconds, measured.megabytes = sum(r.seconds for r in reports), usage.ru_maxrss / 1024
    measured.stopped = report.stopped or ("" if report.is_complete else "not complete")
    measured.crashes = {k: v for r in reports for k, v in r.crashes.items()}
    measured.certain = list(
        dict.fromkeys(str(m) for r in reports for m in r.diagnostics if m.is_certain and not m.is_warning)
    )
    measured.parts = [r.seconds for r in reports]
    reasons: Counter[str] = Counter()
    results: Results = {}
    for r in reports:
        join_results(results, r.results)
    run: Counter[str] = Counter()
    for file in files:
        by_position = results.get(str(file), {})
        in_run = report.results.get(str(file), {})
        try:
            tree = ast.parse(file.read_text(errors="replace"))
        except SyntaxError:
            continue
        calls = {position_of(call): name for call, name in calls_of_jax(tree, names_of_jax(tree))}
        measured.calls += len(calls)
        for position, name in sorted(calls.items()):
            e, came = by_position.get(position), in_run.get(position)
            place = f"{file.relative_to(program.root)}:{position}"
            measured.each[place] = (came is not None, e is not None, *_is_known(e if came is None else came))
            measured.reached += e is not None
            measured.dtypes += e is not None and e.is_dtype_known
            measured.both += e is not None and e.is_dtype_known and e.is_shape_known
            if came is not None:
                run.update(calls=1, dtypes=came.is_dtype_known, both=came.is_dtype_known and came.is_shape_known)
            if e is None or not (e.is_dtype_known and e.is_shape_known):
                why = _why(e)
                reasons[why] += 1
                measured.where.append(f"{file.relative_to(program.root)}:{position[0]}: {name}: {why}")
    measured.run = run["calls"], run["dtypes"], run["both"]
    measured.why = dict(reasons.most_common())
    return measured


def _note_results(it: Interpreter, module: Module) -> None:
    module.results = {}


def _is_known(e: CallResult | None) -> tuple[bool, bool]:
    return (False, False) if e is None else (e.is_dtype_known, e.is_dtype_known and e.is_shape_known)


def _each_once(found: list[Measured]) -> Counter[str]:
    """The calls of all programs of each repository together, each of them once."""
    places: dict[tuple[str, str], list[tuple[bool, bool, bool, bool]]] = {}
    for m in found:
        repository = "/".join(m.name.split("/")[:2])
        for at, one in m.each.items():
            places.setdefault((repository, at), []).append(one)
    total: Counter[str] = Counter()
    for ones in places.values():
        come_to = [one for one in ones if one[0]]
        counted = come_to or ones
        total.update(
            calls=1,
            run=bool(come_to),
            reached=any(one[1] for one in ones),
            dtypes=all(one[2] for one in counted),
            both=all(one[3] for one in counted),
        )
    return total


def _why(e: CallResult | None) -> str:
    return "not reached" if e is None else e.why_unknown or "?"


def _share(part: int, whole: int) -> str:
    return f"{part:5} {100 * part / max(whole, 1):3.0f}%"


def show(found: list[Measured], why: bool) -> None:
    """Print the table and the sums."""
    for m in found:
        print(
            f"{m.calls:5} {_share(m.reached, m.calls)} {_share(m.dtypes, m.calls)} {_share(m.both, m.calls)} "
            f"{m.seconds:6.1f} s {m.megabytes:5.0f} MB {len(m.certain)} certain  {m.name} {m.stopped}"
        )
        for line in [*m.certain, *(f"CRASH {c}" for c in m.crashes)]:
            print("      ", line)
    if len(found) == 1:
        return
    for title, some in (
        ("seen", [m for m in found if not m.is_held_out]),
        ("held out", [m for m in found if m.is_held_out]),
    ):
        if some:
            calls = sum(m.calls for m in some)
            print(
                f"{title}: {len(some)} programs, {calls} calls: reached {_share(sum(m.reached for m in some), calls)}, "
                f"dtype {_share(sum(m.dtypes for m in some), calls)}, both {_share(sum(m.both for m in some), calls)}, "
                f"median {statistics.median(m.seconds for m in some):.1f} s, "
                f"{statistics.median(m.megabytes for m in some):.0f} MB"
            )
            came, dtypes, both = (sum(m.run[i] for m in some) for i in range(3))
            print(
                f"  come to by the programs themselves: {came}, dtype {_share(dtypes, came)}, both {_share(both, came)}"
            )
            once = _each_once(some)
            print(
                f"  each call once: {once['calls']}, come to {_share(once['run'], once['calls'])}, "
                f"reached {_share(once['reached'], once['calls'])}, dtype {_share(once['dtypes'], once['calls'])}, "
                f"both {_share(once['both'], once['calls'])}"
            )
    if why:
        reasons: Counter[str] = Counter()
        for m in found:
            reasons.update(m.why)
        for reason, number in reasons.most_common(60):
            print(f"{number:6} {reason}")


def main() -> None:
    """Measure, and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("names", nargs="*", help="only programs whose names have one of these in them")
    parser.add_argument("--checkouts", type=Path, required=True, help="where the repositories are, or are cloned to")
    parser.add_argument("--corpus", type=Path, default=CORPUS, help="another list of programs than corpus.toml")
    parser.add_argument("--held-out", action="store_true", help="only programs that were not looked at")
    parser.add_argument("--seen", action="store_true", help="only the others")
    parser.add_argument("--why", action="store_true", help="what is not known, and why, by frequency")
    parser.add_argument("--json", type=Path, help="write all figures to this file")
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    wanted = options.held_out if options.held_out is not options.seen else None
    chosen = [
        program
        for program in programs_of(options.corpus, options.checkouts.resolve(), wanted)
        if (not options.names or any(name in program.name for name in options.names))
    ]
    found: list[Measured] = []
    context = multiprocessing.get_context("spawn")
    with concurrent.futures.ProcessPoolExecutor(options.jobs, context, max_tasks_per_child=1) as pool:
        waiting = {pool.submit(follow, program): program for program in chosen}
        for done in concurrent.futures.as_completed(waiting):
            found.append(done.result())
            show(found[-1:], False)
            sys.stdout.flush()
    order = {program.name: i for i, program in enumerate(chosen)}
    found.sort(key=lambda m: order[m.name])
    show(found, options.why)
    if options.json:
        options.json.write_text(json.dumps([asdict(m) for m in found], indent=1))


if __name__ == "__main__":
    main()

"""Mutants of the programs in `typecheck_cases/flow/`, what running them shows, and what flow finds.

Each mutant is a program with one change by a mutator.  What comes of running it is kept in `tests/data/mutations.json`.

    python tests/mutations.py              flow on every mutant, against the truth that is kept
    python tests/mutations.py --flow ID    one mutant: its line, the truth, and what flow says
    python tests/mutations.py --run        run the mutants of programs that changed; with --anew, all
"""

from __future__ import annotations

import argparse
import ast
import functools
import hashlib
import importlib.metadata
import json
import random
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import cycle
from pathlib import Path
from typing import Any, Literal

import program_runs
from mutators import Edit, edits_of

from arraytyping.checker.flow.start.program import Result, interpret_from
from arraytyping.checker.flow.start.python_interpreter import PythonInterpreter
from arraytyping.checker.flow.state.diagnostics import Diagnostic
from arraytyping.checker.flow.syntax.imports import Importer

DIRECTORY = Path(__file__).parent.parent / "typecheck_cases" / "flow"
TRUTH = Path(__file__).parent / "data" / "mutations.json"
MUTANTS = 16
"""How many mutants a file has; one of a package has fewer."""
TIMEOUT = 60
_OFTEN = frozenset({"axis", "einsum", "in_axes", "returned", "shape", "transpose"})


@dataclass(frozen=True)
class Mutant:
    """A program with one change."""

    id: str
    program: Path
    """The file or directory that is run."""
    path: Path
    """The file that is changed."""
    edit: Edit
    source: str

    @property
    def line(self) -> str:
        """The changed line."""
        return self.source.splitlines()[self.edit.line - 1].strip()

    @property
    def digest(self) -> str:
        """What tells it from the mutant of another release of the program."""
        return hashlib.sha256(self.source.encode()).hexdigest()[:12]


def programs() -> list[Path]:
    """The programs: files, and directories of packages."""
    return sorted(p for p in DIRECTORY.iterdir() if p.suffix == ".py" or (p / "__main__.py").is_file())


def mutants_of(program: Path) -> Iterator[Mutant]:
    """The mutants of a program: for each of its files some, of as many kinds as there are."""
    files = [program] if program.is_file() else sorted(program.glob("*.py"))
    for path in files:
        source = path.read_text()
        name = path.stem if path == program else f"{program.name}.{path.stem}"
        kinds: dict[str, list[Edit]] = {}
        for edit in edits_of(source):
            kinds.setdefault(edit.kind, []).append(edit)
        chance = random.Random(name)
        for edits in kinds.values():
            chance.shuffle(edits)
        order = chance.sample(sorted(kinds), len(kinds))
        order = [k for kind in order for k in [kind] * (2 if kind in _OFTEN else 1)]
        left = {kind: iter(edits) for kind, edits in kinds.items()}
        wanted = MUTANTS if path == program else MUTANTS // 3
        ids: Counter[str] = Counter()
        turns = cycle(order)
        for _ in range(100 * len(order)):
            found = next(left[next(turns)], None)
            if wanted and found is not None and (mutated := found.apply(source)) is not None:
                wanted -= 1
                start = f"{name}:{found.line}:{found.kind}"
                ids[start] += 1
                yield Mutant(f"{start}:{ids[start]}", program, path, found, mutated)


@functools.cache
def all_mutants() -> tuple[Mutant, ...]:
    """The mutants of all programs."""
    return tuple(mutant for program in programs() for mutant in mutants_of(program))


# ---------------------------------------------------------------------------------------------------------- truth


@dataclass(frozen=True)
class Truth:
    """What came of a run: nothing, or an exception with the innermost line of the program in its traceback.

    `contradictions` are the lines where a value contradicts an annotation, in a program that runs.
    """

    digest: str
    exception: str | None = None
    message: str = ""
    file: str = ""
    line: int = 0
    contradictions: tuple[int, ...] = ()
    warned: tuple[int, ...] = ()
    """The lines where 64 bits were asked for in vain."""

    def to_json(self) -> dict[str, Any]:
        """The truth as JSON, without what is not there."""
        return {k: v for k, v in vars(self).items() if v}


def truth_of(mutant: Mutant, result: program_runs.Result) -> Truth:
    """The truth that a run shows."""
    own = [f for f in result.frames if f.file.resolve().is_relative_to(DIRECTORY)]
    warned = sorted({int(w.split(":")[1]) for w in result.warnings if "Explicitly requested dtype" in w})
    truth = Truth(mutant.digest, warned=tuple(warned))
    if result.exception is None or (result.exception == "SystemExit" and result.exit_code == 0):
        return truth
    file, line = (own[-1].file.name, own[-1].line) if own else ("", 0)
    return replace(truth, exception=result.exception, message=_short(result.message), file=file, line=line)


def _short(message: str) -> str:
    """The beginning of a message, without the place where jax says that the function stands."""
    text = " ".join(message.split())[:240].partition(" The error occurred while tracing the function")[0]
    return re.sub(r"(?<![\w.])/\S+/", "", text)


def run(mutants: Iterable[Mutant], jobs: int = 2) -> dict[str, Truth]:
    """Run mutants for the truth."""
    requests = {program_runs.Program(m.program.resolve(), sources=((m.path.resolve(), m.source),)): m for m in mutants}
    results = program_runs.run_programs(requests, jobs, TIMEOUT)
    found = {m.id: truth_of(m, results[request]) for request, m in requests.items()}
    annotated = {checked(m): m for m in requests.values() if "jaxtyping" in m.source and not found[m.id].exception}
    for request, result in program_runs.run_programs(annotated, jobs, TIMEOUT).items():
        assert result.exception is None, result.traceback
        mutant = annotated[request]
        lines = {int(line) for line in re.findall(r"^contradiction in line (\d+)$", result.output, re.MULTILINE)}
        found[mutant.id] = replace(found[mutant.id], contradictions=tuple(sorted(lines)))
    return found


_CHECKED = """
import ast, sys
sys.path.append({tests!r})
import planted
from jaxtyping import jaxtyped

_scope = jaxtyped(typechecker=None)

def _check(value, annotation, what, at_caller=False):
    if not planted._admits(annotation, value):
        frame, lines = sys._getframe(1), []
        while frame:
            lines += [frame.f_lineno] * (frame.f_code.co_filename == {path!r})
            frame = frame.f_back
        print("contradiction in line", lines[at_caller and len(lines) > 1])
    return value

def _check_fields(cls):
    return cls

tree = planted._CheckAnnotations().visit(ast.parse({source!r}))
exec(compile(ast.fix_missing_locations(tree), {path!r}, "exec", dont_inherit=True))
"""


def checked(mutant: Mutant) -> program_runs.Program:
    """A program that prints the lines where a value contradicts an annotation."""
    path = mutant.path.resolve()
    text = _CHECKED.format(tests=str(Path(__file__).parent), path=str(path), source=mutant.source)
    return program_runs.Program(path, source=text)


def versions() -> dict[str, str]:
    """What the truth was found with."""
    names = ("jax", "numpy", "optax", "flax", "equinox", "jaxtyping")
    return {"python": ".".join(map(str, sys.version_info[:3])), **{n: importlib.metadata.version(n) for n in names}}


def known_truth() -> dict[str, Truth]:
    """The truth that is kept, by mutant."""

    def as_kept(found: dict[str, Any]) -> Truth:
        read: dict[str, Any] = {key: tuple(v) if isinstance(v, list) else v for key, v in found.items()}
        return Truth(**read)

    return {name: as_kept(found) for name, found in json.loads(TRUTH.read_text())["mutants"].items()}


def keep(truth: dict[str, Truth]) -> None:
    """Write the truth."""
    lines = [f"    {json.dumps(name)}: {json.dumps(found.to_json())}" for name, found in truth.items()]
    TRUTH.write_text(
        f'{{\n  "versions": {json.dumps(versions())},\n  "mutants": {{\n' + ",\n".join(lines) + "\n  }\n}\n"
    )


# ----------------------------------------------------------------------------------------------------------- flow

Verdict = Literal["found", "possible", "elsewhere", "missed", "unknowable", "silent", "true", "false"]
"""Of a mutant that raises: whether a certain mistake is reported at the line, only a possible one there, certain ones
elsewhere only, or none; unknowable if the values of arrays decide.  Of one that runs: whether nothing is reported, true
violations of annotations, or a false error."""


@dataclass(frozen=True)
class Judgement:
    """A mutant, what running it shows, what flow says, and what that is worth."""

    mutant: Mutant
    truth: Truth
    result: Result
    verdict: Verdict

    @property
    def errors(self) -> list[Diagnostic]:
        """The mistakes that flow is certain of."""
        return [m for m in self.result.diagnostics if m.is_certain and not m.is_warning]


def flow_on(program: Path, sources: dict[Path, str]) -> Result:
    """What flow says of a program, some of whose files have another text."""
    main, roots, module = program, (program.parent,), "__main__"
    if program.is_dir():
        main, module = program / "__main__.py", f"{program.name}.__main__"
    importer = Importer(tuple(r.resolve() for r in roots))
    importer.overrides.update({path.resolve(): text for path, text in sources.items()})

    def begin(it: PythonInterpreter) -> None:
        importer.load(it, module, main.resolve(), False, "__main__")

    return interpret_from(begin, importer, main)


def judge(mutant: Mutant, truth: Truth) -> Judgement:
    """Run flow on a mutant, and compare."""
    assert truth.digest == mutant.digest, f"{mutant.id} has changed: python tests/mutations.py --run"
    result = flow_on(mutant.program, {mutant.path: mutant.source})
    return Judgement(mutant, truth, result, verdict_of(mutant, truth, result))


def verdict_of(mutant: Mutant, truth: Truth, result: Result) -> Verdict:
    """What flow's result is worth."""
    errors = [m for m in result.diagnostics if not m.is_warning]
    certain = [m for m in errors if m.is_certain]
    if truth.exception is None:
        is_true = all(m.code == "array-annotation" and m.line in truth.contradictions for m in certain)
        return "silent" if not certain else "true" if is_true else "false"
    at_line = [m for m in errors if m.line == truth.line and Path(m.path).name == truth.file]
    if any(m.is_certain for m in at_line):
        return "found"
    if is_unknowable(mutant, truth):
        return "unknowable"
    return "elsewhere" if certain else "possible" if at_line else "missed"


def is_unknowable(mutant: Mutant, truth: Truth) -> bool:
    """Whether only the values of arrays, which no static tool has, decide that a mutant raises."""
    if truth.exception in ("TimeoutError", "FloatingPointError"):
        return True
    path = mutant.path.with_name(truth.file)
    source = mutant.source if path.name == mutant.path.name else path.read_text()
    asserts = [n for n in ast.walk(ast.parse(source)) if isinstance(n, ast.Assert) and n.lineno == truth.line]
    return truth.exception == "AssertionError" and not any(_OF_TYPES.search(ast.unparse(n.test)) for n in asserts)


_OF_TYPES = re.compile(r"shape|ndim|dtype|size|len|isinstance")
"""What a condition mentions that does not depend on the values of arrays."""


def table(judgements: list[Judgement]) -> str:
    """The figures."""
    counts = Counter(j.verdict for j in judgements)
    raising = [j for j in judgements if j.truth.exception]
    knowable = len(raising) - counts["unknowable"]
    seconds = sum(j.result.seconds for j in judgements)
    shares = [f"{counts[v]} {v}" for v in ("found", "possible", "elsewhere", "missed")]
    return (
        f"{len(judgements)} mutants in {seconds:.0f} s: {len(raising)} raise, of these {counts['unknowable']} by values"
        f" alone; of the others {', '.join(shares)}: {counts['found'] / max(knowable, 1):.1%} found.\n"
        f"{len(judgements) - len(raising)} run: {counts['silent']} without an error, {counts['true']} with true"
        f" violations of annotations, {counts['false']} with false errors."
    )


def show(judgement: Judgement) -> str:
    """A mutant, the truth, and what flow says, in words."""
    mutant, truth = judgement.mutant, judgement.truth
    came = f"{truth.file}:{truth.line}: {truth.exception}: {truth.message}" if truth.exception else "runs"
    if truth.contradictions:
        came += f", against annotations in lines {', '.join(map(str, truth.contradictions))}"
    said = [f"    flow: {m}{'' if m.is_certain else ' (possible)'}" for m in judgement.result.diagnostics]
    crashes = [f"    crash: {c}" for c in judgement.result.crashes]
    return "\n".join([
        f"{judgement.verdict} {mutant.id}: {mutant.edit.description}",
        f"    {mutant.path.name}:{mutant.edit.line}: {mutant.line}",
        f"    truth: {came}",
        *said,
        *crashes,
    ])  # fmt: skip


def main() -> int:
    """Run mutants, or flow on them."""
    parser = argparse.ArgumentParser(description="Mutants of programs: the truth by running, and what flow finds.")
    parser.add_argument("--run", action="store_true", help="run the mutants that changed, and keep what comes")
    parser.add_argument("--anew", action="store_true", help="run all mutants, and keep what comes")
    parser.add_argument("--flow", nargs="*", metavar="ID", help="show what flow says of these mutants (or programs)")
    parser.add_argument("--verbose", action="store_true", help="show all that are not found, or falsely so")
    parser.add_argument("-j", type=int, default=2, help="processes at once")
    options = parser.parse_args()
    mutants = all_mutants()
    truth = known_truth() if TRUTH.exists() and not options.anew else {}
    if options.run or options.anew:
        wanted = [m for m in mutants if m.id not in truth or truth[m.id].digest != m.digest]
        truth |= run(wanted, options.j)
        keep({m.id: truth[m.id] for m in mutants})
        return 0
    if options.flow is not None:
        for mutant in mutants:
            if mutant.id in options.flow or mutant.program.stem in options.flow:
                print(show(judge(mutant, truth[mutant.id])))
        return 0
    judgements = []
    for mutant in mutants:
        judgements.append(judge(mutant, truth[mutant.id]))
        if options.verbose and judgements[-1].verdict not in ("found", "silent", "true"):
            print(show(judgements[-1]), flush=True)
    print(table(judgements))
    return 0


if __name__ == "__main__":
    sys.exit(main())

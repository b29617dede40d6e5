"""The planted mistakes of `typecheck_cases/planted/`: each with the clean program that it is a twin of.

A clean program's line ends in `# mistake: CODE [KIND]`: the mistaken twin has CODE in its place. Where that shows on
another line, both carry a label: `# mistake a: CODE [KIND]` and there `# shows a`. A mistake that runs, against an
annotation, ends in `[array-annotation] silent`.

`python tests/planted.py --verify [NAME...]` runs every program for the truth of its marks.
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import importlib
import os
import re
import sys
import traceback
import warnings
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

DIRECTORY = Path(__file__).parent.parent / "typecheck_cases" / "planted"
KINDS = (
    "array-shape", "array-dtype", "array-dim", "array-x64", "array-annotation", "array-traced", "call", "error",
    "array-index", "array-unused", "array-key", "array-leak", "array-donated", "array-sharding", "array-recompile",
    "array-nan", "array-promotion-wide", "array-promotion-range", "array-promotion-sum", "array-promotion-broadcast",
    "array-promotion-64bit",
)  # fmt: skip

_MISTAKE = re.compile(r"  # mistake(?: (?P<label>\w+))?: (?P<code>.*?) \[(?P<kind>[a-z0-9-]+)\](?P<silent> silent)?$")
_SHOWS = re.compile(r"  # shows (\w+)")


@dataclass(frozen=True)
class Case:
    """One planted mistake: the line that is replaced, by what, and the line where it shows."""

    path: Path
    line: int
    replacement: str
    code: str
    shows_line: int
    silent: bool
    clean_source: str

    @property
    def name(self) -> str:
        """The file's name and the replaced line, as `lstm:25`."""
        return f"{self.path.stem}:{self.line}"

    @property
    def mistaken_source(self) -> str:
        """The program with the mistake."""
        lines = self.clean_source.splitlines(keepends=True)
        old = lines[self.line - 1]
        lines[self.line - 1] = old[: len(old) - len(old.lstrip())] + self.replacement + "\n"
        return "".join(lines)


def cases_of(path: Path) -> list[Case]:
    """The mistakes planted in one file."""
    clean: list[str] = []
    diagnostics: list[tuple[int, re.Match[str]]] = []
    shows: dict[str, int] = {}
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if match := _MISTAKE.search(line):
            diagnostics.append((number, match))
            line = line[: match.start()]
        for label in _SHOWS.findall(line):
            assert label not in shows, f"{path.name}:{number}: label {label} shows twice"
            shows[label] = number
        clean.append(_SHOWS.sub("", line))
        assert "# mistake" not in clean[-1], f"{path.name}:{number}: the mark is malformed"
        assert "# shows" not in clean[-1], f"{path.name}:{number}: the mark is malformed"
    source = "\n".join(clean) + "\n"
    labels = [m["label"] for _, m in diagnostics if m["label"]]
    assert sorted(labels) == sorted(shows), f"{path.name}: labels {labels} of mistakes, {list(shows)} of lines"
    assert all(m["kind"] in KINDS for _, m in diagnostics), f"{path.name}: unknown kind"
    return [
        Case(path, number, m["code"], m["kind"], shows[m["label"]] if m["label"] else number, bool(m["silent"]), source)
        for number, m in diagnostics
    ]


def files() -> list[Path]:
    """The clean programs."""
    return sorted(DIRECTORY.glob("*.py"))


def cases() -> list[Case]:
    """All planted mistakes."""
    return [case for path in files() for case in cases_of(path)]


class _ContradictionError(Exception):
    """A value contradicts an annotation; `at_caller` if that is an argument's, which the calling line gives."""

    def __init__(self, what: str, at_caller: bool) -> None:
        super().__init__(what)
        self.at_caller = at_caller


def _admits(annotation: Any, value: Any) -> bool:
    """Whether a value is of an annotation, as far as `isinstance` or the parts of a tuple can tell."""
    if getattr(annotation, "__origin__", None) is tuple and isinstance(value, tuple):
        return all(_admits(a, v) for a, v in zip(annotation.__args__, value))
    try:
        return bool(isinstance(value, annotation))
    except TypeError:
        return True


def _check(value: Any, annotation: Any, what: str, at_caller: bool = False) -> Any:
    """The value, if its annotation admits it."""
    if not _admits(annotation, value):
        found = getattr(value, "aval", value)
        raise _ContradictionError(f"{what} is {found}, not {annotation}", at_caller)
    return value


def _check_fields(cls: type) -> type:
    """A NamedTuple or dataclass whose construction checks its fields; a NamedTuple's by their dtypes alone."""
    from jaxtyping import AbstractArray

    def of_dtype(annotation: Any) -> Any:
        return annotation.dtype[annotation.array_type, "..."] if issubclass(annotation, AbstractArray) else annotation

    name = "__new__" if issubclass(cls, tuple) else "__init__"
    make = getattr(cls, name)

    def checked(self: Any, *args: Any, **kwargs: Any) -> Any:
        made = make(self, *args, **kwargs)
        for field, annotation in cls.__annotations__.items():
            value = getattr(made if name == "__new__" else self, field)
            if hasattr(value, "dtype") and isinstance(annotation, type):
                _check(value, of_dtype(annotation), field)
        return made

    setattr(cls, name, checked)
    return cls


class _CheckAnnotations(ast.NodeTransformer):
    """Puts a check at each annotated argument, return and assignment, in jaxtyping's scope for dimensions."""

    def __init__(self) -> None:
        self.returns: list[ast.expr | None] = []

    def _call(self, value: ast.expr, annotation: ast.expr, what: str, at_caller: bool = False) -> ast.Call:
        arguments: list[ast.expr] = [value, annotation, ast.Constant(what), ast.Constant(at_caller)]
        return ast.Call(ast.Name("_check", ast.Load()), arguments, [])

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef:
        self.returns.append(node.returns)
        self.generic_visit(node)
        self.returns.pop()
        arguments = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
        annotated = [(a, a.annotation) for a in arguments if a.annotation is not None]
        if annotated or node.returns:
            node.body[:0] = [
                ast.Expr(self._call(ast.Name(a.arg, ast.Load()), annotation, a.arg, at_caller=True))
                for a, annotation in annotated
            ]
            node.decorator_list.append(ast.Name("_scope", ast.Load()))
        return node

    def visit_Lambda(self, node: ast.Lambda) -> ast.Lambda:
        return node

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.ClassDef:
        fields = any(isinstance(n, ast.AnnAssign) for n in node.body)
        node.body = [n if isinstance(n, ast.AnnAssign) else self.visit(n) for n in node.body]
        kinds = [ast.unparse(n) for n in [*node.decorator_list, *node.bases]]
        if fields and any("NamedTuple" in k or "dataclass" in k for k in kinds):
            node.decorator_list.insert(0, ast.Name("_check_fields", ast.Load()))
        return node

    def visit_Return(self, node: ast.Return) -> ast.Return:
        if self.returns and self.returns[-1] is not None and node.value is not None:
            node.value = self._call(node.value, self.returns[-1], "the result")
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AnnAssign:
        if node.value is not None:
            node.value = self._call(node.value, node.annotation, ast.unparse(node.target))
        return node


@dataclass(frozen=True)
class Outcome:
    """How a run ended: the innermost line of the file in the traceback and the exception, or neither."""

    line: int | None
    error: str


def _execute(source: str, filename: str, check_annotations: bool) -> Outcome:
    """Run a program in this process; asking for 64 bits in vain is an error."""
    names: dict[str, Any] = {"__name__": "__main__", "__file__": filename}
    try:
        tree = ast.parse(source)
        if check_annotations:
            from jaxtyping import jaxtyped

            names |= {"_check": _check, "_check_fields": _check_fields, "_scope": jaxtyped(typechecker=None)}
            tree = ast.fix_missing_locations(_CheckAnnotations().visit(tree))
        with warnings.catch_warnings():
            warnings.filterwarnings("error", message="Explicitly requested dtype")
            exec(compile(tree, filename, "exec", dont_inherit=True), names)
    except BaseException as error:
        lines = [f.lineno for f in traceback.extract_tb(error.__traceback__) if f.filename == filename]
        if isinstance(error, _ContradictionError) and error.at_caller:
            lines.pop()
        text = " ".join(str(error).split())
        return Outcome(lines[-1] if lines else 0, f"{type(error).__name__}: {text}")
    return Outcome(None, "")


def run(source: str, filename: str, *, check_annotations: bool = False) -> Outcome:
    """Run a program in a process forked from this one, which must not have used jax yet."""
    reader, writer = os.pipe()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        child = os.fork()
    if child == 0:
        os.close(reader)
        with Path(os.devnull).open("w") as nowhere, contextlib.redirect_stdout(nowhere):
            outcome = _execute(source, filename, check_annotations)
        os.write(writer, repr((outcome.line, outcome.error[:2000])).encode())
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader, "rb") as pipe:
        said = pipe.read()
    os.waitpid(child, 0)
    return Outcome(*ast.literal_eval(said.decode())) if said else Outcome(0, "the process died")


def faults(path: Path, verbose: bool = False) -> Iterator[str]:
    """What is untrue of the marks in a file."""
    planted = cases_of(path)
    name = str(path)
    for check_annotations in {False, any(case.silent for case in planted)}:
        clean = run(path.read_text(), name, check_annotations=check_annotations)
        if clean.line is not None:
            yield f"{path.name}: the clean program fails in line {clean.line}: {clean.error}"
    for case in planted:
        source = case.mistaken_source
        where = f"{case.name} [{case.code}]"
        if case.silent:
            plain = run(source, name)
            if plain.line is not None:
                yield f"{where}: is not silent, line {plain.line}: {plain.error}"
        outcome = run(source, name, check_annotations=case.silent)
        if outcome.line is None:
            yield f"{where}: runs"
        elif outcome.line != case.shows_line:
            yield f"{where}: shows in line {outcome.line}, not {case.shows_line}: {outcome.error}"
        elif case.silent and "_Contradiction" not in outcome.error:
            yield f"{where}: is not an annotation's matter: {outcome.error}"
        elif (case.code == "array-x64") != ("Explicitly requested dtype" in outcome.error):
            yield f"{where}: is not of that code: {outcome.error}"
        elif verbose:
            print(f"{where} {outcome.line}: {outcome.error[:150]}")


def main() -> int:
    """Count the cases, and run them if asked."""
    parser = argparse.ArgumentParser(description="Count, and verify by running, the planted mistakes.")
    parser.add_argument("--verify", action="store_true", help="run all programs")
    parser.add_argument("--verbose", action="store_true", help="show each mistake's exception")
    parser.add_argument("-j", type=int, default=2, help="processes at once")
    parser.add_argument("names", nargs="*", help="stems of files; all without")
    options = parser.parse_args()
    chosen = [p for p in files() if not options.names or p.stem in options.names]
    counts = Counter(case.code for path in chosen for case in cases_of(path))
    print(f"{len(chosen)} files, {counts.total()} mistakes: " + ", ".join(f"{k} {n}" for k, n in counts.most_common()))
    if not options.verify:
        return 0
    # Imported, and not used, before the forks, which inherit it.
    for name in ("jax.numpy", "jaxtyping", "equinox", "flax.linen", "optax"):
        importlib.import_module(name)
    assert not sys.modules["jax._src.xla_bridge"].backends_are_initialized(), "jax was used before the forks"
    with ThreadPoolExecutor(options.j) as pool:
        found = [f for faulty in pool.map(lambda p: list(faults(p, options.verbose)), chosen) for f in faulty]
    print("\n".join(found) or "all true")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main())

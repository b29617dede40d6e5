"""What switches 64-bit types in a program's text or in the environment, and what follows from several such places.

JAX makes 32-bit arrays unless `jax_enable_x64` is on.  A file is searched for whatever switches it:
`jax.config.update("jax_enable_x64", True)`, `os.environ["JAX_ENABLE_X64"] = "1"`, `with jax.enable_x64():` and their
kin; failing these the environment variable decides, and failing that JAX's default, off.  A switch that takes
effect only sometimes (in an `if`, in a test, with a computed value, for the body of a `with`) leaves x64 undecided, and
so do two that contradict each other: both answers are possible then.  Which files belong to one program says
`arraytyping.checker.flow.sources.x64_programs`.

Source: https://docs.jax.dev/en/latest/default_dtypes.html.
"""

from __future__ import annotations

import ast
import os
import warnings
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Final, NamedTuple

__all__ = [
    "Evidence",
    "X64Decision",
    "by_default",
    "by_evidence",
    "differing",
    "evidence_in",
    "own_by_default",
    "parse_flag",
    "word",
]

VARIABLE: Final = "JAX_ENABLE_X64"
OWN_VARIABLE: Final = "ARRAYTYPING_ENABLE_X64"
"""What the environment says of arraytyping's own arrays, for which JAX's variable says nothing."""
FLAG: Final = "jax_enable_x64"
FLAGS: Final = (FLAG, "enable_x64")
"""The names of the option: arraytyping's own takes both."""

_TRUE: Final = frozenset({"y", "yes", "t", "true", "on", "1"})
_FALSE: Final = frozenset({"n", "no", "f", "false", "off", "0"})
_MENTIONS: Final = (b"enable_x64", b"disable_x64", b"ENABLE_X64")


class Evidence(NamedTuple):
    """A place that switches x64: the value, or None where the switch takes effect only sometimes."""

    file: str
    line: int
    text: str
    value: bool | None

    def __str__(self) -> str:
        from arraytyping.checker.notebooks.cells import place_text  # rarely needed, and mypy starts often

        return f"{place_text(self.file, self.line)}: {self.text}"


class X64Decision(NamedTuple):
    """Whether x64 is on; None if the program does not say, or contradicts itself: both are possible then."""

    value: bool | None
    reason: str
    evidence: tuple[Evidence, ...] = ()
    is_default: bool = False
    """Whether nothing says so, and it is what JAX does by itself."""

    @staticmethod
    def configured(value: bool, where: str) -> X64Decision:
        """The decision that a setting takes."""
        return X64Decision(value, f"configured in {where}")

    def __str__(self) -> str:
        return f"x64: {word(self.value)} ({self.reason})"


def by_default(environ: Mapping[str, str] | None = None) -> X64Decision:
    """The decision where nothing in a program switches x64: that of the environment, or JAX's."""
    environ = os.environ if environ is None else environ
    if VARIABLE in environ:
        value = parse_flag(environ[VARIABLE])
        if value is None:
            return X64Decision(None, f"environment variable {VARIABLE}={environ[VARIABLE]!r} is no truth value to JAX")
        return X64Decision(value, f"environment variable {VARIABLE}={environ[VARIABLE]}")
    return X64Decision(False, "JAX's default: nothing switches it on", is_default=True)


def own_by_default(environ: Mapping[str, str] | None = None) -> bool | None:
    """Whether x64 is on for arraytyping's own arrays where nothing in a program switches it."""
    given = (os.environ if environ is None else environ).get(OWN_VARIABLE, "").strip()
    return parse_flag(given) if given else False


def by_evidence(evidence: Sequence[Evidence], environ: Mapping[str, str] | None = None) -> X64Decision:
    """The decision for a program in which these places switch x64."""
    values = {e.value for e in evidence}
    if len(values) == 1 and None not in values:
        return X64Decision(evidence[0].value, str(evidence[0]), tuple(evidence))
    if evidence:
        return X64Decision(None, _undecided(evidence), tuple(evidence))
    return by_default(environ)


def differing(decisions: Sequence[X64Decision]) -> X64Decision:
    """The decision for what belongs to programs that differ: undecided."""
    first = {d.value: d for d in reversed(decisions)}
    said = "; ".join(f"one program says {word(v)} ({first[v].reason})" for v in (True, False) if v in first)
    evidence = tuple(dict.fromkeys(e for d in decisions for e in d.evidence))
    return X64Decision(None, f"{said}; what depends on it is given for both", evidence)


def parse_flag(text: str) -> bool | None:
    """The truth value of an environment variable, as JAX reads it; None for text that JAX refuses."""
    text = text.lower()
    return True if text in _TRUE else False if text in _FALSE else None


def word(value: bool | None) -> str:
    """A decision in one word."""
    return "undecided" if value is None else "on" if value else "off"


def _undecided(evidence: Sequence[Evidence]) -> str:
    """The first place for each of the values, and what follows."""
    first = {e.value: e for e in reversed(evidence)}
    shown = sorted(first.values(), key=lambda e: (e.file, e.line))
    says = {True: "on", False: "off", None: "on or off, which is not known before it runs"}
    return "; ".join(f"{e} says {says[e.value]}" for e in shown) + "; what depends on it is given for both"


def evidence_in(file: Path, source: bytes, environ: Mapping[str, str] | None = None) -> list[Evidence]:
    """The places of one file that switch x64; none if it cannot be parsed (the checker will say so)."""
    if not any(mention in source for mention in _MENTIONS):
        return []
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # invalid escapes in the program's strings
            tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return []
    search = _Search(_shown(file), VARIABLE in (os.environ if environ is None else environ))
    try:
        search.visit(tree)
    except RecursionError:
        return []
    return sorted(search.found, key=lambda e: e.line)


def _shown(file: Path) -> str:
    try:
        return file.resolve().relative_to(Path.cwd().resolve()).as_posix()
    except ValueError:
        return str(file)


class _Search(ast.NodeVisitor):
    """Finds what switches x64, and whether it does so for certain."""

    def __init__(self, file: str, variable_is_set: bool) -> None:
        self.file = file
        self.variable_is_set = variable_is_set
        self.found: list[Evidence] = []
        self._aliases: dict[str, str] = {}  # local name -> what it was imported as
        self._sometimes = 0

    def visit_Import(self, node: ast.Import) -> None:
        for a in node.names:
            self._aliases[a.asname or a.name.partition(".")[0]] = a.name if a.asname else a.name.partition(".")[0]

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        for a in node.names:
            self._aliases[a.asname or a.name] = f"{node.module}.{a.name}"

    def visit_If(self, node: ast.If) -> None:
        self.visit(node.test)
        certain = _is_main_guard(node.test) or FLAG in ast.unparse(node.test)
        self._visit_all(node.body, sometimes=not certain)
        self._visit_all(node.orelse, sometimes=True)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        self._visit_all(node.decorator_list)
        in_test = node.name.startswith("test") or any("fixture" in ast.unparse(d) for d in node.decorator_list)
        self._visit_all(node.body, sometimes=in_test)

    def visit_IfExp(self, node: ast.IfExp) -> None:
        self.visit(node.test)
        self._visit_all([node.body, node.orelse], sometimes=True)

    def visit_BoolOp(self, node: ast.BoolOp) -> None:
        self.visit(node.values[0])
        self._visit_all(node.values[1:], sometimes=True)

    def visit_For(self, node: ast.For) -> None:
        self._visit_all([node.target, node.iter])
        self._visit_all([*node.body, *node.orelse], sometimes=True)

    def visit_While(self, node: ast.While) -> None:
        self._visit_all([node.test])
        self._visit_all([*node.body, *node.orelse], sometimes=True)

    def visit_Match(self, node: ast.Match) -> None:
        self._visit_all([node.subject])
        self._visit_all(node.cases, sometimes=True)

    def visit_ExceptHandler(self, node: ast.ExceptHandler) -> None:
        self._visit_all(node.body, sometimes=True)

    def visit_Assign(self, node: ast.Assign) -> None:
        for target in node.targets:
            if isinstance(target, ast.Attribute) and target.attr == FLAG:
                self._note(node, _flag(node.value))
            elif (
                isinstance(target, ast.Subscript)
                and self._is_environ(target.value)
                and _is(target.slice, VARIABLE, OWN_VARIABLE)
            ):
                self._note(node, _variable(node.value))
        self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> None:
        name = self._name(node.func)
        last = name.rpartition(".")[2] if name else ""
        args = node.args
        if last == "update" and args and _is(args[0], *FLAGS):
            value = args[1] if len(args) > 1 else next((k.value for k in node.keywords if k.arg == "val"), None)
            self._note(node, _flag(value))
        elif name == "setattr" and len(args) == 3 and _is(args[1], FLAG):
            self._note(node, _flag(args[2]))
        elif isinstance(node.func, ast.Attribute) and self._is_environ(node.func.value):
            self._environ_call(node, node.func.attr)
        elif last in ("enable_x64", "disable_x64") and name.partition(".")[0] in ("jax", "arraytyping"):
            self._note(node, None)
        self.generic_visit(node)

    def _environ_call(self, node: ast.Call, method: str) -> None:
        args = node.args
        if method == "setdefault" and len(args) == 2 and _is(args[0], VARIABLE) and not self.variable_is_set:
            self._note(node, _variable(args[1]))
        elif method == "setdefault" and args and _is(args[0], OWN_VARIABLE):
            self._note(node, None)
        elif method == "update":
            names = (VARIABLE, OWN_VARIABLE)
            values = [k.value for k in node.keywords if k.arg in names]
            if args and isinstance(args[0], ast.Dict):
                values += [v for k, v in zip(args[0].keys, args[0].values) if k is not None and _is(k, *names)]
            for value in values:
                self._note(node, _variable(value))

    def _name(self, node: ast.expr) -> str:
        """A dotted name, with what its first part was imported as; empty for another expression."""
        if isinstance(node, ast.Name):
            return self._aliases.get(node.id, node.id)
        if isinstance(node, ast.Attribute):
            owner = self._name(node.value)
            return f"{owner}.{node.attr}" if owner else f".{node.attr}"
        return ""

    def _is_environ(self, node: ast.expr) -> bool:
        return self._name(node) == "os.environ"

    def _visit_all(self, nodes: Iterable[ast.AST], *, sometimes: bool = False) -> None:
        self._sometimes += sometimes
        for node in nodes:
            self.visit(node)
        self._sometimes -= sometimes

    def _note(self, node: ast.stmt | ast.expr, value: bool | None) -> None:
        text = " ".join(ast.unparse(node).split()).replace("'", '"')
        self.found.append(Evidence(self.file, node.lineno, text, None if self._sometimes else value))


def _is(node: ast.expr, *texts: str) -> bool:
    return isinstance(node, ast.Constant) and node.value in texts


def _flag(node: ast.expr | None) -> bool | None:
    """The value of the flag: JAX takes the truth of anything."""
    return bool(node.value) if isinstance(node, ast.Constant) else None


def _variable(node: ast.expr) -> bool | None:
    return parse_flag(node.value) if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


def _is_main_guard(test: ast.expr) -> bool:
    return ast.unparse(test) in ("__name__ == '__main__'", "'__main__' == __name__")

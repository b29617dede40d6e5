"""What the public modules of JAX hold, read from jax_surface.txt, which tests/jax_surface.py writes.

The generator never imports JAX: names, parameters and defaults come from this file, dtypes from the rules.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Final

__all__ = ["Declaration", "Parameter", "Signature", "read_surface"]

FILE: Final = Path(__file__).with_name("jax_surface.txt")


@dataclass(frozen=True)
class Parameter:
    """A parameter: its name, kind (`positional`, `either`, `keyword`, `*` or `**`), annotation and default."""

    name: str
    kind: str
    annotation: str = "Any"
    default: str | None = None

    @property
    def text(self) -> str:
        """The parameter as a stub writes it."""
        star = self.kind if self.kind in ("*", "**") else ""
        return f"{star}{self.name}: {self.annotation}" + (f" = {self.default}" if self.default is not None else "")


@dataclass(frozen=True)
class Signature:
    """The parameters of a function and the result that JAX annotates it with."""

    parameters: tuple[Parameter, ...]
    result: str = "Any"

    def annotated(self, annotations: dict[str, str], defaults: dict[str, str | None] | None = None) -> Signature:
        """With these annotations, and these defaults, of parameters by name."""
        changed = defaults or {}
        return replace(
            self,
            parameters=tuple(
                replace(
                    p,
                    annotation=annotations.get(p.name, p.annotation),
                    default=changed.get(p.name, p.default),
                )
                for p in self.parameters
            ),
        )

    @property
    def text(self) -> str:
        """The parameters as a stub writes them, with the marks of their kinds."""
        shown: list[str] = []
        starred = False
        for i, p in enumerate(self.parameters):
            if p.kind == "keyword" and not starred:
                shown.append("*")
            starred = starred or p.kind in ("keyword", "*")
            shown.append(p.text)
            if p.kind == "positional" and (
                i + 1 == len(self.parameters) or self.parameters[i + 1].kind != "positional"
            ):
                shown.append("/")
        return ", ".join(shown)

    @property
    def required(self) -> tuple[Parameter, ...]:
        """The parameters that a call must give."""
        return tuple(p for p in self.parameters if p.default is None and p.kind in ("positional", "either"))


@dataclass(frozen=True)
class Declaration:
    """A public name: a function, a class with its attributes and base, a module, or a value of a type."""

    name: str
    kind: str
    signature: Signature | None = None
    type: str = "Any"
    members: tuple[str, ...] = ()


Module = dict[str, Declaration]


@lru_cache
def read_surface() -> dict[str, Module]:
    """The declarations of each module, by name."""
    modules: dict[str, Module] = {}
    current: Module = {}
    for line in FILE.read_text(encoding="utf-8").splitlines():
        if line.startswith("["):
            current = modules.setdefault(line[1:-1], {})
        elif line and not line.startswith("#"):
            found = _declaration(ast.parse(line).body[0])
            current[found.name] = found
    return modules


def _declaration(node: ast.stmt) -> Declaration:
    match node:
        case ast.FunctionDef():
            result = ast.unparse(node.returns) if node.returns is not None else "Any"
            return Declaration(node.name, "function", Signature(tuple(_parameters(node.args)), result))
        case ast.ClassDef():
            targets = [s.target for s in node.body if isinstance(s, ast.AnnAssign)]
            members = tuple(t.id for t in targets if isinstance(t, ast.Name))
            return Declaration(node.name, "class", None, ast.unparse(node.bases[0]) if node.bases else "", members)
        case ast.Import():
            alias = node.names[0]
            return Declaration(alias.asname or alias.name, "module", type=alias.name)
        case ast.ImportFrom():
            alias = node.names[0]
            return Declaration(alias.asname or alias.name, "import", type=f"{node.module}.{alias.name}")
        case ast.AnnAssign(target=ast.Name(id=name)):
            return Declaration(name, "value", type=ast.unparse(node.annotation))
    raise ValueError(f"{ast.unparse(node)!r} is no declaration that {FILE.name} may hold; write the file anew")


def _parameters(args: ast.arguments) -> list[Parameter]:
    positional = [(a, "positional") for a in args.posonlyargs] + [(a, "either") for a in args.args]
    missing = len(positional) - len(args.defaults)
    found = [
        Parameter(a.arg, kind, default=ast.unparse(args.defaults[i - missing]) if i >= missing else None)
        for i, (a, kind) in enumerate(positional)
    ]
    if args.vararg is not None:
        found.append(Parameter(args.vararg.arg, "*"))
    for a, d in zip(args.kwonlyargs, args.kw_defaults):
        found.append(Parameter(a.arg, "keyword", default=None if d is None else ast.unparse(d)))
    if args.kwarg is not None:
        found.append(Parameter(args.kwarg.arg, "**"))
    return found

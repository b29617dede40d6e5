"""Large modules in several files, of which a checker reads those that a program needs.

A volume holds the overloads of functions that follow one another, and is named after the first; the module imports all
of them.  Functions that share a class, as ufuncs of one signature do, are in one volume.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

__all__ = ["divided"]

LARGE: Final = ("numpy", "lax")
"""The modules that are divided: those that nearly every program uses."""
LINES: Final = 130
"""How long a volume is before another begins.  With shorter ones mypy, which reads all, loses more than others gain."""

_TYPE_VARIABLE: Final = re.compile(r"(\w+) = TypeVar(?:Tuple)?\(")


@dataclass
class Volume:
    """Declarations that are together in a file."""

    names: list[str] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)


def divided(files: Mapping[str, str], package: str) -> dict[str, str]:
    """The files of a stub package, with the large modules in volumes."""
    found = dict(files)
    for module in LARGE:
        own = f"{module}/__init__.pyi"
        lines = files[own].splitlines()
        volumes, rest = _volumes(lines)
        sources = _sources(lines, f"{package}.{module}")
        imported: list[str] = []
        for volume in volumes:
            name = f"_from_{volume.names[0]}"
            head = [lines[0], *_needed(volume.lines, lines, sources)]
            found[f"{module}/{name}.pyi"] = "\n".join([*head, "", *volume.lines, ""])
            imported += [f"from {package}.{module}.{name} import {n} as {n}" for n in volume.names]
        used = set(re.findall(r"\w+", "\n".join(line for line in rest if not _TYPE_VARIABLE.match(line))))
        rest = [line for line in rest if (made := _TYPE_VARIABLE.match(line)) is None or made[1] in used]
        end = next(i for i, line in enumerate(rest) if line.startswith("def __getattr__"))
        found[own] = "\n".join([*rest[:end], *imported, "", *rest[end:], ""])
    return found


def _volumes(lines: Sequence[str]) -> tuple[list[Volume], list[str]]:
    """The overloaded functions in volumes, and all other lines."""
    groups: dict[str, Volume] = {}
    rest: list[str] = []
    end = 0
    for node in ast.parse("\n".join(lines)).body:
        block = list(lines[end : node.end_lineno])
        end = node.end_lineno or end
        match node:
            case ast.FunctionDef(name=name, decorator_list=[_, *_]):
                group = name
            case ast.ClassDef(name=group) if group.startswith("_Ufunc_"):
                name = ""
            case ast.AnnAssign(target=ast.Name(id=name), annotation=ast.Name(id=group)) if group in groups:
                pass
            case _:
                rest += block
                continue
        found = groups.setdefault(group, Volume())
        found.lines += block
        found.names += [name] if name and name not in found.names else []
    return list(_gathered(groups.values())), rest + list(lines[end:])


def _gathered(groups: Iterable[Volume]) -> Iterator[Volume]:
    """Functions that follow one another, as many as a volume holds."""
    volume = Volume()
    for group in groups:
        volume = Volume(volume.names + group.names, volume.lines + group.lines)
        if len(volume.lines) >= LINES:
            yield volume
            volume = Volume()
    if volume.names:
        yield volume


def _sources(lines: Sequence[str], module: str) -> dict[str, str]:
    """The module from which each name comes that a module uses; none for modules themselves."""
    found: dict[str, str] = {}
    for node in ast.parse("\n".join(lines)).body:
        if isinstance(node, ast.Import):
            found |= {a.name: "" for a in node.names}
        elif isinstance(node, ast.ImportFrom):
            found |= {a.name: node.module or "" for a in node.names}
        elif isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
            found[node.name] = module
    return found


def _needed(block: Sequence[str], lines: Sequence[str], sources: Mapping[str, str]) -> list[str]:
    """The imports and type variables that declarations use."""
    used = set(re.findall(r"\w+", "\n".join(block)))
    variables = [line for line in lines if (made := _TYPE_VARIABLE.match(line)) is not None and made[1] in used]
    used |= set(re.findall(r"\w+", "\n".join(variables)))
    imported = {name: source for name, source in sources.items() if name in used}
    by_source = {source: [n for n, s in imported.items() if s == source] for source in dict.fromkeys(imported.values())}
    statements = [f"from {s} import {', '.join(n)}" if s else f"import {', '.join(n)}" for s, n in by_source.items()]
    return [*statements, "", *variables]

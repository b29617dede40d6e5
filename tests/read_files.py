"""The files of ours that a type checker reads for programs: what they import, with all that this imports in turn."""

from __future__ import annotations

import ast
import functools
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final

__all__ = ["read_for"]

ROOT: Final = Path(__file__).parent.parent
_STUBS: Final = ROOT / "stubs"
_SOURCES: Final = (ROOT / "src", ROOT / "mypy_plugin")
_KINDS: Final = ("/__init__.pyi", "/__init__.py", ".pyi", ".py")
"""What a module may be, in the order in which a checker takes one."""


def read_for(folder: Path, files: Iterable[str], packages: Sequence[str]) -> dict[str, str]:
    """The text of each file, by its place: of the programs, the whole of the stub packages, and what is imported.

    A module that is neither beside the programs, in a stub package nor among our sources is a library's.
    """
    _found.cache_clear()  # there may be other files now
    found = {f"{name}/{p.name}": p for name in packages for p in [_STUBS / name / "py.typed"] if p.exists()}
    for name in packages:
        found |= {p.relative_to(_STUBS).as_posix(): p for p in (_STUBS / name).rglob("*.pyi")}
    reading = [(_module(name), folder / name) for name in files]
    reading += [(_module(place.replace("-stubs/", "/", 1)), p) for place, p in found.items() if p.suffix == ".pyi"]
    seen = {path for _, path in reading}
    found |= {name: folder / name for name in files}
    while reading:
        module, path = reading.pop()
        for name in sorted(set(_imported(path, module))):
            if (there := _found(name, folder, tuple(packages))) is not None and there not in seen:
                seen.add(there)
                reading.append((name, there))
                found[_place(there, folder)] = there
    return {place: path.read_text(encoding="utf-8") for place, path in sorted(found.items())}


def _place(path: Path, folder: Path) -> str:
    return path.relative_to(folder if path.is_relative_to(folder) else ROOT).as_posix()


def _module(place: str) -> str:
    return place.rpartition(".")[0].removesuffix("/__init__").replace("/", ".")


def _imported(path: Path, module: str) -> Iterator[str]:
    """What a file imports, with the packages that this is in, and what may be modules of it."""
    package = module.split(".") if path.stem == "__init__" else module.split(".")[:-1]
    for node in _imports(path.read_text(encoding="utf-8"), is_stub=path.is_relative_to(_STUBS)):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        else:
            around = package[: len(package) - node.level + 1] if node.level else []
            base = ".".join([*around, *([node.module] if node.module else [])])
            names = [base, *(f"{base}.{alias.name}" for alias in node.names)]
        for name in names:
            parts = name.split(".")
            yield from (".".join(parts[: n + 1]) for n in range(len(parts)))


@functools.cache
def _imports(text: str, is_stub: bool) -> tuple[ast.Import | ast.ImportFrom, ...]:
    """The statements of a file that import; of our stubs, which are large, each begins a line of its own."""
    if is_stub:
        text = "\n".join(match[0].strip() for match in _IMPORT.finditer(text))
    return tuple(node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Import | ast.ImportFrom))


_IMPORT: Final = re.compile(r"^ *(?:import [^\n#]*|from [\w.]+ import (?:\([^)]*\)|[^\n#(]*))", re.MULTILINE)


@functools.cache
def _found(module: str, folder: Path, packages: tuple[str, ...]) -> Path | None:
    """The file of a module, where it is ours."""
    first, _, rest = module.partition(".")
    whole = module.replace(".", "/")
    places = [folder / whole]
    if f"{first}-stubs" in packages:
        places.append(_STUBS / f"{first}-stubs" / rest.replace(".", "/"))
    places += [source / whole for source in _SOURCES]
    files = (Path(f"{place}{kind}") for place in places for kind in _KINDS)
    return next((file for file in files if file.is_file()), None)

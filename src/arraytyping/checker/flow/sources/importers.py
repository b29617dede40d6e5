"""Which of many files may import some others, also by way of one another: read off their text, without parsing it."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Final

from arraytyping.checker.imported_files import imported_names, read_or_nothing

__all__ = ["importers"]

_DYNAMIC: Final = (b"import_module", b"__import__", b"run_path", b"run_module", b"exec_module")
"""What a file may import by that its text need not say."""


def importers(files: Iterable[Path], imported: Iterable[Path]) -> list[Path]:
    """Those of the files that may import one of the modules, or a file that does, in their order."""
    left = {file: read_or_nothing(file) for file in files}
    found = {file for file, text in left.items() if any(word in text for word in _DYNAMIC)}
    targets = [_parts(path) for path in imported]
    seen = set(targets)
    while targets:
        target = targets.pop()
        word = target[-1].encode()
        for file, text in left.items():
            if word in text and any(_may_name(name, target, file) for name in imported_names(text)):
                found.add(file)
                if (parts := _parts(file)) not in seen:
                    seen.add(parts)
                    targets.append(parts)
    return [file for file in left if file in found]


def _parts(file: Path) -> tuple[str, ...]:
    """The parts of a module's path, of which the end is its name wherever it is imported."""
    return file.parent.parts if file.name == "__init__.py" else file.with_suffix("").parts


def _may_name(name: str, target: tuple[str, ...], file: Path) -> bool:
    """Whether a name in a file's imports may stand for a module, or for something in it."""
    dotted = tuple(part for part in name.split(".") if part)
    level = len(name) - len(name.lstrip("."))
    if level:
        base = file.parents[min(level, len(file.parents)) - 1].parts
        return any((*base, *some) == target for some in (dotted, dotted[:-1]))
    return any(some and target[-len(some) :] == some for some in (dotted, dotted[:-1]))

"""Of which modules plain mypy can be asked by now: those whose libraries have been read.

mypy checks a module once it has checked all that the module imports.  The first that has an error may import no jax,
which has not been read then; plain mypy would have to read it itself, for the modules that do.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Final

from mypy.nodes import Import, ImportAll, ImportFrom, MypyFile
from mypy.util import correct_relative_import

from arraytyping.checker.import_graph import importers_of, reached

__all__ = ["read_modules", "ready_modules"]

_FEW: Final = 200
"""So many modules of libraries are read again in the time that another run of mypy takes."""


def ready_modules(program: Iterable[str], needed: str, modules: Mapping[str, MypyFile]) -> set[str]:
    """The modules of a program that import nothing that is still to be read, or all where that is little.

    With the one that is needed, and all that this one imports: mypy has read them.
    """
    own = set(program)
    imported = _imports(own, modules)
    lacking = _lacking(own, imported, modules)
    if len(lacking) <= _FEW:
        return own
    read = reached({needed}, imported)
    return (own - _waiting(lacking, imported)) | (own & read)


def read_modules(program: Iterable[str], needed: str, modules: Mapping[str, MypyFile]) -> set[str]:
    """The modules of a program that import nothing that is still to be read, and the one that is needed.

    It is over-cautious: a module imports the packages that it is in, which mypy need not have come to.
    """
    own = set(program)
    imported = _imports(own, modules)
    return (own - _waiting(_lacking(own, imported, modules), imported)) | {needed}


def _lacking(own: set[str], imported: dict[str, set[str]], modules: Mapping[str, MypyFile]) -> set[str]:
    """The modules of libraries that mypy has parsed at most."""
    return {name for name in imported if name not in own and not modules[name].names}


def _waiting(lacking: set[str], imported: dict[str, set[str]]) -> set[str]:
    """The modules that import these by whatever way."""
    return set(reached(lacking, importers_of(imported)))


def _imports(program: set[str], modules: Mapping[str, MypyFile]) -> dict[str, set[str]]:
    """What each module imports that a program needs, by whatever way; nothing for libraries that have been read."""
    found: dict[str, set[str]] = {}
    stack = list(program)
    while stack:
        name = stack.pop()
        if name not in found:
            is_followed = name in program or not modules[name].names
            found[name] = _imported(name, modules[name], modules) if is_followed else set()
            stack += found[name]
    return found


def _imported(name: str, tree: MypyFile, modules: Mapping[str, MypyFile]) -> set[str]:
    """The modules that a module imports, with the packages that they are in."""
    found: set[str] = set()
    for statement in tree.imports:
        if isinstance(statement, Import):
            for one, _ in statement.ids:
                found.update(_with_packages(one))
        elif isinstance(statement, ImportFrom | ImportAll):
            whole, _ = correct_relative_import(name, statement.relative, statement.id, tree.is_package_init_file())
            found.update(_with_packages(whole))
            if isinstance(statement, ImportFrom):
                found.update(f"{whole}.{one}" for one, _ in statement.names)
    return found & modules.keys()


@lru_cache(maxsize=4096)
def _with_packages(name: str) -> tuple[str, ...]:
    parts = name.split(".")
    return tuple(".".join(parts[:i]) for i in range(1, len(parts) + 1))

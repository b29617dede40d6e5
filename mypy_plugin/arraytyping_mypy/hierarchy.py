"""Which classes of a build inherit from which, and which attributes they assign as well."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Final

from mypy.nodes import ClassDef, FakeInfo, Import, ImportAll, ImportFrom, MemberExpr, MypyFile, NameExpr, Node, TypeInfo

from arraytyping_mypy.attribute_assignments import AttributeAssignment, attribute_assignments
from arraytyping_mypy.names import is_installed, is_library, is_program
from arraytyping_mypy.walk import nodes_of

__all__ = ["HIERARCHY", "KEY", "TREE", "BuildClasses", "Hierarchy", "assigned"]

KEY: Final = "arraytyping"
"""Where a class notes its attributes, which mypy's cache keeps."""
TREE: Final = "tree"
"""Under which name it notes there that its decorators may make pytrees of its instances."""
HIERARCHY: Final = "arraytyping_mypy_hierarchy"
"""The key of a class's metadata that says that it has bases or subclasses in the program."""


def assigned(info: TypeInfo) -> list[str]:
    """The attributes that a class assigns itself."""
    found: list[str] = info.metadata.get(KEY, {}).get("assigned", [])
    return found


class KnownClasses:
    """What classes inherit and assign; each module is looked at once, when mypy has analysed it."""

    def __init__(self) -> None:
        self._seen: dict[str, tuple[MypyFile, int]] = {}
        self._classes: set[TypeInfo] = set()
        self.bases: set[str] = set()
        """The full names of all bases."""
        self.reassigned: set[tuple[str, str]] = set()
        """The attributes that a class inherits and assigns as well: with the full names of the classes above it."""

    def look_at(self, name: str, tree: MypyFile) -> None:
        """Add what has been analysed since in a module."""
        count = len(tree.names)
        before = self._seen.get(name)
        if before is None or before[0] is not tree or before[1] != count:
            self._seen[name] = tree, count
            self.add(symbol.node for symbol in tree.names.values())

    def add(self, nodes: Iterable[Node | None]) -> None:
        """Add the classes among these."""
        for info in nodes:
            if isinstance(info, TypeInfo) and not isinstance(info, FakeInfo) and info not in self._classes:
                self._classes.add(info)
                above = [base.fullname for base in info.mro[1:]]
                self.bases.update(above)
                self.reassigned.update((base, name) for name in assigned(info) for base in above)


class BuildClasses:
    """The classes of a build, without those of stubs and of the libraries in whose sources nothing is computed.

    Installed packages inherit from nothing in the program: they are looked at when a class of one is asked for, since
    mypy has to take each class out of its cache for that.
    """

    def __init__(self) -> None:
        self._program = KnownClasses()
        self._installed = KnownClasses()
        self._names: dict[KnownClasses, list[str]] = {self._program: [], self._installed: []}
        self._sorted: set[str] = set()

    def like(self, module: str, modules: Mapping[str, MypyFile]) -> tuple[KnownClasses, ...]:
        """Where the classes are that may inherit from one of this module, as far as they are analysed."""
        for name in modules.keys() - self._sorted:
            self._sorted.add(name)
            tree = modules[name]
            if not is_library(name) and not tree.is_stub:
                self._names[self._installed if is_installed(tree.path) else self._program].append(name)
        found = modules.get(module)
        is_own = found is not None and is_program(module, found.path)
        wanted = (self._program,) if is_own else (self._program, self._installed)
        for known in wanted:
            for name in self._names[known]:
                if name in modules:
                    known.look_at(name, modules[name])
        return wanted


class Hierarchy:
    """The classes of the build as one module may meet them."""

    def __init__(self, tree: MypyFile, modules: Mapping[str, MypyFile], known: BuildClasses) -> None:
        self._tree = tree
        self._modules = modules
        self._known = known
        self._found: dict[str, tuple[KnownClasses, ...]] = {}
        self._assignments: dict[str, list[AttributeAssignment]] = {}

    def assignments(self, info: TypeInfo) -> list[AttributeAssignment]:
        """The assignments of a class to its attributes."""
        if info.fullname not in self._assignments:
            self._assignments[info.fullname] = list(attribute_assignments(info.defn))
        return self._assignments[info.fullname]

    def is_subclassed(self, info: TypeInfo) -> bool:
        """Whether a class of the build, but those of libraries, may inherit from this one."""
        bases = (*(known.bases for known in self._like(info)), self._names)
        return any(info.fullname in b or info.name in b for b in bases)

    def is_reassigned(self, info: TypeInfo, name: str) -> bool:
        """Whether a class that inherits from this one assigns its attribute as well."""
        return any((info.fullname, name) in known.reassigned for known in self._like(info))

    def _like(self, info: TypeInfo) -> tuple[KnownClasses, ...]:
        """Where the classes are that may inherit from one: they are looked at once for a module under check."""
        module = info.module_name
        if module not in self._found:
            self._found[module] = (*self._known.like(module, self._modules), self._own)
        return self._found[module]

    @cached_property
    def _own(self) -> KnownClasses:
        """The classes of this module, those in functions too."""
        known = KnownClasses()
        known.add(n.info for n in nodes_of(self._tree) if isinstance(n, ClassDef))
        return known

    @cached_property
    def _names(self) -> set[str]:
        """The last parts of the names of bases in modules that mypy has not analysed yet."""
        found: set[str] = set()
        for name, tree in self._modules.items():
            if is_library(name) or tree.is_stub or not tree.defs or not self._may_know(tree):
                continue
            bases = [b for d in tree.defs if isinstance(d, ClassDef) for b in d.base_type_exprs]
            found |= {b.name for b in bases if isinstance(b, NameExpr | MemberExpr)}
        return found - {"NamedTuple"}

    def _may_know(self, tree: MypyFile) -> bool:
        """Whether a module may have classes of this one: it is of the same package, or imports something of that."""
        package = self._tree.fullname.partition(".")[0]
        names = [name for i in tree.imports if isinstance(i, Import) for name, _ in i.ids]
        names += [i.id for i in tree.imports if isinstance(i, ImportFrom | ImportAll)]
        return package in {name.partition(".")[0] for name in (tree.fullname, *names)}

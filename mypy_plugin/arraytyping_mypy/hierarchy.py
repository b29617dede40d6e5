"""Which classes of a build inherit from which, and which attributes they assign as well."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

from mypy.nodes import ClassDef, FakeInfo, Import, ImportAll, ImportFrom, MemberExpr, MypyFile, NameExpr, Node, TypeInfo

from arraytyping_mypy.attribute_assignments import AttributeAssignment, attribute_assignments
from arraytyping_mypy.names import is_library
from arraytyping_mypy.walk import nodes_of

__all__ = ["Hierarchy"]


class Hierarchy:
    """The classes of the build as one module may meet them."""

    def __init__(self, tree: MypyFile, modules: Mapping[str, MypyFile]) -> None:
        self._tree = tree
        self._modules = modules
        self._assignments: dict[str, list[AttributeAssignment]] = {}

    def assignments(self, info: TypeInfo) -> list[AttributeAssignment]:
        """The assignments of a class to its attributes."""
        if info.fullname not in self._assignments:
            self._assignments[info.fullname] = list(attribute_assignments(info.defn))
        return self._assignments[info.fullname]

    def is_subclassed(self, info: TypeInfo) -> bool:
        """Whether a class of the build, but those of libraries, may inherit from this one."""
        return info.fullname in self._bases or info.name in self._bases

    @cached_property
    def _bases(self) -> set[str]:
        """The full names of all bases; of modules that mypy has not analysed yet the last parts of their names."""
        found = {base.fullname for info in self._classes for base in info.mro[1:]}
        for name, tree in self._modules.items():
            if is_library(name) or tree.is_stub or not self._may_know(tree):
                continue
            bases = [b for d in tree.defs if isinstance(d, ClassDef) for b in d.base_type_exprs]
            found |= {b.name for b in bases if isinstance(b, NameExpr | MemberExpr)}
        return found - {"NamedTuple"}

    @cached_property
    def _classes(self) -> list[TypeInfo]:
        """The classes of the build, but those of libraries."""
        trees = [t for n, t in self._modules.items() if not is_library(n) and not t.is_stub]
        nodes: list[Node | None] = [s.node for tree in trees for s in tree.names.values()]
        nodes += [n.info for n in nodes_of(self._tree) if isinstance(n, ClassDef)]
        return list({n: None for n in nodes if isinstance(n, TypeInfo) and not isinstance(n, FakeInfo)})

    @cached_property
    def reassigned(self) -> set[tuple[str, str]]:
        """The attributes that a class inherits and assigns as well: with the full names of the classes above it."""
        from arraytyping_mypy.features.instance_variables import assigned

        return {(base.fullname, name) for info in self._classes for name in assigned(info) for base in info.mro[1:]}

    def _may_know(self, tree: MypyFile) -> bool:
        """Whether a module may have classes of this one: it is of the same package, or imports something of that."""
        package = self._tree.fullname.partition(".")[0]
        names = [name for i in tree.imports if isinstance(i, Import) for name, _ in i.ids]
        names += [i.id for i in tree.imports if isinstance(i, ImportFrom | ImportAll)]
        return package in {name.partition(".")[0] for name in (tree.fullname, *names)}

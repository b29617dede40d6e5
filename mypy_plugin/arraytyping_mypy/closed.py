"""Which functions without annotations are called from nowhere but where their calls are followed.

Of what stands in such a function something can be said: what holds for all of its calls in the module.  A function
whose name goes where it is not known what becomes of it (a list, a library, another module) may be given anything.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from mypy.nodes import (
    CallExpr,
    Decorator,
    Expression,
    FuncDef,
    FuncItem,
    LambdaExpr,
    MemberExpr,
    MypyFile,
    Node,
    OverloadedFuncDef,
    RefExpr,
    SuperExpr,
    TypeInfo,
    Var,
)
from mypy.types import AnyType, CallableType, Instance, TupleType, Type, UnionType, get_proper_type

from arraytyping_mypy.function_uses import FunctionUses
from arraytyping_mypy.provenance import gives_function
from arraytyping_mypy.records import Followed
from arraytyping_mypy.scripts import Script
from arraytyping_mypy.walk import children

if TYPE_CHECKING:
    from arraytyping_mypy.session import Session

__all__ = ["ClosedFunctions"]


@dataclass(slots=True)
class _Reached:
    """What is followed from where calls may begin."""

    script: Followed | None
    """The top level of the module, where its calls are those of a copy."""
    calls: dict[FuncItem, list[Followed]] = field(default_factory=dict)
    met: set[tuple[FuncItem, Expression]] = field(default_factory=set)
    """The functions that are followed, with the call for which they are."""
    cut: set[FuncItem] = field(default_factory=set)
    """The functions of which a call is not followed to the end."""


class ClosedFunctions:
    """The functions of a module, with what refers to them."""

    def __init__(self, tree: MypyFile, session: Session) -> None:
        self._session = session
        self._bindings = session.bindings
        self._members: dict[str, list[MemberExpr]] = {}
        self._all_calls: list[CallExpr] = []
        self._supers: dict[str, list[SuperExpr]] = {}
        self._following = session.following
        self._parents: dict[Node, Node] = {}
        self._references: dict[object, list[RefExpr]] = {}
        self._functions: list[FuncItem] = []
        self._inside: dict[Expression, FuncItem] = {}
        self._handed_at: dict[Expression, list[MemberExpr]] = {}
        """The calls that call a method which was handed on as a function, with where its instance stands."""
        self._arguments: dict[Var, tuple[FuncDef, int]] = {}
        self._visit(tree)
        self._uses = FunctionUses(self._parents, self._references, self._inside, self._functions, self._bindings)
        self._sites = {f: self._sites_of(f) for f in self._functions}

    def owner(self, expression: Expression) -> FuncItem | None:
        """The innermost function around an expression."""
        return self._inside.get(expression)

    def known(self, types: Mapping[Expression, Type]) -> dict[FuncItem, list[Followed]]:
        """What was followed of each function of which all calls were; `types` are those that mypy itself has found."""
        found = self._known(types, None)
        return found if self._following.script is None else found | self._known(types, self._following.script)

    @property
    def script(self) -> Followed | None:
        """The top level of the module, where that was followed as well."""
        return None if self._following.script is None else self._following.script[1]

    def _known(
        self, types: Mapping[Expression, Type], script: tuple[Script, Followed] | None
    ) -> dict[FuncItem, list[Followed]]:
        """The same, where the calls of the module's top level are those that mypy has found, or those of `script`."""
        is_open = {f for f, sites in self._sites.items() if sites is None}
        while True:
            reached = self._reached(is_open, script)
            changed = {
                f for f, sites in self._sites.items()
                if f not in is_open and (f in reached.cut or not self._is_met(f, sites or [], reached, types, is_open))
            }  # fmt: skip
            if not changed:
                return {f: reached.calls[f] for f in self._sites if f not in is_open and f in reached.calls}
            is_open |= changed

    def _reached(self, is_open: set[FuncItem], script: tuple[Script, Followed] | None) -> _Reached:
        reached = _Reached(None if script is None else script[1])
        # What mypy itself finds in a function of which all calls are followed counts for none of them.
        roots = self._following.roots.items()
        stack = [root for around, root in roots if all(f in is_open or f not in self._sites for f in around)]
        if script is not None:
            top = self._following.roots.get(())
            stack = [root for root in stack if root is not top]
            stack += [script[1]] if top is None else [script[1], _outside(top, {old for old, _ in script[0].nodes})]
        seen: set[Followed] = set()
        while stack:
            node = stack.pop()
            if node in seen:
                continue
            seen.add(node)
            reached.met |= node.met
            reached.cut |= node.cut.keys()
            if node.original is not None:
                reached.calls.setdefault(node.original, []).append(node)
            stack.extend(node.calls)
            stack.extend(n for inside, n in node.inner.items() if all(f in is_open for f in inside))
        return reached

    def _is_met(
        self,
        function: FuncItem,
        sites: Sequence[Expression],
        reached: _Reached,
        types: Mapping[Expression, Type],
        is_open: set[FuncItem],
    ) -> bool:
        for site in sites:
            owner = self._inside.get(site)
            nodes: Sequence[Followed] | None = None
            if owner is not None and owner in self._sites and owner not in is_open:
                nodes = reached.calls.get(owner, ())
            elif owner is None and reached.script is not None and site in reached.script.types:
                nodes = [reached.script]
            if isinstance(function, FuncDef) and function.info:
                if nodes is None and (function, site) not in reached.met and self._may_call(function, site, types):
                    return False
                if any((function, site) not in n.met and self._may_call(function, site, n.types) for n in nodes or ()):
                    return False
                continue
            if (function, site) in reached.met:
                continue
            if nodes is not None:
                if all(site not in node.types for node in nodes):
                    continue  # never reached, as far as its own calls are known
            elif site not in types:
                continue
            return False
        return True

    def _may_call(self, method: FuncDef, site: Expression, types: Mapping[Expression, Type]) -> bool:
        handed = self._handed_at.get(site)
        if handed is None:
            return _may_call(method, site, types)
        if any(self._inside.get(m) is not self._inside.get(site) for m in handed):
            return True  # the instance stands in another function
        return any(m in types and _is_of(method, types.get(m.expr)) for m in handed)

    def _visit(self, tree: MypyFile) -> None:
        stack: list[tuple[Node, FuncItem | None]] = [(tree, None)]
        while stack:
            node, owner = stack.pop()
            if isinstance(node, Expression) and owner is not None:
                self._inside[node] = owner
            if isinstance(node, RefExpr) and node.node is not None:
                target = node.node.var if isinstance(node.node, Decorator) else node.node
                self._references.setdefault(target, []).append(node)
            if isinstance(node, MemberExpr):
                self._members.setdefault(node.name, []).append(node)
            elif isinstance(node, CallExpr):
                self._all_calls.append(node)
            elif isinstance(node, SuperExpr):
                self._supers.setdefault(node.name, []).append(node)
            if isinstance(node, FuncDef | LambdaExpr):
                self._functions.append(node)
                owner = node
                if isinstance(node, FuncDef):
                    self._arguments.update((a.variable, (node, i)) for i, a in enumerate(node.arguments))
            for child in children(node):
                self._parents[child] = node
                stack.append((child, owner))

    def _sites_of(self, function: FuncItem) -> Sequence[Expression] | None:
        """The calls by which a function is called; None if there may be others."""
        if isinstance(function, FuncDef) and function.info:
            return self._sites_of_method(function)
        found: set[CallExpr] = set()
        seen: set[Node] = set()
        if isinstance(function, LambdaExpr):
            return list(found) if self._uses.of_value(function, found, seen) else None
        parent = self._parents.get(function)
        target: object = function
        if isinstance(parent, Decorator):
            if not all(map(gives_function, parent.decorators)):
                return None
            target = parent.var
        return list(found) if self._uses.of_all(target, found, seen) else None

    def _sites_of_method(self, method: FuncDef) -> Sequence[Expression] | None:
        """Where a method may be called: wherever an attribute has its name, whatever that is an attribute of."""
        name, info = method.name, method.info
        is_known = self._session.classes.fields_of(info) is not None or self._is_alone(info)
        of_base = [self._parents.get(e) for e in self._supers.get(name, ())]
        calls_of_base = [c for c in of_base if isinstance(c, CallExpr) and isinstance(c.callee, SuperExpr)]
        if not is_known or len(calls_of_base) < len(of_base):
            return None
        members = self._members.get(name, [])
        parent = self._parents.get(method)
        if isinstance(parent, Decorator) and not (method.is_class or method.is_static):
            return members if method.is_property and not parent.decorators else None
        if isinstance(parent, Decorator) and parent.decorators:
            return None
        sites: list[CallExpr] = list(calls_of_base)
        for member in members:
            call = self._parents.get(member)
            if isinstance(call, CallExpr) and call.callee is member:
                sites.append(call)
                continue
            found: set[CallExpr] = set()
            if not self._uses.of_value(member, found, set()):
                return None
            for site in found:
                self._handed_at.setdefault(site, []).append(member)
            sites += found
        if name == "__init__":
            made = [self._parents.get(r) for r in self._references.get(method.info, [])]
            known = [c for c in made if isinstance(c, CallExpr) and isinstance(c.callee, RefExpr)]
            direct = [c for c in known if isinstance(c.callee, RefExpr) and c.callee.node is method.info]
            return [*sites, *direct] if len(direct) == len(made) else None
        if name == "__call__":
            return [*sites, *(c for c in self._all_calls if not _is_of_function(c.callee))]
        return None if name.startswith("__") else sites

    def _is_alone(self, info: TypeInfo) -> bool:
        """Whether it is a named tuple from which no class inherits."""
        return info.is_named_tuple and not self._session.hierarchy.is_subclassed(info)


def _outside(root: Followed, nodes: Set[Node]) -> Followed:
    """What is followed for calls at a module's top level that stand in none of these nodes."""
    sites = {child: {s: t for s, t in found.items() if s not in nodes} for child, found in root.sites.items()}
    unsited = [child for child in root.calls if child not in root.sites]
    return Followed(
        None,
        calls=[*unsited, *(child for child, found in sites.items() if found)],
        inner=root.inner,
        met={(f, site) for f, site in root.met if site not in nodes},
        cut={f: rest for f, found in root.cut.items() if (rest := {s for s in found if s not in nodes})},
    )


def _is_of_function(callee: Expression) -> bool:
    """Whether what is called is certainly no instance: a function or class by its name."""
    node = callee.node if isinstance(callee, RefExpr) else None
    return isinstance(node, FuncDef | OverloadedFuncDef | Decorator | TypeInfo)


def _may_call(method: FuncDef, site: Expression, types: Mapping[Expression, Type]) -> bool:
    """Whether a call may be one of this method, by the type of what stands before it."""
    if site not in types:
        return False  # it is not reached
    if isinstance(site, CallExpr) and isinstance(site.callee, SuperExpr):
        return True
    callee = site.callee if isinstance(site, CallExpr) else site
    called = types.get(callee)
    p = None if called is None else get_proper_type(called)
    if isinstance(p, CallableType) and isinstance(p.definition, FuncDef):
        return p.definition is method
    return _is_of(method, types.get(callee.expr) if isinstance(callee, MemberExpr) else called)


def _is_of(method: FuncDef, owner: Type | None) -> bool:
    """Whether an instance of this type may have the method."""
    p = None if owner is None else get_proper_type(owner)
    if isinstance(p, TupleType):
        p = p.partial_fallback
    if isinstance(p, Instance):
        return method.info in p.type.mro or p.type in method.info.mro
    return isinstance(p, AnyType | UnionType | None)

"""Which classes of a module have instances that are known by their fields, and which fields these are.

Only classes are that no one looks into as into a tuple, and fields that nothing binds again after the instance was
made.
"""

from __future__ import annotations

from typing import Final

from mypy.nodes import (
    AssignmentStmt,
    CallExpr,
    ClassDef,
    Decorator,
    Expression,
    FuncDef,
    MemberExpr,
    MypyFile,
    NameExpr,
    Node,
    RefExpr,
    StrExpr,
    SuperExpr,
    TypeInfo,
    Var,
)
from mypy.types import Type

from arraytyping_mypy.class_decorators import may_register
from arraytyping_mypy.features.initializing import BINDING, all_assigned, assigned_names, own_init, targets
from arraytyping_mypy.features.pytree_fields import static_fields
from arraytyping_mypy.hierarchy import HIERARCHY
from arraytyping_mypy.names import TRAIN_STATE
from arraytyping_mypy.walk import children, nodes_of

__all__ = ["Classes", "assigned_in_setup", "declared_fields", "declared_node", "is_linen", "makes"]

_OPEN: Final = (
    "__getitem__", "__iter__", "__len__", "__contains__", "__bool__", "__new__", "__getattr__", "__getattribute__",
    "__setattr__", "__get__", "__class_getitem__", "__enter__", "__aenter__",
)  # fmt: skip
"""What lets an instance be taken for a tuple, or its attributes be others than those that were assigned."""
_BASES: Final = ("builtins.object", "abc.ABC", "typing.Generic", "typing.Hashable", "typing.Protocol")
_LINEN: Final = ("flax.linen.module.Module", "flax.linen.module.ModuleBase")
_LIBRARY_BASES: Final = ("equinox.", "flax.struct.", TRAIN_STATE)
_DECORATORS: Final = (
    "dataclasses.",
    "flax.struct.",
    "chex.",
    "jax.tree_util.",
    "jax._src.tree_util.",
    "functools.",
    "arraytyping.",
)
_SETTING: Final = ("setattr", "__dict__", "vars", "delattr", "intercept_methods")


def is_linen(info: TypeInfo) -> bool:
    """Whether it is a class of modules of Flax's linen."""
    return any(base.fullname in _LINEN for base in info.mro)


class Classes:
    """The classes of one module whose instances are known by their fields."""

    def __init__(self, tree: MypyFile) -> None:
        self._module = tree.fullname
        self._rebound: set[str] = set()
        """The attributes that are assigned elsewhere than in `__init__`, or the `setup` of a module of linen."""
        self._registered: set[str] = set()
        """The classes that are handed to something that may register them as pytrees."""
        self._is_open = False
        self._fields: dict[TypeInfo, list[str] | None] = {}
        self._static: dict[TypeInfo, frozenset[str] | None] = {}
        self._visit(tree)

    def fields_of(self, info: TypeInfo) -> list[str] | None:
        """The names of the fields of a class's instances, in order; None if nothing is known of them."""
        if info not in self._fields:
            self._fields[info] = self._find(info)
        return self._fields[info]

    def binds(self, name: str) -> bool:
        """Whether the module binds an attribute of this name elsewhere than in `__init__`, or may do so."""
        return self._is_open or name in self._rebound

    def is_tree(self, info: TypeInfo) -> bool:
        """Whether the instances of a class are pytrees, or may be."""
        if info.module_name != self._module and is_linen(info):
            return False
        if info.fullname in self._registered or info.module_name != self._module:
            return True
        for base in info.mro:
            is_marked = base.fullname not in _BASES and any(map(_registers, base.defn.decorators))
            if base.fullname.startswith(_LIBRARY_BASES) or is_marked:
                return True
        return False

    def is_handed_on(self, info: TypeInfo) -> bool:
        """Whether a class is handed to something in the module that may register it as one of pytrees."""
        return info.fullname in self._registered

    def static_fields(self, info: TypeInfo) -> frozenset[str] | None:
        """The fields of a pytree's class that are no leaves; None where that is not known."""
        if info not in self._static:
            is_known = info.module_name == self._module or info.fullname == TRAIN_STATE
            self._static[info] = static_fields(info) if is_known else None
        return self._static[info]

    def _find(self, info: TypeInfo) -> list[str] | None:
        if info.fullname == TRAIN_STATE and not self._is_open:
            return _declared(info)
        if self._is_open or info.module_name != self._module or info.is_enum or info.is_named_tuple or info.type_vars:
            return None
        if info.typeddict_type is not None or info.is_protocol or info.fallback_to_any or not _is_plain(info):
            return None
        own = own_init(info)
        names = assigned_names(info) if own is not None else _declared(info)
        after = info.get("__post_init__")
        if own is None and after is not None and isinstance(after.node, FuncDef):
            again = set(all_assigned(after.node))
            names = [n for n in names if n not in again]
        changed = self._rebound | _converted(info) | set(assigned_in_setup(info))
        return [n for n in names if n not in changed and isinstance(declared_node(info, n), Var | None)]

    def _visit(self, tree: MypyFile) -> None:
        stack: list[tuple[Node, str, bool]] = [(tree, "", False)]
        while stack:
            node, own, is_making = stack.pop()
            kind = node.__class__
            if kind is FuncDef:
                assert isinstance(node, FuncDef)
                is_making = node.name in ("__init__", "__post_init__")
                own = node.arguments[0].variable.name if makes(node) and node.arguments else ""
            elif kind is NameExpr or kind is MemberExpr:
                assert isinstance(node, NameExpr | MemberExpr)
                if node.name in _SETTING:
                    self._is_open = True
            elif kind is CallExpr:
                assert isinstance(node, CallExpr)
                if not is_making and _is_set(node):
                    self._note_set(node)
                self._registered.update(a.fullname for a in node.args if isinstance(a, RefExpr))
            elif kind is ClassDef:
                assert isinstance(node, ClassDef)
                bases = [base for base in node.info.mro[1:] if base.module_name == self._module]
                for info in (node.info, *bases) if bases else ():
                    info.metadata[HIERARCHY] = {}
            elif kind in BINDING:
                for target in targets(node):
                    is_own = isinstance(target.expr, NameExpr) and target.expr.name == own
                    if not is_own or kind is not AssignmentStmt:
                        self._rebound.add(target.name)
            stack.extend((child, own, is_making) for child in children(node))

    def _note_set(self, call: CallExpr) -> None:
        """Note an attribute that is bound by name."""
        names = [a.value for a in call.args if isinstance(a, StrExpr)]
        self._rebound.update(names)
        self._is_open = self._is_open or not names


def makes(function: FuncDef) -> bool:
    """Whether a method assigns attributes as an instance is made: `__init__`, and the `setup` of a module of linen."""
    if not function.info:
        return False
    return function.name == "__init__" or (function.name == "setup" and is_linen(function.info))


def assigned_in_setup(info: TypeInfo) -> list[str]:
    """The attributes that the `setup` of a module of linen assigns, and those of bases that it may call."""
    found: list[str] = []
    for base in info.mro if is_linen(info) else ():
        node = base.names["setup"].node if "setup" in base.names and base.fullname not in _LINEN else None
        node = node.func if isinstance(node, Decorator) else node
        if isinstance(node, FuncDef):
            found += all_assigned(node)
            if not any(isinstance(n, SuperExpr) for n in nodes_of(node.body)):
                break
    return found


def _is_set(call: CallExpr) -> bool:
    """Whether an attribute is bound by `object.__setattr__`."""
    return isinstance(call.callee, MemberExpr) and call.callee.name == "__setattr__"


def declared_node(info: TypeInfo, name: str) -> Node | None:
    """What a class, or one that it inherits from, has under a name."""
    symbol = info.get(name)
    return None if symbol is None else symbol.node


def _is_plain(info: TypeInfo) -> bool:
    for base in info.mro:
        if base.fullname in (*_BASES, *_LINEN) or base.fullname.startswith(_LIBRARY_BASES):
            continue
        if base.module_name != info.module_name or any(name in base.names for name in _OPEN):
            return False
        if base.defn.keywords or not all(map(_is_known_decorator, base.defn.decorators)):
            return False
    return True


def _is_known_decorator(decorator: Expression) -> bool:
    while isinstance(decorator, CallExpr):
        if isinstance(decorator.callee, RefExpr) and decorator.callee.fullname in ("functools.partial",):
            decorator = decorator.args[0] if decorator.args else decorator.callee
        else:
            decorator = decorator.callee
    return isinstance(decorator, RefExpr) and decorator.fullname.startswith(_DECORATORS)


def _registers(decorator: Expression) -> bool:
    """Whether a decorator may make pytrees of a class's instances: all but those of dataclasses and functools."""
    return may_register(n.fullname for n in _references(decorator))


def _references(node: Node) -> list[RefExpr]:
    found = [node] if isinstance(node, RefExpr) and not isinstance(node.node, MypyFile) else []
    return found + [r for child in children(node) for r in _references(child)]


def _declared(info: TypeInfo) -> list[str]:
    """The fields of a dataclass, or of what is one to a type checker."""
    found = info.metadata.get("dataclass")
    if not found:
        return []
    return [a["name"] for a in found["attributes"] if a["is_in_init"]]


def _converted(info: TypeInfo) -> set[str]:
    """The fields that are given to a converter before they are kept, as equinox does it."""
    return {
        target.name
        for base in info.mro
        for statement in base.defn.defs.body
        if isinstance(statement, AssignmentStmt)
        and isinstance(statement.rvalue, CallExpr)
        and "converter" in statement.rvalue.arg_names
        for target in statement.lvalues
        if isinstance(target, NameExpr)
    }


def declared_fields(info: TypeInfo) -> list[Type]:
    """The declared types of the fields of a dataclass."""
    symbols = [info.get(name) for name in _declared(info)]
    return [s.node.type for s in symbols if s is not None and isinstance(s.node, Var) and s.node.type is not None]

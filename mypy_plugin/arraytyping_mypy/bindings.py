"""Where each variable of a module is bound: whether it has one initializer only, and which function owns it.

mypy's types forget the value of `n = 10` at once, since `n` may be rebound; a variable that is bound in a single
place keeps it.  Variables of functions only: a module's may be rebound from another module.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from mypy.nodes import (
    GDEF,
    Argument,
    AssignmentExpr,
    AssignmentStmt,
    Block,
    CallExpr,
    Decorator,
    DelStmt,
    DictionaryComprehension,
    Expression,
    FloatExpr,
    ForStmt,
    FuncDef,
    FuncItem,
    GeneratorExpr,
    IntExpr,
    LambdaExpr,
    ListExpr,
    MemberExpr,
    MypyFile,
    NameExpr,
    Node,
    OperatorAssignmentStmt,
    StarExpr,
    TryStmt,
    TupleExpr,
    Var,
    WhileStmt,
    WithStmt,
)
from mypy.patterns import AsPattern, MappingPattern, StarredPattern

from arraytyping_mypy.loops import unsettled
from arraytyping_mypy.module_rebinding import binds_by_name
from arraytyping_mypy.simultaneous import is_bound_early
from arraytyping_mypy.walk import inner_nodes, nodes_of

__all__ = ["Bindings", "Item"]

_MANY: Final = object()
_BINDING: Final[frozenset[type]] = frozenset((
    AssignmentStmt, OperatorAssignmentStmt, AssignmentExpr, ForStmt, WhileStmt, GeneratorExpr,
    DictionaryComprehension, WithStmt, TryStmt, DelStmt, AsPattern, StarredPattern, MappingPattern, Argument,
))  # fmt: skip
"""The nodes that bind names."""
_BY_NAME: Final[frozenset[type]] = frozenset((AssignmentStmt, OperatorAssignmentStmt, CallExpr))
"""The nodes that may bind the names of a module without naming them."""


@dataclass(frozen=True, slots=True)
class Item:
    """One of the items that an expression is unpacked into: `rows, columns = x.shape`."""

    whole: Expression
    index: int
    count: int


class Bindings:
    """The bindings of one module's variables, read off its syntax tree after semantic analysis."""

    def __init__(self, tree: MypyFile) -> None:
        self._bound: dict[Var, object] = {}
        self._owners: dict[Var, FuncItem | None] = {}
        self._values: dict[Var, list[Expression | None]] = {}
        self._updates: dict[Var, int] = {}
        """How often a variable is updated: `x += 1`."""
        self._unsettled: set[Var] = set()
        self._binds_by_name = False
        """Whether any variable of the module may be bound by its name, as `exec` does."""
        self._decorated: dict[Var, Decorator] = {}
        self._functions: dict[Node, list[tuple[Expression | None, Block | None]]] = {}
        """What the names of functions are bound to beside their definitions, and in which block."""
        self._named: dict[tuple[FuncItem | None, str], FuncDef] = {}
        """The first function of each name, by the function around it."""
        self._blocks: dict[Node, Block | None] = {}
        """Where functions are defined."""
        self._block: Block | None = None
        self._module_lambdas: list[LambdaExpr] = []
        """The lambdas that stand in no function."""
        self.bound_early: list[AssignmentStmt] = []
        """The statements that mypy takes for others (`simultaneous`)."""
        self._attributes: set[str] = set()
        """The names of attributes that are assigned to."""
        self._visit(tree)

    def initializer(self, variable: Var) -> Expression | Item | None:
        """The expression that a function's variable is bound to, bound in one place; a module's number too."""
        value = self._bound.get(variable)
        if isinstance(value, Expression | Item) and self._owners.get(variable) is not None:
            return value
        # Of those of a module only a number: another module might bind it again, as it might any function.
        return value if isinstance(value, IntExpr | FloatExpr) and self.is_settled(variable) else None

    def owner(self, variable: Var) -> FuncItem | None:
        """The function that binds a variable in one place only, as a parameter for example; None if there is none."""
        if not self.is_settled(variable) or self._bound.get(variable, _MANY) is _MANY:
            return None
        return self._owners.get(variable)

    def is_uncertain(self, variable: Var, function: FuncItem | None) -> bool:
        """Whether the variable may hold something else than what mypy says here, in this function.

        When a nested function runs, a variable of the function around it may have been bound again; and a loop may
        change one after mypy has stopped going through its body.
        """
        if not self.is_settled(variable):
            return True
        owner = self._owners.get(variable)
        # The body of a function that is declared is looked at after the module, that of a lambda where it stands.
        is_later = owner is not function and (owner is not None or isinstance(function, LambdaExpr))
        return is_later and self._bound.get(variable) is _MANY

    def is_rebound(self, variable: Var) -> bool:
        """Whether the variable is bound in several places, or whenever some other function runs."""
        return not self.is_settled(variable) or self._bound.get(variable) is _MANY

    def is_settled(self, variable: Var) -> bool:
        """Whether nothing binds the variable but the statements of the function that owns it, one after the other."""
        if variable in self._unsettled:
            return False
        return not self._binds_by_name or self._owners.get(variable) is not None

    def binds_attribute(self, name: str) -> bool:
        """Whether the module assigns to an attribute of this name."""
        return name in self._attributes

    def only_value(self, variable: Var) -> Expression | None:
        """The expression that a variable is bound to, if it is bound in this one place."""
        value = self._bound.get(variable)
        return value if isinstance(value, Expression) and self.is_settled(variable) else None

    def only_item(self, variable: Var) -> Item | None:
        """What a variable is unpacked from, if it is bound in this one place."""
        value = self._bound.get(variable)
        return value if isinstance(value, Item) and self.is_settled(variable) else None

    def owner_of(self, variable: Var) -> FuncItem | None:
        """The function that binds a variable; None for those of the module."""
        return self._owners.get(variable)

    def values(self, variable: Var) -> list[Expression | None]:
        """What a variable is bound to, in all places; None for what is no expression of its own."""
        return self._values.get(variable, [])

    def made(self, variable: Var) -> list[Expression | None]:
        """What a variable is bound to, in all places but where a list, dict or array may be updated in its place."""
        values, updates = self.values(variable), self._updates.get(variable, 0)
        return [v for v in values if v is not None] + [None] * (values.count(None) - updates)

    def decorator(self, variable: Var) -> Decorator | None:
        """The decorated function that this is the variable of."""
        return self._decorated.get(variable)

    def rebindings(self, function: Node) -> list[Expression | None]:
        """What a function's name is bound to beside its definition, in all places.

        None for what is no expression, and for what is bound under another condition than the function.
        """
        block = self._blocks.get(function)
        return [value if where is block else None for value, where in self._functions.get(function, ())]

    def read_later(self) -> Iterator[NameExpr]:
        """The names of module variables that are bound in several places, in lambdas at the module's top level."""
        for function in self._module_lambdas:
            for node in nodes_of(function.body):
                variable = node.node if isinstance(node, NameExpr) and node.kind == GDEF else None
                if isinstance(variable, Var) and variable in self._owners and self.is_rebound(variable):
                    assert isinstance(node, NameExpr)
                    yield node

    def add(self, function: FuncItem) -> None:
        """Note the bindings of a function that is not in the module's tree."""
        self._visit(function)

    def _visit(self, tree: Node) -> None:
        stack: list[tuple[Node, FuncItem | None, Block | None]] = [(tree, None, None)]
        while stack:
            node, owner, self._block = stack.pop()
            kind = node.__class__
            block = node if type(node) is Block else self._block
            if kind in _BY_NAME and not self._binds_by_name and binds_by_name(node):
                self._binds_by_name = True
            if kind in _BINDING:
                self._bind_in(node, owner)
            elif kind is Decorator:
                assert isinstance(node, Decorator)
                self._decorated[node.var] = node
                self._blocks[node] = self._block
            elif kind is FuncDef or kind is LambdaExpr:
                assert isinstance(node, FuncItem)
                around, owner = owner, node
                if around is None and isinstance(node, LambdaExpr):
                    self._module_lambdas.append(node)
                self._blocks[node] = self._block
                if isinstance(node, FuncDef) and node.original_def is not None:
                    self._functions.setdefault(node.original_def, []).append((None, None))
                if isinstance(node, FuncDef) and not node.info and node is not tree:
                    self._note_again(node, around)  # in a copy the one before is a copy as well
            for child in inner_nodes(node):
                if type(child) is not MemberExpr or type(child.expr) is not NameExpr:  # in `jnp.sin` is nothing
                    stack.append((child, owner, block))

    def _note_again(self, function: FuncDef, owner: FuncItem | None) -> None:
        """Note that a name is that of several functions: mypy takes it for the first."""
        first = self._named.setdefault((owner, function.name), function)
        if first is not function:
            self._functions.setdefault(first, []).append((None, None))
            self._functions.setdefault(function, []).append((None, None))

    def _bind_in(self, node: Node, owner: FuncItem | None) -> None:
        """Note what one node binds."""
        match node:
            case AssignmentStmt():
                for target in node.lvalues:
                    self._bind(target, node.rvalue, owner)
                if is_bound_early(node):
                    self.bound_early.append(node)
            case OperatorAssignmentStmt():
                self._bind(node.lvalue, _MANY, owner)
                if isinstance(node.lvalue, NameExpr) and isinstance(node.lvalue.node, Var):
                    self._updates[node.lvalue.node] = self._updates.get(node.lvalue.node, 0) + 1
            case AssignmentExpr():
                self._bind(node.target, _MANY, owner)
            case ForStmt():
                self._bind(node.index, _MANY, owner)
                self._unsettled |= unsettled(node)
            case WhileStmt():
                self._unsettled |= unsettled(node)
            case GeneratorExpr() | DictionaryComprehension():
                for index in node.indices:
                    self._bind(index, _MANY, owner)
            case WithStmt():
                for bound in node.target:
                    self._bind(bound, _MANY, owner)
            case TryStmt():
                for name in node.vars:
                    self._bind(name, _MANY, owner)
            case DelStmt():
                self._bind(node.expr, _MANY, owner)
            case AsPattern():
                self._bind(node.name, _MANY, owner)
            case StarredPattern():
                self._bind(node.capture, _MANY, owner)
            case MappingPattern():
                self._bind(node.rest, _MANY, owner)
            case Argument():
                # Bound by the caller; a default is not its only value.
                self._owners[node.variable] = owner
                self._values.setdefault(node.variable, []).append(None)
                self._bound[node.variable] = _MANY if node.variable in self._bound else node

    def _bind(self, target: Expression | None, value: object, owner: FuncItem | None) -> None:
        if type(target) is NameExpr and type(target.node) is Var:
            variable = target.node
            if self._owners.setdefault(variable, owner) is not owner:
                self._unsettled.add(variable)  # `global` or `nonlocal`: bound whenever that function runs
            self._values.setdefault(variable, []).append(value if isinstance(value, Expression) else None)
            self._bound[variable] = _MANY if variable in self._bound else value
        elif isinstance(target, NameExpr) and isinstance(target.node, FuncDef | Decorator):
            found = value if isinstance(value, Expression) else None
            self._functions.setdefault(target.node, []).append((found, self._block))
        elif isinstance(target, TupleExpr | ListExpr):
            values = value.items if isinstance(value, TupleExpr | ListExpr) else []
            matched = len(values) == len(target.items) and not any(isinstance(v, StarExpr) for v in values)
            count = len(target.items)
            starred = any(isinstance(item, StarExpr) for item in target.items)
            for i, item in enumerate(target.items):
                if matched:
                    self._bind(item, values[i], owner)
                elif isinstance(value, Expression) and not values and not starred:
                    self._bind(item, Item(value, i, count), owner)
                else:
                    self._bind(item, _MANY, owner)
        elif isinstance(target, StarExpr):
            self._bind(target.expr, _MANY, owner)
        elif isinstance(target, MemberExpr):
            self._attributes.add(target.name)

"""Which rules a module gives its functions with derivatives of their own: `f.defvjp(fwd, bwd)`, `@f.defjvp`.

Only what is said once, at the module's top level, of a function that is defined there.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal, NamedTuple

from mypy.nodes import (
    ArgKind,
    CallExpr,
    Decorator,
    Expression,
    ExpressionStmt,
    FuncDef,
    IntExpr,
    MemberExpr,
    MypyFile,
    NameExpr,
    Node,
    RefExpr,
    StrExpr,
    TupleExpr,
    Var,
)

from arraytyping_mypy.bindings import Bindings
from arraytyping_mypy.module_texts import turns_backward_checks_off
from arraytyping_mypy.own_names import jax_name
from arraytyping_mypy.provenance import CUSTOM, PARTIAL
from arraytyping_mypy.walk import nodes_of

__all__ = ["CustomRules", "Rules"]

_SETTING: Final = {"defvjp": ("custom_vjp", ("fwd", "bwd")), "defjvp": ("custom_jvp", ("jvp",))}
_METHODS: Final = frozenset({*_SETTING, "defjvps"})


_KEPT_AS: Final = frozenset({"fwd", "bwd", "jvp", "fun", "nondiff_argnums", "symbolic_zeros"})
"""The attributes in which JAX keeps what is set."""


class Rules(NamedTuple):
    """The rules of one function."""

    kind: Literal["custom_jvp", "custom_vjp"]
    function: FuncDef
    rules: tuple[Expression | FuncDef, ...]
    """The forward and the backward one, or that for tangents."""
    nondiff: tuple[int, ...]
    """The arguments that are not differentiated, which the rules are given first."""


class CustomRules:
    """The rules of the functions of one module."""

    def __init__(self, tree: MypyFile, bindings: Bindings, decorators: Mapping[FuncDef, Decorator]) -> None:
        self.are_compared: Final = not turns_backward_checks_off(tree)
        """Whether jax compares cotangents with their arguments, as far as the module says."""
        self._bindings = bindings
        self._decorators = decorators
        self._found: dict[FuncDef, Rules] = {}
        at_top = {d.func: d for d in tree.defs if isinstance(d, Decorator)}
        set_by: dict[FuncDef, int] = {}
        if any(map(bindings.binds_attribute, _KEPT_AS)):
            return
        for node in nodes_of(tree):
            if isinstance(node, StrExpr) and node.value in _METHODS | _KEPT_AS:
                return  # `getattr(f, "defvjp")`
            if isinstance(node, MemberExpr) and node.name in _METHODS:
                function = self._receiver(node)
                if function is None:
                    return  # under which name it is set is not known
                set_by[function] = set_by.get(function, 0) + 1
        for statement in tree.defs:
            found = self._set(statement)
            if found is None or found.function not in at_top or set_by.get(found.function) != 1:
                continue
            if not bindings.rebindings(at_top[found.function]):
                self._found[found.function] = found

    def of(self, function: FuncDef) -> Rules | None:
        """The rules of a function; None if they are not known."""
        return self._found.get(function)

    def _receiver(self, member: MemberExpr) -> FuncDef | None:
        node = member.expr.node if isinstance(member.expr, NameExpr) else None
        found = self._bindings.decorator(node) if isinstance(node, Var) else node
        return found.func if isinstance(found, Decorator) else None

    def _set(self, statement: Node) -> Rules | None:
        """The rules that a statement of the module sets."""
        given: dict[str, Expression | FuncDef]
        if isinstance(statement, Decorator):
            member = statement.original_decorators[0]
            if len(statement.original_decorators) != 1 or not isinstance(member, MemberExpr) or member.name != "defjvp":
                return None
            given = {"jvp": statement.func}
        elif isinstance(statement, ExpressionStmt) and isinstance(statement.expr, CallExpr):
            call, member = statement.expr, statement.expr.callee
            if not isinstance(member, MemberExpr) or member.name not in _SETTING:
                return None
            if any(k not in (ArgKind.ARG_POS, ArgKind.ARG_NAMED) for k in call.arg_kinds):
                return None
            names = _SETTING[member.name][1]
            if len(call.args) > len(names):
                return None
            given = {n or names[i]: e for i, (n, e) in enumerate(zip(call.arg_names, call.args))}
        else:
            return None
        kind, names = _SETTING[member.name]
        function = self._receiver(member)
        if function is None or set(given) != set(names):
            return None
        decorator = self._decorator(function)
        nondiff = None if decorator is None else _nondiff(decorator, kind)
        if nondiff is None:
            return None
        return Rules(kind, function, tuple(given[n] for n in names), nondiff)  # type: ignore[arg-type]

    def _decorator(self, function: FuncDef) -> Expression | None:
        found = self._decorators.get(function)
        return found.original_decorators[0] if found is not None and len(found.original_decorators) == 1 else None


def _nondiff(decorator: Expression, kind: str) -> tuple[int, ...] | None:
    """The arguments that are not differentiated; None if that is not known, or the decorator is another one."""
    if isinstance(decorator, CallExpr):
        callee = decorator.callee
        if not isinstance(callee, RefExpr) or callee.fullname not in PARTIAL or len(decorator.args) != 2:
            return None
        if decorator.arg_names != [None, "nondiff_argnums"] or _nondiff(decorator.args[0], kind) is None:
            return None
        numbers = decorator.args[1]
        items = numbers.items if isinstance(numbers, TupleExpr) else []
        found = tuple(sorted({i.value for i in items if isinstance(i, IntExpr)}))
        return found if items and len(found) == len(items) else None
    if not isinstance(decorator, RefExpr) or jax_name(decorator.fullname) not in CUSTOM:
        return None
    return () if jax_name(decorator.fullname).endswith(kind) else None

"""Calls of functions that are nowhere, put into a tree for mypy to ask the plugin about them."""

from __future__ import annotations

from mypy.nodes import GDEF, ArgKind, CallExpr, Expression, NameExpr, Var
from mypy.types import AnyType, CallableType, Instance, Type, TypeOfAny

__all__ = ["asked_function", "call_of"]


def asked_function(full_name: str, function: Instance, gives: Type) -> Var:
    """A function by this name that takes anything, about whose calls mypy asks the plugin."""
    any_one = AnyType(TypeOfAny.special_form)
    name = full_name.rpartition(".")[2]
    kinds = [ArgKind.ARG_STAR, ArgKind.ARG_STAR2]
    made = Var(name, CallableType([any_one, any_one], kinds, [None, None], gives, function, name=name))
    made._fullname = full_name
    made.is_ready = made.is_suppressed_import = True
    return made


def call_of(function: Var, argument: Expression) -> CallExpr:
    """The call of such a function, which stands where its argument does."""
    callee = NameExpr(function.name)
    callee.node, callee.fullname, callee.kind = function, function.fullname, GDEF
    call = CallExpr(callee, [argument], [ArgKind.ARG_POS], [None])
    callee.set_line(argument)
    call.set_line(argument)
    return call

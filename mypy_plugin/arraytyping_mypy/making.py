"""What is assigned to an instance's attributes as it is made: by `__init__`, or by the `setup` of a module of linen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from mypy.nodes import CallExpr, Expression, FuncDef, FuncItem, NameExpr, Var
from mypy.plugin import FunctionContext
from mypy.types import Instance, TupleType, Type, get_proper_type

from arraytyping_mypy.checker import current_function
from arraytyping_mypy.features.initializing import assigned_values, base_init, kept_display, super_call
from arraytyping_mypy.features.instance_classes import makes
from arraytyping_mypy.given import arguments, bound_arguments

if TYPE_CHECKING:
    from arraytyping_mypy.session import Session

__all__ = ["Making"]


class Making:
    """What the methods assign that make the instances of one module's classes, as they are followed."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._assigned: dict[FuncItem, Mapping[str, Expression]] = {}
        """Of copies of such methods: the attributes that they assign, with the values."""

    def by_init(self, init: FuncDef, instance: Type, ctx: FunctionContext) -> Mapping[str, Type] | None:
        """What `__init__` assigns for the arguments of a call of its class; None if that is not known."""
        following = self._session.following
        given = arguments(ctx, self._session)
        following.site = ctx.context if isinstance(ctx.context, CallExpr) else None
        if given is None:
            following.cut_at(init)
            return None
        return following.assigned(init, [instance, *given[0]], given[1])

    def by_setup(self, setup: FuncDef, instance: Type) -> Mapping[str, Type] | None:
        """What `setup` assigns to the attributes of a module with these fields; None if that is not known."""
        site, following = self._session.following.site, self._session.following
        try:
            return following.assigned(setup, [instance], {})
        finally:
            following.site = site

    def note(self, definition: FuncDef, copy: FuncDef) -> None:
        """Note a copy of a method that is to be checked."""
        if makes(definition):
            self._assigned[copy] = assigned_values(copy)

    def own_attribute(self, name: str, owner: Expression) -> Type | None:
        """What the method that is followed has assigned before; None if it has not."""
        function = current_function(self._session.api)
        if function not in self._assigned or not isinstance(owner, NameExpr):
            return None
        if not isinstance(owner.node, Var) or owner.node is not function.arguments[0].variable:
            return None
        value = self._assigned[function].get(name)
        stored = None if value is None else self._session.stored(value)
        return None if value is None or stored is None else self._session.following.function(value, stored)

    def assigned(
        self, definition: FuncDef, copy: FuncDef, given: Sequence[Type], found: Mapping[Expression, Type]
    ) -> Mapping[str, Type]:
        """What a copy has assigned that was checked for these arguments."""
        made = {
            name: self._session.following.function(e, kept_display(e, found[e], self._session))
            for name, e in self._assigned.get(copy, {}).items()
            if e in found
        }
        return {**self._by_base(definition, copy, given, found), **made} if makes(definition) else made

    def _by_base(
        self, method: FuncDef, copy: FuncDef, given: Sequence[Type], found: Mapping[Expression, Type]
    ) -> Mapping[str, Type]:
        """What the same method of a base assigns that is called by `super()`."""
        following = self._session.following
        instance, call = get_proper_type(given[0]), super_call(copy)
        owner = instance.partial_fallback if isinstance(instance, TupleType) else instance
        base = base_init(method, owner.type) if isinstance(owner, Instance) else None
        if base is None or call is None:
            return {}
        of_base = bound_arguments(call, [found.get(e) for e in call.args], self._session)
        following.site = call
        made = None if of_base is None else following.assigned(base, [instance, *of_base[0]], of_base[1])
        if made is None:
            following.cut_at(base)
        return made or {}

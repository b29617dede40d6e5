"""Calls of what `grad`, `jacfwd`, `vmap` and their kin give: by its mark (`marks.py`), and by what is in that.

A gradient has the dtypes and shapes of what it is taken by, whatever the function is; a mapped function gives what the
function returns with one dimension more.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

from mypy.nodes import CallExpr
from mypy.plugin import MethodContext
from mypy.types import (
    AnyType,
    CallableType,
    Instance,
    NoneType,
    TupleType,
    Type,
    TypeOfAny,
    get_proper_type,
)

from arraytyping.semantics.avals import ShapedArray
from arraytyping.semantics.rules.dtype_kinds import ANY_FLOAT
from arraytyping_mypy.checker import is_checked
from arraytyping_mypy.convert import array_type, arrays_of
from arraytyping_mypy.features import equinox_layers, instances, sharded
from arraytyping_mypy.features.applied import applied, jitted, mapped_leaves, traced
from arraytyping_mypy.features.carried import any_weak, carried
from arraytyping_mypy.features.derivative_arguments import refused_input
from arraytyping_mypy.features.derivatives import LINEARIZED, PULLBACK, called
from arraytyping_mypy.features.differentiated import is_by_another_rule, refused_derivative
from arraytyping_mypy.features.instance_types import instance_info
from arraytyping_mypy.features.jacobians import ORDERS, jacobian
from arraytyping_mypy.features.losses import refused_loss, refused_pair, value_and_aux
from arraytyping_mypy.features.mapped_axes import leaves_along, prefix_difference
from arraytyping_mypy.features.marks import is_mark, read_mark
from arraytyping_mypy.features.partials import unwrapped
from arraytyping_mypy.features.raveling import KIND as UNRAVEL, unraveled
from arraytyping_mypy.features.stacking import is_plain_array, one_of, stacked
from arraytyping_mypy.features.tangents import cast
from arraytyping_mypy.finite_types import get_finite_type
from arraytyping_mypy.given import arguments
from arraytyping_mypy.looked_up import exact_instance, instance_of_method
from arraytyping_mypy.names import ARRAYS
from arraytyping_mypy.provenance import FILTERED, is_traceable, without_definitions
from arraytyping_mypy.records import Refused
from arraytyping_mypy.session import Session
from arraytyping_mypy.sessions import Sessions
from arraytyping_mypy.wrappers import wrapped, wrapper_of

__all__ = ["call"]

_IN_AXES: Final = (
    "vmap in_axes must be an int, None, or a tuple of entries corresponding to the positional arguments passed to the "
    "function"
)

_PREFIX: Final = "vmap in_axes specification must be a tree prefix of the corresponding value"


class _Call:
    """The arguments of a call of a transformed function."""

    def __init__(
        self,
        session: Session,
        ctx: MethodContext,
        positional: list[Type],
        named: dict[str, Type],
        by: tuple[str, Sequence[int]] | None = None,
    ) -> None:
        self.session = session
        self.by = by
        """The derivative that is taken of the function, and the arguments by which."""
        self.ctx = ctx
        self.positional = positional
        self.named = named

    def fail(self, message: str, exception: type[Exception], code: Any = "array-shape") -> None:
        """Report a mistake at the call."""
        self.session.fail(message, self.ctx.context, code, exception)

    def refuses(self, refused: Refused | None) -> bool:
        """Report what JAX refuses at the call; whether there is any."""
        if refused is not None:
            self.fail(refused.message, refused.exception, refused.code)
        return refused is not None

    def refuses_result(self, refused: Refused | None) -> None:
        """Report what JAX refuses of what the function gives, unless that fails before."""
        call = self.ctx.context
        if not isinstance(call, CallExpr) or not self.session.following.fails_at(call):
            self.refuses(refused)


def call(sessions: Sessions, ctx: MethodContext) -> Type | None:
    """The result of calling what is wrapped in a mark; None if nothing is known of it, or it is none."""
    wrapper = wrapper_of(ctx.type)
    if wrapper is None or not is_mark(wrapped(wrapper)):
        return None
    session = sessions.of(ctx.api)
    if not session.is_active:
        return ctx.default_return_type
    given = arguments(ctx, session)
    if given is None:
        return ctx.default_return_type
    instance = instance_of_method(ctx)
    if instance is not None:
        given = [instance, *given[0]], given[1]
    is_known = isinstance(ctx.context, CallExpr) and (
        is_traceable(ctx.context.callee, session.bindings)
        if instance is None
        else exact_instance(ctx.context.callee, session) is not None
    )
    session.following.site = ctx.context if isinstance(ctx.context, CallExpr) else None
    function = wrapper if is_known and is_checked(ctx.api) else without_definitions(wrapper)
    return _result(function, _Call(session, ctx, *given)) or _any()


def _result(function: Type, made: _Call) -> Type | None:
    """What a function gives; None if nothing is known of it."""
    function, positional, named = unwrapped(function, made.positional, made.named)
    if len(positional) + len(named) > len(made.positional) + len(made.named):
        made = _Call(made.session, made.ctx, positional, named)
    wrapper = wrapper_of(function)
    p = get_finite_type(function if wrapper is None else wrapped(wrapper))
    if wrapper is not None and not isinstance(p, CallableType):
        function, positional, named = unwrapped(p, made.positional, made.named)
        p = get_finite_type(function)
        made = _Call(made.session, made.ctx, positional, named)
    if not isinstance(p, CallableType):
        return applied(p, made.positional, made.named, made.session)
    if not is_mark(p):
        if wrapper is not None:
            return jitted(p, made.positional, made.named, made.session)
        by, numbers = made.by or (None, None)
        return applied(p, made.positional, made.named, made.session, by, numbers=numbers)
    kind, given, inner = read_mark(p)
    if kind == UNRAVEL:
        return unraveled(inner, made.positional, made.session)
    if kind in (PULLBACK, LINEARIZED):
        return called(kind, inner, made.positional, made.session, made.refuses)
    if kind == "vmap":
        return _mapped(inner, given, made)
    if kind == sharded.KIND:
        parts = sharded.parts_of(given["in_specs"], made.positional, made.session)
        part = None if made.named else _result(inner, _Call(made.session, made.ctx, parts, {}))
        return None if part is None else sharded.put_together(part, given["out_specs"], made.session)
    if kind == "filter_jit":
        value = _result(inner, _Call(made.session, made.ctx, made.positional, made.named))
        return None if value is None else mapped_leaves(value, lambda t: _from_numpy(t, made.session), made.session)
    numbers = _numbers(given.get("argnums", 0), len(made.positional))
    value = _result(inner, _Call(made.session, made.ctx, made.positional, made.named, (kind, numbers)))
    made.refuses_result(refused_derivative(kind, inner, made.positional, numbers, made.session))
    if value is not None and is_by_another_rule(inner, value, made.positional, made.session):
        value = None
    is_exact = _is_followed(inner, made.session)
    if kind in ORDERS:
        if given["has_aux"] or given["holomorphic"] or _refuses_input(kind, given["argnums"], given, made):
            return None
        return jacobian(kind, value, given["argnums"], made.positional, made.session)
    is_followed = value is not None and not made.session.may_differentiate
    if kind in FILTERED.values():
        gradient = _filtered(made, is_followed)
    else:
        gradient = _gradient(kind, given["argnums"], given, made, is_followed)
    aux: Type = _any()
    if given["has_aux"]:
        made.refuses_result(refused_pair(kind, value, made.session))
        value, aux = value_and_aux(value)
        aux = _settled(aux, made, is_exact)
    made.refuses_result(refused_loss(kind, value, given["has_aux"], made.session))
    has_value = kind.endswith("value_and_grad")
    parts = [_loss(value, made, is_exact), gradient] if has_value else [gradient]
    if given["has_aux"]:
        if has_value:
            parts[0] = _tuple([parts[0], aux], made)
        else:
            parts.append(aux)
    return _tuple(parts, made) if len(parts) > 1 else parts[0]


def _numbers(argnums: Any, count: int) -> list[int]:
    """The places of the arguments by which a derivative is taken."""
    wanted = argnums if isinstance(argnums, tuple) else (argnums,)
    return [n % count for n in wanted if isinstance(n, int) and -count <= n < count]


def _tuple(items: list[Type], made: _Call) -> Type:
    return TupleType(items, made.session.api.named_generic_type("builtins.tuple", [_any()]))


def _gradient(kind: str, argnums: Any, given: dict[str, Any], made: _Call, is_followed: bool) -> Type:
    """The gradient by one argument, or by several.

    By what is strong it is strong where every derivative is one of JAX's: a rule of the program's own may give another.
    """
    if isinstance(argnums, tuple):
        return _tuple([_gradient(kind, n, given, made, is_followed) for n in argnums], made)
    if not isinstance(argnums, int) or not -len(made.positional) <= argnums < len(made.positional):
        return _any()
    by = made.positional[argnums]
    if made.refuses(refused_input(kind, by, argnums, given, made.session)):
        return _any()
    gradient = carried(by, made.session, keeps_weak=True, keeps_classes=False, keeps_strong=is_followed)
    return cast(gradient, made.session)


def _filtered(made: _Call, is_followed: bool) -> Type:
    """Equinox's gradient by the first argument: of each array of floats, and None in the place of all other leaves."""
    session = made.session

    def floats(t: Type) -> Type:
        arrays = arrays_of(t, session) if is_plain_array(t) else []
        if arrays and all((a.dtype or "").startswith(("int", "uint", "bool")) for a in arrays):
            return NoneType()
        return t if arrays and all(a.dtype == "float" or a.dtype in ANY_FLOAT for a in arrays) else _any()

    if not made.positional:
        return _any()
    by = mapped_leaves(made.positional[0], floats, session)
    return cast(carried(by, session, keeps_weak=True, keeps_classes=False, keeps_strong=is_followed), session)


def _from_numpy(t: Type, session: Session) -> Type:
    """What a jitted function gives that filters what it traces: NumPy's arrays become those of JAX, no other leaf."""
    p = get_proper_type(t)
    is_numpy = isinstance(p, Instance) and p.type.fullname.startswith("numpy.")
    return array_type([ShapedArray(None, None)], session) if is_numpy else t


def _refuses_input(kind: str, argnums: Any, given: dict[str, Any], made: _Call) -> bool:
    """Report an argument by which a Jacobian is taken and that is no float."""
    numbers = argnums if isinstance(argnums, tuple) else (argnums,)
    count = len(made.positional)
    known = [n for n in numbers if isinstance(n, int) and -count <= n < count]
    return any(made.refuses(refused_input(kind, made.positional[n], n, given, made.session)) for n in known)


def _is_followed(function: Type, session: Session) -> bool:
    """Whether what a function gives is known by its body, weak types included, and not by how it is declared."""
    function = unwrapped(function, (), {})[0]
    wrapper = wrapper_of(function)
    p: Type | None = get_finite_type(function if wrapper is None else wrapped(wrapper))
    if wrapper is not None:
        p = get_finite_type(unwrapped(wrapped(wrapper), (), {})[0])
    parts = None if p is None else equinox_layers.functions_in(p)
    if parts is not None:
        return all(_is_followed(part, session) for part in parts)
    info = instance_info(p)
    if info is not None:
        p = instances.method(info, "__call__", session)
    return isinstance(p, CallableType) and p.implicit and not is_mark(p)


def _innermost(function: Type) -> Type:
    """The function that is transformed, once or several times."""
    wrapper = wrapper_of(function)
    p = get_finite_type(function if wrapper is None else wrapped(wrapper))
    return _innermost(read_mark(p)[2]) if isinstance(p, CallableType) and is_mark(p) else function


def _loss(value: Type | None, made: _Call, is_exact: bool) -> Type:
    """The value beside a gradient: a scalar array, of the dtype that the function gives."""
    p = None if value is None else get_proper_type(value)
    if isinstance(p, Instance) and p.type.fullname in ARRAYS:
        arrays = [replace(a, shape=()) for a in arrays_of(p, made.session)]
        if is_exact and all(a.dtype is not None for a in arrays):
            return array_type(arrays, made.session)
        return array_type([v for a in arrays for v in any_weak(a, made.session)], made.session)
    return array_type([ShapedArray((), None)], made.session)


def _settled(t: Type, made: _Call, is_exact: bool) -> Type:
    """What a function returns, after a transformation: numbers are arrays then."""
    return carried(t, made.session, keeps_classes=False, keeps_exact=is_exact)


def _mapped(inner: Type, given: dict[str, Any], made: _Call) -> Type | None:
    """What a mapped function gives: one dimension more, as long as those of the arguments that are mapped."""
    in_axes, out_axis = given["in_axes"], given["out_axes"]
    axes = in_axes if isinstance(in_axes, tuple) else (in_axes,) * len(made.positional)
    if len(axes) != len(made.positional):
        count = f"len(in_axes)={len(axes)}, len(args)={len(made.positional)}"
        made.fail(f"ValueError: {_IN_AXES}, but got {count}", ValueError, "array-call")
        return None
    sizes: dict[int, str] = {}
    pairs = [(traced(t, made.session) if isinstance(a, int) else t, a) for t, a in zip(made.positional, axes)]
    pairs += [(traced(t, made.session), 0) for t in made.named.values()]
    for number, (t, tree) in enumerate(pairs):
        why = prefix_difference(t, tree, made.session)
        if why is not None:
            made.fail(
                f"ValueError: {_PREFIX}, but that of argument {number} is {tree}, and {why}", ValueError, "array-tree"
            )
            return None
        for array, axis in leaves_along(t, tree, made.session):
            shape = array.shape
            if shape is None:
                continue
            if not -len(shape) <= axis < len(shape):
                made.fail(f"vmap: argument {number} is mapped along axis {axis}, and is {array}", ValueError)
                return None
            size = shape[axis]
            if isinstance(size, int):
                sizes.setdefault(size, f"{size} along axis {axis} of argument {number}, {array}")
    if len(sizes) > 1:
        first, second = list(sizes.values())[:2]
        made.fail(f"vmap: the sizes that are mapped differ: {first}, and {second}", ValueError)
        return None
    named = {name: one_of(t, 0, made.session) for name, (t, _) in zip(made.named, pairs[len(axes) :])}
    inner_call = _Call(made.session, made.ctx, [one_of(t, a, made.session) for t, a in pairs[: len(axes)]], named)
    result = _result(inner, inner_call)
    size = next(iter(sizes), None) if sizes else given.get("axis_size")
    # Batching rules keep dtypes and weak types.
    is_exact = _is_followed(_innermost(inner), made.session)
    return None if result is None else stacked(result, size, out_axis, made.session, is_exact=is_exact)


def _any() -> AnyType:
    return AnyType(TypeOfAny.special_form)

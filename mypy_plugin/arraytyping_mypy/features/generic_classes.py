"""Two classes become generic: `Array[DType, Shape]`, and `JitWrapped` in the function that it wraps.

The parameters default to unknown, so that every bare `Array` in anybody's annotation means `Array[Any, Any]`.
"""

from __future__ import annotations

from typing import Final

from mypy.nodes import COVARIANT, INVARIANT, FuncDef, TypeInfo
from mypy.plugin import ClassDefContext
from mypy.types import AnyType, CallableType, TypeOfAny, TypeVarId, TypeVarType

from arraytyping_mypy.names import ARRAY, JIT_WRAPPERS, OWN_ARRAY
from arraytyping_mypy.wrappers import PARAMETER

__all__ = ["is_generic_itself", "make_generic", "open_class"]

_PARAMETERS: Final = {
    ARRAY: (("DType", "Shape"), COVARIANT),
    **dict.fromkeys(JIT_WRAPPERS, ((PARAMETER,), INVARIANT)),
}


def is_generic_itself(array: TypeInfo) -> bool:
    """Whether the class of arrays is generic as it is declared: in our stubs of JAX."""
    return array.fullname == OWN_ARRAY or array.type_vars != list(_PARAMETERS[ARRAY][0])


def make_generic(ctx: ClassDefContext) -> None:
    """Give the class its parameters while mypy analyses it."""
    info = ctx.cls.info
    names, variance = _PARAMETERS[info.fullname]
    own = info.defn.type_vars
    if own and (names != (PARAMETER,) or own[-1].name == PARAMETER):
        return  # stubs that are generic already, or a second pass
    top = ctx.api.named_type("builtins.object")
    info.defn.type_vars = [
        *own,
        *(
            TypeVarType(
                name,
                f"{info.fullname}.{name}",
                id=TypeVarId(i),
                values=[],
                upper_bound=top,
                # from_omitted_generics would mean that there is none: an error under disallow_any_generics (strict)
                default=AnyType(TypeOfAny.special_form),
                variance=variance,
            )
            for i, name in enumerate(names, len(own) + 1)
        ),
    ]
    info.type_vars.clear()
    info.add_type_vars()
    _give_pairs(info)


def open_class(ctx: ClassDefContext) -> None:
    """Have a class go wherever another is declared, and have any attribute, as if `Any` were its base."""
    ctx.cls.info.fallback_to_any = True


def _give_pairs(info: TypeInfo) -> None:
    """`divmod(2, x)` gives a pair as `divmod(x, 2)` does: JAX declares one array.

    mypy asks no plugin for an operator of a union, so that this is what it says of it.
    """
    methods = {d.name: d for d in info.defn.defs.body if isinstance(d, FuncDef)}
    given, reflected = methods.get("__divmod__"), methods.get("__rdivmod__")
    if given is None or reflected is None:
        return
    for which in ("type", "unanalyzed_type"):
        right, wrong = getattr(given, which), getattr(reflected, which)
        if isinstance(right, CallableType) and isinstance(wrong, CallableType):
            setattr(reflected, which, wrong.copy_modified(ret_type=right.ret_type))

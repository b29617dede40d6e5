"""`jax.Array` becomes `Array[DType, Shape]`: two covariant parameters, unknown where they are left out."""

from __future__ import annotations

from mypy.nodes import COVARIANT
from mypy.plugin import ClassDefContext
from mypy.types import AnyType, TypeOfAny, TypeVarId, TypeVarType

__all__ = ["make_generic"]


def make_generic(ctx: ClassDefContext) -> None:
    """Give the class its parameters while mypy analyses it, so that every bare `Array` means `Array[Any, Any]`."""
    info = ctx.cls.info
    if info.defn.type_vars:
        return  # stubs that are generic already, or a second pass
    top = ctx.api.named_type("builtins.object")
    info.defn.type_vars = [
        TypeVarType(
            name,
            f"{info.fullname}.{name}",
            id=TypeVarId(i),
            values=[],
            upper_bound=top,
            default=AnyType(TypeOfAny.from_omitted_generics),
            variance=COVARIANT,
        )
        for i, name in enumerate(("DType", "Shape"), 1)
    ]
    info.add_type_vars()

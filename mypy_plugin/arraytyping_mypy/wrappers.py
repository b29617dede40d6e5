"""What `jit` and its kin return, with the function that is in it: the class has a type parameter for that.

JAX's class is generic in nothing as JAX declares it.  In stubs it is generic in the parameters and the result; the one
of the plugin stands behind these.
"""

from __future__ import annotations

from typing import Final

from mypy.nodes import ArgKind, TypeInfo
from mypy.types import AnyType, Instance, Parameters, ParamSpecType, Type, TypeOfAny, get_proper_type

from arraytyping_mypy.names import JIT_WRAPPERS

__all__ = ["PARAMETER", "can_wrap", "rewrapped", "wrapped", "wrapper_of", "wrapping"]

PARAMETER: Final = "Wrapped"
"""The name of the type parameter."""


def can_wrap(info: TypeInfo) -> bool:
    """Whether the class has the parameter."""
    return info.type_vars[-1:] == [PARAMETER]


def wrapper_of(t: Type) -> Instance | None:
    """A function that was jitted, or transformed in a way that is known here; None for any other."""
    p = get_proper_type(t)
    if not isinstance(p, Instance) or p.type.fullname not in JIT_WRAPPERS:
        return None
    return p if can_wrap(p.type) and len(p.args) == len(p.type.type_vars) else None


def wrapped(wrapper: Instance) -> Type:
    """The function that is in it."""
    return wrapper.args[-1]


def rewrapped(wrapper: Instance, function: Type) -> Instance:
    """The same with another function in it."""
    return wrapper.copy_modified(args=[*wrapper.args[:-1], function])


def wrapping(info: TypeInfo, function: Type) -> Instance:
    """A function in this class, with any parameters and result as far as the class says."""
    any_type = AnyType(TypeOfAny.special_form)
    anything = Parameters(
        [any_type, any_type], [ArgKind.ARG_STAR, ArgKind.ARG_STAR2], [None, None], is_ellipsis_args=True
    )
    others: list[Type] = [anything if isinstance(v, ParamSpecType) else any_type for v in info.defn.type_vars[:-1]]
    return Instance(info, [*others, function])

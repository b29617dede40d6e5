"""Instance variables that hold arrays: what was inferred from one assignment must not bind the others.

`self.x = jnp.zeros(3)` tells mypy that `x` is a float32[3] for good; in JAX code it is often rebound to another
shape.  So a variable that a class assigns in several places, or one that inherits it does, is an unknown array, except
where mypy has just seen what it holds; and any array can be assigned to it (of numbers that become arrays see
`attribute_kinds`).  Of `self.state = None` mypy says that it is None for good; whoever writes so assigns something else
later, which mypy reports as a mistake, and the program runs.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from functools import partial
from typing import Final

from mypy.nodes import (
    ClassDef,
    Decorator,
    JsonDict,
    MemberExpr,
    MypyFile,
    TypeInfo,
    Var,
)
from mypy.plugin import AttributeContext, ClassDefContext
from mypy.types import (
    AnyType,
    Instance,
    NoneType,
    TupleType,
    Type,
    TypeOfAny,
    UnionType,
    get_proper_type,
)

from arraytyping_mypy.attribute_assignments import attribute_assignments
from arraytyping_mypy.checker import is_checked, modules_of
from arraytyping_mypy.class_decorators import registers_instances
from arraytyping_mypy.features import instances, named_tuples
from arraytyping_mypy.features.attribute_kinds import is_of_python, may_be_other
from arraytyping_mypy.features.instance_types import instance_info
from arraytyping_mypy.features.type_variables import attribute_as_promised
from arraytyping_mypy.finite_types import get_finite_type
from arraytyping_mypy.fixed_lists import opened
from arraytyping_mypy.generalize import OF_NUMPY, generalize
from arraytyping_mypy.hierarchy import KEY, TREE
from arraytyping_mypy.names import ARRAYS, LIBRARIES, is_bystander
from arraytyping_mypy.sessions import Sessions

__all__ = ["hook", "note_rebound"]

_CONTAINERS: Final = ("builtins.list", "builtins.dict", "builtins.tuple")


def _assignments(definition: ClassDef) -> Counter[str]:
    """How often each attribute is assigned; twice where it is bound again."""
    counts: Counter[str] = Counter()
    for one in attribute_assignments(definition):
        counts[one.name] += 2 if one.is_augmented else 1
    return counts


def note_rebound(ctx: ClassDefContext) -> None:
    """Note in the class, where mypy's cache keeps it, which of its variables are assigned in several places.

    And whether its decorators may make pytrees of its instances.
    """
    if ctx.api.is_stub_file or _is_of_bystander(ctx.cls.info, ctx.api.modules):
        return
    found = _assignments(ctx.cls)
    noted: JsonDict = {}
    if found:
        rebound = sorted(name for name, count in found.items() if count > 1)
        noted = {"rebound": rebound, "assigned": sorted(found)}
    if ctx.cls.decorators and registers_instances(ctx):
        noted[TREE] = True
    if noted:
        ctx.cls.info.metadata[KEY] = noted


def _is_of_bystander(info: TypeInfo, modules: Mapping[str, MypyFile]) -> bool:
    """Whether a class is one of the packages without arrays, of which nothing is noted."""
    tree = modules.get(info.module_name)
    return tree is not None and is_bystander(tree.fullname, tree.path)


def hook(fullname: str, sessions: Sessions) -> Callable[[AttributeContext], Type] | None:
    """The hook of an attribute of a class of the program, or of a named tuple of a library."""
    name = fullname.rpartition(".")[2]
    if fullname.partition(".")[0] in LIBRARIES:
        return partial(_read_result, name, sessions)
    return partial(_read, name, sessions)


def _read_result(name: str, sessions: Sessions, ctx: AttributeContext) -> Type:
    """`jnp.linalg.eigh(x).eigenvalues`."""
    field = named_tuples.attribute(name, ctx, sessions.of(ctx.api))
    return attribute_as_promised(ctx.default_attr_type, ctx.type, name) if field is None else field


def _read(name: str, sessions: Sessions, ctx: AttributeContext) -> Type:
    field = named_tuples.attribute(name, ctx, sessions.of(ctx.api)) or _of_instance(name, sessions, ctx)
    if field is not None:
        return field
    is_none = isinstance(get_proper_type(ctx.default_attr_type), NoneType) and not ctx.is_lvalue
    is_number = not ctx.is_lvalue and is_of_python(ctx.default_attr_type)
    if not is_none and not is_number and not _holds_arrays(ctx.default_attr_type):
        return ctx.default_attr_type
    owner = get_proper_type(ctx.type)
    owner = owner.partial_fallback if isinstance(owner, TupleType) else owner
    if not isinstance(owner, Instance):
        return ctx.default_attr_type
    symbol = owner.type.get(name)
    if symbol is None or not isinstance(symbol.node, Var) or not symbol.node.is_inferred:
        return attribute_as_promised(ctx.default_attr_type, owner, name)
    if is_none:
        return AnyType(TypeOfAny.special_form)
    info = symbol.node.info
    is_rebound = name in info.metadata.get(KEY, {}).get("rebound", ()) or _is_of_bystander(info, modules_of(ctx.api))
    if is_rebound and is_number and may_be_other(info, name, ctx.default_attr_type, sessions.of(ctx.api)):
        return AnyType(TypeOfAny.special_form)
    session = sessions.of(ctx.api)
    if is_rebound or session.is_library or session.hierarchy.is_reassigned(info, name):
        return generalize(ctx.default_attr_type)
    return ctx.default_attr_type


def _of_instance(name: str, sessions: Sessions, ctx: AttributeContext) -> Type | None:
    """A field or property of an instance that is known; None if it is none, or nothing is known of it."""
    if ctx.is_lvalue or not isinstance(ctx.context, MemberExpr):
        return None
    info = instance_info(ctx.type)
    session = sessions.of(ctx.api)
    if info is None:
        if not session.is_active or not session.is_following:
            return None
        return session.following.making.own_attribute(name, ctx.context.expr)
    if not session.is_active:
        return None
    symbol = info.get(name)
    if symbol is not None and isinstance(symbol.node, Decorator) and is_checked(ctx.api):
        function = instances.method(info, name, session)
        session.following.site = ctx.context
        return None if function is None else session.following.result(function, [ctx.type], {})
    field = instances.attribute(name, ctx.type, session)
    is_outside = field is not None and not session.is_following
    return opened(field, session) if field is not None and is_outside else field


def _holds_arrays(t: Type) -> bool:
    """Whether it is the type of an array, or of a container of Python with arrays in it."""
    p = get_finite_type(t)
    if isinstance(p, UnionType | TupleType):
        return any(map(_holds_arrays, p.items))
    if not isinstance(p, Instance):
        return False
    if p.type.fullname in _CONTAINERS:
        return any(map(_holds_arrays, p.args))
    return p.type.fullname in ARRAYS or p.type.fullname in OF_NUMPY

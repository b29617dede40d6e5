"""Which fields of a registered class are a part of a tree's structure, and no leaves: as its decorators and fields say.

Source: `register_dataclass` in jax/_src/tree_util.py, flax/struct.py, `field` in equinox/_module/_field.py.
"""

from __future__ import annotations

from typing import Final

from mypy.nodes import (
    AssignmentStmt,
    CallExpr,
    DictExpr,
    Expression,
    ListExpr,
    NameExpr,
    RefExpr,
    StrExpr,
    TupleExpr,
    TypeInfo,
)

from arraytyping_mypy.names import TRAIN_STATE

__all__ = ["static_fields"]

_REGISTER: Final = (
    "jax.tree_util.register_dataclass",
    "jax._src.tree_util.register_dataclass",
    "arraytyping.runtime.tree.containers.register_dataclass",
)
_DATACLASSES: Final = ("dataclasses.dataclass", "dataclasses._DataclassT.dataclass")
_EQUINOX: Final = "equinox."
_FLAX: Final = ("flax.struct.dataclass",)
_NODE: Final = "flax.struct.PyTreeNode"
_FIELDS: Final = ("dataclasses.", _EQUINOX, "flax.struct.")


def static_fields(info: TypeInfo) -> frozenset[str] | None:
    """The fields that are no leaves; None where that cannot be read off."""
    if any(base.fullname.startswith(_EQUINOX) for base in info.mro):
        return _declared(info, "static", True)
    if any(base.fullname == _NODE for base in info.mro):
        found = _declared(info, "pytree_node", False)
        return found if found is None or not info.has_base(TRAIN_STATE) else found | {"apply_fn", "tx"}
    decorators = [_called(d) for d in info.defn.decorators]
    if any(name in _FLAX for name, _ in decorators):
        return _declared(info, "pytree_node", False)
    for name, call in decorators:
        if name in _REGISTER:
            is_listed = call is not None and ("meta_fields" in call.arg_names or len(call.args) > 1)
            return _listed(call) if is_listed and call is not None else _declared(info, "metadata", True)
    return None


def _called(decorator: Expression) -> tuple[str, CallExpr | None]:
    """What a decorator is by its full name, and the call that gives it; that of a `partial`, too."""
    call = decorator if isinstance(decorator, CallExpr) else None
    function = decorator if call is None else call.callee
    if call is not None and isinstance(function, RefExpr) and function.fullname == "functools.partial" and call.args:
        function = call.args[0]
    return (function.fullname if isinstance(function, RefExpr) else ""), call


def _listed(call: CallExpr) -> frozenset[str] | None:
    """The fields that `meta_fields=` names."""
    given = dict(zip(call.arg_names, call.args)).get("meta_fields")
    if not isinstance(given, ListExpr | TupleExpr) or "drop_fields" in call.arg_names:
        return None
    names = [item.value for item in given.items if isinstance(item, StrExpr)]
    return frozenset(names) if len(names) == len(given.items) else None


def _declared(info: TypeInfo, option: str, value: bool) -> frozenset[str] | None:
    """The fields that are declared with this option; None where one is declared in a way that is not understood."""
    found: set[str] = set()
    for base in info.mro:
        for statement in base.defn.defs.body if base.module_name == info.module_name else ():
            target = statement.lvalues[-1] if isinstance(statement, AssignmentStmt) else None
            if not isinstance(statement, AssignmentStmt) or not isinstance(target, NameExpr):
                continue
            if not isinstance(statement.rvalue, CallExpr):
                continue
            given = _option(statement.rvalue, option)
            if given is None:
                return None
            if given == str(value):
                found.add(target.name)
    return frozenset(found)


def _option(call: CallExpr, option: str) -> str | None:
    """What a call of `field` gives as an option, "" if nothing; None if that is not written out."""
    callee = call.callee
    if not isinstance(callee, RefExpr):
        return None
    if option == "static" and callee.fullname.startswith(_EQUINOX) and callee.fullname.endswith(".static_field"):
        return "True"
    if not callee.fullname.endswith(".field") or not callee.fullname.startswith(_FIELDS):
        return "" if isinstance(callee.node, TypeInfo) else None
    if None in call.arg_names:
        return None  # `**options`
    given = dict(zip(call.arg_names, call.args)).get(option)
    if option == "metadata" and given is not None:
        given = _entry(given)
        if given is None:
            return None
    if given is None:
        return ""
    return given.name if isinstance(given, NameExpr) and given.name in ("True", "False") else None


def _entry(metadata: Expression) -> Expression | None:
    """What `dict(static=...)` or `{"static": ...}` says; None if it is written in another way, or says nothing."""
    if isinstance(metadata, DictExpr):
        return next((v for k, v in metadata.items if isinstance(k, StrExpr) and k.value == "static"), None)
    if (
        isinstance(metadata, CallExpr)
        and isinstance(metadata.callee, RefExpr)
        and metadata.callee.fullname == "builtins.dict"
    ):
        return dict(zip(metadata.arg_names, metadata.args)).get("static")
    return None

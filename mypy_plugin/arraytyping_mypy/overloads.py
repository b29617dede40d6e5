"""Our stubs without their overloads, which say what the rules say: mypy would try each of them at each call.

Where no rule answers, it is an array of which nothing is known.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from mypy.nodes import ClassDef, Decorator, FuncDef, MypyFile, OverloadedFuncDef, Statement
from mypy.types import AnyType, CallableType, Type, TypeOfAny, UnboundType

__all__ = ["reduce_overloads"]

_STUBS: Final = ("jax-stubs", "arraytyping-stubs")
_MODULES: Final = ("numpy", "lax", "nn", "scipy", "basearray")


def reduce_overloads(file: MypyFile) -> None:
    """Leave one variant of each function and method of a module of arrays, where it is one of our stubs."""
    name = file.fullname.removeprefix("jax._src.").partition(".")[2] or file.fullname.removeprefix("jax._src.")
    if name.partition(".")[0] not in _MODULES or not file.path.endswith(".pyi"):
        return
    if not any(part in _STUBS for part in Path(file.path).parts):
        return
    file.defs[:] = [_reduced(d) for d in file.defs]
    for statement in file.defs:
        if isinstance(statement, ClassDef) and (statement.name == "Array" or statement.name.startswith("_Ufunc_")):
            statement.defs.body[:] = [_reduced(d) for d in statement.defs.body]


def _reduced(statement: Statement) -> Statement:
    variants = _variants(statement)
    if not variants:
        return statement
    last = variants[-1]
    kinds = [v.unanalyzed_type for v in variants]
    declared = last.unanalyzed_type
    if not isinstance(declared, CallableType) or not all(isinstance(k, CallableType) for k in kinds):
        return statement
    types = [_parameter(t, a.variable.name, last) for t, a in zip(declared.arg_types, last.arguments)]
    is_array = all(_names(k.ret_type) == "Array" for k in kinds if isinstance(k, CallableType))
    result = UnboundType("Array", [UnboundType("Any"), UnboundType("SomeShape")]) if is_array else UnboundType("Any")
    last.type = last.unanalyzed_type = declared.copy_modified(arg_types=types, ret_type=result)
    last.is_decorated = last.is_overload = False
    return last


def _variants(statement: Statement) -> list[FuncDef]:
    """The functions of overloads that have no other decorator."""
    items = statement.items if isinstance(statement, OverloadedFuncDef) else []
    decorators = [i for i in items if isinstance(i, Decorator) and len(i.decorators) == 1]
    return [d.func for d in decorators] if len(decorators) == len(items) else []


def _names(t: Type) -> str:
    return t.name if isinstance(t, UnboundType) else ""


def _parameter(declared: Type, name: str, function: FuncDef) -> Type:
    """What any of the variants takes: all that an array can be made of, or anything."""
    if name == "self":
        return AnyType(TypeOfAny.unannotated)
    is_anything = _names(declared) in ("Any", "Literal") or function.name in ("__eq__", "__ne__")
    return UnboundType("Any" if is_anything else "ArrayLike")

"""Whether the objects of a session are still what the statements that made them say.

Source: https://docs.python.org/3/reference/datamodel.html, for what of a function and of a class can be changed.
"""

from __future__ import annotations

import ast
import functools
import inspect
import sys
import types
from typing import Any, Final

__all__ = [
    "class_part_holds",
    "contents_of",
    "defaults_hold",
    "is_kept",
    "is_of_session",
    "is_stable",
    "is_unchangeable",
    "matches",
]

_COMPUTED: Final = frozenset({
    "__abstractmethods__", "__annotate_func__", "__annotations__", "__annotations_cache__", "__dict__", "__doc__",
    "__parameters__", "__weakref__", "_abc_impl",
})  # fmt: skip
"""Attributes of classes that Python fills in later."""
_PLAIN: Final = (type(None), bool, int, float, complex, str, bytes)


def is_of_session(value: Any) -> bool:
    """Whether a function or class was defined in a cell."""
    return _attribute(value, "__module__") in ("__main__", None)


def _attribute(value: Any, name: str) -> Any:
    """An attribute of a function or a class, as far as no code of the program is asked for it."""
    try:
        return (
            object.__getattribute__(value, name) if not isinstance(value, type) else type.__getattribute__(value, name)
        )
    except AttributeError:
        return None


def is_kept(made: Any) -> bool:
    """Whether an object is of a kind that a definition describes: a function, a class, or one that cannot change."""
    if isinstance(made, types.FunctionType):
        return vars(made).keys() <= {"__wrapped__", "__signature__"}  # others may be a registry
    if isinstance(made, type | functools.partial) or _is_function_of_jax(made):
        return True
    return is_unchangeable(type(made)) and not _is_array(made)


def _is_function_of_jax(made: Any) -> bool:
    return type(made).__name__ in ("PjitFunction", "custom_jvp", "custom_vjp") and type(made).__module__.startswith(
        "jax"
    )


def is_unchangeable(cls: Any) -> bool:
    """Whether instances of a class cannot change: named tuples, frozen dataclasses, modules of flax.linen."""
    if not isinstance(cls, type):
        return False
    parameters = getattr(cls, "__dataclass_params__", None)
    if parameters is not None and parameters.frozen:
        return True
    linen = sys.modules.get("flax.linen")
    if linen is not None and issubclass(cls, linen.Module):
        return True
    return issubclass(cls, tuple) and cls is not tuple and hasattr(cls, "_fields")


def _is_array(value: Any) -> bool:
    return type(value).__name__ in ("ArrayImpl", "PRNGKeyArray", "ndarray")


def is_stable(value: Any, depth: int = 0) -> bool:
    """Whether a value is still as it was when a definition read it."""
    if isinstance(value, (*_PLAIN, type, types.ModuleType, types.FunctionType, functools.partial)):
        return True
    if type(value) is tuple:
        return depth < 8 and all(is_stable(item, depth + 1) for item in value)
    return (
        type(value).__name__ in ("ArrayImpl", "PRNGKeyArray")
        or (callable(value) and not is_of_session(value))
        or is_kept(value)
    )


def matches(made: Any, statement: ast.stmt) -> bool:
    """Whether an object is what its last statement makes."""
    if isinstance(statement, ast.ClassDef):
        return isinstance(made, type) and made.__name__ == statement.name
    return True


def defaults_hold(function: Any, statement: ast.FunctionDef) -> bool:
    """Whether lists and dicts that are defaults of parameters hold what is written."""
    if not isinstance(function, types.FunctionType):
        return not any(map(_is_display, statement.args.defaults))
    named = {a.arg: d for a, d in zip(statement.args.kwonlyargs, statement.args.kw_defaults) if d is not None}
    pairs = [*zip(statement.args.defaults, function.__defaults__ or ())]
    pairs += [(default, (function.__kwdefaults__ or {}).get(name)) for name, default in named.items()]
    return all(_holds(written, value) for written, value in pairs)


def class_part_holds(part: ast.stmt, cls: type) -> bool:
    """Whether the attributes that a statement of a class makes are what is written."""
    if isinstance(part, ast.FunctionDef):
        made = vars(cls).get(part.name)
        return defaults_hold(inspect.unwrap(getattr(made, "__func__", made)), part)  # type: ignore[arg-type]
    if isinstance(part, ast.Assign | ast.AnnAssign) and part.value is not None:
        targets = part.targets if isinstance(part, ast.Assign) else [part.target]
        names = [target.id for target in targets if isinstance(target, ast.Name)]
        return all(_holds(part.value, vars(cls)[name]) for name in names if name in vars(cls))
    return True


def _holds(written: ast.expr, value: Any) -> bool:
    if _is_display(written):
        try:
            return bool(ast.literal_eval(written) == value)
        except (ValueError, TypeError, RecursionError):
            return False
    return is_stable(value)


def _is_display(node: ast.expr) -> bool:
    return isinstance(node, ast.List | ast.Dict | ast.Set)


def contents_of(made: Any) -> dict[str, Any]:
    """What of an object can be changed."""
    if isinstance(made, type):
        return {name: value for name, value in vars(made).items() if name not in _COMPUTED}
    if isinstance(made, types.FunctionType):
        own = {f".{name}": getattr(made, name) for name in ("__code__", "__defaults__", "__kwdefaults__")}
        return {**vars(made), **own}
    return {}

"""Annotations as messages write them."""

from __future__ import annotations

import types
from typing import Any, Literal, Union, get_args, get_origin

__all__ = ["short_name"]


def short_name(annotation: Any) -> str:
    """An annotation as a user writes it: classes and aliases by their names."""
    if annotation is Any:
        return "Any"
    if annotation is types.NoneType:
        return "None"
    if annotation is Ellipsis:
        return "..."
    if isinstance(annotation, list):
        return f"[{', '.join(map(short_name, annotation))}]"
    origin, args = get_origin(annotation), get_args(annotation)
    if origin is Union or origin is types.UnionType:
        return " | ".join(map(short_name, args))
    if getattr(annotation, "__unpacked__", False):
        return repr(annotation)
    if origin is None or not args:
        return _class_name(annotation) if isinstance(annotation, type) else repr(annotation).replace("typing.", "")
    if origin is Literal:
        return f"Literal[{', '.join(map(repr, args))}]"
    name = _class_name(origin) if isinstance(origin, type) else repr(origin).replace("typing.", "")
    return f"{name}[{', '.join(map(short_name, args))}]"


def _class_name(cls: type) -> str:
    home = cls.__module__.partition(".")[0]
    outer = home if home not in ("arraytyping", "builtins", "collections", "typing", "__main__") else ""
    return f"{outer}.{cls.__qualname__}".lstrip(".")

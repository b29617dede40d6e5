"""Messages of libraries without what is inside of them, and of us: addresses, installed files, stand-ins, tracers."""

from __future__ import annotations

import functools
import re
from typing import Final

__all__ = ["presentable"]

_QUESTION: Final = re.compile(
    r" ?The error occurred while tracing the function [^.]*? at \S+ for \w+\."
    r"|"
    r" ?This concrete value was not available in Python because it depends on the values? of [^.]*tracers\[[^.]*\."
)
"""What jax says of the function that asks it, which the program does not have."""
_REPLACED: Final = (
    (_QUESTION, ""),
    (re.compile(r"<function (\S+) at 0x[0-9a-f]+>"), r"<function \1>"),
    (re.compile(r" at 0x[0-9a-f]+"), ""),
    (re.compile(r"\b0x[0-9a-f]{8,}"), "its address"),
    (re.compile(r"\b\w*Tracer[(<]~?(\w+\[[^\]]*\])[^)>]*[)>]"), r"\1"),
    (re.compile(r"<arraytyping\.[\w.]*\.Callback object>"), "a function"),
    (re.compile(r"<class 'arraytyping\.[\w.]*\.(?:Callable)?Node'>"), "an instance of a class of the program"),
    (re.compile(r"<class 'arraytyping\.checker\.flow\.start\.program\.(?!Callback)([\w.]+)'>"), r"<class '\1'>"),
    (re.compile(r"<?\barraytyping\.checker[\w.]*( object)?>?"), "an object"),
    (re.compile(r"\bCallback\b"), "function"),
    (re.compile(r"<class '[\w.]*_DimExpr'>|\b_DimExpr\b"), "a symbolic size"),
    (re.compile(r"'module' object"), "a module"),
    (re.compile(r"\btracers\[\d+\]"), "an argument"),
    (re.compile(r" ?(?:\b(?:at|in|from) )?/\S*(?:site-packages|/lib/python3|arraytyping/checker)\S*"), ""),
    (re.compile(r"[\s:,;(]+$"), ""),
)


@functools.lru_cache(maxsize=4096)
def presentable(message: str) -> str:
    """A message as it is shown."""
    for pattern, instead in _REPLACED:
        message = pattern.sub(instead, message)
    return message

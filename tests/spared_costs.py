"""What jax does anew each time, and need not in a process that runs thousands of programs.

For each error it resolves the paths of all frames, to leave its own out; for each program that it lowers it loads all
dialects into a context of MLIR's.  What is computed, raised or shown is the same.
"""

from __future__ import annotations

import functools
import sys
import threading
from collections.abc import Callable
from typing import Any

__all__ = ["renew", "spare"]


class _Contexts(threading.local):
    """The context of MLIR's in which a thread lowers."""

    made: Any = None


_contexts = _Contexts()


def spare() -> None:
    """Have jax, if it is there, do so from now on."""
    tracebacks, lowering = (sys.modules.get(f"jax._src.{name}") for name in ("traceback_util", "interpreters.mlir"))
    if tracebacks is not None:
        _replace(tracebacks, "_path_starts_with", functools.cache)
    if lowering is not None:
        _replace(lowering, "make_ir_context", _of_a_thread)


def renew() -> None:
    """Have jax make another context: one keeps what the programs in it had as constants."""
    global _contexts
    _contexts = _Contexts()


def _replace(module: Any, name: str, change: Callable[[Any], Any]) -> None:
    """Change a function of jax's once, if this release has it."""
    function = getattr(module, name, None)
    if function is not None and not hasattr(function, "__wrapped__"):
        setattr(module, name, change(function))


def _of_a_thread(make: Callable[[], Any]) -> Callable[[], Any]:
    @functools.wraps(make)
    def one() -> Any:
        if _contexts.made is None:
            _contexts.made = make()
        return _contexts.made

    return one

"""Classes that derive from one whose methods are few and written in Python, of Python's own library or Flax's dict: from its source."""

from __future__ import annotations

import ast
from typing import Any

from arraytyping.checker.flow.adapters.library_sources import name_in_source
from arraytyping.checker.flow.libraries.registry import handles_base
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.values import ClassValue


@handles_base(
    "contextlib.AbstractAsyncContextManager",
    "contextlib.AbstractContextManager",
    "contextlib.AsyncContextDecorator",
    "contextlib.ContextDecorator",
    "flax.core.frozen_dict.FrozenDict",
)
def _from_source(it: Interpreter, cls: ClassValue, base: Any, keywords: dict[str, Any], node: ast.AST | None) -> Any:
    own = name_in_source(it, base.__module__, base.__name__)
    if not isinstance(own, ClassValue):
        cls.kind = "unknown"
        return cls
    # The real class stays behind its source, for isinstance.
    cls.mro = [c for b in cls.mro for c in ([b] if b is not base else [*own.mro, base])]
    return cls

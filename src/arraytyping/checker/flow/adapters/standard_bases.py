"""Classes that derive from one whose methods are few and written in Python: from its source.

They are of Python's own library, where abstract containers have most of their methods, and Flax's frozen dict.
"""

from __future__ import annotations

import ast
import typing
from typing import Any, Final

from arraytyping.checker.flow.adapters.library_sources import name_in_source
from arraytyping.checker.flow.libraries.registry import handles_base
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.values import ClassValue

_WITH_METHODS: Final = (
    "Iterator", "Mapping", "MutableMapping", "Sequence", "MutableSequence", "Set", "MutableSet",
    "MappingView", "KeysView", "ItemsView", "ValuesView",
)  # fmt: skip
"""The abstract containers that have methods by those that a class defines."""


@handles_base(
    *(f"collections.abc.{name}" for name in _WITH_METHODS),
    "contextlib.AbstractAsyncContextManager",
    "contextlib.AbstractContextManager",
    "contextlib.AsyncContextDecorator",
    "contextlib.ContextDecorator",
    "flax.core.frozen_dict.FrozenDict",
)
def _from_source(it: Interpreter, cls: ClassValue, base: Any, keywords: dict[str, Any], node: ast.AST | None) -> Any:
    real = typing.get_origin(base) or base
    module = "_collections_abc" if real.__module__ == "collections.abc" else real.__module__
    own = name_in_source(it, module, real.__name__)
    if not isinstance(own, ClassValue):
        cls.kind = "unknown"
        return cls
    # The real class stays behind its source, for isinstance.
    cls.mro = [c for b in cls.mro for c in ([b] if b is not base else [*own.mro, real])]
    return cls

"""The operations of which functions are composed, as they compute; see `rules.compositions`."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from importlib import import_module
from typing import Any, Final

from arraytyping.basearray import Array
from arraytyping.numpy.promoting import is_complex, one_shape, promoted_inexact
from arraytyping.runtime.array_likes import array_from, materialized
from arraytyping.runtime.calling import operation
from arraytyping.runtime.np_dtypes import np_dtype
from arraytyping.semantics.rules.compositions import COMPOSITIONS

__all__ = ["OPERATIONS", "composed"]


class _OnArrays:
    """The operations that compute."""

    def __init__(self) -> None:
        self._found: dict[str, Callable[..., Any]] = {}

    def __call__(self, name: str, /, *args: Any, **kwargs: Any) -> Any:
        function = self._found.get(name)
        if function is None:
            module, _, member = name.rpartition(".")
            function = self._found[name] = getattr(import_module(f"arraytyping.{module}"), member)
        return function(*args, **kwargs)

    def array(self, x: Any, operation: str) -> Any:
        return x if isinstance(x, Array) else array_from(x)

    def inexact(self, operation: str, *xs: Any) -> list[Any]:
        return promoted_inexact(*(self.array(x, operation) for x in xs))

    def promoted(self, operation: str, *xs: Any) -> list[Any]:
        arrays = [materialized(x) for x in self.inexact(operation, *xs)]
        return one_shape(*arrays) if len(arrays) > 1 else arrays

    def number_like(self, x: Any, value: float) -> Any:
        return self.constant_like(x, value)

    def dtype(self, x: Any) -> Any:
        return np_dtype(x.aval.dtype)

    def constant_like(self, x: Any, value: float) -> Any:
        return np_dtype(x.aval.dtype).type(value)

    def is_complex(self, x: Any) -> bool | None:
        return is_complex(x)

    def choose(self, flag: Any, on_true: Callable[[], Any], on_false: Callable[[], Any]) -> Any:
        return on_true() if flag else on_false()

    def is_unknown(self, *values: Any) -> bool:
        return False


OPERATIONS: Final = _OnArrays()


def composed(name: str, *arrays: str, body: Callable[..., Any] | None = None) -> Callable[..., Any]:
    """The public function of the rule `name`, which its definition computes, or `body`."""
    definition = COMPOSITIONS[name]
    signature = inspect.signature(definition)
    parameters = [p.replace(annotation=inspect.Parameter.empty) for p in signature.parameters.values()][1:]

    def function(*args: Any, **kwargs: Any) -> Any:
        return definition(OPERATIONS, *args, **kwargs) if body is None else body(*args, **kwargs)

    function.__name__ = function.__qualname__ = name.rpartition(".")[2]
    function.__doc__ = definition.__doc__
    function.__module__ = "arraytyping." + name.rpartition(".")[0]
    function.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined]
    return operation(name, *arrays)(function)

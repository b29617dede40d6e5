"""What flow uses of the installed JAX that JAX promises nothing about: the only module that names `jax._src`.

Importing this module imports jax.  `tests/test_jax_private.py` has a test for each thing, so that a release tells.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AbstractContextManager
from typing import Any

from jax._src import api_util, array, core, dtypes
from jax._src.export import shape_poly
from jax._src.interpreters import partial_eval
from jax._src.lax import lax

__all__ = [
    "INCONCLUSIVE",
    "REF",
    "array_kinds",
    "axis_sizes",
    "convert_element_type",
    "current_trace",
    "dtypes",
    "in_trace",
    "is_of_jaxpr",
    "new_trace",
    "parent_of",
    "primal_of",
    "trace_of",
    "value_of",
]

_core: Any = core  # which declares no types
INCONCLUSIVE: type[Exception] = shape_poly.InconclusiveDimensionOperation
"""What is raised where a comparison of symbolic sizes cannot be decided."""

REF: Any = core.Ref
"""The class of references to arrays that can be written."""


def array_kinds() -> tuple[type, ...]:
    """The classes of which arrays are: those with a value, and tracers."""
    return array.ArrayImpl, core.Tracer


def axis_sizes() -> Mapping[Any, int]:
    """The named axes that are bound here, and their sizes."""
    sizes: Mapping[Any, int] = _core.get_axis_env().axis_sizes
    return sizes


def convert_element_type(value: Any, dtype: Any, weak_type: bool) -> Any:
    """An array of this dtype and weak type: the only way to one of a weak type."""
    return lax._convert_element_type(value, dtype, weak_type=weak_type)


def current_trace() -> Any:
    """The trace under which jax operates now."""
    return core.trace_ctx.trace


def new_trace() -> Any:
    """A trace that stays open, in which objects can be made that hold tracers."""
    debug = api_util.debug_info("flow", lambda: None, (), {})
    return partial_eval.DynamicJaxprTrace(debug, parent_trace=current_trace())


def in_trace(trace: Any) -> AbstractContextManager[Any]:
    """Operate in a trace."""
    manager: AbstractContextManager[Any] = _core.set_current_trace(trace)
    return manager


def is_of_jaxpr(trace: Any) -> bool:
    """Whether a trace stages its operations into a jaxpr."""
    return isinstance(trace, partial_eval.DynamicJaxprTrace)


def parent_of(trace: Any) -> Any:
    """The trace around one; None for the outermost."""
    return getattr(trace, "parent_trace", None)


def primal_of(tracer: Any) -> Any:
    """What a tracer of differentiation is a tracer of; None if it is not one."""
    return getattr(tracer, "primal", None)


def value_of(tracer: Any) -> Any:
    """What a tracer of a mapped axis is a tracer of; None if it is not one."""
    return getattr(tracer, "val", None)


def trace_of(tracer: Any) -> Any:
    """The trace that a tracer belongs to; None for an array with a value."""
    return getattr(tracer, "_trace", None)

"""What flow uses of the installed JAX that JAX promises nothing about: the only module that names `jax._src`.

Importing this module imports jax.  `tests/test_jax_private.py` has a test for each thing, so that a release tells.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import Any, Final

import jax
from jax._src import (
    api,
    api_util,
    array,
    config,
    core,
    dtypes,
    linear_util,
    mesh,
    source_info_util,
    traceback_util,
    xla_bridge,
)
from jax._src.export import shape_poly
from jax._src.interpreters import partial_eval
from jax._src.lax import lax, parallel

from arraytyping.semantics.shardings import read_spec

__all__ = [
    "INCONCLUSIVE",
    "REF",
    "array_kinds",
    "axis_sizes",
    "convert_element_type",
    "current_trace",
    "dtypes",
    "in_trace",
    "key_implementation",
    "mesh_in_force",
    "is_of_jaxpr",
    "is_started",
    "new_trace",
    "opaque",
    "parent_of",
    "place_of",
    "placed",
    "pretend_devices",
    "put_mesh",
    "struct_options",
    "sums_of_symbols",
    "primal_of",
    "trace",
    "trace_of",
    "value_of",
    "varying_of",
    "without_tracebacks",
]

_core: Any = core  # which declares no types
_lax: Any = lax
_parallel: Any = parallel
_lines: Any = source_info_util
_filter: Any = traceback_util
_api: Any = api
_tracer: Any = partial_eval.DynamicJaxprTracer
_jax_origin: Final[Any] = _tracer._origin_msg
_ARGUMENT: Final = "tracers[{}]"
"""What the arguments are called by `trace`."""
_mesh: Any = mesh
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


def named_axis(name: Any, size: Any) -> AbstractContextManager[None]:
    """Within this an axis of that name and size is mapped."""
    context: AbstractContextManager[None] = _core.extend_axis_env_nd([(name, size)])
    return context


@contextmanager
def sums_of_symbols() -> Iterator[None]:
    """Within this `psum` and `pmean` also know the size of an axis that is a symbol, as a number that is traced."""
    before = _parallel.lax
    _parallel.lax = _OfSymbols()
    try:
        yield
    finally:
        _parallel.lax = before


class _OfSymbols:
    """`jax._src.lax.lax` for collectives, which multiply a number by the size of an axis."""

    def __getattr__(self, name: str) -> Any:
        return getattr(lax, name)

    def _const(self, example: Any, value: Any) -> Any:
        if _core.is_constant_dim(value):
            return _lax._const(example, value)
        weak = dtypes.is_weakly_typed(example)
        return convert_element_type(_core.dimension_as_value(value), dtypes.dtype(example), weak)


def convert_element_type(value: Any, dtype: Any, weak_type: bool) -> Any:
    """An array of this dtype and weak type: the only way to one of a weak type."""
    return lax._convert_element_type(value, dtype, weak_type=weak_type)


_opaque: Any = _core.Primitive("opaque")
_opaque.def_abstract_eval(lambda *, aval: aval)


def _zeros(*, aval: Any) -> Any:
    if dtypes.issubdtype(aval.dtype, dtypes.extended):
        name, size = key_implementation(aval.dtype)
        return jax.random.wrap_key_data(jax.numpy.zeros((*aval.shape, *size), "uint32"), impl=name)
    return convert_element_type(lax.full(aval.shape, 0, aval.dtype), aval.dtype, aval.weak_type)


_opaque.def_impl(_zeros)


def opaque(shape: tuple[Any, ...], dtype: Any, weak_type: bool) -> Any:
    """A tracer of an array of which no more is known, or zeros where nothing is traced.

    It is one operation without operands, which costs a fifth of `lax.full`.
    """
    return _opaque.bind(aval=_core.ShapedArray(shape, dtype, weak_type))


def key_implementation(dtype: Any) -> tuple[str, tuple[int, ...]]:
    """The name of the implementation of keys of a dtype, and the shape of the words of one."""
    return dtype._impl.name, tuple(dtype._impl.key_shape)


def current_trace() -> Any:
    """The trace under which jax operates now."""
    return core.trace_ctx.trace


def is_started() -> bool:
    """Whether jax has looked for its devices, which it does once."""
    return bool(xla_bridge.backends_are_initialized())


def pretend_devices(count: int) -> None:
    """Let the host have so many devices."""
    if is_started():
        _api.clear_backends()
    settings: Any = jax.config
    settings.update("jax_num_cpu_devices", count)


def mesh_in_force() -> Any:
    """The abstract mesh of the context, by which jax decides where arrays lie; None where there is none."""
    found = jax.sharding.get_abstract_mesh()
    return None if found.empty else found


def put_mesh(mesh: Any) -> None:
    """Let a mesh be in force for this thread; None: none is."""
    config_: Any = config
    empty = _mesh.empty_abstract_mesh
    abstract = empty if mesh is None else getattr(mesh, "abstract_mesh", mesh)
    config_.abstract_mesh_context_manager.set_local(abstract)
    concrete = mesh if isinstance(mesh, jax.sharding.Mesh) else None
    config_.device_context.set_local(_mesh.empty_concrete_mesh if concrete is None else concrete)


def place_of(aval: Any) -> tuple[Any, Any]:
    """The sharding that is part of an abstract value, and what it says of axes that are manual; None for what is none.

    Up to release 0.9 the latter is the set of the axes along which the value varies.
    """
    sharding = getattr(aval, "sharding", None)
    if sharding is None or getattr(sharding, "mesh", None) is None or sharding.mesh.empty:
        sharding = None
    manual = getattr(aval, "manual_axis_type", None)
    if manual is not None:
        return sharding, manual if manual.varying or manual.unreduced or manual.reduced else None
    return sharding, getattr(aval, "vma", None) or None


def varying_of(manual: Any) -> frozenset[str]:
    """The axes along which an abstract value varies."""
    return frozenset(getattr(manual, "varying", manual) or ())


def struct_options(place: tuple[Any, Any]) -> dict[str, Any]:
    """What makes a `ShapeDtypeStruct` lie at a place."""
    sharding, manual = place
    options = {} if sharding is None else {"sharding": sharding}
    if manual is not None:
        options["vma" if isinstance(manual, frozenset) else "manual_axis_type"] = manual
    return options


def placed(value: Any, place: tuple[Any, Any]) -> Any:
    """A tracer of zeros that lies at a place.

    Raises:
        NotImplementedError: if it is a sum that is not taken yet.
    """
    sharding, manual = place
    if getattr(manual, "unreduced", None) or getattr(manual, "reduced", None):
        raise NotImplementedError("an array that is not reduced")
    spec = None if sharding is None else read_spec(sharding.spec)
    if sharding is not None and spec is None:
        raise NotImplementedError("an array that is not reduced")
    if spec is not None and any(spec):
        value = jax.lax.full_like(value, 0, sharding=sharding)
    axes = tuple(sorted(varying_of(manual)))
    if not axes:
        return value
    named: Any = jax.lax
    cast = getattr(named, "pcast", None)
    return named.pvary(value, axes) if cast is None else cast(value, axes, to="varying")


def trace(function: Callable[..., Any], structs: Sequence[Any]) -> None:
    """Call a function with tracers of abstract arguments, as `jax.eval_shape` does, whatever it gives.

    Neither a jitted function nor a jaxpr is made of it, which costs ten times as much.
    """
    names = tuple(map(_ARGUMENT.format, range(len(structs))))
    debug = linear_util.DebugInfo("jit", api_util.fun_sourceinfo(function), names, None)
    found: Any = partial_eval.DynamicJaxprTrace(debug, parent_trace=current_trace())
    line = source_info_util.current()
    tracers = [found.new_arg(_core.shaped_abstractify(struct), line) for struct in structs]
    try:
        with in_trace(found):
            function(*tracers)
    finally:
        del tracers
        found.invalidate()


_NOWHERE: Final[Any] = source_info_util.current().traceback


@contextmanager
def without_tracebacks() -> Iterator[None]:
    """Let jax neither note the Python frames of each operation nor filter them from exceptions: nobody reads that.

    Nor does it say of which of our own tracers a value comes, for which it looks through all operations so far.
    """
    context = _lines._source_info_context
    line, is_filtered, origin = context.context, _filter._is_under_reraiser, _tracer._origin_msg
    context.context = line.replace(traceback=_NOWHERE)
    _filter._is_under_reraiser = lambda error: True  # by whom it would be filtered
    _tracer._origin_msg = _origin
    try:
        yield
    finally:
        context.context, _filter._is_under_reraiser, _tracer._origin_msg = line, is_filtered, origin


def _origin(tracer: Any) -> str:
    """What jax says of the arguments that a tracer hangs on, but of those of our own `trace`."""
    names = getattr(getattr(tracer, "_debug_info", None), "arg_names", None) or ()
    return "" if names[:1] == (_ARGUMENT.format(0),) else str(_jax_origin(tracer))


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
    return tracer.primal if hasattr(type(tracer), "primal") else None  # the instance would look in its abstract value


def value_of(tracer: Any) -> Any:
    """What a tracer of a mapped axis is a tracer of; None if it is not one."""
    return tracer.val if hasattr(type(tracer), "val") else None


def trace_of(tracer: Any) -> Any:
    """The trace that a tracer belongs to; None for an array with a value."""
    return getattr(tracer, "_trace", None)

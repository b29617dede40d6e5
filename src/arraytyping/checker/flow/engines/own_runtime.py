"""Our own runtime as an engine, where jax is not installed: its functions are asked for the shapes of their results.

This is the only module of the checker that imports the runtime, when a program asks for it.  Nothing is computed:
`arraytyping.eval_shape` traces a function on abstract values, and functions of the program go in as callbacks.

The runtime has JAX's names, so it is asked as jax is (`JaxEngine`); what only jax has (meshes, several devices,
symbolic sizes) is not there, and what asks for it is unknown.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from types import ModuleType, SimpleNamespace
from typing import Any, Final

from typing_extensions import override

from arraytyping.checker.flow.engines.jax import JaxEngine
from arraytyping.checker.flow.values.places import NOWHERE, Place
from arraytyping.semantics.avals import ShapedArray
from arraytyping.semantics.key_implementations import KEY_SIZES
from arraytyping.semantics.releases import NEWEST
from arraytyping.semantics.sizes.polynomials import Size

__all__ = ["OwnEngine"]

_THREEFRY: Final = "key<fry>"
"""The dtype of the only keys that the runtime has."""


_OF_MESHES: Final = ("AbstractMesh", "AxisType", "Mesh", "NamedSharding", "PartitionSpec", "Sharding", "reshard")
"""What is asked of jax about where arrays lie, and the runtime has not."""


class OwnEngine(JaxEngine):
    """The runtime, loaded.

    Raises:
        ImportError: if what it needs is not installed.
    """

    @override
    def _load(self) -> None:
        import numpy

        import arraytyping
        import arraytyping.numpy
        from arraytyping import config, errors, lax, sharding, tree_util
        from arraytyping.random.key_arrays import PRNGKeyArray
        from arraytyping.random.key_types import THREEFRY
        from arraytyping.runtime.np_dtypes import np_dtype

        self.numpy: ModuleType = numpy
        self.private: Any = _Private()
        self.tree_util: ModuleType = tree_util
        self.jax: Any = _Framework(
            arraytyping,
            ensure_compile_time_eval=self.private.in_no_trace,
            lax=_Framework(lax, with_sharding_constraint=_Never),
            sharding=_Framework(sharding, **dict.fromkeys(_OF_MESHES, _Never)),
        )
        self.config: Any = _Config(config)
        self.export: Any = SimpleNamespace()
        self.version: tuple[int, ...] = NEWEST
        self.ShapeDtypeStruct: Any = arraytyping.ShapeDtypeStruct
        self.concreteness: tuple[type[Exception], ...] = (
            errors.ConcretizationTypeError,
            errors.TracerArrayConversionError,
            errors.TracerIntegerConversionError,
            errors.TracerBoolConversionError,
            errors.NonConcreteBooleanIndexError,
        )
        self.inconclusive: tuple[type[Exception], ...] = ()
        self._key_arrays: Any = PRNGKeyArray
        self._key_type: Any = THREEFRY
        self._np_dtype: Any = np_dtype
        self._convert: Any = lax.convert_element_type_p.bind
        self._full: Any = arraytyping.numpy.zeros

    # ------------------------------------------------------------------ configuration

    @override
    def configuration(self) -> tuple[Any, ...]:
        invented = None if self.invented is None else tuple(self.invented.items())
        return self.x64, self.promotion, tuple(self.private.axis_sizes().items()), invented

    @override
    @contextlib.contextmanager
    def isolated(self) -> Iterator[None]:
        before = dict(self.config.values)
        try:
            with super().isolated():
                yield
        finally:
            for name, value in before.items():
                self.config.update(name, value)

    @override
    def pretend_devices(self, count: int) -> int:
        return 0

    @override
    def put_mesh(self, mesh: Any) -> None:
        self.mesh = mesh

    @property
    @override
    def is_mesh_known(self) -> bool:
        return self.mesh is None

    @property
    @override
    def is_placing(self) -> bool:
        return False

    # ------------------------------------------------------------------ dtypes and sizes

    @override
    def dtype_name(self, dtype: Any) -> str:
        return "float0" if getattr(dtype, "names", None) == ("float0",) else str(dtype)

    @override
    def dtype(self, name: str) -> Any:
        return self._key_type if name.startswith("key<") else self._np_dtype(name)

    @override
    def dim(self, size: Size) -> Any:
        raise ValueError("the runtime's functions decide by numbers")  # what they give for symbols might not hold

    @override
    def size(self, dim: Any) -> Size | None:
        return None

    @override
    def is_symbolic(self, value: Any) -> bool:
        return False

    @override
    def is_array(self, value: Any) -> bool:
        return isinstance(value, self.jax.Array)

    @override
    def aval(self, value: Any) -> Any:
        if isinstance(value, self._key_arrays):
            return ShapedArray(tuple(value.shape), _THREEFRY, False)
        return value.aval

    # ------------------------------------------------------------------ asking

    @override
    def place(self, aval: Any) -> Place:
        return NOWHERE

    @override
    def struct(self, shape: tuple[Any, ...], dtype: Any, weak_type: bool, place: Place | None = None) -> Any:
        name = self.dtype_name(dtype)
        if name.startswith("key<"):
            return self._key_arrays(ShapedArray((*shape, KEY_SIZES["fry"]), "uint32", False))
        return ShapedArray(shape, name, weak_type)

    @override
    def has_other_sizes(self, message: str) -> bool:
        """Whether a message has symbolic sizes in it that were not given: the runtime has no such sizes."""
        return False

    @override
    def zeros(self, shape: tuple[Any, ...], dtype: str, weak_type: bool, place: Place | None = None) -> Any:
        if dtype.startswith("key<"):
            return self._key_arrays(self._full((*shape, KEY_SIZES["fry"]), "uint32"))
        if dtype == "float0":
            return self.numpy.zeros(shape, self.jax.float0)
        zeros = self._full(shape, self.dtype(dtype))
        return self._convert(zeros, new_dtype=dtype, weak_type=True) if weak_type else zeros


class _Framework:
    """A module of the runtime, with what is asked of jax's besides: classes of which nothing is an instance."""

    def __init__(self, module: Any, **others: Any) -> None:
        self.__dict__.update(others)
        self._module = module

    def __getattr__(self, name: str) -> Any:
        return getattr(self._module, name)


class _Config:
    """The runtime's configuration under jax's names; settings that only jax has are as jax has them by default."""

    def __init__(self, config: Any) -> None:
        self._config = config
        self.values: dict[str, Any] = {
            "jax_numpy_rank_promotion": "allow",
            "jax_enable_custom_prng": False,
            "jax_default_prng_impl": "threefry2x32",
            "jax_threefry_partitionable": True,
        }

    def update(self, name: str, value: Any) -> None:
        """Set a setting."""
        if name in self.values:
            self.values[name] = value
        else:
            self._config.update(name, value)

    def __getattr__(self, name: str) -> Any:
        return self.values[name] if name in self.values else self._config.read(name)


class _Never(Exception):
    """What is never raised."""


class _Reference:
    """What no object is an instance of."""


class _Private:
    """What `jax_private` says of jax, of the runtime."""

    INCONCLUSIVE = _Never
    REF = _Reference
    dtypes = SimpleNamespace()

    def __init__(self) -> None:
        from arraytyping import eval_shape
        from arraytyping.runtime import core, trace_state
        from arraytyping.runtime.array import ArrayImpl
        from arraytyping.runtime.tracing.batching import BatchTracer
        from arraytyping.runtime.tracing.forward import JVPTracer
        from arraytyping.runtime.tracing.staging import StagingTrace

        self._core: Any = core
        self._state: Any = trace_state
        self._eval_shape: Any = eval_shape
        self._array_kinds = (ArrayImpl, core.Tracer)
        self._staging, self._differentiated, self._mapped = StagingTrace, JVPTracer, BatchTracer

    def array_kinds(self) -> tuple[type, ...]:
        """The classes of which arrays are."""
        return self._array_kinds

    def axis_sizes(self) -> Mapping[Any, int]:
        """The named axes that are bound here, and their sizes."""
        found: Mapping[Any, int] = self._state.axis_env()
        return found

    def named_axis(self, name: Any, size: Any) -> AbstractContextManager[None]:
        """Within this an axis of that name and size is mapped."""
        found: AbstractContextManager[None] = self._state.bind_axis(name, size)
        return found

    def current_trace(self) -> Any:
        """The trace to which operations go here."""
        return self._core.current_trace()

    def is_started(self) -> bool:
        """Whether there are devices that could be others."""
        return True

    def mesh_in_force(self) -> Any:
        """There are no meshes."""
        return None

    def trace(self, function: Callable[..., Any], structs: Sequence[Any]) -> None:
        """Call a function with tracers of abstract arguments."""
        self._eval_shape(function, *structs)

    def sums_of_symbols(self) -> AbstractContextManager[None]:
        return nullcontext()

    def without_tracebacks(self) -> AbstractContextManager[None]:
        """The runtime notes none."""
        return nullcontext()

    def new_trace(self) -> Any:
        """A trace that stays open, in which objects can be made that hold tracers."""
        return self._staging(self.current_trace())

    def in_trace(self, trace: Any) -> AbstractContextManager[Any]:
        """Operate in a trace."""
        found: AbstractContextManager[Any] = self._core.use_trace(trace)
        return found

    def in_no_trace(self) -> AbstractContextManager[Any]:
        """Operate at once, whatever is traced around."""
        return self.in_trace(self._core.EVAL)

    def is_of_jaxpr(self, trace: Any) -> bool:
        """Whether a trace stages its operations into a jaxpr; partial evaluation computes what it can."""
        return type(trace) is self._staging

    def parent_of(self, trace: Any) -> Any:
        """The trace around one; None for the outermost."""
        return trace.parent

    def primal_of(self, tracer: Any) -> Any:
        """What a tracer of differentiation is a tracer of; None if it is not one."""
        return tracer.primal if isinstance(tracer, self._differentiated) else None

    def value_of(self, tracer: Any) -> Any:
        """What a tracer of a mapped axis is a tracer of; None if it is not one."""
        return tracer.value if isinstance(tracer, self._mapped) else None

    def trace_of(self, tracer: Any) -> Any:
        """The trace that a tracer belongs to; None for an array with a value."""
        return getattr(getattr(tracer, "_base_array", tracer), "_trace", None)

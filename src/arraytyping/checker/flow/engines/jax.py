"""The installed jax as an engine: its functions are asked for the shapes of their results, on abstract values.

This is the only module that imports jax, when it is first asked, and the only one that touches jax's private parts
(`_trace`, `primal`, `trace_ctx`: how a tracer came about).  Nothing is computed: a function of the library is traced
as by `jax.eval_shape`, and functions of the program go in as callbacks that interpret them.

Source: https://docs.jax.dev/en/latest/_autosummary/jax.eval_shape.html; symbolic sizes as in
https://docs.jax.dev/en/latest/export/shape_poly.html.
"""

from __future__ import annotations

import contextlib
import io
import os
import warnings
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Final

from arraytyping.checker.flow.engines.jax_import import importing_jax
from arraytyping.checker.flow.engines.symbolic_sizes import SymbolicSizes
from arraytyping.checker.flow.values import NumPyValue
from arraytyping.checker.flow.values.places import NOWHERE, Place
from arraytyping.semantics.key_implementations import KEY_TAGS
from arraytyping.semantics.shardings import read_spec

if TYPE_CHECKING:
    from types import ModuleType

    from arraytyping.semantics.lattice import Lattice
    from arraytyping.semantics.sizes.polynomials import Size

__all__ = ["JaxEngine", "Refused", "TRACED"]

TRACED: Final = "array-traced"
_IMPLEMENTATIONS: Final = {tag: name for name, tag in KEY_TAGS.items()}
"""The implementations of keys that JAX comes with, by the names in their dtypes."""


_NO_ARRAYS: Final = frozenset({tuple, list, dict, set, str, bool, int, float, complex, type(None)})
"""jax looks for an abstract value in all else."""


class Refused(Exception):
    """jax raises: `error` is its exception, `is_concreteness` says that it asked a tracer for its value."""

    def __init__(self, error: Exception, is_concreteness: bool) -> None:
        super().__init__(str(error))
        self.error = error
        self.is_concreteness = is_concreteness


_SETTINGS: Final = (
    "jax_enable_x64", "jax_numpy_dtype_promotion", "jax_numpy_rank_promotion", "jax_enable_custom_prng",
    "jax_default_prng_impl", "jax_disable_bwd_checks",
)  # fmt: skip
"""The settings that change what jax answers; not all releases have all of them."""


class JaxEngine:
    """The installed jax, loaded.

    Raises:
        ImportError: if jax is not installed.
    """

    jax: Any
    numpy: ModuleType
    private: Any
    """What is asked of its private parts."""
    config: Any
    export: Any
    version: tuple[int, ...]
    tree_util: ModuleType
    ShapeDtypeStruct: Any
    concreteness: tuple[type[Exception], ...]
    """What is raised where the value of a tracer is asked for."""
    inconclusive: tuple[type[Exception], ...]
    """What is raised where a question about symbolic sizes cannot be decided."""

    def __init__(self) -> None:
        with contextlib.redirect_stderr(io.StringIO()), warnings.catch_warnings(), importing_jax():
            warnings.simplefilter("ignore")
            self._load()
        self.lattice: Lattice | None = None
        """The lattice on which jax promotes while `own_lattice.promoting` lasts; None: its own."""
        self.mesh: Any = None
        """The mesh that the program has put in force, or a value that says nothing of it."""
        self.has_places: bool = False
        """Whether any array of the run lies where a mesh says, so that it has to be known of the others, too."""
        self.had_x64: bool = False
        """Whether 64-bit types were on at a time of the run, so that there may be arrays of them."""
        self._resources: list[Any] = []
        self._started = 0
        """How often jax was started anew, with other devices."""
        self._dtypes: dict[str, Any] = {}
        self._names: dict[Any, str] = {}
        """By the dtype, of which Python code makes the name each time."""
        self.sizes_met: set[Size] = set()
        """The symbolic sizes that jax was given in the question under way."""
        self.stand_ins: dict[int, tuple[Any, NumPyValue]] = {}
        """Arrays that a library has in the place of NumPy's, by address, and what they stand for."""
        self.shapes: dict[Any, Any] = {}
        """What it has said of the shapes of Flax's parameters (`flax_shapes`)."""
        self.invented: Mapping[str, int] | None = None
        """Numbers for symbols, while jax is asked whether it refuses them too."""

    def _load(self) -> None:
        os.environ.setdefault("JAX_PLATFORMS", "cpu")  # tracing needs no accelerator, and must not occupy one
        import jax
        import jax.export
        import jax.numpy
        import numpy

        from arraytyping.checker.flow.engines import jax_private

        self.jax, self.numpy, self.private = jax, numpy, jax_private
        self.config, self.export, self.tree_util = jax.config, jax.export, jax.tree_util
        self.version = tuple(int(part) for part in jax.__version__.split(".")[:2])
        self.ShapeDtypeStruct = jax.ShapeDtypeStruct
        self._sizes = SymbolicSizes(jax)
        errors = jax.errors
        self.concreteness = (
            errors.ConcretizationTypeError,
            errors.TracerArrayConversionError,
            errors.TracerIntegerConversionError,
            errors.TracerBoolConversionError,
            errors.NonConcreteBooleanIndexError,
        )
        self.inconclusive = (jax_private.INCONCLUSIVE,)

    # ------------------------------------------------------------------ configuration

    @property
    def x64(self) -> bool:
        """Whether 64-bit types are on."""
        return bool(self.config.jax_enable_x64)

    @property
    def promotion(self) -> str:
        """The mode of dtype promotion: "standard" or "strict"."""
        return str(self.config.jax_numpy_dtype_promotion)

    def configuration(self) -> tuple[Any, ...]:
        """What of jax's configuration changes the answers."""
        c = self.config
        axes = tuple(self.private.axis_sizes().items())
        set_ = tuple(getattr(c, name, None) for name in _SETTINGS)
        invented = None if self.invented is None else tuple(self.invented.items())
        return (*set_, self.lattice, axes, invented, self._started, self.private.mesh_in_force())

    def configure(self, name: str, value: Any) -> None:
        """Set one of jax's settings, as the program does."""
        if name == "jax_enable_x64":
            self.had_x64 |= self.x64 or bool(value)
        self.config.update(name, value)

    @contextlib.contextmanager
    def keeping_settings(self) -> Iterator[None]:
        """Take back afterwards what the program sets."""
        before = {name: getattr(self.config, name) for name in _SETTINGS if hasattr(self.config, name)}
        try:
            yield
        finally:
            for name, value in before.items():
                self.config.update(name, value)

    @contextlib.contextmanager
    def isolated(self) -> Iterator[None]:
        """Take back afterwards what the program sets, and keep inside what jax prints and warns."""
        try:
            with self.keeping_settings(), warnings.catch_warnings():
                warnings.simplefilter("ignore")
                with self.private.without_tracebacks(), self.private.sums_of_symbols():
                    yield
        finally:
            self.put_mesh(None)
            self.has_places = False
            self.had_x64 = False

    def pretend_devices(self, count: int) -> int:
        """Let jax have so many devices, and say how many of them are as the program's; 0: nothing is said of them.

        Nothing is changed where they are there already; else whatever jax has kept is put away.
        """
        if count and (not self.private.is_started() or len(self.jax.devices()) != count):
            self.private.pretend_devices(count)
            self._started += 1
        return count

    def put_mesh(self, mesh: Any) -> None:
        """Put a mesh in force, or none; what says nothing of it puts none in force for jax."""
        self.mesh = mesh
        known = isinstance(mesh, self.jax.sharding.Mesh | self.jax.sharding.AbstractMesh)
        self.private.put_mesh(mesh if known else None)
        self.has_places = self.has_places or self.is_placing

    @property
    def mesh_of_specs(self) -> Any:
        """The mesh that specs without one are for."""
        return self._resources[-1] if self._resources and self.mesh is None else self.mesh

    @contextlib.contextmanager
    def resources(self, mesh: Any) -> Iterator[None]:
        """Be inside of `with mesh:`, by which specs without a mesh are for this one."""
        self._resources.append(mesh)
        try:
            with mesh:
                yield
        finally:
            self._resources.pop()

    @contextlib.contextmanager
    def in_doubt_of_mesh(self, manager: Any) -> Iterator[None]:
        """Be inside of `with` and something that may put a mesh in force."""
        before = self.mesh
        if before is None:
            self.put_mesh(manager)
        try:
            yield
        finally:
            self.put_mesh(before)

    @property
    def is_mesh_known(self) -> bool:
        """Whether it is known which mesh is in force."""
        return self.mesh is None or self.private.mesh_in_force() is not None

    @property
    def is_placing(self) -> bool:
        """Whether the mesh in force makes it part of a type where an array lies."""
        found = self.private.mesh_in_force()
        return found is not None and any(kind.name != "Auto" for kind in found.axis_types)

    # ------------------------------------------------------------------ dtypes and sizes

    def dtype_name(self, dtype: Any) -> str:
        """The name of a dtype as flow writes it; that of random keys is `key<fry>`."""
        name = self._names.get(dtype)
        if name is None:
            name = self._names[dtype] = str(dtype)
            self._dtypes.setdefault(name, dtype)
        return name

    def dtype(self, name: str) -> Any:
        """The dtype of a name."""
        found = self._dtypes.get(name)
        if found is None:
            if name.startswith("key<"):
                implementation = _IMPLEMENTATIONS[name.removeprefix("key<").rstrip(">")]
                found = self.jax.eval_shape(lambda: self.jax.random.key(0, impl=implementation)).dtype
            else:
                found = self.jax.numpy.dtype(name)
            self._dtypes[name] = found
        return found

    def dim(self, size: Size) -> Any:
        """The symbolic dimension of jax that a size is.

        Raises:
            ValueError: if jax has none for it.
        """
        return self._sizes.to_jax(size)

    def size(self, dim: Any) -> Size | None:
        """The size that a symbolic dimension of jax is; None if it cannot be expressed."""
        return self._sizes.from_jax(dim, self.sizes_met)

    def is_of_sizes_met(self, message: str) -> bool:
        """Whether a message names no symbols but those of the sizes that were given: an object may hold others."""
        return self._sizes.named_in(message) <= self._symbols_met()

    def has_other_sizes(self, message: str) -> bool:
        """Whether a message has sizes in it that were not given, such as those that a function holds.

        What was given has no symbols while numbers are invented for them.
        """
        return not self._sizes.written_in(message) <= (set() if self.invented else self._symbols_met())

    def _symbols_met(self) -> set[str]:
        """The names of the symbols in the sizes that were given."""
        return {symbol.name for size in self.sizes_met for symbol in size.symbols}

    def is_symbolic(self, value: Any) -> bool:
        """Whether a size is a symbolic dimension."""
        return bool(self.export.is_symbolic_dim(value))

    def canonical(self, dtype: str) -> Any:
        """The dtype that JAX makes of one of NumPy."""
        return self.jax.dtypes.canonicalize_dtype(self.dtype(dtype))

    def is_array(self, value: Any) -> bool:
        """Whether an object is an array of jax or a tracer of one."""
        return type(value) not in _NO_ARRAYS and isinstance(value, self.jax.Array)

    def aval(self, value: Any) -> Any:
        """The abstract value of an array."""
        return self.jax.typeof(value)

    # ------------------------------------------------------------------ asking

    def place(self, aval: Any) -> Place:
        """Where an abstract value of jax lies."""
        sharding, manual = real = self.private.place_of(aval)
        kinds = set() if sharding is None else {kind.name for kind in sharding.mesh.axis_types}
        if kinds <= {"Auto"} and manual is None:
            return NOWHERE
        self.has_places = True
        is_typed = "Explicit" in kinds
        axes = read_spec(sharding.spec) if is_typed else None
        return Place(real, axes, self.private.varying_of(manual))

    def struct(self, shape: tuple[Any, ...], dtype: Any, weak_type: bool, place: Place | None = None) -> Any:
        """An abstract argument, at a place if that is known."""
        options = {} if place is None or place is NOWHERE else self.private.struct_options(place.real)
        return self.ShapeDtypeStruct(shape, dtype, weak_type=weak_type, **options)

    def trace(self, function: Callable[..., Any], avals: list[Any]) -> None:
        """Run a function on tracers of these abstract values.

        Raises:
            Refused: if jax refuses.
        """
        try:
            with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
                self.private.trace(function, avals)
        except self.concreteness as error:
            raise Refused(error, True) from None

    def zeros(self, shape: tuple[Any, ...], dtype: str, weak_type: bool, place: Place | None = None) -> Any:
        """An array to stand for a result, inside of a callback, at a place if that is known."""
        zeros = self._zeros(shape, dtype, weak_type)
        return zeros if place is None or place is NOWHERE else self.private.placed(zeros, place.real)

    def _zeros(self, shape: tuple[Any, ...], dtype: str, weak_type: bool) -> Any:
        if dtype == "float0":
            return self.numpy.zeros(shape, self.jax.dtypes.float0)
        return self.private.opaque(shape, self.dtype(dtype), weak_type)

    # ------------------------------------------------------------------ how tracers came about

    def is_staging(self, base: Any) -> bool:
        """Whether operations on constants are staged here by something inside of the outermost trace `base`."""
        trace = self.private.current_trace()
        for _ in range(32):
            if trace is base or trace is None:
                return False
            if self.private.is_of_jaxpr(trace):
                return True
            trace = self.private.parent_of(trace)
        return True

    def primal(self, tracer: Any) -> Any:
        """What a tracer of differentiation is a tracer of."""
        for _ in range(32):
            inner = self.private.primal_of(tracer)
            if inner is None:
                return tracer
            tracer = inner
        return tracer

    def origin(self, tracer: Any) -> Any:
        """What a tracer of differentiation or of a mapped axis is a tracer of."""
        for _ in range(32):
            inner = self.private.primal_of(tracer)
            if inner is None:
                inner = self.private.value_of(tracer)
            if inner is None or not self.is_array(inner):
                return tracer
            tracer = inner
        return tracer

"""The modules that JAX's own tests import, as they find them: under JAX's names, with what our runtime has.

`load` runs a source file of JAX's with every import of jax exchanged for one of these.  A public module is ours of
the same path.  A private one, such as `jax._src.core`, is what of it the runtime has too, by the table `OURS`; what
JAX's tests bring along for themselves (`jax._src.test_util` and its kin) is loaded from the installed jax in the same
way, and what computes nothing with arrays (`LENT`) is jax's own.

A name that is found nowhere is a `Missing`, which raises `MissingName` once a test uses it.
"""

from __future__ import annotations

import builtins
import contextlib
import importlib
import importlib.util
import sys
import types
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

import ml_dtypes
import numpy as np
from exchanged_programs import exchanged_name

import arraytyping
from arraytyping import config
from arraytyping.random.key_types import KEY_TYPES
from arraytyping.runtime.array import ArrayImpl
from arraytyping.runtime.array_likes import convert_to
from arraytyping.runtime.array_types import type_sharding
from arraytyping.runtime.core import EVAL, current_trace
from arraytyping.runtime.cut_types import shown, with_sharding
from arraytyping.runtime.jaxpr.syntax import ClosedJaxpr, Jaxpr
from arraytyping.semantics.avals import ShapedArray

__all__ = ["MissingName", "collecting", "load"]

setattr(ShapedArray, "str_short", lambda aval, *_args, **_kwargs: shown(aval))  # noqa: B010 (names of cases are made of it)

OURS: Final[dict[str, tuple[str, ...]]] = {
    "jax._src": ("arraytyping",),
    "jax._src.ad_checkpoint": ("arraytyping", "arraytyping.ad_checkpoint"),
    "jax._src.api": ("arraytyping",),
    "jax._src.array": ("arraytyping.runtime.array", "arraytyping"),
    "jax._src.basearray": ("arraytyping.basearray",),
    "jax._src.core": (
        "arraytyping.core", "arraytyping.jaxpr", "arraytyping.errors", "arraytyping.semantics.avals",
    ),
    "jax._src.debugging": ("arraytyping.debug",),
    "jax._src.interpreters.partial_eval": ("arraytyping.jaxpr",),
    "jax._src.custom_derivatives": ("arraytyping.custom_derivatives",),
    "jax._src.dtypes": ("arraytyping.dtypes", "arraytyping.numpy"),
    "jax._src.errors": ("arraytyping.errors",),
    "jax._src.lax": ("arraytyping.lax",),
    "jax._src.lax.control_flow": ("arraytyping.lax",),
    "jax._src.lax.lax": ("arraytyping.lax",),
    "jax._src.lax.linalg": ("arraytyping.lax.linalg",),
    "jax._src.lax.parallel": ("arraytyping.lax",),
    "jax._src.mesh": ("arraytyping.runtime.sharding", "arraytyping.runtime.meshes"),
    "jax._src.named_sharding": ("arraytyping.runtime.sharding",),
    "jax._src.numpy.util": ("arraytyping.numpy",),
    "jax._src.partition_spec": ("arraytyping.runtime.sharding",),
    "jax._src.pjit": ("arraytyping.experimental.pjit",),
    "jax._src.random": ("arraytyping.random",),
    "jax._src.random.prng": ("arraytyping.random.key_arrays", "arraytyping.random.key_types"),
    "jax._src.shard_map": ("arraytyping",),
    "jax._src.sharding": ("arraytyping.runtime.sharding",),
    "jax._src.sharding_impls": ("arraytyping.runtime.sharding", "arraytyping.runtime.meshes"),
    "jax._src.tree_util": ("arraytyping.tree_util", "arraytyping.runtime.tree.prefixes"),
    "jax._src.typing": ("arraytyping.typing",),
    "jax._src.xla_bridge": ("arraytyping",),
    "jax.interpreters.ad": (),
    "jax.interpreters.batching": (),
}  # fmt: skip
"""Which of our modules have what a module of JAX's has; a public one has the same path unless it stands here."""

EXCHANGED: Final = frozenset(
    {"jax._src.internal_test_util.lax_test_util", "jax._src.public_test_util", "jax._src.test_util", "jax.test_util"}
)
"""Modules of the installed jax which tests bring along, and which themselves run on ours."""

LENT: Final = frozenset(
    {
        "jax._src.cloud_tpu_init", "jax._src.deprecations", "jax._src.hypothesis_test_util", "jax._src.lax_reference",
        "jax._src.lib", "jax._src.lib.cuda_versions", "jax._src.lib.mlir", "jax._src.lib.mlir.dialects",
        "jax._src.lib.xla_client", "jax._src.monitoring", "jax._src.pretty_printer", "jax._src.test_loader",
        "jax._src.test_warning_util", "jax._src.util", "jax.version",
    }
)  # fmt: skip
"""Modules that are the installed jax's own."""


class MissingName(Exception):
    """A test uses a name of JAX's that the runtime has not."""


_collecting = [False]


@contextlib.contextmanager
def collecting() -> Iterator[None]:
    """Inside, files are read and tests found: a missing name may be used in decorators and tables there."""
    before, _collecting[0] = _collecting[0], True
    try:
        yield
    finally:
        _collecting[0] = before


class Missing:
    """A name that the runtime has not; it may be named, and used while tests are collected."""

    _made = 0

    def __init__(self, name: str) -> None:
        self.__name__ = self.__qualname__ = name
        Missing._made += 1
        self._number = Missing._made  # tests are named by what they are given, and no two may have one name

    def __repr__(self) -> str:
        return f"<missing {self.__name__} {self._number}>"

    def _used(self, *_args: Any, **_kwargs: Any) -> Any:
        if not _collecting[0]:
            raise MissingName(self.__name__)
        return self

    __enter__ = __exit__ = __getitem__ = __setitem__ = __or__ = __ror__ = __add__ = __radd__ = _used

    def __call__(self, *args: Any, **_kwargs: Any) -> Any:
        self._used()
        decorates = len(args) == 1 and isinstance(args[0], types.FunctionType | type)
        return _never(args[0], self.__name__) if decorates else Missing(self.__name__)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") and name.endswith("__"):
            raise AttributeError(name)
        return Missing(f"{self.__name__}.{name}")

    def __iter__(self) -> Iterator[Any]:
        self._used()
        return iter((self,))

    def __bool__(self) -> bool:
        return bool(not _collecting[0] and self._used())

    def __mro_entries__(self, bases: Any) -> tuple[type, ...]:
        return ()


def _never(decorated: Any, name: str) -> Any:
    """What a missing decorator makes: a test that wants the name; a class stays as it is."""
    if isinstance(decorated, type):
        return decorated

    def wants(*_args: Any, **_kwargs: Any) -> None:
        raise MissingName(name)

    wants.__name__, wants.__qualname__ = decorated.__name__, decorated.__qualname__
    return wants


def _found(module: str) -> Any:
    """A module of ours, or None."""
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as error:
        if error.name is not None and error.name.startswith("arraytyping"):
            return None
        raise


class JaxModule(types.ModuleType):
    """A module under JAX's name, with what ours have."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.__file__ = f"<{name}>"
        self.__path__: list[str] = []
        self.__dict__["_own"] = OWN.get(name, {})
        named = OURS.get(name) or (() if name.startswith("jax._src") or name in OURS else (exchanged_name(name),))
        self.__dict__["_sources"] = [m for m in map(_found, named) if m is not None]

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") and name.endswith("__") and name != "__version__":
            raise AttributeError(name)
        if name in self._own:
            return self._own[name]
        full = f"{self.__name__}.{name}"
        if is_module(full):
            return module(full)
        for source in self._sources:
            with contextlib.suppress(AttributeError):
                return getattr(source, name)
        return Missing(full)

    def __dir__(self) -> list[str]:
        return sorted({*self._own, *(n for source in self._sources for n in dir(source) if n[:2] != "__")})


_modules: Final[dict[str, Any]] = {}


def is_module(name: str) -> bool:
    """Whether a name of JAX's names a module there."""
    try:
        return importlib.util.find_spec(name) is not None
    except (ImportError, AttributeError, ValueError):
        return False


def module(name: str) -> Any:
    """The module that a test gets for one of JAX's."""
    if name not in _modules:
        if name in LENT or name.startswith("jax._src.lib."):
            _modules[name] = importlib.import_module(name)
        elif name in EXCHANGED:
            spec = importlib.util.find_spec(name)
            assert spec is not None
            assert spec.origin is not None
            load(Path(spec.origin), name)
            ADAPTED.get(name, lambda _module: None)(_modules[name])
        elif name.startswith("jax._src") or is_module(name):
            _modules[name] = JaxModule(name)
        else:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
    return _modules[name]


def _import(
    name: str, globals: Any = None, locals: Any = None, fromlist: Any = (), level: int = 0
) -> Any:  # the signature of builtins.__import__
    if level or (name != "jax" and not name.startswith("jax.")):
        return builtins.__import__(name, globals, locals, fromlist, level)
    found = module(name)
    if fromlist:
        if "*" in fromlist:
            return types.SimpleNamespace(**{n: getattr(found, n) for n in dir(found) if n[0] != "_"}, __all__=None)
        return found
    for place in range(1, name.count(".") + 1):  # `import jax.a.b` needs each of them
        module(".".join(name.split(".")[: place + 1]))
    return module("jax")


def load(path: Path, name: str) -> types.ModuleType:
    """Run a file of JAX's as a module of that name, its imports exchanged."""
    made = types.ModuleType(name)
    made.__file__ = str(path)
    vars(made)["__builtins__"] = {**vars(builtins), "__import__": _import}
    sys.modules[name if not name.startswith("jax") else f"exchanged.{name}"] = made
    made.__name__ = name if not name.startswith("jax") else f"exchanged.{name}"
    _modules[name] = made
    with collecting():
        exec(compile(path.read_text(encoding="utf-8"), str(path), "exec", dont_inherit=True), vars(made))
    return made


# --- options ----------------------------------------------------------------------------------------------------------

WITHOUT_EFFECT: Final = frozenset(
    {
        "jax_custom_vjp3", "jax_embedded_constants_max_bytes", "jax_enable_checks", "jax_enable_custom_prng",
        "jax_legacy_prng_key", "jax_numpy_rank_promotion", "jax_pprint_use_color", "jax_remat3",
        "jax_remove_custom_partitioning_ptr", "jax_threefry_partitionable", "jax_traceback_filtering",
        "jax_use_direct_linearize", "jax_use_simplified_jaxpr_constants",
    }
)  # fmt: skip
"""Options that change how JAX goes about it, or what it refuses, and not what a program computes."""


class Option:
    """An option of JAX's, `jax._src.config.enable_x64`: its value, and a context or decorator that sets it."""

    def __init__(self, name: str, default: Any) -> None:
        self.name, self._default = name, default

    @property
    def value(self) -> Any:
        """What holds here."""
        option = self.name.removeprefix("jax_")
        return config.read(option) if option in config._OPTIONS else self._default

    def set(self, value: Any) -> None:
        """Set it for the process."""
        option = self.name.removeprefix("jax_")
        if option in config._OPTIONS:
            config.update(option, value)
        elif self.name not in WITHOUT_EFFECT and value != self._default:
            raise MissingName(f"jax.config.{self.name}")

    @contextlib.contextmanager
    def __call__(self, value: Any = True) -> Iterator[None]:
        option = self.name.removeprefix("jax_")
        if option in config._OPTIONS:
            with config._set_here(option, value):
                yield
        else:
            self.set(value)
            yield


class Flag:
    """What `config.int_flag(...)` gives: a value."""

    def __init__(self, _name: str, default: Any, *_args: Any, **_kwargs: Any) -> None:
        self.value = default


def _their_options() -> dict[str, Option]:
    states = importlib.import_module("jax._src.config").config_states
    return {name: Option(name, state.value) for name, state in states.items()}


class Options:
    """`jax.config`."""

    def __init__(self) -> None:
        self.states = _their_options()

    def update(self, name: str, value: Any) -> None:
        """Set an option for the process."""
        if name not in self.states:
            raise AttributeError(f"Unrecognized config option: {name}")
        self.states[name].set(value)

    def parse_flags_with_absl(self) -> None:
        """Nothing: there are no flags."""

    config_with_absl = parse_flags_with_absl

    def _read(self, name: str) -> Any:
        return self.states[name].value if name in self.states else False  # a flag of JAX's tests

    read = _read

    @property
    def x64_enabled(self) -> bool:
        """Whether 64-bit dtypes are on."""
        return config.x64_enabled()

    def __getattr__(self, name: str) -> Any:
        if name.startswith("jax_") and name in self.states:
            return self.states[name].value
        raise AttributeError(name)


OPTIONS: Final = Options()


def _environment(_name: str, default: Any) -> Any:
    return default


# --- what private modules have besides ------------------------------------------------------------------------------


THEIR_DTYPES: Final = importlib.import_module("jax._src.dtypes")


class _MakesShapedArrays(type):
    def __instancecheck__(cls, instance: Any) -> bool:
        return isinstance(instance, ShapedArray)


class _ShapedArray(metaclass=_MakesShapedArrays):
    """`core.ShapedArray`, which takes a dtype of NumPy's; ours has its name."""

    def __new__(cls, shape: Any, dtype: Any, weak_type: bool = False, *, sharding: Any = None) -> Any:
        made = ShapedArray(tuple(shape), np.dtype(dtype).name, weak_type)
        return made if sharding is None else with_sharding(made, sharding)


class Uncounted:
    """`dispatch.xla_primitive_callable`, whose compilations are not counted here."""

    def cache_info(self) -> Any:
        """No misses, ever."""
        return types.SimpleNamespace(misses=0)

    def cache_clear(self) -> None:
        """Nothing."""


class RuntimeTokens:
    """`dispatch.runtime_tokens`: the programs with effects that are under way."""

    def clear(self) -> None:
        """Wait for them."""
        arraytyping.effects_barrier()

    block_until_ready = clear


def _no_trace() -> bool:
    return current_trace() is EVAL


def _inner_jaxprs(jaxpr: Any) -> Iterator[Any]:
    for eqn in jaxpr.eqns:
        for value in eqn.params.values():
            for one in value if isinstance(value, tuple | list) else (value,):
                if isinstance(one, ClosedJaxpr | Jaxpr):
                    yield getattr(one, "jaxpr", one)


def _default(kind: str) -> Callable[[], Any]:
    return lambda: np.dtype(f"{kind}{64 if config.x64_enabled() else 32}")


def _default_complex() -> Any:
    return np.dtype("complex128" if config.x64_enabled() else "complex64")


def _is_weak(x: Any) -> bool:
    if type(x) in (bool, int, float, complex):
        return type(x) is not bool
    weak = getattr(x, "weak_type", False)
    return bool(weak)


def _float_of(dtype: Any) -> Any:
    given = np.dtype(dtype)
    return given if arraytyping.numpy.issubdtype(given, np.inexact) else _default("float")()


def _converted(operand: Any, new_dtype: Any = None, weak_type: bool = False) -> Any:
    array = arraytyping.numpy.asarray(operand)
    dtype = array.dtype if new_dtype is None else arraytyping.dtypes.canonicalize_dtype(new_dtype)
    return convert_to(array, dtype.name, weak_type)


def _promoted(*arrays: Any) -> list[Any]:
    dtype = arraytyping.numpy.result_type(*arrays)
    return [arraytyping.lax.convert_element_type(x, dtype) for x in arrays]


def _promoted_inexact(*arrays: Any) -> list[Any]:
    dtype = _float_of(arraytyping.numpy.result_type(*arrays))
    return [arraytyping.lax.convert_element_type(x, dtype) for x in arrays]


class _Backend:
    platform = "cpu"
    platform_version = "cpu"

    def devices(self) -> Any:
        """The devices."""
        return arraytyping.devices()


def _options_module() -> dict[str, Any]:
    named = {name.removeprefix("jax_"): state for name, state in OPTIONS.states.items()}
    flags = dict.fromkeys(("int_flag", "bool_flag", "string_flag", "float_flag", "enum_flag"), Flag)
    return {
        **named, **flags, "bool_env": _environment, "int_env": _environment, "string_env": _environment,
        "config": OPTIONS, "config_states": OPTIONS.states, "FLAGS": OPTIONS,
        "_read": OPTIONS.read, "read": OPTIONS.read, "update": OPTIONS.update,
        "parse_flags_with_absl": OPTIONS.parse_flags_with_absl,
        "ExplicitX64Mode": importlib.import_module("jax._src.config").ExplicitX64Mode,
    }  # fmt: skip


OWN: Final[dict[str, dict[str, Any]]] = {
    "jax": {
        "config": OPTIONS, "__version__": importlib.import_module("jax").__version__,
        "enable_checks": OPTIONS.states["jax_enable_checks"],
        "legacy_prng_key": OPTIONS.states["jax_legacy_prng_key"],
        "numpy_rank_promotion": OPTIONS.states["jax_numpy_rank_promotion"],
        "threefry_partitionable": OPTIONS.states["jax_threefry_partitionable"],
    },
    "jax._src.api_util": {"debug_info": lambda *_args, **_kwargs: None},
    "jax._src.config": _options_module(),
    "jax._src.core": {
        "reset_trace_state": _no_trace, "trace_state_clean": _no_trace,
        "ShapedArray": _ShapedArray, "subjaxprs": _inner_jaxprs,
        "Primitive": Missing("jax._src.core.Primitive"),  # ours is given its rules in another way
    },
    "jax._src.callback": {"io_callback": arraytyping.experimental.io_callback},
    "jax._src.debugging": {
        "debug_callback": arraytyping.debug.callback, "debug_print": arraytyping.debug.print,
        "debug_log": arraytyping.debug.log,
    },
    "jax._src.dispatch": {"xla_primitive_callable": Uncounted(), "runtime_tokens": RuntimeTokens()},
    "jax._src.dtypes": {
        **{name: getattr(ml_dtypes, name) for name in dir(ml_dtypes) if name[0] in "bfiu" and name[-1].isalnum()},
        "default_float_dtype": _default("float"), "default_int_dtype": _default("int"),
        "default_uint_dtype": _default("uint"), "default_complex_dtype": _default_complex,
        "default_types": {
            "b": lambda: np.dtype(bool), "i": _default("int"), "u": _default("uint"), "f": _default("float"),
            "c": _default_complex,
        },
        "dtype": Missing("jax._src.dtypes.dtype"),
        "int1": None, "uint1": None,
        **{n: getattr(THEIR_DTYPES, n) for n in ("_intn_dtypes", "safe_to_cast", "to_complex_dtype")},
        "is_weakly_typed": _is_weak, "to_inexact_dtype": _float_of,
        "python_scalar_types_to_dtypes": {
            bool: np.dtype("bool"), int: np.dtype("int64"), float: np.dtype("float64"), complex: np.dtype("complex128"),
        },
    },
    "jax._src.interpreters.mlir": {"ir": None},
    "jax._src.lax.control_flow.common": {"_dedup_consts": Uncounted(), "_pad_constvars": Uncounted()},
    "jax._src.lax.lax": {"asarray": arraytyping.numpy.asarray, "_convert_element_type": _converted},
    "jax._src.numpy.util": {"promote_dtypes": _promoted, "promote_dtypes_inexact": _promoted_inexact},
    "jax._src.random.prng": {"prngs": dict.fromkeys(KEY_TYPES, Missing("jax._src.random.prng.prngs"))},
    "jax._src.sharding_impls": {"make_single_device_sharding": arraytyping.sharding.SingleDeviceSharding},
    "jax._src.xla_bridge": {"get_backend": lambda *_args: _Backend()},
}  # fmt: skip
"""What a module has that is made here."""


PRIVATE: Final[tuple[tuple[type, str, Callable[[Any], Any]], ...]] = (
    (arraytyping.sharding.Sharding, "_device_assignment", lambda sharding: sharding._devices),
    (arraytyping.sharding.Mesh, "_flat_devices_tuple", lambda mesh: mesh._flat),
    (ShapedArray, "sharding", type_sharding),
    (ArrayImpl, "_committed", lambda array: array.committed),
)
"""JAX's private names for what our objects have under other ones."""
for _class, _name, _get in PRIVATE:
    setattr(_class, _name, property(_get))


class _Counted:
    """`jtu.count_...`: JAX counts its own events, and there are none of them here."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __call__(self, *_args: Any, **_kwargs: Any) -> Any:
        raise MissingName(f"jax._src.test_util.{self.name}")


def _adapted(test_util: Any) -> None:
    """JAX's test_util without what asks for JAX's own machinery."""
    for name in [n for n in vars(test_util) if n.startswith("count_") and n != "count_events"]:
        setattr(test_util, name, _Counted(name))
    for name in ("assert_num_jit_and_pmap_compilations", "collect_lowered_jaxprs"):
        setattr(test_util, name, _Counted(name))
    test_util.assert_global_configs_unchanged = contextlib.nullcontext
    test_util.request_cpu_devices = lambda number: config.update("num_cpu_devices", number)
    test_util.JaxTestCase._default_thread_local_config = {"jax_numpy_dtype_promotion": "strict"}


ADAPTED: Final[dict[str, Callable[[Any], None]]] = {"jax._src.test_util": _adapted}
"""What is done to a module that was loaded."""

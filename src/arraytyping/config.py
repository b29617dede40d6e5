"""What holds while a program runs: `config.update("enable_x64", True)` and `with enable_x64():`.

The settings of a *project*, which the static tools read, are in `settings`.

Source: https://docs.jax.dev/en/latest/config_options.html; the names are JAX's, with and without `jax_`.
"""

from __future__ import annotations

import contextlib
import difflib
import os
import threading
from collections.abc import Callable, Iterator
from typing import Any, Final

from arraytyping.semantics.key_implementations import KEY_TAGS
from arraytyping.semantics.promotion.jax import JaxPromotion

__all__ = [
    "check_tracer_leaks",
    "checking_leaks",
    "debug_infs",
    "debug_nans",
    "default_device",
    "default_matmul_precision",
    "default_prng_impl",
    "disable_jit",
    "enable_x64",
    "jit_is_disabled",
    "numpy_dtype_promotion",
    "promotion",
    "read",
    "update",
    "x64_enabled",
]


def _flag(value: Any) -> bool:
    if not isinstance(value, bool | int):
        raise ValueError(f"expected True or False, got {value!r}")
    return bool(value)


def _mode(value: Any) -> str:
    if value not in ("standard", "strict"):
        raise ValueError(f"expected 'standard' or 'strict', got {value!r}")
    return str(value)


def _implementation(value: Any) -> str:
    if value not in KEY_TAGS:
        raise ValueError(f"expected {' or '.join(map(repr, KEY_TAGS))}, got {value!r}")
    return str(value)


_PRECISIONS: Final = (
    "default", "high", "highest", "bfloat16", "tensorfloat32", "float32", "ANY_F8_ANY_F8_F32",
    "ANY_F8_ANY_F8_F32_FAST_ACCUM", "ANY_F8_ANY_F8_ANY", "ANY_F8_ANY_F8_ANY_FAST_ACCUM", "F16_F16_F16", "F16_F16_F32",
    "BF16_BF16_BF16", "BF16_BF16_F32", "BF16_BF16_F32_X3", "BF16_BF16_F32_X6", "BF16_BF16_F32_X9", "TF32_TF32_F32",
    "TF32_TF32_F32_X3", "F32_F32_F32", "F64_F64_F64",
)  # fmt: skip


def _precision(value: Any) -> str | None:
    if value is not None and value not in _PRECISIONS:
        raise ValueError(f"expected None or one of {', '.join(_PRECISIONS)}, got {value!r}")
    return None if value is None else str(value)


_FILTERINGS: Final = ("auto", "off", "tracebackhide", "remove_frames", "quiet_remove_frames")


def _filtering(value: Any) -> str:
    if value not in _FILTERINGS:
        raise ValueError(f"expected one of {', '.join(_FILTERINGS)}, got {value!r}")
    return str(value)


def _device(value: Any) -> Any:
    if value is None or isinstance(value, str) or hasattr(value, "device_kind"):
        return value
    raise ValueError(f"expected a device, the name of a platform, or None, got {value!r:.60}")


def _count(value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or (value < 1 and value != -1):
        raise ValueError(f"expected a number of devices, or -1 for what XLA_FLAGS says, got {value!r:.60}")
    if any(is_started() for is_started in _started):
        raise RuntimeError(
            "config.update('num_cpu_devices', ...) has to come before the CPU's devices are asked for, or computed with"
        )
    return value


_started: Final[list[Callable[[], bool]]] = []
"""What says whether the CPU's devices are there; the runtime adds it."""


def _count_from_environment() -> int:
    text = os.environ.get("ARRAYTYPING_NUM_CPU_DEVICES", "").strip()
    if not text:
        return -1
    if not text.isdecimal() or not int(text):
        raise ValueError(f"ARRAYTYPING_NUM_CPU_DEVICES is {text!r}; expected a number of devices such as 8")
    return int(text)


_OPTIONS: Final[dict[str, Callable[[Any], Any]]] = {
    "enable_x64": _flag,
    "numpy_dtype_promotion": _mode,
    "disable_jit": _flag,
    "default_prng_impl": _implementation,
    "default_matmul_precision": _precision,
    "traceback_filtering": _filtering,
    "default_device": _device,
    "num_cpu_devices": _count,
    "check_tracer_leaks": _flag,
    "debug_nans": _flag,
    "debug_infs": _flag,
    "mesh": lambda mesh: mesh,
    "device_mesh": lambda mesh: mesh,
}


def _from_environment() -> bool:
    text = os.environ.get("ARRAYTYPING_ENABLE_X64", "").strip().lower()
    if text in ("1", "true", "t", "yes", "y", "on"):
        return True
    if text in ("", "0", "false", "f", "no", "n", "off"):
        return False
    raise ValueError(f"ARRAYTYPING_ENABLE_X64 is {text!r}; expected a truth value such as 1 or 0")


_values: Final[dict[str, Any]] = {
    "enable_x64": _from_environment(),
    "numpy_dtype_promotion": "standard",
    "disable_jit": False,
    "default_prng_impl": "threefry2x32",
    "default_matmul_precision": None,
    "traceback_filtering": _filtering(os.environ.get("ARRAYTYPING_TRACEBACK_FILTERING", "auto")),
    "default_device": None,
    "num_cpu_devices": _count_from_environment(),
    "check_tracer_leaks": False,
    "debug_nans": False,
    "debug_infs": False,
    "mesh": None,
    "device_mesh": None,
}


class _Local(threading.local):
    """What the `with` blocks of this thread say, and the promotion that follows; None outside of any."""

    def __init__(self) -> None:
        self.values: dict[str, Any] = {}
        self.promotion: JaxPromotion | None = None


_local: Final = _Local()
_PROMOTIONS: Final[dict[tuple[Any, ...], JaxPromotion]] = {}
"""Each promotion system once, for ever: programs are found by its identity, and none while `jit` is disabled.

Options that change what a function is traced to have one each.
"""


def _promotion_of(values: dict[str, Any]) -> JaxPromotion:
    mode, x64 = values["numpy_dtype_promotion"], values["enable_x64"]
    key = (mode, x64, values["disable_jit"], values["default_prng_impl"], values["default_matmul_precision"],
           values["default_device"], values["mesh"], values["device_mesh"], values["debug_nans"],
           values["debug_infs"], values["check_tracer_leaks"])  # fmt: skip
    if key not in _PROMOTIONS:
        _PROMOTIONS[key] = JaxPromotion(mode, x64)
    return _PROMOTIONS[key]


_process: Final = [_promotion_of(_values)]

_inside: Final[list[None]] = []
"""One for each `with` block of an option, and each transformation, that any thread is in.

While there are none, everything is evaluated under the promotion of the process, and who knows that need not look at
what is this thread's own.
"""


def _name(option: str) -> str:
    name = option.removeprefix("jax_")
    if name not in _OPTIONS:
        near = difflib.get_close_matches(name, _OPTIONS, n=2)
        raise AttributeError(
            f"there is no option {option!r}; "
            + (f"did you mean {' or '.join(map(repr, near))}?" if near else f"there are {', '.join(_OPTIONS)}")
        )
    return name


def read(option: str) -> Any:
    """The value of an option here: of the innermost `with` block of this thread, else of the process.

    Raises:
        AttributeError: for an option that does not exist.
    """
    name = _name(option)
    return _local.values.get(name, _values[name])


def update(option: str, value: Any) -> None:
    """Set an option for the whole process.

    Raises:
        AttributeError: for an option that does not exist.
        ValueError: for a value that it does not take.
    """
    name = _name(option)
    try:
        _values[name] = _OPTIONS[name](value)
    except ValueError as error:
        raise ValueError(f"option {option!r}: {error}") from None
    _process[0] = _promotion_of(_values)
    if _local.values:
        _local.promotion = _promotion_of({**_values, **_local.values})


def promotion() -> JaxPromotion:
    """The promotion system in force here."""
    return _local.promotion or _process[0]


def device_here() -> Any:
    """What is set as the device here: a mesh for all of its devices, a device, the name of a platform, or None."""
    if not _inside:
        return _values["default_device"]
    mesh = _local.values.get("device_mesh")
    return _local.values.get("default_device", _values["default_device"]) if mesh is None else mesh


def x64_enabled() -> bool:
    """Whether 64-bit types are kept."""
    return promotion().x64


def set_for_thread(option: str, value: Any, **others: Any) -> Any:
    """Set an option, or several, for this thread from now on; what `restore_for_thread` takes to undo it."""
    before = _local.values, _local.promotion
    _local.values = {**_local.values, **{n: _OPTIONS[n](v) for n, v in {option: value, **others}.items()}}
    _local.promotion = _promotion_of({**_values, **_local.values})
    _inside.append(None)
    return before


def restore_for_thread(before: Any) -> None:
    """Let what was set for this thread be as it was before."""
    _local.values, _local.promotion = before
    _inside.pop()


@contextlib.contextmanager
def _set_here(option: str, value: Any) -> Iterator[None]:
    before = set_for_thread(option, value)
    try:
        yield
    finally:
        restore_for_thread(before)


def enable_x64(new_val: bool = True) -> contextlib.AbstractContextManager[None]:
    """A context in which 64-bit types are kept (or not), in this thread."""
    return _set_here("enable_x64", new_val)


def jit_is_disabled() -> bool:
    """Whether jitted functions run as plain Python here, and control flow too."""
    return bool(_local.values.get("disable_jit", _values["disable_jit"]))


def disable_jit(disable: bool = True) -> contextlib.AbstractContextManager[None]:
    """A context in which jitted functions run as plain Python in this thread, for debugging."""
    return _set_here("disable_jit", disable)


def default_device(new_val: Any) -> contextlib.AbstractContextManager[None]:
    """A context in which arrays are made, and computed with, on this device where nothing says another."""
    return _set_here("default_device", new_val)


def check_tracer_leaks(new_val: bool = True) -> contextlib.AbstractContextManager[None]:
    """A context in which a function whose traced values are kept after it was traced raises at once, in this thread."""
    return _set_here("check_tracer_leaks", new_val)


def checking_leaks() -> contextlib.AbstractContextManager[None]:
    """`check_tracer_leaks(True)`."""
    return check_tracer_leaks(True)


def debug_nans(new_val: bool = True) -> contextlib.AbstractContextManager[None]:
    """A context in which a program that gives what is not a number raises FloatingPointError, in this thread."""
    return _set_here("debug_nans", new_val)


def debug_infs(new_val: bool = True) -> contextlib.AbstractContextManager[None]:
    """A context in which a program that gives what is infinite raises FloatingPointError, in this thread."""
    return _set_here("debug_infs", new_val)


def default_matmul_precision(new_val: str | None) -> contextlib.AbstractContextManager[None]:
    """A context in which products and convolutions have this precision where none is named, in this thread."""
    return _set_here("default_matmul_precision", new_val)


def default_prng_impl(new_val: str) -> contextlib.AbstractContextManager[None]:
    """A context in which keys are made of this implementation where none is named, in this thread."""
    return _set_here("default_prng_impl", new_val)


def numpy_dtype_promotion(new_val: str) -> contextlib.AbstractContextManager[None]:
    """A context in which implicit promotion is `standard` or `strict`, in this thread."""
    return _set_here("numpy_dtype_promotion", new_val)


def __getattr__(name: str) -> Any:
    if name.removeprefix("jax_") in _OPTIONS:
        return read(name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

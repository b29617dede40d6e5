"""Clients and devices: one PJRT client for each platform, made when it is first asked for.

The clients are our own, also where jax runs in the same process: its buffers and ours do not mix, and nothing that one
sets holds for the other.  `ARRAYTYPING_PLATFORMS` names the platforms that may be used, the first one is the default:
`ARRAYTYPING_PLATFORMS=cuda,cpu`; unset, it is the CPU.

Source: `jax/_src/xla_bridge.py`, `jaxlib/xla_client.py` and `jax_plugins/cuda/__init__.py` of jax 0.10.2, for what a
plugin wants.
"""

from __future__ import annotations

import ctypes
import os
import threading
from collections import defaultdict
from collections.abc import Iterator
from importlib.machinery import PathFinder
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final, NamedTuple, Protocol

from arraytyping import config
from arraytyping.runtime.xla.jaxlib_api.extension import JAXLIB_VERSION, hlo, xla

__all__ = [
    "Device",
    "Target",
    "check_not_forked",
    "cuda_data_directory",
    "default_device",
    "devices",
    "is_device",
    "platforms",
    "sharding_on",
    "targets",
]


class Device(Protocol):
    """A device of a client."""

    @property
    def platform(self) -> str:
        """`cpu` or `gpu`."""

    @property
    def id(self) -> int:
        """Its number on its platform."""

    @property
    def device_kind(self) -> str:
        """What its maker calls it."""

    @property
    def local_hardware_id(self) -> int:
        """Its number as its driver counts."""

    @property
    def client(self) -> Any:
        """The client that owns it."""

    def __hash__(self) -> int: ...


_replicated: Final = defaultdict[int, Any](hlo.HloSharding.replicate).__getitem__
"""For each number of dimensions the same answer; a method of a dict, since calling it takes no Python."""


def sharding_on(device: Device) -> Any:
    """All of an array on one device: jaxlib's own class, which is faster than one derived from it.

    What jaxlib asks of it in Python at each transfer, and jax gives the class, stands in the object itself.
    """
    sharding = xla.SingleDeviceSharding(device)
    sharding._to_xla_hlo_sharding = _replicated
    if not hasattr(sharding, "memory_kind"):  # jax, when it is imported, gives the class a property
        sharding.memory_kind = sharding._memory_kind
    return sharding


class Target(NamedTuple):
    """A device in the forms that jaxlib's functions want."""

    device: Device
    sharding: Any
    devices: list[Device]
    device_list: Any
    client: Any


_lock: Final = threading.RLock()
_clients: Final[dict[str, Any]] = {}

_ALIASES: Final = {"cpu": "cpu", "gpu": "cuda", "cuda": "cuda"}


def platforms() -> tuple[str, ...]:
    """The platforms that `ARRAYTYPING_PLATFORMS` names, the default one first; `("cpu",)` if it is not set.

    Raises:
        RuntimeError: if it names one that does not exist.
    """
    names = [name.strip().lower() for name in os.environ.get("ARRAYTYPING_PLATFORMS", "").split(",") if name.strip()]
    return tuple(dict.fromkeys(map(_canonical, names))) or ("cpu",)


def _canonical(platform: str) -> str:
    try:
        return _ALIASES[platform]
    except KeyError:
        raise RuntimeError(f"unknown platform {platform!r}; expected one of {', '.join(_ALIASES)}") from None


def devices(platform: str | None = None) -> list[Device]:
    """The devices of a platform, by default of the first one that `ARRAYTYPING_PLATFORMS` names.

    Raises:
        RuntimeError: if the platform does not exist, or cannot be used here.
    """
    return list(_client(platforms()[0] if platform is None else _canonical(platform)).local_devices())


def is_device(value: Any) -> bool:
    """Whether this is a device of a client."""
    return isinstance(value, xla.Device)


def default_device() -> Device:
    """The first device of the default platform."""
    return targets[None].device


class _Targets(dict[Device | None, Target]):
    def __missing__(self, device: Device | None) -> Target:
        if device is not None and not isinstance(device, xla.Device):
            raise TypeError(f"expected a device, as arraytyping.devices() lists them, got {type(device).__name__}")
        found = devices()[0] if device is None else device
        check_not_forked()
        made = Target(found, sharding_on(found), [found], xla.DeviceList((found,)), found.client)
        return self.setdefault(device, made)


targets: Final = _Targets()
"""Each device, and the default one at None, in the forms that jaxlib's functions want.

Raises:
    TypeError: for what is not a device.
"""


_forked: Final[list[Any]] = []


def _after_fork() -> None:
    """Forget the clients of the process that was forked: their threads are not here, and to wait for one has no end."""
    if _clients:
        _forked.append((dict(_clients), dict(targets)))  # kept: a client that is let go of waits for its threads too
        _clients.clear()
        targets.clear()


if hasattr(os, "register_at_fork"):  # not on Windows
    os.register_at_fork(before=_lock.acquire, after_in_parent=_lock.release, after_in_child=_lock.release)
    os.register_at_fork(after_in_child=_after_fork)


def check_not_forked() -> None:
    """Raise in a process that was forked from one which used XLA.

    Raises:
        RuntimeError: if this is one.
    """
    if _forked:
        raise RuntimeError(
            "this process was forked from one that had used XLA, whose threads do not survive a fork; "
            "start processes with multiprocessing.get_context('spawn')"
        )


def _client(platform: str) -> Any:
    check_not_forked()
    with _lock:
        if platform not in _clients:
            _clients[platform] = _cpu_client() if platform == "cpu" else _cuda_client()
        return _clients[platform]


def _cpu_client() -> Any:
    """The client of the CPU, with as many devices as `config` says, or `XLA_FLAGS`, which XLA reads itself."""
    count = config.read("num_cpu_devices")
    return xla.get_tfrt_cpu_client(asynchronous=True, num_devices=None if count == -1 else count)


config._started.append(lambda: "cpu" in _clients)


_NVIDIA: Final = (
    ("cuda_runtime", ("libcudart.so.12",)),
    ("cuda_nvrtc", ("libnvrtc.so.12",)),
    ("cublas", ("libcublas.so.12", "libcublasLt.so.12")),
    ("nccl", ("libnccl.so.2",)),
    ("cuda_cupti", ("libcupti.so.12",)),
    ("cusparse", ("libcusparse.so.12",)),
    ("cusolver", ("libcusolver.so.11",)),
    ("cufft", ("libcufft.so.11",)),
    ("nvshmem", ("libnvshmem_host.so.3",)),
    ("cudnn", ("libcudnn.so.9",)),
    ("cu13", ("libcudart.so.13", "libnvrtc.so.13", "libcublas.so.13", "libcublasLt.so.13", "libcupti.so.13",
              "libcusparse.so.12", "libcusolver.so.12", "libcufft.so.12")),
)  # fmt: skip
"""NVIDIA's libraries, by the package under `nvidia` that brings them, in the order in which they need each other."""


def _cuda_client() -> Any:
    """The client of the CUDA plugin, whose own `initialize` would import jax.

    Raises:
        RuntimeError: if there is no plugin, or no GPU that it can use.
    """
    library = _cuda_plugin()
    if library is None:
        raise RuntimeError(
            "no CUDA plugin is installed, so there are no devices of platform 'gpu': "
            f"pip install 'jax-cuda13-plugin[with-cuda]=={JAXLIB_VERSION}', or use the CPU"
        )
    found = _plugin_version(library)
    if found not in (None, JAXLIB_VERSION):
        raise RuntimeError(
            f"the CUDA plugin {library} is of version {found}, jaxlib of {JAXLIB_VERSION}; "
            "install the same version of both"
        )
    try:
        if not xla.pjrt_plugin_loaded("cuda"):
            for package, names in _NVIDIA:
                _load(package, names)
            xla.load_pjrt_plugin("cuda", str(library), None)
        if not xla.pjrt_plugin_initialized("cuda"):
            xla.initialize_pjrt_plugin("cuda")
        return xla.get_c_api_client("cuda", _cuda_options(), None)
    except xla.JaxRuntimeError as error:
        raise RuntimeError(f"the CUDA plugin {library} does not start: {error}") from None


def _places(package: str, *names: str) -> Iterator[Path]:
    """The directories of the packages of these names within a package, none of which is imported."""
    found = find_spec(package)
    for name in names:
        spec = found and PathFinder.find_spec(f"{package}.{name}", found.submodule_search_locations)
        yield from map(Path, (spec and spec.submodule_search_locations) or ())


def _cuda_plugin() -> Path | None:
    """The plugin's library, found without importing the package that holds it."""
    libraries = (place / "xla_cuda_plugin.so" for place in _places("jax_plugins", "xla_cuda13", "xla_cuda12"))
    return next((library for library in libraries if library.exists()), None)


def _plugin_version(library: Path) -> str | None:
    """The version of the package that brought the plugin; None if it was not installed as one."""
    try:
        return version(f"jax-{library.parent.name.removeprefix('xla_')}-pjrt")
    except PackageNotFoundError:
        return None


def cuda_data_directory() -> Path | None:
    """Where XLA finds ptxas and libdevice, as `CUDA_ROOT` or NVIDIA's package says; None if neither does."""
    if root := os.environ.get("CUDA_ROOT"):
        return Path(root)
    return next((p for p in _places("nvidia", "cu13", "cuda_nvcc") if (p / "bin" / "ptxas").exists()), None)


def _load(package: str, names: tuple[str, ...]) -> None:
    """Load NVIDIA's libraries from Python packages, where there are such; the plugin searches the system for others."""
    for place in _places("nvidia", package):
        for name in names:
            if (library := place / "lib" / name).exists():
                ctypes.CDLL(str(library))


def _cuda_options() -> dict[str, str | bool | float]:
    """What XLA's own environment variables say; without them memory is not taken in advance, since jax may take it."""
    options: dict[str, str | bool | float] = {
        "platform_name": "cuda",
        "allocator": os.environ.get("XLA_PYTHON_CLIENT_ALLOCATOR", "default").lower(),
        "preallocate": os.environ.get("XLA_PYTHON_CLIENT_PREALLOCATE", "false") not in ("false", "False", "0"),
    }
    fraction = os.environ.get("XLA_CLIENT_MEM_FRACTION") or os.environ.get("XLA_PYTHON_CLIENT_MEM_FRACTION")
    return {**options, **({"memory_fraction": float(fraction)} if fraction else {})}

"""Libraries that are imported, since what they do when imported is known."""

from __future__ import annotations

import contextlib
import importlib
import importlib.util
import io
import sys
import warnings
from collections.abc import Iterator
from typing import Any, Final

from arraytyping.checker.flow.real_calls.deferred_imports import deferring
from arraytyping.checker.flow.state.signals import OutOfTime
from arraytyping.checker.flow.values import Value
from arraytyping.checker.swallowed import swallow

__all__ = ["LIBRARIES", "import_library", "why_without_jax"]

LIBRARIES: Final = frozenset({
    "jax", "jaxlib", "numpy", "ml_dtypes", "jaxtyping", "optax", "flax", "equinox", "haiku", "chex", "einops", "scipy",
    "diffrax", "lineax", "optimistix", "quadax", "typing_extensions", "arraytyping", "attr", "attrs", "beartype",
    "typeguard", "absl", "click", "typer", "pytest",
})  # fmt: skip
"""Packages outside of Python's own library that are imported: what they do when imported is known."""


_NOT_IMPORTED: Final = frozenset({"antigravity", "this", "idlelib", "turtle", "tkinter", "test", "lib2to3", "pip"})


def import_library(name: str) -> Value:
    """A module of Python's library or of a known one, imported; None for any other."""
    head = name.partition(".")[0]
    if head not in LIBRARIES and (head not in sys.stdlib_module_names or head in _NOT_IMPORTED):
        return None
    if not _may_import(name):
        return None
    if name in sys.modules:
        return sys.modules[name]
    if name in _missing:
        return None
    try:
        with (
            contextlib.redirect_stdout(io.StringIO()),
            contextlib.redirect_stderr(io.StringIO()),
            warnings.catch_warnings(),
            _without_heavy_libraries(),
            deferring(),
        ):
            warnings.simplefilter("ignore")
            return importlib.import_module(name)
    except (OutOfTime, KeyboardInterrupt):
        raise
    except BaseException as error:  # a library may end the process when it is imported, or do what a worker may not
        swallow(error)
        _failed.setdefault(head, f"{type(error).__name__}: {error}".splitlines()[0])
        if isinstance(error, ModuleNotFoundError) and error.name == name and name.rpartition(".")[0] in sys.modules:
            _missing.add(name)
        return None


_HEAVY: Final = frozenset({"tensorflow", "torch", "torchvision", "keras", "tensorboard", "transformers", "mujoco"})
"""Libraries that take seconds to import, which others import only if they are there."""


class _Refusing:
    """A finder that finds none of these libraries."""

    @staticmethod
    def find_spec(name: str, path: Any = None, target: Any = None) -> None:
        """Refuse to find a heavy library.

        Raises:
            ModuleNotFoundError: for one of them.
        """
        if name.partition(".")[0] in _HEAVY:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)


@contextlib.contextmanager
def _without_heavy_libraries() -> Iterator[None]:
    sys.meta_path.insert(0, _Refusing)
    try:
        yield
    finally:
        sys.meta_path.remove(_Refusing)


_missing: Final[set[str]] = set()
"""Names that imported packages have no submodules of: a program asks for an attribute again and again."""
_failed: Final[dict[str, str]] = {}
"""Why libraries could not be imported."""


def why_without_jax(name: str) -> str | None:
    """Why nothing is known of what a module of jax makes: jax could not be imported."""
    return _failed.get("jax") if name.partition(".")[0] == "jax" and "jax" not in sys.modules else None


def _may_import(name: str) -> bool:
    """Whether importing a module does no more than to define what is in it."""
    parts = name.split(".")
    if parts[-1] in ("__main__", "conftest") or "idlelib" in parts or name.startswith("jax.tools"):
        return False
    return parts[0] != "arraytyping" or len(parts) == 1 or parts[1] not in _OWN


_OWN: Final = frozenset({"checker", "__main__"})
"""Our own parts that check programs, which no program imports."""

"""jax's import without what takes its time there and no trace needs."""

from __future__ import annotations

import importlib.metadata
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any, Final

from arraytyping.checker.flow.real_calls.deferred_imports import deferring

__all__ = ["importing_jax"]

_FILES: Final = "etils"
"""With it jax can write to remote file systems; it is a fifth of the time of the import."""


@contextmanager
def importing_jax() -> Iterator[None]:
    """Import jax here: it reads the metadata of its own plugins alone, and not that of every installed package.

    What it needs for files and terminals is not executed.
    """
    found = importlib.metadata.distributions
    is_hidden = _FILES not in sys.modules
    if is_hidden:
        sys.modules[_FILES] = None  # type: ignore[assignment]
    importlib.metadata.distributions = _plugins_of_jax
    try:
        with deferring():
            yield
    finally:
        importlib.metadata.distributions = found
        if is_hidden:
            sys.modules.pop(_FILES, None)


_distributions: Final = importlib.metadata.distributions


def _plugins_of_jax(**kwargs: Any) -> Iterable[importlib.metadata.Distribution]:
    """The distributions that may be named `jax-...`, as far as the names of their directories say."""
    for found in _distributions(**kwargs):
        place = getattr(found, "_path", None)
        if place is None or place.name.lower().startswith("jax"):
            yield found

"""Checks of JAX, and of libraries on it, that held before, by the digest of the question: they need not be made again.

Some tests hold programs, or functions of libraries, against what is written down of them, and nothing of ours takes
part.  That such a check held is kept in `data/agreements.txt` (see `agreements.py`).  The question is the function that
checks, with everything of the tests that it reaches (see `answers.py`), the releases of Python and of what it may
import, and the variables of the environment by which JAX decides.  If any of it changes, the check is made.
"""

from __future__ import annotations

import functools
import os
import platform
from collections.abc import Callable
from importlib.metadata import version
from typing import Any, Final

import agreements
import answers

__all__ = ["hold", "surroundings"]

_LIBRARIES: Final = ("flax", "optax", "equinox", "jaxtyping", "chex", "einops", "beartype", "scipy")


def hold(check: Callable[..., None], *args: Any) -> None:
    """Make a check that fails by an exception, unless it held before; its arguments are numbers, texts and such.

    A program that names this project hangs on what that does: it is always run.

    Raises:
        NoTextError: if the check reaches something that has no text which says all of it.
    """
    if any(isinstance(arg, str) and "arraytyping" in arg for arg in args):
        check(*args)
        return
    digest = agreements.digest_of([*_surroundings(), answers.digest_of(functools.partial(check, *args))])
    if not agreements.agreed(digest):
        check(*args)
        agreements.record(digest)


def surroundings() -> list[str]:
    """The releases of what a program may import, and the variables by which JAX decides, as text."""
    return _surroundings()


def _surroundings() -> list[str]:
    python = ".".join(platform.python_version_tuple()[:2])
    # Flow has jax take the processor, in whatever process it runs: that is no other surrounding for what is run later.
    variables = [
        f"{k}={v}" for k, v in sorted(os.environ.items()) if k.startswith("JAX_") and (k, v) != ("JAX_PLATFORMS", "cpu")
    ]
    return [f"Python {python}", *(f"{name} {version(name)}" for name in _LIBRARIES), *variables]

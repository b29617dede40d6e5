"""A process that stays, with jax and the libraries of the programs loaded, and follows what an editor asks it to."""

from __future__ import annotations

import contextlib
import gc
import importlib
import importlib.util
import sys
from collections.abc import Callable
from typing import Any, Final, NoReturn

from arraytyping.checker.flow.real_calls.library_imports import LIBRARIES
from arraytyping.checker.flow.report.reporting import analyzed
from arraytyping.checker.flow.report.serving import serve
from arraytyping.checker.flow.report.warm_workers import WarmWorkers
from arraytyping.checker.flow.report.workers import Workers
from arraytyping.checker.garbage import freeze
from arraytyping.checker.settings import Settings

__all__ = ["answer", "load"]

_LAZY: Final = (
    "jax.experimental.multihost_utils", "jaxtyping", "numpy.fft", "numpy.linalg", "numpy.testing", "numpy.typing",
    "unittest.async_case",
)  # fmt: skip
"""What jax and NumPy load when they first need it, so that each process forked from here would do so."""


def load(libraries: frozenset[str]) -> None:
    """Load jax, these libraries, and what they would load later; this process can still be forked."""
    Workers({}, Settings(), None, 1, libraries).warm_up(
        is_for_many=True
    )  # first, since it keeps NumPy from starting threads
    for name in _LAZY:
        with contextlib.suppress(ImportError):
            importlib.import_module(name)
    gc.collect()
    freeze()


def _follow(request: dict[str, Any]) -> dict[str, Any]:
    return _answer(request, None)


def _follow_again(
    asked: int, tell_early: Callable[[dict[str, Any]], None]
) -> Callable[[dict[str, Any]], dict[str, Any]]:
    """What follows again and again what is edited, as a pipe asks."""
    warm = WarmWorkers(asked, lambda early: tell_early({"early": early}))
    return lambda request: _answer(request, warm)


def _answer(request: dict[str, Any], warm: WarmWorkers | None) -> dict[str, Any]:
    return {
        "report": analyzed(request, warm).to_json(),
        "libraries": sorted({*sys.modules} & {*LIBRARIES}),
        "has_jaxtyping": importlib.util.find_spec("jaxtyping") is not None,
    }


def answer() -> NoReturn:
    """Answer what is asked on the standard input, until there is no more."""
    serve(load, _follow, {"follow": _follow_again})

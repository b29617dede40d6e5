"""A process that stays, with jax and the libraries of the programs loaded, and follows what an editor asks it to."""

from __future__ import annotations

import importlib.util
import sys
from typing import Any, NoReturn

from arraytyping.checker.flow.real_calls.library_imports import LIBRARIES
from arraytyping.checker.flow.report.reporting import analyzed
from arraytyping.checker.flow.report.serving import serve
from arraytyping.checker.flow.report.workers import Workers
from arraytyping.checker.settings import Settings

__all__ = ["answer"]


def _load(libraries: frozenset[str]) -> None:
    Workers({}, Settings(), None, 1, libraries).warm_up()


def _follow(request: dict[str, Any]) -> dict[str, Any]:
    return {
        "report": analyzed(request).to_json(),
        "libraries": sorted({*sys.modules} & {*LIBRARIES}),
        "has_jaxtyping": importlib.util.find_spec("jaxtyping") is not None,
    }


def answer() -> NoReturn:
    """Answer what is asked on the standard input, until there is no more."""
    serve(_load, _follow)

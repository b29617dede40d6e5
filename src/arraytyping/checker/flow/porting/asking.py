"""What becomes of a program, asked from outside: it is followed in a process of its own, which alone loads jax."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from arraytyping.checker.flow.porting.report import PortReport
from arraytyping.checker.flow.report.child import NoAnswerError, ask, give
from arraytyping.semantics.promotion.description import SUFFIXES, load
from arraytyping.semantics.promotion.registry import system
from arraytyping.semantics.promotion.system import System

__all__ = ["port_report"]


def port_report(file: Path, one: str, other: str, *, x64: bool = False) -> PortReport:
    """What changes in a program from one promotion system to another; `x64` is that of the port to JAX.

    Systems are known ones by name, or the paths of lattices.  A comparison that does not come to its end is an
    `error` in the report.
    """
    request = {"file": str(file), "from": one, "to": other, "x64": x64}
    try:
        return ask(__name__, request, PortReport.from_json)
    except NoAnswerError as error:
        return PortReport(error=str(error))


def _system(name: str) -> System:
    return load(Path(name)).system if name.endswith(SUFFIXES) else system(name)


def answer(request: str, report: str) -> None:
    """Answer a request in this process, and end it."""
    found = _answered(json.loads(Path(request).read_bytes()))
    give(found.to_json(), report)


def _answered(asked: Mapping[str, Any]) -> PortReport:
    from arraytyping.checker.flow.porting.comparing import compare
    from arraytyping.checker.flow.porting.operands import compare_systems
    from arraytyping.checker.flow.porting.running import read_program
    from arraytyping.checker.flow.real_calls.library_imports import import_library
    from arraytyping.checker.flow.sources.source_files import SourceError, read_source

    file = Path(asked["file"])
    try:
        read_source(file)
    except SourceError as error:
        if not file.is_file():
            return PortReport(error=f"{file} {error.message}; name the file with which a program begins")
        return PortReport(error=f"{file}:{error.line}: {error.message}")
    is_port = (asked["from"], asked["to"]) == ("numpy", "jax")
    missing = [name for name in ("numpy", "jax.numpy")[: 1 + is_port] if import_library(name) is None]
    if missing:
        packages = " and ".join(name.partition(".")[0] for name in missing)
        return PortReport(error=f"{packages} must be installed to follow a program here: pip install {packages}")
    program = read_program(file, as_port=False, x64=None)
    if not is_port:
        return compare_systems(program, _system(asked["from"]), _system(asked["to"]))
    port = read_program(file, as_port=True, x64=asked["x64"])
    wide = None if asked["x64"] else read_program(file, as_port=True, x64=True)
    return compare(program, port, wide)

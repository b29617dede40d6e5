"""On what kind of devices a program runs, where nobody has said it: the text that it compares, and runs for each.

What a program does on one platform alone (images transposed before and after they are moved to a TPU) fits together
only if the platform is one through the whole run.  So a program that asks for it twice, or keeps the answer, is
followed once as on that platform and once as on any other, and a claim holds for both.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from arraytyping.checker.flow.state.devices_asked import DEVICES, MACHINE
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.state.program_words import ASSUMED
from arraytyping.checker.flow.state.run_slots import Run, RunSlot
from arraytyping.checker.flow.state.signals import ProgramEnds
from arraytyping.checker.flow.values import ListValue, ScalarValue, Value

__all__ = [
    "OTHER",
    "PLATFORM",
    "WANTED_PLATFORM",
    "PlatformText",
    "compared_platform",
    "platform",
    "without_platforms",
]

PLATFORM: Final = "platform"
"""With this key in what is assumed there is a platform, or behind `OTHER` one that it is not."""
OTHER: Final = "other than "
_ENOUGH: Final = 2

WANTED_PLATFORM: Final[RunSlot[str]] = RunSlot("the platform for which, and for others, the program is followed", str)
_SITES: Final[RunSlot[set[ast.AST] | None]] = RunSlot("where the program asks for its platform", set)
"""None where a function is followed that nothing calls."""


class PlatformText(ScalarValue):
    """The name of a platform that is not known."""

    __slots__ = ()

    def __init__(self) -> None:
        super().__init__(str)


def platform(it: Run) -> Value:
    """The name of the platform: as it is configured or assumed, else a text to compare."""
    if not DEVICES.of(it).own and MACHINE.of(it).platform:
        return MACHINE.of(it).platform
    assumed = (ASSUMED.of(it) or {}).get(PLATFORM)
    return PlatformText() if assumed is None or assumed.startswith(OTHER) else assumed


def compared_platform(
    it: Interpreter, operator: ast.cmpop, left: Value, right: Value, node: ast.Compare
) -> bool | None:
    """What a comparison with the name of a platform gives; None if that hangs on the platform.

    Raises:
        ProgramEnds: where the run is to be made for each platform.
    """
    is_in = isinstance(operator, ast.In | ast.NotIn)
    names = _names(right if is_in or isinstance(left, PlatformText) else left, is_in)
    if names is None or not isinstance(operator, ast.Eq | ast.NotEq | ast.In | ast.NotIn):
        return None
    if is_in and not isinstance(left, PlatformText):
        return None
    assumed = (ASSUMED.of(it) or {}).get(PLATFORM)
    if assumed is not None:
        if set(names) <= {assumed.removeprefix(OTHER)}:
            return isinstance(operator, ast.NotEq | ast.NotIn)
        return None
    _note(it, names, node)
    return None


@contextmanager
def without_platforms(it: Run) -> Iterator[None]:
    """What is asked in here, where functions are followed that nothing calls, makes no run of its own."""
    before = _SITES.of(it)
    _SITES.put(it, None)
    try:
        yield
    finally:
        _SITES.put(it, before)


def _names(value: Value, is_in: bool) -> list[str] | None:
    """The texts that the name of a platform is compared with."""
    if not is_in:
        return [value] if isinstance(value, str) else None
    items = value.items if isinstance(value, ListValue) else value
    if not isinstance(items, list | tuple) or not all(isinstance(item, str) for item in items):
        return None
    return list(items)


def _note(it: Interpreter, names: list[str], node: ast.Compare) -> None:
    """Note that the program asks for a platform; a condition asks once, an answer that is kept may be asked often."""
    sites, module = _SITES.of(it), it.frame.module
    if sites is None or ASSUMED.of(it) is None or not module.is_program or len(names) != 1:
        return
    sites.add(node)
    if len(sites) < _ENOUGH and _is_condition(module.tree, node):
        return
    WANTED_PLATFORM.put(it, names[0])
    if it.staged == 0:
        raise ProgramEnds


def _is_condition(tree: ast.Module, node: ast.Compare) -> bool:
    return any(
        isinstance(branch, ast.If | ast.IfExp | ast.While | ast.Assert) and branch.test is node
        for branch in ast.walk(tree)
    )

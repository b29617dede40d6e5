"""`os.environ["JAX_ENABLE_X64"] = "1"`: what jax reads when it is first imported.

Source: https://docs.jax.dev/en/latest/default_dtypes.html.
"""

from __future__ import annotations

import importlib.metadata
import re
import sys
from collections.abc import Iterable
from typing import Final

from arraytyping.checker.flow.state.imported_packages import IMPORTED
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.state.x64_sides import switch_x64
from arraytyping.checker.flow.values import ScalarValue, Value
from arraytyping.checker.x64 import parse_flag

__all__ = ["put_x64_variable"]


def put_x64_variable(it: Interpreter, value: Value) -> None:
    """The program binds the variable, which counts if it has not imported jax yet."""
    imported = IMPORTED.of(it)
    if "jax" in imported:
        return
    read = parse_flag(value) if isinstance(value, str) else None
    is_read = read is not None and not any(map(_may_import_jax, imported))
    switch_x64(it, read if is_read else ScalarValue(bool))


def _may_import_jax(package: str) -> bool:
    """Whether a package may import jax: it is not installed, or asks for jax, directly or not."""
    if package in sys.stdlib_module_names:
        return False
    waiting = importlib.metadata.packages_distributions().get(package, [])
    if not waiting:
        return True
    seen: set[str] = set()
    while waiting:
        name = waiting.pop()
        if name == "jax":
            return True
        if name not in seen:
            seen.add(name)
            waiting += _needed(name)
    return False


def _needed(distribution: str) -> Iterable[str]:
    """The names of the distributions that one asks for, its extras left out."""
    try:
        asked = importlib.metadata.requires(distribution) or []
    except importlib.metadata.PackageNotFoundError:
        return
    for line in asked:
        found = _NAME.match(line)
        if found is not None and "extra ==" not in line:
            yield found[0].lower()


_NAME: Final = re.compile(r"[A-Za-z0-9._-]+")

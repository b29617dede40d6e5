"""`importlib` and `inspect`: modules that are imported by names which the program computes, as registries do."""

from __future__ import annotations

import ast
import importlib.util
from typing import Any

from arraytyping.checker.flow.libraries.registry import handles
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.values.calls import Call

__all__: list[str] = []


@handles("importlib.import_module")
def _import_module(it: Interpreter, call: Call) -> Any:
    given = call.named("name", "package")
    name, package = given.get("name"), given.get("package")
    if isinstance(name, str) and isinstance(package, str | None):
        try:
            name = importlib.util.resolve_name(name, package)
        except ImportError:
            name = None
    if not isinstance(name, str) or not all(part.isidentifier() for part in name.split(".")):
        return it.unknown("a module whose name is not known")
    return it.importer.resolved(it, it.importer.import_module(it, name, call.node or ast.Pass(), it.frame, True))


@handles("importlib.util.find_spec", "inspect.currentframe", "inspect.stack")
def _only_read(it: Interpreter, call: Call) -> Any:
    return it.unknown("how Python itself sees the program")

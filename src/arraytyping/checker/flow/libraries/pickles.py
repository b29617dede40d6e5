"""`pickle` and what is like it: what is loaded is unknown, and nothing is loaded here.

What a program loads under a condition that saves such itself is the state of an earlier run of it (`resumption`).
"""

from __future__ import annotations

import ast
import functools
from typing import Final

from arraytyping.checker.flow.libraries.registry import handles
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.state.resumption import note_loaded
from arraytyping.checker.flow.values import Value
from arraytyping.checker.flow.values.calls import Call

__all__: list[str] = []

_PICKLERS: Final = frozenset({"pickle", "cPickle", "_pickle", "dill", "cloudpickle", "joblib"})
_WRITERS: Final = frozenset({"dump", "dumps"})


@handles("pickle.load", "pickle.loads", "_pickle.load", "_pickle.loads")
def _load(it: Interpreter, call: Call) -> Value:
    it.may_raise += 1
    if any(_saves(module.tree) for module in it.importer.modules.values() if module.is_program):
        note_loaded()
    return it.unknown("what a file holds")


@functools.lru_cache(maxsize=1024)
def _saves(tree: ast.Module) -> bool:
    """Whether there is a call in a module that writes a pickle."""
    names: set[str] = set()
    writers: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names |= {alias.asname or alias.name for alias in node.names if alias.name in _PICKLERS}
        elif isinstance(node, ast.ImportFrom) and node.module in _PICKLERS:
            writers |= {alias.asname or alias.name for alias in node.names if alias.name in _WRITERS}
    return any(
        isinstance(node, ast.Call)
        and (
            (isinstance(node.func, ast.Name) and node.func.id in writers)
            or (
                isinstance(node.func, ast.Attribute)
                and node.func.attr in _WRITERS
                and isinstance(node.func.value, ast.Name)
                and node.func.value.id in names
            )
        )
        for node in ast.walk(tree)
    )

"""Modules of libraries that are interpreted like the program's, without mistakes or claims of their own."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from typing import Any, Final

from arraytyping.checker.flow.sources.source_files import SourceError, read_source
from arraytyping.checker.flow.state.certainty import doubting
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.state.run_slots import RunSlot
from arraytyping.checker.flow.values import MISSING, SOURCE_OF, ClassValue, Value
from arraytyping.checker.flow.values.frames import Module

__all__ = ["name_in_source"]

_LOADED: Final[RunSlot[dict[str, Any]]] = RunSlot("modules of libraries whose source is interpreted", dict)


def name_in_source(it: Interpreter, module: str, name: str) -> Value:
    """The value of a name of a library's module, whose source is interpreted; MISSING if it cannot be."""
    loaded = _LOADED.of(it)
    if module not in loaded:
        loaded[module] = _load(it, module)
    found = loaded[module]
    return MISSING if found is None else found.frame.variables.get(name, MISSING)


def _load(it: Interpreter, name: str) -> Module | None:
    spec = importlib.util.find_spec(name)
    origin = None if spec is None else spec.origin
    if origin == "frozen":  # into the interpreter, which says what it was made of
        origin = getattr(getattr(spec, "loader_state", None), "filename", None)
    if origin is None:
        return None
    path = Path(origin)
    try:
        source, tree = read_source(path)
    except SourceError:
        return None
    module = Module(name, path, source, tree, False, False)
    frame = module.frame
    frame.mark = it.journal.mark
    frame.variables.update(__name__=name, __file__=str(path), __doc__=None, __package__=name.rpartition(".")[0])
    with it.in_frame(frame), it.quietly(), doubting(it, frame):
        it.execute(tree.body, frame)
    it.journal.forget(frame.mark)
    module.is_done = True
    real = vars(sys.modules[name]) if name in sys.modules else {}
    for own, value in frame.variables.items():
        if isinstance(value, ClassValue) and isinstance(real.get(own), type):
            value.options[SOURCE_OF] = value, real[own]
    return module

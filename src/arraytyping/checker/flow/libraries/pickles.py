"""`pickle`: nothing is loaded here; what the program saves tells what it may find (`resumption`)."""

from __future__ import annotations

from arraytyping.checker.flow.libraries.registry import handles
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.state.resumption import note_saved, what_is_loaded
from arraytyping.checker.flow.values import ScalarValue, Value
from arraytyping.checker.flow.values.calls import Call

__all__: list[str] = []


@handles("pickle.load", "pickle.loads", "_pickle.load", "_pickle.loads")
def _load(it: Interpreter, call: Call) -> Value:
    it.may_raise += 1
    found = what_is_loaded(it)
    it.unknowns[found.why] += 1
    return found


@handles("pickle.dump", "_pickle.dump")
def _dump(it: Interpreter, call: Call) -> Value:
    note_saved(it, call.argument(0, "obj"), call.node)
    return None


@handles("pickle.dumps", "_pickle.dumps")
def _dumps(it: Interpreter, call: Call) -> Value:
    note_saved(it, call.argument(0, "obj"), call.node)
    return ScalarValue(bytes)

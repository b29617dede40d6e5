"""`threading`, `queue`, `concurrent.futures` and `multiprocessing`, by the stand-in `workers`."""

from __future__ import annotations

from typing import Final

from arraytyping.checker.flow.libraries.registry import handles, handles_object
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.values import LazyName, Value
from arraytyping.checker.flow.values.calls import Call

__all__: list[str] = []

_CLASSES: Final = {
    "threading.Thread": "Thread",
    "queue.Queue": "Queue",
    "queue.SimpleQueue": "Queue",
    "concurrent.futures.ThreadPoolExecutor": "Executor",
    "concurrent.futures.ProcessPoolExecutor": "Executor",
    "multiprocessing.pool.ThreadPool": "ProcessPool",
    "multiprocessing.pool.Pool": "ProcessPool",
}


def _stand_in(it: Interpreter, name: str) -> Value:
    return it.importer.resolve(it, LazyName("workers", name))


for _real, _name in _CLASSES.items():
    handles_object(_real)(lambda it, name=_name: _stand_in(it, name))


@handles("concurrent.futures.as_completed")
def _as_completed(it: Interpreter, call: Call) -> Value:
    return it.call(_stand_in(it, "as_completed"), *call)


@handles("multiprocessing.Pool")
def _pool(it: Interpreter, call: Call) -> Value:
    return it.call(_stand_in(it, "ProcessPool"), *call)

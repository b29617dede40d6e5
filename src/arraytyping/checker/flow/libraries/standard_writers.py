"""What of Python's own library writes, logs and tells the time: it gives something unknown, and changes nothing.

Source: https://docs.python.org/3/library/, the pages of these modules.
"""

from __future__ import annotations

from typing import Final

from arraytyping.checker.flow.libraries.registry import Handler, handles
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.values import InertValue, InstanceValue, Value
from arraytyping.checker.flow.values.calls import Call

__all__: list[str] = []

_WRITERS: Final = {
    "_csv": "reader writer",
    "csv": "DictReader DictWriter",
    "locale": "setlocale",
    "logging": "FileHandler Formatter NullHandler StreamHandler",
    "logging.handlers": "RotatingFileHandler TimedRotatingFileHandler",
    "pprint": "PrettyPrinter",
    "uuid": "uuid1 uuid4",
}
"""Functions, classes and methods by the modules that define them."""


def _inert(name: str) -> Handler:
    """A handler of what gives such a thing."""

    def handle(it: Interpreter, call: Call) -> Value:
        if any(
            isinstance(v, InstanceValue) and v.cls.module is not None and v.cls.module.is_program for v in call.values
        ):
            return it.call(it.unknown(f"what {name} gives"), *call)  # it calls `write` of a file of the program's own
        return InertValue(f"what {name} gives")

    return handle


for _module, _names in _WRITERS.items():
    for _name in _names.split():
        handles(f"{_module}.{_name}")(_inert(f"{_module}.{_name}"))

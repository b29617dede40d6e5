"""Output, files and logs: functions that give None, or something unknown from outside of the program."""

from __future__ import annotations

from typing import Any, Final

from arraytyping.checker.flow.libraries.builtin_texts import text_of
from arraytyping.checker.flow.libraries.registry import handles
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.syntax.with_blocks import ContextValue
from arraytyping.checker.flow.values import HandlerValue, InstanceValue, IteratorValue, ScalarValue, Value
from arraytyping.checker.flow.values.calls import Call

_LEVELS: Final = ("debug", "info", "warning", "warn", "error", "critical", "exception", "log")
_SETTERS: Final = ("setLevel", "addHandler", "removeHandler", "addFilter", "disable")


@handles(
    "builtins.print",
    *(
        f"logging.{name}"
        for name in (*_LEVELS, "basicConfig", "disable", "captureWarnings", "shutdown", "addLevelName")
    ),
    *(f"warnings.{name}" for name in ("warn", "filterwarnings", "simplefilter", "resetwarnings", "warn_explicit")),
    *("pprint.pprint", "pprint.pp", "traceback.print_exc", "json.dump"),
    *(f"absl.logging.{name}" for name in (*_LEVELS, "set_verbosity")),
)
def _print(it: Interpreter, call: Call) -> Value:
    for value in call.args:
        if isinstance(value, InstanceValue):
            text_of(it, value, call.node)
    return None


def _nothing(it: Interpreter, call: Call) -> Value:
    return None


_LOGGER_METHODS: Final = {
    **{name: HandlerValue(name, _print) for name in _LEVELS},
    **{name: HandlerValue(name, _nothing) for name in _SETTERS},
    "isEnabledFor": HandlerValue("isEnabledFor", lambda it, call: ScalarValue(bool)),
}


@handles("logging.getLogger")
def _get_logger(it: Interpreter, call: Call) -> Value:
    return HandlerValue("logger", lambda it, call: it.unknown("a logger is called"), (), _LOGGER_METHODS)


@handles(
    "json.dumps",
    "pprint.pformat",
    "traceback.format_exc",
    "textwrap.dedent",
    "textwrap.indent",
    "textwrap.fill",
    "textwrap.shorten",
)
def _dumps(it: Interpreter, call: Call) -> Value:
    return ScalarValue(str)


@handles("warnings.catch_warnings")
def _catch_warnings(it: Interpreter, call: Call) -> Value:
    return ContextValue("catch_warnings", it.unknown("the warnings that were caught") if call.kwargs else None)


@handles(
    "tqdm.std.tqdm",
    "tqdm.asyncio.tqdm_asyncio",
    "tqdm.autonotebook.tqdm",
    "tqdm.auto.tqdm",
    "tqdm.std.trange",
    "tqdm.trange",
)
def _tqdm(it: Interpreter, call: Call) -> Value:
    """A progress bar gives the items of what it is made of."""
    value = call.argument(0, "iterable")
    if value is None:
        return it.unknown("a progress bar of nothing")
    if type(value) is int:
        more: list[Any] = call.args[1:]
        value = range(value, *more)
    if isinstance(value, IteratorValue):
        return value
    return IteratorValue(*it.iterate(value, call.node))

"""`absl`: `app.run` calls `main` with the program's name and what is no flag, and flags have their values.

Those are their defaults where the command line is not known.

Source: https://abseil.io/docs/python/guides/flags.
"""

from __future__ import annotations

import ast
from typing import Any, Final

from arraytyping.checker.flow.libraries.absl_lines import Definition, parse_flags, take_flag
from arraytyping.checker.flow.libraries.assumed_options import assumed_text
from arraytyping.checker.flow.libraries.command_lines import (
    command_line,
    converted,
    given,
    instance_of,
    nothing,
    synthetic_class,
)
from arraytyping.checker.flow.libraries.held_values import LineEnds
from arraytyping.checker.flow.libraries.registry import handles, handles_object
from arraytyping.checker.flow.state.interpreter import Interpreter, ProgramEnds
from arraytyping.checker.flow.state.joins import join
from arraytyping.checker.flow.state.program_words import may_be_given, note_absent, note_words_read
from arraytyping.checker.flow.state.run_slots import RunSlot
from arraytyping.checker.flow.values import (
    MISSING,
    FunctionValue,
    HandlerValue,
    InstanceValue,
    ListValue,
    ScalarValue,
    Value,
)
from arraytyping.checker.flow.values.calls import Call

__all__ = ["put_configuration"]

_HAS_OTHERS: Final[RunSlot[bool]] = RunSlot("whether there are flags that are not understood", bool)
_FLAGS: Final[RunSlot[InstanceValue | None]] = RunSlot("absl.flags.FLAGS", lambda: None)
_SCALARS: Final[RunSlot[dict[str, type]]] = RunSlot("the types of the flags that hold one value", dict)

CONFIGURATIONS: Final[RunSlot[set[str]]] = RunSlot("the flags that hold configurations", set)

Kwargs = dict[str, Any]
Node = ast.AST | None

_KINDS: Final = {
    "string": str, "integer": int, "float": float, "bool": bool, "boolean": bool, "enum": str, "list": str,
    "spaceseplist": str, "multi_string": str, "multi_integer": int, "multi_float": float, "multi_enum": str,
}  # fmt: skip


@handles("absl.app.run")
def _run(it: Interpreter, call: Call) -> Value:
    values = call.named("main", "argv", "flags_parser")
    words = ListValue(None, ScalarValue(str)) if may_be_given(it) else ListValue([ScalarValue(str)])
    if values.get("flags_parser") is None:
        try:
            words = _parsed(it, values.get("argv"), call.node) or words
        except LineEnds:
            raise ProgramEnds from None
    if _takes_words(values.get("main")):
        note_words_read(it)
    it.call(values.get("main"), [words], {}, call.node)
    raise ProgramEnds


def _takes_words(main: Value) -> bool:
    """Whether `main(argv)` looks into what it is given, and does not only count it."""
    if not isinstance(main, FunctionValue) or not main.node.args.args:
        return False
    name = main.node.args.args[0].arg
    inner = list(ast.walk(main.node))
    counted = {id(arg) for n in inner if isinstance(n, ast.Call) and _is_len(n.func) for arg in n.args}
    return any(
        isinstance(n, ast.Name) and n.id == name and isinstance(n.ctx, ast.Load) and id(n) not in counted for n in inner
    )


def _is_len(function: ast.expr) -> bool:
    return isinstance(function, ast.Name) and function.id == "len"


def _parsed(it: Interpreter, argv: Any, node: Node) -> ListValue | None:
    """Give the flags the values of a command line (`sys.argv` if it is None); what is left of it, None if unknown."""
    if argv is not None:
        items = it.iterate(argv, node)[0]
        argv = ListValue(items[1:]) if items else it.unknown("a command line without a program")
    words, _ = command_line(it, argv, node)
    if words is None or _HAS_OTHERS.of(it):
        return None
    words = without_configurations(it, words)
    known = _registered(it)
    answer = parse_flags(it, known.attributes, _marked(it).attributes, words)
    if answer is None:
        return None
    for name, value in answer[0].items():
        _put(it, name, value)
    return ListValue([ScalarValue(str), *answer[1]])


def without_configurations(it: Interpreter, words: list[str]) -> list[str]:
    """A command line without the flags that hold configurations, which are read when they are defined."""
    for name in CONFIGURATIONS.of(it):
        _, words = take_flag(words, name)
    return words


def put_configuration(it: Interpreter, name: str, value: Value) -> InstanceValue:
    """Define a flag that holds a configuration; its holder."""
    CONFIGURATIONS.of(it).add(name)
    _put(it, name, value)
    return _holder(name, value)


def _registered(it: Interpreter) -> InstanceValue:
    """The definitions of flags by name."""
    return _kept(it, _DEFINITIONS)


def _marked(it: Interpreter) -> InstanceValue:
    """The names of the flags that are marked as required."""
    return _kept(it, _REQUIRED)


def _record(name: str) -> RunSlot[InstanceValue]:
    """An object of a run whose attributes are undone and joined as those of the program's own are."""
    return RunSlot(name, lambda: instance_of(synthetic_class(name, lambda it, v, n, node: MISSING)))


_DEFINITIONS: Final = _record("absl definitions")
_REQUIRED: Final = _record("absl required")


def _kept(it: Interpreter, slot: RunSlot[InstanceValue]) -> InstanceValue:
    found = slot.of(it)
    it.journal.touch(found)
    return found


@handles("absl.flags.DEFINE", "absl.flags.DEFINE_flag", "absl.flags.DEFINE_alias", "absl.flags.DEFINE_multi")
def _define_otherwise(it: Interpreter, call: Call) -> Value:
    _HAS_OTHERS.put(it, True)
    return it.unknown("a flag of a type of its own")


@handles_object("absl.flags.FLAGS")
def _flags(it: Interpreter) -> InstanceValue:
    """The flags of the program, one object a run."""
    found = _FLAGS.of(it)
    if found is None:
        cls = synthetic_class("FlagValues", _method)
        cls.namespace["__call__"] = HandlerValue("FLAGS", _call_flags)
        found = instance_of(cls)
        _FLAGS.put(it, found)
    return found


def _call_flags(it: Interpreter, call: Call) -> Value:
    """`FLAGS(sys.argv)`: what is left of the command line."""
    words = None
    try:
        if call.has_only(2):  # the flags themselves, and the line
            words = _parsed(it, call.args[1], call.node)
    except LineEnds:
        it.may_raise += 1  # it raises an exception of absl's
    return words or ListValue(None, ScalarValue(str))


def _method(it: Interpreter, flags: InstanceValue, name: str, node: Node) -> Value:
    if name == "set_gnu_getopt":
        _HAS_OTHERS.put(it, True)
    if name in ("mark_as_parsed", "unparse_flags", "set_gnu_getopt"):
        return nothing(name)
    if name == "set_default":
        return HandlerValue(name, lambda it, call: _set_default(it, call.args, call.kwargs))
    return MISSING


def _put(it: Interpreter, name: Any, value: Value) -> None:
    flags = _flags(it)
    it.journal.touch(flags)
    if isinstance(name, str):
        flags.attributes[name] = value
    else:
        flags.attributes = dict.fromkeys(flags.attributes, it.unknown("a flag of unknown name is set"))


@handles("absl.flags.set_default")
def _set_default_of(it: Interpreter, call: Call) -> Value:
    holder = call.argument(0, "flag_holder")
    value = call.argument(1, "value")
    return _set_default(it, [holder.attributes.get("name") if isinstance(holder, InstanceValue) else None, value], {})


def _set_default(it: Interpreter, args: list[Value], kwargs: Kwargs) -> Value:
    values = {**dict(zip(("name", "value"), args)), **kwargs}
    is_given = may_be_given(it)
    name = values.get("name")
    known = _registered(it)
    defined = known.attributes.get(name) if isinstance(name, str) else None
    if isinstance(name, str) and isinstance(defined, Definition):
        known.attributes[name] = Definition(defined.word, defined.args, defined.kwargs, values.get("value"))
    else:
        _HAS_OTHERS.put(it, True)
    _put(it, name, it.unknown("a flag that may be given") if is_given else values.get("value"))
    return None


@handles("absl.flags.mark_flag_as_required", "absl.flags.mark_flags_as_required")
def _required(it: Interpreter, call: Call) -> Value:
    names = call.args[0] if call.args else next(iter(call.kwargs.values()), None)
    items = [names] if isinstance(names, str | InstanceValue) else it.iterate(names, call.node)[0] or []
    for item in items:
        name = item.attributes.get("name") if isinstance(item, InstanceValue) else item
        if isinstance(name, str):
            _marked(it).attributes[name] = True
        else:
            _HAS_OTHERS.put(it, True)
        if isinstance(name, str) and name in CONFIGURATIONS.of(it):
            continue  # which is unknown already, if no file is named
        kind = _SCALARS.of(it).get(name) if isinstance(name, str) else None
        defined = _registered(it).attributes.get(name) if isinstance(name, str) else None
        is_many = isinstance(defined, Definition) and defined.word == "multi_string"
        _put(it, name, _given_many(it, name, str) if is_many else _given(it, name, kind))
    return None


def _given(it: Interpreter, name: Value, kind: Value) -> Value:
    """A flag that must be given: of its type, or the configuration beside the program that it names."""
    if kind is None:
        return it.unknown("a flag that must be given")
    if kind is str and isinstance(name, str):
        text = assumed_text(it, f"--{name}", name)
        return given(it, kind) if text is None else text
    return given(it, kind, name=name if isinstance(name, str) else "n")


def _given_many(it: Interpreter, name: Value, kind: Value) -> Value:
    """A flag that must be given and may be so several times: of its type, or one configuration beside the program."""
    text = assumed_text(it, f"--{name}", name) if kind is str and isinstance(name, str) else None
    return it.unknown("a list of flags") if text is None else ListValue([text])


def _define(word: str) -> None:
    @handles(f"absl.flags.DEFINE_{word}")
    def handle(it: Interpreter, call: Call) -> Value:
        values = call.named("name", "default")
        name, default = values.get("name"), values.get("default")
        kind = _KINDS.get(word)
        if call.kwargs.get("required") is True:
            is_list = "list" in word or "multi" in word
            value = _given_many(it, name, kind) if is_list else _given(it, name, kind)
        else:
            value = _default(it, word, kind, default, call.node)
        if isinstance(name, str):
            _registered(it).attributes[name] = Definition(word, call.args, call.kwargs, value)
        else:
            _HAS_OTHERS.put(it, True)
        is_plain = not ("list" in word or "multi" in word)
        if may_be_given(it) or note_absent(it, value):
            value = (
                join(value, given(it, kind))
                if is_plain and kind is not None
                else it.unknown("a flag that may be given")
            )
        if isinstance(name, str) and kind is not None and is_plain:
            _SCALARS.of(it)[name] = kind
        _put(it, name, value)
        return _holder(name, default)


for _word in (*_KINDS, "enum_class", "multi_enum_class", "integer_list"):
    _define(_word)


def _default(it: Interpreter, word: str, kind: Value, default: Value, node: Node) -> Value:
    """The value of a flag that is not given."""
    if default is None:
        return None
    if kind is None:
        return it.unknown("a flag of a type that is not understood") if isinstance(default, str) else default
    if "list" in word or "multi" in word:
        if isinstance(default, str) and "list" in word:
            separator = None if word == "spaceseplist" else ","
            return ListValue([part.strip() for part in default.split(separator)]) if default else ListValue([])
        if isinstance(default, ListValue | tuple):
            items, element = it.iterate(default, node)
            return (
                ListValue(None, element) if items is None else ListValue([converted(it, kind, v, node) for v in items])
            )
        return ListValue([converted(it, kind, default, node)])
    if kind is bool and isinstance(default, str):
        return (
            default.lower() in ("true", "t", "1")
            if default.lower() in ("true", "t", "1", "false", "f", "0")
            else it.unknown("a flag")
        )
    return converted(it, kind, default, node)


def _holder(name: Any, default: Value) -> InstanceValue:
    return instance_of(synthetic_class("FlagHolder", _of_holder), name=name, default=default)


def _of_holder(it: Interpreter, holder: InstanceValue, name: str, node: Node) -> Value:
    """`.value` of a flag's holder is the flag as it is now."""
    if name != "value":
        return MISSING
    return _flags(it).attributes.get(holder.attributes.get("name"), it.unknown("a flag"))


def _silent(*names: str) -> None:
    @handles(*names)
    def handle(it: Interpreter, call: Call) -> Value:
        return None


_silent(*(f"absl.logging.{name}" for name in (
    "debug", "info", "warning", "warn", "error", "exception", "log", "vlog", "log_every_n", "log_first_n", "log_if",
    "set_verbosity", "set_stderrthreshold", "use_absl_handler", "flush", "log_every_n_seconds",
)))  # fmt: skip


@handles("absl.logging.fatal")
def _fatal(it: Interpreter, call: Call) -> Value:
    raise ProgramEnds

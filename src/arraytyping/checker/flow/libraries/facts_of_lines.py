"""`arraytyping.facts` on command lines: dataclasses, functions and configuration files with the options of a line."""

from __future__ import annotations

import ast
from typing import Any, Final

from arraytyping.checker.flow.libraries.absl_ import put_configuration
from arraytyping.checker.flow.libraries.absl_lines import take_flag
from arraytyping.checker.flow.libraries.assumed_options import assumed_option, config_modules
from arraytyping.checker.flow.libraries.command_lines import command_line
from arraytyping.checker.flow.libraries.project_files import find_data
from arraytyping.checker.flow.libraries.registry import handles
from arraytyping.checker.flow.python.fields import FieldValue, fields_of
from arraytyping.checker.flow.python.functions import parameters
from arraytyping.checker.flow.state.fresh_sizes import some_int
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.state.joins import join
from arraytyping.checker.flow.state.program_words import note_absent
from arraytyping.checker.flow.values import (
    MISSING,
    ClassValue,
    DictValue,
    FunctionValue,
    InstanceValue,
    ListValue,
    ScalarValue,
    Unknown,
    Value,
)
from arraytyping.checker.flow.values.calls import Call
from arraytyping.checker.flow.values.frames import Frame

Node = ast.AST | None

_SCALARS: Final = {"int": int, "float": float, "str": str, "bool": bool}
_TRUE: Final = ("true", "True", "1", "yes")
_FALSE: Final = ("false", "False", "0", "no")


@handles("arraytyping.facts.command_line")
def _command_line(it: Interpreter, call: Call) -> Value:
    """What `tyro.cli` and its kin give: the target with its defaults, changed as the command line says."""
    given = call.named("target", "default", "arguments")
    target, default = given.get("target"), given.get("default")
    words, is_default = command_line(it, given.get("arguments"), call.node)
    if words is None and not is_default:
        it.engines.havoc(it, [target])
        return it.unknown("a command line that is not known")
    options = _options(words or [])
    if options is None:
        it.engines.havoc(it, [target])
        return it.unknown("a command line that is not understood")
    if isinstance(target, ClassValue) and target.kind == "dataclass":
        return _instance(it, target, default, options, call.node)
    if isinstance(target, FunctionValue):
        return it.call(target, [], _arguments(it, target, options, call.node), call.node)
    it.engines.havoc(it, [target])
    return it.unknown("a command line for what is neither a function nor a dataclass")


@handles("arraytyping.facts.words")
def _words(it: Interpreter, call: Call) -> Value:
    words, is_default = command_line(it, None, call.node)
    if words is None:
        return ListValue([]) if is_default else it.unknown("a command line that is not known")
    return ListValue(list(words))


def _options(words: list[str]) -> dict[str, str] | None:
    """The values of the options by their names; None if a word is no option's."""
    found: dict[str, str] = {}
    rest = list(words)
    while rest:
        word = rest.pop(0)
        if not word.startswith("--"):
            return None
        name, equals, value = word[2:].partition("=")
        name = name.replace("-", "_")
        if not equals:
            value = rest.pop(0) if rest and not rest[0].startswith("--") else ""
            if not value and name.startswith("no_"):
                name, value = name.removeprefix("no_"), "False"
        found[name] = value or "True"
    return found


def _instance(it: Interpreter, cls: ClassValue, default: Value, options: dict[str, str], node: Node) -> Value:
    values: dict[str, Any] = {}
    for name, (base, annotation, frame) in fields_of(cls).items():
        held = base.namespace.get(name, MISSING)
        if isinstance(held, FieldValue) and not held.options.keys() & {"default", "default_factory"}:
            held = MISSING
        inner = {key[len(name) + 1 :]: text for key, text in options.items() if key.startswith(f"{name}.")}
        of_default = default.attributes.get(name, MISSING) if isinstance(default, InstanceValue) else MISSING
        nested = _nested(it, annotation, frame)
        if name in options:
            values[name] = _converted(it, annotation, options[name])
        elif nested is not None and (inner or held is MISSING):
            values[name] = _instance(it, nested, of_default, inner, node)
        elif of_default is not MISSING:
            values[name] = of_default
        elif held is MISSING:
            values[name] = _given(it, name, annotation)
        elif note_absent(it, held):
            values[name] = join(held, _given_for(it, annotation))
    return it.call(cls, [], values, node)


def _arguments(it: Interpreter, function: FunctionValue, options: dict[str, str], node: Node) -> dict[str, Any]:
    spec = function.node.args
    names = parameters(function.node)
    first = len(names) - len(function.defaults)
    needed = {*names[:first], *(p.arg for p, d in zip(spec.kwonlyargs, function.kw_defaults) if d is MISSING)}
    defaults = dict(zip(names[first:], function.defaults))
    defaults |= {p.arg: d for p, d in zip(spec.kwonlyargs, function.kw_defaults) if d is not MISSING}
    values: dict[str, Any] = {}
    for parameter in (*spec.posonlyargs, *spec.args, *spec.kwonlyargs):
        name, annotation = parameter.arg, parameter.annotation
        nested = None if annotation is None else _nested(it, annotation, function.frame)
        if name in options:
            values[name] = it.unknown("an option") if annotation is None else _converted(it, annotation, options[name])
        elif nested is not None and name in needed:
            inner = {key[len(name) + 1 :]: text for key, text in options.items() if key.startswith(f"{name}.")}
            prefix = inner if inner or len(needed) > 1 else options
            values[name] = _instance(it, nested, MISSING, prefix, node)
        elif name in needed:
            values[name] = (
                it.unknown("an option that must be given") if annotation is None else _given(it, name, annotation)
            )
        elif note_absent(it, defaults[name]):
            values[name] = join(defaults[name], _given_for(it, annotation))
    return values


def _nested(it: Interpreter, annotation: Any, frame: Frame) -> ClassValue | None:
    """The dataclass that an annotation names."""
    if not isinstance(annotation, ast.Name | ast.Attribute):
        return None
    with it.quietly(), it.in_frame(frame):
        found = it.evaluate(annotation, frame)
    return found if isinstance(found, ClassValue) and found.kind == "dataclass" else None


def _name_of(annotation: Any) -> str:
    """The name of the type of an option; that of `Annotated` and `Optional` is their first."""
    if isinstance(annotation, ast.Constant) and isinstance(annotation.value, str):
        return annotation.value
    if isinstance(annotation, ast.Subscript):
        item = annotation.slice
        return _name_of(item.elts[0] if isinstance(item, ast.Tuple) and item.elts else item)
    if isinstance(annotation, ast.BinOp):
        return _name_of(annotation.left)
    return getattr(annotation, "id", getattr(annotation, "attr", ""))


def _given(it: Interpreter, name: str, annotation: Any) -> Value:
    """An option that must be given: of its type."""
    kind = _SCALARS.get(_name_of(annotation)) if isinstance(annotation, ast.Name | ast.Constant) else None
    if kind is None:
        return it.unknown("an option that must be given")
    return some_int(it, name) if kind is int else ScalarValue(kind)


def _given_for(it: Interpreter, annotation: Any) -> Value:
    """What an option of such an annotation may be where it is given."""
    kind = _SCALARS.get(_name_of(annotation))
    return it.unknown("an option that may be given") if kind is None else ScalarValue(kind)


def _converted(it: Interpreter, annotation: Any, text: str) -> Value:
    kind = _SCALARS.get(_name_of(annotation))
    try:
        if kind is bool:
            return text in _TRUE if text in (*_TRUE, *_FALSE) else it.unknown("an option")
        return it.unknown("an option of a type of its own") if kind is None else kind(text)
    except ValueError:
        return it.unknown("an option that its type refuses")


# ---------------------------------------------------------------------- configuration files


@handles("arraytyping.facts.config_file")
def _config_file(it: Interpreter, call: Call) -> Any:
    """The flag of `ml_collections` whose value is what `get_config` gives in the file that it names."""
    given = call.named("name", "default")
    name, path = given.get("name"), given.get("default")
    if not isinstance(name, str):
        return it.unknown("a flag of unknown name")
    words, _ = command_line(it, None, call.node)
    options = take_flag(words or [], name)[0]
    text = options.pop("", path)
    is_there = not isinstance(text, str) or find_data(it, text.partition(":")[0]) is not None
    if words is None and (text is None or not is_there):  # a default that lies nowhere has to be given as well
        text = assumed_option(it, f"--{name}", lambda: config_modules(it))
    if not isinstance(text, str):
        value = None if text is None and words else it.unknown("a configuration file that must be given")
    else:
        file, _, argument = text.partition(":")
        value = _changed(it, _get_config(it, file, argument, call.node), options, call.node)
    return put_configuration(it, name, value)


@handles("arraytyping.facts.config_value")
def _config_value(it: Interpreter, call: Call) -> Value:
    given = call.named("name", "value")
    name = given.get("name")
    if not isinstance(name, str):
        return it.unknown("a flag of unknown name")
    words, _ = command_line(it, None, call.node)
    return put_configuration(it, name, _changed(it, given.get("value"), take_flag(words or [], name)[0], call.node))


def _let_be_given(it: Interpreter, config: Value) -> None:
    """Fields of a configuration that are empty texts may be given, where that is assumed."""
    fields = config.attributes.get("_fields") if isinstance(config, InstanceValue) else None
    if not isinstance(fields, DictValue) or fields.items is None:
        return
    for key, value in list(fields.items.items()):
        if isinstance(value, InstanceValue):
            _let_be_given(it, value)
        elif type(value) is str and note_absent(it, value):
            it.journal.touch(fields)
            fields.items[key] = ScalarValue(str)


def _get_config(it: Interpreter, file: str, argument: str, node: Node) -> Any:
    found = find_data(it, file)
    if found is None:
        return it.unknown(f"the configuration file {file}, which is not there")
    module = it.importer.load(it, f"configuration {found.stem}", found, False)
    function = module.frame.variables.get("get_config") if module is not None else None
    if not isinstance(function, FunctionValue):
        return it.unknown(f"the configuration file {file}, which has no get_config")
    return it.call(function, [argument] if argument else [], {}, node)


def _changed(it: Interpreter, config: Any, options: dict[str, str], node: Node) -> Any:
    """A configuration with what the command line says, or may say, of its fields."""
    _let_be_given(it, config)
    for path, text in options.items():
        *parts, last = path.split(".")
        place = config
        for part in parts:
            place = it.get_item(place, part, node)
        if isinstance(place, Unknown):
            return config
        before: Any = it.get_item(place, last, node)
        kind = type(before) if type(before) in (int, float, str) else None
        value = text in _TRUE if type(before) is bool else None if kind is None else kind(text)
        it.put_item(place, last, it.unknown("an option of a type of its own") if value is None else value, node)
    return config


@handles("arraytyping.facts.named")
def _named(it: Interpreter, call: Call) -> Value:
    """What a dotted name stands for."""
    name = call.argument(0, "name")
    if not isinstance(name, str):
        return it.unknown("a name that is not known")
    parts = name.split(".")
    frame = it.importer.loaded[0].frame if it.importer.loaded else it.frame
    for i in range(len(parts) - 1, 0, -1):
        base = ".".join(parts[:i])
        with it.quietly():
            module = it.importer.resolved(it, it.importer.import_module(it, base, call.node or ast.Pass(), frame, True))
        if not isinstance(module, Unknown):
            found = module
            for part in parts[i:]:
                found = it.get_attribute(found, part, call.node)
            return found
    return it.unknown(f"{name}, which is not found")

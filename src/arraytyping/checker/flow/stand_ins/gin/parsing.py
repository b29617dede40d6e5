"""What configurations of `gin` say, as texts and in files.

Source: https://github.com/google/gin-config/blob/master/docs/index.md.
"""

import importlib
import os

from arraytyping import facts

from . import bindings as _bindings
from .bindings import CONSTANTS, STATE, Reference

_PREFIXES = [""]
_HOOKS = []


def _value(written):
    what, value, is_called = written
    if what == "literal":
        return value
    if what == "reference":
        return Reference(value, is_called)
    if what == "macro":
        found = _bindings.matching(CONSTANTS, value)
        return Reference(found[0] + "/gin.constant" if found else value + "/gin.macro", True)
    if what == "dict":
        return {_value(key): _value(item) for key, item in value}
    items = [_value(item) for item in value]
    return tuple(items) if what == "tuple" else items


def _take(statements, skip_unknown):
    if not facts.is_known(statements):
        return _bindings.open_up()
    for statement in statements:
        if statement[0] == "include":
            parse_config_file(statement[1], skip_unknown)
        elif statement[0] == "import":
            if "__gin__" in statement[1]:
                _bindings.open_up()  # what is registered as it is named is not followed
            else:
                try:
                    importlib.import_module(statement[1])
                except ImportError:
                    pass
        else:
            _, scope, selector, name, written = statement
            if name:
                _bindings.bind(scope, selector, name, _value(written))
            else:
                _bindings.bind(selector, "gin.macro", "value", _value(written))


def parse_config(bindings, skip_unknown=False):
    if not hasattr(bindings, "read") and isinstance(bindings, (list, tuple)):
        if facts.is_known(bindings):
            bindings = "\n".join(bindings)
        else:
            for binding in bindings:
                parse_config(binding, skip_unknown)
            bindings = ""
    _take(facts.parsed("gin", bindings), skip_unknown)
    return facts.reads_only("what a configuration of gin includes and imports")


def parse_config_file(config_file, skip_unknown=False, print_includes_and_imports=False):
    if not facts.is_known(config_file):
        return _bindings.open_up()
    text = facts.text()
    for prefix in [""] if os.path.isabs(config_file) else _PREFIXES:
        if not facts.is_known(text):
            text = facts.file_text(os.path.join(prefix, config_file))
    _take(facts.parsed("gin", text), skip_unknown)
    return facts.reads_only("what a configuration of gin includes and imports")


def parse_config_files_and_bindings(
    config_files, bindings, finalize_config=True, skip_unknown=False, print_includes_and_imports=False
):
    if config_files is not None:
        for config_file in config_files:
            parse_config_file(config_file, skip_unknown)
    parse_config("" if bindings is None else bindings, skip_unknown)
    if finalize_config:
        finalize()
    return facts.reads_only("what configurations of gin include and import")


def parse_value(value):
    statements = facts.parsed("gin", "value = " + value)
    return _value(statements[0][4]) if facts.is_known(statements) else facts.unknown("a value that gin parses")


def add_config_file_search_path(location_prefix):
    _PREFIXES.append(location_prefix)


def register_file_reader(*args):
    """A file may be found otherwise then."""
    if len(args) == 1:
        return lambda reader: register_file_reader(reader, args[0])
    facts.call_with_anything(args[0])


def register_finalize_hook(fn):
    _HOOKS.append(fn)
    return fn


def finalize():
    if _HOOKS:
        for hook in _HOOKS:
            facts.call_with_anything(hook)
        _bindings.open_up()
    STATE["is_locked"] = True

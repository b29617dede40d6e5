"""`exec` and `globals()`: code in a text or a file of the project that is known, and the names of a module.

Source: https://docs.python.org/3/library/functions.html#exec.
"""

from __future__ import annotations

import ast
import functools
from pathlib import Path
from typing import Final

from arraytyping.checker.flow.libraries.project_files import find_data
from arraytyping.checker.flow.libraries.registry import handles
from arraytyping.checker.flow.state.certainty import doubting
from arraytyping.checker.flow.state.forgetting import forget_reachable
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.syntax.statements import execute
from arraytyping.checker.flow.values import (
    ArrayValue,
    DictValue,
    InstanceValue,
    ListValue,
    NumPyValue,
    ScalarValue,
    SetValue,
    Value,
    is_concrete,
)
from arraytyping.checker.flow.values.calls import Call
from arraytyping.checker.flow.values.frames import Frame, Module
from arraytyping.checker.flow.values.module_names import ModuleNames
from arraytyping.regular_files import read_regular_text

__all__: list[str] = []

_MADE_AT_RUN_TIME: Final = "code that is made at run time"
_DATA: Final = (ArrayValue, NumPyValue, ScalarValue, ListValue, DictValue, SetValue, InstanceValue, tuple)
_MOST_CHARACTERS: Final = 100_000


@handles("builtins.globals")
def _globals(it: Interpreter, call: Call) -> Value:
    frame = it.frame.module.frame
    names = {name: it.importer.resolved(it, value) for name, value in list(frame.variables.items())}
    return ModuleNames(names, frame, lambda: _forget_names(it, frame, "what globals() is given"))


@handles("builtins.locals")
def _locals(it: Interpreter, call: Call) -> Value:
    """In a function a dict of its own, in a module the same as `globals()`."""
    frame = it.frame
    if frame.kind == "module":
        return _globals(it, call)
    code = frame.function.node if frame.kind == "function" and frame.function is not None else None
    if not isinstance(code, ast.FunctionDef) or frame.parent is None or frame.parent.kind == "function":
        return it.unknown("locals()")
    names = _local_names(code)
    if names is None or not frame.variables.keys() <= names.keys():
        return it.unknown("locals()")
    return DictValue({n: it.importer.resolved(it, frame.variables[n]) for n in names if n in frame.variables})


@functools.lru_cache(maxsize=256)
def _local_names(code: ast.FunctionDef) -> dict[str, None] | None:
    """The names of a function's variables in the order in which Python has them; None if not all are seen."""
    nodes = [node for statement in code.body for node in ast.walk(statement)]
    if any(isinstance(n, ast.Name) and n.id in ("super", "__class__") for n in nodes):  # which bring one more
        return None
    if any(isinstance(n, ast.FunctionDef | ast.Lambda | ast.ClassDef | ast.Import | ast.ImportFrom) for n in nodes):
        return None
    given = [*code.args.posonlyargs, *code.args.args, *code.args.kwonlyargs, code.args.vararg, code.args.kwarg]
    bound = [n for n in nodes if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)]
    bound.sort(key=lambda n: (n.lineno, n.col_offset))
    return dict.fromkeys([*(a.arg for a in given if a is not None), *(n.id for n in bound)])


@handles("builtins.eval", "builtins.compile", "builtins.__import__")
def _eval(it: Interpreter, call: Call) -> Value:
    it.engines.havoc(it, call.values)
    return it.unknown(_MADE_AT_RUN_TIME)


@handles("builtins.exec")
def _exec(it: Interpreter, call: Call) -> Value:
    """What the code binds goes into the dicts that are given; without any, or with `globals()`, into the module."""
    scopes = [*call.args[1:], *call.kwargs.values()]
    is_module = it.frame.kind == "module" and all(isinstance(scope, ModuleNames) for scope in scopes)
    if is_module and (found := _text_of(it, call)) is not None and _execute(it, *found):
        return None
    for scope in scopes:
        if not isinstance(scope, ModuleNames):
            forget_reachable(it.journal.touch, scope, _MADE_AT_RUN_TIME)
    if not any(isinstance(scope, DictValue) and not isinstance(scope, ModuleNames) for scope in scopes[:1]):
        _forget_names(it, it.frame.module.frame, _MADE_AT_RUN_TIME)
    it.engines.havoc(it, call.values)
    return None


def _forget_names(it: Interpreter, frame: Frame, why: str) -> None:
    """What a module's names hold may be anything; functions, classes and modules are not what is bound anew."""
    for name, value in list(frame.variables.items()):
        if isinstance(value, _DATA) or (is_concrete(value) and not callable(value)):
            it.journal.bind(frame, name, it.unknown(why))


def _text_of(it: Interpreter, call: Call) -> tuple[str, Path | None] | None:
    """The code that is executed, and the file that it is from: a text, or `open(path).read()` of a known path."""
    if type(code := call.args[0] if call.args else None) is str:
        return code, None
    given = call.node.args[0] if isinstance(call.node, ast.Call) and call.node.args else None
    if not (isinstance(given, ast.Call) and isinstance(given.func, ast.Attribute) and given.func.attr == "read"):
        return None
    opened = given.func.value
    if not (isinstance(opened, ast.Call) and isinstance(opened.func, ast.Name) and opened.func.id == "open"):
        return None
    if len(opened.args) != 1 or not isinstance(opened.args[0], ast.Constant | ast.Name):
        return None
    path = find_data(it, it.evaluate(opened.args[0], it.frame))
    text = None if path is None else read_regular_text(path)
    return None if text is None or len(text) > _MOST_CHARACTERS else (text, path)


def _execute(it: Interpreter, text: str, path: Path | None) -> bool:
    """Execute a text as a part of the module that is being executed; whether it is Python."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError):
        return False
    around = it.frame
    module = Module(around.module.name, path or around.module.path, text, tree, path is not None, False)
    module.shown = str(path) if path is not None else around.module.shown
    if path is not None:
        module.shown = it.importer.shown.get(path.resolve(), module.shown)
        it.importer.loaded.append(module)
    frame = module.frame
    frame.variables = around.variables
    frame.mark = it.journal.mark
    with it.in_frame(frame), doubting(it, frame):
        execute(it, tree.body, frame)
    return True

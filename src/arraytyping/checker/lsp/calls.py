"""The call around the cursor: the parameters of what is called, and which of them the arguments are given to.

While a call is written, its text mostly does not parse.  It is mended then: what is missing is put at the cursor.
"""

from __future__ import annotations

import ast
import inspect
import io
import tokenize
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from arraytyping.checker.lsp.sources import imports_of
from arraytyping.checker.program_trees import parsed
from arraytyping.semantics.rules.registry import RULES

__all__ = ["OpenCall", "Parameter", "open_call"]

_CLOSING: Final = {"(": ")", "[": "]", "{": "}"}
_OPERAND: Final = "None"
"""What stands for an operand that is not written yet: no array, so that nothing is claimed of it."""


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter, as its function writes it, and the argument that is given to it here."""

    name: str
    text: str
    argument: ast.expr | None = None


@dataclass(frozen=True, slots=True)
class OpenCall:
    """A call in a text that parses, with the parameters of what it calls; the active one is where the cursor is."""

    source: str
    node: ast.Call
    name: str
    parameters: tuple[Parameter, ...]
    active: int | None


def open_call(source: str, line: int, column: int) -> OpenCall | None:
    """The innermost call around a place, if it is known what is called; lines from 1, columns in bytes."""
    for text in _mended(source, line, column):
        tree = parsed(text)
        if tree is None:
            continue
        call = _innermost(tree, (line, column))
        if call is None:
            return None
        signature = _signature(tree, call)
        if signature is None:
            return None
        parameters = _bound(signature, call)
        return OpenCall(text, call, ast.unparse(call.func), parameters, _active(call, parameters, (line, column)))
    return None


def _mended(source: str, line: int, column: int) -> Iterator[str]:
    """The text, and what it may become."""
    yield source
    lines = source.split("\n")
    if line > len(lines):
        return
    data = lines[line - 1].encode()
    head, tail = data[:column].decode(errors="replace"), data[column:].decode(errors="replace")
    before, after = [*lines[: line - 1], head], lines[line:]
    for operand in ("", _OPERAND):
        yield "\n".join([*before[:-1], head + operand + tail, *after])
    closing = _closing("\n".join(before))
    for end in ("", ":", ": pass"):
        for operand in ("", _OPERAND):
            yield "\n".join([*before[:-1], head + operand + closing + end, *after])


def _closing(text: str) -> str:
    """What closes the brackets that a text leaves open."""
    opened: list[str] = []
    try:
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            if token.type == tokenize.OP and token.string in _CLOSING:
                opened.append(_CLOSING[token.string])
            elif token.type == tokenize.OP and opened and token.string == opened[-1]:
                opened.pop()
    except (tokenize.TokenError, SyntaxError):
        pass  # the text ends within a bracket
    return "".join(reversed(opened))


def _innermost(tree: ast.Module, at: tuple[int, int]) -> ast.Call | None:
    around = [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
        and (node.func.end_lineno or 0, node.func.end_col_offset or 0)
        < at
        < (node.end_lineno or 0, node.end_col_offset or 0)
    ]
    return max(around, key=lambda node: (node.func.end_lineno or 0, node.func.end_col_offset or 0), default=None)


def _signature(tree: ast.Module, call: ast.Call) -> list[tuple[str, str, inspect._ParameterKind]] | None:
    """The parameters that a call can give, of a function of this text or of jax."""
    function = call.func
    if isinstance(function, ast.Name):
        found = _defined(tree, function.id)
        if found is not None:
            return found
    if isinstance(function, ast.Attribute) and isinstance(function.value, ast.Name) and function.value.id == "self":
        return _method(tree, call, function.attr)
    name = _dotted(function, imports_of(tree))
    rule = RULES.get(name.removeprefix("jax.")) if name is not None and name.startswith("jax.") else None
    if rule is None:
        return None
    return [(p.name, _written(p), p.kind) for p in rule.signature.parameters.values()]


def _written(parameter: inspect.Parameter) -> str:
    shown = parameter.replace(annotation=inspect.Parameter.empty)
    default = parameter.default
    is_plain = default is inspect.Parameter.empty or isinstance(default, str | int | float | bool | None)
    return str(shown) if is_plain else f"{parameter.name}=..."


def _dotted(function: ast.expr, imports: dict[str, str]) -> str | None:
    parts: list[str] = []
    while isinstance(function, ast.Attribute):
        parts.append(function.attr)
        function = function.value
    if not isinstance(function, ast.Name) or function.id not in imports:
        return None
    return ".".join([imports[function.id], *reversed(parts)])


def _defined(tree: ast.Module, name: str) -> list[tuple[str, str, inspect._ParameterKind]] | None:
    """Those of the only function or class of a name, or of what is jitted under it; None if there are several."""
    found: list[ast.AST] = [
        node
        for node in ast.walk(tree)
        if (isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) and node.name == name)
        or (isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Store))
        or (isinstance(node, ast.arg) and node.arg == name)
    ]
    if len(found) != 1:
        return None
    node = found[0]
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        is_method = any(isinstance(c, ast.ClassDef) and node in c.body for c in ast.walk(tree))
        return None if is_method else [*_parameters(node.args)]
    if isinstance(node, ast.ClassDef):
        made = [n for n in node.body if isinstance(n, ast.FunctionDef) and n.name == "__init__"]
        return [*_parameters(made[0].args)][1:] if len(made) == 1 and not node.decorator_list else None
    jitted = [n.value for n in ast.walk(tree) if isinstance(n, ast.Assign) and n.targets == [node]]
    if (
        len(jitted) == 1
        and isinstance(call := jitted[0], ast.Call)
        and call.args
        and isinstance(call.args[0], ast.Name)
    ):
        is_jit = _dotted(call.func, imports_of(tree)) == "jax.jit"
        return _defined(tree, call.args[0].id) if is_jit and call.args[0].id != name else None
    return None


def _method(tree: ast.Module, call: ast.Call, name: str) -> list[tuple[str, str, inspect._ParameterKind]] | None:
    """Those of a method of the class around a call."""
    for cls in ast.walk(tree):
        if isinstance(cls, ast.ClassDef) and call in ast.walk(cls):
            for node in cls.body:
                if isinstance(node, ast.FunctionDef) and node.name == name and not node.decorator_list:
                    return [*_parameters(node.args)][1:]
    return None


def _parameters(arguments: ast.arguments) -> Iterator[tuple[str, str, inspect._ParameterKind]]:
    positional = [*arguments.posonlyargs, *arguments.args]
    defaults = [None] * (len(positional) - len(arguments.defaults)) + list(arguments.defaults)
    for number, (argument, default) in enumerate(zip(positional, defaults)):
        only = number < len(arguments.posonlyargs)
        kind = inspect.Parameter.POSITIONAL_ONLY if only else inspect.Parameter.POSITIONAL_OR_KEYWORD
        yield argument.arg, _with_default(argument.arg, default), kind
    if arguments.vararg is not None:
        yield arguments.vararg.arg, f"*{arguments.vararg.arg}", inspect.Parameter.VAR_POSITIONAL
    for argument, default in zip(arguments.kwonlyargs, arguments.kw_defaults):
        yield argument.arg, _with_default(argument.arg, default), inspect.Parameter.KEYWORD_ONLY
    if arguments.kwarg is not None:
        yield arguments.kwarg.arg, f"**{arguments.kwarg.arg}", inspect.Parameter.VAR_KEYWORD


def _with_default(name: str, default: ast.expr | None) -> str:
    return name if default is None else f"{name}={ast.unparse(default)}"


def _bound(signature: list[tuple[str, str, inspect._ParameterKind]], call: ast.Call) -> tuple[Parameter, ...]:
    """The parameters with their arguments, as far as these are no `*args` or `**kwargs`."""
    given = {k.arg: k.value for k in call.keywords if k.arg is not None}
    positional: list[ast.expr] = []
    for argument in call.args:
        if isinstance(argument, ast.Starred):
            break
        positional.append(argument)
    found = []
    for name, text, kind in signature:
        argument_: ast.expr | None = None
        if kind in (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD) and positional:
            argument_ = positional.pop(0)
        elif kind in (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY):
            argument_ = given.get(name)
        found.append(Parameter(name, text, argument_))
    return tuple(found)


def _active(call: ast.Call, parameters: tuple[Parameter, ...], at: tuple[int, int]) -> int | None:
    """The parameter whose argument the cursor is in or behind, else the one that comes next."""
    for number, parameter in enumerate(parameters):
        node = parameter.argument
        if node is not None and (node.lineno, node.col_offset) <= at <= (
            node.end_lineno or 0,
            node.end_col_offset or 0,
        ):
            return number
    for keyword in call.keywords:
        if (keyword.lineno, keyword.col_offset) <= at <= (keyword.end_lineno or 0, keyword.end_col_offset or 0):
            return next((n for n, p in enumerate(parameters) if p.name == keyword.arg), None)
    before = sum((a.end_lineno or 0, a.end_col_offset or 0) <= at for a in call.args)
    if any(isinstance(a, ast.Starred) for a in call.args):
        return None
    return before if before < len(parameters) else None

"""Files that are opened: their text and bytes, of which nothing else is known, see the stand-in `opened_files`."""

from __future__ import annotations

import ast

from arraytyping.checker.flow.libraries.registry import handles
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.syntax.with_blocks import ContextValue
from arraytyping.checker.flow.values import LazyName, Value

__all__: list[str] = []


def _opened(it: Interpreter, args: list[Value], kwargs: dict[str, Value], node: ast.AST | None, mode: str) -> Value:
    given = args[1] if len(args) > 1 else kwargs.get("mode", mode)
    it.may_raise += 1  # it may not be there
    if not isinstance(given, str):
        return ContextValue("open", it.unknown("a file that is opened in an unknown mode"))
    name = "BinaryFile" if "b" in given else "TextFile"
    return it.call(it.importer.resolve(it, LazyName("opened_files", name)), [], {}, node)


@handles("builtins.open", "io.open")
def _open(it: Interpreter, args: list[Value], kwargs: dict[str, Value], node: ast.AST | None) -> Value:
    return _opened(it, args, kwargs, node, "r")


@handles("gzip.open", "bz2.open", "lzma.open")
def _open_compressed(it: Interpreter, args: list[Value], kwargs: dict[str, Value], node: ast.AST | None) -> Value:
    """Bytes, unless text is asked for with `t`."""
    given = args[1] if len(args) > 1 else kwargs.get("mode", "rb")
    mode = given if not isinstance(given, str) or "t" in given else f"{given}b"
    return _opened(it, [None, mode], {}, node, "rb")

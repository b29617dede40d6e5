"""Files that are opened: what is in those that are configurations of the project, and of others their text and bytes.

A file that the program may have written is not read.  See the stand-in `opened_files`.
"""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Any, Final, TypeGuard

from arraytyping.checker.flow.libraries.parsed_texts import PARSERS, parsed_text
from arraytyping.checker.flow.libraries.project_files import find_data
from arraytyping.checker.flow.libraries.registry import handles
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.state.run_slots import RunSlot
from arraytyping.checker.flow.syntax.with_blocks import ContextValue
from arraytyping.checker.flow.values import InstanceValue, LazyName, ScalarValue, Value
from arraytyping.regular_files import read_regular_text

__all__: list[str] = []

_CONFIGURATIONS: Final = (".json", ".yaml", ".yml", ".toml")
_MOST_BYTES: Final = 100_000
"""What is longer is data, and no configuration."""
_WRITTEN: Final[RunSlot[set[Path | None]]] = RunSlot("the files that were opened to be written; None: any", set)

Kwargs = dict[str, Any]
Node = ast.AST | None


def _opened(it: Interpreter, args: list[Value], kwargs: Kwargs, node: Node, mode: str) -> Value:
    given = args[1] if len(args) > 1 else kwargs.get("mode", mode)
    it.may_raise += 1  # it may not be there
    if not isinstance(given, str):
        return ContextValue("open", it.unknown("a file that is opened in an unknown mode"))
    path = args[0] if args else kwargs.get("file", kwargs.get("filename"))
    if set(given) & set("wax+"):
        _WRITTEN.of(it).add(Path(path).resolve() if isinstance(path, str | Path) else None)
    name = "BinaryFile" if "b" in given else "TextFile"
    return it.call(it.importer.resolve(it, LazyName("opened_files", name)), [path], {}, node)


@handles("builtins.open", "io.open")
def _open(it: Interpreter, args: list[Value], kwargs: Kwargs, node: Node) -> Value:
    return _opened(it, args, kwargs, node, "r")


@handles("pathlib.Path.open")
def _open_path(it: Interpreter, args: list[Value], kwargs: Kwargs, node: Node) -> Value:
    return _opened(it, args, kwargs, node, "r")


@handles("pathlib.Path.read_text")
def _read_path(it: Interpreter, args: list[Value], kwargs: Kwargs, node: Node) -> Value:
    it.may_raise += 1
    return _file_text(it, args, {}, node)


@handles("pathlib.Path.read_bytes")
def _read_bytes(it: Interpreter, args: list[Value], kwargs: Kwargs, node: Node) -> Value:
    it.may_raise += 1
    return ScalarValue(bytes)


@handles("pathlib.Path.write_text", "pathlib.Path.write_bytes")
def _write_path(it: Interpreter, args: list[Value], kwargs: Kwargs, node: Node) -> Value:
    it.may_raise += 1
    _WRITTEN.of(it).add(Path(args[0]).resolve() if isinstance(args[0], str | Path) else None)
    return ScalarValue(int)


@handles("gzip.open", "bz2.open", "lzma.open")
def _open_compressed(it: Interpreter, args: list[Value], kwargs: Kwargs, node: Node) -> Value:
    """Bytes, unless text is asked for with `t`."""
    given = args[1] if len(args) > 1 else kwargs.get("mode", "rb")
    mode = given if not isinstance(given, str) or "t" in given else f"{given}b"
    return _opened(it, [it.unknown("a compressed file"), mode], {}, node, "rb")


# ---------------------------------------------------------------------- configurations


@handles("arraytyping.facts.file_text")
def _file_text(it: Interpreter, args: list[Value], kwargs: Kwargs, node: Node) -> Value:
    text = _text_of(it, args[0] if args else kwargs.get("path"))
    return ScalarValue(str) if text is None else text


def _text_of(it: Interpreter, path: Value) -> str | None:
    """What is in a configuration of the project; None if it is none, or may have been written."""
    if not isinstance(path, str | Path) or Path(path).suffix not in _CONFIGURATIONS:
        return None
    file, written = find_data(it, path), _WRITTEN.of(it)
    if file is None or None in written or file in written or file.stat().st_size > _MOST_BYTES:
        return None
    try:
        return read_regular_text(file)
    except (OSError, UnicodeDecodeError):
        return None


@handles("arraytyping.facts.parsed")
def _parsed(it: Interpreter, args: list[Value], kwargs: Kwargs, node: Node) -> Value:
    """What a text or a file is as JSON, TOML or YAML."""
    given = {**dict(zip(("format", "source"), args)), **kwargs}
    what, source = given.get("format"), given.get("source")
    it.may_raise += 1
    text = _text_of(it, source.attributes.get("_path")) if _is_file(source) else source
    if not isinstance(text, str) or what not in PARSERS:
        return it.unknown(f"what is read from {str(what).upper()}")
    return parsed_text(it, what, lambda: text, f"{what.upper()} that cannot be read")


def _is_file(value: Value) -> TypeGuard[InstanceValue]:
    return isinstance(value, InstanceValue) and value.cls.name in ("TextFile", "BinaryFile")


@handles("json.load", "json.loads")
def _json(it: Interpreter, args: list[Value], kwargs: Kwargs, node: Node) -> Value:
    return _of_standard_library(it, "json", args, kwargs, node)


@handles("tomllib.load", "tomllib.loads")
def _toml(it: Interpreter, args: list[Value], kwargs: Kwargs, node: Node) -> Value:
    return _of_standard_library(it, "toml", args, kwargs, node)


def _of_standard_library(it: Interpreter, what: str, args: list[Value], kwargs: Kwargs, node: Node) -> Value:
    source = args[0] if args else kwargs.get("fp", kwargs.get("s"))
    if set(kwargs) - {"fp", "s"}:  # with a hook
        it.may_raise += 1
        return it.unknown("what is read with a function of the program's")
    return _parsed(it, [what, source], {}, node)

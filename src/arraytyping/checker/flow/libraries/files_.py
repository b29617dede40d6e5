"""Files that are opened: what is in those that are configurations of the project, and of others their text and bytes.

A file that the program may have written is not read.  See the stand-in `opened_files`.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final, TypeGuard

from arraytyping.checker.flow.libraries.parsed_texts import PARSERS, parsed_text
from arraytyping.checker.flow.libraries.project_files import find_data
from arraytyping.checker.flow.libraries.registry import handles
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.state.run_slots import RunSlot
from arraytyping.checker.flow.syntax.with_blocks import ContextValue
from arraytyping.checker.flow.values import InstanceValue, LazyName, ScalarValue, Value
from arraytyping.checker.flow.values.calls import Call
from arraytyping.regular_files import read_regular_text

__all__: list[str] = []

_CONFIGURATIONS: Final = (".json", ".yaml", ".yml", ".toml", ".gin", ".ini", ".cfg", ".conf")
_MOST_BYTES: Final = 100_000
"""What is longer is data, and no configuration."""
_WRITTEN: Final[RunSlot[set[Path | None]]] = RunSlot("the files that were opened to be written; None: any", set)


def _opened(it: Interpreter, call: Call, mode: str) -> Value:
    given = call.argument(1, "mode", mode)
    it.may_raise += 1  # it may not be there
    if not isinstance(given, str):
        return ContextValue("open", it.unknown("a file that is opened in an unknown mode"))
    path = call.args[0] if call.args else call.kwargs.get("file", call.kwargs.get("filename"))
    if set(given) & set("wax+"):
        _WRITTEN.of(it).add(Path(path).resolve() if isinstance(path, str | Path) else None)
    name = "BinaryFile" if "b" in given else "TextFile"
    return it.call(it.importer.resolve(it, LazyName("opened_files", name)), [path], {}, call.node)


@handles("builtins.open", "io.open")
def _open(it: Interpreter, call: Call) -> Value:
    return _opened(it, call, "r")


@handles("pathlib.Path.open")
def _open_path(it: Interpreter, call: Call) -> Value:
    return _opened(it, call, "r")


@handles("pathlib.Path.read_text")
def _read_path(it: Interpreter, call: Call) -> Value:
    it.may_raise += 1
    return _file_text(it, call.with_kwargs({}))


@handles("pathlib.Path.read_bytes")
def _read_bytes(it: Interpreter, call: Call) -> Value:
    it.may_raise += 1
    return ScalarValue(bytes)


@handles("pathlib.Path.write_text", "pathlib.Path.write_bytes")
def _write_path(it: Interpreter, call: Call) -> Value:
    it.may_raise += 1
    _WRITTEN.of(it).add(Path(call.args[0]).resolve() if isinstance(call.args[0], str | Path) else None)
    return ScalarValue(int)


@handles("gzip.open", "bz2.open", "lzma.open")
def _open_compressed(it: Interpreter, call: Call) -> Value:
    """Bytes, unless text is asked for with `t`."""
    given = call.argument(1, "mode", "rb")
    mode = given if not isinstance(given, str) or "t" in given else f"{given}b"
    return _opened(it, Call([it.unknown("a compressed file"), mode], {}, call.node), "rb")


# ---------------------------------------------------------------------- configurations


@handles("arraytyping.facts.file_text")
def _file_text(it: Interpreter, call: Call) -> Value:
    text = _text_of(it, call.argument(0, "path"))
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
def _parsed(it: Interpreter, call: Call) -> Value:
    """What a text or a file is as JSON, TOML or YAML."""
    given = call.named("format", "source")
    what, source = given.get("format"), given.get("source")
    it.may_raise += 1
    text = _text_of(it, source.attributes.get("_path")) if _is_file(source) else source
    if not isinstance(text, str) or what not in PARSERS:
        return it.unknown(f"what is read from {str(what).upper()}")
    return parsed_text(it, what, lambda: text, f"{what.upper()} that cannot be read")


def _is_file(value: Value) -> TypeGuard[InstanceValue]:
    return isinstance(value, InstanceValue) and value.cls.name in ("TextFile", "BinaryFile")


@handles("json.load", "json.loads")
def _json(it: Interpreter, call: Call) -> Value:
    return _of_standard_library(it, "json", call)


@handles("tomllib.load", "tomllib.loads")
def _toml(it: Interpreter, call: Call) -> Value:
    return _of_standard_library(it, "toml", call)


def _of_standard_library(it: Interpreter, what: str, call: Call) -> Value:
    source = call.args[0] if call.args else call.kwargs.get("fp", call.kwargs.get("s"))
    if set(call.kwargs) - {"fp", "s"}:  # with a hook
        it.may_raise += 1
        return it.unknown("what is read with a function of the program's")
    return _parsed(it, Call([what, source], {}, call.node))

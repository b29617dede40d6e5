"""`arraytyping.facts` on files of the project: data that programs read, and configurations."""

from __future__ import annotations

import ast
import importlib
import json
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from arraytyping.checker.flow.libraries.command_lines import ARGUMENTS
from arraytyping.checker.flow.libraries.registry import handles
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.values import DictValue, ListValue, ScalarValue
from arraytyping.checker.swallowed import swallow
from arraytyping.regular_files import read_regular_text

__all__ = ["data_value", "find_data"]

Kwargs = dict[str, Any]
Node = ast.AST | None

_MOST_BYTES: Final = 1_000_000
_OF_ENVIRONMENT: Final = "oc.env:"
"""In an interpolation that gives a text of the environment."""


@handles("arraytyping.facts.read_data")
def _read_data(it: Interpreter, args: list[Any], kwargs: Kwargs, node: Node) -> Any:
    path = args[0] if args else kwargs.get("path")
    file = find_data(it, path)
    return it.unknown("a file that is not there, or not known") if file is None else data_value(it, file)


def find_data(it: Interpreter, path: Any) -> Path | None:
    """A file that the program names, relative to where it is run or to itself."""
    if not isinstance(path, str | Path):
        return None
    for directory in places(it):
        file = (directory / path).resolve()
        if is_inside(it, file) and file.is_file() and file.stat().st_size < _MOST_BYTES:
            it.importer.data.add(file)
            return file
    return None


def places(it: Interpreter) -> Iterator[Path]:
    """Where files may lie that a program names: where it is run, beside it, and above that up to its root."""
    yield Path.cwd()
    yield main_directory(it)
    yield from it.importer.roots


def is_inside(it: Interpreter, path: Path) -> bool:
    """Whether a path lies where the program is run, beside it, or under its roots: nothing else is read."""
    return any(path.is_relative_to(place.resolve()) for place in places(it))


def main_directory(it: Interpreter) -> Path:
    """Where the program's own file lies."""
    main = it.importer.modules.get("__main__") or next(iter(it.importer.loaded), None)
    return Path.cwd() if main is None else main.path.resolve().parent


def data_value(it: Interpreter, file: Path) -> Any:
    """What is in a file of data; unknown if it cannot be read."""
    try:
        text = read_regular_text(file)
        if file.suffix == ".json":
            found = json.loads(text)
        elif file.suffix == ".toml":
            found = tomllib.loads(text)
        else:
            found = importlib.import_module("yaml").safe_load(text)
    except Exception as error:  # of a parser that may not be installed
        swallow(error)
        return it.unknown(f"the file {file.name}, which cannot be read")
    return it.engines.from_python(found)


@handles("arraytyping.facts.hydra_config")
def _hydra_config(it: Interpreter, args: list[Any], kwargs: Kwargs, node: Node) -> Any:
    """What hydra's own `compose` makes of the files beside the program."""
    given = {**dict(zip(("config_path", "config_name"), args)), **kwargs}
    path, name = given.get("config_path"), given.get("config_name")
    if not isinstance(name, str) or not isinstance(path, str | None):
        return it.unknown("a configuration whose name is not known")
    directory = (main_directory(it) / (path or ".")).resolve()
    words = ARGUMENTS.of(it)
    overrides = [word for word in words or () if isinstance(word, str)]
    if not directory.is_dir() or not is_inside(it, directory) or (words is not None and len(overrides) < len(words)):
        return it.unknown("a configuration that is not there, or whose overrides are not known")
    it.importer.data.update(file for file in directory.rglob("*.yaml"))
    try:
        hydra = importlib.import_module("hydra")
        omegaconf = importlib.import_module("omegaconf").OmegaConf
        with hydra.initialize_config_dir(str(directory), version_base=None):
            composed = hydra.compose(name, overrides)
        return _resolved(it, omegaconf, composed)
    except Exception as error:  # hydra is not installed, or refuses
        swallow(error)
        return it.unknown(f"the configuration {name}, which hydra does not compose here")


def _resolved(it: Interpreter, omegaconf: Any, config: Any) -> Any:
    """A composed configuration with its interpolations, but for what depends on where it is run."""
    is_dict = omegaconf.is_dict(config)
    if not is_dict and not omegaconf.is_list(config):
        return it.engines.from_python(config)
    texts = omegaconf.to_container(config, resolve=False)
    made: dict[Any, Any] = {}
    for key in config if is_dict else range(len(config)):
        written = texts[key] if omegaconf.is_interpolation(config, key) else ""
        if omegaconf.is_missing(config, key):
            made[key] = it.unknown(f"{key} of the configuration, which has to be given")
        elif _OF_ENVIRONMENT in written:
            made[key] = ScalarValue(str)
        else:
            try:
                made[key] = _resolved(it, omegaconf, config[key])
            except Exception as error:  # a resolver that is not there, or refuses
                swallow(error)
                made[key] = it.unknown(f"{key} of the configuration, {written or 'which is not resolved here'}")
    return DictValue(made) if is_dict else ListValue([*made.values()])

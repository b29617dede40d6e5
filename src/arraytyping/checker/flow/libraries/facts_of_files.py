"""`arraytyping.facts` on files of the project: data that programs read, and configurations."""

from __future__ import annotations

import ast
import importlib
from collections.abc import Callable, Container, Iterator
from functools import partial
from pathlib import Path
from typing import Any, Final

from arraytyping.checker.flow.libraries.assumed_options import assumed_option, nearest
from arraytyping.checker.flow.libraries.command_lines import ARGUMENTS
from arraytyping.checker.flow.libraries.parsed_texts import parsed_text
from arraytyping.checker.flow.libraries.project_files import (
    find_data,
    folders_below,
    is_inside,
    main_directory,
    main_module,
)
from arraytyping.checker.flow.libraries.registry import handles
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.values import DictValue, ListValue, ScalarValue
from arraytyping.checker.flow.values.calls import Call
from arraytyping.checker.swallowed import swallow
from arraytyping.regular_files import read_regular_text

__all__ = ["data_value"]


_OF_ENVIRONMENT: Final = "oc.env:"
"""In an interpolation that gives a text of the environment."""


@handles("arraytyping.facts.read_data")
def _read_data(it: Interpreter, call: Call) -> Any:
    path, form = call.argument(0, "path"), call.argument(1, "format")
    file = find_data(it, path)
    if file is None:
        return it.unknown("a file that is not there, or not known")
    return data_value(it, file, form if isinstance(form, str) else None)


def data_value(it: Interpreter, file: Path, form: str | None = None) -> Any:
    """What is in a file of data; unknown if it cannot be read."""
    form = form or {".json": "json", ".toml": "toml"}.get(file.suffix, "yaml")
    return parsed_text(it, form, lambda: read_regular_text(file), f"the file {file.name}, which cannot be read")


@handles("arraytyping.facts.hydra_config")
def _hydra_config(it: Interpreter, call: Call) -> Any:
    """What hydra's own `compose` makes of the files beside the program."""
    given = call.named("config_path", "config_name")
    path, name = given.get("config_path"), given.get("config_name")
    if not isinstance(name, str) or not isinstance(path, str | None):
        return it.unknown("a configuration whose name is not known")
    directory = (main_directory(it) / (path or ".")).resolve()
    words = ARGUMENTS.of(it)
    overrides = [word for word in words or () if isinstance(word, str)]
    if is_inside(it, directory):
        it.importer.data.update(folders_below(directory))
    if not directory.is_dir() or not is_inside(it, directory) or (words is not None and len(overrides) < len(words)):
        return it.unknown("a configuration that is not there, or whose overrides are not known")
    it.importer.data.update(file for file in directory.rglob("*.yaml"))
    try:
        omegaconf = importlib.import_module("omegaconf").OmegaConf
        composed = _composed(directory, name, overrides)
        for group, file in _assumed_groups(it, directory, composed, partial(_chosen, directory, name, overrides)):
            try:
                composed = _composed(directory, name, [*overrides, f"+{group}={file}"])
            except Exception as error:
                swallow(error)
        return _resolved(it, omegaconf, composed)
    except Exception as error:  # hydra is not installed, or refuses
        swallow(error)
        return it.unknown(f"the configuration {name}, which hydra does not compose here")


def _composed(directory: Path, name: str, overrides: list[str], **options: bool) -> Any:
    """What hydra makes of a configuration.

    Raises:
        Exception: what hydra raises, or ImportError if it is not installed.
    """
    hydra = importlib.import_module("hydra")
    with hydra.initialize_config_dir(str(directory), version_base=None):
        return hydra.compose(name, overrides, **options)


def _chosen(directory: Path, name: str, overrides: list[str]) -> Container[str]:
    """The groups from which a configuration has chosen; raises as `_composed`."""
    chosen: Container[str] = _composed(directory, name, overrides, return_hydra_config=True).hydra.runtime.choices
    return chosen


def _assumed_groups(
    it: Interpreter, directory: Path, composed: Any, made: Callable[[], Container[str]]
) -> Iterator[tuple[str, str]]:
    """The groups that the program reads and the configuration has not chosen from, with what is assumed of each.

    A configuration may have something of its own under the name of a group, which is chosen from all the same.
    """
    main = main_module(it)
    read = set() if main is None else set(_texts(main.tree))
    groups = sorted(path for path in directory.iterdir() if path.is_dir() and path.name in read)
    chosen_from = made() if groups else ()
    for folder in groups:
        if folder.name in chosen_from:
            continue
        is_needed = folder.name not in composed
        chosen = assumed_option(it, f"+{folder.name}", partial(_choices, it, folder), is_needed=is_needed)
        if chosen is not None:
            yield folder.name, chosen


def _choices(it: Interpreter, folder: Path) -> list[str]:
    return [Path(file).stem for file in nearest(it, folder.glob("*.yaml"))]


def _texts(tree: ast.AST) -> Iterator[str]:
    """The texts and attributes in a program, among them the keys that it reads."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value
        elif isinstance(node, ast.Attribute):
            yield node.attr


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

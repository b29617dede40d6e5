"""What JSON, TOML, YAML, INI and configurations of gin-config say."""

from __future__ import annotations

import configparser
import importlib
import json
import re
import tomllib
from collections.abc import Callable
from functools import cache
from typing import Any, Final

from arraytyping.checker.flow.libraries.gin_texts import gin_statements
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.values import Value
from arraytyping.checker.swallowed import swallow

__all__ = ["PARSERS", "parsed_text"]


def _yaml(text: str) -> Any:
    return importlib.import_module("yaml").safe_load(text)


def _yaml_of_omegaconf(text: str) -> Any:
    """As `omegaconf` reads YAML: `1e-3` is a float, and no date is one."""
    return importlib.import_module("yaml").load(text, _loader_of_omegaconf())


@cache
def _loader_of_omegaconf() -> Any:
    class Loader(importlib.import_module("yaml").SafeLoader):  # type: ignore[misc]
        pass

    Loader.yaml_implicit_resolvers = {
        first: [(tag, pattern) for tag, pattern in resolvers if tag != "tag:yaml.org,2002:timestamp"]
        for first, resolvers in Loader.yaml_implicit_resolvers.items()
    }
    Loader.add_implicit_resolver("tag:yaml.org,2002:float", _FLOAT_OF_OMEGACONF, list("-+0123456789."))
    return Loader


_FLOAT_OF_OMEGACONF: Final = re.compile(r"[-+]?[0-9]+(?:_[0-9]+)*(?:\.[0-9_]*)?[eE][-+]?[0-9]+$")
"""What is a float there besides what YAML 1.1 takes for one."""


def _ini(text: str) -> list[tuple[str, list[tuple[str, str]]]]:
    """The sections, that with defaults among them, with their options as they are written."""
    parser = configparser.RawConfigParser(default_section="\0")
    parser.optionxform = str  # type: ignore[method-assign, assignment]
    parser.read_string(text)
    return [(section, parser.items(section)) for section in parser.sections()]


PARSERS: Final[dict[str, Callable[[str], Any]]] = {
    "gin": gin_statements,
    "ini": _ini,
    "json": json.loads,
    "omegaconf": _yaml_of_omegaconf,
    "toml": tomllib.loads,
    "yaml": _yaml,
}


def parsed_text(it: Interpreter, form: str, read: Callable[[], str], why: str) -> Value:
    """What a text says in one of these forms; unknown, for this reason, if it cannot be read."""
    try:
        found = PARSERS[form](read())
    except Exception as error:  # of a parser that may not be installed, or refuses
        swallow(error)
        return it.unknown(why)
    return it.engines.from_python(found)

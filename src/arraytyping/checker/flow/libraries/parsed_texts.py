"""What JSON, TOML and YAML say."""

from __future__ import annotations

import importlib
import json
import tomllib
from collections.abc import Callable
from typing import Any, Final

from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.values import Value
from arraytyping.checker.swallowed import swallow

__all__ = ["PARSERS", "parsed_text"]


def _yaml(text: str) -> Any:
    return importlib.import_module("yaml").safe_load(text)


PARSERS: Final[dict[str, Callable[[str], Any]]] = {"json": json.loads, "toml": tomllib.loads, "yaml": _yaml}


def parsed_text(it: Interpreter, form: str, read: Callable[[], str], why: str) -> Value:
    """What a text says in one of these forms; unknown, for this reason, if it cannot be read."""
    try:
        found = PARSERS[form](read())
    except Exception as error:  # of a parser that may not be installed, or refuses
        swallow(error)
        return it.unknown(why)
    return it.engines.from_python(found)

"""The leaves of what a program gives on jax, or the class of what it raises, as they were kept (`answers.py`)."""

from __future__ import annotations

import functools
import importlib
import json
from collections.abc import Callable
from typing import Any

import numpy as np
from answers import asked

__all__ = ["leaves_of_jax"]


def leaves_of_jax(ask: Callable[[], Any]) -> Any:
    """What `ask` gives: a list of leaves, each a tuple that ends with an array, or the class of an exception."""
    kept = asked(functools.partial(_told, ask))
    told = json.loads(bytes(kept["told"].values).decode())
    if isinstance(told, str):
        module, _, name = told.partition(":")
        return functools.reduce(getattr, name.split("."), importlib.import_module(module))
    return [(*map(_hashable, plain), leaf.values) for plain, leaf in zip(told, kept["arrays"], strict=True)]


def _told(ask: Callable[[], Any]) -> dict[str, Any]:
    """What is asked, with all but the arrays as text."""
    found = ask()
    raised = isinstance(found, type)
    told = f"{found.__module__}:{found.__qualname__}" if raised else [leaf[:-1] for leaf in found]
    arrays = [] if raised else [leaf[-1] for leaf in found]
    return {"told": np.frombuffer(json.dumps(told).encode(), np.uint8), "arrays": arrays}


def _hashable(part: Any) -> Any:
    return tuple(part) if isinstance(part, list) else part

"""What flow knows of single functions and classes of libraries, by their dotted names."""

from __future__ import annotations

import importlib
import pkgutil

__all__ = ["load_handlers"]

_loaded: list[bool] = []


def load_handlers() -> None:
    """Import every module of handlers, which register themselves."""
    if not _loaded:
        for module in pkgutil.iter_modules(__path__):
            importlib.import_module(f"{__name__}.{module.name}")
        _loaded.append(True)

"""Libraries of models and optimizers: what their decorators and base classes make of the program's classes.

Their code is the installed one's: it is called for real on abstract arrays, and the program's methods are called back.
"""

from __future__ import annotations

import importlib
import pkgutil

__all__ = ["load_adapters"]

_loaded: list[bool] = []


def load_adapters() -> None:
    """Import every adapter, which registers itself; the libraries are not imported."""
    if not _loaded:
        for module in pkgutil.iter_modules(__path__):
            importlib.import_module(f"{__name__}.{module.name}")
        _loaded.append(True)

"""The runtime: primitives, traces, jaxprs and transformations, executed by XLA through jaxlib."""

from __future__ import annotations

from importlib.util import find_spec as _find_spec


def _demand(*libraries: str) -> None:
    """Say which extra is missing before an import deep inside fails.

    Raises:
        ModuleNotFoundError: naming the libraries that are not installed, and how to install them.
    """
    missing = [library for library in libraries if not _is_there(library)]
    if missing:
        raise ModuleNotFoundError(
            f"the runtime of arraytyping needs {', '.join(missing)}, which the checker does not, and which "
            f"{'is' if len(missing) == 1 else 'are'} not installed: pip install 'arraytyping[runtime]'",
            name=missing[0],
        )


def _is_there(library: str) -> bool:
    try:
        return _find_spec(library) is not None
    except ValueError:  # of a module that something has put in `sys.modules` by hand
        return False


_demand("jaxlib", "ml_dtypes", "numpy", "optree")

"""arraytyping's own runtime is not read where programs of JAX are checked and it cannot run.

Results are made of the classes in `arraytyping.scalars`, and whoever imports a module imports the package around it.
In a wheel this has stubs, which say what the functions of the runtime are: some 370 modules, half as many as JAX has.
"""

from __future__ import annotations

from typing import Final

from mypy.modulefinder import get_search_dirs
from mypy.options import Options

from arraytyping_mypy.library_options import add_sections, names_in

__all__ = ["skip_runtime"]

_RUNTIME: Final = ("lax", "nn", "numpy", "random", "runtime", "scipy", "tree", "tree_util")
"""What our package imports whose functions make or take arrays of its own."""
_REQUIRED: Final = "optree"
"""What the runtime requires and few programs of JAX do: it is installed with `arraytyping[runtime]`."""


def skip_runtime(options: Options) -> None:
    """Have mypy take the runtime for unknown in an environment that has JAX and lacks what the runtime requires."""
    try:
        searched = get_search_dirs(options.python_executable)
    except Exception as error:  # no such interpreter: mypy reports it
        from arraytyping.checker.swallowed import swallow

        swallow(error)
        return
    installed = {name for found in searched for folder in found for name in names_in(folder)}
    if "jax" in installed and _REQUIRED not in installed:
        skipped: dict[str, object] = {"follow_imports": "skip", "follow_imports_for_stubs": True}
        add_sections(options, {f"arraytyping.{name}.*": skipped for name in _RUNTIME})

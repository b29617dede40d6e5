"""`einsum_path`: in which order the operands of `einsum` are to be contracted.

Source: https://docs.jax.dev/en/latest/_autosummary/jax.numpy.einsum_path.html; what is computed and told is
opt_einsum's, which JAX brings along.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any, Final

from arraytyping.runtime.array_likes import array_from

__all__ = ["einsum_path"]

_FROM_THE_LEFT: Final = {"__call__": lambda self, inputs, *_, **__: [(0, 1)] * (len(inputs) - 1)}
"""What finds the path where none is to be found."""


def einsum_path(subscripts: Any, /, *operands: Any, optimize: Any = "auto") -> tuple[list[tuple[int, ...]], Any]:
    """`jax.numpy.einsum_path`: the pairs of operands that are contracted one after the other, and what that costs.

    Raises:
        ImportError: if opt_einsum is not installed.
        ValueError: if subscripts and operands do not belong together.
    """
    try:
        opt_einsum: Any = import_module("opt_einsum")
    except ImportError:
        raise ImportError(
            "einsum_path tells paths by opt_einsum, which is not installed: pip install opt_einsum", name="opt_einsum"
        ) from None
    if isinstance(optimize, bool):
        optimize = "optimal" if optimize else type("Unoptimized", (opt_einsum.paths.PathOptimizer,), _FROM_THE_LEFT)()
    given = [x if isinstance(x, str | list | tuple) else array_from(x) for x in operands]
    first = subscripts if isinstance(subscripts, str) else array_from(subscripts)
    path, told = opt_einsum.contract_path(first, *given, optimize=optimize)
    return path, told

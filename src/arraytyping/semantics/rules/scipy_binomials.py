"""Rules of `jax.scipy.linalg`: matrices of binomial coefficients, made of their size, and their inverses.

Source: https://github.com/jax-ml/jax/blob/main/jax/_src/scipy/linalg.py.
"""

from __future__ import annotations

from typing import Any, Final

from arraytyping.semantics.avals import Dim, ShapedArray
from arraytyping.semantics.rules.context import Context
from arraytyping.semantics.rules.errors import RuleError
from arraytyping.semantics.rules.hashability import check_hashable
from arraytyping.semantics.rules.named import named
from arraytyping.semantics.rules.table import rule

__all__: list[str] = []

_arange: Final = named("numpy.arange")


def _check_kind(operation: str, kind: Any) -> None:
    """Refuse a text that names no kind.

    Raises:
        RuleError: (ValueError) for all but `symmetric`, `lower` and `upper`.
    """
    if isinstance(kind, str | int | float) and kind not in ("symmetric", "lower", "upper"):
        raise RuleError(
            f"{operation}: Expected kind to be one of 'symmetric', 'lower', 'upper', got {kind!r}", ValueError
        )


def _numbered(cx: Context, n: Any, dtype: str) -> ShapedArray:
    """A square matrix with a row for each of `arange(n)`."""
    shape = _arange(cx, n, dtype=dtype).shape
    size: Dim = None if shape is None else shape[0]
    return ShapedArray((size, size), dtype, False)


@rule("scipy.linalg.pascal")
def pascal(cx: Context, n: Any, kind: Any = None) -> ShapedArray:
    """`jax.scipy.linalg.pascal`: Pascal's matrix, always of float32."""
    check_hashable("pascal", n=n, kind=kind)
    _check_kind("pascal", kind)
    return _numbered(cx, n, "float32")


@rule("scipy.linalg.invpascal")
def invpascal(cx: Context, n: Any, kind: Any = None) -> ShapedArray:
    """`jax.scipy.linalg.invpascal`: the inverse of Pascal's matrix, of the default float."""
    check_hashable("invpascal", n=n, kind=kind)
    _check_kind("invpascal", kind)
    return _numbered(cx, n, cx.default("float"))


@rule("scipy.linalg.invhilbert")
def invhilbert(cx: Context, n: Any) -> ShapedArray:
    """`jax.scipy.linalg.invhilbert`: the inverse of the matrix of 1 / (i + j + 1)."""
    check_hashable("invhilbert", n=n)
    return _numbered(cx, n, cx.default("float"))

"""The shapes of NumPy's products, linear algebra, Fourier transforms and statistics, where sizes are unknown."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from arraytyping.checker.flow.engines.numpy_arguments import Arguments, Refused, Unknowable, axis_of, known_shape, rule
from arraytyping.checker.flow.engines.numpy_array_likes import dim_of
from arraytyping.checker.flow.engines.numpy_joining import items_of
from arraytyping.checker.flow.engines.numpy_reductions import axes_of
from arraytyping.semantics.avals import Dim, Shape, shape_tuple_str
from arraytyping.semantics.rules.broadcasting import broadcast_shapes
from arraytyping.semantics.sizes.dims import add_dims, differ, max_dim, min_dim, multiply_dims, subtract_dims

__all__: list[str] = []


def _two(a: Arguments) -> tuple[Shape, Shape]:
    first, second = list(a.given.values())[:2]
    return known_shape(first), known_shape(second)


def _meet(x: Dim, y: Dim, first: Shape, second: Shape, name: str) -> None:
    if differ(x, y):
        text = f"{shape_tuple_str(first)} and {shape_tuple_str(second)}: {x} is not {y}"
        raise Refused("array-shape", f"ValueError: {name}: shapes not aligned: {text}")


@rule("matmul", "linalg.matmul")
def _matmul(a: Arguments) -> Any:
    first, second = _two(a)
    if not first or not second:
        raise Refused("array-shape", "ValueError: matmul: an operand has not enough dimensions (it has 0)")
    x = (1, *first) if len(first) == 1 else first
    y = (*second, 1) if len(second) == 1 else second
    _meet(x[-1], y[-2], first, second, "matmul")
    result = (*(broadcast_shapes("matmul", x[:-2], y[:-2]) or ()), x[-2], y[-1])
    if len(first) == 1:
        result = (*result[:-2], result[-1])
    return result[:-1] if len(second) == 1 else result


@rule("dot")
def _dot(a: Arguments) -> Any:
    first, second = _two(a)
    if not first or not second:
        return first or second
    at = -1 if len(second) == 1 else -2
    _meet(first[-1], second[at], first, second, "dot")
    return (*first[:-1], *second[:-2], *(second[-1:] if len(second) > 1 else ()))


@rule("inner")
def _inner(a: Arguments) -> Any:
    first, second = _two(a)
    if not first or not second:
        return first or second
    _meet(first[-1], second[-1], first, second, "inner")
    return (*first[:-1], *second[:-1])


@rule("vdot")
def _vdot(a: Arguments) -> Any:
    return ()


@rule("vecdot")
def _vecdot(a: Arguments) -> Any:
    first, second = _two(a)
    if not first or not second:
        raise Unknowable
    _meet(first[-1], second[-1], first, second, "vecdot")
    return broadcast_shapes("vecdot", first[:-1], second[:-1])


@rule("outer", "linalg.outer", grows=True)
def _outer(a: Arguments) -> Any:
    first, second = _two(a)
    return (multiply_dims(first), multiply_dims(second))


@rule("kron", grows=True)
def _kron(a: Arguments) -> Any:
    first, second = _two(a)
    rank = max(len(first), len(second))
    pairs = zip((1,) * (rank - len(first)) + first, (1,) * (rank - len(second)) + second)
    return tuple(multiply_dims(p) for p in pairs)


@rule("tensordot", "linalg.tensordot")
def _tensordot(a: Arguments) -> Any:
    first, second = _two(a)
    axes = a.exact("axes", 2)
    if isinstance(axes, int):
        mine, theirs = tuple(range(len(first) - axes, len(first))), tuple(range(axes))
    elif not isinstance(axes, Sequence) or len(axes) != 2:
        raise Unknowable
    else:
        mine, theirs = axes_of(axes[0], len(first)), axes_of(axes[1], len(second))
    if len(mine) != len(theirs) or any(i < 0 for i in mine) or any(i >= len(second) for i in theirs):
        raise Refused("array-shape", "ValueError: shape-mismatch for sum")
    for i, j in zip(mine, theirs):
        _meet(first[i], second[j], first, second, "tensordot")
    return (*(d for i, d in enumerate(first) if i not in mine), *(d for i, d in enumerate(second) if i not in theirs))


@rule("einsum")
def _einsum(a: Arguments) -> Any:
    operands = items_of(a.get("operands"))
    if not operands or not isinstance(operands[0], str) or "..." in operands[0]:
        raise Unknowable
    left, arrow, right = operands[0].replace(" ", "").partition("->")
    terms = left.split(",")
    if len(terms) != len(operands) - 1:
        raise Refused("array-shape", f"ValueError: einsum: {len(terms)} terms for {len(operands) - 1} operands")
    sizes: dict[str, Dim] = {}
    for term, value in zip(terms, operands[1:]):
        shape = known_shape(value)
        if len(term) != len(shape):
            text = f"ValueError: einsum: the term {term!r} does not match an operand of shape {shape_tuple_str(shape)}"
            raise Refused("array-shape", text)
        for letter, d in zip(term, shape):
            before = sizes.get(letter)
            if differ(before, d) and differ(before, 1) and differ(d, 1):
                raise Refused("array-shape", f"ValueError: einsum: the sizes {before} and {d} of {letter!r} differ")
            if before is None or before == 1 or (isinstance(d, int) and d != 1):
                sizes[letter] = d if d is not None and not (letter in sizes and before is None and d == 1) else before
                if letter in sizes and before == 1 and d is None:
                    sizes[letter] = None
    if not arrow:
        right = "".join(sorted(c for c in sizes if left.count(c) == 1))
    if any(c not in sizes for c in right):
        raise Refused("array-shape", "ValueError: einsum: an output subscript does not occur in the inputs")
    return tuple(sizes[c] for c in right)


def _square(shape: Shape, name: str) -> None:
    if len(shape) < 2:
        raise Refused("array-dim", f"LinAlgError: {name}: the array must be at least two-dimensional")
    if differ(*shape[-2:]):
        raise Refused(
            "array-shape", f"LinAlgError: {name}: last 2 dimensions of {shape_tuple_str(shape)} must be square"
        )


@rule("linalg.solve")
def _solve(a: Arguments) -> Any:
    matrix, right = a.shape("a"), a.shape("b")
    _square(matrix, "solve")
    if len(right) == 1:
        return (*matrix[:-2], right[0] if right[0] is not None else matrix[-1])
    batch = broadcast_shapes("solve", matrix[:-2], right[:-2]) or ()
    return (*batch, *right[-2:])


@rule("linalg.eigh", "linalg.slogdet", "linalg.eigvalsh")
def _eigh(a: Arguments) -> Any:
    shape = a.shape()
    _square(shape, a.name)
    if a.name == "linalg.slogdet":
        return [shape[:-2]] * 2
    return shape[:-1] if a.name == "linalg.eigvalsh" else [shape[:-1], shape]


@rule("linalg.svd", "linalg.svdvals", "linalg.qr", "linalg.pinv")
def _svd(a: Arguments) -> Any:
    shape = a.shape()
    if len(shape) < 2:
        raise Unknowable
    m, n = shape[-2:]
    least = min_dim(m, n)
    batch = shape[:-2]
    if a.name == "linalg.pinv":
        return (*batch, n, m)
    if a.name == "linalg.qr":
        mode = a.exact("mode", "reduced")
        if mode == "r":
            return (*batch, least, n)
        if mode not in ("reduced", "complete"):
            raise Unknowable
        return [(*batch, m, least), (*batch, least, n)] if mode == "reduced" else [(*batch, m, m), (*batch, m, n)]
    if a.name == "linalg.svdvals" or not a.exact("compute_uv", True):
        return (*batch, least)
    if a.exact("full_matrices", True):
        return [(*batch, m, m), (*batch, least), (*batch, n, n)]
    return [(*batch, m, least), (*batch, least), (*batch, least, n)]


@rule("fft.fft", "fft.ifft", "fft.rfft", "fft.irfft", "fft.hfft", "fft.ihfft")
def _fft(a: Arguments) -> Any:
    shape = list(a.shape())
    axis = a.axis(len(shape), default=-1)
    if axis is None:
        raise Unknowable
    size = dim_of(a.get("n")) if "n" in a else shape[axis]
    if a.name in ("fft.rfft", "fft.ihfft"):
        size = size // 2 + 1 if isinstance(size, int) else None
    elif a.name in ("fft.irfft", "fft.hfft") and "n" not in a:
        size = 2 * (size - 1) if isinstance(size, int) else None
    shape[axis] = size
    return tuple(shape)


@rule("fft.fft2", "fft.ifft2", "fft.fftn", "fft.ifftn")
def _fftn(a: Arguments) -> Any:
    if "s" in a:
        raise Unknowable
    shape = a.shape()
    axes_of(a.exact("axes", (-2, -1) if "2" in a.name else None), len(shape))
    return shape


@rule("fft.fftfreq", "fft.rfftfreq", dtype=lambda a: "float64")
def _fftfreq(a: Arguments) -> Any:
    size = dim_of(a.get("n"))
    if a.name == "fft.fftfreq":
        return (size,)
    return (size // 2 + 1 if isinstance(size, int) else None,)


@rule("cov", "corrcoef")
def _cov(a: Arguments) -> Any:
    shape = known_shape(a.first)
    if "y" in a:
        raise Unknowable
    if len(shape) < 2:
        return ()
    side = shape[0] if a.exact("rowvar", True) else shape[1]
    return () if side == 1 else (side, side) if differ(side, 1) else _unknown_rank()


def _unknown_rank() -> Any:
    raise Unknowable


@rule("convolve", "correlate")
def _convolve(a: Arguments) -> Any:
    (x,), (y,) = (s if len(s) == 1 else _unknown_rank() for s in _two(a))
    mode = a.exact("mode", "full" if a.name == "convolve" else "valid")
    if mode == "full":
        return (add_dims((x, y, -1)),)
    longer = max_dim(x, y)
    return (longer if mode == "same" else add_dims((subtract_dims(longer, min_dim(x, y)), 1)),)


@rule("polyfit")
def _polyfit(a: Arguments) -> Any:
    if a.exact("full", False) or a.exact("cov", False):
        raise Unknowable
    return (add_dims((dim_of(a.get("deg")), 1)), *a.shape("y")[1:])


@rule("vander")
def _vander(a: Arguments) -> Any:
    shape = a.shape("x")
    if len(shape) != 1:
        raise Refused("array-dim", "ValueError: x must be a one-dimensional array or sequence.")
    (size,) = shape
    return (size, dim_of(a.get("N")) if "N" in a else size)


@rule("linalg.multi_dot")
def _multi_dot(a: Arguments) -> Any:
    shapes = [known_shape(v) for v in items_of(a.first)]
    first, last = shapes[0], shapes[-1]
    return (*(first[:1] if len(first) == 2 else ()), *(last[1:] if len(last) == 2 else ()))


@rule("linalg.vecdot")
def _linalg_vecdot(a: Arguments) -> Any:
    first, second = _two(a)
    axis_of(a.exact("axis", -1), len(first))
    if a.exact("axis", -1) != -1:
        raise Unknowable
    return broadcast_shapes("vecdot", first[:-1], second[:-1])


@rule("linalg.eig", "linalg.eigvals", dtype=lambda a: None)
def _eig(a: Arguments) -> Any:
    """Real or complex, as the elements say."""
    shape = a.shape()
    _square(shape, a.name)
    return shape[:-1] if a.name == "linalg.eigvals" else [shape[:-1], shape]


@rule("linalg.lstsq")
def _lstsq(a: Arguments) -> Any:
    """The residuals are there or not, as the rank is."""
    matrix, right = a.shape("a"), a.shape("b")
    if len(matrix) != 2 or not right:
        raise Unknowable
    _meet(matrix[0], right[0], matrix, right, "lstsq")
    m, n = matrix
    least = min_dim(m, n)
    return [(n, *right[1:]), (None,), (), (least,)]

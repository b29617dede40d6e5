"""The shapes of NumPy's products, linear algebra, Fourier transforms and statistics, where sizes are unknown."""

from __future__ import annotations

from arraytyping.checker.flow.engines.numpy_arguments import Arguments, rule
from arraytyping.checker.flow.engines.numpy_statics import members_of
from arraytyping.checker.flow.values import Value
from arraytyping.semantics.avals import Dim, Shape
from arraytyping.semantics.rules.axes import canonicalize_axis
from arraytyping.semantics.rules.errors import DimError
from arraytyping.semantics.rules.shapes.broadcasting import broadcast_shapes
from arraytyping.semantics.rules.shapes.einsum import check_ranks, check_sizes, parse_subscripts, summed_shape
from arraytyping.semantics.rules.shapes.matrices import (
    as_matrix,
    as_square,
    lesser,
    orthogonal_factors,
    singular_factors,
)
from arraytyping.semantics.rules.shapes.products import (
    check_contracted,
    dot_product,
    inner_product,
    kronecker_product,
    matrix_product,
    outer_product,
    pairs_of_axes,
    tensor_product,
    vector_product,
)
from arraytyping.semantics.rules.shapes.samples import convolved_size, covariances
from arraytyping.semantics.rules.shapes.selecting import resized_axis
from arraytyping.semantics.sizes.dims import (
    add_dims,
    differ,
    divide_dim,
    known_dim,
    multiply_dims,
    subtract_dims,
)

__all__: list[str] = []


def _two(a: Arguments) -> tuple[Shape | None, Shape | None]:
    return a.operand("a", "x1", "v"), a.operand("b", "x2", "v")


@rule("matmul", "linalg.matmul")
def _matmul(a: Arguments) -> Value:
    return matrix_product(a.name, *_two(a))


@rule("dot")
def _dot(a: Arguments) -> Value:
    return dot_product("dot", *_two(a))


@rule("inner")
def _inner(a: Arguments) -> Value:
    return inner_product("inner", *_two(a))


@rule("vdot")
def _vdot(a: Arguments) -> Value:
    return ()


@rule("vecdot", "linalg.vecdot")
def _vecdot(a: Arguments) -> Value:
    """An axis other than the last is counted by NumPy after it has broadcast."""
    if a.static("axis", -1) != -1:
        return None
    first, second = _two(a)
    i, j = (None if s is None else len(s) - 1 for s in (first, second))
    return vector_product("vecdot", first, second, i, j)


@rule("matvec", "vecmat")
def _matvec(a: Arguments) -> Value:
    kept = (1, 0) if a.name == "matvec" else (0, 1)
    return vector_product(a.name, *_two(a), -1, -1 - kept[1], kept)


@rule("outer", "linalg.outer", grows=True)
def _outer(a: Arguments) -> Value:
    return outer_product(*_two(a))


@rule("kron", grows=True)
def _kron(a: Arguments) -> Value:
    return kronecker_product(*_two(a))


@rule("tensordot", "linalg.tensordot")
def _tensordot(a: Arguments) -> Value:
    """The axes of one operand may be one number, those of the other several in a list."""
    (first, second), axes = _two(a), a.static("axes", 2)
    if axes is None:
        return None
    if isinstance(axes, tuple):
        axes = tuple((part,) if isinstance(part, int) else part for part in axes)
    pairs = pairs_of_axes(a.name, axes, *(None if s is None else len(s) for s in (first, second)))
    return tensor_product(a.name, first, second, pairs)


@rule("einsum")
def _einsum(a: Arguments) -> Value:
    subscripts, *operands = a.get("operands") or (None,)
    if not isinstance(subscripts, str):
        return None
    shapes = members_of(tuple(operands)) or []
    parsed = parse_subscripts(subscripts, shapes)
    check_ranks(parsed, shapes, subscripts)
    if all(len(set(labels)) == len(labels) for labels in parsed.inputs if labels is not None):
        check_sizes(parsed, shapes, subscripts)  # of a diagonal NumPy takes a size of 0 for any
    return summed_shape(parsed, shapes)


@rule("linalg.multi_dot")
def _multi_dot(a: Arguments) -> Value:
    """The first may be a row, the last a column."""
    shapes = members_of(a.first)
    if not shapes or len(shapes) < 2 or any(s is None or len(s) not in (1, 2) for s in shapes):
        return None
    made: Shape | None = shapes[0]
    for shape in shapes[1:]:
        made = dot_product("linalg.multi_dot", made, shape)
    return made


# ------------------------------------------------------------------ decompositions and solutions


@rule("linalg.inv", "linalg.cholesky", "linalg.matrix_power", exception="LinAlgError")
def _inverse(a: Arguments) -> Value:
    square = as_square(a.name, as_matrix(a.name, a.operand()))
    return None if square is None else (*square[0], square[1], square[1])


@rule("linalg.solve", exception="LinAlgError")
def _solve(a: Arguments) -> Value:
    """A vector on the right is one for each matrix, other arrays are matrices."""
    square, right = as_square("linalg.solve", as_matrix("linalg.solve", a.operand("a"))), a.operand("b")
    if square is None or not right:
        return None
    lead, size = square
    rows = right[0] if len(right) == 1 else right[-2]
    if differ(size, rows):
        return None
    batch = broadcast_shapes("linalg.solve", lead, right[:-2])
    return None if batch is None else (*batch, known_dim((size, rows)), *(right[-1:] if len(right) > 1 else ()))


@rule("linalg.eigh", "linalg.slogdet", "linalg.eigvalsh", exception="LinAlgError")
def _eigh(a: Arguments) -> Value:
    square = as_square(a.name, as_matrix(a.name, a.operand()))
    if square is None:
        return None
    lead, size = square
    values = (*lead, size)
    return [lead, lead] if a.name == "linalg.slogdet" else values if "vals" in a.name else [values, (*values, size)]


@rule("linalg.eig", "linalg.eigvals", dtype=lambda a: None, exception="LinAlgError")
def _eig(a: Arguments) -> Value:
    """Real or complex, as the elements say."""
    return _eigh(a)


@rule("linalg.svd", "linalg.svdvals", "linalg.qr", "linalg.pinv", exception="LinAlgError")
def _svd(a: Arguments) -> Value:
    matrix = as_matrix(a.name, a.operand())
    if matrix is None:
        return None
    lead, rows, columns = matrix
    least = lesser(rows, columns)
    if a.name == "linalg.pinv":
        return (*lead, columns, rows)
    if a.name == "linalg.qr":
        mode = a.static("mode", "reduced")
        if mode not in ("reduced", "complete", "r"):
            return None
        return (*lead, least, columns) if mode == "r" else list(orthogonal_factors(matrix, mode == "complete"))
    vectors = a.name == "linalg.svd" and a.flag("compute_uv", True)
    if vectors is None:
        return None
    return list(singular_factors(matrix, a.flag("full_matrices", True), least)) if vectors else (*lead, least)


@rule("linalg.lstsq", exception="LinAlgError")
def _lstsq(a: Arguments) -> Value:
    """The residuals are there or not, as the rank is."""
    matrix, right = as_matrix("linalg.lstsq", a.operand("a")), a.operand("b")
    if matrix is None or matrix[0] or not right:
        return None
    _, rows, columns = matrix
    check_contracted("linalg.lstsq", (rows, columns), right, [(0, 0)])
    return [(columns, *right[1:]), (None,), (), (lesser(rows, columns),)]


# ------------------------------------------------------------------ Fourier transforms


@rule("fft.fft", "fft.ifft", "fft.rfft", "fft.irfft", "fft.hfft", "fft.ihfft")
def _fft(a: Arguments) -> Value:
    shape, axis = a.operand(), a.axis(default=-1)
    if axis is None:
        return None
    number = canonicalize_axis(a.name, axis, None if shape is None else len(shape))
    if shape is None or number is None:
        return None if shape is None else (None,) * len(shape)
    size = a.size("n", default=shape[number])
    return resized_axis(shape, number, _transformed(a.name, size, "n" in a))


def _transformed(name: str, size: Dim, is_asked: bool) -> Dim:
    """The size of a transform: of real numbers half is enough."""
    if name in ("fft.rfft", "fft.ihfft"):
        return add_dims((divide_dim(size, 2), 1))
    if name in ("fft.irfft", "fft.hfft") and not is_asked:
        return multiply_dims((2, subtract_dims(size, 1)))
    return size


@rule("fft.fft2", "fft.ifft2", "fft.fftn", "fft.ifftn")
def _fftn(a: Arguments) -> Value:
    """Axes may be named twice."""
    shape = a.operand()
    if "s" in a:
        return None
    axes = a.static("axes", (-2, -1) if "2" in a.name else None)
    for axis in axes if isinstance(axes, tuple) else ():
        canonicalize_axis(a.name, axis, None if shape is None else len(shape))
    return shape


@rule("fft.fftfreq", "fft.rfftfreq", dtype=lambda a: "float64")
def _fftfreq(a: Arguments) -> Value:
    size = a.size("n")
    return (size if a.name == "fft.fftfreq" else add_dims((divide_dim(size, 2), 1)),)


# ------------------------------------------------------------------ statistics and polynomials


@rule("cov", "corrcoef")
def _cov(a: Arguments) -> Value:
    shape, by_rows = a.operand("m", "x"), a.flag("rowvar", True)
    if "y" in a or shape is None or len(shape) > 2:
        return None
    if len(shape) < 2:
        return ()
    return covariances(None if by_rows is None else shape[0] if by_rows else shape[1])


@rule("convolve", "correlate")
def _convolve(a: Arguments) -> Value:
    """A number counts as a vector of one."""
    first, second = ((1,) if s == () else s for s in _two(a))
    mode = a.static("mode", "full" if a.name == "convolve" else "valid")
    if first is None or second is None or len(first) != 1 or len(second) != 1:
        return None
    (x,), (y,) = first, second
    return (convolved_size(mode, x, y),)


@rule("polyfit")
def _polyfit(a: Arguments) -> Value:
    degree, shape = a.size("deg"), a.operand("y")
    if a.flag("full") is not False or a.flag("cov") is not False or not shape:
        return None
    return (add_dims((degree, 1)), *shape[1:])


@rule("vander")
def _vander(a: Arguments) -> Value:
    shape = a.operand("x")
    if shape is not None and len(shape) != 1:
        raise DimError("vander: x must be a one-dimensional array or sequence")
    rows = None if shape is None else shape[0]
    return (rows, a.size("N", default=rows))

"""Programs that contain every primitive of the runtime, each written once for jax and for this runtime.

A program is made of a framework (`jax`, or this package under its names) and computes from arrays.  What a
transformation does not do is said beside it, with the reason.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

__all__ = ["CASES", "Case"]

_RANDOM = np.random.default_rng(7)


def _floats(*shape: int, low: float = -1.5, high: float = 1.5) -> Any:
    return _RANDOM.uniform(low, high, shape).astype(np.float32)


def _complexes(*shape: int) -> Any:
    return (_floats(*shape) + 1j * _floats(*shape)).astype(np.complex64)


def _ints(*shape: int, low: int = -6, high: int = 7, dtype: Any = np.int32) -> Any:
    return _RANDOM.integers(low, high, shape).astype(dtype)


@dataclass(frozen=True)
class Case:
    """A program, its operands, and others of the same shapes for the second example of a batch."""

    name: str
    program: Callable[[Any], Callable[..., Any]]
    operands: tuple[Any, ...]
    others: tuple[Any, ...] = ()
    without: dict[str, str] = field(default_factory=dict)
    """Transformations (`jvp`, `vjp`, `vmap`) that raise here as they do in JAX, and why."""
    differs: dict[str, str] = field(default_factory=dict)
    """Transformations that JAX computes wrongly or not at all, and why; finite differences are in its place."""

    @property
    def second(self) -> tuple[Any, ...]:
        """The operands of the second example: others, or the same elements at other places."""
        return self.others or tuple(np.roll(x.ravel(), 1).reshape(x.shape) for x in map(np.asarray, self.operands))


def _rows(fw: Any, x: Any, count: int) -> list[Any]:
    return [fw.lax.index_in_dim(x, i, 0, False) for i in range(count)]


def _unary(name: str, functions: str, operand: Callable[..., Any], **kwargs: Any) -> Case:
    """Elementwise functions of one operand, each of a row of its own."""
    names = functions.split()

    def program(fw: Any) -> Callable[..., Any]:
        return lambda x: [getattr(fw.lax, f)(row) for f, row in zip(names, _rows(fw, x, len(names)))]

    return Case(name, program, (operand(len(names), 5),), **kwargs)


def _binary(name: str, functions: str, first: Any, second: Any, **kwargs: Any) -> Case:
    names = functions.split()

    def program(fw: Any) -> Callable[..., Any]:
        def function(x: Any, y: Any) -> Any:
            pairs = zip(names, _rows(fw, x, len(names)), _rows(fw, y, len(names)))
            return [getattr(fw.lax, f)(a, b) for f, a, b in pairs]

        return function

    return Case(name, program, (first(len(names), 4), second(len(names), 4)), **kwargs)


_EXPONENTS = np.array([0.5, 1, 3], np.float32), np.array([2, 0.3, 40], np.float32)


def _between(low: float, high: float) -> Callable[..., Any]:
    return lambda *shape: _floats(*shape, low=low, high=high)


def _lax(name: str, *args: Any, **kwargs: Any) -> Callable[[Any], Callable[..., Any]]:
    """The function of `lax` of this name with these arguments after the operands."""
    return lambda fw: lambda *xs: getattr(fw.lax, name)(*xs, *args, **kwargs)


ELEMENTWISE = [
    _unary(
        "elementary",
        "sin cos tan asin acos atan sinh cosh tanh asinh atanh exp exp2 expm1 log1p logistic cbrt neg sign "
        "floor ceil round square abs is_finite erf erfc erf_inv bessel_i0e bessel_i1e",
        _between(-0.9, 0.9),
    ),
    _unary("positive", "log sqrt rsqrt acosh lgamma digamma reciprocal", _between(1.1, 4)),
    _unary("elementary, complex",
           "exp log sqrt neg abs square real imag conj", _complexes),
    _binary("arithmetic", "add sub mul div max min atan2 complex rem", _floats, _between(0.5, 2)),
    _binary("arithmetic, complex", "add sub mul div", _complexes, _complexes),
    Case("pow", lambda fw: lambda x, y, n: [fw.lax.pow(x, y), fw.lax.pow(x, n), fw.lax.integer_pow(x, -3),
                                            fw.lax.integer_pow(x, 5)],
         (_floats(4, low=0.5, high=2), _floats(4), _ints(4, low=-3, high=4))),
    _binary("comparisons", "eq ne lt le gt ge", _ints, _ints),
    _binary("integers", "add sub mul div rem max min bitwise_and bitwise_or bitwise_xor mulhi", _ints,
            lambda *shape: _ints(*shape, low=1)),
    _binary("shifts", "shift_left shift_right_arithmetic shift_right_logical", _ints,
            lambda *shape: _ints(*shape, low=0, high=9)),
    _unary("bits", "bitwise_not population_count clz neg sign abs", _ints),
    Case("nextafter", _lax("nextafter"), (_floats(4), _floats(4)),
         without=dict.fromkeys(("jvp", "vjp"), "JAX has no derivative of it")),
    Case("polygamma", lambda fw: lambda x: fw.lax.polygamma(fw.lax.full_like(x, 2.0), x), (_floats(4, low=1, high=3),)),
    Case("polygamma of its order", _lax("polygamma"), (_floats(3, low=1, high=3), _floats(3, low=1, high=3)),
         without={"jvp": "not differentiated by the order", "vjp": "not differentiated by the order"}),
    Case("zeta", _lax("zeta"), (_floats(3, low=2, high=3), _floats(3, low=1, high=3)),
         without={"jvp": "JAX has no derivative of it", "vjp": "JAX has no derivative of it"}),
    _binary("incomplete gamma", "igamma igammac", _between(0.5, 2), _between(0.3, 4)),
    Case("incomplete beta", lambda fw: lambda x: fw.lax.betainc(*map(fw.numpy.asarray, _EXPONENTS), x),
         (_floats(3, low=0.1, high=0.9),)),
    Case("mixed ranks", lambda fw: lambda x, y, s: fw.lax.add(fw.lax.mul(x, y), s),
         (_floats(3, 4), _floats(1, 4), _floats())),
    Case("select_n", lambda fw: lambda p, x, y: [fw.lax.select_n(p, x, y), fw.lax.select(p, x, y)],
         (_ints(3, 4, low=0, high=2).astype(bool), _floats(3, 4), _floats(3, 4))),
    Case("select_n, a scalar", lambda fw: lambda p, x, y, z: fw.lax.select_n(p, x, y, z),
         (np.int32(2), _floats(3), _floats(3), _floats(3)), others=(np.int32(0), _floats(3), _floats(3), _floats(3))),
    Case("clamp", _lax("clamp"), (_floats(3, 4, low=-1, high=-0.5), _floats(3, 4), _floats(3, 4, low=0.5, high=1))),
    Case("clamp, scalars", _lax("clamp"), (np.int32(-2), _ints(5), np.int32(3)),
         others=(np.int32(-4), _ints(5), np.int32(0))),
    Case("clamp, numbers", lambda fw: lambda x: fw.lax.clamp(-0.5, x, 0.7), (_floats(5),)),
    Case("stop_gradient", lambda fw: lambda x: fw.lax.mul(x, fw.lax.stop_gradient(x)), (_floats(3),)),
    Case("reduce_precision", _lax("reduce_precision", 5, 7), (_floats(4),)),
    Case("convert_element_type",
         lambda fw: lambda x, i: [fw.lax.convert_element_type(x, "int32"), fw.lax.convert_element_type(x, "bfloat16"),
                                  fw.lax.convert_element_type(i, "float32"), fw.lax.convert_element_type(i, bool),
                                  fw.lax.convert_element_type(x, "complex64")],
         (_floats(4, low=-3, high=3), _ints(4))),
    Case("bitcast_convert_type",
         lambda fw: lambda x, b: [fw.lax.bitcast_convert_type(x, "int32"), fw.lax.bitcast_convert_type(x, "uint8"),
                                  fw.lax.bitcast_convert_type(b, "uint32")],
         (_floats(2, 3), _ints(3, 4, low=0, high=99, dtype=np.uint8))),
]  # fmt: skip

STRUCTURE = [
    Case("broadcast_in_dim", _lax("broadcast_in_dim", (2, 3, 4), (1, 2)), (_floats(1, 4),)),
    Case("shapes", lambda fw: lambda x: [fw.lax.reshape(x, (6, 4), (2, 0, 1)), fw.lax.transpose(x, (2, 0, 1)),
                                         fw.lax.expand_dims(x, (0, 2)), fw.lax.collapse(x, 0, 2),
                                         fw.lax.tile(x, (2, 1, 2)), fw.lax.squeeze(fw.lax.expand_dims(x, (1,)), (1,)),
                                         fw.lax.broadcast(x, (2,)), fw.lax.broadcast_to_rank(x, 4)],
         (_floats(2, 3, 4),)),
    Case("creation", lambda fw: lambda x: [fw.lax.add(x, fw.lax.broadcasted_iota("float32", (2, 3), 1)),
                                           fw.lax.mul(x, fw.lax.full((2, 3), 2.0)), fw.lax.full_like(x, 3),
                                           fw.lax.iota("int32", 4)], (_floats(2, 3),)),
    Case("cuts", lambda fw: lambda x: [fw.lax.slice(x, (1, 0), (4, 5), (2, 3)), fw.lax.slice_in_dim(x, 1, -1, 2, 1),
                                       fw.lax.index_in_dim(x, -1, 1, False), fw.lax.rev(x, (0,)),
                                       *fw.lax.split(x, (1, 3), 0), *fw.lax.unstack(x, 1)], (_floats(4, 5),)),
    Case("pad", _lax("pad", ((1, 2, 1), (-1, 0, 0))), (_floats(3, 4), np.float32(0.5)),
         others=(_floats(3, 4), np.float32(-2))),
    Case("joins", lambda fw: lambda x, y: [fw.lax.concatenate((x, y, x), 1), fw.lax.stack((x, y), 1)],
         (_floats(2, 3), _floats(2, 3))),
]  # fmt: skip

REDUCTIONS = [
    Case("reductions", lambda fw: lambda x: [fw.lax.reduce_sum(x, (0, 2)), fw.lax.reduce_prod(x, (1,)),
                                             fw.lax.reduce_max(x, (0, 1)), fw.lax.reduce_min(x, (2,))],
         (np.round(_floats(2, 3, 4, low=-3, high=3)),)),
    Case("reduce_prod, zeros", _lax("reduce_prod", (0, 1)), (np.array([[0, 2], [3, 0], [4, 5]], np.float32),)),
    Case("logical reductions", lambda fw: lambda x, b: [fw.lax.reduce_and(x, (0,)), fw.lax.reduce_or(x, (1,)),
                                                        fw.lax.reduce_xor(x, (0, 1)), fw.lax.reduce_and(b, (0,)),
                                                        fw.lax.reduce_or(b, (1,)), fw.lax.reduce_max(b, (0,)),
                                                        fw.lax.argmax(b, 0, "int32")],
         (_ints(3, 4), _ints(3, 4, low=0, high=2).astype(bool))),
    Case("places", lambda fw: lambda x, n: [fw.lax.argmax(x, 1, "int32"), fw.lax.argmin(x, 0, "uint8"),
                                            fw.lax.argmax(n, 0, "int32"), fw.lax.argmin(n, 0, "int32")],
         (np.round(_floats(3, 4)), np.array([1, np.nan, 3, np.nan], np.float32))),
    Case("cumulative", lambda fw: lambda x: [getattr(fw.lax, f)(x, axis, reverse)
                                             for f in ("cumsum", "cumprod", "cummax", "cummin", "cumlogsumexp")
                                             for axis, reverse in [(int(f > "cumo"), f > "cumo")]],
         (np.array([[1, 0, -2, 3], [2, 2, 0.5, 0]], np.float32),)),
    Case("cumulative, complex", lambda fw: lambda x: [fw.lax.cumsum(x), fw.lax.cumprod(x, 1)], (_complexes(3, 2),)),
]  # fmt: skip

NUMBERS = (((2, 0), (0, 1)), ((1,), (2,)))
CONTRACTIONS = [
    Case("dot_general", _lax("dot_general", NUMBERS), (_floats(2, 3, 4), _floats(4, 2, 3, 2))),
    Case("dot_general, narrow", _lax("dot_general", (((1,), (0,)), ((), ())), "highest", "float32"),
         (_floats(2, 3).astype("bfloat16"), _floats(3, 2).astype("bfloat16"))),
    Case("products", lambda fw: lambda x, y: [fw.lax.dot(x, y), fw.lax.batch_matmul(fw.lax.broadcast(x, (2,)),
                                                                                  fw.lax.broadcast(y, (2,)))],
         (_complexes(2, 3), _complexes(3, 2))),
]  # fmt: skip


def _gather(mode: str, **kwargs: Any) -> Callable[[Any], Callable[..., Any]]:
    def program(fw: Any) -> Callable[..., Any]:
        numbers = fw.lax.GatherDimensionNumbers((1,), (0,), (0,))
        return lambda x, i: fw.lax.gather(x, i, numbers, (1, 2), mode=mode, **kwargs)

    return program


def _scatter(name: str, mode: str, *, unique: bool) -> Callable[[Any], Callable[..., Any]]:
    def program(fw: Any) -> Callable[..., Any]:
        numbers = fw.lax.ScatterDimensionNumbers((1,), (0,), (0,))
        function = getattr(fw.lax, name)
        return lambda x, i, u: function(x, i, u, numbers, mode=mode, unique_indices=unique)

    return program


REPEATED, UNIQUE = np.array([[0], [2], [0], [7], [-1]], np.int32), np.array([[1], [9], [0], [7], [-1]], np.int32)
AGAIN, SHIFTED = np.array([[1], [1], [3], [0], [2]], np.int32), np.array([[2], [0], [8], [7], [-2]], np.int32)
SCATTERED = (_floats(4, 3), REPEATED, _floats(5, 2))
SCATTERED_AGAIN = (_floats(4, 3), AGAIN, _floats(5, 2))
SCATTERED_ONCE = (_floats(4, 3), UNIQUE, _floats(5, 2))
SCATTERED_ONCE_AGAIN = (_floats(4, 3), SHIFTED, _floats(5, 2))
WINNERS = _floats(5, 2) + np.array([[0], [0], [0], [4], [4]], np.float32)
"""Updates of which those that go to clipped places are greater than all others."""
INDEXING = [
    *(Case(f"gather, {mode}", _gather(mode), (_floats(4, 3), REPEATED), others=(_floats(4, 3), AGAIN))
      for mode in ("clip", "fill")),
    Case("gather, in bounds", _gather("promise_in_bounds"), (_floats(4, 3), AGAIN),
         others=(_floats(4, 3), AGAIN[::-1])),
    Case("gather of integers", _gather("fill", fill_value=-7), (_ints(4, 3), REPEATED), others=(_ints(4, 3), AGAIN)),
    *(Case(f"{name}, {mode}", _scatter(name, mode, unique=False), SCATTERED, SCATTERED_AGAIN)
      for name, mode in (("scatter_add", "clip"), ("scatter_sub", "fill"))),
    *(Case(f"{name}, unique", _scatter(name, "fill", unique=True), SCATTERED_ONCE, SCATTERED_ONCE_AGAIN)
      for name in ("scatter", "scatter_mul", "scatter_min", "scatter_max")),
    *(Case(f"scatter, {mode}", _scatter("scatter", mode, unique=False), SCATTERED, SCATTERED_AGAIN)
      for mode in ("fill", "clip")),
    *(Case(f"{name}", _scatter(name, "fill", unique=False), SCATTERED, SCATTERED_AGAIN)
      for name in ("scatter_min", "scatter_max")),
    *(Case(f"{name}, clip", _scatter(name, "clip", unique=False), (_floats(4, 3), REPEATED, sign * WINNERS),
           SCATTERED_AGAIN,
           differs=dict.fromkeys(("jvp", "vjp"), "JAX counts rivals by another mode, and divides by zero"))
      for name, sign in (("scatter_min", np.float32(-1)), ("scatter_max", np.float32(1)))),
    Case("scatter_mul", _scatter("scatter_mul", "clip", unique=False), SCATTERED, SCATTERED_AGAIN,
         without=dict.fromkeys(("jvp", "vjp"), "two factors may go to one place")),
    Case("scatter_apply",
         lambda fw: lambda x, i: fw.lax.scatter_apply(
             x, i, lambda v: fw.lax.mul(v, fw.lax.full_like(v, 2)), fw.lax.ScatterDimensionNumbers((1,), (0,), (0,)),
             update_shape=(5, 2)),
         (_floats(4, 3), REPEATED), others=(_floats(4, 3), AGAIN),
         without=dict.fromkeys(("jvp", "vjp"), "JAX has no derivative of it")),
    Case("dynamic_slice",
         lambda fw: lambda x, i, j: [fw.lax.dynamic_slice(x, (i, j), (2, 2)), fw.lax.dynamic_slice_in_dim(x, i, 2, 1),
                                     fw.lax.dynamic_index_in_dim(x, j, 0, False)],
         (_floats(4, 5), np.int32(-2), np.int32(9)), others=(_floats(4, 5), np.int32(1), np.int32(0))),
    Case("dynamic_update_slice",
         lambda fw: lambda x, u, i, j: [fw.lax.dynamic_update_slice(x, u, (i, j)),
                                        fw.lax.dynamic_update_slice_in_dim(x, u, i, 1),
                                        fw.lax.dynamic_update_index_in_dim(x, fw.lax.index_in_dim(u, 0, 0), j, 0)],
         (_floats(2, 5), _floats(2, 5), np.int32(-1), np.int32(1)),
         others=(_floats(2, 5), _floats(2, 5), np.int32(1), np.int32(0))),
    Case("sort", lambda fw: lambda x: [fw.lax.sort(x, 0), fw.lax.sort(x, 1)],
         (np.array([[1, -0.0, np.nan, 0.0], [np.inf, -np.inf, -np.nan, 3]], np.float32),)),
    Case("sort of several", lambda fw: lambda k, x, y: fw.lax.sort((k, x, y), 1, True, 2),
         (_ints(2, 5, low=0, high=2), _floats(2, 5), _floats(2, 5))),
    Case("sort_key_val", lambda fw: lambda k, x: fw.lax.sort_key_val(k, x), (_complexes(5), _floats(5))),
    Case("top_k", lambda fw: lambda x: [*fw.lax.top_k(x, 2), *fw.lax.top_k(x, 2, axis=0)], (_floats(3, 4),)),
]  # fmt: skip


def _window(name: str, init: float, *args: Any) -> Callable[[Any], Callable[..., Any]]:
    return lambda fw: lambda x: fw.lax.reduce_window(x, init, getattr(fw.lax, name), *args)


def _conv(*args: Any, **kwargs: Any) -> Callable[[Any], Callable[..., Any]]:
    return lambda fw: lambda x, y: fw.lax.conv_general_dilated(x, y, *args, **kwargs)


WINDOWS = [
    *(Case(f"windows, {name}", _window(name, init, (2, 3), (2, 1), ((1, 0), (0, 1))), (_floats(5, 6),))
      for name, init in (("add", 0.0), ("max", -np.inf), ("min", np.inf))),
    *(Case(f"windows, {name}, dilated", _window(name, init, (2, 2), (1, 2), "SAME", (2, 1)), (_floats(3, 4),))
      for name, init in (("add", 0.0), ("max", -np.inf))),
    Case("windows, holes", _window("add", 0.0, (2, 2), (1, 1), "VALID", None, (2, 1)), (_floats(4, 3),)),
    Case("windows, any function", _window("mul", 1.0, (2, 2), (1, 2), "SAME_LOWER"), (_floats(3, 4),),
         without={"vjp": "a reduction of windows by any function is not transposed"}),
    Case("conv", _conv((1, 2), "SAME"), (_floats(2, 2, 4, 5), _floats(3, 2, 2, 3))),
    Case("conv, dilated", _conv((2,), ((1, 2),), (2,), (3,)), (_floats(2, 3, 6), _floats(4, 3, 2))),
    Case("conv, feature groups", _conv((2,), "VALID", feature_group_count=2), (_floats(2, 4, 5), _floats(4, 2, 2))),
    Case("conv, batch groups", _conv((1,), "VALID", batch_group_count=2), (_floats(4, 3, 5), _floats(4, 3, 2))),
    Case("conv, letters", _conv((1, 1), "SAME_LOWER", dimension_numbers=("NHWC", "HWIO", "NHWC")),
         (_floats(1, 4, 4, 2), _floats(2, 2, 2, 3))),
    Case("conv, complex", _conv((1,), "VALID"), (_complexes(1, 2, 4), _complexes(2, 2, 2))),
    Case("conv_transpose", lambda fw: lambda x, y: [
        fw.lax.conv_transpose(x, y, (2,), "SAME"), fw.lax.conv_transpose(x, y, (1,), "VALID", (2,)),
        fw.lax.conv_transpose(x, y, (2,), ((1, 0),), use_consistent_padding=True),
        fw.lax.conv_transpose(x, y, (2,), "SAME", transpose_kernel=True)],
        (_floats(1, 4, 2), _floats(3, 2, 2))),
    Case("patches", lambda fw: lambda x: fw.lax.conv_general_dilated_patches(
        x, (2, 3), (1, 2), "VALID", dimension_numbers=("NHWC", "HWIO", "NHWC")), (_floats(1, 3, 5, 2),)),
]  # fmt: skip

HALF = _complexes(3, 3)
FOURIER = [
    Case("fft", lambda fw: lambda x: [fw.lax.fft(x, "FFT", (2, 5)), fw.lax.fft(x, fw.lax.FftType.IFFT, (5,))],
         (_complexes(2, 5),)),
    Case("rfft", lambda fw: lambda x: [fw.lax.fft(x, "RFFT", (4,)), fw.lax.fft(x, "rfft", (3, 4))], (_floats(3, 4),)),
    Case("irfft", lambda fw: lambda x: [fw.lax.fft(x, "IRFFT", (4,)), fw.lax.fft(x, "IRFFT", (3, 5))], (HALF,)),
]  # fmt: skip


def _definite(n: int, *, is_complex: bool = False) -> Any:
    x = _complexes(n, n) if is_complex else _floats(n, n)
    return (x @ x.conj().T + n * np.eye(n)).astype(x.dtype)


def _linalg(name: str, **kwargs: Any) -> Callable[[Any], Callable[..., Any]]:
    return lambda fw: lambda *xs: getattr(fw.lax.linalg, name)(*xs, **kwargs)


def _solves(fw: Any) -> Callable[..., Any]:
    solve = fw.lax.linalg.triangular_solve
    return lambda a, b: [
        solve(a, b, left_side=True, lower=True), solve(a, b, left_side=True, transpose_a=True, conjugate_a=True),
        solve(a, fw.lax.transpose(b, (1, 0)), lower=True, transpose_a=True),
        solve(a, b, left_side=True, conjugate_a=True),
        solve(a, fw.lax.transpose(b, (1, 0)), unit_diagonal=True),
    ]  # fmt: skip


MATRICES = [
    *(Case(f"cholesky{text}", _linalg("cholesky"), (_definite(3, is_complex=c),), (_definite(3, is_complex=c),))
      for c, text in ((False, ""), (True, ", complex"))),
    Case("triangular_solve", _solves, (_definite(3), _floats(3, 2)), (_definite(3), _floats(3, 2))),
    Case("triangular_solve, complex", _solves, (_definite(3, is_complex=True), _complexes(3, 2)),
         (_definite(3, is_complex=True), _complexes(3, 2))),
    Case("eigh", _linalg("eigh"), (_definite(3),), (_definite(3),)),
    Case("eigenvalues, complex", lambda fw: lambda x: fw.lax.linalg.eigh(x)[1], (_definite(3, is_complex=True),),
         (_definite(3, is_complex=True),)),
    Case("eig", _linalg("eig", enable_eigvec_derivs=True),
         (np.diag([1.0, 2, 4]).astype(np.float32) + _floats(3, 3) / 4,),
         (_floats(3, 3),)),
    Case("eig, complex", _linalg("eig", compute_left_eigenvectors=False, compute_right_eigenvectors=False),
         (_complexes(3, 3),), (_complexes(3, 3),)),
    *(Case(f"lu, {m} x {n}", _linalg("lu"), (_floats(m, n),), (_floats(m, n),)) for m, n in ((3, 3), (4, 2), (2, 4))),
    *(Case(f"qr, {m} x {n}", _linalg("qr", full_matrices=full), (_floats(m, n),), (_floats(m, n),))
      for m, n, full in ((4, 2, False), (2, 4, False), (4, 2, True))),
    Case("qr, complex", _linalg("qr", full_matrices=False), (_complexes(3, 2),), (_complexes(3, 2),)),
    Case("qr, pivots", _linalg("qr", pivoting=True, full_matrices=False), (_floats(4, 3),), (_floats(4, 3),)),
    Case("qr, pivots, wide", _linalg("qr", pivoting=True), (_floats(2, 4) * np.arange(1, 5, dtype=np.float32),),
         (_floats(2, 4),),
         differs=dict.fromkeys(("jvp", "vjp"), "JAX does not permute the columns of the operand")),
    *(Case(f"svd, {m} x {n}", _linalg("svd", full_matrices=False), (_floats(m, n),), (_floats(m, n),))
      for m, n in ((4, 2), (2, 4))),
    Case("svd, full", _linalg("svd"), (_floats(3, 2),), (_floats(3, 2),),
         without=dict.fromkeys(("jvp", "vjp"), "not differentiated with full matrices")),
    Case("singular values, complex", _linalg("svd", compute_uv=False), (_complexes(3, 2),), (_complexes(3, 2),)),
]  # fmt: skip


NO_DERIVATIVE = dict.fromkeys(("jvp", "vjp"), "it has none")
REFLECTIONS = _floats(4, 3), _floats(3, low=0.5), _floats(4, 2)


def _reflected(fw: Any) -> Callable[..., Any]:
    product = fw.lax.linalg.ormqr

    def function(a: Any, taus: Any, c: Any) -> Any:
        return [
            fw.lax.linalg.householder_product(a, taus), product(a, taus, c), product(a, taus, c, transpose=True),
            product(a, taus, fw.lax.transpose(c, (1, 0)), left=False),
        ]  # fmt: skip

    return function


def _diagonals(fw: Any) -> Callable[..., Any]:
    solve = fw.lax.linalg.tridiagonal_solve
    return lambda dl, d, du, b: [solve(dl, d, du, b), solve(dl, d, du, b, perturb_singular=True)]


FORMS = [
    Case("hessenberg", _linalg("hessenberg"), (_floats(4, 4),), (_floats(4, 4),), without=NO_DERIVATIVE),
    Case("hessenberg, complex", _linalg("hessenberg"), (_complexes(3, 3),), (_complexes(3, 3),), without=NO_DERIVATIVE),
    Case("schur", _linalg("schur"), (_floats(4, 4),), (_floats(4, 4),), without=NO_DERIVATIVE),
    Case("schur, complex", _linalg("schur", compute_schur_vectors=False), (_complexes(3, 3),), (_complexes(3, 3),),
         without=NO_DERIVATIVE),
    *(Case(f"tridiagonal{text}", _linalg("tridiagonal", lower=not c), (_definite(4, is_complex=c),),
           (_definite(4, is_complex=c),), without=NO_DERIVATIVE) for c, text in ((False, ""), (True, ", complex"))),
    Case("reflections", _reflected, REFLECTIONS, (_floats(4, 3), _floats(3), _floats(4, 2)), without=NO_DERIVATIVE),
    Case("reflections, complex", _reflected, (_complexes(3, 2), _complexes(2), _complexes(3, 2)),
         without=NO_DERIVATIVE),
    Case("tridiagonal_solve", _diagonals, (_floats(4), _floats(4, low=3, high=4), _floats(4), _floats(4, 2))),
    Case("tridiagonal_solve, complex", _linalg("tridiagonal_solve"),
         (_complexes(4), 4 + _complexes(4), _complexes(4), _complexes(4, 2))),
    Case("symmetric_product", lambda fw: lambda a, c: [
        fw.lax.linalg.symmetric_product(a, c, alpha=0.5, beta=2.0),
        fw.lax.linalg.symmetric_product(a, c, symmetrize_output=True)],
         (_floats(3, 2), _floats(3, 3)), without=NO_DERIVATIVE),
    Case("lu_pivots_to_permutation",
         lambda fw: lambda p: [fw.lax.linalg.lu_pivots_to_permutation(p, n) for n in (3, 5)],
         (np.array([2, 2, 2], np.int32),), (np.array([1, 2, 2], np.int32),)),
]  # fmt: skip


def _stepped(fw: Any) -> Callable[..., Any]:
    def step(carry: Any, x: Any) -> Any:
        carry = fw.lax.add(fw.lax.mul(carry, x), x)
        return carry, fw.lax.sin(carry)

    return lambda c, xs: fw.lax.scan(step, c, xs)


def _doubled(fw: Any) -> Callable[..., Any]:
    def small(x: Any) -> Any:
        return fw.lax.lt(fw.lax.reduce_max(x, (0,)), 9.0)

    return lambda x: fw.lax.while_loop(small, lambda v: fw.lax.add(fw.lax.mul(v, v), fw.lax.full_like(v, 0.5)), x)


def _mapped(function: Callable[[Any], Callable[..., Any]]) -> Callable[[Any], Callable[..., Any]]:
    """A function of an example, which sees the other ones."""
    return lambda fw: fw.vmap(function(fw), axis_name="i")


CONTROL = [
    Case("cond", lambda fw: lambda p, x: fw.lax.cond(p, fw.lax.sin, fw.lax.cos, x), (np.bool_(True), _floats(3)),
         (np.bool_(False), _floats(3))),
    Case("scan", _stepped, (_floats(2), _floats(3, 2)), (_floats(2), _floats(3, 2))),
    Case("while_loop", _doubled, (_floats(2, low=1, high=1.5),), (_floats(2, low=1.6, high=3),),
         without={"vjp": "how often it turns is not known in reverse"}),
    Case("collectives", _mapped(lambda fw: lambda x: [
        fw.lax.psum(x, "i"), fw.lax.pmax(x, "i"), fw.lax.pmin(x, "i"), fw.lax.all_gather(x, "i"),
        fw.lax.ppermute(x, "i", [(0, 1), (1, 2), (2, 0)]), fw.lax.axis_index("i")]), (_floats(3, 2),),
        differs=dict.fromkeys(("jvp", "vjp"), "JAX has no derivative of pmax; over a mapped axis it is a maximum")),
    Case("jit", lambda fw: fw.jit(lambda x, y: fw.lax.mul(fw.lax.sin(x), y)), (_floats(3), _floats(3))),
    Case("checkpoint", lambda fw: fw.checkpoint(lambda x: fw.lax.sin(fw.lax.mul(x, x))), (_floats(3),)),
]  # fmt: skip

CASES: dict[str, Case] = {
    case.name: case
    for case in (
        *ELEMENTWISE, *STRUCTURE, *REDUCTIONS, *CONTRACTIONS, *INDEXING, *WINDOWS, *FOURIER, *MATRICES, *FORMS, *CONTROL
    )
}  # fmt: skip

"""Straight-line programs over `jax.numpy` by chance, run as they are made, so that nearly every line has a value."""

from __future__ import annotations

import random
import warnings
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

__all__ = ["PREAMBLE", "Line", "make_program"]

PREAMBLE = """\
import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
"""
DTYPES = (
    "bool_", "int8", "int16", "int32", "uint8", "uint16", "uint32", "float16", "bfloat16", "float32", "complex64",
)  # fmt: skip
SCALARS = ("0", "1", "2", "-1", "3", "2.5", "0.0", "1j", "True", "np.float32(2)", "np.int8(3)", "np.float64(1.5)")
BINARY = ("+", "-", "*", "/", "//", "%", "**", "@", "&", "|", "^", "<<", ">>")
COMPARISONS = ("==", "!=", "<", "<=", ">", ">=")
UNARY = [
    "jnp.sin",
    "jnp.exp",
    "jnp.abs",
    "jnp.sign",
    "jnp.square",
    "jnp.sqrt",
    "jnp.floor",
    "jnp.isnan",
    "jnp.logical_not",
    "jnp.negative",
    "jnp.conj",
    "jnp.real",
    "jnp.imag",
    "jnp.angle",
    "jnp.round",
    "jnp.rint",
    "jnp.deg2rad",
    "jnp.sinc",
    "jnp.nan_to_num",
    "jnp.ravel",
    "jnp.transpose",
    "jnp.squeeze",
    "jnp.flip",
    "jnp.sort",
    "jnp.argsort",
    "jnp.unique",
    "jnp.atleast_1d",
    "jnp.atleast_2d",
    "jnp.diff",
    "jnp.cumsum",
    "jnp.zeros_like",
    "jnp.ones_like",
    "jnp.median",
    "jnp.ptp",
    "jnp.count_nonzero",
    "jnp.nonzero",
    "jnp.diag",
    "jnp.trace",
    "jnp.tril",
    "jnp.array",
    "jnp.asarray",
    "jnp.isfinite",
    "jnp.bitwise_not",
    "jnp.reciprocal",
    "jnp.log1p",
    "jnp.tanh",
    "jnp.size",
    "jnp.ndim",
    "lax.exp",
    "lax.neg",
    "lax.sign",
    "lax.abs",
    "lax.stop_gradient",
    "lax.rsqrt",
    "lax.is_finite",
    "jax.nn.relu",
    "jax.nn.softmax",
]
REDUCTIONS = ("sum", "prod", "max", "min", "mean", "var", "std", "any", "all", "argmax", "argmin", "cumsum", "cumprod")
BINARY_FUNCTIONS = [
    "jnp.add",
    "jnp.multiply",
    "jnp.maximum",
    "jnp.minimum",
    "jnp.power",
    "jnp.arctan2",
    "jnp.logaddexp",
    "jnp.hypot",
    "jnp.mod",
    "jnp.fmod",
    "jnp.true_divide",
    "jnp.logical_and",
    "jnp.greater",
    "jnp.equal",
    "jnp.outer",
    "jnp.dot",
    "jnp.inner",
    "jnp.matmul",
    "jnp.kron",
    "jnp.copysign",
    "jnp.bitwise_and",
    "jnp.left_shift",
    "jnp.gcd",
    "jnp.heaviside",
    "jnp.isclose",
    "jnp.array_equal",
    "jnp.append",
    "jnp.searchsorted",
    "jnp.ldexp",
    "jnp.float_power",
    "jnp.vdot",
    "jnp.tensordot",
    "lax.add",
    "lax.mul",
    "lax.max",
    "lax.sub",
    "lax.pow",
]
METHODS = (
    "T", "real", "imag", "ravel()", "flatten()", "squeeze()", "conj()", "copy()", "transpose()", "sort()", "argsort()",
    "nonzero()", "round()", "clip(0, 1)", "std()", "mean()", "ptp()", "mT",
)  # fmt: skip
LARGEST = 200


class Line:
    """An assignment and what came of it; `error` is None if it ran."""

    __slots__ = ("error", "expression", "name", "value")

    def __init__(self, name: str, expression: str, value: Any, error: Exception | None) -> None:
        self.name: str = name
        self.expression: str = expression
        self.value: Any = value
        self.error: Exception | None = error

    def __str__(self) -> str:
        return f"{self.name} = {self.expression}"


class _Maker:
    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.arrays: dict[str, Any] = {}
        self.tuples: dict[str, Any] = {}
        self.scalars: list[str] = []

    def pick(self, several: Any) -> Any:
        return self.rng.choice(list(several))

    def shape(self, most: int = 5) -> tuple[int, ...]:
        rank = self.rng.choices(range(most + 1), (2, 4, 5, 2, 1, 1)[: most + 1])[0]
        return tuple(self.rng.choices((0, 1, 2, 3, 4), (1, 3, 4, 5, 1))[0] for _ in range(rank))

    def array(self) -> str:
        return str(self.pick(list(self.arrays)[-12:]) if self.rng.random() < 0.7 else self.pick(self.arrays))

    def operand(self) -> str:
        if self.rng.random() < 0.3:
            return str(self.pick([*SCALARS, *self.scalars]))
        return self.array()

    def axis(self, name: str) -> str:
        rank = getattr(self.arrays[name], "ndim", 1)
        if self.rng.random() < 0.06:
            return str(rank + 1)
        if not rank or self.rng.random() < 0.15:
            return "None"
        if rank > 1 and self.rng.random() < 0.2:
            return str(tuple(self.rng.sample(range(rank), 2)))
        return str(self.rng.randrange(-rank, rank))

    def expression(self) -> str:
        if len(self.arrays) < 4:
            return self.creation()
        makers: list[tuple[int, Callable[[], str]]] = [
            (3, self.creation), (5, self.operator), (4, self.comparison), (4, self.unary), (3, self.reduction),
            (3, self.function), (3, self.method), (3, self.index), (2, self.update), (3, self.structural),
            (1, self.static), (1, self.lax), (1, self.chosen), (1, self.drawn), (1, self.item),
        ]  # fmt: skip
        return str(self.rng.choices([m for _, m in makers], [w for w, _ in makers])[0]())

    def creation(self) -> str:
        s, d = self.shape(), f"jnp.{self.pick(DTYPES)}"
        return str(self.pick([
            f"jnp.ones({s}, {d})", f"jnp.zeros({s}, dtype={d})", f"jnp.full({s}, {self.pick(SCALARS)})",
            f"jnp.full({s}, {self.pick(SCALARS)}, {d})", f"jnp.asarray({self.pick(SCALARS)})", f"jnp.arange({len(s)})",
            f"jnp.arange({len(s)}, dtype={d})", f"jnp.array({[1] * len(s)})", f"jnp.array([1.5, {self.pick(SCALARS)}])",
            f"jnp.linspace(0, 1, {len(s)})", f"jnp.eye({len(s)})", f"jnp.ones({s}).astype({d})", f"jnp.empty({s})",
            f"{d}({self.pick(SCALARS)})", f"jnp.zeros({s}, {d}) + {self.pick(SCALARS)}",
        ]))  # fmt: skip

    def operator(self) -> str:
        a, b = self.array(), self.operand()
        if self.rng.random() < 0.5:
            a, b = b, a
        return f"{a} {self.pick(BINARY)} {b}" if self.rng.random() < 0.9 else f"{self.pick('-~+')}{self.array()}"

    def comparison(self) -> str:
        a, b = self.array(), self.operand()
        if self.rng.random() < 0.6:
            a, b = b, a
        return f"{a} {self.pick(COMPARISONS)} {b}"

    def unary(self) -> str:
        return f"{self.pick(UNARY)}({self.array()})"

    def reduction(self) -> str:
        a, name = self.array(), self.pick(REDUCTIONS)
        more = ", keepdims=True" if self.rng.random() < 0.2 and not name.startswith("cum") else ""
        if self.rng.random() < 0.5:
            return f"{a}.{name}(axis={self.axis(a)}{more})"
        return f"jnp.{name}({a}, axis={self.axis(a)}{more})"

    def function(self) -> str:
        a, b = self.array(), self.operand()
        if self.rng.random() < 0.4:
            a, b = b, a
        return f"{self.pick(BINARY_FUNCTIONS)}({a}, {b})"

    def method(self) -> str:
        if self.rng.random() < 0.3:
            return f"{self.array()}.astype(jnp.{self.pick(DTYPES)})"
        return f"{self.array()}.{self.pick(METHODS)}"

    def index(self) -> str:
        a = self.array()
        keys = ("0", "-1", "1:", ":2", "::2", "...", "None", ":", "..., 0", "0, 1", ":, 0", "1:, None", "::-1", "5")
        masks = [n for n, v in self.arrays.items() if v.dtype == bool and v.shape == self.arrays[a].shape]
        if masks and self.rng.random() < 0.3:
            return f"{a}[{self.pick(masks)}]"
        return f"{a}[{self.pick(keys)}]"

    def update(self) -> str:
        name = self.pick(("set", "add", "multiply", "max", "min", "subtract", "divide", "power"))
        return f"{self.array()}.at[{self.pick(('0', '...', '1:', ':', '-1'))}].{name}({self.operand()})"

    def structural(self) -> str:
        a, b = self.array(), self.array()
        axis = self.axis(a)
        return str(self.pick([
            f"jnp.concatenate([{a}, {b}], axis={axis})", f"jnp.stack([{a}, {a}], axis={axis})", f"{a}.reshape(-1)",
            f"jnp.concatenate([{a}, {a}])", f"jnp.hstack(({a}, {b}))", f"jnp.vstack(({a}, {b}))", f"{a}.reshape(-1, 2)",
            f"jnp.expand_dims({a}, {axis})", f"jnp.moveaxis({a}, 0, -1)", f"jnp.swapaxes({a}, 0, -1)",
            f"jnp.tile({a}, 2)", f"jnp.repeat({a}, 2)", f"jnp.repeat({a}, 2, axis={axis})", f"jnp.roll({a}, 1)",
            f"jnp.broadcast_to({a}, {self.shape(3)})", f"jnp.split({a}, 1)", f"jnp.array([{a}, {b}])",
            f"jnp.pad({a}, 1)", f"jnp.take({a}, jnp.array([0, 0]), axis={axis})", f"jnp.meshgrid({a}, {b})",
            f"jnp.reshape({a}, {self.shape(3)})", f"jnp.flip({a}, {axis})", f"jnp.where({a}, {b}, {self.operand()})",
            f"jnp.clip({a}, {self.operand()}, {self.operand()})", f"jnp.full_like({a}, {self.operand()})",
            f"jnp.atleast_3d({a})", f"jnp.squeeze({a}, axis={axis})",
        ]))  # fmt: skip

    def static(self) -> str:
        a = self.array()
        return str(self.pick([
            f"jnp.sum({a}, dtype=jnp.{self.pick(DTYPES)})", f"jnp.einsum('i,i', {a}, {self.array()})",
            f"jnp.einsum('ij->ji', {a})", f"jnp.linalg.norm({a})", f"jnp.average({a}, axis={self.axis(a)})",
            f"jnp.quantile({a}, 0.5)", f"jnp.interp({a}, {a}, {a})", f"jnp.zeros({a}.shape)",
            f"jnp.ones({a}.shape[0])", f"jnp.zeros(({a}.ndim, 2))", f"{a}.view(jnp.uint8)", f"jnp.result_type({a}, 1)",
            f"jnp.unique({a}, size=2)", f"jnp.histogram({a}, 3)", f"jnp.sort({a}, axis={self.axis(a)})",
        ]))  # fmt: skip

    def lax(self) -> str:
        a = self.array()
        return str(self.pick([
            f"lax.convert_element_type({a}, jnp.{self.pick(DTYPES)})", f"lax.reduce_max({a}, (0,))",
            f"lax.select({a} > 0, {a}, {a})", f"lax.expand_dims({a}, (0,))", f"lax.transpose({a}, (1, 0))",
            f"lax.concatenate([{a}, {a}], 0)", f"lax.slice({a}, (0,), (1,))",
            f"lax.clamp({self.operand()}, {a}, {self.operand()})", f"lax.full_like({a}, {self.pick(SCALARS)})",
            f"lax.top_k({a}, 1)", f"lax.cumsum({a})", f"lax.rev({a}, (0,))",
            f"lax.broadcast({a}, (2,))", f"lax.iota(jnp.{self.pick(DTYPES)}, 3)", f"lax.squeeze({a}, (0,))",
        ]))  # fmt: skip

    def chosen(self) -> str:
        a = self.array()
        return str(self.pick([
            f"jnp.select([{a} > 0], [{a}], {self.operand()})", f"jnp.piecewise({a}, [{a} > 0], [1, 2])",
            f"divmod({a}, {self.operand()})", f"abs({a})", f"jax.vmap(jnp.sum)({a})", f"jax.jit(jnp.sin)({a})",
            f"jnp.modf({a})", f"jnp.frexp({a})", f"sum([{a}, {a}])", f"max({a}.sum(), {self.operand()})",
        ]))  # fmt: skip

    def drawn(self) -> str:
        key = f"jax.random.key({self.rng.randrange(3)})"
        return str(self.pick([
            f"jax.random.normal({key}, {self.shape(3)})", f"jax.random.uniform({key}, {self.shape(3)})",
            f"jax.random.randint({key}, {self.shape(3)}, 0, 5)", f"jax.random.bernoulli({key}, 0.5, {self.shape(2)})",
            f"jax.random.permutation({key}, {self.array()})", f"jax.random.choice({key}, {self.array()})",
        ]))  # fmt: skip

    def item(self) -> str:
        if self.tuples:
            return f"{self.pick(self.tuples)}[0]"
        return str(self.pick(("2", "2.5", "True", "-1", "1j")))

    def keep(self, name: str, value: Any) -> None:
        if isinstance(value, jax.Array):
            if value.size <= LARGEST and value.ndim <= 5 and not jnp.issubdtype(value.dtype, jax.dtypes.extended):
                self.arrays[name] = value
        elif isinstance(value, tuple | list) and value and isinstance(value[0], jax.Array):
            self.tuples[name] = value
        elif type(value) in (bool, int, float, complex) and abs(value) < 100:
            self.scalars.append(name)


def make_program(rng: random.Random, lines: int) -> list[Line]:
    """A program of so many lines."""
    maker = _Maker(rng)
    namespace: dict[str, Any] = {}
    exec(PREAMBLE, namespace)
    made: list[Line] = []
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        while len(made) < lines:
            name, expression = f"v{len(made)}", maker.expression()
            try:
                value, error = eval(expression, namespace), None
            except Exception as raised:
                if rng.random() < 0.7:
                    continue
                value, error = None, raised
            made.append(Line(name, expression, value, error))
            if error is None:
                namespace[name] = value
                maker.keep(name, value)
    return made

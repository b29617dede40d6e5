"""Expressions of arrays of known shapes: what a checker knows of the result's shape and dtype, against JAX's result.

Each is a line `assert_type(EXPRESSION, Undefined)`, which fails in every checker and so has it print its type; what the
type should be is read off the array that JAX makes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any, Final, Literal, get_args

from checker_cases import HEAD

from arraytyping.checker.stubgen.spelling import element

ARRAYS: Final[dict[str, tuple[str, tuple[int, ...]]]] = {
    "f0": ("float32", ()), "f3": ("float32", (3,)), "g3": ("float32", (3,)), "i3": ("int32", (3,)),
    "f23": ("float32", (2, 3)), "g23": ("float32", (2, 3)), "h23": ("bfloat16", (2, 3)), "i23": ("int32", (2, 3)),
    "b23": ("bool", (2, 3)), "f13": ("float32", (1, 3)), "f34": ("float32", (3, 4)), "h34": ("bfloat16", (3, 4)),
    "f33": ("float32", (3, 3)), "f423": ("float32", (4, 2, 3)), "f434": ("float32", (4, 3, 4)),
    "i2": ("int32", (2,)),
}  # fmt: skip
"""The arrays, with their dtypes and shapes."""

OPEN: Final[dict[str, tuple[str, tuple[tuple[int, ...], ...]]]] = {
    "u": ("SomeShape", ((), (3,), (2, 3), (4, 2, 3), (3, 4), (3, 3), (1, 2))),
    "v": ("", ((3,), (1, 3), (4, 2, 3))),
    "w": ("Any", ((), (3,), (1, 2, 3))),
    "p": ("tuple[int, ...]", ((3,), (4, 2, 3), (3, 3))),
    "q": ("tuple[int, int]", ((2, 3), (1, 3), (3, 3), (2, 1))),
}  # fmt: skip
"""Arrays of float32 of which the shape is not known: how that is written, and shapes that each may have."""

ARGUMENTS: Final[dict[str, tuple[str, tuple[Any, ...]]]] = {
    "m": ("Any", (None, 0, -1, 1, (0, 1), 6, True)),
    "n": ("int", (0, 1, -1, 2, 6)),
}
"""Other arguments of which the value is not known: their types, and values that each may have."""

EXPRESSIONS: Final[dict[str, tuple[str, ...]]] = {
    "creation": (
        "jnp.zeros((2, 3))", "jnp.ones((4,), jnp.int8)", "jnp.zeros(5)", "jnp.full((2, 3), 1.5)",
        "jnp.empty((), jnp.bfloat16)", "jnp.zeros_like(f23)", "jnp.ones_like(f423, jnp.int8)", "jnp.full_like(h23, 1)",
        "jnp.asarray(f23)", "jnp.array(i3)", "jnp.arange(5)", "jnp.arange(2.0, 5.0)", "jnp.linspace(0.0, 1.0, 5)",
        "jnp.arange(0, 5, dtype=jnp.int8)", "jnp.eye(3)", "jnp.asarray(2.0)",
    ),
    "elementwise": (
        "-f23", "abs(i3)", "jnp.sin(f23)", "jnp.exp(f423)", "jnp.sqrt(i3)", "jnp.abs(f0)", "jnp.isnan(f23)",
        "f23.astype(jnp.int8)", "f23.real", "f423.copy()", "f23.conj()", "jnp.round(f23)", "jnp.clip(f23, 0.0, 1.0)",
        "f23.clip(0.0)", "jnp.where(b23, f23, 0.0)", "jnp.where(b23, f23, g23)", "jnp.cumsum(f23, axis=0)",
        "jax.nn.relu(f23)", "jax.nn.softmax(f23)", "jax.lax.exp(f23)",
    ),
    "array with scalar": (
        "f23 + 1", "2 * f23", "f423 / 2.0", "1 - i3", "f3 ** 2", "f0 + 1.0", "f23 > 0", "i3 == 1", "jnp.add(f23, 1)",
        "jnp.maximum(f23, 0.0)", "f23 % 2", "i3 // 2",
    ),
    "equal shapes": (
        "f3 + g3", "f23 + g23", "f23 * h23", "f23 - i23", "f23 / g23", "i23 // i23", "f23 ** g23", "b23 & b23",
        "f23 > g23", "f23 == i23", "f423 + f423", "f0 * f0", "jnp.add(f23, g23)", "jnp.maximum(f3, g3)",
        "jnp.arctan2(f23, g23)", "jax.lax.add(f23, g23)", "f23 * jnp.sin(g23)", "f23 + jnp.zeros((2, 3))",
    ),
    "broadcasting": (
        "f23 + f3", "f3 * f23", "f23 - f0", "f13 + f23", "f423 * f23", "f23 > f3", "jnp.add(f23, f3)",
        "jnp.where(b23, f3, 0.0)", "f13 + jnp.zeros((2, 3))", "f3 * jnp.ones((4, 1))", "f0 < jnp.full((2,), 1.5)",
        "f13 - jnp.eye(3)", "f3 * jnp.sin(f13)",
    ),
    "matrix product": (
        "f23 @ f34", "f23 @ f3", "f3 @ f34", "f3 @ g3", "f423 @ f34", "f423 @ f434", "f23 @ h34",
        "jnp.matmul(f23, f34)", "jnp.dot(f23, f34)", "jnp.dot(f3, g3)", "jnp.einsum('ij,jk->ik', f23, f34)",
        "jnp.outer(f3, f3)", "jnp.tensordot(f23, f34, 1)", "f23 @ f23.T",
    ),
    "reductions": (
        "f23.sum()", "jnp.sum(f23)", "jnp.mean(f423)", "f23.max()", "jnp.sum(f23, axis=0)", "f23.sum(axis=1)",
        "f423.mean(axis=-1)", "jnp.max(f23, axis=1, keepdims=True)", "f423.sum(axis=(0, 1))", "jnp.any(b23, axis=0)",
        "b23.all()", "jnp.argmax(f23, axis=1)", "f23.argmin()", "jnp.std(f23)", "jnp.prod(i23)", "i23.sum(0)",
        "jnp.linalg.norm(f23)", "jnp.median(f23)",
    ),
    "reshaping": (
        "f23.reshape(6)", "f23.reshape(3, 2)", "f23.reshape((3, 2))", "f23.reshape(-1)", "f23.reshape(1, -1)",
        "jnp.reshape(f23, (3, 2))", "jnp.reshape(f23, -1)", "f23.ravel()", "jnp.ravel(f423)", "f23.flatten()",
        "jnp.expand_dims(f23, 0)", "jnp.squeeze(f13)", "jnp.broadcast_to(f3, (2, 3))", "f23[None]", "f23[:, None]",
    ),
    "transposing": (
        "f23.T", "f3.T", "f423.T", "jnp.transpose(f23)", "f23.transpose()", "jnp.transpose(f423, (1, 0, 2))",
        "f23.transpose(1, 0)", "jnp.swapaxes(f23, 0, 1)", "jnp.moveaxis(f423, 0, -1)", "f423.mT", "f23.swapaxes(0, 1)",
        "jnp.flip(f23)",
    ),
    "joining": (
        "jnp.stack([f23, g23])", "jnp.stack((f23, g23), axis=1)", "jnp.concatenate([f23, g23])",
        "jnp.concatenate((f23, g23), axis=1)", "jnp.concatenate([f23, h23])", "jnp.stack([f23, i23])",
        "jnp.hstack([f3, g3])", "jnp.vstack([f3, g3])", "jnp.concatenate([f3, i3, f3])", "jnp.array([f0, f0])",
        "jnp.append(f3, g3)", "jnp.tile(f3, 2)", "jnp.stack([h23, f23])",
        "jnp.concatenate([f3, f3 * 2])", "jnp.stack([u, f23])", "jnp.concatenate((i3, f3))",
    ),
    "indexing": (
        "f3[0]", "f23[0]", "f423[0]", "f23[0, 1]", "f23[1:]", "f23[:, 0]", "f23[i2]", "f23[..., 0]",
        "f23.at[0].set(1.0)", "jnp.take(f23, 0, axis=1)",
    ),
    "unknown shapes": (
        *(
            f"{a} {o} {b}"
            for o in ("+", "@", "<")
            for a, b in product(("f23", *OPEN), ("f3", "f23", *OPEN))
            if a in OPEN or b in OPEN
        ),
        "u.sum()", "v.sum(axis=0)", "jnp.mean(w)", "p.T", "u.T", "v.T", "q.T", "q * 2", "u / 2", "-v", "jnp.sin(u)",
        "u[0]",
    ),
    "unknown arguments": (
        "f23.sum(axis=m)", "f33.sum(m)", "f3.max(m)", "f23.sum(axis=n)", "jnp.mean(f33, axis=m)",
        "jnp.sum(f23, 0, keepdims=m)",
        "jnp.sum(f23, keepdims=m)", "jnp.all(b23, axis=m)", "jnp.argmax(f33, axis=m)", "jnp.argmax(f33, n)",
        "jnp.median(f33, axis=m)", "u.sum(m)", "jnp.max(p, axis=n)", "jnp.transpose(f33, m)", "jnp.transpose(f23, m)",
        "f23.reshape(m)", "f23.reshape(n, m)", "jnp.reshape(f23, m)", "f23[m]", "f23[n]", "jnp.expand_dims(f23, m)",
        "jnp.zeros(m)", "jnp.zeros((2, n))", "jnp.zeros((2, m))",
    ),
    "named results": (
        "jnp.linalg.eigh(f33).eigenvalues", "jnp.linalg.eigh(f33)[1]", "jnp.linalg.slogdet(f33).sign",
        "jnp.linalg.slogdet(f33)[1]", "jnp.linalg.qr(f33).Q", "jnp.linalg.svd(f33).S",
        "jnp.linalg.eig(f33).eigenvalues", "jnp.linalg.svd(f23, full_matrices=False).U",
        "jax.scipy.stats.mode(f23).mode", "jax.lax.top_k(f23, 2)[1]",
    ),
}  # fmt: skip
"""The expressions by group of operations."""

SHAPE_HEAD: Final = HEAD.replace("import Any", "import Any, Literal") + "import jax.nn, jax.scipy.stats\n"

Known = Literal["exact", "rank", "unknown", "wrong", "false error"]
VERDICTS: Final[tuple[Known, ...]] = get_args(Known)
"""Of a shape; of a dtype there is no `rank`.  A size that is left open while the rank is right counts as `rank`."""

_ARM: Final = re.compile(r" \| (?=Array\b)")
_ARRAY: Final = re.compile(r"\AArray\[(?P<dtype>[^,\[\]]+(?:\[[^\]]*\])?)(?:, (?P<shape>.+))?\]\Z", re.S)
_UNKNOWN: Final = frozenset({"Any", "Unknown", "SomeShape", "AnyShape", "@_", "Todo", "object"})


@dataclass(frozen=True)
class ShapeCase:
    """An expression with the dtype and the shape of what JAX makes of it."""

    group: str
    expression: str
    dtype: str
    shapes: tuple[tuple[int, ...], ...]
    """One, or several of those that it may have."""

    @property
    def line(self) -> str:
        """The case as a checker sees it."""
        return f"assert_type({self.expression}, Undefined)"

    def known_dtype(self, printed: str) -> Known:
        """What a printed type says of the dtype."""
        return _of_any(_known_dtype(arm, self.dtype) for arm in _ARM.split(printed))

    def known_shape(self, printed: str) -> Known:
        """What a printed type says of the shape."""
        arms = _ARM.split(printed)
        said = {_of_any(_known_shape(arm, shape) for arm in arms) for shape in self.shapes}
        return next(v for v in reversed(VERDICTS) if v in said)


def _of_any(arms: Iterable[Known]) -> Known:
    """What a union says: as little as the one of its types that holds and says least; it is wrong if none holds."""
    said = {*arms}
    return next(v for v in ("unknown", "rank", "exact", "wrong") if v in said)


def _known_dtype(printed: str, dtype: str) -> Known:
    found = _ARRAY.match(printed)
    said = None if found is None else found["dtype"]
    if said is None:
        return "unknown" if _says_nothing(printed) else "wrong"
    if said == dtype:
        return "exact"
    return "unknown" if said in _UNKNOWN else "wrong"


def _known_shape(printed: str, shape: tuple[int, ...]) -> Known:
    found = _ARRAY.match(printed)
    if found is None:
        return "unknown" if _says_nothing(printed) else "wrong"
    said = found["shape"]
    if said is None or said in _UNKNOWN:
        return "unknown"
    sizes = _sizes(said)
    if sizes is None:
        return "unknown" if said in ("tuple[int, ...]", "tuple[Any, ...]") else "wrong"
    if len(sizes) != len(shape) or any(s not in (None, n) for s, n in zip(sizes, shape)):
        return "wrong"
    return "exact" if None not in sizes else "rank"


def _says_nothing(printed: str) -> bool:
    return printed in (*_UNKNOWN, "Array")


def _sizes(said: str) -> list[int | None] | None:
    """The sizes of a shape as it is printed, None for one that is left open; None if it is no tuple of sizes."""
    if said == "tuple[()]":
        return []
    if not (said.startswith("tuple[") and said.endswith("]")):
        return None
    sizes: list[int | None] = []
    for one in said[len("tuple[") : -1].split(", "):
        literal = re.fullmatch(r"Literal\[(-?\d+)\]\??|int", one)
        if literal is None and one not in _UNKNOWN:
            return None
        sizes.append(None if literal is None or literal[1] is None else int(literal[1]))
    return sizes


def shape_cases() -> Iterator[ShapeCase]:
    """The cases, with what JAX makes of each."""
    import jax
    import jax.numpy as jnp
    import jax.scipy.stats

    arrays: dict[str, Any] = {n: jnp.ones(shape, dtype) for n, (dtype, shape) in ARRAYS.items()}
    space = {"jax": jax, "jnp": jnp, **arrays}
    for group, expressions in EXPRESSIONS.items():
        for expression in expressions:
            names = [n for n in OPEN if re.search(rf"\b{n}\b", expression)]
            values = [n for n in ARGUMENTS if re.search(rf"\b{n}\b", expression)]
            found = set()
            for shapes, *others in product(product(*(OPEN[n][1] for n in names)), *(ARGUMENTS[n][1] for n in values)):
                given = {n: jnp.ones(shape, "float32") for n, shape in zip(names, shapes)} | dict(zip(values, others))
                try:
                    made = jax.eval_shape(lambda e=expression, g=given: eval(e, {**space, **g}))
                except (TypeError, ValueError, IndexError, ZeroDivisionError):
                    assert names or values, f"{expression} raises"
                    continue
                dtype = {"f": "float", "i": "int"}[made.dtype.kind] if made.weak_type else element(str(made.dtype))
                found.add((dtype, made.shape))
            if not found:
                continue  # it raises for all of them
            assert len({dtype for dtype, _ in found}) == 1, expression
            yield ShapeCase(group, expression, next(iter(found))[0], tuple(sorted(s for _, s in found)))


def shape_program(cases: Sequence[ShapeCase]) -> tuple[str, dict[int, ShapeCase]]:
    """The text of a file with these cases, and which case stands on which line."""
    parameters = ", ".join(f"{n}: Array[{element(d)}, {_written(s)}]" for n, (d, s) in ARRAYS.items())
    parameters += "".join(f", {n}: Array[float32{', ' if s else ''}{s}]" for n, (s, _) in OPEN.items())
    parameters += "".join(f", {n}: {kind}" for n, (kind, _) in ARGUMENTS.items())
    lines = [*SHAPE_HEAD.splitlines(), "", f"def cases({parameters}) -> None:"]
    places: dict[int, ShapeCase] = {}
    for case in cases:
        lines.append(f"    {case.line}")
        places[len(lines)] = case
    return "\n".join(lines) + "\n", places


def _written(shape: tuple[int, ...]) -> str:
    return f"tuple[{', '.join(f'Literal[{n}]' for n in shape) or '()'}]"

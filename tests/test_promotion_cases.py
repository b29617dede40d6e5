"""Over a thousand promotion expressions, as a checker sees them and as JAX computes them: dtype and weak type."""

from __future__ import annotations

import warnings
from itertools import product

import jax
import jax.numpy as jnp
import pytest
from mypy_runs import Mypy

DTYPES = (
    "bool_", "uint8", "uint16", "uint32", "uint64", "int8", "int16", "int32", "int64",
    "bfloat16", "float16", "float32", "float64", "complex64",
)  # fmt: skip
PAIRS = ("{a} + {b}", "{a} / {b}", "jnp.add({a}, {b})", "jnp.where(True, {a}, {b})", "jnp.concatenate([{a}, {b}])")
SINGLE = (
    "{a} + 2", "{a} + 2.5", "{a} + 2j", "2 + {a}", "2.5 * {a}",
    "jnp.exp({a})", "jnp.sin({a})", "jnp.abs({a})", "jnp.square({a})",
    "{a}.sum()", "jnp.mean({a})", "jnp.max({a})", "jnp.cumsum({a}, axis=0)", "jnp.prod({a})",
)  # fmt: skip


def expressions(dtypes: tuple[str, ...]) -> list[str]:
    """All expressions over variables named for their dtypes."""
    pairs = [p.format(a=f"x_{a}", b=f"x_{b}") for p in PAIRS for a, b in product(dtypes, repeat=2)]
    return pairs + [s.format(a=f"x_{a}") for s in SINGLE for a in dtypes]


def truth(expression: str, dtypes: tuple[str, ...]) -> str:
    """The type that the expression's value has at run time, as the checker would print it."""
    used = {f"x_{d}": getattr(jnp, d) for d in dtypes if f"x_{d}" in expression}
    arrays = {name: jax.ShapeDtypeStruct((2, 3), d) for name, d in used.items()}  # type: ignore[no-untyped-call]
    value = jax.eval_shape(lambda names: eval(expression, {"jnp": jnp, **names}), arrays)
    kind = {"i": "int", "u": "int", "f": "float", "V": "float", "c": "complex"}
    name = "bool_" if value.dtype == bool else str(value.dtype)
    dtype = kind[value.dtype.kind] if value.weak_type and name != "bool_" else name
    return f"Array[{dtype}, tuple[{', '.join(f'Literal[{n}]' for n in value.shape) or '()'}]]"


@pytest.mark.parametrize("x64", [True, False], ids=["x64", "x32"])
def test_every_expression_is_known_exactly(x64: bool, mypy: Mypy) -> None:
    dtypes = DTYPES if x64 else tuple(d for d in DTYPES if "64" not in d or d == "complex64")
    cases = expressions(dtypes)
    made = "\n".join(f"x_{d} = jnp.ones((2, 3), jnp.{d})" for d in dtypes)
    program = f"import jax.numpy as jnp\n{made}\n" + "\n".join(f"reveal_type({c})" for c in cases) + "\n"
    run = mypy.run(program, settings=f"x64 = {str(x64).lower()}")
    assert not run.errors(), run.output[:3000]
    claims = run.revealed()
    assert len(claims) == len(cases), run.output[:3000]
    with jax.enable_x64(x64), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        real = [truth(c, dtypes) for c in cases]
    wrong = [f"{c}: claimed {ours}, is {theirs}" for c, ours, theirs in zip(cases, claims, real) if ours != theirs]
    unknown = sum("Any" in claim for claim in claims)
    print(f"x64={x64}: {len(cases)} expressions, {len(cases) - len(wrong)} exact, {unknown} unknown")
    assert not wrong, "\n".join(wrong[:20])
    assert len(cases) == (1176 if x64 else 759)

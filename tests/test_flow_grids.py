"""`mgrid` and `ogrid` of bounds that are not all known, and `c_` of arrays of any rank: against NumPy and JAX."""

from __future__ import annotations

import itertools

import pytest
from flow_values import interpreted, is_known, run, wrong_claims

from arraytyping.checker.flow.values import ArrayValue, ListValue, NumPyValue

BOUNDS = "import numpy as np\nimport jax.numpy as jnp\na = jnp.arange(7)\nn, f = int(a.max()), float(a.max())\n"
SLICES = (
    "0:n",
    ":n",
    "0:n:2",
    "n:9",
    "0:f",
    "0:n:0.5",
    "f:9:4j",
    ":n:5j",
    "0:n:f",
    "np.float32(0):f",
    "1:f:np.float64(2)",
)


@pytest.mark.parametrize("module", ["np", "jnp"])
@pytest.mark.parametrize("name", ["mgrid", "ogrid"])
def test_grids(module: str, name: str) -> None:
    lines = [f"{module}.{name}[{one}]" for one in SLICES]
    lines += [
        f"{module}.{name}[{one}, {other}]" for one, other in itertools.product(SLICES, (*SLICES[:4], "0:3", "0:2:3j"))
    ]
    source = BOUNDS + "".join(f"r{i} = {line}\n" for i, line in enumerate(lines))
    variables, result = interpreted(source)
    assert not result.diagnostics
    real = {key: value for key, value in run(source).items() if key.startswith("r")}
    assert wrong_claims(source, {key: variables[key] for key in real}, real) == []
    known = sum(_has_dtype(variables[key]) for key in real)
    assert known > 0.6 * len(lines)


def _has_dtype(value: object) -> bool:
    if isinstance(value, NumPyValue):
        return value.dtype is not None
    if isinstance(value, ArrayValue):
        return value.aval.dtype is not None
    items = value.items if isinstance(value, ListValue) else value
    return isinstance(items, tuple | list) and all(map(_has_dtype, items))


def test_a_grid_has_its_rank_and_its_known_sizes() -> None:
    source = (
        BOUNDS + "x = jnp.mgrid[0:n, 0:1:20j]\ny = np.mgrid[0:4, 0:n, 0:2]\nz = jnp.mgrid[a.min():a.max():0.1, 0:3]\n"
    )
    variables, _ = interpreted(source)
    assert [repr(variables[name]) for name in "xyz"] == [
        "ArrayValue(float32[2, ?, 20])",
        "NumPyValue(int64(3, 4, None, 2))",
        "ArrayValue(float32[2, ?, 3])",
    ]


def test_a_start_that_may_be_zero_has_no_dtype_then() -> None:
    source = BOUNDS + "h = a.min().astype(jnp.float16)\n"
    source += "x = jnp.mgrid[h:3]\ny = jnp.mgrid[h:3:4j]\nz = jnp.mgrid[h : jnp.float16(3)]\n"
    variables, _ = interpreted(source)
    real = {name: value for name, value in run(source).items() if name in ("x", "y", "z")}
    assert wrong_claims(source, {name: variables[name] for name in real}, real) == []
    assert variables["z"].aval.dtype == "float16"


def test_columns_lie_along_the_last_axis() -> None:
    shapes = ("()", "(2,)", "(2, 1)", "(2, 3)", "(2, 3, 4)", "(2, 3, 1)")
    source = "import numpy as np\nimport jax.numpy as jnp\nv = float(np.random.default_rng().random())\n"
    for module, (i, one), (j, other) in itertools.product(("np", "jnp"), enumerate(shapes), enumerate(shapes)):
        pair = f"{module}.full({one}, v), {module}.full({other}, v)"
        source += f"try:\n    {module}_{i}_{j} = {module}.c_[{pair}]\nexcept (ValueError, TypeError):\n    pass\n"
    variables, _ = interpreted(source)
    real = {name: value for name, value in run(source).items() if name.startswith(("np_", "jnp_"))}
    assert wrong_claims(source, {name: variables[name] for name in real}, real) == []
    assert all(is_known(variables[name]) for name in real)

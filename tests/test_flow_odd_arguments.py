"""Functions of NumPy on arguments of every kind: what is not understood is unknown, and nothing crashes."""

from __future__ import annotations

import random

import numpy as np
import pytest
from flow_values import interpreted

SETUP = """
import random
import numpy as np, jax.numpy as jnp
ul, un, uf = [1.0] * random.randrange(3), random.randrange(3), random.random()
ua = np.random.rand(un, 3)
"""
_NOT_CALLED = {
    "errstate", "fromfile", "fromregex", "genfromtxt", "getbufsize", "info", "load", "loadtxt", "lookfor", "memmap",
    "printoptions", "save", "savetxt", "savez", "savez_compressed", "set_printoptions", "setbufsize", "seterrcall",
    "show_config", "show_runtime", "source", "test",
}  # fmt: skip
FUNCTIONS = [
    f"{space}{name}"
    for space, module in (("", np), ("linalg.", np.linalg), ("fft.", np.fft))
    for name in sorted(vars(module))
    if not name.startswith("_") and name not in _NOT_CALLED
    and callable(found := getattr(module, name)) and not isinstance(found, type)
]  # fmt: skip
METHODS = [
    "all", "any", "argsort", "astype", "choose", "clip", "compress", "conj", "copy", "cumsum", "diagonal", "dot",
    "fill", "flatten", "item", "max", "mean", "min", "nonzero", "partition", "ptp", "put", "ravel", "repeat",
    "reshape", "resize", "round", "searchsorted", "sort", "squeeze", "std", "sum", "swapaxes", "take", "tolist",
    "trace", "transpose", "var", "view",
]  # fmt: skip
ARGUMENTS = [
    "[]", "[[],[]]", "()", "None", "'a'", "-1", "0", "2", "1.5", "True", "np.zeros(0)", "np.zeros((2,3))",
    "np.zeros(())", "[1,2]", "(0,)", "(1,2)", "[[1,2],[3,4]]", "{}", "ul", "un", "uf", "np.zeros(un)",
    "np.zeros((un,2))", "np.zeros(3,'i4')", "slice(1)", "[None]", "['a']", "[ul]", "1j", "np.int8(3)", "jnp.ones(2)",
    "(un,)", "[un,1]", "ua", "[[0,1]]", "((0,1),(1,0))", "Ellipsis", "np.zeros((2,2,2))", "np.ones((2,2))>0", "float",
    "'f4'", "range(3)",
]  # fmt: skip
KEYWORDS = [
    "axis", "bins", "decimals", "dtype", "indices", "k", "keepdims", "mode", "n", "order", "out", "pad_width",
    "repeats", "reps", "shape", "side", "size", "weights",
]  # fmt: skip
ARRAYS = ("np.zeros((2,3))", "np.zeros(un)", "ua", "np.zeros(())", "np.zeros(0)")


def _call(rng: random.Random) -> str:
    kind = rng.random()
    if kind < 0.8:
        called, args = f"np.{rng.choice(FUNCTIONS)}", rng.choices(ARGUMENTS, k=rng.randrange(1, 4))
    elif kind < 0.9:
        called, args = f"({rng.choice(ARRAYS)}).{rng.choice(METHODS)}", rng.choices(ARGUMENTS, k=rng.randrange(3))
    else:
        return f"({rng.choice(ARRAYS)})[{', '.join(rng.choices(ARGUMENTS, k=rng.randrange(1, 4)))}]"
    if rng.random() < 0.3:
        args.append(f"{rng.choice(KEYWORDS)}={rng.choice(ARGUMENTS)}")
    return f"{called}({', '.join(args)})"


@pytest.mark.parametrize("seed", range(8))
def test_nothing_crashes(seed: int) -> None:
    rng = random.Random(seed)
    calls = [_call(rng) for _ in range(200)]
    _, result = interpreted(SETUP + "".join(f"try:\n    {c}\nexcept Exception:\n    pass\n" for c in calls))
    assert list(result.crashes) == []
    assert result.is_complete

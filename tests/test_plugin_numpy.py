"""What the plugin says of NumPy's functions, methods, operators and attributes, against what they give."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from arraytyping_mypy.numpy_engine import resolve
from mypy_runs import Mypy, of_modules

LOOSE = of_modules(["program.py"], "strict_equality = false")
OPERANDS = {
    "d": np.ones((3, 4)),
    "f": np.ones((3, 4), np.float32),
    "h": np.ones(4, np.float16),
    "i": np.arange(12).reshape(3, 4) % 3,
    "b": np.arange(4) > 1,
    "u": np.ones((3, 1), np.uint8),
    "c": np.ones((2, 3, 4), np.complex64),
    "fs": np.float32(2),
    "ds": np.float64(2),
    "ls": np.int64(2),
    "bs": np.bool_(True),
    "n": 2,
    "x": 1.5,
    "t": True,
    "z": 1j,
}
MAKING = """
    d = np.ones((3, 4))
    f = np.ones((3, 4), np.float32)
    h = np.ones(4, np.float16)
    i = np.arange(12).reshape(3, 4) % 3
    b = np.arange(4) > 1
    u = np.ones((3, 1), np.uint8)
    c = np.ones((2, 3, 4), np.complex64)
    fs, ds, ls, bs = np.float32(2), np.float64(2), np.int64(2), np.bool_(True)
    n, x, t, z = 2, 1.5, True, 1j
    rng = np.random.default_rng(0)
    old = np.random.RandomState(0)
"""
BINARY = ["+", "-", "*", "/", "//", "%", "**", "@", "&", "|", "^", "<<", "<", ">=", "==", "!="]
UNARY = ["-{0}", "+{0}", "~{0}", "abs({0})"]
ARRAYS = ["d", "f", "h", "i", "b", "u", "c"]
_FUNCTIONS = """
    sqrt exp log1p sin tanh floor sign square abs isnan isfinite real imag conj angle sum mean std var prod max min
    argmax argmin cumsum cumprod sort argsort any all median ptp ravel transpose squeeze atleast_2d diff unique
    zeros_like ones_like empty_like flip roll nan_to_num round count_nonzero nonzero nansum nanmean trace
    linalg.norm fft.fft fft.rfft fft.ifft fft.fftshift asarray array copy shape ndim size isrealobj
"""
FUNCTIONS = _FUNCTIONS.split()
_WITH_AXIS = "sum mean std var prod max min argmax argmin cumsum any all median sort argsort diff fft.fft"
WITH_AXIS = _WITH_AXIS.split()
_BINARY_FUNCTIONS = """
    add subtract multiply divide maximum minimum power hypot arctan2 logical_and equal greater dot matmul outer inner
    where concatenate stack isclose broadcast_to floor_divide mod
"""
BINARY_FUNCTIONS = _BINARY_FUNCTIONS.split()
METHODS = """
    sum() mean(0) std(axis=-1) max() min(1) argmax(0) any() all(1) cumsum() ravel() flatten() transpose() copy()
    astype(np.int32) astype("float32") astype(np.bool_) reshape(-1) reshape(2, -1) reshape((-1, 1)) squeeze() item(0)
    tolist() round(1) clip(0, 1) conj() sum(axis=0, keepdims=True) mean(keepdims=True) swapaxes(0, -1) repeat(2)
    take([0, 1]) dot(np.ones(4)) argsort() prod() var() nonzero() diagonal() trace() view(np.uint8)
""".strip().replace(") ", ")\n").splitlines()  # fmt: skip
ATTRIBUTES = ["T", "shape", "size", "ndim", "real", "imag", "nbytes", "itemsize", "shape[0]", "dtype"]
ITEMS = ["0", "-1", ":2", "::-1", "..., 0", "None", ":, None", "[0, 1]", "np.array([1, 0])", "0, ...", "1:, 1:", "b"]
MAKERS = """
    np.zeros(3)|np.zeros((n, 3))|np.ones(n, int)|np.full((2, 3), 7)|np.full(3, 1.0, np.float32)|np.empty((1, n))
    np.arange(5)|np.arange(0, 1, 0.1)|np.arange(n, dtype=np.int8)|np.linspace(0, 1, 7)|np.linspace(0, x, n + 1)
    np.eye(3)|np.eye(n, dtype=np.float32)|np.identity(2)|np.array([1, 2])|np.array([1.0, 2])|np.array([[1, 2], [3, 4]])
    np.array([True, False])|np.array(3)|np.array([d, d])|np.array([1, 2], np.float32)|np.array([x, n])
    np.meshgrid(np.arange(3), np.arange(4))|np.indices((2, 3))|np.tri(3)|np.logspace(0, 1, 5)|np.geomspace(1, 2, 4)
    np.concatenate([d, f])|np.stack([i, i], 1)|np.hstack([d, d])|np.vstack([d, f])|np.split(d, 2, 1)|np.tile(h, 3)
    np.pad(d, 1)|np.outer(h, h)|np.kron(h, h)|np.einsum("ij,kj->ik", d, f)|np.linalg.inv(np.eye(3))
    np.linalg.svd(d)|np.linalg.eigh(np.eye(3))|np.linalg.solve(np.eye(3), d)|np.histogram(d, 5)|np.bincount(b)
    np.digitize(d, [0.0, 1.0])|np.searchsorted(h, 1)|np.interp(d, [0, 1], [0, 2])|np.unique(i, return_counts=True)
    np.sqrt(2)|np.exp(x)|np.log(2 * np.pi)|np.float32(3) * 2.0|0.5 * np.log(2)|np.sum([1, 2])|np.mean([1.0, 2])
    np.random.rand(3, 2)|np.random.randn(n)|np.random.randint(0, 5, 3)|np.random.normal(size=(2, 2))|np.random.rand()
    np.random.permutation(5)|np.random.choice(5, 3)|np.random.uniform(0, 1)
    rng.integers(5)|rng.integers(0, 9, size=n)|rng.integers(0, 9, (2, 3), dtype=np.uint8)|rng.normal()|rng.random(3)
    rng.normal(0, 1, (3, n))|rng.standard_normal((2, 2), dtype=np.float32)|rng.uniform(size=4)|rng.permutation(6)
    rng.permutation(d)|rng.choice(d)|rng.choice(5, size=3)|rng.choice(4, 2, replace=False)|rng.exponential(size=3)
    rng.poisson(3.0, 4)|rng.dirichlet(np.ones(3))|rng.multivariate_normal(np.zeros(2), np.eye(2), 5)|rng.bytes(2)
    rng.shuffle(d)|rng.beta(1, 2, (1, 2))|rng.binomial(5, 0.5, 3)|rng.gamma(d)|old.rand(2)|old.randint(3)
    old.randint(0, 3, (2, 2))|old.normal(size=3)|old.uniform()|old.choice(3, 2)|old.randn(2, 3)
""".replace("\n", "|")  # fmt: skip


def expressions() -> list[str]:
    """All that is asked."""
    found = [
        f"{a} {op} {b}"
        for op in BINARY
        for a, b in product(OPERANDS, OPERANDS)
        if {a, b} & set(ARRAYS + ["fs", "ds", "ls", "bs"])
    ]
    found += [u.format(a) for u in UNARY for a in OPERANDS if a not in "nxtz"]
    found += [f"np.{f}({a})" for f in FUNCTIONS for a in [*ARRAYS, "fs", "ds", "ls"]]
    found += [f"np.{f}({a}, axis={k})" for f in WITH_AXIS for a in ARRAYS for k in ("0", "-1", "(0, 1)", "None")]
    found += [
        f"np.{f}({a}, {b})"
        for f in BINARY_FUNCTIONS
        for a, b in product(["d", "f", "i", "h", "ls"], ["d", "i", "h", "x", "n"])
    ]
    found += [f"np.where(b, {a}, {o})" for a, o in product(OPERANDS, ["d", "f", "n", "x", "fs"])]
    found += [f"{a}.{m}" for m in METHODS for a in [*ARRAYS, "fs", "ls"]]
    found += [f"{a}.{m}" for m in ATTRIBUTES for a in [*ARRAYS, "fs", "ls"]]
    found += [f"{a}[{k}]" for k in ITEMS for a in ARRAYS]
    found += [m.strip() for m in MAKERS.split("|") if m.strip()]
    return found


def ran(expression: str) -> Any:
    """The value of an expression, or the exception that it raises."""
    names = {**{k: v.copy() if isinstance(v, np.ndarray) else v for k, v in OPERANDS.items()}, "np": np}
    names |= {"rng": np.random.default_rng(0), "old": np.random.RandomState(0)}
    try:
        with np.errstate(all="ignore"):
            return eval(expression, names)
    except Exception as error:
        return error


def scalar_of(name: str) -> type[np.generic] | None:
    """NumPy's class by the name that mypy prints, without modules."""
    match = re.fullmatch(r"(\w+)\[_(\d+)Bit\]", name)
    if match is not None:
        family = {"signedinteger": "int", "unsignedinteger": "uint", "floating": "float"}.get(match[1])
        bits = int(match[2])
        if match[1].startswith("complex"):
            family, bits = "complex", 2 * bits
        found: type[np.generic] = getattr(np, f"{family}{bits}")
        return found
    return {"bool[bool]": np.bool_, "float64": np.float64, "complex128": np.complex128}.get(name)


def disagrees(text: str, value: Any) -> bool:
    """Whether a type says something else than what a value is; what is no array of NumPy's is not looked at."""
    text = re.sub(r"numpy\._typing\._nbit_base\.|numpy\.|builtins\.|, _\d+Bit(?=\])", "", text)
    array = re.fullmatch(r"ndarray\[(?:tuple\[(.*?)\]|Any), dtype\[(.*)\]\]", text)
    if array is None:
        named = scalar_of(text)
        if named is not None:
            return type(value) is not named
        if text in ("int", "float", "complex", "bool") or re.fullmatch(r"Literal\[\d+\]\?", text):
            kind = {"int": int, "float": float, "complex": complex, "bool": bool}.get(text, int)
            # The stubs' float may be a float64, an int a bool.
            return not isinstance(value, kind | np.generic)
        return False
    if type(value) is not np.ndarray:
        return True
    named = scalar_of(array[2])
    if named is not None and value.dtype.type is not named:
        return True
    if array[1] is None or array[1] == "Any, ...":
        return False
    sizes = [] if array[1] == "()" else re.sub(r"Literal\[(\d+)\]", r"\1", array[1]).split(", ")
    return len(sizes) != value.ndim or any(s not in ("int", "Any", str(d)) for s, d in zip(sizes, value.shape))


def followed(asked: list[str]) -> tuple[list[str], list[tuple[int, str]]]:
    """A program whose functions make the values, with the line that reveals each."""
    lines, order = ["import jax", "import numpy as np"], []
    for number, start in enumerate(range(0, len(asked), 60)):
        group = asked[start : start + 60]
        lines += [f"def make{number}():", *MAKING.strip("\n").splitlines()]
        lines += [f"    v{k} = {e}" for k, e in enumerate(group)]
        lines += ["    return " + ", ".join(f"v{k}" for k in range(len(group)))]
        lines.append(f"r{number} = make{number}()")
        for k, e in enumerate(group):
            lines.append(f"reveal_type(r{number}[{k}])")
            order.append((len(lines), e))
    return lines, order


def plain(asked: list[str]) -> tuple[list[str], list[tuple[int, str]]]:
    """A program that makes the values at its top, with the line that reveals each."""
    lines = ["import jax", "import numpy as np", *(line.strip() for line in MAKING.strip("\n").splitlines())]
    start = len(lines)
    lines += [f"reveal_type({e})" for e in asked]
    return lines, [(start + k + 1, e) for k, e in enumerate(asked)]


@pytest.mark.parametrize(
    ("program", "step"),
    [
        (followed, 3),
        (plain, 3),
        pytest.param(followed, 1, marks=pytest.mark.thorough),
        pytest.param(plain, 1, marks=pytest.mark.thorough),
    ],
)
def test_types_are_those_of_the_values(
    program: Callable[[list[str]], tuple[list[str], list[tuple[int, str]]]], step: int, mypy: Mypy
) -> None:
    asked = [e for e in expressions() if not isinstance(ran(e), Exception)][::step]
    lines, order = program(asked)
    run = mypy.run({"program.py": "\n".join(lines) + "\n"}, mypy_settings=LOOSE)
    found = {m.line: m.text[len('Revealed type is "') : -1] for m in run.messages if m.revealed}
    told = [(e, found[line], ran(e)) for line, e in order if line in found]
    wrong = [(e, text, repr(value)[:80]) for e, text, value in told if disagrees(text, value)]
    known = sum("ndarray[tuple[" in text and "dtype[Any]" not in text for _, text, _ in told)
    print(f"{len(told)} expressions, {known} arrays whose dtype and rank are known, {len(wrong)} wrong")
    print(*wrong, sep="\n")
    assert wrong == []
    assert known > 0.3 * len(told)
    assert [m for m in run.messages if (m.code or "").startswith("array-")] == []


@pytest.mark.parametrize(
    ("program", "step"),
    [
        (followed, 11),
        (plain, 16),
        pytest.param(followed, 1, marks=pytest.mark.thorough),
        pytest.param(plain, 1, marks=pytest.mark.thorough),
    ],
)
def test_what_numpy_refuses_is_told(
    program: Callable[[list[str]], tuple[list[str], list[tuple[int, str]]]], step: int, mypy: Mypy
) -> None:
    asked = [e for e in expressions() if isinstance(ran(e), Exception)][::step]
    lines, _ = program(asked)
    places = {i: line for i, line in enumerate(lines, 1) if line.startswith(("    v", "reveal_type("))}
    run = mypy.run({"program.py": "\n".join(lines) + "\n"}, mypy_settings=LOOSE)
    told = {m.line for m in run.errors() if (m.code or "").startswith("array-")}
    print(f"{len(told)} of {len(asked)} told")
    assert told <= places.keys()
    assert len(told) > 0.5 * len(asked)


def test_nothing_of_the_program_is_imported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A ufunc may be known under a name of the program's (`root = np.sqrt`)."""
    (tmp_path / "a_program.py").write_text("import numpy as np\n\nroot = np.sqrt\n")
    monkeypatch.syspath_prepend(tmp_path)
    assert resolve("a_program.root") is None
    assert "a_program" not in sys.modules
    assert resolve("numpy._core.umath.sqrt") is np.sqrt

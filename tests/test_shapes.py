"""The shapes of operations: what is said of calls made by chance, against what NumPy and jax make of real arrays."""

from __future__ import annotations

import random
import warnings
from collections.abc import Iterator
from types import CodeType
from typing import Any, Final

import numpy as np
from agreements import agreed, digest_of, record
from oracle import Call as RuleCall, Raised, describes, fingerprint, jax_says_of_all, rule_says, show
from shape_calls import HOWS, SIZES, Array, Call, abstract, calls, function_of, real

from arraytyping.checker.flow.engines import numpy as numpy_engine  # noqa: F401 (enters the rules)
from arraytyping.checker.flow.engines.numpy_arguments import RULES, Arguments, Refused, Unknowable
from arraytyping.checker.flow.engines.numpy_index_shapes import indexed_shape
from arraytyping.checker.flow.engines.numpy_signatures import signature_of
from arraytyping.semantics.avals import ShapedArray, SymbolicDim
from arraytyping.semantics.rules.errors import RuleError
from arraytyping.semantics.rules.evaluation import BindError
from arraytyping.semantics.rules.registry import RULES as JAX_RULES


def outcome(call: Call) -> Any:
    """What NumPy gives; an exception if it refuses whatever the elements are."""
    function = function_of(call.name)
    found: Any = None
    for fill in range(3):
        try:
            with warnings.catch_warnings(), np.errstate(all="ignore"):
                warnings.simplefilter("ignore")
                args = [real(a, fill) for a in call.args]
                return function(*args, **{k: real(v, fill) for k, v in call.kwargs.items()})
        except Exception as error:
            found = error
    return found


def said(call: Call, how: str, rng: random.Random) -> Any:
    """What the engine says of the shapes of a call of which something is unknown; None if it is nothing."""
    function = function_of(call.name)
    signature = signature_of(function, call.name)
    assert signature is not None
    args = [abstract(a, how, rng) for a in call.args]
    kwargs = {k: abstract(v, how, rng) for k, v in call.kwargs.items()}
    try:
        arguments = Arguments(call.name, signature.bind(*args, **kwargs))
    except TypeError:
        return None
    try:
        return RULES[call.name].shapes(arguments)
    except Unknowable:
        return None
    except (Refused, RuleError) as refused:
        return refused
    except Exception as crash:
        return "crash", type(crash).__name__, str(crash)


def holds(claim: Any, result: Any) -> bool:
    """Whether shapes that are claimed are those of a result."""
    if claim is None:
        return True
    if isinstance(claim, list):
        if not isinstance(result, tuple | list) or len(claim) != len(result):
            return False
        return all(map(holds, claim, result))
    if isinstance(claim, type):
        return isinstance(result, claim | np.bool)
    try:
        shape = np.shape(result)
    except ValueError:  # a list of arrays that differ
        return False
    return len(claim) == len(shape) and all(map(_fits, claim, shape))


def _fits(dim: Any, size: int) -> bool:
    if isinstance(dim, SymbolicDim):
        return bool(eval(dim.name.replace("^", "**"), {}, dict(SIZES)) == size)
    return dim is None or dim == size


def test_shapes_are_those_of_numpy() -> None:
    """Nothing that is claimed is wrong, nothing that runs is refused, and nothing crashes, whatever is unknown."""
    rng = random.Random(1)
    wrong: dict[str, list[str]] = {}
    for call in calls(seed=0, each=120):
        if call.name not in RULES:
            continue
        result = outcome(call)
        for how in HOWS:
            claim = said(call, how, rng)
            crashed = isinstance(claim, tuple) and claim[:1] == ("crash",)
            if not crashed and isinstance(result, Exception):
                continue
            if crashed or isinstance(claim, Refused | RuleError) or not holds(claim, result):
                wrong.setdefault(call.name, []).append(f"{call} [{how}]: {_shown(claim)}, it is {_shown(result)}")
    lines = [f"{found[0]} (and {len(found) - 1} more)" for found in wrong.values()]
    assert not lines, "\n".join(lines)


def _shown(value: Any) -> str:
    return f"{type(value).__name__}: {value}" if isinstance(value, Exception) else f"{value}"


PARTS: Final = (
    0, 1, -1, 2, -3, None, ..., True, False, slice(None), slice(1, None), slice(None, -1), slice(None, None, -1),
    slice(2, 0), slice(0, 3, 2), [0, 1], [], [[0], [-1]], [True, False], np.int64(1), 1.5, Array((2,)),
    *(Array(s, "int64") for s in ((), (0,), (2,), (1, 2), (2, 1))),
    *(Array(s, "bool") for s in ((), (2,), (3,), (2, 3), (0,))),
)  # fmt: skip
"""What an index may be made of."""


def test_indices_are_those_of_numpy() -> None:
    """Nothing wrong is claimed of `x[...]`, and no index that NumPy takes is refused."""
    rng = random.Random(2)
    wrong = []
    known = 0
    for _ in range(6000):
        shape = tuple(rng.choice((0, 1, 2, 2, 3, 3)) for _ in range(rng.randrange(4)))
        index = tuple(rng.choice(PARTS) for _ in range(rng.randrange(1, 4)))
        try:
            result: Any = np.zeros(shape)[tuple(real(part, 0) for part in index)]
        except (IndexError, ValueError, TypeError) as error:
            result = error
        for how in ("known", "some", "none", "symbols", "statics", "all"):
            sizes = abstract(Array(shape), "known" if how == "all" else how, rng).shape
            claim: Any
            try:
                claim = indexed_shape(sizes, tuple(abstract(part, how, rng) for part in index))
            except RuleError as error:
                claim = error
            if isinstance(result, Exception):
                continue
            known += claim is not None
            if isinstance(claim, RuleError) or not holds(claim, result):
                wrong.append(f"{shape}[{index}] [{how}]: {_shown(claim)}, it is {np.shape(result)}")
    assert wrong == []
    assert known > 8000


# --- jax


_DTYPES: Final = {"float64": "float32", "int64": "int32"}


def jax_calls(seed: int, each: int) -> Iterator[tuple[Call, RuleCall]]:
    """Calls of NumPy's functions, and the same of jax.numpy's, as the rules take them."""
    for call in calls(seed, each):
        named = f"numpy.{call.name}"
        if named in JAX_RULES and {} not in (*call.args, *call.kwargs.values()):
            yield (
                call,
                RuleCall(named, tuple(map(_argument, call.args)), {k: _argument(v) for k, v in call.kwargs.items()}),
            )


def _argument(value: Any) -> Any:
    if isinstance(value, Array):
        return ShapedArray(value.shape, _DTYPES.get(value.dtype, value.dtype))
    if isinstance(value, np.generic):
        return value.item()
    return type(value)(map(_argument, value)) if isinstance(value, list | tuple) else value


def by_rule(call: RuleCall) -> Any:
    """What the rule says; an exception where the arguments fit no signature."""
    try:
        return rule_says(call)
    except BindError as error:
        return Raised(TypeError, str(error))


def test_shapes_are_those_of_jax() -> None:
    """On the same calls, with all known, the rules refuse nothing that jax takes, and say no other shape."""
    made = [call for _, call in jax_calls(seed=0, each=40)]
    answers = [by_rule(call) for call in made]
    digest = digest_of((*map(repr, made), *map(fingerprint, answers)))
    if agreed(digest):
        return
    wrong = [
        f"{call}: jax says {show(says)}, the rule says {show(ours)}"
        for call, ours, says in zip(made, answers, jax_says_of_all(made))
        if not isinstance(says, Raised)
        and not _is_negative(says)
        and (isinstance(ours, Raised) or not describes(ours, says))
    ]
    assert wrong == []
    record(digest)


def _is_negative(value: Any) -> bool:
    """Whether jax has traced what it does not run: an array of negative size."""
    return isinstance(value, ShapedArray) and any(isinstance(d, int) and d < 0 for d in value.shape or ())


ALONE: Final = {
    "median": "of a number keeps a dimension in jax",
    "linalg.lstsq": "leaves the distances out in NumPy where the rank is not full",
    "nanpercentile": "of nothing is one NaN in NumPy, however many are asked for",
}
"""Where the results of NumPy and jax differ in shape, though both take the arguments."""


def test_the_dialects_agree() -> None:
    """What both take has the same shape in both, as the rules of jax.numpy tell: they differ in what they take."""
    differ: dict[str, str] = {}
    compared = 0
    for call, same in jax_calls(seed=0, each=120):
        if isinstance(ours := by_rule(same), Raised) or isinstance(result := outcome(call), Exception):
            continue
        compared += 1
        if not holds(_shapes(ours), result):
            differ.setdefault(call.name, f"{call}: {show(ours)}")
    assert compared > 8000
    assert differ.keys() == ALONE.keys(), differ


def _shapes(value: Any) -> Any:
    if isinstance(value, ShapedArray):
        return value.shape
    return list(map(_shapes, value)) if isinstance(value, tuple | list) else None


OWN: Final = frozenset({
    "allclose", "array_equal", "array_equiv", "astype", "bartlett", "blackman", "copy", "diag_indices",
    "diag_indices_from", "digitize", "flip", "fliplr", "flipud", "hamming", "hanning", "i0", "interp",
    "intersect1d", "isin", "isneginf", "isposinf", "lexsort", "polyfit", "ravel", "roll", "searchsorted", "setdiff1d",
    "setxor1d", "tril", "triu", "union1d", "unique_values", "unravel_index", "unwrap", "vander", "vdot",
    "fft.fft2", "fft.fftfreq", "fft.fftn", "fft.fftshift", "fft.ifft2", "fft.ifftn", "fft.ifftshift", "fft.rfftfreq",
    "linalg.cholesky", "linalg.inv", "linalg.matrix_power",
})  # fmt: skip
"""Functions that both have, and whose shape is that of an argument, or a number."""


def _names(code: CodeType) -> set[str]:
    inner = [c for c in code.co_consts if isinstance(c, CodeType)]
    return set(code.co_names).union(*map(_names, inner))


def test_what_both_know_is_known_once() -> None:
    """The rules of NumPy for functions that jax.numpy has too ask `rules/shapes/`, or give the shape of an argument."""
    asked = {}
    for name, rule in RULES.items():
        function: Any = rule.shapes
        met: set[str] = set()
        found = _names(function.__code__)
        while todo := found - met:
            met |= todo
            for n in todo:
                known = function.__globals__.get(n)
                if getattr(known, "__module__", "").startswith("arraytyping.checker.flow.engines.numpy"):
                    found |= _names(known.__code__) if hasattr(known, "__code__") else set()
        asked[name] = {n for n in met if "rules.shapes" in getattr(function.__globals__.get(n), "__module__", "")}
    alone = {name for name, shapes in asked.items() if not shapes and f"numpy.{name}" in JAX_RULES}
    assert alone == OWN

"""The one property of all rules: whatever part of the input is unknown, the answer still describes the concrete one.

The calls are those that the families' own tests export; the concrete answers are the rules' own, which those tests
hold against JAX.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st
from oracle import Call, array, describes, show
from shares import is_thorough, some

from arraytyping.semantics.avals import UNKNOWN, Alternatives, NumPyArray, Scalar, ShapedArray, SymbolicDim
from arraytyping.semantics.promotion.jax import JaxPromotion
from arraytyping.semantics.rules.errors import RuleError
from arraytyping.semantics.rules.registry import RULES, Outcome, evaluate
from arraytyping.semantics.rules.table import Rule
from arraytyping.semantics.sizes.dims import as_dim, of_dim, subtract_dims
from arraytyping.semantics.sizes.polynomials import constant, symbol

SYSTEMS = tuple(JaxPromotion(mode, x64) for mode in ("standard", "strict") for x64 in (False, True))
ELSE: tuple[Any, ...] = (
    array("int8", 2), ShapedArray(None, "float32", True), NumPyArray((), "float64"),
    None, True, 2, 1.5, "x", (1,), [0.5], slice(None), float,
)  # fmt: skip
"""What an argument may be instead, as the other of two alternatives."""


def more_calls() -> Iterator[Call]:
    """Calls of the rules that share another's function, and that the samples of the families leave out."""
    for x in (array("float32", 2, 3), array("int8", 4), array("bool", 1, 2, 1), array("int32", weak=True)):
        for name in ("__abs__", "__invert__", "__neg__", "__pos__", "ravel", "squeeze", "diagonal", "at", "__round__"):
            yield Call(f"Array.{name}", (x,))
        yield Call("Array.ravel", (x,), {"order": "F"})
        yield Call("Array.squeeze", (x, 0))
        yield Call("Array.squeeze", (x,), {"axis": (0, -1)})
        yield Call("Array.diagonal", (x, 1, 1, 0))
        yield Call("Array.__round__", (x, 2))
        yield Call("Array.swapaxes", (x, 0, -1))
        yield Call("numpy.matrix_transpose", (x,))
        yield Call("numpy.linalg.matrix_transpose", (x,))
        for indices in (array("int32", 2), 1, [0, 1], NumPyArray((2, 1), "uint8")):
            yield Call("Array.take", (x, indices))
            yield Call("Array.take", (x, indices, 0))
            yield Call("Array.take", (x, indices), {"axis": -1, "mode": "clip"})
            yield Call("Array.searchsorted", (x, indices))
            yield Call("Array.at.apply", (x, indices, abs))
        yield Call("Array.searchsorted", (x, 1.5), {"side": "right"})
        yield Call("numpy.unstack", (x,))
        yield Call("numpy.unstack", (x,), {"axis": -1})
        yield Call("numpy.pow", (x, 2))
        yield Call("numpy.pow", (2.0, x))
        yield Call("numpy.pow", (x, array("float16", 3)))
    for sections in (2, 3, [1, 3], (0, 5), NumPyArray((2,), "int64")):
        yield Call("numpy.dsplit", (array("float32", 2, 2, 4), sections))
    yield Call("numpy.dsplit", (array("float32", 2, 2), 2))
    yield from calls_with_known_values()


def calls_with_known_values() -> Iterator[Call]:
    """Calls with arrays of rank 0 of which the value is known, which no traced array is."""
    two, half = ShapedArray((), "int32", True, 2), ShapedArray((), "float32", False, 0.5)
    for held in (two, half, ShapedArray((), "bool", False, True)):
        for name in ("round", "abs", "negative", "asarray", "zeros_like", "transpose", "squeeze", "ravel", "arange"):
            yield Call(f"numpy.{name}", (held,))
        for name in ("power", "add", "floor_divide", "maximum", "take", "full_like", "tile", "repeat", "roll"):
            yield Call(f"numpy.{name}", (array("int8", 3), held))
            yield Call(f"numpy.{name}", (held, held))
        yield Call("Array.__pow__", (array("int16", 2), held))
        yield Call("Array.__rpow__", (array("int16", 2), held))
        yield Call("Array.__getitem__", (array("int16", 4, 2), held))
        yield Call("Array.__getitem__", (array("int16", 4, 2), slice(held, None)))
        yield Call("numpy.full", ((2, 2), held))
        yield Call("numpy.array", ([held, 1],))
        yield Call("numpy.zeros", ((held, 3),))
        yield Call("numpy.reshape", (array("int8", 4), (held, -1)))
        yield Call("numpy.linspace", (0, held, 5))
        yield Call("numpy.where", (held, held, 1))


@cache
def calls() -> tuple[Call, ...]:
    """Every family's calls."""
    found = list(more_calls())
    for file in sorted(Path(__file__).parent.glob("test_*.py")):
        if file != Path(__file__) and "\ndef calls(" in file.read_text():
            found += importlib.import_module(file.stem).calls()
    return tuple(found)


def parts_masked(value: Any) -> Iterator[Any]:
    """The value with one part of it, or all of it, unknown or less known; what is unknown in part can be so again."""
    if value is UNKNOWN:
        return
    yield UNKNOWN
    match value:
        case ShapedArray() | NumPyArray():
            yield from (replace(value, shape=s) for s in shape_masked(value.shape))
            if value.dtype is not None:
                yield replace(value, dtype=None)
            if isinstance(value, ShapedArray):
                if value.weak_type is not None:
                    yield replace(value, weak_type=None)
                if value.value is not None:
                    yield replace(value, value=None)
        case bool() | int() | float() | complex():
            yield Scalar(type(value).__name__)  # type: ignore[arg-type]
            if type(value) is int and value >= 0:
                yield from named(value)
        case tuple() | list():
            make = getattr(type(value), "_make", type(value))  # a named tuple takes its items one by one
            for i, item in enumerate(value):
                yield from (make([*value[:i], part, *value[i + 1 :]]) for part in parts_masked(item))
        case slice():
            for part in parts_masked((value.start, value.stop, value.step)):
                if part is not UNKNOWN:
                    yield slice(*part)
        case Alternatives(values):
            for i, item in enumerate(values):
                for part in parts_masked(item):
                    if part is not UNKNOWN:
                        yield Alternatives((*values[:i], part, *values[i + 1 :]))


def named(size: int) -> Iterator[SymbolicDim]:
    """What a size may be in symbols, the names of which say their values: n3, 2*n1 + 1, b4 - 1 of bounds."""
    yield SymbolicDim(f"n{size}")
    half, rest = divmod(size, 2)
    for symbolic in (
        symbol(f"n{half}", 0) + symbol(f"n{half}", 0) + constant(rest),
        symbol(f"b{size + 1}", 1, size + 3) - constant(1),
    ):
        dim = as_dim(symbolic)
        assert isinstance(dim, SymbolicDim)
        yield dim


def shape_masked(shape: tuple[Any, ...] | None) -> Iterator[tuple[Any, ...] | None]:
    """The shape with one size unknown, or known by one of two names, or without even a rank."""
    if shape is None:
        return
    yield None
    for i, dim in enumerate(shape):
        less: tuple[Any, ...] = (*named(dim), SymbolicDim(f"m{dim}"), None) if isinstance(dim, int) else (None,)
        for d in less if dim is not None else ():
            yield (*shape[:i], d, *shape[i + 1 :])


@dataclass(frozen=True)
class Partial:
    """A call of which parts are unknown, and the promotion systems that may be in force."""

    call: Call
    systems: tuple[JaxPromotion, ...]

    def masked(self, other: Any) -> Iterator[Partial]:
        """The same with one more part unknown; `other` is what an argument may be instead."""
        if len(self.systems) == 1:
            (system,) = self.systems
            yield replace(self, systems=(system, JaxPromotion(system.mode, not system.x64)))
        call = self.call
        for i, arg in enumerate(call.args):
            for part in arg_masked(arg, other):
                yield replace(self, call=Call(call.name, (*call.args[:i], part, *call.args[i + 1 :]), call.kwargs))
        for key, arg in call.kwargs.items():
            for part in arg_masked(arg, other):
                yield replace(self, call=Call(call.name, call.args, {**call.kwargs, key: part}))

    def __str__(self) -> str:
        return f"{self.call} [{', '.join(map(str, self.systems))}]"


def arg_masked(arg: Any, other: Any) -> Iterator[Any]:
    """An argument with one part unknown, or one of two."""
    yield from parts_masked(arg)
    if arg is not UNKNOWN and not isinstance(arg, Alternatives):
        yield Alternatives((arg, other))
        yield Alternatives((other, arg))


def outcome(partial: Partial) -> Outcome | str | None:
    """What the rule says; None if the arguments do not fit its signature; a sentence if it breaks."""
    call = partial.call
    try:
        RULES[call.name].signature.bind(*call.args, **call.kwargs)
    except TypeError:
        return None
    try:
        return evaluate(call.name, partial.systems, call.args, call.kwargs)
    except Exception as error:
        return f"raises {type(error).__name__}: {error}"


def sized(value: Any, numbers: Mapping[str, int] = MappingProxyType({})) -> Any:
    """The value with numbers put in for symbols: these, or those that the names say."""
    match value:
        case SymbolicDim():
            size = of_dim(value)
            assert size is not None
            return size.at({s.name: numbers.get(s.name, int(s.name[1:])) for s in size.symbols})
        case ShapedArray() | NumPyArray() if value.shape is not None:
            return replace(value, shape=tuple(sized(d, numbers) for d in value.shape))
        case tuple() | list():
            make = getattr(type(value), "_make", type(value))
            return make([sized(v, numbers) for v in value])
        case slice():
            return slice(*sized((value.start, value.stop, value.step), numbers))
        case Alternatives(values):
            return Alternatives(tuple(sized(v, numbers) for v in values))
    return value


def is_true_of(partial: Any, concrete: Any) -> bool:
    """Whether what is said with parts unknown is true of what is said with all known (which may be alternatives)."""
    if isinstance(concrete, Alternatives):
        return all(is_true_of(partial, value) for value in concrete.values)
    if isinstance(partial, Alternatives):
        return any(is_true_of(value, concrete) for value in partial.values)
    if isinstance(partial, ShapedArray) and partial.value is not None:
        known = getattr(concrete, "value", None)
        if type(known) is not type(partial.value) or repr(known) != repr(partial.value):  # nan is not nan
            return False
    return describes(partial, concrete)


def violation(concrete: Outcome | str | None, partial: Partial) -> str | None:
    """What is wrong with the rule's answer to a call of which this is the answer with all parts known."""
    if concrete is None:
        return None
    if isinstance(concrete, str):
        return f"{partial}: fully known, it {concrete}"
    ours = outcome(partial)
    if isinstance(ours, str):
        return f"{partial} {ours}"
    if concrete.error is not None or ours is None:
        return None
    if ours.error is not None:
        return f"{partial}: an error is claimed ({ours.error.message}), and it may be {show(concrete.value)}"
    if not is_true_of(sized(ours.value), concrete.value):
        return f"{partial}: {show(ours.value)} is claimed, and it may be {show(concrete.value)}"
    return None


def violations_of_single_masks(chosen: Sequence[Call], systems: Sequence[JaxPromotion]) -> tuple[int, list[str]]:
    """How many partly known calls were evaluated, every part of every call masked in turn; and what is wrong."""
    count, lines = 0, []
    for i, call in enumerate(chosen):
        whole = Partial(call, (systems[i % len(systems)],))
        concrete = outcome(whole)
        for partial in whole.masked(ELSE[i % len(ELSE)]):
            count += 1
            line = violation(concrete, partial)
            if line is not None:
                lines.append(line)
    return count, lines


def test_every_rule_is_called() -> None:
    assert sorted(RULES.keys() - {c.name for c in calls()}) == []


@pytest.mark.parametrize("x64", [False, True])
def test_every_single_part_unknown(x64: bool) -> None:
    """Of every seventh call with x64 off, and of others with x64 on; `--thorough` takes all with both."""
    count, lines = violations_of_single_masks(calls()[x64::7], [s for s in SYSTEMS if s.x64 is x64])
    print(f"{count} partly known calls evaluated, {len(lines)} unsound")
    assert not lines, "\n".join(lines[:40])
    assert count > 15_000


@pytest.mark.thorough
@pytest.mark.parametrize("x64", [False, True])
def test_every_single_part_of_every_call_unknown(x64: bool) -> None:
    count, lines = violations_of_single_masks(calls(), [s for s in SYSTEMS if s.x64 is x64])
    assert not lines, "\n".join(lines[:40])
    assert count > 100_000


def symbolic(value: Any, name: Callable[[int], Any], *, arguments: bool) -> Any:
    """The value with symbols in the place of all sizes, and of integers as arguments if these are meant too."""
    match value:
        case ShapedArray() | NumPyArray() if value.shape is not None:
            return replace(value, shape=tuple(name(d) if isinstance(d, int) else d for d in value.shape))
        case int() if type(value) is int and value >= 0 and arguments:
            return name(value)
        case tuple() | list():
            make = getattr(type(value), "_make", type(value))
            return make([symbolic(v, name, arguments=arguments) for v in value])
        case slice():
            return slice(*symbolic((value.start, value.stop, value.step), name, arguments=arguments))
    return value


NUMBERS: tuple[Callable[[int], int], ...] = (
    lambda n: n, lambda n: 0, lambda n: 1, lambda n: 2, lambda n: n + 1, lambda n: 2 * n, lambda n: max(n - 1, 0),
    lambda n: 7 - n if n < 7 else n, lambda n: n * n % 5,
)  # fmt: skip
"""What symbols may be, by the number that their names say."""


def violations_of_numbers(chosen: Sequence[Call], form: int | None, systems: Sequence[JaxPromotion]) -> list[str]:
    """What a rule says of sizes in symbols, and is not what it says of some numbers in their place.

    The symbols have one of four forms: the three of `named`, or the first of them but for sizes of 0 and 1.
    """
    lines = []
    for i, call in enumerate(chosen):
        system, chosen_form = systems[i % len(systems)], i // 2 % 4 if form is None else form

        def name(size: int, form: int = chosen_form) -> Any:
            return size if form == 3 and size < 2 else list(named(size))[form % 3]

        args, kwargs = (symbolic(v, name, arguments=i % 2 == 0) for v in (call.args, tuple(call.kwargs.values())))
        partial = Partial(Call(call.name, args, dict(zip(call.kwargs, kwargs))), (system,))
        ours = outcome(partial)
        if ours is None:
            continue
        if isinstance(ours, str):
            lines.append(f"{partial} {ours}")
            continue
        for number in NUMBERS:
            values = {f"n{n}": number(n) for n in range(70)}
            values |= {f"b{n}": min(number(n) + 1, n + 2) for n in range(70)}
            given = sized(args, values)
            concrete = outcome(
                Partial(Call(call.name, given, dict(zip(call.kwargs, sized(kwargs, values)))), (system,))
            )
            if concrete is None or isinstance(concrete, str) or concrete.error is not None:
                continue
            if ours.error is not None:
                lines.append(f"{partial}: an error is claimed ({ours.error.message}), and none is for {show(given)}")
            elif not is_true_of(sized(ours.value, values), concrete.value):
                said = f"{show(ours.value)} is claimed, and it is {show(concrete.value)}"
                lines.append(f"{partial}: {said} for {show(given)}")
    return lines


def test_symbols_stand_for_all_numbers() -> None:
    """Numbers in the place of the symbols of an answer make the answer to the numbers, whichever they are."""
    lines = violations_of_numbers(some(calls(), 5), None, SYSTEMS)
    assert not lines, "\n".join(lines[:40])


@pytest.mark.thorough
@pytest.mark.parametrize("form", range(4))
def test_symbols_of_one_form_stand_for_all_numbers(form: int) -> None:
    lines = violations_of_numbers(calls(), form, SYSTEMS)
    assert not lines, "\n".join(lines[:40])


@st.composite
def partly_known(draw: st.DrawFn) -> tuple[Partial, Partial]:
    """A call, and the same with several parts unknown."""
    # By a number: hypothesis would hash each of the calls at every draw.
    whole = Partial(calls()[draw(st.integers(0, len(calls()) - 1))], (draw(st.sampled_from(SYSTEMS)),))
    partial, other = whole, draw(st.sampled_from(ELSE))
    for _ in range(draw(st.integers(1, 6))):
        more = list(partial.masked(other))
        if more:
            partial = draw(st.sampled_from(more))
    return whole, partial


@settings(max_examples=4000 if is_thorough() else 800)
@given(partly_known())
def test_any_parts_unknown(drawn: tuple[Partial, Partial]) -> None:
    whole, partial = drawn
    assert violation(outcome(whole), partial) is None


def forgets_weak_types(cx: Any, a: Any) -> Any:
    """Unsound: an array of unknown dtype is claimed to be float32."""
    return ShapedArray((), "float32", False) if a.dtype is None else ShapedArray((), a.dtype, False)


def takes_unknown_for_wrong(cx: Any, a: Any) -> Any:
    """Unsound: an unknown shape is claimed to be an error."""
    if a is UNKNOWN or a.shape is None:
        raise RuleError("the rank must be known")
    return ShapedArray((), a.dtype, False)


def breaks(cx: Any, a: Any) -> Any:
    """Raises what is no RuleError."""
    return ShapedArray((len(a.shape),), a.dtype, False)


@pytest.mark.parametrize("unsound", [forgets_weak_types, takes_unknown_for_wrong, breaks])
def test_an_unsound_rule_is_caught(unsound: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> None:
    def rule(cx: Any, a: Any) -> Any:
        return unsound(cx, ShapedArray(None, None) if a is UNKNOWN and unsound is forgets_weak_types else a)

    monkeypatch.setitem(RULES, "numpy.sum", Rule("numpy.sum", rule))
    _, lines = violations_of_single_masks([Call("numpy.sum", (array("int8", 3),))], SYSTEMS)
    assert lines


def takes_sizes_for_positive(cx: Any, a: Any) -> Any:
    """Unsound: of no elements, known by name, one is taken away."""
    size = a.shape[0]
    return ShapedArray((max(size - 1, 0) if isinstance(size, int) else subtract_dims(size, 1),), a.dtype, False)


def takes_names_for_other_numbers(cx: Any, a: Any) -> Any:
    """Unsound: a size that is known by name is refused where 3 is wanted."""
    if a.shape[0] != 3:
        raise RuleError("there must be 3 elements")
    return ShapedArray((), a.dtype, False)


@pytest.mark.parametrize("unsound", [takes_sizes_for_positive, takes_names_for_other_numbers])
def test_a_rule_that_is_wrong_for_some_numbers_is_caught(
    unsound: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(RULES, "numpy.sum", Rule("numpy.sum", unsound))
    assert violations_of_numbers([Call("numpy.sum", (array("int8", 4),))], None, SYSTEMS)

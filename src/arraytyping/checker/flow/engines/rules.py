"""Our own rules as an engine: they take what is known in part, and are asked before jax."""

from __future__ import annotations

import ast
import enum
import functools
import sys
from collections.abc import Iterable, Iterator
from dataclasses import replace
from types import FunctionType
from typing import Any, Final

from arraytyping import scalars
from arraytyping.checker.flow.engines.closed_dtypes import STRONG, WEAK, agreed, has_unknown_dtype, with_dtypes
from arraytyping.checker.flow.engines.together import Together
from arraytyping.checker.flow.engines.unknown_draws import is_for_draw
from arraytyping.checker.flow.real_calls.own_names import stands_alone
from arraytyping.checker.flow.real_calls.weights import WIDEST, weight_of
from arraytyping.checker.flow.state.fresh_sizes import as_size
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.state.joins import join_all
from arraytyping.checker.flow.state.made_values import is_of_float32
from arraytyping.checker.flow.values import (
    MISSING,
    ArrayValue,
    BaseValue,
    DictValue,
    IteratorValue,
    ListValue,
    NumPyValue,
    OfNumPy,
    ScalarValue,
    UnionValue,
    Unknown,
    Value,
    is_traced,
    mapped,
)
from arraytyping.checker.flow.values.calls import Call
from arraytyping.checker.flow.values.places import NOWHERE, Place
from arraytyping.checker.swallowed import swallow
from arraytyping.semantics.avals import UNKNOWN, Alternatives, NumPyArray, Scalar, ShapedArray, SymbolicDim
from arraytyping.semantics.promotion.jax import JaxPromotion
from arraytyping.semantics.releases import NEWEST, OLDEST
from arraytyping.semantics.rules.evaluation import Outcome
from arraytyping.semantics.rules.registry import RULES, evaluate
from arraytyping.semantics.sizes.dims import as_dim, of_dim

__all__ = ["OperatorNames", "RuleEngine", "RuleNames"]

RULES.import_all()  # before the process is confined, and once for all that are forked from it

_UNFIT: Final = object()
"""An argument that the rules do not know."""
_MOST_ANSWERS: Final = 4096

OperatorNames: Final = {
    "add": "add", "sub": "sub", "mul": "mul", "truediv": "truediv", "floordiv": "floordiv", "mod": "mod", "pow": "pow",
    "matmul": "matmul", "and_": "and", "or_": "or", "xor": "xor", "lshift": "lshift", "rshift": "rshift",
    "eq": "eq", "ne": "ne", "lt": "lt", "le": "le", "gt": "gt", "ge": "ge", "neg": "neg", "pos": "pos",
    "invert": "invert", "abs": "abs",
}  # fmt: skip
"""The stems of the methods of an array, by the names in the module `operator`."""

_LAX: Final = ("jax.lax.", "jax._src.lax.", "arraytyping.runtime.lax.")
_EXTENDED: Final = ("key<", "float0")
_COMPOSED: Final = ("random.", "nn.", "scipy.", "numpy.fft.", "numpy.linalg.")
"""The families of which the rules are asked only where jax cannot be, since something is not known."""

_NOT_HERE: Final = frozenset({
    # They give Python objects, or depend on the environment: the real ones are called.
    "numpy.dtype", "numpy.result_type", "numpy.promote_types", "numpy.issubdtype", "numpy.isdtype", "numpy.can_cast",
    "Array.at", "Array.__iter__", "Array.tolist",
    # They give named tuples, which the rules describe as tuples.
    "numpy.linalg.eigh", "numpy.linalg.slogdet", "numpy.linalg.svd", "numpy.linalg.qr",
})  # fmt: skip
_LISTS: Final = frozenset({
    "numpy.split", "numpy.array_split", "numpy.hsplit", "numpy.vsplit", "numpy.dsplit", "numpy.meshgrid",
    "numpy.broadcast_arrays", "numpy.atleast_1d", "numpy.atleast_2d", "numpy.atleast_3d", "lax.top_k",
})  # fmt: skip
"""They give lists; the rules describe them as tuples."""

_MAKING: Final = frozenset({
    "numpy.zeros", "numpy.ones", "numpy.empty", "numpy.full", "numpy.eye", "numpy.identity", "numpy.tri",
    "numpy.broadcast_to", "lax.full", "lax.broadcast", "lax.iota", "lax.broadcasted_iota", "nn.one_hot",
})  # fmt: skip
"""Functions that are given sizes, which are refused where they are negative; random draws are of these, too."""

_RANGES: Final = frozenset({"random.permutation", "random.choice"})
"""Draws from the range of an int, which is empty where that is negative."""

_UNCHECKED_BY_VMAP: Final = frozenset({"lax.select", "lax.select_n", "lax.clamp"})
"""What `vmap` does by broadcasting: what one item would be refused for passes, if only some operands are mapped."""


class RuleEngine:
    """Evaluates the rules for one run."""

    def __init__(self, engines: Together) -> None:
        self.engines = engines
        self.asked: int = 0
        self._promotions: dict[Any, tuple[JaxPromotion, ...]] = {}
        self._answers: dict[Any, Outcome] = {}
        """What the rules have said of arguments without symbols, of which more may be told meanwhile."""

    def promotions(self) -> tuple[JaxPromotion, ...]:
        """The promotion system in force."""
        jax = self.engines.jax
        key = (jax.promotion, jax.x64, jax.lattice)
        found = self._promotions.get(key)
        if found is None:
            mode: Any = jax.promotion
            major, minor = jax.version[:2]
            release = max(min((major, minor), NEWEST), OLDEST)
            lattice = None if mode == "strict" else jax.lattice  # a lattice of one's own is the standard mode's
            found = self._promotions[key] = (JaxPromotion(mode, jax.x64, lattice, release),)
        return found

    def evaluate(self, it: Interpreter, name: str, call: Call, *, jax_refused: bool = False) -> Value:
        """The result by our rule; MISSING if there is none, it knows too little, or jax knows more and can be asked."""
        if name not in RULES or name in _NOT_HERE or self.engines.is_live:
            return MISSING
        values = call.values

        def can_jax_answer() -> bool:
            return not jax_refused and all(map(_is_full, values))

        if name.startswith(_COMPOSED) and can_jax_answer():
            return MISSING  # jax knows all of it, which implementation of keys is meant, for one
        keys = name.startswith("random.")
        if keys and any(map(is_for_draw, values)) and not jax_refused:
            return MISSING  # `unknown_draws` puts something in the place of it, and names the sizes
        if name in _MAKING or (keys and name not in _RANGES):
            values = [_with_sizes(v) for v in values]
        converted = [v.aval if keys and isinstance(v, ArrayValue) else self._argument(v) for v in values]
        if any(c is _UNFIT for c in converted):
            return MISSING
        self.asked += 1
        outcome = self._outcome(it, name, converted, call.kwargs)
        if outcome is None:
            return MISSING
        if any(isinstance(v, enum.Enum) for v in values) and not _is_told(outcome) and all(map(_is_full, values)):
            return MISSING  # jax knows what it is
        read = [_read(v, c) for v, c in zip(values, converted)]
        if any(r is not c for r, c in zip(read, converted)) and not _is_told(outcome):
            other = self._outcome(it, name, read, call.kwargs)
            if other is not None and other.error is None:
                outcome = replace(outcome, value=_sized(outcome.value, other.value))
        if outcome.error is None and has_unknown_dtype(converted) and not _is_told(outcome) and is_of_float32(it):
            outcome = self._of_any_sort(it, name, converted, call, outcome)
        if name in _UNCHECKED_BY_VMAP and isinstance(outcome.value, ShapedArray) and _has_open_shape(converted):
            # The function may be under a vmap that is not seen here, where a mapped operand decides the shape.
            outcome = replace(outcome, value=replace(outcome.value, shape=None))
        for warning in outcome.warnings:
            it.fail(call.node, warning.code, warning.message, is_warning=True)
        traced = any(map(is_traced, values))
        if outcome.error is not None and it.batching and name in _UNCHECKED_BY_VMAP:
            return it.unknown(f"{name} under vmap, which may not check the shapes of one item")
        if outcome.error is not None:
            return it.fail(call.node, outcome.error.code, outcome.error.message)
        result = self._result(it, outcome.value, traced, call.node)
        if traced and _is_partial(result) and can_jax_answer():
            return MISSING  # a size that depends on a tracer: jax refuses, in its own words
        if self._is_nowhere(values):
            result = _nowhere(result)
        elif None not in set(_places(values)) and can_jax_answer():
            return MISSING  # jax knows where it lies
        return ListValue(list(result)) if name in _LISTS and isinstance(result, tuple) else result

    def _of_any_sort(self, it: Interpreter, name: str, converted: list[Any], call: Call, outcome: Outcome) -> Outcome:
        """An outcome with what all the dtypes that the project has agree in."""
        others = [
            self._outcome(it, name, [with_dtypes(c, sorts) for c in converted], call.kwargs) for sorts in (STRONG, WEAK)
        ]
        values = [other.value for other in others if other is not None and other.error is None]
        return replace(outcome, value=agreed(outcome.value, *values)) if len(values) == len(others) else outcome

    def _is_nowhere(self, values: list[Value]) -> bool:
        """Whether no mesh says anything of the arguments and the result."""
        jax = self.engines.jax
        return not jax.has_places or (not jax.is_placing and set(_places(values)) <= {NOWHERE})

    def _outcome(self, it: Interpreter, name: str, values: list[Value], kwargs: dict[str, Value]) -> Any:
        """What the rule says of arguments, the last ones of which are named; None if they fit no signature."""
        count = len(values) - len(kwargs)
        promotions = self.promotions()
        try:
            key = name, id(promotions), tuple(kwargs), tuple(map(_settled, values))
        except _UnsettledError:
            key = None
        if key is not None and (known := self._answers.get(key)) is not None:
            return known
        try:
            found = evaluate(name, promotions, values[:count], dict(zip(kwargs, values[count:])))
            if key is not None:
                if len(self._answers) >= _MOST_ANSWERS:
                    self._answers.clear()
                self._answers[key] = found
            return found
        except Exception as error:  # arguments that fit no signature, or that the rule does not expect
            if type(error).__name__ == "BindError":
                swallow(error)
            else:
                it.crash(error, f"rule {name}")
            return None

    def _argument(self, value: Value) -> Value:
        if isinstance(value, ArrayValue):
            dtype = value.aval.dtype
            return _UNFIT if dtype is not None and dtype.startswith(_EXTENDED) else value.aval
        if value is None or isinstance(value, bool | int | float | complex | str):
            return value
        if isinstance(value, ScalarValue):
            return _scalar(value)
        if isinstance(value, NumPyValue):
            return NumPyArray(value.shape, value.dtype)
        if isinstance(value, Unknown):
            return UNKNOWN
        if isinstance(value, tuple):
            items = [self._argument(v) for v in value]
            return _UNFIT if any(i is _UNFIT for i in items) else tuple(items)
        if isinstance(value, ListValue | IteratorValue):
            if value.items is None:
                return UNKNOWN
            items = [self._argument(v) for v in value.items]
            return _UNFIT if any(i is _UNFIT for i in items) else items
        if isinstance(value, UnionValue):
            options = [self._argument(v) for v in value.values]
            return _UNFIT if any(o is _UNFIT for o in options) else Alternatives.of(options)
        if type(value) is slice:
            parts = [self._bound(v) for v in (value.start, value.stop, value.step)]
            return _UNFIT if any(p is _UNFIT for p in parts) else slice(*parts)
        if value is Ellipsis or isinstance(value, range):
            if isinstance(value, range):
                return list(value) if weight_of(value, WIDEST) <= WIDEST else _UNFIT
            return value
        if isinstance(value, BaseValue | DictValue):
            return _UNFIT
        if isinstance(value, enum.Enum):  # a precision, a mode
            return UNKNOWN
        return self._dtype(value)

    def _bound(self, value: Value) -> Value:
        """A bound of a slice, where a symbolic one may be negative."""
        dim = as_dim(value.size) if isinstance(value, ScalarValue) and value.kinds == (int,) else None
        if isinstance(value, NumPyValue) and value.is_scalar and isinstance(read := _read(value, None), int):
            return read
        return self._argument(value) if dim is None else dim

    def _dtype(self, value: Value) -> Value:
        """A dtype-like object of jax or NumPy; a function of `lax`, by which a rule tells which reduction it is."""
        if isinstance(value, type) and value in (bool, int, float, complex):
            return value
        if isinstance(value, FunctionType) and f"{value.__module__}.".startswith(_LAX):
            return value
        if hasattr(value, "shape") and hasattr(value, "dtype"):  # a jax.ShapeDtypeStruct: jax answers
            return _UNFIT
        try:
            name = str(self.engines.jax.jax.numpy.dtype(value))
        except Exception as error:
            swallow(error)
            return _UNFIT
        return name if name in scalars.DTYPES else _UNFIT

    def _result(self, it: Interpreter, value: Value, traced: bool, node: ast.AST | None) -> Value:
        if value is UNKNOWN:
            return MISSING
        if isinstance(value, ShapedArray):
            return it.array(value, traced, node)
        if isinstance(value, Scalar):
            return ScalarValue({"bool": bool, "int": int, "float": float, "complex": complex}[value.kind], is_data=True)
        if isinstance(value, Alternatives):
            return join_all(self._result(it, v, traced, node) for v in value.values)
        if isinstance(value, tuple):
            items = [self._result(it, v, traced, node) for v in value]
            return tuple(it.unknown("a part of a result") if i is MISSING else i for i in items)
        if isinstance(value, list):
            items = [self._result(it, v, traced, node) for v in value]
            return ListValue([it.unknown("a part of a result") if i is MISSING else i for i in items])
        if isinstance(value, SymbolicDim):
            size = of_dim(value)
            return ScalarValue(int, size=size)
        if isinstance(value, NumPyArray):
            return NumPyValue(value.shape, value.dtype)
        if isinstance(value, str | type):
            return MISSING  # a dtype: the real one is asked for
        return value


class _UnsettledError(Exception):
    """What a rule says of a value may be another thing the next time."""


def _settled(value: Any) -> Any:
    """A key of an argument of a rule, equal for those of which it says the same.

    Raises:
        _UnsettledError: if there may be symbols in it.
    """
    kind = type(value)
    if kind is ShapedArray:
        if value.shape is not None and not all(size is None or type(size) is int for size in value.shape):
            raise _UnsettledError
        held = value.value
        return value.shape, value.dtype, value.weak_type, None if held is None else (type(held), repr(held))
    if kind is int or kind is str or kind is bool or value is None:
        return kind, value
    if kind is float or kind is complex:
        return kind, repr(value)  # -0.0
    if kind is tuple or kind is list:
        return kind, tuple(map(_settled, value))
    if kind is slice:
        return kind, _settled(value.start), _settled(value.stop), _settled(value.step)
    if kind is Scalar or kind is FunctionType or value is UNKNOWN or value is Ellipsis or kind is type:
        return kind, value
    raise _UnsettledError


def _is_told(outcome: Any) -> bool:
    """Whether a rule says all of a result."""
    if outcome.error is not None or outcome.value is UNKNOWN:
        return False
    values = outcome.value if isinstance(outcome.value, tuple | list) else (outcome.value,)
    return all(not isinstance(v, ShapedArray) or _is_partial(ArrayValue(v, False)) is False for v in values)


def _read(value: Value, converted: Any) -> Any:
    """Sizes, axes and indices that are computed by NumPy, as numbers: what an array is in their place."""
    if isinstance(value, tuple | ListValue) and isinstance(converted, tuple | list):
        items = value if isinstance(value, tuple) else value.items or ()
        read = [_read(v, c) for v, c in zip(items, converted)]
        return type(converted)(read) if any(r is not c for r, c in zip(read, converted)) else converted
    if not isinstance(value, NumPyValue) or value.data is None:
        return converted
    return value.data.tolist() if value.data.dtype.kind in "iu" and value.data.size <= 16 else converted


def _sized(value: Any, read: Any) -> Any:
    """A result with the sizes that it has where numbers are read; its dtype is that of what was given."""
    if isinstance(read, ShapedArray):
        return replace(value if isinstance(value, ShapedArray) else ShapedArray(None, None), shape=read.shape)
    if isinstance(read, tuple | list):
        values = value if type(value) is type(read) and len(value) == len(read) else [UNKNOWN] * len(read)
        return type(read)([_sized(v, r) for v, r in zip(values, read)])
    return read if value is UNKNOWN else value


def _is_partial(value: Value) -> bool:
    """Whether a part of a result is not known."""
    if isinstance(value, ArrayValue):
        return not value.is_full
    if isinstance(value, tuple):
        return any(map(_is_partial, value))
    return isinstance(value, ListValue) and value.items is not None and any(map(_is_partial, value.items))


def _places(values: Iterable[Value]) -> Iterator[Place | None]:
    """Where the arrays among some values lie."""
    for value in values:
        if isinstance(value, ArrayValue):
            yield value.place
        elif isinstance(value, tuple):
            yield from _places(value)
        elif isinstance(value, ListValue | IteratorValue):
            yield from _places(value.items or ())


def _nowhere(result: Value) -> Value:
    """The result of an operation of which no mesh says anything."""
    if isinstance(result, ArrayValue):
        return result.at(NOWHERE)
    if isinstance(result, tuple):
        for item in result:
            _nowhere(item)
    elif isinstance(result, ListValue):
        for item in result.items or ():
            _nowhere(item)
    return result


def _is_full(value: Value) -> bool:
    """Whether all is known of an argument that a result can depend on."""
    if isinstance(value, ArrayValue):
        return value.is_full
    if isinstance(value, tuple):
        return all(map(_is_full, value))
    if isinstance(value, ListValue):
        return value.items is not None and all(map(_is_full, value.items))
    if type(value) is slice:
        return all(map(_is_full, (value.start, value.stop, value.step)))
    if isinstance(value, NumPyValue):
        return value.shape is not None and None not in value.shape and value.dtype is not None
    return not isinstance(value, BaseValue)


def _with_sizes(value: Value) -> Value:
    """An argument in which ints of which nothing else is known are sizes."""
    if isinstance(value, tuple | ListValue):
        return mapped(value, _with_sizes)
    if isinstance(value, ScalarValue) and value.kinds == (int,) and value.size is not None:
        return ScalarValue(int, size=as_size(value.size), is_data=value.is_data)
    return value


def _scalar(value: ScalarValue) -> Value:
    if {str, bytes, OfNumPy} & set(value.kinds):
        return UNKNOWN
    if value.kinds == (int,) and value.size is not None:
        dim = as_dim(value.size)
        low, _ = value.size.bounds()
        if isinstance(dim, SymbolicDim) and low is not None and low >= 0:
            return dim
    names: Any = [Scalar(k.__name__) for k in value.kinds]  # type: ignore[arg-type]
    return Alternatives.of(names)


class RuleNames:
    """The rules by the functions of jax (or ours) that they describe; those of `Array.` are asked for by name.

    A module is looked through when the program has imported it, not before.
    """

    def __init__(self, *, has_jax: bool) -> None:
        self._names: dict[int, str] = {}
        package = "arraytyping" if stands_alone() else "jax"
        # A jax that is loaded, but not asked, has no engine for its rules.
        self._waiting = {f"{package}.{m}": rules for m, rules in _by_module(len(RULES)).items()} if has_jax else {}

    def get(self, function: Value) -> str | None:
        """The rule of a function, if there is one."""
        for module in [m for m in self._waiting if m in sys.modules]:
            for name, attribute in self._waiting.pop(module):
                described = getattr(sys.modules[module], attribute, None)
                if described is not None:
                    self._names.setdefault(id(described), name)
        return self._names.get(id(function))


@functools.cache
def _by_module(rules: int) -> dict[str, list[tuple[str, str]]]:
    """The rules of functions, of so many rules, by their modules, and the name that each has there."""
    found: dict[str, list[tuple[str, str]]] = {}
    for name in RULES:
        module, _, attribute = name.rpartition(".")
        if not name.startswith("Array."):
            found.setdefault(module, []).append((name, attribute))
    return found


def _has_open_shape(arguments: list[Any]) -> bool:
    """Whether the rank of an array among arguments is not known."""
    return any(a is UNKNOWN or (isinstance(a, ShapedArray) and a.shape is None) for a in arguments)

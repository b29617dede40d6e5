"""The public functions of arrays: what is given is abstracted, the rule decides, then the function computes.

`@operation("numpy.add", "x", "y")` makes a function of arrays of a body that computes with primitives.  A call

1. takes the arrays out of the arguments, wherever they stand, and looks up by their abstract values and the other
   arguments what this kind of call gives;
2. the first time, evaluates the rule of that name, the same that the static tools evaluate: a mistake is raised with
   the rule's sentence, as an exception of JAX's class; otherwise the abstract value of the result is known;
3. evaluates the body as one compiled program, made once for this kind of call; under a transformation the body's
   primitives go to the trace in force.

Inside of a body every argument that is an array-like (also a Python scalar, for the parameters that are named) is an
`Array`; the others are as they were given.
"""

from __future__ import annotations

import functools
import inspect
import operator
from collections.abc import Callable, Sequence
from typing import Any, Final, Literal, ParamSpec, TypeVar, cast

import numpy as np

from arraytyping import config
from arraytyping.avals import NumPyArray, ShapedArray
from arraytyping.basearray import Array
from arraytyping.core import EVAL, Tracer, TypedScalar, _state, raised
from arraytyping.errors import ConcretizationTypeError
from arraytyping.jaxpr.syntax import ClosedJaxpr
from arraytyping.np_dtypes import dtype_name_of, np_dtype
from arraytyping.operations import OPERATIONS
from arraytyping.promotion.jax import JaxPromotion
from arraytyping.rules.context import Context
from arraytyping.rules.errors import RuleError
from arraytyping.tracing.staging import stage
from arraytyping.user_warnings import warn_user

__all__ = ["array_from", "convert_to", "operation", "python_scalar"]

P = ParamSpec("P")
R = TypeVar("R")
How = Literal["compile", "inline"]

_PYTHON_SCALARS: Final = (bool, int, float, complex)
_FREQUENT: Final = frozenset((int, float))
_scalars: Final[dict[Any, TypedScalar]] = {}
_MEMOS: Final[list[dict[Any, Any]]] = []
"""What operations remember of the calls that there were."""


class _Slot:
    """Where, in the arguments of a call, an array stood: its number."""

    __slots__ = ("number",)

    def __init__(self, number: int) -> None:
        self.number = number


class _Plan:
    """What one kind of call gives."""

    __slots__ = ("expected", "messages", "run", "structure")

    def __init__(self, expected: Any, messages: tuple[str, ...]) -> None:
        self.expected = expected
        self.messages = messages
        self.run: Any = None
        self.structure: Any = None


class _Arguments:
    """The arguments of a call taken apart: the arrays, a key for what kind of call it is, the rest with slots."""

    __slots__ = ("arrays", "key", "values_of")

    def __init__(self) -> None:
        self.arrays: list[Any] = []
        self.key: list[Any] = []

    def slot(self, value: Any, key: Any) -> _Slot:
        self.arrays.append(value)
        self.key.append(key)
        return _Slot(len(self.arrays) - 1)

    def take(self, value: Any, is_array: bool, looks: bool) -> Any:
        """The argument with a slot in the place of each array in it.

        `is_array` says that a Python scalar is an array here; `looks` that the rule looks at its value.
        """
        kind = type(value)
        if isinstance(value, Array):
            if looks and (known := known_value(value)) is not None:
                return self.slot(value, (value.aval, type(known), known))
            return self.slot(value, value.aval)
        if kind in _PYTHON_SCALARS:
            if is_array:
                narrow = kind is not int or -0x80000000 <= value < 0x80000000
                return self.slot(value, kind if narrow and not looks else (kind, repr(value)))
            self.key.append((kind, repr(value) if kind is float or kind is complex else value))
            return value
        if value is None or kind is str:
            self.key.append(value)
            return value
        if kind is tuple or kind is list:
            self.key.append((kind, len(value)))
            return kind([self.take(v, is_array, looks) for v in value])
        if isinstance(value, np.ndarray | np.generic):
            if not is_array:
                return self.take(value.tolist() if value.dtype.kind in "biufc?" else value.item(), False, looks)
            return self.slot(value, (NumPyArray(value.shape, dtype_name_of(value.dtype) or str(value.dtype))))
        if hasattr(value, "__jax_array__"):
            return self.take(value.__jax_array__(), is_array, looks)
        if is_array and hasattr(value, "__array__") and not isinstance(value, type):
            return self.take(np.asarray(value), is_array, looks)
        if kind is slice:
            self.key.append("slice")
            return slice(*(self.take(v, False, False) for v in (value.start, value.stop, value.step)))
        if isinstance(value, tuple):  # a named one
            self.key.append((kind, len(value)))
            return kind(*[self.take(v, is_array, looks) for v in value])
        self.key.append((kind, value))
        return value


def known_value(value: Any) -> bool | int | float | complex | None:
    """The Python scalar that a concrete integer array without dimensions holds, where a rule looks at values."""
    if value.aval.shape != () or isinstance(value, Tracer):
        return None
    scalar = value.value if isinstance(value, TypedScalar) else value._literal()
    return scalar if type(scalar) in (int, bool) else None


def filled(value: Any, arrays: Sequence[Any]) -> Any:
    """An argument with these arrays in its slots."""
    kind = type(value)
    if kind is _Slot:
        return arrays[value.number]
    if kind is tuple or kind is list:
        return kind([filled(v, arrays) for v in value])
    if kind is slice:
        return slice(*(filled(v, arrays) for v in (value.start, value.stop, value.step)))
    if isinstance(value, tuple):
        return kind(*[filled(v, arrays) for v in value])
    return value


def abstract(value: Any, looks: bool) -> Any:
    """What a rule is told of an array-like."""
    if isinstance(value, Array):
        aval: ShapedArray = value.aval
        if looks and (known := known_value(value)) is not None:
            return ShapedArray(aval.shape, aval.dtype, aval.weak_type, known)
        return aval
    if isinstance(value, np.ndarray | np.generic):
        return NumPyArray(value.shape, dtype_name_of(value.dtype) or str(value.dtype))
    return value


def described(value: Any) -> Any:
    """An argument that is no array, in the form in which rules take it: a dtype by its name."""
    if isinstance(value, np.dtype):
        return dtype_name_of(value) or value.name
    if isinstance(value, type) and issubclass(value, np.generic):
        return dtype_name_of(np.dtype(value)) or value
    if type(value) is tuple or type(value) is list:
        return type(value)(described(v) for v in value)
    return value


def operation(
    name: str, *arrays: str, looks_at: tuple[str, ...] = (), how: How = "compile"
) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Make a public function of a body, by the rule `name`; `arrays` are the parameters that Python scalars may be.

    `looks_at` are those of them at whose known value the rule looks; with `how="inline"` the body is not compiled as
    one program (it is one primitive, or looks at values itself).
    """

    def decorate(body: Callable[P, R]) -> Callable[P, R]:
        return cast(Callable[P, R], _operation(name, frozenset(arrays), frozenset(looks_at), how, body))

    return decorate


def _operation(
    name: str, array_names: frozenset[str], looks_at: frozenset[str], how: How, body: Callable[..., Any]
) -> Callable[..., Any]:
    signature = inspect.signature(body)
    names = [p.name for p in signature.parameters.values() if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    variadic = next((p.name for p in signature.parameters.values() if p.kind is p.VAR_POSITIONAL), None)
    memos: dict[int, dict[Any, _Plan]] = {}
    unknown_names = array_names - set(signature.parameters)
    assert not unknown_names, f"{name}: no parameters {unknown_names}"
    positions = [(n in array_names, n in looks_at) for n in names]
    rest = (variadic in array_names, variadic in looks_at)

    programs: dict[Any, tuple[Callable[[Any], list[Any]], Any]] = {}
    plans: dict[Any, tuple[_Plan, Any]] = {}
    _MEMOS.extend((memos, programs, plans))
    quick = not looks_at and variadic is None
    of_arrays = [n in array_names for n in names]
    all_arrays = all(of_arrays)
    axis_place = names.index("axis") if "axis" in names else None

    @functools.wraps(body)
    def call(*args: Any, **kwargs: Any) -> Any:
        # Two shortcuts for what is called most, arrays and Python scalars by position.  Equal abstract values of
        # concrete arrays are one object, so that identity will do where nothing is traced.
        promotion = config.promotion()
        is_quick = quick and not kwargs and len(args) <= len(of_arrays)
        if is_quick:
            if _state.trace is EVAL and how == "compile":
                try:
                    if all_arrays and not {*map(type, args)}.isdisjoint(_FREQUENT):
                        args = tuple([scalar_from(v, promotion) if type(v) in _FREQUENT else v for v in args])
                    program = programs.get((id(promotion), *[id(v.aval) for v in args]))
                    buffers = None if program is None else [v._buffer for v in args]
                except AttributeError:  # not concrete arrays alone
                    program = None
                if program is not None:
                    return program[0](buffers)[0]
            elif (quick_key := _quick_key(promotion, args, of_arrays)) is not None and quick_key in plans:
                given = [v if isinstance(v, Array) else array_from(v, promotion) for v in args]
                return finished(body(*given), plans[quick_key][0].expected)
        return slow(promotion, is_quick, args, kwargs)

    def slow(promotion: JaxPromotion, is_quick: bool, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        memo = memos.get(id(promotion))
        if memo is None:
            memo = memos[id(promotion)] = {}
        taken = _Arguments()
        if axis_place is not None and axis_place < len(args):
            args = (*args[:axis_place], static_int(args[axis_place]), *args[axis_place + 1 :])
        elif "axis" in kwargs:
            kwargs["axis"] = static_int(kwargs["axis"])
        values = [taken.take(v, *(positions[i] if i < len(positions) else rest)) for i, v in enumerate(args)]
        named = {}
        for n, v in kwargs.items():
            taken.key.append(n)
            named[n] = taken.take(v, n in array_names, n in looks_at)
        key: Any = tuple(taken.key)
        try:
            plan = memo.get(key)
        except TypeError:  # an argument without a hash
            plan = key = None
        if plan is None:
            plan = _plan(promotion, taken, values, named)
            if key is not None:
                memo[key] = plan
        if plan.messages:
            warn_user(plan.messages)
        given = [v if isinstance(v, Array) else array_from(v, promotion) for v in taken.arrays]
        if how == "inline" or _state.trace is not EVAL:
            if is_quick and not plan.messages and (quick_key := _quick_key(promotion, args, of_arrays)) is not None:
                plans[quick_key] = plan, promotion
            return finished(
                body(*filled(values, given), **{n: filled(v, given) for n, v in named.items()}), plan.expected
            )
        if plan.run is None:
            _compile(plan, given, values, named)
        assert plan.run is not None
        is_single = is_quick and type(plan.structure) is _Slot and not plan.messages
        if is_single and all(isinstance(v, Array) for v in args):
            avals = [v.aval for v in args]
            programs[(id(promotion), *map(id, avals))] = (
                plan.run.on_buffers,
                (promotion, avals),
            )  # kept, so that no other gets their ids
        return rebuilt(plan.structure, iter(plan.run(given)))

    def _plan(promotion: JaxPromotion, taken: _Arguments, values: list[Any], named: dict[str, Any]) -> _Plan:
        from arraytyping.rules.families import RULES

        cx = Context(promotion)
        rule = RULES[name]
        seen = [abstract(v, bool(looks_at)) for v in taken.arrays]
        try:
            bound = rule.signature.bind(
                *described(filled(values, seen)), **{n: described(filled(v, seen)) for n, v in named.items()}
            )
        except TypeError as error:
            raise TypeError(f"{body.__name__}: {error}") from None
        try:
            expected = rule.function(cx, *bound.args, **bound.kwargs)
        except RuleError as error:
            raise raised(error) from None
        return _Plan(expected, tuple(dict.fromkeys(w.message for w in cx.warnings)))

    def _compile(plan: _Plan, given: Sequence[Any], values: list[Any], named: dict[str, Any]) -> None:
        def on_arrays(*arrays: Any) -> list[Any]:
            out = finished(
                body(*filled(values, arrays), **{n: filled(v, arrays) for n, v in named.items()}), plan.expected
            )
            leaves: list[Any] = []
            plan.structure = structured(out, leaves)
            return leaves

        closed: ClosedJaxpr = stage(on_arrays, [a.aval for a in given])
        plan.run = EVAL.compile(closed, body.__name__)

    call.rule_name = name  # type: ignore[attr-defined]
    call.arrays = array_names  # type: ignore[attr-defined]
    call.body = body  # type: ignore[attr-defined]
    return call


def _quick_key(promotion: JaxPromotion, args: tuple[Any, ...], of_arrays: Sequence[bool]) -> tuple[Any, ...] | None:
    """What kind of call this is, if every argument is an array, or a Python scalar in the place of one."""
    key: list[Any] = [id(promotion)]
    for value, is_array in zip(args, of_arrays):
        kind = type(value)
        if isinstance(value, Array):
            key.append(value.aval)
        elif is_array and (kind is float or kind is bool or (kind is int and -0x80000000 <= value < 0x80000000)):
            key.append(kind)
        else:
            return None
    return tuple(key)


def forget_calls() -> None:
    """Let go of every compiled operation; the next call of each is traced and compiled again."""
    for memo in _MEMOS:
        memo.clear()


def static_int(value: Any) -> Any:
    """An axis that is given as a concrete array without dimensions, as the int that it holds."""
    if isinstance(value, Array) and not isinstance(value, Tracer) and value.aval.shape == ():
        return value.__index__()  # type: ignore[attr-defined]
    return value


def structured(value: Any, leaves: list[Any]) -> Any:
    """The form of a result, whose arrays are put into `leaves`."""
    if isinstance(value, Array):
        leaves.append(value)
        return _Slot(len(leaves) - 1)
    if isinstance(value, tuple | list):
        items = [structured(v, leaves) for v in value]
        return type(value)(*items) if hasattr(value, "_fields") else type(value)(items)
    return value


def rebuilt(structure: Any, outs: Any) -> Any:
    """A result of this form."""
    if type(structure) is _Slot:
        return next(outs)
    if isinstance(structure, tuple | list):
        items = [rebuilt(v, outs) for v in structure]
        return type(structure)(*items) if hasattr(structure, "_fields") else type(structure)(items)
    return structure


def finished(out: Any, expected: Any) -> Any:
    """The result as the rule says it is: its dtype and weak type are the rule's."""
    if isinstance(out, Array) and isinstance(expected, ShapedArray):
        aval = out.aval
        if expected.dtype is None or expected.weak_type is None:
            return materialized(out)
        assert expected.shape is None or all(e is None or e == s for e, s in zip(expected.shape, aval.shape or ())), (
            f"the rule says {expected}, the function gave {aval}"
        )
        if aval.dtype != expected.dtype or aval.weak_type != expected.weak_type:
            return convert_to(out, expected.dtype, expected.weak_type)
        return materialized(out)
    if isinstance(out, tuple | list):
        if isinstance(expected, tuple | list) and len(expected) == len(out):
            items = [finished(o, e) for o, e in zip(out, expected)]
        else:
            items = [finished(o, None) for o in out]
        return type(out)(*items) if hasattr(out, "_fields") else type(out)(items)
    return materialized(out) if isinstance(out, TypedScalar) else out


def materialized(value: Any) -> Any:
    """A value that a user may hold: a constant becomes an array."""
    if type(value) is TypedScalar:
        return OPERATIONS.full_of(value, value.aval)
    return value


def convert_to(value: Any, dtype: str, weak_type: bool = False) -> Any:
    """The value in another dtype or weak type: a constant at once, an array by a primitive where it changes."""
    aval = value.aval
    if aval.dtype == dtype and bool(aval.weak_type) == weak_type:
        return value
    if type(value) is TypedScalar:
        return TypedScalar(python_scalar(value.value, dtype), ShapedArray((), dtype, weak_type))
    return OPERATIONS.convert(value, new_dtype=dtype, weak_type=weak_type)


def python_scalar(value: Any, dtype: str) -> bool | int | float | complex:
    """A Python scalar as an element of this dtype holds it."""
    with np.errstate(all="ignore"):
        if isinstance(value, int) and dtype.startswith(("int", "uint")):
            width = int(dtype.lstrip("uint"))
            value = value & ((1 << width) - 1)
            return int(value - (1 << width) if dtype.startswith("int") and value >> (width - 1) else value)
        if isinstance(value, complex) and not dtype.startswith("complex"):
            value = value.real
        return np.asarray(value).astype(np_dtype(dtype)).item()  # type: ignore[no-any-return]


@functools.cache
def _scalar_aval(dtype: str, weak_type: bool) -> ShapedArray:
    """One object for the abstract values of all Python scalars of a kind, as programs are found by identity."""
    return ShapedArray((), dtype, weak_type)


def scalar_from(value: Any, promotion: JaxPromotion) -> TypedScalar:
    """The constant that JAX makes of a Python int or float: one object for equal ones, so that its buffer is kept."""
    key = (id(promotion), type(value), value if value else repr(value))  # 0.0 and -0.0 are equal, and differ
    found = _scalars.get(key)
    if found is None:
        if len(_scalars) >= 4096:
            _scalars.clear()
        found = _scalars[key] = array_from(value, promotion)
    return found


def array_from(value: Any, promotion: JaxPromotion | None = None) -> Any:
    """The array that JAX makes of an array-like operand.

    A Python scalar becomes a weak constant of the default dtype, a NumPy array a strong array, canonicalized.

    Raises:
        TypeError: for what is no array-like.
        OverflowError: for a Python int that the default dtype does not hold.
    """
    if isinstance(value, Array):
        return value
    promotion = promotion or config.promotion()
    kind = type(value)
    if kind in _PYTHON_SCALARS:
        dtype = promotion.default(kind.__name__)
        if kind is int and not -(1 << (31 if dtype == "int32" else 63)) <= value < 1 << (
            31 if dtype == "int32" else 63
        ):
            raise OverflowError(f"Python int {value} too large to convert to {dtype}")
        return TypedScalar(value, _scalar_aval(dtype, kind is not bool))
    if isinstance(value, np.ndarray | np.generic):
        name = dtype_name_of(value.dtype)
        if name is None:
            raise TypeError(f"dtype {value.dtype} is not a valid JAX array type; only numbers and bool are")
        array = np.asarray(value)
        canonical = promotion.canonicalize(name)
        with np.errstate(all="ignore"):
            array = array.astype(np_dtype(canonical), copy=False)
        return EVAL.array_of(array)
    if hasattr(value, "__jax_array__"):
        return array_from(value.__jax_array__(), promotion)
    if hasattr(value, "__array__") and not isinstance(value, type):
        return array_from(np.asarray(value), promotion)
    raise TypeError(f"an array or a number is expected, got {kind.__name__}: {value!r:.60}")


def concrete_int(value: Any, what: str) -> int:
    """The Python int of a static argument.

    Raises:
        ConcretizationTypeError: for a tracer.
        TypeError: for what is no integer.
    """
    if isinstance(value, Tracer):
        raise ConcretizationTypeError(f"{what} must be known when the program is traced, got a tracer of {value.aval}")
    return operator.index(
        value.__index__() if isinstance(value, Array) else value  # type: ignore[attr-defined]
    )

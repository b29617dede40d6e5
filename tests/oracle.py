"""The oracle: what JAX itself says of a call, in our abstract values, to compare the rules with.

A `Call` names an operation as the table of rules does (`numpy.add`, `Array.sum`, `Array.T`, `Array.__add__`) and
holds fully known abstract values.  `jax_says` traces the real thing with `jax.eval_shape`; `rule_says` evaluates
our rule; `differences` compares many and returns a line for each that differs.
"""

from __future__ import annotations

import contextlib
import operator
import warnings
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import jax
import jax.numpy as jnp
import ml_dtypes
import numpy as np
from agreements import agreed, digest_of, record
from jax._src.lax.lax import _convert_element_type as convert_element_type  # the only way to a weak array

from arraytyping.scalars import ABSTRACT, DTYPES, NAMES, SCALARS
from arraytyping.semantics.avals import UNKNOWN, Alternatives, NumPyArray, Scalar, Shape, ShapedArray
from arraytyping.semantics.promotion.jax import JaxPromotion, Mode
from arraytyping.semantics.releases import NEWEST
from arraytyping.semantics.rules.registry import evaluate

MISSING = frozenset({"int1", "uint1", "float6_e2m3fn", "float6_e3m2fn"} - set(dir(jnp)))
"""The dtypes that the installed JAX is too old for."""

RELEASE = min(jax.version.__version_info__[:2], NEWEST)
"""The release that the installed JAX is."""

WEAK_DTYPES = ("int32", "float32", "complex64")
"""The dtypes that weak arrays have by default while x64 is off."""


@dataclass(frozen=True)
class Call:
    """One call of an operation on fully known arguments."""

    name: str
    args: tuple[Any, ...] = ()
    kwargs: dict[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        shown = [*map(show, self.args), *(f"{k}={show(v)}" for k, v in self.kwargs.items())]
        return f"{self.name}({', '.join(shown)})"


@dataclass(frozen=True)
class Raised:
    """The call raised; two such are the same if both raised a subclass of the same builtin exception."""

    exception: type[BaseException]
    message: str = field(default="", compare=False)

    def __str__(self) -> str:
        return f"{self.exception.__name__}: {self.message[:160]}"


def show(value: Any) -> str:
    """A value as the lists of differences print it."""
    if isinstance(value, tuple):
        return "(" + ", ".join(map(show, value)) + ("," if len(value) == 1 else "") + ")"
    if isinstance(value, list):
        return "[" + ", ".join(map(show, value)) + "]"
    if isinstance(value, type):
        return value.__name__
    if isinstance(value, ShapedArray):
        weak = "~" if value.weak_type else ""
        return f"{weak}{value.dtype}{list(value.shape) if value.shape is not None else '[...]'}"
    return str(value) if isinstance(value, NumPyArray | Raised) else repr(value)


def array(dtype: str, *shape: int, weak: bool = False) -> ShapedArray:
    """A fully known array."""
    return ShapedArray(shape, dtype, weak)


def elements(x64: bool) -> list[tuple[str, bool]]:
    """Every dtype, and every weak one of the default width: (dtype, weak) as an operand can have them.

    While x64 is off no array has 64 bits, so those dtypes are left out.
    """
    p = JaxPromotion(x64=x64)
    strong = [(d, False) for d in DTYPES if p.canonicalize(d) == d]
    return strong + [(p.default(k), True) for k in ("int", "float", "complex")]


def to_dtype(name: str) -> np.dtype[Any]:
    """NumPy's dtype of a name."""
    return np.dtype(getattr(ml_dtypes, name, name))


def sizes(shape: Shape | None) -> tuple[int, ...]:
    """The sizes of a fully known shape."""
    assert shape is not None
    return tuple(d for d in shape if isinstance(d, int))


def to_jax(value: Any) -> Any:
    """A static argument as JAX takes it (an array is handed over as a tracer, not here)."""
    if isinstance(value, type) and value in NAMES:
        name = NAMES[value]
        return getattr(jnp, "bool_" if name == "bool" else name)
    if isinstance(value, type) and value.__name__ in ABSTRACT:
        return getattr(jnp, value.__name__)
    if isinstance(value, NumPyArray):
        assert value.dtype is not None
        made = np.ones(sizes(value.shape), to_dtype(value.dtype))
        return made if value.shape else made[()]
    if hasattr(value, "_fields"):  # dimension numbers
        return getattr(jax.lax, type(value).__name__)(*map(to_jax, value))
    if isinstance(value, tuple | list):
        return type(value)(map(to_jax, value))
    if isinstance(value, slice):
        return slice(to_jax(value.start), to_jax(value.stop), to_jax(value.step))
    return value


def from_jax(value: Any) -> Any:
    """A result of JAX as an abstract value."""
    if isinstance(value, jax.Array):
        return ShapedArray(tuple(value.shape), str(value.dtype), bool(value.aval.weak_type))
    if isinstance(value, np.dtype):
        return SCALARS.get(str(value), value)
    if isinstance(value, np.ndarray | np.generic):
        return NumPyArray(value.shape, str(value.dtype))
    if isinstance(value, tuple | list):
        return tuple(map(from_jax, value))
    return value


_BINARY: dict[str, Callable[[Any, Any], Any]] = {
    **{
        f"__{n}__": getattr(operator, f"__{n}__")
        for n in ["add", "sub", "mul", "matmul", "truediv", "floordiv", "mod", "pow"]
    },
    **{
        f"__{n}__": getattr(operator, f"__{n}__")
        for n in ["lshift", "rshift", "and", "xor", "or", "eq", "ne", "lt", "le", "gt", "ge"]
    },
    "__divmod__": divmod,
}


def resolve(name: str) -> Callable[..., Any]:
    """The real thing of a rule's name."""
    space, _, member = name.partition(".")
    if space == "Array":
        # An operator is the expression, not the method: the method may return NotImplemented.
        if member in _BINARY:
            return _BINARY[member]
        if (forward := member.replace("__r", "__", 1)) in _BINARY and member.startswith("__r"):
            return lambda x, y: _BINARY[forward](y, x)
        if member.startswith("at."):
            return lambda x, key, *args, **kwargs: getattr(x.at[key], member[3:])(*args, **kwargs)
        if member == "__iter__":  # the rule gives one element
            return lambda x: next(iter(x))
        attribute = isinstance(getattr(jax.Array, member, None), property)
        attribute = attribute or member in ("T", "mT", "shape", "dtype", "weak_type")
        if attribute and not callable(getattr(jnp.zeros((1, 1)), member)):
            return lambda x: getattr(x, member)
        return lambda x, *args, **kwargs: getattr(x, member)(*args, **kwargs)
    thing: Any = jax
    for part in name.split("."):
        thing = getattr(thing, part)
    return thing  # type: ignore[no-any-return]


@contextlib.contextmanager
def configured(x64: bool, mode: Mode) -> Iterator[None]:
    """JAX in this mode, its warnings silent."""
    with jax.enable_x64(x64), jax.numpy_dtype_promotion(mode), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def jax_says(call: Call, *, x64: bool = False, mode: Mode = "standard", eager: bool = False) -> Any:
    """The abstract value of the call's result as JAX computes it, traced (or eagerly, on arrays of ones)."""
    ready = _Ready(call)
    with configured(x64, mode):
        try:
            if eager:
                ones = [jax.lax.full(sizes(a.shape), 1, to_dtype(a.dtype or "")) for a in ready.arrays]
                return ready.on([convert_element_type(o, weak_type=True) if a.weak_type else o
                                 for o, a in zip(ones, ready.arrays)])  # fmt: skip
            results: list[Any] = []
            jax.eval_shape(lambda *tracers: results.append(ready.on(tracers)), *map(_struct, ready.arrays))
        except Exception as error:
            return Raised(builtin_exception(type(error)), str(error))
    return results[0]


def jax_says_of_all(calls: Iterable[Call], *, x64: bool = False, mode: Mode = "standard") -> list[Any]:
    """The same for many calls, in one trace: three times as fast, since most of the time goes into starting traces."""
    ready = [_Ready(call) for call in calls]
    results: list[Any] = []
    # Equal arrays of different calls share a tracer, those of one call do not.
    slots: dict[tuple[ShapedArray, int], int] = {}
    places = [[slots.setdefault((a, r.arrays[:i].count(a)), len(slots)) for i, a in enumerate(r.arrays)] for r in ready]

    def traced(*tracers: Any) -> None:
        for one, own in zip(ready, places):
            try:
                results.append(one.on([tracers[i] for i in own]))
            except Exception as error:
                results.append(Raised(builtin_exception(type(error)), str(error)))

    with configured(x64, mode):
        jax.eval_shape(traced, *(_struct(a) for a, _ in slots))
    return results


def _struct(a: ShapedArray) -> jax.ShapeDtypeStruct:
    return jax.ShapeDtypeStruct(a.shape, to_dtype(a.dtype or ""), weak_type=a.weak_type)  # type: ignore[no-untyped-call]


class _Ready:
    """A call whose arrays are yet to be put in."""

    def __init__(self, call: Call) -> None:
        self.arrays: list[ShapedArray] = []
        self.operation = resolve(call.name)
        self.args, self.kwargs = self._collect(call.args), {k: self._collect(v) for k, v in call.kwargs.items()}

    def _collect(self, value: Any) -> Any:
        """Replace arrays by their position in `arrays`."""
        if isinstance(value, ShapedArray):
            self.arrays.append(value)
            return _Slot(len(self.arrays) - 1)
        if isinstance(value, tuple | list) and not hasattr(value, "_fields"):
            return type(value)(map(self._collect, value))
        if isinstance(value, slice):
            return slice(*map(self._collect, (value.start, value.stop, value.step)))
        return to_jax(value)

    def on(self, arrays: Sequence[Any]) -> Any:
        """The abstract value of the result of the call on these arrays."""

        def fill(value: Any) -> Any:
            if isinstance(value, _Slot):
                return arrays[value.index]
            if isinstance(value, tuple | list) and not hasattr(value, "_fields"):
                return type(value)(map(fill, value))
            if isinstance(value, slice):
                return slice(*map(fill, (value.start, value.stop, value.step)))
            return value

        return from_jax(self.operation(*fill(self.args), **{k: fill(v) for k, v in self.kwargs.items()}))


@dataclass(frozen=True)
class _Slot:
    index: int


def builtin_exception(exception: type[BaseException]) -> type[BaseException]:
    """The builtin exception that this one is (JAX's own are subclasses of TypeError, ValueError, IndexError)."""
    return next(e for e in exception.__mro__ if e.__module__ == "builtins")


def rule_says(call: Call, *, x64: bool = False, mode: Mode = "standard") -> Any:
    """The abstract value of the call's result by our rule."""
    outcome = evaluate(call.name, (JaxPromotion(mode, x64, release=RELEASE),), call.args, call.kwargs)
    if outcome.error is not None:
        return Raised(builtin_exception(outcome.error.exception), outcome.error.message)
    return _plain(outcome.value)


def _plain(value: Any) -> Any:
    """Without the known Python value, which JAX does not report."""
    if isinstance(value, ShapedArray):
        return ShapedArray(value.shape, value.dtype, value.weak_type)
    if isinstance(value, tuple | list):
        return tuple(map(_plain, value))
    if isinstance(value, Alternatives):
        return Alternatives.of(map(_plain, value.values))
    return value


def differences(
    calls: Iterable[Call], *, x64: bool = False, mode: Mode = "standard", at_once: bool = False
) -> tuple[int, list[str]]:
    """How many calls were compared, and a line for each whose result or exception differs.

    `at_once` asks JAX in one trace, for calls of which none depends on being the only one.  A call that mentions a
    dtype which the installed JAX does not have is left out.  Each call of bools is made of weak bools as well, which
    comparisons of weak arrays give; these are not counted.
    """
    calls, lines = [c for c in calls if not (MISSING and mentions((c.args, c.kwargs, c.name.split(".")), MISSING))], []
    count = len(calls)
    calls += weak_bools(calls)
    answers = [rule_says(call, x64=x64, mode=mode) for call in calls]
    digest = digest_of((f"differences {x64} {mode} {at_once}", *map(repr, calls), *map(fingerprint, answers)))
    if agreed(digest):
        return count, []
    says = jax_says_of_all(calls, x64=x64, mode=mode) if at_once else (jax_says(c, x64=x64, mode=mode) for c in calls)
    for call, ours, real in zip(calls, answers, says):
        if real != ours or (isinstance(real, bool | int | float) and type(real) is not type(ours)):
            lines.append(f"{call} [x64={x64}, {mode}]: jax says {show(real)}, the rule says {show(ours)}")
    if not lines:
        record(digest)
    return count, lines


def is_whole(answer: Any) -> bool:
    """Whether all of an answer is known."""
    if isinstance(answer, tuple | list):
        return all(map(is_whole, answer))
    if isinstance(answer, ShapedArray):
        return answer.shape is not None and None not in (*answer.shape, answer.dtype, answer.weak_type)
    return answer is not UNKNOWN and not isinstance(answer, Alternatives)


def differences_of_whole(calls: Iterable[Call], *, x64: bool = False) -> tuple[int, list[str]]:
    """How many calls were compared, and a line for each that differs; what is known in part has to be true."""
    calls = list(calls)
    partly = [c for c in calls if not is_whole(rule_says(c, x64=x64))]
    count, lines = differences((c for c in calls if is_whole(rule_says(c, x64=x64))), x64=x64, at_once=True)
    for call, real in zip(partly, jax_says_of_all(partly, x64=x64)):
        if not isinstance(real, Raised) and not describes(rule_says(call, x64=x64), real):
            lines.append(f"{call} [x64={x64}]: jax says {show(real)}, the rule says {show(rule_says(call, x64=x64))}")
    return count + len(partly), lines


def weak_bools(calls: Iterable[Call]) -> list[Call]:
    """The calls of arrays of bool, of weak ones instead."""
    made = ((c, Call(c.name, _weak_bools(c.args), {k: _weak_bools(v) for k, v in c.kwargs.items()})) for c in calls)
    # Whether the windows keep a weak type hangs on the initial value, which is a tracer here.
    return list({repr(w): w for c, w in made if repr(w) != repr(c) and c.name != "lax.reduce_window"}.values())


def _weak_bools(value: Any) -> Any:
    if isinstance(value, ShapedArray) and value.dtype == "bool":
        return ShapedArray(value.shape, "bool", True)
    if isinstance(value, tuple | list) and not hasattr(value, "_fields"):
        return type(value)(map(_weak_bools, value))
    return value


def fingerprint(answer: Any) -> str:
    """An answer as text, of which all that is compared is a part; of an exception its class."""
    return (
        f"raised {answer.exception.__name__}" if isinstance(answer, Raised) else f"{type(answer).__name__} {answer!r}"
    )


def mentions(value: Any, dtypes: Collection[str]) -> bool:
    """Whether one of these dtypes stands anywhere in a value."""
    if isinstance(value, dict):
        return any(mentions(v, dtypes) for v in value.values())
    if isinstance(value, tuple | list):
        return any(mentions(v, dtypes) for v in value)
    if isinstance(value, ShapedArray | NumPyArray):
        return value.dtype in dtypes
    return (value in dtypes) if isinstance(value, str) else isinstance(value, type) and NAMES.get(value) in dtypes


def describes(partial: Any, concrete: Any) -> bool:
    """Whether a partly known value is true of a fully known one."""
    if partial is UNKNOWN:
        return True
    if isinstance(partial, Alternatives):
        return any(describes(p, concrete) for p in partial.values)
    if isinstance(partial, Scalar):
        return partial == concrete or partial.kind == type(concrete).__name__
    if isinstance(partial, ShapedArray | NumPyArray):
        return (
            type(concrete) is type(partial)
            and partial.dtype in (None, concrete.dtype)
            and getattr(partial, "weak_type", None) in (None, getattr(concrete, "weak_type", None))
            and (
                partial.shape is None
                or (
                    concrete.shape is not None
                    and len(partial.shape) == len(concrete.shape)
                    and all(p is None or p == c for p, c in zip(partial.shape, concrete.shape))
                )
            )
        )
    if isinstance(partial, tuple | list):
        return (
            isinstance(concrete, tuple | list)
            and len(partial) == len(concrete)
            and all(map(describes, partial, concrete))
        )
    return type(partial) is type(concrete) and bool(partial == concrete)

"""The public functions of arrays: what is given is abstracted, the rule decides, then the function computes.

`@operation("numpy.add", "x", "y")` makes a function of arrays of a body that computes with primitives.  A call

1. takes the arrays out of the arguments, wherever they stand, and looks up by their abstract values and the other
   arguments what this kind of call gives;
2. the first time, evaluates the rule of that name, the same that the static tools evaluate: a mistake is raised with
   the rule's sentence, as an exception of JAX's class; otherwise the abstract value of the result is known;
3. evaluates the body as one compiled program, made once for this kind of call; under a transformation the body's
   primitives go to the trace in force.

Inside of a body every argument that is an array-like (also a Python scalar, for the parameters that are named) is an
`Array`; the others are as they were given.  `@answered` makes a function in the same way of a body that computes in the
dtype or the shape that the rule has worked out: it is given the rule's answer before its arguments.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any, Concatenate, Final, ParamSpec, TypeVar, cast

from arraytyping import config
from arraytyping.basearray import Array
from arraytyping.config import _inside, _process
from arraytyping.runtime.array_likes import scalar_from
from arraytyping.runtime.call_arguments import (
    OfType,
    described_type,
    quick_key,
    rebuilt,
)  # fmt: skip
from arraytyping.runtime.call_looks import NotFound
from arraytyping.runtime.call_plans import How, Operation
from arraytyping.runtime.core import EVAL
from arraytyping.runtime.trace_state import STATE
from arraytyping.runtime.tracebacks import filtered
from arraytyping.semantics.avals import ShapedArray

__all__ = ["ON_EXTENDED", "answered", "dtype_of", "on_extended", "operation", "taking_extended", "type_of"]

P = ParamSpec("P")
R = TypeVar("R")
_FREQUENT: Final = frozenset((int, float))
ON_EXTENDED: Final[dict[str, list[Callable[..., Any]]]] = {}
"""What computes an operation where rules do not know the dtype (arrays of random keys, float0), of the function and the
arguments of its call; it gives `NotImplemented` where these are none for it."""


def operation(
    name: str, *arrays: str, looks_at: tuple[str, ...] = (), how: How = "compile", takes_type: bool = False
) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Make a public function of a body, by the rule `name`; `arrays` are the parameters that Python scalars may be.

    `looks_at` are those of them at whose known value the rule looks; with `how="inline"` the body is not compiled as
    one program (it is one primitive, or looks at values itself).  Where `takes_type` holds, the body asks of its first
    argument for the type alone, and anything with a shape and a dtype will do.
    """

    def decorate(body: Callable[P, R]) -> Callable[P, R]:
        signature = inspect.signature(body)
        function = _operation(name, frozenset(arrays), frozenset(looks_at), how, _without_answer(body), signature)
        return cast(Callable[P, R], _of_type(function) if takes_type else function)

    return decorate


def answered(
    name: str, *arrays: str, looks_at: tuple[str, ...] = (), how: How = "compile", takes_type: bool = False
) -> Callable[[Callable[Concatenate[Any, P], R]], Callable[P, R]]:
    """As `operation`, of a body that is given what the rule says of the result before its own arguments."""

    def decorate(body: Callable[Concatenate[Any, P], R]) -> Callable[P, R]:
        signature = inspect.signature(body)
        signature = signature.replace(parameters=list(signature.parameters.values())[1:])
        function = _operation(name, frozenset(arrays), frozenset(looks_at), how, body, signature)
        function.__signature__ = signature  # type: ignore[attr-defined]
        return cast(Callable[P, R], _of_type(function) if takes_type else function)

    return decorate


def _without_answer(body: Callable[P, R]) -> Callable[..., R]:
    @functools.wraps(body)
    def computed(answer: Any, *args: P.args, **kwargs: P.kwargs) -> R:
        return body(*args, **kwargs)

    return computed


def _of_type(function: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        if args and not isinstance(args[0], Array) and (aval := described_type(args[0])) is not None:
            args = (OfType(aval), *args[1:])
        return function(*args, **kwargs)

    return call


def _operation(
    name: str, array_names: frozenset[str], looks_at: frozenset[str], how: How, body: Callable[..., Any],
    signature: inspect.Signature,
) -> Callable[..., Any]:  # fmt: skip
    """The function of a body that is given the rule's answer and then what the signature names."""
    made = Operation(name, array_names, looks_at, how, body, signature)
    # What the shortcuts read stands in variables of the function, where it is read fastest.
    programs, plans, looks, recent, of_arrays = made.programs, made.plans, made.looks, made.recent, made.of_arrays
    again, slow, most, inside, process = made.again, made.call, len(made.of_arrays), _inside, _process
    quick = not looks_at and made.variadic is None
    is_compiled = how == "compile" and quick
    few = min((*of_arrays, False).index(False), 2)  # how many arguments by position are looked at without a text

    @functools.wraps(body)
    def call(*args: Any, **kwargs: Any) -> Any:
        # Equal abstract values of concrete arrays are one object, so that identity will do where nothing is traced.
        if inside:
            promotion, is_eager = config.promotion(), STATE.trace is EVAL
        else:
            promotion, is_eager = process[0], True
        missed: Any = None
        count = len(args)
        if is_compiled and is_eager and not kwargs:
            if count == 1 and few:
                (x,) = args
                try:
                    key: Any = id(x.aval)
                    buffers = [x._buffer]
                except AttributeError:  # no concrete array
                    key = None
            elif count == 2 == few:
                x, y = args
                if type(y) in _FREQUENT:
                    y = scalar_from(y, promotion)
                try:
                    key = id(x.aval), id(y.aval)
                    buffers = [x._buffer, y._buffer]
                except AttributeError:
                    key = None
            else:
                key = None
            if key is not None:
                program = programs.get(key)
                if program is None or program[0] is not promotion:
                    missed = NotFound(programs, key, buffers)
                else:
                    _, execute, handlers, explain, aval, (turns, collect_garbage, new, array_class), _ = program
                    if handlers is None:
                        return execute(buffers) if aval is None else rebuilt(aval, iter(execute(buffers)))
                    if next(turns):  # from here on what the program itself would do, in this frame
                        collect_garbage()
                    try:
                        (buffer,) = execute(buffers).consume_with_handlers(handlers)
                    except Exception as error:
                        explain(error, buffers)
                        raise
                    array = new(array_class)
                    array._buffer = buffer
                    array.aval = aval
                    return array
        is_quick = False
        if is_eager and is_compiled:
            if missed is None and count <= most:
                names = count, *kwargs
                look = recent.get(names)
                missed = None if look is None else look(promotion, args, kwargs)
                if missed is None:
                    look = recent[names] = looks[(*map(type, args), *kwargs, *map(type, kwargs.values()))]
                    missed = None if look is None else look(promotion, args, kwargs)
                if missed is not None and type(missed) is not NotFound:
                    return missed  # it is the result
        else:
            is_quick = quick and not kwargs and count <= most
            if is_quick and (kind := quick_key(promotion, args, of_arrays)) is not None and kind in plans:
                return again(plans[kind][0], promotion, args)
        try:
            return slow(promotion, is_quick, missed, args, kwargs)
        except Exception as error:
            if isinstance(error, AttributeError | TypeError):
                # arrays of keys have no abstract value, rules do not know their dtypes
                result = on_extended(name, call, args, kwargs)
                if result is not NotImplemented:
                    return result
            filtered(error)
            raise

    call.rule_name = name  # type: ignore[attr-defined]
    call.arrays = array_names  # type: ignore[attr-defined]
    call.body = body  # type: ignore[attr-defined]
    return call


def taking_extended(name: str) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Make a function that is no operation take what `ON_EXTENDED` says of its name."""

    def decorate(function: Callable[P, R]) -> Callable[P, R]:
        @functools.wraps(function)
        def call(*args: P.args, **kwargs: P.kwargs) -> R:
            try:
                return function(*args, **kwargs)
            except (AttributeError, TypeError):
                if (result := on_extended(name, call, args, kwargs)) is NotImplemented:
                    raise
                return cast(R, result)

        call.rule_name = name  # type: ignore[attr-defined]
        return call

    return decorate


def on_extended(name: str, function: Callable[..., Any], args: Any, kwargs: Any) -> Any:
    """The result of an operation on dtypes that rules do not know, or `NotImplemented`."""
    for compute in ON_EXTENDED.get(name, ()):
        if (result := compute(function, args, kwargs)) is not NotImplemented:
            return result
    return NotImplemented


def dtype_of(answer: ShapedArray) -> str:
    """The dtype that the rule gives to the result of a call."""
    assert answer.dtype is not None
    return answer.dtype


def type_of(answer: ShapedArray) -> tuple[tuple[int, ...], str]:
    """The shape and the dtype that the rule gives to the result of a call, whose sizes are all known."""
    shape = cast(tuple[int, ...], answer.shape)
    return shape, dtype_of(answer)

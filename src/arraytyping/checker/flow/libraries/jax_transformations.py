"""JAX's transformations that give a function: grad, vmap and their kin.

They are the real ones, which call the program's function as a callback.  Where a part of an argument is unknown they
cannot be asked, and what follows from their documentation is claimed instead.

Source: https://docs.jax.dev/en/latest/jax.html, automatic differentiation and vectorization.
"""

from __future__ import annotations

import ast
from contextlib import AbstractContextManager, nullcontext
from types import NoneType
from typing import Any, Final

from arraytyping.checker.flow.engines.conversion import Abort, dim_to_jax
from arraytyping.checker.flow.libraries.jax_bound_objects import bind_objects, differentiated, mapped_axes
from arraytyping.checker.flow.libraries.jax_collectives import mapping_over
from arraytyping.checker.flow.libraries.jax_devices import known_count
from arraytyping.checker.flow.libraries.jax_jit import named
from arraytyping.checker.flow.libraries.registry import Handler, handles
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.state.keys import consume, new_key
from arraytyping.checker.flow.syntax.kept_answers import followed_once
from arraytyping.checker.flow.syntax.mapped_axes import item_along, of_one_length, stacked_along
from arraytyping.checker.flow.syntax.traced_arguments import map_arrays, of_one_array, to_array
from arraytyping.checker.flow.values import (
    MISSING,
    ArrayValue,
    DictValue,
    HandlerValue,
    JitValue,
    NumPyValue,
    Unknown,
    Value,
    is_traced,
)
from arraytyping.checker.flow.values.calls import Call
from arraytyping.semantics.avals import ShapedArray
from arraytyping.semantics.sizes.dims import Dim

__all__ = ["untraced_like", "without_weak_complex"]

_VMAP: Final = ("in_axes", "out_axes", "axis_name", "axis_size", "spmd_axis_name")
_PMAP: Final = ("axis_name", "in_axes", "out_axes")
_GRADIENTS: Final = ("grad", "value_and_grad", "jacfwd", "jacrev", "jacobian", "hessian")


def _transformation(name: str, is_gradient: bool, fallback: Any) -> Handler:
    """A handler of a function such as `jax.grad`, which gives a function."""

    def handle(it: Interpreter, call: Call) -> Value:
        options = named(call.args[:1], call.kwargs, "fun")
        function = options.pop("fun", MISSING)
        rest = call.args[1:]
        if function is MISSING:
            return HandlerValue(
                name, lambda i, call: handle(i, Call([*call.args, *rest], {**options, **call.kwargs}, call.node))
            )
        if isinstance(function, Unknown):
            return function

        answers: dict[Any, Any] = {}

        def called(it: Interpreter, call: Call) -> Value:
            if name == "pmap":
                return followed_once(it, answers, call, lambda: follow(it, call))
            return follow(it, call)

        def follow(it: Interpreter, call: Call) -> Value:
            it.batching += not is_gradient
            call = _settled(it, name, rest, options, call)
            axis = named(list(rest), options, *_VMAP).get("axis_name") if name == "vmap" else None
            try:
                with mapping_over(it, axis):
                    *bound, args = bind_objects(it, name, function, rest, options, call.args)
                    return apply(it, call.with_args(args), *bound)
            finally:
                it.batching -= not is_gradient

        def apply(it: Interpreter, call: Call, function: Value, rest: list[Any], options: dict[str, Any]) -> Value:
            real = getattr(it.engines.jax.jax, "vmap" if name == "pmap" else name)

            def transformed(function: Value, rest: Any, options: Any, /, *arguments: Any, **keywords: Any) -> Value:
                return real(function, *rest, **options)(*arguments, **keywords)

            transformed.__name__ = name
            given = call.preceded_by(function, tuple(rest), DictValue(dict(options)))
            it.differentiating += is_gradient
            mark = it.journal.mark
            try:
                if name == "pmap":
                    return _on_devices(it, transformed, function, rest, options, call)
                answer = it.engines.asker.ask(it, transformed, given, is_gradient)
                if (draws := getattr(it.registry.find(function), "draws_as", None)) is not None:
                    consume(it, call.argument(0, "key", MISSING), draws)
                    return new_key(it, answer) if draws == "random.split" else answer
                return without_weak_complex(it, answer, call.node) if is_gradient else answer
            except Abort as abort:
                why = abort.why
                it.journal.undo(mark)  # the function is called again: what it draws from keys it draws once
            finally:
                it.differentiating -= is_gradient
            return fallback(it, name, function, rest, options, call, why)

        return HandlerValue(name, called, (function,), (name, tuple(rest), tuple(options.items())))

    return handle


def _options_of_map(name: str, rest: list[Value], options: dict[str, Value]) -> dict[str, Any]:
    """The options of `vmap` or `pmap` by their names, those too that are given by their position."""
    return {**dict(zip(_PMAP if name == "pmap" else _VMAP, rest)), **options}


def _settled(it: Interpreter, name: str, rest: list[Value], options: dict[str, Value], call: Call) -> Call:
    """The call as far as jax takes no other: each argument that it traces is one array, mapped ones have one length."""
    if name not in ("vmap", "pmap"):
        traced = differentiated(rest, options)
        return call.with_args([of_one_array(it, a, call.node) if i in traced else a for i, a in enumerate(call.args)])
    given = _options_of_map(name, rest, options)
    count = len(call.args)
    axes = [*mapped_axes(given.get("in_axes", 0), count), *[0] * len(call.kwargs)]
    static = given.get("static_broadcasted_argnums", ())
    for i in range(count) if static != () else ():
        if not isinstance(static, int | tuple) or i in (static if isinstance(static, tuple) else (static,)):
            axes[i] = None
    values = [of_one_array(it, a, call.node) if type(x) is int else a for a, x in zip(call.values, axes)]
    values = of_one_length(it, values, axes, call.node)
    return Call(values[:count], dict(zip(call.kwargs, values[count:])), call.node)


def _on_devices(
    it: Interpreter, mapped: Any, function: Value, rest: list[Any], options: dict[str, Any], call: Call
) -> Value:
    """`pmap` is `vmap` of a jitted function, whatever the number of devices here.

    Raises:
        Abort: if something is not known well enough.
    """
    args = call.args
    given = _options_of_map("pmap", rest, options)
    jitted: Value = JitValue(function, {})
    if given.get("static_broadcasted_argnums", ()) != ():
        jitted, given, args = _with_static(function, given, args)
    taken = {key: given[key] for key in ("axis_name", "in_axes", "out_axes", "axis_size") if key in given}
    if (refused := _too_many(it, given.get("in_axes", 0), args, call.node)) is not None:
        return refused
    return it.engines.asker.ask(it, mapped, call.with_args([jitted, (), DictValue(taken), *args]))


def _numbers(static: Value) -> tuple[int, ...]:
    numbers = (static,) if isinstance(static, int) else static
    if not isinstance(numbers, tuple) or not all(type(n) is int and n >= 0 for n in numbers):
        raise Abort("pmap with static arguments that are not known")
    return numbers


def _with_static(
    function: Value, given: dict[str, Any], args: list[Value]
) -> tuple[HandlerValue, dict[str, Any], list[Value]]:
    """The function of the arguments that are mapped, the options for these, and these.

    Static ones go to each device as they are.

    Raises:
        Abort: if it is not known which are static.
    """
    numbers = _numbers(given["static_broadcasted_argnums"])
    jitted = JitValue(function, {"static_argnums": numbers})

    def called(it: Interpreter, call: Call) -> Value:
        mapped = iter(call.args)
        return it.call(
            jitted, [arg if i in numbers else next(mapped) for i, arg in enumerate(args)], call.kwargs, call.node
        )

    if isinstance(axes := given.get("in_axes"), tuple):
        given = {**given, "in_axes": tuple(axis for i, axis in enumerate(axes) if i not in numbers)}
    return HandlerValue("pmap", called, (function,)), given, [arg for i, arg in enumerate(args) if i not in numbers]


def _too_many(it: Interpreter, in_axes: Value, args: list[Value], node: ast.AST | None) -> Value:
    """The mistake of mapping over more items than there are devices; None if it is none."""
    there = known_count(it)
    if not there or in_axes != 0 or it.engines.jax.private.axis_sizes():
        return None
    first = next((a.shape for a in map(_described, args) if a is not None and a.shape), None)
    size = first[0] if first else None
    if not isinstance(size, int) or size <= there:
        return None
    message = (
        f"ValueError: pmap: there are {size} items along the mapped axis, one for each device, and {there} devices: "
        f"reshape it to ({there}, {size // there}, ...)"
        if size % there == 0
        else ""
    )
    plain = f"ValueError: pmap: there are {size} items along the mapped axis, one for each device, and {there} devices"
    return it.fail(node, "array-sharding", message or plain)


def _described(value: Value) -> ShapedArray | None:
    """What is known of an argument that is an array."""
    if isinstance(value, ArrayValue):
        return value.aval
    return ShapedArray(value.shape, None, None) if isinstance(value, NumPyValue) else None


def without_weak_complex(it: Interpreter, value: Value, node: ast.AST | None) -> Value:
    """Whether a gradient of a weakly typed complex number is weak depends on more than is followed."""

    def change(leaf: Value) -> Value:
        if not isinstance(leaf, ArrayValue) or leaf.aval.weak_type is not True or leaf.aval.dtype is None:
            return leaf
        if not leaf.aval.dtype.startswith("complex"):
            return leaf
        return ArrayValue(ShapedArray(leaf.aval.shape, leaf.aval.dtype, None), leaf.traced, leaf.origin)

    return map_arrays(it, value, change, node)


def untraced_like(it: Interpreter, value: Value, outside: bool, node: ast.AST | None) -> Value:
    """Arrays like the leaves of a value, of strong types where that is not known."""

    def change(leaf: Value) -> Value:
        array = to_array(it, leaf, node)
        if isinstance(array, ArrayValue):
            aval = array.aval
            weak = False if aval.weak_type is False else None
            return ArrayValue(ShapedArray(aval.shape, aval.dtype, weak), outside, array.origin)
        return leaf

    return map_arrays(it, value, change, node)


def _gradient_fallback(
    it: Interpreter, name: str, function: Value, rest: list[Value], options: dict[str, Value], call: Call, why: str
) -> Value:
    """A gradient is like the argument, and the function is called with the arguments as they are."""
    result = it.call(function, *call)
    if name not in ("grad", "value_and_grad"):
        return it.unknown(why)
    numbers = options.get("argnums", rest[0] if rest else 0)
    if not (type(numbers) is int or (isinstance(numbers, tuple) and all(type(n) is int for n in numbers))):
        return it.unknown(why)
    outside = it.staged > 0 or any(map(is_traced, call.args))
    try:
        wanted = call.args[numbers] if isinstance(numbers, int) else tuple(call.args[n] for n in numbers)
    except IndexError:
        return it.unknown(why)
    gradient = untraced_like(it, wanted, outside, call.node)
    if name == "value_and_grad":
        return (result, gradient)
    if options.get("has_aux") is True:
        aux = result[1] if isinstance(result, tuple) and len(result) == 2 else it.unknown(why)
        return (gradient, aux)
    return gradient


def _map_fallback(
    it: Interpreter, name: str, function: Value, rest: list[Value], options: dict[str, Value], call: Call, why: str
) -> Value:
    """The function is called with one item along the mapped axis, and the results get that axis."""
    given = _options_of_map(name, rest, options)
    if name == "pmap" and given.get("static_broadcasted_argnums", ()) != ():
        try:
            function, given, args = _with_static(function, given, call.args)
        except Abort as abort:
            it.engines.havoc(it, [function])
            return it.unknown(abort.why)
        call = call.with_args(args)
    in_axes, out_axes = given.get("in_axes", 0), given.get("out_axes", 0)
    axes: list[Any] = list(in_axes) if isinstance(in_axes, tuple) else [in_axes] * len(call.args)
    if len(axes) != len(call.args) or type(out_axes) is not int or any(type(a) not in (int, NoneType) for a in axes):
        it.engines.havoc(it, [function])
        return it.unknown(why)
    sizes: list[Dim] = []

    items = [a if x is None else item_along(it, a, x, sizes, call.node) for a, x in zip(call.args, axes)]
    named_items = {key: item_along(it, a, 0, sizes, call.node) for key, a in call.kwargs.items()}
    size = next((s for s in sizes if s is not None), None)
    it.mapping += 1
    try:
        with _named(it, given.get("axis_name"), size):
            result = it.call(function, items, named_items, call.node)
    finally:
        it.mapping -= 1
    is_inside = it.staged > 0 or any(map(is_traced, call.args))
    return stacked_along(it, result, out_axes, size, is_inside, call.node)


def _named(it: Interpreter, name: Value, size: Dim) -> AbstractContextManager[None]:
    """Within this the name of a mapped axis is known to jax, as far as its size can be told."""
    if not isinstance(name, str) or size is None:
        return nullcontext()
    jax = it.engines.jax
    try:
        context: AbstractContextManager[None] = jax.private.named_axis(name, dim_to_jax(jax, size))
    except Abort:
        return nullcontext()
    return context


for _name in _GRADIENTS:
    handles(f"jax.{_name}")(_transformation(_name, True, _gradient_fallback))
for _name in ("vmap", "pmap"):
    handles(f"jax.{_name}")(_transformation(_name, False, _map_fallback))

"""JAX's transformations of functions: jit, grad, vmap and their kin.

`jit` is interpreted here; the others are the real ones, which call the program's function as a callback.  Where a
part of an argument is unknown they cannot be asked, and what follows from their documentation is claimed instead.

Source: https://docs.jax.dev/en/latest/jax.html, automatic differentiation and vectorization.
"""

from __future__ import annotations

import ast
from typing import Any, Final

from arraytyping.avals import ShapedArray
from arraytyping.flow.engines.conversion import Abort
from arraytyping.flow.functions import parameters
from arraytyping.flow.interpreter import Interpreter
from arraytyping.flow.libraries.registry import handles
from arraytyping.flow.transformations import is_traced, map_arrays, to_array
from arraytyping.flow.values import (
    MISSING,
    ArrayValue,
    BoundMethod,
    DictValue,
    FunctionValue,
    HandlerValue,
    JitValue,
    ListValue,
    PartialValue,
    RefValue,
    SetValue,
    Unknown,
)

__all__ = ["untraced_like"]

_GRADIENTS: Final = ("grad", "value_and_grad", "jacfwd", "jacrev", "jacobian", "hessian")


def _named(args: list[Any], kwargs: dict[str, Any], *names: str) -> dict[str, Any]:
    """The arguments by name."""
    return {**dict(zip(names, args)), **kwargs}


@handles("jax.jit")
def _jit(it: Interpreter, args: list[Any], kwargs: dict[str, Any], node: ast.AST | None) -> Any:
    options = _named(args, kwargs, "fun")
    function = options.pop("fun", MISSING)
    if function is MISSING:
        return HandlerValue("jit", lambda i, a, k, n: _jit(i, a, {**options, **k}, n))
    if isinstance(function, Unknown):
        return function
    _check_static(it, function, options, node)
    return JitValue(function, options)


def _check_static(it: Interpreter, function: Any, options: dict[str, Any], node: ast.AST | None) -> None:
    """Names and numbers of static or donated arguments must be those of parameters."""
    inner, shift, taken = function, 0, set()
    while isinstance(inner, PartialValue | BoundMethod | JitValue):
        if isinstance(inner, PartialValue):
            shift += len(inner.args)
            taken |= set(inner.kwargs)
        shift += isinstance(inner, BoundMethod)
        inner = inner.function
    if not isinstance(inner, FunctionValue):
        return
    spec = inner.node.args
    names = parameters(inner.node)[shift:]
    known = {*names, *(p.arg for p in spec.kwonlyargs)}
    for option in ("static_argnames", "donate_argnames"):
        for name in _items(options.get(option), str):
            if name not in known and spec.kwarg is None and spec.vararg is None:
                shown = ", ".join(sorted(known))
                it.fail(
                    node,
                    "array-call",
                    f"ValueError: jit: {option} names {name!r}, which is no parameter of {inner.name} ({shown})",
                )
    for option in ("static_argnums", "donate_argnums"):
        for number in _items(options.get(option), int):
            if spec.vararg is None and not -len(names) <= number < len(names):
                message = (
                    f"ValueError: jit: {option} is {number}, and {inner.name} takes {len(names)} positional arguments"
                )
                it.fail(node, "array-call", message)


def _items(value: Any, kind: type) -> list[Any]:
    if type(value) is kind:
        return [value]
    items = (
        list(value)
        if isinstance(value, tuple)
        else list(value.items or ())
        if isinstance(value, ListValue | SetValue)
        else []
    )
    return [i for i in items if type(i) is kind]


# ---------------------------------------------------------------------- transformations that are jax's own


def _transformation(name: str, is_gradient: bool, fallback: Any) -> Any:
    """A handler of a function such as `jax.grad`, which gives a function."""

    def handle(it: Interpreter, args: list[Any], kwargs: dict[str, Any], node: ast.AST | None) -> Any:
        options = _named(args[:1], kwargs, "fun")
        function = options.pop("fun", MISSING)
        rest = args[1:]
        if function is MISSING:
            return HandlerValue(name, lambda i, a, k, n: handle(i, [*a, *rest], {**options, **k}, n))
        if isinstance(function, Unknown):
            return function

        def call(it: Interpreter, a: list[Any], k: dict[str, Any], n: ast.AST | None) -> Any:
            real = getattr(it.engines.jax.jax, "vmap" if name == "pmap" else name)

            def transformed(function: Any, rest: Any, options: Any, /, *arguments: Any, **keywords: Any) -> Any:
                return real(function, *rest, **options)(*arguments, **keywords)

            transformed.__name__ = name
            given = [function, tuple(rest), DictValue(dict(options)), *a]
            it.differentiating += is_gradient
            try:
                if name == "pmap":
                    return _on_devices(it, transformed, function, rest, options, a, k, n)
                answer = it.engines.asker.ask(it, transformed, given, k, n, is_gradient)
                return _without_weak_complex(it, answer, n) if is_gradient else answer
            except Abort as abort:
                why = abort.why
            finally:
                it.differentiating -= is_gradient
            return fallback(it, name, function, rest, options, a, k, n, why)

        return HandlerValue(name, call, (function,), (name, tuple(rest), tuple(options.items())))

    return handle


def _on_devices(
    it: Interpreter, mapped: Any, function: Any, rest: list[Any], options: dict[str, Any], args: list[Any],
    kwargs: dict[str, Any], node: ast.AST | None,
) -> Any:  # fmt: skip
    """`pmap` is `vmap` of a jitted function, whatever the number of devices here.

    Raises:
        Abort: if arguments are static, or something is not known well enough.
    """
    given = {**dict(zip(("axis_name", "in_axes", "out_axes"), rest)), **options}
    if given.get("static_broadcasted_argnums", ()) != ():
        raise Abort("pmap with static arguments")
    taken = {key: given[key] for key in ("axis_name", "in_axes", "out_axes", "axis_size") if key in given}
    return it.engines.asker.ask(it, mapped, [JitValue(function, {}), (), DictValue(taken), *args], kwargs, node)


def _without_weak_complex(it: Interpreter, value: Any, node: ast.AST | None) -> Any:
    """Whether a gradient of a weakly typed complex number is weak depends on more than is followed."""

    def change(leaf: Any) -> Any:
        if not isinstance(leaf, ArrayValue) or leaf.aval.weak_type is not True or leaf.aval.dtype is None:
            return leaf
        if not leaf.aval.dtype.startswith("complex"):
            return leaf
        return ArrayValue(ShapedArray(leaf.aval.shape, leaf.aval.dtype, None), leaf.traced, leaf.made)

    return map_arrays(it, value, change, node)


def untraced_like(it: Interpreter, value: Any, outside: bool, node: ast.AST | None) -> Any:
    """Arrays like the leaves of a value, of strong types where that is not known."""

    def change(leaf: Any) -> Any:
        array = to_array(it, leaf, node)
        if isinstance(array, ArrayValue):
            aval = array.aval
            weak = False if aval.weak_type is False else None
            return ArrayValue(ShapedArray(aval.shape, aval.dtype, weak), outside, array.made)
        return leaf

    return map_arrays(it, value, change, node)


def _gradient_fallback(
    it: Interpreter, name: str, function: Any, rest: list[Any], options: dict[str, Any],
    args: list[Any], kwargs: dict[str, Any], node: ast.AST | None, why: str,
) -> Any:  # fmt: skip
    """A gradient is like the argument, and the function is called with the arguments as they are."""
    result = it.call(function, args, kwargs, node)
    if name not in ("grad", "value_and_grad"):
        return it.unknown(why)
    numbers = options.get("argnums", rest[0] if rest else 0)
    if not (type(numbers) is int or (isinstance(numbers, tuple) and all(type(n) is int for n in numbers))):
        return it.unknown(why)
    outside = it.staged > 0 or any(map(is_traced, args))
    try:
        wanted = args[numbers] if isinstance(numbers, int) else tuple(args[n] for n in numbers)
    except IndexError:
        return it.unknown(why)
    gradient = untraced_like(it, wanted, outside, node)
    if name == "value_and_grad":
        return (result, gradient)
    if options.get("has_aux") is True:
        aux = result[1] if isinstance(result, tuple) and len(result) == 2 else it.unknown(why)
        return (gradient, aux)
    return gradient


def _map_fallback(
    it: Interpreter, name: str, function: Any, rest: list[Any], options: dict[str, Any],
    args: list[Any], kwargs: dict[str, Any], node: ast.AST | None, why: str,
) -> Any:  # fmt: skip
    """The function is called with one item along the mapped axis, and the results get that axis."""
    in_axes = options.get("in_axes", rest[0] if rest else 0)
    out_axes = options.get("out_axes", rest[1] if len(rest) > 1 else 0)
    axes = list(in_axes) if isinstance(in_axes, tuple) else [in_axes] * len(args)
    if len(axes) != len(args) or out_axes != 0 or not all(a is None or a == 0 for a in axes) or kwargs:
        it.engines.escape(it, [function])
        return it.unknown(why)
    sizes: list[Any] = []

    def item(leaf: Any) -> Any:
        if isinstance(leaf, RefValue):
            rest = None if not leaf.aval.shape else leaf.aval.shape[1:]
            return RefValue(ShapedArray(rest, leaf.aval.dtype, leaf.aval.weak_type), leaf.made)
        array = to_array(it, leaf, node)
        if not isinstance(array, ArrayValue):
            return leaf
        shape = array.aval.shape
        if shape is not None and shape:
            sizes.append(shape[0])
        return ArrayValue(
            ShapedArray(None if not shape else shape[1:], array.aval.dtype, array.aval.weak_type), True, array.made
        )

    items = [a if axis is None else map_arrays(it, a, item, node) for a, axis in zip(args, axes)]
    it.mapping += 1
    try:
        result = it.call(function, items, {}, node)
    finally:
        it.mapping -= 1
    size = next((s for s in sizes if s is not None), None)
    outside = it.staged > 0 or any(map(is_traced, args))

    def stack(leaf: Any) -> Any:
        array = to_array(it, leaf, node)
        if not isinstance(array, ArrayValue):
            return leaf
        aval = array.aval
        shape = None if aval.shape is None else (size, *aval.shape)
        return ArrayValue(ShapedArray(shape, aval.dtype, aval.weak_type), outside, array.made)

    return map_arrays(it, result, stack, node)


for _name in _GRADIENTS:
    handles(f"jax.{_name}")(_transformation(_name, True, _gradient_fallback))
for _name in ("vmap", "pmap"):
    handles(f"jax.{_name}")(_transformation(_name, False, _map_fallback))


# ---------------------------------------------------------------------- vjp, linearize


@handles("jax.vjp")
def _vjp(it: Interpreter, args: list[Any], kwargs: dict[str, Any], node: ast.AST | None) -> Any:
    """`jax.vjp(f, *primals)`: the result, and a function from its cotangent to those of the primals."""
    return _both_ways(it, "vjp", args, kwargs, node)


@handles("jax.linearize")
def _linearize(it: Interpreter, args: list[Any], kwargs: dict[str, Any], node: ast.AST | None) -> Any:
    """`jax.linearize(f, *primals)`: the result, and a function from tangents to its tangent."""
    return _both_ways(it, "linearize", args, kwargs, node)


def _both_ways(it: Interpreter, name: str, args: list[Any], kwargs: dict[str, Any], node: ast.AST | None) -> Any:
    """Ask for the result, and what the other function gives for a cotangent or tangents like its own."""
    if not args:
        return it.fail(node, "array-call", f"TypeError: {name}() missing a required argument: 'fun'")
    function, primals = args[0], args[1:]
    has_aux = kwargs.get("has_aux") is True
    outside = it.staged > 0 or any(map(is_traced, primals))
    jax = it.engines.jax.jax

    if it.engines.is_live:  # the function that it gives is a pytree of tracers

        def live(cb: Any, *p: Any) -> Any:
            return getattr(jax, name)(cb, *p, has_aux=has_aux)

        return it.engines.asker.ask(it, live, args, {}, node)

    def ask(cb: Any, *p: Any) -> Any:
        out = getattr(jax, name)(cb, *p, has_aux=has_aux)
        aux = out[2] if has_aux else None
        given = (jax.tree.map(_one_like, out[0]),) if name == "vjp" else tuple(jax.tree.map(_one_like, v) for v in p)
        return out[0], out[1](*given), aux

    def _one_like(leaf: Any) -> Any:
        if not jax.numpy.issubdtype(jax.numpy.result_type(leaf), jax.numpy.inexact):
            return it.engines.jax.numpy.zeros(jax.numpy.shape(leaf), jax.dtypes.float0)
        return jax.numpy.ones_like(leaf)

    ask.__name__ = name
    it.differentiating += 1
    answer: Any = MISSING
    try:
        answer = it.engines.asker.ask(it, ask, [function, *primals], {}, node, True)
        if isinstance(answer, tuple) and len(answer) == 3:
            answer = (answer[0], _without_weak_complex(it, answer[1], node), answer[2])
    except Abort:
        pass
    finally:
        it.differentiating -= 1
    if isinstance(answer, tuple) and len(answer) == 3:
        out, given, aux = answer
    else:
        called = it.call(function, [untraced_like(it, p, outside, node) for p in primals], {}, node)
        pair = isinstance(called, tuple) and len(called) == 2
        out, aux = (called if pair else (it.unknown(f"the result of {name}"),) * 2) if has_aux else (called, None)
        given = _cotangents(it, tuple(primals) if name == "vjp" else out, outside, node)

    def other(it: Interpreter, a: list[Any], k: dict[str, Any], n: ast.AST | None) -> Any:
        if name == "vjp":
            _check_cotangent(it, out, a[0] if a else MISSING, n)
        traced = outside or any(map(is_traced, a)) or it.staged > 0
        return map_arrays(it, given, lambda leaf: leaf.as_traced(traced) if isinstance(leaf, ArrayValue) else leaf, n)

    handler = HandlerValue(f"{name} function", other, (), (name, tuple(primals), out))
    return (out, handler, aux) if has_aux else (out, handler)


def _cotangents(it: Interpreter, primals: Any, traced: bool, node: ast.AST | None) -> Any:
    """Cotangents are like the primals; those of integers have the dtype float0."""

    def change(leaf: Any) -> Any:
        array = to_array(it, leaf, node)
        if not isinstance(array, ArrayValue):
            return leaf
        aval = array.aval
        dtype = aval.dtype
        if dtype is not None and (dtype.startswith(("int", "uint", "key<")) or dtype == "bool"):
            return Unknown("a cotangent of integers")
        return ArrayValue(
            ShapedArray(aval.shape, dtype, False if aval.weak_type is False else None), traced, array.made
        )

    return map_arrays(it, primals, change, node)


def _check_cotangent(it: Interpreter, out: Any, given: Any, node: ast.AST | None) -> None:
    """The cotangent that a pullback takes is like the function's result."""
    given = to_array(it, given, node)
    if not isinstance(out, ArrayValue) or not isinstance(given, ArrayValue):
        return
    a, b = out.aval, given.aval
    wrong_shape = (
        a.shape is not None
        and b.shape is not None
        and (
            len(a.shape) != len(b.shape)
            or any(isinstance(x, int) and isinstance(y, int) and x != y for x, y in zip(a.shape, b.shape))
        )
    )
    wrong_dtype = a.dtype is not None and b.dtype is not None and a.dtype != b.dtype
    if wrong_shape or wrong_dtype:
        code = "array-shape" if wrong_shape else "array-dtype"
        it.fail(node, code, f"ValueError: the cotangent is {b}, and the function's result is {a}; they must be alike")


@handles("jax.linear_transpose")
def _linear_transpose(it: Interpreter, args: list[Any], kwargs: dict[str, Any], node: ast.AST | None) -> Any:
    primals = tuple(args[1:])
    it.engines.escape(it, args[:1])
    return HandlerValue("transposed function", lambda i, a, k, n: _cotangents(i, primals, any(map(is_traced, a)), n))


# ---------------------------------------------------------------------- checkpoint


@handles("jax.checkpoint", "jax.remat", "jax.ad_checkpoint.checkpoint")
def _checkpoint(it: Interpreter, args: list[Any], kwargs: dict[str, Any], node: ast.AST | None) -> Any:
    """`jax.checkpoint(f)` traces `f` at each call, as `jit` does."""
    options = _named(args, kwargs, "fun")
    function = options.pop("fun", MISSING)
    if function is MISSING:
        return HandlerValue("checkpoint", lambda i, a, k, n: _checkpoint(i, a, {**options, **k}, n))
    static = {key: value for key, value in options.items() if key == "static_argnums"}
    return JitValue(function, static)

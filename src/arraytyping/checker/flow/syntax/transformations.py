"""`jax.jit`: what becomes of arguments and results, and which call traces the function anew.

As in JAX, a function is traced once for each combination of abstract arguments and static values, and its effects
happen then only.

Source: https://docs.jax.dev/en/latest/jit-compilation.html.
"""

from __future__ import annotations

import ast
import inspect
from typing import Any, Final

from arraytyping.checker.flow.engines.conversion import Abort
from arraytyping.checker.flow.engines.signatures import signature_of
from arraytyping.checker.flow.state.compilations import note_call
from arraytyping.checker.flow.state.frozen import note_counts, tell_frozen
from arraytyping.checker.flow.state.identity import identity, names_read
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.state.key_effects import KeyArguments
from arraytyping.checker.flow.state.keys import origin_of
from arraytyping.checker.flow.state.lives import begin_lives, donate, is_given_twice, refuse, tracing
from arraytyping.checker.flow.state.not_known import arguments_given, traces
from arraytyping.checker.flow.state.origins import forget_origin
from arraytyping.checker.flow.state.signatures import Signature, signature
from arraytyping.checker.flow.syntax.metadata_arrays import refuse_metadata
from arraytyping.checker.flow.values import (
    ArrayValue,
    BaseValue,
    BoundMethod,
    ClassValue,
    DictValue,
    FunctionValue,
    HandlerValue,
    InstanceValue,
    IteratorValue,
    JitValue,
    ListValue,
    NumPyValue,
    PartialValue,
    ScalarValue,
    SetValue,
    Tracing,
    TreeValue,
    UnionValue,
    Unknown,
    Value,
    is_traced,
    remake_tuple,
    walk,
)
from arraytyping.checker.flow.values.places import NOWHERE
from arraytyping.checker.swallowed import swallow
from arraytyping.semantics.avals import ShapedArray

__all__ = [
    "as_traced",
    "call_jitted",
    "call_staged",
    "constants",
    "map_arrays",
    "stage",
    "static_positions",
    "to_array",
]


def to_array(it: Interpreter, value: Value, node: ast.AST | None = None) -> Value:
    """The array that JAX makes of a NumPy array or a Python scalar; other values stay."""
    promotion = it.engines.rules.promotions()[0]
    if isinstance(value, NumPyValue):
        try:
            dtype = None if value.dtype is None else promotion.canonicalize(value.dtype)
        except Exception as error:
            swallow(error)
            return it.unknown(f"an array of {value.dtype}")
        aval = ShapedArray(value.shape, dtype, None if dtype is None else False)
        return ArrayValue(aval, False, value.origin).at(NOWHERE)
    if isinstance(value, bool | int | float | complex):
        kind = type(value).__name__
        return it.array(ShapedArray((), promotion.default(kind), kind != "bool"), False, node).at(NOWHERE)
    if isinstance(value, ScalarValue) and str not in value.kinds and bytes not in value.kinds:
        dtypes = {promotion.default(k.__name__) for k in value.kinds}
        dtype = dtypes.pop() if len(dtypes) == 1 else None
        return it.array(ShapedArray((), dtype, None if dtype is None else dtype != "bool"), False, node).at(NOWHERE)
    return value


def map_arrays(it: Interpreter, value: Value, change: Any, node: ast.AST | None = None) -> Value:
    """The pytree with each leaf changed."""
    if isinstance(value, tuple):
        return remake_tuple(value, [map_arrays(it, v, change, node) for v in value])
    if isinstance(value, ListValue | IteratorValue):
        if value.items is None:
            return ListValue(None, map_arrays(it, value.element, change, node))
        return ListValue([map_arrays(it, v, change, node) for v in value.items])
    if isinstance(value, DictValue):
        if value.items is None:
            return DictValue(None, value.key, map_arrays(it, value.element, change, node), value.kind)
        return DictValue({k: map_arrays(it, v, change, node) for k, v in value.items.items()}, kind=value.kind)
    if isinstance(value, UnionValue):
        return UnionValue(tuple(map_arrays(it, v, change, node) for v in value.values))
    if isinstance(value, TreeValue):
        return TreeValue(value.treedef, tuple(map_arrays(it, v, change, node) for v in value.leaves))
    if isinstance(value, InstanceValue) and value.cls.pytree is not None:
        try:
            children, rest = it.engines.pytrees.flatten(it, value, node)
        except Abort as abort:
            return it.unknown(abort.why)
        changed = tuple(map_arrays(it, c, change, node) for c in children)
        return it.engines.pytrees.unflatten(it, value.cls, changed, rest, node)
    return change(value)


def as_traced(it: Interpreter, value: Value, what: str, node: ast.AST | None) -> Value:
    """An argument of a traced function: every leaf becomes a tracer."""

    def change(leaf: Value) -> Value:
        array = to_array(it, leaf, node)
        if isinstance(array, ArrayValue):
            origin_of(array)  # which the tracer shares
            return array.as_traced(True)
        if leaf is None or isinstance(leaf, Unknown):
            return leaf
        refused = isinstance(leaf, str | FunctionValue | ClassValue | JitValue | BoundMethod | ScalarValue | SetValue)
        refused = refused or _is_function(it, leaf)
        if refused or (
            isinstance(leaf, InstanceValue) and leaf.cls.kind in ("plain", "dataclass") and leaf.cls.pytree is None
        ):
            return it.fail(
                node,
                "array-call",
                f"TypeError: {what} is {_shown(leaf)}, which is no array and no pytree; "
                "mark it as static, or register its class",
            )
        return (
            leaf if not isinstance(leaf, HandlerValue | PartialValue) else it.unknown("a callable as a traced argument")
        )

    return map_arrays(it, value, change, node)


def _is_function(it: Interpreter, leaf: Value) -> bool:
    """Whether this is a function or class of jax, NumPy or Python, and no pytree."""
    if not callable(leaf) or isinstance(leaf, BaseValue) or hasattr(leaf, "shape") or hasattr(leaf, "__jax_array__"):
        return False
    if str(type(leaf).__module__).partition(".")[0] not in _OWN:
        return False
    leaves = it.engines.jax.tree_util.tree_leaves(leaf)
    return len(leaves) == 1 and leaves[0] is leaf


_OWN: Final = frozenset({"builtins", "jax", "jaxlib", "numpy"})
"""Whose functions and classes are known to be no arrays."""


def _shown(leaf: Value) -> str:
    if isinstance(leaf, str | ScalarValue):
        return "a string"
    if isinstance(leaf, InstanceValue):
        return f"an instance of {leaf.cls.name}"
    return "a class" if isinstance(leaf, ClassValue | type) else "a set" if isinstance(leaf, SetValue) else "a function"


def static_positions(function: Value, options: dict[str, Value]) -> tuple[set[int], set[str]] | None:
    """The positions and the names of the static arguments; None if jax infers them from what is not known.

    Where numbers or names are given, and not both, JAX infers the others from the signature.
    """
    numbers = set(constants(options.get("static_argnums"), int))
    names = set(constants(options.get("static_argnames"), str))
    if not numbers and not names:
        return numbers, names
    signature = signature_of(function)
    if signature is None:
        return None if names or any(n < 0 for n in numbers) else (numbers, names)
    parameters = list(signature.parameters.values())
    places = [p.name if p.kind is p.POSITIONAL_OR_KEYWORD else None for p in parameters]
    count = sum(p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD) for p in parameters)
    numbers = {n + count if n < 0 else n for n in numbers}
    if options.get("static_argnames") is None:
        names = {name for n in numbers if n < count and (name := places[n]) is not None}
    elif options.get("static_argnums") is None:
        numbers = {i for i, name in enumerate(places) if name in names}
    return numbers, names


def constants(value: Value, kind: type) -> list[Any]:
    """The constants of one type that an option such as `static_argnums` lists: a single one, or several."""
    if isinstance(value, tuple):
        items = list(value)
    else:
        items = list(value.items or ()) if isinstance(value, ListValue | SetValue) else [value]
    return [i for i in items if isinstance(i, kind) and not isinstance(i, bool)]


def call_jitted(
    it: Interpreter, jitted: JitValue, args: list[Value], kwargs: dict[str, Value], node: ast.AST | None
) -> Value:
    """Call a jitted function, and give it the arrays that it donates."""
    leaves = [v for v in walk((*args, *kwargs.values())) if type(v) is ArrayValue]
    if (refused := refuse(it, leaves, node)) is not None:
        return refused
    result = _call_jitted(it, jitted, args, kwargs, node)
    donation = {
        f"static_{name}": jitted.options[f"donate_{name}"] for name in _DONATIONS if f"donate_{name}" in jitted.options
    }
    if donation and not it.staged and not any(v.traced for v in leaves):
        return _donate(it, jitted, donation, args, kwargs, result, node)
    return result


_DONATIONS: Final = ("argnums", "argnames")


def _donate(
    it: Interpreter, jitted: JitValue, donation: dict[str, Value], args: list[Value], kwargs: dict[str, Value],
    result: Value, node: ast.AST | None,
) -> Value:  # fmt: skip
    """The result of a call that donates arrays: those that the function never looks at stay."""
    numbers, names = static_positions(jitted.function, donation) or (set(), set())
    places = parameters_of(jitted.function)
    read = names_read(jitted.function.node) if isinstance(jitted.function, FunctionValue) else None

    def is_donated(i: int) -> bool:
        return i in numbers and (read is None or i >= len(places) or places[i] in read)

    given = [a for i, a in enumerate(args) if is_donated(i)] + [v for k, v in kwargs.items() if k in names]
    rest = [a for i, a in enumerate(args) if i not in numbers] + [v for k, v in kwargs.items() if k not in names]
    label = _label(jitted)
    if is_given_twice(given, rest, result):
        return it.fail(
            node,
            "array-donated",
            f"ValueError: {label} is given one array twice, and donates its buffer: give it a copy, jnp.copy(x), or "
            "donate neither",
        )
    donate(it, label, given, result, node)
    return result


def _label(jitted: JitValue) -> str:
    """How a jitted function is called in a message."""
    function = jitted.function
    while isinstance(function, BoundMethod | PartialValue | JitValue):
        function = function.function
    return str(getattr(function, "name", "function"))


def parameters_of(function: Value) -> list[str]:
    """The names of the parameters of a function of the program that take positional arguments, as far as known."""
    signature = signature_of(function)
    return [] if signature is None else [p.name for p in signature.parameters.values()]


def _call_jitted(
    it: Interpreter, jitted: JitValue, args: list[Value], kwargs: dict[str, Value], node: ast.AST | None
) -> Value:
    static = static_positions(jitted.function, jitted.options)
    if static is None and args:
        it.engines.havoc(it, [jitted.function, *args, *kwargs.values()])
        return it.unknown("a jitted function of which the static arguments are not known")
    numbers, names = static or (set(), set(constants(jitted.options.get("static_argnames"), str)))
    label = _label(jitted)
    outside = it.staged > 0 or any(map(is_traced, [*args, *kwargs.values()]))

    def argument(value: Value, is_static: bool, what: str) -> Value:
        if not is_static:
            return as_traced(it, value, what, node)
        if isinstance(value, ListValue | DictValue | SetValue | ArrayValue) or (
            isinstance(value, NumPyValue) and not value.is_scalar
        ):
            kind = "an array" if isinstance(value, ArrayValue | NumPyValue) else f"a {value.kind.__name__}"
            if isinstance(value, ArrayValue) and value.traced:
                kind = "a tracer"
            return it.fail(
                node,
                "array-call",
                f"ValueError: {what} is static, so it must be hashable, and {kind} is not; give a tuple or a number",
            )
        return value

    traced_args = [argument(a, i in numbers, f"argument {i} of {label}") for i, a in enumerate(args)]
    traced_kwargs = {k: argument(v, k in names, f"argument {k!r} of {label}") for k, v in kwargs.items()}
    key = (
        tuple(map(identity, traced_args)),
        tuple((k, identity(v)) for k, v in traced_kwargs.items()),
        it.engines.jax.configuration(),
        outside,
    )
    if jitted.compiles and (refused := refuse_metadata(it, jitted, key, [*args, *kwargs.values()], label, node)):
        return refused
    is_live = it.engines.is_live
    keys = KeyArguments(it, [*traced_args, *traced_kwargs.values()])
    note_call(it, jitted, key, lambda: _signature(jitted, traced_args, traced_kwargs, numbers, names), node)
    if key in jitted.answers and not is_live:
        answer, effects, frozen = jitted.answers[key]
        keys.again(effects)
        tell_frozen(it, label, frozen)
        return map_arrays(it, it.engines.copy(answer, keys, effects), lambda leaf: _made_again(it, leaf, node), node)
    suppressed, failures = it.suppressed, it.failures
    mark = it.journal.mark
    it.staged += 1
    try:
        with tracing(it, label, node, _trace(it, jitted, traced_args, traced_kwargs, args, kwargs, static)) as life:
            # Not the static ones: what they hold of an outer trace lives as long as that one.
            begin_lives(life, tuple(a for i, a in enumerate(traced_args) if i not in numbers))
            begin_lives(life, tuple(v for k, v in traced_kwargs.items() if k not in names))
            note_counts(it, life, jitted.function)
            result = it.call(jitted.function, traced_args, traced_kwargs, node)
    finally:
        it.staged -= 1
    result = map_arrays(it, result, lambda leaf: _output(it, leaf, outside, label, node), node)
    is_told = it.failures == failures or not (
        it.path_uncertain or it.conditions
    )  # else it may be certain the next time
    if it.suppressed == suppressed and is_told and not is_live:
        jitted.answers[key] = (*it.engines.keep(result, keys, mark), life.frozen)
    return result


_POSITIONAL: Final = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)


def _trace(
    it: Interpreter, jitted: JitValue, traced_args: list[Value], traced_kwargs: dict[str, Value], args: list[Value],
    kwargs: dict[str, Value], static: Any,
) -> Tracing:  # fmt: skip
    """The trace of a jitted function, with the arguments of this call."""
    names = [*_called(jitted, args), *traced_kwargs]
    arguments = arguments_given(names, [*traced_args, *traced_kwargs.values()], [*args, *kwargs.values()])
    has_static = static is None or any(static)
    return traces(it, "jit" if jitted.compiles else "checkpoint", jitted, arguments, has_static)


def _called(jitted: JitValue, args: list[Value]) -> list[str]:
    """How the positional arguments of a call are called, as far as known."""
    taken = signature_of(jitted.function)
    parameters = [] if taken is None else [p for p in taken.parameters.values() if p.kind in _POSITIONAL]
    return [parameters[i].name if i < len(parameters) else f"argument {i}" for i in range(len(args))]


def _signature(
    jitted: JitValue, args: list[Value], kwargs: dict[str, Value], numbers: set[int], names: set[str]
) -> Signature:
    """What a call is compiled for, by the names of the parameters."""
    given = [(name, value, i in numbers) for i, (name, value) in enumerate(zip(_called(jitted, args), args))]
    return signature([*given, *((name, value, name in names) for name, value in kwargs.items())])


def _made_again(it: Interpreter, leaf: Value, node: ast.AST | None) -> Value:
    """An array of an answer that was kept: as a tracer it lives as long as the trace that is under way now."""
    if it.notes_origins:
        forget_origin(it, leaf, node)
    if not isinstance(leaf, ArrayValue) or not leaf.traced:
        return leaf
    array = leaf.with_key(leaf.key)
    array.life = it.life
    return array


def _output(it: Interpreter, leaf: Value, traced: bool, label: str, node: ast.AST | None) -> Value:
    array = to_array(it, leaf, node)
    if isinstance(array, ArrayValue):
        output = array.as_traced(traced)
        output.life = it.life if traced else None
        return output
    if isinstance(leaf, str | FunctionValue | ClassValue | JitValue | BoundMethod):
        kind = "a string" if isinstance(leaf, str) else "a function or class"
        return it.fail(node, "array-call", f"TypeError: {label} is jitted and returns {kind}, which is no array")
    return leaf


def stage(
    it: Interpreter, function: JitValue, args: list[Value], kwargs: dict[str, Value], node: ast.AST | None
) -> Value:
    """What a jitted function would give for these arguments, some of which only tell their shape and dtype."""
    struct = it.engines.jax.ShapeDtypeStruct

    def change(leaf: Value) -> Value:
        if type(leaf) is ArrayValue and not leaf.traced:
            return leaf.another()  # of which only the type is looked at: it may have been donated, and it is not here
        if not isinstance(leaf, struct):
            return leaf
        if not all(isinstance(d, int) for d in leaf.shape):
            return it.unknown("an abstract array of symbolic sizes")
        dtype = it.engines.jax.dtype_name(leaf.dtype)
        return ArrayValue(ShapedArray(tuple(leaf.shape), dtype, bool(getattr(leaf, "weak_type", False))), True)

    given = [map_arrays(it, a, change, node) for a in args]
    named = {k: map_arrays(it, v, change, node) for k, v in kwargs.items()}
    return it.call(function, given, named, node)


def call_staged(
    it: Interpreter, function: JitValue, name: str, args: list[Value], kwargs: dict[str, Value], node: ast.AST | None
) -> Value:
    """`lower`, `trace` and `eval_shape` of a jitted function trace it."""
    if name in ("lower", "trace", "eval_shape"):
        stage(it, function, args, kwargs, node)
    else:
        it.engines.havoc(it, [function, *args, *kwargs.values()])
    return it.unknown(f"{name} of a function under jit")

"""Modules of Flax whose structure hangs on what is not known: their methods are followed without Flax, as in `init`.

Flax has to know which modules there are, and gives them numbers.  What a module gives does not hang on that: each part
of it gives what it gives in its own `init`.  So does `apply`, if its parameters have the dtypes that `init` makes; of
the tree of all parameters the leaves are known, not the structure.

Source: https://flax-linen.readthedocs.io/en/latest/guides/flax_fundamentals/flax_basics.html.
"""

from __future__ import annotations

import dataclasses
import types
from collections.abc import Callable
from typing import Any, Final

from arraytyping.checker.flow.engines.asking import NeedsLive
from arraytyping.checker.flow.engines.conversion import Abort
from arraytyping.checker.flow.engines.initialized_modules import initialized, is_module, with_numbers
from arraytyping.checker.flow.engines.module_keys import module_key
from arraytyping.checker.flow.engines.structures import copy_structure
from arraytyping.checker.flow.engines.together import Together
from arraytyping.checker.flow.engines.unmade import is_of_flax, parameter
from arraytyping.checker.flow.state.identity import identity
from arraytyping.checker.flow.state.interpreter import Interpreter, ProgramEnds, Raised, Recursion
from arraytyping.checker.flow.state.made_parameters import (
    MadeParameters,
    collecting_parameters,
    parameters_made,
)
from arraytyping.checker.flow.state.run_slots import RunSlot
from arraytyping.checker.flow.values import (
    ANY_ATTRIBUTE,
    MISSING,
    ArrayValue,
    BoundMethod,
    ClassValue,
    DictValue,
    HandlerValue,
    InstanceValue,
    OpenTree,
    ScalarValue,
    Unknown,
    Value,
    walk,
)
from arraytyping.checker.flow.values.calls import Call, RestArguments
from arraytyping.semantics.avals import ShapedArray

__all__ = ["call_part", "entered_loosely", "loose_instance", "seen_so_far"]

_ANSWERS: Final[RunSlot[dict[Any, Any]]] = RunSlot("what modules of libraries give, and their parameters", dict)
_WHY: Final = "a module whose structure is not known"
_ENTRIES: Final = ("init", "init_with_output", "apply")
_OF_APPLY: Final = ("rngs", "mutable", "capture_intermediates", "method")


def entered_loosely(engines: Together, it: Interpreter, function: Any, call: Call) -> Callable[[], Value] | None:
    """What follows a call of `init` or `apply` of a module of the program; None of what is none, or cannot be."""
    owner, name = getattr(function, "__self__", None), getattr(function, "__name__", "")
    cls = it.engines.class_of.get(type(owner)) if name in _ENTRIES else None
    if cls is None or not is_module(owner) or parameters_made(it) is not None:
        return None
    return _entry_of(engines, it, lambda: _instance_of(engines, it, owner, cls), name, call)


def _entry_of(
    engines: Together, it: Interpreter, make: Callable[[], InstanceValue], name: str, call: Call
) -> Callable[[], Value] | None:
    if not call.args or any(isinstance(a, RestArguments) for a in call.args):
        return None
    dtype = _dtype_of_all(call.args[0]) if name == "apply" else None
    if name == "apply" and dtype is None:
        return None
    return lambda: _entered(engines, it, make, name, call, dtype)


def _entered(
    engines: Together, it: Interpreter, make: Callable[[], InstanceValue], name: str, call: Call, dtype: str | None
) -> Value:
    given = Call(call.args[1:], {k: v for k, v in call.kwargs.items() if k not in _OF_APPLY}, call.node)
    made = MadeParameters(dtype, _key_of(call.kwargs.get("rngs") if name == "apply" else call.args[0]))
    with collecting_parameters(it, made):
        result = _followed(engines, it, make, call.kwargs.get("method"), given)
    leaf = made.leaf if not made.is_open else None
    is_known = isinstance(leaf, ArrayValue) and leaf.aval.dtype is not None
    variables = OpenTree(_WHY, leaf, (), True) if isinstance(leaf, ArrayValue) and is_known else it.unknown(_WHY)
    if name == "init":
        return variables
    if name == "init_with_output":
        return (result, variables)
    mutable = call.kwargs.get("mutable", False)
    if "capture_intermediates" in call.kwargs or isinstance(mutable, Unknown | ScalarValue):
        return it.unknown(_WHY)
    return result if mutable is False or mutable is None else (result, variables)


def _key_of(given: Value) -> Value:
    """A key such as those that were given; unknown if they are not alike."""
    found = {leaf.aval for leaf in walk(given) if isinstance(leaf, ArrayValue)}
    return ArrayValue(found.pop(), True) if len(found) == 1 and not isinstance(given, Unknown) else Unknown(_WHY)


def _dtype_of_all(variables: Value) -> str | None:
    """The dtype of all arrays in the variables of a module; None if it is not one, or not known."""
    if isinstance(variables, Unknown) and not isinstance(variables, OpenTree):
        return None
    dtypes: set[str | None] = set()
    for value in walk(variables):
        if isinstance(value, ArrayValue):
            dtypes.add(value.aval.dtype)
        elif isinstance(value, Unknown) and (type(value) is not OpenTree or value.leaf is None):
            return None
    return dtypes.pop() if len(dtypes) == 1 else None


def _followed(
    engines: Together, it: Interpreter, make: Callable[[], InstanceValue], method: Value, call: Call
) -> Value:
    """What a method of a module gives; what it makes is noted, and nothing is reported, since it is not so called."""
    made = parameters_made(it)
    assert made is not None
    with it.quietly():
        try:
            instance = make()
            function = method if method is not None else "__call__"
            if isinstance(function, BoundMethod):
                function = function.function
            elif isinstance(function, types.MethodType):  # of the module itself, whose class Flax has wrapped
                function = function.__name__
            if isinstance(function, str):
                function = instance.cls.find(function)
                if function is MISSING:
                    raise Abort(_WHY)
            if isinstance(function, Unknown):
                raise Abort(function.why)
            return it.call(function, [instance, *call.args], call.kwargs, call.node)
        except (Raised, Recursion, Abort, ProgramEnds, NeedsLive):
            made.is_open = True
    return it.unknown(_WHY)


def call_part(engines: Together, it: Interpreter, function: Any, call: Call) -> Value:
    """What a module gives that is a part of one which is so followed; MISSING if this is no module."""
    made = parameters_made(it)
    if made is None or engines.asker.callbacks.bases:
        return MISSING
    owner, name = (function, "__call__") if is_module(function) else (getattr(function, "__self__", None), "")
    if not is_module(owner):
        return MISSING
    name = name or getattr(function, "__name__", "")
    cls = it.engines.class_of.get(type(owner))
    if cls is not None:
        return _followed(engines, it, lambda: _instance_of(engines, it, owner, cls), name, call)
    result = _as_in_init(engines, it, owner, name, call)
    if result is MISSING:
        made.is_open = True
    return it.unknown(_WHY) if made.is_refused or result is MISSING else result


def _as_in_init(engines: Together, it: Interpreter, module: Any, method: str, call: Call) -> Value:
    """What a method of a module of a library gives; MISSING if that cannot be said."""
    made, kept = parameters_made(it), _ANSWERS.of(it)
    try:
        key = (module_key(module), method, identity(tuple(call.args)), identity(DictValue(call.kwargs)), it.staged > 0)
    except (TypeError, ValueError):  # a field has no key
        return _asked(engines, it, module, method, call)
    if key not in kept:
        noted = MadeParameters(None)
        with collecting_parameters(it, noted):
            result = _asked(engines, it, module, method, call)
        kept[key] = result, noted
    result, noted = kept[key]
    if made is not None:
        made.add(noted)
    return copy_structure(result)


def _asked(engines: Together, it: Interpreter, module: Any, method: str, call: Call) -> Value:
    arrays = [v for value in call.values for v in walk(value) if isinstance(v, ArrayValue)]
    if all(None not in (a.aval.shape, a.aval.dtype, a.aval.weak_type) for a in arrays):
        found = initialized(engines, it, module, method, call)
        if not isinstance(found, Unknown):
            return found
    return with_numbers(engines, it, module, method, call)


# ---------------------------------------------------------------------- instances


def _instance_of(engines: Together, it: Interpreter, owner: Any, cls: ClassValue) -> InstanceValue:
    """What stands for a module of the program that there is."""
    fields = {f.name: getattr(owner, f.name, None) for f in dataclasses.fields(owner) if f.name not in _OF_FLAX}
    return _made(it, cls, {name: engines.objects.value(it, value, None) for name, value in fields.items()})


def loose_instance(engines: Together, it: Interpreter, cls: ClassValue, call: Call) -> Value:
    """An instance of a module's class, of whose fields too little is known to make one; MISSING if that is none."""
    real = cls.options.get("real class")
    if (
        not is_of_flax(cls)
        or not dataclasses.is_dataclass(real)
        or any(isinstance(a, RestArguments) for a in call.args)
    ):
        return MISSING
    fields = [f for f in dataclasses.fields(real) if f.init and f.name not in _OF_FLAX]
    given = call.named(*(f.name for f in fields))
    values: dict[str, Value] = {}
    for f in fields:
        if f.default is not dataclasses.MISSING:
            values[f.name] = engines.objects.value(it, f.default, call.node)
    return _made(it, cls, values | {k: v for k, v in given.items() if k not in _OF_FLAX})


_OF_FLAX: Final = ("parent", "name")


def _made(it: Interpreter, cls: ClassValue, fields: dict[str, Any]) -> InstanceValue:
    instance = InstanceValue(cls, {ANY_ATTRIBUTE: Unknown(_WHY), **fields, **_HANDLERS})
    for name in _ENTRIES:
        instance.attributes[name] = _entry(instance, name)
    setup = cls.find("setup")
    if parameters_made(it) is not None and setup is not MISSING and not isinstance(setup, Unknown):
        it.call(setup, [instance], {}, None)
    return instance


def _entry(instance: InstanceValue, name: str) -> HandlerValue:
    """`init` or `apply` of an instance that Flax has not made."""

    def handle(it: Interpreter, call: Call) -> Value:
        fields = {k: v for k, v in instance.attributes.items() if k not in _HANDLERS and k != ANY_ATTRIBUTE}
        make = None if parameters_made(it) is not None else lambda: _made(it, instance.cls, fields)
        entered = None if make is None else _entry_of(it.engines, it, make, name, call)
        if entered is not None:
            return entered()
        it.engines.havoc(it, [instance, *call.values])
        return it.unknown(_WHY)

    return HandlerValue(name, handle, (), (id(instance), name))


def _param(it: Interpreter, call: Call) -> Value:
    made = parameters_made(it)
    if made is None:
        return it.unknown(_WHY)
    result = parameter(it, call, made.key)
    made.note([result])
    if not isinstance(result, ArrayValue):
        return it.unknown(_WHY)
    if made.dtype is not None and result.aval.dtype != made.dtype:
        return ArrayValue(ShapedArray(result.aval.shape, None, None), result.traced)
    return result


def _other(it: Interpreter, call: Call) -> Value:
    """Variables, of which more may be made, and what else Flax has."""
    if (made := parameters_made(it)) is not None:
        made.is_open = True
    it.engines.havoc(it, call.values)
    return it.unknown(_WHY)


def _sow(it: Interpreter, call: Call) -> Value:
    """What is sown is no parameter; `init` gives it back, but for what is between the layers."""
    if call.argument(0, "col") != "intermediates" and (made := parameters_made(it)) is not None:
        made.is_open = True
    return _nothing(it, call)


def _nothing(it: Interpreter, call: Call) -> Value:
    it.engines.havoc(it, call.values)
    return ScalarValue(bool)


def _key(it: Interpreter, call: Call) -> Value:
    made = parameters_made(it)
    return it.unknown(_WHY) if made is None else made.key


_HANDLERS: Final[dict[str, Any]] = {
    "param": HandlerValue("param", _param),
    "variable": HandlerValue("variable", _other),
    "put_variable": HandlerValue("put_variable", _other),
    "get_variable": HandlerValue("get_variable", _other),
    "perturb": HandlerValue("perturb", _other),
    "sow": HandlerValue("sow", _sow),
    "is_initializing": HandlerValue("is_initializing", _nothing),
    "is_mutable_collection": HandlerValue("is_mutable_collection", _nothing),
    "has_variable": HandlerValue("has_variable", _nothing),
    "has_rng": HandlerValue("has_rng", _nothing),
    "make_rng": HandlerValue("make_rng", _key),
}


def seen_so_far(it: Interpreter) -> Callable[[], None]:
    """What takes back what has been seen of the program since now, where a call is followed anew."""
    modules = [m for m in it.importer.loaded if m.is_program]
    before = [
        ({n: dict(v) for n, v in m.seen.items()}, None if m.results is None else dict(m.results)) for m in modules
    ]

    def go_back() -> None:
        for module, (seen, results) in zip(modules, before):
            module.seen.clear()
            module.seen.update(seen)
            if module.results is not None and results is not None:
                module.results.clear()
                module.results.update(results)

    return go_back

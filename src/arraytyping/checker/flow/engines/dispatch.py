"""Which engine answers: each operation, and each call of a library, goes to the one that knows it."""

from __future__ import annotations

import ast
import functools
from collections.abc import Callable
from typing import Any, Final

from arraytyping.checker.flow.engines import (
    array_methods,
    array_operators,
    concrete_objects,
    foreign,
    numpy as numpy_engine,
)
from arraytyping.checker.flow.engines.apart import apart
from arraytyping.checker.flow.engines.asking import Asker
from arraytyping.checker.flow.engines.concrete_objects import package_of
from arraytyping.checker.flow.engines.conversion import PROGRAM, Abort, is_callable_value
from arraytyping.checker.flow.engines.declared_results import as_declared, name_of
from arraytyping.checker.flow.engines.direct_calls import call_directly, from_real, holds_symbols, is_plain
from arraytyping.checker.flow.engines.havoc import havoc, perhaps_call
from arraytyping.checker.flow.engines.index_bounds import moved
from arraytyping.checker.flow.engines.index_checks import check_call
from arraytyping.checker.flow.engines.jax import JaxEngine
from arraytyping.checker.flow.engines.mixed_widths import are_wide, without_width
from arraytyping.checker.flow.engines.number_kinds import as_of_python, for_either, may_be_of_numpy
from arraytyping.checker.flow.engines.objects import Objects
from arraytyping.checker.flow.engines.open_structs import is_inconclusive, with_symbols
from arraytyping.checker.flow.engines.outcomes import Outcome
from arraytyping.checker.flow.engines.partial import partial_result
from arraytyping.checker.flow.engines.probes import probed
from arraytyping.checker.flow.engines.pytrees import Pytrees
from arraytyping.checker.flow.engines.removed_arguments import with_present_arguments
from arraytyping.checker.flow.engines.rules import RuleEngine, RuleNames
from arraytyping.checker.flow.engines.structures import copy_structure
from arraytyping.checker.flow.engines.unknown_draws import whole_key
from arraytyping.checker.flow.engines.unknown_sizes import UnknownSizes
from arraytyping.checker.flow.real_calls.concrete_calls import concretely
from arraytyping.checker.flow.real_calls.library_functions import is_jax_like
from arraytyping.checker.flow.real_calls.permissions import may_call
from arraytyping.checker.flow.state.compilations import note_fresh
from arraytyping.checker.flow.state.forgetting import forget_contents, forget_reachable
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.state.key_effects import KeyArguments, KeyEffects
from arraytyping.checker.flow.state.keys import item_key
from arraytyping.checker.flow.state.told_uses import TOLD_NUMBERS
from arraytyping.checker.flow.values import (
    MISSING,
    ArrayValue,
    AtValue,
    ClassValue,
    HandlerValue,
    InstanceValue,
    NumPyValue,
    OpenTree,
    ScalarValue,
    TreeValue,
    Value,
    as_leaf,
    is_concrete,
)
from arraytyping.checker.flow.values.calls import Call

__all__ = ["Engines"]

_OPERATORS: Final = ("_operator", "operator", array_operators.__name__, array_methods.__name__)
"""Where operators of Python, and what stands for one of arrays, are defined."""


_STAGING: Final = ("scan", "while_loop", "fori_loop", "map", "cond", "switch")
"""Functions of `jax.lax` that compile what they are given, outside of any `jit` too."""


class Engines:
    """What answers for the operations and functions that the program does not define itself."""

    def __init__(self, jax: JaxEngine | None, answers: dict[Any, Outcome] | None = None) -> None:
        self._jax = jax
        self.rules: RuleEngine = RuleEngine(self)
        self.unknown_sizes: UnknownSizes = UnknownSizes()
        self.kept_alive: dict[int, Any] = {}
        self.asker: Asker = None  # type: ignore[assignment]
        self.pytrees: Pytrees = None  # type: ignore[assignment]
        self._rule_names = RuleNames(has_jax=jax is not None)
        self._staging: dict[int, str] = {}
        self.class_of: dict[type, ClassValue] = {}
        """The classes of the program by the real classes that stand for them."""
        self.objects: Objects = Objects(self)
        if jax is not None:
            self.asker = Asker(self, jax, {} if answers is None else answers)
            self.pytrees = Pytrees(jax)
            self._staging = {id(getattr(jax.jax.lax, name)): name for name in _STAGING}

    @property
    def is_live(self) -> bool:
        """Whether every operation is traced by jax too, since a gradient's weak type depends on it."""
        return self.asker is not None and self.asker.callbacks.live > 0

    @property
    def is_asking(self) -> bool:
        """Whether jax is being asked, and calls what is followed here."""
        return self.asker is not None and bool(self.asker.callbacks.bases)

    @property
    def operations(self) -> int:
        """How many operations of arrays were met."""
        return self.rules.asked + (0 if self.asker is None else self.asker.asked + self.asker.kept)

    @property
    def has_jax(self) -> bool:
        """Whether there is a jax to ask."""
        return self._jax is not None

    @property
    def jax(self) -> JaxEngine:
        """The installed jax.

        Raises:
            Abort: if there is none.
        """
        if self._jax is None:
            raise Abort("jax is not installed")
        return self._jax

    def call(self, it: Interpreter, function: Value, call: Call, otherwise: Callable[[], Value] | None = None) -> Value:
        """The result of a function, class or method of a library.

        `otherwise` is asked where too little is known, before all that goes into the call is forgotten.
        """
        result = self._answer(it, function, call, otherwise)
        return without_width(result) if self._may_narrow and are_wide(call.values) else result

    def _answer(self, it: Interpreter, function: Value, call: Call, otherwise: Callable[[], Value] | None) -> Value:
        if TOLD_NUMBERS.of(it) and may_be_of_numpy(values := call.values):
            return self._for_either(it, function, call, values, otherwise)
        if (rule := self._rule_names.get(function)) is not None and any(type(v) is OpenTree for v in call.values):
            tree = call.argument(0, "x")
            call = Call([*map(as_leaf, call.args)], {k: as_leaf(v) for k, v in call.kwargs.items()}, call.node)
            if rule == "lax.stop_gradient" and isinstance(tree, OpenTree):  # the one of them that takes trees
                return tree.of(self.call(it, function, call, otherwise))
        try:
            if (looping := self._staging.get(id(function))) is not None:
                note_fresh(it, looping, [v for v in call.values if is_callable_value(v)], call.node)
            result = self._call(it, function, call)
            if type(result) is ArrayValue and (result.aval.dtype is None or result.aval.shape is None):
                more = partial_result(self, it, function, call)
                result = result if more is MISSING else more
            name = self._rule_names.get(function)
            return result if name is None else check_call(it, name, call, result)
        except Abort as abort:
            found = MISSING if otherwise is None else otherwise()
            if found is MISSING and (rule := self._rule_names.get(function)) is not None:
                found = self.rules.evaluate(it, rule, call, jax_refused=True)
            if found is MISSING:
                found = probed(self, it, function, call)
            if found is not MISSING:
                return found
            self.havoc(it, call.values)
            for value in call.values:
                if isinstance(value, InstanceValue) and value.cls.pytree is None:
                    it.journal.touch(value)
                    forget_contents(value, "what a library may have bound")
            found = partial_result(self, it, function, call)
            return it.unknown(abort.why) if found is MISSING else found
        except RecursionError:
            return it.unknown("a value that contains itself")
        except Exception as error:
            self.havoc(it, call.values)
            return it.crash(error, f"the call of {getattr(function, '__name__', function)}")

    def _for_either(
        self, it: Interpreter, function: Value, call: Call, values: list[Value], otherwise: Callable[[], Value] | None
    ) -> Value:
        """The result of a call with numbers that may be NumPy's."""
        count = len(call.args)

        def perform(given: list[Value]) -> Value:
            named = dict(zip(call.kwargs, given[count:]))
            return self.call(it, function, Call(given[:count], named, call.node), otherwise)

        if (self._rule_names.get(function) or "").startswith("random."):
            return perform(list(map(as_of_python, values)))  # their dtypes hang on no number
        return for_either(it, values, perform)

    def _call(self, it: Interpreter, function: Any, call: Call) -> Value:
        package = package_of(function)
        is_partial = type(function) is functools.partial
        is_numpy = package in ("numpy", "scipy")
        if not is_numpy and not is_partial and not may_call(function):
            self.havoc(it, call.values)
            self._may_have_changed(it, call.values)
            return as_declared(it, function, call, "is not called: it may do more than to compute")
        if self.objects.take(function, call.values) and not is_partial:
            if is_numpy and not numpy_engine.may_call(function):
                raise Abort(f"{name_of(function)} of a library's object")
            return self.objects.call(it, function, call)
        if "out_sharding" in call.kwargs:
            if self.jax.has_places:
                return self.asker.ask(it, function, call)
            # which changes no shape
            call = call.with_kwargs({k: v for k, v in call.kwargs.items() if k != "out_sharding"})
        rule = self._rule_names.get(function)
        if rule is not None and call.kwargs and package == "jax":
            call = with_present_arguments(it, rule, function, call)
        if rule is not None and rule.startswith("random."):
            call = call.with_args(whole_key(self.jax, call.args))
        if rule is not None and not self.is_live:
            found = self.rules.evaluate(it, rule, call)
            if found is not MISSING:
                return found
        if is_partial:
            bound = [self.from_python(a) for a in function.args]
            named = {k: self.from_python(v) for k, v in function.keywords.items()}
            return it.call(function.func, [*bound, *call.args], {**named, **call.kwargs}, call.node)
        if is_numpy:
            return numpy_engine.call(it, function, call)
        values = call.values
        if getattr(function, "__module__", "") == PROGRAM:
            package = "jax"  # a function of the program that a library has wrapped
        if is_jax_like(package) or function in foreign.FUNCTIONS or self.is_array_operator(function):
            is_of_jax = package in ("jax", "jaxlib") or isinstance(function, HandlerValue)
            if is_of_jax:
                is_struct = self.has_jax and function is self.jax.ShapeDtypeStruct
                return self.asker.ask(it, function, with_symbols(self, it, call) if is_struct else call)
            is_direct = is_plain(values) and not holds_symbols(self, function)
            answer = call_directly(self, it, function, call) if is_direct else self.asker.ask(it, function, call)
            is_open = type(answer) is bool and is_inconclusive(function, values, answer)
            return ScalarValue(bool) if is_open else answer
        if not isinstance(function, type) or all(map(is_concrete, values)):
            found = concretely(it, function, call)
            if found is not MISSING:
                return found
        self.havoc(it, values)
        if not may_call(function):
            self._may_have_changed(it, values)
        return as_declared(it, function, call, "is not understood")

    def _may_have_changed(self, it: Interpreter, values: list[Value]) -> None:
        for value in values:
            forget_reachable(it.journal.touch, value, "what a library may have changed")

    def from_real(self, it: Interpreter, result: Value, node: ast.AST | None) -> Value:
        """The value of what a library returned."""
        return from_real(self, it, result, node)

    def is_array_operator(self, function: Value) -> bool:
        """Whether this is one of the operators of Python."""
        return getattr(function, "__module__", "") in _OPERATORS

    def operation_name(self, function: Value) -> str:
        """The name of a function: that of its rule, or its own."""
        rule = self._rule_names.get(function)
        name = getattr(function, "__name__", None) or getattr(function, "name", None) or type(function).__name__
        return rule or f"{package_of(function) or ''}:{name}"

    def binary(self, it: Interpreter, op: str, a: Value, b: Value, node: ast.AST | None) -> Value:
        """An operator of which an operand is an array."""
        if TOLD_NUMBERS.of(it) and may_be_of_numpy([a, b]):
            return for_either(it, [a, b], lambda given: self.binary(it, op, given[0], given[1], node))
        result = moved(op, a, b, array_operators.binary(self, it, op, a, b, node))
        return without_width(result) if self._may_narrow and are_wide((a, b)) else result

    def unary(self, it: Interpreter, op: str, a: Value, node: ast.AST | None) -> Value:
        """A unary operator of an array."""
        result = array_operators.unary(self, it, op, a, node)
        return without_width(result) if self._may_narrow and are_wide((a,)) else result

    def getitem(self, it: Interpreter, a: ArrayValue, index: Value, node: ast.AST | None) -> Value:
        """`a[index]`."""
        index = as_of_python(index)
        return item_key(a, index, array_operators.getitem(self, it, a, index, node))

    def attribute(self, it: Interpreter, a: ArrayValue, name: str, node: ast.AST | None) -> Value:
        """An attribute or a method of an array; MISSING if arrays have none of this name."""
        return array_methods.attribute(self, it, a, name, node)

    def method(self, it: Interpreter, receiver: Value, name: str, call: Call) -> Value:
        """A method of an array, a NumPy array, `x.at[i]`, or an object of a library."""
        if TOLD_NUMBERS.of(it) and may_be_of_numpy([receiver, *call.values]):
            count = len(call.args)

            def perform(given: list[Value]) -> Value:
                named = dict(zip(call.kwargs, given[count + 1 :]))
                return self.method(it, given[0], name, Call(given[1 : count + 1], named, call.node))

            return for_either(it, [receiver, *call.values], perform)
        if isinstance(receiver, NumPyValue):
            return numpy_engine.method(it, receiver, name, call)
        if isinstance(receiver, AtValue):
            result = array_methods.at_method(self, it, receiver, name, call)
            return without_width(result) if self._may_narrow and are_wide((receiver,)) else result
        if isinstance(receiver, TreeValue):
            return foreign.call_tree_method(self, it, receiver, name, call)
        assert isinstance(receiver, ArrayValue)
        result = array_methods.method(self, it, receiver, name, call)
        return without_width(result) if self._may_narrow and are_wide((receiver, *call.values)) else result

    @property
    def _may_narrow(self) -> bool:
        """Whether there may be arrays of 64 bits while x64 is off, of which jax narrows some results and not others."""
        return self._jax is not None and self._jax.had_x64 and not self._jax.x64

    def call_tree(self, it: Interpreter, tree: TreeValue, call: Call) -> Value:
        """The call of an object of a library."""
        return foreign.call_tree(self, it, tree, call)

    def tree_attribute(self, it: Interpreter, tree: TreeValue, name: str, node: ast.AST | None) -> Value:
        """An attribute of an object of a library."""
        return foreign.tree_attribute(self, it, tree, name, node)

    def method_of_program(self, tree: TreeValue, name: str) -> Value:
        """The function or property that an object of a library has from a class of the program; MISSING if none."""
        return foreign.method_of_program(self, tree, name)

    def tree_super(self, it: Interpreter, tree: TreeValue, after: Value, name: str) -> Value:
        """An attribute of `super()` where the instance is an object of a library."""
        return foreign.tree_super(self, it, tree, after, name)

    def put_tree_attribute(
        self, it: Interpreter, tree: TreeValue, name: str, value: Value, node: ast.AST | None
    ) -> None:
        """Bind an attribute of an object of a library: not followed."""
        it.unknown(f"attribute {name} of a library's object is bound")

    def tree_getitem(self, it: Interpreter, tree: TreeValue, index: Value, node: ast.AST | None) -> Value:
        """An item of an object of a library."""
        return foreign.tree_getitem(self, it, tree, index, node)

    def put_tree_item(self, it: Interpreter, tree: TreeValue, index: Value, value: Value, node: ast.AST | None) -> None:
        """Assign an item of an object of a library: not followed."""
        it.unknown("an item of a library's object is assigned")

    def tree_iterate(self, it: Interpreter, tree: TreeValue, node: ast.AST | None) -> tuple[list[Value] | None, Value]:
        """The items of an object of a library."""
        return foreign.tree_iterate(self, it, tree, node)

    def numpy_attribute(self, it: Interpreter, value: NumPyValue, name: str, node: ast.AST | None) -> Value:
        """An attribute of a NumPy array."""
        return numpy_engine.attribute(it, value, name, node)

    def numpy_getitem(self, it: Interpreter, value: NumPyValue, index: Value, node: ast.AST | None) -> Value:
        """An item of a NumPy array."""
        return numpy_engine.getitem(it, value, as_of_python(index), node)

    def numpy_setitem(
        self, it: Interpreter, value: NumPyValue, index: Value, item: Value, node: ast.AST | None
    ) -> None:
        """Assign an item of a NumPy array."""
        numpy_engine.setitem(it, value, as_of_python(index), as_of_python(item), node)

    def numpy_iterate(
        self, it: Interpreter, value: NumPyValue, node: ast.AST | None
    ) -> tuple[list[Value] | None, Value]:
        """The items of a NumPy array."""
        found: tuple[list[Value] | None, Value] = numpy_engine.iterate(it, value, node)
        return found

    def from_python(self, value: Value) -> Value:
        """The value of a concrete object that Python or a library gives."""
        return concrete_objects.from_python(self, value)

    def library_attribute(self, it: Interpreter, value: Value, name: str) -> Value:
        """An attribute of a concrete object; MISSING if it has none."""
        return concrete_objects.library_attribute(self, it, value, name)

    def instance_of(self, cls: ClassValue, children: tuple[Value, ...], rest: Value) -> Value:
        """The instance of a class of the program that a library holds as a pytree."""
        return self.asker.callbacks.instance_of(cls, children, rest)

    def real_object(self, it: Interpreter, value: InstanceValue) -> Value:
        """The object of a library that an instance of the program stands for; None if there is none."""
        return value.cls.options.get("real object", lambda i, v: None)(it, value)

    def real_class(self, it: Interpreter, cls: ClassValue) -> Value:
        """The class of a library that a class of the program stands for; None if there is none."""
        return cls.options.get("real class")

    def havoc(self, it: Interpreter, values: list[Value]) -> None:
        """These values went where we cannot follow: their functions may be called with anything, once each."""
        havoc(it, values)

    def perhaps_call(self, it: Interpreter, function: Value, call: Call) -> Value:
        """What a call gives that may be made, and as often as may be; MISSING if it raises."""
        return perhaps_call(it, function, call)

    def apart(self, run: Callable[[], None]) -> None:
        """Run something outside of every question to jax that is under way."""
        apart(None if self.asker is None else self.asker.callbacks, run)

    def copy(self, value: Value, keys: KeyArguments, effects: KeyEffects) -> Value:
        """The result of a call that was followed before, with containers and keys of its own."""
        places = iter(effects.results)
        return copy_structure(value, lambda array: keys.result(array, next(places)))

    def keep(self, value: Value, keys: KeyArguments, mark: int) -> tuple[Value, KeyEffects]:
        """The result of a call that was followed since a mark, to be kept, and what it did to keys."""
        places: list[Any] = []

        def note(array: ArrayValue) -> ArrayValue:
            places.append(keys.place(array))
            return array.another()

        kept = copy_structure(value, note)
        return kept, keys.effects(mark, tuple(places))

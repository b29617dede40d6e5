"""Expressions: each function gives the value of one kind; `evaluate` also notes what the program's own ones see."""

from __future__ import annotations

import ast
import builtins
from typing import Any, Final

from arraytyping.checker.flow.python.functions import define_lambda
from arraytyping.checker.flow.python.mappings import items_of_mapping
from arraytyping.checker.flow.python.open_calls import as_one, filled, with_rest
from arraytyping.checker.flow.python.recorded_values import as_recorded
from arraytyping.checker.flow.python.targets import bind_name
from arraytyping.checker.flow.real_calls.weights import WIDEST
from arraytyping.checker.flow.sources.bound_names import is_never_bound
from arraytyping.checker.flow.state.certainty import data_bool
from arraytyping.checker.flow.state.forgetting import forget_reachable
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.state.joins import join_all
from arraytyping.checker.flow.state.laziness import is_lazy, taking
from arraytyping.checker.flow.state.may_raise import note_attribute, note_item, note_keys, note_operator, note_values
from arraytyping.checker.flow.state.sharing import is_overgrown
from arraytyping.checker.flow.state.tentative_notes import note
from arraytyping.checker.flow.syntax.comprehensions import (
    dict_comprehension,
    generator,
    list_comprehension,
    set_comprehension,
)
from arraytyping.checker.flow.syntax.conditional_expressions import bool_op, compare, if_expression
from arraytyping.checker.flow.syntax.formatted_strings import formatted_string
from arraytyping.checker.flow.syntax.sliced_sizes import with_sizes_of_slices
from arraytyping.checker.flow.syntax.statements import OPERATORS
from arraytyping.checker.flow.syntax.unawaited_times import check_time
from arraytyping.checker.flow.values import (
    MISSING,
    AliasedValue,
    BaseValue,
    DictValue,
    FunctionValue,
    HandlerValue,
    InstanceValue,
    IteratorValue,
    ListValue,
    ScalarValue,
    SetValue,
    SuperValue,
    TreeValue,
    Unknown,
    Value,
    awaited,
    is_concrete,
    parts_of,
)
from arraytyping.checker.flow.values.calls import Call
from arraytyping.checker.flow.values.frames import Frame

__all__ = ["evaluate"]

_OPERATIONS: Final = frozenset(
    {ast.Call, ast.Attribute, ast.Subscript, ast.BinOp, ast.UnaryOp, ast.Compare, ast.Await, ast.FormattedValue}
)
_UNKNOWN: Final = (Unknown, AliasedValue)
_SEEN: Final = (BaseValue, tuple)
"""What may be an array, or hold one."""
_RECORDED: Final = frozenset({ast.Call, ast.Attribute, ast.Subscript})
"""Expressions at which a recording says what came, if there is one."""
_BUILTINS: Final = vars(builtins)


def evaluate(it: Interpreter, node: ast.expr, frame: Frame) -> Value:
    """The value of an expression."""
    kind = type(node)
    make = _EVALUATE.get(kind)
    if make is None:
        return it.unknown(f"an expression that is not understood: {kind.__name__}")
    value = make(it, node, frame)
    if it.attempts and type(value) in _UNKNOWN and kind in _OPERATIONS:
        it.obscure += 1
    if it.recorded is not None and kind in _RECORDED:
        value = as_recorded(it, node, frame, value)
    module = frame.module
    if module.is_program and not it.inventing and not (it.known_functions and _is_known(it, frame)):
        may_be_array = isinstance(value, _SEEN) and kind is not ast.Yield and kind is not ast.YieldFrom
        note(it, module, node, value, may_be_array)
    return value


def _is_known(it: Interpreter, frame: Frame) -> bool:
    """Whether this is the code of a function of which nothing more can be known here."""
    scope: Frame | None = frame
    while scope is not None and scope.function is None:
        scope = scope.parent
    return scope is not None and scope.function.node in it.known_functions


def _constant(it: Interpreter, node: ast.Constant, frame: Frame) -> Value:
    return node.value


def _name(it: Interpreter, node: ast.Name, frame: Frame) -> Value:
    name = node.id
    value = frame.variables.get(name, MISSING)
    if value is MISSING:
        value = frame.find(name)
        if value is MISSING:
            if name in _BUILTINS:
                return _BUILTINS[name]
            if name == "__class__":
                return it.unknown("__class__")
            if is_never_bound(frame.module.tree, name):
                return it.fail(node, "array-call", f"NameError: name {name!r} is not defined")
            it.obscure += 1
            return it.unknown(f"the name {name}, which is not bound here")
    return it.importer.resolve(it, value) if type(value) in it.importer.lazy_types else value


def _items(it: Interpreter, elements: list[ast.expr], frame: Frame) -> tuple[list[Value] | None, Value]:
    """The values of the elements of a display, stars unpacked; or None and a value that describes each."""
    items: list[Any] = []
    exact = True
    for element in elements:
        if isinstance(element, ast.Starred):
            inner, one = it.iterate(it.evaluate(element.value, frame), element)
            if inner is None:
                exact = False
                items.append(one)
            else:
                items += inner
        else:
            items.append(it.evaluate(element, frame))
    return (items, MISSING) if exact else (None, join_all(items))


def _tuple(it: Interpreter, node: ast.Tuple, frame: Frame) -> Value:
    items, _ = _items(it, node.elts, frame)
    if items is not None and is_overgrown(items):
        return it.unknown("a huge value")
    return it.unknown("a tuple of unknown length") if items is None else tuple(items)


def _list(it: Interpreter, node: ast.List, frame: Frame) -> Value:
    items, element = _items(it, node.elts, frame)
    if items is not None and (len(items) > WIDEST or is_overgrown(items)):
        return ListValue(None, it.unknown("a huge value"))
    return ListValue(items, element)


def _set(it: Interpreter, node: ast.Set, frame: Frame) -> Value:
    items, element = _items(it, node.elts, frame)
    note_keys(it, [element] if items is None else items)
    if items is not None and all(map(is_concrete, items)):
        return SetValue(dict.fromkeys(items))
    return SetValue(None, element if items is None else join_all(items))


def _dict(it: Interpreter, node: ast.Dict, frame: Frame) -> Value:
    result = _entries(it, node, frame)
    if result.items is not None and is_overgrown(result.items.values()):
        return DictValue(None, it.unknown("a huge value"), it.unknown("a huge value"))
    return result


def _entries(it: Interpreter, node: ast.Dict, frame: Frame) -> DictValue:
    result = DictValue({})
    for key_node, value_node in zip(node.keys, node.values):
        value = it.evaluate(value_node, frame)
        if key_node is None:
            it.call(it.get_attribute(result, "update", node), [value], {}, node)
        else:
            key = it.evaluate(key_node, frame)
            note_keys(it, [key])
            it.put_item(result, key, value, node)
    return result


def _unary(it: Interpreter, node: ast.UnaryOp, frame: Frame) -> Value:
    value = it.evaluate(node.operand, frame)
    if isinstance(node.op, ast.Not):
        known = it.truth(value, node.operand)
        if known is None:
            return it.unknown(value.why) if isinstance(value, Unknown) else data_bool(value)
        return not known
    if not isinstance(value, ScalarValue):
        note_values(it, value)
    return it.unary({ast.USub: "neg", ast.UAdd: "pos", ast.Invert: "invert"}[type(node.op)], value, node)


def _binary(it: Interpreter, node: ast.BinOp, frame: Frame) -> Value:
    left = it.evaluate(node.left, frame)
    right = it.evaluate(node.right, frame)
    op = OPERATORS[type(node.op).__name__]
    if it.attempts:
        note_operator(it, op, left, right)
    if op == "sub" and (type(node.left) is ast.Call or type(node.left) is ast.Name) and type(node.right) is ast.Name:
        check_time(it, node, frame)
    return it.binary(op, left, right, node)


def _call(it: Interpreter, node: ast.Call, frame: Frame) -> Value:
    if isinstance(node.func, ast.Name) and node.func.id == "super" and not node.args:
        return _super(it, frame)
    function = it.evaluate(node.func, frame)
    args: list[Any] = []
    kwargs: dict[str, Any] = {}
    bad: Any = None
    star: Any = MISSING
    many: Any = MISSING
    stars = 0
    options: Any = MISSING
    rest: list[Any] = []
    for argument in node.args:
        if isinstance(argument, ast.Starred):
            many = it.evaluate(argument.value, frame)
            items, one = it.iterate(many, argument)
            if items is None:
                bad = it.unknown("a call with a star of unknown length")
                star = bad if one is MISSING else one
                stars += 1
                args.append(one)
            else:
                args += items
        else:
            args.append(it.evaluate(argument, frame))
    for keyword in node.keywords:
        value = it.evaluate(keyword.value, frame)
        if keyword.arg is None and isinstance(value, InstanceValue | TreeValue):
            value = items_of_mapping(it, value, keyword)
        if keyword.arg is not None:
            kwargs[keyword.arg] = value
        elif isinstance(value, DictValue) and value.items is not None:
            kwargs.update({k: v for k, v in value.items.items() if isinstance(k, str)})
        else:
            bad = it.unknown("a call with ** of unknown names")
            options = bad if options is not MISSING or not isinstance(value, DictValue) else value.element
            rest.append(value)
    if bad is not None:
        made = as_one(it, function, Call(args, kwargs, node)) if stars and options is MISSING else None
        if made is None and (star is MISSING or (stars == 1 and isinstance(node.args[-1], ast.Starred))):
            known = args if star is MISSING else args[:-1]
            given = Call(known, kwargs, node)
            made = None if star is MISSING else with_rest(it, function, given, many)
            made = filled(it, function, given, star, options) if made is None else made
        if function is zip and stars == len(args) == 1 and isinstance(star, tuple) and not kwargs:
            return IteratorValue([ListValue(None, part, tuple) for part in star])  # unless there are no rows at all
        if made is None:
            it.engines.havoc(it, [function, *args, *rest, *kwargs.values()])
            if isinstance(function, BaseValue) and not isinstance(function, HandlerValue):
                for value in (*args, *(part for one in rest for part in parts_of(one)), *kwargs.values()):
                    forget_reachable(it.journal.touch, value, "what a call may have changed")
            return bad
        it.may_raise += 1  # it may be given what it does not take
        args, kwargs = made.args, made.kwargs
    it.chain.append((frame.function.name if frame.function else "", frame.module, node))
    try:
        return it.call(function, args, kwargs, node)
    finally:
        it.chain.pop()


def _super(it: Interpreter, frame: Frame) -> Value:
    inner: Frame | None = frame
    while inner is not None and (inner.function is None or inner.function.owner is None):
        inner = inner.parent
    if inner is None or inner.function is None or inner.function.owner is None or inner.receiver is MISSING:
        return it.unknown("super() outside of a method")
    return SuperValue(inner.function.owner, inner.receiver)


def _walrus(it: Interpreter, node: ast.NamedExpr, frame: Frame) -> Value:
    value = it.evaluate(node.value, frame)
    assert isinstance(node.target, ast.Name)
    bind_name(it, frame.function_frame(), node.target.id, value)
    return value


def _starred(it: Interpreter, node: ast.Starred, frame: Frame) -> Value:
    items, element = it.iterate(it.evaluate(node.value, frame), node)
    return tuple(items) if items is not None else element


def _slice(it: Interpreter, node: ast.Slice, frame: Frame) -> Value:
    return slice(*(None if part is None else it.evaluate(part, frame) for part in (node.lower, node.upper, node.step)))


def _attribute(it: Interpreter, node: ast.Attribute, frame: Frame) -> Value:
    owner = it.evaluate(node.value, frame)
    if it.attempts:
        note_attribute(it, owner)
    return it.get_attribute(owner, node.attr, node)


def _subscript(it: Interpreter, node: ast.Subscript, frame: Frame) -> Value:
    owner = it.evaluate(node.value, frame)
    index = it.evaluate(node.slice, frame)
    if it.attempts:
        note_item(it, owner, index)
    return with_sizes_of_slices(it, node, owner, index, it.get_item(owner, index, node), frame)


def _await(it: Interpreter, node: ast.Await, frame: Frame) -> Value:
    return awaited(it.evaluate(node.value, frame))


def _yield(it: Interpreter, node: ast.Yield, frame: Frame) -> Value:
    value = None if node.value is None else it.evaluate(node.value, frame)
    function = frame.function_frame()
    if function.yields is not None:
        it.call(it.get_attribute(function.yields, "append", node), [value], {}, node)
        if function.production is not None:
            function.production.gave(value, may_stop=False)
    return Unknown("what is sent to a generator")


def _yield_from(it: Interpreter, node: ast.YieldFrom, frame: Frame) -> Value:
    value = it.evaluate(node.value, frame)
    function = frame.function_frame()
    if function.yields is not None:
        production = function.production
        with taking(it, None if production is None else production.inner):
            items, _ = it.iterate(value, node) if is_lazy(value) else (None, None)
        it.call(
            it.get_attribute(function.yields, "extend", node), [value if items is None else ListValue(items)], {}, node
        )
        if production is not None:
            production.gave(it.unknown("items of another generator"), may_stop=False)
    return it.unknown("what a generator returns")


def _generator(it: Interpreter, node: ast.GeneratorExp, frame: Frame) -> IteratorValue:
    return generator(it, node, frame)


def _lambda(it: Interpreter, node: ast.Lambda, frame: Frame) -> FunctionValue:
    return define_lambda(it, node, frame)


_EVALUATE: Final[dict[type, Any]] = {
    ast.Constant: _constant, ast.Name: _name, ast.Tuple: _tuple, ast.List: _list, ast.Set: _set, ast.Dict: _dict,
    ast.Lambda: _lambda, ast.IfExp: if_expression, ast.BoolOp: bool_op, ast.UnaryOp: _unary, ast.BinOp: _binary,
    ast.Compare: compare, ast.Call: _call, ast.JoinedStr: formatted_string, ast.NamedExpr: _walrus,
    ast.Starred: _starred, ast.Slice: _slice, ast.Attribute: _attribute, ast.Subscript: _subscript,
    ast.Await: _await, ast.Yield: _yield, ast.YieldFrom: _yield_from, ast.ListComp: list_comprehension,
    ast.SetComp: set_comprehension, ast.DictComp: dict_comprehension, ast.GeneratorExp: _generator,
}  # fmt: skip

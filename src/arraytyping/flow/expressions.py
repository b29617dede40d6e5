"""Expressions: each function gives the value of one kind; `evaluate` also notes what the program's own ones see."""

from __future__ import annotations

import ast
import builtins
from typing import Any, Final

from arraytyping.flow.bound_names import is_never_bound
from arraytyping.flow.branches import evaluate_if
from arraytyping.flow.comprehensions import dict_comprehension, generator, list_comprehension, set_comprehension
from arraytyping.flow.frames import Frame
from arraytyping.flow.functions import define_lambda
from arraytyping.flow.interpreter import Interpreter
from arraytyping.flow.joins import join, join_all
from arraytyping.flow.operators import kind_name
from arraytyping.flow.recording import record
from arraytyping.flow.statements import OPERATORS
from arraytyping.flow.targets import bind_name
from arraytyping.flow.values import (
    MISSING,
    ArrayValue,
    DictValue,
    FunctionValue,
    IteratorValue,
    ListValue,
    NumPyValue,
    OneOf,
    ScalarValue,
    SetValue,
    SuperValue,
    Unknown,
    Value,
    is_exact,
)

__all__ = ["evaluate"]

_BUILTINS: Final = vars(builtins)


def evaluate(it: Interpreter, node: ast.expr, frame: Frame) -> Any:
    """The value of an expression."""
    make = _EVALUATE.get(type(node))
    if make is None:
        return it.unknown(f"an expression that is not understood: {type(node).__name__}")
    value = make(it, node, frame)
    if (
        frame.module.is_program
        and not isinstance(node, ast.Yield | ast.YieldFrom)
        and (isinstance(value, Value) or type(value) is tuple)
    ):
        record(frame.module, node, value)
    return value


def _constant(it: Interpreter, node: ast.Constant, frame: Frame) -> Any:
    return node.value


def _name(it: Interpreter, node: ast.Name, frame: Frame) -> Any:
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
            return it.unknown(f"the name {name}, which is not bound here")
    return it.importer.resolve(it, value) if type(value) in it.importer.lazy_types else value


def _items(it: Interpreter, elements: list[ast.expr], frame: Frame) -> tuple[list[Any] | None, Any]:
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


def _tuple(it: Interpreter, node: ast.Tuple, frame: Frame) -> Any:
    items, _ = _items(it, node.elts, frame)
    return it.unknown("a tuple of unknown length") if items is None else tuple(items)


def _list(it: Interpreter, node: ast.List, frame: Frame) -> Any:
    return ListValue(*_items(it, node.elts, frame))


def _set(it: Interpreter, node: ast.Set, frame: Frame) -> Any:
    items, element = _items(it, node.elts, frame)
    if items is not None and all(map(is_exact, items)):
        return SetValue(dict.fromkeys(items))
    return SetValue(None, element if items is None else join_all(items))


def _dict(it: Interpreter, node: ast.Dict, frame: Frame) -> Any:
    result = DictValue({})
    for key_node, value_node in zip(node.keys, node.values):
        value = it.evaluate(value_node, frame)
        if key_node is None:
            it.call(it.get_attribute(result, "update", node), [value], {}, node)
        else:
            it.put_item(result, it.evaluate(key_node, frame), value, node)
    return result


def _if(it: Interpreter, node: ast.IfExp, frame: Frame) -> Any:
    value = it.evaluate(node.test, frame)
    known = it.truth(value, node.test)
    if known is not None:
        return it.evaluate(node.body if known else node.orelse, frame)
    paths: list[tuple[ast.expr, bool, ast.expr | None]] = [
        (node.test, True, node.body),
        (node.test, False, node.orelse),
    ]
    return _either(it, isinstance(value, Unknown), paths, frame)


def _either(it: Interpreter, is_unsure: bool, paths: list[tuple[ast.expr, bool, ast.expr | None]], frame: Frame) -> Any:
    """The join of expressions of which one is evaluated: each with the condition that leads to it."""
    values: list[Any] = []

    def path(test: ast.expr, holds: bool, body: ast.expr | None) -> Any:
        def run() -> bool:
            if body is not None:
                values.append(evaluate_if(it, test, holds, body, frame))
            return True

        return run

    it.unsure += is_unsure
    try:
        it.branch(frame, [path(*p) for p in paths])
    finally:
        it.unsure -= is_unsure
    return join_all(values)


def _bool_op(it: Interpreter, node: ast.BoolOp, frame: Frame) -> Any:
    """`and` and `or`: the operands up to the one that decides."""
    is_and = isinstance(node.op, ast.And)
    value = it.evaluate(node.values[0], frame)
    return _rest_of_bool_op(it, node, 0, value, is_and, frame)


def _rest_of_bool_op(it: Interpreter, node: ast.BoolOp, i: int, value: Any, is_and: bool, frame: Frame) -> Any:
    """The result from operand `i` on, which has this value."""
    if i == len(node.values) - 1:
        return value
    known = it.truth(value, node.values[i])
    if known is not None:
        if known is not is_and:
            return value
        following = it.evaluate(node.values[i + 1], frame)
        return _rest_of_bool_op(it, node, i + 1, following, is_and, frame)
    rest = node.values[i + 1]
    if i + 1 < len(node.values) - 1:
        rest = ast.copy_location(ast.BoolOp(node.op, node.values[i + 1 :]), rest)
    # Where this operand decides, the rest is not evaluated, and has no effect.
    paths = [(node.values[i], is_and, rest), (node.values[i], not is_and, None)]
    return join(_part(it, value, not is_and), _either(it, isinstance(value, Unknown), paths, frame))


def _part(it: Interpreter, value: Any, holds: bool) -> Any:
    """Of a value whose truth is not known what is left of it if that is known to be true, or false."""
    if isinstance(value, ScalarValue) and value.kinds == (bool,):
        return holds
    if isinstance(value, OneOf):
        with it.quietly():
            left = [v for v in value.values if it.truth(v, None) in (None, holds)]
        return join_all(left) if left else value
    return value


def _unary(it: Interpreter, node: ast.UnaryOp, frame: Frame) -> Any:
    value = it.evaluate(node.operand, frame)
    if isinstance(node.op, ast.Not):
        known = it.truth(value, node.operand)
        if known is None:
            return it.unknown(value.why) if isinstance(value, Unknown) else ScalarValue(bool)
        return not known
    return it.unary({ast.USub: "neg", ast.UAdd: "pos", ast.Invert: "invert"}[type(node.op)], value, node)


def _binary(it: Interpreter, node: ast.BinOp, frame: Frame) -> Any:
    left = it.evaluate(node.left, frame)
    return it.binary(OPERATORS[type(node.op).__name__], left, it.evaluate(node.right, frame), node)


_COMPARISONS: Final = {
    ast.Eq: "eq", ast.NotEq: "ne", ast.Lt: "lt", ast.LtE: "le", ast.Gt: "gt", ast.GtE: "ge",
    ast.Is: "is_", ast.IsNot: "is_not", ast.In: "in", ast.NotIn: "not_in",
}  # fmt: skip


def _compare(it: Interpreter, node: ast.Compare, frame: Frame) -> Any:
    left = it.evaluate(node.left, frame)
    result: Any = MISSING
    for operator, comparator in zip(node.ops, node.comparators):
        right = it.evaluate(comparator, frame)
        one = it.binary(_COMPARISONS[type(operator)], left, right, node)
        if result is MISSING:
            result = one
        else:  # a < b < c is `a < b and b < c`
            known = it.truth(result, node)
            result = one if known else result if known is False else join(_part(it, result, False), one)
        left = right
        if result is False:
            break
    return result


def _call(it: Interpreter, node: ast.Call, frame: Frame) -> Any:
    if isinstance(node.func, ast.Name) and node.func.id == "super" and not node.args:
        return _super(it, frame)
    function = it.evaluate(node.func, frame)
    args: list[Any] = []
    kwargs: dict[str, Any] = {}
    bad: Any = None
    for argument in node.args:
        if isinstance(argument, ast.Starred):
            items, one = it.iterate(it.evaluate(argument.value, frame), argument)
            if items is None:
                bad = it.unknown("a call with a star of unknown length")
                args.append(one)
            else:
                args += items
        else:
            args.append(it.evaluate(argument, frame))
    for keyword in node.keywords:
        value = it.evaluate(keyword.value, frame)
        if keyword.arg is not None:
            kwargs[keyword.arg] = value
        elif isinstance(value, DictValue) and value.items is not None:
            kwargs.update({k: v for k, v in value.items.items() if isinstance(k, str)})
        else:
            bad = it.unknown("a call with ** of unknown names")
            args.append(value)
    if bad is not None:
        it.engines.escape(it, [function, *args, *kwargs.values()])
        return bad
    it.chain.append((frame.function.name if frame.function else "", frame.module, node))
    try:
        return it.call(function, args, kwargs, node)
    finally:
        it.chain.pop()


def _super(it: Interpreter, frame: Frame) -> Any:
    inner: Frame | None = frame
    while inner is not None and (inner.function is None or inner.function.owner is None):
        inner = inner.parent
    if inner is None or inner.function is None or inner.function.owner is None or inner.receiver is MISSING:
        return it.unknown("super() outside of a method")
    return SuperValue(inner.function.owner, inner.receiver)


def _formatted(it: Interpreter, node: ast.JoinedStr, frame: Frame) -> Any:
    parts: list[str] = []
    exact = True
    for part in node.values:
        if isinstance(part, ast.Constant):
            parts.append(str(part.value))
            continue
        assert isinstance(part, ast.FormattedValue)
        value = it.evaluate(part.value, frame)
        specification = "" if part.format_spec is None else it.evaluate(part.format_spec, frame)
        if part.conversion == -1 and isinstance(specification, str) and not specification.startswith("$"):
            _refuse_format(it, value, specification, part)
        if isinstance(value, str | int | float) and isinstance(specification, str) and part.conversion == -1:
            try:
                parts.append(format(value, specification))
                continue
            except (ValueError, TypeError) as error:
                it.fail(part, "array-call", f"{type(error).__name__}: {error}")
        exact = False
    return "".join(parts) if exact else ScalarValue(str)


def _refuse_format(it: Interpreter, value: Any, specification: str, node: ast.AST) -> None:
    """A format such as `:.3f` is for a number: of an array only rank 0 has one, and a tracer has no value yet."""
    if not specification:
        return
    if isinstance(value, ArrayValue):
        if value.aval.shape:
            message = f"an array of shape {value.aval.shape} cannot be formatted by {specification!r}; only rank 0 can"
            it.fail(node, "array-shape", message)
        elif value.traced and value.aval.shape is not None:
            message = f"a tracer {value.aval} cannot be formatted by {specification!r}; use jax.debug.print"
            it.fail(node, "array-traced", message)
    elif isinstance(value, NumPyValue):
        if value.shape:
            message = f"an array of shape {value.shape} cannot be formatted by {specification!r}; only rank 0 can"
            it.fail(node, "array-shape", message)
    elif value is None or type(value) is tuple or isinstance(value, ListValue | DictValue | SetValue):
        message = f"TypeError: unsupported format string passed to {kind_name(value)}: {specification!r}"
        it.fail(node, "array-call", message)


def _walrus(it: Interpreter, node: ast.NamedExpr, frame: Frame) -> Any:
    value = it.evaluate(node.value, frame)
    assert isinstance(node.target, ast.Name)
    bind_name(it, frame.function_frame(), node.target.id, value)
    return value


def _starred(it: Interpreter, node: ast.Starred, frame: Frame) -> Any:
    items, element = it.iterate(it.evaluate(node.value, frame), node)
    return tuple(items) if items is not None else element


def _slice(it: Interpreter, node: ast.Slice, frame: Frame) -> Any:
    return slice(*(None if part is None else it.evaluate(part, frame) for part in (node.lower, node.upper, node.step)))


def _attribute(it: Interpreter, node: ast.Attribute, frame: Frame) -> Any:
    return it.get_attribute(it.evaluate(node.value, frame), node.attr, node)


def _subscript(it: Interpreter, node: ast.Subscript, frame: Frame) -> Any:
    owner = it.evaluate(node.value, frame)
    return it.get_item(owner, it.evaluate(node.slice, frame), node)


def _await(it: Interpreter, node: ast.Await, frame: Frame) -> Any:
    return it.evaluate(node.value, frame)


def _yield(it: Interpreter, node: ast.Yield, frame: Frame) -> Any:
    value = None if node.value is None else it.evaluate(node.value, frame)
    function = frame.function_frame()
    if function.yields is not None:
        it.call(it.get_attribute(function.yields, "append", node), [value], {}, node)
    return Unknown("what is sent to a generator")


def _yield_from(it: Interpreter, node: ast.YieldFrom, frame: Frame) -> Any:
    value = it.evaluate(node.value, frame)
    function = frame.function_frame()
    if function.yields is not None:
        it.call(it.get_attribute(function.yields, "extend", node), [value], {}, node)
    return it.unknown("what a generator returns")


def _generator(it: Interpreter, node: ast.GeneratorExp, frame: Frame) -> IteratorValue:
    return generator(it, node, frame)


def _lambda(it: Interpreter, node: ast.Lambda, frame: Frame) -> FunctionValue:
    return define_lambda(it, node, frame)


_EVALUATE: Final[dict[type, Any]] = {
    ast.Constant: _constant, ast.Name: _name, ast.Tuple: _tuple, ast.List: _list, ast.Set: _set, ast.Dict: _dict,
    ast.Lambda: _lambda, ast.IfExp: _if, ast.BoolOp: _bool_op, ast.UnaryOp: _unary, ast.BinOp: _binary,
    ast.Compare: _compare, ast.Call: _call, ast.JoinedStr: _formatted, ast.NamedExpr: _walrus,
    ast.Starred: _starred, ast.Slice: _slice, ast.Attribute: _attribute, ast.Subscript: _subscript,
    ast.Await: _await, ast.Yield: _yield, ast.YieldFrom: _yield_from, ast.ListComp: list_comprehension,
    ast.SetComp: set_comprehension, ast.DictComp: dict_comprehension, ast.GeneratorExp: _generator,
}  # fmt: skip

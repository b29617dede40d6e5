"""What the rules of a function with derivatives of its own give, held against what JAX takes of them.

They are followed for the types of a call, and count where that call is certainly differentiated.

Source: `_flatten_jvp`, `_flatten_fwd` and `_flatten_bwd` in jax/_src/custom_derivatives.py.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from mypy.nodes import ArgKind, CallExpr, Expression, FuncDef, LambdaExpr, NameExpr
from mypy.typeops import function_type
from mypy.types import (
    AnyType,
    CallableType,
    Instance,
    LiteralType,
    NoneType,
    TupleType,
    Type,
    TypeOfAny,
    get_proper_type,
)

from arraytyping.checker.derivative_sentences import (
    argument_cotangent_sentence,
    cotangents_sentence,
    forward_mode_sentence,
    pair_sentence,
    tangent_sentence,
)
from arraytyping.semantics.rules.dtype_kinds import ANY_FLOAT
from arraytyping_mypy.convert import arrays_of
from arraytyping_mypy.custom_rules import Rules
from arraytyping_mypy.features.applied import arrayed, mapped_leaves, traced
from arraytyping_mypy.features.paired_trees import (
    array_pairs,
    dtypes_differ,
    node_of,
    shapes_differ,
    structure_differences,
)
from arraytyping_mypy.features.stacking import is_plain_array
from arraytyping_mypy.features.tangents import tangent
from arraytyping_mypy.records import Differentiated, Refused
from arraytyping_mypy.session import Session

__all__ = ["is_alike", "is_by_another_rule", "note_call", "refused_by", "refused_derivative"]

_FORWARDS: Final = ("jvp", "jacfwd")
"""What differentiates forwards."""

_BACKWARDS: Final = ("grad", "value_and_grad", "jacrev", "jacobian", "filter_grad", "filter_value_and_grad")


def note_call(
    definition: FuncDef, call: CallExpr, positional: Sequence[Type], named: Mapping[str, Type], session: Session
) -> Type | None:
    """Note what happens to a call of a function with derivatives of its own where it is differentiated.

    What the call gives there, which the rule says, and not the function.
    """
    rules = _rules(definition, session)
    names = [a.variable.name for a in definition.arguments]
    arguments = session.following.arguments_of(call)
    if rules is None or any(k not in (ArgKind.ARG_POS, ArgKind.ARG_NAMED) for k in call.arg_kinds):
        return None
    found = _differentiated(rules, positional, named, session)
    if found is None or len(arguments) != len(call.args):
        return None
    nondiff = {names[n] for n in rules.nondiff if n < len(names)}
    given = [(n or names[i], e) for i, (n, e) in enumerate(zip(call.arg_names, arguments)) if n or i < len(names)]
    by: tuple[Expression, ...] = tuple(e for n, e in given if n not in nondiff)
    session.following.note_custom(call, found._replace(by=by))
    return found.result


def refused_derivative(
    kind: str, function: Type, positional: Sequence[Type], numbers: Sequence[int], session: Session
) -> Refused | None:
    """What is wrong where a function with derivatives of its own is differentiated itself."""
    rules = _rules_of(function, session)
    by = [] if rules is None else [n for n in numbers if n < len(positional) and n not in rules.nondiff]
    if rules is None or not any(_is_float(positional[n], session) for n in by):
        return None
    found = _differentiated(rules, positional, {}, session)
    return None if found is None else refused_by(kind, found)


def is_by_another_rule(function: Type, result: Type, positional: Sequence[Type], session: Session) -> bool:
    """Whether a function with derivatives of its own has a rule that gives something else than the function.

    Where it is differentiated itself, its result is that of the rule.
    """
    rules = _rules_of(function, session)
    found = None if rules is None else _differentiated(rules, positional, {}, session)
    return found is not None and found.result is not None and not is_alike(result, found.result, session)


def is_alike(result: Type, by_rule: Type, session: Session) -> bool:
    """Whether a function may give what its rule gives in its place, which JAX compares only in a jitted function."""
    if next(structure_differences(result, by_rule, session), None) is not None:
        return False
    return not any(
        all(shapes_differ(a, b) or dtypes_differ(a, b, session) for a in one for b in other)
        for _, one, other in array_pairs(result, by_rule, session)
    )


def refused_by(kind: str, found: Differentiated, *, is_result: bool = True) -> Refused | None:
    """What is wrong with one way to differentiate a function; backwards only if the result hangs on it."""
    if found.at_call is not None:
        return found.at_call
    if found.forwards is not None and kind in _FORWARDS:
        return Refused(forward_mode_sentence(kind, found.forwards), "array-call", TypeError)
    return found.backwards if is_result and kind in _BACKWARDS else None


def _rules_of(function: Type, session: Session) -> Rules | None:
    """The rules of a function that is given by its type."""
    p = get_proper_type(function)
    definition = p.definition if isinstance(p, CallableType) else None
    return _rules(definition, session) if isinstance(definition, FuncDef) else None


def _rules(definition: FuncDef, session: Session) -> Rules | None:
    original = session.following.original(definition)
    return session.custom_rules.of(original) if isinstance(original, FuncDef) else None


def _differentiated(
    rules: Rules, positional: Sequence[Type], named: Mapping[str, Type], session: Session
) -> Differentiated | None:
    """What happens where a call with these arguments is differentiated; None if it is not known."""
    given = _resolved(rules.function, positional, named)
    if given is None or any(n >= len(given) for n in rules.nondiff):
        return None
    static = [given[n] for n in rules.nondiff]
    inside = [t if n in rules.nondiff else _inside(t, session) for n, t in enumerate(given)]
    others = [t for n, t in enumerate(inside) if n not in rules.nondiff]
    if rules.kind == "custom_jvp":
        tangents = [tangent(t, session) for t in others]
        pair = _given(rules.rules[0], [*static, _tuple(others, session), _tuple(tangents, session)], session)
        refused = _refused_pair(rules, pair, session) or _refused_tangent(rules, pair, session)
        return Differentiated(_first(pair), refused, None, None)
    pair = _given(rules.rules[0], inside, session)
    refused = _refused_pair(rules, pair, session)
    parts = None if pair is None else get_proper_type(pair)
    backwards = None
    if refused is None and isinstance(parts, TupleType) and len(parts.items) == 2:
        out, residuals = (_inside(t, session) for t in parts.items)
        cotangents = _given(rules.rules[1], [*static, residuals, tangent(out, session)], session)
        names = [a.variable.name for n, a in enumerate(rules.function.arguments) if n not in rules.nondiff]
        backwards = _refused_cotangents(rules, dict(zip(names, others)), cotangents, session)
    return Differentiated(_first(pair), refused, backwards, rules.function.name)


def _resolved(function: FuncDef, positional: Sequence[Type], named: Mapping[str, Type]) -> list[Type] | None:
    """The types of all arguments in their order, of defaults too, as JAX finds them; None if they do not fit."""
    if any(a.kind.is_star() for a in function.arguments) or len(positional) > len(function.arguments):
        return None
    found = list(positional)
    for argument in function.arguments[len(positional) :]:
        if argument.variable.name in named:
            found.append(named[argument.variable.name])
        elif argument.initializer is not None:
            found.append(_any())
        else:
            return None
    return found


def _inside(t: Type, session: Session) -> Type:
    """The type of what a rule is given: it may be an array or a number where a number was given."""

    def leaf(one: Type) -> Type:
        p = get_proper_type(one)
        return one if is_plain_array(p) or isinstance(p, NoneType) else _any()

    return mapped_leaves(traced(t, session), leaf, session)


def _given(rule: Expression | FuncDef, types: Sequence[Type], session: Session) -> Type | None:
    """What a rule gives for these types; None if it is not known."""
    function: Type | None = None
    if isinstance(rule, LambdaExpr):
        stored = session.stored(rule)
        function = None if stored is None else session.following.function(rule, stored)
    else:
        definition = rule.node if isinstance(rule, NameExpr) else rule
        if isinstance(definition, FuncDef) and not session.bindings.rebindings(definition):
            function = function_type(definition, session.api.named_generic_type("builtins.function", []))
    return session.following.aside(function, types) if isinstance(function, CallableType) else None


def _refused_pair(rules: Rules, pair: Type | None, session: Session) -> Refused | None:
    node = None if pair is None else node_of(pair, session)
    if node is None or (node.kind in ("a tuple", "a list") and node.parts in (None, 2)):
        return None
    message = pair_sentence(rules.kind, _name(rules.rules[0]), rules.function.name, node)
    return Refused(message, "array-tree", TypeError)


def _first(pair: Type | None) -> Type | None:
    p = None if pair is None else get_proper_type(pair)
    return p.items[0] if isinstance(p, TupleType) and len(p.items) == 2 else None


def _refused_tangent(rules: Rules, pair: Type | None, session: Session) -> Refused | None:
    """What is wrong with the tangent that the rule of a `custom_jvp` gives."""
    p = None if pair is None else get_proper_type(pair)
    if not isinstance(p, TupleType) or len(p.items) != 2:
        return None
    out, along = (arrayed(traced(t, session), session) for t in p.items)
    name, function = _name(rules.rules[0]), rules.function.name
    for path, one, other in structure_differences(out, along, session):
        return Refused(tangent_sentence(name, function, f"{one}{path}", other), "array-tree", TypeError)
    for path, results, given in array_pairs(out, along, session):
        of_shape = all(shapes_differ(a, b) for a in results for b in given)
        floats = all(_is_float_dtype(a.dtype) for a in results)
        if of_shape or (
            floats and all(shapes_differ(a, b) or dtypes_differ(a, b, session) for a in results for b in given)
        ):
            message = tangent_sentence(name, function, f"{results[0]}{path}", given[0])
            return Refused(message, "array-shape" if of_shape else "array-dtype", TypeError)
    return None


def _refused_cotangents(
    rules: Rules, arguments: Mapping[str, Type], given: Type | None, session: Session
) -> Refused | None:
    """What is wrong with what the backward rule of a `custom_vjp` gives."""
    node = None if given is None else node_of(given, session)
    if node is None or given is None:
        return None
    name, function = _name(rules.rules[1]), rules.function.name
    is_sequence = node.kind in ("a tuple", "a list")
    if not is_sequence or (node.parts is not None and node.parts != len(arguments)):
        return Refused(cotangents_sentence(name, function, len(arguments), node), "array-tree", TypeError)
    p = get_proper_type(given)
    if not isinstance(p, TupleType) or not session.custom_rules.are_compared:
        return None
    for (argument, t), cotangent in zip(arguments.items(), p.items):
        one, other = _inside(t, session), arrayed(traced(cotangent, session), session)
        for path, of, shapes in array_pairs(one, other, session):
            if all(_is_float_dtype(a.dtype) for a in of) and all(shapes_differ(a, b) for a in of for b in shapes):
                message = argument_cotangent_sentence(name, function, f"{argument}{path}", of[0], shapes[0])
                return Refused(message, "array-shape", ValueError)
    return None


def _is_float(t: Type, session: Session) -> bool:
    """Whether a type certainly is that of an array or a number by which is differentiated."""
    p = get_proper_type(t)
    p = p.fallback if isinstance(p, LiteralType) else p
    if isinstance(p, Instance) and p.type.fullname == "builtins.float":
        return p.last_known_value is None or isinstance(p.last_known_value.value, float)
    arrays = arrays_of(p, session) if is_plain_array(p) else []
    return bool(arrays) and all(_is_float_dtype(a.dtype) for a in arrays)


def _is_float_dtype(dtype: str | None) -> bool:
    return dtype == "float" or dtype in ANY_FLOAT


def _name(rule: Expression | FuncDef) -> str:
    if isinstance(rule, NameExpr | FuncDef):
        return rule.name
    return "<lambda>"


def _tuple(items: list[Type], session: Session) -> Type:
    return TupleType(items, session.api.named_generic_type("builtins.tuple", [_any()]))


def _any() -> AnyType:
    return AnyType(TypeOfAny.special_form)

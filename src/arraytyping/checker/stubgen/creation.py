"""Functions that make arrays: of a shape, of other arrays, of values."""

from __future__ import annotations

from typing import Any, Final

from arraytyping.checker.stubgen.answers import ERROR, Answer, Python, Rules
from arraytyping.checker.stubgen.dtype_arguments import GIVEN, asked_for, python_types
from arraytyping.checker.stubgen.nodes import SCALAR_KINDS
from arraytyping.checker.stubgen.operands import NUMPY_LIKE, Form
from arraytyping.checker.stubgen.reductions import required, without
from arraytyping.checker.stubgen.spelling import annotation, in_order, python_type, result
from arraytyping.checker.stubgen.surface import Parameter, Signature
from arraytyping.semantics.avals import UNKNOWN
from arraytyping.semantics.rules.evaluation import BindError, evaluate
from arraytyping.semantics.rules.table import RULES

__all__ = ["CREATION", "creation_forms"]

SHAPES: Final = (("_Shape", "_Shape"), ("_N1", "tuple[_N1]"))
"""Annotations of a shape, and the shape of the result; `_Shape` is a type variable bound to `tuple[int, ...]`."""

OF_SHAPE: Final = ("zeros", "ones", "empty")
FILLED: Final = ("full",)
LIKE: Final = ("zeros_like", "ones_like", "empty_like", "full_like")
OF_NUMBERS: Final = ("eye", "identity", "tri", "linspace", "logspace", "geomspace", "arange", "indices")
OF_VALUES: Final = ("array", "asarray")
ONE_DIMENSION_EACH: Final = ("numpy.arange", "numpy.eye", "numpy.identity", "numpy.tri")
"""Those that take no arrays but of one item, and so have one rank whatever they are given."""
CREATION: Final = frozenset(
    (
        "lax.full",
        "lax.full_like",
        "lax.empty",
        *(f"numpy.{n}" for n in (*OF_SHAPE, *FILLED, *LIKE, *OF_NUMBERS, *OF_VALUES)),
    )
)
"""The functions that this module writes."""


def creation_forms(rules: Rules, rule: str, signature: Signature) -> list[Form] | None:
    """The overloads of one of them; None if the rules do not determine a dtype."""
    name = rule.rpartition(".")[2]
    if rule not in RULES:
        return None
    if name in OF_SHAPE:
        return _of_shape(rules, rule, signature, ((3,),))
    if name in FILLED:
        return _filled(rules, rule, signature)
    if name in LIKE:
        return _like(rules, rule, signature)
    if name in OF_VALUES:
        return _of_values(rules, rule, signature)
    return _of_numbers(rules, rule, signature)


def _answer(rules: Rules, rule: str, args: tuple[Any, ...]) -> Answer:
    promotion = rules.nodes.promotion(())
    outcome = evaluate(rule, [promotion], args, {})
    return None if outcome.error else rules.nodes.node(outcome.value, promotion)


def _of_shape(rules: Rules, rule: str, signature: Signature, args: tuple[Any, ...]) -> list[Form]:
    """`zeros(shape, dtype)`: the default dtype, or the one that is asked for."""
    assert asked_for(rules, rule, args)
    first = signature.parameters[0].name
    forms: list[Form] = []
    has_default = all(p.name != "dtype" for p in signature.required)
    for sizes, shape in SHAPES:
        for dtype, said in GIVEN:
            asked = {first: sizes, "dtype": dtype}
            forms.append((signature.annotated(asked, {"dtype": None}), f"Array[{said}, {shape}]"))
        if has_default:
            asked = {first: sizes, "dtype": "None"}
            forms.append((signature.annotated(asked), result(_answer(rules, rule, args), shape)))
    for dtype, said in GIVEN:
        forms.append((signature.annotated({"dtype": dtype}, {"dtype": None}), f"Array[{said}, SomeShape]"))
    if has_default:
        forms.append((signature.annotated({"dtype": "None"}), result(_answer(rules, rule, args))))
    for python, answer in python_types(rules, rule, args):
        forms.append((signature.annotated({"dtype": python}, {"dtype": None}), result(answer)))
    return [*forms, (signature, "Array[Any, SomeShape]")]


def _filled(rules: Rules, rule: str, signature: Signature) -> list[Form]:
    """`full(shape, value, dtype)`: the dtype of the value where none is asked for."""
    value = signature.parameters[1].name
    forms: list[Form] = []
    for sizes, shape in SHAPES:
        for dtype, said in GIVEN:
            asked = {signature.parameters[0].name: sizes, "dtype": dtype}
            forms.append((signature.annotated(asked, {"dtype": None}), f"Array[{said}, {shape}]"))
    for kind in SCALAR_KINDS:
        answer = _answer(rules, rule, (UNKNOWN, rules.nodes.scalar(kind)))
        if kind == "bool":
            forms.append((signature.annotated({value: NUMPY_LIKE}), "Array[Any, SomeShape]"))
        for sizes, shape in SHAPES:
            asked = {signature.parameters[0].name: sizes, value: python_type(kind), "dtype": "None"}
            forms.append((signature.annotated(asked), result(answer, shape)))
    return [*forms, (signature, "Array[Any, SomeShape]")]


def _like(rules: Rules, rule: str, signature: Signature) -> list[Form]:
    """`zeros_like(x, dtype, shape)`: the array's dtype and shape where no others are asked for."""
    first = signature.parameters[0].name
    rest = tuple(UNKNOWN for _ in range(len(signature.required) - 1))
    promotion = rules.nodes.promotion(())
    array = rules.nodes.array("float32", promotion)
    assert asked_for(rules, rule, (array, *rest))
    kept = {}
    for node in rules.nodes.names:
        promotion = rules.nodes.promotion([node])
        outcome = evaluate(rule, [promotion], [rules.nodes.array(node, promotion), *rest], {})
        kept[node] = ERROR if outcome.error else rules.nodes.node(outcome.value, promotion)
    forms: list[Form] = []
    shaped = {first: "Array[Any, _S]", "shape": "None"}
    forms += [(_with_dtype(signature.annotated(shaped), dtype), f"Array[{said}, _S]") for dtype, said in GIVEN]
    lost = [n for n, a in kept.items() if a != n]
    plain = {first: "Array[_D, _S]", "shape": "None", "dtype": "None"}
    if not lost:
        forms.append((signature.annotated(plain), "Array[_D, _S]"))
    else:
        weak = annotation(in_order(lost, rules.nodes), "_S")
        forms.append((signature.annotated({**plain, first: "Array[NoDType, _S]"}), "Array[Any, _S]"))
        forms.append((signature.annotated({**plain, first: weak}), "Array[Any, _S]"))
        forms.append((signature.annotated(plain), "Array[_D, _S]"))
    forms.append((signature.annotated({first: "Array[Any, _S]", "shape": "None"}), "Array[Any, _S]"))
    return [*forms, (signature, "Array[Any, SomeShape]")]


def _with_dtype(signature: Signature, dtype: str) -> Signature:
    """With `dtype` required, and whatever comes after it by keyword only."""
    before: list[Parameter] = []
    after: list[Parameter] = []
    for p in signature.parameters:
        if p.name == "dtype":
            before.append(Parameter("dtype", p.kind, dtype))
        elif any(b.name == "dtype" for b in before) or p.default is not None:
            after.append(Parameter(p.name, "keyword" if p.kind == "either" else p.kind, p.annotation, p.default))
        else:
            before.append(p)
    return Signature((*before, *after), signature.result)


def _of_values(rules: Rules, rule: str, signature: Signature) -> list[Form]:
    """`asarray(x, dtype)`: the dtype that is asked for, or that of an array or Python scalar."""
    first = signature.parameters[0].name
    array = rules.nodes.array("float32", rules.nodes.promotion(()))
    assert asked_for(rules, rule, (array,))
    assert all(rules.answer(rule, [n]) == n for n in rules.nodes.names)
    scalars = [(kind, rules.answer(rule, [Python(kind)])) for kind in SCALAR_KINDS]
    rows = [("Array[Any, _S]", "_S"), ("complex", "tuple[()]"), ("Any", "SomeShape")]
    plain = Signature(tuple(p for p in signature.parameters if p.name != "ndmin"), signature.result)
    forms: list[Form] = [
        (_with_dtype(plain.annotated({first: a}), dtype), f"Array[{said}, {s}]")
        for a, s in rows
        for dtype, said in GIVEN
    ]
    none = {"dtype": "None"}
    forms.append((plain.annotated({first: "Array[_D, _S]", **none}), "Array[_D, _S]"))
    forms.append((plain.annotated({first: NUMPY_LIKE, **none}), "Array[Any, SomeShape]"))
    for kind, answer in scalars:
        said = None if answer == ERROR else answer
        forms.append((plain.annotated({first: python_type(kind), **none}), result(said, "tuple[()]")))
    return [*forms, (signature, "Array[Any, SomeShape]")]


def _of_numbers(rules: Rules, rule: str, signature: Signature) -> list[Form] | None:
    """`arange`, `linspace`, `eye` and their kin: numbers decide the dtype where none is asked for."""
    names = [p.name for p in signature.required]
    numbers: tuple[Any, ...] = tuple(rules.nodes.scalar("int") for _ in names)
    if not asked_for(rules, rule, numbers):
        return None
    shape = _of_rank(rules, rule, len(names))
    # `linspace` of arrays has their dimensions, too.
    of_any = shape if rule in ONE_DIMENSION_EACH else "SomeShape"
    forms: list[Form] = [(required(signature, {"dtype": dtype}), f"Array[{said}, {of_any}]") for dtype, said in GIVEN]
    last = (signature, f"Array[Any, {of_any}]")
    if rule == "numpy.indices":
        return [*forms, last]
    forms += _sized(rules, rule, signature)
    if of_any == "SomeShape":  # an argument of type `Any` may be an array
        forms += [(required(signature, {name: "Nobody"}), "Array[Any, SomeShape]") for name in names]
    operands = ("start", "stop", "step") if rule == "numpy.arange" else tuple(names)
    for kind in SCALAR_KINDS[1:3]:
        every = {_answer(rules, rule, tuple(rules.nodes.scalar(kind) for _ in names))}
        if rule == "numpy.arange":
            every |= {_answer(rules, rule, tuple(rules.nodes.scalar(kind) for _ in range(n))) for n in (1, 2, 3)}
        answer = every.pop() if len(every) == 1 else None
        asked = {n: python_type(kind) for n in operands} | {"dtype": "None"}
        for p in signature.parameters:
            if p.name in operands and p.default == "None":
                asked[p.name] = f"{python_type(kind)} | None"
        forms.append((signature.annotated(asked), result(answer, shape)))
    return [*forms, last]


def _sized(rules: Rules, rule: str, signature: Signature) -> list[Form]:
    """`arange(n)`, `eye(n)`: the size is the number.

    The other parameters that count are left out, not of type `None`: where such an argument is of type `Any`, mypy
    and pyright would take nothing of what they know if two overloads fit it.
    """
    first, *others = signature.parameters
    free = [p.name for p in others if p.name in ("dtype", "device", "out_sharding", "k")]
    sizes = [
        _shape(rules, rule, (n,), {"k": k} if "k" in free else {}) == (n,) * rank
        for n in (0, 1, 2, 5)
        for k in (0, 1, -2)
        for rank in [_rank(rules, rule, 1) or 0]
    ]
    if not all(sizes):
        return []
    rank = _rank(rules, rule, 1) or 0
    plain = without(signature, [p.name for p in others if p.name not in free])
    shape = f"tuple[{', '.join(['_N1'] * rank)}]"
    answer = _answer(rules, rule, (rules.nodes.scalar("int"),))
    return [(plain.annotated({first.name: "_N1", "dtype": "None"}), result(answer, shape))]


def _of_rank(rules: Rules, rule: str, count: int) -> str:
    """The shape of what numbers make, of which the rank alone is known."""
    rank = _rank(rules, rule, count)
    return "SomeShape" if rank is None else f"tuple[{', '.join(['int'] * rank)}]"


def _rank(rules: Rules, rule: str, count: int) -> int | None:
    """The rank of what so many numbers make; None if it is not the same for all."""
    found = {
        None if made is None else len(made)
        for numbers in ((5, 9, 2), (1, 1, 1), (0, 3, 1))
        for made in [_shape(rules, rule, numbers[:count], {})]
    }
    return found.pop() if len(found) == 1 else None


def _shape(rules: Rules, rule: str, numbers: tuple[int, ...], rest: dict[str, Any]) -> tuple[Any, ...] | None:
    try:
        outcome = evaluate(rule, [rules.nodes.promotion(())], numbers, rest)
    except BindError:
        return None
    return None if outcome.error else getattr(outcome.value, "shape", None)

"""Functions and methods of which the rules determine the dtype, as overloads.

Which parameters count is asked of the rules, too: a parameter that changes the answer when nothing is known of it is
kept at its default in the overloads that say a dtype, and one more overload, for any arguments, says nothing.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, Final

from arraytyping.checker.stubgen.answers import ERROR, Answer, Operand, Python, Rules
from arraytyping.checker.stubgen.clipping import CLIPPING, clip_forms
from arraytyping.checker.stubgen.lists import LISTED, kept_of_lists, list_forms
from arraytyping.checker.stubgen.matching import Overload
from arraytyping.checker.stubgen.nodes import SCALAR_KINDS
from arraytyping.checker.stubgen.overloads import TypeVariables, array_pairs, by_scalar, single
from arraytyping.checker.stubgen.reductions import permuted_forms, reduction_forms
from arraytyping.checker.stubgen.spelling import (
    Joining,
    LowerBound,
    OneOf,
    Pattern,
    PythonScalar,
    Same,
    UpperBound,
    annotation,
    joined,
    python_type,
    result,
)
from arraytyping.checker.stubgen.surface import Parameter, Signature
from arraytyping.semantics.avals import UNKNOWN, NumPyArray, ShapedArray
from arraytyping.semantics.promotion.jax import JaxPromotion
from arraytyping.semantics.rules.evaluation import BindError, evaluate
from arraytyping.semantics.rules.table import RULES

__all__ = ["OF_SHAPE", "Calls", "Form"]

ANY_ARRAY: Final = "Array[Any, SomeShape]"
SELF: Final = "_ArrayOf"
OF_SHAPE: Final = "_ArrayOfShape"
"""An array as an operand whose shape is the other's: invariant in the shape, where `Array` takes a wider one, too.

Of `Array`, mypy would take a call as this operand (`x + jnp.zeros((2, 3))`) for whatever `x` asks for: no overload of
the call gives `x`'s shape, so it tries the last one, and an unknown shape is accepted as every shape.
"""
NUMPY_LIKE: Final = "NumPyLike | SupportsJAXArray"  # np.float64 is a float, but no weak type: these come first
"""What JAX makes an array of, and no stub of ours says the dtype of."""

MOST: Final = 70
"""The most overloads that a function may need; past it nothing is said of two dtypes that differ."""

BEHIND: Final[dict[str, tuple[str, ...]]] = {
    "numpy.where": (),
    "numpy.einsum": ("optimize", "precision", "preferred_element_type"),
}
"""Functions whose two operands come after another argument, and the options that a call may give besides."""

Form = tuple[Signature, str]
"""One overload: its parameters and its result."""


@dataclass
class Calls:
    """Writes the overloads of functions and methods of one module."""

    rules: Rules
    variables: TypeVariables = field(init=False)

    def __post_init__(self) -> None:
        self.variables = TypeVariables(self.rules.nodes)

    def forms(
        self, rule: str, signature: Signature, *, method: bool = False, refusing: bool = False
    ) -> list[Form] | None:
        """The overloads of an operation; None if the rules do not determine its dtype.

        With `method` the first parameter is the array itself; with `refusing` no overload is for what the rule refuses.
        """
        if rule in CLIPPING and rule in RULES:
            return clip_forms(self.rules, self.variables, rule, signature, NUMPY_LIKE)
        required = _required(rule)
        if rule not in RULES or not required or not signature.parameters:
            return None
        if rule in BEHIND:
            return self._behind(rule, signature)
        others = len(required) - 1
        if self._column(rule, others, {}) is not None:
            joins_lists = not method and self._joins_lists(rule, others)
            if joins_lists and not self._takes_numbers(rule, others):
                return [*self._of_lists(rule, signature, others), (signature, ANY_ARRAY)]
            return self._unary(rule, signature, others, method, refusing, joins_lists)
        if len(required) >= 2 and signature.parameters[1].kind in ("positional", "either"):
            return self._binary(rule, signature, method)
        return None

    # One array decides.

    def _column(self, rule: str, others: int, rest: Mapping[str, Any]) -> dict[str, Answer] | None:
        """The answer for each dtype of the first parameter; None if there is hardly one."""
        found: dict[str, Answer] = {}
        for node in self.rules.nodes.names:
            try:
                found[node] = self._first(rule, node, others, rest)
            except BindError:
                return None
        return found if sum(a not in (None, ERROR) for a in found.values()) >= 2 else None

    def array(self, pattern: Pattern, shape: str, *, other: str = "_D", second: bool = False) -> str:
        """The annotation of a parameter other than `self`."""
        if isinstance(pattern, OneOf):
            return f"Array[{self.variables.bounded(pattern.members, second=second)}, {shape}]"
        return annotation(pattern, shape, other=other)

    def keeps_dtype(self, rule: str) -> bool:
        """Whether the result has the element of the first parameter, whatever the others are."""
        others = len(_required(rule)) - 1
        return all(self._first(rule, n, others, {}) == n for n in self.rules.nodes.names)

    def _first(self, rule: str, operand: Operand, others: int, rest: Mapping[str, Any]) -> Answer:
        """The answer where the first operand alone is known; the others may need x64 without its being told by it."""
        promotion = self.rules.promotion([operand])
        promotions = [promotion] if promotion.x64 or not others else [promotion, JaxPromotion("standard", x64=True)]
        found: set[Answer] = set()
        for p in promotions:
            outcome = evaluate(rule, [p], [self.rules.value(operand, p), *[UNKNOWN] * others], rest)
            found.add(ERROR if outcome.error is not None else self.rules.nodes.node(outcome.value, p))
        return found.pop() if len(found) == 1 else None

    def _unary(
        self, rule: str, signature: Signature, others: int, method: bool, refusing: bool, joins_lists: bool
    ) -> list[Form] | None:
        column = self._column(rule, others, {})
        assert column is not None
        fixed = self._deciding(rule, others)
        if not set(fixed) <= {p.name for p in signature.parameters}:
            return None
        free = {o: UNKNOWN for o in _options(rule) if o not in fixed}
        keeps = others == 0 and self.rules.keeps_shape(rule, (), free)
        array = SELF if method else "Array"
        variable = ("S" if method else "_S") if keeps else "Any"
        shape = variable if keeps else "SomeShape"
        first = signature.parameters[0].name
        narrow = _at_defaults(signature, fixed)
        rows = single(column, self.rules.nodes, self.variables)
        forms: list[Form] = []
        uniform = len(rows) == 1 and rows[0].same is None and rows[0].answer is not None
        if not uniform and rows[0].same is None:  # an unknown dtype is admitted everywhere, and stays unknown by `same`
            forms.append((narrow.annotated({first: f"{array}[NoDType, {variable}]"}), f"Array[Any, {shape}]"))
        reducing = [] if others else self.rules.reducing(rule, _options(rule))
        # For other arrays more is not worth the time that each overload takes.
        usual = next((row for row in rows if row.patterns[0].admits("float32")), None)
        for row in rows:
            said = _said(row, shape, method)
            left = partial(self._left, row.patterns[0], method=method, uniform=uniform)
            if row is usual and reducing:
                whole = _at_defaults(narrow, reducing)
                forms += reduction_forms(self.rules, rule, narrow, whole, left, partial(_said, row, method=method))
            elif row is usual and others == 0 and not keeps:
                fixed_shape = _at_defaults(narrow, _options(rule))
                plain = replace(fixed_shape, parameters=tuple(p for p in fixed_shape.parameters if p.kind != "*"))
                forms += permuted_forms(self.rules, rule, narrow, plain, left, partial(_said, row, method=method))
            forms.append((narrow.annotated({first: left(variable)}), said))
        if not method:
            forms += self._of_scalars(rule, narrow, first, others, keeps)
        last = "Self" if method else ("Any" if self._takes_lists(rule, others) else "ArrayLike")
        answer = (
            rows[0].answer if uniform and not fixed and self._same_for_scalars(rule, others, rows[0].answer) else None
        )
        keeps_others = not method and self._keeps_others(rule, others)
        fallback = (signature.annotated({first: last}), "Any" if keeps_others else result(answer))
        if joins_lists:  # first, since many a list fits none of the others
            any_list = (signature.annotated({first: "list[Any] | tuple[Any, ...]"}), fallback[1])
            forms = [*self._of_lists(rule, signature, others), any_list, *forms]
        if uniform and not fixed and not reducing and shape == "SomeShape" and (method or answer is not None):
            return [fallback]
        if refusing or (method and len(forms) == 1 and not fixed):
            return forms
        while forms and forms[-1][1] == fallback[1]:  # what the last one admits as well
            forms.pop()
        return [*forms, fallback]

    def _left(self, pattern: Pattern, shape: str, method: bool, uniform: bool) -> str:
        """The annotation of the first operand; where all dtypes have one result, of any dtype."""
        if not method:
            return f"Array[Any, {shape}]" if uniform else self.array(pattern, shape)
        if uniform or (isinstance(pattern, Same) and pattern.members is None):
            return "Self" if shape in ("Any", "S") else f"{SELF}[Any, {shape}]"
        return _of_self(pattern, shape)

    def _same_for_scalars(self, rule: str, others: int, answer: Answer) -> bool:
        return all(self._scalar(rule, kind, others) == answer for kind in SCALAR_KINDS)

    def _scalar(self, rule: str, kind: str, others: int) -> Answer:
        return self._first(rule, Python(kind), others, {})

    def _of_scalars(self, rule: str, narrow: Signature, first: str, others: int, keeps: bool) -> list[Form]:
        """The overloads of a Python scalar: one for the largest of each run of kinds with one result."""
        found = [(kind, self._scalar(rule, kind, others)) for kind in SCALAR_KINDS]
        shape = "tuple[()]" if keeps else "SomeShape"
        stays = isinstance(self._of(rule, NumPyArray((2, 2), "float32"), others), NumPyArray)
        forms: list[Form] = [(narrow.annotated({first: NUMPY_LIKE}), "Any" if stays else result(None))]
        for i, (kind, answer) in enumerate(found):
            if i + 1 < len(found) and found[i + 1][1] == answer:
                continue
            said = None if answer == ERROR else answer
            forms.append((narrow.annotated({first: python_type(kind)}), result(said, shape)))
        return forms

    def _deciding(self, rule: str, others: int) -> list[str]:
        """The options that change the dtype."""
        column = self._column(rule, others, {})
        return [o for o in _options(rule) if self._column(rule, others, {o: UNKNOWN}) != column]

    def _of_lists(self, rule: str, signature: Signature, others: int) -> list[Form]:
        """The overloads of a list of arrays that have one dtype."""
        fixed = self._deciding(rule, others)
        if not set(fixed) <= {p.name for p in signature.parameters}:
            return []
        return list_forms(_at_defaults(signature, fixed), self.variables.constrained(LISTED))

    def _joins_lists(self, rule: str, others: int) -> bool:
        """Whether a list of arrays is put together, as of `concatenate`; elsewhere it stands for one array."""
        return len(kept_of_lists(self.rules, rule, others)) == len(self.rules.nodes.names)

    def _takes_numbers(self, rule: str, others: int) -> bool:
        """Whether a list of numbers is accepted, as of `stack`."""
        promotion = self.rules.promotion(())
        return evaluate(rule, [promotion], [[1.0], *[UNKNOWN] * others], {}).error is None

    def _takes_lists(self, rule: str, others: int) -> bool:
        """Whether some list is accepted where an array is expected."""
        promotion = self.rules.promotion(())
        arrays = [[self.rules.nodes.array("float32", promotion, shape)] * 2 for shape in ((2,), (2, 2), (2, 2, 2))]
        return any(
            evaluate(rule, [promotion], [argument, *[UNKNOWN] * others], {}).error is None
            for argument in ([1.0], *arrays, tuple(arrays[1]))
        )

    def _keeps_others(self, rule: str, others: int) -> bool:
        """Whether a NumPy array stays one, or of several arrays something else than an array comes."""
        promotion = self.rules.promotion(())
        arrays = [self.rules.nodes.array("float32", promotion, shape) for shape in ((2,), (2, 2), (2, 2, 2))]
        tried = [NumPyArray((2, 2), "float32"), *((array, array) for array in arrays)]
        return any(not isinstance(self._of(rule, one, others), ShapedArray | None) for one in tried)

    def _of(self, rule: str, operand: Any, others: int) -> Any:
        """What an operand gives; None where it is refused."""
        outcome = evaluate(rule, [self.rules.promotion(())], [operand, *[UNKNOWN] * others], {})
        return None if outcome.error else outcome.value

    # Two operands decide.

    def _behind(self, rule: str, signature: Signature) -> list[Form]:
        """The overloads of a function whose two operands come after another argument; other calls are unknown."""
        first, *rest = signature.parameters
        x, y = (Parameter(name, "positional") for name in ("x", "y"))
        options = [p for p in rest if p.kind == "keyword" and p.name in BEHIND[rule]]
        asked = _at_defaults(Signature((first, x, y, *options)), [p.name for p in options])
        forms = self.operator_forms(rule, self.pairs(rule, UNKNOWN), asked, False, operands=(x.name, y.name))
        if rule == "numpy.einsum":  # scalars have no place in it
            forms = [(s.annotated({first.name: "str"}), said) for s, said in forms if _are_arrays(s.parameters[1:3])]
        said = "Any" if "|" in signature.result else signature.result.replace("Array", ANY_ARRAY)
        return [*forms, (signature, said)]

    def pairs(self, rule: str, *before: Any) -> dict[tuple[Operand, ...], Answer]:
        """The answers for two arrays, an array and a Python scalar in either order, and two scalars."""
        operands: list[Operand] = [*self.rules.nodes.names, *map(Python, SCALAR_KINDS)]
        others = 0 if before else len(_required(rule)) - 2
        table: dict[tuple[Operand, ...], Answer] = {}
        for a in operands:
            for b in operands:
                promotion = self.rules.promotion([a, b])
                two = [self.rules.value(o, promotion) for o in (a, b)]
                values = [*before, *two, *[UNKNOWN] * others]
                outcome = evaluate(rule, [promotion], values, {})
                table[a, b] = ERROR if outcome.error else self.rules.nodes.node(outcome.value, promotion)
        return table

    def _binary(self, rule: str, signature: Signature, method: bool) -> list[Form] | None:
        table = self.pairs(rule)
        if sum(a not in (None, ERROR) for a in table.values()) < 20:
            return None
        x, y = (p.name for p in signature.parameters[:2])
        fixed = [o for o in _options(rule) if self._changes(rule, o)]
        if not set(fixed) <= {p.name for p in signature.parameters}:
            return None
        narrow = _at_defaults(signature, fixed)
        forms = self.operator_forms(rule, table, narrow, method)
        if len(forms) > MOST:
            alike: dict[tuple[Operand, ...], Answer] = {(a, b): table[a, b] if a == b else None for a, b in table}
            forms = self.operator_forms(rule, alike, narrow, method)
        if fixed:
            others = f"{NUMPY_LIKE} | complex"
            both = {x: f"Array[_D, Any] | {others}", y: f"Array[_J, Any] | {others}"}
            forms.append((signature.annotated(both), ANY_ARRAY))
        return forms

    def _shaped(self, rule: str, row: Overload, signature: Signature, method: bool) -> list[Form]:
        """An overload of a binary operation with the shape that two known ones give, behind those of unknown ones.

        An unknown shape is admitted everywhere, so it is asked for first.  Nothing of this is said of joins that are
        neither operand's dtype, nor of weak arrays: each overload takes time at every operator.  Of a function nothing
        is said of equal shapes: a checker takes the union of two for the type variable of both.
        """
        second = row.patterns[1]
        if not isinstance(second, UpperBound | LowerBound) or getattr(second, "of", None) is not None:
            return []
        x, y = (p.name for p in signature.parameters[:2])
        dtype = "D" if method else getattr(row.patterns[0], "variable", "")

        def form(left: str, right: str, said: str, array: str = "Array") -> Form:
            first = self._left(row.patterns[0], left, method=method, uniform=False)
            other = annotation(second, right, other=dtype, array=array)
            return signature.annotated({x: first, y: other}), _said(row, said, method)

        if method and self.rules.keeps_equal_shapes(rule):
            return [form("Any", "NoShape", "SomeShape"), form("S", "S", "S", OF_SHAPE)]
        products = self.rules.products(rule) if row.patterns[0] == self.variables.same(None) else []
        if isinstance(second, LowerBound):
            products = products[:1]
        if products:
            unknown = [form("NoShape", "Any", "SomeShape"), form("Any", "NoShape", "SomeShape")]
            return [*unknown, *(form(left, right, said) for left, right, said in products)]
        return []

    def _changes(self, rule: str, option: str) -> bool:
        promotion = self.rules.promotion(())
        arrays = [self.rules.nodes.array(n, promotion) for n in ("float32", "float32")]
        values = [*arrays, *[UNKNOWN] * (len(_required(rule)) - 2)]
        plain, changed = (evaluate(rule, [promotion], values, rest).value for rest in ({}, {option: UNKNOWN}))
        return self.rules.nodes.node(plain, promotion) != self.rules.nodes.node(changed, promotion)

    def operator_forms(
        self,
        rule: str,
        table: Mapping[tuple[Operand, ...], Answer],
        signature: Signature,
        method: bool,
        *,
        arrays: bool = True,
        operands: tuple[str, str] | None = None,
    ) -> list[Form]:
        """The overloads of a binary operation, the guards first; without `arrays` those of scalars on the right.

        The operands are the first two parameters, unless they are named.
        """
        x, y = operands or (p.name for p in signature.parameters[:2])
        keeps = self.rules.keeps_shape(rule, [self.rules.nodes.scalar("int")])
        variable, array = ("S", SELF) if method else ("_S", "Array")
        shape = variable if keeps else "SomeShape"

        def form(left: str, right: str, said: str) -> Form:
            return signature.annotated({x: left, y: right}), said

        def written(row: Overload) -> Form:
            pair = not any(isinstance(p, PythonScalar) for p in row.patterns)
            of = "Any" if pair else variable
            left = _of_self(row.patterns[0], of) if method else self.array(row.patterns[0], of)
            dtype = row.patterns[0].variable if isinstance(row.patterns[0], Same) and not method else "D"
            second = row.patterns[1]
            is_plain = method and not exceptions and isinstance(second, OneOf) and second.is_weak
            right = (
                annotation(second, of, other=dtype) if is_plain else self.array(second, of, other=dtype, second=True)
            )
            return form(left, right, _said(row, "SomeShape" if pair else shape, method))

        known = {a for a in table.values() if a != ERROR}
        uniform = known.pop() if len(known) == 1 else None
        rows = by_scalar(table, self.rules.nodes, self.variables)
        left = [] if method else by_scalar(table, self.rules.nodes, self.variables, 1)
        found = array_pairs(_arrays(table), self.rules.nodes, self.variables, of_self=method) if arrays else []
        exceptions = any(isinstance(o.patterns[1], OneOf) and not o.patterns[1].is_weak for o in found)
        pairs = [written(row) for row in found]
        ordered = [any(isinstance(p, UpperBound | LowerBound) for p in o.patterns) for o in found]
        common = max((i for i, one in enumerate(ordered, 1) if one), default=0)
        forms: list[Form] = []
        # An unknown dtype is admitted everywhere.  As the second operand it makes the join of `UpperBound` unknown.
        if uniform is None and arrays:
            # Of a function with `Array[Any, Any]` here ty makes a union without end when it is passed to `jax.vmap`.
            other = "Array[Any, Any]" if method else "Array[object, Any]"
            forms.append(form(f"{array}[NoDType, Any]", other, ANY_ARRAY))
            if not (found and isinstance(found[0].patterns[1], UpperBound)):
                forms.append(form("Self" if method else other, "Array[NoDType, Any]", ANY_ARRAY))
        for row, pair in zip(found[:common], pairs):
            forms += [*([] if operands else self._shaped(rule, row, signature, method)), pair]
        forms.append(form("Self" if method else "Any", NUMPY_LIKE, result(uniform)))
        if not method:
            forms.append(form(NUMPY_LIKE, "Any", result(uniform)))
        if uniform is None and rows:
            forms.append(form(f"{array}[NoDType, {variable}]", "complex", f"Array[Any, {shape}]"))
        if uniform is None and left:
            forms.append(form("complex", f"{array}[NoDType, {variable}]", f"Array[Any, {shape}]"))
        forms += [written(row) for row in (*rows, *left)] + pairs[common:]
        if not method:
            forms += [form(a, b, said) for a, b, said in _scalar_pairs(table, "tuple[()]" if keeps else "SomeShape")]
        return forms


def _said(row: Overload, shape: str, method: bool) -> str:
    pattern = row.patterns[1] if row.joins else None if row.same is None else row.patterns[row.same]
    match pattern:
        case UpperBound() | Joining():
            return f"Array[{joined(pattern)}, {shape}]"
        case Same():
            return f"Array[{'D' if method else pattern.variable}, {shape}]"
    return result(row.answer, shape)


def _of_self(pattern: Pattern, shape: str) -> str:
    """The annotation of `self`: mypy binds a type variable of the class in less time than one of the method."""
    if isinstance(pattern, Same):
        return "Self" if pattern.members is None else annotation(pattern.members, shape, array=SELF)
    return annotation(pattern, shape, array=SELF)


def _arrays(table: Mapping[tuple[Operand, ...], Answer]) -> dict[tuple[Operand, ...], Answer]:
    return {o: a for o, a in table.items() if all(isinstance(one, str) for one in o)}


def _scalar_pairs(table: Mapping[tuple[Operand, ...], Answer], shape: str) -> list[tuple[str, str, str]]:
    """Two Python scalars: the larger kind decides where that is so; nothing is said where it is not."""
    rows: list[tuple[str, str, str]] = []
    for i, kind in enumerate(SCALAR_KINDS):
        answers = {
            table[Python(a), Python(b)] for a in SCALAR_KINDS[: i + 1] for b in SCALAR_KINDS[: i + 1] if kind in (a, b)
        }
        answer = answers.pop() if len(answers) == 1 else None
        rows.append((python_type(kind), python_type(kind), result(None if answer == ERROR else answer, shape)))
    return rows


def _are_arrays(parameters: Sequence[Parameter]) -> bool:
    return all(p.annotation.startswith("Array[") for p in parameters)


def _required(rule: str) -> list[str]:
    if rule not in RULES:
        return []
    kinds = (1, 0)
    parameters = RULES[rule].signature.parameters.values()
    return [p.name for p in parameters if p.default is p.empty and p.kind.value in kinds]


def _options(rule: str) -> list[str]:
    parameters = RULES[rule].signature.parameters.values()
    return [p.name for p in parameters if p.default is not p.empty]


def _at_defaults(signature: Signature, names: Sequence[str]) -> Signature:
    """With these parameters annotated as their defaults; where those have no type (a float), they cannot be given."""
    kept: list[Parameter] = []
    ends = False
    for p in signature.parameters:
        is_fixed = p.name in names and p.default is not None
        if is_fixed and (p.default == "..." or _is_float(p)):
            ends = True
        elif not (ends and p.kind in ("positional", "either")):  # which would take the place of what is left out
            kept.append(replace(p, annotation=_literal(p)) if is_fixed else p)
    return replace(signature, parameters=tuple(kept))


def _is_float(parameter: Parameter) -> bool:
    return re.fullmatch(r"-?(\d+\.\d*|\d*\.?\d+e-?\d+)", parameter.default or "") is not None


def _literal(parameter: Parameter) -> str:
    return "None" if parameter.default == "None" else f"Literal[{parameter.default}]"

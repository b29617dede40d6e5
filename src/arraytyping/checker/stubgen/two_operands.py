"""The overloads of functions and operators of which two operands decide the dtype."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from arraytyping.checker.stubgen.answers import ERROR, Answer, Operand, Python, Rules
from arraytyping.checker.stubgen.matching import Overload
from arraytyping.checker.stubgen.nodes import SCALAR_KINDS
from arraytyping.checker.stubgen.operands import (
    ANY_ARRAY,
    NUMPY_LIKE,
    OF_SHAPE,
    SELF,
    Form,
    first_operand,
    of_self,
    operand,
    said_result,
)
from arraytyping.checker.stubgen.overloads import TypeVariables, array_pairs, by_scalar
from arraytyping.checker.stubgen.rule_parameters import at_defaults, options, required
from arraytyping.checker.stubgen.spelling import (
    LowerBound,
    OneOf,
    PythonScalar,
    Same,
    UpperBound,
    annotation,
    python_type,
    result,
)
from arraytyping.checker.stubgen.surface import Parameter, Signature
from arraytyping.semantics.avals import UNKNOWN
from arraytyping.semantics.rules.evaluation import evaluate

__all__ = ["BEHIND", "TwoOperands"]

MOST: Final = 70
"""The most overloads that a function may need; past it nothing is said of two dtypes that differ."""

BEHIND: Final[dict[str, tuple[str, ...]]] = {
    "numpy.where": (),
    "numpy.einsum": ("optimize", "precision", "preferred_element_type"),
}
"""Functions whose two operands come after another argument, and the options that a call may give besides."""


@dataclass
class TwoOperands:
    """Writes the overloads of functions and operators of which two operands decide."""

    rules: Rules
    variables: TypeVariables

    def behind(self, rule: str, signature: Signature) -> list[Form]:
        """The overloads of a function whose two operands come after another argument; other calls are unknown."""
        first, *rest = signature.parameters
        x, y = (Parameter(name, "positional") for name in ("x", "y"))
        options = [p for p in rest if p.kind == "keyword" and p.name in BEHIND[rule]]
        asked = at_defaults(Signature((first, x, y, *options)), [p.name for p in options])
        forms = self.operator_forms(rule, self.pairs(rule, UNKNOWN), asked, False, operands=(x.name, y.name))
        if rule == "numpy.einsum":  # scalars have no place in it
            forms = [(s.annotated({first.name: "str"}), said) for s, said in forms if _are_arrays(s.parameters[1:3])]
        said = "Any" if "|" in signature.result else signature.result.replace("Array", ANY_ARRAY)
        return [*forms, (signature, said)]

    def pairs(self, rule: str, *before: Any) -> dict[tuple[Operand, ...], Answer]:
        """The answers for two arrays, an array and a Python scalar in either order, and two scalars."""
        operands: list[Operand] = [*self.rules.nodes.names, *map(Python, SCALAR_KINDS)]
        others = 0 if before else len(required(rule)) - 2
        table: dict[tuple[Operand, ...], Answer] = {}
        for a in operands:
            for b in operands:
                promotion = self.rules.promotion([a, b])
                two = [self.rules.value(o, promotion) for o in (a, b)]
                values = [*before, *two, *[UNKNOWN] * others]
                outcome = evaluate(rule, [promotion], values, {})
                table[a, b] = ERROR if outcome.error else self.rules.nodes.node(outcome.value, promotion)
        return table

    def forms(self, rule: str, signature: Signature, method: bool) -> list[Form] | None:
        """The overloads of an operation; None if the rule does not determine its dtype."""
        table = self.pairs(rule)
        if sum(a not in (None, ERROR) for a in table.values()) < 20:
            return None
        x, y = (p.name for p in signature.parameters[:2])
        fixed = [o for o in options(rule) if self._changes(rule, o)]
        if not set(fixed) <= {p.name for p in signature.parameters}:
            return None
        narrow = at_defaults(signature, fixed)
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
            first = first_operand(self.variables, row.patterns[0], left, method=method, uniform=False)
            other = annotation(second, right, other=dtype, array=array)
            return signature.annotated({x: first, y: other}), said_result(row, said, method)

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
        values = [*arrays, *[UNKNOWN] * (len(required(rule)) - 2)]
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
            left = of_self(row.patterns[0], of) if method else operand(self.variables, row.patterns[0], of)
            dtype = row.patterns[0].variable if isinstance(row.patterns[0], Same) and not method else "D"
            second = row.patterns[1]
            is_plain = method and not exceptions and isinstance(second, OneOf) and second.is_weak
            right = (
                annotation(second, of, other=dtype)
                if is_plain
                else operand(self.variables, second, of, other=dtype, second=True)
            )
            return form(left, right, said_result(row, "SomeShape" if pair else shape, method))

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

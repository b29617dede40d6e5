"""One table of cases for all checkers: expressions of arrays, and the dtype that the rules say they have.

A case is a line `assert_type(EXPRESSION, Array[...])` of a file that no test runs; the expected dtype comes from the
rules, never from the stubs.  A case whose expression is certain to fail asserts `Undefined`, and a checker is right
if it reports the expression itself.  Of an operand whose dtype is unknown (`UNKNOWN`) nothing may be claimed that the
rules do not say.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any, Final

from arraytyping.checker.stubgen.answers import ERROR, Answer, Operand, Python, Rules
from arraytyping.checker.stubgen.creation import CREATION
from arraytyping.checker.stubgen.nodes import Nodes, is_wide
from arraytyping.checker.stubgen.own_package import exported
from arraytyping.checker.stubgen.spelling import element
from arraytyping.checker.stubgen.surface import read_surface
from arraytyping.semantics.avals import UNKNOWN as Unknown, ShapedArray
from arraytyping.semantics.promotion.jax import JaxPromotion
from arraytyping.semantics.rules.evaluation import BindError, evaluate
from arraytyping.semantics.rules.operators import ARITHMETIC, COMPARISONS, UNARY
from arraytyping.semantics.rules.table import RULES

LITERALS: Final = {"bool": ("True", True), "int": ("2", 2), "float": ("2.5", 2.5), "complex": ("2j", 2j)}
UNKNOWN: Final = "unknown"
"""An array of unknown dtype, as an operand and as a result."""
ANYTHING: Final = "anything"
"""What is of type `Any`, as an item of a list."""

PER_FUNCTION: Final = 250
"""The most cases in one function, since checkers look at each function's flow as a whole."""

HEAD: Final = """\
from typing import Any
from typing_extensions import assert_type
import jax
import jax.numpy as jnp
from jax._src.basearray import Array, SomeShape
from jax._src.numpy.scalar_types import *

class Undefined: ...
"""

OWN_HEAD: Final = """\
from typing import Any
from typing_extensions import assert_type
import arraytyping
import arraytyping.lax
import arraytyping.numpy as jnp
import arraytyping.numpy.linalg
from arraytyping.basearray import Array, SomeShape
from arraytyping.scalars import *

class Undefined: ...
"""
"""The same for our own runtime, which has JAX's names."""


@dataclass(frozen=True)
class Case:
    """An expression, the element that its result stands on (`ERROR` if it is certain to fail), and its operation."""

    expression: str
    expected: str
    operation: str
    wide: bool = False

    @property
    def group(self) -> str:
        """`operators`, `comparisons` (of which stubs report none), `lists` or `functions`."""
        if self.operation.startswith("lists of "):
            return "lists"
        if self.operation in {f"Array.__{method}__" for method in COMPARISONS}:
            return "comparisons"
        return "operators" if self.operation.startswith("Array.__") else "functions"

    @property
    def line(self) -> str:
        """The case as a checker sees it."""
        dtype = "Any" if self.expected == UNKNOWN else element(self.expected)
        said = "Undefined" if self.expected == ERROR else f"Array[{dtype}, SomeShape]"
        return f"assert_type({self.expression}, {said})"


class Table:
    """All cases, or with a `share` every so many-th of each operation, beginning elsewhere in each; all of `x + y`."""

    def __init__(self, nodes: Nodes, share: int = 1, package: str = "jax") -> None:
        self.nodes = nodes
        self.package = package
        self.rules = Rules(nodes)
        self._share = share
        self._seen: dict[str, int] = {}

    def cases(self) -> list[Case]:
        """Operators, functions and methods on all pairs of elements."""
        functions = [*self.functions(), *self.behind(), *self.methods()]
        return [*self.operators(), *functions, *self.calls_as_operands(), *self.lists()]

    def operators(self) -> Iterator[Case]:
        """Operators of two arrays, of an array and a Python scalar on either side, and of one array."""
        for method, (symbol, _) in (*ARITHMETIC.items(), *COMPARISONS.items()):
            if method == "divmod":
                continue  # it gives a pair; tested with the functions
            for a in (*self.nodes.names, UNKNOWN):
                for b in (*self.nodes.names, UNKNOWN):
                    yield from self._case(f"{var(a)} {symbol} {var(b)}", f"Array.__{method}__", (a, b))
                for kind, (text, _) in LITERALS.items():
                    yield from self._case(f"{var(a)} {symbol} {text}", f"Array.__{method}__", (a, Python(kind)))
                    if method in ARITHMETIC:
                        yield from self._case(f"{text} {symbol} {var(a)}", f"Array.__r{method}__", (a, Python(kind)))
        for method in UNARY:
            symbol = {"neg": "-", "pos": "+", "invert": "~"}.get(method, "abs")
            for a in (*self.nodes.names, UNKNOWN):
                yield from self._case(f"{symbol}({var(a)})", f"Array.__{method}__", (a,))

    def functions(self) -> Iterator[Case]:
        """Functions of one and of two arrays."""
        for module, space in (("numpy", "numpy."), ("numpy.linalg", "numpy.linalg."), ("lax", "lax.")):
            ours = exported(module)
            for name, found in read_surface()[f"jax.{module}"].items():
                rule = space + name
                if self.package != "jax" and name not in ours:
                    continue
                if rule not in RULES or found.kind not in ("function", "value") or name in CREATION:
                    continue
                yield from self._calls(f"{self.package}.{module}.{name}", rule)

    def behind(self) -> Iterator[Case]:
        """Functions whose operands come after another argument."""
        arrays: list[Operand] = [*self.nodes.names, UNKNOWN]
        scalars = [*map(Python, LITERALS)]
        for rule, first, operands in (
            ("numpy.where", var("bool"), [*arrays, *scalars]),
            ("numpy.where", var(ANYTHING), arrays[:9]),
            ("numpy.einsum", "'ij,jk->ik'", arrays),
        ):
            function = f"jnp.{rule.partition('.')[2]}"
            for a in operands:
                for b in operands:
                    yield from self._case(f"{function}({first}, {text(a)}, {text(b)})", rule, (a, b), Unknown)
        for a in arrays:
            for low, high in product(LITERALS, LITERALS):
                bounds = f"{LITERALS[low][0]}, {LITERALS[high][0]}"
                yield from self._case(f"jnp.clip({text(a)}, {bounds})", "numpy.clip", (a, Python(low), Python(high)))
                yield from self._case(f"{text(a)}.clip({bounds})", "Array.clip", (a, Python(low), Python(high)))

    def methods(self) -> Iterator[Case]:
        """Methods without arguments."""
        for name, found in read_surface()["jax.Array"].items():
            rule = f"Array.{name}"
            if found.kind == "function" and rule in RULES and not name.startswith("_"):
                for a in (*self.nodes.names, UNKNOWN):
                    yield from self._case(f"{var(a)}.{name}()", rule, (a,))

    def calls_as_operands(self) -> Iterator[Case]:
        """Operands that are calls: a checker may infer their types from the parameter that they are passed to."""
        for b in self.nodes.strong:
            calls = [f"jnp.zeros_like({var(b)})", f"jnp.asarray({var(b)})"]
            if not is_wide(b):
                calls += [f"{var(b)}.astype({element(b)})", f"jnp.zeros((2,), {element(b)})"]
            for a in self.nodes.names:
                for call in calls:
                    yield from self._case(f"{var(a)} * {call}", "Array.__mul__", (a, b))
                    yield from self._case(f"{call} * {var(a)}", "Array.__mul__", (b, a))
                    yield from self._case(f"jnp.multiply({var(a)}, {call})", "numpy.multiply", (a, b))
                    yield from self._case(f"jnp.multiply({call}, {var(a)})", "numpy.multiply", (b, a))
                    yield from self._case(f"{var(a)} / {call}", "Array.__truediv__", (a, b))
                    yield from self._case(f"jnp.divide({call}, {var(a)})", "numpy.divide", (b, a))
            for call in calls:
                yield from self._case(f"jnp.sin({call})", "numpy.sin", (b,))
                yield from self._case(f"jnp.abs({call})", "numpy.abs", (b,))
                yield from self._case(f"jnp.sum({call})", "numpy.sum", (b,))
                yield from self._case(f"jnp.multiply({call}, 2.5)", "numpy.multiply", (b, Python("float")))

    def lists(self) -> Iterator[Case]:
        """Lists and tuples of arrays, in functions that put them together; of a share, those of usual dtypes alone."""
        names = self.nodes.names if self._share == 1 else ("float32", "int32", "bool", "bfloat16", "float", "int")
        items = (*names, UNKNOWN, ANYTHING)
        for a in items:
            for b in items:
                yield from self._joined("jnp.concatenate([{}, {}])", "numpy.concatenate", (a, b))
                yield from self._joined("jnp.vstack([{}, {}, {}])", "numpy.vstack", (a, a, b))
                yield from self._joined("jnp.stack(({}, {}), axis=0)", "numpy.stack", (a, b))
                yield from self._joined("jnp.hstack(({}, {}, {}))", "numpy.hstack", (a, b, a))
            yield from self._joined("jnp.block([{} for _ in range(3)])", "numpy.block", (a,))

    def _joined(self, expression: str, rule: str, items: Sequence[str]) -> Iterator[Case]:
        promotion = self.rules.promotion([i for i in items if i not in (UNKNOWN, ANYTHING)])
        values = [Unknown if i == ANYTHING else self._value(i, promotion) for i in items]
        outcome = evaluate(rule, [promotion], [values], {})
        if outcome.error is not None:  # of lists nothing is reported
            return
        expected = self.nodes.node(outcome.value, promotion) or UNKNOWN
        wide = any(i not in (UNKNOWN, ANYTHING) and is_wide(i) for i in items)
        yield Case(expression.format(*map(var, items)), expected, f"lists of {rule}", wide)

    def _calls(self, function: str, rule: str) -> Iterator[Case]:
        parameters = RULES[rule].signature.parameters.values()
        required = [p for p in parameters if p.default is p.empty and p.kind.value < 2]
        operands: list[Operand] = [*self.nodes.names, UNKNOWN, *map(Python, LITERALS)]
        if len(required) == 1:
            for a in operands:
                yield from self._case(f"{function}({text(a)})", rule, (a,))
        elif len(required) == 2:
            for a in operands:
                for b in operands:
                    yield from self._case(f"{function}({text(a)}, {text(b)})", rule, (a, b))

    def _case(self, expression: str, rule: str, operands: Sequence[Operand], *before: Any) -> Iterator[Case]:
        place = self._seen.setdefault(rule, len(self._seen) * 7)
        self._seen[rule] += 1
        if rule not in RULES or (place % self._share and rule != "Array.__add__"):
            return
        promotion = self.rules.promotion([o for o in operands if o != UNKNOWN])
        values = [self._value(o, promotion) for o in operands]
        try:
            outcome = evaluate(rule, [promotion], [*before, *values], {})
        except BindError:
            return
        expected: Answer = ERROR if outcome.error is not None else self.nodes.node(outcome.value, promotion)
        if expected is None and UNKNOWN in operands and isinstance(outcome.value, ShapedArray):
            expected = {None: UNKNOWN, "bool": "bool"}.get(outcome.value.dtype)
        if expected is not None:
            wide = any(isinstance(o, str) and o != UNKNOWN and is_wide(o) for o in operands)
            yield Case(expression, expected, rule, wide)

    def _value(self, operand: Operand, promotion: JaxPromotion) -> Any:
        if isinstance(operand, Python):
            return LITERALS[operand.kind][1]
        return ShapedArray(None, None) if operand == UNKNOWN else self.nodes.array(operand, promotion)


def var(node: str) -> str:
    """The variable that holds an array of this element."""
    return f"m_{node}"


def text(operand: Operand) -> str:
    """An operand as an expression."""
    return LITERALS[operand.kind][0] if isinstance(operand, Python) else var(operand)


def program(cases: Sequence[Case], nodes: Nodes, head: str = HEAD) -> tuple[str, dict[int, Case]]:
    """The text of a file with these cases, and which case stands on which line."""
    parameters = ", ".join(f"{var(n)}: Array[{element(n)}, SomeShape]" for n in nodes.names)
    parameters += f", {var(UNKNOWN)}: Array[Any, SomeShape], {var(ANYTHING)}: Any"
    lines = head.splitlines()
    places: dict[int, Case] = {}
    for i, case in enumerate(cases):
        if i % PER_FUNCTION == 0:
            lines += ["", f"def cases_{i // PER_FUNCTION}({parameters}) -> None:"]
        lines.append(f"    {case.line}")
        places[len(lines)] = case
    return "\n".join(lines) + "\n", places

"""Claims out of mypy's types: what a type says of the array that an expression makes, and why it does not say more."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import SimpleNamespace
from typing import Any, Final, cast

from mypy.nodes import (
    CallExpr,
    ComparisonExpr,
    Expression,
    FuncItem,
    IndexExpr,
    MemberExpr,
    NameExpr,
    OpExpr,
    RefExpr,
    TupleExpr,
    TypeInfo,
    UnaryExpr,
)
from mypy.types import AnyType, Type, TypeOfAny, get_proper_type

from arraytyping.checker.claims import Claim, ExpressionClaims
from arraytyping.checker.swallowed import swallow
from arraytyping.semantics.avals import UNKNOWN, Alternatives, Scalar, ShapedArray
from arraytyping.semantics.promotion.jax import WEAK, JaxPromotion
from arraytyping_mypy.closed import ClosedFunctions
from arraytyping_mypy.convert import value_of
from arraytyping_mypy.expressions import Place, operands
from arraytyping_mypy.frameworks import DTYPE_NAMES, function_rule, method_rule
from arraytyping_mypy.guard import DEBUG
from arraytyping_mypy.memo import Memo
from arraytyping_mypy.own_names import jax_name
from arraytyping_mypy.records import Followed
from arraytyping_mypy.session import Session

__all__ = ["CheckedModule"]

_ARRAY_FUNCTIONS: Final = ("jax.numpy.", "jax._src.numpy.")
"""Where the functions live whose results count as arrays even if mypy gives them the type Any."""


@dataclass(frozen=True)
class CheckedModule:
    """One module after mypy has checked it: the types it found, and how the source reads."""

    types: Mapping[Expression, Type]
    promotions: tuple[JaxPromotion, ...]
    checks_untyped_functions: bool
    text_of: Callable[[Expression], str]
    position_of: Callable[[Expression], tuple[int, int, int, int]]
    functions: ClosedFunctions | None = None
    followed: Mapping[FuncItem, Sequence[Followed]] = field(default_factory=dict)
    """What was followed of the functions of which all calls were."""

    def claims(self, place: Place) -> ExpressionClaims | None:
        """What is known of an expression, or None if it makes no array.

        As with the hooks, an error of ours takes nothing away from mypy's answer: the array counts as unknown.
        """
        try:
            return self._claims_of(place)
        except Exception as error:
            if os.environ.get(DEBUG) == "1":
                raise
            swallow(error)
            return ExpressionClaims(
                *self.position_of(place.node), (Claim(),), why_unknown=f"internal error: {type(error).__name__}"
            )

    def _claims_of(self, place: Place) -> ExpressionClaims | None:
        owner = None if self.functions is None else self.functions.owner(place.node)
        if owner is not None and owner in self.followed:
            return self._of_followed(place, self.followed[owner])
        made = self._of_mypy(place)
        script = None if self.functions is None or owner is not None else self.functions.script
        if script is None or place.node not in script.types:
            return made
        again = self._of_followed(place, [script])
        return again if _known_parts(again) > _known_parts(made) else made

    def _of_mypy(self, place: Place) -> ExpressionClaims | None:
        """What is known of an expression by the types that mypy itself has found."""
        t = self.types.get(place.node)
        if t is None:
            return None  # unreachable
        if isinstance(get_proper_type(t), AnyType):
            is_array = _is_array_function(place.node) or self._is_array_operator(place.node)
            claims: tuple[Claim, ...] = (Claim(),) if is_array else ()
        else:
            claims = tuple(dict.fromkeys(self._claims(_value(t))))
        if not claims:
            return None
        made = ExpressionClaims(*self.position_of(place.node), claims)
        if made.is_dtype_known and made.is_shape_known:
            return made
        return ExpressionClaims(*self.position_of(place.node), claims, why_unknown=self._why(place, made))

    def _of_followed(self, place: Place, calls: Sequence[Followed]) -> ExpressionClaims | None:
        """What an expression makes in the calls of its function, of which each has types of its own."""
        types = {str(t): t for t in (call.types.get(place.node) for call in calls) if t is not None}
        claims: dict[Claim, None] = {}
        is_unknown = False
        for t in types.values():
            found = () if isinstance(get_proper_type(t), AnyType) else tuple(self._claims(_value(t)))
            is_unknown = is_unknown or not found
            claims.update(dict.fromkeys(found))
        if claims and not is_unknown:
            made = ExpressionClaims(*self.position_of(place.node), tuple(claims))
            if made.is_dtype_known and made.is_shape_known:
                return made
            return replace(made, why_unknown="a call of the function does not tell it")
        if not claims and not _is_array_function(place.node):
            return None
        return ExpressionClaims(
            *self.position_of(place.node), (Claim(),), why_unknown="a call of the function does not tell it"
        )

    def _claims(self, value: Any, item: tuple[int, ...] = ()) -> Iterator[Claim]:
        """The claims of a value that consists of arrays and nothing else; None beside them is left out."""
        if isinstance(value, Alternatives):
            parts = [tuple(self._claims(v, item)) for v in value.values if v is not None]
            if all(parts):
                yield from (claim for part in parts for claim in part)
        elif isinstance(value, tuple):
            parts = [tuple(self._claims(v, (*item, i))) for i, v in enumerate(value)]
            if all(parts):
                yield from (claim for part in parts for claim in part)
        elif isinstance(value, ShapedArray):
            yield from (Claim.of(array, item) for array in self._widths(value))

    def _widths(self, array: ShapedArray) -> Iterator[ShapedArray]:
        """A weak array is `int` to mypy, and its dtype hangs on x64; whether a bool is weak no type says."""
        if array.dtype in WEAK:
            for promotion in self.promotions:
                yield ShapedArray(array.shape, promotion.default(array.dtype), True)
        elif array.dtype == "bool":
            yield ShapedArray(array.shape, "bool", None)
        else:
            yield array

    def _why(self, place: Place, made: ExpressionClaims) -> str:
        node = place.node
        if self._is_unchecked(place):
            return "a function without annotations is not checked"
        if len(made.claims) > 1 and all(c.is_dtype_known and c.is_shape_known for c in made.claims):
            return "it is one of several, by x64" if len(self.promotions) > 1 else "it is one of several"
        missing = " and ".join(_missing(made.claims))
        if isinstance(node, CallExpr) and (owner := self._declaration(node)) is not None:
            return f"what {owner} returns is declared without {missing}"
        for operand in operands(node):
            if (reason := self._of_operand(operand, made)) is not None:
                return reason
        for operand in operands(node):
            if (reason := self._of_sizes(operand)) is not None:
                return reason
        if isinstance(node, CallExpr):
            if (argument := self._computed_argument(node)) is not None:
                return f"the value of {argument} is not known before it runs"
            if isinstance(node.callee, RefExpr) and function_rule(node.callee.fullname) is None:
                return f"{self.text_of(node.callee)} has no rule"
            return "its rule says no more of it"
        if isinstance(node, MemberExpr):
            return f"{self.text_of(node)} is declared without {missing}"
        if isinstance(get_proper_type(self.types[node]), AnyType):
            return "it is reported as a mistake"
        return "an operand's value is not known before it runs"

    def _is_array_operator(self, node: Expression) -> bool:
        """Whether this is an operator with an array among its operands: mypy says Any where it reports a mistake."""
        if not isinstance(node, OpExpr | UnaryExpr | IndexExpr | ComparisonExpr):
            return False
        sides = [node.base] if isinstance(node, IndexExpr) else operands(node)
        return any(self._is_array(self.types[side]) for side in sides if side in self.types)

    def _is_unchecked(self, place: Place) -> bool:
        return place.function is not None and place.function.is_dynamic() and not self.checks_untyped_functions

    def _declaration(self, node: CallExpr) -> str | None:
        """The program's own function or object that is called here, whose declaration decides the result."""
        callee = node.callee
        if isinstance(get_proper_type(self.types.get(callee)), AnyType | None):
            return None
        if isinstance(callee, MemberExpr) and method_rule(callee.fullname) is None:
            receiver = self.types.get(callee.expr)
            if receiver is not None and (isinstance(get_proper_type(receiver), AnyType) or self._is_array(receiver)):
                return None
        if isinstance(callee, RefExpr) and callee.fullname.startswith(("jax.", "numpy.", "arraytyping.")):
            return None
        return self.text_of(callee)

    def _is_array(self, t: Type) -> bool:
        return next(self._claims(_value(t)), None) is not None

    def _of_operand(self, operand: Expression, made: ExpressionClaims) -> str | None:
        """How an operand of which dtype or rank is not known explains the result."""
        t = self.types.get(operand)
        if t is None:
            return None  # a module, or a name that is only a type
        p = get_proper_type(t)
        if isinstance(p, AnyType):
            if isinstance(operand, RefExpr) and operand.fullname in DTYPE_NAMES:
                return None
            is_bare = p.type_of_any == TypeOfAny.unannotated and isinstance(operand, NameExpr)
            return f"{self.text_of(operand)} has {'no annotation' if is_bare else 'type Any'}"
        claims = tuple(self._claims(_value(t)))
        dtype = not made.is_dtype_known and not all(c.is_dtype_known for c in claims)
        rank = any(c.shape is None for c in made.claims) and any(c.shape is None for c in claims)
        if not (dtype or rank):
            return None
        missing = [part for part in _missing(claims) if part == "shape" or dtype]
        return f"{' and '.join(missing)} of {self.text_of(operand)} {'is' if len(missing) == 1 else 'are'} unknown"

    def _of_sizes(self, operand: Expression) -> str | None:
        """How an operand of which a size is not known explains the result."""
        t = self.types.get(operand)
        claims = () if t is None else tuple(self._claims(_value(t)))
        axes = sorted({i for c in claims for i, d in enumerate(c.shape or ()) if d is None})
        if not axes:
            return None
        what = f"dimension {axes[0]}" if len(axes) == 1 else f"dimensions {', '.join(map(str, axes))}"
        return f"the size of {what} of {self.text_of(operand)} is unknown"

    def _computed_argument(self, node: CallExpr) -> str | None:
        """An argument whose value the result hangs on, and which no literal gives."""
        for argument in node.args:
            for part in argument.items if isinstance(argument, TupleExpr) else (argument,):
                t = self.types.get(part)
                value = UNKNOWN if t is None else _value(t)
                values = value.values if isinstance(value, Alternatives) else (value,)
                if t is not None and any(isinstance(v, Scalar) for v in values):
                    return self.text_of(part)
        return None


def _is_array_function(node: Expression) -> bool:
    return (
        isinstance(node, CallExpr)
        and isinstance(node.callee, RefExpr)
        and jax_name(node.callee.fullname).startswith(_ARRAY_FUNCTIONS)
        and not isinstance(node.callee.node, TypeInfo)
    )


def _value(t: Type) -> Any:
    # All that the conversion asks of a session is what it has read, and whose names of sizes mean something: nobody's
    # any more.  Types are kept by nothing that lasts longer than they do.
    return value_of(t, cast(Session, SimpleNamespace(memo=_AFTER_THE_BUILD, read_types={}, owners=frozenset())))


_AFTER_THE_BUILD: Final = Memo(())


def _known_parts(claims: ExpressionClaims | None) -> int:
    """How much of dtype and shape is known, of each array that it may be."""
    found = () if claims is None else claims.claims
    return bool(found) * (all(c.is_dtype_known for c in found) + all(c.is_shape_known for c in found))


def _missing(claims: tuple[Claim, ...]) -> list[str]:
    """Which of dtype and shape is not known of these arrays."""
    dtype = all(c.is_dtype_known for c in claims)
    shape = all(c.is_shape_known for c in claims)
    return [*([] if dtype else ["dtype"]), *([] if shape else ["shape"])]

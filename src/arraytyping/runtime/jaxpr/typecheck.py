"""The types of jaxprs, and a checker for them.

Every variable is bound once and before it is used; every equation gives what its primitive's rule says; the results
are bound.  The rules are those that the static tools evaluate.

Source: https://docs.jax.dev/en/latest/autodidax.html, `typecheck_jaxpr`; `check_jaxpr` of
https://github.com/jax-ml/jax/blob/main/jax/_src/core.py.
"""

from __future__ import annotations

import inspect
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Final

from arraytyping.errors import JaxprTypeError
from arraytyping.runtime.jaxpr.from_jax import from_jax, is_of_jax
from arraytyping.runtime.jaxpr.printer import jaxpr_text
from arraytyping.runtime.jaxpr.syntax import Atom, ClosedJaxpr, Jaxpr, JaxprEqn, Literal, Var, jaxprs_in, short_aval
from arraytyping.scalars import KINDS
from arraytyping.semantics.avals import ShapedArray

__all__ = ["JaxprType", "typecheck_jaxpr"]

_LITERALS = {"b": bool, "i": int, "u": int, "f": float, "c": complex}


@dataclass(frozen=True)
class JaxprType:
    """What a jaxpr takes and gives; as text `(f32[3]) -> (f32[])`."""

    in_types: tuple[ShapedArray, ...]
    out_types: tuple[ShapedArray, ...]
    checked: int = field(default=0, compare=False)
    """How many equations were held against a rule, those of inner jaxprs included."""
    unchecked: Mapping[str, int] = field(default_factory=dict, compare=False)
    """How many equations have no rule here, by what is not known: a primitive of JAX, or a parameter of it."""

    def __str__(self) -> str:
        text = f"{_types(self.in_types)} -> {_types(self.out_types)}"
        if not self.unchecked:
            return text
        return f"{text}, unchecked: {', '.join(f'{n} {what}' for what, n in sorted(self.unchecked.items()))}"


def _types(avals: Sequence[ShapedArray]) -> str:
    return f"({', '.join(map(short_aval, avals))})"


def typecheck_jaxpr(jaxpr: Any) -> JaxprType:
    """The type of a jaxpr: a `Jaxpr` or `ClosedJaxpr`, of this runtime or of JAX.

    Equations of JAX that have no rule here are counted in the type, and taken as they are written.

    Raises:
        TypeError: for what is no jaxpr.
        JaxprTypeError: if a variable is not bound, or twice; if an equation does not follow its primitive's rule; if
            results are not bound.  The message shows the equation in its jaxpr, and the line of the program.
    """
    if not isinstance(jaxpr, Jaxpr | ClosedJaxpr):
        if not is_of_jax(jaxpr):
            raise TypeError(f"typecheck_jaxpr takes a jaxpr, got {jaxpr!r:.60} of type {type(jaxpr).__name__}")
        jaxpr = from_jax(jaxpr)
    found = _Found()
    _check(jaxpr, found)
    return JaxprType(tuple(_open(jaxpr).in_avals), tuple(_open(jaxpr).out_avals), found.checked, dict(found.unchecked))


class _Found:
    """What has been looked at so far."""

    def __init__(self) -> None:
        self.checked: int = 0
        self.unchecked: Counter[str] = Counter()


def _open(jaxpr: Jaxpr | ClosedJaxpr) -> Jaxpr:
    return jaxpr.jaxpr if isinstance(jaxpr, ClosedJaxpr) else jaxpr


def _check(jaxpr: Jaxpr | ClosedJaxpr, found: _Found) -> None:
    if isinstance(jaxpr, ClosedJaxpr):
        for var, const in zip(jaxpr.jaxpr.constvars, jaxpr.consts):
            if var.aval != const.aval:
                raise JaxprTypeError(f"a constant is {short_aval(const.aval)}, and its variable {short_aval(var.aval)}")
        jaxpr = jaxpr.jaxpr
    bound: set[Var] = set()
    for var in (*jaxpr.constvars, *jaxpr.invars):
        if var in bound:
            raise _error(jaxpr, None, f"the input {short_aval(var.aval)} is bound twice")
        bound.add(var)
    for eqn in jaxpr.eqns:
        for atom in eqn.invars:
            _check_atom(jaxpr, eqn, atom, bound)
        _check_equation(jaxpr, eqn, found)
        for var in eqn.outvars:
            if var in bound:
                raise _error(jaxpr, eqn, f"{eqn.primitive} binds a variable of {short_aval(var.aval)} a second time")
            bound.add(var)
    for atom in jaxpr.outvars:
        _check_atom(jaxpr, None, atom, bound)


def _check_atom(jaxpr: Jaxpr, eqn: JaxprEqn | None, atom: Atom, bound: set[Var]) -> None:
    if isinstance(atom, Literal):
        kind = _LITERALS[KINDS[str(atom.aval.dtype)]]
        if type(atom.val) is not kind or atom.aval.shape != ():
            raise _error(
                jaxpr,
                eqn,
                f"the literal {atom.val!r} of type {type(atom.val).__name__} stands for {short_aval(atom.aval)}; "
                f"expected a {kind.__name__} without dimensions",
            )
    elif atom not in bound:
        what = f"{eqn.primitive} uses" if eqn else "the results hold"
        raise _error(jaxpr, eqn, f"{what} a variable of {short_aval(atom.aval)} that is not bound before")


_KINDS: Final[dict[str, tuple[str, Callable[[Any], bool]]]] = {
    "ClosedJaxpr": ("a jaxpr", lambda v: isinstance(v, ClosedJaxpr)),
    "tuple[ClosedJaxpr, ...]": (
        "jaxprs",
        lambda v: type(v) is tuple and len(v) > 0 and all(isinstance(j, ClosedJaxpr) for j in v),
    ),
    "int": ("an int", lambda v: type(v) is int),
    "bool": ("a bool", lambda v: type(v) is bool),
    "str": ("a str", lambda v: type(v) is str),
}
"""How parameters of primitives are annotated, and what may stand there."""


@cache
def _annotated(rule: Callable[..., Any]) -> dict[str, str]:
    """The parameters of a rule of which the annotation says what they are."""
    parameters = inspect.signature(rule).parameters.values()
    return {p.name: p.annotation for p in parameters if p.kind is p.KEYWORD_ONLY and p.annotation in _KINDS}


def _check_parameters(eqn: JaxprEqn) -> None:
    """Raise a TypeError for a parameter that is not what the primitive's rule says of it."""
    assert eqn.primitive.rule is not None
    for name, annotation in _annotated(eqn.primitive.rule).items():
        what, holds = _KINDS[annotation]
        if name in eqn.params and not holds(eqn.params[name]):
            raise TypeError(f"its parameter {name} is {eqn.params[name]!r:.60}, and {what} is expected")


def _check_equation(jaxpr: Jaxpr, eqn: JaxprEqn, so_far: _Found) -> None:
    is_known = eqn.primitive.rule is not None
    try:
        if is_known:
            _check_parameters(eqn)
        for inner in jaxprs_in(eqn.params):
            _check(inner, so_far)
        if not is_known:
            so_far.unchecked[eqn.primitive.name] += 1
            return
        out = eqn.primitive.abstract_eval([v.aval for v in eqn.invars], eqn.params)
    except JaxprTypeError as error:
        raise _error(jaxpr, eqn, f"in a jaxpr of {eqn.primitive}: {error}") from None
    except (TypeError, ValueError, ArithmeticError, LookupError, NotImplementedError) as error:
        operands = _types([v.aval for v in eqn.invars])
        raise _error(jaxpr, eqn, f"{eqn.primitive} does not take {operands}: {error}") from None
    found = out if eqn.primitive.multiple_results else [out]
    given = [v.aval for v in eqn.outvars]
    if [_plain(a) for a in found] != given:
        raise _error(
            jaxpr,
            eqn,
            f"{eqn.primitive} gives {_types(found)} by its rule, and its results are bound as {_types(given)}",
        )
    so_far.checked += 1
    check = eqn.primitive.check_rule
    if check is not None:
        try:
            if not check([v.aval for v in eqn.invars], eqn.params):
                so_far.unchecked[f"rule of {eqn.params.get('name', eqn.primitive)}"] += 1
        except JaxprTypeError as error:
            raise _error(jaxpr, eqn, f"{eqn.primitive} has a rule that does not fit: {error}") from None


def _plain(aval: ShapedArray) -> ShapedArray:
    """The abstract value without a known value, which variables do not hold."""
    return aval if aval.value is None else ShapedArray(aval.shape, aval.dtype, aval.weak_type)


def _error(jaxpr: Jaxpr, eqn: JaxprEqn | None, message: str) -> JaxprTypeError:
    where = f"\nfrom {eqn.source}" if eqn is not None and eqn.source else ""
    return JaxprTypeError(f"{message}{where}\n{jaxpr_text(jaxpr, mark=eqn)}")

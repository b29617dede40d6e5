"""JAX's own jaxprs as jaxprs here, by their attributes: `eqns`, `invars`, `primitive.name`, `params`, `aval`.

JAX is not imported.  Abstract values are taken as JAX wrote them; an equation to which no rule here belongs becomes one
of a primitive without a rule, with its inner jaxprs.

Source: https://docs.jax.dev/en/latest/jax.extend.core.html.
"""

from __future__ import annotations

from typing import Any

from arraytyping.runtime.core import Primitive
from arraytyping.runtime.jaxpr.jax_equations import equation_of, without_rule
from arraytyping.runtime.jaxpr.syntax import Atom, ClosedJaxpr, Jaxpr, JaxprEqn, Literal, Source, Var
from arraytyping.scalars import KINDS
from arraytyping.semantics.avals import ShapedArray

__all__ = ["from_jax", "is_of_jax"]


def is_of_jax(value: Any) -> bool:
    """Whether this is a jaxpr of JAX, closed or not."""
    open_ = getattr(value, "jaxpr", value)
    return all(hasattr(open_, name) for name in ("constvars", "invars", "eqns", "outvars"))


def from_jax(jaxpr: Any) -> ClosedJaxpr:
    """The jaxpr that one of JAX's is here, with placeholders for its constants."""
    return _Reader().closed(jaxpr)


class _Constant:
    """A placeholder for a constant: its abstract value."""

    __slots__ = ("aval",)

    def __init__(self, aval: ShapedArray) -> None:
        self.aval: ShapedArray = aval


class _Reader:
    """Jaxprs that occur several times are read once."""

    def __init__(self) -> None:
        self.read: dict[int, ClosedJaxpr] = {}

    def closed(self, given: Any) -> ClosedJaxpr:
        if id(given) not in self.read:
            self.read[id(given)] = _jaxpr(given, self)
        return self.read[id(given)]


def _jaxpr(given: Any, reader: _Reader) -> ClosedJaxpr:
    names: dict[int, Var] = {}
    jaxpr = getattr(given, "jaxpr", given)

    def bound(var: Any) -> Var:
        return names.setdefault(id(var), Var(_aval(var.aval)))

    constvars = [bound(v) for v in jaxpr.constvars]
    if jaxpr is given:
        consts = [_Constant(v.aval) for v in constvars]
    else:
        consts = [_constant(c, v.aval) for c, v in zip(given.consts, constvars)]

    def atom(found: Any) -> Atom:
        if not hasattr(found, "val"):
            return bound(found)
        aval = _aval(found.aval)
        if aval.shape == () and aval.dtype in KINDS:
            return Literal(_number(found.val, KINDS[aval.dtype]), aval)
        constvars.append(Var(aval))  # what no literal can be here
        consts.append(_Constant(aval))
        return constvars[-1]

    invars = [bound(v) for v in jaxpr.invars]
    eqns = [_equation(e, [atom(v) for v in e.invars], [bound(v) for v in e.outvars], reader) for e in jaxpr.eqns]
    return ClosedJaxpr(Jaxpr(constvars, invars, eqns, [atom(v) for v in jaxpr.outvars]), consts)


def _equation(eqn: Any, invars: list[Atom], outvars: list[Var], reader: _Reader) -> JaxprEqn:
    found = equation_of(eqn.primitive.name, eqn.params, len(invars), reader.closed)
    if not isinstance(found, str):
        primitive, params = found
        unknown = sorted({str(v.aval.dtype) for v in (*invars, *outvars) if not _is_known(v.aval, primitive)})
        if not unknown:
            return JaxprEqn(invars, outvars, primitive, params, _source(eqn))
        found = f"{primitive} of {', '.join(unknown)}"
    inner = {key: jaxprs for key, value in eqn.params.items() if (jaxprs := _inner(value, reader))}
    return JaxprEqn(invars, outvars, without_rule(found), inner, _source(eqn))


def _is_known(aval: ShapedArray, primitive: Primitive) -> bool:
    """Whether a rule can be asked about this: of keys and the like, those which hand on what jaxprs in them give."""
    return aval.shape is not None and (aval.dtype in KINDS or (aval.dtype is not None and primitive.has_jaxprs))


def _inner(value: Any, reader: _Reader) -> tuple[ClosedJaxpr, ...]:
    """The jaxprs in a parameter."""
    items = value if isinstance(value, tuple | list) else (value,)
    return tuple(reader.closed(v) for v in items if is_of_jax(v))


def _aval(aval: Any) -> ShapedArray:
    """An abstract value of JAX; nothing is known of what is no array (a reference, a token) or has symbolic sizes."""
    shape, dtype = getattr(aval, "shape", None), getattr(aval, "dtype", None)
    if type(aval).__name__ != "ShapedArray" or not all(type(d) is int for d in shape or ()):
        return ShapedArray(None, None)
    return ShapedArray(tuple(shape or ()), _dtype(dtype), bool(aval.weak_type))


def _dtype(dtype: Any) -> str:
    return "float0" if getattr(dtype, "names", None) == ("float0",) else str(dtype.name)


def _constant(value: Any, aval: ShapedArray) -> _Constant:
    """What a constant is by itself; an array of NumPy has no weak type and may be narrowed, and has its shape alone."""
    if not hasattr(value, "weak_type") or aval.shape is None:
        return _Constant(ShapedArray(getattr(value, "shape", aval.shape), aval.dtype, aval.weak_type))
    return _Constant(ShapedArray(tuple(value.shape), _dtype(value.dtype), bool(value.weak_type)))


def _number(value: Any, kind: str) -> bool | int | float | complex:
    kinds: dict[str, Any] = {"b": bool, "i": int, "u": int, "f": float, "c": complex}
    return kinds[kind](value)  # type: ignore[no-any-return]


def _source(eqn: Any) -> Source | None:
    """The innermost line outside of JAX that an equation stands for."""
    traceback = getattr(getattr(eqn, "source_info", None), "traceback", None)
    for frame in getattr(traceback, "frames", ()):
        if "/site-packages/jax" not in frame.file_name:
            return Source(frame.file_name, frame.line_num, frame.function_name)
    return None

"""Run a jaxpr, one equation after another, under the current trace.

Source: https://docs.jax.dev/en/latest/autodidax.html, `eval_jaxpr` and `jaxpr_as_fun`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from arraytyping.runtime.core import TypedScalar
from arraytyping.runtime.jaxpr.syntax import Atom, ClosedJaxpr, Jaxpr, Literal, Var
from arraytyping.semantics.operations import OPERATIONS

__all__ = ["eval_jaxpr", "jaxpr_as_fun"]


def eval_jaxpr(jaxpr: Jaxpr, consts: Sequence[Any], *args: Any) -> list[Any]:
    """The results of a jaxpr on these inputs.

    Raises:
        TypeError: if the number of inputs or constants is not that of the jaxpr, or an input is no array-like.
    """
    if len(args) != len(jaxpr.invars) or len(consts) != len(jaxpr.constvars):
        raise TypeError(
            f"eval_jaxpr: the jaxpr takes {len(jaxpr.constvars)} constants and {len(jaxpr.invars)} inputs, got "
            f"{len(consts)} and {len(args)}"
        )
    env: dict[Var, Any] = dict(zip(jaxpr.constvars, consts))
    env.update(zip(jaxpr.invars, map(OPERATIONS.array_from, args)))

    def read(atom: Atom) -> Any:
        return TypedScalar(atom.val, atom.aval) if isinstance(atom, Literal) else env[atom]

    for eqn in jaxpr.eqns:
        result = eqn.primitive.bind(*[read(v) for v in eqn.invars], **eqn.params)
        if eqn.primitive.multiple_results:
            env.update(zip(eqn.outvars, result))
        else:
            env[eqn.outvars[0]] = result
    return [read(v) for v in jaxpr.outvars]


def jaxpr_as_fun(closed: ClosedJaxpr) -> Callable[..., list[Any]]:
    """A function of flat inputs that runs the jaxpr."""

    def run(*args: Any) -> list[Any]:
        return eval_jaxpr(closed.jaxpr, closed.consts, *args)

    return run

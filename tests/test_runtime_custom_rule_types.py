"""The rules of functions with their own derivatives in jaxprs: how they are named, and whether they fit."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import jax
import pytest

import arraytyping as at
import arraytyping.numpy as anp
from arraytyping.errors import JaxprTypeError
from arraytyping.runtime.jaxpr.typecheck import typecheck_jaxpr
from arraytyping.runtime.transformations.custom_rules import custom_jvp, custom_vjp


def test_jaxprs_name_the_rules_as_jax_does() -> None:
    def program(fw: Any) -> str:
        def doubled(x: Any) -> Any:
            return x * 2

        def doubled_fwd(x: Any) -> Any:
            return x * 2, None

        def doubled_bwd(residuals: Any, g: Any) -> Any:
            return (g * 2,)

        def tripled(x: Any) -> Any:
            return x * 3

        def tripled_jvp(primals: Any, tangents: Any) -> Any:
            return primals[0] * 3, tangents[0] * 3

        reverse, forward = fw.custom_vjp(doubled), fw.custom_jvp(tripled)
        reverse.defvjp(doubled_fwd, doubled_bwd)
        forward.defjvp(tripled_jvp)

        def both(x: Any) -> Any:
            return reverse(forward(x))

        x = fw.numpy.ones((2, 3))
        return f"{fw.make_jaxpr(both)(x)}\n{fw.make_jaxpr(fw.vmap(both))(x)}"

    def named(text: str) -> list[str]:
        return sorted(re.findall(r"\b(?:jvp|fwd|bwd)=<?(\w+)", text))

    ours = named(program(at))
    assert ours == ["doubled_bwd", "doubled_bwd", "doubled_fwd", "doubled_fwd", "tripled_jvp", "tripled_jvp"]
    assert named(program(jax)) == ours


def doubled_forward(rule: Callable[..., Any]) -> Any:
    function = custom_jvp(lambda x: x * 2)
    function.defjvp(rule)
    return function


def doubled_reverse(fwd: Callable[..., Any], bwd: Callable[..., Any]) -> Any:
    function = custom_vjp(lambda x: x * 2)
    function.defvjp(fwd, bwd)
    return function


DISAGREEING: dict[str, tuple[Any, str]] = {
    "a tangent of another shape": (doubled_forward(lambda p, t: (p[0] * 2, t[0][0])), r"but got f32\[\]"),
    "a result of another shape": (
        doubled_forward(lambda p, t: (p[0][:1], t[0][:1])),
        r"one is f32\[1\] and the other f32\[3\]",
    ),
    "no pair": (doubled_forward(lambda p, t: t[0]), "must produce a pair"),
    "a forward pass of another dtype": (
        doubled_reverse(lambda x: (x.astype("int32"), x), lambda r, g: (g,)),
        r"one is i32\[3\] and the other f32\[3\]",
    ),
    "a cotangent of another shape": (
        doubled_reverse(lambda x: (x * 2, None), lambda r, g: (g[:2],)),
        r"f32\[2\]",
    ),
    "no tuple": (
        doubled_reverse(lambda x: (x * 2, None), lambda r, g: g),
        "with the same container",
    ),
}


@pytest.mark.parametrize("name", DISAGREEING)
@pytest.mark.parametrize("mapped", [False, True])
def test_the_checker_of_jaxprs_refuses_rules_that_do_not_fit(name: str, mapped: bool) -> None:
    function, message = DISAGREEING[name]
    closed = at.make_jaxpr(at.vmap(function))(anp.ones((2, 3))) if mapped else at.make_jaxpr(function)(anp.ones(3))
    with pytest.raises(JaxprTypeError, match=r"custom_j?vj?p_call has a rule that does not fit") as caught:
        typecheck_jaxpr(closed)
    first = str(caught.value).splitlines()[0]
    assert re.search(message, first)


def test_the_checker_of_jaxprs_does_not_judge_what_it_cannot_trace() -> None:
    def refuse(primals: Any, tangents: Any) -> Any:
        raise NotImplementedError("on purpose")

    fitting = doubled_forward(lambda p, t: (p[0] * 2, t[0] * 2))
    kind = typecheck_jaxpr(at.make_jaxpr(lambda x: doubled_forward(refuse)(fitting(x)))(anp.ones(3)))
    assert kind.unchecked == {"rule of <lambda>": 1}
    reverse = doubled_reverse(lambda x: (x * 2, x), lambda r, g: (g * 2,))
    assert typecheck_jaxpr(at.make_jaxpr(at.vmap(lambda x: reverse(fitting(x))))(anp.ones((2, 3)))).unchecked == {}
    assert typecheck_jaxpr(at.make_jaxpr(reverse)(anp.ones(3, "int32"))).unchecked == {}

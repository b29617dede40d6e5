"""Rules against jax where it computes: what tracing refuses or takes alone, and what a traced answer does not tell."""

from __future__ import annotations

import math
from typing import Any

import pytest
from flow_values import interpreted, run
from oracle import Call, Raised, array, configured, describes, from_jax, jax_says, rule_says, show

from arraytyping.semantics.avals import UNKNOWN

F = "float32"

CALLS = [
    *(Call("Array.at.set", (array("uint32", 2), 0, n)) for n in (2**31, 2**32 - 1, 2**32, 2**40, -1, -(2**31) - 1)),
    *(Call("Array.at.add", (array(d, 2), 0, n)) for d in ("uint8", "int32", F, "bool") for n in (300, 2**31)),
    Call("Array.at.multiply", (array("uint32", 2), 0, 2**32 - 1)),
    *(Call("numpy.swapaxes", (array(F, *shape), axis, axis)) for shape in ((), (2,), (2, 3)) for axis in (None, True)),
    *(Call("numpy.swapaxes", (array(F, 2, 3), a, b)) for a, b in ((None, 1), (0, None), (True, 0), (None, True))),
    *(
        Call("numpy.array", (value,), {"ndmin": n})
        for value in (1, [1, 2], array(F, 2))
        for n in (0.5, 1.0, 2.0, math.nan, True, None, "a")
    ),
    *(Call("numpy.repeat", (array(F), n), {"axis": 0}) for n in (1.5, 2, -1.5, 0)),
    *(Call("numpy.repeat", (array(F), n)) for n in (1.5, 2, -1.5, 0)),
    Call("numpy.repeat", (array(F, 2), 1.5)),
    *(Call("nn.logsumexp", (array(d, 3),), {"b": b}) for d in (F, "int32") for b in (2, 2**40, 2**70, -(2**40))),
    *(
        Call("numpy.unique", (array("int32", 3),), {"size": 4, "fill_value": fill})
        for fill in (array("int32"), array("int32", 1), array("int32", 1, 1), array("int32", 4, 1), 0)
    ),
    Call("numpy.unique", (array(F, 3, 2),), {"axis": 0, "size": 4, "fill_value": array(F, 2)}),
    Call("lax.convert_element_type", (array(F, 2), "int32")),
]


@pytest.mark.parametrize("x64", [False, True])
def test_calls_that_compute(x64: bool) -> None:
    """Of what jax computes the rule says the truth, and it refuses nothing of it."""
    wrong = []
    for call in CALLS:
        real, ours = jax_says(call, x64=x64, eager=True), rule_says(call, x64=x64)
        if not describes(ours, real) or (isinstance(ours, Raised) and not isinstance(real, Raised)):
            wrong.append(f"{call}: jax computes {show(real)}, the rule says {show(ours)}")
    assert wrong == []


@pytest.mark.parametrize("length", [math.inf, -math.inf, math.nan, 2.5, 0.5])
def test_choice_of_a_range(length: float) -> None:
    import jax

    said = rule_says(Call("random.choice", (UNKNOWN, length, (2,))))
    with configured(False, "standard"):
        try:
            real: Any = from_jax(jax.random.choice(jax.random.key(0), length, (2,)))
        except Exception as error:
            real = Raised(type(error))
    assert isinstance(real, Raised) == isinstance(said, Raised)
    assert isinstance(real, Raised) or describes(said, real)


def test_no_argument_of_the_primitive() -> None:
    """`jax.lax.convert_element_type` has no `weak_type`, which only the primitive has."""
    _, result = interpreted(
        "import jax.numpy as jnp\nfrom jax import lax\nlax.convert_element_type(jnp.ones(2), jnp.int32, weak_type=True)"
    )
    (diagnostic,) = result.diagnostics
    assert "weak_type" in diagnostic.message


PROGRAM = """
import jax
import jax.numpy as jnp
from jax import lax

s = jax.ShapeDtypeStruct((2, 3), jnp.float32)
zeros, ones, full, empty = jnp.zeros_like(s), jnp.ones_like(s), jnp.full_like(s, 3), jnp.empty_like(s)
filled = lax.full_like(s, 3)
both = jax.eval_shape(lambda: (jnp.zeros(3), jnp.ones(2)))
like = jax.tree.map(jnp.zeros_like, both)
shape = jnp.zeros(s.shape, s.dtype)
largest = jnp.zeros(2, jnp.uint32).at[0].set(2**32 - 1)
value, tangent = jax.jvp(lambda v: 2.0**v, (jnp.asarray(2.0),), (jnp.asarray(1.0),))
number, slope = jax.jvp(lambda v: jnp.sin(v) * v, (3.0,), (1.0,))
gradient = jax.grad(lambda v: 2.0**v)(3.0)
truth = jnp.cumsum(jnp.asarray(2) < 2.0, axis=0)

def mapped(f, x=jnp.full((3,), 2.5)):
    return jax.vmap(f, axis_name="i")(x)

square = jnp.full((3, 3), 2.5)
half = jnp.ones((), jnp.bfloat16)
total = mapped(lambda v: lax.psum(v, "i"))
greatest = mapped(lambda v: lax.pmax(v, "i"))
least = mapped(lambda v: lax.pmin(v, "i"))
mean = mapped(lambda v: lax.pmean(v, "i"))
gathered = mapped(lambda v: lax.all_gather(v, "i"))
around = mapped(lambda v: lax.ppermute(v, "i", [(0, 1), (1, 2), (2, 0)]))
exchanged = mapped(lambda v: lax.all_to_all(v, "i", 0, 0), square)
swapped = mapped(lambda v: lax.pswapaxes(v, "i", 0), square)
scattered = mapped(lambda v: lax.psum_scatter(v, "i"), square)
product = mapped(lambda v: lax.psum(v, "i") * half)
later = half * total
traced = jax.jit(jax.vmap(lambda v: lax.psum(v, "i"), axis_name="i"))(square[0])
strong = mapped(lambda v: lax.psum(v, "i"), jnp.ones(3, jnp.int8))
"""


def test_programs() -> None:
    variables, result = interpreted(PROGRAM)
    assert result.diagnostics == []
    real = run(PROGRAM)
    arrays = [name for name in real if hasattr(real[name], "aval")]
    assert [n for n in arrays if not describes(variables[n].aval, from_jax(real[n]))] == []
    assert [n for n in arrays if variables[n].aval.shape != real[n].shape] in ([], ["product"])
    known = {"strong": False, "traced": False, "tangent": False, "total": None}
    assert {name: variables[name].aval.weak_type for name in known} == known

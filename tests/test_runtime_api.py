"""Calls of the public functions that JAX takes in more forms than one, against JAX."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from runtime_pairs import check_same

import arraytyping
from arraytyping.core import PRIMITIVES, Primitive
from arraytyping.errors import UnexpectedTracerError

AT: Any = arraytyping

TYPES_ALONE: dict[str, Callable[[Any, Any], Any]] = {
    "likes": lambda fw, jnp: [
        f(fw.ShapeDtypeStruct((2, 3), jnp.int32)) for f in (jnp.zeros_like, jnp.ones_like, jnp.empty_like)
    ],
    "full_like": lambda fw, jnp: jnp.full_like(fw.ShapeDtypeStruct((2,), jnp.int32), 3),
    "another dtype and shape": lambda fw, jnp: jnp.zeros_like(
        fw.ShapeDtypeStruct((2, 3), jnp.int32), jnp.float16, (4,)
    ),
    "shape, ndim": lambda fw, jnp: [f(fw.ShapeDtypeStruct((2, 3), jnp.int32)) for f in (jnp.shape, jnp.ndim)],
    "no array": lambda fw, jnp: jnp.add(fw.ShapeDtypeStruct((2, 3), jnp.int32), 1),
}


def conversion(value: int, dtype: str) -> Callable[[Any, Any], Any]:
    return lambda fw, jnp: fw.lax.convert_element_type(value, dtype)


NUMBERS = {
    f"convert {value} to {dtype}": conversion(value, dtype)
    for value, dtype in ((2**100, "float32"), (2**100, "int32"), (2**40, "uint8"), (300, "uint8"), (3, "bool"))
}
UPDATES: dict[str, Callable[[Any, Any], Any]] = {
    "uint32 of its greatest": lambda fw, jnp: jnp.zeros(2, jnp.uint32).at[0].set(2**32 - 1),
    "a container without gradient": lambda fw, jnp: fw.lax.stop_gradient({"a": jnp.ones(2), "b": [jnp.arange(2)]}),
    "a target network": lambda fw, jnp: fw.grad(lambda x: fw.lax.stop_gradient({"a": x})["a"] * x)(3.0),
    "jacrev of complex numbers": lambda fw, jnp: fw.jacrev(lambda z: jnp.abs(z) ** 2)(jnp.array([1 + 1j, 2 - 1j])),
    "transposed as the first": lambda fw, jnp: fw.tree_util.tree_transpose(
        fw.tree_util.tree_structure([0, 0]), None, [(1, 2), (3, 4)]
    ),
    "grad by keyword alone": lambda fw, jnp: fw.grad(lambda x, y: x)(x=0.0, y=1.0),
    "too few arguments": lambda fw, jnp: fw.grad(lambda x: x, argnums=3)(0.0),
    "too few arguments of jacfwd": lambda fw, jnp: fw.jacfwd(lambda x: x, argnums=3)(0.0),
    "tangent of a power": lambda fw, jnp: fw.jvp(lambda v: 2.0**v, (1.5,), (1.0,)),
    "gradient of a power": lambda fw, jnp: fw.grad(lambda v: 2.0**v)(1.5),
    "gradient of real": lambda fw, jnp: fw.grad(lambda z: jnp.real(z * z.conj()))(1 + 2j),
    "gradient of imag": lambda fw, jnp: fw.grad(lambda z: jnp.imag(z * z))(1 + 2j),
}


@pytest.mark.parametrize("name", [*TYPES_ALONE, *NUMBERS, *UPDATES])
def test_what_a_call_gives(name: str) -> None:
    assert check_same({**TYPES_ALONE, **NUMBERS, **UPDATES}[name]) is None


def test_an_escaped_tracer_says_where_it_was_made() -> None:
    kept: list[Any] = []

    def f(x: Any) -> Any:
        y = x * 2
        kept.extend((AT.numpy.sin(y), x))  # the line
        return y

    line = f.__code__.co_firstlineno + 2
    AT.jit(f)(1.0)
    for tracer, made in zip(kept, (f"by sin at {__file__}:{line} (f)", "as an argument")):
        with pytest.raises(UnexpectedTracerError) as raised:
            _ = tracer + 1
        assert f"it was made {made}, in a transformation that began at {__file__}:" in str(raised.value)
    kept.clear()
    for transformed, x in ((AT.grad(f), np.float32(1)), (AT.vmap(f), np.ones(2, np.float32))):
        transformed(x)
        with pytest.raises(UnexpectedTracerError, match=r"made in a transformation that began at .*test_runtime_api"):
            _ = kept[-1] + 1


def test_a_primitive_of_a_program_may_be_made_again() -> None:
    first, second = Primitive("of_a_notebook"), Primitive("of_a_notebook")
    assert PRIMITIVES["of_a_notebook"] is second is not first
    own = PRIMITIVES["add"]
    Primitive("add")
    assert PRIMITIVES["add"] is own
    del PRIMITIVES["of_a_notebook"]

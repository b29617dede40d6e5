"""What a program makes, by the names in its files: sorts of random keys, numbers that are neither float32 nor ints.

Source: https://docs.jax.dev/en/latest/jax.random.html.
"""

from __future__ import annotations

import ast
import functools
from collections.abc import Iterator
from typing import Final, Literal

from arraytyping.checker.flow.sources.jax_calls import names_of_jax
from arraytyping.checker.flow.sources.statements import nodes_of

__all__ = ["Made", "made_in"]

Made = Literal["raw keys", "typed keys", "narrow floats", "complex numbers"]

_TYPED: Final = frozenset({"wrap_key_data", "prng_key", "nnx", "Rngs", "jax_enable_custom_prng", "enable_custom_prng"})
"""Names of which any, in a file, may make typed keys, or tell that such come."""
_RANDOM: Final = ("jr", "jrandom", "random")
_NARROW: Final = frozenset({"bf16", "fp16", "half_precision", "mixed_precision", "jmp"})
_NARROW_BEGINNINGS: Final = ("bfloat16", "float16", "float8_", "float6_", "float4_")
_COMPLEX: Final = frozenset({
    "fft", "conj", "conjugate", "angle", "imag", "real", "eig", "eigvals", "hilbert", "csingle", "cdouble",
})  # fmt: skip
"""Names by which numbers come that are neither float32 nor ints."""
_TELLING: Final = frozenset({ast.Call, ast.Attribute, ast.ImportFrom, ast.Name, ast.alias, ast.Constant})
"""The nodes that tell anything of it."""


@functools.lru_cache(maxsize=4096)
def made_in(tree: ast.Module) -> frozenset[Made]:
    """What a file may make; what it hands on without calling it counts, too."""
    names = names_of_jax(tree)
    found: set[Made] = set()
    for node in nodes_of(tree):
        if type(node) not in _TELLING:
            continue
        if isinstance(node, ast.Call) and _is_raw(node.func, names):
            found.add("raw keys")
        if isinstance(node, ast.Attribute) and node.attr == "key" and _is_of_random(node.value, names):
            found.add("typed keys")
        if (
            isinstance(node, ast.ImportFrom)
            and "random" in (node.module or "")
            and any(alias.name == "key" for alias in node.names)
        ):
            found.add("typed keys")
        for name in _names_in(node):
            if name in _TYPED:
                found.add("typed keys")
            if name in _NARROW or name.startswith(_NARROW_BEGINNINGS):
                found.add("narrow floats")
            if name in _COMPLEX or name.startswith("complex"):
                found.add("complex numbers")
        if isinstance(node, ast.Constant) and type(node.value) is complex:
            found.add("complex numbers")
        if isinstance(node, ast.Attribute) and node.attr == "half" and isinstance(node.value, ast.Name):
            found.add("narrow floats")
        if _looks_up(node):
            found.add("narrow floats")
    return frozenset(found)


def _is_raw(called: ast.expr, names: dict[str, str]) -> bool:
    if isinstance(called, ast.Attribute):
        return called.attr == "PRNGKey"
    return isinstance(called, ast.Name) and names.get(called.id) == "jax.random.PRNGKey"


def _is_of_random(owner: ast.expr, names: dict[str, str]) -> bool:
    """Whether `owner.key` may be `jax.random.key`: no attribute of `self`, of a state or of an event."""
    if isinstance(owner, ast.Attribute):
        return owner.attr == "random"
    return isinstance(owner, ast.Name) and (names.get(owner.id) == "jax.random" or owner.id in _RANDOM)


def _names_in(node: ast.AST) -> Iterator[str]:
    """The names in one node; of texts, those that are a word."""
    if isinstance(node, ast.Name):
        yield node.id
    elif isinstance(node, ast.Attribute):
        yield node.attr
    elif isinstance(node, ast.alias):
        yield from node.name.split(".")
    elif isinstance(node, ast.ImportFrom):
        yield from (node.module or "").split(".")
    elif isinstance(node, ast.Constant) and type(node.value) is str and node.value.isidentifier():
        yield node.value


def _looks_up(node: ast.AST) -> bool:
    """Whether a dtype may be looked up by a name that is not written there: `getattr(jnp, name)`, `jnp.dtype(name)`."""
    if not isinstance(node, ast.Call):
        return False
    if isinstance(node.func, ast.Name) and node.func.id == "getattr" and len(node.args) > 1:
        owner, name = node.args[:2]
        return isinstance(owner, ast.Name) and owner.id in ("jnp", "np", "numpy") and not isinstance(name, ast.Constant)
    return (
        isinstance(node.func, ast.Attribute)
        and node.func.attr == "dtype"
        and not all(isinstance(a, ast.Constant | ast.Attribute) for a in node.args)
    )

"""How an array came about: the place where it was computed, the operation, and what that was given.

Origins are kept only where a run asks for them: for the codes that hang on them, and to trace dtypes.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any, NamedTuple

from arraytyping.checker.flow.values.basic import Value
from arraytyping.semantics.avals import ShapedArray

__all__ = ["Constant", "Origin", "joined_origins", "place_of"]


class Constant(NamedTuple):
    """An array of NumPy as an operand: it changes in place, so this is what it was then.

    `value` is what each of its elements is, if that is one number.
    """

    dtype: str | None
    shape: tuple[Any, ...] | None
    is_scalar: bool
    value: Any
    origin: tuple[str, int] | None


class Origin(tuple[str, int]):
    """The place (path, line) where an array was computed, with the operation.

    `op` is the name of a rule (`numpy.sqrt`), the name of a binary operator (`add`), or how a function is called;
    `args` and `kwargs` are what it was given, with arrays as they are, and of a container a tuple of what is in it.
    `inner` are the results of the functions that jax called back meanwhile.
    """

    op: str
    aval: ShapedArray
    node: ast.AST | None
    module: Any
    args: tuple[Any, ...]
    kwargs: dict[str, Any]
    inner: tuple[Any, ...]
    is_differentiated: bool

    def __new__(
        cls, place: tuple[str, int], op: str, aval: ShapedArray, node: ast.AST | None = None, module: Any = None,
        args: tuple[Value, ...] = (), kwargs: dict[str, Value] | None = None, inner: tuple[Any, ...] = (),
    ) -> Origin:  # fmt: skip
        """An origin at a place."""
        made = super().__new__(cls, place)
        made.op, made.aval, made.node, made.module = op, aval, node, module
        made.args, made.kwargs, made.inner = args, kwargs or {}, inner
        made.is_differentiated = False
        return made

    @property
    def operands(self) -> Iterator[Value]:
        """What it was given, containers opened."""
        stack = [*self.inner, *reversed(list(self.kwargs.values())), *reversed(self.args)]
        while stack:
            value = stack.pop()
            if type(value) is tuple:
                stack += reversed(value)
            else:
                yield value

    @property
    def parents(self) -> Iterator[Origin]:
        """The origins of the arrays that it was given."""
        for value in self.operands:
            made = value if isinstance(value, Origin) else getattr(value, "origin", None)
            if isinstance(made, Origin):
                yield made


def joined_origins(a: tuple[str, int] | None, b: tuple[str, int] | None, aval: ShapedArray) -> tuple[str, int] | None:
    """The origin of what is one of two arrays."""
    if a is b or not (isinstance(a, Origin) or isinstance(b, Origin)):
        return a
    place = a or b
    assert place is not None
    return Origin(place, "either", aval, getattr(place, "node", None), getattr(place, "module", None), (a, b))


def place_of(made: tuple[str, int] | None) -> tuple[str, int] | None:
    """The place alone, of what comes of an array in a way that is not followed."""
    return (made[0], made[1]) if isinstance(made, Origin) else made

"""The sizes that the names of dimensions have in one call, and where each got it.

A name may have been seen with several sizes of which it is not known whether they are equal; a further one is held
against each of them.  A size of None says that the name may have got one that is not known.  The bindings of a call
lie in an instance that the journal knows, so that those of a branch are taken back, and after two branches only those
hold that both made.
"""

from __future__ import annotations

from typing import Any, Final

from arraytyping.avals import Dim, SymbolicDim
from arraytyping.flow.frames import Frame
from arraytyping.flow.interpreter import Interpreter
from arraytyping.flow.sizes import of_dim
from arraytyping.flow.values import ClassValue, InstanceValue, is_exact

__all__ = ["Bindings", "differ", "load", "same", "store"]

_CONTRACT: Final = ClassValue("contract", (), {}, None)


def same(a: Dim, b: Dim) -> bool:
    """Whether two sizes are equal for certain."""
    return a is not None and a == b


def differ(a: Dim, b: Dim) -> bool:
    """Whether two sizes differ for certain."""
    if a is None or b is None or a == b:
        return False
    x, y = of_dim(a), of_dim(b)
    if x is None or y is None:
        return False
    low, high = (x - y).bounds()
    return (low is not None and low > 0) or (high is not None and high < 0)


class Bindings:
    """Sizes by name, with the place where each was seen; and shapes by the name of a variadic dimension.

    A shape that stands with whether it may still be broadcast is as in jaxtyping's memo; None is one of which nothing
    is known, since an array of unknown rank has bound it.
    """

    def __init__(self) -> None:
        self.single: dict[str, tuple[tuple[Dim, str], ...]] = {}
        self.variadic: dict[str, tuple[bool, tuple[Dim, ...], str] | None] = {}

    def size(self, name: str) -> Dim:
        """The first known size of a name; None if there is none."""
        return next((dim for dim, _ in self.single.get(name, ()) if dim is not None), None)

    def blur(self, name: str, variadic: bool) -> None:
        """A name may have been bound, it is not known to what, or a shape been broadcast."""
        if not variadic:
            self.single.setdefault(name, ((None, ""),))
        elif name not in self.variadic or (self.variadic[name] or (True,))[0]:
            self.variadic[name] = None

    def copy(self) -> Bindings:
        """The same, to be changed apart."""
        new = Bindings()
        new.take(self)
        return new

    def take(self, other: Bindings) -> None:
        """Become as the other."""
        self.single = dict(other.single)
        self.variadic = dict(other.variadic)


def load(frame: Frame) -> Bindings:
    """The bindings of the call that a frame belongs to; outside of functions every annotation stands alone."""
    bindings = Bindings()
    contract = frame.function_frame().contract
    if not isinstance(contract, InstanceValue):
        return bindings
    for key, value in contract.attributes.items():
        known = is_exact(value)
        if key.startswith("*"):
            entry = None if not known or value is None else (value[0], tuple(_decode(d) for d in value[1]), value[2])
            bindings.variadic[key[1:]] = entry
        elif known:
            bindings.single[key] = tuple((_decode(dim), where) for dim, where in value)
    return bindings


def store(it: Interpreter, frame: Frame, bindings: Bindings) -> None:
    """Keep the bindings for the rest of the call."""
    frame = frame.function_frame()
    if frame.kind != "function":
        return
    new: dict[str, Any] = {name: tuple((_encode(d), w) for d, w in seen) for name, seen in bindings.single.items()}
    for name, entry in bindings.variadic.items():
        new["*" + name] = None if entry is None else (entry[0], tuple(_encode(d) for d in entry[1]), entry[2])
    if frame.contract is None:
        frame.contract = InstanceValue(_CONTRACT, {})
    if new != frame.contract.attributes:
        it.journal.touch(frame.contract)
        frame.contract.attributes = new


def _encode(dim: Dim) -> int | str | None:
    return dim.name if isinstance(dim, SymbolicDim) else dim


def _decode(dim: Any) -> Dim:
    return SymbolicDim(dim) if isinstance(dim, str) else dim

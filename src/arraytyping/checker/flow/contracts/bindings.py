"""The sizes that the names of dimensions have in one call, and where each got it.

A name may have been seen with several sizes of which it is not known whether they are equal; a further one is held
against each of them.  A size of None says that the name may have got one that is not known.  The bindings of a call
lie in an instance that the journal knows, so that those of a branch are taken back, and after two branches only those
hold that both made.
"""

from __future__ import annotations

from typing import Any, Final

from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.values import ClassValue, InstanceValue, is_concrete
from arraytyping.checker.flow.values.frames import Frame
from arraytyping.semantics.avals import Dim

__all__ = ["Bindings", "load", "same", "store"]

_CONTRACT: Final = ClassValue("contract", (), {}, None)


def same(a: Dim, b: Dim) -> bool:
    """Whether two sizes are equal for certain."""
    return a is not None and a == b


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
        known = is_concrete(value)
        if key.startswith("*"):
            bindings.variadic[key[1:]] = value if known else None
        elif known:
            bindings.single[key] = value
    return bindings


def store(it: Interpreter, frame: Frame, bindings: Bindings) -> None:
    """Keep the bindings for the rest of the call."""
    frame = frame.function_frame()
    if frame.kind != "function":
        return
    new: dict[str, Any] = {**bindings.single, **{"*" + name: entry for name, entry in bindings.variadic.items()}}
    if frame.contract is None:
        frame.contract = InstanceValue(_CONTRACT, {})
    if new != frame.contract.attributes:
        it.journal.touch(frame.contract)
        frame.contract.attributes = new

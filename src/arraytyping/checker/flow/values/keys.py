"""Where a random key comes from, and what has drawn from it.

The bits of a key have an identity, which belongs to the value: it goes with the key through containers, attributes and
closures, and a part of an array of keys has its own, always the same for the same index.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

from typing_extensions import override

from arraytyping.checker.flow.values.basic import Mutable, Value

__all__ = ["KeyOrigin", "KeyUse", "Step"]

Step = tuple[str, Any]
"""How a key is made of another one: the part at an index, or what `fold_in` makes of it with this data."""


class KeyUse:
    """What has drawn from a key: the function's name, and the calls from the outermost to this one, each with its node.

    One that `is_only_again` is a mistake where the same call is made again, and nowhere else: other calls may mean to
    draw the same.  A call is the caller's name, its module and the node, as in the chain of the interpreter.
    """

    __slots__ = ("calls", "is_only_again", "like", "what")

    def __init__(
        self,
        what: str,
        calls: tuple[tuple[str, Any, ast.AST], ...],
        is_only_again: bool = False,
        like: Any = None,
    ) -> None:
        self.what: str = what
        self.like: Any = like
        """The array whose shape was drawn; `()` if each example has to have a draw of its own."""
        self.calls: tuple[tuple[str, Any, ast.AST], ...] = calls
        self.is_only_again: bool = is_only_again


class KeyOrigin(Mutable):
    """The identity of a key, or of an array of keys; `use` is the first draw from it that is certain.

    `source` is the key that it was made of and the step.  One that stands for several keys, such as each item of a
    list, has `is_many`: nothing is told of it.  `rows` is the array of which it is each row, under `vmap`.
    """

    __slots__ = ("calls", "derived", "is_fixed", "is_many", "last", "looped", "rows", "source", "use")

    def __init__(
        self,
        calls: tuple[tuple[str, Any, ast.AST], ...] = (),
        source: tuple[KeyOrigin, Step] | None = None,
        rows: KeyOrigin | None = None,
    ) -> None:
        super().__init__()
        self.calls: tuple[tuple[str, Any, ast.AST], ...] = calls
        self.source: tuple[KeyOrigin, Step] | None = source
        self.rows: KeyOrigin | None = rows
        self.derived: dict[Step, KeyOrigin] = {}
        self.is_many: bool = source is not None and source[0].is_many
        self.is_fixed: bool = False
        """Whether a function makes it of a constant, so that it is the same in each call."""
        self.use: KeyUse | None = None
        self.last: KeyUse | None = None
        """The last draw that was seen, on whatever path."""
        self.looped: KeyUse | None = None
        """A draw in an earlier round of a loop that is under way."""

    def derive(self, step: Step) -> KeyOrigin:
        """What a step makes of it: the same each time."""
        found = self.derived.get(step)
        if found is None:
            found = self.derived[step] = KeyOrigin(self.calls, (self, step))
        return found

    def used(self) -> KeyUse | None:
        """A draw from it, from an array that it is a part of, or from one of its parts."""
        whole: KeyOrigin | None = self
        while whole is not None:
            if whole.use is not None:
                return whole.use
            whole = whole.source[0] if whole.source is not None and whole.source[1][0] == "part" else None
        return next((part.use for part in self._parts() if part.use is not None), None)

    def _parts(self) -> Iterator[KeyOrigin]:
        for (kind, _), part in self.derived.items():
            if kind == "part":
                yield part
                yield from part._parts()

    @staticmethod
    def several() -> KeyOrigin:
        """The origin of what stands for several keys."""
        origin = KeyOrigin()
        origin.is_many = True
        return origin

    @override
    def snapshot(self) -> Any:
        return self.use

    @override
    def restore(self, snapshot: Any) -> None:
        self.use = snapshot

    @staticmethod
    def joined(a: Value, b: Value) -> Value:
        """It is certain that it was drawn from if it was on either path."""
        return None if b is None else a

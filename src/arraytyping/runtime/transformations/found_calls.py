"""What a kind of call of a compiled function runs: at first by a list of buffers, then by a text made for it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import optree

from arraytyping import config
from arraytyping.runtime import tree
from arraytyping.runtime.array_likes import scalar_from
from arraytyping.runtime.core import EVAL
from arraytyping.runtime.transformations.call_text import CallText, Leaf, NoText

__all__ = ["FoundCall"]

_MOST_MEMORIES: Final = 16
"""How many memories for one argument are made: programs that take long do not give theirs back, and get new buffers."""
_KIND: Final = optree.PyTreeKind
_PLAIN: Final = (_KIND.LEAF, _KIND.NONE, _KIND.TUPLE, _KIND.LIST, _KIND.DICT)


class FoundCall:
    """A program, and how its results become the function's."""

    __slots__ = ("avals", "compiled", "donated", "is_single", "kept", "order", "out_tree")

    def __init__(
        self, compiled: Any, out_tree: Any, is_single: bool, order: tuple[int, ...] | None, avals: list[Any],
        donated: Sequence[int], kept: Sequence[int],
    ) -> None:  # fmt: skip
        self.compiled: Any = compiled
        self.out_tree: Any = out_tree
        self.is_single: bool = is_single
        self.order: tuple[int, ...] | None = order
        self.avals: list[Any] = avals
        self.donated: Sequence[int] = donated
        self.kept: Sequence[int] = kept

    def result(self, buffers: list[Any]) -> Any:
        """The function's result, of buffers in the order of the call."""
        if self.order is not None:
            buffers = [buffers[i] for i in self.order]
        if self.is_single:
            return self.compiled.one(buffers)
        return self.out_tree.unflatten(self.compiled.on_buffers(buffers))

    def text(
        self, slow: Callable[..., Any], living: list[bool], args: Sequence[Any], kwargs: dict[str, Any],
        static: Mapping[Any, Any], dynamic: Any,
    ) -> Callable[..., Any] | None:  # fmt: skip
        """A function that runs a call like this one, and any other slowly; None where there can be none."""
        if self.compiled.has_effects:
            return None  # what it calls may still read memory that is to be written to again
        given = {
            **self.compiled.parts, "slow": slow, "living": living, "promotion": config.promotion(),
            "inside": config._inside, "process": config._process, "scalar_from": scalar_from,
            "buffer_of": EVAL.buffer_of, "buffer_from": EVAL.buffer_from,
        }  # fmt: skip
        text = CallText(given, EVAL.array_class, _memory_of, self.kept)
        try:
            places, named = _places(tree.flatten_as_given(dynamic)[1])
            text.take_arguments(args, kwargs, static, places, named, self.avals)
            if not text.of_memory.isdisjoint(self.donated):
                return None  # what is given away is no memory to write to again
            out_avals = self.compiled.out_avals
            try:
                result = text.result(_places(self.out_tree))
            except NoText:
                unflatten = text.name("unflatten", self.out_tree.unflatten)
                result = f"{unflatten}([{', '.join(f'o{i}' for i in range(len(out_avals)))}])"
            return text.function(self.compiled.consts, out_avals, result)
        except NoText:
            return None


def _places(treedef: Any) -> Any:
    """The tree of this structure with the number of each leaf in its place."""
    if not _is_plain(treedef):
        raise NoText
    return tree.unflatten(treedef, map(Leaf, range(treedef.num_leaves)))


def _is_plain(treedef: Any) -> bool:
    return treedef.kind in _PLAIN and all(map(_is_plain, treedef.children()))


def _memory_of(aval: Any, is_number: bool) -> Callable[[], Any]:
    """What makes memory for one more call that is under way, and after some none."""
    left = [None] * _MOST_MEMORIES

    def make() -> Any:
        try:
            left.pop()
        except IndexError:
            return None
        made = EVAL.argument_memory(aval)
        return (memoryview(made[0]), made[1]) if made is not None and is_number else made

    return make

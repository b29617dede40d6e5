"""The undo journal: every write is recorded, so that a branch can be run, taken back, and joined with the others.

A place is a variable of a frame, or the contents of a mutable value.  `mark` remembers a moment; `undo` goes back to
it; `changes` is what differs since then.  The state at the end of a path is kept as such changes.
"""

from __future__ import annotations

import bisect
import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final, NamedTuple, TypeVar

from arraytyping.checker.flow.state.aliases import collecting, is_shared, related
from arraytyping.checker.flow.state.forgetting import forget_contents
from arraytyping.checker.flow.state.joins import join, join_snapshots, same_contents, sharing_joins
from arraytyping.checker.flow.state.seeds import SeedState
from arraytyping.checker.flow.values import (
    MISSING,
    DictValue,
    InstanceValue,
    IteratorValue,
    KeyOrigin,
    ListValue,
    NumPyValue,
    SetValue,
    Unknown,
    Value,
)
from arraytyping.checker.flow.values.basic import births
from arraytyping.checker.flow.values.frames import Frame

__all__ = ["Changes", "Exit", "Journal", "Mark", "Path", "Place"]

M = TypeVar("M")
_MADE_ON_PATHS: Final = (InstanceValue, DictValue, ListValue, SetValue, IteratorValue, NumPyValue, Frame)
"""What a program makes where it comes by; classes, seeds and keys are looked at on every path."""


_MOST_NESTED: Final = 100
"""So many values may come of looking at joined ones again; a dict that a loop nests in itself makes ever more."""


class Place(NamedTuple):
    """A variable of a frame by name, or, with no name, the contents of a mutable value."""

    owner: Any
    name: str | None


Changes = dict[tuple[int, str | None], tuple[Place, Any]]
"""The contents of places, by the owner's identity and the name."""


class Exit(NamedTuple):
    """A path that has ended: how (return, break, continue), its changes since a mark, and its value.

    The mark is that of the frame for one that returned, and that of the innermost loop for the others.
    """

    kind: str
    changes: Changes
    mark: int
    value: Any
    began: float = math.inf
    """When what was executed last on this path began; since then it shares nothing with a path that comes later."""
    ended: int = 0
    loaded: int = 0
    """How often something had been loaded by then that the program saves (`resumption`)."""
    moment: tuple[int, int] | None = None
    """The journal's when it ended."""


class Path(NamedTuple):
    """A path that meets others: its changes; when it parted from those that came later; and when it ended.

    On one that has resumed (`resumption`) iterators have begun that have begun on the others, and give ever the same.
    """

    changes: Changes
    began: float = math.inf
    ended: float = math.inf
    has_resumed: bool = False

    @classmethod
    def of(cls, left: Exit) -> Path:
        """That which left a block."""
        return cls(left.changes, left.began, left.ended)


class Mark(int):
    """A moment: how much was written by then, and the number of the value that was born last."""

    born: int


_FEW: Final = 32
_new: Final = tuple.__new__  # of a named tuple, half the time of its own


class Journal:
    """All writes so far, with what was there before."""

    def __init__(self) -> None:
        self._entries: list[tuple[Any, str | None, Any]] = []
        self.shared: list[tuple[Any, Any]] = []
        """What was written and concerns others too, with its contents before."""
        self.spread: int = 0
        """How many writes were repeated in other values that may be the same object, beyond a few for each."""
        self._timeless: list[tuple[int, int]] = []
        """From when to when libraries were loaded: what was born then is there on every path."""
        self._undone = 0
        """How often something was taken back."""

    @property
    def length(self) -> int:
        """How much was written so far: a mark that says nothing of what was born by then."""
        return len(self._entries)

    @property
    def moment(self) -> tuple[int, int] | None:
        """Equal to another one if nothing was written or taken back between; None while something is being written."""
        return None if self.shared else (len(self._entries), self._undone)

    @property
    def mark(self) -> Mark:
        """The present moment."""
        mark = Mark(len(self._entries))
        mark.born = next(births)
        return mark

    def bind(self, frame: Frame, name: str, value: Value) -> None:
        """Bind a variable in exactly this frame; MISSING unbinds it."""
        self._entries.append((frame, name, frame.variables.get(name, MISSING)))
        if value is MISSING:
            frame.variables.pop(name, None)
        else:
            frame.variables[name] = value

    def touch(self, owner: Any) -> None:
        """The contents of a mutable value are about to change."""
        owner.will_change()
        before = owner.snapshot()
        self._entries.append((owner, None, before))
        if is_shared(owner):
            self.shared.append((owner, before))

    def settle(self) -> None:
        """Let what was written just now be seen, perhaps, in all that may be the same object."""
        while self.shared:
            owner, before = self.shared.pop()
            now = owner.snapshot()
            if owner.alias.is_many:
                owner.restore(join_snapshots(owner, before, now))
            others = related(owner)
            self.spread += max(0, len(others) - _FEW)
            with self.joining():
                for other in others:
                    held = other.snapshot()
                    self._entries.append((other, None, held))
                    other.restore(_with_written(other, held, before, now))

    @contextmanager
    def joining(self, since: int | None = None) -> Iterator[None]:
        """Values are joined here while contents are still being written: look at these again in the end.

        The join of two values is one value in all of it, so that what refers to one another comes to an end.
        `since` is where what is written begins, by default here.
        """
        first = len(self._entries) if since is None else since
        with sharing_joins(), collecting() as made:
            yield
            written = {id(owner) for owner, name, _ in self._entries[first:] if name is None}
            most = len(made) + _MOST_NESTED
            for i, value in enumerate(made if written else ()):  # others may be added meanwhile
                one, other = value.alias.sources
                if id(one) not in written and id(other) not in written:
                    continue
                written.add(id(value))
                if i < most:
                    value.restore(join_snapshots(value, one.snapshot(), other.snapshot()))
                else:
                    forget_contents(value, "values that are nested without an end")

    def blur_outside(self, mark: int, born: int) -> bool:
        """`blur`, of what is older than `born`; what a generator draws it draws all the same, in its order.

        Whether there is any, other than iterators from which items were taken.
        """
        entries = self._entries[mark:]
        held: dict[tuple[int, str | None], tuple[Place, list[Any]]] = {}
        for owner, name, old in entries:
            if owner.born < born and not isinstance(owner, SeedState | KeyOrigin):
                held.setdefault((id(owner), name), (Place(owner, name), []))[1].append(old)
        with self.joining():
            for place, olds in held.values():
                joined = _read(place)
                for old in olds:
                    joined = join_contents(place, joined, old)
                self.write(place, joined)
        return any(not isinstance(place.owner, IteratorValue) for place, _ in held.values())

    def is_written_outside(self, mark: int, born: int) -> bool:
        """Whether anything that is older than `born` was written since the mark."""
        return any(owner.born < born for owner, _, _ in self._entries[mark:])

    @property
    def newest(self) -> int:
        """A number that is greater than that of any value so far."""
        return next(births)

    def spoil_outside(self, mark: int, born: int) -> None:
        """What was written since the mark to places older than `born` may be anything."""
        places = {(id(owner), name): Place(owner, name) for owner, name, _ in self._entries[mark:] if owner.born < born}
        for place in places.values():
            if place.name is not None:
                self.write(place, Unknown("what is written where flow does not follow"))
            else:
                self.touch(place.owner)
                forget_contents(place.owner, "what is written where flow does not follow")

    def write(self, place: Place, contents: Value) -> None:
        """Put contents, as `changes` gives them, into a place."""
        held = _read(place)
        if contents is held or (place.name is None and same_contents(contents, held)):
            return
        self._entries.append((*place, held))
        _store(place, contents)

    def changes(self, mark: int) -> Changes:
        """What is now in each place that was written since."""
        found: Changes = {}
        for owner, name, _ in self._entries[mark:]:
            if (key := (id(owner), name)) not in found:
                held = owner.snapshot() if name is None else owner.variables.get(name, MISSING)
                found[key] = _new(Place, (owner, name)), held
        return found

    def before(self, mark: int) -> Changes:
        """What was in each place that was written since, at the mark."""
        found: Changes = {}
        for owner, name, old in self._entries[mark:]:
            if (key := (id(owner), name)) not in found:
                found[key] = _new(Place, (owner, name)), old
        return found

    def is_at(self, exit_: Exit) -> bool:
        """Whether all is still as it was where a path left, so that its changes need not be made again."""
        return exit_.moment is not None and exit_.moment == self.moment

    def before_round(self, mark: Mark) -> Iterator[tuple[Place, Value]]:
        """`before`, of what was there at the mark: each round of a loop makes its own objects."""
        for place, old in self.before(mark).values():
            if not self.is_since(place.owner, mark.born):
                yield place, old

    def undo(self, mark: int) -> None:
        """Go back to the moment of a mark."""
        entries = self._entries
        self.shared.clear()
        self._undone += 1
        while len(entries) > mark:
            owner, name, old = entries.pop()
            _store((owner, name), old)

    def forget(self, mark: Mark) -> None:
        """Let what was written since a mark stay for good, such as the names of a library's module."""
        del self._entries[mark:]
        self._undone += 1
        while self._timeless and self._timeless[-1][0] > mark.born:
            self._timeless.pop()
        self._timeless.append((mark.born, next(births)))

    def is_since(self, owner: Any, born: float) -> bool:
        """Whether an object was made on the present path after another one was born.

        Then it is on no path that parted from this one before.
        """
        if owner.born <= born or not isinstance(owner, _MADE_ON_PATHS):
            return False
        if not self._timeless:
            return True
        at = bisect.bisect(self._timeless, (owner.born, 0))
        return at == 0 or self._timeless[at - 1][1] < owner.born

    def redo(self, changes: Changes) -> None:
        """Make these changes again."""
        for place, contents in changes.values():
            self.write(place, contents)

    def meet_paths(self, mark: int, paths: list[Path], is_reachable: bool) -> None:
        """Join the states of paths that ended since the mark, and the present one if it is reachable, into one."""
        before = self.before(mark)
        places = {key: place for path in paths for key, (place, _) in path.changes.items()}
        places.update((key, place) for key, (place, _) in before.items())
        met: list[tuple[Place, list[Any]]] = []
        first = len(self._entries)
        for key, place in places.items():
            now = _read(place)
            old = before[key][1] if key in before else now
            found = [path for path in paths if key in path.changes]
            states = [path.changes[key][1] for path in found]
            if len(found) < len(paths):
                others = paths if not found else [path for path in paths if key not in path.changes]
                if found and isinstance(place.owner, IteratorValue) and states[0][0] is None:
                    others = [path for path in others if not path.has_resumed]
                if any(not self._lacks(place.owner, path.ended, found) for path in others):
                    states.append(old)
            if is_reachable and (key in before or not self._lacks(place.owner, math.inf, found)):
                states.append(now)
            if len(states) == 1:
                self.write(place, states[0])
            elif states and any(state is not now for state in states):
                met.append((place, states))
        if not met:
            return
        with self.joining(first):
            # What is on one path alone is as it is there, before it is joined with others; contents before variables.
            for place, states in sorted(met, key=lambda one: one[0].name is not None):
                joined = states[0]
                for state in states[1:]:
                    joined = join_contents(place, joined, state)
                self.write(place, joined)

    def _lacks(self, owner: Any, ended: float, others: list[Path]) -> bool:
        """Whether a path that ended then has not made this object, which was written to on these other ones."""
        return self.is_since(owner, ended) or any(
            other.ended < ended and owner.born <= other.ended and self.is_since(owner, other.began) for other in others
        )

    def first_held(self, mark: int, kind: type[M]) -> dict[M, Any]:
        """What each value of this class whose contents were written since a mark has held then."""
        found: dict[M, Value] = {}
        for owner, _, old in self._entries[mark:]:
            if type(owner) is kind:
                found.setdefault(owner, old)
        return found

    def held(self, mark: int) -> list[tuple[Place, Value]]:
        """What each place that was written since the mark has held, at any moment."""
        found = [(Place(owner, name), old) for owner, name, old in self._entries[mark:]]
        return found + [(place, _read(place)) for place in {(id(p.owner), p.name): p for p, _ in found}.values()]

    def blur(self, mark: Mark, more: Sequence[tuple[Place, Value]] = ()) -> None:
        """Join into each place all that it has held since the mark: an exception may have come at any moment.

        `more` is what places have held on paths that were taken back.  An instance that was made since is taken to have
        all its attributes: who comes by it while it is still being made is not looked for.
        """
        held: dict[tuple[int, str | None], tuple[Place, list[Any]]] = {}
        for owner, name, value in (*self._entries[mark:], *((*place, value) for place, value in more)):
            if (key := (id(owner), name)) not in held:
                held[key] = Place(owner, name), []
            held[key][1].append(value)
        with self.joining():
            for place, olds in held.values():
                joined = _read(place)
                is_made = isinstance(place.owner, InstanceValue) and self.is_since(place.owner, mark.born)
                for old in olds:
                    joined = _merged(joined, old) if is_made else join_contents(place, joined, old)
                self.write(place, joined)


def _merged(a: dict[str, Value], b: dict[str, Value]) -> dict[str, Any]:
    """The attributes of an instance, each as in one or the other; one that is not there yet comes later."""
    return {name: join(a.get(name, MISSING), b.get(name, MISSING)) for name in {**a, **b}}


def join_contents(place: Place, a: Value, b: Value) -> Value:
    """What a place holds that holds one or the other."""
    if a is b:
        return a
    return join(a, b) if place.name is not None else join_snapshots(place.owner, a, b)


def _with_written(other: Value, held: Value, before: Any, now: Any) -> Value:
    """What a value may hold that may be another one whose contents were `before` and are `now`.

    What was not written is left as it is: of values that refer to one another each join would make new ones.
    """
    if isinstance(held, dict) and isinstance(other, InstanceValue) and before.keys() == now.keys() == held.keys():
        written = {name for name, value in now.items() if value is not before[name]}
        return {name: join(value, now[name]) if name in written else value for name, value in held.items()}
    return join_snapshots(other, held, now)


def _read(place: Place | tuple[Any, str | None]) -> Any:
    owner, name = place
    return owner.snapshot() if name is None else owner.variables.get(name, MISSING)


def _store(place: Place | tuple[Any, str | None], contents: Value) -> None:
    owner, name = place
    if name is None:
        owner.restore(contents)
    elif contents is MISSING:
        owner.variables.pop(name, None)
    else:
        owner.variables[name] = contents

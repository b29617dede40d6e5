"""The undo journal: every write is recorded, so that a branch can be run, taken back, and joined with the others.

A place is a variable of a frame, or the contents of a mutable value.  `mark` remembers a moment; `undo` goes back to
it; `changes` is what differs since then.  The state at the end of a path is kept as such changes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple, TypeVar

from arraytyping.checker.flow.state.aliases import collecting, is_shared, related
from arraytyping.checker.flow.state.forgetting import forget_contents
from arraytyping.checker.flow.state.identity import snapshot_identity
from arraytyping.checker.flow.state.joins import join, join_snapshots
from arraytyping.checker.flow.state.seeds import SeedState
from arraytyping.checker.flow.values import MISSING, KeyOrigin, ListValue, Unknown
from arraytyping.checker.flow.values.frames import Frame

__all__ = ["Changes", "Exit", "Journal", "Place"]

M = TypeVar("M")


class Place(NamedTuple):
    """A variable of a frame by name, or, with no name, the contents of a mutable value."""

    owner: Any
    name: str | None


Changes = dict[tuple[int, str | None], tuple[Place, Any]]
"""The contents of places, by the owner's identity and the name."""


class Exit(NamedTuple):
    """A path that has ended: how (return, break, continue), its changes since the frame's mark, and its value."""

    kind: str
    changes: Changes
    value: Any


class Journal:
    """All writes so far, with what was there before."""

    def __init__(self) -> None:
        self._entries: list[tuple[Any, str | None, Any]] = []
        self.shared: list[tuple[Any, Any]] = []
        """What was written and concerns others too, with its contents before."""

    @property
    def mark(self) -> int:
        """The present moment."""
        return len(self._entries)

    def bind(self, frame: Frame, name: str, value: Any) -> None:
        """Bind a variable in exactly this frame; MISSING unbinds it."""
        self._entries.append((frame, name, frame.variables.get(name, MISSING)))
        if value is MISSING:
            frame.variables.pop(name, None)
        else:
            frame.variables[name] = value

    def touch(self, owner: Any) -> None:
        """The contents of a mutable value are about to change."""
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
            for other in related(owner):
                held = other.snapshot()
                self._entries.append((other, None, held))
                other.restore(join_snapshots(other, held, now))

    @contextmanager
    def joining(self) -> Iterator[None]:
        """Values are joined here while contents are still being written: look at these again in the end."""
        first = len(self._entries)
        with collecting() as made:
            yield
        written = {id(owner) for owner, name, _ in self._entries[first:] if name is None}
        for _ in range(4):
            if not written:
                break
            with collecting() as again:
                for value in made:
                    for ref in list(value.alias.sources):
                        if (source := ref()) is not None and id(source) in written:
                            held, more = value.snapshot(), source.snapshot()
                            if snapshot_identity(held) != snapshot_identity(more):
                                value.restore(join_snapshots(value, held, more))
                                written.add(id(value))
            made = again
            if not made:
                break

    def blur_outside(self, mark: int, born: int) -> None:
        """`blur`, of what is older than `born`; what a generator draws it draws all the same, in its order."""
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

    @property
    def newest(self) -> int:
        """A number that is greater than that of any value so far."""
        return ListValue([]).born

    def spoil_outside(self, mark: int, born: int) -> None:
        """What was written since the mark to places older than `born` may be anything."""
        places = {(id(owner), name): Place(owner, name) for owner, name, _ in self._entries[mark:] if owner.born < born}
        for place in places.values():
            if place.name is not None:
                self.write(place, Unknown("what is written where flow does not follow"))
            else:
                self.touch(place.owner)
                forget_contents(place.owner, "what is written where flow does not follow")

    def write(self, place: Place, contents: Any) -> None:
        """Put contents, as `changes` gives them, into a place."""
        self._entries.append((*place, _read(place)))
        _store(place, contents)

    def changes(self, mark: int) -> Changes:
        """What is now in each place that was written since."""
        places = {(id(owner), name): Place(owner, name) for owner, name, _ in self._entries[mark:]}
        return {key: (place, _read(place)) for key, place in places.items()}

    def before(self, mark: int) -> Changes:
        """What was in each place that was written since, at the mark."""
        found: Changes = {}
        for owner, name, old in self._entries[mark:]:
            found.setdefault((id(owner), name), (Place(owner, name), old))
        return found

    def undo(self, mark: int) -> None:
        """Go back to the moment of a mark."""
        entries = self._entries
        self.shared.clear()
        while len(entries) > mark:
            owner, name, old = entries.pop()
            _store(Place(owner, name), old)

    def forget(self, mark: int) -> None:
        """Let what was written since a mark stay for good, such as the names of a library's module."""
        del self._entries[mark:]

    def redo(self, changes: Changes) -> None:
        """Make these changes again."""
        for place, contents in changes.values():
            self.write(place, contents)

    def meet_paths(self, mark: int, paths: list[Changes], is_reachable: bool) -> None:
        """Join the states of paths that ended since the mark, and the present one if it is reachable, into one."""
        before = self.before(mark)
        places = {key: place for changes in (*paths, before) for key, (place, _) in changes.items()}
        with self.joining():
            for key, place in places.items():
                now = _read(place)
                old = before[key][1] if key in before else now
                states = [changes[key][1] if key in changes else old for changes in paths]
                if is_reachable:
                    states.append(now)
                joined = states[0]
                for state in states[1:]:
                    joined = join_contents(place, joined, state)
                if joined is not now:
                    self.write(place, joined)

    def first_held(self, mark: int, kind: type[M]) -> dict[M, Any]:
        """What each value of this class whose contents were written since a mark has held then."""
        found: dict[M, Any] = {}
        for owner, _, old in self._entries[mark:]:
            if type(owner) is kind:
                found.setdefault(owner, old)
        return found

    def held(self, mark: int) -> list[tuple[Place, Any]]:
        """What each place that was written since the mark has held, at any moment."""
        found = [(Place(owner, name), old) for owner, name, old in self._entries[mark:]]
        return found + [(place, _read(place)) for place in {(id(p.owner), p.name): p for p, _ in found}.values()]

    def blur(self, mark: int, more: Sequence[tuple[Place, Any]] = ()) -> None:
        """Join into each place all that it has held since the mark: an exception may have come at any moment.

        `more` is what places have held on paths that were taken back.
        """
        held: dict[tuple[int, str | None], tuple[Place, list[Any]]] = {}
        for place, value in (*((Place(owner, name), old) for owner, name, old in self._entries[mark:]), *more):
            held.setdefault((id(place.owner), place.name), (place, []))[1].append(value)
        with self.joining():
            for place, olds in held.values():
                joined = _read(place)
                for old in olds:
                    joined = join_contents(place, joined, old)
                self.write(place, joined)


def join_contents(place: Place, a: Any, b: Any) -> Any:
    """What a place holds that holds one or the other."""
    if a is b:
        return a
    return join(a, b) if place.name is not None else join_snapshots(place.owner, a, b)


def _read(place: Place) -> Any:
    owner, name = place
    return owner.snapshot() if name is None else owner.variables.get(name, MISSING)


def _store(place: Place, contents: Any) -> None:
    owner, name = place
    if name is None:
        owner.restore(contents)
    elif contents is MISSING:
        owner.variables.pop(name, None)
    else:
        owner.variables[name] = contents

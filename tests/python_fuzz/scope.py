"""What a program that is being written knows of itself: its lines, and its variables by kind."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager

__all__ = ["Scope"]


class Scope:
    """The program so far; variables are listed by what they hold: `int`, `list`, `array`, ..."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        self.lines: list[str] = []
        self.names: dict[str, list[str]] = {}
        self._pending: list[tuple[str, str]] = []
        self.depth = 0
        self.count = 0
        self.fixed: set[str] = set()
        """Variables that may not be bound again: those of loops that are under way."""

    def line(self, text: str) -> None:
        """Write a line."""
        self.text(text)

    def text(self, text: str) -> None:
        """Write lines; from now on there are the variables that they bind."""
        self.lines += ["    " * self.depth + line for line in text.strip("\n").splitlines()]
        words = set(re.findall(r"\w+", text))
        for kind, name in self._pending:
            if name in words:
                self.names.setdefault(kind, []).append(name)
        self._pending.clear()

    def new(self, kind: str = "") -> str:
        """A name that was not there; of a kind, it is a variable behind the lines that are written next."""
        name = self.fresh("v")
        if kind:
            self._pending.append((kind, name))
        return name

    def fresh(self, prefix: str) -> str:
        """A name for something other than a variable."""
        self.count += 1
        return f"{prefix}{self.count}"

    def add(self, kind: str, name: str) -> None:
        """A name is a variable of a kind."""
        self.names.setdefault(kind, []).append(name)

    def some(self, kind: str) -> str | None:
        """A variable of a kind, more often a new one."""
        found = self.names.get(kind)
        if not found:
            return None
        return self.rng.choice(found[-6:] if self.rng.random() < 0.7 else found)

    def pick(self, choices: list[Callable[[], str]]) -> str:
        """What one of several functions writes."""
        return self.rng.choice(choices)()

    def chance(self, share: float) -> bool:
        """True so often."""
        return self.rng.random() < share

    @contextmanager
    def block(self, head: str) -> Iterator[None]:
        """A block: variables that are new in it are not used behind it."""
        self.line(head)
        self.depth += 1
        names = {kind: list(found) for kind, found in self.names.items()}
        before = len(self.lines)
        yield
        if len(self.lines) == before:
            self.line("pass")
        self.names = names
        self.depth -= 1

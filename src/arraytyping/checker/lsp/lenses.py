"""What stands above jitted functions: for how many signatures JAX compiles them, and for which."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from arraytyping.checker.flow.state.compiled import Compiled
from arraytyping.checker.notebooks.cells import line_text, place_text

__all__ = ["JittedFunction", "jitted_functions"]

_MOST: Final = 12
"""So many signatures are listed."""


@dataclass(frozen=True, slots=True)
class JittedFunction:
    """A jitted function of a file, with the number of times that JAX compiles it by what it is compiled for."""

    name: str
    line: int
    compiled: Mapping[Compiled, int]
    is_complete: bool
    """Whether every program was followed to its end, so that there are no more."""

    @property
    def title(self) -> str:
        """`compiled for 3 signatures`."""
        signatures = len({one.signature for one in self.compiled})
        times = sum(self.compiled.values())
        least = "" if self.is_complete else "at least "
        again = f", {times} times" if times > signatures else ""
        return f"compiled for {least}{signatures} signature{'' if signatures == 1 else 's'}{again}"

    @property
    def listing(self) -> str:
        """The title, and a line for each signature with the line of the call that brings it."""
        lines = [f"{self.name} is {self.title}"]
        for one, times in [*self.compiled.items()][:_MOST]:
            arguments = ", ".join(f"{name} {leaf}" for name, leaf in one.signature) or "no arguments"
            place = line_text if one.caller == one.path else place_text
            where = place(one.caller, one.caller_line)
            lines.append(f"  {where}: {arguments}" + (f" ({times} times)" if times > 1 else ""))
        if len(self.compiled) > _MOST:
            lines.append(f"  and {len(self.compiled) - _MOST} more")
        return "\n".join(lines)


def jitted_functions(compiled: Counter[Compiled], path: str, is_complete: bool) -> list[JittedFunction]:
    """The jitted functions of the file that is shown by this path."""
    found: dict[tuple[int, str], dict[Compiled, int]] = {}
    for one, times in compiled.items():
        if one.path == path and one.line:
            found.setdefault((one.line, one.function), {})[one] = times
    return [JittedFunction(name, line, by, is_complete) for (line, name), by in sorted(found.items())]

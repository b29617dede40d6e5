"""What `globals()` gives: the names of a module, as they are now."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from typing_extensions import override

from arraytyping.checker.flow.values.basic import Value
from arraytyping.checker.flow.values.containers import DictValue

if TYPE_CHECKING:
    from arraytyping.checker.flow.values.frames import Frame

__all__ = ["ModuleNames"]


class ModuleNames(DictValue):
    """The dict of a module's names; whoever writes to it binds names that are not known: `written` is told then."""

    __slots__ = ("frame", "written")

    def __init__(self, items: dict[str, Value], frame: Frame, written: Callable[[], None]) -> None:
        super().__init__(dict(items))
        self.frame: Frame = frame
        self.written: Callable[[], None] = written

    @override
    def will_change(self) -> None:
        self.written()

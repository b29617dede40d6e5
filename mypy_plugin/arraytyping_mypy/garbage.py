"""How often Python looks for garbage while mypy checks: seldom, since nearly all that is made there is kept."""

from __future__ import annotations

import gc
from typing import Final

from mypy.options import Options

__all__ = ["collect_seldom"]

_OF_MYPY: Final = 200_000
"""By how many objects more than it has let go mypy has them looked at, which takes a twelfth of its time."""
_MORE: Final = 2_000_000
"""By how many they are looked at here: what is garbage of so many takes 200 MB at most."""
_builds: Final[list[None]] = []
"""A build for each time that this was called: what an earlier build in the process has left is to be collected."""


def collect_seldom(options: Options) -> None:
    """Have Python look for garbage more seldom than mypy does, in the first build of a process that is not to stay."""
    _builds.append(None)
    threshold, *others = gc.get_threshold()
    if threshold == _OF_MYPY and len(_builds) == 1 and not options.fine_grained_incremental:
        gc.set_threshold(_MORE, *others)

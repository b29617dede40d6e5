"""How often Python looks for garbage while mypy checks, and through what: nearly all that is made there is kept."""

from __future__ import annotations

import gc
import os
from typing import Final

from mypy.build import BuildManager
from mypy.options import Options

__all__ = ["begin_build", "build_of", "freeze"]

_OF_MYPY: Final = 200_000
"""By how many objects more than it has let go mypy has them looked at, which takes a twelfth of its time."""
_MORE: Final = 2_000_000
"""By how many they are looked at here: what is garbage of so many takes 200 MB at most."""
_builds: Final[list[None]] = []
"""A build for each that has begun: what an earlier one in the process has left is to be collected."""
_frozen: Final[list[None]] = []
"""Not empty where something was frozen here."""


def begin_build(options: Options) -> None:
    """Have Python look for garbage more seldom than mypy does, in the first build of a process that is not to stay.

    What was frozen for a build before this one in the same process may go now.
    """
    if _frozen:
        _frozen.clear()
        gc.unfreeze()
    _builds.append(None)
    threshold, *others = gc.get_threshold()
    if threshold == _OF_MYPY and len(_builds) == 1 and not options.fine_grained_incremental:
        gc.set_threshold(_MORE, *others)


def build_of(options: Options) -> BuildManager | None:
    """The build with these options, to be found as it begins: then there is little in memory that refers to them.

    None where no process is copied, so that nobody wants it.
    """
    if options.fine_grained_incremental or options.num_workers or not hasattr(os, "fork"):
        return None
    return next((one for one in gc.get_referrers(options) if isinstance(one, BuildManager)), None)


def freeze() -> None:
    """Have what is in memory by now not looked through again in this build, for garbage or for what refers to what."""
    gc.freeze()
    _frozen[:] = [None]

"""The modules that mypy reads again though they are as they were, since what they import is not.

mypy asks a plugin for the dependencies of a module that it reads, and so shows it the tree, but not of these: their
dependencies are in its cache.  It keeps each tree that it has parsed in a dict, in whose place there is one that tells.
It uses what is private in mypy: `tests/test_plugin_read_again.py` tells where a release has it no more.
"""

from __future__ import annotations

import gc
from collections.abc import Callable
from typing import Any

from mypy.build import BuildManager
from mypy.nodes import MypyFile
from mypy.options import Options

__all__ = ["begun_build", "forget_trees", "tell_of_trees"]


class _Trees(dict[str, Any]):
    """Trees by module, each of which is told of as it comes."""

    def __init__(self, known: dict[str, Any], told: Callable[[MypyFile], object]) -> None:
        super().__init__(known)
        self._told = told

    def __setitem__(self, name: str, parsed: Any) -> None:
        super().__setitem__(name, parsed)
        self._told(parsed[0])


def begun_build(options: Options) -> BuildManager | None:
    """The build with these options as it begins: then there are few objects that came since it did."""
    return next((one for one in gc.get_objects(0) if type(one) is BuildManager and one.options is options), None)


def tell_of_trees(
    modules: dict[str, MypyFile], told: Callable[[MypyFile], object], begun: BuildManager | None = None
) -> bool:
    """Have each module told of that the build of these modules parses from now on; whether that can be done.

    The build is the one that was found as it began, if it is of these modules.
    """
    manager = begun if begun is not None and begun.modules is modules else _manager_of(modules)
    if manager is not None:
        manager.ast_cache = _Trees(manager.ast_cache, told)
    return manager is not None


def _manager_of(modules: dict[str, MypyFile]) -> BuildManager | None:
    """The build of these modules, which is one of the first objects that came since Python last looked for garbage.

    To look for it takes a hundredth of a run in which nothing has changed, and to ask for what refers to them two.
    """
    for generation in range(3):
        for one in gc.get_objects(generation):
            if type(one) is BuildManager and one.modules is modules:
                return one
    return None


def forget_trees(manager: BuildManager) -> None:
    """Have no module told of any more."""
    manager.ast_cache = {}

"""A copy of this process that is asked what plain mypy says: it has the libraries in memory.

What the plugin changes in libraries is taken back in it, and `plain_program.py` answers there.  It stays for as long as
it may be asked: an answer takes no more of the program than it needs.  Where it cannot be used, or fails, nothing is
known.
"""

from __future__ import annotations

import gc
import io
import json
import os
import sys
from collections.abc import Mapping
from contextlib import suppress
from typing import Any, Final, NamedTuple
from weakref import WeakSet

from mypy.build import BuildManager
from mypy.cache import CACHE_VERSION
from mypy.nodes import MypyFile, SymbolTableNode
from mypy.options import Options

from arraytyping.checker.swallowed import swallow
from arraytyping_mypy.names import ARRAY
from arraytyping_mypy.plain_libraries import FORMAT
from arraytyping_mypy.plain_program import Found, PlainProgram
from arraytyping_mypy.taken_back import TakenBack

__all__ = ["PlainCopy", "PlainSaid", "can_fork"]

_STUBS: Final = f"{os.sep}jax-stubs{os.sep}"
"""Our stubs of jax, of which the plugin makes others."""


def can_fork(modules: Mapping[str, MypyFile], options: Options) -> bool:
    """Whether a copy of this process can be made plain: no other plugin is there, and none of our stubs of jax."""
    tree = modules.get(ARRAY.rpartition(".")[0])
    is_read = tree is None or ((not tree.is_cache_skeleton or _is_understood(options)) and _STUBS not in tree.path)
    is_whole = not options.fine_grained_incremental and not options.num_workers
    return is_read and is_whole and len(options.plugins) == 1 and hasattr(os, "fork")


def _is_understood(options: Options) -> bool:
    """Whether what mypy has taken out of its cache and not looked at yet is in the format that is known here."""
    return options.fixed_format_cache and CACHE_VERSION == FORMAT and hasattr(SymbolTableNode, "_node_bytes")


class PlainSaid(NamedTuple):
    """What plain mypy says of a module, or of a place in it."""

    errors: list[Found]
    """What it has not said before."""
    is_waiting: bool
    """Whether the module waits for a library that was not loaded when the copy was made, and nothing is said of it."""
    is_whole: bool
    """Whether all of the module has been asked of by now."""


_living: Final[WeakSet[PlainCopy]] = WeakSet()
"""The copies that were not let go, the ends of whose pipes a later one may not hold open."""


class PlainCopy:
    """A copy of this process that can be asked of the modules `asked` (names and paths) under these options.

    It fails if these and what they import of the program have more than `most` bytes.
    """

    def __init__(
        self, taken_back: TakenBack, modules: dict[str, MypyFile], asked: Mapping[str, str],
        snapshot: dict[str, Any], most: int,
    ) -> None:  # fmt: skip
        self.modules: Final = {os.path.realpath(path): name for name, path in asked.items()}
        """The names of the modules that it can be asked of, by file."""
        self._child: int | None = None
        try:
            manager = taken_back.manager(modules)
        except Exception as error:  # what is private in mypy is not as it was
            swallow(error)
            return
        (asked_of, asks), (told_by, tells) = os.pipe(), os.pipe()
        child = os.fork()
        if child == 0:
            status = 1
            try:
                os.close(asks)
                os.close(told_by)
                for copy in list(_living):
                    copy.close_ends()
                _serve(manager, modules, taken_back, PlainProgram(manager, asked, snapshot, most), (asked_of, tells))
                status = 0
            except BaseException as error:
                swallow(error)
                if os.environ.get("ARRAYTYPING_DEBUG") == "1":
                    sys.excepthook(*sys.exc_info())
            finally:
                os._exit(status)  # nothing of the other process may be written or closed here
        os.close(asked_of)
        os.close(tells)
        self._child = child
        self._asks, self._told = os.fdopen(asks, "w"), os.fdopen(told_by)
        _living.add(self)

    def ask(self, module: str, line: int | None) -> PlainSaid | None:
        """The errors in this module, or at least those of one line; None if the copy has come to no end."""
        if self._child is None:
            return None
        text = ""
        with suppress(OSError):
            self._asks.write(json.dumps([module, line]) + "\n")
            self._asks.flush()
            text = self._told.readline()
        if not text.endswith("\n"):
            self.end()
            return None
        errors, is_waiting, is_whole = json.loads(text)
        return PlainSaid([(path, at, code, said) for path, at, code, said in errors], is_waiting, is_whole)

    def end(self) -> None:
        """Let the copy go; without that it goes when this process does."""
        child, self._child = self._child, None
        if child is None:
            return
        _living.discard(self)
        with suppress(OSError):
            self._asks.close()
        self._told.close()
        with suppress(ChildProcessError):
            os.waitpid(child, 0)

    def close_ends(self) -> None:
        """Close the ends of its pipes, in another copy: it ends when nobody holds them."""
        self._child = None
        self._asks.close()
        self._told.close()

    def __del__(self) -> None:
        """A build that nobody holds any more asks nothing."""
        self.end()


def _serve(
    manager: BuildManager, modules: dict[str, MypyFile], taken_back: TakenBack, program: PlainProgram,
    ends: tuple[int, int],
) -> None:  # fmt: skip
    """Answer until nobody asks."""
    if os.environ.get("ARRAYTYPING_DEBUG") != "1":
        sys.stdout = sys.stderr = io.StringIO()  # mypy prints where it fails
        null = os.open(os.devnull, os.O_RDWR)
        for end in range(3):  # who reads what mypy prints is not to wait for its copies
            os.dup2(null, end)
    gc.freeze()  # what is not looked at is not copied
    taken_back.take_back(modules)
    with os.fdopen(ends[0]) as asked_of, os.fdopen(ends[1], "w") as tells:
        for text in asked_of:
            name, line = json.loads(text)
            tells.write(json.dumps(program.said(name, line)) + "\n")
            tells.flush()

"""Doing something apart from the questions to jax that are under way: jax keeps its traces by thread."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Final

from arraytyping.checker.flow.engines.callbacks import Callbacks

__all__ = ["apart"]

_STACK: Final = 128 * 1024 * 1024


def apart(callbacks: Callbacks | None, run: Callable[[], None]) -> None:
    """Run outside of every trace: in a thread of its own, if a question is under way."""
    if callbacks is None or not callbacks.tracers:
        run()
        return
    box: list[BaseException] = []

    def target() -> None:
        try:
            run()
        except BaseException as error:
            box.append(error)

    before = threading.stack_size(_STACK)
    try:
        with _without_questions(callbacks):
            thread = threading.Thread(target=target, name="arraytyping flow, apart")
            thread.start()
            thread.join()
    finally:
        threading.stack_size(before)
    if box:
        raise box[0]


_LISTS: Final = ("choices", "bases", "tracers", "places", "keys", "draws")


@contextmanager
def _without_questions(callbacks: Callbacks) -> Iterator[None]:
    kept: dict[str, Any] = {name: getattr(callbacks, name) for name in (*_LISTS, "live")}
    for name in _LISTS:
        setattr(callbacks, name, [])
    callbacks.live = 0
    try:
        yield
    finally:
        for name, value in kept.items():
            setattr(callbacks, name, value)

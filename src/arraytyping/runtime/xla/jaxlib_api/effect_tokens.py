"""When programs with effects have ended: XLA gives a token for each that is under way.

Source: `jax/_src/dispatch.py` of jax 0.10.2, `RuntimeTokenSet`.
"""

from __future__ import annotations

import atexit
import threading
from collections import deque
from collections.abc import Callable, Sequence
from typing import Any, Final

from arraytyping.runtime.xla.jaxlib_api.executables import Executable

__all__ = ["effects_barrier", "told_of"]

_MOST: Final = 64
"""How many programs with effects may be under way; then the oldest is waited for."""

_under_way: Final[deque[Any]] = deque()
_lock: Final = threading.Lock()


def told_of(executable: Executable, ordered: bool) -> Callable[[Sequence[Any]], Any]:
    """What executes a program with effects: `effects_barrier` waits for it, and here already if they are `ordered`."""
    loaded = executable._loaded

    def execute(buffers: Sequence[Any]) -> Any:
        results = loaded.execute_sharded(buffers, with_tokens=True)
        token = results.consume_token()
        if ordered:
            token.block_until_ready()
            return results
        with _lock:
            _under_way.append(token)
            oldest = _under_way.popleft() if len(_under_way) > _MOST else None
        if oldest is not None:
            oldest.block_until_ready()
        return results

    return execute


def effects_barrier() -> None:
    """Wait until all that programs do besides giving results has been done.

    Raises:
        JaxRuntimeError: if a function that one of them calls back has raised.

    Source: https://docs.jax.dev/en/latest/_autosummary/jax.effects_barrier.html.
    """
    while True:
        with _lock:
            if not _under_way:
                return
            token = _under_way.popleft()
        token.block_until_ready()


atexit.register(effects_barrier)

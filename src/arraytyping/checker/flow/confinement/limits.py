"""What a worker may use: processor time, memory, and the life of its parent."""

from __future__ import annotations

import contextlib
import math
import os
import signal
import sys
import time
from typing import Final

from arraytyping.checker.flow.confinement import linux

__all__ = ["allow_cpu_seconds", "allow_devices", "limit_worker"]

_MARGIN: Final = 1.1
"""The interpreter looks at the time itself; only what it does not come back from reaches the limit of the system."""
_STACK: Final = 576 * 1024 * 1024
"""What the stack of the interpreter and those of threads reserve, of which little is ever used."""
_STACKS_OF_DEVICE: Final = 20 * 1024 * 1024


def limit_worker(gigabytes: float, parent: int, *keep: int) -> None:
    """Limit this process, which was forked by `parent`; of its open files, only `keep` stay besides the standard ones.

    The limit of memory is that of data (RLIMIT_DATA): the address space of a process that has loaded XLA holds
    gigabytes that nobody uses, more of them the more processors there are.
    """
    import resource

    for number in (signal.SIGINT, signal.SIGXFSZ, signal.SIGPIPE):
        signal.signal(number, signal.SIG_IGN)
    if sys.platform == "linux":
        linux.die_with_parent()
        if os.getppid() != parent:
            os._exit(70)
        with contextlib.suppress(OSError), open("/proc/self/oom_score_adj", "w") as file:  # noqa: PTH123
            file.write("1000")
    null = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(null, descriptor)
    first = 3
    for kept in (*sorted(keep), 1024):
        os.closerange(first, kept)
        first = kept + 1
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    wanted = int(gigabytes * 1e9) + _STACK
    _, most = resource.getrlimit(resource.RLIMIT_DATA)
    if most != resource.RLIM_INFINITY:
        wanted = min(wanted, most)
    resource.setrlimit(resource.RLIMIT_DATA, (wanted, most))


def allow_devices(count: int) -> None:
    """Let this process have the threads of so many pretended devices, whose stacks reserve what they do not use."""
    import resource

    allowed, most = resource.getrlimit(resource.RLIMIT_DATA)
    if allowed == resource.RLIM_INFINITY:
        return
    wanted = allowed + count * _STACKS_OF_DEVICE
    if most != resource.RLIM_INFINITY:
        wanted = min(wanted, most)
    resource.setrlimit(resource.RLIMIT_DATA, (wanted, most))


def allow_cpu_seconds(seconds: float) -> None:
    """Let this process use so much more processor time, and a little above; the system ends it then."""
    import resource

    _, most = resource.getrlimit(resource.RLIMIT_CPU)
    wanted = math.ceil(time.process_time() + seconds * _MARGIN + 1)
    if most != resource.RLIM_INFINITY:
        wanted = min(wanted, most)
    resource.setrlimit(resource.RLIMIT_CPU, (wanted, most))

"""What a worker cannot do, whatever the program makes it call: it reads files and gives its answer, and nothing else.

There are two fences.  Python's audit hook (`audit_hook`) refuses an action as it is asked for, and what was called is
unknown then.  On Linux the kernel (`linux`) refuses it as well, also where native code asks.
"""

from __future__ import annotations

import sys

from arraytyping.checker.flow.confinement import linux
from arraytyping.checker.flow.confinement.audit_hook import Forks, install

__all__ = ["confine"]


def confine(answer: int, forks: Forks | None = None) -> list[str]:
    """Confine this process for good; `answer` is the open file that it may write to.  What is missing here is said.

    With `forks` it can still fork itself; such processes are confined as it is.
    """
    notes = [] if sys.platform != "linux" else linux.confine(may_fork=forks is not None)
    if sys.platform != "linux":
        notes.append("this system offers nothing to confine a process; Python's audit hook alone does")
    install(answer, forks)
    return notes

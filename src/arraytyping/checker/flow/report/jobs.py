"""How many entry points are followed at a time, where nobody says: as many as processors and memory allow."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

__all__ = ["SMALLEST_ROOM", "automatic_jobs", "available_memory"]

SMALLEST_ROOM: Final = 1_000_000_000
"""So many bytes are available before one more entry point is begun beside others; most need a quarter of it."""
_CGROUP: Final = Path("/sys/fs/cgroup")


def automatic_jobs() -> int:
    """One for each processor that this process may use, and for each gigabyte that is available."""
    memory = available_memory()
    return max(1, _processors() if memory is None else min(_processors(), memory // SMALLEST_ROOM))


def available_memory() -> int | None:
    """The bytes that can be had before this system, or the container of this process, has none left."""
    try:
        for line in Path("/proc/meminfo").read_text(encoding="ascii").splitlines():
            if line.startswith("MemAvailable:"):
                found = int(line.split()[1]) * 1024
                left = _left_in_container()
                return found if left is None else min(found, left)
    except (OSError, ValueError, IndexError):
        pass
    return None


def _processors() -> int:
    count = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    try:
        quota, period = (_CGROUP / "cpu.max").read_text(encoding="ascii").split()
        return count if quota == "max" else max(1, min(count, int(quota) // int(period)))
    except (OSError, ValueError, ZeroDivisionError):
        return count


def _left_in_container() -> int | None:
    try:
        most = (_CGROUP / "memory.max").read_text(encoding="ascii").strip()
        used = int((_CGROUP / "memory.current").read_text(encoding="ascii"))
        fields = dict(line.split() for line in (_CGROUP / "memory.stat").read_text(encoding="ascii").splitlines())
        # Files that were read are counted as used, and are given back first.
        return None if most == "max" else max(0, int(most) - used + int(fields.get("inactive_file", 0)))
    except (OSError, ValueError):
        return None

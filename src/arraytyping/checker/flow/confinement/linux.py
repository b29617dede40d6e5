"""Fences of the Linux kernel around this process: seccomp refuses system calls, Landlock files, sockets and signals.

Both hold for all threads that are started afterwards, and cannot be taken back.  What stays is to read files, to
compute, and to write to what is open already.  Nothing outside of this module calls the C library.

Sources: https://docs.kernel.org/userspace-api/seccomp_filter.html, https://docs.kernel.org/userspace-api/landlock.html,
and the tables of system calls in `arch/x86/entry/syscalls/syscall_64.tbl` and `include/uapi/asm-generic/unistd.h`.
"""

from __future__ import annotations

import errno
import os
import signal
import struct
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Final

__all__ = ["confine", "die_with_parent", "dying_with_parent"]

_PR_SET_PDEATHSIG: Final = 1
_PR_SET_SECCOMP: Final = 22
_PR_SET_NO_NEW_PRIVS: Final = 38
_SECCOMP_MODE_FILTER: Final = 2
_LANDLOCK_CREATE_RULESET: Final = 444
_LANDLOCK_RESTRICT_SELF: Final = 446

_WRITES: Final = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | 0o20000000  # the last is that of O_TMPFILE
_CLONE_THREAD: Final = 0x10000


@dataclass(frozen=True)
class _Architecture:
    """What differs between processors: its number for seccomp, and the numbers of system calls."""

    audit: int
    opens: dict[int, int]
    """Those that open a file, and at which place they are told how."""
    clone: int
    signals: tuple[int, ...]
    """Those that send a signal to a process, which has to be this one."""
    limits: int
    """That which sets the limits of a process."""
    refused: tuple[int, ...]


_ANYWHERE: Final = (
    424, 425, 428, 429, 430, 431, 432, 433, 434, 438, 440, 442, 452,
)  # fmt: skip
"""Signals by descriptor, io_uring, mounts, descriptors of other processes, fchmodat2."""
_ABSENT: Final = (435, 437)
"""clone3 and openat2, whose arguments a filter cannot see: the C library goes on with the older ones."""

_X86_64: Final = _Architecture(
    0xC000003E,
    {2: 1, 257: 2},
    56,
    (62, 234),
    302,
    (
        57, 58, 59, 322,  # fork, vfork, execve, execveat
        41, 42, 43, 49, 50, 288,  # sockets
        29, 68, 240,  # shared memory and queues
        76, 82, 83, 84, 85, 86, 87, 88, 258, 259, 263, 264, 265, 266, 316, 133,  # names of files
        90, 91, 92, 93, 94, 132, 235, 260, 261, 268, 280,  # modes, owners, times
        188, 189, 190, 197, 198, 199,  # extended attributes
        101, 310, 311, 312, 304,  # other processes; files by handle
        155, 161, 163, 164, 165, 166, 167, 168, 169, 170, 171, 175, 176, 179, 227, 246, 272, 308, 313,  # the system
        320, 159, 172, 173, 200, 248, 249, 250, 298, 305, 321, 323,
    ),
)  # fmt: skip
_AARCH64: Final = _Architecture(
    0xC00000B7,
    {56: 2},
    220,
    (129, 131),
    261,
    (
        221, 281,
        198, 200, 201, 202, 203, 242,
        194, 186, 180,
        33, 34, 35, 36, 37, 38, 45, 276,
        52, 53, 54, 55, 88,
        5, 6, 7, 14, 15, 16,
        117, 270, 271, 272, 265,
        39, 40, 41, 51, 60, 89, 97, 104, 105, 106, 112, 142, 161, 162, 170, 224, 225, 268, 273, 294,
        130, 171, 217, 218, 219, 241, 266, 280, 282,
    ),
)  # fmt: skip
_ARCHITECTURES: Final = {"x86_64": _X86_64, "aarch64": _AARCH64}


def die_with_parent() -> None:
    """Let the kernel end this process when the one that has started it ends."""
    dying_with_parent()()


def dying_with_parent() -> Callable[[], None]:
    """What lets the kernel end the process that calls it when its parent ends, also one that is confined by then."""
    libc = _libc()
    if libc is None:
        return lambda: None
    prctl = libc.prctl

    def die() -> None:
        prctl(_PR_SET_PDEATHSIG, int(signal.SIGKILL), 0, 0, 0)

    return die


def confine(*, may_fork: bool = False) -> list[str]:
    """Confine this process as far as the kernel can; what it cannot is said.

    One that may fork can have only processes that are confined as it is.
    """
    libc = _libc()
    if libc is None or libc.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0:
        return ["the kernel does not confine processes: prctl is not there"]
    return [note for note in (_landlock(libc), _seccomp(libc, may_fork)) if note]


def _libc() -> Any:
    try:
        import ctypes

        return ctypes.CDLL(None, use_errno=True)
    except (ImportError, OSError):
        return None


def _landlock(libc: Any) -> str:
    import ctypes

    version = libc.syscall(_LANDLOCK_CREATE_RULESET, None, ctypes.c_size_t(0), 1)
    if version < 1:
        return "the kernel has no Landlock"
    # Nothing is allowed of: executing, writing, making, removing; reading is not among it.
    files = (1 << 13) - 1 & ~0b1100
    files |= (1 << 13 if version >= 2 else 0) | (1 << 14 if version >= 3 else 0)
    attributes = struct.pack("=QQQ", files, 0b11, 0b11)[: 24 if version >= 6 else 16 if version >= 4 else 8]
    ruleset = libc.syscall(_LANDLOCK_CREATE_RULESET, attributes, ctypes.c_size_t(len(attributes)), 0)
    if ruleset < 0:
        return f"Landlock: {os.strerror(ctypes.get_errno())}"
    failed = libc.syscall(_LANDLOCK_RESTRICT_SELF, ruleset, 0)
    why = f"Landlock: {os.strerror(ctypes.get_errno())}" if failed else ""
    os.close(ruleset)
    return why


def _seccomp(libc: Any, may_fork: bool) -> str:
    import ctypes

    architecture = _ARCHITECTURES.get(os.uname().machine)
    if architecture is None or sys.maxsize < 2**32:
        return f"no filter of system calls is known for this processor ({os.uname().machine})"
    instructions = list(_program(architecture, os.getpid(), may_fork))
    program = b"".join(struct.pack("=HBBI", *instruction) for instruction in instructions)
    text = ctypes.create_string_buffer(program, len(program))
    header = struct.pack("@HP", len(instructions), ctypes.addressof(text))
    if libc.prctl(_PR_SET_SECCOMP, _SECCOMP_MODE_FILTER, header, 0, 0) != 0:
        return f"seccomp: {os.strerror(ctypes.get_errno())}"
    return ""


_Instruction = tuple[int, int, int, int]
_LOAD: Final = 0x20
_IF_EQUAL: Final = 0x15
_IF_AT_LEAST: Final = 0x35
_IF_ANY_BIT: Final = 0x45
_RETURN: Final = 0x06
_ALLOW: Final = (_RETURN, 0, 0, 0x7FFF0000)


def _program(architecture: _Architecture, pid: int, may_fork: bool) -> Iterator[_Instruction]:
    """The filter, in the language of Berkeley packet filters: it gets the number of a call and its arguments."""
    yield _LOAD, 0, 0, 4  # the architecture under whose numbers the call is made
    yield _IF_EQUAL, 1, 0, architecture.audit
    yield _refuse(errno.EPERM)
    yield _LOAD, 0, 0, 0
    yield _IF_AT_LEAST, 0, 1, 0x40000000  # the numbers of x32
    yield _refuse(errno.EPERM)
    for number in _ABSENT:
        yield _IF_EQUAL, 0, 1, number
        yield _refuse(errno.ENOSYS)
    for number in (*architecture.refused, *_ANYWHERE):
        yield _IF_EQUAL, 0, 1, number
        yield _refuse(errno.EPERM)
    for number, place in architecture.opens.items():
        yield _IF_EQUAL, 0, 4, number
        yield _argument(place)
        yield _IF_ANY_BIT, 0, 1, _WRITES
        yield _refuse(errno.EACCES)
        yield _ALLOW
    if not may_fork:
        yield _IF_EQUAL, 0, 4, architecture.clone
        yield _argument(0)
        yield _IF_ANY_BIT, 1, 0, _CLONE_THREAD
        yield _refuse(errno.EPERM)
        yield _ALLOW
    for number, own in ((architecture.limits, 0), *((number, pid) for number in architecture.signals)):
        yield _IF_EQUAL, 0, 4, number
        yield _argument(0)
        yield _IF_EQUAL, 1, 0, own
        yield _refuse(errno.EPERM)
        yield _ALLOW
    yield _ALLOW


def _argument(place: int) -> _Instruction:
    """Load the lower half of an argument."""
    return _LOAD, 0, 0, 16 + 8 * place


def _refuse(number: int) -> _Instruction:
    return _RETURN, 0, 0, 0x00050000 | number

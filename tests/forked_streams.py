"""Has a command forked that gets the streams of this process, and ends as it ends: `forked_streams.py ARGUMENT...`.

Who starts it with pipes, as an editor starts a server, can start what `forked_commands.py` forks; it loads nothing
else, since it is started to save time.  Where the command cannot be forked, it becomes the command.
"""

from __future__ import annotations

import json
import os
import signal
import socket
import sys
from collections.abc import Sequence
from typing import Any, Final, NoReturn

__all__ = ["ADDRESS", "main", "send"]

ADDRESS: Final = "ARRAYTYPING_FORKING_PROCESS"
"""The variable that has the address of the process that forks."""


def send(connection: socket.socket, request: Sequence[Any], streams: Sequence[int]) -> None:
    """Ask for a command to be forked, with streams if there are any."""
    line = json.dumps(request).encode() + b"\n"
    connection.sendall(line[socket.send_fds(connection, [line], streams) :] if streams else line)


def main(arguments: list[str]) -> NoReturn:
    """Do as the command does."""
    if (address := os.environ.get(ADDRESS)) is not None:
        with socket.socket(socket.AF_UNIX) as connection:
            connection.connect(address)
            send(connection, [arguments, os.getcwd(), dict(os.environ), "", []], [0, 1, 2])  # noqa: PTH109
            answers = connection.makefile()
            if int(answers.readline()) > 0:
                signal.signal(signal.SIGINT, signal.SIG_DFL)
                status = int(answers.readline())
                if status < 0:
                    os.kill(os.getpid(), -status)
                os._exit(status)
    os.execv(sys.executable, [sys.executable, *arguments])


if __name__ == "__main__":
    main(sys.argv[1:])

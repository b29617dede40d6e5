"""The command `arraytyping`, also as `python -m arraytyping` where its script is not on the path."""

from __future__ import annotations

import os
import sys
from typing import NoReturn

__all__ = ["main"]


def main() -> NoReturn:
    """Run the command and end the process; it may be interrupted while it is loaded, too."""
    try:
        from arraytyping.checker.garbage import collect_seldom

        collect_seldom()
        from arraytyping.checker.cli import main as run

        run()
    except KeyboardInterrupt:
        sys.stderr.write("arraytyping: interrupted\n")
        sys.stderr.flush()
        os._exit(130)


if __name__ == "__main__":
    # `python -m` looks for modules in the working directory first, where those of the program that is checked lie.
    # (`pathlib` is not imported before, which would be one of them.)  This file comes in its place: mypy passes
    # over what is first in the search path, which would be the first folder of `PYTHONPATH`.
    if not sys.flags.safe_path and sys.path and sys.path[0] in ("", os.getcwd()):  # noqa: PTH109
        sys.path[0] = __file__
    main()

"""Options of a command that say how messages are told, which are left out, and where the text comes from."""

from __future__ import annotations

import functools
import os
import shutil
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

import rich_click as click

from arraytyping.checker.messages.baseline import Baseline, BaselineError
from arraytyping.checker.messages.formats import FORMATS, Format
from arraytyping.checker.notebooks.cells import has_notebooks
from arraytyping.checker.settings import Settings
from arraytyping.regular_files import give_contents

if TYPE_CHECKING:
    from arraytyping.checker.messages.presenting import Presenter

__all__ = ["Presentation", "presentation_options"]

F = TypeVar("F", bound=Callable[..., Any])
_DEFAULT_BASELINE: Final = "arraytyping-baseline.json"
_STDIN: Final = "-"


@dataclass
class Presentation:
    """How the messages of a run are told; its fields are the options."""

    output_format: str | None = None
    baseline: Path | None = None
    write_baseline: bool = False
    exit_zero: bool = False
    diff_base: str | None = None
    stdin_filename: Path | None = None
    watch: bool = False
    add_ignores: bool = False
    sees_all: bool = field(default=True, init=False)
    """Whether all mistakes of the program are seen, and not those of a share."""
    base: Baseline | None = field(default=None, init=False)
    """What was there before."""
    _file: Path | None = field(default=None, init=False)
    _presenter: Presenter | None = field(default=None, init=False)

    def read_stdin(self, paths: Sequence[str]) -> tuple[str, ...]:
        """The paths, with the name of the text on the standard input in the place of `-`.

        Raises:
            click.UsageError: if there are other paths besides.
        """
        if self.stdin_filename is None and _STDIN not in paths:
            return tuple(paths)
        if set(paths) - {_STDIN}:
            raise click.UsageError("The standard input is checked alone: give no other PATH than `-`.")
        name = str(self.stdin_filename or "stdin.py")
        give_contents({name: sys.stdin.buffer.read()})
        return (name,)

    def presenter(self, settings: Settings) -> Presenter | None:
        """What writes the messages; None where mypy's own lines are shown as they are.

        Raises:
            BaselineError: if the file of the baseline cannot be used.
        """
        from arraytyping.checker.messages.presenting import Presenter

        self._file = self.baseline or settings.baseline
        baselines = [] if self.base is None else [self.base]
        if self._file is not None and not self.write_baseline:
            baselines.append(Baseline.read(self._file))
        name = self.output_format or "text"
        is_asked = bool(self.output_format or baselines or self.write_baseline or self.add_ignores or has_notebooks())
        on_terminal = name == "text" and sys.stdout.isatty()
        if not is_asked and not on_terminal:
            return None
        write = _frames() if on_terminal else FORMATS[name]
        self._presenter = Presenter(name, write, baselines, gives_way=not is_asked)
        return self._presenter

    def finish(self, status: int) -> int:
        """Write what is to be written, and say what is no longer in the baseline; the exit code.

        Raises:
            BaselineError: if the baseline cannot be written.
        """
        if self._presenter is not None and self.write_baseline:
            return self._write(self._presenter, status)
        if self._presenter is not None and self.add_ignores:
            return self._ignore(self._presenter, status)
        if self._presenter is not None and self._file is not None and status != 2 and self.sees_all:
            gone = Baseline.read(self._file).gone(self._presenter.found)
            if gone:
                plural = "mistake is" if gone == 1 else "mistakes are"
                click.echo(
                    f"arraytyping: note: {gone} known {plural} no longer found; --write-baseline takes them "
                    f"from {self._file}",
                    err=True,
                )
        return 0 if self.exit_zero and status == 1 else status

    def _write(self, presenter: Presenter, status: int) -> int:
        file = self._file or Path(_DEFAULT_BASELINE)
        if status == 2:
            raise BaselineError(f"not all could be checked, so the baseline {file} is left as it is")
        baseline = Baseline.of(presenter.found)
        baseline.write(file)
        count = baseline.counts.total()
        click.echo(f"arraytyping: {file}: {count} known mistake{'' if count == 1 else 's'} written", err=True)
        return 0

    def _ignore(self, presenter: Presenter, status: int) -> int:
        from arraytyping.checker.messages.ignoring import add_ignores

        silenced, left = add_ignores(presenter.told)
        click.echo(f"arraytyping: {silenced} mistake{'' if silenced == 1 else 's'} silenced by comments", err=True)
        for m in left:
            click.echo(f"arraytyping: note: {m.place}: there is no place for a comment here", err=True)
        others = silenced + len(left) < sum(m.severity == "error" for m in presenter.told)
        return 1 if status == 1 and (left or others) and not self.exit_zero else 0 if status == 1 else status


def _frames() -> Format:
    """The format for the terminal of this process."""
    from arraytyping.checker.messages.frames import as_frames  # rich takes a while to import

    color = not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    return functools.partial(as_frames, width=shutil.get_terminal_size().columns, color=color)


def presentation_options(command: F) -> F:
    """The options; the command gets them as `presentation`."""

    @click.option(
        "--output-format", type=click.Choice(tuple(FORMATS)), help="How messages are written (default: text)."
    )
    @click.option(
        "--baseline",
        type=click.Path(path_type=Path),
        metavar="FILE",
        help="Leave out the mistakes that are known in this file.",
    )
    @click.option(
        "--write-baseline",
        is_flag=True,
        help=f"Take all mistakes as known, into the file of --baseline (default: {_DEFAULT_BASELINE}).",
    )
    @click.option("--exit-zero", is_flag=True, help="Exit with 0 also where there are errors.")
    @click.option("--diff-base", metavar="REV", help="Leave out what was there where the branch left this revision.")
    @click.option(
        "--stdin-filename",
        type=click.Path(path_type=Path),
        metavar="FILE",
        help="Check the standard input, as if it were the content of this file.",
    )
    @click.option("--watch", is_flag=True, help="Check again whenever a file has changed, until Ctrl-C.")
    @click.option("--add-ignores", is_flag=True, help="Silence each mistake by a comment at the end of its line.")
    @functools.wraps(command)
    def wrapped(*args: Any, **kwargs: Any) -> Any:
        given = {name: kwargs.pop(name) for name in _OPTIONS}
        return command(*args, presentation=Presentation(**given), **kwargs)

    return wrapped  # type: ignore[return-value]


_OPTIONS: Final = (
    "output_format", "baseline", "write_baseline", "exit_zero", "diff_base", "stdin_filename", "watch", "add_ignores",
)  # fmt: skip

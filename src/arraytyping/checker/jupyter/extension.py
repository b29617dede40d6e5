"""`%load_ext arraytyping`: checks each cell before it runs, and never keeps it from running.

A process beside the kernel answers.  The cell waits for it a moment; an answer that comes later is shown then.
Whatever goes wrong here is counted, and shown by `%arraytyping status`.

Source: https://ipython.readthedocs.io/en/stable/config/callbacks.html.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from IPython import version_info
from IPython.core.interactiveshell import InteractiveShell
from IPython.core.magic import Magics, line_cell_magic, magics_class
from IPython.display import DisplayHandle, display

from arraytyping.checker.jupyter.engine_process import EngineProcess
from arraytyping.checker.jupyter.findings import Findings
from arraytyping.checker.jupyter.session import CellProgram, Session
from arraytyping.checker.swallowed import swallow

__all__ = ["load", "unload"]

_WAIT: Final = 0.3
"""So many seconds a cell waits for what is found of it, unless `%arraytyping wait` says otherwise."""
_LONGEST: Final = 20.0
"""After so many seconds an answer is given up."""
_USAGE: Final = "%arraytyping on|off|status, %arraytyping table on|off, %arraytyping wait SECONDS, %%arraytyping"


@dataclass
class _Question:
    """A cell of which an engine is asked."""

    program: CellProgram
    begun: float
    done: threading.Event = field(default_factory=threading.Event)
    answer: Mapping[str, Any] | None = None
    handle: DisplayHandle | None = None
    is_shown: bool = False
    lock: threading.Lock = field(default_factory=threading.Lock)


@magics_class
class ArrayTyping(Magics):
    """The extension in one shell."""

    def __init__(self, shell: InteractiveShell) -> None:
        super().__init__(shell)
        self._shell = shell
        self.is_on: bool = True
        self.has_table: bool = True
        self.wait: float = _WAIT
        self._engine = EngineProcess()
        self._session = Session()
        self._asked: _Question | None = None
        self._counted = shell.execution_count
        self._ahead = int(version_info >= (9,))
        """By how much the shell's counter is ahead of the cell that begins, which differs between releases."""
        self.is_ready: bool = False
        """Whether the process has answered."""
        self._counts = {"checked": 0, "in time": 0, "later": 0, "given up": 0, "failed": 0}
        self._times: list[float] = []
        self._why = ""

    def start(self) -> None:
        """Begin to check cells."""
        self._shell.register_magics(self)
        self._shell.events.register("pre_run_cell", self.before)
        self._shell.events.register("post_run_cell", self.after)
        try:
            self._engine.start()
            self._warm_up()
        except Exception as error:
            self._failed(error)

    def _warm_up(self) -> None:
        program = CellProgram(0, "", "import jax\n", Path.cwd() / "_arraytyping_cell_.py", (), 1, ())
        self._engine.ask(Path.cwd(), program.request, self._warmed)

    def stop(self) -> None:
        """End it."""
        self._shell.events.unregister("pre_run_cell", self.before)
        self._shell.events.unregister("post_run_cell", self.after)
        self._shell.magics_manager.magics["line"].pop("arraytyping", None)
        self._shell.magics_manager.magics["cell"].pop("arraytyping", None)
        self._engine.stop()

    # A cell

    def before(self, info: Any) -> None:
        """Ask about a cell that is about to run."""
        try:
            self._counted = self._shell.execution_count
            self._session.begin(self._shell.user_ns)
            self._asked = None
            if self.is_on and not info.silent and not _is_ours(info.raw_cell):
                self._asked = self._ask(info.raw_cell)
                if self._asked is not None and self.is_ready and self._asked.done.wait(self.wait):
                    self._counts["in time"] += 1
                    self._show(self._asked)
        except Exception as error:
            self._failed(error)

    def after(self, result: Any) -> None:
        """Note what a cell has defined, and show what was found of it only now."""
        try:
            if result.info is None or result.info.silent:
                return
            if result.info.store_history and result.execution_count is not None:
                self._ahead = self._counted - result.execution_count
            if not _is_ours(result.info.raw_cell):
                self._session.end(self._number(result.execution_count), result.info.raw_cell, self._shell.user_ns)
            asked, self._asked = self._asked, None
            if asked is None:
                return
            with asked.lock:
                is_late = not asked.done.is_set()
                if is_late and self._updates:
                    asked.handle = display({"text/plain": ""}, raw=True, display_id=True)  # type: ignore[no-untyped-call,unused-ignore]
            if not is_late and not asked.is_shown:
                self._counts["later"] += 1
                self._show(asked)
        except Exception as error:
            self._failed(error)

    @property
    def _updates(self) -> bool:
        """Whether what is shown can be changed later on: in a notebook, not in a terminal."""
        return hasattr(self._shell, "kernel")

    def _number(self, count: int | None) -> int:
        return count if count is not None else max(1, self._shell.execution_count - 1)

    def _ask(self, source: str) -> _Question | None:
        program = self._session.program(self._counted - self._ahead, source, self._shell.user_ns, Path.cwd())
        if program is None:
            return None
        asked = _Question(program, time.monotonic())
        self._counts["checked"] += 1
        self._engine.ask(Path.cwd(), program.request, lambda answer: self._take(asked, answer))
        timer = threading.Timer(_LONGEST, self._give_up, (asked,))
        timer.daemon = True
        timer.start()
        return asked

    def _take(self, asked: _Question, answer: Mapping[str, Any]) -> None:
        """Take an answer, in the thread that listens."""
        try:
            self.is_ready = True
            self._times.append(time.monotonic() - asked.begun)
            with asked.lock:
                asked.answer = answer
                asked.done.set()
                is_late = asked.handle is not None
            if is_late:
                self._counts["later"] += 1
                self._show(asked)
        except Exception as error:
            self._failed(error)

    def _give_up(self, asked: _Question) -> None:
        if not asked.done.is_set():
            asked.done.set()
            self._counts["given up"] += 1
            if self.is_ready:
                self._engine.give_up()
            else:  # it may have been busy with loading jax
                self._warm_up()

    def _show(self, asked: _Question) -> None:
        """Show what was found."""
        asked.is_shown = True
        findings = self._findings(asked)
        if findings is None:
            return
        from arraytyping.checker.jupyter.showing import shown

        data = shown(findings, table=self.has_table)
        if data is not None:
            self._display(data, asked.handle)

    def _display(self, data: dict[str, str], handle: DisplayHandle | None = None) -> None:
        if handle is not None:
            handle.update(data, raw=True)  # type: ignore[no-untyped-call,unused-ignore]
        elif self._updates:
            display(data, raw=True)  # type: ignore[no-untyped-call,unused-ignore]
        else:
            print(data["text/plain"])

    def _findings(self, asked: _Question) -> Findings | None:
        if asked.answer is None or "report" not in asked.answer:
            self._counts["failed"] += asked.answer is not None
            self._why = str((asked.answer or {}).get("why", self._why))
            return None
        return Findings.of(asked.program, asked.answer["report"])

    def _warmed(self, answer: Mapping[str, Any]) -> None:
        self.is_ready = True

    def _failed(self, error: BaseException) -> None:
        swallow(error)
        self._counts["failed"] += 1
        self._why = f"{type(error).__name__}: {error}".partition("\n")[0]

    # Magics

    @line_cell_magic  # type: ignore[untyped-decorator,unused-ignore]
    def arraytyping(self, line: str, cell: str | None = None) -> None:
        """Check a cell without running it, or `on`, `off`, `status`, `table on|off`, `wait SECONDS`."""
        if cell is not None:
            self._check_only(cell)
            return
        match line.split():
            case ["on" | "off" as word]:
                self.is_on = word == "on"
                print(f"arraytyping: cells are {'checked before they run' if self.is_on else 'no longer checked'}")
            case ["table", "on" | "off" as word]:
                self.has_table = word == "on"
            case ["wait", text] if _seconds(text) is not None:
                self.wait = _seconds(text) or 0.0
            case ["status"] | []:
                self._tell_status()
            case _:
                print(f"arraytyping: {line.strip()!r} is not known; there are {_USAGE}")

    def _tell_status(self) -> None:
        counts = ", ".join(f"{number} {what}" for what, number in self._counts.items())
        print(f"arraytyping: {'on' if self.is_on else 'off'}, a cell waits {self.wait:g} s; cells: {counts}")
        if self._times:
            times = sorted(self._times)
            print(f"answers took {times[len(times) // 2]:.2f} s at the median, {times[-1]:.2f} s at most")
        state = "is ready" if self.is_ready else "is starting" if self._engine.is_alive else "is not running"
        print(f"the process that follows the cells {state}")
        if self._why:
            print(f"the last failure: {self._why}")

    def _check_only(self, cell: str) -> None:
        from arraytyping.checker.jupyter.showing import annotated

        try:
            asked = self._ask(cell)
            if asked is None:
                print("arraytyping: there is nothing to follow in this cell")
                return
            if not asked.done.wait(_LONGEST) or asked.answer is None:
                print(f"arraytyping: there is no answer after {_LONGEST:g} s")
                return
            findings = self._findings(asked)
            if findings is None:
                print(f"arraytyping: the cell could not be followed: {self._why}")
                return
            self._display(annotated(findings))
        except Exception as error:
            self._failed(error)
            print(f"arraytyping: the cell could not be followed: {self._why}")


def _is_ours(source: str) -> bool:
    """Whether a cell does nothing but speak to this extension."""
    lines = [line for line in source.splitlines() if line.strip()]
    return not lines or lines[0].startswith("%%arraytyping") or all(
        line.startswith(("%arraytyping", "%load_ext", "%reload_ext", "%unload_ext")) for line in lines
    )  # fmt: skip


def _seconds(text: str) -> float | None:
    try:
        return min(max(float(text), 0.0), _LONGEST)
    except ValueError:
        return None


_loaded: Final[dict[int, ArrayTyping]] = {}


def load(shell: InteractiveShell) -> None:
    """Check the cells of a shell from now on."""
    if id(shell) not in _loaded:
        extension = _loaded[id(shell)] = ArrayTyping(shell)
        extension.start()


def unload(shell: InteractiveShell) -> None:
    """No longer check the cells of a shell."""
    extension = _loaded.pop(id(shell), None)
    if extension is not None:
        extension.stop()

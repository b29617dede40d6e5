"""Entry points followed by a cluster of dask, which schedules them, and repeats elsewhere what a dead worker had."""

from __future__ import annotations

import logging
import os
import pickle
import socket
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

from arraytyping.checker.flow.report.child import raise_if_interrupted
from arraytyping.checker.flow.report.dask_task import digest_of, follow, kept
from arraytyping.checker.flow.report.executor_address import ExecutorError, endpoint, scheduler_address
from arraytyping.checker.flow.report.following import Common
from arraytyping.checker.flow.report.versions import installed_here, versions
from arraytyping.checker.flow.sources.entry_points import EntryPoint
from arraytyping.checker.flow.start.starting import Report
from arraytyping.checker.flow.state.limits import Limits
from arraytyping.checker.settings import Settings
from arraytyping.regular_files import given_contents

__all__ = ["DaskCluster"]

_SECONDS: Final = 10
"""How long is waited for the scheduler, and then for a worker."""
_FIRST: Final = ("Python", "arraytyping", "jax", "jaxlib", "numpy")
"""Whose versions are named first where they differ."""


class DaskCluster:
    """Follows entry points as tasks of a cluster that is there already."""

    def __init__(self, name: str, shown: dict[Path, str], settings: Settings, limits: Limits | None) -> None:
        self._name = name
        self._address = scheduler_address(name)
        self._shown = shown
        self._settings = settings
        self._limits = limits
        self.notes: set[str] = set()

    def run(self, entries: Sequence[EntryPoint], reached: frozenset[tuple[str, int]]) -> Iterator[Report]:
        """The reports, each as soon as it is there.

        Raises:
            ExecutorError: if the cluster cannot be used.
        """
        try:
            from distributed import as_completed
        except ImportError:
            raise ExecutorError(
                f"{self._name} needs dask, which the program's Python does not have: "
                "pip install 'arraytyping[dask]' there"
            ) from None
        contents = dict(given_contents())
        common = Common(str(Path.cwd()), _environment(), self._shown, self._settings, self._limits, contents)
        with self._client() as client:
            self._compare(client)
            shared = client.submit(kept, pickle.dumps(common), pure=False)
            wanted = versions()
            tasks = {
                client.submit(follow, pickle.dumps((entry, reached, wanted)), shared, pure=False): entry
                for entry in entries
            }
            for task in as_completed(tasks, loop=client.loop):
                raise_if_interrupted()
                yield self._report(tasks[task], task, contents)

    def _client(self) -> Any:
        from distributed import Client

        logging.getLogger("distributed").setLevel(logging.CRITICAL)
        try:
            socket.create_connection(endpoint(self._name), _SECONDS).close()  # dask would try for as long
            return Client(self._address, timeout=_SECONDS, set_as_default=False)
        except (OSError, ValueError) as error:
            said = getattr(error, "strerror", None) or str(error).partition("\n")[0] or type(error).__name__
            raise ExecutorError(
                f"{self._name}: no dask scheduler answers there ({said}): start one with `dask scheduler`, "
                "or name another address"
            ) from None

    def _compare(self, client: Any) -> None:
        """Refuse workers that may answer otherwise than this process would."""
        import cloudpickle

        from arraytyping.checker.flow.report import versions as module

        try:
            client.wait_for_workers(1, timeout=_SECONDS)
        except TimeoutError:
            raise ExecutorError(
                f"{self._name}: the scheduler has no workers: start some with `dask worker {self._address}`"
            ) from None
        cloudpickle.register_pickle_by_value(module)  # workers may lack it
        try:
            found = client.run(module.installed_here, on_error="return")
        finally:
            cloudpickle.unregister_pickle_by_value(module)
        ours = installed_here()
        for address, theirs in sorted(found.items()):
            if isinstance(theirs, BaseException):
                raise ExecutorError(f"{self._name}: the worker {address} does not say its versions: {theirs}")
            differing = sorted(
                (name for name in {*ours, *theirs} if ours.get(name) != theirs.get(name)),
                key=lambda name: (_FIRST.index(name) if name in _FIRST else len(_FIRST), name),
            )
            if differing:
                name = differing[0]
                raise ExecutorError(
                    f"{self._name}: the worker {address} has {_worded(name, theirs)}, and here is "
                    f"{_worded(name, ours)}: give both the same environment"
                )

    def _report(self, entry: EntryPoint, task: Any, contents: dict[str, bytes]) -> Report:
        if task.status != "finished":
            return Report(entry=entry, is_complete=False, stopped=f"{self._name}: {_why(task)}")
        answer = task.result()
        if "refused" in answer:
            return Report(entry=entry, is_complete=False, stopped=f"{self._name}: {answer['refused']}")
        for file, digest in answer["read"].items():
            if digest != digest_of(file, contents):
                why = f"{self._name}: {file} reads otherwise on a worker than here"
                return Report(entry=entry, is_complete=False, stopped=why)
        self.notes.update(answer["notes"])
        return Report.from_json(entry, answer["report"])


def _why(task: Any) -> str:
    """Why a task has no result."""
    if task.status != "error":
        return "the connection to the scheduler was lost"
    error = task.exception()
    if type(error).__name__ == "KilledWorker":
        return "every worker that followed it has died"
    return f"an internal error: {type(error).__name__}: {error}".partition("\n")[0]


def _worded(name: str, installed: dict[str, str]) -> str:
    if name == "arraytyping":
        digest = installed[name]
        return "no arraytyping" if digest == "not installed" else f"arraytyping with sources {digest[:8]}"
    return f"{name} {installed[name]}" if name in installed else f"no {name}"


def _environment() -> dict[str, str]:
    """The variables that may change an answer."""
    return {name: value for name, value in os.environ.items() if name.startswith("JAX_")}

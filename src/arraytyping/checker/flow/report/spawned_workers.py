"""Entry points followed by processes that are started anew, where a system cannot fork this one."""

from __future__ import annotations

import multiprocessing
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path

from arraytyping.checker.flow.sources.entry_points import EntryPoint
from arraytyping.checker.flow.start.starting import Report, start
from arraytyping.checker.flow.state.limits import Limits
from arraytyping.checker.settings import Settings
from arraytyping.checker.swallowed import swallow

__all__ = ["SpawnedWorkers"]


class SpawnedWorkers:
    """Follows entry points in so many processes, each of which follows several."""

    def __init__(self, shown: dict[Path, str], settings: Settings, limits: Limits | None, jobs: int) -> None:
        self.shown = shown
        self.settings = settings
        self.limits = limits
        self.jobs: int = max(1, jobs)

    def run(self, entries: Sequence[EntryPoint], reached: frozenset[tuple[str, int]]) -> Iterator[Report]:
        """The reports; when a process dies, those that are missing are followed once more, each by itself."""
        broken: list[EntryPoint] = []
        yield from self._run(entries, reached, broken)
        for entry in broken:
            died: list[EntryPoint] = []
            yield from self._run([entry], reached, died)
            if died:
                yield Report(entry=entry, is_complete=False, stopped="its process died")

    def _run(
        self, entries: Sequence[EntryPoint], reached: frozenset[tuple[str, int]], broken: list[EntryPoint]
    ) -> Iterator[Report]:
        context = multiprocessing.get_context("spawn")
        with ProcessPoolExecutor(min(self.jobs, len(entries)), context) as pool:
            futures = {pool.submit(start, e, self.shown, self.settings, self.limits, reached): e for e in entries}
            for future in as_completed(futures):
                try:
                    yield future.result()
                except BrokenProcessPool:
                    broken.append(futures[future])
                except Exception as error:
                    swallow(error)
                    why = f"an internal error: {type(error).__name__}: {error}"
                    yield Report(entry=futures[future], is_complete=False, stopped=why)

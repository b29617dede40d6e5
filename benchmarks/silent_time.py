"""What the codes for mistakes that raise nothing cost: time of flow with them, and with what finds them taken out.

`python benchmarks/silent_time.py [--rounds N] [PROGRAM...]` follows each program, by default those of
`typecheck_cases/flow/`, in turns with and without, in one process whose libraries are loaded, and prints the ratio of
the sums of the least CPU times.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any
from unittest import mock

from arraytyping.checker.flow.start import program
from arraytyping.checker.flow.start.program import interpret

PROGRAMS = Path(__file__).parent.parent / "typecheck_cases" / "flow"
FLOW = "arraytyping.checker.flow."


def nothing(*args: Any, **kwargs: Any) -> None:
    """What stands in the place of a check."""


CHECKS: dict[str, Callable[..., Any]] = {
    "consume": nothing,
    "consume_again": nothing,
    "consume_streams": nothing,
    "consume_dropout": nothing,
    "check_dropped": nothing,
    "check_time": nothing,
    "check_item": nothing,
    "check_at": nothing,
    "check_call": lambda it, name, args, kwargs, result, node: result,
    "note_call": nothing,
    "note_fresh": nothing,
    "note_unrolled": nothing,
    "note_frozen": nothing,
    "tell_frozen": nothing,
    "refuse": nothing,
    "refuse_call": nothing,
    "donate": nothing,
    "is_given_twice": lambda donated, others, result: False,
    "has_escaped": nothing,
    "end_escaped": nothing,
}
"""What finds these mistakes, by name, each with what does nothing in its place."""
HOMES = (
    "state.keys", "state.compilations", "state.frozen", "state.lives", "engines.index_checks", "syntax.dropped_results",
    "syntax.unawaited_times", "adapters.equinox", "engines.escapes",
)  # fmt: skip


@contextmanager
def without_checks() -> Iterator[None]:
    """Flow without what finds them, wherever it is imported."""
    own = {id(f) for home in HOMES for n, f in vars(sys.modules[FLOW + home]).items() if n in CHECKS}
    with ExitStack() as stack:
        for name, module in list(sys.modules.items()):
            if name.startswith(FLOW):
                for attribute, value in list(vars(module).items()):
                    if attribute in CHECKS and id(value) in own:
                        stack.enter_context(mock.patch.object(module, attribute, CHECKS[attribute]))
        yield


def seconds(path: Path) -> float:
    """CPU time of following a program anew."""
    program._answers.clear()
    began = time.process_time()
    interpret(path)
    return time.process_time() - began


def main() -> None:
    """Measure, and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("programs", type=Path, nargs="*", help="programs to follow; by default the test programs")
    parser.add_argument("--rounds", type=int, default=3, help="how often each is followed with and without")
    options = parser.parse_args()
    paths = [path.resolve() for path in options.programs or sorted(PROGRAMS.glob("*.py"))]
    sums = [0.0, 0.0]
    for path in paths:
        seconds(path)  # loads the libraries
        times: tuple[list[float], list[float]] = ([], [])
        for _ in range(options.rounds):
            times[0].append(seconds(path))
            with without_checks():
                times[1].append(seconds(path))
        best = [min(t) for t in times]
        sums = [a + b for a, b in zip(sums, best)]
        print(f"{path.name:36}{best[0]:8.2f}s with {best[1]:8.2f}s without {best[0] / best[1]:8.2f}", flush=True)
    print(f"{'all':36}{sums[0]:8.2f}s with {sums[1]:8.2f}s without {sums[0] / sums[1]:8.2f}")


if __name__ == "__main__":
    main()

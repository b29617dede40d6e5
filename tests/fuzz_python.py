"""Programs of Python with arrays, made at random: each is run, and compared with what flow says of every variable.

`python tests/fuzz_python.py --programs 10000 --seed 1` prints what is wrong, and ends with exit code 1 if anything is.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
from collections import Counter

_CHUNK = 250


def _worker(first: int, count: int, verbose: bool) -> None:
    """Compare some programs; a line of the standard output for each finding, and the counts in the last one."""
    import jax
    from python_fuzz.programs import EndlessError, compared, program

    counts: Counter[str] = Counter()
    for seed in range(first, first + count):
        try:
            found = compared(program(seed))
        except SyntaxError as error:
            print(f"{seed} SYNTAX {error}", flush=True)
            continue
        except EndlessError:
            counts["endless"] += 1
            continue
        counts["programs"] += 1
        counts["variables"] += found.variables
        counts["unknown"] += found.unknown
        counts["wrong"] += len(found.wrong)
        counts["false"] += len(found.false)
        counts["raising"] += found.raises is not None
        counts["missed"] += found.raises is not None and not found.is_found
        counts["crashes"] += len(found.crashes)
        counts["not to the end"] += not found.is_complete
        for kind, texts in (("WRONG", found.wrong), ("FALSE", found.false), ("CRASH", found.crashes)):
            for text in texts:
                print(f"{seed} {kind} {text}", flush=True)
        if verbose and found.raises is not None:
            print(f"{seed} {'found' if found.is_found else 'MISSED'} {found.raises}", flush=True)
        if seed % 50 == 0:
            jax.clear_caches()  # type: ignore[no-untyped-call]
    print("COUNTS", *(f"{k.replace(' ', '_')}={v}" for k, v in counts.items()), flush=True)


def main() -> int:
    """Compare programs in processes of their own; whether anything is wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--programs", type=int, default=400)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--show", type=int, help="print the program of this seed")
    parser.add_argument("--missed", action="store_true", help="name the programs that raise as well")
    parser.add_argument("--worker", nargs=2, type=int, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.show is not None:
        from python_fuzz.programs import program

        print(program(options.show))
        return 0
    if options.worker:
        _worker(options.worker[0], options.worker[1], options.missed)
        return 0
    began, total = time.monotonic(), Counter[str]()
    for first in range(options.seed, options.seed + options.programs, _CHUNK):
        count = min(_CHUNK, options.seed + options.programs - first)
        command = [sys.executable, __file__, "--worker", str(first), str(count), *["--missed"] * options.missed]
        worker = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert worker.stdout is not None
        for line in worker.stdout:
            if line.startswith("COUNTS"):
                total.update({k: int(v) for k, _, v in (word.partition("=") for word in line.split()[1:])})
            else:
                print(line, end="", flush=True)
        if worker.wait():
            print(f"the process for {first} to {first + count - 1} ended with {worker.returncode}", flush=True)
            total["crashes"] += 1
    print(", ".join(f"{k.replace('_', ' ')} {v}" for k, v in total.items()), f"({time.monotonic() - began:.0f} s)")
    return int(any(total[kind] for kind in ("wrong", "false", "crashes")))


if __name__ == "__main__":
    sys.exit(main())

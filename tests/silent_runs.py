"""What programs do in silence, seen by running them: indices that NumPy refuses, what does nothing, what is compiled.

Runs are in this process, and patch public classes of jax while they last.  What they showed is kept (`answers.py`), by
the program's text and the code here: `truth` asks for it.
"""

from __future__ import annotations

import contextlib
import functools
import importlib.metadata
import io
import json
import logging
import re
import sys
import time
import traceback
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

import answers
import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

__all__ = ["truth"]


def run(path: Path, source: str, heard: list[str] | None = None) -> str:
    """Run a program; what it prints.  What it warns of is added to what is `heard`."""
    out = io.StringIO()
    name = f"silent_case_{path.stem}"
    module = type(sys)(name)
    module.__file__ = str(path)
    sys.modules[name] = module  # classes of the program look their module up
    try:
        with contextlib.redirect_stdout(out), warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            exec(compile(source, str(path), "exec"), module.__dict__)
        if heard is not None:
            heard += [str(warning.message) for warning in caught]
    finally:
        del sys.modules[name]
    return out.getvalue()


def is_finite(path: Path, source: str) -> bool:
    """Whether a program prints neither nan nor inf."""
    return re.search(r"\b(nan|inf)\b", run(path, source)) is None


def asks_for_64_bits(path: Path, source: str) -> bool:
    """Whether jax warns that a program asks for 64 bits in vain."""
    heard: list[str] = []
    run(path, source, heard)
    return any("Explicitly requested dtype" in message for message in heard)


def _line(path: Path) -> int:
    """The innermost line of the program that is being run."""
    frame: Any = sys._getframe()
    while frame is not None and frame.f_code.co_filename != str(path):
        frame = frame.f_back
    return 0 if frame is None else frame.f_lineno


def _concrete(index: Any) -> Any:
    """An index as NumPy takes it.

    Raises:
        jax.errors.ConcretizationTypeError: if a part of it is not known.
    """
    if isinstance(index, tuple):
        return tuple(map(_concrete, index))
    return np.asarray(index) if isinstance(index, jax.Array | list) else index


@contextlib.contextmanager
def _replaced(owner: Any, name: str, make: Callable[[Any], Any]) -> Iterator[None]:
    kept = getattr(owner, name)
    setattr(owner, name, make(kept))
    try:
        yield
    finally:
        setattr(owner, name, kept)


def lines_out_of_bounds(path: Path, source: str) -> set[int]:
    """The lines of a program that index an array where NumPy would raise, and do not say what they mean by it."""
    found: set[int] = set()

    def note(refuses: Callable[[], Any]) -> None:
        try:
            refuses()
        except IndexError:
            found.add(_line(path))
        except jax.errors.JAXTypeError:  # a part is not known while jax traces
            pass

    def item(real: Any) -> Any:
        def getitem(self: Any, index: Any) -> Any:
            note(lambda: np.empty(self.shape)[_concrete(index)])
            return real(self, index)

        return getitem

    def update(real: Any) -> Any:
        def method(self: Any, *args: Any, **kwargs: Any) -> Any:
            if kwargs.get("mode") is None:
                note(lambda: np.empty(self.array.shape)[_concrete(self.index)])
            return real(self, *args, **kwargs)

        return method

    def take(real: Any) -> Any:
        def taking(a: Any, indices: Any, axis: Any = None, **kwargs: Any) -> Any:
            if not kwargs:
                note(lambda: np.take(np.empty(a.shape), _concrete(indices), axis=axis))
            return real(a, indices, axis=axis, **kwargs)

        return taking

    def block(real: Any) -> Any:
        def slicing(operand: Any, start: Any, size: Any, axis: int = 0) -> Any:
            last = int(start) + size - 1
            note(lambda: np.empty(operand.shape[axis])[[int(start), last]])
            return real(operand, start, size, axis)

        return slicing

    sample = jnp.zeros(1)
    with contextlib.ExitStack() as stack:
        for owner in (type(sample), jax.core.Tracer):
            stack.enter_context(_replaced(owner, "__getitem__", item))
        for name in ("set", "add", "multiply", "get"):
            stack.enter_context(_replaced(type(sample.at[0]), name, update))
        stack.enter_context(_replaced(jnp, "take", take))
        stack.enter_context(_replaced(lax, "dynamic_slice_in_dim", block))
        run(path, source)
    return found


def unawaited_times(path: Path, source: str) -> set[int]:
    """The lines where a program reads a clock though it waited for no array since it read it before."""
    found: set[int] = set()
    waited = [True]

    def waiting(real: Any) -> Any:
        def wait(*args: Any, **kwargs: Any) -> Any:
            waited[0] = True
            return real(*args, **kwargs)

        return wait

    def reading(real: Any) -> Any:
        def clock() -> float:
            if sys._getframe(1).f_code.co_filename == str(path):
                if not waited[0]:
                    found.add(sys._getframe(1).f_lineno)
                waited[0] = False
            return float(real())

        return clock

    array = type(jnp.zeros(1))
    with contextlib.ExitStack() as stack:
        for name in ("block_until_ready", "__float__", "__array__"):
            stack.enter_context(_replaced(array, name, waiting))
        stack.enter_context(_replaced(jax, "device_get", waiting))
        for name in ("time", "perf_counter"):
            stack.enter_context(_replaced(time, name, reading))
        run(path, source)
    return found


def does_nothing(path: Path, source: str, line: int) -> bool:
    """Whether the program prints the same if a statement, of one line, is executed once more."""
    lines = source.splitlines()
    again = [*lines[:line], lines[line - 1], *lines[line:]]
    return run(path, "\n".join(again) + "\n") == run(path, source)


def reuses_keys(path: Path, source: str) -> bool:
    """Whether JAX's own check of keys, for which old keys are typed ones here, refuses a run of the program."""
    with jax.debug_key_reuse(True), jax.enable_custom_prng(True):
        try:
            run(path, source)
        except jax.errors.KeyReuseError:
            return True
    return False


def raises_at(path: Path, source: str) -> tuple[str, list[int]]:
    """The name of what a run raises, and the lines of the program that lead there; empty if it raises nothing."""
    try:
        run(path, source)
    except Exception as error:
        lines = [f.lineno or 0 for f in traceback.extract_tb(error.__traceback__) if f.filename == str(path)]
        return type(error).__name__, lines
    return "", []


class _Compiled(logging.Handler):
    """Counts what XLA has compiled, by name."""

    def __init__(self) -> None:
        super().__init__()
        self.names: Counter[str] = Counter()

    def emit(self, record: logging.LogRecord) -> None:
        if match := re.match(r"Finished XLA compilation of jit\((.*?)\) in", record.getMessage()):
            self.names[match[1]] += 1


def compilations(path: Path, source: str) -> Counter[str]:
    """How often JAX compiles each function, by name, when a program runs."""
    handler, logger = _Compiled(), logging.getLogger("jax")
    before = logger.propagate
    logger.addHandler(handler)
    logger.propagate = False
    try:
        with jax.log_compiles():
            run(path, source)
    finally:
        logger.removeHandler(handler)
        logger.propagate = before
    return handler.names


_RUNS: Final[dict[str, Callable[..., Any]]] = {
    function.__name__: function
    for function in (
        asks_for_64_bits, compilations, does_nothing, is_finite, lines_out_of_bounds, raises_at, reuses_keys, run,
        unawaited_times,
    )
}  # fmt: skip
_LIBRARIES: Final = ("flax", "equinox", "optax", "dm-haiku")


def truth(kind: str, path: Path, source: str, *args: int) -> Any:
    """What a run of a program shows, by one of the functions above, or what an earlier run of the same has shown."""
    releases = tuple(f"{name} {importlib.metadata.version(name)}" for name in _LIBRARIES if name[-5:] in source)
    text = answers.asked(functools.partial(_shown, _RUNS[kind], path.name, source, args, releases))
    return _whole(json.loads(bytes(text.values).decode()))


def _shown(function: Callable[..., Any], name: str, source: str, args: tuple[int, ...], _: tuple[str, ...]) -> Any:
    """What a function shows of a program, as an array that can be kept."""
    found = json.dumps(_plain(function(Path(name), source, *args)))
    return np.frombuffer(found.encode(), np.uint8)


def _plain(value: Any) -> Any:
    """What JSON keeps of a value, with the name of its type."""
    if isinstance(value, Counter):
        return {"Counter": dict(value)}
    if isinstance(value, set):
        return {"set": sorted(value)}
    return {"tuple": list(value)} if isinstance(value, tuple) else value


def _whole(kept: Any) -> Any:
    if not isinstance(kept, dict):
        return kept
    ((kind, value),) = kept.items()
    return {"Counter": Counter, "set": set, "tuple": tuple}[kind](value)

"""Calls of every public function of JAX in the forms that run, found by trying, with what each gives.

`python tests/jax_calls.py FILE` writes them down for `stub_sweep.py`, which holds what checkers say against them.
Each function is called with what its parameters' names ask for and with odd things, then with each of its options;
the programs of its documentation are taken as they are.
"""

from __future__ import annotations

import doctest
import importlib
import inspect
import itertools
import json
import os
import random
import signal
import sys
import types
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any, Final

os.environ.setdefault("JAX_TRACEBACK_FILTERING", "off")
os.environ.setdefault("XLA_FLAGS", "--xla_backend_optimization_level=0")

import jax
from jax_arguments import BY_NAME, GENERAL, HEAD, OPTION, SKIPPED, TRUTHS

MODULES: Final = (
    "jax.numpy", "jax.numpy.linalg", "jax.numpy.fft", "jax.lax", "jax.lax.linalg", "jax.nn", "jax.nn.initializers",
    "jax.random", "jax.scipy.special", "jax.scipy.linalg", "jax.scipy.signal", "jax.scipy.ndimage",
    "jax.scipy.integrate", "jax.scipy.optimize", "jax.scipy.fft", "jax.scipy.cluster.vq", "jax.scipy.sparse.linalg",
    "jax.scipy.interpolate", "jax.scipy.spatial.transform", "jax.scipy.stats",
    "jax.tree_util", "jax.tree", "jax.ops", "jax.image", "jax.dtypes", "jax.flatten_util", "jax",
)  # fmt: skip

TRIES, KEPT, BASES, EACH = 80, 10, 2, 4


class TooLong(BaseException):
    """A call takes longer than a second or two."""


@contextmanager
def limited(seconds: float) -> Iterator[None]:
    """Raises `TooLong` after some seconds."""

    def stop(*_: object) -> None:
        raise TooLong

    signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


def described(value: Any) -> Any:
    """What a value is, as JSON: an array's dtype, weak type and shape, the items of what holds others, or a class."""
    if isinstance(value, jax.Array):
        dtype = str(value.dtype)
        return ["Array", dtype, bool(value.weak_type), list(value.shape)]
    if isinstance(value, tuple) and type(value) is tuple:
        return ["tuple", [described(v) for v in value]]
    if isinstance(value, list):
        return ["list", [described(v) for v in value]]
    classes = [c.__name__ for c in type(value).__mro__]
    if isinstance(value, tuple):
        return ["class", classes, [described(v) for v in value]]
    return ["class", classes]


class Caller:
    """Evaluates calls in a namespace with the variables of the head."""

    def __init__(self) -> None:
        self.names: dict[str, Any] = {}
        exec(HEAD, self.names)

    def result(self, text: str) -> Any:
        """What a call gives, described; None if it raises.  Traced, where that says the same in less time."""
        try:
            code = compile(text, "<call>", "eval")
        except SyntaxError:
            return None
        found: list[Any] = []

        def traced() -> None:
            found.append(described(eval(code, self.names)))

        try:
            with limited(3), warnings.catch_warnings(), redirect_stdout(StringIO()):
                warnings.simplefilter("ignore")
                try:
                    jax.eval_shape(traced)
                except (jax.errors.JAXTypeError, jax.errors.JAXIndexError):
                    found.clear()
                    found.append(described(eval(code, self.names)))
        except TooLong:
            return None
        except Exception:
            return None
        return found[0] if found else None


def candidates(parameter: inspect.Parameter, option: bool) -> list[str]:
    """What to try for a parameter."""
    named = list(BY_NAME.get(parameter.name, ()))
    if named and option:
        return named
    if isinstance(parameter.default, bool):
        return list(TRUTHS)
    return list(dict.fromkeys([*named, *(OPTION if option else GENERAL)]))


def calls_of(name: str, value: Callable[..., Any], caller: Caller, rng: random.Random) -> Iterator[tuple[str, Any]]:
    """The calls of one function that run, with what they give."""
    try:
        parameters = list(inspect.signature(value).parameters.values())
    except (TypeError, ValueError):
        parameters = [inspect.Parameter("x", inspect.Parameter.POSITIONAL_ONLY)]
    asked = [p for p in parameters if p.default is p.empty]
    required = [p for p in asked if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    many = [p for p in parameters if p.kind is p.VAR_POSITIONAL]
    needed = [p for p in asked if p.kind is p.KEYWORD_ONLY]
    options = [p for p in parameters if p.default is not p.empty]
    if isinstance(value, jax.numpy.ufunc):
        required, many, options = (
            [inspect.Parameter(n, inspect.Parameter.POSITIONAL_ONLY) for n in "xy"[: value.nin]],
            [],
            [],
        )
    bases: list[list[str]] = []
    for arguments in tries([*required, *many], needed, rng):
        if len(bases) >= KEPT:
            break
        text = f"{name}({', '.join(arguments)})"
        if (result := caller.result(text)) is not None:
            bases.append(arguments)
            yield text, result
    for arguments in bases[:1]:  # all by name
        if all(p.kind is p.POSITIONAL_OR_KEYWORD for p in required) and not many:
            named = [f"{p.name}={a}" for p, a in zip(required, arguments)] + arguments[len(required) :]
            text = f"{name}({', '.join(named)})"
            if (result := caller.result(text)) is not None:
                yield text, result
    chosen = [*bases[:1], *rng.sample(bases[1:], min(BASES - 1, len(bases) - 1))] if bases else []
    working: dict[str, list[str]] = {}
    for number, arguments in enumerate(chosen):
        for i, option in enumerate(options):
            ran = 0
            for text in candidates(option, True):
                if ran == EACH:
                    break
                given = f"{option.name}={text}"
                call = f"{name}({', '.join([*arguments, given])})"
                if (result := caller.result(call)) is not None:
                    ran += 1
                    working.setdefault(option.name, []).append(given)
                    yield call, result
                    if number == 0 and i == 0 and option.kind is not option.KEYWORD_ONLY and not needed and not many:
                        call = f"{name}({', '.join([*arguments, text])})"
                        if (result := caller.result(call)) is not None:
                            yield call, result
    pairs = list(itertools.combinations(working, 2))
    for _ in range(8 if pairs else 0):
        given_two = [rng.choice(working[n]) for n in rng.choice(pairs)]
        call = f"{name}({', '.join([*rng.choice(bases), *given_two])})"
        if (result := caller.result(call)) is not None:
            yield call, result


def tries(
    required: Sequence[inspect.Parameter], needed: Sequence[inspect.Parameter], rng: random.Random
) -> Iterator[list[str]]:
    """Arguments to try: all of one parameter, of several the first of each and some by chance."""
    if not required and not needed:
        yield []
        return
    wanted = [candidates(p, False) for p in (*required, *needed)]
    prefixes = ["" if p.kind is not p.KEYWORD_ONLY else f"{p.name}=" for p in (*required, *needed)]
    if len(wanted) == 1 and required and required[0].kind is not inspect.Parameter.VAR_POSITIONAL:
        yield from ([prefixes[0] + text] for text in wanted[0])
        return
    seen: set[tuple[str, ...]] = set()
    for i in range(TRIES):
        if i < 8:
            texts = [w[min(i, len(w) - 1)] for w in wanted]
        else:  # the first ones more often
            texts = [w[min(int(rng.random() ** 2 * len(w)), len(w) - 1)] for w in wanted]
        arguments = [prefix + text for prefix, text in zip(prefixes, texts)]
        if required and required[-1].kind is inspect.Parameter.VAR_POSITIONAL:
            more = rng.randrange(3)
            at = len(required) - 1
            arguments[at : at + 1] = [rng.choice(wanted[at]) for _ in range(more)] if i else [arguments[at]]
        if tuple(arguments) not in seen:
            seen.add(tuple(arguments))
            yield arguments


def functions(module: str) -> Iterator[tuple[str, Callable[..., Any]]]:
    """The functions of a module by the name that a program writes; of a module of distributions those of each."""
    found = importlib.import_module(module)
    if module == "jax.scipy.stats":
        for name, inner in vars(found).items():
            if isinstance(inner, types.ModuleType) and not name.startswith("_"):
                yield from ((f"{module}.{name}.{n}", f) for n, f in vars(inner).items() if public(n, f))
    short = {"jax.numpy": "jnp", "jax.lax": "lax", "jax.scipy": "jsp"}
    prefix = next((new + module[len(old) :] for old, new in short.items() if module.startswith(old)), module)
    for name in sorted(dir(found)):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            value = getattr(found, name, None)
        if value is not None and public(name, value):
            yield f"{prefix}.{name}", value


def public(name: str, value: Any) -> bool:
    """Whether a name is that of a function to call."""
    return not name.startswith("_") and callable(value) and not isinstance(value, type) and name not in SKIPPED


def methods() -> Iterator[tuple[str, Callable[..., Any]]]:
    """The methods of arrays of a few sorts."""
    for variable in ("f2", "i1", "c2"):
        for name in sorted(dir(jax.Array)):
            array = jax.numpy.ones((3, 3), "float32")
            bound = None if name.startswith("_") or name == "flat" else getattr(array, name, None)
            if (
                not name.startswith("_")
                and callable(bound)
                and name not in ("delete", "tofile", "addressable_data", "dump")
            ):
                yield f"{variable}.{name}", bound


def programs(module: str) -> Iterator[list[tuple[str, bool]]]:
    """The programs in the documentation of a module's functions: statements, and whether each is an expression."""
    parser = doctest.DocTestParser()
    for _, value in functions(module):
        try:
            examples = parser.get_examples(inspect.getdoc(value) or "")
        except ValueError:
            continue
        if examples:
            yield [(e.source.rstrip("\n"), is_expression(e.source)) for e in examples]


def is_expression(source: str) -> bool:
    """Whether a statement is an expression of one line."""
    try:
        compile(source.strip(), "<doc>", "eval")
    except SyntaxError:
        return False
    return "\n" not in source.strip() and "#" not in source and not source.strip().startswith("print(")


def documented(module: str) -> Iterator[list[tuple[str, Any]]]:
    """The programs that run, statement by statement, with what the expressions give (None of other statements)."""
    for program in programs(module):
        names: dict[str, Any] = {}
        exec(HEAD, names)
        lines: list[tuple[str, Any]] = []
        for source, expression in program:
            try:
                with limited(10), warnings.catch_warnings(), redirect_stdout(StringIO()):
                    warnings.simplefilter("ignore")
                    if expression:
                        text = source.strip().partition("  #")[0].strip()
                        lines.append((text, described(eval(text, names))))
                    else:
                        exec(source, names)
                        lines.append((source, None))
            except (Exception, TooLong):
                continue
        yield lines


def found_calls(module: str) -> Iterator[tuple[str, Any]]:
    """All calls of a module that run, each once."""
    rng = random.Random(module)
    caller = Caller()
    seen: set[str] = set()
    for name, value in methods() if module == "jax.Array" else functions(module):
        for text, result in calls_of(name, value, caller, rng):
            if text not in seen:
                seen.add(text)
                yield text, result


def main(arguments: Sequence[str]) -> None:
    """Write all calls of the modules that are named, or of all, to a folder."""
    folder = Path(arguments[0])
    folder.mkdir(exist_ok=True, parents=True)
    for module in arguments[1:] or ("jax.Array", *MODULES):
        calls = []
        for call in found_calls(module):
            calls.append(call)
            if len(calls) % 1000 == 0:  # what is found so far can be looked at
                (folder / f"{module}.json").write_text(json.dumps({"calls": calls, "programs": []}))
        docs = [] if module == "jax.Array" else list(documented(module))
        (folder / f"{module}.json").write_text(json.dumps({"calls": calls, "programs": docs}))
        sys.stdout.write(f"{module}: {len(calls)} calls, {len(docs)} programs\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main(sys.argv[1:])

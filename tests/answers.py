"""Arrays that JAX computed before, kept by a digest of the question: they need not be computed again.

To compute an array is dear for JAX: each function is traced and compiled to be run once.  So what it answered is kept
in `data/answers.txt`, a line for each question: its digest, and the arrays.  The question is the function that asks,
with everything that it reaches: its code and that of the tests' functions and classes which it names, what these hold
in closures, attributes and arguments, and the releases of JAX, jaxlib and NumPy.  If any of it changes, JAX is asked.
A test that fails by what was kept is run again, and JAX is asked, since another machine may round otherwise.

`pytest --oracle live` asks JAX everything; `pytest --oracle record` does so too, and adds what is new to the file:

    rm tests/data/answers.txt; pytest --oracle record; sort -u -o tests/data/answers.txt tests/data/answers.txt
"""

from __future__ import annotations

import ast
import base64
import functools
import hashlib
import inspect
import json
import sys
import types
import warnings
import zlib
from collections.abc import Callable, Generator, Iterator
from contextvars import ContextVar
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import ml_dtypes
import numpy as np
import pytest
from agreements import RELEASES, code_of, mode
from oracle_counts import counted

__all__ = ["FILE", "Answer", "asked", "compiled", "digest_of", "pytest_runtest_call"]

FILE: Final = Path(__file__).parent / "data" / "answers.txt"
TESTS: Final = Path(__file__).parent


class NoTextError(TypeError):
    """A question reaches something that has no text which says all of it."""


@dataclass(frozen=True)
class Answer:
    """An array of JAX's, with what is compared of it."""

    values: Any
    weak_type: bool

    @property
    def dtype(self) -> Any:
        """NumPy's dtype."""
        return self.values.dtype

    @property
    def shape(self) -> tuple[int, ...]:
        """The sizes."""
        return tuple(self.values.shape)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        return np.asarray(self.values, dtype)


_consulted: list[str] = []
"""The digests of what was not asked since `again` began."""


def asked(ask: Callable[[], Any]) -> Any:
    """What was kept of the answer to `ask`, or what JAX says now.

    It is asked each time if the question has no text.  An answer is an array, or a list, tuple or dictionary of such;
    a tuple is given back as a list.
    """
    try:
        digest = digest_of(ask)
    except NoTextError:
        return _as_kept(ask())
    kept = _kept().get(digest) if mode() == "recorded" and not _asks_all.get() else None
    counted("arrays", kept is not None)
    if kept is not None:
        _consulted.append(digest)
        return _decoded(kept)
    answer = _as_kept(ask())
    if mode() == "record" and digest not in _kept():
        with FILE.open("ab", buffering=0) as file:  # lines are written whole, by several workers too
            file.write(f"{digest} {_encoded(answer)}\n".encode("ascii"))
    return answer


def compiled(program: Callable[..., Any], *args: Any, x64: bool = False) -> Any:
    """What was kept of the results of a program that JAX compiles, or what JAX says now."""
    return asked(functools.partial(_compiled, program, args, x64))


def _compiled(program: Callable[..., Any], args: tuple[Any, ...], x64: bool) -> Any:
    import jax

    with jax.enable_x64(x64), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return jax.jit(program)(*args)


_asks_all: ContextVar[bool] = ContextVar("_asks_all", default=False)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, None, None]:
    """Run a test that fails by what was kept again, and ask."""
    _consulted.clear()
    try:
        return (yield)
    except Exception:
        if not _consulted:
            raise
    token = _asks_all.set(True)
    try:
        item.runtest()
    finally:
        _asks_all.reset(token)


@functools.cache
def _kept() -> dict[str, str]:
    lines = FILE.read_text(encoding="ascii").splitlines() if FILE.exists() else ()
    return dict(line.split(" ") for line in lines)


# The arrays as text


def _as_kept(answer: Any) -> Any:
    if answer is None:
        return None
    if isinstance(answer, dict):
        return {k: _as_kept(v) for k, v in answer.items()}
    if isinstance(answer, tuple | list):
        return [_as_kept(v) for v in answer]
    values = np.asarray(answer)
    if values.dtype.hasobject:
        raise TypeError(f"{answer!r} is no array of numbers or text: it cannot be kept")
    return Answer(values, bool(getattr(answer, "weak_type", False)))


def _encoded(answer: Any) -> str:
    def plain(part: Any) -> Any:
        if part is None:
            return None
        if isinstance(part, Answer):
            data = base64.b64encode(np.ascontiguousarray(part.values).tobytes()).decode()
            return {"": [str(part.dtype), part.shape, int(part.weak_type), data]}
        return {k: plain(v) for k, v in part.items()} if isinstance(part, dict) else [plain(v) for v in part]

    text = json.dumps(plain(answer), separators=(",", ":"))
    return base64.b64encode(zlib.compress(text.encode(), 9)).decode()


def _decoded(line: str) -> Any:
    def whole(part: Any) -> Any:
        if part is None:
            return None
        if isinstance(part, list):
            return [whole(v) for v in part]
        if part.keys() == {""}:
            dtype, shape, weak, data = part[""]
            kind = np.dtype(getattr(ml_dtypes, dtype, dtype))
            return Answer(np.frombuffer(base64.b64decode(data), kind).reshape(shape), bool(weak))
        return {k: whole(v) for k, v in part.items()}

    return whole(json.loads(zlib.decompress(base64.b64decode(line))))


# The question as text


def digest_of(question: Callable[[], Any]) -> str:
    """The digest of a function with everything of the tests that it reaches.

    Raises:
        NoTextError: if it reaches something that has no text which says all of it.
    """
    digest = hashlib.sha256(repr(RELEASES).encode())
    for part in _parts(question, set()):
        digest.update(b"\0" + part.encode())
    return digest.hexdigest()[:32]


def _parts(value: Any, seen: set[int]) -> Iterator[str]:
    """Everything that a value is, as text."""
    if isinstance(value, str):
        yield f"str {value.replace(str(TESTS), '')!r}"  # a checkout may lie anywhere
    elif isinstance(value, int | float | complex | bytes | None | slice | types.EllipsisType | np.dtype):
        yield f"{type(value).__name__} {value!r}"
    elif isinstance(value, np.ndarray | np.generic):
        yield f"array {value.dtype} {value.shape} {hashlib.sha256(np.ascontiguousarray(value).tobytes()).hexdigest()}"
    elif isinstance(value, tuple | list | dict):
        yield f"{type(value).__name__} of {len(value)}"
        for part in value.items() if isinstance(value, dict) else value:
            yield from _parts(part, seen)
    elif isinstance(value, set | frozenset):
        yield f"{type(value).__name__} {sorted(map(repr, value))}"
    elif "jax" in sys.modules and isinstance(value, sys.modules["jax"].Array):
        yield f"jax.Array {value.weak_type}"
        yield from _parts(np.asarray(value), seen)
    elif isinstance(value, types.SimpleNamespace):
        yield from _parts(vars(value), seen)
    elif isinstance(value, types.ModuleType):
        yield f"module {value.__name__}"
    elif isinstance(value, functools.partial):
        yield from _parts((value.func, value.args, value.keywords), seen)
    elif isinstance(value, types.MethodType):
        yield from _parts((value.__func__, value.__self__), seen)
    elif isinstance(value, types.FunctionType | type) or hasattr(value, "__wrapped__"):
        yield from _code(inspect.unwrap(value), seen)
    elif isinstance(value, types.BuiltinFunctionType | np.ufunc):
        yield f"function {value.__name__}"
    elif isinstance(getattr(value, "__dict__", None), dict) and _is_ours(type(value)):
        yield from _parts((type(value), vars(value)), seen)
    else:
        raise NoTextError(f"{value!r} has no text that says all of it, so what JAX answers cannot be kept by it")


def _is_ours(thing: Any) -> bool:
    file = getattr(sys.modules.get(thing.__module__), "__file__", None)
    return thing.__module__ != __name__ and file is not None and Path(file).is_relative_to(TESTS)


def _code(thing: Any, seen: set[int]) -> Iterator[str]:
    """A function or class: of the tests with its source and everything that it reaches, of others by its name."""
    if not _is_ours(thing):
        yield f"{thing.__module__}.{thing.__qualname__}"
        return
    if id(thing) in seen:
        yield f"again {thing.__qualname__}"
        return
    seen.add(id(thing))
    if isinstance(thing, type):
        yield _class(thing)
        for member in vars(thing).values():
            function = member.fget if isinstance(member, property) else member
            if isinstance(function, types.FunctionType) and Path(function.__code__.co_filename).is_relative_to(TESTS):
                yield from _reached(function, seen)  # which what dataclasses write is not
        return
    yield _text(thing.__code__)
    yield from _reached(thing, seen)


def _reached(function: types.FunctionType, seen: set[int]) -> Iterator[str]:
    """What a function holds, and the globals that it names."""
    yield from _parts((function.__defaults__, function.__kwdefaults__), seen)
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or ()):
        if name != "__class__":
            yield name
            yield from _parts(cell.cell_contents, seen)
    for name in sorted(_names(function.__code__) & function.__globals__.keys()):
        yield name
        yield from _parts(function.__globals__[name], seen)


def _names(code: types.CodeType) -> set[str]:
    inner = (c for c in code.co_consts if isinstance(c, types.CodeType))
    return set(code.co_names).union(*map(_names, inner))


@functools.cache
def _class(thing: type) -> str:
    return code_of(inspect.getsource(thing))


@functools.cache
def _functions(file: str) -> dict[int, list[ast.FunctionDef | ast.Lambda]]:
    """The functions of a file by the line on which they begin."""
    found: dict[int, list[ast.FunctionDef | ast.Lambda]] = {}
    for node in ast.walk(ast.parse(Path(file).read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef | ast.Lambda):
            decorators = node.decorator_list if isinstance(node, ast.FunctionDef) else []
            found.setdefault(min(n.lineno for n in (node, *decorators)), []).append(node)
    return found


@functools.cache
def _text(code: types.CodeType) -> str:
    """The source of a function, without comments and layout."""
    places = [(a, c, b, d) for a, b, c, d in code.co_positions() if a and b and c is not None and d and (a, c) < (b, d)]
    start, end = min(p[:2] for p in places), max(p[2:] for p in places)

    def size(node: ast.FunctionDef | ast.Lambda) -> tuple[int, int] | None:
        """How far what holds all of the code extends."""
        first, last = (node.body[0], node.body[-1]) if isinstance(node, ast.FunctionDef) else (node.body, node.body)
        assert last.end_lineno is not None
        assert last.end_col_offset is not None
        holds = (first.lineno, first.col_offset) <= start and end <= (last.end_lineno, last.end_col_offset)
        return (last.end_lineno - first.lineno, last.end_col_offset - first.col_offset) if holds else None

    sizes = [(size(n), n) for n in _functions(code.co_filename)[code.co_firstlineno]]
    node = min(((s, n) for s, n in sizes if s is not None), key=lambda pair: pair[0])[1]
    return code_of(ast.unparse(node))

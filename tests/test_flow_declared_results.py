"""What functions of Python's own library give by their declarations, held against what they really give."""

from __future__ import annotations

import copy
import datetime
import decimal
import fractions
import importlib
import itertools
import pathlib
import re
import sys
import types
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from flow_values import difference, interpreted, run

from arraytyping.checker.flow.engines.declared_results import declared_result
from arraytyping.checker.flow.report.analysis import analyze
from arraytyping.checker.flow.state.identity import identity
from arraytyping.checker.flow.values import (
    MISSING,
    DeclaredValue,
    DictValue,
    IteratorValue,
    ListValue,
    ScalarValue,
    SetValue,
    Unknown,
    Value,
)
from arraytyping.checker.flow.values.calls import Call
from arraytyping.checker.settings import Settings

_SAMPLES: list[Any] = [
    "abc", "2020-01-02", b"abc", 3, 2.5, True, None, [1, 2, 3], ["a", "b"], (1, 2), {"a": 1},
    datetime.datetime(2020, 1, 2), datetime.timedelta(days=1), datetime.date(2020, 1, 2), pathlib.Path("a/b"),
    decimal.Decimal("1.5"), fractions.Fraction(1, 2), uuid.UUID(int=5), re.compile("a"),
]  # fmt: skip
_MODULES = """
    math cmath string re textwrap unicodedata struct zlib binascii base64 hashlib hmac posixpath ntpath fnmatch calendar
    statistics bisect heapq operator colorsys shlex html urllib.parse difflib keyword ipaddress random reprlib datetime
    decimal fractions uuid
""".split()  # noqa: SIM905
_NOT_CALLED = frozenset({
    "comb", "factorial", "perm", "main", "seed", "setstate", "from_bytes", "setcontext", "setfirstweekday",
    "__class__", "__dir__", "__init__", "__init_subclass__", "__new__", "__reduce__", "__reduce_ex__", "__setattr__",
    "__delattr__", "__getattribute__", "__sizeof__", "__subclasshook__", "__format__", "__setstate__",
})  # fmt: skip
"""What takes too long, or changes what the others give."""


def _functions(module: types.ModuleType) -> Iterator[Callable[..., Any]]:
    for name, thing in list(vars(module).items()):
        if name.startswith("_") or name in _NOT_CALLED:
            continue
        if not isinstance(thing, type):
            yield from [thing] if callable(thing) else []
            continue
        for sample in (s for s in _SAMPLES if type(s) is thing):
            methods = [getattr(sample, name) for name in dir(sample) if name not in _NOT_CALLED]
            yield from (m for m in methods if callable(m) and not isinstance(m, type))


def _known(thing: Any, is_said: bool) -> Value:
    """A sample as a value, of which no more than its class may be known."""
    if isinstance(thing, list):
        return ListValue([_known(item, is_said) for item in thing])
    if isinstance(thing, tuple):
        return tuple(_known(item, is_said) for item in thing)
    if isinstance(thing, dict):
        return DictValue({key: _known(item, is_said) for key, item in thing.items()})
    if type(thing).__module__ != "builtins":
        return DeclaredValue(type(thing))
    return thing if is_said or thing is None else ScalarValue(type(thing))


def _is_wrong(value: Value, real: Any) -> bool:
    if value is MISSING or real is NotImplemented:
        return False
    if isinstance(value, Unknown):
        return isinstance(value, DeclaredValue) and not isinstance(real, value.cls)
    if isinstance(value, ScalarValue):
        return not any(
            type(real) is kind or (kind in (int, str, bytes) and _derives(real, kind)) for kind in value.kinds
        )
    if isinstance(value, tuple):
        return type(real) is not tuple or len(real) != len(value) or any(map(_is_wrong, value, real))
    if isinstance(value, ListValue | SetValue):
        kinds = list if isinstance(value, ListValue) else (set, frozenset)
        return not isinstance(real, kinds) or any(_is_wrong(value.element, item) for item in real)
    if isinstance(value, DictValue):
        parts = [(value.key, key) for key in real] + [(value.element, item) for item in real.values()]
        return not isinstance(real, dict) or any(itertools.starmap(_is_wrong, parts))
    return not hasattr(real, "__next__") if isinstance(value, IteratorValue) else value is not real


def _derives(real: Any, kind: type) -> bool:
    """Whether it is one of a class derived from a text or int, as a member of an IntEnum is."""
    return kind in (int, str, bytes) and isinstance(real, kind) and not isinstance(real, bool)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("is_said", [True, False])
@pytest.mark.parametrize("name", _MODULES)
def test_what_is_declared_is_given(name: str, is_said: bool) -> None:
    module = importlib.import_module(name)
    for function in _functions(module):
        for arguments in itertools.chain.from_iterable(itertools.product(_SAMPLES, repeat=n) for n in range(3)):
            try:
                real = function(*copy.deepcopy(arguments))
            except Exception:
                continue
            value = declared_result(function, Call([_known(a, is_said) for a in arguments], {}, None))
            assert not _is_wrong(value, real), f"{name}.{function.__name__}{arguments}: {real!r} is not {value}"


_BEGINNING = """
import base64, bisect, calendar, collections, datetime, decimal, enum, glob, hashlib, os, pathlib, random
import re, shutil, socket, subprocess, statistics, time, uuid, zlib
from pathlib import Path
text, n = os.environ.get("A_TEXT", "ab"), len(os.environ.get("A_TEXT", "ab"))
"""
_EXPRESSIONS = {
    "datetime.datetime.now().strftime('%Y')": "str",
    "(datetime.datetime.now() - datetime.datetime.now()).total_seconds()": "float",
    "datetime.datetime.now().year": "int",
    "datetime.datetime.now() < datetime.datetime(2000, 1, 1)": "bool",
    "hashlib.md5(text.encode()).hexdigest()": "str",
    "re.sub('a', 'b', text)": "str",
    "re.split(',', text)": "list",
    "zlib.crc32(text.encode())": "int",
    "base64.b64encode(text.encode())": "bytes",
    "bisect.bisect([1, 2, 3], n)": "int",
    "calendar.monthrange(2000 + n, 2)": "(int, int)",
    "os.stat('/').st_size": "int",
    "os.uname().nodename": "str",
    "Path(text).name": "str",
    "(Path(text) / 'b').suffix": "str",
    "('b' / Path(text)).exists()": "bool",
    "str(Path(text).parent).split('/')": "list",
    "(Path('b') / text).with_suffix('.c').name": "str",
    "(text / Path('b')).name": "str",
    "Path('b').joinpath(text).exists()": "bool",
    "(Path('b') / Path(text)).is_dir()": "bool",
    "shutil.disk_usage('/')": "unknown",
    "[p.stem for p in sorted(Path(text).glob('*.no'))]": "list",
    "uuid.UUID(int=n).hex": "str",
    "decimal.Decimal(n) == 1": "bool",
    "shutil.which(text)": "unknown",  # may be None
    "(collections.ChainMap({text: 1}))[text]": "unknown",
    "-datetime.timedelta(seconds=n)": "unknown",
    "text in pathlib.Path(text).parents": "unknown",
    "(Path(text) if n else datetime.datetime.now()).name": "unknown",
    "pathlib.Path(text).parents[0].name": "unknown",
    "enum.Enum('Color', text).ab.value": "unknown",
    "(Path(text) if n else Path('b') / text).name": "str",
    "statistics.NormalDist(n, 1).mean": "unknown",  # in Python: it may be a number of NumPy's that the object was given
    "datetime.timedelta(seconds=n) * 2": "unknown",
}


def _shown(value: Value) -> str:
    if isinstance(value, tuple):
        return f"({', '.join(map(_shown, value))})"
    if isinstance(value, ScalarValue):
        return "|".join(kind.__name__ for kind in value.kinds)
    return "unknown" if isinstance(value, Unknown) else "list" if isinstance(value, ListValue) else type(value).__name__


@pytest.mark.parametrize("expression", _EXPRESSIONS)
def test_expressions(expression: str) -> None:
    program = f"{_BEGINNING}found = {expression}\n"
    values, result = interpreted(program)
    assert not result.diagnostics
    assert _shown(values["found"]) == _EXPRESSIONS[expression]
    assert difference(values["found"], run(program)["found"]) is None


def test_what_the_program_binds_is_not_taken_for_what_is_declared() -> None:
    values, _ = interpreted(
        "import zipfile\nz = zipfile.ZipFile('a.zip')\nnames = z.namelist()\n"
        "z.namelist = lambda: 2.5\nother = z.namelist()\n"
    )
    assert _shown(values["names"]) == "list"
    assert _shown(values["other"]) == "unknown"


def test_it_may_raise() -> None:
    """An exception of what is not called may be caught."""
    program = """
import os
from pathlib import Path
try:
    text = Path(os.environ.get("A_PATH", "/nowhere/at/all")).read_text()
    is_read = 1
except OSError:
    is_read = 2
"""
    values, result = interpreted(program)
    assert not result.diagnostics
    assert difference(values["is_read"], run(program)["is_read"]) is None


def test_the_stubs_are_found() -> None:
    """The library that reads typeshed is private in parts: this says which version broke it."""
    import typeshed_client

    found = typeshed_client.Resolver(typeshed_client.get_search_context(search_path=[])).get_fully_qualified_name(
        "re.sub"
    )
    assert [type(d).__name__ for d in found.ast.definitions] == ["FunctionDef", "FunctionDef"]  # type: ignore[union-attr]
    assert sys.version_info[:2] == typeshed_client.get_search_context().version


def test_what_is_no_array_is_not_counted_as_one(tmp_path: Path) -> None:
    path = tmp_path / "program.py"
    path.write_text(
        "import jax.numpy as jnp\nfrom pathlib import Path\np = Path(open('a').read())\nx = jnp.ones(3), p\n"
    )
    claims = analyze([path], Settings(), root=tmp_path).claims
    assert {e.line for file in claims.files.values() for e in file.expressions} == {4}


def test_a_walk_over_what_is_declared_ends() -> None:
    """Each child of an element is as the one before: the walk is a recursion, and known as one."""
    program = """
import os
from xml.etree import ElementTree
import jax.numpy as jnp
def walk(element):
    for child in list(element):
        walk(child)
        for grandchild in child:
            walk(grandchild)
    return 3
x = jnp.ones(walk(ElementTree.fromstring(os.environ.get("A_TEXT", "<a><b/></a>"))))
"""
    values, result = interpreted(program)
    assert identity(DeclaredValue(pathlib.Path)) == identity(DeclaredValue(pathlib.Path))
    assert identity(DeclaredValue(pathlib.Path)) != identity(DeclaredValue(datetime.date))
    assert result.is_complete
    assert difference(values["x"], run(program)["x"]) is None

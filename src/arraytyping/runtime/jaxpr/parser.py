"""Read a jaxpr from its text.

Source: the grammar in `docs/jaxprs.md`, which is that of `printer`.
"""

from __future__ import annotations

import ast
import difflib
import enum
import re
from collections.abc import Callable
from importlib import import_module
from typing import Any, Final, NoReturn

from arraytyping.runtime.core import PRIMITIVES
from arraytyping.runtime.jaxpr.parameters import DEFAULTS, RECORDS
from arraytyping.runtime.jaxpr.syntax import Atom, ClosedJaxpr, Jaxpr, JaxprEqn, Literal, Var, short_dtype
from arraytyping.scalars import DTYPES, KINDS
from arraytyping.semantics.avals import ShapedArray

__all__ = ["JaxprSyntaxError", "parse_jaxpr"]

_TOKEN: Final = re.compile(
    r"""(?P<space>(?:\s|\#[^\n]*)+)
    |(?P<string>'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")
    |(?P<number>-?(?:inf|nan)\b|-?\d+(?:\.\d*)?(?:e[+-]?\d+)?)
    |(?P<name>[A-Za-z_][A-Za-z0-9_]*)
    |(?P<sign>[{}();.,:=~\[\]<>])""",
    re.VERBOSE,
)
_DTYPES: Final = {short_dtype(d): d for d in DTYPES}
_CONSTANTS: Final = {"None": None, "True": True, "False": False, "inf": float("inf"), "nan": float("nan")}


class JaxprSyntaxError(ValueError):
    """A text is no jaxpr; the message says where, and what is expected."""


class _Reader:
    """The tokens of a text, one after another."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens: list[tuple[str, str, int]] = []
        place = 0
        while place < len(text):
            match = _TOKEN.match(text, place)
            if match is None:
                self.fail(place, f"{text[place]!r} begins nothing that can stand in a jaxpr")
            if match.lastgroup != "space":
                self.tokens.append((str(match.lastgroup), match.group(), place))
            place = match.end()
        self.tokens.append(("end", "", len(text)))
        self.at = 0

    def fail(self, place: int, message: str) -> NoReturn:
        line = self.text.count("\n", 0, place) + 1
        column = place - (self.text.rfind("\n", 0, place) + 1) + 1
        raise JaxprSyntaxError(f"line {line}, column {column}: {message}")

    @property
    def kind(self) -> str:
        return self.tokens[self.at][0]

    @property
    def word(self) -> str:
        return self.tokens[self.at][1]

    def ahead(self, n: int) -> str:
        return self.tokens[min(self.at + n, len(self.tokens) - 1)][1]

    def wrong(self, expected: str) -> NoReturn:
        found = repr(self.word) if self.word else "the end"
        self.fail(self.tokens[self.at][2], f"expected {expected}, got {found}")

    def take(self, word: str) -> None:
        if self.word != word:
            self.wrong(repr(word))
        self.at += 1

    def accept(self, word: str) -> bool:
        if self.word == word:
            self.at += 1
            return True
        return False

    def next(self, kind: str, expected: str) -> str:
        if self.kind != kind:
            self.wrong(expected)
        word = self.word
        self.at += 1
        return word

    def next_int(self) -> int:
        word = self.next("number", "an int")
        try:
            return int(word)
        except ValueError:
            self.at -= 1
            self.wrong("an int")


def parse_jaxpr(text: str) -> Jaxpr:
    """The jaxpr that a text is.

    Raises:
        JaxprSyntaxError: if it is none; the message says in which line and column, and what is expected there.
    """
    import_module("arraytyping.lax")  # whose primitives may be named
    import_module("arraytyping.runtime.transformations.calls")
    reader = _Reader(text)
    jaxpr = _jaxpr(reader)
    if reader.kind != "end":
        reader.wrong("the end")
    return jaxpr


def _jaxpr(r: _Reader) -> Jaxpr:
    env: dict[str, Var] = {}
    r.take("{")
    r.take("lambda")
    constvars = _binders(r, env, ";")
    r.take(";")
    invars = _binders(r, env, ".")
    r.take(".")
    r.take("let") if r.word == "let" else None
    eqns = []
    while r.word != "in":
        eqns.append(_equation(r, env))
    r.take("in")
    r.take("(")
    outvars = []
    while not r.accept(")"):
        outvars.append(_atom(r, env))
        if not r.accept(",") and r.word != ")":
            r.wrong("',' or ')'")
    r.take("}")
    return Jaxpr(constvars, invars, eqns, outvars)


def _binders(r: _Reader, env: dict[str, Var], end: str) -> list[Var]:
    found = []
    while r.word != end:
        place = r.tokens[r.at][2]
        name = r.next("name", f"a variable or {end!r}")
        if name in env:
            r.fail(place, f"the variable {name} is bound twice")
        r.take(":")
        env[name] = Var(_aval(r))
        found.append(env[name])
    return found


def _aval(r: _Reader) -> ShapedArray:
    weak = r.accept("~")
    place = r.tokens[r.at][2]
    name = r.next("name", "a dtype such as f32")
    if name not in _DTYPES:
        near = difflib.get_close_matches(name, _DTYPES, n=2)
        r.fail(place, f"{name!r} is no dtype{f'; did you mean {near[0]}?' if near else '; expected one such as f32'}")
    r.take("[")
    shape: list[int] = []
    while not r.accept("]"):
        shape.append(r.next_int())
        if not r.accept(",") and r.word != "]":
            r.wrong("',' or ']'")
    return ShapedArray(tuple(shape), _DTYPES[name], weak)


def _equation(r: _Reader, env: dict[str, Var]) -> JaxprEqn:
    outvars: list[Var] = []
    if r.word == "_" and r.ahead(1) == "=":
        r.take("_")
    else:
        outvars = _binders(r, env, "=")
    r.take("=")
    place = r.tokens[r.at][2]
    name = r.next("name", "a primitive")
    if name not in PRIMITIVES:
        near = difflib.get_close_matches(name, PRIMITIVES, n=2)
        r.fail(place, f"there is no primitive {name!r}{f'; did you mean {near[0]}?' if near else ''}")
    params: dict[str, Any] = {}
    if r.accept("["):
        while not r.accept("]"):
            key = r.next("name", "a parameter or ']'")
            r.take("=")
            params[key] = _value(r)
    params = {**{k: v for k, v in DEFAULTS.get(name, {}).items() if k not in params}, **params}
    bound = {id(v) for v in outvars}
    invars = []
    while _begins_atom(r):
        place = r.tokens[r.at][2]
        atom = _atom(r, env)
        if id(atom) in bound:
            r.fail(place, "an equation uses what it binds itself")
        invars.append(atom)
    return JaxprEqn(invars, outvars, PRIMITIVES[name], params)


def _begins_atom(r: _Reader) -> bool:
    """Whether an operand stands here, and not the variable that the next equation binds."""
    if r.word == "in" or (r.word == "_" and r.ahead(1) == "="):
        return False
    if r.kind == "number" or r.word in ("(", "True", "False", "inf", "nan"):
        return True
    return r.kind == "name" and r.ahead(1) != ":"


def _atom(r: _Reader, env: dict[str, Var]) -> Atom:
    if r.kind == "name" and r.word not in _CONSTANTS:
        place = r.tokens[r.at][2]
        name = r.next("name", "a variable")
        if name not in env:
            r.fail(place, f"the variable {name} is not bound")
        return env[name]
    place = r.tokens[r.at][2]
    value: Any = _number(r)
    r.take(":")
    aval = _aval(r)
    kind = {"b": bool, "i": int, "u": int, "f": float, "c": complex}[KINDS[str(aval.dtype)]]
    if type(value) is not kind:
        r.fail(place, f"a literal of {aval} is a {kind.__name__}, got {value!r}")
    number: Any = value
    return Literal(number, aval)


def _number(r: _Reader) -> Any:
    if r.accept("("):
        real = _number(r)
        r.take(",")
        imaginary = _number(r)
        r.take("j") if r.word == "j" else r.wrong("'j'")
        r.take(")")
        return complex(real, imaginary)
    if r.kind == "name" and r.word in ("True", "False", "inf", "nan"):
        return _CONSTANTS[r.next("name", "a number")]
    word = r.next("number", "a number")
    return float(word) if any(c in word for c in ".en") else int(word)


def _value(r: _Reader) -> Any:
    if r.word == "{":
        return ClosedJaxpr(_jaxpr(r), [])
    if r.kind == "string":
        return ast.literal_eval(r.next("string", "a string"))
    if r.kind == "number":
        return _number(r)
    if r.word == "<":
        r.wrong("a value that text can hold (a function cannot be read back)")
    if r.word == "(":
        return _tuple_or_complex(r)
    place = r.tokens[r.at][2]
    name = r.next("name", "a value")
    if name in _CONSTANTS:
        return _CONSTANTS[name]
    if r.word in (".", "(") and (kind := _record_class(name)) is not None:
        return _record(r, kind, place)
    return name


def _record_class(name: str) -> type | None:
    """The named tuple or enumeration of this name."""
    found = RECORDS.get(name) or getattr(import_module("arraytyping.lax"), name, None)
    return found if isinstance(found, type) and issubclass(found, tuple | enum.Enum) else None


def _tuple_or_complex(r: _Reader) -> Any:
    start = r.at
    r.take("(")
    items: list[Any] = []
    while not r.accept(")"):
        items.append(_value(r))
        if len(items) == 2 and r.word == "j":
            r.at = start
            return _number(r)
        if not r.accept(",") and r.word != ")":
            r.wrong("',' or ')'")
    return tuple(items)


def _record(r: _Reader, kind: Callable[..., Any], place: int) -> Any:
    """A named tuple, or a member of an enumeration."""
    if r.accept("."):
        member = r.next("name", "a member")
        if not hasattr(kind, member):
            r.fail(place, f"{kind.__name__} has no member {member}")
        return getattr(kind, member)
    r.take("(")
    fields = {}
    while not r.accept(")"):
        key = r.next("name", "a field")
        r.take("=")
        fields[key] = _value(r)
        if not r.accept(",") and r.word != ")":
            r.wrong("',' or ')'")
    try:
        return kind(**fields)
    except TypeError as error:
        r.fail(place, f"{kind.__name__}: {error}")

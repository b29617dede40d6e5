"""What a text of gin-config says: its statements, one after the other.

Source: https://github.com/google/gin-config/blob/master/docs/index.md.
"""

from __future__ import annotations

import ast
import io
import re
import tokenize
from typing import Any, Final

__all__ = ["gin_statements"]

_IDENTIFIER: Final = r"[a-zA-Z_]\w*"
_SELECTOR: Final = re.compile(rf"{_IDENTIFIER}(\.{_IDENTIFIER})*$")
_LITERALS: Final = (tokenize.NAME, tokenize.NUMBER, tokenize.STRING)
_CLOSING: Final = {"{": "}", "(": ")", "[": "]"}
_COMMENTS: Final = (tokenize.COMMENT, tokenize.NL)


class GinSyntaxError(ValueError):
    """What is no statement of gin-config."""


_Value = tuple[str, Any, bool]
"""What a value is (literal, list, tuple, dict of pairs, reference, macro), the value, and whether it is called."""


def gin_statements(text: str) -> list[tuple[Any, ...]]:
    """The statements: `("bind", scope, selector, parameter, value)`, `("import", module)`, `("include", path)`.

    Raises:
        GinSyntaxError: if there is something else.
        SyntaxError: if it has no tokens of Python, as IndentationError and tokenize.TokenError, which is none.
    """
    return _Reader(text).statements()


class _Reader:
    def __init__(self, text: str) -> None:
        self._tokens = tokenize.generate_tokens(io.StringIO(text).readline)
        self._at = next(self._tokens)

    def statements(self) -> list[tuple[Any, ...]]:
        found: list[tuple[Any, ...]] = []
        while True:
            self._skip(*_COMMENTS, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT)
            if self._at.type == tokenize.ENDMARKER:
                return found
            found += self._statement()

    def _statement(self) -> list[tuple[Any, ...]]:
        name = self._dotted()
        found: list[tuple[Any, ...]] = []
        if name == "include" and self._at.type == tokenize.STRING:
            found.append(("include", self._literal()[1]))
        elif name in ("import", "from") and self._at.type == tokenize.NAME:
            found.append(("import", self._imported(name)))
        elif self._at.string == "=":
            self._next()
            found.append(("bind", *_binding_key(name), self._value()))
        elif self._at.string == ":":
            return self._block(name)
        else:
            raise GinSyntaxError(f"{name} is followed by {self._at.string!r}")
        self._end_line()
        return found

    def _imported(self, keyword: str) -> str:
        module = self._dotted()
        if keyword == "from":
            if self._dotted() != "import":
                raise GinSyntaxError("from without import")
            module = f"{module}.{self._dotted()}"
        if self._at.string == "as":
            self._next()
            self._dotted()
        return module

    def _block(self, name: str) -> list[tuple[Any, ...]]:
        """The bindings of several parameters of one function, one below the other."""
        scope, _, selector = name.rpartition("/")
        self._next()
        self._skip(*_COMMENTS, tokenize.NEWLINE)
        if self._at.type != tokenize.INDENT:
            raise GinSyntaxError("a block without bindings")
        self._next()
        found: list[tuple[Any, ...]] = []
        while True:
            self._skip(*_COMMENTS)
            if self._at.type == tokenize.DEDENT:
                return found
            parameter = self._dotted()
            if self._at.string != "=":
                raise GinSyntaxError(f"{parameter} is followed by {self._at.string!r}")
            self._next()
            found.append(("bind", scope, selector, parameter, self._value()))
            self._end_line()

    def _end_line(self) -> None:
        self._skip(*_COMMENTS)
        if self._at.type not in (tokenize.NEWLINE, tokenize.DEDENT, tokenize.ENDMARKER):
            raise GinSyntaxError(f"{self._at.string!r} at the end of a statement")
        self._skip(tokenize.NEWLINE)

    def _value(self) -> _Value:
        if self._at.string in _CLOSING:
            return self._container()
        if self._at.string == "@":
            self._next()
            name = self._dotted()
            is_called = self._at.string == "("
            if is_called:
                self._next()
                self._expect(")")
            return "reference", name, is_called
        if self._at.string == "%":
            self._next()
            return "macro", self._dotted(), True
        return self._literal()

    def _container(self) -> _Value:
        opening = self._at.string
        self._next_in_container()
        items: list[Any] = []
        is_tuple = False
        while self._at.string != _CLOSING[opening]:
            item: Any = self._value()
            self._skip(*_COMMENTS)
            if opening == "{":
                self._expect(":")
                self._skip(*_COMMENTS)
                item = (item, self._value())
                self._skip(*_COMMENTS)
            items.append(item)
            if self._at.string == ",":
                is_tuple = True
                self._next_in_container()
            elif self._at.string != _CLOSING[opening]:
                raise GinSyntaxError(f"{self._at.string!r} in a container")
        self._next()
        if opening == "(" and len(items) == 1 and not is_tuple:
            value: _Value = items[0]
            return value
        return _contained({"{": "dict", "(": "tuple", "[": "list"}[opening], items)

    def _literal(self) -> _Value:
        text = ""
        if self._at.string == "-":
            text = "-"
            self._next()
        if self._at.type not in _LITERALS:
            raise GinSyntaxError(f"{self._at.string!r} is no value")
        if self._at.type == tokenize.STRING:
            while self._at.type == tokenize.STRING:
                text += f" {self._at.string}"
                self._next()
                self._skip(*_COMMENTS)
        else:
            text += self._at.string
            self._next()
        return "literal", ast.literal_eval(text.strip()), False

    def _dotted(self) -> str:
        """Names between which there are points and slashes, without spaces."""
        found, end = "", self._at.start
        while self._at.start == end and (self._at.type == tokenize.NAME or self._at.string in (".", "/")):
            found += self._at.string
            end = self._at.end
            self._next()
        if not all(map(_SELECTOR.match, found.split("/"))):
            raise GinSyntaxError(f"{found or self._at.string!r} is no name")
        return found

    def _expect(self, text: str) -> None:
        if self._at.string != text:
            raise GinSyntaxError(f"{self._at.string!r} for {text!r}")
        self._next()

    def _next_in_container(self) -> None:
        self._next()
        self._skip(*_COMMENTS)

    def _next(self) -> None:
        self._at = next(self._tokens)

    def _skip(self, *kinds: int) -> None:
        while self._at.type in kinds:
            self._next()


def _contained(what: str, items: list[Any]) -> _Value:
    """A container of values; a literal if all of them are such."""
    parts: list[_Value] = [part for pair in items for part in pair] if what == "dict" else items
    if any(kind != "literal" for kind, _, _ in parts):
        return what, items, False
    if what == "dict":
        return "literal", {key[1]: value[1] for key, value in items}, False
    values = [value for _, value, _ in items]
    return "literal", tuple(values) if what == "tuple" else values, False


def _binding_key(name: str) -> tuple[str, str, str]:
    """Scope, function and parameter; of a macro there is no parameter, and its scopes are part of its name."""
    scope, _, selector = name.rpartition("/")
    function, _, parameter = selector.rpartition(".")
    return (scope, function, parameter) if function else ("", name, "")

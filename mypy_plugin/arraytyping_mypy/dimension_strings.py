"""jaxtyping's dimension strings as sizes in mypy's types, and what is wrong with those that jaxtyping refuses.

Source: https://docs.kidger.site/jaxtyping/api/array/#shape.
"""

from __future__ import annotations

from mypy.types import AnyType, Instance, LiteralType, TupleType, Type, TypeOfAny

from arraytyping_mypy.named_sizes import any_of, marked

__all__ = ["complaint", "shape_of"]

_MODIFIERS = {
    "#": "that may be 1",
    "*": "that stands for several dimensions",
    "_": "without a name",
    "?": "that depends on the leaf of a tree",
}
"""What each sign before a name makes of it: a dimension..."""


def shape_of(text: str, integer: Instance, fallback: Instance) -> Type:
    """The type of the shapes that a string describes: named sizes are marked; an open rank makes it unknown."""
    items: list[Type] = []
    for token in text.split():
        signs, rest = _taken_apart(token)
        if token == "..." or "*" in signs:
            return any_of(text)
        number = _number(rest)
        if "_" in signs or (number is not None and number < 0):
            items.append(integer)
        elif number is not None and not signs:
            items.append(LiteralType(number, integer))
        elif not rest:
            return AnyType(TypeOfAny.special_form)
        else:
            items.append(marked("".join(sorted(signs)) + rest, integer))
    return TupleType(items, fallback)


def _number(text: str) -> int | None:
    try:
        return int(text)
    except ValueError:
        return None


def _taken_apart(token: str) -> tuple[str, str]:
    """The signs before a name, and the rest, without what is only said for the reader: `rows=3` is `3`."""
    signs, rest = "", token
    while rest:
        if rest[0] in _MODIFIERS:
            signs, rest = signs + rest[0], rest[1:]
        elif rest.count("=") == 1:
            rest = rest.partition("=")[2]
        else:
            break
    return signs, rest


def complaint(text: str) -> str | None:
    """Why jaxtyping refuses a string, and what to write; None for one that it takes."""
    several: str | None = None
    for token in text.split():
        if "," in token and "(" not in token:
            return f"{token!r}: dimensions are separated by spaces, not by commas"
        if token.endswith("#"):
            return f"{token!r}: the sign # stands before the name of a size, as in '#{token.rstrip('#')}'"
        signs, rest = _taken_apart(token)
        if "..." in token:
            if token != "...":
                return f"{token!r}: '...' stands alone; write '*{rest.strip('.') or 'name'}' for dimensions with a name"
        else:
            why = _wrong_signs(token, signs, rest)
            if why is not None:
                return why
        if token == "..." or "*" in signs:
            if several is not None:
                return f"{several!r} and {token!r}: only one part may stand for several dimensions"
            several = token
    return None


def _wrong_signs(token: str, signs: str, rest: str) -> str | None:
    for sign in signs:
        if signs.count(sign) > 1:
            return f"{token!r}: the sign {sign} is there twice; leave one out"
    if _number(rest) is not None:
        what, refused = "a number", "*_?"
    elif rest and not rest.isidentifier():
        what, refused = "an expression", "*_?"
    else:
        what, refused = "a name", ""
        if "_" in signs and "#" in signs:
            return (
                f"{token!r}: a dimension without a name cannot be one that may be 1; write '_', or a name after the #"
            )
    for sign in signs:
        if sign in refused:
            return f"{token!r}: {what} cannot be a dimension {_MODIFIERS[sign]}; leave the {sign} out"
    return None

"""What a real call may cost at most, estimated before it is made: the size of its arguments and of its result.

An estimate is an upper bound.  What may take longer than a blink, or may need more than some megabytes, is not called,
and its result is unknown.
"""

from __future__ import annotations

import ast
import fractions
import re
from collections.abc import Callable
from typing import Any, Final

from arraytyping.checker.flow.real_calls.regular_expressions import bound_of_search
from arraytyping.checker.flow.real_calls.weights import LARGEST, WIDEST, length_of, weight_of
from arraytyping.checker.flow.values import Value

__all__ = ["is_affordable", "is_bearable_index", "is_huge"]

_QUADRATIC: Final = 5_000
"""The most that they may weigh where time grows with the square."""
_EXPONENT: Final = 10_000
_NUMBERS: Final = re.compile(r"\d+")
_EXPONENTS: Final = re.compile(r"[eE][+-]?(\d+)")
_WIDTHS: Final = ("center", "ljust", "rjust", "zfill")


def is_affordable(function: Value, args: Any, kwargs: dict[str, Any]) -> bool:
    """Whether a function of Python's library can be called on these arguments at a bearable cost."""
    weight = weight_of((*args, *kwargs.values()), WIDEST)
    owner = getattr(function, "__self__", None)
    if owner is not None and not isinstance(owner, type):
        weight += weight_of(owner, WIDEST)
    if weight > WIDEST:
        return False
    name = str(getattr(function, "__name__", ""))
    estimate = _ESTIMATES.get((_home(function), name)) or _ESTIMATES.get(("", name))
    if estimate is None:
        return True
    receiver = [] if owner is None or isinstance(owner, type) or _home(function) in _MODULES else [owner]
    try:
        return estimate([*receiver, *args], kwargs)
    except (TypeError, ValueError, AttributeError, IndexError, OverflowError, re.error):
        return True  # the call is refused at once, as the estimate was


def _home(function: Value) -> str:
    """The module of a function, or the name of the class of a method."""
    owner = getattr(function, "__self__", None)
    if owner is not None and type(owner).__name__ != "module":
        return owner.__name__ if isinstance(owner, type) else type(owner).__name__
    cls = getattr(function, "__objclass__", None)
    return cls.__name__ if cls is not None else str(getattr(function, "__module__", ""))


_PLAIN: Final = frozenset({int, float, bool})


def is_huge(op: str, a: Any, b: Any) -> bool:
    """Whether the result of an operator has more bits or items than are computed."""
    if (type(a) is float and type(b) in _PLAIN) or (type(b) is float and type(a) in _PLAIN):
        return False
    if isinstance(a, fractions.Fraction) or isinstance(b, fractions.Fraction):
        return _is_huge_fraction(op, a, b)
    if type(a).__name__ == "Decimal" or type(b).__name__ == "Decimal":
        return op in ("pow", "floordiv", "mod") and weight_of((a, b), _EXPONENT) > _EXPONENT
    if isinstance(a, int) and isinstance(b, int):
        bits = a.bit_length() + b.bit_length()
        if op == "pow":
            return abs(a) > 1 and b * a.bit_length() > WIDEST
        if op in ("mul", "floordiv", "mod", "truediv"):
            return bits > LARGEST // 4
        return (op == "lshift" and a != 0 and b > LARGEST) or bits > LARGEST * 4
    if op == "add":
        return all(isinstance(v, str | bytes | tuple) for v in (a, b)) and len(a) + len(b) > LARGEST
    if op == "mul":
        return any(
            isinstance(s, str | bytes | tuple) and isinstance(n, int) and len(s) * n > LARGEST
            for s, n in ((a, b), (b, a))
        )
    if op == "mod" and type(a) in (str, bytes):
        text = a if isinstance(a, str) else a.decode("latin-1")
        given = b if isinstance(b, tuple) else (b,)
        if "*" in text and any(isinstance(v, int) and abs(v) > LARGEST for v in given):
            return True
        return _widest(text) > LARGEST or text.count("%") * weight_of(b) > LARGEST
    if op in ("in", "contains", "eq", "ne", "lt", "le", "gt", "ge"):
        return weight_of(a) > LARGEST or weight_of(b) > LARGEST
    return False


def _is_huge_fraction(op: str, a: Value, b: Value) -> bool:
    if op == "pow":
        power = b.numerator if isinstance(b, fractions.Fraction) and b.denominator == 1 else b
        return isinstance(power, int) and abs(power) * weight_of(a) > WIDEST
    return weight_of((a, b)) > _QUADRATIC


def _widest(text: str) -> int:
    """The largest number in a format."""
    return max((int(n) if len(n) < 12 else LARGEST * 10 for n in _NUMBERS.findall(text)), default=0)


# ---------------------------------------------------------------------- estimates of single functions

_ESTIMATES: Final[dict[tuple[str, str], Callable[[list[Any], dict[str, Any]], bool]]] = {}
_MODULES: Final[set[str]] = set()


def _estimates(home: str, *names: str, is_module: bool = True) -> Callable[[Any], Any]:
    def register(estimate: Any) -> Any:
        for name in names:
            _ESTIMATES[home, name] = estimate
        if is_module:
            _MODULES.add(home)
        return estimate

    return register


_TEXTS: Final = ("str", "bytes")


def _of_texts(*names: str) -> Callable[[Any], Any]:
    def register(estimate: Any) -> Any:
        for kind in _TEXTS:
            _estimates(kind, *names, is_module=False)(estimate)
        return estimate

    return register


@_of_texts(*_WIDTHS)
def _padded(args: list[Any], kwargs: dict[str, Any]) -> bool:
    return int(args[1]) <= LARGEST


@_of_texts("expandtabs")
def _tabs(args: list[Any], kwargs: dict[str, Any]) -> bool:
    size = args[1] if len(args) > 1 else kwargs.get("tabsize", 8)
    return len(args[0]) * max(1, abs(int(size))) <= LARGEST


@_of_texts("replace")
def _replaced(args: list[Any], kwargs: dict[str, Value]) -> bool:
    found: int = args[0].count(args[1])
    return (found + 1) * (len(args[2]) + 1) + len(args[0]) <= LARGEST


@_of_texts("join")
def _joined(args: list[Any], kwargs: dict[str, Value]) -> bool:
    return (len(args[0]) + 1) * (len(args[1]) + 1) + weight_of(args[1]) <= LARGEST


@_of_texts("translate")
def _translated(args: list[Any], kwargs: dict[str, Value]) -> bool:
    return len(args[0]) * weight_of(args[1]) <= LARGEST or isinstance(args[0], bytes)


@_of_texts("format", "format_map")
def _formatted(args: list[Any], kwargs: dict[str, Value]) -> bool:
    values = (*args[1:], *kwargs.values())
    given = weight_of(values)
    widths = max((abs(v) for v in values if isinstance(v, int)), default=0) if ":" in args[0] else 0
    is_nested = "{" in re.sub(r"\{[^{}]*\}", "", args[0])  # a width that is an argument
    return (
        _widest(args[0]) <= LARGEST
        and args[0].count("{") * given <= LARGEST
        and not (is_nested and (widths > LARGEST or not all(type(v) in (int, float, bool) for v in values)))
    )


@_of_texts("__mul__", "__rmul__")
def _multiplied(args: list[Value], kwargs: dict[str, Value]) -> bool:
    return not is_huge("mul", args[0], args[1])


@_of_texts("__mod__")
def _percent(args: list[Value], kwargs: dict[str, Value]) -> bool:
    return not is_huge("mod", args[0], args[1])


@_estimates("tuple", "__mul__", "__rmul__", is_module=False)
def _repeated(args: list[Value], kwargs: dict[str, Value]) -> bool:
    return not is_huge("mul", args[0], args[1])


@_estimates("range", "count", "index", "__contains__", is_module=False)
def _in_range(args: list[Value], kwargs: dict[str, Value]) -> bool:
    return type(args[-1]) is int or length_of(args[0]) <= WIDEST


def _of_int(name: str) -> None:
    op = name.strip("_").removeprefix("r") if name.startswith("__r") and name != "__rshift__" else name.strip("_")

    @_estimates("int", name, is_module=False)
    @_estimates("bool", name, is_module=False)
    def estimate(args: list[Value], kwargs: dict[str, Value]) -> bool:
        a, b = (args[1], args[0]) if name.startswith("__r") and op != "rshift" else (args[0], args[1])
        return not is_huge(op, a, b)


for _name in ("pow", "mul", "lshift", "floordiv", "mod", "rpow", "rmul", "rlshift", "rfloordiv", "rmod"):
    _of_int(f"__{_name}__")


@_estimates("int", "to_bytes", is_module=False)
@_estimates("bool", "to_bytes", is_module=False)
def _to_bytes(args: list[Any], kwargs: dict[str, Any]) -> bool:
    return int(args[1] if len(args) > 1 else kwargs.get("length", 1)) <= LARGEST


@_estimates("builtins", "pow")
def _power(args: list[Value], kwargs: dict[str, Value]) -> bool:
    if len(args) == 3:
        return weight_of(args) <= 300
    return not is_huge("pow", args[0], args[1])


@_estimates("builtins", "round")
def _rounded(args: list[Any], kwargs: dict[str, Any]) -> bool:
    digits = args[1] if len(args) > 1 else kwargs.get("ndigits")
    return digits is None or abs(digits) <= _EXPONENT


@_estimates("builtins", "divmod")
def _divided(args: list[Value], kwargs: dict[str, Value]) -> bool:
    return not is_huge("floordiv", args[0], args[1])


@_estimates("builtins", "format")
@_estimates("str", "__format__", is_module=False)
@_estimates("int", "__format__", is_module=False)
@_estimates("float", "__format__", is_module=False)
@_estimates("Decimal", "__format__", is_module=False)
def _format(args: list[Any], kwargs: dict[str, Value]) -> bool:
    return len(args) < 2 or _widest(args[1]) <= _EXPONENT


def _of_operator(name: str) -> None:
    op = name if name in ("index", "inv", "invert", "is_", "is_not") else name.removeprefix("i")
    op = "add" if op == "concat" else op

    @_estimates("_operator", name)
    def estimate(args: list[Value], kwargs: dict[str, Value]) -> bool:
        return len(args) != 2 or not is_huge(op, args[0], args[1])


for _name in (
    "add", "concat", "contains", "eq", "floordiv", "iadd", "iconcat", "ifloordiv", "ilshift", "imod", "imul", "ipow",
    "isub", "lshift", "mod", "mul", "ne", "pow", "sub",
):  # fmt: skip
    _of_operator(_name)


@_estimates("math", "factorial", "comb", "perm")
def _combinations(args: list[Any], kwargs: dict[str, Value]) -> bool:
    return all(abs(v) <= 5_000 for v in args)


@_estimates("math", "gcd", "lcm", "isqrt", "prod")
def _of_large_integers(args: list[Value], kwargs: dict[str, Value]) -> bool:
    return weight_of((*args, *kwargs.values())) <= _QUADRATIC


@_estimates("math", "ldexp", "nextafter")
def _steps(args: list[Value], kwargs: dict[str, Value]) -> bool:
    return not kwargs and all(abs(v) <= LARGEST for v in args if isinstance(v, int))


@_estimates("fractions", "Fraction")
def _fraction(args: list[Value], kwargs: dict[str, Value]) -> bool:
    texts = [v for v in (*args, *kwargs.values()) if isinstance(v, str)]
    return weight_of(args) <= _QUADRATIC and all(_exponent(v) <= _EXPONENT for v in texts)


@_estimates("decimal", "Decimal")
def _decimal(args: list[Value], kwargs: dict[str, Value]) -> bool:
    return weight_of(args) <= _QUADRATIC


@_estimates("Decimal", "quantize", is_module=False)
def _quantized(args: list[Value], kwargs: dict[str, Value]) -> bool:
    return weight_of(args) <= _EXPONENT


def _exponent(text: str) -> int:
    return max((int(n) if len(n) < 12 else LARGEST for n in _EXPONENTS.findall(text.replace("_", ""))), default=0)


@_estimates("json", "dumps")
def _dumped(args: list[Value], kwargs: dict[str, Value]) -> bool:
    indent = kwargs.get("indent")
    by = indent if isinstance(indent, int) else len(indent) if isinstance(indent, str) else 0
    return by <= 64 and weight_of(args) <= _QUADRATIC * 2


@_estimates("struct", "pack", "unpack")
@_estimates("_struct", "pack", "unpack", "calcsize")
def _packed(args: list[Any], kwargs: dict[str, Value]) -> bool:
    text = args[0] if isinstance(args[0], str) else args[0].decode("latin-1")
    return sum(map(int, _NUMBERS.findall(text)[:100])) * 16 <= LARGEST and len(text) < 1_000


@_estimates("posixpath", "normpath", "join", "commonprefix")
@_estimates("textwrap", "dedent")
@_estimates("shlex", "split", "quote")
@_estimates("inspect", "cleandoc")
@_estimates("string", "capwords")
@_estimates("html", "escape", "unescape")
@_estimates("statistics", "mean", "median", "stdev", "variance", "pstdev", "pvariance", "mode", "multimode")
@_estimates("unicodedata", "normalize")
def _short(args: list[Value], kwargs: dict[str, Value]) -> bool:
    return weight_of((*args, *kwargs.values())) <= _QUADRATIC and args[:1] != [None]


@_estimates("ast", "literal_eval", "parse")
def _of_literals(args: list[Value], kwargs: dict[str, Value]) -> bool:
    """Short texts, and so no deep nesting either, of which the parser makes an error where the run makes another."""
    return all(
        isinstance(v, ast.AST) or (isinstance(v, str) and len(v) <= 10_000 and _nesting(v) <= 30)
        for v in (*args, *kwargs.values())
    )


def _nesting(text: str) -> int:
    return max((len(signs) for signs in re.findall(r"[-+~\s]+", text)), default=0) + sum(map(text.count, "([{"))


@_estimates("calendar", "leapdays", "monthrange", "weekday", "timegm")
def _of_dates(args: list[Value], kwargs: dict[str, Value]) -> bool:
    return all(abs(v) <= 10_000 for v in (*args, *kwargs.values()) if isinstance(v, int))


# ---------------------------------------------------------------------- regular expressions


@_estimates("re", "compile", "escape")
def _compiled(args: list[Value], kwargs: dict[str, Value]) -> bool:
    return not isinstance(args[0], str | bytes) or len(args[0]) <= 2_000


@_estimates("re", "findall", "finditer", "fullmatch", "match", "search", "split")
def _matched(args: list[Value], kwargs: dict[str, Value]) -> bool:
    pattern, subject = _given(args, kwargs, "pattern", "string")
    return _is_quick(pattern, subject, len(args) > 2 or "flags" in kwargs)


@_estimates("re", "sub", "subn")
def _substituted(args: list[Value], kwargs: dict[str, Value]) -> bool:
    pattern, replacement, subject = _given(args, kwargs, "pattern", "repl", "string")
    return _is_quick(pattern, subject, len(args) > 3 or "flags" in kwargs) and _is_short(replacement, subject)


@_estimates("Pattern", "findall", "finditer", "fullmatch", "match", "search", "split", is_module=False)
def _matched_by(args: list[Value], kwargs: dict[str, Value]) -> bool:
    return _is_quick(*_given(args, kwargs, "", "string"))


@_estimates("Pattern", "sub", "subn", is_module=False)
def _substituted_by(args: list[Value], kwargs: dict[str, Value]) -> bool:
    pattern, replacement, subject = _given(args, kwargs, "", "repl", "string")
    return _is_quick(pattern, subject) and _is_short(replacement, subject)


def _given(args: list[Value], kwargs: dict[str, Value], *names: str) -> list[Any]:
    return [args[i] if i < len(args) else kwargs.get(name, "") for i, name in enumerate(names)]


def _is_quick(pattern: Any, subject: Any, has_flags: bool = False) -> bool:
    text, flags = (pattern.pattern, pattern.flags) if isinstance(pattern, re.Pattern) else (pattern, 0)
    if has_flags:
        flags |= re.MULTILINE  # of which a search needs the most steps
    if not isinstance(text, str | bytes) or not isinstance(subject, str | bytes):
        return True  # refused at once
    return bound_of_search(text, flags, len(subject)) <= 10 * LARGEST


def _is_short(replacement: Any, subject: Any) -> bool:
    """Whether what is substituted is short: a reference in it stands for as much as the whole subject."""
    if not isinstance(replacement, str | bytes):
        return False
    references = replacement.count("\\") if isinstance(replacement, str) else replacement.count(b"\\")
    each = len(replacement) + references * len(subject)
    return (len(subject) + 1) * (each + 1) <= LARGEST


def is_bearable_index(index: Value) -> bool:
    """Whether `np.mgrid[index]` and the like make few enough elements."""
    count = 1.0
    for item in index if isinstance(index, tuple) else (index,):
        if not isinstance(item, slice):
            continue
        start, stop, step = item.start or 0, item.stop or 0, item.step or 1
        try:
            length = abs(step) if isinstance(step, complex) else abs((stop - start) / step)
        except (TypeError, ZeroDivisionError, OverflowError):
            return False
        count *= max(float(length), 1.0)
    return count <= LARGEST

"""What jax says where it is given a tracer and needs its value, in our own sentences.

Source: https://docs.jax.dev/en/latest/errors.html.
"""

from __future__ import annotations

import ast
import re
from typing import Final

from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.state.not_known import not_known
from arraytyping.checker.flow.values import ArrayValue, Value, walk
from arraytyping.checker.flow.values.calls import Call
from arraytyping.checker.traced_sentences import MASK_ADVICE, SIZE_ADVICE, SIZED, mask_sentence, sized_sentence

__all__ = ["asked_types", "asks_for_another", "value_sentence"]

_STATIC: Final = re.compile(
    r"Shapes must be 1D sequences of concrete values|Slice entries must be static integers"
    r"|parameters to jaxpr equations must have __hash__"
)
"""How jax refuses a tracer as a part of a shape or an index by other exceptions."""
_TYPE: Final = re.compile(r"traced array with shape (\w+\[[\d,]*\])|Tracer[(<]~?(\w+\[[\d,]*\])")
_ADVICE: Final = {
    "repeat": "give total_repeat_length",
    "bincount": "give length",
    "scan": "use jax.lax.fori_loop or jax.lax.while_loop",
}


def asked_types(error: BaseException, is_concreteness: bool) -> frozenset[str] | None:
    """The types of the tracers whose values jax asks for, as `int32[]`; None if it asks for no value."""
    text = str(error)
    if not is_concreteness and not (_STATIC.search(text) and "Tracer" in text):
        return None
    return frozenset(one or other for one, other in _TYPE.findall(text))


def asks_for_another(message: str, call: Call, types: frozenset[str]) -> bool:
    """Whether jax refuses a size that is none of the arguments: one that stands for a number which is not known."""
    return bool(types and _STATIC.search(message)) and not any(_type(v) in types for v in _tracers(call.values))


def value_sentence(it: Interpreter, function: Value, call: Call, types: frozenset[str]) -> str:
    """Our sentence for a call of a function of jax that needs the values of tracers of these types."""
    args = call.args
    name = str(getattr(function, "__name__", "the function"))
    if name == "_getitem":
        return _index_sentence(it, args[1], call.node)
    if name == "_method":
        name, args = str(args[1]), [args[0], *args[2:]]
    asked = _asked([*args, *call.kwargs.values()], types)
    if name in SIZED:
        return sized_sentence(name, not_known(it, asked, call.node, SIZE_ADVICE))
    return f"{name}: {not_known(it, asked, call.node, _ADVICE.get(name, ''))}"


def _index_sentence(it: Interpreter, index: Value, node: ast.AST | None) -> str:
    """The sentence for an index whose value is asked for: a mask, or a bound of a slice."""
    asked = _tracers([index])
    if any(array.aval.dtype == "bool" and array.aval.shape for array in asked):
        return mask_sentence(not_known(it, asked, node, MASK_ADVICE))
    return f"a slice: {not_known(it, asked, node, 'use jax.lax.dynamic_slice, whose sizes are numbers')}"


def _asked(values: list[Value], types: frozenset[str]) -> list[ArrayValue]:
    """The tracers among the arguments of a call whose values are asked for, as far as can be told by their types."""
    tracers = _tracers(values)
    asked = [v for v in tracers if _type(v) in types]
    if len(asked) == 1:
        return asked
    return [v for v in asked or tracers if v.aval.shape == ()] or asked or tracers


def _tracers(values: list[Value]) -> list[ArrayValue]:
    found = {id(v): v for v in walk(tuple(values)) if type(v) is ArrayValue and v.traced}
    return list(found.values())


def _type(array: ArrayValue) -> str:
    return f"{array.aval.dtype}[{','.join(map(str, array.aval.shape or ()))}]"

"""What may mend a mistake, as one line: said only where the change would make this operation valid."""

from __future__ import annotations

import ast
import re
from typing import Final

from arraytyping.checker.messages.message import Message
from arraytyping.checker.messages.operand_places import expression_at

__all__ = ["help_for"]

_ARRAY: Final = re.compile(r"(?P<dtype>\w+)\[(?P<shape>[\d, ]*)\](?: \(weak\))?")

Shape = tuple[int, ...]


def help_for(message: Message) -> str | None:
    """A likely change; None where none is known."""
    node = expression_at(message)
    if node is None or message.diagnostic is None:
        return None
    shapes = [_shape(o.type) for o in message.diagnostic.operands]
    texts = [o.text for o in message.diagnostic.operands]
    if len(shapes) == 1 and isinstance(node, ast.BinOp) and ast.dump(node.left) == ast.dump(node.right):
        shapes, texts = shapes * 2, texts * 2
    if message.code == "array-shape" and len(shapes) == 2 and shapes[0] is not None and shapes[1] is not None:
        a, b = shapes[0], shapes[1]
        if _is_matmul(node):
            return _for_matmul(texts, a, b)
        if isinstance(node, ast.BinOp):
            return _for_broadcasting(texts, a, b)
    return None


def _shape(type_: str) -> Shape | None:
    match = _ARRAY.fullmatch(type_)
    return None if match is None else tuple(int(n) for n in match["shape"].split(",") if n.strip())


def _is_matmul(node: ast.expr) -> bool:
    if isinstance(node, ast.BinOp):
        return isinstance(node.op, ast.MatMult)
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in ("matmul", "dot")


def _for_matmul(texts: list[str], a: Shape, b: Shape) -> str | None:
    """Which one is to be transposed so that the contracted dimensions agree."""
    if len(a) != 2 or len(b) != 2:
        return None
    if a[1] == b[1]:
        return f"did you mean {texts[0]} @ {_transposed(texts[1])}?"
    if a[0] == b[0]:
        return f"did you mean {_transposed(texts[0])} @ {texts[1]}?"
    if a[0] == b[1]:
        return f"did you mean {texts[1]} @ {texts[0]}?"
    return None


def _for_broadcasting(texts: list[str], a: Shape, b: Shape) -> str | None:
    """Whether one of them is the other without its last dimension, as sums and means along it are."""
    if len(a) == len(b) + 1 and a[:-1] == b:
        return f"{_parenthesized(texts[1])}[..., None] has shape {_tuple((*b, 1))}, which goes with {_tuple(a)}"
    if len(b) == len(a) + 1 and b[:-1] == a:
        return f"{_parenthesized(texts[0])}[..., None] has shape {_tuple((*a, 1))}, which goes with {_tuple(b)}"
    if len(a) == len(b) == 2 and a == b[::-1]:
        return f"{_transposed(texts[1])} has shape {_tuple(a)}"
    return None


def _transposed(text: str) -> str:
    """The transpose of a matrix, as one writes it: of `w.T` it is `w`."""
    plain = text.removesuffix(".T")
    return plain if plain != text and _parenthesized(text) == text else f"{_parenthesized(text)}.T"


def _parenthesized(text: str) -> str:
    node = ast.parse(text, mode="eval").body if text.isprintable() and not text.endswith("...") else None
    is_simple = isinstance(node, ast.Name | ast.Attribute | ast.Call | ast.Subscript)
    return text if is_simple else f"({text})"


def _tuple(shape: Shape) -> str:
    return str(shape)

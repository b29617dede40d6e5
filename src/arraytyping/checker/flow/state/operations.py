"""What Python does with expressions and values, as the modules of flow call one another for it.

`start/python_interpreter.py` says which module does what.
"""

from __future__ import annotations

import ast

from arraytyping.checker.flow.values import Value
from arraytyping.checker.flow.values.frames import Frame

__all__ = ["Operations"]


class Operations:
    """The operations of Python, on values of flow."""

    def evaluate(self, node: ast.expr, frame: Frame) -> Value:
        """The value of an expression."""
        raise NotImplementedError

    def execute(self, body: list[ast.stmt], frame: Frame) -> bool:
        """Execute statements; whether the program goes on behind them."""
        raise NotImplementedError

    def assign(self, target: ast.expr, value: Value, frame: Frame) -> None:
        """Assign to a target."""
        raise NotImplementedError

    def call(self, function: Value, args: list[Value], kwargs: dict[str, Value], node: ast.AST | None) -> Value:
        """Call a value."""
        raise NotImplementedError

    def get_attribute(self, value: Value, name: str, node: ast.AST | None) -> Value:
        """An attribute of a value."""
        raise NotImplementedError

    def put_attribute(self, owner: Value, name: str, value: Value, node: ast.AST | None) -> None:
        """Bind an attribute."""
        raise NotImplementedError

    def get_item(self, owner: Value, index: Value, node: ast.AST | None) -> Value:
        """An item of a value."""
        raise NotImplementedError

    def put_item(self, owner: Value, index: Value, value: Value, node: ast.AST | None) -> None:
        """Assign an item."""
        raise NotImplementedError

    def iterate(self, value: Value, node: ast.AST | None) -> tuple[list[Value] | None, Value]:
        """The items of an iterable, or None and one value that describes each of them."""
        raise NotImplementedError

    def truth(self, value: Value, node: ast.AST | None) -> bool | None:
        """Whether a value is true; None if that is not known."""
        raise NotImplementedError

    def binary(self, operator: str, a: Value, b: Value, node: ast.AST | None) -> Value:
        """The result of a binary operator or comparison, by its name in the module `operator`: `add`, `lt`."""
        raise NotImplementedError

    def unary(self, operator: str, a: Value, node: ast.AST | None) -> Value:
        """The result of a unary operator, by its name in the module `operator`: `neg`, `invert`."""
        raise NotImplementedError

    def check_annotation(
        self,
        annotation: ast.expr,
        value: Value,
        node: ast.AST | None,
        env: Frame,
        frame: Frame,
        what: str,
        is_fixed: bool = False,
    ) -> Value:
        """Hold a value against an annotation that is evaluated in `env`; what is known of the value then."""
        raise NotImplementedError

"""The interpreter with all of its rooms."""

from __future__ import annotations

import ast
from typing import Any

from arraytyping.flow import (
    attributes,
    calls,
    expressions,
    iteration,
    operators,
    statements,
    subscripts,
    targets,
    truth,
)
from arraytyping.flow.contracts import check_annotation
from arraytyping.flow.frames import Frame
from arraytyping.flow.interpreter import Interpreter, Signal

__all__ = ["Machine"]


class Machine(Interpreter):
    """An interpreter that can do all that its rooms can."""

    def evaluate(self, node: ast.expr, frame: Frame) -> Any:
        return expressions.evaluate(self, node, frame)

    def execute(self, body: list[ast.stmt], frame: Frame) -> bool:
        return statements.execute(self, body, frame)

    def assign(self, target: ast.expr, value: Any, frame: Frame) -> None:
        targets.assign(self, target, value, frame)

    def call(self, function: Any, args: list[Any], kwargs: dict[str, Any], node: ast.AST | None) -> Any:
        try:
            return calls.call(self, function, args, kwargs, node)
        except Signal:
            raise
        except RecursionError:
            return self.unknown("calls nested too deeply")
        except Exception as error:
            return self.crash(error, "a call")

    def get_attribute(self, value: Any, name: str, node: ast.AST | None) -> Any:
        return attributes.get(self, value, name, node)

    def put_attribute(self, owner: Any, name: str, value: Any, node: ast.AST | None) -> None:
        attributes.put(self, owner, name, value, node)

    def get_item(self, owner: Any, index: Any, node: ast.AST | None) -> Any:
        return subscripts.get(self, owner, index, node)

    def put_item(self, owner: Any, index: Any, value: Any, node: ast.AST | None) -> None:
        subscripts.put(self, owner, index, value, node)

    def iterate(self, value: Any, node: ast.AST | None) -> tuple[list[Any] | None, Any]:
        return iteration.iterate(self, value, node)

    def truth(self, value: Any, node: ast.AST | None) -> bool | None:
        return truth.truth(self, value, node)

    def binary(self, operator: str, a: Any, b: Any, node: ast.AST | None) -> Any:
        return operators.binary(self, operator, a, b, node)

    def unary(self, operator: str, a: Any, node: ast.AST | None) -> Any:
        return operators.unary(self, operator, a, node)

    def check_annotation(
        self, annotation: ast.expr, value: Any, node: ast.AST | None, env: Frame, frame: Frame, what: str
    ) -> Any:
        return check_annotation(self, annotation, value, node, env, frame, what)

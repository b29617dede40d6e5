"""Whether the type that a value contradicts is written in the program, and not one that mypy has inferred.

`self.x = jnp.ones(3)` is no promise that it stays so; `x: Float32[Array, "3"]` is.
"""

from __future__ import annotations

from collections.abc import Iterator

from mypy.messages import format_type_bare
from mypy.nodes import AssignmentStmt, CallExpr, Expression, FuncDef, FuncItem, MypyFile, NameExpr, Node, Var
from mypy.plugin import CheckerPluginInterface
from mypy.types import CallableType, Type, get_proper_type

from arraytyping_mypy.checker import current_function, module_tree, options_of, stored_type
from arraytyping_mypy.walk import children
from arraytyping_mypy.wrappers import wrapped, wrapper_of

__all__ = ["is_declared", "parameters_of"]


def is_declared(api: CheckerPluginInterface, line: int, column: int, code: str, expected: str) -> bool:
    """Whether the error at this place is about an annotation that reads `expected` in mypy's messages."""
    tree = module_tree(api)
    if code == "return-value":
        return isinstance(current_function(api), FuncDef)  # what a lambda returns, mypy may have inferred
    if code == "assignment":
        return any(
            _is_annotated(assignment, api)
            for assignment in _assignments(tree)
            if assignment.line <= line <= (assignment.end_line or assignment.line)
        )
    if code == "arg-type":
        parameters = (p for call in _calls(tree, line, column) for p in parameters_of(call.callee, api))
        return any(format_type_bare(p, options_of(api)) == expected for p in parameters)
    return False


def _is_annotated(assignment: AssignmentStmt, api: CheckerPluginInterface) -> bool:
    if assignment.unanalyzed_type is not None:
        return True
    variables = [t.node for t in assignment.lvalues if isinstance(t, NameExpr)]
    # Without redefinition a variable keeps its first type, as it is wished.
    keeps = not options_of(api).allow_redefinition
    return any(isinstance(v, Var) and (keeps or not v.is_inferred) for v in variables)


def parameters_of(callee: Expression, api: CheckerPluginInterface) -> Iterator[Type]:
    """The types that the definition of what is called gives its parameters."""
    found = stored_type(api, callee)
    p = None if found is None else get_proper_type(found)
    wrapper = None if p is None else wrapper_of(p)
    if wrapper is not None:
        p = get_proper_type(wrapped(wrapper))
    if not isinstance(p, CallableType):
        return
    definition = p.definition
    written = definition.type if isinstance(definition, FuncItem) else None
    if isinstance(written, CallableType):
        yield from written.arg_types
    elif p.is_type_obj() and not p.type_object().type_vars:
        yield from p.arg_types  # a dataclass


def _calls(tree: MypyFile, line: int, column: int) -> Iterator[CallExpr]:
    for node in _below(tree):
        if isinstance(node, CallExpr) and any((a.line, a.column) == (line, column) for a in node.args):
            yield node


def _assignments(tree: MypyFile) -> Iterator[AssignmentStmt]:
    return (node for node in _below(tree) if isinstance(node, AssignmentStmt))


def _below(node: Node) -> Iterator[Node]:
    stack = [node]
    while stack:
        top = stack.pop()
        yield top
        stack.extend(children(top))

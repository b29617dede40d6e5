"""The parts of mypy's type checker that the plugin interface does not offer, in this one place.

A hook's `api` is mypy's `TypeChecker`; the functions here read its module, its scope, the stored type of an
expression, and report past an error filter.  `tests/test_mypy_private.py` says which of them a release of mypy broke.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from io import StringIO
from typing import Any, Final, NamedTuple

from mypy.checker_state import checker_state
from mypy.errorcodes import IGNORE_WITHOUT_CODE, MISC, ErrorCode
from mypy.errors import ErrorInfo, ErrorWatcher
from mypy.nodes import Context, Expression, FuncDef, FuncItem, MypyFile, NameExpr, SymbolTableNode
from mypy.options import Options
from mypy.plugin import CheckerPluginInterface, ClassDefContext, FunctionContext, MethodContext
from mypy.plugins.dataclasses import dataclass_class_maker_callback
from mypy.plugins.default import int_pow_callback
from mypy.plugins.functools import partial_call_callback, partial_new_callback
from mypy.types import CallableType, Instance, Type, get_proper_type

from arraytyping.checker.swallowed import swallow

__all__ = [
    "Checked",
    "Problem",
    "analyzed_module",
    "check_apart",
    "call_of_partial",
    "counts_ignored",
    "analyzed_tree",
    "options_of",
    "partial_of",
    "power_of",
    "checker_now",
    "checker_state",
    "current_function",
    "functions_around",
    "type_again",
    "has_error",
    "inside",
    "ignore",
    "ignoring_line",
    "is_checked",
    "truth",
    "is_disabled",
    "is_loaded",
    "is_silent",
    "is_tentative",
    "is_told",
    "is_skipped",
    "known_types",
    "lookup",
    "make_dataclass",
    "module_tree",
    "modules_of",
    "note",
    "note_at",
    "stored_type",
    "unfiltered",
    "watch",
]


def call_of_partial(ctx: MethodContext) -> tuple[CallableType | None, Type]:
    """The function that a `functools.partial` calls, and the result as mypy's own plugin says it."""
    partial = get_proper_type(ctx.type)
    extra = partial.extra_attrs if isinstance(partial, Instance) else None
    function = None if extra is None else extra.attrs.get("__mypy_partial")
    found = None if function is None else get_proper_type(function)
    return (found if isinstance(found, CallableType) else None), partial_call_callback(ctx)


def make_dataclass(ctx: ClassDefContext) -> bool:
    """Make a class what its decorator makes of it, as mypy's own plugin for dataclasses does; whether that is done."""
    return dataclass_class_maker_callback(ctx)


def power_of(ctx: MethodContext) -> Type:
    """What a power of integers is, as mypy's own plugin says it."""
    return int_pow_callback(ctx)


def partial_of(ctx: FunctionContext) -> Type:
    """What `functools.partial` gives, as mypy's own plugin says it."""
    return partial_new_callback(ctx)


def module_tree(api: CheckerPluginInterface) -> MypyFile:
    """The syntax tree of the module under check."""
    tree: MypyFile = api.tree  # type: ignore[attr-defined]
    return tree


def modules_of(api: CheckerPluginInterface) -> dict[str, MypyFile]:
    """All modules of the build by name."""
    modules: dict[str, MypyFile] = api.modules  # type: ignore[attr-defined]
    return modules


def current_function(api: CheckerPluginInterface) -> FuncItem | None:
    """The innermost function around the expression under check."""
    function: FuncItem | None = api.scope.current_function()  # type: ignore[attr-defined]
    return function


def functions_around(api: CheckerPluginInterface) -> list[FuncItem]:
    """The functions around the expression under check, the outermost first."""
    return [item for item in api.scope.stack if isinstance(item, FuncItem)]  # type: ignore[attr-defined]


@contextmanager
def inside(api: CheckerPluginInterface, functions: Sequence[FuncItem]) -> Iterator[None]:
    """As if these functions, the outermost first, were under check."""
    stack: list[object] = api.scope.stack  # type: ignore[attr-defined]
    held = stack[:]
    stack[1:] = functions
    try:
        yield
    finally:
        stack[:] = held


class Problem(NamedTuple):
    """What mypy would have reported of a function that it was asked to check apart."""

    line: int
    column: int
    message: str


class Checked(NamedTuple):
    """What mypy has found of a function that it was asked to check apart from the module."""

    types: dict[Expression, Type]
    is_complete: bool
    """Whether every variable had a type by then."""
    problems: Sequence[Problem]


def truth(api: CheckerPluginInterface, outcome: bool) -> NameExpr:
    """`True` or `False`, as mypy takes it for a condition that always has this outcome."""
    name = str(outcome)
    made = NameExpr(name)
    checker: Any = api
    symbol = checker.modules["builtins"].names[name]
    made.node, made.fullname, made.kind = symbol.node, f"builtins.{name}", symbol.kind
    return made


def check_apart(
    api: CheckerPluginInterface,
    function: FuncDef,
    signature: CallableType,
    around: Sequence[FuncItem],
    known: Sequence[dict[Expression, Type]],
) -> Checked:
    """Check a function that is in no module, in these functions, as if it were declared so; nothing is reported.

    `known` are the types of expressions in the functions around it.
    """
    checker: Any = api
    stack, maps = checker.scope.stack, checker._type_maps
    held_stack, held_maps = stack[:], maps[:]
    names = ("partial_types", "deferred_nodes", "_globals_widened_in_func", "widened_vars")
    held = {name: getattr(checker, name) for name in names}
    flags = {name: getattr(checker, name) for name in ("current_node_deferred", "pass_num", "inferred_attribute_types")}
    in_lambda = checker.expr_checker.in_lambda_expr
    stack[1:] = [*around, function.info] if function.info else around
    maps.extend(known)
    for name in names:
        setattr(checker, name, [])
    checker.current_node_deferred, checker.pass_num = False, checker.last_pass
    checker.inferred_attribute_types = None
    checker.expr_checker.in_lambda_expr = False
    try:
        with checker.msg.filter_errors(save_filtered_errors=True) as watcher, checker.local_type_map as types:
            _apart.append(watcher)
            try:
                with _quiet(checker.msg.errors):
                    checker.check_func_item(function, type_override=signature)
            except SystemExit as error:  # so mypy ends where it fails, and the copy is none of the program's code
                swallow(error)
                return Checked({}, False, ())
            finally:
                _apart.pop()
        found = [Problem(e.line, e.column, e.message) for e in watcher.filtered_errors()]
        unknown = any(p.message.startswith(_UNDETERMINED) for p in found)
        return Checked(types, not unknown, found)
    finally:
        stack[:], maps[:] = held_stack, held_maps
        for name, value in (held | flags).items():
            setattr(checker, name, value)
        checker.expr_checker.in_lambda_expr = in_lambda


@contextmanager
def _quiet(errors: Any) -> Iterator[None]:
    """Keep what mypy would print if it failed, which then says of all messages that they were shown."""
    flushed = errors.flushed_files.copy()
    try:
        with redirect_stdout(StringIO()), redirect_stderr(StringIO()):
            yield
    except SystemExit:
        errors.flushed_files = flushed
        raise


_apart: Final[list[ErrorWatcher]] = []
"""What sees the errors of the functions that are checked apart, the innermost last."""
_UNDETERMINED: Final = "Cannot determine type"


@contextmanager
def known_types(api: CheckerPluginInterface, types: Sequence[dict[Expression, Type]]) -> Iterator[None]:
    """As if mypy had found these types of expressions."""
    checker: Any = api
    maps: list[Any] = checker._type_maps
    count = len(maps)
    maps.extend(types)
    try:
        yield
    finally:
        del maps[count:]


def type_again(api: CheckerPluginInterface, expression: Expression) -> Type:
    """The type of an expression, which is not kept."""
    checker: Any = api
    with checker.msg.filter_errors(), checker.local_type_map:
        found: Type = checker.expr_checker.accept(expression)
    return found


def stored_type(api: CheckerPluginInterface, expression: Expression) -> Type | None:
    """The type that mypy has found for an expression so far, or None."""
    checker: Any = api
    for types in reversed(checker._type_maps):
        found: Type | None = types.get(expression)
        if found is not None:
            return found
    return None


def analyzed_module(api: object) -> str:
    """The name of the module in which a type is being analysed; empty if it cannot be told."""
    module: str = getattr(getattr(api, "api", None), "cur_mod_id", "")
    return module


def analyzed_tree(api: object) -> MypyFile | None:
    """The module in which a type is being analysed; None if it cannot be told."""
    tree = getattr(getattr(api, "api", None), "cur_mod_node", None)
    return tree if isinstance(tree, MypyFile) else None


def is_loaded(api: object, module: str) -> bool:
    """Whether a module is part of the build in which a type is being analysed; where that cannot be told, it is."""
    modules: dict[str, MypyFile] | None = getattr(getattr(api, "api", None), "modules", None)
    return modules is None or module in modules


def lookup(api: object, name: str, context: Context) -> SymbolTableNode | None:
    """What a name means where a type is being analysed; None if that is not known, or not yet."""
    analyzer: Any = api
    symbol: SymbolTableNode | None = analyzer.lookup_qualified(name, context, suppress_errors=True)
    return symbol


def is_checked(api: CheckerPluginInterface) -> bool:
    """Whether the function under check is one that mypy infers types in, and functions that it calls may be followed.

    mypy's daemon checks single functions again, without those that follow them.
    """
    checker: Any = api
    if checker.can_skip_diagnostics or checker.options.fine_grained_incremental:
        return False
    answer: bool = checker.in_checked_function()
    return answer


def is_skipped(api: CheckerPluginInterface) -> bool:
    """Whether mypy does not go through the functions of the module under check: its errors are not shown."""
    checker: Any = api
    answer: bool = checker.can_skip_diagnostics
    return answer


def is_told(api: CheckerPluginInterface, message: str, context: Context) -> bool:
    """Whether mypy has reported the same there, whether it begins with a capital letter or not."""
    checker: Any = api
    errors = checker.msg.errors
    found = errors.error_info_map.get(errors.file, ())
    return any(e.line == context.line and str(e.message).lower() == message.lower() for e in found)


def has_error(api: CheckerPluginInterface, code: ErrorCode, context: Context) -> bool:
    """Whether mypy has reported an error with this code in the line."""
    checker: Any = api
    errors = checker.msg.errors
    found = errors.error_info_map.get(errors.file, ())
    return any(e.line == context.line and e.code is code for e in found)


def note(api: CheckerPluginInterface, message: str) -> None:
    """A note on the first statement of the module under check."""
    checker: Any = api
    tree = module_tree(api)
    checker.note(message, tree.defs[0] if tree.defs else tree)


def note_at(api: CheckerPluginInterface, message: str, context: Context, code: ErrorCode) -> None:
    """A note on an error that was reported there."""
    checker: Any = api
    checker.note(message, context, code=code)


@contextmanager
def unfiltered(api: CheckerPluginInterface) -> Iterator[None]:
    """Report errors at once, although mypy is only trying a variant of an operator.

    For `1 + x` mypy shows the error of `int.__add__`, and would lose that of `Array.__radd__`.  Those of a function
    that is checked apart stay with that.
    """
    checker: Any = api
    watchers: list[Any] = checker.msg.errors._watchers
    held = watchers[:]
    del watchers[watchers.index(_apart[-1]) + 1 if _apart else 0 :]
    try:
        yield
    finally:
        watchers[:] = held


def is_tentative(api: CheckerPluginInterface) -> bool:
    """Whether mypy is only trying something, and drops the errors that come."""
    checker: Any = api
    watchers: list[Any] = checker.msg.errors._watchers
    return any(watcher._filter is True and watcher._filtered is None for watcher in watchers)


def checker_now() -> CheckerPluginInterface | None:
    """The checker of the module under check; None while no types are checked."""
    checker: Any = checker_state.type_checker
    return checker  # type: ignore[no-any-return]


def options_of(api: CheckerPluginInterface) -> Options:
    """The options of the module under check."""
    checker: Any = api
    options: Options = checker.msg.errors.options
    return options


def watch(api: CheckerPluginInterface, drops: Callable[[str, ErrorInfo], bool]) -> bool:
    """Ask this function of every error that would be reported from now on; whether it was not asked before.

    mypy's own watchers stand above ours, so that what mypy only tries is not seen.
    """
    checker: Any = api
    errors = checker.msg.errors
    watchers: list[Any] = errors._watchers
    if watchers and watchers[0]._filter == drops:
        return False
    watchers.insert(0, ErrorWatcher(errors, filter_errors=drops))
    return True


def is_silent(api: CheckerPluginInterface, file: str) -> bool:
    """Whether no error in this file is reported: that of a library, for example."""
    checker: Any = api
    errors = checker.msg.errors
    return file in errors.ignored_files


def is_disabled(api: CheckerPluginInterface, error: ErrorInfo) -> bool:
    """Whether an error is not shown, since its code is disabled."""
    checker: Any = api
    return error.code is not None and not checker.msg.errors.is_error_code_enabled(error.code)


def ignoring_line(api: CheckerPluginInterface, file: str, error: ErrorInfo) -> int | None:
    """The line whose `# type: ignore` hides an error; None if none does.

    mypy may hold the lines of an error as an iterator, and finds none that hides the error after they were read here;
    so such an error has to be dropped, by `ignore`.
    """
    checker: Any = api
    errors = checker.msg.errors
    ignored = errors.ignored_lines.get(file)
    if not ignored:
        return None
    error.origin_span = lines = list(error.origin_span)
    return next((line for line in lines if errors.is_ignored_error(line, error, ignored)), None)


def counts_ignored(api: CheckerPluginInterface) -> bool:
    """Whether mypy tells of `# type: ignore` by what each of them hides."""
    checker: Any = api
    enabled: bool = checker.msg.errors.is_error_code_enabled(IGNORE_WITHOUT_CODE)
    return enabled or checker.options.warn_unused_ignores


def ignore(api: CheckerPluginInterface, file: str, error: ErrorInfo, line: int) -> None:
    """Note, as mypy does, that the comment on this line hides an error."""
    checker: Any = api
    checker.msg.errors.used_ignored_lines[file][line].append((error.code or MISC).code)

"""What the plugin uses of mypy that is not its plugin interface: one test for each thing, so that a release tells.

`arraytyping_mypy/checker.py` holds what has to do with one expression, `arraytyping_mypy/building/` with a whole build.
"""

from __future__ import annotations

import ast
import inspect
import io
import os
import pickle
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import mypy.build
import mypy.main
import pytest
from arraytyping_mypy import checker, plain_build
from mypy import util
from mypy.config_parser import _parse_individual_file
from mypy.defaults import RECURSION_LIMIT
from mypy.errorcodes import ATTR_DEFINED, MISC
from mypy.errors import CompileError, ErrorInfo
from mypy.fscache import FileSystemCache
from mypy.modulefinder import BuildSource, get_search_dirs
from mypy.nodes import Expression, MypyFile
from mypy.options import Options
from mypy.plugin import (
    AnalyzeTypeContext,
    ClassDefContext,
    FunctionContext,
    MethodContext,
    Plugin,
    ReportConfigContext,
)
from mypy.types import Type, get_proper_type
from mypy.version import __version__

PROGRAM = """
class Marked: ...
class Right:
    def __radd__(self, other: int) -> int: ...
class Silent:
    def __radd__(self, other: int) -> int: ...
def probe(x: object) -> None: ...
def outer(a: Marked) -> None:
    probe(a)  # type: ignore[attr-defined]
1 + Right()
1 + Silent()
import functools
def thrice(x: int, by: int) -> str: ...
functools.partial(thrice, by=3)(1)
import typing
@typing.dataclass_transform()
def decorated(c: type) -> type: ...
@decorated
class Made:
    x: int
Made("a")
"""


def broken(what: str) -> str:
    """The sentence with which a test fails."""
    return f"mypy {__version__} broke {what}"


@dataclass
class Seen:
    """What a build of `PROGRAM` showed: by name, a value or the exception that came in its place."""

    values: dict[str, Any] = field(default_factory=dict)
    messages: list[str] = field(default_factory=list)
    dropped: list[tuple[str, int, str]] = field(default_factory=list)
    result: mypy.build.BuildResult | None = None

    def note(self, name: str, look: Callable[[], Any]) -> None:
        try:
            self.values[name] = look()
        except Exception as error:
            self.values[name] = error

    def __getitem__(self, name: str) -> Any:
        return self.values.get(name, "nothing: the hook was not called")


class Probe(Plugin):
    """Calls each accessor once, where the plugin would."""

    def __init__(self, options: Options, seen: Seen) -> None:
        super().__init__(options)
        self.seen = seen

    def report_config_data(self, ctx: ReportConfigContext) -> Any:
        if ctx.id == "program":
            self.seen.note("config", lambda: (ctx.path, ctx.is_check))

    def get_additional_deps(self, file: MypyFile) -> list[tuple[int, str, int]]:
        if file.fullname == "program":
            self.seen.note("parsed", lambda: len(file.defs))
        return []

    def get_additional_indirect_deps(self, file: MypyFile) -> set[str]:
        if file.fullname == "program":
            self.seen.note("checked", lambda: len(file.defs))
        return set()

    def get_type_analyze_hook(self, fullname: str) -> Callable[[AnalyzeTypeContext], Type] | None:
        def look(ctx: AnalyzeTypeContext) -> Type:
            self.seen.note("analyzed_module", lambda: checker.analyzed_module(ctx.api))
            self.seen.note("analyzed_tree", lambda: getattr(checker.analyzed_tree(ctx.api), "fullname", None))
            self.seen.note("lookup", lambda: getattr(checker.lookup(ctx.api, "Right", ctx.context), "fullname", None))
            self.seen.note("lookup in vain", lambda: checker.lookup(ctx.api, "Wrong", ctx.context))
            return ctx.api.named_type("program.Marked", [])

        return look if fullname == "program.Marked" and "analyzed_module" not in self.seen.values else None

    def get_function_hook(self, fullname: str) -> Callable[[FunctionContext], Type] | None:
        def drops(file: str, error: ErrorInfo) -> bool:
            self.seen.dropped.append((Path(file).name, error.line, error.message))
            if error.message == "hidden":
                error.origin_span = iter([error.line])
                self.seen.note("ignoring_line", lambda: checker.ignoring_line(api_now[0], file, error))
                self.seen.note("origin_span", lambda: list(error.origin_span))
                self.seen.note("is_disabled", lambda: checker.is_disabled(api_now[0], error))
                self.seen.note("counts_ignored", lambda: checker.counts_ignored(api_now[0]))
                self.seen.note("ignore", lambda: checker.ignore(api_now[0], file, error, error.line))
                return True
            return error.message == "dropped"

        api_now: list[Any] = []

        def look(ctx: FunctionContext) -> Type:
            api_now.append(ctx.api)
            note, api = self.seen.note, ctx.api
            (argument,) = ctx.args[0]
            note("module_tree", lambda: checker.module_tree(api).fullname)
            note("modules_of", lambda: type(checker.modules_of(api)["builtins"]))
            note("current_function", lambda: getattr(checker.current_function(api), "name", None))
            note("stored_type", lambda: str(checker.stored_type(api, argument)))
            note("note", lambda: checker.note(api, "said once"))
            note("checker_now", lambda: checker.checker_now() is api)
            note("options_of", lambda: checker.options_of(api).show_traceback)
            note("is_silent", lambda: checker.is_silent(api, "program.py"))
            note("watch", lambda: (checker.watch(api, drops), checker.watch(api, drops)))
            api.fail("dropped", ctx.context)
            api.fail("kept", ctx.context)
            note("is_told", lambda: [checker.is_told(api, m, ctx.context) for m in ("Kept", "another")])
            note("has_error", lambda: [checker.has_error(api, c, ctx.context) for c in (MISC, ATTR_DEFINED)])
            api.fail("hidden", ctx.context, code=ATTR_DEFINED)
            return ctx.default_return_type

        return look if fullname == "program.probe" else None

    def get_class_decorator_hook_2(self, fullname: str) -> Callable[[ClassDefContext], bool] | None:
        return checker.make_dataclass if fullname == "program.decorated" else None

    def get_method_hook(self, fullname: str) -> Callable[[MethodContext], Type] | None:
        def loud(ctx: MethodContext) -> Type:
            def fail() -> None:
                with checker.unfiltered(ctx.api):
                    ctx.api.fail("loud", ctx.context)

            self.seen.note("unfiltered", fail)
            return ctx.default_return_type

        def quiet(ctx: MethodContext) -> Type:
            ctx.api.fail("quiet", ctx.context)
            return ctx.default_return_type

        def partial(ctx: MethodContext) -> Type:
            function, result = checker.call_of_partial(ctx)
            definition = None if function is None else function.definition
            self.seen.note("call_of_partial", lambda: (definition and definition.fullname, str(result)))
            return result

        return {
            "program.Right.__radd__": loud,
            "program.Silent.__radd__": quiet,
            "functools.partial.__call__": partial,
        }.get(fullname)


@pytest.fixture(scope="module")
def seen(tmp_path_factory: pytest.TempPathFactory) -> Seen:
    """One build of the program in this process, as the command runs it."""
    directory = tmp_path_factory.mktemp("private")
    file = directory / "program.py"
    file.write_text(PROGRAM)
    out = io.StringIO()
    sources, options = mypy.main.process_options(
        ["--cache-dir", str(directory / "cache"), "--config-file", "", "--", str(file)],
        stdout=out, stderr=out, fscache=FileSystemCache(), program="arraytyping check", header="usage",
    )  # fmt: skip
    options.export_types = True
    options.warn_unused_ignores = True
    found = Seen()

    def flush(name: str | None, new: list[str], is_serious: bool) -> None:
        found.messages.extend(new)

    found.result = mypy.build.build(
        sources, options, None, flush, FileSystemCache(), out, out, extra_plugins=[Probe(options, found)]
    )
    return found


def test_the_tree_of_the_module(seen: Seen) -> None:
    assert seen["module_tree"] == "program", broken("checker.module_tree: TypeChecker.tree")


def test_the_modules_of_the_build(seen: Seen) -> None:
    assert seen["modules_of"] is MypyFile, broken("checker.modules_of: TypeChecker.modules")


def test_the_function_around_an_expression(seen: Seen) -> None:
    assert seen["current_function"] == "outer", broken("checker.current_function: TypeChecker.scope.current_function")


def test_the_function_of_a_partial(seen: Seen) -> None:
    message = broken("checker.call_of_partial: Instance.extra_attrs, mypy.plugins.functools.partial_call_callback")
    assert seen["call_of_partial"] == ("program.thrice", "str"), message


def test_the_stored_type_of_an_expression(seen: Seen) -> None:
    assert seen["stored_type"] == "program.Marked", broken("checker.stored_type: TypeChecker._type_maps")


def test_the_module_in_which_a_type_is_analysed(seen: Seen) -> None:
    assert seen["analyzed_module"] == "program", broken("checker.analyzed_module: SemanticAnalyzer.cur_mod_id")


def test_the_tree_in_which_a_type_is_analysed(seen: Seen) -> None:
    assert seen["analyzed_tree"] == "program", broken("checker.analyzed_tree: SemanticAnalyzer.cur_mod_node")


def test_what_a_name_means_where_a_type_is_analysed(seen: Seen) -> None:
    assert seen["lookup"] == "program.Right", broken("checker.lookup: TypeAnalyser.lookup_qualified")
    assert seen["lookup in vain"] is None, broken("checker.lookup: TypeAnalyser.lookup_qualified of an unknown name")


def test_a_note_on_the_module(seen: Seen) -> None:
    assert seen["note"] is None, broken("checker.note: TypeChecker.note")
    assert any(m.endswith(":2: note: said once") for m in seen.messages), broken("checker.note: its line is not shown")


def test_an_error_past_the_filter(seen: Seen) -> None:
    assert seen["unfiltered"] is None, broken("checker.unfiltered: TypeChecker.msg.errors._watchers")
    assert any("error: loud" in m for m in seen.messages), broken("checker.unfiltered: the error is filtered after all")


def test_the_filter_is_still_needed(seen: Seen) -> None:
    lost = not any("quiet" in m for m in seen.messages)
    assert lost, broken("the reason for checker.unfiltered: errors in reflected operators are shown without it")


def test_modules_are_shown_to_the_plugin(seen: Seen) -> None:
    assert seen["parsed"] == len(ast.parse(PROGRAM).body), broken(
        "building.Recorder: get_additional_deps is not called with a parsed module"
    )
    if hasattr(Plugin, "get_additional_indirect_deps"):
        what = "building.Recorder: get_additional_indirect_deps is not called with a checked module"
        assert seen["checked"] == len(ast.parse(PROGRAM).body), broken(what)


def test_the_errors_that_were_reported(seen: Seen) -> None:
    assert seen["is_told"] == [True, False], broken("checker.is_told: Errors.error_info_map, Errors.file")
    assert seen["has_error"] == [True, False], broken("checker.has_error: Errors.error_info_map, ErrorInfo.code")


def test_a_class_is_made_a_dataclass(seen: Seen) -> None:
    found = [m for m in seen.messages if 'incompatible type "str"; expected "int"' in m]
    assert found, broken("checker.make_dataclass: mypy.plugins.dataclasses.dataclass_class_maker_callback")


def test_the_filter_of_errors(seen: Seen) -> None:
    assert seen["checker_now"] is True, broken("checker.checker_now: checker_state.type_checker")
    assert seen["options_of"] is False, broken("checker.options_of: Errors.options")
    assert seen["is_silent"] is False, broken("checker.is_silent: Errors.ignored_files")
    assert seen["is_disabled"] is False, broken("checker.is_disabled: Errors.is_error_code_enabled")
    what = "checker.ignoring_line: Errors.ignored_lines, Errors.is_ignored_error, ErrorInfo.origin_span"
    assert (seen["ignoring_line"], seen["origin_span"]) == (9, [9]), broken(what)
    assert seen["counts_ignored"] is True, broken("checker.counts_ignored: TypeChecker.options.warn_unused_ignores")
    assert not any("unused-ignore" in m for m in seen.messages), broken("checker.ignore: Errors.used_ignored_lines")
    assert seen["watch"] == (True, False), broken("checker.watch: Errors._watchers, ErrorWatcher._filter")
    assert ("program.py", 9, "dropped") in seen.dropped, broken("checker.watch: ErrorWatcher(filter_errors=...)")
    assert not any("dropped" in m for m in seen.messages), broken("checker.watch: what the filter says is not done")
    assert any("kept" in m for m in seen.messages), broken("checker.watch: what the filter says is not done")


def test_a_run_without_the_plugin(tmp_path: Path) -> None:
    file = tmp_path / "program.py"
    file.write_text("x: int = 'a'\n")
    snapshot = Options().snapshot() | {"output": "json", "cache_dir": os.devnull}
    derived = ("disabled_error_codes", "enabled_error_codes")
    snapshot = pickle.loads(pickle.dumps({k: v for k, v in snapshot.items() if k not in derived}))
    found = plain_build.errors_of([("program", str(file))], snapshot)
    text = 'Incompatible types in assignment (expression has type "str", variable has type "int")'
    assert found == [(str(file.resolve()), 1, "assignment", text)], broken("plain_build: Options.snapshot, build.build")


def test_the_context_of_the_cache_key(seen: Seen) -> None:
    path, is_check = seen["config"]
    assert Path(path).name == "program.py", broken("building.Recorder: ReportConfigContext.path")
    assert is_check is False, broken("building.Recorder: ReportConfigContext.is_check of a module that is not cached")
    assert ReportConfigContext("m", "m.py", is_check=True).id == "m", broken("build: ReportConfigContext(id, path)")


def test_the_graph_of_a_build(seen: Seen) -> None:
    assert seen.result is not None
    state = seen.result.graph["program"]
    assert Path(str(state.path)).name == "program.py", broken("building.claims_of: State.path")
    assert state.id == "program", broken("building.claims_of: State.id")
    assert Path(state.xpath).name == "program.py", broken("building.claims_of: State.xpath")
    assert state.ignore_all is False, broken("building.claims_of: State.ignore_all")
    assert state.options.ignore_errors is False, broken("building.claims_of: State.options")
    assert state.options.check_untyped_defs is False, broken("building._of_module: State.options.check_untyped_defs")


def test_the_types_of_a_build(seen: Seen) -> None:
    assert seen.result is not None
    types = seen.result.types
    assert types, broken("building.claims_of: BuildResult.types")
    node, found = next(iter(types.items()))
    assert isinstance(node, Expression), broken("building.claims_of: the keys of BuildResult.types")
    assert isinstance(get_proper_type(found), Type), broken("building.claims_of: the values of BuildResult.types")


def test_the_manager_of_a_build(seen: Seen) -> None:
    assert seen.result is not None
    manager = seen.result.manager
    assert manager.errors.simplify_path("program.py") == "program.py", broken(
        "building.claims_of: Errors.simplify_path"
    )
    assert callable(manager.metastore.close), broken("building.check: BuildManager.metastore.close")


def test_the_parameters_of_build() -> None:
    names = list(inspect.signature(mypy.build.build).parameters)
    order = ["sources", "options", "alt_lib_path", "flush_errors", "fscache", "stdout", "stderr", "extra_plugins"]
    assert names[: len(order)] == order, broken("building.check: the parameters of mypy.build.build")


def test_the_options() -> None:
    for name in (
        "cache_dir", "check_untyped_defs", "color_output", "config_file", "error_summary", "export_types", "files",
        "hide_error_codes", "install_types", "modules", "non_interactive", "num_workers", "output", "packages",
        "plugins", "pretty", "python_executable", "python_version", "allow_redefinition", "local_partial_types",
    ):  # fmt: skip
        assert hasattr(Options(), name), broken(f"build: Options.{name}")


def test_the_file_of_configuration(tmp_path: Path) -> None:
    file = tmp_path / "mypy.ini"
    file.write_text("[mypy]\ncheck_untyped_defs = False\n")
    parsed = _parse_individual_file(str(file))
    what = "build._says: config_parser._parse_individual_file"
    assert parsed is not None, broken(what)
    assert "check_untyped_defs" in parsed[0]["mypy"], broken(what)


def test_the_summary() -> None:
    out = io.StringIO()
    formatter = util.FancyFormatter(out, out, False, hide_success=False)
    assert "Found 1 error" in formatter.format_error(1, 1, 1, blockers=False, use_color=False), broken(
        "output.Output: FancyFormatter.format_error"
    )
    assert "no issues" in formatter.format_success(1, False), broken("output.Output: FancyFormatter.format_success")
    assert formatter.fit_in_terminal(["a"]) == ["a"], broken("output.Output: FancyFormatter.fit_in_terminal")
    counted = util.count_stats(["a.py:1: error: no", "a.py:1: note: so"])
    assert counted == (1, 1, 1), broken("output.Output: util.count_stats")
    mypy.main.show_messages(["a.py:1: error: no"], out, formatter, Options())
    assert "error: no" in out.getvalue(), broken("output.Output: main.show_messages")
    names = list(inspect.signature(mypy.main.maybe_write_junit_xml).parameters)
    assert names == ["td", "serious", "all_messages", "messages_by_file", "options"], broken(
        "output.Output: main.maybe_write_junit_xml"
    )


def test_an_error_that_ends_a_build(tmp_path: Path) -> None:
    out = io.StringIO()
    source = BuildSource(str(tmp_path / "bad.py"), "bad", "def (:\n")
    with pytest.raises(CompileError) as raised:
        mypy.build.build([source], Options(), None, lambda *_: None, FileSystemCache(), out, out)
    assert isinstance(raised.value.use_stdout, bool), broken("building._build: CompileError.use_stdout")
    assert CompileError(["one"]).messages == ["one"], broken("settings.refuse_errors: CompileError(messages)")


def test_the_recursion_limit() -> None:
    assert RECURSION_LIMIT > 1000, broken("building.check: defaults.RECURSION_LIMIT")


def test_the_places_of_installed_packages() -> None:
    _, site_packages = get_search_dirs(Options().python_executable)
    assert any("packages" in p for p in site_packages), broken("jax_version.installed_jax: get_search_dirs")

"""The plugin that notes what mypy checks, and the claims that are made of it after a build."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Final

import mypy.build
import mypy.main
from mypy.nodes import MypyFile
from mypy.options import Options
from mypy.plugin import AttributeContext, FunctionContext, MethodContext, Plugin, ReportConfigContext
from mypy.types import Type

from arraytyping.checker.claims import FileClaims, ProgramClaims
from arraytyping_mypy.claims_store import ClaimsStore
from arraytyping_mypy.expressions import Place, places
from arraytyping_mypy.hooks import ArrayTypingPlugin
from arraytyping_mypy.names import is_program
from arraytyping_mypy.positions import Source
from arraytyping_mypy.settings import BuildSettings
from arraytyping_mypy.silencing import silencing_of

if TYPE_CHECKING:
    from arraytyping_mypy.closed import ClosedFunctions

__all__ = ["Recorder", "claims_of"]

_TELLS_WHEN_CHECKED: Final = hasattr(Plugin, "get_additional_indirect_deps")
"""From mypy 2.4 on a plugin is called when a module is checked; before, the trees have to be looked for."""


class Recorder(ArrayTypingPlugin):
    """The plugin, that also notes the expressions of each module as mypy checks it."""

    keeps_answers: ClassVar = False

    def __init__(self, options: Options, store: ClaimsStore, follows_comments: bool = False) -> None:
        super().__init__(options)
        self.follows_comments = follows_comments
        """Whether modules with comments of ours are checked again, so that it is known what these silence."""
        self.store = store
        self.places: dict[str, list[Place]] = {}
        self.settings.keeps_functions = True
        self._trees = 0

    def report_config_data(self, ctx: ReportConfigContext) -> Any:
        """As the plugin's; but what mypy has in its cache without our claims does not match, and is checked again."""
        data = super().report_config_data(ctx)
        if ctx.is_check and is_program(ctx.id, ctx.path) and self.store.find(ctx.id, Path(ctx.path), data) is None:
            return {"claims": "missing"}
        is_own = ctx.path.endswith((".py", ".ipynb", ".md"))
        if ctx.is_check and self.follows_comments and is_own and silencing_of(ctx.path).own:
            return {"comments": "unknown"}
        return data

    def fingerprint(self, module: str, path: str) -> Any:
        """What a module's claims hang on besides its text."""
        return super().report_config_data(ReportConfigContext(module, path, is_check=False))

    def get_additional_deps(self, file: MypyFile) -> list[tuple[int, str, int]]:
        """As the plugin's; mypy asks when it has parsed a module that is not in its cache."""
        self._note(file)
        return super().get_additional_deps(file)

    def get_additional_indirect_deps(self, file: MypyFile) -> set[str]:
        """None; mypy asks when it has checked a module, just before it frees the tree."""
        self._note(file)
        return set()

    def get_function_hook(self, fullname: str) -> Callable[[FunctionContext], Type] | None:
        """As the plugin's."""
        self._note_all()
        return super().get_function_hook(fullname)

    def get_method_hook(self, fullname: str) -> Callable[[MethodContext], Type] | None:
        """As the plugin's."""
        self._note_all()
        return super().get_method_hook(fullname)

    def get_attribute_hook(self, fullname: str) -> Callable[[AttributeContext], Type] | None:
        """As the plugin's."""
        self._note_all()
        return super().get_attribute_hook(fullname)

    def functions_of(self, module: str) -> ClosedFunctions | None:
        """The functions of a module that was checked, with what was followed of them."""
        return self.tables.sessions.functions.get(module) if "tables" in self.__dict__ else None

    def _note_all(self) -> None:
        if not _TELLS_WHEN_CHECKED and self._modules is not None and len(self._modules) != self._trees:
            self._trees = len(self._modules)
            for tree in list(self._modules.values()):
                if tree.defs:  # else it is freed
                    self._note(tree)

    def _note(self, tree: MypyFile) -> None:
        if tree.fullname not in self.places and is_program(tree.fullname, tree.path):
            self.store.remove(tree.fullname)
            self.places[tree.fullname] = places(tree)


def claims_of(result: mypy.build.BuildResult, recorder: Recorder) -> ProgramClaims:
    """The claims of the user's modules: of those that were checked by their types, of the others out of the store."""
    files: dict[str, FileClaims] = {}
    settings = recorder.settings
    imported = {
        name
        for state in result.graph.values()
        if state.path is not None and is_program(state.id, state.path)
        for name in state.dependencies
    }
    for state in result.graph.values():
        path = state.path
        if path is None or not is_program(state.id, path):
            continue
        if state.id in recorder.places:
            found = recorder.places[state.id]
            claims = _of_module(state, result.types, found, settings, None)
            functions = recorder.functions_of(state.id)
            alone = None if functions is None else _of_module(state, result.types, found, settings, functions)
            recorder.store.write(state.id, Path(path), recorder.fingerprint(state.id, path), claims, alone)
            if alone is not None and state.id not in imported:
                claims = alone
        else:
            stored = recorder.store.found(state.id, is_alone=state.id not in imported)
            claims = stored or FileClaims()
        if not (state.ignore_all or state.options.ignore_errors):
            files[result.manager.errors.simplify_path(state.xpath)] = claims
    return ProgramClaims(dict(sorted(files.items())))


def _of_module(
    state: mypy.build.State,
    types: Any,
    found: list[Place],
    settings: BuildSettings,
    functions: ClosedFunctions | None,
) -> FileClaims:
    """The claims of one module; with what is followed of its `functions`, where no other module calls them."""
    from arraytyping_mypy.claiming import CheckedModule  # loads the rules, which a warm run does not need

    source = Source(Path(state.xpath), [place.node for place in found])
    module = CheckedModule(
        types,
        settings.promotions_of(state.id, state.xpath),
        state.options.check_untyped_defs,
        source.text,
        source.position,
        functions,
        functions.known(types) if functions is not None else {},
    )
    made = (module.claims(place) for place in found if place.is_value)
    return FileClaims.of(claims for claims in made if claims is not None)

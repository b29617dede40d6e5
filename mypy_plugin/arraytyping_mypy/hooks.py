"""The plugin object: mypy's questions, answered from the tables once a module is really checked."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

from mypy.nodes import MypyFile, SymbolTableNode, TypeAlias, TypeInfo, TypeVarLikeExpr
from mypy.options import Options
from mypy.plugin import (
    AnalyzeTypeContext,
    AttributeContext,
    ClassDefContext,
    FunctionContext,
    FunctionSigContext,
    MethodContext,
    MethodSigContext,
    Plugin,
    ReportConfigContext,
)
from mypy.types import FunctionLike, Type

from arraytyping_mypy.fingerprint import DECLARATIONS, fingerprint, is_declaration
from arraytyping_mypy.garbage import begin_build, build_of, freeze
from arraytyping_mypy.guard import guarded
from arraytyping_mypy.kept_answers import KeptAnswers, can_be_kept
from arraytyping_mypy.library_options import configured_redefinition, hide_sections, redefine, share_options
from arraytyping_mypy.names import ARRAY, JIT_WRAPPERS, LIBRARIES, OPEN_CLASSES, SCALAR_META, is_bystander
from arraytyping_mypy.read_again import begun_build, tell_of_trees
from arraytyping_mypy.skipped_runtime import skip_runtime

if TYPE_CHECKING:
    from mypy.build import BuildManager
    from mypy.checker_state import TypeCheckerState as CheckerNow

    from arraytyping_mypy.dropped_errors import DroppedErrors
    from arraytyping_mypy.settings import BuildSettings
    from arraytyping_mypy.tables import Tables

__all__ = ["ArrayTypingPlugin"]

_FindAlias = Callable[[str, SymbolTableNode, Mapping[str, MypyFile] | None], tuple[str, str] | None]
_OfAny = Callable[[TypeAlias], Callable[[AnalyzeTypeContext], Type] | None]
_OfOthers = Callable[[str, SymbolTableNode], Callable[[AnalyzeTypeContext], Type] | None]


class ArrayTypingPlugin(Plugin):
    """mypy's plugin object: one for a build (or for a daemon's life)."""

    keeps_answers: ClassVar = True
    """Whether what mypy asks where nothing has changed is answered from its cache."""

    def __init__(self, options: Options) -> None:
        super().__init__(options)
        begin_build(options)
        self._configured = configured_redefinition(options)
        skip_runtime(options)
        can_keep = self.keeps_answers and can_be_kept(options)
        self._kept = KeptAnswers(options, self._configured) if can_keep else None
        if self._kept is None or not self._kept.are_known:
            self.settings  # noqa: B018  (which changes the options)
        elif self._kept.redefinition:
            redefine(options, self._configured)
        if can_keep and len(options.plugins) == 1 and options._per_module_cache is None:
            share_options(options)  # which no other plugin changes
        self._functions: dict[str, Callable[[FunctionContext], Type] | None] = {}
        self._function_signatures: dict[str, Callable[[FunctionSigContext], FunctionLike] | None] = {}
        self._methods: dict[str, Callable[[MethodContext], Type] | None] = {}
        self._signatures: dict[str, Callable[[MethodSigContext], FunctionLike] | None] = {}
        self._attributes: dict[str, Callable[[AttributeContext], Type] | None] = {}
        self._plain: set[str] = set()
        """The names of classes and the like in annotations, of which nothing is to be said; the daemon keeps none."""
        self._of_aliases: dict[str, tuple[TypeAlias, Type, Callable[[AnalyzeTypeContext], Type] | None]] = {}
        """What is said of aliases, with what each was an alias of then."""
        self._checker: object = None
        """Under which of mypy's checkers the errors are seen."""
        self._is_bystander = False
        self._are_cached = False
        """Whether mypy has asked of a module in its cache, which it may read again."""
        self._begun: BuildManager | None = None
        """The build that asked of that module, until all modules are known."""
        self._prepared: set[str] = set()
        """The modules that mypy has parsed by the time that it knows them all."""
        self._has_hidden = False
        self._has_frozen = False
        self._declarations: set[str] = set()
        """The modules of libraries' own sources, of which mypy asks twice."""

    @cached_property
    def settings(self) -> BuildSettings:
        """What is configured, not needed where nothing has changed."""
        from arraytyping_mypy.settings import BuildSettings

        return BuildSettings(self.options, self._configured)

    @cached_property
    def analyze_any(self) -> Callable[[AnalyzeTypeContext], Type]:
        """The hook of `Any`, which is asked for very often."""
        from arraytyping_mypy.features import dtype_constructors

        return dtype_constructors.analyze_any

    @cached_property
    def _aliases(self) -> tuple[_FindAlias, _OfAny]:
        """What is asked of an alias in an annotation, as often."""
        from arraytyping_mypy import any_aliases, array_aliases

        return array_aliases.find_alias, any_aliases.annotation_hook

    @cached_property
    def _of_others(self) -> _OfOthers:
        """What is asked of a name in an annotation that is neither a class nor an alias."""
        from arraytyping_mypy.features import invalid_annotations

        return invalid_annotations.annotation_hook

    @cached_property
    def dropped_errors(self) -> DroppedErrors:
        """The filter of mypy's own errors."""
        from arraytyping_mypy.dropped_errors import DroppedErrors

        return DroppedErrors(self.tables.sessions)

    @cached_property
    def _now(self) -> CheckerNow:
        """Where mypy has the checker of the module under check."""
        from arraytyping_mypy.checker import checker_state

        return checker_state

    def _begin(self) -> None:
        """See the errors of the module that mypy has begun to check; in packages without arrays no hook has to say."""
        from arraytyping_mypy.checker import module_tree

        self._checker = checker = self._now.type_checker
        tree = None if checker is None else module_tree(checker)
        self._is_bystander = tree is not None and is_bystander(tree.fullname, tree.path)
        if not self._is_bystander:
            self.dropped_errors.watch()

    @cached_property
    def tables(self) -> Tables:
        """The hook tables."""
        from arraytyping_mypy.tables import Tables

        return Tables(self.settings)

    def report_config_data(self, ctx: ReportConfigContext) -> Any:
        """Whatever changes an answer: settings, rules, the versions of ours and of jax."""
        if not self._has_hidden:
            self._has_hidden = self.options._per_module_cache is not None  # mypy has noted the sections by then
            hide_sections(self.options)
        if ctx.is_check and not self._are_cached:
            self._are_cached = True
            if not self.options.fine_grained_incremental:
                self._begun = begun_build(self.options)
        if self._kept is None:
            return fingerprint(self.settings, ctx.id, ctx.path)
        if ctx.id in self._declarations or is_declaration(ctx.id, ctx.path):
            if not self._kept.are_known:
                self.settings.refuse_errors()
            self._declarations.add(ctx.id)
            return DECLARATIONS
        known = self._kept.of(ctx.id, ctx.path) if self._kept.are_known else None
        return self._kept.found(ctx.id, ctx.path, self.settings) if known is None else known

    def get_additional_deps(self, file: MypyFile) -> list[tuple[int, str, int]]:
        """The modules whose classes results are made of must be loaded wherever arrays are."""
        from arraytyping_mypy import planting

        self.settings.refuse_errors()
        self.settings.note_read(file.path)
        if not self._prepared and not self._are_cached:
            self.settings.manager = build_of(self.options)
        planting.prepare(file, self.settings)
        self._prepared.add(file.fullname)
        return planting.dependencies(file)

    def set_modules(self, modules: dict[str, MypyFile]) -> None:
        """Mypy knows by now what it has to read again, or a worker what it has to read; the daemon keeps the trees.

        Where nothing was in the cache all was read, and there is nothing to be told of.
        """
        super().set_modules(modules)
        are_all_read = not self._are_cached and bool(modules) and modules.keys() <= self._prepared
        if not self.options.fine_grained_incremental and not are_all_read:
            tell_of_trees(modules, self._prepare, self._begun)
        self._begun = None

    def _prepare(self, file: MypyFile) -> None:
        """Make what is checked of a tree that is read again."""
        from arraytyping_mypy import planting

        planting.prepare(file, self.settings)

    def get_type_analyze_hook(self, fullname: str) -> Callable[[AnalyzeTypeContext], Type] | None:
        """Jaxtyping's annotations, and `Any` in the one place where it hides the dtypes of `jax.numpy`."""
        if fullname in self._plain:  # mypy asks for each name in each annotation of each library
            return None
        if fullname == "typing.Annotated":
            return self.tables.annotated
        if fullname == "typing.Any":
            return self.analyze_any
        if fullname == "jaxtyping.PyTree":
            return self.tables.tree
        symbol = self.lookup_fully_qualified(fullname) if "." in fullname else None
        node = None if symbol is None else symbol.node
        if isinstance(node, TypeInfo | TypeVarLikeExpr) and not self.options.fine_grained_incremental:
            self._plain.add(fullname)
        if symbol is None or isinstance(node, TypeInfo | TypeVarLikeExpr):
            return None
        if isinstance(node, TypeAlias):
            return self._of_alias(fullname, symbol, node)
        if fullname.startswith("jax.numpy."):
            from arraytyping_mypy.features import dtype_constructors

            if (hook := dtype_constructors.annotation_hook(fullname, symbol)) is not None:
                return hook
        made = self._of_others(fullname, symbol)
        if made is None and not self.options.fine_grained_incremental:
            self._plain.add(fullname)
        return made

    def _of_alias(
        self, fullname: str, symbol: SymbolTableNode, alias: TypeAlias
    ) -> Callable[[AnalyzeTypeContext], Type] | None:
        """What is said of an alias, found once for each type that it is an alias of."""
        known = self._of_aliases.get(fullname)
        if known is not None and known[0] is alias and known[1] is alias.target:
            return known[2]
        find_alias, of_any = self._aliases
        found = find_alias(fullname, symbol, self._modules)
        hook = of_any(alias) if found is None else self.tables.alias(alias, *found)
        if not self.options.fine_grained_incremental:
            self._of_aliases[fullname] = alias, alias.target, hook
        return hook

    def get_customize_class_mro_hook(self, fullname: str) -> Callable[[ClassDefContext], None] | None:
        """Two classes become generic as they are analysed; the program's own note what their methods rebind."""
        if fullname == ARRAY or fullname in JIT_WRAPPERS:
            self._freeze()
            from arraytyping_mypy.features import generic_classes

            return generic_classes.make_generic
        if fullname == SCALAR_META:
            from arraytyping_mypy.features import dtype_constructors

            return dtype_constructors.accept_everywhere
        if fullname in OPEN_CLASSES:
            from arraytyping_mypy.features import generic_classes

            return generic_classes.open_class
        if fullname.partition(".")[0] in LIBRARIES:
            return None
        from arraytyping_mypy.features import instance_variables

        return instance_variables.note_rebound

    def _freeze(self) -> None:
        """Freeze what was made before the first class that becomes generic: no type of an array is among it."""
        if not self._has_frozen and self.settings.manager is not None:
            freeze()
        self._has_frozen = True

    def get_class_decorator_hook_2(self, fullname: str) -> Callable[[ClassDefContext], bool] | None:
        """The dataclasses of flax and chex, which have a method more than mypy thinks."""
        if not fullname.endswith(".dataclass") or not fullname.startswith(("flax.", "chex.")):
            return None
        from arraytyping_mypy.features import replacing

        return replacing.decorator_hook(fullname)

    def get_function_hook(self, fullname: str) -> Callable[[FunctionContext], Type] | None:
        """Functions."""
        if self._now.type_checker is not self._checker:
            self._begin()
        if self._is_bystander:
            return None
        try:
            return self._functions[fullname]
        except KeyError:
            hook = self._functions[fullname] = guarded(self.tables.function(fullname), "default_return_type")
            return hook

    def get_function_signature_hook(self, fullname: str) -> Callable[[FunctionSigContext], FunctionLike] | None:
        """Functions whose parameters are others than mypy thinks."""
        if not fullname.startswith(("jax.", "arraytyping.")):
            return None
        try:
            return self._function_signatures[fullname]
        except KeyError:
            found = guarded(self.tables.function_signature(fullname), "default_signature")
            hook = self._function_signatures[fullname] = found
            return hook

    def get_method_hook(self, fullname: str) -> Callable[[MethodContext], Type] | None:
        """Methods and operators."""
        if self._now.type_checker is not self._checker:
            self._begin()
        if self._is_bystander:
            return None
        try:
            return self._methods[fullname]
        except KeyError:
            found = self.tables.method(fullname)
            hook = self._methods[fullname] = guarded(found, "default_return_type")
            return hook

    def get_method_signature_hook(self, fullname: str) -> Callable[[MethodSigContext], FunctionLike] | None:
        """Methods whose parameters are others than mypy thinks."""
        if self._now.type_checker is not self._checker:
            self._begin()
        if self._is_bystander:
            return None
        try:
            return self._signatures[fullname]
        except KeyError:
            hook = self._signatures[fullname] = guarded(self.tables.signature(fullname), "default_signature")
            return hook

    def get_attribute_hook(self, fullname: str) -> Callable[[AttributeContext], Type] | None:
        """Attributes."""
        if self._now.type_checker is not self._checker:
            self._begin()
        if self._is_bystander:
            return None
        try:
            return self._attributes[fullname]
        except KeyError:
            hook = self._attributes[fullname] = guarded(self.tables.attribute(fullname), "default_attr_type")
            return hook

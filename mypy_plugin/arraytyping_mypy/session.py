"""What the plugin holds while mypy checks one module: its settings, and the classes that results are made of."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, Literal

from mypy.nodes import (
    CallExpr,
    Context,
    Decorator,
    Expression,
    FuncDef,
    FuncItem,
    TypeAlias,
    TypeInfo,
    Var,
)
from mypy.plugin import CheckerPluginInterface
from mypy.types import AnyType, Instance, Type, TypeOfAny

from arraytyping.semantics.releases import NEWEST
from arraytyping.semantics.rules.errors import Code
from arraytyping_mypy.bindings import Bindings
from arraytyping_mypy.checker import (
    functions_around,
    has_error,
    is_silent,
    is_skipped,
    is_told,
    module_tree,
    modules_of,
    note_at,
    stored_type,
)
from arraytyping_mypy.codes import ERROR_CODES
from arraytyping_mypy.flow_diagnostics import is_at, overlaps
from arraytyping_mypy.handled import Handlers, may_swallow
from arraytyping_mypy.hierarchy import Hierarchy
from arraytyping_mypy.jax_version import STABLE
from arraytyping_mypy.last_function import imports
from arraytyping_mypy.memo import Memo
from arraytyping_mypy.module_texts import (
    changes_arrays,
    has_own_derivatives,
    keeps_hyperparams,
    may_cast,
    turns_compiling_off,
)
from arraytyping_mypy.named_sizes import is_called_only, owner_mark, plain_text
from arraytyping_mypy.names import (
    ARRAY,
    JIT_WRAPPED,
    OWN_ARRAY,
    OWN_JIT_WRAPPED,
    SCALARS_MODULE,
    STUB_SCALARS_MODULE,
    is_installed,
    is_library,
    is_program,
)
from arraytyping_mypy.refused_operators import RefusedOperators
from arraytyping_mypy.result_classes import NO_CLASSES, class_in, result_classes
from arraytyping_mypy.settings import BuildSettings
from arraytyping_mypy.silencing import silencing_of
from arraytyping_mypy.simultaneous import bind_together

if TYPE_CHECKING:
    from arraytyping_mypy.closed import ClosedFunctions
    from arraytyping_mypy.custom_rules import CustomRules
    from arraytyping_mypy.declared_items import Loops
    from arraytyping_mypy.features.instance_classes import Classes
    from arraytyping_mypy.features.options_of_argparse import Options
    from arraytyping_mypy.following import Following
    from arraytyping_mypy.grown import Grown
    from arraytyping_mypy.mutations import Mutations
    from arraytyping_mypy.rebound_trees import ReboundTrees
    from arraytyping_mypy.records import Mistake
    from arraytyping_mypy.refused_by_numpy import NumPyRefusals
    from arraytyping_mypy.straight_line import StraightLines

__all__ = ["Reported", "Session"]

Reported = Code | Literal["array-annotation", "array-call", "array-traced", "array-tree", "array-jax-version"]
"""The codes of what the types report."""

_ENDING: Final = frozenset({"array-shape", "array-dim", "array-dtype", "array-tree", "array-call"})
"""The codes of what raises: of an expression that does there is one mistake, which JAX and a library say otherwise."""


class Session:
    """One module under check."""

    def __init__(self, api: CheckerPluginInterface, settings: BuildSettings) -> None:
        self.api = api
        tree = module_tree(api)
        self._is_supported = settings.jax.is_supported
        self.is_library = is_library(tree.fullname) or (is_installed(tree.path) and is_silent(api, tree.path))
        self._tree = tree
        self._modules = modules_of(api)
        self._settings = settings
        self._functions: tuple[FuncItem, ...] = ()
        self._owners: frozenset[str] = frozenset()
        self.refused_operators = RefusedOperators()
        self.read_types: dict[int, tuple[Type, Any, bool]] = {}
        """By their ids the types that were read, which are kept here, their values, and whether these have names."""
        has_stubs = class_in(self._modules, f"{STUB_SCALARS_MODULE}.float32") is not None
        scalars = STUB_SCALARS_MODULE if has_stubs else SCALARS_MODULE
        theirs = result_classes(self._modules, tree, settings, ARRAY, JIT_WRAPPED, scalars)
        ours = result_classes(self._modules, tree, settings, OWN_ARRAY, OWN_JIT_WRAPPED, SCALARS_MODULE)
        only_ours = theirs is None or (imports(tree, ("arraytyping",)) and not imports(tree, ("jax", "jaxlib")))
        self._kinds = (theirs or ours or NO_CLASSES, ours or theirs or NO_CLASSES)
        self.is_own = ours is not None and only_ours
        """Whether results are arrays of arraytyping, and not of JAX."""
        self._kind = self._kinds[self.is_own]
        self.array: TypeInfo | None = self._kind.array
        self.scalars = self._kind.scalars
        self.memo: Memo = self._kind.memo
        self.promotions = self._kind.promotions
        if not self.is_library:
            self.bindings  # noqa: B018  (before mypy meets a lambda)

    def use(self, own: bool) -> bool:
        """Make results arrays of arraytyping from now on, or those of JAX; whether they were the former before."""
        before = self.is_own
        if own is not before:
            self.is_own, self._kind = own, self._kinds[own]
            self.array, self.scalars, self.memo = self._kind.array, self._kind.scalars, self._kind.memo
            self.promotions = self._kind.promotions
        return before

    def fail(
        self,
        message: str,
        context: Context,
        code: Reported,
        exception: type[Exception],
    ) -> bool:
        """Report a mistake at an expression, unless the program handles the exception (or warning) that comes there.

        What flow has reported there already, with the way to it, is left out as well.  Whether it is told by either is
        what is returned; of a function that is followed that is not known yet.
        """
        if code == "array-x64" and self._may_ask_for_64_bits(context.line):
            return False
        if self.is_following:
            text = self.following.mistakes.meet(message, context, code, exception)
            self.api.fail(text, context, code=ERROR_CODES[code])  # mypy says whether it stands
            return False
        if self._is_told(code, context, exception):
            return self.flow_says(code, context)
        self.api.fail(plain_text(message), context, code=ERROR_CODES[code])
        if self.has_followed:
            self.following.mistakes.tell_directly(context)
        return True

    def fail_with_note(self, mistake: Mistake, note: str) -> None:
        """Report a mistake in what was followed, with the call for which it was, unless the program handles it."""
        if self._is_told(mistake.code, mistake.place, mistake.exception):
            return
        if mistake.code == "array-call" and is_told(self.api, mistake.message, mistake.place):
            return
        code = ERROR_CODES[mistake.code]
        if mistake.code == "array-annotation" and has_error(self.api, code, mistake.place):
            return  # mypy itself has seen it in the function as it is declared
        self.api.fail(mistake.message, mistake.place, code=code)
        if note:
            note_at(self.api, note, mistake.place, code)

    def _is_told(self, code: Reported, context: Context, exception: type[Exception]) -> bool:
        """Whether the program handles a mistake, has silenced it, or flow has told of it."""
        lines = range(context.line, (context.end_line or context.line) + 1)
        return (
            self.handles(exception, context)
            or silencing_of(self._tree.path).silences(code, lines)
            or self.flow_says(code, context)
        )

    def _may_ask_for_64_bits(self, line: int) -> bool:
        source = silencing_of(self._tree.path).source
        return self._settings.may_ask_for_64_bits(self._tree.fullname, self._tree.path, source, line)

    def closed_functions(self) -> ClosedFunctions:
        """The module's functions whose calls are all followed."""
        from arraytyping_mypy.closed import ClosedFunctions

        return ClosedFunctions(self._tree, self)

    @property
    def is_following(self) -> bool:
        """Whether a function is followed, in which nothing is told: what it is given need not be what mypy thinks."""
        return self.has_followed and self.following.is_active

    @property
    def has_followed(self) -> bool:
        """Whether functions of the module were looked for that may be followed."""
        return "following" in self.__dict__

    def flow_says(self, code: str, context: Context) -> bool:
        """Whether flow has reported a mistake with this code at this expression, or another that ends it there."""
        return any(
            (m.code == code and overlaps(m, context)) or ({m.code, code} <= _ENDING and is_at(m, context))
            for m in self._settings.flow.of(self._tree.path)
        )

    def handles(self, exception: type[Exception], context: Context) -> bool:
        """Whether the program handles such an exception at this expression, or may do so."""
        return any(
            manager is None or may_swallow(stored_type(self.api, manager))
            for manager in self._handlers.around(context, exception)
        )

    @cached_property
    def _handlers(self) -> Handlers:
        return Handlers(self._tree)

    @property
    def owners(self) -> frozenset[str]:
        """The marks of the functions around the expression under check whose names of sizes mean something in it."""
        functions = tuple(functions_around(self.api))
        if functions != self._functions:
            self._functions = functions
            self._owners = frozenset(owner_mark(self._tree.fullname, f) for f in functions if is_called_only(f))
        return self._owners

    @property
    def module(self) -> str:
        """The name of the module."""
        return self._tree.fullname

    @property
    def is_active(self) -> bool:
        """Whether results can be computed here: a user's module, and the classes they are made of are loaded."""
        return not self.is_library and self.array is not None and bool(self.scalars)

    @cached_property
    def hierarchy(self) -> Hierarchy:
        """Which classes of the build inherit from which."""
        return Hierarchy(self._tree, self._modules, self._settings.known_classes)

    @property
    def jit_wrapped(self) -> TypeInfo | None:
        """The class of what `jax.jit` returns, if it is loaded."""
        return self._kind.wrapper

    def class_named(self, full_name: str) -> TypeInfo | None:
        """A class by its full name, if it is loaded."""
        return class_in(self._modules, full_name)

    @property
    def has_default_keys(self) -> bool:
        """Whether the program makes random keys of JAX's default implementation."""
        return self._settings.has_default_keys

    @property
    def has_newest_jax(self) -> bool:
        """Whether the program is checked against the newest release of jax that is supported."""
        return not self.is_own and self._settings.jax.number == NEWEST

    def is_jax_name(self, full_name: str) -> bool:
        """Whether jax has a module of the build with this name in it."""
        module, _, name = full_name.rpartition(".")
        tree = self._modules.get(module)
        return full_name in self._modules or (tree is not None and name in tree.names)

    def knows(self, rule: str) -> bool:
        """Whether this rule is known to hold for the installed jax."""
        return self._is_supported or self.is_own or rule in STABLE

    @cached_property
    def unshared_calls(self) -> frozenset[CallExpr]:
        """The calls of the module whose results nothing holds but what calls these."""
        from arraytyping_mypy.unshared import unshared_calls  # few programs ask

        return unshared_calls(self._tree, self.bindings)

    @cached_property
    def bindings(self) -> Bindings:
        """Where the module's variables are bound; those bound again are hidden from mypy where lambdas read them."""
        made = Bindings(self._tree)
        for name in list(made.read_later()):
            name.node = Var(name.name, AnyType(TypeOfAny.special_form))
            name.node.is_ready = True
        bind_together(made.bound_early, self.api)
        return made

    @cached_property
    def mutations(self) -> Mutations:
        """What the module puts into containers."""
        from arraytyping_mypy.mutations import Mutations

        return Mutations(self._tree, self.bindings, is_skipped(self.api))

    @cached_property
    def keeps_arrays(self) -> bool:
        """Whether nothing in the module changes the shape or dtype of an array of NumPy's: `x.shape = (2, 3)`."""
        return not changes_arrays(self._tree)

    @cached_property
    def may_differentiate(self) -> bool:
        """Whether the module may have rules of its own for derivatives, or use those of another of the program."""
        return not self.mutations.is_alone or has_own_derivatives(self._tree)

    @cached_property
    def may_cast_gradients(self) -> bool:
        """Whether the program may have backward rules here, of which JAX takes a cotangent of any dtype."""
        program = {n.rpartition(".")[2]: t.path for n, t in self._modules.items() if is_program(n, t.path)}
        return may_cast(self._tree.path, program)

    @cached_property
    def has_names(self) -> bool:
        """Whether sizes may have names in the module."""
        return imports(self._tree, ("jaxtyping",))

    @cached_property
    def loops(self) -> Loops:
        """What the variables of the module's loops go through."""
        from arraytyping_mypy.declared_items import Loops

        return Loops(self._tree)

    @cached_property
    def takes_out(self) -> bool:
        """Whether the module takes something out of a container."""
        from arraytyping_mypy.written import takes_out

        return takes_out(self._tree)

    @cached_property
    def options(self) -> Options:
        """The options that the module declares by `argparse`."""
        from arraytyping_mypy.features.options_of_argparse import Options

        return Options(self._tree)

    @cached_property
    def rebound_trees(self) -> ReboundTrees:
        """The dicts that variables in copies of the module's functions are bound to in turn."""
        from arraytyping_mypy.rebound_trees import ReboundTrees

        return ReboundTrees()

    @cached_property
    def grown(self) -> Grown:
        """What is in the containers of the module that grow."""
        from arraytyping_mypy.grown import Grown

        return Grown(self, self._tree)

    @cached_property
    def straight_lines(self) -> StraightLines:
        """The variables that are bound one after the other."""
        from arraytyping_mypy.straight_line import StraightLines

        return StraightLines(self)

    @cached_property
    def numpy_refusals(self) -> NumPyRefusals:
        """The expressions that NumPy refuses."""
        from arraytyping_mypy.refused_by_numpy import NumPyRefusals

        return NumPyRefusals()

    @cached_property
    def decorators(self) -> dict[FuncDef, Decorator]:
        """The decorated functions of the module."""
        from arraytyping_mypy.static_names import decorators_of

        return decorators_of(self._tree)

    @cached_property
    def custom_rules(self) -> CustomRules:
        """The rules that the module gives its functions with derivatives of their own."""
        from arraytyping_mypy.custom_rules import CustomRules

        return CustomRules(self._tree, self.bindings, self.decorators)

    @cached_property
    def keeps_hyperparams(self) -> bool:
        """Whether the module puts nothing but numbers among the hyperparameters in the state of an optimizer."""
        return keeps_hyperparams(self._tree)

    @cached_property
    def is_compiling_off(self) -> bool:
        """Whether the module names what has functions run without a trace."""
        return turns_compiling_off(self._tree)

    @cached_property
    def classes(self) -> Classes:
        """The module's classes whose instances are known by their fields."""
        from arraytyping_mypy.features.instance_classes import Classes

        return Classes(self._tree)

    @cached_property
    def following(self) -> Following:
        """The module's functions that are followed for the types of calls."""
        from arraytyping_mypy.following import Following

        return Following(self, self._tree)

    def stored(self, expression: Expression) -> Type | None:
        """The type that mypy has found for an expression so far."""
        return stored_type(self.api, expression)

    def scalar(self, name: str) -> TypeInfo | None:
        """The class of the first type parameter for a dtype."""
        symbol = self.scalars.get("bool_" if name == "bool" else name)
        return symbol.node if symbol is not None and isinstance(symbol.node, TypeInfo) else None

    def numpy_scalar(self, name: str) -> Type | None:
        """NumPy's scalar type of a dtype that is NumPy's own, as its stubs name it."""
        tree = self._modules.get("numpy")
        symbol = tree.names.get("bool_" if name == "bool" else name) if tree is not None else None
        if symbol is None:
            return None
        if isinstance(symbol.node, TypeAlias):
            return symbol.node.target
        return Instance(symbol.node, []) if isinstance(symbol.node, TypeInfo) and not symbol.node.type_vars else None

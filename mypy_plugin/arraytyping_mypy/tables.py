"""The hook tables: which of mypy's questions goes to which feature.  Nothing is decided here.

Imported when mypy asks the first question of a module that it checks: where nothing has changed since the last run
it asks none, and the rules need not be loaded.  What has a rule is found here, all else in `tables_without_rules`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final

from mypy.nodes import TypeAlias
from mypy.plugin import (
    AnalyzeTypeContext,
    AttributeContext,
    FunctionContext,
    FunctionSigContext,
    MethodContext,
    MethodSigContext,
)
from mypy.types import FunctionLike, Type

from arraytyping_mypy import flow_diagnostics, kept_displays, last_function, refused_by_numpy, simultaneous, unresolved
from arraytyping_mypy.checker import module_tree
from arraytyping_mypy.features import (
    attributes,
    dtype_constructors,
    functions,
    immutable,
    numpy_functions,
    operators,
    unpacking,
    updates,
)
from arraytyping_mypy.frameworks import function_rule, method_rule, ndarray_rule, scalar_rule
from arraytyping_mypy.names import CONTAINERS, JIT_CALLS, NUMBERS, SCALAR_META, STUB_UFUNC, UFUNC_CALLS
from arraytyping_mypy.own_names import jax_name
from arraytyping_mypy.sessions import Sessions, within
from arraytyping_mypy.settings import BuildSettings

__all__ = ["Tables"]


_DISPLAYS: Final = frozenset({"<list>", "<set>", "<tuple>", "<dict>"})
"""As what mypy asks of displays, which are no calls."""


class Tables:
    """The hooks of a build, found by name."""

    def __init__(self, settings: BuildSettings) -> None:
        self.sessions = Sessions(settings)
        self.on_numpy = partial(numpy_functions.operate, self.sessions)

    def annotated(self, ctx: AnalyzeTypeContext) -> Type:
        """`typing.Annotated`, by whatever name."""
        from arraytyping_mypy.features import jaxtyping

        return jaxtyping.analyze_annotated(self.sessions, ctx)

    def tree(self, ctx: AnalyzeTypeContext) -> Type:
        """Jaxtyping's `PyTree`."""
        from arraytyping_mypy.features import jaxtyping

        return jaxtyping.analyze_tree(self.sessions, ctx)

    def alias(self, alias: TypeAlias, name: str, text: str) -> Callable[[AnalyzeTypeContext], Type]:
        """An alias of an annotation of jaxtyping's."""
        from arraytyping_mypy.features import jaxtyping

        return partial(jaxtyping.analyze_alias, self.sessions, alias, name, text)

    def report_planted(self, ctx: MethodContext) -> Type:
        """What the calls that we have put into a module's tree ask for."""
        if flow_diagnostics.is_planted(ctx.context):
            flow_diagnostics.report(self.sessions.settings.flow, ctx.api)
        elif last_function.is_planted(ctx.context):
            self.check_bodies(ctx)
        elif unresolved.is_planted(ctx.context):
            self.name_calls(ctx)
        return ctx.default_return_type

    def name_calls(self, ctx: MethodContext) -> None:
        """The calls of libraries of which mypy finds no types, before it goes through the module under check."""
        from arraytyping_mypy.features import optax_losses, optimizers

        session = self.sessions.of(ctx.api)
        if session.is_active:
            known = optimizers.FUNCTIONS | optax_losses.FUNCTIONS
            unresolved.name_calls(module_tree(ctx.api), known, optimizers.NAMING, session)

    def check_bodies(self, ctx: MethodContext) -> None:
        """The functions of the module under check, once mypy has gone through them."""
        session = self.sessions.of(ctx.api)
        if not session.is_active:
            return
        tree = module_tree(ctx.api)
        if last_function.imports(tree, ("jaxtyping",)):
            from arraytyping_mypy.features import named_bodies

            named_bodies.check_bodies(tree, session)
        unpacking.check(tree, session)
        refused_by_numpy.check(tree, session)
        if session.has_followed:
            session.following.follow_script(tree)
            session.following.tell_mistakes()

    def function(self, fullname: str) -> Callable[[FunctionContext], Type] | None:
        """Functions: those that have a rule, and others."""
        return within(fullname, self._function(jax_name(fullname)), self.sessions)

    def _function(self, fullname: str) -> Callable[[FunctionContext], Type] | None:
        if (ruled := functions.hook(fullname, function_rule(fullname), self.sessions)) is not None:
            return ruled
        if fullname == kept_displays.KEPT:
            return kept_displays.function_hook(fullname, self.sessions)
        if fullname == simultaneous.TOGETHER:
            return simultaneous.function_hook(fullname)
        if fullname in _DISPLAYS:
            return self._display
        from arraytyping_mypy import tables_without_rules

        return tables_without_rules.function(fullname, self.sessions)

    def _display(self, ctx: FunctionContext) -> Type:
        """Nothing is known of a display, but the module's bindings are looked at before mypy meets a lambda."""
        self.sessions.of(ctx.api)
        return ctx.default_return_type

    def _awaited(self, ctx: AttributeContext) -> Type:
        """Nor of what mypy asks of each expression that is a statement."""
        self.sessions.of(ctx.api)
        return ctx.default_attr_type

    def method(self, fullname: str) -> Callable[[MethodContext], Type] | None:
        """Methods and operators of arrays, calls of ufuncs and dtypes, operators of NumPy's arrays, containers."""
        if fullname == flow_diagnostics.METHOD:
            return self.report_planted
        return within(fullname, self._method(jax_name(fullname)), self.sessions)

    def _method(self, fullname: str) -> Callable[[MethodContext], Type] | None:
        if (put := immutable.method_hook(fullname, self.sessions)) is not None:
            return put
        if (rule := method_rule(fullname)) is not None:
            name = fullname.rpartition(".")[2]
            if name == "__iter__":
                from arraytyping_mypy.features import builtins

                return partial(builtins.iterate, rule, self.sessions)
            feature = operators.call_operator if name in operators.METHODS else functions.call_method
            return partial(feature, rule, self.sessions)
        is_ufunc = fullname in UFUNC_CALLS or (fullname.startswith(STUB_UFUNC) and fullname.endswith(".__call__"))
        if is_ufunc or fullname in JIT_CALLS:  # jnp.linalg.norm is jitted as it stands
            return partial(functions.call_ufunc, self.sessions)
        if fullname == f"{SCALAR_META}.__call__":
            return partial(dtype_constructors.call, self.sessions)
        if (rule := ndarray_rule(fullname)) is not None:
            return partial(operators.call_ndarray_operator, rule, self.sessions, self.on_numpy)
        if (rule := scalar_rule(fullname)) is not None:
            return partial(operators.call_scalar_comparison, rule, self.sessions, self.on_numpy)
        if (update := updates.rule_of(fullname)) is not None:
            return partial(updates.call, update, self.sessions)
        if fullname.startswith(NUMBERS):
            from arraytyping_mypy.features import numbers

            number = numbers.method_hook(fullname, self.sessions)
            return number or numpy_functions.number_hook(fullname, self.sessions)
        from arraytyping_mypy import tables_without_rules

        return tables_without_rules.method(fullname, self.sessions)

    def signature(self, fullname: str) -> Callable[[MethodSigContext], FunctionLike] | None:
        """Calls of jitted functions; what is put into a container of arrays."""
        if method_rule(fullname) is not None:
            return None
        if jax_name(fullname) in JIT_CALLS:
            from arraytyping_mypy.features import transformations

            return transformations.signature_of_call
        if not fullname.startswith(CONTAINERS):
            return None
        from arraytyping_mypy.features import containers

        return containers.signature_hook(fullname)

    def function_signature(self, fullname: str) -> Callable[[FunctionSigContext], FunctionLike] | None:
        """Loops."""
        fullname = jax_name(fullname)
        if function_rule(fullname) is not None:
            return None
        from arraytyping_mypy.features import transformations

        return transformations.signature_hook(fullname)

    def attribute(self, fullname: str) -> Callable[[AttributeContext], Type] | None:
        """Attributes of arrays, and instance variables that hold arrays."""
        if (rule := method_rule(fullname)) is not None:
            return within(fullname, partial(attributes.read_attribute, rule, self.sessions), self.sessions)
        if fullname == "typing.Awaitable.__await__":
            return self._awaited
        from arraytyping_mypy import tables_without_rules

        return tables_without_rules.attribute(fullname, self.sessions)

"""The hook tables: which of mypy's questions goes to which feature.  Nothing is decided here.

Imported when mypy asks the first question of a module that it checks: where nothing has changed since the last run
it asks none, and the rules need not be loaded.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

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
    branches,
    builtins,
    chosen_functions,
    containers,
    custom_derivatives,
    derivatives,
    dtype_constructors,
    entry_points,
    folding,
    followed,
    functions,
    immutable,
    initializers,
    instance_variables,
    iteration,
    jaxtyping,
    linen_keys,
    named_bodies,
    numbers,
    numpy_functions,
    operators,
    options_of_argparse,
    partials,
    random_keys,
    raveling,
    same_kind,
    segments,
    transformations,
    transformed,
    treedefs,
    trees,
    type_variables,
    unpacking,
    updates,
)
from arraytyping_mypy.frameworks import function_rule, method_rule, ndarray_rule, scalar_rule
from arraytyping_mypy.names import OPTIMIZERS_MODULE, SCALAR_META, STUB_UFUNC, UFUNC_CALLS
from arraytyping_mypy.own_names import jax_name
from arraytyping_mypy.sessions import Sessions, within
from arraytyping_mypy.settings import BuildSettings

__all__ = ["Tables"]


class Tables:
    """The hooks of a build, found by name."""

    def __init__(self, settings: BuildSettings) -> None:
        self.sessions = Sessions(settings)
        self.on_numpy = partial(numpy_functions.operate, self.sessions)

    def annotated(self, ctx: AnalyzeTypeContext) -> Type:
        """`typing.Annotated`, by whatever name."""
        return jaxtyping.analyze_annotated(self.sessions, ctx)

    def tree(self, ctx: AnalyzeTypeContext) -> Type:
        """Jaxtyping's `PyTree`."""
        return jaxtyping.analyze_tree(self.sessions, ctx)

    def alias(self, alias: TypeAlias, name: str, text: str) -> Callable[[AnalyzeTypeContext], Type]:
        """An alias of an annotation of jaxtyping's."""
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
            named_bodies.check_bodies(tree, session)
        unpacking.check(tree, session)
        refused_by_numpy.check(tree, session)
        if session.has_followed:
            session.following.follow_script(tree)
            session.following.tell_mistakes()

    def function(self, fullname: str) -> Callable[[FunctionContext], Type] | None:
        """Functions that have a rule, builtins, and functions that take functions."""
        return within(fullname, self._function(jax_name(fullname)), self.sessions)

    def _function(self, fullname: str) -> Callable[[FunctionContext], Type] | None:
        if fullname.startswith("flax.linen."):
            from arraytyping_mypy.features import linen_layers, linen_windows

            layer = linen_layers.function_hook(fullname, self.sessions)
            if (layer := layer or linen_windows.function_hook(fullname, self.sessions)) is not None:
                return layer
        if fullname.startswith("flax.nnx."):
            from arraytyping_mypy.features import nnx_layers

            if (made := nnx_layers.function_hook(fullname, self.sessions)) is not None:
                return made
        if fullname.startswith("equinox.nn."):
            from arraytyping_mypy.features import equinox_layers

            if (made := equinox_layers.function_hook(fullname, self.sessions)) is not None:
                return made
        if fullname == kept_displays.KEPT:
            return kept_displays.function_hook(fullname, self.sessions)
        if fullname == simultaneous.TOGETHER:
            return simultaneous.function_hook(fullname)
        if fullname.startswith("optax."):
            from arraytyping_mypy.features import optax_losses, optimizers

            return optimizers.function_hook(fullname, self.sessions) or optax_losses.function_hook(
                fullname, self.sessions
            )
        if fullname.startswith("einops."):
            from arraytyping_mypy.features import einops_patterns

            return einops_patterns.function_hook(fullname, self.sessions, followed.hook(fullname, self.sessions))
        return (
            functions.hook(fullname, function_rule(fullname), self.sessions)
            or builtins.function_hook(fullname, self.sessions)
            or random_keys.function_hook(fullname, self.sessions)
            or transformed.function_hook(fullname, self.sessions, transformations.mapped)
            or derivatives.function_hook(fullname, self.sessions)
            or branches.function_hook(fullname, self.sessions)
            or trees.function_hook(fullname, self.sessions)
            or treedefs.function_hook(fullname, self.sessions)
            or folding.function_hook(fullname, self.sessions)
            or raveling.function_hook(fullname, self.sessions)
            or segments.function_hook(fullname, self.sessions)
            or same_kind.function_hook(fullname, self.sessions)
            or partials.function_hook(fullname, self.sessions)
            or chosen_functions.function_hook(fullname, self.sessions)
            or numpy_functions.function_hook(fullname, self.sessions)
            or initializers.function_hook(fullname, self.sessions)
            or transformations.function_hook(fullname, self.sessions)
            or iteration.function_hook(fullname, self.sessions)
            or containers.function_hook(fullname, self.sessions)
            or entry_points.function_hook(fullname, self.sessions)
            or followed.hook(fullname, self.sessions)
        )

    def method(self, fullname: str) -> Callable[[MethodContext], Type] | None:
        """Methods and operators of arrays, calls of ufuncs and dtypes, operators of NumPy's arrays, containers."""
        if fullname == flow_diagnostics.METHOD:
            return self.report_planted
        return within(fullname, self._method(jax_name(fullname)), self.sessions)

    def _method(self, fullname: str) -> Callable[[MethodContext], Type] | None:
        if fullname.startswith("flax.linen."):
            from arraytyping_mypy.features import linen_layers
            from arraytyping_mypy.features.applied import applied

            if (layer := linen_layers.method_hook(fullname, self.sessions, applied)) is not None:
                return layer
        if fullname.startswith("flax.nnx."):
            from arraytyping_mypy.features import nnx_layers

            if (own := nnx_layers.method_hook(fullname, self.sessions)) is not None:
                return own
        if fullname.startswith("equinox.nn."):
            from arraytyping_mypy.features import equinox_layers
            from arraytyping_mypy.features.applied import applied

            if (called := equinox_layers.method_hook(fullname, self.sessions, applied)) is not None:
                return called
        if fullname.startswith(OPTIMIZERS_MODULE):
            from arraytyping_mypy.features import optimizers

            return optimizers.method_hook(fullname, self.sessions)
        if fullname.endswith("Class.__getitem__"):
            from arraytyping_mypy.features import concatenators, numpy_concatenators

            joined = concatenators.method_hook(fullname, self.sessions)
            if (joined := joined or numpy_concatenators.method_hook(fullname, self.sessions)) is not None:
                return joined
        if (put := immutable.method_hook(fullname, self.sessions)) is not None:
            return put
        if (rule := method_rule(fullname)) is not None:
            name = fullname.rpartition(".")[2]
            if name == "__iter__":
                return partial(builtins.iterate, rule, self.sessions)
            feature = operators.call_operator if name in operators.METHODS else functions.call_method
            return partial(feature, rule, self.sessions)
        if (custom := custom_derivatives.method_hook(fullname, self.sessions)) is not None:
            return custom
        if (unflatten := treedefs.method_hook(fullname, self.sessions)) is not None:
            return unflatten
        is_ufunc = fullname in UFUNC_CALLS or (fullname.startswith(STUB_UFUNC) and fullname.endswith(".__call__"))
        if is_ufunc or fullname in transformations.JIT_CALLS:  # jnp.linalg.norm is jitted as it stands
            return partial(functions.call_ufunc, self.sessions)
        if fullname == f"{SCALAR_META}.__call__":
            return partial(dtype_constructors.call, self.sessions)
        if (rule := ndarray_rule(fullname)) is not None:
            return partial(operators.call_ndarray_operator, rule, self.sessions, self.on_numpy)
        if (rule := scalar_rule(fullname)) is not None:
            return partial(operators.call_scalar_comparison, rule, self.sessions, self.on_numpy)
        if (update := updates.rule_of(fullname)) is not None:
            return partial(updates.call, update, self.sessions)
        return (
            transformations.method_hook(fullname, self.sessions)
            or containers.method_hook(fullname, self.sessions)
            or initializers.method_hook(fullname, self.sessions)
            or numpy_functions.method_hook(fullname, self.sessions)
            or numbers.method_hook(fullname, self.sessions)
            or numpy_functions.number_hook(fullname, self.sessions)
            or linen_keys.method_hook(fullname, self.sessions, self._followed(fullname))
        )

    def _followed(self, fullname: str) -> Callable[[MethodContext], Type] | None:
        """A method of a program's class, or one of Flax that a class of the program inherits."""
        otherwise = type_variables.method_hook(fullname, followed.hook(fullname, self.sessions))
        if fullname.endswith(".param"):
            from arraytyping_mypy.features import linen_params

            return linen_params.method_hook(fullname, self.sessions, otherwise)
        if fullname.endswith((".create", ".apply_gradients")):
            from arraytyping_mypy.features import train_states

            return train_states.method_hook(fullname, self.sessions, otherwise)
        return otherwise

    def signature(self, fullname: str) -> Callable[[MethodSigContext], FunctionLike] | None:
        """Calls of jitted functions; what is put into a container of arrays."""
        if jax_name(fullname) in transformations.JIT_CALLS:
            return transformations.signature_of_call
        return containers.signature_hook(fullname)

    def function_signature(self, fullname: str) -> Callable[[FunctionSigContext], FunctionLike] | None:
        """Loops."""
        return transformations.signature_hook(jax_name(fullname))

    def attribute(self, fullname: str) -> Callable[[AttributeContext], Type] | None:
        """Attributes of arrays, and instance variables that hold arrays."""
        if (rule := method_rule(fullname)) is not None:
            return within(fullname, partial(attributes.read_attribute, rule, self.sessions), self.sessions)
        if fullname.startswith("equinox.nn."):
            from arraytyping_mypy.features import equinox_layers

            if (field := equinox_layers.attribute_hook(fullname)) is not None:
                return field
        return (
            numpy_functions.attribute_hook(fullname, self.sessions)
            or treedefs.attribute_hook(fullname, self.sessions)
            or options_of_argparse.attribute_hook(fullname, self.sessions)
            or instance_variables.hook(fullname, self.sessions)
        )

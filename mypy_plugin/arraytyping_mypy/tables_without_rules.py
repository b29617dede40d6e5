"""The hook tables for what has no rule: functions that take functions, containers, the program's own.

Imported when mypy asks of the first of these.  Of JAX's functions others know than of those of Python and the program.
"""

from __future__ import annotations

from collections.abc import Callable

from mypy.plugin import AttributeContext, FunctionContext, MethodContext
from mypy.types import Type

from arraytyping_mypy.features import containers, followed, transformations, transformed
from arraytyping_mypy.names import OPTIMIZERS_MODULE
from arraytyping_mypy.sessions import Sessions

__all__ = ["attribute", "function", "method"]

_Function = Callable[[FunctionContext], Type] | None
_Method = Callable[[MethodContext], Type] | None


def function(fullname: str, sessions: Sessions) -> _Function:
    """Functions of libraries, of JAX, of Python and of the program."""
    if fullname.startswith("jax."):
        return _of_jax(fullname, sessions)
    if fullname.startswith("flax.linen."):
        from arraytyping_mypy.features import linen_layers, linen_windows

        layer = linen_layers.function_hook(fullname, sessions)
        if (layer := layer or linen_windows.function_hook(fullname, sessions)) is not None:
            return layer
    if fullname.startswith("flax.nnx."):
        from arraytyping_mypy.features import nnx_layers

        if (made := nnx_layers.function_hook(fullname, sessions)) is not None:
            return made
    if fullname.startswith("equinox.nn."):
        from arraytyping_mypy.features import equinox_layers

        if (made := equinox_layers.function_hook(fullname, sessions)) is not None:
            return made
    if fullname.startswith("optax."):
        from arraytyping_mypy.features import optax_losses, optimizers

        return optimizers.function_hook(fullname, sessions) or optax_losses.function_hook(fullname, sessions)
    if fullname.startswith("einops."):
        from arraytyping_mypy.features import einops_patterns

        return einops_patterns.function_hook(fullname, sessions, followed.hook(fullname, sessions))
    return _of_python(fullname, sessions)


def _of_jax(fullname: str, sessions: Sessions) -> _Function:
    from arraytyping_mypy.features import (
        branches,
        derivatives,
        initializers,
        random_keys,
        raveling,
        same_kind,
        segments,
        treedefs,
        trees,
    )

    return (
        random_keys.function_hook(fullname, sessions)
        or transformed.function_hook(fullname, sessions, transformations.mapped)
        or derivatives.function_hook(fullname, sessions)
        or branches.function_hook(fullname, sessions)
        or trees.function_hook(fullname, sessions)
        or treedefs.function_hook(fullname, sessions)
        or raveling.function_hook(fullname, sessions)
        or segments.function_hook(fullname, sessions)
        or same_kind.function_hook(fullname, sessions)
        or initializers.function_hook(fullname, sessions)
        or transformations.function_hook(fullname, sessions)
        or followed.hook(fullname, sessions)
    )


def _of_python(fullname: str, sessions: Sessions) -> _Function:
    from arraytyping_mypy.features import (
        builtins,
        chosen_functions,
        entry_points,
        folding,
        iteration,
        numpy_functions,
        partials,
    )

    return (
        builtins.function_hook(fullname, sessions)
        or transformed.function_hook(fullname, sessions, transformations.mapped)
        or folding.function_hook(fullname, sessions)
        or partials.function_hook(fullname, sessions)
        or chosen_functions.function_hook(fullname, sessions)
        or numpy_functions.function_hook(fullname, sessions)
        or transformations.function_hook(fullname, sessions)
        or iteration.function_hook(fullname, sessions)
        or containers.function_hook(fullname, sessions)
        or entry_points.function_hook(fullname, sessions)
        or followed.hook(fullname, sessions)
    )


def method(fullname: str, sessions: Sessions) -> _Method:
    """Methods of containers, of layers and trees, and of the program's classes."""
    if fullname.startswith("flax.linen."):
        from arraytyping_mypy.features import linen_layers
        from arraytyping_mypy.features.applied import applied

        if (layer := linen_layers.method_hook(fullname, sessions, applied)) is not None:
            return layer
    if fullname.startswith("flax.nnx."):
        from arraytyping_mypy.features import nnx_layers

        if (own := nnx_layers.method_hook(fullname, sessions)) is not None:
            return own
    if fullname.startswith("equinox.nn."):
        from arraytyping_mypy.features import equinox_layers
        from arraytyping_mypy.features.applied import applied

        if (called := equinox_layers.method_hook(fullname, sessions, applied)) is not None:
            return called
    if fullname.startswith(OPTIMIZERS_MODULE):
        from arraytyping_mypy.features import optimizers

        return optimizers.method_hook(fullname, sessions)
    if fullname.endswith("Class.__getitem__"):
        from arraytyping_mypy.features import concatenators, numpy_concatenators

        joined = concatenators.method_hook(fullname, sessions)
        if (joined := joined or numpy_concatenators.method_hook(fullname, sessions)) is not None:
            return joined
    if fullname.startswith("jax."):
        from arraytyping_mypy.features import custom_derivatives, initializers

        custom = custom_derivatives.method_hook(fullname, sessions)
        if (custom := custom or initializers.method_hook(fullname, sessions)) is not None:
            return custom
    from arraytyping_mypy.features import linen_keys, numbers, numpy_functions, treedefs

    return (
        treedefs.method_hook(fullname, sessions)
        or transformations.method_hook(fullname, sessions)
        or containers.method_hook(fullname, sessions)
        or numpy_functions.method_hook(fullname, sessions)
        or numbers.method_hook(fullname, sessions)
        or numpy_functions.number_hook(fullname, sessions)
        or linen_keys.method_hook(fullname, sessions, _followed(fullname, sessions))
    )


def _followed(fullname: str, sessions: Sessions) -> _Method:
    """A method of a program's class, or one of Flax that a class of the program inherits."""
    from arraytyping_mypy.features import type_variables

    otherwise = type_variables.method_hook(fullname, followed.hook(fullname, sessions))
    if fullname.endswith(".param"):
        from arraytyping_mypy.features import linen_params

        return linen_params.method_hook(fullname, sessions, otherwise)
    if fullname.endswith((".create", ".apply_gradients")):
        from arraytyping_mypy.features import train_states

        return train_states.method_hook(fullname, sessions, otherwise)
    return otherwise


def attribute(fullname: str, sessions: Sessions) -> Callable[[AttributeContext], Type] | None:
    """Attributes of NumPy's arrays, of trees and options, and instance variables that hold arrays."""
    if fullname.startswith("equinox.nn."):
        from arraytyping_mypy.features import equinox_layers

        if (field := equinox_layers.attribute_hook(fullname)) is not None:
            return field
    from arraytyping_mypy.features import instance_variables, numpy_functions, options_of_argparse, treedefs

    return (
        numpy_functions.attribute_hook(fullname, sessions)
        or treedefs.attribute_hook(fullname, sessions)
        or options_of_argparse.attribute_hook(fullname, sessions)
        or instance_variables.hook(fullname, sessions)
    )

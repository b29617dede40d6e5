"""What optimizers of Optax are to mypy: Optax is not marked as typed, so that mypy reads nothing of it."""

from __future__ import annotations

from typing import Any, Generic

from typing_extensions import TypeVar

__all__ = [
    "DefaultTransformation", "GradientTransformation", "InjectedFactory", "OptState", "Schedule",
    "UniformTransformation",
]  # fmt: skip

Parameters = TypeVar("Parameters", covariant=True, default=Any)


class OptState(Generic[Parameters]):
    """The state of an optimizer; the parameter is the tree that it was made for.

    The plugin has it go wherever another class is declared, and have any attribute; so it has the others.
    """


class DefaultTransformation:
    """An optimizer whose updates have the dtypes and shapes of the gradients where all have JAX's default dtype."""

    def init(self, params: Any) -> Any:
        """The state before the first step."""
        raise NotImplementedError

    def update(self, updates: Any, state: Any, params: Any = None, **_: Any) -> Any:
        """The updates, and the state after the step."""
        raise NotImplementedError

    def gradient_transformation(self) -> Any:
        """The same optimizer, as `MultiSteps` gives it."""
        raise NotImplementedError


class UniformTransformation(DefaultTransformation):
    """An optimizer whose updates have the dtypes and shapes of the gradients where all parameters have one dtype."""


class GradientTransformation(UniformTransformation):
    """An optimizer of which it is known that the updates have the dtypes and shapes of the gradients."""


class InjectedFactory:
    """What `inject_hyperparams` gives: it makes an optimizer whose numbers are arrays in its state."""

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """The optimizer."""
        raise NotImplementedError


class Schedule:
    """What a number is at each step."""

    def __call__(self, count: Any) -> Any:
        """The number at a step."""
        raise NotImplementedError

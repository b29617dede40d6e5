"""What functions with their own rules of differentiation have in common: arguments, results, their structures."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Sequence
from typing import Any, Final, Generic, ParamSpec, TypeVar, cast

from arraytyping.runtime import tree
from arraytyping.runtime.array_likes import materialized
from arraytyping.runtime.jaxpr.syntax import short_aval
from arraytyping.runtime.transformations.arguments import arrays_of, name_of, named_as
from arraytyping.semantics.avals import ShapedArray
from arraytyping.semantics.rules.control_flow import same_type

__all__ = ["CustomFunction", "OutTree", "pair_of", "results_of"]

P = ParamSpec("P")
R = TypeVar("R")

_SETTERS: Final = frozenset({"def_vmap", "defjvp", "defjvps", "defvjp"})


class CustomFunction(Generic[P, R]):
    """A function of which some arguments take part in differentiation; the others are given to its rule as they are."""

    _what = ""

    def __init__(
        self, fun: Callable[P, R], nondiff_argnums: Sequence[int] = (), nondiff_argnames: Sequence[str] = ()
    ) -> None:
        if not callable(fun):
            raise TypeError(f"{self._what} takes a function, got {fun!r:.60} of type {type(fun).__name__}")
        named_as(self, fun)
        self.fun: Callable[..., Any] = fun
        self._name = name_of(fun)
        try:
            self._signature: inspect.Signature | None = inspect.signature(fun)
        except (TypeError, ValueError):
            self._signature = None
        numbers: set[int] = {nondiff_argnums} if isinstance(nondiff_argnums, int) else set(nondiff_argnums)
        names = [] if self._signature is None else list(self._signature.parameters)
        for name in (nondiff_argnames,) if isinstance(nondiff_argnames, str) else nondiff_argnames:
            if name not in names:
                raise ValueError(
                    f"{self._what}: {self._name} has no parameter {name!r}; it has {', '.join(names) or 'none'}"
                )
            numbers.add(names.index(name))
        self.nondiff_argnums: tuple[int, ...] = tuple(sorted(numbers))

    def __getattr__(self, name: str) -> Any:
        """The methods that set rules, of the function within, where it is one with rules itself."""
        if name in _SETTERS and isinstance(self.__dict__.get("fun"), CustomFunction):
            return getattr(self.fun, name)
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        return self if instance is None else functools.partial(cast(Any, self), instance)

    def _positional(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Any, ...]:
        """All arguments by position, defaults filled in.

        Raises:
            TypeError: if they do not fit the function's signature, or one can only be given by keyword.
        """
        if self._signature is None:
            return args
        try:
            bound = self._signature.bind(*args, **kwargs)
        except TypeError as error:
            raise TypeError(
                f"The input arguments to the {self._what}-decorated function {self._name} could not be resolved to "
                f"positional-only arguments. Binding failed with the error: {error}"
            ) from None
        bound.apply_defaults()
        if by_keyword := [name for name in bound.kwargs if name in kwargs]:
            raise TypeError(
                f"The input arguments to the {self._what}-decorated function {self._name} could not be resolved to "
                f"positional-only arguments: {', '.join(by_keyword)} can only be given by keyword"
            )
        return bound.args

    def _split(self, args: tuple[Any, ...]) -> tuple[list[Any], tuple[Any, ...]]:
        """The arguments that take no part in differentiation, and the others."""
        for n in self.nondiff_argnums:
            if n >= len(args):
                raise TypeError(
                    f"{self._what}: nondiff_argnums names argument {n}, but {self._name} was called with {len(args)}"
                )
        return [args[n] for n in self.nondiff_argnums], tuple(
            a for n, a in enumerate(args) if n not in self.nondiff_argnums
        )

    def _joined(self, static: Sequence[Any], others: Sequence[Any]) -> list[Any]:
        """All arguments in their order."""
        given = list(others)
        for n, value in zip(self.nondiff_argnums, static):
            given.insert(n, value)
        return given

    def _arrays(self, found: Sequence[Any], in_tree: Any) -> list[Any]:
        return arrays_of(found, self.fun, lambda i: tree.path_str(in_tree.paths()[i]))


def disagreeing(error: Exception) -> Exception:
    """The exception, marked as one that says that a rule does not fit its function: a checker tells it from others."""
    setattr(error, "rule_disagrees", True)  # noqa: B010
    return error


def results_of(value: Any, function: Callable[..., Any]) -> tuple[list[Any], Any]:
    """The arrays that a function gave, and their structure.

    Raises:
        TypeError: for a leaf that is no array-like.
    """
    found, structure = tree.flatten(value)
    arrays = arrays_of(found, function, lambda i: f"(a result) {tree.path_str(structure.paths()[i])}")
    return [materialized(a) for a in arrays], structure


def pair_of(value: Any, message: str) -> Any:
    """A pair that a function gave.

    Raises:
        TypeError: with the message, if it is none.
    """
    if not isinstance(value, tuple | list) or len(value) != 2:
        raise disagreeing(TypeError(f"{message}, but got {value!r:.80}"))
    return value


class OutTree:
    """The structure of the results, known when one of the functions has run; they must agree."""

    def __init__(self) -> None:
        self.tree: Any = None
        self.avals: list[ShapedArray] | None = None

    def enter(self, structure: Any, avals: list[ShapedArray], rule: str, name: str) -> None:
        """Note the structure and the types.

        Raises:
            TypeError: if others are known.
        """
        if self.tree is not None:
            if self.tree != structure:
                raise disagreeing(
                    TypeError(
                        f"the rule {rule} must give as its first result what {name} gives, in the same "
                        "container (pytree) "
                        f"structure, but one is {structure} and the other {self.tree}"
                    )
                )
            assert self.avals is not None
            if not all(map(same_type, avals, self.avals)):
                raise disagreeing(
                    TypeError(
                        f"the rule {rule} must give as its first result what {name} gives, with the same shapes and "
                        "dtypes, but "
                        f"one is {', '.join(map(short_aval, avals))} and the other "
                        f"{', '.join(map(short_aval, self.avals))}"
                    )
                )
        self.tree, self.avals = structure, avals

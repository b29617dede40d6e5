"""The hook tables: which of mypy's questions goes to which feature.  Nothing is decided here."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from mypy.nodes import MypyFile
from mypy.options import Options
from mypy.plugin import (
    AnalyzeTypeContext,
    AttributeContext,
    ClassDefContext,
    FunctionContext,
    MethodContext,
    MethodSigContext,
    Plugin,
    ReportConfigContext,
)
from mypy.types import FunctionLike, Type

from arraytyping_mypy.features import (
    attributes,
    builtins,
    containers,
    dtype_constructors,
    functions,
    generic_array,
    instance_variables,
    jaxtyping,
    operators,
    transformations,
    updates,
)
from arraytyping_mypy.fingerprint import fingerprint
from arraytyping_mypy.frameworks import (
    ARRAY,
    SCALAR_META,
    SCALARS_MODULE,
    UFUNC_CALLS,
    function_rule,
    method_rule,
    ndarray_rule,
)
from arraytyping_mypy.guard import guarded
from arraytyping_mypy.sessions import Sessions

__all__ = ["ArrayTypingPlugin"]


class ArrayTypingPlugin(Plugin):
    """mypy's plugin object: one for a build (or for a daemon's life)."""

    def __init__(self, options: Options) -> None:
        super().__init__(options)
        self.sessions = Sessions(options)
        self._functions: dict[str, Callable[[FunctionContext], Type] | None] = {}
        self._methods: dict[str, Callable[[MethodContext], Type] | None] = {}
        self._attributes: dict[str, Callable[[AttributeContext], Type] | None] = {}

    def report_config_data(self, ctx: ReportConfigContext) -> Any:
        """Whatever changes an answer: settings, rules, the versions of ours and of jax."""
        return fingerprint(self.sessions.settings, ctx.id)

    def get_additional_deps(self, file: MypyFile) -> list[tuple[int, str, int]]:
        """The modules whose classes results are made of must be loaded wherever arrays are."""
        if file.fullname == ARRAY.rpartition(".")[0]:
            return [(10, SCALARS_MODULE, -1)]
        if file.fullname == "jax.numpy":
            dtype_constructors.note_declarations(file)
            return [(10, SCALAR_META.rpartition(".")[0], -1)]
        return []

    def get_type_analyze_hook(self, fullname: str) -> Callable[[AnalyzeTypeContext], Type] | None:
        """Jaxtyping's annotations, and `Any` in the one place where it hides the dtypes of `jax.numpy`."""
        if fullname == "typing.Annotated":
            return partial(jaxtyping.analyze_annotated, self.sessions)
        return dtype_constructors.analyze_any if fullname == "typing.Any" else None

    def get_customize_class_mro_hook(self, fullname: str) -> Callable[[ClassDefContext], None] | None:
        """The array class becomes generic as it is analysed; other classes note what their methods rebind."""
        if fullname == ARRAY:
            return generic_array.make_generic
        if fullname == transformations.JIT_WRAPPED:
            return transformations.make_generic
        return instance_variables.note_rebound

    def get_function_hook(self, fullname: str) -> Callable[[FunctionContext], Type] | None:
        """Functions that have a rule, and functions that take functions."""
        try:
            return self._functions[fullname]
        except KeyError:
            found = (
                functions.hook(fullname, function_rule(fullname), self.sessions)
                or builtins.function_hook(fullname, self.sessions)
                or transformations.function_hook(fullname)
                or containers.function_hook(fullname)
            )
            hook = self._functions[fullname] = guarded(found, "default_return_type") if found else None
            return hook

    def get_method_hook(self, fullname: str) -> Callable[[MethodContext], Type] | None:
        """Methods and operators of arrays, calls of ufuncs and dtypes, operators of NumPy's arrays."""
        try:
            return self._methods[fullname]
        except KeyError:
            found = self._method(fullname)
            hook = self._methods[fullname] = guarded(found, "default_return_type") if found else None
            return hook

    def _method(self, fullname: str) -> Callable[[MethodContext], Type] | None:
        if (rule := method_rule(fullname)) is not None:
            name = fullname.rpartition(".")[2]
            if name == "__iter__":
                return partial(builtins.iterate, rule, self.sessions)
            feature = operators.call_operator if name in operators.METHODS else functions.call_method
            return partial(feature, rule, self.sessions)
        if fullname in UFUNC_CALLS:
            return partial(functions.call_ufunc, self.sessions)
        if fullname == f"{SCALAR_META}.__call__":
            return partial(dtype_constructors.call, self.sessions)
        if (rule := ndarray_rule(fullname)) is not None:
            return partial(operators.call_ndarray_operator, rule, self.sessions)
        if (update := updates.rule_of(fullname)) is not None:
            return partial(updates.call, update, self.sessions)
        return containers.method_hook(fullname)

    def get_method_signature_hook(self, fullname: str) -> Callable[[MethodSigContext], FunctionLike] | None:
        """Calls of jitted functions; what is put into a container of arrays."""
        if fullname in transformations.JIT_CALLS:
            return guarded(transformations.signature_of_call, "default_signature")
        found = containers.signature_hook(fullname)
        return guarded(found, "default_signature") if found else None

    def get_attribute_hook(self, fullname: str) -> Callable[[AttributeContext], Type] | None:
        """Attributes of arrays, and instance variables that hold arrays."""
        try:
            return self._attributes[fullname]
        except KeyError:
            rule = method_rule(fullname)
            found = (
                partial(attributes.read_attribute, rule, self.sessions)
                if rule is not None
                else instance_variables.hook(fullname, self.sessions)
            )
            hook = self._attributes[fullname] = guarded(found, "default_attr_type") if found else None
            return hook

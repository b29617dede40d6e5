"""The engines: our own rules, the installed jax, and NumPy; each call of a library goes to the one that knows it."""

from __future__ import annotations

import ast
import functools
from collections.abc import Callable
from typing import Any, Final

from arraytyping.avals import ShapedArray, shape_tuple_str
from arraytyping.flow.adapters.stateful import is_stateful_class
from arraytyping.flow.engines import foreign
from arraytyping.flow.engines import numpy as numpy_engine
from arraytyping.flow.engines.asking import Asker, NeedsLive, Outcome, copy_structure
from arraytyping.flow.engines.conversion import Abort, fresh_size, is_callable_value
from arraytyping.flow.engines.jax import JaxEngine
from arraytyping.flow.engines.objects import Objects
from arraytyping.flow.engines.partial import partial_result
from arraytyping.flow.engines.purity import is_pure
from arraytyping.flow.engines.pytrees import Pytrees
from arraytyping.flow.engines.refusals import is_trusted
from arraytyping.flow.engines.rules import OperatorNames, RuleEngine
from arraytyping.flow.exactness import exactly
from arraytyping.flow.functions import ANY_ARGUMENTS
from arraytyping.flow.identity import identity
from arraytyping.flow.interpreter import Interpreter, ProgramEnds, Raised, Recursion, Signal
from arraytyping.flow.sizes import of_dim
from arraytyping.flow.values import (
    MISSING,
    ArrayValue,
    AtValue,
    BoundMethod,
    ClassValue,
    DictValue,
    FunctionValue,
    HandlerValue,
    InstanceValue,
    IteratorValue,
    JitValue,
    ListValue,
    MethodOf,
    NumPyValue,
    OneOf,
    PartialValue,
    ScalarValue,
    SetValue,
    TreeValue,
    Unknown,
    Value,
    is_exact,
)

__all__ = ["Engines"]

JAX_LIKE: Final = ("jax", "jaxlib", "optax", "flax", "equinox", "chex", "jaxtyping", "ml_dtypes", "einops", "lineax",
                   "diffrax", "jaxopt", "distrax", "haiku", "quax", "orbax", "penzai", "numpyro", "blackjax")  # fmt: skip
"""Libraries that are written on jax: their functions are asked abstractly."""

_OF_TRACERS: Final = frozenset({"val", "batch_dim", "primal", "tangent", "full_lower", "_trace", "source_info"})
"""Attributes that only arrays under some of jax's transformations have."""

_OPERATOR_FUNCTIONS: Final[dict[str, Callable[..., Any]]] = {}


class Engines:
    """What answers for the operations and functions that the program does not define itself."""

    def __init__(self, jax: JaxEngine | None, answers: dict[Any, Outcome] | None = None) -> None:
        self._jax = jax
        self.rules = RuleEngine(self)
        self.kept_alive: dict[int, Any] = {}
        self.asker: Asker = None  # type: ignore[assignment]
        self.pytrees: Pytrees = None  # type: ignore[assignment]
        self._rule_names: dict[int, str] = {}
        self.class_of: dict[type, ClassValue] = {}
        """The classes of the program by the real classes that stand for them."""
        self.objects = Objects(self)
        if jax is not None:
            self.asker = Asker(self, jax, {} if answers is None else answers)
            self.pytrees = Pytrees(jax)
            self._rule_names = _rule_names(jax)

    @property
    def is_live(self) -> bool:
        """Whether every operation is traced by jax too, since a gradient's weak type depends on it."""
        return self.asker is not None and self.asker.live > 0

    @property
    def jax(self) -> JaxEngine:
        """The installed jax.

        Raises:
            Abort: if there is none.
        """
        if self._jax is None:
            raise Abort("jax is not installed")
        return self._jax

    # ------------------------------------------------------------------ calls

    def call(
        self, it: Interpreter, function: Any, args: list[Any], kwargs: dict[str, Any], node: ast.AST | None
    ) -> Any:
        """The result of a function, class or method of a library."""
        try:
            return self._call(it, function, args, kwargs, node)
        except Abort as abort:
            self.escape(it, [*args, *kwargs.values()])
            found = partial_result(self, it, function, args, kwargs, node)
            return it.unknown(abort.why) if found is MISSING else found
        except Signal:
            raise
        except RecursionError:
            return it.unknown("a value that contains itself")
        except Exception as error:
            self.escape(it, [*args, *kwargs.values()])
            return it.crash(error, f"the call of {getattr(function, '__name__', function)}")

    def _call(
        self, it: Interpreter, function: Any, args: list[Any], kwargs: dict[str, Any], node: ast.AST | None
    ) -> Any:
        if self.objects.take(function, [*args, *kwargs.values()]):
            return self.objects.call(it, function, args, kwargs, node)
        if "out_sharding" in kwargs:  # where an array lies changes no shape
            kwargs = {k: v for k, v in kwargs.items() if k != "out_sharding"}
        name = self._rule_names.get(id(function))
        if name is not None and not self.is_live:
            found = self.rules.evaluate(it, name, args, kwargs, node)
            if found is not MISSING:
                return found
        if type(function) is functools.partial:
            bound = [self.from_python(a) for a in function.args]
            named = {k: self.from_python(v) for k, v in function.keywords.items()}
            return it.call(function.func, [*bound, *args], {**named, **kwargs}, node)
        package = _package(function)
        if package in ("numpy", "scipy"):
            return numpy_engine.call(it, function, args, kwargs, node)
        values = [*args, *kwargs.values()]
        if getattr(function, "__module__", "") == "arraytyping.flow.program":
            package = "jax"  # a function of the program that a library has wrapped
        if package in JAX_LIKE or function in foreign.FUNCTIONS or self.is_array_operator(function):
            if package not in ("jax", "jaxlib") and self._is_plain(values) and not isinstance(function, HandlerValue):
                return self._directly(it, function, args, kwargs, node)
            return self.asker.ask(it, function, args, kwargs, node)
        if all(map(is_exact, values)) and is_pure(function):
            try:
                return self.from_python(function(*args, **kwargs))
            except (
                TypeError,
                ValueError,
                KeyError,
                IndexError,
                ZeroDivisionError,
                OverflowError,
                AttributeError,
            ) as error:
                return it.fail(node, "array-call", f"{type(error).__name__}: {error}")
        if is_pure(function) and not isinstance(function, type):
            found = exactly(it, function, args, kwargs, node)  # of lists and dicts that are known
            if found is not MISSING:
                return found
        self.escape(it, values)
        return it.unknown(
            f"{getattr(function, '__module__', '') or ''}.{getattr(function, '__name__', type(function).__name__)} is not understood"
        )

    def _is_plain(self, values: list[Any]) -> bool:
        """Whether no abstract value is among the arguments, so that the library's function can be called as it is."""
        for v in values:
            if isinstance(v, tuple):
                if not self._is_plain(list(v)):
                    return False
            elif isinstance(v, ListValue):
                if v.items is None or not self._is_plain(v.items):
                    return False
            elif isinstance(v, DictValue):
                if v.items is None or not self._is_plain(list(v.items.values())):
                    return False
            elif (isinstance(v, InstanceValue) and v.cls.pytree is not None) or (
                isinstance(v, Value) and not is_callable_value(v) and not isinstance(v, ClassValue)
            ):
                return False
        return True

    def _directly(
        self, it: Interpreter, function: Any, args: list[Any], kwargs: dict[str, Any], node: ast.AST | None
    ) -> Any:
        from arraytyping.flow.engines.asking import _Question

        question = _Question(self.asker, it, node)
        try:
            result = function(
                *(question.convert(a) for a in args), **{k: question.convert(v) for k, v in kwargs.items()}
            )
        except Signal:
            raise
        except (TypeError, ValueError) as error:
            if not is_trusted(error):
                return it.unknown("what stands for a value of the program is refused")
            return it.fail(node, "array-call", f"{type(error).__name__}: {error}")
        except Exception as error:
            return it.unknown(f"{getattr(function, '__name__', function)} failed: {type(error).__name__}")
        if question.callbacks and hasattr(result, "__enter__"):
            self.escape(it, [*args, *kwargs.values()])  # which may be called inside
        if question.callbacks and type(result) is bool:
            return ScalarValue(bool)  # what stands for a function of the program is not equal to itself
        return self.from_real(it, result, node)

    def from_real(self, it: Interpreter, result: Any, node: ast.AST | None) -> Any:
        """The value of what a library returned."""
        from arraytyping.flow.engines.conversion import from_jax

        made = (it.frame.module.shown, getattr(node, "lineno", 0)) if node is not None else None
        return from_jax(self.jax, result, lambda _: it.staged > 0, made, self.asker._build(it, node))

    # ------------------------------------------------------------------ operators, attributes, methods of arrays

    def is_array_operator(self, function: Any) -> bool:
        """Whether this is one of the operators of Python."""
        return getattr(function, "__module__", "") in ("_operator", "operator", "arraytyping.flow.engines")

    def binary(self, it: Interpreter, op: str, a: Any, b: Any, node: ast.AST | None) -> Any:
        """An operator of which an operand is an array."""
        if not isinstance(a, ArrayValue) and not isinstance(b, ArrayValue):
            return numpy_engine.binary(it, op, a, b, node)
        if is_stateful_class(type(a)) or is_stateful_class(type(b)):
            import operator

            return self.call(it, getattr(operator, op), [a, b], {}, node)
        stem = OperatorNames.get(op)
        if stem is not None:
            left = isinstance(a, ArrayValue)
            reflected = {"lt": "gt", "gt": "lt", "le": "ge", "ge": "le", "eq": "eq", "ne": "ne"}
            name = f"Array.__{stem}__" if left else f"Array.__{reflected.get(stem, 'r' + stem)}__"
            args = [a, b] if left else [b, a]
            try:
                found = self.rules.evaluate(it, name, args, {}, node)
            except Abort:
                found = MISSING
            if found is not MISSING:
                return found
        import operator

        return self.call(it, getattr(operator, op), [a, b], {}, node)

    def unary(self, it: Interpreter, op: str, a: Any, node: ast.AST | None) -> Any:
        """A unary operator of an array."""
        if isinstance(a, NumPyValue):
            return numpy_engine.unary(it, op, a, node)
        try:
            found = self.rules.evaluate(it, f"Array.__{op}__", [a], {}, node)
        except Abort:
            found = MISSING
        if found is not MISSING:
            return found
        import operator

        return self.call(it, getattr(operator, op), [a], {}, node)

    def getitem(self, it: Interpreter, a: ArrayValue, index: Any, node: ast.AST | None) -> Any:
        """`a[index]`."""
        try:
            found = self.rules.evaluate(it, "Array.__getitem__", [a, index], {}, node)
        except Abort:
            found = MISSING
        if found is not MISSING:
            return found
        return self.call(it, _getitem, [a, index], {}, node)

    def attribute(self, it: Interpreter, a: ArrayValue, name: str, node: ast.AST | None) -> Any:
        """An attribute or a method of an array; MISSING if arrays have none of this name."""
        aval = a.aval
        if name == "shape":
            if aval.shape is None:
                return it.unknown("the shape of an array of unknown rank")
            return tuple(self._dim(d) for d in aval.shape)
        if name == "ndim":
            return ScalarValue(int) if aval.shape is None else len(aval.shape)
        if name == "dtype":
            return (
                it.unknown("the dtype of an array of unknown dtype")
                if aval.dtype is None
                else self.jax.dtype(aval.dtype)
            )
        if name == "size":
            return self._size(aval)
        if name == "weak_type":
            return ScalarValue(bool) if aval.weak_type is None else aval.weak_type
        if name in ("T", "mT", "real", "imag"):
            try:
                found = self.rules.evaluate(it, f"Array.{name}", [a], {}, node)
            except Abort:
                found = MISSING
            return found if found is not MISSING else self.call(it, _attribute, [a, name], {}, node)
        if not hasattr(self.jax.jax.Array, name) and not hasattr(self._sample(), name):
            return it.unknown(f"attribute {name} of a tracer") if name in _OF_TRACERS else MISSING
        if callable(getattr(self._sample(), name, None)):
            return MethodOf(a, name)
        if name in ("nbytes", "itemsize"):
            return ScalarValue(int)
        return it.unknown(f"attribute {name} of an array")

    def _sample(self) -> Any:
        found = self.kept_alive.get(-1)
        if found is None:
            with self.jax.jax.ensure_compile_time_eval():  # no tracer, which has fewer methods
                found = self.kept_alive[-1] = self.jax.jax.numpy.zeros((), "float32")
        return found

    def _dim(self, dim: Any) -> Any:
        if isinstance(dim, int):
            return dim
        return ScalarValue(int, size=of_dim(dim))

    def _size(self, aval: ShapedArray) -> Any:
        if aval.shape is None or None in aval.shape:
            return ScalarValue(int)
        if (known := aval.size) is not None:
            return known
        from arraytyping.flow.operators import from_size
        from arraytyping.flow.sizes import Size

        total = Size({(): 1})
        for d in aval.shape:
            size = of_dim(d)
            if size is None:
                return ScalarValue(int)
            total = total * size
        return from_size(total)

    def method(
        self, it: Interpreter, receiver: Any, name: str, args: list[Any], kwargs: dict[str, Any], node: ast.AST | None
    ) -> Any:
        """A method of an array, a NumPy array, `x.at[i]`, or an object of a library."""
        if isinstance(receiver, NumPyValue):
            return numpy_engine.method(it, receiver, name, args, kwargs, node)
        if isinstance(receiver, AtValue):
            return self._at(it, receiver, name, args, kwargs, node)
        if isinstance(receiver, TreeValue):
            return foreign.call_tree_method(self, it, receiver, name, args, kwargs, node)
        assert isinstance(receiver, ArrayValue)
        if name in ("item", "tolist", "__float__", "__int__", "__bool__", "__index__", "__array__"):
            return self._to_python(it, receiver, name, node)
        if name in ("block_until_ready", "copy_to_host_async", "copy_to_host", "delete"):
            return receiver if name == "block_until_ready" else None
        try:
            found = self.rules.evaluate(it, f"Array.{name}", [receiver, *args], kwargs, node)
        except Abort:
            found = MISSING
        if found is not MISSING:
            return found
        return self.call(it, _method, [receiver, name, *args], kwargs, node)

    def _to_python(self, it: Interpreter, a: ArrayValue, name: str, node: ast.AST | None) -> Any:
        if a.traced:
            return it.fail(
                node,
                "array-traced",
                f".{name}() of a tracer {a.aval}: it has no value yet; do this outside of the traced function, or use "
                "jax.debug.print to see it",
            )
        if name == "__array__":
            return numpy_engine.from_aval(a)
        shape = a.aval.shape
        if name == "tolist" and shape != ():
            if shape is None or not all(isinstance(d, int) for d in shape):
                return it.unknown("the list of an array of unknown shape")
            return _nested(a, shape)
        if shape is not None and (size := a.aval.size) is not None and size != 1:
            what = f"{name}() of an array of shape {shape_tuple_str(shape)}: only an array of one element has it"
            return it.fail(node, "array-shape", what)
        return python_scalar(a)

    def _at(
        self, it: Interpreter, at: AtValue, name: str, args: list[Any], kwargs: dict[str, Any], node: ast.AST | None
    ) -> Any:
        if at.index is MISSING:
            return it.unknown(f"x.at.{name} without an index")
        if isinstance(at.array, Unknown):
            return at.array
        if _is_traced_mask(at.index):
            # Whether jax accepts it depends on whether the mask is a tracer, of which the rule knows nothing.
            return self.call(it, _at, [name, at.array, at.index, *args], kwargs, node)
        try:
            found = self.rules.evaluate(it, f"Array.at.{name}", [at.array, at.index, *args], kwargs, node)
        except Abort:
            found = MISSING
        if found is not MISSING:
            return found
        return self.call(it, _at, [name, at.array, at.index, *args], kwargs, node)

    def call_tree(
        self, it: Interpreter, tree: TreeValue, args: list[Any], kwargs: dict[str, Any], node: ast.AST | None
    ) -> Any:
        """The call of an object of a library."""
        return foreign.call_tree(self, it, tree, args, kwargs, node)

    def tree_attribute(self, it: Interpreter, tree: TreeValue, name: str, node: ast.AST | None) -> Any:
        """An attribute of an object of a library."""
        return foreign.tree_attribute(self, it, tree, name, node)

    def put_tree_attribute(self, it: Interpreter, tree: TreeValue, name: str, value: Any, node: ast.AST | None) -> None:
        """Bind an attribute of an object of a library: not followed."""
        it.unknown(f"attribute {name} of a library's object is bound")

    def tree_getitem(self, it: Interpreter, tree: TreeValue, index: Any, node: ast.AST | None) -> Any:
        """An item of an object of a library."""
        return foreign.tree_getitem(self, it, tree, index, node)

    def put_tree_item(self, it: Interpreter, tree: TreeValue, index: Any, value: Any, node: ast.AST | None) -> None:
        """Assign an item of an object of a library: not followed."""
        it.unknown("an item of a library's object is assigned")

    def tree_iterate(self, it: Interpreter, tree: TreeValue, node: ast.AST | None) -> tuple[list[Any] | None, Any]:
        """The items of an object of a library."""
        return foreign.tree_iterate(self, it, tree, node)

    # ------------------------------------------------------------------ NumPy

    def numpy_attribute(self, it: Interpreter, value: NumPyValue, name: str, node: ast.AST | None) -> Any:
        """An attribute of a NumPy array."""
        return numpy_engine.attribute(it, value, name, node)

    def numpy_getitem(self, it: Interpreter, value: NumPyValue, index: Any, node: ast.AST | None) -> Any:
        """An item of a NumPy array."""
        return numpy_engine.getitem(it, value, index, node)

    def numpy_setitem(self, it: Interpreter, value: NumPyValue, index: Any, item: Any, node: ast.AST | None) -> None:
        """Assign an item of a NumPy array."""
        numpy_engine.setitem(it, value, index, item, node)

    def numpy_iterate(self, it: Interpreter, value: NumPyValue, node: ast.AST | None) -> tuple[list[Any] | None, Any]:
        """The items of a NumPy array."""
        found: tuple[list[Any] | None, Any] = numpy_engine.iterate(it, value, node)
        return found

    # ------------------------------------------------------------------ Python's own objects

    def from_python(self, value: Any) -> Any:
        """The value of an exact object that Python or a library gives."""
        if value is None or isinstance(value, bool | str | bytes | type) or type(value) in (int, float, complex):
            return value
        if isinstance(value, Value):
            return value
        if isinstance(value, tuple):
            if type(value) is tuple:
                return tuple(map(self.from_python, value))
            return value
        if type(value) is list:
            return ListValue([self.from_python(v) for v in value])
        if type(value) is dict:
            return DictValue({k: self.from_python(v) for k, v in value.items()})
        if type(value) in (set, frozenset):
            return SetValue(dict.fromkeys(value), kind=type(value))
        kind = type(value).__module__.partition(".")[0]
        if kind in ("numpy", "ml_dtypes") and hasattr(value, "dtype") and hasattr(value, "shape"):
            return numpy_engine.from_array(value)
        if self._jax is not None and self._jax.is_array(value):
            return self.from_concrete(value)
        if type(value).__name__ in (
            "dict_keys",
            "dict_values",
            "dict_items",
            "map",
            "zip",
            "enumerate",
            "reversed",
            "filter",
            "list_iterator",
            "generator",
            "tuple_iterator",
        ):
            return IteratorValue([self.from_python(v) for v in value])
        return value

    def from_concrete(self, value: Any) -> ArrayValue:
        """The value of an array that a library holds."""
        aval = self.jax.aval(value)
        return ArrayValue(ShapedArray(tuple(aval.shape), self.jax.dtype_name(aval.dtype), bool(aval.weak_type)))

    def library_attribute(self, it: Interpreter, value: Any, name: str) -> Any:
        """An attribute of an exact object; MISSING if it has none."""
        if is_stateful_class(type(value)):
            return self.objects.attribute(it, value, name, it.chain[-1][2] if it.chain else None)
        try:
            found = getattr(value, name)
        except AttributeError:
            if isinstance(value, type(ast)):
                return self._submodule(it, value, name)
            return MISSING
        except Exception:
            return it.unknown(f"attribute {name} of a library's object")
        stands = it.registry.find_object(found)
        if stands is None and type(found) is dict and (getattr(value, "__name__", None) or "").startswith("jax"):
            return it.unknown("a table of jax, which programs may add to")
        return self.from_python(found) if stands is None else stands(it)

    def _submodule(self, it: Interpreter, module: Any, name: str) -> Any:
        return it.importer.library_submodule(it, module.__name__, name)

    # ------------------------------------------------------------------ classes of the program that derive from a library's

    def instance_of(self, cls: ClassValue, children: tuple[Any, ...], rest: Any) -> Any:
        """The instance of a class of the program that a library holds as a pytree."""
        return self.asker.instance_of(cls, children, rest)

    def real_object(self, it: Interpreter, value: InstanceValue) -> Any:
        """The object of a library that an instance of the program stands for; None if there is none."""
        return value.cls.options.get("real object", lambda i, v: None)(it, value)

    def real_class(self, it: Interpreter, cls: ClassValue) -> Any:
        """The class of a library that a class of the program stands for; None if there is none."""
        return cls.options.get("real class")

    # ------------------------------------------------------------------ what escapes

    def escape(self, it: Interpreter, values: list[Any]) -> None:
        """These values went where we cannot follow: their functions may be called with anything, once each."""
        for value in values:
            self._escape(it, value, 0)

    def _escape(self, it: Interpreter, value: Any, depth: int) -> None:
        if depth > 4:
            return
        bound: list[Any] = []
        keywords: dict[str, Any] = {}
        while isinstance(value, PartialValue | BoundMethod | JitValue | HandlerValue):
            if isinstance(value, PartialValue):
                bound, keywords, value = [*value.args, *bound], {**value.kwargs, **keywords}, value.function
            elif isinstance(value, BoundMethod):
                bound, value = [value.receiver, *bound], value.function
            elif isinstance(value, JitValue):
                value = value.function
            else:
                for wrapped in value.wraps:
                    self._escape(it, wrapped, depth + 1)
                return
        if isinstance(value, FunctionValue):
            self._call_with_anything(it, value, bound, keywords)
        elif isinstance(value, tuple):
            for v in value:
                self._escape(it, v, depth + 1)
        elif isinstance(value, ListValue) and value.items:
            for v in value.items:
                self._escape(it, v, depth + 1)
        elif isinstance(value, DictValue) and value.items:
            for v in list(value.items.values()):
                self._escape(it, v, depth + 1)
        elif isinstance(value, InstanceValue) and isinstance(method := value.cls.find("__call__"), FunctionValue):
            self._call_with_anything(it, method, [value], {})
        elif isinstance(value, OneOf):
            for v in value.values:
                self._escape(it, v, depth + 1)

    def _call_with_anything(
        self, it: Interpreter, function: FunctionValue, bound: list[Any], keywords: dict[str, Any]
    ) -> None:
        if not function.frame.module.is_program:
            return
        key = (identity(function), tuple(map(identity, bound)))  # what it closes over is seen too
        if key in it.escaped:
            return
        it.escaped.add(key)
        spec = function.node.args
        count = len(spec.posonlyargs) + len(spec.args) - len(bound)
        anything = Unknown("a function that is called from where flow cannot follow")
        args = [*bound, *([anything] * max(0, count)), ANY_ARGUMENTS]
        named = {p.arg: anything for p in spec.kwonlyargs if p.arg not in keywords}
        kept = {k: v for k, v in keywords.items() if k in {p.arg for p in spec.kwonlyargs}}
        with it.quietly():
            try:
                it.call(function, args, {**named, **kept}, None)
            except (Raised, Recursion, Abort, ProgramEnds, NeedsLive):
                pass

    def copy(self, value: Any) -> Any:
        """A result that is kept, with containers of its own."""
        return copy_structure(value)

    def fresh(self, it: Interpreter, hint: str) -> Any:
        """A size of its own."""
        return fresh_size(it, hint)


def _getitem(a: Any, index: Any) -> Any:
    return a[index]


def _attribute(a: Any, name: str) -> Any:
    return getattr(a, name)


def _method(a: Any, name: str, /, *args: Any, **kwargs: Any) -> Any:
    return getattr(a, name)(*args, **kwargs)


def _at(name: str, a: Any, index: Any, /, *args: Any, **kwargs: Any) -> Any:
    return getattr(a.at[index], name)(*args, **kwargs)


def _is_traced_mask(index: Any) -> bool:
    """Whether a tracer of truth values is part of an index."""
    if isinstance(index, tuple):
        return any(map(_is_traced_mask, index))
    return isinstance(index, ArrayValue) and index.traced and index.aval.dtype == "bool" and index.aval.shape != ()


def python_scalar(a: ArrayValue) -> Any:
    """The Python scalar that an array of one element holds."""
    dtype = a.aval.dtype
    if dtype is None or dtype.startswith("key<"):
        return Unknown("the element of an array of unknown dtype")
    if type(a.aval.value) in (bool, int, float, complex):
        return ScalarValue(_kind(dtype))
    return ScalarValue(_kind(dtype))


def _kind(dtype: str) -> type:
    if dtype == "bool":
        return bool
    if dtype.startswith(("int", "uint")):
        return int
    return complex if dtype.startswith("complex") else float


def _nested(a: ArrayValue, shape: tuple[Any, ...]) -> Any:
    if not shape:
        return python_scalar(a)
    if shape[0] > 256:
        return ListValue(None, _nested(a, shape[1:]))
    return ListValue([_nested(a, shape[1:]) for _ in range(shape[0])])


def _package(function: Any) -> str:
    """The package of a function, class or object of a library."""
    module = getattr(function, "__module__", None)
    if not isinstance(module, str):
        module = getattr(type(function), "__module__", "") or ""
    if module in ("builtins", "") and getattr(function, "__self__", None) is not None:
        owner = function.__self__
        module = owner.__name__ if isinstance(owner, type(ast)) else type(owner).__module__
    return module.partition(".")[0]


def _rule_names(jax: JaxEngine) -> dict[int, str]:
    """The rules by the functions of jax.numpy that they describe."""
    from arraytyping.rules.families import RULES

    found: dict[int, str] = {}
    for name in RULES:
        parts = name.split(".")
        if parts[0] != "numpy":
            continue
        target: Any = jax.jax.numpy
        for part in parts[1:]:
            target = getattr(target, part, None)
        if target is not None:
            found.setdefault(id(target), name)
    return found

"""The arguments of a question to jax: what is abstract in them is taken out, and tracers are put in its place."""

from __future__ import annotations

import ast
import re
from itertools import product
from typing import Any, Final

from arraytyping.checker.flow.engines.callbacks import Callbacks
from arraytyping.checker.flow.engines.conversion import (
    PYTHON_DTYPES,
    Abort,
    Callback,
    Leaf,
    Node,
    dim_to_jax,
    is_callable_value,
)
from arraytyping.checker.flow.engines.module_sizes import no_less_than_zero
from arraytyping.checker.flow.engines.several_results import MOST_TRIALS
from arraytyping.checker.flow.real_calls.permissions import may_enter
from arraytyping.checker.flow.real_calls.weights import WIDEST, weight_of
from arraytyping.checker.flow.state.fresh_sizes import as_size, fresh_size
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.values import (
    ArrayValue,
    BaseValue,
    ClassValue,
    DictValue,
    InstanceValue,
    IteratorValue,
    ListValue,
    NumPyValue,
    ScalarValue,
    SetValue,
    TreeValue,
    UnionValue,
    Unknown,
    Value,
    is_concrete,
    remake_tuple,
)
from arraytyping.checker.swallowed import swallow
from arraytyping.semantics.avals import ShapedArray

__all__ = ["Question"]

_NAMED: Final = re.compile(r"\btracers\[(\d+)\]")
"""How jax names an argument of a question, of which `run` in `asking` calls all `tracers`."""


class Question:
    """The arguments of one question, with their abstract leaves taken out."""

    def __init__(self, callbacks: Callbacks, it: Interpreter, node: ast.AST | None) -> None:
        self._callbacks = callbacks
        self._pytrees = callbacks.engines.pytrees
        self._jax = callbacks.jax
        self.it = it
        self.node = node
        self.leaves: list[Any] = []
        """What is abstract in them, by the numbers of the `Leaf`s."""
        self.callables: int = 0
        """How many functions of the program are among the arguments."""
        self.alternatives: list[UnionValue] = []
        """What keeps the question from being asked as it is: it must be asked for each."""

    # -------------------------------------------------------------- out

    def convert(self, value: Value) -> Value:
        """The value with `Leaf`s in place of what is abstract."""
        if isinstance(value, ArrayValue):
            return self._array(value)
        if isinstance(value, NumPyValue):
            return self._numpy(value)
        if isinstance(value, ScalarValue):
            return self._scalar(value)
        if isinstance(value, tuple):
            return remake_tuple(value, [self.convert(v) for v in value])
        if isinstance(value, ListValue | IteratorValue):
            if value.items is None:
                raise Abort("a list of unknown length")
            return [self.convert(v) for v in value.items]
        if isinstance(value, DictValue):
            return self._dict(value)
        if isinstance(value, SetValue):
            if value.items is None:
                raise Abort("a set of unknown items")
            return value.kind(value.items)
        if type(value) is slice:
            return slice(self.convert(value.start), self.convert(value.stop), self.convert(value.step))
        if isinstance(value, Unknown):
            raise Abort(value.why)
        # Each of them is asked for in a question of its own, by who looks at `alternatives`.
        if isinstance(value, UnionValue):
            self.alternatives.append(value)
            return None
        if isinstance(value, InstanceValue):
            return self._instance(value)
        if isinstance(value, TreeValue):
            leaves = [self.convert(leaf) for leaf in value.leaves]
            try:
                return value.treedef.unflatten(leaves)
            except Exception as error:
                swallow(error)
                raise Abort("a library's object that is made of arrays only") from None
        # A class goes to jax as itself only where it is a real one: else as a function that makes instances.
        if isinstance(value, ClassValue):
            if value.tuple_type is not None:
                return value.tuple_type
            real = self._callbacks.engines.real_class(self.it, value)
            return real if real is not None else self._callback(value)
        if is_callable_value(value):
            return self._callback(value)
        if isinstance(value, BaseValue):
            raise Abort("an argument that jax does not take")
        return self._concrete(value)

    def _array(self, value: ArrayValue) -> Value:
        aval = value.aval
        if aval.shape is None or aval.dtype is None:
            raise Abort("an array of unknown rank" if aval.shape is None else "an array of unknown dtype")
        shape = self._callbacks.engines.unknown_sizes.named(self.it, aval.shape)
        if shape != aval.shape:
            key = value.key
            value = value.another()
            value.aval, value.key = ShapedArray(shape, aval.dtype, aval.weak_type), key
        return self._leaf(value)

    def _numpy(self, value: NumPyValue) -> Value:
        if value.data is not None:
            return value.data[()] if value.is_scalar else value.data
        if value.shape is None or value.dtype is None:
            raise Abort("a NumPy array of which a part is unknown")
        shape = self._callbacks.engines.unknown_sizes.named(self.it, value.shape)
        return self._leaf(value if shape == value.shape else NumPyValue(shape, value.dtype))

    def _scalar(self, value: ScalarValue) -> Value:
        if str in value.kinds or bytes in value.kinds:
            raise Abort("a string that is not known")
        if len(value.kinds) > 1:
            raise Abort("a number of which it is not known of what type")
        return self._leaf(value)

    def _dict(self, value: DictValue) -> Value:
        if value.items is None:
            raise Abort("a dict of unknown keys")
        if not all(map(is_concrete, value.items)):
            raise Abort("a dict whose keys are classes or functions of the program")
        items = {k: self.convert(v) for k, v in value.items.items()}
        return items if value.kind is dict else self._other_dict(value, items)

    def _instance(self, value: InstanceValue) -> Value:
        """An instance of the program: a pytree's node, else an object of a library's class, else a callback."""
        if self._pytrees.is_tree(value):
            children, rest = self._pytrees.flatten(self.it, value, self.node)
            self.callables += is_callable_value(value)
            self._callbacks.instances_call_back(self.it)
            converted = tuple(self.convert(c) for c in children)
            return self._pytrees.node(value, converted, rest)
        real = self._callbacks.engines.real_object(self.it, value)
        if real is not None:
            return real
        if is_callable_value(value):
            return self._callback(value)
        raise Abort(f"an instance of {value.cls.name}, which is no pytree")

    def _concrete(self, value: Value) -> Value:
        """A concrete object; one that must not be called is a callback, which gives something unknown."""
        if may_enter(value):
            if weight_of(value, WIDEST) > WIDEST:
                raise Abort("a huge argument")
            return value
        if callable(value):
            return self._callback(value)
        raise Abort("an object that holds what is not called")

    def _other_dict(self, value: DictValue, items: dict[Any, Value]) -> Value:
        try:
            made = value.kind()
            made.update(items)
            return made
        except Exception as error:
            swallow(error)
            return items

    def _callback(self, value: Value) -> Value:
        self.callables += 1
        return self._callbacks.callback(self.it, value, self.node)

    def _leaf(self, value: Value) -> Leaf:
        self.leaves.append(value)
        return Leaf(len(self.leaves) - 1)

    # -------------------------------------------------------------- what the leaves are

    @property
    def scalars(self) -> list[int]:
        """The leaves that are Python scalars of unknown value."""
        return [i for i, leaf in enumerate(self.leaves) if isinstance(leaf, ScalarValue)]

    @property
    def any_traced(self) -> bool:
        """Whether an argument is a tracer in the program too."""
        return any(isinstance(leaf, ArrayValue) and leaf.traced for leaf in self.leaves)

    @property
    def all_traced(self) -> bool:
        """Whether every abstract argument is a tracer in the program too."""
        return bool(self.leaves) and all(isinstance(leaf, ArrayValue) and leaf.traced for leaf in self.leaves)

    def is_of_traced(self, refusal: str) -> bool:
        """Whether a refusal of jax, which wants the value of a tracer, is about tracers of the program alone."""
        named = [int(number) for number in _NAMED.findall(refusal)]
        if not named:
            return self.all_traced
        leaves = [self.leaves[n] for n in named if n < len(self.leaves)]
        return all(isinstance(leaf, ArrayValue) and leaf.traced for leaf in leaves)

    @property
    def any_weak(self) -> bool:
        """Whether an argument has a weak type, or may have one."""
        return any(
            isinstance(leaf, ScalarValue) or (isinstance(leaf, ArrayValue) and leaf.aval.weak_type)
            for leaf in self.leaves
        )

    @property
    def numbers(self) -> frozenset[int]:
        """The sizes of the arguments that are known."""
        return frozenset(
            d
            for leaf in self.leaves
            for d in (getattr(getattr(leaf, "aval", leaf), "shape", ()) or ())
            if isinstance(d, int)
        )

    @property
    def is_displaced(self) -> bool:
        """Whether it is not known of an array where it lies."""
        if not self._jax.is_mesh_known:
            return True
        return self._jax.has_places and any(isinstance(a, ArrayValue) and a.place is None for a in self.leaves)

    def weak_types(self) -> tuple[bool, ...]:
        """What is tried for arrays of unknown weak type."""
        unknown = any(isinstance(leaf, ArrayValue) and leaf.aval.weak_type is None for leaf in self.leaves)
        return (False, True) if unknown else (False,)

    def static_choices(self, it: Interpreter) -> list[dict[int, Value]]:
        """For each unknown scalar a static value: an int is a symbolic size, a bool both."""
        choices: list[list[Any]] = []
        for i in self.scalars:
            leaf = self.leaves[i]
            if leaf.kinds == (bool,):
                choices.append([False, True])
            elif leaf.kinds == (int,):
                size = as_size(leaf.size) if leaf.size is not None else fresh_size(it, "u")
                if (dim := no_less_than_zero(size)) is None:
                    raise Abort("an int that may be negative")
                choices.append([dim_to_jax(self._jax, dim)])
            else:
                raise Abort("a float whose value is asked for")
        combinations = list(product(*choices))
        if len(combinations) > MOST_TRIALS:
            raise Abort("too many unknown flags")
        return [dict(zip(self.scalars, chosen)) for chosen in combinations]

    def avals(self, scalars: Any, weak: bool) -> tuple[list[Value], dict[int, Value]]:
        """The abstract arguments of jax, and the static values of the other leaves."""
        jax = self._jax
        static = {} if scalars == "traced" else dict(scalars)
        avals = []
        for i, leaf in enumerate(self.leaves):
            if i in static:
                continue
            if isinstance(leaf, ScalarValue):
                (kind,) = leaf.kinds
                avals.append(jax.struct((), jax.canonical(PYTHON_DTYPES[kind]), kind is not bool))
            elif isinstance(leaf, NumPyValue):
                assert leaf.shape is not None
                assert leaf.dtype is not None
                try:
                    dtype = jax.canonical(leaf.dtype)
                except Exception as error:
                    swallow(error)
                    raise Abort(f"a NumPy array of {leaf.dtype}") from None
                avals.append(jax.struct(tuple(dim_to_jax(jax, d) for d in leaf.shape), dtype, False))
            else:
                aval = leaf.aval
                is_weak = weak if aval.weak_type is None else aval.weak_type
                dims = tuple(dim_to_jax(jax, d) for d in aval.shape)
                avals.append(jax.struct(dims, jax.dtype(aval.dtype), is_weak, leaf.place))
        return avals, static

    def restore(self, value: Value, values: dict[int, Value]) -> Any:
        """The arguments with tracers in place of the leaves."""
        if isinstance(value, Leaf):
            return values[value.number]
        if isinstance(value, tuple):
            return remake_tuple(value, [self.restore(v, values) for v in value])
        if type(value) is list:
            return [self.restore(v, values) for v in value]
        if isinstance(value, dict):
            restored = {k: self.restore(v, values) for k, v in value.items()}
            return restored if type(value) is dict else self._like(value, restored)
        if type(value) is slice:
            return slice(*(self.restore(v, values) for v in (value.start, value.stop, value.step)))
        if isinstance(value, Node):
            children = tuple(self.restore(c, values) for c in value.children)
            return type(value)(value.cls, children, value.rest)
        if isinstance(value, Callback):
            return value if self._jax.invented is None else value.again()
        if not is_concrete(value) or isinstance(value, str | int | float | bool | type(None)):
            return value
        return self._restore_tree(value, values)

    def _like(self, value: Any, items: dict[Any, Any]) -> Value:
        made = type(value)()
        made.update(items)
        return made

    def _restore_tree(self, value: Value, values: dict[int, Value]) -> Value:
        """A library's pytree whose leaves are `Leaf`s."""
        tree = self._jax.tree_util
        try:
            leaves, treedef = tree.tree_flatten(value, is_leaf=lambda v: isinstance(v, Leaf))
        except Exception as error:
            swallow(error)
            return value
        if len(leaves) == 1 and leaves[0] is value:
            return value
        if not any(isinstance(leaf, Leaf) for leaf in leaves):
            return value
        return treedef.unflatten([self.restore(leaf, values) for leaf in leaves])

"""`inspect.signature` and `inspect.getfullargspec` of callables of the program."""

from __future__ import annotations

from flow_values import interpreted, run, wrong_claims

from arraytyping.checker.flow.values import Unknown, walk

PROGRAM = """
import abc, functools, inspect
import jax
class A(abc.ABC):
    def __init__(self, mode, init_rng=None, *rest, k=3, **kw): pass
    @classmethod
    def made(cls, a, b=1): return cls(a)
    def method(self, x, /, y): pass
class B(A): pass
class C:
    def __new__(cls, *args): return object.__new__(cls)
    def __init__(self, x): pass
def f(a, b=2.0, *, c, d=4): return a
def wraps(g):
    @functools.wraps(g)
    def wrapped(*args, **kwargs): return g(*args, **kwargs)
    return wrapped
part = functools.partial(f, 1)
jitted = jax.jit(lambda x, y: x)
wrapped = wraps(f)
described = [
    [(p.name, p.kind.name, p.default is inspect.Parameter.empty) for p in inspect.signature(g).parameters.values()]
    for g in (A, B, A(1).method, A.made, f, part, jitted, wrapped)
]
names = list(inspect.signature(f).parameters)
default = inspect.signature(f).parameters["d"].default
kinds = [p.kind is p.VAR_KEYWORD or p.kind == inspect.Parameter.KEYWORD_ONLY
         for p in inspect.signature(A).parameters.values()]
takes = "init_rng" in inspect.signature(B).parameters
other = list(inspect.signature(C).parameters)
spec = inspect.getfullargspec(f)
full = spec.args, spec.kwonlyargs, spec.varargs, spec.defaults
of_method = inspect.getfullargspec(A(1).method).args
either = list(inspect.signature(f if jax.device_count() > 1 else part).parameters)
"""


def test_parameters_are_those_that_python_finds() -> None:
    variables, result = interpreted(PROGRAM)
    assert not result.diagnostics
    shown = ("described", "names", "default", "kinds", "takes", "other", "full", "of_method", "either")
    real = run(PROGRAM)
    assert not wrong_claims(PROGRAM, {n: variables[n] for n in shown}, {n: real[n] for n in shown})
    assert variables["takes"] is True
    assert variables["default"] == 4
    assert [len(row.items) for row in variables["described"].items] == [len(row) for row in real["described"]]


def test_what_is_no_callable_is_not_known() -> None:
    variables, result = interpreted("import inspect\nx = inspect.signature(3)\ny = inspect.getfullargspec('a')\n")
    assert not result.crashes
    assert "x" in variables


BIND = """
import functools, inspect
import jax.numpy as jnp
def f(a, b=2.0, *rest, c=jnp.ones(2), **more): return a
class A:
    def method(self, x, /, y=1, *, z=0): return x
sig = inspect.signature(f)
one = sig.bind(jnp.ones(3), c=4, d=5)
names = list(one.arguments)
args, kwargs = one.args, one.kwargs
one.apply_defaults()
filled, filled_args, filled_kwargs = dict(one.arguments), one.args, one.kwargs
many = sig.bind(1, 2, 3, 4)
many_args = many.args
many.arguments["a"] = jnp.zeros(5)
changed = many.args
part = inspect.signature(A().method).bind_partial(z=3)
part_kwargs, part_args = part.kwargs, part.args
part.apply_defaults()
part_filled = dict(part.arguments)
def checked(function):
    sig = inspect.signature(function)
    @functools.wraps(function)
    def call(*args, **kwargs):
        bound = sig.bind(*args, **kwargs)
        bound.apply_defaults()
        for name, value in bound.arguments.items():
            if isinstance(value, float):
                bound.arguments[name] = jnp.asarray(value)
        return function(*bound.args, **bound.kwargs)
    return call
@checked
def g(x, y=1.5, *, z=2.5): return x, y, z
given = g(jnp.ones(2), z=3.5)
try:
    inspect.signature(lambda x: x).bind()
    is_refused = False
except TypeError:
    is_refused = True
"""


def test_bound_arguments_are_those_that_python_binds() -> None:
    """Also where the program changes them, and where it leaves them to the defaults."""
    variables, result = interpreted(BIND)
    assert not result.diagnostics
    assert not result.crashes
    real = run(BIND)
    shown = ("names", "args", "kwargs", "filled", "filled_args", "filled_kwargs", "many_args", "changed", "part_kwargs",
             "part_args", "part_filled", "given", "is_refused")  # fmt: skip
    assert not wrong_claims(BIND, {n: variables[n] for n in shown}, {n: real[n] for n in shown})
    assert not [n for n in shown for v in walk(variables[n]) if isinstance(v, Unknown)]

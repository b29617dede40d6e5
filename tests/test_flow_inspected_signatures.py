"""`inspect.signature` and `inspect.getfullargspec` of callables of the program."""

from __future__ import annotations

from flow_values import interpreted, run, wrong_claims

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

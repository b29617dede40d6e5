# ruff: noqa: E501
"""Programs that want the checker itself to run, write, connect, load or never end, by kinds.

Each begins with `PRELUDE`, in which `HERE` is a directory to leave traces in.  A program is written in one line or a
few after a line `--- kind: name`; the kind says what it tries.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

__all__ = ["BOMBS", "HOSTILE", "PRELUDE", "programs"]

PRELUDE = """
import os, sys, subprocess, socket, pickle, json, operator, functools, itertools, collections, typing, types, enum
import bisect, difflib, re, string, inspect, ast, copy, dataclasses, pathlib, shutil, tempfile, ctypes, math, heapq
import fractions, decimal, hashlib, statistics, struct, textwrap, contextlib, weakref, importlib, random, datetime
import numpy as np
import jax
import jax.numpy as jnp
CMD = "touch " + HERE + "/ran"
FILE = HERE + "/made"
VICTIM = HERE + "/victim"
"""


def _named(programs: str) -> dict[str, str]:
    parts = [part.partition("\n") for part in programs.split("\n--- ")[1:]]
    return {name: source for name, _, source in parts}


def programs(table: dict[str, str], here: str, is_each: bool = False) -> Iterator[tuple[str, str]]:
    """The programs, which leave their traces in this directory: one for each line, or for each expression.

    What a line needs, such as an import or a class, is in each program of its block; what does not end an expression
    early, such as an exception, is tried.
    """
    prelude = f"HERE = {here!r}\n{PRELUDE}"
    for name, source in table.items():
        body = ast.parse(source).body
        lines: dict[int, list[ast.stmt]] = {}
        for i, statement in enumerate(body):
            if isinstance(statement, ast.Expr):
                lines.setdefault(i if is_each else statement.lineno, []).append(statement)
        needed = [statement for statement in body if not isinstance(statement, ast.Expr)]
        for number, statements in lines.items() or {0: []}.items():
            until = max((s.lineno for s in statements), default=10**6)
            before = [s for s in needed if s.lineno <= until or not statements]
            text = "\n".join(ast.unparse(s) for s in (*before, *(s if is_each else _guarded(s) for s in statements)))
            yield f"{name} ({number})", f"{prelude}\n{text}\n"


def _guarded(statement: ast.stmt) -> ast.stmt:
    """The statement, and the program goes on whatever it raises."""
    handler = ast.ExceptHandler(ast.Name("BaseException", ast.Load()), None, [ast.Pass()])
    return ast.fix_missing_locations(ast.Try([statement], [handler], [], []))


HOSTILE = _named(r"""
--- exec: operator.call
operator.call(os.system, CMD)
--- exec: json encoder
json.JSONEncoder(default=os.system).encode({1: object()}); json.dumps([object()], default=lambda o: os.system(CMD))
json.JSONEncoder(default=functools.partial(os.system, CMD)).encode(object())
--- exec: json decoder
json.loads('{"a": 1}', object_hook=functools.partial(operator.call, os.system, CMD)); json.loads('[1.5]', parse_float=lambda s: os.system(CMD))
json.JSONDecoder(object_pairs_hook=os.system).decode('{"a": 1}'); json.loads("[1]", parse_int=os.mkdir); json.loads("[NaN]", parse_constant=os.mkdir)
--- exec: difflib
difflib.SequenceMatcher(os.system, [CMD], [CMD]).ratio()
difflib.SequenceMatcher(os.system, CMD, CMD)
difflib.ndiff([CMD], [CMD], linejunk=os.system); list(difflib.ndiff([CMD], [CMD], os.system))
difflib.Differ(os.system).compare([CMD], [CMD])
--- exec: forward reference
typing.ForwardRef("__import__('os').system('" + CMD + "')")._evaluate(globals(), locals(), frozenset())
typing.ForwardRef("__import__('os').system('" + CMD + "')")._evaluate({}, {}, recursive_guard=frozenset())
typing._eval_type(typing.List["__import__('os').system('" + CMD + "')"], {}, {})
--- exec: type hints
class C: x: "__import__('os').system('" + CMD + "')"
typing.get_type_hints(C); typing.get_type_hints(types.SimpleNamespace(__annotations__={"x": "__import__('os').system('" + CMD + "')"}))
inspect.signature(C, eval_str=True); inspect.get_annotations(C, eval_str=True)
--- exec: bisect with a key
bisect.insort([], FILE, key=os.mkdir); bisect.bisect(["a"], "b", key=os.system); bisect.bisect_left([CMD], CMD, key=os.system)
bisect.insort(a=[FILE], x=FILE, key=os.mkdir)
--- exec: new class
types.new_class("C", (), {"metaclass": os.execve}); types.new_class("C", (subprocess.Popen,), {})(CMD)
types.new_class("C", (), {}, functools.partial(operator.call, os.system)); types.prepare_class("C", (), {"metaclass": os.system})
--- exec: metaclass of a flax module
import flax.linen as nn
class M(nn.Module, metaclass=os.execve): pass
M(CMD)
--- exec: base of a flax module
import flax.linen as nn
class M(nn.Module, subprocess.Popen): pass
M(["touch", FILE])
class N(subprocess.Popen, nn.Module): pass
N(["touch", FILE])
--- exec: mixin of an enumeration
class E(subprocess.Popen, enum.Enum): A = CMD
class F(subprocess.Popen, enum.Enum): A = (["touch", FILE],)
E(CMD); F(["touch", FILE])
--- exec: functional enumeration
E = enum.Enum("E", {"_missing_": os.system, "A": 1}); E(CMD)
enum.Enum("F", {"A": CMD}, type=subprocess.Popen); enum.Enum("G", ["A"], module=os, type=pathlib.Path)
enum.Enum("H", {"_generate_next_value_": os.system, "A": enum.auto()})
--- exec: partial and reduce
functools.partial(os.system, CMD)(); functools.reduce(lambda a, b: os.system(CMD), [1, 2, 3]); functools.reduce(operator.call, [os.system, CMD])
functools.partial(operator.call, os.system)(CMD); functools._functools.reduce(operator.call, [os.system, CMD])
--- exec: map and filter
list(map(os.system, [CMD])); list(filter(os.system, [CMD])); sorted([CMD, CMD], key=os.system); min([CMD, "b"], key=os.system); max([CMD], key=os.system)
[CMD].sort(key=os.system); any(map(os.system, [CMD])); list(itertools.starmap(os.system, [(CMD,)])); dict(zip([1], map(os.system, [CMD])))
--- exec: itertools
list(itertools.accumulate([os.system, CMD], operator.call)); list(itertools.takewhile(os.system, [CMD])); list(itertools.dropwhile(os.system, [CMD]))
list(itertools.filterfalse(os.system, [CMD])); [k for k, _ in itertools.groupby([CMD], os.system)]; list(iter(functools.partial(os.system, CMD), 0))
--- exec: substitution by a function
re.sub(".+", lambda m: str(os.system(CMD)), CMD); re.sub(".+", os.system, CMD); re.compile(".+").sub(os.system, CMD); re.subn(".+", os.mkdir, FILE)
re.Scanner([(".+", os.system)]).scan(CMD)
--- exec: formats with attributes
"{0.system}".format(os); "{x.__globals__}".format(x=os.walk); string.Formatter().vformat("{0.system}", (os,), {})
format(os, ""); "{0.__class__.__init__.__globals__}".format(subprocess.Popen)
--- exec: method callers
operator.methodcaller("system", CMD)(os); operator.attrgetter("system")(os)(CMD); operator.itemgetter("x")({"x": os.system})(CMD)
getattr(os, "sys" + "tem")(CMD); vars(os)["system"](CMD); os.__dict__["popen"](CMD)
--- exec: descriptors
class D:
    __get__ = os.system
    __set__ = os.system
    __set_name__ = os.system
class C:
    d = D()
    p = property(functools.partial(os.system, CMD)); q = staticmethod(os.system); r = functools.cached_property(os.system)
C().p; C.q(CMD); C().d; C().r
--- exec: special methods
class C:
    __init_subclass__ = functools.partial(os.system, CMD); __class_getitem__ = os.system; __call__ = os.system; __len__ = os.system
    __eq__ = os.system; __hash__ = os.system; __add__ = os.system; __iter__ = os.system; __enter__ = os.system; __del__ = os.system; __repr__ = os.system
class E(C): pass
C[CMD]; C() + CMD; C() == CMD; hash(C()); len(C()); list(C()); str(C())
with C() as c: pass
--- exec: dataclasses
dataclasses.make_dataclass("C", [("x", "__import__('os').system('" + CMD + "')")]); dataclasses.make_dataclass("C", [("x", int, dataclasses.field(default_factory=functools.partial(os.system, CMD)))])()
@dataclasses.dataclass
class C: x: int = dataclasses.field(default_factory=functools.partial(os.system, CMD))
C(); dataclasses.asdict(C(), dict_factory=os.system)
--- exec: default factories
collections.defaultdict(functools.partial(os.system, CMD))["x"]; collections.defaultdict(os.getcwd)["x"]; collections.UserDict(map(os.system, [CMD]))
collections.ChainMap({}, collections.defaultdict(functools.partial(os.system, CMD)))["x"]
--- exec: eval and exec
eval("os.system(CMD)"); exec("os.system(CMD)"); exec(compile("os.system(CMD)", "x", "exec")); __import__("os").system(CMD); importlib.import_module("os").system(CMD)
[c for c in ().__class__.__base__.__subclasses__() if c.__name__ == "Popen"][0](CMD, shell=True)
--- exec: code objects
types.FunctionType(compile("os.system(CMD)", "x", "exec"), globals())(); types.FunctionType(os.walk.__code__, {"__builtins__": {}})
types.CodeType; (lambda: 0).__code__.replace(co_names=("system",)); os.walk.__code__.replace(co_name="x"); types.LambdaType(os.walk.__code__, {})
--- exec: globals of functions
os.walk.__globals__["path"]; json.dumps.__globals__; textwrap.dedent.__globals__["re"]; collections.namedtuple.__globals__["_sys"].modules["os"].system(CMD)
jax.vmap.__globals__; jnp.sum.__wrapped__.__globals__; functools.partial(os.walk.__globals__["sys"].modules["os"].system, CMD)()
--- exec: methods bound to callables
types.MethodType(os.system, CMD)(); types.MethodType(operator.call, os.system)(CMD); os.system.__call__(CMD); subprocess.run.__call__(["touch", FILE])
os.system.__call__.__call__(CMD); functools.partial(os.system).__call__(CMD); os.walk.__get__(1)()
--- exec: subprocess
subprocess.run(CMD, shell=True); subprocess.check_output(["touch", FILE]); subprocess.Popen(["touch", FILE]); os.popen(CMD).read(); os.posix_spawn("/bin/touch", ["touch", FILE], {})
os.execv("/bin/touch", ["touch", FILE]); os.spawnl(os.P_WAIT, "/bin/touch", "touch", FILE); subprocess.getoutput(CMD)
--- exec: fork and signals
os.fork(); os.forkpty(); os.kill(os.getpid(), 9); os.abort(); os._exit(3); import signal; signal.raise_signal(9); signal.alarm(1)
--- exec: other modules that run commands
import pty, webbrowser, timeit, code, runpy, profile, pdb, trace, doctest, asyncio, multiprocessing, concurrent.futures, sched, threading, atexit
pty.spawn(["touch", FILE]); webbrowser.open("file://" + FILE); timeit.timeit("__import__('os').system('" + CMD + "')", number=1); runpy.run_path(VICTIM)
code.InteractiveInterpreter().runsource("__import__('os').system('" + CMD + "')"); profile.run("1"); threading.Thread(target=os.system, args=(CMD,)).start()
multiprocessing.Process(target=os.system, args=(CMD,)).start(); concurrent.futures.ThreadPoolExecutor().submit(os.system, CMD); atexit.register(os.system, CMD)
weakref.finalize(C := type("C", (), {}), os.system, CMD); contextlib.ExitStack().callback(os.system, CMD)
--- exec: context managers
with contextlib.ExitStack() as s: s.callback(os.system, CMD)
with contextlib.closing(subprocess.Popen(["touch", FILE])): pass
contextlib.contextmanager(os.system)(CMD); contextlib.nullcontext(os.system).__enter__()(CMD); contextlib.redirect_stdout(open(FILE, "w"))
--- exec: string templates and text
textwrap.indent(CMD, "x", predicate=os.system); textwrap.TextWrapper(fix_sentence_endings=os.system).fill(CMD); string.Template(CMD).substitute(collections.defaultdict(os.getcwd))
struct.pack("i", types.SimpleNamespace(__index__=os.system)); math.floor(types.SimpleNamespace(__floor__=os.system)); "".join(map(os.system, [CMD]))
--- exec: singledispatch and caches
functools.lru_cache(os.system)(CMD); functools.cache(os.system)(CMD); functools.singledispatch(os.system)(CMD); functools.cmp_to_key(os.system)
sorted([CMD, CMD], key=functools.cmp_to_key(lambda a, b: os.system(CMD))); functools.wraps(os.walk)(os.system)(CMD); functools.singledispatchmethod(os.system)
--- exec: heapq and statistics
heapq.nlargest(1, [CMD], key=os.system); heapq.nsmallest(1, [CMD], os.system); list(heapq.merge([CMD], [CMD], key=os.system)); statistics.mean(map(os.system, [CMD]))
random.shuffle([CMD], os.system); random.Random(3).shuffle([CMD], os.system)
--- exec: argparse
import argparse
p = argparse.ArgumentParser(); p.add_argument("--x", type=os.system, default=CMD); p.parse_args([]); p.parse_args(["--x", CMD]); p.register("type", "x", os.system)
--- exec: click and absl
import click
@click.command()
@click.option("--x", default=CMD, type=os.system, callback=os.system)
def f(x): pass
f([]); click.edit(filename=FILE, editor="touch"); click.launch(FILE); click.echo_via_pager(CMD); click.open_file(FILE, "w")
from absl import app, flags
flags.DEFINE("x", types.SimpleNamespace(parse=os.system), CMD, "x")
--- exec: equinox lambda
import equinox as eqx
eqx.nn.Lambda(os.system)(CMD); eqx.nn.Sequential([eqx.nn.Lambda(os.system)])(CMD); eqx.nn.Lambda(functools.partial(os.system, CMD))()
eqx.nn.Lambda(os.mkdir)(FILE); eqx.nn.MLP(2, 2, 2, 1, activation=os.system, key=jax.random.key(0))(CMD); eqx.nn.Lambda([os.system][0])(CMD)
--- exec: equinox transformations
import equinox as eqx
eqx.filter_jit(os.system)(CMD); eqx.filter_vmap(os.system)(CMD); eqx.filter_grad(os.system)(CMD); eqx.filter_eval_shape(os.system, CMD); eqx.filter_pure_callback(os.system, CMD, result_shape_dtypes=1)
eqx.tree_at(os.system, [CMD], 1); eqx.tree_at(lambda t: t[0], [CMD], replace_fn=os.system); eqx.filter([CMD], os.system); eqx.partition([CMD], os.system); eqx.filter_closure_convert(os.system, CMD)
--- exec: equinox fields and internals
import equinox as eqx
class M(eqx.Module):
    x: str = eqx.field(converter=os.system, default=CMD)
    f: typing.Callable = os.system
M(); M().f(CMD); eqx.internal.while_loop(os.system, os.system, CMD, kind="lax"); eqx.internal.scan(os.system, CMD, [CMD], kind="lax"); eqx.module_update_wrapper(M)
--- exec: optax masks and schedules
import optax
optax.masked(optax.sgd(1.0), os.system).init({"a": CMD}); optax.masked(os.system, True).init(CMD); optax.chain(os.system); optax.stateless(os.system).update(CMD, ())
optax.inject_hyperparams(os.system)(CMD); optax.sgd(os.system); optax.multi_transform({"a": optax.sgd(1.0)}, os.system).init({"x": CMD}); optax.GradientTransformation(os.system, os.system).init(CMD)
optax.scale_by_schedule(os.system).init(CMD); optax.join_schedules([os.system], []); optax.tree.map(os.system, CMD) if hasattr(optax.tree, "map") else 0; optax.conditionally_mask(os.system, os.system)
--- exec: flax nnx
from flax import nnx
nnx.Sequential(os.system)(CMD); nnx.jit(os.system)(CMD); nnx.vmap(os.system)(CMD); nnx.List([os.system])[0](CMD); nnx.map_state(os.system, {"a": CMD}) if hasattr(nnx, "map_state") else 0
class M(nnx.Module):
    def __init__(self): self.f = os.system; self.g = functools.partial(os.system, CMD)
M().f(CMD); M().g(); nnx.Linear(2, 3, kernel_init=os.system, rngs=nnx.Rngs(0)); nnx.Param(CMD, get_value=os.system).value; nnx.Variable(1, on_get_value=os.system).value
--- exec: flax linen
import flax.linen as nn
nn.Sequential([os.system])(CMD); nn.Dense(3, kernel_init=os.system).init(jax.random.key(0), jnp.ones(2)); nn.Dense(CMD, kernel_init=os.mkdir)
class M(nn.Module):
    f: typing.Callable = os.system
    @nn.compact
    def __call__(self, x): return self.f(CMD)
M().init(jax.random.key(0), 1); M(f=os.system).apply({}, 1); nn.jit(os.system)(CMD); nn.map_variables(os.system, "x", os.system); nn.apply(os.system, M())({}, CMD); nn.init(os.system, M())(1, CMD)
--- exec: flax struct and core
import flax
flax.core.apply(os.system)({}, CMD); flax.core.init(os.system)(jax.random.key(0), CMD); flax.traverse_util.path_aware_map(os.system, {"a": CMD}); flax.traverse_util.ModelParamTraversal(os.system).update(os.system, {"a": CMD})
flax.serialization.register_serialization_state(str, os.system, os.system); flax.jax_utils.prefetch_to_device(map(os.system, [CMD]), 1); flax.serialization.msgpack_restore(b"\x80"); flax.traverse_util.flatten_dict({"a": {"b": 1}}, is_leaf=os.system)
--- exec: jax trees
jax.tree.map(os.system, CMD); jax.tree.map(os.system, [CMD]); jax.tree_util.tree_map(os.system, {"a": CMD}); jax.tree.reduce(operator.call, [os.system, CMD]); jax.tree.leaves([CMD], is_leaf=os.system)
jax.tree_util.tree_map_with_path(os.system, [CMD]); jax.tree_util.Partial(os.system, CMD)(); jax.tree_util.tree_reduce(os.system, [CMD, CMD]); jax.tree.map(operator.call, [os.system], [CMD]); jax.tree_util.all_leaves([CMD], is_leaf=os.system)
jax.tree.transpose(1, 2, 3); jax.tree_util.tree_structure(CMD).unflatten([CMD]).__class__; jax.tree_util.build_tree(jax.tree.structure([1]), [os.system])[0](CMD); jax.tree_util.register_pytree_node(str, os.system, os.system); jax.tree.leaves([CMD])
--- exec: jax transformations
jax.jit(os.system)(CMD); jax.vmap(os.system)(CMD); jax.grad(os.system)(CMD); jax.eval_shape(os.system, CMD); jax.make_jaxpr(os.system)(CMD); jax.checkpoint(os.system)(CMD); jax.jit(os.system, static_argnums=0)(CMD)
jax.custom_jvp(os.system)(CMD); jax.custom_vjp(os.system)(CMD); jax.linearize(os.system, CMD); jax.named_call(os.system)(CMD); jax.eval_shape(functools.partial(os.system, CMD)); jax.closure_convert(os.system, CMD); jax.jit(os.mkdir, static_argnums=(0,)).lower(FILE)
--- exec: jax control flow
jax.lax.cond(True, os.system, os.system, CMD); jax.lax.scan(os.system, CMD, None, length=2); jax.lax.while_loop(os.system, os.system, CMD); jax.lax.fori_loop(0, 2, os.system, CMD); jax.lax.map(os.system, [CMD]); jax.lax.switch(0, [os.system], CMD)
jax.lax.cond(True, functools.partial(os.system, CMD), functools.partial(os.system, CMD)); jax.lax.associative_scan(os.system, CMD); jax.lax.reduce(CMD, CMD, os.system, (0,)); jax.lax.custom_root(os.system, CMD, os.system, os.system)
--- exec: jax callbacks
jax.pure_callback(os.system, 1, CMD); jax.debug.callback(os.system, CMD); jax.experimental.io_callback(os.system, 1, CMD); jax.debug.callback(functools.partial(os.system, CMD)); jax.pure_callback(lambda: os.system(CMD), jnp.ones(()))
jax.make_array_from_callback((2,), jax.sharding.SingleDeviceSharding(jax.devices()[0]), functools.partial(os.system, CMD)); jax.debug.print("{x}", x=CMD, formatter=os.system)
--- exec: jax private functions
from jax._src.util import safe_map, safe_zip, wraps, partition_list, memoize, cache
safe_map(os.system, [CMD]); list(safe_map(os.system, [CMD])); wraps(os.walk)(os.system)(CMD); memoize(os.system)(CMD); cache()(os.system)(CMD); partition_list([True], [os.system])
from jax._src import api_util, linear_util, core, tree_util, traceback_util
linear_util.wrap_init(os.system, debug_info=None).call_wrapped(CMD); traceback_util.api_boundary(os.system)(CMD); tree_util.generate_key_paths(CMD); core.eval_context; jax._src.util.safe_map(os.system, [CMD])
--- exec: jax numpy with functions
jnp.vectorize(os.system)(CMD); jnp.apply_along_axis(os.system, 0, CMD); jnp.piecewise(jnp.ones(2), [True, False], [os.system, os.mkdir]); jnp.fromfunction(os.system, (2,)); jnp.frompyfunc(os.system, 1, 1)(CMD); jnp.apply_over_axes(os.system, CMD, 0)
jnp.fromiter(map(os.system, [CMD]), int); jnp.array(os.system); jnp.asarray([os.system]); jnp.ufunc(os.system, 1, 1)(CMD); jnp.where(True, os.system, CMD)
--- exec: numpy with functions
np.vectorize(os.system)(CMD); np.apply_along_axis(os.system, 0, [CMD]); np.frompyfunc(os.system, 1, 1)(CMD); np.fromfunction(os.system, (2,)); np.piecewise([1.0], [True], [os.system]); np.fromiter(map(os.system, [CMD]), int); np.apply_over_axes(os.system, [1], 0)
np.seterrcall(os.system); np.array([os.system])[0](CMD); np.set_printoptions(formatter={"all": os.system}); np.array2string(np.ones(2), formatter={"all": os.system}); np.genfromtxt([CMD], converters={0: os.system}); np.loadtxt([CMD], converters=os.system, dtype=str)
np.testing.assert_raises(Exception, os.system, CMD); np.testing.run_module_suite; np.block(os.system); np.array([os.system, CMD], dtype=object).sum(); np.frompyfunc(operator.call, 2, 1)(os.system, CMD); np.add.reduce(np.array([os.system]))
--- exec: numpy objects
np.array([functools.partial(os.system, CMD)], dtype=object)[0](); np.vectorize(operator.call)([os.system], [CMD]); np.array([pathlib.Path(FILE)]).tolist()[0].mkdir(); np.lib.NumpyVersion("1.0"); np.ndarray((2,), object, np.zeros(2)); np.core if hasattr(np, "core") else 0
--- exec: numpy programs
np.f2py.compile("x") if hasattr(np, "f2py") else 0; import numpy.f2py; numpy.f2py.run_main([FILE]); numpy.f2py.compile(b"x", modulename="m"); np.test(); np.show_config(); numpy.testing.measure("__import__('os').system('" + CMD + "')"); numpy.testing.rundocs(VICTIM); import numpy.f2py.__main__; import numpy.distutils
--- exec: chex and einops
import chex
chex.assert_tree_all_finite(CMD); chex.assert_trees_all_equal_comparator(os.system, os.system, CMD, CMD); chex.all_variants(os.system); chex.assert_max_traces(os.system, n=1)(CMD); chex.chexify(os.system)(CMD); chex.fake_jit(); chex.assert_tree_is_on_host(CMD); chex.create_deprecated_function_alias(os.system, "a", "b")(CMD); chex.with_jittable_assertions(os.system)(CMD); chex.fake_vmap(os.system)(CMD); chex.dimensions
--- exec: jaxtyping hooks
import jaxtyping
jaxtyping.install_import_hook("json", "os.system"); jaxtyping.jaxtyped(typechecker=os.system)(os.system)(CMD); jaxtyping.install_import_hook(["json"], None); jaxtyping.Float[os.system, CMD] if 0 else 0; jaxtyping.load_ipython_extension(os); jaxtyping.config.update("x", os.system)
--- exec: pytest and unittest
import pytest, unittest
pytest.main([HERE]); unittest.main(); unittest.TextTestRunner().run(unittest.FunctionTestCase(functools.partial(os.system, CMD))); unittest.mock.patch("os.system") if hasattr(unittest, "mock") else 0; pytest.raises(Exception, os.system, CMD); pytest.importorskip("antigravity"); pytest.deprecated_call(os.system, CMD)
import unittest.mock
unittest.mock.patch("os.sep", new_callable=functools.partial(os.system, CMD)).start(); unittest.mock.Mock(side_effect=os.system)(CMD); unittest.mock.MagicMock(wraps=os.system)(CMD)
--- exec: logging and warnings
import logging, logging.config, logging.handlers, warnings
logging.config.dictConfig({"version": 1, "formatters": {"f": {"()": "os.system", "command": CMD}}}); logging.FileHandler(FILE); logging.basicConfig(filename=FILE); logging.handlers.SocketHandler("localhost", 80); warnings.showwarning = os.system; warnings.warn(CMD); logging.config.listen(); logging.setLoggerClass(os.system)
--- exec: modules that run when imported
import antigravity, this, asyncio.__main__, json.tool, unittest.__main__, pytest.__main__, numpy.f2py.__main__, click.__main__, idlelib.idle, ensurepip.__main__, turtledemo.__main__, jax.tools.colab_tpu
--- exec: monkeypatching libraries
np.sum = os.system; jnp.sum = os.system; os.path.join = os.system; json.dumps.__defaults__ = (os.system,); math.sqrt = os.system; functools.reduce = os.system; jax.nn.relu = os.system; str.upper = os.system; sys.modules["math"] = os; collections.OrderedDict.__init__ = os.system
np.sum(CMD); jnp.sum(CMD); os.path.join(CMD); math.sqrt(CMD); jax.nn.relu(CMD); sys.excepthook = os.system; sys.settrace(os.system); sys.addaudithook(os.system); builtins.print = os.system; print(CMD); sys.meta_path.append(types.SimpleNamespace(find_spec=os.system)); sys.path_hooks.append(os.system); import nowhere_to_be_found
--- exec: flow's own modules
import arraytyping
arraytyping.checker.flow.real_calls.library_imports.import_library("this"); from arraytyping.checker.flow.real_calls import concrete_calls; concrete_calls.concretely(None, os.system, [CMD], {}, None); from arraytyping.checker.flow.engines.foreign import _call; _call(os.system, CMD); import arraytyping.checker.cli; arraytyping.checker.cli.main(["audit", VICTIM])
import arraytyping.checker.flow.report.child, arraytyping.checker.audit; sys.modules["arraytyping.checker.flow.real_calls.permissions"]._given[id(os.system)] = os.system; sys.modules["arraytyping.checker.flow.real_calls.permissions"].note_given(os.system)
--- write: open and os
open(FILE, "w"); open(FILE, "x").write("x"); os.open(FILE, os.O_CREAT | os.O_WRONLY); os.mkdir(FILE); os.makedirs(FILE + "/x"); os.symlink("/", FILE); os.mkfifo(FILE); os.mknod(FILE); os.truncate(VICTIM, 0); os.chmod(VICTIM, 0); os.utime(VICTIM); os.link(VICTIM, FILE); os.rename(VICTIM, FILE); os.write(1, b"x"); open(VICTIM, "a").write("x"); import io; io.FileIO(FILE, "w"); io.open(FILE, "w")
--- write: pathlib
p = pathlib.Path(FILE); p.write_text("x"); p.touch(); p.mkdir(); p.open("w"); pathlib.Path.touch(p); pathlib.PosixPath(FILE).write_bytes(b""); (pathlib.Path(HERE) / "made").touch(); pathlib.Path(VICTIM).rename(FILE); pathlib.Path(FILE).symlink_to("/"); pathlib.Path(VICTIM).chmod(0); [pathlib.Path(FILE)][0].mkdir(parents=True); operator.methodcaller("touch")(p); pathlib.Path.mkdir(pathlib.PurePath(FILE)); functools.partial(pathlib.Path.touch, p)()
--- write: shutil and tempfile
shutil.copy(VICTIM, FILE); shutil.copytree(HERE, FILE); shutil.move(VICTIM, FILE); tempfile.mkdtemp(dir=HERE); tempfile.NamedTemporaryFile(dir=HERE, delete=False); tempfile.mkstemp(dir=HERE); tempfile.TemporaryDirectory(dir=HERE); shutil.make_archive(FILE, "zip", HERE); shutil.unpack_archive(VICTIM, FILE, "zip"); shutil.chown(VICTIM, 0)
--- write: numpy
np.save(FILE, np.ones(2)); np.savez(FILE, np.ones(2)); np.savetxt(FILE, np.ones(2)); np.savez_compressed(FILE, x=1); np.ones(2).tofile(FILE); np.ones(2).dump(FILE); np.memmap(FILE, mode="w+", shape=2); np.lib.format.open_memmap(FILE, "w+", shape=(2,)); np.ones(2).view(np.ndarray).tofile(FILE); np.float32(1).tofile(FILE); np.lib.npyio.DataSource(HERE).open("http://localhost/x"); np.lib.format.write_array(open(FILE, "wb"), np.ones(2)); np.ndarray.tofile(np.ones(2), FILE)
operator.methodcaller("tofile", FILE)(np.ones(2)); np.savetxt.__call__(FILE, np.ones(2)); np.save.__wrapped__(FILE, np.ones(2)); functools.partial(np.save, FILE)(np.ones(2)); list(map(np.save, [FILE], [np.ones(2)])); jax.tree.map(np.save, [FILE], [np.ones(2)]); np.lib.npyio.save(FILE, np.ones(2)) if hasattr(np.lib.npyio, "save") else 0; np.rec.array(np.ones(2)).tofile(FILE); np.char.array([CMD]).tofile(FILE)
--- write: jax
jnp.save(FILE, jnp.ones(2)); jnp.savez(FILE, jnp.ones(2)); jax.profiler.start_trace(HERE); jax.profiler.save_device_memory_profile(FILE); jax.profiler.trace(HERE).__enter__(); jax.numpy.array(np.ones(2)).tofile(FILE); jax.numpy.ones(2).dump(FILE); jax.tree.map(functools.partial(np.save, FILE), [np.ones(2)]); jax.collect_profile
jax.jit(jnp.sin).lower(1.0).compile(compiler_options={"xla_dump_to": HERE}); jax.jit(lambda x: x, compiler_options={"xla_dump_to": HERE})(1.0); jax.config.update("jax_compilation_cache_dir", HERE); jax.config.update("jax_dump_ir_to", HERE); jnp.sin.lower(1.0).compile({"xla_dump_to": HERE}); jax.config.jax_dump_ir_to; jax.export.export(jax.jit(jnp.sin))(1.0).serialize()
from jax.experimental import compilation_cache; compilation_cache.compilation_cache.set_cache_dir(HERE); jax.experimental.compilation_cache.compilation_cache.initialize_cache(HERE)
from jax._src.path import Path; Path(FILE).write_text("x"); from jax._src.lru_cache import LRUCache; LRUCache(HERE, max_size=1); from jax._src import profiler; profiler.start_trace(HERE)
--- write: libraries
import equinox as eqx, flax, flax.training.checkpoints
eqx.tree_serialise_leaves(FILE, jnp.ones(2)); eqx.tree_serialise_leaves(FILE, 1); eqx.default_serialise_filter_spec(open(FILE, "wb"), 1); flax.training.checkpoints.save_checkpoint(HERE, {"a": 1}, 1); flax.io.GFile(FILE, "w") if hasattr(flax.io, "GFile") else 0; flax.io.makedirs(FILE); flax.io.copy(VICTIM, FILE); flax.io.rmtree(HERE); flax.training.checkpoints.save_checkpoint_multiprocess(HERE, {}, 1); functools.partial(flax.io.makedirs, FILE)()
--- write: formats of the standard library
import csv, sqlite3, dbm, shelve, zipfile, tarfile, gzip, bz2, lzma, configparser, wave, plistlib, mailbox, marshal, logging, cProfile, tracemalloc, faulthandler, py_compile, compileall, zipapp, venv, ensurepip, distutils
sqlite3.connect(FILE); dbm.open(FILE, "c"); shelve.open(FILE); zipfile.ZipFile(FILE, "w"); tarfile.open(FILE, "w"); gzip.open(FILE, "w"); bz2.open(FILE, "w"); lzma.open(FILE, "w"); wave.open(FILE, "w"); mailbox.mbox(FILE); py_compile.compile(VICTIM, FILE); compileall.compile_dir(HERE); zipapp.create_archive(HERE, FILE); venv.create(FILE); json.dump({}, open(FILE, "w")); pickle.dump({}, open(FILE, "wb")); faulthandler.enable(open(FILE, "w")); cProfile.run("1", FILE); ensurepip.bootstrap(root=HERE)
--- write: as an argument
list(map(open, [FILE], ["w"])); json.load(open(FILE, "w+")); print("x", file=open(FILE, "w")); contextlib.closing(open(FILE, "w")); jax.tree.map(open, [FILE], ["w"]); functools.partial(open, FILE, "w")(); sorted([FILE], key=pathlib.Path(FILE).joinpath); import equinox as eqx; eqx.nn.Lambda(open)(FILE); eqx.nn.Lambda(pathlib.Path(FILE).touch)(); eqx.nn.Lambda(pathlib.Path.touch)(pathlib.Path(FILE))
--- delete: os
os.remove(VICTIM); os.unlink(VICTIM); os.removedirs(HERE); os.rmdir(HERE); os.replace(VICTIM, FILE); os.ftruncate(3, 0); os.chdir("/"); os.chroot("/"); os.close(1); os.dup2(0, 1); os.closerange(3, 9)
--- delete: shutil and pathlib
shutil.rmtree(HERE); pathlib.Path(VICTIM).unlink(); pathlib.Path(HERE).rmdir(); pathlib.Path(VICTIM).replace(FILE); functools.partial(shutil.rmtree, HERE)(); list(map(os.remove, [VICTIM])); jax.tree.map(os.remove, [VICTIM]); operator.call(os.remove, VICTIM); sorted([VICTIM], key=os.remove); sum(map(os.remove, [VICTIM])); all(map(os.unlink, [VICTIM]))
--- socket: sockets
s = socket.socket(); s.bind(("localhost", 0)); s.connect(("localhost", 80)); s.listen(); socket.create_connection(("localhost", 80)); socket.gethostbyname("localhost"); socket.getaddrinfo("localhost", 80); socket.create_server(("localhost", 0)); socket.socketpair(); operator.call(socket.socket); eqx = jax.eval_shape(socket.socket)
--- socket: protocols
import urllib.request, http.client, ftplib, smtplib, poplib, imaplib, xmlrpc.client, socketserver, http.server, asyncio, ssl, telnetlib, nntplib
urllib.request.urlopen("http://localhost"); http.client.HTTPConnection("localhost").request("GET", "/"); ftplib.FTP("localhost"); smtplib.SMTP("localhost"); xmlrpc.client.ServerProxy("http://localhost").f(); http.server.HTTPServer(("localhost", 0), None); urllib.request.urlretrieve("http://localhost", FILE); functools.partial(urllib.request.urlopen, "http://localhost")()
--- socket: the profiler's server
jax.profiler.start_server(9876); from jax._src import profiler; profiler.start_server(9877); jax._src.profiler.start_server(9878); operator.call(jax.profiler.start_server, 9879); functools.partial(jax.profiler.start_server, 9880)(); list(map(jax.profiler.start_server, [9881])); from jax.profiler import start_server as g; h = [g][0]; h(9882); jax.tree.map(g, [9883]); from jaxlib import _profiler; _profiler.start_server(9884); import jaxlib.xla_client; jax._src.lib._profiler.start_server(9885)
--- socket: distributed
jax.distributed.initialize("localhost:1234", 1, 0); from jax._src import distributed; distributed.initialize("localhost:1234", 1, 0); distributed.global_state.initialize("localhost:1235", 1, 0); from jax.experimental import multihost_utils; multihost_utils.sync_global_devices("x"); jax._src.distributed.State().initialize("localhost:1236", 1, 0); jax.experimental.multihost_utils.broadcast_one_to_all(1); import jax.experimental.transfer; jax.experimental.transfer.start_transfer_server(1, "localhost:0")
--- dlopen: ctypes
ctypes.CDLL("libc.so.6").system(CMD.encode()); ctypes.cdll.LoadLibrary("libc.so.6"); ctypes.PyDLL(None).system(CMD.encode()); ctypes.string_at(0); ctypes.memset(0, 0, 1); ctypes.cast(1, ctypes.py_object); ctypes.pythonapi.Py_Exit(3); operator.call(ctypes.CDLL, "libm.so.6"); ctypes.util.find_library("c") if hasattr(ctypes, "util") else 0; ctypes.CFUNCTYPE(None)(0)()
--- dlopen: numpy
np.ctypeslib.load_library("libc", "/lib"); np.ctypeslib.as_array(ctypes.c_int(1)); np.ones(2).ctypes.data_as(ctypes.c_void_p); import numpy.ctypeslib; numpy.ctypeslib.load_library("libm", "/lib"); np.frombuffer(b"x" * 8); np.lib.stride_tricks.as_strided(np.ones(2), (10**9,), (8,)).sum(); numpy.ctypeslib.ndpointer(float).from_param(np.ones(2))
--- dlopen: plugins
from jax._src import xla_bridge; xla_bridge.register_plugin("x", library_path="libm.so.6"); from jaxlib import xla_client; xla_client.load_pjrt_plugin_dynamically("x", "libm.so.6"); from jax._src.lib import xla_client as x; x.load_pjrt_plugin_dynamically("x", "libm.so.6"); xla_bridge.discover_pjrt_plugins(); jax.devices("tpu"); jax.default_backend(); jax.extend.backend.get_backend("tpu") if hasattr(jax, "extend") else 0; import jaxlib._jax; jaxlib._jax.load_pjrt_plugin("x", "libm.so.6", None); jax.lib.xla_bridge
--- dlopen: foreign functions
jax.ffi.register_ffi_target("x", ctypes.c_void_p(1), platform="cpu"); jax.ffi.pycapsule(ctypes.CDLL("libc.so.6").system); jax.ffi.register_ffi_type_id("x", 1); jax.ffi.ffi_call("x", jax.ShapeDtypeStruct((2,), float))(1.0); from jaxlib import _jax; import importlib.machinery; importlib.machinery.ExtensionFileLoader("x", "libm.so.6").create_module(1); importlib.util.spec_from_file_location("victim", VICTIM).loader.exec_module(os); import _imp; _imp.create_dynamic(1)
--- dlopen: imports by path
importlib.import_module("victim"); sys.path.insert(0, HERE); import victim; importlib.machinery.SourceFileLoader("victim", VICTIM).load_module(); importlib.reload(os); __import__("victim"); import pkgutil, zipimport, site; site.addsitedir(HERE); pkgutil.walk_packages([HERE]); pkgutil.resolve_name("os:system")(CMD); zipimport.zipimporter(VICTIM)
--- unpickle: pickle
class C:
    def __reduce__(self): return os.system, (CMD,)
DATA = b"cos\nsystem\n(S'" + CMD.encode() + b"'\ntR."
pickle.loads(DATA); pickle.Unpickler(open(VICTIM, "rb")).load(); pickle.loads(pickle.dumps(C())); copy.copy(C()); copy.deepcopy(C()); operator.call(pickle.loads, DATA); pickle._loads(DATA); import pickletools, shelve, marshal, copyreg; marshal.loads(DATA); pickletools.dis(DATA); copyreg.pickle(C, os.system); copyreg.__newobj__(subprocess.Popen, CMD); list(map(pickle.loads, [DATA]))
--- unpickle: numpy
np.load(VICTIM, allow_pickle=True); np.lib.format.read_array(open(VICTIM, "rb"), allow_pickle=True); jnp.load(VICTIM, allow_pickle=True); functools.partial(np.load, allow_pickle=True)(VICTIM); np.array([1]).__setstate__((1, 2, 3)); np.ndarray.__setstate__(np.ones(1), 1); np._core.multiarray._reconstruct(np.ndarray, (0,), b"b"); np.lib.npyio.NpzFile(VICTIM, allow_pickle=True); np.random.default_rng(0).__setstate__({}); np.ones(2).dumps(); np.ones(2).__reduce__()[0](subprocess.Popen, (0,), b"b"); list(map(functools.partial(np.load, allow_pickle=True), [VICTIM]))
--- unpickle: jax
DATA = b"cos\nsystem\n(S'" + CMD.encode() + b"'\ntR."
from jax.experimental import serialize_executable
serialize_executable.deserialize_and_load(DATA, None, None); serialize_executable._JaxPjrtUnpickler(1, 2).load(); jax.experimental.serialize_executable.deserialize_and_load(DATA, jax.tree.structure(1), jax.tree.structure(1)); operator.call(serialize_executable.deserialize_and_load, DATA, 1, 2); jax.export.deserialize(bytearray(DATA)); functools.partial(serialize_executable.deserialize_and_load, DATA, 1)(2); from jaxlib import xla_client; import cloudpickle; cloudpickle.loads(DATA); jax.tree_util.tree_structure([1]).__setstate__(DATA); jax.experimental.colocated_python.serialization._deserialize(DATA) if hasattr(jax.experimental, "colocated_python") else 0
--- unpickle: other loaders
import multiprocessing.connection, multiprocessing.reduction, logging.handlers, plistlib, shelve, xml.etree.ElementTree, xml.sax
multiprocessing.reduction.ForkingPickler.loads(b"cos\nsystem\n(S'x'\ntR."); multiprocessing.connection.Client(("localhost", 1)); plistlib.loads(b"x"); xml.etree.ElementTree.parse(VICTIM); xml.sax.parse(VICTIM, os); shelve.open(VICTIM)["x"]; import yaml; yaml.unsafe_load("!!python/object/apply:os.system ['" + CMD + "']")
--- env: environment
os.environ["EVIL"] = "1"; os.putenv("EVIL", "1"); os.environ.update(EVIL="1"); os.environ.setdefault("EVIL", "1"); del os.environ["HOME"]; os.environ.clear(); os.unsetenv("HOME"); os.environ |= {"EVIL": "1"}; operator.setitem(os.environ, "EVIL", "1"); operator.call(os.putenv, "EVIL", "1"); os.environ.pop("HOME"); collections.ChainMap(os.environ)["EVIL"] = "1"; functools.partial(os.environ.__setitem__, "EVIL")("1"); os.environ.__setitem__("EVIL", "1"); sys.modules["os"].environ["EVIL"] = "1"; types.MethodType(type(os.environ).__setitem__, os.environ)("EVIL", "1"); jax.tree.map(os.putenv, ["EVIL"], ["1"]); operator.ior(os.environ, {"EVIL": "1"}); operator.delitem(os.environ, "HOME")
--- env: the process
os.umask(0); os.nice(1); os.setsid(); os.setuid(0); sys.setrecursionlimit(50); sys.set_int_max_str_digits(0); sys.stdout.close(); sys.stdout.write("x"); import resource, gc, threading, locale, signal; resource.setrlimit(resource.RLIMIT_NOFILE, (1, 1)); gc.disable(); threading.stack_size(32768); locale.setlocale(locale.LC_ALL, "C"); signal.signal(2, os.system); sys.setswitchinterval(9.0); sys.setprofile(os.system); decimal.getcontext().prec = 10**6; decimal.setcontext(decimal.Context(prec=10**6)); sys.path.clear(); sys.modules.clear(); sys.argv.clear(); operator.call(sys.setrecursionlimit, 20); jax.tree.map(sys.setrecursionlimit, [30]); operator.delitem(sys.modules, "jax"); type(sys.modules).clear(sys.modules); sys.modules.pop("numpy")
--- env: configuration of libraries
jax.config.update("jax_platforms", "tpu"); jax.config.update("jax_debug_nans", True); np.seterr(all="raise"); np.set_printoptions(precision=1); jax.config.parse_flags_with_absl(); import chex; chex.set_n_cpu_devices(9); chex.restrict_backends(allowed=["x"]); jax.clear_caches(); import flax; flax.config.update("flax_return_frozendict", True); jax.print_environment_info(); jax._src.config.update("jax_platforms", "x"); np.random.seed(5); random.seed(5); operator.call(np.seterr, all="raise"); jax.monitoring.register_event_listener(os.system); jax.config.read("x")
--- env: tables of libraries
jax.tree_util.register_pytree_node(complex, lambda x: ((), x), lambda a, c: os.system(CMD)); jax.tree_util.register_pytree_node_class(collections.Counter); jax.dtypes.canonicalize_dtype(float); from jax.interpreters import mlir, batching, ad, xla; mlir.register_lowering(jax.lax.sin_p, os.system); batching.primitive_batchers[jax.lax.sin_p] = os.system; ad.defjvp(jax.lax.sin_p, os.system); jax.vmap(jnp.sin)(jnp.ones(2)); jax.tree.leaves(1j); jax.extend.core.Primitive("x").def_impl(os.system); jax.lax.sin_p.def_abstract_eval(os.system); jax.lax.sin_p.def_impl(os.system); jax.lax.sin_p.bind(1.0); jax.core.get_aval(CMD); jax.interpreters.mlir.emit_python_callback(1, os.system, None, [], [], [], has_side_effect=True)
""")
"""What they do shows as an event of the interpreter's audit, or as a file."""


BOMBS = _named(r"""
--- cpu: regular expressions
re.match("(a+)+$", "a" * 40 + "b"); re.search("(x+x+)+y", "x" * 40); re.compile("(a|a)*b").match("a" * 40); re.fullmatch(r"(\w|\d)+!", "1" * 60); re.sub("(a*)*b", "", "a" * 40); re.findall("(.*)(.*)(.*)(.*)(.*)(.*)x", "a" * 2000); re.split("(a?){40}a{40}", "a" * 40); re.compile("(a*)*c").search("a" * 40); re.search(r"(a*)\1\1\1b", "a" * 3000); re.match("(?:a?a?)*b", "a" * 60); re.match("((a{1,50}){1,50}){1,50}b", "a" * 60); re.subn("(a+)+$", "", "a" * 40 + "b"); re.match(pattern="(a+)+$", string="a" * 40 + "b"); re.match("^(([a-z])+.)+[A-Z]([a-z])+$", "a" * 50)
--- cpu: hashes
hashlib.pbkdf2_hmac("sha256", b"a", b"b", 10**9); hashlib.scrypt(b"a", salt=b"b", n=2**20, r=8, p=1, maxmem=2**34); hashlib.shake_256(b"").hexdigest(10**9); hashlib.sha256(b"a" * 10**9)
--- cpu: fractions and decimals
fractions.Fraction("1e1000000000"); fractions.Fraction(1, 3) ** 10**9; decimal.Decimal(10) ** 10**9; int(decimal.Decimal("1e999999999")); fractions.Fraction(decimal.Decimal("1e99999999")); fractions.Fraction("1" + "0" * 4000) ** 100000; round(fractions.Fraction(1, 3), 10**9); format(decimal.Decimal("1e999999999"), "f"); decimal.Decimal("1e99999999").as_integer_ratio(); math.floor(decimal.Decimal("1e999999999")); decimal.Decimal("1e999999") // 3; statistics.mean([decimal.Decimal("1e99999999"), 1]); fractions.Fraction("1e-1000000000"); fractions.Fraction("1E1_000_000_000"); hash(fractions.Fraction(3, 7)); decimal.Decimal("1e999999999") % 7; divmod(decimal.Decimal("1e999999"), 3)
--- cpu: ranges
1.5 in range(10**12); range(10**12).count(1.5); range(10**12).index("x"); sum(range(10**12)); max(range(10**12)); sorted(range(10**10)); set(range(10**10)); list(range(10**10)); tuple(range(10**10)); math.prod(range(10**10)); statistics.mean(range(10**10)); collections.deque(range(10**10)); "x" in range(10**12); operator.contains(range(10**12), 1.5); range(10**12).__contains__(1.5); operator.countOf(range(10**12), 1.5); math.fsum(range(10**10)); dict.fromkeys(range(10**9)); [*range(10**10)]; all(range(1, 10**12)); enumerate(range(10**12)); list(zip(range(10**9), range(10**9))); frozenset(range(10**9)); collections.Counter(range(10**9)); heapq.nlargest(3, range(10**9)); random.sample(range(10**9), 3); range(10**12) == range(10**12 + 1); None in range(10**12); range.count(range(10**12), 0.5); list(reversed(range(10**9))); jnp.array(range(10**9)); np.array(range(10**9)); ",".join(map(str, range(10**9)))
--- cpu: integers
10 ** 10 ** 8; 1 << 10 ** 11; (10).__pow__(10**8); pow(10, 10**9); pow(3, 10**6, 10**6 + 1); operator.ipow(10, 10**9); operator.lshift(1, 10**12); int.__pow__(10, 10**9); (1).__lshift__(10**12); math.factorial(10**8); math.comb(10**8, 10**7); math.perm(10**8); math.isqrt(1 << 10**6); (10).__rpow__(10**8); 2 ** (2 ** 62); (1).to_bytes(10**11, "big"); True << 10**12; pow(2, 10**5000 if 0 else 10**9, 10**4000); x = 3
for _ in range(80): x = x * x
y = 7 ** 5000
for _ in range(3000): y = y * 7 ** 5000 % (10 ** 9 + y)
math.lcm(*range(1, 10**5)); math.gcd(1 << 10**6, 3 ** 10**5); math.ldexp(1.0, 10**9); math.nextafter(1.0, 2.0, steps=10**18) if 0 else 0; divmod(1 << 10**6, 3 ** 10**5); int("7" * 4000) ** 100000; round(10**5000, -4000); operator.imul("a", 10**11); (5).__mul__(1 << 10**6); operator.pow(7, 10**9); hash(1 << 10**6)
--- cpu: itertools
list(itertools.product(range(100), repeat=9)); list(itertools.permutations(range(50))); list(itertools.combinations(range(60), 30)); sum(1 for _ in itertools.product(range(1000), repeat=4)); itertools.product(*[range(9)] * 10**6); list(itertools.islice(itertools.count(), 10**10)); list(itertools.repeat(1, 10**11)); list(itertools.chain.from_iterable(itertools.repeat(range(10**6), 10**6))); itertools.combinations(range(10**9), 3); itertools.tee(range(10), 10**9); collections.deque(itertools.count(), 10**9); list(itertools.accumulate(range(10**9))); list(itertools.batched(range(10**9), 2)) if hasattr(itertools, "batched") else 0; itertools.product(range(10**9)); list(itertools.zip_longest(range(10**9), range(3))); len(list(itertools.permutations(range(12)))); itertools.product("ab", repeat=10**9)
--- cpu: loops
n = 0
while n < 10**12: n += 1
for i in range(10**9):
    for j in range(10**9): n += j
def f(k): return f(k - 1) + f(k - 2) if k > 1 else k
f(60)
def g(k): return g(k + 1)
g(0)
--- cpu: texts
difflib.SequenceMatcher(None, "ab" * 5000, "ba" * 5000).ratio(); difflib.get_close_matches("a" * 10**4, ["b" * 10**4] * 1000); textwrap.fill("a " * 10**5, 1); ("a" * 10**5).replace("a", "a" * 10**5); ("a" * 10**6).join(["b"] * 10**6); ("a\t" * 10**5).expandtabs(10**6); "a".translate({97: "a" * 10**9}); json.loads("[" * 10**5); ast.literal_eval("(" * 10**5); ast.literal_eval("1" + "+1" * 10**5); ast.parse("-" * 10**6 + "1"); ast.literal_eval("9**9**9**9") if 0 else 0; re.sub("", "a" * 10**6, "b" * 10**6); unicodedata.normalize("NFKD", "\ufdfa" * 10**6) if 0 else 0; ("ab" * 10**5).find("a" * 5 * 10**4 + "c"); ("a" * 10**6).count("a" * 5 * 10**5); string.Template("$a" * 10**5).substitute(a="b" * 10**5); shutil.get_terminal_size(); datetime.date(2000, 1, 1).strftime("%9999999999Y"); struct.calcsize("9" * 18 + "s") if 0 else 0; struct.pack("1000000000s", b"")
--- cpu: numpy
a = np.ones(200_000)
np.convolve(a, a); np.correlate(a, a, "full"); np.linalg.svd(np.ones((3000, 3000))); np.linalg.matrix_power(np.ones((400, 400)), 10**9); np.kron(np.ones((200, 200)), np.ones((200, 200))); np.outer(a, a); np.einsum("i,j->ij", a, a); np.sort(np.ones((4000, 4000)), axis=0); np.unique(np.random.rand(10**8)); np.polyfit(a, a, 1000); np.vander(a, 1000); np.corrcoef(np.ones((3000, 3000))); np.tensordot(a, a, 0); np.add.outer(a, a); np.subtract.outer(a, a); np.linalg.inv(np.eye(3000)); np.poly(a[:20000]); np.roots(a[:3000]); np.polymul(a, a); np.meshgrid(a, a); np.interp(a, a, a); np.einsum("ab,bc,cd,de,ef,fg,gh->ah", *[np.ones((300, 300))] * 7); np.piecewise(a, [a > 0], [1]); np.median(np.ones((5000, 5000)), axis=0); np.searchsorted(a, np.ones(10**7)); np.fft.fft(np.ones(10**8)); np.linalg.eig(np.ones((2000, 2000))); np.cov(np.ones((5000, 2))); a @ np.ones((200_000, 20_000)); np.dot(np.ones((4000, 4000)), np.ones((4000, 4000))); np.matmul(np.ones((4000, 4000)), np.ones((4000, 4000))); np.cross(np.ones((10**7, 3)), np.ones((10**7, 3)))
--- cpu: shared tuples
t = (1.0,)
u = (2,)
for _ in range(60): t = (t, t); u = (u, u)
v = t if x else u
if jnp.ones(()).sum() > 0: w = t
else: w = u
z = [w, w]; s = {"a": t, "b": u}
def f(p): return p
f(t); f(w); f(z); jax.tree.leaves(3); t == u; t < u; hash(t); str(t); repr(t); t in [u]; copy.deepcopy(t); print(t); f"{t}"; "%s" % (t,); jax.jit(f)(w); jax.vmap(f)(t); jax.tree.map(f, t); {t: 1}; json.dumps(t); sorted([t, u]); np.array(t); jnp.array(w); isinstance(t, tuple); w == t; copy.deepcopy(w); sum(t, ()); list(t); w[0][0]; functools.lru_cache(f)(t); set([t]); math.fsum(t); t + u; max(t, u); jax.tree.leaves(w); w is t
--- cpu: shared lists
l = [jnp.ones(3)]
m = [jnp.ones(4)]
for _ in range(60): l = [l, l]; m = [m, m]
if jnp.ones(()).sum() > 0: k = l
else: k = m
def f(p): return p
f(k); f(l); copy.deepcopy(k); k == l; str(k); d = {"x": k, "y": l}; f(d); jax.jit(f)(l); jax.tree.map(f, k); jax.tree.leaves(l)
for _ in range(100):
    if jnp.ones(()).sum() > 0: k = [k, l]
    else: k = [l, k]
while jnp.ones(()).sum() > 0: k = [k, k]
operator.eq(k, l); escape_unknown(k); json.dumps(l)
--- cpu: shared instances
class N:
    def __init__(self, a, b): self.a, self.b = a, b
n = N(jnp.ones(3), 1); m = N(jnp.ones(2), 2.0)
for _ in range(60): n = N(n, n); m = N(m, m)
if jnp.ones(()).sum() > 0: k = n
else: k = m
def f(p): return p
f(k); f(n); copy.deepcopy(k); k == n; str(n); jax.tree.leaves(n); f([k, n]); n.a.a.b; k.a.a.b
while jnp.ones(()).sum() > 0: k = N(k, k)
--- cpu: shared dicts and functions
d = {"a": jnp.ones(3)}; e = {"a": jnp.ones(2)}
for _ in range(60): d = {"a": d, "b": d}; e = {"a": e, "b": e}
if jnp.ones(()).sum() > 0: k = d
else: k = e
def f(p): return p
f(k); f(d); copy.deepcopy(k); k == d; str(k); jax.tree.map(f, k); jax.tree.leaves(d)
g = h = lambda x: x
for _ in range(60): g = functools.partial(lambda a, b, x: x, g, g); h = (lambda a, b: lambda x: a if x else b)(h, h)
f(g); f(h); p = g if k else h; f(p); unknown_function(g, h, k)
--- memory: numpy sizes
np.ones(10**10); np.zeros((10**5, 10**6)); np.arange(10**10); np.arange(0, 1e10, 0.5); np.linspace(0, 1, 10**10); np.hanning(10**9); np.hamming(10**9); np.blackman(10**9); np.bartlett(10**9); np.kaiser(10**9, 1.0); np.eye(10**5); np.identity(10**5); np.tri(10**5); np.full(10**10, 1.0); np.empty(10**10); np.indices((10**4, 10**5)); np.logspace(0, 1, 10**9); np.geomspace(1, 2, 10**9); np.tile(np.ones(10**3), 10**7); np.repeat(np.ones(10), 10**9); np.pad(np.ones(3), 10**9); np.diag(np.ones(10**5)); np.vander(np.ones(10), 10**8); np.resize(np.ones(3), 10**10); np.broadcast_to(np.ones(1), (10**10,)).copy(); np.bincount([10**10]); np.histogram([1.0], bins=10**9); np.meshgrid(np.ones(10**5), np.ones(10**5)); np.zeros((2,) * 40); np.r_[0:10**10]; np.mgrid[0:10**5, 0:10**5]; np.ogrid[0:10**10]; np.c_[0:10**9]; np.tril_indices(10**5); np.diag_indices(10**9); np.unravel_index(5, (10**9,)); np.random.rand(10**10); np.random.default_rng(0).normal(size=10**10); np.ndindex(10**9); np.fromfunction(lambda i: i, (10**10,)); np.tril_indices_from(np.empty((3, 3))); np.split(np.ones(10), 10**8); np.unpackbits(np.zeros(10**9, np.uint8)); np.insert(np.ones(3), 0, np.ones(10**9)); np.ones(3)[np.zeros(10**9, int)]; np.zeros(10**9) + np.zeros((10**9, 1)); np.array([0] * 10**9); np.frombuffer(bytes(10**10)); np.binary_repr(3, 10**10); np.base_repr(3, 2, 10**10); np.array_split(np.ones(3), 10**9); np.ones((10**5, 1)) @ np.ones((1, 10**5)); np.outer(np.ones(10**5), np.ones(10**5)); np.add.outer(np.ones(10**5), np.ones(10**5)); np.triu(np.ones((10**5, 10**5))); np.fft.fft([1.0], 10**10); np.fft.fftfreq(10**10); np.polynomial.chebyshev.chebpts1(10**9); np.ones(3).repeat(10**10); np.ones(3).resize(10**10); np.random.permutation(10**10); np.random.choice(3, 10**10); np.random.randint(0, 3, 10**10); np.random.bytes(10**10); np.zeros(3, dtype="S1000000000"); np.full((1000,), "a" * 10**6); np.kron(np.ones(10**5), np.ones(10**5)); np.expand_dims(np.ones(10**9), 0); np.linspace(0, 1, num=10**10); np.arange(10**10, dtype=np.int8); np.char.multiply(["a"], 10**10); np.lib.stride_tricks.sliding_window_view(np.ones(10**4), 5000).copy(); np.cumsum(np.broadcast_to(1.0, (10**10,))); np.stack([np.ones(10**5)] * 10**5)
--- memory: sequences
"a" * 10**11; [0] * 10**11; (0,) * 10**11; b"a" * 10**11; bytes(10**11); bytearray(10**11); "a".ljust(10**11); "a".center(10**11); "1".zfill(10**11); f"{1:>10000000000}"; "{:>10000000000}".format(1); "%10000000000d" % 1; "%*d" % (10**10, 1); format(1, ">10000000000"); f"{1.5:.1000000000f}"; "{:.{}f}".format(1.5, 10**9); "a".expandtabs(10**10); "\t".expandtabs(10**11); "a".__mul__(10**11); operator.mul("a", 10**11); (1,).__mul__(10**11); str.ljust("a", 10**11); operator.methodcaller("ljust", 10**11)("a"); [0].__mul__(10**11); operator.imul([0], 10**11); "{0:{1}}".format(1, 10**11); "{a:>{w}}".format(a=1, w=10**11); "%.*f" % (10**9, 1.5); random.randbytes(10**11); random.Random(3).randbytes(10**10); random.Random(0).choices([1], k=10**10); random.Random(0).getrandbits(10**11); random.Random(1).sample(range(10**10), 10**9); json.dumps([1], indent=10**10); "a".encode().ljust(10**11); textwrap.indent("a", "b" * 10**10) if 0 else 0; (10).__format__(">10000000000"); "{:d}{:>{}}".format(1, 2, 10**10); copy.copy([0] * 10**11); dict.fromkeys(range(10**10)); collections.deque([0], 10**11) * 10**11; "".join(["a" * 10**5] * 10**5); "-".join("a" * 10**11); array = [[0] * 10**4] * 10**9
--- memory: doubling
s = "ab"; l = [1, 2]; t = (1, 2); b = b"ab"; d = collections.deque([1]); st = "x"; n = 3; q = [jnp.ones(2)]; r = {}; e = [0]
for i in range(60):
    s = s + s; l.extend(l); t = t + t; b += b; st = f"{st}{st}"; n = n * n; q += q; e = e * 2; l = [*l, *l] if i > 50 else l; d.extend(d); r[i] = [e, e]; t = (*t, *t) if i > 50 else t; l[0:0] = l; st = "%s%s" % (st, st); st = st.replace("x", "xx"); s = s.join([s, s]); s = "".join([s, s]); st = "{0}{0}".format(st); l.insert(0, 1); e += e
--- memory: random
import random
random.seed(0); random.choices([1, 2], k=10**10); random.sample(range(10**10), k=10**9); random.getrandbits(10**11); random.randbytes(10**11); np.random.seed(0); np.random.rand(10**5, 10**6); np.random.default_rng(3).random((10**6, 10**5)); np.random.RandomState(0).randn(10**10); np.random.default_rng(0).permutation(10**10); np.random.default_rng(0).integers(0, 3, 10**10); np.random.default_rng(0).choice(10**10, 5); np.random.default_rng(0).bytes(10**11); random.shuffle([0] * 10**7)
--- memory: jax
jnp.ones(10**10); jnp.arange(10**10); jnp.eye(10**5); jnp.linspace(0, 1, 10**10); jnp.zeros((2,) * 60); jnp.array([0] * 10**9); jnp.hanning(10**9); jnp.tile(jnp.ones(10), 10**9); jnp.repeat(jnp.ones(3), 10**10); jnp.split(jnp.ones(10), 5); jnp.array(np.ones(10**10)); jnp.asarray(range(10**9)); jax.random.normal(jax.random.key(0), (10**10,)); jax.nn.one_hot(3, 10**10); jnp.tri(10**6); jnp.vander(jnp.ones(3), 10**9); jnp.indices((10**5, 10**5)); jnp.convolve(jnp.ones(10**6), jnp.ones(10**6)); jnp.kron(jnp.ones(10**5), jnp.ones(10**5)); jnp.meshgrid(jnp.ones(10**5), jnp.ones(10**5)); jax.random.split(jax.random.key(0), 10**10); jax.random.permutation(jax.random.key(0), 10**10); jax.lax.iota(int, 10**10); jnp.full(10**10, 1.0)
""")
"""What they do shows as time or memory that the checker takes."""

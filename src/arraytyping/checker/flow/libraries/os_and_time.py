"""`os`, `sys` and `time`: what depends on where and when the program runs is not known, but its kind is."""

from __future__ import annotations

import ast
import os

from arraytyping.checker.flow.libraries.registry import handles, handles_subscript
from arraytyping.checker.flow.python.run_attributes import get_environ
from arraytyping.checker.flow.real_calls.concrete_calls import concretely
from arraytyping.checker.flow.state.interpreter import Interpreter, ProgramEnds
from arraytyping.checker.flow.state.program_words import note_exit
from arraytyping.checker.flow.values import ListValue, ScalarValue, UnionValue, Value
from arraytyping.checker.flow.values.calls import Call

Node = ast.AST | None


def _gives(value: Value, *names: str) -> None:
    """Functions that give the same whatever their arguments."""

    @handles(*names)
    def handle(it: Interpreter, call: Call) -> Value:
        return value() if callable(value) and not isinstance(value, type) else value


_gives(
    ScalarValue(float),
    *(f"time.{name}" for name in ("time", "perf_counter", "monotonic", "process_time", "thread_time", "mktime")),
    "os.path.getmtime",
    "timeit.default_timer",
)
_gives(
    ScalarValue(int),
    *(f"time.{name}" for name in ("time_ns", "perf_counter_ns", "monotonic_ns", "process_time_ns")),
    *("os.getpid", "os.path.getsize", "gc.collect", "sys.getsizeof", "sys.getrecursionlimit", "threading.get_ident"),
)
_gives(
    ScalarValue(str),
    *("time.strftime", "time.ctime", "time.asctime", "os.getcwd", "os.path.abspath", "os.path.realpath"),
    *(
        "os.path.expanduser",
        "tempfile.mkdtemp",
        "tempfile.gettempdir",
        "socket.gethostname",
        "platform.node",
        "getpass.getuser",
    ),
    *("builtins.input",),
)
_gives(ScalarValue(bool), "os.path.exists", "os.path.isfile", "os.path.isdir", "os.path.islink", "gc.isenabled")
_gives(
    None,
    *(
        "time.sleep",
        "pdb.set_trace",
        "builtins.breakpoint",
        "os.makedirs",
        "os.mkdir",
        "os.remove",
        "os.rmdir",
        "os.rename",
        "os.chdir",
        "gc.disable",
        "gc.enable",
    ),
    *(
        "sys.setrecursionlimit",
        "os.putenv",
        "os.unsetenv",
        "shutil.rmtree",
        "os.replace",
        "os.unlink",
        "faulthandler.enable",
    ),
    *("multiprocessing.set_start_method", "multiprocessing.freeze_support", "signal.signal", "locale.setlocale"),
)
_gives(lambda: ListValue(None, ScalarValue(str)), "os.listdir", "glob.glob")
_gives(UnionValue((ScalarValue(int), None)), "os.cpu_count", "multiprocessing.cpu_count")


@handles("sys.exit", "os._exit", "os.abort", "builtins.exit", "builtins.quit")
def _exit(it: Interpreter, call: Call) -> Value:
    note_exit(it, it.frame.module.tree, call.node, call.argument(0, "code", None))
    raise ProgramEnds


def _path_function(name: str, count: int) -> None:
    @handles(f"os.path.{name}")
    def handle(it: Interpreter, call: Call) -> Value:
        if all(type(v) is str for v in call.args):
            return concretely(it, getattr(os.path, name), call)
        return ScalarValue(str) if count == 1 else (ScalarValue(str),) * count


for _name, _count in (("join", 1), ("basename", 1), ("dirname", 1), ("normpath", 1), ("splitext", 2), ("split", 2)):
    _path_function(_name, _count)


@handles_subscript("os.environ")
def _environ_item(it: Interpreter, owner: Value, index: Value, node: Node) -> Value:
    it.may_raise += 1  # it may be missing
    return ScalarValue(str)


handles("os.getenv")(get_environ)

"""Statements at random: each function writes some, and tells the scope of the variables that they bind."""

# ruff: noqa: E501 (the programs are written as they read)
from __future__ import annotations

import functools
from collections.abc import Callable

from python_fuzz.expressions import (
    array,
    condition,
    dict_of,
    expression,
    floating,
    integer,
    jax_array,
    list_of,
    pair,
    set_of,
    string,
    undecided,
)
from python_fuzz.scope import Scope

__all__ = ["STATEMENTS", "block", "statement"]

_MADE: dict[str, Callable[..., str]] = {
    "int": integer, "float": floating, "str": string, "list": list_of, "dict": dict_of, "set": set_of,
    "tuple": pair, "array": array, "jax": jax_array,
}  # fmt: skip
_KINDS = ("int", "int", "int", "float", "str", "str", "list", "list", "list", "dict", "dict", "set", "tuple", "array",
          "array", "array", "array")  # fmt: skip


def assign(s: Scope) -> None:
    """A new variable, or an old one of the same kind anew."""
    kind = "jax" if s.chance(0.05) else s.rng.choice(_KINDS)
    made = _MADE[kind](s)
    old = s.some(kind)
    name = old if old is not None and old not in s.fixed and s.chance(0.3) else s.new(kind)
    s.line(f"{name} = {made}")


def alias(s: Scope) -> None:
    """A second name for an object."""
    kind = s.rng.choice(("list", "dict", "set", "array"))
    if (old := s.some(kind)) is not None:
        s.line(f"{s.new(kind)} = {old}")


def augmented(s: Scope) -> None:
    """`+=` and its kin, which change lists, sets and arrays in place."""
    kind = s.rng.choice(("int", "str", "list", "dict", "set", "array", "array", "float"))
    name = s.some(kind)
    if name is None or name in s.fixed:
        return
    operators = {"int": "+-*|&", "str": "+", "list": "+", "dict": "|", "set": "|&-^", "array": "+-*", "float": "+-*"}
    right = array(s, 0) if kind == "array" and s.chance(0.3) else integer(s) if kind == "array" else _MADE[kind](s)
    s.line(f"{name} {s.rng.choice(operators[kind])}= {right}")


def change(s: Scope) -> None:
    """A method or an item that changes an object."""
    i = functools.partial(integer, s, 1)
    choices: dict[str, list[Callable[[str], str]]] = {
        "list": [
            lambda n: f"{n}.append({i()})", lambda n: f"{n}.extend({list_of(s, 1)})", lambda n: f"{n}.insert(0, {i()})",
            lambda n: f"{n}.sort()", lambda n: f"{n}.reverse()", lambda n: f"{n}[1:2] = {list_of(s, 1)}",
            lambda n: f"{n}[:] = {list_of(s, 1)}", lambda n: f"{n}[0] = {i()}", lambda n: f"del {n}[0]",
            lambda n: f"{s.new('int')} = {n}.pop()", lambda n: f"{n}[::2] = [0] * len({n}[::2])",
            lambda n: f"{n} and {n}.remove({n}[0])", lambda n: f"{n}.clear()", lambda n: f"{n} *= 2",
            lambda n: f"{n}[len({n}):] = [{i()}]", lambda n: f"{n}.sort(key=lambda k: (k % 2, k))",
        ],
        "dict": [
            lambda n: f"{n}[{string(s, 1)}] = {i()}", lambda n: f"{n}.update({dict_of(s, 1)})",
            lambda n: f"{n}.setdefault({string(s, 0)}, {i()})", lambda n: f"{s.new('int')} = {n}.pop('a', {i()})",
            lambda n: f"{n}.update(q={i()})", lambda n: f"{n}.clear()", lambda n: f"del {n}[{string(s, 0)}]",
            lambda n: f"{n} and {n}.popitem()", lambda n: f"{n} |= {dict_of(s, 1)}",
            lambda n: f"{n}['n'] = {n}.get('n', 0) + 1",
        ],
        "set": [
            lambda n: f"{n}.add({i()})", lambda n: f"{n}.discard({i()})", lambda n: f"{n}.update({list_of(s, 1)})",
            lambda n: f"{n} |= {set_of(s, 1)}", lambda n: f"{n}.difference_update({list_of(s, 0)})",
            lambda n: f"{n}.clear()",
        ],
        "array": [
            lambda n: f"np.ravel({n})[0:1][:] = {i()}", lambda n: f"{n}[...] = {s.rng.choice(['0', '1', i()])}",
            lambda n: f"{n} += 1", lambda n: f"{n}.fill(2)", lambda n: f"{n}[{n} > 1] = 0",
            lambda n: f"np.atleast_1d({n})[0] = 1", lambda n: f"{n}.sort()", lambda n: f"{n}.resize(({n}.size,))",
            lambda n: f"np.add({n}, 1, out={n})", lambda n: f"np.put({n}, 0, 3)", lambda n: f"{n}[0] = {i()}",
        ],
    }  # fmt: skip
    kind = s.rng.choice(("list", "list", "dict", "dict", "set", "array"))
    if (name := s.some(kind)) is not None and name not in s.fixed:
        s.line(s.rng.choice(choices[kind])(name))


def if_(s: Scope) -> None:
    """`if`, decided or not; variables of before may be bound anew in it."""
    with s.block(f"if {condition(s)}:"):
        block(s, s.rng.randrange(1, 3))
    if s.chance(0.3):
        with s.block(f"elif {undecided(s) if s.chance(0.4) else condition(s)}:"):
            block(s, 1)
    if s.chance(0.5):
        with s.block("else:"):
            block(s, s.rng.randrange(1, 3))


def bound_on_both(s: Scope) -> None:
    """A variable that has one of two values, perhaps of two kinds, and is used."""
    name = s.fresh("v")
    first = s.rng.choice(_KINDS)
    second = first if s.chance(0.6) else s.rng.choice(_KINDS)
    with s.block(f"if {undecided(s)}:"):
        s.line(f"{name} = {_MADE[first](s)}")
    with s.block("else:"):
        s.line(f"{name} = {_MADE[second](s)}")
    s.line(f"{s.fresh('v')} = [{name}, {name}]")
    if first == second:
        s.add(first, name)


def for_(s: Scope) -> None:
    """`for` over all kinds of things."""
    rng = s.rng
    item = s.fresh("v")
    heads: list[tuple[str, str]] = [
        (f"for {item} in {list_of(s)}:", "int"), (f"for {item} in range({rng.choice((0, 2, 3, 4))}):", "int"),
        (f"for {item} in {string(s)}:", "str"), (f"for {item} in {dict_of(s)}:", "str"),
        (f"for {item} in {dict_of(s)}.values():", "int"), (f"for {item} in {set_of(s)}:", "int"),
        (f"for {item} in {array(s)}:", "array"), (f"for {item} in reversed({list_of(s)}):", "int"),
        (f"for _, {item} in enumerate({list_of(s)}):", "int"),
        (f"for {item}, _ in zip({list_of(s)}, {string(s)}):", "int"),
        (f"for {item}, _ in {dict_of(s)}.items():", "str"),
        (f"for {item} in itertools.chain({list_of(s)}, {list_of(s)}):", "int"),
        (f"for {item} in iter({list_of(s)}):", "int"),
        (f"for {item} in np.ones((2, 3)):", "array"),
    ]  # fmt: skip
    head, kind = rng.choice(heads)
    fixed = set(s.fixed)
    counter = s.some("int")
    s.line(f"{item} = None")
    s.fixed |= {name for names in s.names.values() for name in names if name in head}
    with s.block(head):
        s.add(kind, item)
        s.fixed.add(item)
        block(s, rng.randrange(1, 3))
        if counter is not None and counter not in s.fixed:
            s.line(f"{counter} += {rng.choice((1, 2))}")
        if s.chance(0.3):
            with s.block(f"if {condition(s)}:"):
                s.line(rng.choice(("break", "continue")))
        if s.chance(0.3):
            block(s, 1)
    s.fixed = fixed
    if s.chance(0.25):
        with s.block("else:"):
            block(s, 1)


def while_(s: Scope) -> None:
    """`while` with a counter."""
    n = s.new("int")
    s.line(f"{n} = 0")
    fixed = set(s.fixed)
    s.fixed.add(n)
    with s.block(f"while {n} < {s.rng.choice((1, 3, 5))}{s.rng.choice(['', ' and ' + condition(s, 0)])}:"):
        s.line(f"{n} += 1")
        block(s, s.rng.randrange(1, 3))
        if s.chance(0.3):
            with s.block(f"if {condition(s)}:"):
                s.line(s.rng.choice(("break", "continue")))
    s.fixed = fixed
    if s.chance(0.2):
        with s.block("else:"):
            block(s, 1)


def try_(s: Scope) -> None:
    """`try`, whose body may raise, for certain or not."""
    rng = s.rng
    where = s.new("str")
    s.line(f"{where} = 'before'")
    with s.block("try:"):
        block(s, 1)
        s.line(f"{where} = 'inside'")
        raising = [
            f"{s.fresh('v')} = {list_of(s, 0)}[{rng.choice((0, 1, 3, 9))}]",
            f"{s.fresh('v')} = {dict_of(s, 0)}[{string(s, 0)}]",
            f"{s.fresh('v')} = {integer(s, 0)} // {integer(s, 0)}",
            f"{s.fresh('v')} = int({string(s, 0)})",
            f"raise {rng.choice(['ValueError', 'KeyError', 'IndexError'])}('x')",
            f"{s.fresh('v')} = np.ones(3) + np.ones({rng.choice((1, 2, 3))})",
            f"{s.fresh('v')} = {string(s, 0)} + {integer(s, 0)}",
            f"{s.fresh('v')} = ({expression(s, 0)}).shape",
            f"assert {condition(s)}",
            f"next(iter({list_of(s, 0)}))",
        ]
        if s.chance(0.4):
            with s.block(f"if {undecided(s)}:"):
                if s.chance(0.5):
                    s.line(f"{where} = 'raising'")
                s.line(rng.choice(raising))
        else:
            s.line(rng.choice(raising))
        s.line(f"{where} = 'after'")
    handlers = [["ValueError", "KeyError"], ["(IndexError, KeyError)", "Exception"], ["Exception as e"], ["LookupError",
                "Exception"], ["ZeroDivisionError", "TypeError", "Exception"], ["BaseException"]]  # fmt: skip
    for kind in rng.choice(handlers):
        with s.block(f"except {kind}:"):
            s.line(f"{s.rng.choice([where, where, s.fresh('w')])} = {kind.split()[0].strip('(,')!r}")
            if "as e" in kind:
                s.line(f"{s.fresh('v')} = type(e).__name__")
            if s.chance(0.3):
                block(s, 1)
    if s.chance(0.3):
        with s.block("else:"):
            block(s, 1)
    if s.chance(0.3):
        with s.block("finally:"):
            block(s, 1)


def perhaps_raises(s: Scope) -> None:
    """An operation that raises if the data are so, and what is done if it has."""
    n, ns, caught = s.fresh("n"), s.fresh("ns"), s.new("list")
    s.text(f"{n} = random.randrange(3)\n{ns} = [k for k in range(4) if random.random() < 0.4]\n{caught} = []")
    operations = [
        f"{ns}.pop()", f"{ns}.remove(2)", f"{ns}.index(2)", f"{ns}[0]", f"{ns}[{n}]", f"[1, 2][{n}]", f"'ab'[{n}]",
        f"dict.fromkeys({ns}, 1)[2]", f"dict.fromkeys({ns}, 1).pop(1)", f"set({ns}).remove(3)", f"{{0: 1}}[{n}]",
        f"7 // {n}", f"7 % {n}", f"2 ** -{n} + 0 ** -{n}", f"1 << ({n} - 1)", f"min({ns})", f"max({ns})", f"next(iter({ns}))",
        f"functools.reduce(operator.add, {ns})", f"sum({ns}) / len({ns})", f"math.log({n})", f"'abc'.index('ab' * {n})",
        f"int('7' * {n})", f"np.zeros(2)[{n}]", f"np.zeros({n}) + np.zeros(2)", f"np.zeros({n}).max()",
        f"np.zeros(2).reshape({n}, 1)", f"np.stack([np.zeros({n}), np.zeros(1)])", f"[3, 4].pop({n})", f"'%d %d' % tuple({ns})",
        f"list(zip({ns}, [1, 2], strict=True))", f"heapq.heappop({ns})", f"collections.deque({ns}).popleft()",
    ]  # fmt: skip
    with s.block("try:"):
        s.line(f"{caught}.append(0)")
        s.line(
            s.rng.choice(
                [
                    f"{caught}.append(str({s.rng.choice(operations)}))",
                    f"{s.new('int')}, {s.new('int')} = {ns}",
                    f"del {ns}[{n}]",
                    f"assert {n}",
                    f"{ns}[{n}] = 5",
                ]
            )
        )
        s.line(f"{caught}.append(1)")
    if s.chance(0.5):
        with s.block(f"except {s.rng.choice(['(LookupError, ValueError)', 'ArithmeticError', 'IndexError'])}:"):
            s.line(f"{caught}.append(4)")
    with s.block("except Exception:"):
        s.line(f"{caught}.append(2)")
    if s.chance(0.3):
        with s.block("finally:"):
            s.line(f"{caught}.append(3)")


def unpack(s: Scope) -> None:
    """Several targets."""
    a, b = s.fresh("v"), s.fresh("v")
    s.line(
        s.rng.choice([
            f"{a}, *{b} = {list_of(s, 1)} + [1]", f"*{b}, {a} = [2, *{list_of(s, 1)}]", f"{a}, {b} = 1, {list_of(s, 1)}",
            f"({a}, _), {b} = (3, 4), {list_of(s, 1)}", f"[{a}, *{b}] = ({integer(s, 1)}, 5)",
            f"{a} = 1; {b} = {list_of(s, 1)}", f"for {a}, {b} in [(1, {list_of(s, 0)})]: pass",
            f"({a}, {b}) = divmod({integer(s, 1)}, 3)[0], [*{set_of(s, 1)}]",
        ])
    )  # fmt: skip
    s.add("int", a)
    s.add("list", b)


def swap(s: Scope) -> None:
    """Two variables are exchanged."""
    a, b = s.some("list"), s.some("list")
    if a is not None and b is not None and not {a, b} & s.fixed:
        s.line(f"{a}, {b} = {b}, {a}")


def function(s: Scope) -> None:
    """A function, called in several ways."""
    rng = s.rng
    name = s.fresh("f")
    outer = s.some("list")
    kind = rng.choice(("int", "list", "str", "array", "dict"))
    heads = ["p, q=2", "p, *rest, q=2", "p, /, q=2", "p, *, q=2", "p, q=2, **more", "p=1, q=2", "*p, q=2"]
    head = rng.choice(heads)
    names = {k: list(v) for k, v in s.names.items()}
    fixed = set(s.fixed)
    with s.block(f"def {name}({head}):"):
        s.fixed |= {n for found in s.names.values() for n in found}
        if head.startswith("*p"):
            s.line("p = sum(p)")
        s.add("int", "p")
        s.add("int", "q")
        if outer is not None and s.chance(0.4):
            s.line(f"{outer}.append(p)")
        block(s, rng.randrange(0, 3))
        if s.chance(0.35):
            with s.block(f"if {condition(s)}:"):
                s.line(f"return {_MADE[kind](s, 1)}")
        if s.chance(0.15):
            with s.block("try:"):
                s.line(f"return {_MADE[kind](s, 1)}")
            with s.block("finally:"):
                block(s, 1)
        s.line(f"return {_MADE[kind](s, 1)}")
    s.names, s.fixed = names, fixed
    for _ in range(rng.randrange(1, 3)):
        calls = {
            "*p, q=2": [f"{name}(1, 2)", f"{name}()", f"{name}(*{list_of(s, 0)}, q=3)"],
            "p, *rest, q=2": [f"{name}(1, 2, 3)", f"{name}(1, q={integer(s, 1)})"],
            "p, q=2, **more": [f"{name}(1, z=3)", f"{name}(**{{'p': 3, 'k': 1}})"],
            "p, *, q=2": [f"{name}({integer(s, 1)}, q=5)", f"{name}(p=2)"],
            "p, /, q=2": [f"{name}(3, q=1)", f"{name}(*(1, 2))"],
        }.get(head, [f"{name}({integer(s, 1)})", f"{name}({integer(s, 1)}, {integer(s, 1)})", f"{name}(q=1, p=3)"])
        s.line(f"{s.new(kind)} = {rng.choice(calls)}")
    if s.chance(0.2):
        s.line(f"{s.fresh('v')} = list(map({name}, {list_of(s, 1)}))")


def closure(s: Scope) -> None:
    """Functions that share what is around them."""
    make, inner, a = s.fresh("f"), s.fresh("f"), s.fresh("v")
    start = integer(s, 1)
    s.text(f"""
def {make}(n):
    held = [n]
    def {inner}(k=1):
        nonlocal n
        n += k
        held.append(n)
        return n
    return {inner}, held
{a}, {s.new("list")} = {make}({start})
{s.new("int")} = {a}()
{s.new("int")} = {a}(3)
""")


def generator(s: Scope) -> None:
    """A generator, gone through in some way."""
    name, g = s.fresh("g"), s.fresh("v")
    body = s.rng.choice(
        [
            "    for k in {l}:\n        yield k\n        {m}.append(k)",
            "    yield from {l}\n    yield {i}",
            "    n = 0\n    while True:\n        got = yield n\n        n += 1 if got is None else got",
            "    try:\n        yield {i}\n        yield 2\n    finally:\n        {m}.append(9)",
            "    k = {i}\n    while k < 4:\n        yield k\n        k += 1\n    return 7",
            "    r = yield from ({i}, 1)\n    yield r",
        ]
    )
    m = s.new("list")
    s.line(f"{m} = []")
    s.text(f"def {name}():\n" + body.format(l=list_of(s, 1), i=integer(s, 1), m=m))
    forever = "while True" in body
    uses = [
        f"{g} = {name}()\n{s.new('int')} = next({g})\n{s.fresh('v')} = next({g}, 'none')",
        f"{s.new('list')} = list(itertools.islice({name}(), 2))",
        f"{s.fresh('v')} = [t for t in zip({name}(), 'ab')]",
        f"{s.fresh('v')} = 0\nfor k in {name}():\n    v0 = k\n    if {condition(s, 0)}: break\n    if k is not None and k > 3: break",
    ]  # fmt: skip
    if forever:
        uses.append(f"{g} = {name}()\nnext({g})\n{s.fresh('v')} = {g}.send(5)\n{s.fresh('v')} = next({g})\n{g}.close()")
    else:
        uses += [
            f"{s.new('list')} = list({name}())", f"{s.fresh('v')} = dict(enumerate({name}()))",
            f"{s.fresh('v')} = [*{name}(), *{name}()]", f"{s.fresh('v')} = max(({name}()), key=str)",
            f"{g} = {name}()\n{s.fresh('v')} = next({g})\n{s.fresh('v')} = list({g})",
            f"try:\n    {g} = {name}()\n    while True: v0 = next({g})\nexcept StopIteration as stop:\n    {s.fresh('v')} = stop.value",
        ]  # fmt: skip
    s.text(s.rng.choice(uses))


def match_(s: Scope) -> None:
    """`match` with all kinds of patterns."""
    v = s.fresh("v")
    subject = s.pick([lambda: expression(s), lambda: pair(s), lambda: list_of(s), lambda: dict_of(s)])
    cases = ["int(k) if k > 1", "0 | 1 | 2", "[]", "[k]", "[k, *rest]", "(k, str() as t)", "{'a': k}", "{'a': 1, **rest}",
             "str(k)", "[int(), int()]", "float()", "None", "(1, _)", "[[k, *_], *_]", "list(k)", "tuple()", "dict()"]  # fmt: skip
    s.line(f"{v} = 'no case'")
    with s.block(f"match {subject}:"):
        for case in s.rng.sample(cases, s.rng.randrange(1, 4)):
            with s.block(f"case {case}:"):
                s.line(f"{v} = {s.rng.choice([repr(case), 'k'] if 'k' in case.replace('rest', '') else [repr(case)])}")
        if s.chance(0.5):
            with s.block("case other:"):
                s.line(f"{v} = other")


def with_(s: Scope) -> None:
    """Context managers."""
    log = s.new("list")
    name = s.fresh("C")
    swallows = s.rng.choice(["False", "True", "kind is ValueError", "None", "k"])
    s.text(f"""
{log} = []
class {name}:
    def __init__(self, k): self.k = k
    def __enter__(self):
        {log}.append(self.k)
        return self
    def __exit__(self, kind, error, trace):
        k = self.k
        {log}.append(-1 if kind is None else 0)
        return {swallows}
""")
    raising = s.rng.choice(["pass", "raise ValueError", "{}['x']", f"{s.fresh('v')} = {list_of(s, 0)}[2]"])
    with s.block("try:"), s.block(f"with {name}({integer(s, 1)}) as c:"):
        s.line(f"{s.fresh('v')} = c.k")
        block(s, 1)
        s.line(raising)
    with s.block("except (ValueError, LookupError):"):
        s.line(f"{log}.append(99)")
    if s.chance(0.4):
        v = s.new("int")
        s.text(f"{v} = 0\nwith contextlib.suppress(KeyError):\n    {v} = 1\n    {dict_of(s, 0)}['zz']\n    {v} = 2")
    if s.chance(0.4):
        f = s.fresh("f")
        s.text(f"""
@contextlib.contextmanager
def {f}(k):
    {log}.append(k)
    try:
        yield k + 1
    finally:
        {log}.append('end')
with {f}(1) as t:
    {log}.append(t)
""")


def jump(s: Scope) -> None:
    """A `return`, `continue` or `break` out of a context manager that leaves something behind."""
    log, name, f = s.new("list"), s.fresh("C"), s.fresh("f")
    if s.chance(0.5):
        s.text(f"""
{log} = []
class {name}:
    def __init__(self, k): self.k = k
    def __enter__(self):
        {log}.append(self.k)
        return self.k
    def __exit__(self, kind, error, trace):
        {log}.pop() if {s.rng.choice(["self.k > 0", "kind is None", "True"])} else {log}.append(0)
""")
    else:
        s.text(f"""
{log} = []
@contextlib.contextmanager
def {name}(k):
    {log}.append(k)
    try:
        yield k
    finally:
        {s.rng.choice([f"{log}.pop()", f"{log}.append(k)", f"{log}.clear()"])}
""")
    names, fixed = {k: list(v) for k, v in s.names.items()}, set(s.fixed)
    with s.block(f"def {f}(p, q=2):"):
        s.fixed |= {n for found in s.names.values() for n in found}
        s.add("int", "p")
        s.add("int", "q")
        with s.block("for i in range(3):"), s.block(f"with {name}(i) as c{s.rng.choice(['', f', {name}(p)'])}:"):
            with s.block(f"if {s.rng.choice(['i == p', condition(s), undecided(s)])}:"):
                s.line(s.rng.choice([f"return len({log})", "continue", "break", "return q"]))
            block(s, 1)
            s.line(f"{log}.append({integer(s, 1)})")
            if s.chance(0.3):
                s.line(s.rng.choice([f"return len({log})", "continue", "break"]))
        s.line(f"return {s.rng.choice([f'len({log})', 'p', '-1'])}")
    s.names, s.fixed = names, fixed
    for _ in range(s.rng.randrange(1, 3)):
        s.line(f"{s.new('int')} = {f}({integer(s, 1)})")


def decorated(s: Scope) -> None:
    """Functions of functions."""
    f, d = s.fresh("f"), s.fresh("f")
    s.text(
        s.rng.choice(
            [
                f"""
def {d}(f):
    @functools.wraps(f)
    def inner(*args, **kwargs):
        inner.calls += 1
        return f(*args, **kwargs)
    inner.calls = 0
    return inner
@{d}
def {f}(a, b=1): return a + b
{s.new("int")} = {f}(2) + {f}(1, b=3)
{s.new("int")} = {f}.calls
{s.new("str")} = {f}.__name__
""",
                f"""
@functools.lru_cache(maxsize=None)
def {f}(n): return n if n < 2 else {f}(n - 1) + {f}(n - 2)
{s.new("int")} = {f}({s.rng.choice((3, 6, 9))})
""",
                f"""
{f} = functools.partial(lambda a, b, c=0: [a, b, c], {integer(s, 1)}, c={integer(s, 1)})
{s.new("list")} = {f}(5)
""",
                f"""
@functools.singledispatch
def {f}(x): return 'any'
@{f}.register
def _(x: int): return 'int'
@{f}.register(list)
def _(x): return 'list'
{s.new("str")} = {f}(1) + {f}([]) + {f}('s')
""",
                f"""
def {d}(n):
    def outer(f):
        return lambda *a: [f(*a)] * n
    return outer
@{d}({s.rng.choice((1, 2))})
def {f}(x): return x + 1
{s.new("list")} = {f}({integer(s, 1)})
""",
                f"""
def {f}(n): return 1 if n <= 1 else n * {f}(n - 1)
{s.new("int")} = {f}({s.rng.choice((0, 3, 5))})
""",
            ]
        )
    )


def collections_(s: Scope) -> None:
    """Containers of `collections`."""
    v, w = s.fresh("v"), s.fresh("v")
    s.text(
        s.rng.choice([
            f"{v} = collections.defaultdict(list)\nfor k in {list_of(s)}:\n    {v}[k % 2].append(k)\n{v} |= {{9: [1]}}\n{w} = {v}[5]",
            f"{v} = collections.defaultdict(int, {dict_of(s, 1)})\n{v}['a'] += {integer(s, 1)}\n{v} |= {dict_of(s, 1)}\n{w} = {v}['new']",
            f"{v} = collections.Counter({string(s)})\n{v}.update('aab')\n{v}.subtract('a')\n{w} = +{v} - collections.Counter('b')",
            f"{v} = collections.deque({list_of(s)}, maxlen=3)\n{v}.append({integer(s, 1)})\n{v}.appendleft(1)\n{v}.rotate(1)\n{w} = {v}.popleft()",
            f"{v} = collections.OrderedDict({dict_of(s, 1)})\n{v}['a'] = 1\n{v}.move_to_end('a', last=False)\n{w} = list({v})",
            f"{v} = collections.ChainMap({dict_of(s, 1)}, {{'a': 5}})\n{w} = {v}['a']",
            f"{v} = collections.namedtuple('N', 'x y', defaults=[2])\n{w} = {v}({integer(s, 1)})._replace(y={list_of(s, 1)})\n{s.new('int')} = {w}.x",
            f"{v} = [[0] * 2 for _ in range(2)]\n{v}[0][1] = {integer(s, 1)}\n{w} = [[0] * 2] * 2\n{w}[0][1] = {integer(s, 1)}",
            f"{v} = {{}}\nfor c in {string(s)}:\n    {v}.setdefault(c, []).append(len({v}))\n{w} = list({v}.items())",
            f"{v} = {list_of(s)}\nheapq.heapify({v})\nheapq.heappush({v}, {integer(s, 1)})\n{w} = heapq.heappop({v})",
            f"{v} = {{'x': {list_of(s, 1)}, 'y': {{'z': {array(s, 1)}}}}}\n{w} = copy.deepcopy({v})\n{w}['x'].append(1)\n{w}['y']['z'] = 0",
            f"{v} = {string(s)}.split()\n{w} = ' '.join(map(str.title, {v}))",
            f"{v} = iter({list_of(s)})\n{w} = [(a, b) for a, b in zip({v}, {v})]",
            f"{v} = {dict_of(s)}\n{w} = {v}.keys() & {{'a', 'b'}}\n{v}['late'] = 1",
            f"{v} = {dict_of(s)}.items()\n{w} = sorted({v}, key=lambda t: (t[1], t[0]))[:1]",
            f"{v} = {list_of(s)}\n{w} = {v}\n{v} = {v} + [1]\n{w} += [2]",
            f"{v} = {array(s)}\n{w} = {v}\n{v} = {v} * 2\n{w} = {w} + 1",
            f"{v} = np.arange(4)\n{w} = {v}[1:3]\n{w} += {integer(s, 0)}\n{s.new('int')} = int({v}[1])",
            f"{v} = np.arange(4)\n{w} = {v}[{v} > 1]\n{w} += 1\n{s.new('list')} = {v}.tolist()",
            f"{v} = frozenset({list_of(s)})\n{w} = sorted({v} | {{1}})",
            f"{v} = {list_of(s)}; {w} = {v}.copy() if {undecided(s)} else {v}\n{w}.append(7)\n{s.new('int')} = len({v})",
            f"{v} = types.SimpleNamespace(a={integer(s, 1)}, b={list_of(s, 1)})\n{v}.a += 1\n{v}.c = {v}.b\n{w} = vars({v})",
            f"{v} = bytes({s.rng.choice(['b', 'c'])!r}, 'utf8') + b'x'\n{w} = list({v})",
            f"{v} = bytearray(b'abc')\n{v}[0] = 100\n{w} = {v}.decode()",
            f"{v} = [*range(5)]\ndel {v}[1::2]\n{w} = slice(0, 2)\n{w} = {v}[{w}]",
            f"{v} = {{n: f for n, f in zip('ab', [lambda: 1, lambda: [2]])}}\n{w} = {v}['b']()",
            f"{v} = [lambda: k for k in range(3)]\n{w} = [f() for f in {v}]",
            f"{v} = sorted([(2, 'b'), (1, 'z'), (2, 'a')], key=operator.itemgetter(0))\n{w} = [t for _, t in {v}]",
            f"{v} = re.match(r'(\\w)(\\d)?', {string(s)})\n{w} = {v}.groups() if {v} else None",
            f"{v} = json.loads(json.dumps({{'a': {list_of(s, 1)}, 'b': None}}))\n{w} = {v}['a']",
            f"{v} = fractions.Fraction(1, 3) + {integer(s, 0)}\n{w} = {v}.denominator",
            f"{v} = dict([(1, 2)], a=3)\n{w} = {v}.popitem()",
            f"{v} = list(enumerate({string(s)}))\n{w} = {{b: a for a, b in {v}}}",
            f"{v} = memoryview(b'ab')\n{w} = {v}[0]",
            f"{v} = jax.tree.map(lambda k: k + 1, {{'a': {integer(s, 1)}, 'b': [{array(s, 0)}]}})\n{w} = jax.tree.leaves({v})",
        ])
    )  # fmt: skip


def globals_(s: Scope) -> None:
    """A function that binds a variable of the module."""
    if s.depth:
        return
    f, v = s.fresh("f"), s.new("int")
    s.text(
        f"{v} = {integer(s, 1)}\ndef {f}():\n    global {v}\n    {v} = {v} + 1\n    return {v}\n{s.new('list')} = [{f}(), {f}()]"
    )


def delete(s: Scope) -> None:
    """`del` of a variable that was bound just now."""
    v = s.fresh("v")
    s.line(f"{v} = {expression(s)}")
    s.line(f"del {v}")


def jit(s: Scope) -> None:
    """A function under jax's transformations, which changes something outside of it."""
    f, log = s.fresh("f"), s.new("list")
    how = s.rng.choice(["jax.jit", "jax.vmap", "jax.checkpoint", "functools.partial(jax.jit, static_argnums=1)"])
    s.text(f"""
{log} = []
@{how}
def {f}(x, *rest):
    {log}.append(x.ndim)
    return x * 2 + len(rest)
{s.new("jax")} = {f}(jnp.ones({s.rng.choice(["3", "(2, 3)"])}))
""")


STATEMENTS: list[tuple[int, Callable[[Scope], None]]] = [
    (30, assign), (4, alias), (7, augmented), (10, change), (6, if_), (4, bound_on_both), (6, for_), (3, while_),
    (6, try_), (3, perhaps_raises), (4, unpack), (1, swap), (6, function), (2, closure), (5, generator), (4, match_), (3, with_),
    (2, jump), (3, decorated), (9, collections_), (1, globals_), (1, delete), (1, jit),
]  # fmt: skip


def statement(s: Scope) -> None:
    """One statement, or several that belong together."""
    from python_fuzz.classes import CLASSES

    all_ = [*STATEMENTS, *CLASSES]
    if s.depth >= 3:
        all_ = STATEMENTS[:4]
    (chosen,) = s.rng.choices([f for _, f in all_], [w for w, _ in all_])
    chosen(s)


def block(s: Scope, count: int) -> None:
    """Some statements."""
    for _ in range(count):
        statement(s)

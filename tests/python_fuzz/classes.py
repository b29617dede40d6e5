"""Classes at random, with what Python does with them: descriptors, enumerations, dataclasses, iterators, and so on."""

# ruff: noqa: E501 (the programs are written as they read)
from __future__ import annotations

from collections.abc import Callable

from python_fuzz.expressions import array, condition, dict_of, integer, list_of, string, undecided
from python_fuzz.scope import Scope

__all__ = ["CLASSES"]


def plain(s: Scope) -> None:
    """A class with methods that change it, and one derived from it."""
    a, b, x, y = s.fresh("C"), s.fresh("C"), s.fresh("v"), s.fresh("v")
    s.text(f"""
class {a}:
    made = 0
    shared = []
    def __init__(self, n, items=None):
        self.n = n
        self.items = list(items or ())
        {a}.made += 1
    def grow(self, k=1):
        self.n += k
        self.items.append(k)
        {s.rng.choice(["self.shared.append(k)", "pass", "self.shared = [k]", "self.__class__.made += 1"])}
        return self
    @property
    def size(self): return len(self.items) + self.n
    @classmethod
    def empty(cls): return cls(0)
    @staticmethod
    def helper(k): return k * 2
    def __repr__(self): return f'<{{self.n}}>'
class {b}({a}):
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.extra = {integer(s, 1)}
    def grow(self, k=2):
        super().grow(k)
        return self
{x} = {s.rng.choice([a, b])}({integer(s, 1)}, {list_of(s, 1)})
{y} = {x}.grow().grow(3)
{s.new("int")} = {x}.size + {a}.helper({integer(s, 0)})
{s.new("list")} = {x}.items
{s.new("int")} = {b}.empty().extra
{s.new("str")} = repr({y}) + str({a}.made)
{s.new("list")} = {a}.shared
""")
    if s.chance(0.4):
        s.text(
            f"if {undecided(s)}:\n    {x} = {b}(7)\n    {x}.grow()\n{s.new('int')} = {x}.n\n{x}.n = {integer(s, 1)}\n{s.new('int')} = {y}.n"
        )
    if s.chance(0.3):
        s.text(
            f"{s.fresh('v')} = [isinstance({x}, {b}), issubclass({b}, {a}), type({x}).__name__, hasattr({x}, 'extra')]"
        )
    if s.chance(0.3):
        s.text(
            f"setattr({x}, 'late', {list_of(s, 1)})\n{s.new('list')} = getattr({x}, 'late')\n{s.fresh('v')} = getattr({x}, 'absent', 'no')"
        )


def iterator(s: Scope) -> None:
    """A class that is iterated."""
    c, v, w = s.fresh("C"), s.fresh("v"), s.fresh("v")
    s.text(
        s.rng.choice(
            [
                f"""
class {c}:
    def __init__(self, items): self.items, self.i = items, 0
    def __iter__(self): return self
    def __next__(self):
        if self.i >= len(self.items): raise StopIteration
        self.i += 1
        return self.items[self.i - 1]
""",
                f"""
class {c}:
    def __init__(self, items): self.items = items
    def __iter__(self): return iter(self.items)
    def __len__(self): return len(self.items)
    def __contains__(self, k): return k == 1
""",
                f"""
class {c}:
    def __init__(self, items): self.items = items; self.asked = 0
    def __getitem__(self, i):
        self.asked += 1
        return self.items[i]
""",
                f"""
class {c}:
    def __init__(self, items): self.items = items
    def __iter__(self):
        for k in self.items:
            yield k + 1
""",
                f"""
class {c}:
    def __init__(self, items): self.inner = iter(items); self.count = 0
    def __iter__(self): return self
    def __next__(self):
        self.count += 1
        return next(self.inner)
""",
            ]
        )
    )
    s.line(f"{v} = {c}({list_of(s, 1)})")
    for _ in range(s.rng.randrange(1, 3)):
        s.text(
            s.rng.choice([
                f"{s.new('list')} = list({v})", f"{s.new('list')} = [k for k in {v}]",
                f"{w} = 0\nfor k in {v}:\n    {w} += k\n    if {condition(s, 0)}: break",
                f"{s.new('int')} = sum({v})", f"{s.fresh('v')} = list(zip({v}, 'ab'))",
                f"{s.fresh('v')} = next(iter({v}), None)", f"{s.fresh('v')} = [*{v}, 0]",
                f"{s.fresh('v')} = list(enumerate({v}))", f"{s.fresh('v')} = 1 in {v}",
                f"{s.fresh('v')} = np.array(list({v}))", f"{s.fresh('v')} = dict.fromkeys({v})",
                f"{s.fresh('v')} = max({v}, default=None)", f"{s.fresh('v')} = list(map(str, {v}))",
                f"{s.fresh('v')}, *{s.fresh('v')} = [0, *{v}]", f"{s.fresh('v')} = sorted({v})",
                f"{s.fresh('v')} = any(k > 1 for k in {v})", f"{s.fresh('v')} = list(itertools.islice({v}, 1))",
            ])
        )  # fmt: skip


def descriptor(s: Scope) -> None:
    """Descriptors, with `__set_name__`, and properties with setters."""
    d, c, v = s.fresh("C"), s.fresh("C"), s.fresh("v")
    s.text(
        s.rng.choice(
            [
                f"""
class {d}:
    def __init__(self, scale): self.scale = scale
    def __set_name__(self, owner, name): self.name = '_' + name; self.owner = owner.__name__
    def __get__(self, instance, owner=None):
        if instance is None: return self
        return getattr(instance, self.name, 1) * self.scale
    def __set__(self, instance, value): setattr(instance, self.name, value + 1)
class {c}:
    x = {d}(2)
    y = {d}({integer(s, 1)})
{v} = {c}()
{s.new("int")} = {v}.x
{v}.x = {integer(s, 1)}
{s.new("int")} = {v}.x + {v}.y
{s.new("str")} = {c}.x.name + {c}.y.owner
""",
                f"""
class {c}:
    def __init__(self): self._n = {integer(s, 1)}; self.log = []
    @property
    def n(self): return self._n
    @n.setter
    def n(self, value): self.log.append(value); self._n = value * 2
    @n.deleter
    def n(self): self._n = 0
{v} = {c}()
{v}.n = {integer(s, 1)}
{v}.n += 1
{s.new("int")} = {v}.n
del {v}.n
{s.new("list")} = [*{v}.log, {v}._n]
""",
                f"""
class {d}(property):
    def __get__(self, instance, owner=None):
        return None if instance is None else super().__get__(instance, owner) + 1
class {c}:
    @{d}
    def x(self): return {integer(s, 1)}
{s.new("int")} = {c}().x
""",
                f"""
class {c}:
    calls = 0
    @functools.cached_property
    def x(self):
        self.calls += 1
        return {list_of(s, 1)}
{v} = {c}()
{s.new("list")} = {v}.x
{v}.x.append(1)
{s.new("int")} = len({v}.x) + {v}.calls
""",
                f"""
class {d}:
    def __get__(self, instance, owner): return owner.__name__ if instance is None else [instance.k]
class {c}:
    x = {d}()
    k = {integer(s, 1)}
{s.new("str")} = {c}.x
{s.new("list")} = {c}().x
""",
                f"""
class {c}:
    __slots__ = ('a', 'b')
    def __init__(self, a): self.a = a
{v} = {c}({list_of(s, 1)})
{s.new("list")} = {v}.a
{s.fresh("v")} = hasattr({v}, 'b')
""",
                f"""
class {c}:
    def __init__(self): self.known = {dict_of(s, 1)}
    def __getattr__(self, name):
        if name.startswith('k'): return {integer(s, 1)}
        raise AttributeError(name)
    def __setattr__(self, name, value): object.__setattr__(self, name, value)
{v} = {c}()
{s.new("int")} = {v}.k5
{s.fresh("v")} = getattr({v}, 'zz', 'none')
{s.new("dict")} = {v}.known
""",
            ]
        )
    )


def enumeration(s: Scope) -> None:
    """Enumerations with methods and mixins."""
    c = s.fresh("C")
    v = s.fresh("v")
    s.text(
        s.rng.choice(
            [
                f"""
class {c}(enum.Enum):
    A = 1
    B = {s.rng.choice(["2", "'b'", "1", "(1, 2)"])}
    def twice(self): return [self.value] * 2
    @classmethod
    def first(cls): return cls.A
    @staticmethod
    def helper(k): return k + 1
    @property
    def low(self): return self.name.lower()
{v} = {c}.first()
{s.fresh("v")} = [m.name for m in {c}]
{s.fresh("v")} = {c}.B.twice()
{s.new("int")} = {c}.helper(2) + {c}.A.helper({integer(s, 0)})
{s.new("str")} = {c}.B.low + {c}['A'].name
{s.fresh("v")} = [{c}(1) is {c}.A, {v} == {c}.B, len({c}), {c}.A in {c}]
""",
                f"""
class {c}(enum.IntEnum):
    X = 3
    Y = 4
    @classmethod
    def total(cls): return sum(cls)
{s.new("int")} = {c}.X + 1
{s.new("int")} = {c}.total()
{s.fresh("v")} = [m for m in {c} if m > 3]
""",
                f"""
class {c}Mixin:
    def shout(self): return self.value.upper()
    @classmethod
    def names(cls): return [m.name for m in cls]
class {c}({c}Mixin, str, enum.Enum):
    A = 'a'
    B = 'bb'
{s.new("str")} = {c}.B.shout()
{s.fresh("v")} = {c}.names()
{s.fresh("v")} = [{c}.A == 'a', {c}('bb').name, len({c}.B)]
""",
                f"""
class {c}(enum.Enum):
    A = enum.auto()
    B = enum.auto()
    def __str__(self): return f'<{{self.value}}>'
    def __init__(self, *args): self.seen = len(args)
{s.new("str")} = str({c}.B)
{s.new("int")} = {c}.A.seen + {c}.B.value
""",
                f"""
class {c}(enum.Flag):
    R = 1
    W = 2
{v} = {c}.R | {c}.W
{s.fresh("v")} = [{c}.R in {v}, {v}.value, bool({v} & {c}.W)]
""",
                f"""
class {c}(enum.Enum):
    P = (1, 2.5)
    Q = (3, {s.rng.choice(["4.5", "0.5"])})
    def __init__(self, n, f):
        self.n = n
        self.f = f
    @property
    def total(self): return self.n + self.f
{s.new("float")} = {c}.Q.total
{s.new("int")} = {c}.P.n
""",
            ]
        )
    )


def dataclass(s: Scope) -> None:
    """Dataclasses."""
    c, b, v, w = s.fresh("C"), s.fresh("C"), s.fresh("v"), s.fresh("v")
    options = s.rng.choice(["", "(frozen=True)", "(order=True)", "(eq=False)", "(slots=True)", "(kw_only=True)"])
    call = "a=" if "kw_only" in options else ""
    s.text(f"""
@dataclasses.dataclass{options}
class {c}:
    a: int
    items: list = dataclasses.field(default_factory=list)
    t: str = 'x'
    def total(self): return self.a + len(self.items)
@dataclasses.dataclass{options}
class {b}({c}):
    extra: float = 0.5
{v} = {c}({call}{integer(s, 1)}, items={list_of(s, 1)})
{w} = dataclasses.replace({v}, a={integer(s, 1)})
{s.new("int")} = {v}.total() + {w}.a
{s.new("list")} = {w}.items
{s.new("dict")} = {{k: 1 for k in dataclasses.asdict({v})}}
{s.fresh("v")} = [f.name for f in dataclasses.fields({b})]
{s.fresh("v")} = {v} == {w}
{s.fresh("v")} = dataclasses.astuple({b}({call}1))
""")
    if "frozen" not in options:
        s.text(f"{v}.a += 2\n{v}.items.append({integer(s, 1)})\n{s.new('int')} = {w}.total()")
    if s.chance(0.3):
        p = s.fresh("C")
        s.text(f"""
@dataclasses.dataclass
class {p}:
    x: int
    y: dataclasses.InitVar[int] = 2
    z: list = dataclasses.field(init=False)
    K: typing.ClassVar[int] = 5
    def __post_init__(self, y): self.z = [self.x, y, self.K]
{s.new("list")} = {p}({integer(s, 1)}).z
""")


def operators(s: Scope) -> None:
    """Operators of a class."""
    c, v = s.fresh("C"), s.fresh("v")
    s.text(f"""
class {c}:
    def __init__(self, n): self.n = n
    def __add__(self, other): return {c}(self.n + (other.n if isinstance(other, {c}) else other))
    __radd__ = __add__
    def __mul__(self, k): return NotImplemented if isinstance(k, str) else {c}(self.n * k)
    def __rmul__(self, k): return {c}(k * self.n)
    def __iadd__(self, k): self.n += 10; return self
    def __eq__(self, other): return isinstance(other, {c}) and self.n == other.n
    def __hash__(self): return hash(self.n)
    def __lt__(self, other): return self.n < other.n
    def __bool__(self): return self.n > 0
    def __len__(self): return 3
    def __neg__(self): return {c}(-self.n)
    def __call__(self, *a): return [self.n, *a]
    def __getitem__(self, k): return k if isinstance(k, tuple) else self.n
    def __contains__(self, k): return k == self.n
    def __index__(self): return abs(self.n) % 3
    def __int__(self): return self.n
    def __format__(self, spec): return str(self.n) + spec
{v} = {c}({integer(s, 1)})
{s.fresh("v")} = ({v} + 1).n + (2 + {v}).n + ({v} * 2).n + (3 * {v}).n
{s.fresh("v")} = [{v} == {c}(1), {v} in ({c}(1), 2), bool({v}), not {v}, {v} < {c}(4), 1 in {v}]
{s.new("list")} = {v}({integer(s, 0)})
{v} += 1
{s.new("int")} = {v}.n + len({v}) + int({v})
{s.fresh("v")} = [{v}[1, 2], {v}[0], (-{v}).n, [5, 6, 7][{v}], f'{{{v}:>}}']
{s.fresh("v")} = max({v}, {c}(2)).n, sorted([{c}(3), {c}(1)])[0].n
{s.fresh("v")} = len({{{c}(1), {c}(1)}})
""")


def hooks(s: Scope) -> None:
    """What happens when a class is made."""
    a, b, r = s.fresh("C"), s.fresh("C"), s.fresh("v")
    s.text(
        s.rng.choice(
            [
                f"""
{r} = []
class {a}:
    def __init_subclass__(cls, /, tag='none', **kwargs):
        super().__init_subclass__(**kwargs)
        {r}.append(tag)
        cls.tag = tag
class {a}M:
    def __init_subclass__(cls, level=0, **kwargs):
        super().__init_subclass__(**kwargs)
        cls.level = level
class {b}({a}, {a}M, tag='b', level={integer(s, 1)}): pass
{s.new("str")} = {b}.tag
{s.new("int")} = {b}.level
""",
                f"""
class {a}(typing.Protocol):
    def size(self) -> int: ...
class {b}({a}):
    def size(self): return {integer(s, 1)}
{s.new("int")} = {b}().size()
""",
                f"""
class {a}(collections.namedtuple('{a}', ['x', 'y'])):
    __slots__ = ()
    @property
    def total(self): return self.x + self.y
    def moved(self, k): return self._replace(x=self.x + k)
{r} = {a}(x={integer(s, 1)}, y=2)
{s.new("int")} = {r}.total
{s.fresh("v")} = {r}.moved({integer(s, 0)}).x, {r} == (1, 2), len({r}), {a}(1, y=3)[1]
""",
                f"""
class {a}(typing.NamedTuple):
    x: int
    y: list = []
    def total(self): return self.x + len(self.y)
{r} = {a}({integer(s, 1)}, {list_of(s, 1)})
{s.new("int")} = {r}.total()
{s.fresh("v")} = {r}._asdict()
{s.fresh("v")}, {s.fresh("v")} = {r}
""",
                f"""
class {a}(dict):
    def __missing__(self, key): return [key]
    def twice(self): return len(self) * 2
{r} = {a}({dict_of(s, 1)})
{r}['q'] = 4
{s.fresh("v")} = {r}['absent'], {r}.twice(), 'q' in {r}
""",
                f"""
class {a}(list):
    def first(self): return self[0] if self else None
{r} = {a}({list_of(s, 1)})
{r}.append(3)
{s.fresh("v")} = {r}.first(), len({r}), sum({r})
""",
                f"""
class {a}(Exception):
    def __init__(self, code): super().__init__(f'code {{code}}'); self.code = code
class {b}({a}): pass
{r} = 'nothing'
try:
    if {condition(s, 0)}: raise {b}({integer(s, 1)})
    {r} = 'went on'
except {a} as e:
    {r} = (type(e).__name__, e.code, str(e))
""",
                f"""
class {a}(abc.ABC):
    @abc.abstractmethod
    def f(self): ...
    def g(self): return [self.f()]
class {b}({a}):
    def f(self): return {integer(s, 1)}
{s.new("list")} = {b}().g()
try:
    {a}()
    {r} = 1
except TypeError:
    {r} = 2
""",
                f"""
class {a}:
    def who(self): return ['a']
class {a}L({a}):
    def who(self): return ['l'] + super().who()
class {a}R({a}):
    def who(self): return ['r'] + super().who()
class {b}({a}L, {a}R):
    def who(self): return ['b'] + super().who()
{s.fresh("v")} = {b}().who()
{s.fresh("v")} = [k.__name__ for k in {b}.__mro__]
""",
                f"""
class {a}:
    instances = {{}}
    def __new__(cls, key):
        if key not in cls.instances: cls.instances[key] = super().__new__(cls)
        return cls.instances[key]
    def __init__(self, key): self.key = key
{s.fresh("v")} = {a}(1) is {a}(1), len({a}.instances), {a}(2).key
""",
                f"""
class {a}Meta(type):
    def __new__(mcs, name, bases, namespace):
        namespace['tag'] = name.lower()
        return super().__new__(mcs, name, bases, namespace)
class {a}(metaclass={a}Meta): pass
{s.fresh("v")} = {a}.tag
""",
                f"""
class {a}(typing.Generic[typing.TypeVar('T')]):
    def __init__(self, x): self.x = x
{s.fresh("v")} = {a}[int]({list_of(s, 1)}).x
""",
                f"""
class {a}:
    x = {integer(s, 1)}
    y = [x, x + 1]
    def __class_getitem__(cls, k): return k
    class Inner:
        z = 5
{s.fresh("v")} = {a}.y, {a}[3], {a}.Inner.z, {a}().Inner().z
{a}.x = {list_of(s, 1)}
{s.new("list")} = {a}().x
""",
                f"""
@jax.tree_util.register_pytree_node_class
class {a}:
    def __init__(self, x, k): self.x, self.k = x, k
    def tree_flatten(self): return (self.x,), self.k
    @classmethod
    def tree_unflatten(cls, k, xs): return cls(*xs, k)
{r} = jax.tree.map(lambda t: t + 1, {a}({array(s, 1)}, {string(s, 1)}))
{s.fresh("v")} = {r}.x
{s.new("str")} = {r}.k
""",
                f"""
@functools.total_ordering
class {a}:
    def __init__(self, n): self.n = n
    def __eq__(self, o): return self.n == o.n
    def __lt__(self, o): return self.n < o.n
{s.fresh("v")} = {a}(1) >= {a}({integer(s, 0)}), {a}(2) <= {a}(2)
""",
            ]
        )
    )


CLASSES: list[tuple[int, Callable[[Scope], None]]] = [
    (4, plain), (6, iterator), (5, descriptor), (4, enumeration), (4, dataclass), (2, operators), (7, hooks),
]  # fmt: skip

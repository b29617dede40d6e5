"""Expressions at random, by the kind of what they give; most are right, some raise."""

from __future__ import annotations

import functools

from python_fuzz.scope import Scope

__all__ = [
    "array", "condition", "dict_of", "expression", "floating", "integer", "jax_array", "list_of", "pair", "set_of",
    "string", "undecided",
]  # fmt: skip

_WORDS = ("'ab'", "'hello world'", "'x'", "''", "'A,b,c'", "'k1'", "' pad '", "'Zürich'")


def integer(s: Scope, depth: int = 2) -> str:
    """An int."""
    rng = s.rng
    name = s.some("int")
    if depth <= 0 or s.chance(0.25):
        return name if name and s.chance(0.7) else str(rng.choice((0, 1, 2, 3, 5, 7, -1, 10)))
    a = functools.partial(integer, s, depth - 1)
    return s.pick(
        [
            lambda: f"({a()} {rng.choice(['+', '-', '*'])} {a()})",
            lambda: f"({a()} {rng.choice(['//', '%'])} {rng.choice((2, 3, 7))})",
            lambda: f"({a()} {rng.choice(['&', '|', '^'])} {a()})",
            lambda: f"len({list_of(s, depth - 1)})",
            lambda: f"len({string(s, depth - 1)})",
            lambda: f"len({dict_of(s, depth - 1)})",
            lambda: f"sum({list_of(s, depth - 1)})",
            lambda: f"max({a()}, {a()})",
            lambda: f"min({list_of(s, depth - 1)} + [{a()}])",
            lambda: f"abs({a()})",
            lambda: f"({a()} if {condition(s, depth - 1)} else {a()})",
            lambda: f"int({condition(s, depth - 1)})",
            lambda: f"{dict_of(s, depth - 1)}.get({string(s, 0)}, {a()})",
            lambda: f"{list_of(s, depth - 1)}.count({a()})",
            lambda: f"{string(s, depth - 1)}.find({string(s, 0)})",
            lambda: f"divmod({a()}, {rng.choice((2, 3, 5))})[{rng.choice((0, 1))}]",
            lambda: f"int({floating(s, depth - 1)} // 1 % 5)",
            lambda: f"(lambda p, q={a()}: p + q)({a()})",
            lambda: f"{array(s, depth - 1)}.ndim",
            lambda: f"{array(s, depth - 1)}.shape[-1]",
            lambda: f"({a()} and {a()})",
            lambda: f"({a()} or {a()})",
            lambda: f"({list_of(s, depth - 1)} or [3])[0]",
            lambda: f"ord({rng.choice(_WORDS[:3])}[0])",
            lambda: f"next(iter({list_of(s, depth - 1)}), {a()})",
            lambda: f"reduce(operator.add, {list_of(s, depth - 1)}, {a()})",
            lambda: f"round({floating(s, depth - 1)})",
            lambda: f"bisect.bisect_left(sorted({list_of(s, depth - 1)}), {a()})",
            lambda: f"~{a()}",
            lambda: f"{rng.choice((1, 2, 3))} << {rng.choice((1, 2))}",
            lambda: f"math.gcd({a()}, {a()})",
            lambda: f"hash({a()}) % 4",
        ]
    )


def floating(s: Scope, depth: int = 2) -> str:
    """A float."""
    rng = s.rng
    name = s.some("float")
    if depth <= 0 or s.chance(0.3):
        return name if name and s.chance(0.7) else str(rng.choice((0.5, 1.5, -2.25, 3.0, 0.1)))
    a = functools.partial(floating, s, depth - 1)
    return s.pick(
        [
            lambda: f"({a()} {rng.choice(['+', '-', '*'])} {a()})",
            lambda: f"({integer(s, depth - 1)} / {rng.choice((2, 3, 8))})",
            lambda: f"float({integer(s, depth - 1)})",
            lambda: f"round({a()}, {rng.choice((0, 1, 2))})",
            lambda: f"math.floor({a()}) + 0.5",
            lambda: f"math.sqrt(abs({a()}))",
            lambda: f"({a()} if {condition(s, depth - 1)} else {a()})",
            lambda: f"max({a()}, 0.0)",
            lambda: f"statistics.mean([{a()}, {a()}])",
            lambda: f"math.fsum([{a()}, {a()}, 1.0])",
            lambda: f"float('{rng.choice((1, 2.5, -3))}')",
        ]
    )


def string(s: Scope, depth: int = 2) -> str:
    """A str."""
    rng = s.rng
    name = s.some("str")
    if depth <= 0 or s.chance(0.25):
        return name if name and s.chance(0.7) else rng.choice(_WORDS)
    a = functools.partial(string, s, depth - 1)
    return s.pick(
        [
            lambda: f"({a()} + {a()})",
            lambda: f"{a()}.{rng.choice(['upper', 'lower', 'title', 'strip', 'swapcase', 'capitalize', 'casefold'])}()",
            lambda: f"{a()}.replace({a()}, {rng.choice(_WORDS)})",
            lambda: f"{a()}[{rng.choice((0, 1, 2))}:{rng.choice((2, 3, -1))}]",
            lambda: f"{a()}[::{rng.choice((-1, 2))}]",
            lambda: f"f'{{{s.some('int') or 1}}}'",
            lambda: f'f"{{{integer(s, depth - 1)}:>4d}}|{{{floating(s, depth - 1)}:.2f}}"',
            lambda: f"str({integer(s, depth - 1)})",
            lambda: f"repr({list_of(s, depth - 1)})",
            lambda: f"'-'.join([{a()}, {a()}])",
            lambda: f"''.join(sorted({a()}))",
            lambda: f"({a()} * {rng.choice((0, 1, 2))})",
            lambda: f"'%s=%d' % ({a()}, {integer(s, depth - 1)})",
            lambda: f"'{{}}:{{k}}'.format({a()}, k={integer(s, depth - 1)})",
            lambda: f"{a()}.split(',')[{rng.choice((0, -1))}]",
            lambda: f"{a()}.partition('l')[{rng.choice((0, 1, 2))}]",
            lambda: f"{a()}.{rng.choice(['ljust', 'rjust', 'center', 'zfill'])}({rng.choice((3, 8))})",
            lambda: f"({a()} if {condition(s, depth - 1)} else {a()})",
            lambda: f"{a()}.removeprefix({a()})",
            lambda: f"{a()}.translate(str.maketrans('ab', 'xy'))",
            lambda: f"re.sub('[aeiou]', '_', {a()})",
            lambda: f"max([{a()}, {a()}, 'm'], key=len)",
            lambda: f"type({expression(s, depth - 1)}).__name__",
            lambda: f"{a()}.encode().decode()",
            lambda: f"next(({rng.choice(['c', 'c * 2'])} for c in {a()}), 'none')",
            lambda: f"textwrap.shorten({a()}, 8)",
        ]
    )


def condition(s: Scope, depth: int = 1) -> str:
    """A truth value."""
    rng = s.rng
    if s.chance(0.12):
        return undecided(s)
    a = functools.partial(integer, s, depth - 1)
    return s.pick(
        [
            lambda: f"{a()} {rng.choice(['<', '<=', '==', '!=', '>', '>='])} {a()}",
            lambda: f"{a()} < {a()} <= {a()}",
            lambda: f"{a()} in {list_of(s, depth - 1)}",
            lambda: f"{string(s, depth - 1)} in {dict_of(s, depth - 1)}",
            lambda: f"{string(s, depth - 1)} == {string(s, 0)}",
            lambda: f"not {a()}",
            lambda: f"{string(s, depth - 1)}.startswith({string(s, 0)})",
            lambda: (
                f"isinstance({expression(s, depth - 1)}, ({rng.choice(['int', 'str', 'list', 'np.ndarray'])}, float))"
            ),
            lambda: f"all(k >= 0 for k in {list_of(s, depth - 1)})",
            lambda: f"any({list_of(s, depth - 1)})",
            lambda: f"({a()} > 0 and {a()} < 3)",
            lambda: f"{set_of(s, depth - 1)} <= {set_of(s, depth - 1)}",
            lambda: f"{string(s, depth - 1)}.isdigit()",
            lambda: f"{floating(s, depth - 1)} > {floating(s, 0)}",
            lambda: f"bool({dict_of(s, depth - 1)})",
            lambda: f"{list_of(s, depth - 1)} is {list_of(s, depth - 1)}",
            lambda: f"callable({expression(s, 0)})",
            lambda: f"hasattr({expression(s, 0)}, {rng.choice(['shape', 'append', 'upper'])!r})",
        ]
    )


def undecided(s: Scope) -> str:
    """A truth value that is another one in another run."""
    return s.rng.choice(["random.random() < 0.5", "random.choice([True, False])", "random.randrange(3) == 1"])


def list_of(s: Scope, depth: int = 2) -> str:
    """A list of ints."""
    rng = s.rng
    name = s.some("list")
    if depth <= 0 or s.chance(0.25):
        return name if name and s.chance(0.75) else rng.choice(["[1, 2, 3]", "[4]", "[0, 5, 2, 8]", "[2, 2]"])
    a = functools.partial(list_of, s, depth - 1)
    i = functools.partial(integer, s, depth - 1)
    return s.pick(
        [
            lambda: f"[{i()}, {i()}]",
            lambda: f"({a()} + {a()})",
            lambda: f"{a()}[{rng.choice(['1:', ':2', '::-1', '-2:', '1:3', '::2'])}]",
            lambda: f"sorted({a()}{rng.choice(['', ', reverse=True', ', key=lambda k: -k', ', key=abs'])})",
            lambda: f"[k {rng.choice(['+ 1', '* 2', '% 3'])} for k in {a()}]",
            lambda: f"[k for k in {a()} if {rng.choice(['k > 1', 'k % 2', 'k in (1, 2)', 'not k'])}]",
            lambda: f"[p + q for p in {a()} for q in ({i()}, 1)]",
            lambda: f"list(range({rng.choice((0, 2, 3, 5))}))",
            lambda: f"list({dict_of(s, depth - 1)}.values())",
            lambda: f"[*{a()}, {i()}]",
            lambda: f"list(map(lambda k: k + {i()}, {a()}))",
            lambda: f"list(filter(None, {a()}))",
            lambda: f"list(reversed({a()}))",
            lambda: f"[p * q for p, q in zip({a()}, {a()})]",
            lambda: f"[n * k for n, k in enumerate({a()}, {i()})]",
            lambda: f"list(itertools.{rng.choice(['accumulate', 'chain'])}({a()}))",
            lambda: f"list(itertools.islice({a()}, {rng.choice((1, 2))}))",
            lambda: f"list(itertools.chain({a()}, {a()}))",
            lambda: f"list(itertools.islice(itertools.cycle({a()} or [1]), 4))",
            lambda: f"[len(list(g)) for _, g in itertools.groupby({a()})]",
            lambda: f"list(itertools.takewhile(lambda k: k < 4, {a()}))",
            lambda: f"list(itertools.starmap(lambda p, q: p - q, zip({a()}, {a()})))",
            lambda: f"[sum(t) for t in itertools.combinations({a()}[:4], 2)]",
            lambda: f"[p for p, _ in itertools.pairwise({a()})]",
            lambda: f"list(dict.fromkeys({a()}))",
            lambda: f"{a()} * {rng.choice((0, 1, 2))}",
            lambda: f"[ord(c) for c in {string(s, depth - 1)}]",
            lambda: f"np.array({a()}).tolist()",
            lambda: f"list({array(s, 0)}.shape)",
            lambda: f"copy.copy({a()})",
            lambda: f"list(collections.deque({a()}, maxlen=2))",
            lambda: f"heapq.nsmallest(2, {a()})",
            lambda: f"[k for t in zip({a()}, {a()}) for k in t]",
            lambda: f"[(k := j + 1) * k for j in {a()}]",
            lambda: f"list(zip(*[{a()}, {a()}]))[0:1] and {a()}",
        ]
    )


def dict_of(s: Scope, depth: int = 2) -> str:
    """A dict from str to int."""
    rng = s.rng
    name = s.some("dict")
    if depth <= 0 or s.chance(0.3):
        return name if name and s.chance(0.75) else rng.choice(["{'a': 1, 'b': 2}", "{}", "{'k1': 3}"])
    a = functools.partial(dict_of, s, depth - 1)
    i = functools.partial(integer, s, depth - 1)
    return s.pick(
        [
            lambda: f"{{'a': {i()}, {string(s, 0)}: {i()}}}",
            lambda: f"{{**{a()}, 'z': {i()}}}",
            lambda: f"({a()} | {a()})",
            lambda: f"{{k: v + 1 for k, v in {a()}.items()}}",
            lambda: f"{{str(k): k for k in {list_of(s, depth - 1)}}}",
            lambda: f"dict(zip('abc', {list_of(s, depth - 1)}))",
            lambda: f"dict(a={i()}, b={i()})",
            lambda: f"{{k: v for k, v in {a()}.items() if v > 1}}",
            lambda: f"dict(sorted({a()}.items(), key=lambda t: -t[1]))",
            lambda: f"dict(collections.Counter({string(s, depth - 1)}))",
            lambda: f"dict(collections.Counter({string(s, depth - 1)}).most_common(2))",
            lambda: f"dict.fromkeys('pq', {i()})",
            lambda: f"copy.deepcopy({a()})",
            lambda: f"{{c: n for n, c in enumerate({string(s, depth - 1)})}}",
        ]
    )


def set_of(s: Scope, depth: int = 2) -> str:
    """A set of ints."""
    rng = s.rng
    name = s.some("set")
    if depth <= 0 or s.chance(0.3):
        return name if name and s.chance(0.75) else rng.choice(["{1, 2}", "set()", "{3, 5, 1}"])
    a = functools.partial(set_of, s, depth - 1)
    return s.pick(
        [
            lambda: f"set({list_of(s, depth - 1)})",
            lambda: f"({a()} {rng.choice(['|', '&', '-', '^'])} {a()})",
            lambda: f"{{k % 3 for k in {list_of(s, depth - 1)}}}",
            lambda: f"{a()}.{rng.choice(['union', 'intersection', 'difference'])}({list_of(s, depth - 1)})",
            lambda: f"set(map(abs, {list_of(s, depth - 1)}))",
        ]
    )


def pair(s: Scope, depth: int = 2) -> str:
    """A tuple of two or more."""
    rng = s.rng
    return s.pick(
        [
            lambda: f"({expression(s, depth - 1)}, {expression(s, depth - 1)})",
            lambda: f"tuple({list_of(s, depth - 1)})",
            lambda: f"divmod({integer(s, depth - 1)}, 4)",
            lambda: f"{string(s, depth - 1)}.partition({rng.choice(_WORDS[:3])})",
            lambda: f"(*{list_of(s, depth - 1)}, {string(s, 0)})",
            lambda: f"{array(s, depth - 1)}.shape",
            lambda: f"({integer(s, depth - 1)},) * {rng.choice((1, 2))}",
            lambda: f"tuple(sorted({dict_of(s, depth - 1)}.items()))",
            lambda: f"next(iter({dict_of(s, depth - 1)}.items()), ())",
        ]
    )


def array(s: Scope, depth: int = 2) -> str:
    """A NumPy array, or now and then a scalar of NumPy."""
    rng = s.rng
    name = s.some("array")
    if depth <= 0 or s.chance(0.25):
        made = ["np.ones(3)", "np.arange(4)", "np.zeros((2, 3))", "np.array([1, 2])", "np.eye(2, dtype=np.float32)",
                "np.array(2.5)", "np.full((3,), 7, np.int8)", "np.ones((1, 3), bool)"]  # fmt: skip
        return name if name and s.chance(0.7) else rng.choice(made)
    a = functools.partial(array, s, depth - 1)
    return s.pick(
        [
            lambda: f"({a()} + {rng.choice(['1', '2.5', 'True', integer(s, 0), floating(s, 0)])})",
            lambda: f"({a()} * {a()}.sum())",
            lambda: f"{a()}.reshape(-1)",
            lambda: f"{a()}.T",
            lambda: f"{a()}.{rng.choice(['sum', 'max', 'mean', 'prod', 'any', 'cumsum', 'argmax'])}()",
            lambda: f"{a()}.astype({rng.choice(['int', 'np.float32', 'bool', repr('int16'), 'np.uint8'])})",
            lambda: f"np.array({list_of(s, depth - 1)})",
            lambda: f"np.asarray({list_of(s, depth - 1)}, dtype={rng.choice(['float', 'np.int16', 'np.float32'])})",
            lambda: f"np.concatenate([np.ravel({a()}), np.ravel({a()})])",
            lambda: f"np.stack([{a()}] * {rng.choice((1, 2))})",
            lambda: f"np.where({a()} > 1, {integer(s, 0)}, 0.5)",
            lambda: f"np.atleast_2d({a()})",
            lambda: f"np.ravel({a()})[{rng.choice([':1', '::-1', '...', 'None'])}]",
            lambda: f"np.linspace(0, {integer(s, 0)}, 3)",
            lambda: f"np.repeat({a()}, 2{rng.choice(['', ', axis=0', ', axis=-1'])})",
            lambda: f"np.tile({a()}, {rng.choice(['2', '(2, 1)'])})",
            lambda: f"np.outer({a()}, [1, 2])",
            lambda: f"np.{rng.choice(['sqrt', 'exp', 'abs', 'square', 'negative', 'sign'])}({a()})",
            lambda: f"np.maximum({a()}, {rng.choice(['1', '0.5'])})",
            lambda: f"np.unique({a()})",
            lambda: f"np.sort({a()}, axis=None)",
            lambda: f"np.{rng.choice(['tril', 'triu', 'diag'])}({a()})",
            lambda: f"np.expand_dims({a()}, 0)",
            lambda: f"np.squeeze({a()})",
            lambda: f"np.arange({rng.choice((1, 2, 3, 4))}, dtype={rng.choice(['int', 'float', 'np.int32'])})",
            lambda: f"np.random.rand({rng.choice((2, 3))})",
            lambda: f"np.zeros_like({a()})",
            lambda: f"np.full_like({a()}, {rng.choice((1, 2.5))})",
            lambda: f"np.cumsum({a()})",
            lambda: f"np.pad({a()}, 1)",
            lambda: f"np.zeros(({rng.choice((1, 2))}, len({list_of(s, depth - 1)})))",
            lambda: f"(np.ravel({a()}) @ np.ravel({a()}))",
            lambda: f"({a()} == {a()})",
            lambda: f"np.clip({a()}, 0, 2)",
            lambda: f"np.isin({a()}, {list_of(s, depth - 1)})",
            lambda: f"{a()}.copy()",
            lambda: "np.swapaxes(np.ones((2, 3)), 0, 1)",
            lambda: f"-{a()}",
            lambda: f"np.float32({floating(s, depth - 1)})",
        ]
    )


def jax_array(s: Scope, depth: int = 1) -> str:
    """An array of JAX."""
    rng = s.rng
    name = s.some("jax")
    if depth <= 0 or s.chance(0.3):
        made = ["jnp.ones(3)", "jnp.arange(4)", "jnp.zeros((2, 3))", "jnp.asarray(2.5)", "jnp.ones(2, jnp.int8)"]
        return name if name and s.chance(0.75) else rng.choice(made)
    a = functools.partial(jax_array, s, depth - 1)
    return s.pick(
        [
            lambda: f"({a()} + {rng.choice(['1', '2.5', integer(s, 0)])})",
            lambda: f"({a()} * {a()}.sum())",
            lambda: f"{a()}.reshape(-1)",
            lambda: f"{a()}.sum()",
            lambda: f"jnp.ravel({a()})[:2]",
            lambda: f"jnp.concatenate([jnp.ravel({a()}), jnp.ravel({a()})])",
            lambda: f"jnp.stack([{a()}, {a()} * 2])" if depth > 1 else f"jnp.stack([{a()}])",
            lambda: f"{a()}.astype({rng.choice(['int', 'jnp.bfloat16', 'bool'])})",
            lambda: f"jnp.where({a()} > 1, 1, 0)",
            lambda: f"jnp.zeros(len({list_of(s, depth - 1)}) % 4)",
            lambda: f"jnp.full({rng.choice(['2', '(1, 2)'])}, {integer(s, 0)})",
            lambda: "jnp.asarray([1, 2])",
            lambda: "jax.vmap(lambda r: r * 2)(jnp.ones((2, 3)))",
            lambda: "jax.grad(lambda r: (r ** 2).sum())(jnp.ones(3))",
            lambda: f"-{a()}",
        ]
    )


def expression(s: Scope, depth: int = 2) -> str:
    """Anything."""
    kinds = [integer, floating, string, list_of, dict_of, set_of, pair, array, condition]
    return s.rng.choice(kinds)(s, max(depth, 0))

"""Names of jaxtyping's annotations in containers: calls made by chance, the plugin against jaxtyping's own checkers.

typeguard, which jaxtyping carries, looks at every item; beartype at one, but into iterables and mappings as well.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable, Iterator
from typing import Any

import beartype
import pytest
from jaxtyping import TypeCheckError, jaxtyped
from jaxtyping._typeguard import typechecked
from mypy_runs import Mypy, shared_caches

HEAD = """
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Optional

import equinox as eqx
import flax.struct
import jax.numpy as jnp
from jax import Array
from jax.numpy import ones
from jaxtyping import Float, PyTree

T = None
"""
IMPORTS = """
from jaxtyping import jaxtyped
from jaxtyping._typeguard import typechecked
"""
CHECKERS: tuple[Callable[[Any], Any], ...] = (typechecked, beartype.beartype)
DIMS = ("n", "m", "n m", "n n", "m n", "*b n", "n *b", "n 3", "_ m", "#n", "... m", "n+1 n")
TREES = ('PyTree[Float[Array, "?n ..."], "T"]', 'PyTree[Float[Array, "n"], "T"]', 'PyTree[Float[Array, "m ..."]]')
SIZES = (1, 2, 3, 4)


class Maker:
    """Annotations, and values that fit them or nearly so."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        self.env: dict[str, int] = {}
        self.wrong = 0.0

    def array(self) -> str:
        return f'Float[Array, "{self.rng.choice(DIMS)}"]'

    def annotation(self, depth: int = 0) -> str:
        kind = self.rng.randrange(10)
        if depth > 1 or kind < 2:
            return self.array()

        def inner() -> str:
            return self.annotation(depth + 1)

        made: list[Callable[[], str]] = [
            lambda: f"list[{inner()}]",
            lambda: f"tuple[{inner()}, {inner()}]",
            lambda: f"tuple[{inner()}, ...]",
            lambda: f"dict[str, {inner()}]",
            lambda: f"Sequence[{inner()}]",
            lambda: f"Optional[{inner()}]",
            lambda: f"PyTree[{self.array()}]" if depth else self.rng.choice(TREES),
            lambda: f"{self.array()} | list[{self.array()}]",
        ]
        return made[kind - 2]()

    def size(self, name: str) -> int:
        if self.rng.random() < self.wrong:
            return self.rng.choice(SIZES)
        return self.env.setdefault(name, self.rng.choice(SIZES))

    def value(self, annotation: str) -> str:
        """An expression for an annotation as text."""
        head, _, rest = annotation.partition("[")
        if " | " in annotation and annotation.startswith("Float"):
            return self.value(self.rng.choice(annotation.split(" | ")))
        inner = rest[:-1]
        several = range(self.rng.choice((0, 1, 1, 2, 2)))
        match head:
            case "Float":
                sizes = [s for dim in inner.split('"')[1].split() for s in self.dim(dim)]
                return f"ones(({''.join(f'{s}, ' for s in sizes)}))"
            case "list" | "Sequence":
                items = ", ".join(self.value(inner) for _ in several)
                return f"[{items}]"
            case "tuple" if inner.endswith(", ..."):
                return f"({''.join(self.value(inner[:-5]) + ', ' for _ in several)})"
            case "tuple":
                return f"({''.join(self.value(part) + ', ' for part in split(inner))})"
            case "dict":
                return keyed([self.value(inner[5:]) for _ in several])
            case "Optional":
                return "None" if self.rng.random() < 0.3 else self.value(inner)
            case "PyTree":
                return self.tree(inner.removesuffix(', "T"'), 0)
        raise AssertionError(annotation)

    def tree(self, leaf: str, depth: int) -> str:
        kind = self.rng.randrange(5)
        if depth == 0 and self.rng.random() < 0.1:
            return "None"
        if depth > 1 or kind == 0:
            return self.value(leaf)
        parts = [self.tree(leaf, depth + 1) for _ in range(self.rng.randrange(1, 3))]
        return [
            f"[{', '.join(parts)}]",
            f"({', '.join(parts)},)",
            keyed(parts),
            f"[{', '.join(parts)}, None]",
        ][kind - 1]

    def dim(self, dim: str) -> list[int]:
        if dim == "3":
            return [3]
        if dim in ("*b", "..."):
            return [self.size(f"b{i}") for i in range(2)] if self.env.setdefault("b", 0) else []
        if dim == "_":
            return [self.rng.choice(SIZES)]
        if dim == "?n":
            return [self.rng.choice(SIZES)]
        if dim == "#n":
            return [1] if self.rng.random() < 0.3 else [self.size("n")]
        return [self.size("n") + 1] if dim == "n+1" else [self.size(dim)]


def keyed(parts: list[str]) -> str:
    """A dict of these, by the names k0, k1, ..."""
    return "{" + ", ".join(f"'k{i}': {part}" for i, part in enumerate(parts)) + "}"


def split(text: str) -> Iterator[str]:
    """The parts of an annotation that stand between commas outside of brackets."""
    depth, part = 0, ""
    for char in text:
        depth += (char == "[") - (char == "]")
        if char == "," and depth == 0:
            yield part.strip()
            part = ""
        else:
            part += char
    yield part.strip()


def program(seed: int, functions: int, calls: int) -> str:
    """Functions with annotations made by chance, and calls of each, one in a line."""
    maker = Maker(seed)
    lines = HEAD.splitlines()
    for f in range(functions):
        annotations = [maker.annotation() for _ in range(maker.rng.randrange(1, 4))]
        parameters = ", ".join(f"x{i}: {a}" for i, a in enumerate(annotations))
        lines.append(f"def f{f}({parameters}) -> None: return None")
        for _ in range(calls):
            maker.env, maker.wrong = {}, maker.rng.choice((0.0, 0.1, 0.3))
            lines.append(f"f{f}({', '.join(map(maker.value, annotations))})")
    return "\n".join(lines) + "\n"


def refusals(text: str) -> dict[int, str]:
    """What becomes of each call of a program: `refused`, `accepted`, or another exception."""
    found: dict[int, str] = {}
    names: dict[str, Any] = {"checkers": CHECKERS}
    for number, line in enumerate(text.splitlines(), 1):
        if not line.startswith("f") or "import" in line:
            exec(compile(line, "<line>", "exec", dont_inherit=True), names)
            if line.startswith("def "):
                name = line[4:].partition("(")[0]
                names[name] = [jaxtyped(typechecker=checker)(names[name]) for checker in CHECKERS]
            continue
        name, _, arguments = line.partition("(")
        outcomes = set()
        for checked in names[name]:
            try:
                eval(compile(f"f({arguments}", "<line>", "eval", dont_inherit=True), {**names, "f": checked})
                outcomes.add("accepted")
            except TypeCheckError:
                outcomes.add("refused")
            except Exception as error:
                outcomes.add(type(error).__name__)
        found[number] = "accepted" if outcomes == {"accepted"} else min(outcomes - {"accepted"})
    return found


def test_calls_are_told_as_jaxtyping_refuses_them(tmp_path_factory: pytest.TempPathFactory) -> None:
    text = program(1, 60, 12)
    told = {m.line for m in Mypy(tmp_path_factory.mktemp("calls"), shared_caches(tmp_path_factory)).run(text).errors()}
    became = refusals(text)
    lines = text.splitlines()
    refused = {line for line, what in became.items() if what == "refused"}
    assert len(refused) > 100
    assert shown(lines, {n for n in told if became.get(n) == "accepted"}) == []
    assert shown(lines, refused - told) == []


def shown(lines: list[str], numbers: set[int]) -> list[str]:
    """Calls of a program, each with the function that it is of."""
    return [f"{next(d for d in reversed(lines[:n]) if d.startswith('def'))}: {lines[n - 1]}" for n in sorted(numbers)]


FIELDS = """
@jaxtyped(typechecker=typechecked)
@dataclass
class Batch:
    x: Float[Array, "n d"]
    y: Float[Array, "n"]
    zs: dict[str, list[Float[Array, "d"]]]

    def moved(self, y: Float[Array, "n"], xs: tuple[Float[Array, "n"], ...] = ()) -> Float[Array, "n"]:
        return y


@jaxtyped(typechecker=typechecked)
@flax.struct.dataclass
class State:
    params: PyTree[Float[Array, "n ..."]]
    step: Float[Array, "n"]


@jaxtyped(typechecker=typechecked)
class Network(eqx.Module):
    layers: list[tuple[Float[Array, "n n"], Float[Array, "n"]]]
    bias: Optional[Float[Array, "n"]] = None


@jaxtyped(typechecker=typechecked)
class Written(eqx.Module):
    x: Float[Array, "n"]
    y: Float[Array, "n"]

    def __init__(self, x: Float[Array, "m"], y: list[Float[Array, "k"]]) -> None:
        self.x = x
        self.y = y[0]


@jaxtyped(typechecker=typechecked)
def default(xs: list[Float[Array, "n"]], y: Float[Array, "n"] = ones(3)) -> Float[Array, "n"]:
    return xs[0]


@jaxtyped(typechecker=typechecked)
def mapped(f: Callable[[Float[Array, "n"]], Float[Array, "n"]], xs: list[Float[Array, "n"]]) -> None:
    pass


def doubled(x: Float[Array, "k"]) -> Float[Array, "2*k"]:
    return jnp.concatenate([x, x])


def threes(x: Float[Array, "3"]) -> Float[Array, "3"]:
    return x


@jaxtyped(typechecker=typechecked)
def stepped(state: Network, batch: Batch, y: Float[Array, "n"], zs: list[Float[Array, "d"]]) -> None:
    pass


# calls
Batch(ones((3, 2)), ones(3), {"a": [ones(2)]})
Batch(ones((3, 2)), ones(4), {})
Batch(zs={"a": [], "b": [ones(3)]}, x=ones((3, 2)), y=ones(3))
Batch(ones((3, 2)), ones(3), {}).moved(ones(5), (ones(5),))
Batch(ones((3, 2)), ones(3), {}).moved(ones(5))
State({"w": ones((3, 2)), "b": ones(3)}, ones(3))
State({"w": ones((3, 2)), "b": ones(4)}, ones(3))
State(step=ones(4), params=[ones((3, 2))])
Network([(ones((3, 3)), ones(3))])
Network([(ones((3, 3)), ones(3)), (ones((4, 4)), ones(4))])
Network([(ones((3, 3)), ones(3))], ones(4))
Network([], ones(4))
Written(ones(3), [ones(4), ones(4)])
Written(ones(3), [ones(4), ones(3)])
default([ones(4)])
default([ones(4)], ones(3))
default([ones(4)], y=ones(4))
mapped(doubled, [ones(3)])
mapped(threes, [ones(4)])
mapped(lambda x: x, [ones(4), ones(3)])
stepped(Network([], ones(5)), Batch(ones((3, 2)), ones(3), {}), ones(6), [ones(7)])
stepped(Network([], ones(5)), Batch(ones((3, 2)), ones(3), {}), ones(6), [ones(7), ones(8)])
"""


def test_fields_methods_and_functions_are_told_as_jaxtyping_refuses_them(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    text = HEAD.replace("Iterable,", "Callable, Iterable,") + IMPORTS + FIELDS
    told = {m.line for m in Mypy(tmp_path_factory.mktemp("fields"), shared_caches(tmp_path_factory)).run(text).errors()}
    lines = text.splitlines()
    start = lines.index("# calls")
    module = type(sys)("named_fields")
    sys.modules[module.__name__] = module
    exec(compile("\n".join(lines[:start]), "<fields>", "exec", dont_inherit=True), module.__dict__)
    refused = set()
    for number, line in enumerate(lines[start + 1 :], start + 2):
        try:
            exec(compile(line, "<line>", "exec", dont_inherit=True), module.__dict__)
        except TypeCheckError:
            refused.add(number)
    assert [lines[n - 1] for n in sorted(told - refused)] == []
    assert [lines[n - 1] for n in sorted(refused - told)] == []


BODIES = """
KNOWN = ones((3, 5))


class Pair(NamedTuple):
    x: Float[Array, "n m"]
    y: Float[Array, "m n"]


def right_items(xs: list[Float[Array, "n m"]]) -> list[Float[Array, "m n"]]:
    return [x.T for x in xs]


def wrong_items(xs: list[Float[Array, "n m"]]) -> list[Float[Array, "n m"]]:
    return [x.T for x in xs]


def right_dict(xs: list[Float[Array, "n m"]]) -> dict[str, Float[Array, "n n"]]:
    return {"a": xs[0] @ xs[1].T, "b": xs[0] @ xs[0].T}


def wrong_dict(xs: list[Float[Array, "n m"]]) -> dict[str, Float[Array, "n n"]]:
    return {"a": xs[0] @ xs[1].T, "b": xs[0].T @ xs[0]}


def wrong_display(xs: list[Float[Array, "n m"]]) -> dict[str, Float[Array, "n n"]]:
    made = {"a": xs[0] @ xs[1].T, "b": xs[0].T @ xs[0]}
    return made


def right_tuple(xs: list[Float[Array, "n m"]]) -> tuple[Float[Array, "n"], ...]:
    return tuple([x.sum(axis=1) for x in xs])


def wrong_tuple(xs: list[Float[Array, "n m"]]) -> tuple[Float[Array, "n"], ...]:
    return tuple([x.sum(axis=0) for x in xs])


def wrong_pairs(xs: list[Float[Array, "n m"]]) -> list[tuple[Float[Array, "n"], Float[Array, "m"]]]:
    return [(x[:, 0], x[0]) for x in xs] + [(xs[0][0], xs[0][0])]


def right_pairs(xs: list[Float[Array, "n m"]]) -> list[tuple[Float[Array, "n"], Float[Array, "m"]]]:
    return [(x[:, 0], x[0]) for x in xs] + [(xs[0][:, 0], xs[0][0])]


def right_appended(xs: list[Float[Array, "n m"]]) -> list[Float[Array, "m m"]]:
    made = []
    for x in xs:
        made.append(x.T @ x)
    return made


def right_empty(xs: list[Float[Array, "n m"]]) -> Float[Array, "n m"]:
    return xs[0] if xs else jnp.zeros((7, 9))


def right_other(xs: list[Float[Array, "n m"]], y: Float[Array, "k"] = ones(5)) -> list[Float[Array, "n m"]]:
    return [x for x in xs if x.sum() > 0]


def right_unbound(y: Optional[Float[Array, "k"]], z: Float[Array, "m"] = ones(5)) -> Float[Array, "k"]:
    return z if z.sum() else jnp.zeros(2)


def wrong_optional(xs: Optional[list[Float[Array, "n m"]]]) -> Optional[Float[Array, "n m"]]:
    return None if xs is None else xs[0].T


def right_optional(xs: Optional[list[Float[Array, "n m"]]]) -> Optional[Float[Array, "m n"]]:
    return None if xs is None else xs[0].T


def right_optional_too(xs: list[Float[Array, "n m"]], y: Float[Array, "m k"] | None = KNOWN) -> Float[Array, "k"]:
    return jnp.zeros(2) if y is None else y[:, 0]


def right_loop(xs: list[Float[Array, "n m"]]) -> Float[Array, "n m"]:
    for x in xs:
        last = x
    return last


def wrong_loop(xs: list[Float[Array, "n m"]]) -> Float[Array, "n m"]:
    for x in xs:
        last = x
    return last.T


def wrong_zip(xs: list[Float[Array, "n m"]]) -> list[Float[Array, "n m"]]:
    return [x.T @ y @ x.T for x, y in zip(xs, xs)]


def right_zip(xs: list[Float[Array, "n m"]]) -> list[Float[Array, "m m"]]:
    return [x.T @ y for x, (_, y) in zip(xs, enumerate(xs))]


def right_rebound(xs: list[Float[Array, "n m"]]) -> list[Float[Array, "k m"]]:
    xs = [x[1:] for x in xs]
    return xs


def right_named_tuple(xs: list[Float[Array, "n m"]]) -> list[Float[Array, "m n"]]:
    pair = Pair(xs[0], xs[0].T)
    return [pair.y, xs[1].T]


def wrong_tree(xs: list[Float[Array, "n m"]]) -> PyTree[Float[Array, "n m"]]:
    return {"a": xs[0], "b": [xs[0].T]}


def right_tree(xs: list[Float[Array, "n m"]]) -> PyTree[Float[Array, "n ..."]]:
    return {"a": xs[0], "b": [xs[0][:, 0]]}


def right_inner(xs: list[Float[Array, "n m"]]) -> list[Float[Array, "n m"]]:
    def inner(xs: list[Float[Array, "m n"]]) -> list[Float[Array, "n m"]]:
        return [x.T for x in xs]

    return inner([x.T for x in xs])
"""


def test_bodies_are_told_as_jaxtyping_refuses_them(tmp_path_factory: pytest.TempPathFactory) -> None:
    text = HEAD + BODIES
    lines = text.splitlines()
    errors = Mypy(tmp_path_factory.mktemp("bodies"), shared_caches(tmp_path_factory)).run(text).errors()
    told = {next(d for d in reversed(lines[: m.line]) if d.startswith("def"))[4:].partition("(")[0] for m in errors}
    names: dict[str, Any] = {}
    exec(compile(text, "<bodies>", "exec", dont_inherit=True), names)
    functions = {n: f for n, f in names.items() if n.startswith(("wrong_", "right_"))}
    refused = set()
    for name, function in functions.items():
        argument = None if name == "right_unbound" else [names["ones"]((4, 3)), names["ones"]((4, 3))]
        try:
            jaxtyped(typechecker=typechecked)(function)(argument)
        except TypeCheckError:
            refused.add(name)
    assert refused == {n for n in functions if n.startswith("wrong_")}
    assert told == refused

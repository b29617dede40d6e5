"""Objects that a program makes and writes to on several paths: random programs are run, and flow describes each run."""

from __future__ import annotations

import random

import pytest
from flow_values import interpreted, run, wrong_claims

NAMES = ("p", "q", "r")
START = """
import contextlib, random
class Node:
    def __init__(self, a):
        self.a = a
        self.l = [a]
        self.n = None
def flag():
    return random.random() < 0.5
@contextlib.contextmanager
def entered(node):
    node.a += 1
    try:
        yield node
    finally:
        node.l.append(7)
kept = {}
i = v = m = None
p, q, r = Node(1), Node(2), Node(3)
"""
END = """
x = [(v.a, len(v.l), v.l[-1], v.n.a if v.n is not None else None) for v in (p, q, r)]
y = [p is q, q is r, p.n is q, sorted(kept)]
z = [(k.a, len(k.l)) for k in kept.values()]
"""


class Programs:
    """Random statements over a few nodes that may be one another."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.functions: list[str] = []

    def program(self) -> str:
        """A program whose last lines say what became of its nodes."""
        body = self.block(0, 3, False, False)
        return "\n".join([START, *self.functions, *body, END])

    def block(self, depth: int, most: int, is_loop: bool, is_function: bool) -> list[str]:
        """Some statements."""
        lines: list[str] = []
        for _ in range(self.random.randint(1, most)):
            lines += self.statement(depth, is_loop, is_function)
        return lines

    def statement(self, depth: int, is_loop: bool, is_function: bool) -> list[str]:
        """One statement, perhaps with others in it."""
        chance = self.random.random()
        if depth < 2 and chance < 0.45:
            return self.compound(depth, is_loop, is_function)
        if chance < 0.55 and (is_loop or is_function):
            ways = ["break", "continue"] * is_loop + ["return p", "return q"] * is_function
            return [f"if flag(): {self.random.choice(ways)}"]
        a, b = self.random.sample(NAMES, 2)
        k = self.random.randint(0, 9)
        return [
            self.random.choice([
                f"{a} = Node({k})", f"{a} = {b}", f"{a}.a = {k}", f"{a}.a = {b}.a", f"{a}.l.append({k})",
                f"{a}.n = {b}", f"{a}.n = Node({k})", f"{a}.l = {b}.l", f"{a}.l = []; {a}.l.append({k})",
                f"if {a}.n is not None: {a}.n.a = {k}", f"{b} = {a}.n or {b}", f"kept[{k % 3}] = {a}",
                f"{a} = kept.get({k % 3}, {b})", f"for v in list(kept.values()): v.a = {k}",
                f"{a} = Node({k}) if flag() else {b}",
            ])
        ]  # fmt: skip

    def compound(self, depth: int, is_loop: bool, is_function: bool) -> list[str]:
        """A statement with blocks."""

        def inner(loop: bool = is_loop, most: int = 3) -> list[str]:
            return ["    " + line for line in self.block(depth + 1, most, loop, is_function)]

        kind = self.random.choice(["if", "if", "for", "while", "try", "with", "call"])
        if kind == "if":
            return ["if flag():", *inner(), "else:", *inner()]
        if kind == "for":
            return [f"for i in range({self.random.choice([2, 70] if depth == 0 else [2])}):", *inner(True)]
        if kind == "while":
            return ["while flag():", *inner(True)]
        if kind == "with":
            return [f"with entered({self.random.choice(NAMES)}) as m:", *inner()]
        if kind == "try":
            last = self.random.choice([[], ["finally:", *inner(False)]])
            raising = ["    if flag(): raise ValueError"]
            return ["try:", *inner(), *raising, *inner(), "except ValueError:", *inner(), *last]
        name = f"f{len(self.functions)}"
        self.functions.append("")  # so that those inside have other names
        body = Programs.block(self, depth + 1, 4, False, True)
        self.functions.append("\n    ".join([f"def {name}(p, q, r):", *body, "return r"]))
        target, *given = self.random.choices(NAMES, k=4)
        return [f"{target} = {name}({', '.join(given)})"]


@pytest.mark.parametrize("seed", range(28))
def test_what_is_said_holds_in_every_run(seed: int) -> None:
    source = Programs(seed).program()
    variables, result = interpreted(source)
    assert not result.crashes
    assert not [m for m in result.diagnostics if m.is_certain]
    for _ in range(12):
        assert wrong_claims(source, variables, run(source)) == [], source

"""Loops of followed functions that are left early: what is told of their rounds, and of those that are not come to."""

from __future__ import annotations

import pytest
from mypy_runs import Mypy, Run, shared_caches
from raising_programs import program, raising_line, told

LAYERS = """
        def make():
            return [(jnp.ones((3, 4)), 4), (jnp.ones((4, 5)), 5), (jnp.ones((6, 2)), 2)]
        """

WRONG = {
    "round_before_the_last": """
        def mlp(layers, x):
            for i, (w, n) in enumerate(layers):
                x = x @ w
                if i == len(layers) - 1:
                    break
                x = jnp.tanh(x)
            return x
        print(mlp(make(), jnp.ones((7, 3))))
        """,
    "after_a_skipped_round": """
        def mlp(layers, x):
            for i, (w, n) in enumerate(layers):
                if i == 0:
                    continue
                x = x @ w
            return x
        print(mlp(make(), jnp.ones((7, 3))))
        """,
    "in_a_function": """
        def step(x, w):
            return x @ w
        def mlp(layers, x):
            for w, n in layers:
                if n == 9:
                    break
                x = step(x, w)
            return x
        print(mlp(make(), jnp.ones((7, 3))))
        """,
    "else": """
        def mlp(layers, x):
            for w, n in layers[:2]:
                if n == 9:
                    break
                x = x @ w
            else:
                x = x @ jnp.ones(9)
            return x
        print(mlp(make(), jnp.ones((7, 3))))
        """,
    "computed_key": """
        def init(sizes):
            p = {}
            for i, (m, n) in enumerate(zip(sizes[:-1], sizes[1:])):
                p[f"w{i}"] = jnp.ones((m, n))
            return p
        def apply(p, x):
            return x @ p["w1"] @ p["w0"]
        print(apply(init((3, 4, 2)), jnp.ones((7, 4))))
        """,
}

RIGHT = {
    "left_before": """
        def mlp(layers, x):
            for i, (w, n) in enumerate(layers):
                if i == 2:
                    break
                x = x @ w
            return x
        print(mlp(make(), jnp.ones((7, 3))))
        """,
    "skipped": """
        def mlp(layers, x):
            for w, n in layers:
                if w.shape[0] != x.shape[1]:
                    continue
                x = x @ w
            return x
        print(mlp(make(), jnp.ones((7, 3))))
        """,
    "else_of_a_loop_that_is_left": """
        def mlp(layers, x):
            for i, (w, n) in enumerate(layers):
                if i == 2:
                    x = x.T
                    break
                x = x @ w
            else:
                x = x @ jnp.ones((9, 9))
            return x
        print(mlp(make(), jnp.ones((7, 3))))
        """,
    "left_by_data": """
        def mlp(layers, x):
            for i, (w, n) in enumerate(layers):
                if x.sum() > 3:
                    break
                x = x @ w @ w
            return x
        print(mlp(make(), jnp.ones((7, 3))))
        """,
    "inner_loop": """
        def mlp(layers, x):
            for i, (w, n) in enumerate(layers):
                if i == 1:
                    break
                for k in range(2):
                    if k == 1:
                        break
                    x = x @ w
            return x
        print(mlp(make(), jnp.ones((7, 3))))
        """,
    "last_round": """
        def last(layers, x):
            y = x
            for i, (w, n) in enumerate(layers):
                if i < 1:
                    continue
                y = w
                if i == 1:
                    break
                y = y @ jnp.ones((77, 3))
            return y
        print(last(make(), jnp.ones((7, 3))))
        """,
    "both_go_on": """
        def mlp(layers, x, flag=True):
            for w, n in layers:
                if not flag or w.shape[0] == 6:
                    if flag:
                        break
                    x = x[:, :1]
                    continue
                x = x @ w
            return x
        print(mlp(make(), jnp.ones((7, 3))))
        """,
    "late_key": """
        def readers(n):
            return [lambda p: p[f"w{i}"] @ jnp.ones(2) for i in range(n)]
        print(readers(2)[0]({"w0": jnp.ones(5), "w1": jnp.ones(2)}))
        """,
    "bound_again": """
        def init(n):
            p = {}
            for i in range(n):
                j = i
                i = 5
                p[f"w{i}"] = jnp.ones(j + 1)
            return p
        print(init(3)["w5"] @ jnp.ones(3))
        """,
}


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """One run of mypy over all programs."""
    mypy = Mypy(tmp_path_factory.mktemp("left"), shared_caches(tmp_path_factory))
    return mypy.run({f"{name}.py": source(text) for name, text in (WRONG | RIGHT).items()})


def source(text: str) -> str:
    """A program."""
    return program(LAYERS.rstrip() + text)


@pytest.mark.parametrize("name", WRONG)
def test_a_mistake_is_told_where_it_raises(name: str, run: Run) -> None:
    line = raising_line(source(WRONG[name]))
    assert line is not None
    assert told(run, name) == [line]


@pytest.mark.parametrize("name", RIGHT)
def test_nothing_is_told_of_what_runs(name: str, run: Run) -> None:
    assert raising_line(source(RIGHT[name])) is None
    assert told(run, name) == []

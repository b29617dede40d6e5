"""What the tests of published packages do, each cause in few lines: all of these programs run, and nothing is wrong."""

from __future__ import annotations

import textwrap
from pathlib import Path

import pytest

from arraytyping.checker.flow.report.analysis import analyze
from arraytyping.checker.settings import Settings

pytest.importorskip("jax")

PROGRAMS = {
    "a class that derives from a NamedTuple": """
        from typing import NamedTuple
        import jax, jax.numpy as jnp
        class Pair(NamedTuple):
            left: jax.Array
            right: jax.Array = jnp.ones(3)
        class Better(Pair):
            right: jax.Array
            def product(self):
                return self.left @ jnp.ones((2, 5))
        pair = Better(jnp.ones((4, 2)))
        other = jax.tree.map(lambda a: a + 1, pair._replace(left=jnp.ones((7, 2))))
        assert isinstance(other, Pair) and isinstance(other, tuple)
        print(pair.product() @ jnp.ones((5, 1)), jnp.ones((1, 7)) @ other.product())
        """,
    "what exec binds": """
        import jax.numpy as jnp
        scope = {}
        exec("a = 1", {}, scope)
        print(scope["a"])
        n = 3
        exec("n = 4")
        print(jnp.ones((2, n)) @ jnp.ones(4))
        """,
    "an object with operators of its own beside an array": """
        import jax.numpy as jnp
        from equinox.internal import ω
        def step(primals, tangents):
            scale = 0.5 * jnp.max(jnp.ones(3))
            return (ω(primals) + scale * ω(tangents)).ω
        print(step((jnp.ones(3),), (jnp.ones(3),)))
        """,
    "attributes that a library's call binds": """
        import jax.extend.core, jax.numpy as jnp
        class Kept:
            count = 0
            def __call__(self, out):
                self.out, self.count = out, 3
                return out
        primitive = jax.extend.core.Primitive("kept")
        primitive.multiple_results = True
        primitive.def_impl(lambda x, keep: [keep(x)])
        kept = Kept()
        primitive.bind(jnp.ones(3), keep=kept)
        print(kept.out, jnp.ones(kept.count) + jnp.ones(3))
        """,
    "functions that something else calls as often as it likes": """
        import threading
        import jax.numpy as jnp
        seen = []
        threads = [threading.Thread(target=lambda: seen.append(jnp.ones(3))) for _ in range(3)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        first, second, third = seen
        """,
    "methods of a class that flow does not understand": """
        made = []
        class Meta(type):
            def __call__(cls, *args):
                one = cls.__new__(cls)
                one.set_up(*args)
                return one
        class A(metaclass=Meta):
            def set_up(self, x):
                made.append(x)
        A(1), A(2)
        first, second = made
        """,
    "rules of custom_vjp that are given objects": """
        import jax, jax.numpy as jnp
        @jax.custom_vjp
        def product(x, y):
            return x @ y
        def forward(x, y):
            assert x.perturbed in (True, False)
            return x.value @ y.value, (x.value, y.value)
        def backward(kept, g):
            x, y = kept
            return jnp.outer(g, y), x.T @ g
        product.defvjp(forward, backward, symbolic_zeros=True)
        print(jax.grad(lambda x: product(x, jnp.ones(3)).sum())(jnp.ones((4, 3))) @ jnp.ones(3))
        """,
    "arrays as axes": """
        import jax, jax.numpy as jnp
        print(jax.scipy.special.logsumexp(jnp.ones((4, 3)), axis=tuple(jnp.arange(2))))
        """,
}

TESTS = {
    "sets of parameters in one iterable": """
        import itertools
        import jax.numpy as jnp, numpy as np
        from absl.testing import parameterized
        def is_wrong(case):
            return (isinstance(case[0], str) and case[1] is not None) or (case[0] == 0 and case[1] is None)
        class T(parameterized.TestCase):
            @parameterized.parameters(
                itertools.filterfalse(is_wrong, itertools.product([None, "fro", 0, np.inf], [None, 0, 1]))
            )
            def test_norm(self, ord, axis):
                jnp.linalg.norm(jnp.ones((3, 4)), ord=ord, axis=axis)
            @parameterized.parameters(x for x in (2, 3))
            def test_single(self, n):
                jnp.ones((n, n)) @ jnp.ones(n)
        """,
}


def certain(source: str, file: Path) -> list[str]:
    """The mistakes that are shown of a program that is followed, and its internal errors."""
    file.write_text(textwrap.dedent(source), encoding="utf-8")
    analysis = analyze([file], Settings())
    return [str(m) for m in analysis.diagnostics if m.is_shown] + list(analysis.crashes)


@pytest.mark.parametrize("what", PROGRAMS)
def test_programs(what: str, tmp_path: Path) -> None:
    file = tmp_path / "program.py"
    found = certain(PROGRAMS[what], file)
    exec(compile(file.read_text(encoding="utf-8"), str(file), "exec"), {"__name__": "__main__"})
    assert found == []


@pytest.mark.parametrize("what", TESTS)
def test_tests(what: str, tmp_path: Path) -> None:
    assert certain(TESTS[what], tmp_path / "test_it.py") == []


def test_a_package_has_a_path(tmp_path: Path) -> None:
    (tmp_path / "suite").mkdir()
    (tmp_path / "suite" / "__init__.py").write_text("")
    main = "from . import __path__\nimport suite\nprint(__path__[0], suite.__path__)\n"
    (tmp_path / "suite" / "__main__.py").write_text(main)
    found = analyze([tmp_path / "suite"], Settings())
    assert found.diagnostics == []

"""Living with the plugin: ignores, codes switched off, other output; and nothing that makes it fall over."""

from __future__ import annotations

import json

import pytest
from mypy_runs import Mypy, of_modules

UNTYPED_TOO = of_modules(["program.py"], "check_untyped_defs = true")
MISTAKE = "import jax.numpy as jnp\njnp.ones(3) + jnp.ones(4)\n"


def test_a_mistake_is_reported_at_its_expression(mypy: Mypy) -> None:
    (error,) = mypy.run("import jax.numpy as jnp\ny = 1 + (jnp.ones(3) + jnp.ones(4))\n").errors()
    assert (error.line, error.column, error.code) == (2, 10, "array-shape")
    assert error.text == ("add: incompatible shapes for broadcasting: (3,) and (4,): dimension 0 is 3 against 4")


@pytest.mark.parametrize(
    ("program", "settings"),
    [
        (MISTAKE.replace("(4)\n", "(4)  # type: ignore[array-shape]\n"), ""),
        (MISTAKE.replace("(4)\n", "(4)  # type: ignore\n"), ""),
        ('# mypy: disable-error-code="array-shape"\n' + MISTAKE, ""),
        pytest.param(MISTAKE, 'disable_error_code = ["array-shape"]', marks=pytest.mark.thorough),
        (MISTAKE, '[[tool.mypy.overrides]]\nmodule = "program"\ndisable_error_code = ["array-shape"]'),
    ],
    ids=["ignore", "bare ignore", "comment", "option", "per module"],
)
def test_a_mistake_can_be_silenced(program: str, settings: str, mypy: Mypy) -> None:
    assert mypy.run(program, mypy_settings=settings).errors() == []


def test_another_code_in_an_ignore_does_not_silence(mypy: Mypy) -> None:
    run = mypy.run(MISTAKE.replace("(4)\n", "(4)  # type: ignore[array-dtype]\n"))
    assert [m.code for m in run.errors()] == ["array-shape"]


def test_json_output(mypy: Mypy) -> None:
    run = mypy.run(MISTAKE, options=["-O", "json"])
    (line,) = [json.loads(text) for text in run.output.splitlines() if text.startswith("{")]
    assert (line["line"], line["code"], line["severity"]) == (2, "array-shape", "error")


@pytest.mark.parametrize("options", [(), pytest.param(("--warn-unused-ignores",), marks=pytest.mark.thorough)])
def test_an_unused_ignore_is_noticed(options: tuple[str, ...], mypy: Mypy) -> None:
    comment = "" if options else "# mypy: warn-unused-ignores\n"
    program = f"{comment}import jax.numpy as jnp\njnp.ones(3) + 1  # type: ignore[array-shape]\n"
    assert [m.code for m in mypy.run(program, options=options).errors()] == ["unused-ignore"]


def test_strict_programs_stay_clean(mypy: Mypy) -> None:
    program = """# mypy: disallow-any-generics, disallow-subclassing-any, disallow-untyped-calls, warn-return-any
import functools
import jax
import jax.numpy as jnp
from jaxtyping import Array, Float

def f(x: jax.Array, y: "list[jax.Array]", z: Float[Array, "3"]) -> tuple[jax.Array, Array]:
    return x + y[0], z

g = jax.jit(f)
h = functools.partial(jax.jit, static_argnames="n")
a: jax.Array = jnp.ones(3)
isinstance(a, jax.Array)
class Model:
    parts: dict[str, Array]
"""
    assert mypy.run(program).errors() == []


OPERATORS = ("+", "-", "*", "/", "//", "%", "**", "@", "&", "|", "^", "<<", ">>", "<", "<=", ">", ">=", "==", "!=")


def test_every_operator_reports_on_either_side_and_in_place(mypy: Mypy) -> None:
    setup = (
        "import jax.numpy as jnp\nx = jnp.ones((3, 3), jnp.int8)\ny = jnp.ones((2, 2), jnp.int8)\n"
        "f = jnp.ones(3)\nz = x\n"
    )
    lines: list[tuple[str, bool]] = []
    for op in OPERATORS:
        lines += [(f"x {op} y", True), (f"y {op} x", True), (f"x {op} x", False), (f"x {op} 1", op == "@")]
        lines.append((f"1 {op} x", op == "@"))
        if op not in ("<", "<=", ">", ">=", "==", "!="):
            lines += [("z = x", False), (f"z {op}= y", True)]
    for op in ("&", "|", "^", "<<", ">>"):
        lines += [(f"f {op} 1", True), (f"1 {op} f", True), (f"2.5 {op} x", True)]
    run = mypy.run(setup + "\n".join(text for text, _ in lines) + "\n")
    reported = {m.line for m in run.errors() if m.code and m.code.startswith("array-")}
    start = setup.count("\n") + 1
    wrong = [text for i, (text, bad) in enumerate(lines, start) if bad != (i in reported)]
    assert wrong == []
    others = [m for m in run.errors() if not (m.code and m.code.startswith("array-"))]
    assert others == []


def test_a_union_is_a_mistake_only_if_all_its_members_are(mypy: Mypy) -> None:
    program = """
import jax
import jax.numpy as jnp
def f(c: bool) -> None:
    x = jnp.ones(3) if c else jnp.ones(4)
    x + jnp.ones(3)
    jnp.ones(3) + x
    jnp.add(x, jnp.ones(3))
    x + jnp.ones(5)
    jnp.add(jnp.ones(5), x)
    y = jnp.ones(3) if c else None
    if y is not None:
        y + 1
"""
    assert sorted(m.line for m in mypy.run(program).errors()) == [9, 10]


ODD = """
import jax
import jax.numpy as jnp
import numpy as np
from typing import Any
from missing import thing  # type: ignore[import-not-found]

def f(a: Any, *args: Any, **kwargs: Any) -> None:
    x = jnp.ones((2, 3))
    jnp.sum(*args, **kwargs)
    jnp.sum(x, *args)
    jnp.zeros(a)
    jnp.zeros((a, *args))
    jnp.zeros((2, *(3, 4)), **kwargs)
    jnp.ones(thing.shape, thing.dtype)
    x[a, ..., args]
    x[thing:thing, a:]
    x[a, ::a]
    x.reshape(*args)
    x.reshape(a)
    x.reshape((a, -1))
    x.transpose(*args)
    jnp.einsum(a, x, x)
    jnp.einsum("ij,jk->ik", *args)
    jnp.concatenate(a)
    jnp.concatenate([*args])
    jnp.concatenate([x for _ in range(3)])
    jnp.where(a)
    jnp.array([a, [a]])
    jnp.array({})
    jnp.array(thing)
    jnp.arange(a, thing)
    jnp.linspace(a, a, a)
    jnp.float32(a)
    jnp.float32(thing)
    jnp.add(a, thing)
    jnp.stack(thing)
    x + a
    a + x
    x + thing
    x.at[a].set(thing)
    x.at[a, ..., thing].add(a, mode="drop")
    at = x.at
    at[0].set(1)
    getattr(x, "sum")(a)
    total = x.sum
    total(axis=a)
    jax.jit(thing)(x)
    jax.jit(a, static_argnums=args)
    jax.vmap(lambda v: v @ x.T)(x)
    list(map(jnp.sin, [x]))
    (lambda v: v + 1)(x)
    [jnp.sin(v) for v in x if v.sum() > 0]
    {k: v + 1 for k, v in {"a": x}.items()}
    x.sum(axis=(0, a)).mean(keepdims=a)
    x.astype(a).astype(x.dtype).astype(thing)
    jnp.moveaxis(x, a, [a])
    jnp.split(x, a)
    jnp.tensordot(x, x, axes=a)
    np.sum(x)
    np.asarray(x) + x
    x.foo  # type: ignore[attr-defined]
    jnp.sum(x, axis="no")  # type: ignore[arg-type, array-dim]
    jnp.reshape(x, "no")  # type: ignore[arg-type, array-shape, array-dim]
    jnp.zeros(1 << 70)
    jnp.zeros(10 ** 30)
    jnp.zeros((10,) * 40)
    jnp.ones(3)[10 ** 30 :]
    del x
"""


def test_odd_programs_do_not_break_it(mypy: Mypy) -> None:
    run = mypy.run(ODD)
    assert "INTERNAL ERROR" not in run.output
    assert "Traceback" not in run.output
    assert run.status in (0, 1)
    unexpected = [m for m in run.errors() if m.code in ("array-dtype", "array-shape", "array-dim", "array-x64")]
    assert [m for m in unexpected if m.line < 67] == [], run.output


def test_a_rule_that_fails_leaves_mypys_answer(mypy: Mypy) -> None:
    patch = (
        "from arraytyping.semantics.rules.table import RULES, Rule\n"
        "from arraytyping.semantics.rules import registry\n"
        "def broken(cx, *args, **kwargs):\n    raise KeyError('broken on purpose')\n"
        "RULES['numpy.sum'] = Rule('numpy.sum', broken)\n"
    )
    program = "import jax.numpy as jnp\nreveal_type(jnp.sum(jnp.ones(3)))  # by a broken rule\n"
    run = mypy.run(program, before=patch, environ={"ARRAYTYPING_DEBUG": "0"})
    assert run.revealed() == ["Array[Any, Any]"]
    assert run.status == 0


def test_a_loop_with_many_variables_that_hang_on_one_another(mypy: Mypy) -> None:
    names = [f"v{i}" for i in range(40)]
    sums = [f"        {name} = {' + '.join(['x', *names[:i]])}\n" for i, name in enumerate(names)]
    program = "import jax.numpy as jnp\ndef f():\n    x = jnp.ones(3)\n    v39 = x\n    for _ in range(4):\n"
    run = mypy.run(program + "".join(sums) + "    reveal_type(v39)\n", mypy_settings=UNTYPED_TOO)
    assert run.revealed() == ["Array[float32, tuple[Literal[3]]]"]

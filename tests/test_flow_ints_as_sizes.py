"""Ints of which an annotation or a command line says no more: what they make the sizes of, as many runs say."""

from __future__ import annotations

import re
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import jax
import jax.numpy as jnp
import pytest

from arraytyping.checker.claims import Claim
from arraytyping.checker.flow.report.reporting import report_on

HEAD = """\
import jax, jax.numpy as jnp
{flag}
x = jnp.ones((4, 3))
key = jax.random.key(0)
"""
FLAGS = {
    "argparse": "import argparse; q = argparse.ArgumentParser(); q.add_argument('--k', type=int, required=True); "
    "o = q.parse_args()",
    "absl": "from absl import flags; flags.DEFINE_integer('k', None, 'how many', required=True); o = flags.FLAGS",
    "tyro": "import tyro, dataclasses\n@dataclasses.dataclass\nclass A:\n    k: int\no = tyro.cli(A)",
    "field": "import dataclasses, json\n@dataclasses.dataclass\nclass A:\n    k: int\no = A(json.loads(input())['k'])",
    "parameter": "import json, types\ndef f(k: int):\n    return types.SimpleNamespace(k=k)\n"
    "o = f(json.loads(input())['k'])",
}
NAMED = {
    "jnp.zeros((o.k, 3))": "[k1, 3]",
    "jnp.ones(o.k)": "[k1]",
    "jnp.full((2, o.k), o.k)": "[2, k1]",
    "jnp.eye(o.k)": "[k1, k1]",
    "jnp.broadcast_to(x[0], (2 * o.k, 3))": "[2*k1, 3]",
    "jnp.concatenate([jnp.zeros((o.k, 3)), x])": "[k1 + 4, 3]",
    "jnp.zeros((o.k, 3)).reshape(-1)": "[3*k1]",
    "jnp.zeros((o.k, 3)) @ jnp.zeros((3, o.k))": "[k1, k1]",
    "jax.nn.one_hot(jnp.arange(3), o.k)": "[3, k1]",
    "jax.random.normal(key, (o.k, o.k))": "[k1, k1]",
    "jax.random.split(key, o.k)": "[k1]",
    "jax.random.randint(key, (3,), 0, o.k)": "[3]",
}
"""What has sizes of that name."""
OTHERS = (
    "x.reshape(o.k, 3)", "x.reshape(3, o.k)", "x.reshape(o.k, -1)", "x.reshape((o.k,))", "x.sum(axis=o.k)",
    "jnp.roll(x, o.k)", "jnp.squeeze(x[None], o.k)", "jnp.expand_dims(x, o.k)", "jnp.repeat(x, o.k, axis=0)",
    "jnp.tile(x, (o.k, 1))", "jnp.linspace(0, 1, o.k)", "jnp.take(x, o.k, axis=0)", "x[o.k]", "x[:o.k]", "x[o.k:]",
    "jnp.moveaxis(x, o.k, 0)", "jnp.diag(jnp.ones(3), k=o.k)", "jnp.eye(3, k=o.k)", "jnp.tri(3, k=o.k)",
    "jnp.pad(x, o.k)", "jax.random.permutation(key, o.k)", "jax.random.choice(key, o.k, (2,))",
    "jax.lax.top_k(x, o.k)[0]", "jnp.concatenate([x, x], axis=o.k)", "jnp.stack([x, x], axis=o.k)",
    "jax.lax.dynamic_slice(x, (0, 0), (o.k, 3))", "jnp.arange(o.k)", "jnp.arange(3, o.k)", "jnp.zeros(o.k - 1)",
    "jnp.zeros(-o.k)", "jnp.zeros(o.k * o.k)", "jnp.ones(3) if o.k < 0 else jnp.ones((3, 4))",
)  # fmt: skip
"""What may be given a negative number too."""
GIVEN = (-3, -2, -1, 0, 1, 2, 3, 4, 12)


def _claims(tmp_path: Path, flag: str, expressions: list[str]) -> list[Claim]:
    path = tmp_path / "program.py"
    head = HEAD.format(flag=flag)
    path.write_text(head + "".join(f"y = {e}\n" for e in expressions), encoding="utf-8")
    report = report_on([path], None, uses_cache=False)
    assert not [d for d in report.diagnostics if d.is_certain and d.code != "array-key"]
    first = len(head.splitlines()) + 1
    whole = {i: 4 + len(expression) for i, expression in enumerate(expressions)}
    found = {
        e.line - first: e.claims
        for e in report.claims.files[str(path)].expressions
        if e.column == 4 and e.end_column == whole.get(e.line - first)
    }
    return [found[i][0] for i in range(len(expressions))]


@pytest.mark.parametrize("flag", FLAGS.values(), ids=FLAGS)
def test_sizes_have_the_name_of_the_flag(tmp_path: Path, flag: str) -> None:
    claims = _claims(tmp_path, flag, list(NAMED))
    assert [str(c)[str(c).index("[") :].split(" (")[0] for c in claims] == [*NAMED.values()]
    for expression, claim in zip(NAMED, claims):
        _compare(expression, claim)


def test_what_takes_negative_numbers_too_is_what_each_run_gives(tmp_path: Path) -> None:
    for expression, claim in zip(OTHERS, _claims(tmp_path, FLAGS["argparse"], list(OTHERS))):
        _compare(expression, claim)


def _compare(expression: str, claim: Claim) -> None:
    scope: dict[str, Any] = {"jax": jax, "jnp": jnp, "x": jnp.ones((4, 3)), "key": jax.random.key(0)}
    ran = 0
    for k in GIVEN:
        try:
            array = eval(expression, scope | {"o": SimpleNamespace(k=k)})
        except Exception:  # what jax refuses, in whatever way
            continue
        ran += 1
        assert claim.dtype in (None, str(array.dtype)), expression
        if claim.shape is not None:
            # A slice has a size of its own, of a name that nobody can tell the number of.
            sizes = [None if re.search(r"None|\bn\d", str(d)) else eval(str(d), {"k1": k}) for d in claim.shape]
            assert len(sizes) == array.ndim, (expression, str(claim), k)
            assert all(d in (None, size) for d, size in zip(sizes, array.shape)), (expression, str(claim), k)
    assert ran

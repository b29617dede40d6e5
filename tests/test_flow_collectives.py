"""What communicates along an axis whose size is not a number: as jax says of one that is, for every dtype."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import pytest

from arraytyping.checker.flow.report.reporting import report_on
from arraytyping.checker.flow.start.program import interpret

SIZE = 4
DTYPES = ("bool", "int8", "uint32", "bfloat16", "float32", "complex64")
COLLECTIVES = {
    "psum": "jax.lax.psum(x, 'i')",
    "pmean": "jax.lax.pmean(x, 'i')",
    "pmax": "jax.lax.pmax(x, 'i')",
    "pmin": "jax.lax.pmin(x, axis_name='i')",
    "pmean of a tree": "jax.lax.pmean({'a': [x]}, 'i')['a'][0]",
    "psum of the mean": "jax.lax.psum(x / jax.lax.psum(1, 'i'), 'i')",
    "all_gather": "jax.lax.all_gather(x, 'i')",
    "all_gather, last": "jax.lax.all_gather(x, 'i', axis=-1)",
    "all_gather, tiled": "jax.lax.all_gather(x, 'i', axis=1, tiled=True)",
    "axis_index": "jax.lax.axis_index('i') + x",
    "a number": "x * jax.lax.psum(2, 'i')",
    "a size": "jnp.zeros(jax.lax.axis_size('i'), x.dtype)",
}
HEAD = """\
import jax, jax.numpy as jnp, numpy as np
size, unknown = jax.local_device_count(), np.load("data.npy", allow_pickle=True)[()]
def f(x, other):
    return {collective}
"""
LINE = "y = jax.{map}(f, axis_name='i', in_axes=(0, None))(jnp.ones((size, 2, 3), {dtype!r}), {given})\n"


@pytest.mark.parametrize("collective", COLLECTIVES.values(), ids=COLLECTIVES)
def test_every_dtype(tmp_path: Path, collective: str) -> None:
    """Mapped by jax, and where a part of the arguments is unknown, so that jax cannot be asked."""
    cases = [
        (mapping, given, dtype)
        for mapping, given in (("pmap", "1.0"), ("vmap", "unknown"))
        for dtype in DTYPES
        if dtype != "complex64" or not ("pmax" in collective or "pmin" in collective)
    ]
    lines = [LINE.format(map=mapping, dtype=dtype, given=given) for mapping, given, dtype in cases]
    path = tmp_path / "program.py"
    path.write_text(HEAD.format(collective=collective) + "".join(lines), encoding="utf-8")
    (file,) = report_on([path], None, uses_cache=False).claims.files.values()
    scope: dict[str, Any] = {"jax": jax, "jnp": jnp}
    exec(f"def f(x): return {collective}", scope)
    for line, (mapping, _, dtype) in enumerate(cases, 5):
        run = jax.eval_shape(jax.vmap(scope["f"], axis_name="i"), jax.ShapeDtypeStruct((SIZE, 2, 3), dtype))  # type: ignore[no-untyped-call]
        (claim,) = [str(c) for e in file.expressions if e.line == line and e.column == 4 for c in e.claims]
        weak = " (weak)" if run.weak_type else ""
        assert claim.endswith("]" + weak)
        name, _, sizes = claim.removesuffix("]" + weak).partition("[")
        shape = tuple(eval(size, {"local_device_count": SIZE}) for size in sizes.split(", "))
        assert (name, shape) == (run.dtype.name, run.shape), (mapping, dtype)


LAYERS = {
    "flax": "import flax.linen as nn\n"
    "layer = nn.BatchNorm(use_running_average=False, axis_name='i', dtype={dtype!r})\n"
    "def f(x):\n"
    "    return layer.init_with_output(jax.random.key(0), x)\n",
    "haiku": "import haiku as hk\n"
    "layer = hk.transform_with_state(lambda x: hk.BatchNorm(True, True, 0.9, cross_replica_axis='i')(x, True))\n"
    "def f(x):\n"
    "    params, state = layer.init(jax.random.key(0), x)\n"
    "    return layer.apply(params, state, None, x)[0], (params, state)\n",
}


@pytest.mark.parametrize("dtype", ["float16", "float32", "bfloat16"])
@pytest.mark.parametrize("library", LAYERS)
def test_layers_of_libraries_that_take_means_over_all_devices(tmp_path: Path, library: str, dtype: str) -> None:
    pytest.importorskip(library)
    text = (
        "import jax, jax.numpy as jnp\n"
        + LAYERS[library].format(dtype=dtype)
        + f"y, rest = jax.pmap(f, axis_name='i')(jnp.ones((size, 2, 3), {dtype!r}))\n"
        + "leaves = jax.tree.leaves(rest)\n"
    )
    path = tmp_path / "program.py"
    path.write_text(text.replace("size", "jax.local_device_count()"), encoding="utf-8")
    result = interpret(path)
    assert not result.crashes
    assert not result.diagnostics
    names = result.interpreter.importer.modules["__main__"].frame.variables
    real: dict[str, Any] = {}
    exec(text.replace("pmap", "vmap").replace("size", str(SIZE)), real)
    found = [names["y"], *names["leaves"].items]
    expected = [real["y"], *real["leaves"]]
    assert [(v.aval.dtype, v.aval.shape[1:]) for v in found] == [(str(a.dtype), a.shape[1:]) for a in expected]
    assert {str(v.aval.shape[0]) for v in found} == {"local_device_count"}

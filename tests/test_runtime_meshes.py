"""Devices, meshes, shardings, `shard_map` and `pmap` on 8 devices of the host, against JAX.

`mesh_programs.py` is run in a process of its own.  What JAX makes of a case is kept in `data/mesh_answers.json`, by a
digest of the case and the releases; of a case that has changed JAX is asked.
"""

from __future__ import annotations

import ast
import hashlib
import json
import math
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from agreements import RELEASES, code_of, mode

pytest.importorskip("jaxlib", reason="the runtime needs jaxlib")

PROGRAM = Path(__file__).with_name("mesh_programs.py")
KEPT = Path(__file__).parent / "data" / "mesh_answers.json"
TOLERANCE = 2e-3


def _digests() -> dict[str, str]:
    """The digest of each case: of its own text, of that of all functions that are none, and of the releases."""
    source = PROGRAM.read_text(encoding="utf-8")
    lines = source.splitlines()
    functions = [node for node in ast.parse(source).body if isinstance(node, ast.FunctionDef)]
    text = {node.name: code_of("\n".join(lines[node.lineno - 1 : node.end_lineno])) for node in functions}
    shared = [t for name, t in text.items() if not name.startswith("case_") and name != "main"]
    return {
        name.removeprefix("case_"): hashlib.sha256("\0".join([*RELEASES, *shared, t]).encode()).hexdigest()[:32]
        for name, t in text.items()
        if name.startswith("case_")
    }


DIGESTS = _digests()


def _run(language: str, *cases: str) -> dict[str, Any]:
    done = subprocess.run(
        [sys.executable, str(PROGRAM), language, *cases], capture_output=True, text=True, timeout=600, check=False
    )
    assert done.returncode == 0, done.stderr[-3000:]
    found: dict[str, Any] = json.loads(done.stdout)
    return found


@cache
def _ours() -> dict[str, Any]:
    return _run("arraytyping")


@cache
def _answers() -> dict[str, Any]:
    kept = json.loads(KEPT.read_text(encoding="ascii")) if KEPT.exists() and mode() != "live" else {}
    missing = [case for case, digest in DIGESTS.items() if digest not in kept]
    if missing:
        made = _run("jax", *missing)["cases"]
        for case in missing:
            made[case].pop("text", None)  # which is not compared, and names places of one machine
            kept[DIGESTS[case]] = made[case]
        if mode() == "record":
            used = {digest: kept[digest] for digest in sorted(DIGESTS.values())}
            KEPT.write_text(json.dumps(used, separators=(",", ":")).replace('},"', '},\n"') + "\n", encoding="ascii")
    return {case: kept[digest] for case, digest in DIGESTS.items()}


def _difference(theirs: Any, ours: Any, where: str = "") -> str | None:
    """The first place at which two results differ; numbers may by rounding."""
    numbers = (int, float)
    if isinstance(theirs, numbers) and isinstance(ours, numbers):
        same = math.isclose(theirs, ours, rel_tol=TOLERANCE, abs_tol=TOLERANCE)
        return None if same else f"{where}: {theirs} in JAX, {ours}"
    if type(theirs) is not type(ours):
        return f"{where}: {str(theirs)[:300]} in JAX, {str(ours)[:300]}"
    if isinstance(theirs, list | dict):
        keys = range(len(theirs)) if isinstance(theirs, list) else list(theirs)
        if len(theirs) != len(ours) or (isinstance(theirs, dict) and theirs.keys() != ours.keys()):
            return f"{where}: {str(theirs)[:300]} in JAX, {str(ours)[:300]}"
        return next((d for k in keys if (d := _difference(theirs[k], ours[k], f"{where}[{k!r}]"))), None)
    return None if theirs == ours else f"{where}: {str(theirs)[:300]} in JAX, {str(ours)[:300]}"


@pytest.mark.parametrize("case", DIGESTS)
def test_what_jax_does(case: str) -> None:
    theirs, ours = _answers()[case], _ours()["cases"][case]
    if "error" in theirs:
        assert ours.get("error") == theirs["error"], ours
    else:
        assert "error" not in ours, ours
        assert not (difference := _difference(theirs["value"], ours["value"])), difference


def test_jax_is_not_imported() -> None:
    assert not _ours()["has_jax"]


def test_mistakes_are_one_sentence() -> None:
    errors = {case: found["text"] for case, found in _ours()["cases"].items() if "error" in found}
    assert len(errors) > 15
    for case, text in errors.items():
        assert text, case
        assert "INTERNAL" not in text, text
        assert "Traceback" not in text, text
    assert errors["not_divisible"] == (
        "dimension 0 of an array (shape (6,)) is 6, which is not divisible by the 4 devices along the axis 'x' of "
        "P('x',); 4 or 8 would be"
    )
    assert errors["no_such_axis"] == "P('z',) names the axis 'z', and the mesh has 'x'"
    assert errors["replication_refused"].startswith("the result of <lambda> may differ from device to device along 'x'")


def _with_devices(text: str, **environ: str) -> subprocess.CompletedProcess[str]:
    import os

    env = {k: v for k, v in os.environ.items() if k not in ("XLA_FLAGS", "ARRAYTYPING_NUM_CPU_DEVICES")}
    return subprocess.run(
        [sys.executable, "-c", text], capture_output=True, text=True, timeout=120, check=False, env={**env, **environ}
    )


def test_how_many_devices_there_are() -> None:
    show = "import arraytyping as at; print(at.device_count())"
    assert _with_devices(show).stdout == "1\n"
    assert _with_devices(show, ARRAYTYPING_NUM_CPU_DEVICES="3").stdout == "3\n"
    assert _with_devices(show, XLA_FLAGS="--xla_force_host_platform_device_count=2").stdout == "2\n"
    assert "expected a number of devices" in _with_devices(show, ARRAYTYPING_NUM_CPU_DEVICES="many").stderr
    text = """
import arraytyping as at
at.config.update("jax_num_cpu_devices", 4)
print(at.device_count())
try:
    at.config.update("num_cpu_devices", 2)
except RuntimeError as error:
    print(error)
"""
    first, second = _with_devices(text).stdout.splitlines()
    assert first == "4"
    assert second.startswith("config.update('num_cpu_devices', ...) has to come before")


def test_what_is_refused() -> None:
    text = """
import arraytyping as at, arraytyping.numpy as jnp, arraytyping.lax as lax, numpy as np
from arraytyping import P
from arraytyping.sharding import Mesh, NamedSharding
mesh = Mesh(np.array(at.devices()).reshape(2, 2), ("x", "y"))
def refused(kind, function):
    try:
        function()
    except kind as error:
        print(error)
    else:
        print("nothing was refused")
sharding = NamedSharding(mesh, P("x"))
refused(NotImplementedError, lambda: at.jit(at.shard_map(
    lambda v: at.experimental.io_callback(lambda z: z, at.ShapeDtypeStruct((2,), "float32"), v), mesh=mesh,
    in_specs=P("x"), out_specs=P("x"), axis_names={"x"}))(jnp.ones(4)))
refused(NotImplementedError, lambda: at.device_put(jnp.ones(4).astype("int4"), sharding))
def printing(v):
    at.debug.print("{}", v, ordered=True)
    return v
refused(ValueError, lambda: at.jit(printing, in_shardings=sharding)(jnp.ones(4)))
refused(NotImplementedError, lambda: at.shard_map(
    lambda v: lax.cond(v[0] > 1, lambda: lax.pcast(lax.psum(v, "x"), "x", to="varying"), lambda: v),
    mesh=mesh, in_specs=P("x"), out_specs=P("x"))(jnp.ones(4)))
refused(ValueError, lambda: at.shard_map(
    lambda v: at.vmap(lambda r: r, axis_name="x")(v), mesh=mesh, in_specs=P("x"), out_specs=P("x"))(jnp.ones(4)))
refused(TypeError, lambda: NamedSharding(mesh, "x"))
refused(ValueError, lambda: P(1))
refused(ValueError, lambda: at.device_put(jnp.ones(4), sharding).unsafe_buffer_pointer())
asking = at.shard_map(lambda v: v + lax.axis_index("y"), mesh=mesh, in_specs=P("x"), out_specs=P("x"), check_vma=False)
refused(NotImplementedError, lambda: at.vmap(asking, spmd_axis_name="y")(jnp.ones((2, 4))))
refused(NotImplementedError, lambda: NamedSharding(mesh, P(unreduced={"x"})))
explicit = at.make_mesh((2, 2), ("x", "y"))
refused(NotImplementedError, lambda: at.shard_map(lambda v: at.typeof(v) and v, mesh=explicit, in_specs=P("x"),
    out_specs=P("x"), axis_names={"x"})(jnp.ones(4)))
refused(ValueError, lambda: NamedSharding(mesh.abstract_mesh, P("x")).device_set)
refused(ValueError, lambda: at.jit(at.shard_map(
    lambda v: lax.with_sharding_constraint(v, P("x")), mesh=mesh, in_specs=P("x"), out_specs=P("x")))(jnp.ones(4)))
refused(ValueError, lambda: at.shard_map(
    lambda v: at.experimental.io_callback(lambda: np.float32(1), at.ShapeDtypeStruct((), "float32")), mesh=mesh,
    in_specs=P("x"), out_specs=P())(jnp.ones(4)))
"""
    done = _with_devices(text, ARRAYTYPING_NUM_CPU_DEVICES="4")
    assert done.returncode == 0, done.stderr
    lines = [line for line in done.stdout.splitlines() if line]
    assert len(lines) == 14, done.stdout
    assert "nothing was refused" not in lines
    for line, words in zip(lines, ("'x' alone", "int4", "ordered effects", "another branch", "another", "PartitionSpec",
                                   "names of axes", "one device", "ask for their number", "not taken yet",
                                   "which are explicit", "has no devices", "manual here", "may differ")):  # fmt: skip
        assert words in line, (words, line)

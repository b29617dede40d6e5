"""Devices that are not there: for how many of them a program is checked, and what is then known."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import forked_commands
import pytest

from arraytyping.checker.device_counts import (
    DeviceCountError,
    DeviceCounts,
    counts_from_text,
    counts_from_toml,
    pretended,
    pretending,
)
from arraytyping.checker.flow.report.reporting import FlowReport, report_on
from arraytyping.checker.settings import ConfigError, Settings
from arraytyping.checker.settings_file import load_settings

PROGRAM = """\
import jax, jax.numpy as jnp, numpy as np
from jax.sharding import Mesh

n = jax.device_count()
rows = jnp.ones((2 * n, 3))
mesh = Mesh(np.array(jax.devices()).reshape(-1, 4), ("data", "model"))
narrow = jnp.zeros((mesh.shape["data"], mesh.devices.size))
if jax.devices()[0].platform == "tpu":
    narrow = narrow[0]
if jax.process_index() == 0:
    rows = rows + 1
"""


def written(folder: Path, text: str = PROGRAM, **settings: str) -> Path:
    """A program in a folder, with settings."""
    lines = [f"{key} = {value}\n" for key, value in settings.items()]
    (folder / "pyproject.toml").write_text("".join(["[tool.arraytyping]\n", *lines]))
    (folder / "program.py").write_text(text)
    return folder / "program.py"


def followed(path: Path, devices: str | None = None) -> FlowReport:
    """What flow says of a program."""
    return report_on([path], path.parent / "pyproject.toml", devices=devices, uses_cache=False)


def claims(report: FlowReport, line: int) -> set[str]:
    """What is claimed of what a line binds."""
    (file,) = report.claims.files.values()
    return {str(c) for e in file.expressions if e.line == line for c in e.claims}


@pytest.mark.parametrize(("given", "expected"), [("8", (8,)), ("1,8, 512", (1, 8, 512)), ("auto", (0,)), ("8,8", (8,))])
def test_counts_as_an_option(given: str, expected: tuple[int, ...]) -> None:
    assert counts_from_text(given).of("a.py") == expected


@pytest.mark.parametrize("given", ["", "0", "-1", "8x", "8,", "1e3", "8193", "eight"])
def test_what_is_no_count(given: str) -> None:
    with pytest.raises(DeviceCountError, match="is no number of devices"):
        counts_from_text(given)


@pytest.mark.parametrize(
    ("given", "names", "expected"),
    [
        (8, ("a.py",), (8,)),
        ([1, 8], ("a.py",), (1, 8)),
        ("auto", ("a.py",), (0,)),
        ({"a.py": 8, "b:main": [1, 2]}, ("b:main",), (1, 2)),
        ({"a.py": 8}, ("c.py",), (0,)),
        ({"b.c": 4}, ("-m b.c", "b.c"), (4,)),
    ],
)
def test_counts_in_the_settings(given: Any, names: tuple[str, ...], expected: tuple[int, ...]) -> None:
    assert counts_from_toml(given).of(*names) == expected


@pytest.mark.parametrize("given", [True, 0, 2.5, [], ["8"], "many", {"a.py": "8"}, None, [8, True]])
def test_what_is_no_count_in_the_settings(given: Any) -> None:
    with pytest.raises(DeviceCountError, match="is no number of devices"):
        counts_from_toml(given)


def test_settings_refuse_what_they_cannot_have(tmp_path: Path) -> None:
    for value in ('"8"', "0", "[1, 8000000]"):
        written(tmp_path, devices=value)
        with pytest.raises(ConfigError, match=r"pyproject.toml: \[tool.arraytyping\] devices: .* is no number"):
            load_settings(tmp_path)
    for key, value, said in (
        ("processes", "0", "it must be a number of processes"),
        ("processes", '"4"', "it must be a number of processes"),
        ("device_kind", "4", "it must be a text as jax gives it"),
    ):
        written(tmp_path, **{key: value})
        with pytest.raises(ConfigError, match=said):
            load_settings(tmp_path)
    written(tmp_path, devices="[8, 12]", processes="8")
    with pytest.raises(ConfigError, match="12 devices cannot be spread evenly over 8 processes"):
        load_settings(tmp_path)
    with pytest.raises(DeviceCountError, match=r"8192 devices need more than the 0\.5 GB of memory that flow may use"):
        Settings(memory=0.5).with_devices(DeviceCounts((8192,)))


def test_flags_of_xla() -> None:
    flags = pretending("--xla_a=1 --xla_force_host_platform_device_count=2", 8)
    assert flags == "--xla_a=1 --xla_force_host_platform_device_count=8"
    assert pretended(flags) == 8
    assert pretended("--xla_a=1") == 0


def test_claims_hold_for_the_count(tmp_path: Path) -> None:
    path = written(tmp_path)
    for count in (8, 512):
        report = followed(path, str(count))
        assert claims(report, 5) == {f"float32[{2 * count}, 3]"}
        # The platform is not known, and neither is the process.
        assert claims(report, 7) == {f"float32[{count // 4}, {count}]"}
        assert claims(report, 9) == {f"float32[{count // 4}, {count}]", f"float32[{count}]"}
        assert claims(report, 11) >= {f"float32[{2 * count}, 3]"}
        assert report.remarks == []
        assert report.shown() == []


def test_out_sharding_without_a_mesh_is_refused_as_jax_does(tmp_path: Path) -> None:
    text = """import jax
import jax.numpy as jnp
from jax.sharding import NamedSharding, PartitionSpec as P

mesh = jax.make_mesh((jax.device_count(),), ("model",))
x = jax.device_put(jnp.ones((8, 16)), NamedSharding(mesh, P(None, "model")))
y = jax.device_put(jnp.ones((16, 8)), NamedSharding(mesh, P("model", None)))
jnp.matmul(x, y, out_sharding=P(None, None))
"""
    (refused,) = followed(written(tmp_path, text), "8").diagnostics
    assert refused.line == 8
    assert "not under a mesh context" in refused.message
    report = followed(written(tmp_path, text.replace("x = ", "jax.set_mesh(mesh)\nx = ")), "8")
    assert not report.diagnostics
    assert "float32[8, 8]" in claims(report, 9)


def test_what_is_made_as_the_mesh_cannot_divide_it(tmp_path: Path) -> None:
    text = """import jax
from flax import nnx
from jax.sharding import PartitionSpec as P

init = nnx.with_partitioning(nnx.initializers.lecun_normal(), ("data", "model"))
with jax.set_mesh(jax.make_mesh((4, 2), ("data", "model"))):
    jax.random.normal(jax.random.key(0), (8, 9), out_sharding=P(None, ("data", "model")))
    nnx.Linear(7, 10, kernel_init=init, rngs=nnx.Rngs(0))
    nnx.Linear(8, 10, kernel_init=init, rngs=nnx.Rngs(0))
"""
    of_all, of_one = followed(written(tmp_path, text), "8").diagnostics
    assert (of_all.line, of_all.code, of_one.line, of_one.code) == (7, "array-sharding", 8, "array-sharding")
    assert "is 9, which is not divisible by the 8 devices along the axes 'data' and 'model'" in of_all.message
    assert "is 7, which is not divisible by the 4 devices along the axis 'data'" in of_one.message


def test_without_a_count_nothing_is_claimed(tmp_path: Path) -> None:
    report = followed(written(tmp_path))
    assert claims(report, 5) == {"float32[2*device_count, 3]"}
    assert [r.partition(":")[0].rpartition("/")[2] for r in report.remarks] == [
        "program.py asks for its devices, of which the number is not known"
    ]


def test_each_count_is_checked_and_told(tmp_path: Path) -> None:
    text = PROGRAM + "bad = rows.reshape(-1, 32)\nworse = rows @ rows\n"
    report = followed(written(tmp_path, text, devices="[8, 16, 12]"))
    assert [(m.line, m.code, m.devices) for m in report.shown()] == [
        (12, "array-shape", (8, 12)),
        (13, "array-shape", (8, 12, 16)),
    ]
    assert str(report.shown()[1].note).endswith("with 8, 12 or 16 devices")


def test_what_the_program_sets_itself_holds(tmp_path: Path) -> None:
    for line in (
        "jax.config.update('jax_num_cpu_devices', 8)",
        "os.environ['XLA_FLAGS'] = '--xla_force_host_platform_device_count=8'",
        "os.environ.setdefault('XLA_FLAGS', '--xla_force_host_platform_device_count=8')",
        "os.environ.update(XLA_FLAGS='--xla_force_host_platform_device_count=8')",
    ):
        text = PROGRAM.replace("import jax,", f"import os\nimport jax\n{line}\nimport jax,", 1)
        report = followed(written(tmp_path, text), "512")
        assert claims(report, 8) == {"float32[16, 3]"}, line
        assert [r.rpartition("/")[2] for r in report.remarks] == [
            "program.py sets the number of its devices itself, so it was followed with 8"
        ]


def test_a_mesh_of_literal_sizes_says_how_many_there_are(tmp_path: Path) -> None:
    text = "import jax, jax.numpy as jnp\nmesh = jax.make_mesh((4, 2), ('a', 'b'))\nx = jnp.ones(jax.device_count())\n"
    report = followed(written(tmp_path, text))
    assert claims(report, 3) == {"float32[8]"}
    (mistake,) = followed(written(tmp_path, text), "4").shown()
    assert (mistake.line, mistake.code) == (2, "array-sharding")
    said = "make_mesh: a mesh of shape (4, 2) needs 8 devices, and there are 4: choose sizes whose product is 4"
    assert mistake.message == f"ValueError: {said}"


def test_several_processes(tmp_path: Path) -> None:
    text = """\
import jax, jax.numpy as jnp
jax.distributed.initialize()
x = jnp.ones(jax.device_count())
y = jnp.ones(jax.local_device_count())
z = jnp.ones(jax.process_count())
"""
    report = followed(written(tmp_path, text), "8")
    assert claims(report, 3) == {"float32[8]"}
    assert claims(report, 4) == {"float32[local_device_count]"}
    assert claims(report, 5) == {"float32[process_count]"}


def test_the_machine_that_is_configured(tmp_path: Path) -> None:
    """Processes, the kind of device and its platform; each process has another index."""
    text = """\
import jax, jax.numpy as jnp
jax.distributed.initialize()
counts = jnp.ones((jax.device_count(), jax.local_device_count(), jax.process_count(), len(jax.local_devices())))
index = jnp.ones(jax.process_index() + 1)
kind = jnp.ones(3 if jax.devices()[0].device_kind == "TPU v4" and jax.default_backend() == "tpu" else 4)
own = jnp.ones(3 if jax.process_index() == 0 else 4)
none = jnp.ones(3 if jax.process_index() == 4 else 4)
"""
    report = followed(written(tmp_path, text, devices="16", processes="4", **{"device-kind": '"TPU v4"'}))
    assert [claims(report, line) for line in range(3, 8)] == [
        {"float32[16, 4, 4, 4]"},
        {"float32[process_index + 1]"},
        {"float32[3]"},
        {"float32[?]"},
        {"float32[4]"},
    ]
    text = "import jax\njax.config.update('jax_num_cpu_devices', 8)\n" + text
    report = followed(written(tmp_path, text, devices="16", processes="4", **{"device-kind": '"TPU v4"'}))
    assert claims(report, 5) == {"float32[8, local_device_count, process_count, local_device_count]"}
    assert claims(report, 7) == {"float32[4]"}


LOCAL = """\
import jax, jax.numpy as jnp, numpy as np
from jax.experimental import multihost_utils
from jax.sharding import NamedSharding, PartitionSpec as P

mesh = jax.make_mesh((4, 2), ("data", "model"), axis_types=(jax.sharding.AxisType.Auto,) * 2)
rows = NamedSharding(mesh, P(("data", "model")))
whole = jax.make_array_from_process_local_data(rows, np.ones((16, 3), np.float32))
other = multihost_utils.host_local_array_to_global_array(np.ones((16, 3), np.float32), mesh, P("data"))
gathered = multihost_utils.process_allgather(np.ones((2, 3), np.float32), tiled=True)
shards = [jax.device_put(np.ones((2, 3), np.float32), d) for d in rows.addressable_devices]
from_shards = jax.make_array_from_single_device_arrays((16, 3), rows, shards)
part = from_shards.addressable_shards[0].data + from_shards.addressable_data(0)
"""


def test_arrays_of_parts(tmp_path: Path) -> None:
    """What one process has as its part, and devices as theirs."""
    report = followed(written(tmp_path, LOCAL, devices="8"))
    kept = [claims(report, line) for line in (7, 8, 11, 12)]
    assert "float32[2, 3]" in kept[3]
    assert [any(c.startswith("float32[16") for c in found) for found in kept] == [True] * 4
    assert report.shown() == []
    report = followed(written(tmp_path, LOCAL, devices="8", processes="4"))
    assert any(c.startswith("float32[64") for c in claims(report, 7))
    assert any(c.startswith("float32[?") for c in claims(report, 8))
    assert report.shown() == []


def test_a_local_shape_where_a_global_one_is_meant(tmp_path: Path) -> None:
    given = "np.ones((16, 3), np.float32)"
    text = LOCAL.replace(f"(rows, {given})", f"(rows, {given}, (32, 3))")
    text = text.replace("((16, 3), rows, shards)", "((2, 3), rows, shards)", 1)
    report = followed(written(tmp_path, text, devices="8", processes="4"))
    assert [(m.line, m.code) for m in report.shown()] == [(7, "array-sharding"), (11, "array-sharding")]
    assert (
        "dimension 0 of the local data (shape (16, 3)) is 16, and the global shape (32, 3) has 32 there, of which each "
        "of 4 processes has 8: give the size of all processes together as the global one"
    ) in report.shown()[0].message
    text = LOCAL.replace("((16, 3), rows, shards)", "((32, 3), rows, shards)", 1)
    (mistake,) = followed(written(tmp_path, text, devices="8")).shown()
    assert "array 0 has shape (2, 3), and the part of one device of an array of shape (32, 3) has shape (4, 3)" in (
        mistake.message
    )


def test_audit_runs_on_pretended_devices(tmp_path: Path) -> None:
    path = written(tmp_path, PROGRAM + "print(rows.shape, narrow.shape)\n")
    command = [sys.executable, "-m", "arraytyping", "audit", "--devices", "8", path.name]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    assert "(16, 3) (2, 8)" in done.stdout
    assert "0 wrong" in done.stdout
    done = subprocess.run([*command[:5], "1,8", path.name], cwd=tmp_path, capture_output=True, text=True, timeout=120)
    assert done.returncode == 2
    assert "one number of devices" in done.stderr


def test_what_one_device_holds(tmp_path: Path) -> None:
    """The shapes and bytes of the parts, against those of a run on as many devices."""
    text = """\
import jax, jax.numpy as jnp, optax
from jax.sharding import AxisType, NamedSharding, PartitionSpec as P

mesh = jax.make_mesh((4, 2), ("data", "model"), axis_types=(AxisType.Auto,) * 2)
params = {"w": jax.device_put(jnp.ones((16, 6), jnp.bfloat16), NamedSharding(mesh, P(None, "model")))}
batch = jax.device_put(jnp.ones((32, 16)), NamedSharding(mesh, P(("data", "model"))))
late = jnp.ones(3)

@jax.jit
def step(params, batch, late):
    return (batch @ params["w"]).mean() + late

result = step(params, batch, late)

import equinox as eqx

@eqx.filter_jit
def apply(layer, batch):
    return jax.vmap(layer)(batch)

apply(eqx.nn.Linear(16, 2, key=jax.random.key(0)), batch)

from flax import nnx

@nnx.jit
def predict(model, batch):
    return model(batch)

predict(nnx.Linear(16, 2, rngs=nnx.Rngs(0)), batch)
if __name__ == "__main__":
    for leaf in (params["w"], batch):
        shard = leaf.addressable_shards[0].data
        print(list(shard.shape), shard.nbytes)
"""
    path = written(tmp_path, text)
    command = [sys.executable, "-m", "arraytyping", "devices", "--devices", "8", path.name]
    done = subprocess.run([*command, "--json"], cwd=tmp_path, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    step, applied, predicted = json.loads(done.stdout)["functions"]
    assert [a["name"] for a in step["arguments"]] == ["params['w']", "batch", "late"]
    assert [a["name"] for a in applied["arguments"]] == ["layer.weight", "layer.bias", "batch"]
    names = {a["name"]: a["bytes_per_device"] for a in predicted["arguments"]}
    assert names == {"model.kernel.value": 128, "model.bias.value": 8, "batch": 256}
    assert applied["arguments"][2]["bytes_per_device"] == step["arguments"][1]["bytes_per_device"]
    assert [a["is_bound"] for a in step["arguments"]] == [False, False, True]
    environ = {**os.environ, "XLA_FLAGS": pretending("", 8), "JAX_PLATFORMS": "cpu"}
    run = subprocess.run([sys.executable, path], env=environ, capture_output=True, text=True, timeout=120)
    found = [f"{a['shape_per_device']} {a['bytes_per_device']}" for a in step["arguments"][:2]]
    assert found == run.stdout.splitlines()
    assert step["bytes_of_arguments"] == sum(a["bytes_per_device"] for a in step["arguments"])
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=120)
    assert "program.py:13: step with 8 devices" in done.stdout
    assert "P((data,model), -)" in done.stdout
    assert "<= 12" in done.stdout


def test_large_arrays_that_every_device_holds_whole(tmp_path: Path) -> None:
    """Those of a state of which others are cut, and those that a function takes from outside of itself."""
    text = """\
import jax, jax.numpy as jnp, numpy as np
from jax.sharding import AxisType, NamedSharding, PartitionSpec as P

mesh = jax.make_mesh((4, 2), ("data", "model"), axis_types=(AxisType.Auto,) * 2)
table = jnp.ones((4096, 512))
small = jnp.ones((16, 16))
known = np.ones((4096, 512))
params = {
    "cut": jax.device_put(jnp.ones((512, 2048)), NamedSharding(mesh, P(None, "model"))),
    "whole": jax.device_put(jnp.ones((2048, 512)), NamedSharding(mesh, P())),
    "unsaid": jnp.ones((2048, 512)),
    "bias": jnp.zeros(512),
}
placed = jax.device_put(jnp.ones((4096, 512)), NamedSharding(mesh, P("data")))

def look_up(ids, table=small):
    return placed[ids] + (lambda found: found * known.shape[0])(outer(ids))

def outer(ids):
    return table[ids]

@jax.jit
def step(params, ids):
    return (look_up(ids) @ params["cut"]).sum() + small.sum()

step(params, jnp.zeros(4, jnp.int32))
"""
    report = followed(written(tmp_path, text), "8")
    (step,) = report.holdings
    told = sorted((d.line, d.code, d.severity, d.message) for d in report.shown())
    assert told == sorted((26, "array-sharding", "warning", said) for said in step.remarks)
    assert {name: step.sum(arrays)[0] for name, arrays in step.states.items()} == {
        "params": 512 * 1024 * 4 + 2 * 2048 * 512 * 4 + 512 * 4,
        "ids": 4 * 4,
    }
    assert {array.name for array in step.closed_over} == {"small", "table"}
    assert [said.partition(":")[0] for said in step.remarks] == [
        "params['whole'] (float32[2048, 512]) has 4,194,304 bytes and every device holds it whole, while another array "
        "of params is cut",
        "params['unsaid'] (float32[2048, 512]) has 4,194,304 bytes and no sharding is known of it, while another array "
        "of params is cut",
        "table (float32[4096, 512]) is taken from outside of step",
    ]


def test_the_first_page(tmp_path: Path) -> None:
    """What the README says of its program for 512 devices is what is said."""
    page = (Path(__file__).parent.parent / "README.md").read_text(encoding="utf-8")
    shown = re.search(r"train.py --devices 512` says of\n\n```python\n(.*?)```\n\n```text\n(.*?)```", page, re.DOTALL)
    assert shown is not None
    (tmp_path / "train.py").write_text(shown[1])
    command = ("-m", "arraytyping", "check", "--no-types", "--devices", "512", "train.py")
    done = forked_commands.run(*command, cwd=tmp_path)
    assert shown[2].splitlines() == [line for line in done.stdout.splitlines() if line.startswith("train.py")]

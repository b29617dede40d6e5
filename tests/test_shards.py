"""A project that several machines check: each finds the same division, and together they find what one finds."""

from __future__ import annotations

import json
import os
from collections import Counter
from pathlib import Path

import pytest
from click.testing import CliRunner

from arraytyping.checker.cli import cli
from arraytyping.checker.flow.report import jobs
from arraytyping.checker.flow.report.analysis import Analysis, analyze
from arraytyping.checker.flow.report.executor_address import ExecutorError, scheduler_address
from arraytyping.checker.flow.report.shares import TIMES, Shard, ShardError, Share, divided, read_times, write_times
from arraytyping.checker.flow.sources.entry_points import find_entry_points
from arraytyping.checker.flow.sources.project import Project
from arraytyping.checker.settings import Settings
from arraytyping.checker.settings_file import load_settings

COUNTS = (1, 2, 3, 7)
TYPES = "import jax.numpy as jnp\nfrom jaxtyping import Array, Float\n"


@pytest.mark.parametrize("count", [1, 2, 8, 64])
def test_names_are_divided_evenly_and_few_move(count: int) -> None:
    names = {f"scripts/run_{i:04}.py": 1.0 for i in range(1000)}
    found = divided(names, count)
    assert found == divided(dict(reversed(names.items())), count)
    assert found.keys() == names.keys()
    loads = Counter(found.values())
    assert set(loads) == set(range(1, count + 1))
    assert max(loads.values()) <= 1.05 * 1000 / count + 1
    more = divided({**names, "scripts/new.py": 1.0}, count)
    assert sum(more[name] != found[name] for name in names) <= 20


def test_names_are_divided_by_their_weights() -> None:
    weights = {f"{i}.py": 1.0 for i in range(60)} | {"long.py": 20.0, "longer.py": 30.0}
    machines = divided(weights, 4)
    loads = Counter[int]()
    for name, machine in machines.items():
        loads[machine] += int(weights[name])
    assert sorted(loads.values())[-1] == 30
    assert min(loads.values()) >= 20
    assert divided({"one.py": 1.0}, 5).keys() == {"one.py"}
    assert divided({}, 5) == {}


def project(directory: Path) -> None:
    """Programs, a test, modules that some or all of them import, and modules that none of them does."""
    (directory / "pkg").mkdir()
    files = {
        "pkg/__init__.py": "",
        "pkg/everywhere.py": "import jax.numpy as jnp\n\ndef ones(n):\n    return jnp.ones((n, 3))\n",
        "pkg/mine.py": (
            f'{TYPES}\ndef used(x):\n    return x\n\ndef unused(x: Float[Array, "n 3"]):\n    return x @ jnp.ones(5)\n'
        ),
        "alone_a.py": (f'{TYPES}import alone_b\n\ndef f(x: Float[Array, "n 3"]):\n    return x @ alone_b.row()\n'),
        "alone_b.py": "import jax.numpy as jnp\n\ndef row():\n    return jnp.ones(7)\n",
        "alone_c.py": f'{TYPES}\ndef g(x: Float[Array, "n 3"]):\n    return x + jnp.ones(8)\n',
        "test_it.py": "import jax.numpy as jnp\n\ndef test_it():\n    jnp.ones((9, 3)) @ jnp.ones(2)\n",
    }
    for i in range(6):
        files[f"run_{i}.py"] = (
            f"from pkg.everywhere import ones\nimport jax.numpy as jnp\n\nx = ones({i + 1}) @ jnp.ones({i % 3 + 2})\n"
        )
    files["run_5.py"] += "from pkg.mine import used\nused(x)\n"
    for name, text in files.items():
        (directory / name).write_text(text)


def found(analysis: Analysis) -> set[str]:
    """What an analysis says of the program."""
    claims = {
        f"{path}:{e.position}: {claim}"
        for path, file in analysis.claims.files.items()
        for e in file.expressions
        for claim in e.claims
    }
    return claims | {str(m) for m in analysis.diagnostics} | {f"unreached {f}" for f in analysis.unreached}


def test_the_shares_together_find_what_one_run_finds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    project(tmp_path)
    whole = analyze([Path()], Settings())
    assert len(whole.diagnostics) == 8
    for count in COUNTS[1:]:
        parts = [analyze([Path()], Settings(), shard=Shard(i, count)) for i in range(1, count + 1)]
        entries = Counter(str(r.entry) for part in parts for r in part.entry_points if r.entry.kind != "library")
        assert entries == Counter(str(r.entry) for r in whole.entry_points if r.entry.kind != "library")
        assert set().union(*map(found, parts)) == found(whole)
        (plan,) = {part.remarks[-1].partition("plan ")[2][:8] for part in parts}
        assert plan


def test_every_file_belongs_to_one_share_or_is_shared(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    project(tmp_path)
    for count in COUNTS:
        whole = Project([Path()])
        entries, _ = find_entry_points(whole)
        shares = [Share.of(whole, entries, Shard(i, count), {}) for i in range(1, count + 1)]
        own = Counter(path.name for share in shares for path in share.files)
        assert set(own.values()) == {1}
        shared = {path for share in shares for path in share.shared}
        assert {p for p in whole.sources if p.name in own} | shared == set(whole.sources)
        homes = [share for share in shares if any(p.name == "alone_a.py" for p in share.files)]
        assert any(p.name == "alone_b.py" for p in homes[0].files)  # which it imports


def test_times_are_kept_with_the_project(tmp_path: Path) -> None:
    assert read_times(tmp_path) == {}
    write_times(tmp_path, {"b.py": 0.001, "a.py": 2.34})
    assert read_times(tmp_path) == {"a.py": 2.3, "b.py": 0.1}
    for text in ("", "[]", '{"version": 2, "seconds": {}}', '{"version": 1, "seconds": {"a": "x"}}', "{}"):
        (tmp_path / TIMES).write_text(text)
        with pytest.raises(ShardError, match="--write-times writes it"):
            read_times(tmp_path)
    (tmp_path / TIMES).write_text(json.dumps({"version": 1, "seconds": {"a": -1}}))
    with pytest.raises(ShardError, match="no time"):
        read_times(tmp_path)


BAD = {
    "--shard 0/3": "the numbers are 1 to N",
    "--shard 4/3": "the numbers are 1 to N",
    "--shard 3": "such as 2/8",
    "--shard 1/2 --write-baseline": "leave out --shard",
    "--shard 1/2 --write-times": "leave out --shard",
    "--jobs 0": "neither a number from 1 nor",
    "--jobs many": "neither a number from 1 nor",
    "--executor dask://localhost": "dask://HOST:PORT",
    "--executor ray://localhost:1": "dask://HOST:PORT",
    "--executor dask://localhost:99999": "dask://HOST:PORT",
}


@pytest.mark.parametrize("options", BAD)
def test_what_is_refused(options: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.py").write_text("x = 1\n")
    done = CliRunner().invoke(cli, ["check", "a.py", *options.split()])
    assert done.exit_code == 2
    assert BAD[options] in " ".join(done.output.replace("│", "").split())


def test_addresses_of_schedulers() -> None:
    assert scheduler_address("dask://scheduler.local:8786") == "tcp://scheduler.local:8786"
    assert scheduler_address("dask://[::1]:8786") == "tcp://[::1]:8786"
    with pytest.raises(ExecutorError):
        scheduler_address("tcp://scheduler:8786")


def test_as_many_at_a_time_as_processors_and_memory_allow(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(jobs, "_CGROUP", tmp_path)
    monkeypatch.setattr(os, "sched_getaffinity", lambda pid: set(range(12)), raising=False)
    monkeypatch.setattr(jobs, "available_memory", lambda: 5 * 10**9)
    assert jobs.automatic_jobs() == 5
    monkeypatch.setattr(jobs, "available_memory", lambda: 10**8)
    assert jobs.automatic_jobs() == 1
    monkeypatch.setattr(jobs, "available_memory", lambda: None)
    assert jobs.automatic_jobs() == 12
    (tmp_path / "cpu.max").write_text("250000 100000\n")
    assert jobs.automatic_jobs() == 2
    (tmp_path / "cpu.max").write_text("max 100000\n")
    assert jobs.automatic_jobs() == 12


def test_what_a_container_may_use(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(jobs, "_CGROUP", tmp_path)
    whole = jobs.available_memory()
    assert whole is None or whole > 0
    (tmp_path / "memory.max").write_text("3000000\n")
    (tmp_path / "memory.current").write_text("2500000\n")
    (tmp_path / "memory.stat").write_text("anon 5\ninactive_file 400000\n")
    assert jobs.available_memory() in (None, 900_000)


def test_the_directory_of_the_cache_is_a_path(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text("[tool.arraytyping]\ncache-dir = 3\n")
    with pytest.raises(ValueError, match="cache-dir = 3: it must be the path of a directory"):
        load_settings(tmp_path)

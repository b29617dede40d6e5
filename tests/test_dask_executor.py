"""A cluster of dask follows entry points: what it finds is what one machine finds, and a dead worker loses nothing."""

from __future__ import annotations

import json
import os
import pickle
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from arraytyping.checker.cli import cli
from arraytyping.checker.flow.report import dask_task
from arraytyping.checker.flow.report.dask_cluster import DaskCluster
from arraytyping.checker.flow.report.executor_address import ExecutorError
from arraytyping.checker.flow.report.following import Common
from arraytyping.checker.flow.report.versions import versions
from arraytyping.checker.flow.sources.entry_points import find_entry_points
from arraytyping.checker.flow.sources.project import Project
from arraytyping.checker.flow.start.starting import start
from arraytyping.checker.settings import Settings

pytest.importorskip("distributed")

PROGRAM = """\
import jax.numpy as jnp

x = jnp.ones(({i}, 4)) @ jnp.ones({size})
"""
LIBRARY = """\
import jax.numpy as jnp
from jaxtyping import Array, Float


def f(x: Float[Array, "n 3"]):
    return x @ jnp.ones(5)
"""
# One process for the scheduler and the client, one for each of two workers; the first worker is killed at its work.
CLUSTER = """\
import json, os, signal, sys, threading, time
from pathlib import Path

def main():
    from distributed import Client, LocalCluster
    from arraytyping.checker.flow.report.analysis import analyze
    from arraytyping.checker.flow.report.dask_cluster import DaskCluster
    from arraytyping.checker.flow.report.executor_address import ExecutorError
    from arraytyping.checker.settings import Settings

    here = analyze([Path()], Settings(), jobs=2, confined=True)
    with LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as cluster:
        name = cluster.scheduler_address.replace("tcp://", "dask://")
        killed = []

        def kill():
            with Client(cluster.scheduler_address, set_as_default=False) as client:
                pids = client.run(os.getpid)
                while not killed:
                    for address, keys in client.processing().items():
                        if any(key.startswith("follow") for key in keys):
                            os.kill(pids[address], signal.SIGKILL)
                            killed.append(address)
                            break
                    time.sleep(0.02)

        killer = threading.Thread(target=kill)
        killer.start()
        there = analyze([Path()], Settings(), executor=name)
        killer.join()
        refused = ""
        from arraytyping.checker.flow.report import dask_cluster
        ours = dask_cluster.installed_here
        dask_cluster.installed_here = lambda: {**ours(), "jax": "0.1.0"}
        try:
            analyze([Path("run_0.py")], Settings(), executor=name)
        except ExecutorError as error:
            refused = str(error)

    def said(found):
        return {
            "mistakes": [str(m) for m in found.diagnostics],
            "claims": found.claims.to_json(),
            "stopped": [r.stopped for r in found.entry_points if r.stopped],
            "entries": [str(r.entry) for r in found.entry_points],
        }

    print(json.dumps({"here": said(here), "there": said(there), "killed": len(killed), "refused": refused}))
    sys.stdout.flush()
    os._exit(0)

if __name__ == "__main__":
    main()
"""


def test_a_worker_follows_as_this_machine_does(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The task of a worker, without a cluster; it keeps one process for several entry points."""
    monkeypatch.chdir(tmp_path)
    for i in range(2):
        (tmp_path / f"run_{i}.py").write_text(PROGRAM.format(i=i + 1, size=3 + i))
    project = Project([Path()])
    entries, _ = find_entry_points(project)
    common = pickle.dumps(Common(str(tmp_path), {}, project.shown, Settings(), None, {}))
    for entry in entries:
        answer = dask_task.follow(pickle.dumps((entry, frozenset(), versions())), common)
        here = start(entry, project.shown, Settings(), None, frozenset()).to_json()
        there = json.loads(json.dumps(answer["report"]))
        here = json.loads(json.dumps(here))
        assert there.pop("seconds") > 0
        assert here.pop("seconds") > 0
        assert there == here
        assert answer["read"] == {f: dask_task.digest_of(f, {}) for f in here["files"]}
    (process,) = dask_task._all
    dask_task._end(process)


@pytest.fixture(scope="module")
def followed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    directory = tmp_path_factory.mktemp("project")
    for i in range(5):
        (directory / f"run_{i}.py").write_text(PROGRAM.format(i=i + 1, size=3 + i % 2))
    (directory / "library.py").write_text(LIBRARY)
    script = tmp_path_factory.mktemp("script") / "cluster.py"
    script.write_text(CLUSTER)
    done = subprocess.run(
        [sys.executable, str(script)],
        cwd=directory,
        capture_output=True,
        text=True,
        env={**os.environ, "JAX_PLATFORMS": "cpu"},
        timeout=600,
    )
    assert done.returncode == 0, done.stderr
    answer: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return answer


@pytest.mark.thorough
def test_a_killed_worker_loses_nothing(followed: dict[str, Any]) -> None:
    assert followed["killed"] == 1
    assert followed["there"] == followed["here"]
    assert followed["there"]["stopped"] == []
    assert len(followed["there"]["mistakes"]) == 4
    assert len(followed["there"]["entries"]) == 6


@pytest.mark.thorough
def test_workers_with_other_versions_are_refused(followed: dict[str, Any]) -> None:
    assert "has jax 0.10.2, and here is jax 0.1.0: give both the same environment" in followed["refused"]


def test_dask_may_be_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    cluster = DaskCluster("dask://localhost:1", {}, Settings(), None)
    with pytest.raises(ExecutorError, match=r"pip install 'arraytyping\[dask\]'"):
        list(cluster.run([], frozenset()))


def test_nobody_answers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One line, and the exit code of what cannot be done."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.py").write_text(PROGRAM.format(i=1, size=4))
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        name = f"dask://127.0.0.1:{free.getsockname()[1]}"
    done = CliRunner().invoke(cli, ["check", "a.py", "--no-types", "--executor", name])
    assert done.exit_code == 2
    said = done.output.strip().splitlines()
    assert len(said) == 1
    assert f"{name}: no dask scheduler answers there (Connection refused)" in said[0]


def test_what_a_worker_refuses(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dask_task, "versions", lambda: ["ours"])
    packed = pickle.dumps((None, frozenset(), ["others"]))
    assert dask_task.follow(packed, b"") == {"refused": "this worker has other versions than the one who asks"}
    common = Common(str(tmp_path / "missing"), {}, {}, Settings(), None, {})
    packed = pickle.dumps((None, frozenset(), ["ours"]))
    answer = dask_task.follow(packed, pickle.dumps(common))
    assert "workers need the project at the same path" in answer["refused"]

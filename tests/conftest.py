"""Fixtures that more than one test module needs."""

from __future__ import annotations

import compileall
import ctypes
import gc
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import answers
import forked_commands
import oracle_counts
import pytest
import scenario_items
import spared_costs
from agreements import VARIABLE, mode
from cpu_times import CpuTimes, longest_first, quickest
from hypothesis import HealthCheck, settings
from mypy_runs import Mypy, command_cache, shared_caches
from shares import VARIABLE as THOROUGH
from told_messages import collect, newly_malformed
from warm_caches import VARIABLE as WARM_CACHES

from arraytyping.checker import garbage
from arraytyping.checker.flow.report import child

ROOT = Path(__file__).parent.parent

# No property hangs on how fast the machine is.
settings.register_profile("arraytyping", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("arraytyping")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--oracle",
        choices=("recorded", "live", "record"),
        default="recorded",
        help="whether comparisons with JAX that agreed before are made again (see tests/agreements.py)",
    )
    parser.addoption("--quick", action="store_true", help="only the files that take least (tests/cpu_times.py)")
    parser.addoption("--cpu", action="store_true", help="print the seconds of CPU by file (tests/cpu_times.py)")
    parser.addoption("--cpu-record", action="store_true", help="keep them, as what the order and --quick go by")
    parser.addoption("--thorough", action="store_true", help="also run what takes long and has a quicker twin")
    parser.addoption("--uvx", action="store_true", help="also run what installs arraytyping by uvx, which downloads")


def pytest_configure(config: pytest.Config) -> None:
    collect()
    config.addinivalue_line("markers", "thorough: takes long and has a quicker twin; --thorough runs it")
    os.environ.setdefault(VARIABLE, config.getoption("--oracle"))
    if config.getoption("--thorough"):
        os.environ[THOROUGH] = "1"
    if (kept := getattr(config, "cache", None)) is not None:
        os.environ.setdefault(WARM_CACHES, str(kept.mkdir("mypy")))
    is_worker = bool(os.environ.get("PYTEST_XDIST_WORKER"))
    if not is_worker:
        _compile_sources()
    records = config.getoption("--cpu-record")
    if records or config.getoption("--cpu"):
        config.pluginmanager.register(CpuTimes(is_worker=is_worker, records=records), "cpu-times")
    if hasattr(config.option, "loadscopereorder"):
        config.option.loadscopereorder = False  # which would begin with the files of most tests
    config.pluginmanager.register(answers, "answers")
    config.pluginmanager.register(oracle_counts, "oracle-counts")
    config.pluginmanager.register(scenario_items, "scenario-items")
    _keep_to_one_processor()
    vars(child)["subprocess"] = forked_commands.Processes
    # Thousands of programs are compiled to be run once: that LLVM makes them fast takes longer than all runs, to emit
    # the code of fusions by MLIR takes as long as the rest of a test, and to divide a program among threads, each with
    # a module of LLVM's, takes a third of what compiling takes.
    quickly = (
        "--xla_backend_optimization_level=0 --xla_cpu_use_fusion_emitters=false"
        " --xla_cpu_parallel_codegen_split_count=1"
    )
    os.environ["XLA_FLAGS"] = f"{os.environ.get('XLA_FLAGS', '')} {quickly}".strip()


def pytest_report_header() -> str:
    how = (
        "recorded: JAX is asked only where an answer, a release or the comparison has changed (--oracle live asks all)"
    )
    return f"oracle: {how if mode() == 'recorded' else mode()}"


def _compile_sources() -> None:
    """Hundreds of processes import this project: where Python keeps no bytecode, each of them would compile it."""
    for folder in ("src", "mypy_plugin"):
        compileall.compile_dir(ROOT / folder, quiet=2)


def _keep_to_one_processor() -> None:
    """Where there is a worker for each processor, it stays there: threads of XLA that wait for others cost twice."""
    worker, workers = os.environ.get("PYTEST_XDIST_WORKER", ""), int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))
    if hasattr(os, "sched_setaffinity") and worker.startswith("gw"):
        processors = sorted(os.sched_getaffinity(0))
        if workers == len(processors):
            os.sched_setaffinity(0, {processors[int(worker.removeprefix("gw")) % workers]})


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    if not config.getoption("--quick") or not collection_path.name.startswith("test"):
        return None
    return collection_path.name not in quickest(p.name for p in (ROOT / "tests").glob("test_*.py"))


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    longest_first(items)
    if not config.getoption("--thorough"):
        for item in items:
            if item.get_closest_marker("thorough") is not None:
                item.add_marker(pytest.mark.skip(reason="takes long: --thorough runs it"))


@pytest.fixture(scope="module", autouse=True)
def spared() -> None:
    """What stays (modules, and the items of all tests) is not looked through again by each collection of garbage."""
    spared_costs.spare()
    _give_back()
    garbage.freeze()
    if not _resident:
        _resident.append(_resident_bytes())


@pytest.fixture(autouse=True)
def small_caches() -> Iterator[None]:
    """Programs that XLA compiled go when the process has grown much since they went: they are a megabyte each.

    Till then they stay, for the next file of tests as well: most use the same small programs of jax's.
    """
    yield
    if _resident_bytes() > _resident[-1] + MUCH:
        _drop_compiled()
        garbage.unfreeze()  # what mypy or a file before has frozen may be garbage by now
        _give_back()
        garbage.freeze()
        _resident.append(_resident_bytes())


MUCH: Final = 1_000_000_000
_resident: list[int] = []
"""How many bytes the process had at first, and each time when it had given back what it could."""


def _drop_compiled() -> None:
    if (execution := sys.modules.get("arraytyping.runtime.xla.execution")) is not None:
        execution.clear_caches()
    if (jax := sys.modules.get("jax")) is not None:
        jax.clear_caches()
    spared_costs.renew()


def _give_back() -> None:
    gc.collect()
    if sys.platform == "linux" and (trim := getattr(ctypes.CDLL(None), "malloc_trim", None)) is not None:
        trim(0)  # glibc keeps what is free


def _resident_bytes() -> int:
    file = Path("/proc/self/statm")  # of Linux
    return int(file.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") if file.exists() else 0


@pytest.fixture(autouse=True)
def messages_are_ours() -> Iterator[None]:
    """No message that a test brings about names files of what is installed, or jax's inner objects, or is cut off."""
    yield
    assert newly_malformed() == []


@pytest.fixture(scope="module")
def warm_mypy(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Commands that a file of tests starts have a cache of mypy that is warm."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("MYPY_CACHE_DIR", str(command_cache(tmp_path_factory)))
        yield


@pytest.fixture
def mypy(tmp_path: Path, tmp_path_factory: pytest.TempPathFactory) -> Mypy:
    """Mypy in a fresh directory."""
    return Mypy(tmp_path, shared_caches(tmp_path_factory))

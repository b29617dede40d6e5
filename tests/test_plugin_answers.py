"""The same program gives the same answers cold, warm, by the daemon and in parallel; what changes them is noticed."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from mypy_runs import Mypy, parse, shared_caches

PROGRAM = """
import jax
import jax.numpy as jnp
from other import make, Model

x = make()
reveal_type(x + jnp.ones((4,), jnp.int16))
reveal_type(Model().w)
reveal_type(Model().state)
reveal_type(jnp.asarray(1.5) + jnp.arange(3))
reveal_type(jax.jit(make)())
x @ x
jnp.zeros(3, jnp.float64)
"""
OTHER = """
import jax
import jax.numpy as jnp
from jaxtyping import Array, Int8

def make() -> Int8[Array, "3 4"]:
    return jnp.ones((3, 4), jnp.int8)

class Model:
    def __init__(self) -> None:
        self.w = jnp.zeros((2, 2))
        self.state = jnp.zeros(3)

    def step(self) -> None:
        self.state = jnp.zeros(5)
"""
FILES = {"program.py": PROGRAM, "other.py": OTHER}


def test_cold_and_warm_runs_agree(mypy: Mypy, tmp_path: Path) -> None:
    mypy.given = tmp_path / "cache"  # a cache of its own: the first run is cold
    cold = mypy.run(FILES)
    warm = mypy.run(FILES)
    assert cold.output == warm.output
    assert len(cold.revealed()) == 5
    assert [m.code for m in cold.errors()] == ["array-shape", "array-x64"]
    # The importing module is checked again, the imported one comes from the cache.
    edited = mypy.run({**FILES, "program.py": PROGRAM + "# edited\n"})
    assert edited.output == cold.output


@pytest.mark.parametrize("options", [(), pytest.param(("--no-incremental",), marks=pytest.mark.thorough)])
def test_parallel_workers_agree(options: tuple[str, ...], mypy: Mypy) -> None:
    serial = mypy.run(FILES)
    anew = {name: f"{text}# checked by workers\n" for name, text in FILES.items()}
    parallel = mypy.run(anew, options=["-n", "2", *options])
    assert parallel.revealed() == serial.revealed()
    assert [(m.line, m.code) for m in parallel.errors()] == [(m.line, m.code) for m in serial.errors()]


@pytest.mark.thorough
def test_the_daemon_agrees(mypy: Mypy) -> None:
    serial = mypy.run(FILES)
    command = [sys.executable, "-m", "mypy.dmypy"]
    options = ["--cache-dir", str(mypy.cache), "--show-column-numbers", "--hide-error-context", "--no-pretty"]

    def check() -> list[tuple[int, str, str | None]]:
        done = subprocess.run(
            [*command, "run", "--", *options, "program.py", "other.py"],
            cwd=mypy.directory, capture_output=True, text=True, env={**os.environ, "ARRAYTYPING_DEBUG": "1"},
        )  # fmt: skip
        return [(m.line, m.text, m.code) for m in parse(done.stdout) if m.file == "program.py"]

    expected = [(m.line, m.text, m.code) for m in serial.messages if m.file == "program.py"]
    try:
        assert check() == expected
        # The daemon takes a file of the same size that is written within the same second for unchanged.
        mypy.write({"other.py": OTHER.replace('"3 4"', '"4 3"').replace("(3, 4)", "(4, 3)") + "# turned\n"})
        changed = [text for _, text, _ in check()]
        assert any("incompatible shapes for broadcasting: (4, 3) and (4,)" in text for text in changed)
        mypy.write({"other.py": OTHER})
        assert check() == expected
    finally:
        subprocess.run([*command, "kill"], cwd=mypy.directory, capture_output=True)


def test_a_change_of_settings_is_noticed(mypy: Mypy) -> None:
    program = "import jax.numpy as jnp\nreveal_type(jnp.arange(3))\nreveal_type(jnp.arange(3) + jnp.ones(3))\n"
    assert mypy.run(program).revealed() == ["Array[int32, tuple[Literal[3]]]", "Array[float32, tuple[Literal[3]]]"]
    on = mypy.run(program, settings="x64 = true")
    assert on.revealed() == ["Array[int64, tuple[Literal[3]]]", "Array[float64, tuple[Literal[3]]]"]
    strict = mypy.run(program, settings='promotion = "strict"')
    assert [m.code for m in strict.errors()] == ["array-dtype"]
    assert "jax_numpy_dtype_promotion=strict" in strict.output


def test_x64_is_decided_from_the_program(mypy: Mypy) -> None:
    program = "import jax.numpy as jnp\nreveal_type(jnp.arange(3))\nreveal_type(jnp.asarray(1) + jnp.arange(3))\n"
    switch = 'import jax\njax.config.update("jax_enable_x64", {})\n'
    assert mypy.run({"program.py": switch.format(True) + program}).revealed()[0] == "Array[int64, tuple[Literal[3]]]"
    assert mypy.run(program, environ={"JAX_ENABLE_X64": "1"}).revealed()[0] == "Array[int64, tuple[Literal[3]]]"
    contradiction = mypy.run({"program.py": f"import b\n{switch.format(True)}{program}", "b.py": switch.format(False)})
    assert contradiction.revealed() == ["Array[int32 | int64, tuple[Literal[3]]]"] * 2


def test_settings_per_module(mypy: Mypy) -> None:
    program = "import jax.numpy as jnp\nreveal_type(jnp.arange(3))\n"
    settings = 'x64 = false\n[[tool.arraytyping.overrides]]\nmodule = "b"\nx64 = true\n'
    run = mypy.run({"a.py": program, "b.py": program}, settings=settings)
    assert {m.file: m.revealed for m in run.messages if m.revealed} == {
        "a.py": "Array[int32, tuple[Literal[3]]]",
        "b.py": "Array[int64, tuple[Literal[3]]]",
    }


def test_a_malformed_table_is_one_clear_line(mypy: Mypy) -> None:
    run = mypy.run("x = 1\n", settings='x64 = "maybe"')
    assert run.status == 2
    lines = run.output.strip().splitlines()
    assert len(lines) == 1, run.output
    assert 'x64 = "maybe": allowed are true, false and "auto"' in lines[0]


def test_redefinition_can_be_left_to_mypy(mypy: Mypy) -> None:
    program = "import jax.numpy as jnp\nx = jnp.zeros(3)\nx = jnp.zeros(4)\n"
    assert mypy.run(program).errors() == []
    assert [m.code for m in mypy.run(program, settings="redefinition = false").errors()] == ["array-annotation"]


@pytest.mark.parametrize("version", ["0.7.2", "0.11.0"])
def test_an_unsupported_jax_gets_one_note(version: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    directory = tmp_path_factory.mktemp("version")
    mypy = Mypy(directory, shared_caches(tmp_path_factory))
    patch = (
        "from arraytyping_mypy import jax_version, settings\n"
        f"settings.installed_jax = lambda options: jax_version.JaxVersion({version!r}, "
        f"({version.split('.')[0]}, {version.split('.')[1]}))\n"
    )
    program = "import jax.numpy as jnp\nx = jnp.ones(3)\nreveal_type(x + 1)\nreveal_type(jnp.linspace(0, 1, 5))\n"
    run = mypy.run({"a.py": program, "b.py": program}, before=patch)
    assert run.errors() == []
    notes = [m.text for m in run.messages if "arraytyping knows jax" in m.text]
    assert len(notes) == 1, run.output
    assert version in notes[0]
    assert run.revealed() == ["Array[float32, tuple[Literal[3]]]", "Array[Any, Any]"] * 2

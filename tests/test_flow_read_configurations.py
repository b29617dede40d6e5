"""Configurations that a program reads from its project: what is in them is known, unless the program writes files."""

from __future__ import annotations

import textwrap
from pathlib import Path

import pytest

from arraytyping.checker.flow.start.program import interpret
from arraytyping.checker.flow.state.showing import show

HEAD = """
import json, os, tomllib, yaml
from pathlib import Path
import jax.numpy as jnp
"""
KNOWN = [
    "json.load(open('configs/a.json'))",
    "json.loads(open('configs/a.json').read())",
    "json.loads(Path('configs/a.json').read_text())",
    "json.loads((Path(__file__).parent / 'configs' / 'a.json').read_text())",
    "json.load(Path('configs/a.json').open())",
    "json.load(open(os.path.join(os.path.dirname(__file__), 'configs/a.json')))",
    "yaml.safe_load(open('configs/a.yaml'))",
    "yaml.load(open('configs/a.yaml'), Loader=yaml.FullLoader)",
    "tomllib.load(open('configs/a.toml', 'rb'))",
    "json.loads('{\"n\": 8}')",
]
UNKNOWN = [
    "json.load(open('configs/none.json'))",
    "json.load(open('configs/broken.json'))",
    "json.load(open('configs/a.json'), object_hook=dict)",
    "yaml.load(open('configs/a.yaml'), Loader=Own)",
    "json.loads(open('configs/a.json').read(4))",
    "json.loads(open('configs/a.txt').read())",
]
WRITES = [
    "open('configs/a.json', 'w').write('{}')",
    "open(name, 'w').write('{}')",
    "Path('configs/a.json').write_text('{}')",
    "Path('configs/a.json').open('a')",
    "open(Path('configs') / 'a.json', mode='r+')",
]


def read(directory: Path, read: str, monkeypatch: pytest.MonkeyPatch, before: str = "") -> str:
    """What an array of as many elements as the configuration says is claimed to be."""
    (directory / "configs").mkdir()
    for name, text in {"json": '{"n": 8}', "yaml": "n: 8\n", "toml": "n = 8\n", "txt": '{"n": 8}'}.items():
        (directory / f"configs/a.{name}").write_text(text)
    (directory / "configs/broken.json").write_text("{")
    program = directory / "train.py"
    text = f"{HEAD}class Own(yaml.SafeLoader): pass\nname = input()\n{before}\nx = jnp.ones(({read})['n'])\n"
    program.write_text(textwrap.dedent(text))
    monkeypatch.chdir(directory)
    result = interpret(program)
    assert not result.crashes, result.crashes
    assert not [m for m in result.diagnostics if m.is_certain]
    return show(result.interpreter.importer.modules["__main__"].frame.variables["x"])


@pytest.mark.parametrize("text", KNOWN)
def test_what_is_in_a_configuration_is_known(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    assert read(tmp_path, text, monkeypatch) == "float32[8]"


@pytest.mark.parametrize("text", UNKNOWN)
def test_what_may_be_anything_is_not(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    assert read(tmp_path, text, monkeypatch) != "float32[8]"


@pytest.mark.parametrize("before", WRITES)
def test_a_file_that_the_program_may_have_written_is_not_known(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, before: str
) -> None:
    assert read(tmp_path, KNOWN[0], monkeypatch, before) != "float32[8]"


def test_another_file_that_is_written_changes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert read(tmp_path, KNOWN[0], monkeypatch, "open('out.json', 'w').write('{}')") == "float32[8]"

"""The table [tool.arraytyping]: defaults, where it is found, patterns as mypy's, and what a mistake in it says."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest
from mypy.options import Options

from arraytyping.checker.settings import ConfigError, ModuleSettings, Settings
from arraytyping.checker.settings_file import load_settings


def write(directory: Path, text: str) -> Path:
    directory.mkdir(parents=True, exist_ok=True)
    file = directory / "pyproject.toml"
    file.write_text(text, encoding="utf-8")
    return file


def refused(directory: Path, text: str, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(directory)
    write(directory, text)
    with pytest.raises(ConfigError) as caught:
        load_settings(directory)
    message = str(caught.value)
    assert "\n" not in message
    return message


def test_without_a_table_everything_is_as_by_default(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    assert load_settings(tmp_path) == Settings()
    write(tmp_path, "[tool.other]\nx = 1\n")
    assert load_settings(tmp_path) == Settings("standard", "auto", True)


def test_all_keys(tmp_path: Path) -> None:
    text = """
    [tool.arraytyping]
    promotion = "strict"
    x64 = true
    redefinition = false
    [[tool.arraytyping.overrides]]
    module = ["a.*", "b"]
    x64 = false
    [[tool.arraytyping.overrides]]
    module = "b"
    promotion = "standard"
    """
    file = write(tmp_path, text)
    settings = load_settings(tmp_path)
    assert (settings.promotion, settings.x64, settings.redefinition) == ("strict", True, False)
    assert settings.file is not None
    assert settings.file.samefile(file)
    assert settings.for_module("a") == ModuleSettings("strict", False)
    assert settings.for_module("a.c.d") == ModuleSettings("strict", False)
    assert settings.for_module("b") == ModuleSettings("standard", False)
    assert settings.for_module("b.c") == ModuleSettings("strict", True)
    assert settings.for_module("c") == ModuleSettings("strict", True)


def test_the_search_goes_up_past_files_without_the_table_to_the_root_of_the_repository(tmp_path: Path) -> None:
    write(tmp_path, "[tool.arraytyping]\nx64 = true\n")
    inner = tmp_path / "a" / "b"
    write(inner, "[project]\nname = 'b'\n")
    assert load_settings(inner).x64 is True
    (tmp_path / "a" / ".git").mkdir()
    assert load_settings(inner).x64 == "auto"


def test_the_file_that_is_given_is_read_and_no_other(tmp_path: Path) -> None:
    write(tmp_path, "[tool.arraytyping]\nx64 = true\n")
    other = write(tmp_path / "other", "[tool.arraytyping]\nx64 = false\n")
    empty = write(tmp_path / "empty", "")
    assert load_settings(tmp_path, other).x64 is False
    assert load_settings(tmp_path, empty) == Settings()
    assert load_settings(tmp_path, tmp_path / "mypy.ini").x64 is True


def test_the_current_directory_is_where_the_search_starts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path, "[tool.arraytyping]\nx64 = true\n")
    monkeypatch.chdir(tmp_path)
    assert load_settings().x64 is True


PARTS = ("a", "b", "c")


def random_pattern(rng: random.Random) -> str:
    parts = [rng.choice((*PARTS, "*")) for _ in range(rng.randint(1, 4))]
    return "a" if parts == ["*"] else ".".join(parts)


def mypys_answer(overrides: dict[str, bool], module: str) -> Any:
    options = Options()
    options.per_module_options = {name: {"always_true": [str(value)]} for name, value in overrides.items()}
    found = options.clone_for_module(module).always_true
    return found == ["True"] if found else "auto"


def test_patterns_match_and_win_as_mypys_do(tmp_path: Path) -> None:
    rng = random.Random(3)
    compared = decided = 0
    modules = [".".join(rng.choices(PARTS, k=rng.randint(1, 5))) for _ in range(40)]
    for _ in range(150):
        overrides = {random_pattern(rng): rng.random() < 0.5 for _ in range(rng.randint(1, 6))}
        tables = "".join(
            f'[[tool.arraytyping.overrides]]\nmodule = "{name}"\nx64 = {str(value).lower()}\n'
            for name, value in overrides.items()
        )
        settings = load_settings(tmp_path, write(tmp_path, tables))
        for module in modules:
            expected = mypys_answer(overrides, module)
            assert settings.for_module(module).x64 == expected, (overrides, module)
            compared += 1
            decided += expected != "auto"
    print(f"{compared} modules compared with mypy, {decided} of them matched by a pattern")
    assert compared == 6000
    assert decided > 1000


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            '[tool.arraytyping]\npromotion = "srict"',
            'pyproject.toml: [tool.arraytyping] promotion = "srict": allowed are "standard", "strict" and the path '
            'of a lattice such as "lattice.toml"; did you mean "strict"?',
        ),
        (
            '[tool.arraytyping]\nx64 = "true"',
            'pyproject.toml: [tool.arraytyping] x64 = "true": allowed are true, false and "auto"; '
            "did you mean true, without quotes?",
        ),
        (
            "[tool.arraytyping]\nx64 = 1",
            'pyproject.toml: [tool.arraytyping] x64 = 1: allowed are true, false and "auto"',
        ),
        (
            "[tool.arraytyping]\nx64 = 1979-05-27",
            'pyproject.toml: [tool.arraytyping] x64 = 1979-05-27: allowed are true, false and "auto"',
        ),
        (
            '[tool.arraytyping]\nredefinition = "no"',
            'pyproject.toml: [tool.arraytyping] redefinition = "no": allowed are true and false',
        ),
        (
            '[tool.arraytyping]\npromotoin = "strict"',
            'pyproject.toml: [tool.arraytyping] has no key "promotoin": allowed are promotion, x64, redefinition, '
            "flow, respect_gitignore, enable, entry_points, memory, devices, processes, "
            "device_kind, overrides, exclude, extend_exclude, include, "
            "baseline, stand_ins, recording and cache_dir; "
            'did you mean "promotion"?',
        ),
        ("[tool]\narraytyping = 3", "pyproject.toml: tool.arraytyping must be a table, and 3 was given"),
        (
            "[tool.arraytyping.overrides]\nx64 = true",
            "pyproject.toml: [[tool.arraytyping.overrides]] must be an array of tables: write it in double brackets",
        ),
        (
            "[[tool.arraytyping.overrides]]\nx64 = true",
            'pyproject.toml: [[tool.arraytyping.overrides]] needs a key "module": a pattern such as "pkg.*", '
            "or a list of them",
        ),
        (
            "[[tool.arraytyping.overrides]]\nmodule = 3",
            "pyproject.toml: [[tool.arraytyping.overrides]] module = 3: it must be a string or a list of strings",
        ),
        (
            '[[tool.arraytyping.overrides]]\nmodule = "a.b*"\nx64 = true',
            'pyproject.toml: [[tool.arraytyping.overrides]] module = "a.b*": it must be a full module name, in which '
            '"*" may stand for whole components, such as "pkg.*" or "pkg.*.tests"',
        ),
        (
            '[[tool.arraytyping.overrides]]\nmodule = "*"\nx64 = true',
            'pyproject.toml: [[tool.arraytyping.overrides]] module = "*": for all modules set the keys in '
            "[tool.arraytyping] itself",
        ),
        (
            '[[tool.arraytyping.overrides]]\nmodule = "a"\nredefinition = true',
            'pyproject.toml: [[tool.arraytyping.overrides]] has no key "redefinition": allowed are module, promotion '
            "and x64",
        ),
        (
            '[[tool.arraytyping.overrides]]\nmodule = "a"\nx64 = true\n'
            '[[tool.arraytyping.overrides]]\nmodule = ["b", "a"]\nx64 = false',
            'pyproject.toml: [[tool.arraytyping.overrides]] gives x64 twice for module "a", as true and as false; '
            "keep one",
        ),
    ],
)
def test_a_mistake_gives_one_sentence(
    text: str, expected: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert refused(tmp_path, text, monkeypatch) == expected


def test_a_file_that_cannot_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert refused(tmp_path, "[tool", monkeypatch).startswith("pyproject.toml: is not valid TOML: ")
    (tmp_path / "pyproject.toml").write_bytes(b'[tool.arraytyping]\nx = "\xff"\n')
    with pytest.raises(ConfigError, match=r"pyproject\.toml: is not UTF-8, as TOML must be"):
        load_settings(tmp_path)
    with pytest.raises(ConfigError, match=r"missing\.toml: cannot be read: No such file"):
        load_settings(tmp_path, tmp_path / "missing.toml")


def test_the_fingerprint_is_json_and_says_every_setting(tmp_path: Path) -> None:
    texts = [
        "",
        "[tool.arraytyping]\nx64 = true",
        '[tool.arraytyping]\npromotion = "strict"',
        "[tool.arraytyping]\nredefinition = false",
        '[[tool.arraytyping.overrides]]\nmodule = "a"\nx64 = true',
        '[[tool.arraytyping.overrides]]\nmodule = "b"\nx64 = true',
    ]
    prints = [json.dumps(load_settings(tmp_path, write(tmp_path, t)).fingerprint()) for t in texts]
    assert len(set(prints)) == len(texts)
    elsewhere = load_settings(None, write(tmp_path / "elsewhere", texts[1]))
    assert json.dumps(elsewhere.fingerprint()) == prints[1]


def test_where_flow_begins(tmp_path: Path) -> None:
    file = write(tmp_path, '[tool.arraytyping]\nflow = true\nentry_points = ["a.b:main", "scripts/run.py", "a.cli"]\n')
    settings = load_settings(tmp_path, file)
    assert settings.flow is True
    assert settings.entry_points == ("a.b:main", "scripts/run.py", "a.cli")
    assert Settings().flow is False
    assert Settings().entry_points == ()
    assert Settings(entry_points=("a",)).fingerprint() == Settings().fingerprint()
    assert Settings(flow=True, entry_points=("a",)).fingerprint() != Settings(flow=True).fingerprint()


@pytest.mark.parametrize("given", ['"a.b"', "[1]", '["a-b c"]', '["a:"]', '["a:b:c"]', '["scripts/run"]', '[""]'])
def test_entry_points_that_are_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, given: str) -> None:
    message = refused(tmp_path, f"[tool.arraytyping]\nentry_points = {given}\n", monkeypatch)
    assert "entry_points" in message
    assert '"pkg.train:main"' in message


def test_codes_are_enabled_by_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = '[tool.arraytyping]\nenable = ["array-nan", "array-promotion-wide"]\n'
    assert load_settings(tmp_path, write(tmp_path, text)).enable == ("array-nan", "array-promotion-wide")
    message = refused(tmp_path, '[tool.arraytyping]\nenable = ["array-promotions"]\n', monkeypatch)
    assert message.endswith('did you mean "array-promotion"?')
    assert "must be a list" in refused(tmp_path, '[tool.arraytyping]\nenable = "array-nan"\n', monkeypatch)

"""The formats of `check --output-format`, each read by what reads it; baselines; exit codes."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from pathlib import Path

import forked_commands
import jsonschema
import pytest
from junitparser import Failure, JUnitXml
from sarif_pydantic import Sarif

from arraytyping.checker.flow.state.diagnostics import Diagnostic, Operand, together
from arraytyping.checker.messages.baseline import Baseline, BaselineError
from arraytyping.checker.messages.error_pages import ERROR_CODES
from arraytyping.checker.messages.formats import FORMATS
from arraytyping.checker.messages.message import Message, Totals, read_messages

MISTAKE = "import jax.numpy as jnp\nx = jnp.ones((3, 4))\ny = x + jnp.ones((3, 5))\n"
OTHER = "z = jnp.ones((2, 3)) @ jnp.ones((2, 3))\n"
CODE_QUALITY = {  # https://docs.gitlab.com/ci/testing/code_quality/#code-quality-report-format
    "type": "array",
    "items": {
        "type": "object",
        "required": ["description", "check_name", "fingerprint", "location", "severity"],
        "properties": {
            "description": {"type": "string"},
            "check_name": {"type": "string"},
            "fingerprint": {"type": "string", "minLength": 1},
            "severity": {"enum": ["info", "minor", "major", "critical", "blocker"]},
            "location": {
                "type": "object",
                "required": ["path", "lines"],
                "properties": {
                    "path": {"type": "string", "pattern": "^[^./]|^\\.$"},
                    "lines": {
                        "type": "object",
                        "required": ["begin"],
                        "properties": {"begin": {"type": "integer", "minimum": 1}},
                    },
                },
            },
        },
    },
}


def message(line: int = 3, text: str = "add: shapes (3, 4) and (3, 5)", path: str = "pkg/a b.py") -> Message:
    diagnostic = Diagnostic(
        path, line, 4, line, 24, "array-shape", text, operands=(Operand("x", "float32[3, 4]", path, 2),)
    )
    return Message(path, line, 4, line, 24, "error", text, "array-shape", "f: x is float32[3, 4]", diagnostic)


ODD = 'a "text", 100% of <it> & \x01 more\nin two lines: é'
MESSAGES = [
    message(),
    replace(message(), line=4, end_line=4, severity="warning", code=None),
    message(text=ODD),
    message(text=ODD),
    Message("", 1, 0, 1, 0, "error", "of no file"),
    Message("a.py", 2, 0, 3, 9, "note", "a note"),
]


def written(name: str, messages: list[Message], totals: Totals | None = None) -> str:
    return "\n".join(FORMATS[name](messages, totals or Totals(2)))


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / ".git").mkdir()
    monkeypatch.chdir(tmp_path)
    return tmp_path


def check(folder: Path, *args: str, stdin: str | None = None) -> tuple[int, str, str]:
    environ = {k: v for k, v in os.environ.items() if k not in ("FORCE_COLOR", "JAX_ENABLE_X64")}
    command = ("-P", "-m", "arraytyping", "check", "--no-types", *args)
    done = forked_commands.run(*command, cwd=folder, env=environ, input=stdin or "")
    assert "Traceback" not in done.stderr, done.stderr
    return done.returncode, done.stdout, done.stderr


# The formats


@pytest.mark.parametrize("messages", [MESSAGES, []], ids=["some", "none"])
def test_sarif_is_what_its_schema_says(messages: list[Message]) -> None:
    found = Sarif.model_validate_json(written("sarif", messages))
    (run,) = found.runs
    assert [r.message.text for r in run.results or []] == [m.text + (f"\n{m.hint}" if m.hint else "") for m in messages]
    rules = run.tool.driver.rules or []
    assert all(rules[r.rule_index or 0].id == r.rule_id for r in run.results or [])
    for rule in rules:  # without an address that may lead nowhere
        assert (rule.help is not None) == (rule.id in ERROR_CODES)
        assert rule.help is None or (rule.help.markdown or "").startswith(f"# {rule.id}\n")
        assert rule.help_uri is None
    prints = [r.partial_fingerprints["arraytyping/v1"] for r in run.results or [] if r.partial_fingerprints]
    assert len(set(prints)) == len(messages)
    if messages:
        location = (run.results or [])[0].locations
        assert location is not None
        place = location[0].physical_location
        assert place is not None
        assert place.artifact_location is not None
        assert place.artifact_location.uri == "pkg/a%20b.py"
        assert place.region is not None
        assert (place.region.start_line, place.region.start_column, place.region.end_column) == (3, 5, 25)


def test_sarif_counts_characters(folder: Path) -> None:
    (folder / "a.py").write_text('é = "äöü"; x = y\n')
    m = Message("a.py", 1, 19, 1, 20, "error", "text", "array-call")
    region = json.loads(written("sarif", [m]))["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["region"]
    assert (region["startColumn"], region["endColumn"]) == (16, 17)


@pytest.mark.parametrize("messages", [MESSAGES, []], ids=["some", "none"])
def test_gitlab_is_what_its_documentation_says(messages: list[Message]) -> None:
    found = json.loads(written("gitlab", messages))
    jsonschema.validate(found, CODE_QUALITY)
    assert [f["description"].startswith(m.text) for f, m in zip(found, messages)] == [True] * len(messages)
    assert len({f["fingerprint"] for f in found}) == len(messages)


@pytest.mark.parametrize("messages", [MESSAGES, []], ids=["some", "none"])
def test_junit_is_read_by_a_reader_of_junit(messages: list[Message], tmp_path: Path) -> None:
    (tmp_path / "report.xml").write_text(written("junit", messages), encoding="utf-8")
    (suite,) = JUnitXml.fromfile(str(tmp_path / "report.xml"))
    cases = list(suite)
    failures = [r for case in cases for r in case.result if isinstance(r, Failure)]
    told = [m for m in messages if m.severity != "note"]
    assert suite.failures == len(failures) == len(told)
    assert suite.tests == len(cases) == max(1, len(told))
    assert [f.type for f in failures] == [m.code or m.severity for m in told]


def test_github_gets_one_command_for_each_message() -> None:
    lines = written("github", MESSAGES).splitlines()
    assert len(lines) == len(MESSAGES)
    assert lines[0] == (
        "::error title=arraytyping (array-shape),file=pkg/a b.py,line=3,endLine=3,col=5,endColumn=24::"
        "pkg/a b.py:3:5: add: shapes (3, 4) and (3, 5)%0Af: x is float32[3, 4]"
    )
    assert "100%25 of <it>" in lines[2]
    assert lines[-1].startswith("::notice title=arraytyping,file=a.py,line=2,endLine=3::")


def test_lines_of_text_and_of_json() -> None:
    assert written("concise", MESSAGES[:2]).splitlines() == [
        "pkg/a b.py:3:5: error: add: shapes (3, 4) and (3, 5)  [array-shape]",
        "pkg/a b.py:4:5: warning: add: shapes (3, 4) and (3, 5)",
        "Found 1 error in 1 file (checked 2 source files)",
    ]
    assert "pkg/a b.py:3:5: note: f: x is float32[3, 4]" in written("text", MESSAGES[:1]).splitlines()
    lines = written("json", MESSAGES).splitlines()
    assert [m.text for m in read_messages(lines, ())] == [m.text for m in MESSAGES]


# The command


def test_each_format_of_one_run(folder: Path) -> None:
    (folder / "train.py").write_text(MISTAKE)
    status, out, err = check(folder, "--output-format", "json", "train.py")
    assert status == 1
    (line,) = out.splitlines()
    assert (json.loads(line)["line"], json.loads(line)["code"]) == (3, "array-shape")
    assert "array expression" in err
    for name in ("github", "gitlab", "sarif", "junit"):
        status, out, err = check(folder, "--output-format", name, "train.py")
        assert status == 1, name
        assert "array-shape" in out, name
        assert "x64:" not in out, name
    assert check(folder, "--output-format", "concise", "train.py")[1].splitlines()[:2] == [
        "train.py:3:5: error: add: incompatible shapes for broadcasting: (3, 4) and (3, 5): "
        "dimension 1 is 4 against 5  [array-shape]",
        "Found 1 error in 1 file (checked 1 source file)",
    ]


IN_WAYS = """\
import jax.numpy as jnp


def product(x, w):
    return x @ w


if jnp.ones(3).sum() > 2:
    product(jnp.ones((2, 5)), jnp.ones((3, 4)))
else:
    product(jnp.ones((2, 6)), jnp.ones((3, 4)))
"""


def test_a_loop_that_is_unrolled_for_several_sizes_is_told_once() -> None:
    told = [
        Diagnostic("a.py", 3, 0, 4, 8, "array-recompile", f"{count} copies of its body are compiled", is_warning=True)
        for count in (128, 256)
    ]
    (first,) = together(told)
    assert first.message == told[0].message
    assert first.others == (told[1],)


def test_a_warning_of_arrays_of_several_shapes_is_one(folder: Path) -> None:
    function = "import jax, numpy as np\ndef f(x: jax.Array):\n    return x\n"
    text = function + "for n in (2, 3, 4):\n    f(np.ones(n))\nf(np.ones(2))\n"
    (folder / "train.py").write_text(text)
    said = check(folder, "train.py")[1]
    assert said.count("a NumPy array is no jax.Array") == 2, said
    assert "2 more ways to a mistake here" in " ".join(said.split())


def test_a_mistake_that_is_reached_in_two_ways_is_one(folder: Path) -> None:
    """In each format, in what is counted, in mypy's own lines, and in a baseline."""
    (folder / "train.py").write_text(IN_WAYS)
    for options in ((), ("--types",), ("--mypy-args", "--pretty")):
        said = check(folder, "train.py", *options)[1]
        assert said.count("error: matmul") == 1, said
        assert "1 more way to a mistake here, such as: product: x is float32[2, 6]" in " ".join(said.split())
        assert "Found 1 error in 1 file" in said
    line, *_ = check(folder, "--output-format", "concise", "train.py")[1].splitlines()
    assert line.startswith("train.py:5:12: error: matmul")
    assert line.endswith("(in 2 ways)  [array-shape]")
    (line,) = check(folder, "--output-format", "json", "train.py")[1].splitlines()
    assert json.loads(line)["ways"] == 2
    assert check(folder, "--output-format", "github", "train.py")[1].count("::error") == 1
    assert len(json.loads(check(folder, "--output-format", "gitlab", "train.py")[1])) == 1
    (run,) = json.loads(check(folder, "--output-format", "sarif", "train.py")[1])["runs"]
    assert len(run["results"]) == 1
    assert 'tests="1" failures="1"' in check(folder, "--output-format", "junit", "train.py")[1]
    check(folder, "--write-baseline", "train.py")
    assert len(json.loads((folder / "arraytyping-baseline.json").read_text())["mistakes"]) == 1
    # A third way is no other mistake, whichever of them comes first.
    more = IN_WAYS.replace(
        "else:", "elif jnp.ones(4).sum() > 3:\n    product(jnp.ones((2, 4)), jnp.ones((3, 4)))\nelse:"
    )
    (folder / "train.py").write_text(more)
    status, said, errors = check(folder, "--baseline", "arraytyping-baseline.json", "train.py")
    assert (status, "Success" in said, "no longer found" in errors) == (0, True, False), (said, errors)


def test_the_format_of_a_terminal_is_that_of_mypy_where_nothing_is_said(folder: Path) -> None:
    (folder / "train.py").write_text(MISTAKE)
    assert check(folder, "train.py")[:2] == check(folder, "--output-format", "text", "train.py")[:2]


def test_without_a_path_the_current_directory_is_checked(folder: Path) -> None:
    (folder / "train.py").write_text(MISTAKE)
    status, out, _ = check(folder)
    assert status == 1
    assert out.startswith("train.py:3:5: error:")
    (folder / "mypy.ini").write_text("[mypy]\nfiles = good.py\n")
    (folder / "good.py").write_text("x = 1\n")
    assert check(folder)[0] == 0


def test_exit_zero(folder: Path) -> None:
    (folder / "train.py").write_text(MISTAKE)
    assert check(folder, "--exit-zero", "train.py")[0] == 0
    assert check(folder, "--exit-zero", "--output-format", "json", "train.py")[0] == 0
    (folder / "broken.py").write_text("def f(:\n")
    assert check(folder, "--exit-zero")[0] == 2


# Baselines


def test_what_is_in_the_baseline_is_not_told(folder: Path) -> None:
    (folder / "train.py").write_text(MISTAKE)
    status, _, err = check(folder, "--write-baseline", "--baseline", "known.json")
    assert (status, "1 known mistake written" in err) == (0, True)
    assert check(folder, "--baseline", "known.json")[0] == 0
    moved = MISTAKE.replace("x =", "# a comment\n\nx =").replace("y = x +", "if True:\n    y = x  +")
    (folder / "train.py").write_text(moved + OTHER)
    status, out, _ = check(folder, "--baseline", "known.json")
    assert status == 1
    (line,) = [line for line in out.splitlines() if ": error: " in line]
    assert line.startswith("train.py:7:5: error: matmul:")
    (folder / "train.py").write_text("import jax.numpy as jnp\n" + MISTAKE.splitlines()[1])
    status, _, err = check(folder, "--baseline", "known.json")
    assert (status, "1 known mistake is no longer found" in err) == (0, True)


def test_the_baseline_of_the_settings(folder: Path) -> None:
    (folder / "pyproject.toml").write_text('[tool.arraytyping]\nbaseline = "known.json"\n')
    (folder / "train.py").write_text(MISTAKE)
    status, out, err = check(folder)
    assert (status, out) == (2, "")
    assert err == (
        f"arraytyping: error: the baseline {Path('known.json')} cannot be read: No such file or directory; "
        "--write-baseline writes one\n"
    )
    assert check(folder, "--write-baseline")[0] == 0
    assert check(folder)[0] == 0


def test_of_mistakes_alike_as_many_are_known_as_there_were() -> None:
    known = Baseline.of([message(3), message(9)])
    assert known.new([message(4), message(5), message(6)]) == [message(6)]
    assert known.gone([message(1)]) == 1
    assert known.new([message(text="another")]) == [message(text="another")]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{", "is no JSON"),
        ('{"version": 2, "mistakes": []}', "has version 2, and this arraytyping reads version 1"),
        ("[]", "has version null"),
        ('{"version": 1}', "is malformed"),
        ('{"version": 1, "mistakes": [{"path": 1}]}', "is malformed"),
    ],
)
def test_a_baseline_that_cannot_be_used(folder: Path, text: str, said: str) -> None:
    (folder / "known.json").write_text(text)
    with pytest.raises(BaselineError, match="write it anew with --write-baseline") as error:
        Baseline.read(Path("known.json"))
    assert said in str(error.value)


def test_nothing_is_written_where_not_all_could_be_checked(folder: Path) -> None:
    (folder / "known.json").write_text("as it was")
    (folder / "broken.py").write_text("def f(:\n")
    status, _, err = check(folder, "--write-baseline", "--baseline", "known.json")
    assert status == 2
    assert "not all could be checked" in err
    assert (folder / "known.json").read_text() == "as it was"


def test_a_baseline_that_is_read_is_the_one_that_was_written(folder: Path) -> None:
    known = Baseline.of(MESSAGES)
    known.write(Path("known.json"))
    assert Baseline.read(Path("known.json")).counts == known.counts
    assert sorted(p.name for p in folder.iterdir()) == [".git", "known.json"]

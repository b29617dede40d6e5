"""Command lines that are known: flow gives options the values that a run gives them, and ends where the run ends."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest
from flow_values import interpreted

from arraytyping.checker.audit import compare, run_program
from arraytyping.checker.audit.comparing import Statistics
from arraytyping.checker.claims import ProgramClaims
from arraytyping.checker.flow.report.analysis import analyze
from arraytyping.checker.flow.state.recording import merge_claims
from arraytyping.checker.settings import Settings


def audited(directory: Path, body: str, line: str, monkeypatch: pytest.MonkeyPatch) -> tuple[Statistics, int]:
    """What comes of a program with this command line, flow and the run compared, and how much is claimed in vain."""
    (directory / "pyproject.toml").write_text("")
    program = directory / "train.py"
    program.write_text("import sys\nimport jax.numpy as jnp\n" + textwrap.dedent(body))
    monkeypatch.chdir(directory)
    words = tuple(shlex.split(line))
    found = analyze([Path("train.py")], Settings(), arguments=words)
    assert not found.crashes, found.crashes
    assert not [m for m in found.diagnostics if m.code != "array-unused"]
    run = run_program(Path("train.py"), words)
    assert run.exception is None, run.traceback
    reached = {e.position for of_file in run.observations.files.values() for e in of_file}
    # What the program itself does not call is followed as well, in an entry point of its own.
    script = merge_claims(file for claims in found.entry_points[0].claims for file in claims.values())
    in_vain = _known(ProgramClaims({"train.py": script})) - reached
    return compare(found.claims, run.observations).statistics, len(in_vain)


def _known(claims: ProgramClaims) -> set[tuple[int, int, int, int]]:
    return {
        (e.line, e.column, e.end_line, e.end_column)
        for of_file in claims.files.values()
        for e in of_file.expressions
        if any(claim.is_dtype_known for claim in e.claims)
    }


def same(directory: Path, body: str, line: str, monkeypatch: pytest.MonkeyPatch) -> Statistics:
    """As `audited`, where all that comes is known, and nothing else is claimed."""
    found, in_vain = audited(directory, body, line, monkeypatch)
    assert (found.wrong, found.fully_known, in_vain) == (0, found.arrays, 0), found
    return found


OPTIONS = """
    import argparse
    from pathlib import Path
    parser = argparse.ArgumentParser(description="x", allow_abbrev=True)
    parser.add_argument("n", type=int, choices=range(1, 100))
    parser.add_argument("rest", type=float, nargs="*")
    parser.add_argument("names", nargs="*", default=None)
    parser.add_argument("--sizes", "-s", type=int, nargs="+", default=[4, 5])
    parser.add_argument("--width", type=int, default="8")
    parser.add_argument("--double", action="store_true")
    parser.add_argument("--bias", action=argparse.BooleanOptionalAction, default=True)
    parser.add_argument("-v", action="count", default=0)
    parser.add_argument("--add", action="append", type=int)
    parser.add_argument("--more", action="append", type=int, default=[1])
    parser.add_argument("--const", action="store_const", const=7, default=3)
    parser.add_argument("--pair", nargs=2, type=int, default=(1, 2))
    parser.add_argument("--maybe", nargs="?", type=int, const=6, default=2)
    parser.add_argument("--kind", choices=["small", "big"], default="small")
    parser.add_argument("--half", type=lambda text: int(text) // 2, default=9)
    parser.add_argument("--path", type=Path, default=Path("a"))
    parser.add_argument("--absent", default=argparse.SUPPRESS, type=int)
    group = parser.add_argument_group("sizes")
    either = group.add_mutually_exclusive_group(required=REQUIRED)
    either.add_argument("--left", action="store_true")
    either.add_argument("--right", type=int)
    parser.set_defaults(set=3, width=6)
    start = jnp.ones(1)
    args = parser.parse_args()
    jnp.ones(args.n)
    jnp.ones(len(args.rest) + 1)
    jnp.ones(len(args.names) + 1)
    jnp.ones(args.sizes)
    jnp.ones(args.width)
    jnp.ones((2, 2) if args.double else 2)
    jnp.ones((3, 2) if args.bias else 2)
    jnp.ones(args.v + 1)
    jnp.ones(args.add or 2)
    jnp.ones(args.more)
    jnp.ones(args.const)
    jnp.ones(args.pair)
    jnp.ones(args.maybe)
    jnp.ones({"small": 3, "big": 30}[args.kind])
    jnp.ones(args.half)
    jnp.ones(args.absent if hasattr(args, "absent") else 6)
    jnp.ones(args.set)
    jnp.ones(2 if args.left else 3 if args.right is None else args.right)
"""


@pytest.mark.parametrize("line", [
    "5", "5 1 2.5 --sizes 2 3 --width 9", "--double -vv 5 --no-bias", "5 --add 3 --add 4 --more 2 --const --right 4",
    "5 --pair 3 4 --maybe", "5 --maybe 8 --kind big --half 6 --path b --left", "5 --abs 3 --set-not 4",
    "5 --si 2 2 --wid=3", "500", "x", "5 --left --right 4", "5 --kind huge", "--help", "5 --half x", "5 -- 3",
])  # fmt: skip
def test_argparse(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, line: str) -> None:
    found = same(tmp_path, OPTIONS.replace("REQUIRED", "False"), line, monkeypatch)
    assert found.arrays in (1, 19)


def test_the_groups_of_argparse(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    body = """
        import argparse
        p = argparse.ArgumentParser()
        p.add_argument("--n", type=int, default=4)
        p.add_argument("out", nargs="?", default="x")
        g = p.add_argument_group("model")
        g.add_argument("--width", "-w", type=int, default=8)
        g.add_argument("--depth", type=int, default=2)
        args = p.parse_args()
        groups = {}
        for group in p._action_groups:
            groups[group.title] = {a.dest: getattr(args, a.dest, None) for a in group._group_actions}
        model = argparse.Namespace(**groups["model"])
        jnp.ones((model.width, model.depth, len(groups), len(groups["options"]), len(groups["positional arguments"])))
        jnp.ones((len(p._actions), [a.dest for a in p._actions].index("width"), len(p._actions[3].option_strings)))
        """
    same(tmp_path, body, "--width 5", monkeypatch)


@pytest.mark.parametrize(
    ("more", "count"),
    [
        ("", 3),
        ("for name in 'ab': p.add_argument_group(name)", 5),
        ("if jax.device_count() > 1: p.add_argument_group('b')", None),
        ("p.add_subparsers(title='commands')", None),
        ("p = argparse.ArgumentParser(parents=[p], add_help=False)", None),
    ],
)
def test_how_many_groups_of_argparse_there_are(more: str, count: int | None) -> None:
    head = "import argparse, jax\np = argparse.ArgumentParser()\np.add_argument_group('a')\n"
    variables, result = interpreted(f"{head}{more}\nn = len(p._action_groups)\n")
    assert not result.crashes
    assert variables["n"] == count if count else not isinstance(variables["n"], int)


def test_an_error_of_argparse_and_the_name_of_a_module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "shapes.py").write_text(
        "if hasattr(__loader__, 'name'):\n    path = __loader__.name\nNAMES = {path + ':wide': 7}\n"
    )
    body = """
        import argparse, shapes
        def width(text):
            if not text.isdigit():
                raise argparse.ArgumentTypeError("a number is expected")
            return int(text)
        p = argparse.ArgumentParser()
        p.add_argument("--n", type=width, default=4)
        jnp.ones((p.parse_args().n, shapes.NAMES["shapes:wide"]))
        """
    same(tmp_path, body, "--n 3", monkeypatch)


def test_argparse_with_a_group_of_which_one_is_required(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert same(tmp_path, OPTIONS.replace("REQUIRED", "True"), "5", monkeypatch).arrays == 1
    assert same(tmp_path, OPTIONS.replace("REQUIRED", "True"), "5 --left", monkeypatch).arrays == 19


COMMANDS = """
    import argparse

    def train(args):
        return jnp.ones((args.steps, args.width))

    def test(args):
        return jnp.ones(args.width) * 2

    common = argparse.ArgumentParser(add_help=False)
    common.add_argument("--width", type=int, default=3)
    common.set_defaults(where="here")
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int, default=1)
    commands = parser.add_subparsers(dest="command", required=True)
    one = commands.add_parser("train", parents=[common], aliases=["fit"])
    one.add_argument("steps", type=int)
    one.set_defaults(run=train)
    other = commands.add_parser("test", parents=[common])
    other.set_defaults(run=test)
    jnp.ones(1)
    args, left = parser.parse_known_args()
    jnp.ones(args.seed)
    jnp.ones((len(args.command), len(args.where), len(left) + 1))
    args.run(args)
    explicit = parser.parse_args(["--seed", "4", "train", "2", "--width", "5"])
    jnp.ones(explicit.seed)
    explicit.run(explicit)
"""


@pytest.mark.parametrize(
    "line", ["train 4", "--seed 7 fit 4 --width 2", "test --other x", "fit", "other", "test --help", "--seed 3"]
)
def test_subcommands_of_argparse(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, line: str) -> None:
    found = same(tmp_path, COMMANDS, line, monkeypatch)
    assert (found.arrays == 1) == (line in ("fit", "other", "test --help", "--seed 3"))


def test_a_parser_that_is_not_all_known_gives_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    body = """
        import argparse, os
        class Wide(argparse.Action):
            def __call__(self, parser, namespace, values, option_string=None):
                setattr(namespace, "n", 9)
        parser = argparse.ArgumentParser()
        parser.add_argument("--n", type=int, default=3)
        parser.add_argument("--wide", action=Wide)
        jnp.ones(parser.parse_args().n)
    """
    for line in ("--n 4", "--wide 2"):
        assert audited(tmp_path, body, line, monkeypatch)[0].wrong == 0
    changed = """
        import argparse
        parser = argparse.ArgumentParser()
        action = parser.add_argument("--n", type=int, default=3)
        action.default = 5
        jnp.ones(parser.parse_args().n)
    """
    assert audited(tmp_path, changed, "", monkeypatch)[0].wrong == 0


def test_words_that_the_program_takes_out_or_puts_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    body = """
        import argparse
        parser = argparse.ArgumentParser(exit_on_error=False)
        parser.add_argument("--n", type=int, default=3)
        command = sys.argv.pop(1)
        jnp.ones(len(sys.argv) + len(command))
        jnp.ones(parser.parse_args().n)
        sys.argv.extend(["--n", "6"])
        jnp.ones(parser.parse_args().n)
    """
    assert same(tmp_path, body, "train --n 4", monkeypatch).arrays == 3
    assert same(tmp_path, body, "train", monkeypatch).arrays == 3
    for other in ('sys.argv += ["--n", "6"]', 'sys.argv = ["x", "--n", "6"]'):
        changed = body.replace('sys.argv.extend(["--n", "6"])', other)
        assert audited(tmp_path, changed, "train", monkeypatch)[0].wrong == 0


def test_an_explicit_line_is_known_without_arguments(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert sys.argv  # it is not this that is parsed
    body = """
        import argparse
        parser = argparse.ArgumentParser()
        parser.add_argument("--n", type=int)
        jnp.ones(parser.parse_args(["--n", "3"]).n)
        jnp.ones(parser.parse_args("--n 5".split()).n)
    """
    assert same(tmp_path, body, "", monkeypatch).arrays == 2


CLICK = """
    import click
    @click.command(context_settings={"help_option_names": ["-h", "--help"]})
    @click.argument("n", type=int)
    @click.argument("rest", nargs=-1, type=float)
    @click.option("--width", "-w", default=8, show_default=True, help="x")
    @click.option("--size", "sizes", multiple=True, type=click.IntRange(1, 9), default=(2, 3))
    @click.option("--double/--single", default=False)
    @click.option("--flag", is_flag=True)
    @click.option("-v", "--verbose", count=True)
    @click.option("--kind", type=click.Choice(["small", "big"]), default="small")
    @click.option("--pair", nargs=2, type=int, default=(1, 2))
    @click.option("--half", type=lambda text: int(text) // 2, default="9")
    @click.option("--path", type=click.Path(), default="abc")
    @click.option("--hidden", expose_value=False)
    @click.option("--upper", "case", flag_value=2, default=1)
    @click.version_option("1.0")
    def main(n, rest, width, sizes, double, flag, verbose, kind, pair, half, path, case):
        jnp.ones(n)
        jnp.ones(len(rest) + 1)
        jnp.ones(width)
        jnp.ones(sizes)
        jnp.ones((2, 2) if double else 2)
        jnp.ones((3, 2) if flag else 2)
        jnp.ones(verbose + 1)
        jnp.ones({"small": 3, "big": 30}[kind])
        jnp.ones(pair)
        jnp.ones(half)
        jnp.ones(len(path))
    jnp.ones(1)
    main()
    jnp.ones(2)
"""


@pytest.mark.parametrize("line", [
    "5", "5 1 2.5 -w 3 --size 4 --double -vv --flag", "--kind big 5 --pair 3 4 --half 7 --path abcd --hidden x",
    "", "5 --size 10", "x", "5 --kind huge", "5 --version", "-h", "5 --half x", "5 --no", "5 --verb", "5 a",
])  # fmt: skip
def test_click(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, line: str) -> None:
    found = same(tmp_path, CLICK, line or "--single", monkeypatch)
    assert found.arrays == (12 if line.startswith(("5 1", "--kind")) or line == "5" else 1)


GROUP = """
    import click
    @click.group()
    @click.option("--width", default=2)
    @click.pass_context
    def cli(ctx, width):
        jnp.ones(width)
    @cli.command("fit", context_settings={"ignore_unknown_options": True, "allow_extra_args": True})
    @click.argument("n", type=int, default=3)
    def train(n):
        jnp.ones((n, 1))
    @cli.group(invoke_without_command=True)
    @click.option("--deep", is_flag=True)
    def more(deep):
        jnp.ones((2, 1) if deep else 1)
    @more.command()
    @click.option("--n", envvar="SIZE", type=int, required=True)
    def sub_command(n):
        jnp.ones((n, 3))
    jnp.ones(1)
    cli()
"""


@pytest.mark.parametrize(("line", "arrays"), [
    ("fit 4", 3), ("--width 5 fit", 3), ("fit --other", 2), ("more", 3), ("more --deep sub-command --n 4", None),
    ("more sub --n 4", None), ("--width 4", 1), ("other", 1), ("--width x fit", 1),
    ("more other", None),
])  # fmt: skip
def test_a_group_of_click(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, line: str, arrays: int | None) -> None:
    found = same(tmp_path, GROUP, line, monkeypatch)
    assert arrays in (None, found.arrays)


ABSL = """
    from absl import app, flags
    FLAGS = flags.FLAGS
    N = flags.DEFINE_integer("n", 3, "size", lower_bound=1)
    flags.DEFINE_bool("wide", False, "x")
    flags.DEFINE_list("sizes", "1,2", "x")
    flags.DEFINE_multi_integer("more", [1, 2, 3], "x")
    flags.DEFINE_enum("kind", "small", ["small", "big"], "x")
    flags.DEFINE_string("name", None, "x", short_name="m")
    flags.DEFINE_float("rate", 1, "x")
    flags.mark_flag_as_required("name")
    flags.set_default(N, 4)

    def main(argv):
        jnp.ones(N.value)
        jnp.ones(len(argv))
        jnp.ones((2, 2) if FLAGS.wide else 2)
        jnp.ones([int(size) for size in FLAGS.sizes])
        jnp.ones(FLAGS.more)
        jnp.ones({"small": 3, "big": 30}[FLAGS.kind])
        jnp.ones(len(FLAGS.name))
        jnp.ones(int(FLAGS.rate * 2))

    jnp.ones(1)
    app.run(main)
"""


@pytest.mark.parametrize("line", [
    "--n=5 -m ab more", "--wide --sizes=4,5,6 --name x", "--nowide --more 2 --more=4 --name=x --rate 2.5", "--n=5",
    "--name=x --kind=huge",
])  # fmt: skip
def test_absl(tmp_path: Path, line: str) -> None:
    pytest.importorskip("absl")
    (tmp_path / "train.py").write_text("import jax.numpy as jnp\n" + textwrap.dedent(ABSL))
    command = [sys.executable, "-m", "arraytyping", "audit", "--json", "train.py", *shlex.split(line)]
    environ = {**os.environ, "JAX_PLATFORMS": "cpu"}
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, env=environ)
    found = json.loads(done.stdout)["statistics"]
    arrays = 1 if line.endswith(("=5", "=huge")) else 9
    assert (found["arrays"], found["fully_known"], found["wrong"]) == (arrays, arrays, 0), found
    assert found["unreached"] == 0, found


def test_flags_that_are_parsed_by_a_call(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("absl")
    body = """
        from absl import flags
        FLAGS = flags.FLAGS
        flags.DEFINE_integer("n", 3, "x")
        left = FLAGS(sys.argv)
        jnp.ones((FLAGS.n, len(left)))
    """
    same(tmp_path, body, "--n 5 more", monkeypatch)

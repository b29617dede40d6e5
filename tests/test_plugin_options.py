"""Options of `argparse` in functions that are followed: their types, against what argparse gives."""

from __future__ import annotations

import re

import pytest
from mypy_runs import Mypy, shared_caches

KNOWN = {
    '"--n", type=int, default=3': ("int", [[], ["--n", "5"]]),
    '"--n", "-k", type=int': ("int | None", [[], ["-k", "5"]]),
    '"-k", "--n", type=int, required=True': ("int", [["--n", "5"]]),
    '"n", type=int': ("int", [["5"]]),
    '"--n", type=float, default=1': ("float | int", [[], ["--n", "5"]]),
    '"--n", type=float, default=-1.5': ("float", [[], ["--n", "5"]]),
    '"--n", type=int, default="7"': ("int", [[], ["--n", "5"]]),
    '"--n", action="store_true"': ("bool", [[], ["--n"]]),
    '"--other-name", dest="n", default="x"': ("str", [[], ["--other-name", "y"]]),
    '"--n", type=int, nargs="+", default=[1, 2]': ("list[int]", [[], ["--n", "5", "6"]]),
    '"--n", type=int, nargs=2': ("list[int] | None", [[], ["--n", "5", "6"]]),
}
UNKNOWN = [
    '"--n", type=int, nargs="?", const=3',
    '"--n", type=int, default=len("ab")',
    '"--n", type=lambda text: text',
    '"--n", action="append"',
    '"--n", action="store_true", default=None',
    '"--n", type=int, nargs="+", default=[1.0]',
    '"--n", type=int, default=3, **{}',
]
BOUND = [
    'parser.set_defaults(n="x")',
    'parser.add_argument("--m", dest="n")',
    'args = parser.parse_args([])\n    args.n = "x"',
    'args = parser.parse_args([])\n    setattr(args, "n", "x")',
    'args = parser.parse_args([])\n    vars(args)["n"] = "x"',
]
Revealed = dict[tuple[str, str], str]
HEAD = "import argparse\nimport jax\nimport jax.numpy as jnp\n\n\ndef main():\n    parser = argparse.ArgumentParser()\n"


def program(declared: str, more: str) -> str:
    """A program that reveals `args.n`, which a followed function returns."""
    made = "" if "parse_args" in more else "    args = parser.parse_args()\n"
    text = (
        f"{HEAD}    parser.add_argument({declared})\n    {more or 'pass'}\n{made}    return args.n, jnp.ones(3)\n\n\n"
    )
    return text + "reveal_type(main()[0])\n"


@pytest.fixture(scope="module")
def revealed(tmp_path_factory: pytest.TempPathFactory) -> Revealed:
    """What is revealed of each: one run of mypy over all."""
    asked = [*((d, "") for d in (*KNOWN, *UNKNOWN)), *(('"--n", type=int, default=3', more) for more in BOUND)]
    mypy = Mypy(tmp_path_factory.mktemp("options"), shared_caches(tmp_path_factory))
    run = mypy.run({f"program{k}.py": program(*pair) for k, pair in enumerate(asked)})
    texts = {
        m.file: m.text[len('Revealed type is "') : -1].replace("builtins.", "") for m in run.messages if m.revealed
    }
    return {pair: texts[f"program{k}.py"] for k, pair in enumerate(asked)}


@pytest.mark.parametrize("declared", KNOWN)
def test_an_option_has_the_type_that_argparse_gives(declared: str, revealed: Revealed) -> None:
    expected, lines = KNOWN[declared]
    assert revealed[declared, ""] == expected
    types = {"int": int, "float": float, "bool": bool, "str": str, "None": type(None), "list[int]": list}
    for line in lines:
        names: dict[str, object] = {}
        exec(f"{HEAD}    parser.add_argument({declared})\n    return parser.parse_args({line!r}).n\n", names)
        value = names["main"]()  # type: ignore[operator]
        assert type(value) in [types[name] for name in re.split(r" \| ", expected)]


@pytest.mark.parametrize("declared", UNKNOWN)
def test_what_is_not_written_out_is_unknown(declared: str, revealed: Revealed) -> None:
    assert revealed[declared, ""] == "Any"


@pytest.mark.parametrize("more", BOUND)
def test_an_option_that_something_else_may_bind_is_unknown(more: str, revealed: Revealed) -> None:
    assert revealed['"--n", type=int, default=3', more] == "Any"

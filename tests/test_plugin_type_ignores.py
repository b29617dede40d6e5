"""What `# type: ignore` hides of mypy's own errors: the same with the plugin as in plain mypy."""

from __future__ import annotations

import pytest
from mypy_runs import Message, Mypy, of_modules, shared_caches

PROGRAM = """
import jax
import jax.numpy as jnp

array = jnp.zeros(3)


def take(x: int, y: str) -> int:
    return x


class P: ...


class Q: ...


class Base:
    def one(self, a: P, b: P) -> int:
        return 1

    def two(self, a: P, b: jax.Array) -> jax.Array:
        return b


class OnTheFunction(Base):
    def one(  # type: ignore[override]
        self,
        a: Q,
        b: Q,
    ) -> int:
        return 1


class OnTheArgument(Base):
    def one(
        self,
        a: Q,  # type: ignore[override]
        b: P,
    ) -> int:
        return 1

    def two(
        self,
        a: Q,  # type: ignore
        b: jax.Array,
    ) -> jax.Array:
        return b


class Shown(Base):
    def one(
        self,
        a: Q,  # type: ignore[misc]
        b: Q,
    ) -> int:
        return 1

    def two(
        self,
        a: Q,
        b: jax.Array,
    ) -> jax.Array:  # type: ignore[override]
        return b


class Equal:
    def __eq__(  # type: ignore[override]
        self,
        other: "Equal",
    ) -> bool:
        return True


class EqualShown:
    def __eq__(
        self,
        other: "Equal",
    ) -> bool:
        return True

    def method(self) -> int:
        return 1


used: int = "a"  # type: ignore[assignment]
used_by_any: int = "a"  # type: ignore
unused: int = 1  # type: ignore
both: str = take("a", "b")  # type: ignore[arg-type, assignment]
one_of_two: int = take("a", "b")  # type: ignore[arg-type, assignment]
neither: int = take(1, "b")  # type: ignore[arg-type, assignment]
another: int = take("a")  # type: ignore[misc]
EqualShown.method = lambda self: 1  # type: ignore[assignment]


def arrays(given: "list[jax.Array]", numbers: "list[int]") -> jax.Array:
    return given[0]


arrays([jnp.ones(3), jnp.ones((2, 2))], [1])  # type: ignore[list-item]
arrays([jnp.ones(3), jnp.ones((2, 2))], ["a"])  # type: ignore[list-item]
arrays([jnp.ones(3), jnp.ones((2, 2))], [1])  # type: ignore
"""

KINDS = {
    "hidden": "# nothing is said of the comments",
    "counted": "# mypy: warn-unused-ignores",
    "bare": "# mypy: enable-error-code=ignore-without-code",
    "bare_counted": "# mypy: warn-unused-ignores, enable-error-code=ignore-without-code",
    "disabled": "# mypy: warn-unused-ignores, disable-error-code=override",
}
FILES = {f"{name}.py": comment + PROGRAM for name, comment in KINDS.items()}


def shown(messages: list[Message], name: str) -> list[tuple[int, str, str, str]]:
    """What is said of one of the files, in order of the lines."""
    return sorted((m.line, m.severity, m.code or "", m.text) for m in messages if m.file == f"{name}.py")


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> tuple[list[Message], list[Message], list[Message]]:
    """What plain mypy says, what mypy says with the plugin, and what it says once more when a line was added."""
    mypy = Mypy(tmp_path_factory.mktemp("ignores"), shared_caches(tmp_path_factory))
    settings = of_modules(FILES, "check_untyped_defs = true")
    ours = mypy.run(FILES, mypy_settings=settings)
    bare = Mypy(mypy.directory, mypy.caches, mypy.cache / "plain")
    plain = bare.run({}, mypy_settings=settings, plugin=False, check=list(FILES))
    changed = mypy.run({name: text + "\n" for name, text in FILES.items()}, mypy_settings=settings)
    return plain.messages, ours.messages, changed.messages


@pytest.mark.parametrize("name", KINDS)
def test_the_comments_hide_what_they_hide_from_plain_mypy(
    name: str, runs: tuple[list[Message], list[Message], list[Message]]
) -> None:
    plain, ours, changed = runs
    assert shown(ours, name) == shown(plain, name)
    assert shown(changed, name) == shown(plain, name)


def test_the_programs_have_errors_of_each_kind(runs: tuple[list[Message], list[Message], list[Message]]) -> None:
    plain, _, _ = runs
    codes = {name: {code for _, _, code, _ in shown(plain, name)} for name in KINDS}
    assert {"override", "call-arg"} <= codes["hidden"]
    assert {"override", "unused-ignore"} <= codes["counted"]
    assert {"override", "ignore-without-code"} <= codes["bare"]
    assert {"override", "unused-ignore", "ignore-without-code"} <= codes["bare_counted"]
    assert "override" not in codes["disabled"]
    assert any("use narrower [method-assign]" in text for _, _, _, text in shown(plain, "counted"))

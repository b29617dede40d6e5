"""`Call`, which handlers get: it is asked for arguments as Python binds them, and made into others."""

from __future__ import annotations

import ast
import inspect

from arraytyping.checker.flow.values.calls import Call

NODE = ast.parse("f(1, 2, c=3)", mode="eval").body
CALL = Call([1, 2], {"c": 3}, NODE)
EMPTY = Call([], {}, None)


def test_an_argument_is_given_by_position_or_name() -> None:
    def f(a: int = -1, b: int = -1, c: int = -1, d: int = -1) -> None: ...

    bound = inspect.signature(f).bind(*CALL.args, **CALL.kwargs)
    bound.apply_defaults()
    assert [CALL.argument(i, name, -1) for i, name in enumerate("abcd")] == list(bound.arguments.values())
    assert CALL.named(*"abcd") == {"a": 1, "b": 2, "c": 3}
    assert CALL.named("a") == {"a": 1, "c": 3}  # what is too much is left out
    assert [CALL.positional(1), CALL.positional(2), CALL.positional(2, 0)] == [2, None, 0]


def test_how_many_there_are() -> None:
    assert CALL.values == [1, 2, 3]
    assert (CALL.is_empty, EMPTY.is_empty, Call([], {"a": 1}, None).is_empty) == (False, True, False)
    assert (CALL.has_only(2), Call([1, 2], {}, None).has_only(2), EMPTY.has_only(0)) == (False, True, True)


def test_another_call_leaves_the_first_as_it_was() -> None:
    assert CALL.preceded_by(0) == Call([0, 1, 2], {"c": 3}, NODE)
    assert CALL.with_args([5]) == Call([5], {"c": 3}, NODE)
    assert CALL.with_kwargs({}) == Call([1, 2], {}, NODE)
    assert Call([1, 2], {"c": 3}, NODE) == CALL


def test_a_call_is_passed_on_by_its_parts() -> None:
    args, kwargs, node = CALL
    assert (args, kwargs, node) == ([1, 2], {"c": 3}, NODE)

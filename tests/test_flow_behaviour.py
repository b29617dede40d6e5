"""The tables of what each sort of value does: what a class says, what it has from others; none is forgotten."""

from __future__ import annotations

import gc
import weakref

import pytest

from arraytyping.checker.flow.python import behaviour
from arraytyping.checker.flow.start import python_interpreter
from arraytyping.checker.flow.state.behaviour import (
    ATTRIBUTE,
    CALL,
    ITEM,
    ITERATE,
    METHOD,
    PUT_ATTRIBUTE,
    PUT_ITEM,
    TRUTH,
    Table,
)
from arraytyping.checker.flow.values import BaseValue, DictValue, ListValue, ScalarValue, TracerText, Unknown, ViewValue

TABLES: tuple[Table[object], ...] = (ATTRIBUTE, CALL, ITEM, ITERATE, METHOD, PUT_ATTRIBUTE, PUT_ITEM, TRUTH)  # type: ignore[assignment]


def test_a_class_does_what_the_one_does_that_it_derives_from_unless_it_says_otherwise() -> None:
    table: Table[str] = Table("name")
    table(BaseValue)(lambda value: "any")
    table(ListValue)(lambda value: "list")
    view = ViewValue(DictValue({}), type({}.keys()))
    assert table.of(view)(view) == "list"
    assert table.of(Unknown("why"))(None) == "any"
    table(ViewValue)(lambda value: "view")  # also after it was asked for
    assert table.of(view)(view) == "view"
    assert table.of(ListValue([]))(None) == "list"


def test_concrete_objects_go_by_their_classes_which_are_not_kept() -> None:
    table: Table[str] = Table("name")
    table(object)(lambda value: "concrete")
    table(tuple)(lambda value: "tuple")
    pair = type("Pair", (tuple,), {})
    assert table.of(pair((1, 2)))(None) == "tuple"
    assert table.of(1)(None) == "concrete"
    assert table.of(Unknown("why"))(None) == "concrete", "values are objects as well"
    held = weakref.ref(pair)
    del pair
    gc.collect()
    assert held() is None


def test_a_table_without_entries_says_so() -> None:
    table: Table[str] = Table("squeeze")
    with pytest.raises(LookupError, match="squeeze: nothing is known of int"):
        table.of(1)


def test_each_operation_knows_every_sort_of_value_and_every_concrete_object() -> None:
    assert python_interpreter.behaviour is behaviour
    kinds, waiting = set(), [BaseValue]
    while waiting:
        kind = waiting.pop()
        kinds.add(kind)
        waiting += kind.__subclasses__()
    assert len(kinds) > 30
    for table in TABLES:
        for value in (*(kind.__new__(kind) for kind in kinds), None, 1, "a", (), type, object()):
            assert callable(table.of(value))


def test_a_text_of_a_tracer_is_a_scalar() -> None:
    scalar, text = ScalarValue(str), TracerText(None)
    for table in TABLES:
        assert table.of(text) is table.of(scalar)

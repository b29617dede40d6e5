"""Structures of libraries' objects whose metadata cannot be compared, and what jax says of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest

from arraytyping.checker.flow.engines.refusals import is_trusted
from arraytyping.checker.flow.state.identity import identity
from arraytyping.checker.flow.state.joins import join
from arraytyping.checker.flow.values import ArrayValue, TreeValue
from arraytyping.semantics.avals import ShapedArray


@dataclass(eq=False)
class _Holder:
    """A node whose metadata is like an array: its comparison has no truth value."""

    leaf: Any
    data: Any


class _ArrayLike:
    def __eq__(self, other: object) -> bool:
        raise ValueError("the truth value of an array is ambiguous")

    __hash__ = None  # type: ignore[assignment]


@pytest.fixture(scope="module", autouse=True)
def _registered() -> None:
    import jax

    def flatten(holder: _Holder) -> tuple[tuple[Any, ...], Any]:
        return (holder.leaf,), holder.data

    jax.tree_util.register_pytree_node(_Holder, flatten, lambda data, leaves: _Holder(leaves[0], data))


def _tree() -> TreeValue:
    import jax

    treedef = jax.tree.structure(_Holder(0, _ArrayLike()))
    return TreeValue(treedef, (ArrayValue(ShapedArray((3,), "float32", False)),))


def test_structures_that_cannot_be_compared_are_different() -> None:
    """They are joined, and are keys, without an error of the library."""
    a, b = _tree(), _tree()
    with pytest.raises(ValueError, match="metadata fields of pytree"):
        bool(a.treedef == b.treedef)
    assert a.structure == TreeValue(a.treedef, ()).structure
    assert a.structure != b.structure
    assert {identity(a): 1}.get(identity(b)) is None
    assert not isinstance(join(a, b), TreeValue)


def test_what_is_said_of_what_stands_for_the_programs_objects_is_no_mistake() -> None:
    """Metadata that cannot be compared, and a struct where the program has an array."""
    a, b = _tree(), _tree()
    with pytest.raises(ValueError, match="metadata fields of pytree") as compared:
        bool(a.treedef == b.treedef)
    assert not is_trusted(compared.value)
    jax: Any = pytest.importorskip("jax")
    with pytest.raises(TypeError) as called:
        jax.jit(lambda x: x)(jax.ShapeDtypeStruct((3,), "float32"))
    assert not is_trusted(called.value)
    with pytest.raises(TypeError) as added:
        jax.numpy.add(jax.numpy.ones(3), jax.numpy.ones(4))
    assert is_trusted(added.value)

"""What is claimed of the installed release of jax is true of it, also where the rules differ between releases.

The families' own tests hold every rule to be exact for the newest release; here a call may be unknown, and a mistake
may be missed, but a value that JAX computes is never claimed to be another one, or an error.
"""

from __future__ import annotations

import re

import jax
import pytest
from agreements import agreed, digest_of, record
from oracle import MISSING, RELEASE, Call, Raised, array, describes, fingerprint, jax_says, mentions, rule_says, show
from test_soundness import calls

from arraytyping.scalars import int4
from arraytyping.semantics.avals import UNKNOWN, ShapedArray
from arraytyping.semantics.promotion.jax import JaxPromotion
from arraytyping.semantics.releases import NEWEST, OLDEST
from arraytyping.semantics.rules.registry import evaluate

STRIDE = 8 if RELEASE == NEWEST else 1
"""The newest release is compared with all rules elsewhere."""


@pytest.mark.parametrize("x64", [False, pytest.param(True, marks=pytest.mark.thorough)])
def test_no_claim_is_wrong(x64: bool) -> None:
    asked = []
    for call in calls()[::STRIDE]:
        if MISSING and mentions((call.args, call.kwargs, call.name.split(".")), MISSING):
            continue
        if call.name.startswith("lax.") and not hasattr(jax.lax, call.name.split(".")[1]):
            continue  # a function of a later release
        if x64 and re.search("~(int32|float32|complex64)", str(call)):
            continue  # weak arrays have 64 bits then; no public function makes others
        asked.append((call, rule_says(call, x64=x64)))
    digest = digest_of((f"releases {x64}", *(repr(call) for call, _ in asked), *(fingerprint(a) for _, a in asked)))
    if agreed(digest):
        return
    values, lines = 0, []
    for call, ours in asked:
        real = jax_says(call, x64=x64)
        if isinstance(real, Raised):
            continue
        values += 1
        if not describes(ours, real):
            lines.append(f"{call}: jax {jax.__version__} says {show(real)}, the rule says {show(ours)}")
    print(f"{len(asked)} calls compared, {len(lines)} claims wrong")
    assert not lines, "\n".join(lines[:40])
    assert values > 3000 / STRIDE
    record(digest)


def says(release: tuple[int, int], name: str, *args: object) -> object:
    outcome = evaluate(name, (JaxPromotion(release=release),), args, {})
    return outcome.value if outcome.error is None else outcome.error.exception


def test_what_differs_is_loosened() -> None:
    weak = array("float32", 2, weak=True)
    assert says(NEWEST, "Array.__floordiv__", weak, 2) == weak
    assert says(OLDEST, "Array.__floordiv__", weak, 2) == array("float32", 2)
    assert says(OLDEST, "numpy.divmod", weak, 2) == (array("float32", 2), weak)
    assert says(OLDEST, "Array.__floordiv__", ShapedArray((2,), None), 2) == ShapedArray((2,), None)
    assert says(NEWEST, "numpy.hstack", [[1], [2]]) is TypeError
    assert says(OLDEST, "numpy.hstack", [[1], [2]]) is UNKNOWN
    assert says(NEWEST, "numpy.radians", array("uint4", 3)) == array("float32", 3)
    assert says(OLDEST, "numpy.radians", array("uint4", 3)) is UNKNOWN
    assert says(OLDEST, "Array.astype", array("int8", 3), int4) is UNKNOWN
    assert evaluate("numpy.sin", (JaxPromotion(release=OLDEST),), (Call("x"),), {}).error is not None

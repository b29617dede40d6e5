"""The types of what a primitive gives for operands that are cut along explicit axes, by its rule for cuts.

Source: https://docs.jax.dev/en/latest/notebooks/explicit-sharding.html.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from arraytyping.errors import ShardingTypeError
from arraytyping.runtime.cut_types import CutArray, cut_of, names_twice, shown_short, uncut, with_cut
from arraytyping.semantics.avals import ShapedArray
from arraytyping.semantics.cut_rules import illegal

__all__ = ["CutRule", "cut_by_rule"]

CutRule = Callable[[Sequence[ShapedArray], Sequence[ShapedArray], Any, dict[str, Any]], Sequence[Any]]
"""Of the types of operands, those of results without their cuts, and the mesh: the cut of each result, or None."""


def cut_by_rule(primitive: Any, avals: Sequence[ShapedArray], params: dict[str, Any]) -> Any:
    """The abstract values of the results of operands some of which are cut along explicit axes.

    Raises:
        ShardingTypeError: if they do not go together, or it is not said how the results would be cut.
    """
    if primitive.cut_rule is None and (primitive.has_jaxprs or primitive.has_functions):
        return primitive._abstract_eval(avals, params)  # the jaxprs say it
    made = primitive._abstract_eval([uncut(a) for a in avals], params)
    outs = made if primitive.multiple_results else [made]
    if any(type(o) is CutArray for o in outs):
        return made
    meshes = list(dict.fromkeys(a.mesh for a in avals if isinstance(a, CutArray)))
    if len(meshes) > 1:
        raise ShardingTypeError(
            f"Mesh for all inputs should be equal. Got one mesh: {meshes[0].abstract_mesh} and another mesh: "
            f"{meshes[1].abstract_mesh}"
        )
    if primitive.cut_rule is not None:
        cuts = primitive.cut_rule(avals, outs, meshes[0], params)
    elif any(e is not None for a in avals for e in cut_of(a) or ()):
        raise ShardingTypeError(
            f"sharding rule for {primitive} is not implemented: it is not said how its result is cut along explicit "
            "axes. You can work around this error by dropping that operation into full auto sharding mode via: "
            "`jax.sharding.auto_axes(fun, out_sharding=...)`"
        )
    else:
        cuts = [(None,) * len(o.shape or ()) for o in outs]
    for out, cut in zip(outs, cuts):
        if cut is not None and names_twice(cut):
            typed = CutArray(out.shape, out.dtype, out.weak_type, None, meshes[0], cut)
            raise illegal(str(primitive), list(map(shown_short, avals)), shown_short(typed))
    results = [o if cut is None else with_cut(o, meshes[0], cut) for o, cut in zip(outs, cuts)]
    return results if primitive.multiple_results else results[0]

"""What is restored from a checkpoint into a state: as the state, by flow and when the program runs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import jax
import pytest

from arraytyping.checker.flow.start.program import interpret
from arraytyping.checker.flow.values import ArrayValue, ScalarValue, Unknown

HEAD = """\
import flax, jax, jax.numpy as jnp, optax, orbax.checkpoint as ocp
import flax.serialization
from flax.training import checkpoints
from flax.training.train_state import TrainState

w = {"dense": {"kernel": jnp.ones((3, 4), jnp.bfloat16), "steps": jnp.zeros((), int)}}
state = TrainState.create(apply_fn=None, params=w, tx=optax.adam(1e-3))
tree = {"state": w, "epoch": 7, "name": "first"}
abstract = jax.eval_shape(lambda: w)
"""
PROGRAMS = {
    "flax": """\
checkpoints.save_checkpoint(folder + "/a", state, 1)
back = checkpoints.restore_checkpoint(folder + "/a", state)
a, b, c = back.params["dense"]["kernel"], back.opt_state[0].mu["dense"]["kernel"], back.step
d = back.replace(step=c + 1).params["dense"]["steps"]
whole = checkpoints.restore_checkpoint(ckpt_dir=folder + "/a", target=None)
""",
    "no checkpoint": """\
back = flax.training.checkpoints.restore_checkpoint(folder + "/none", {"w": w, "epoch": 7})
a, b = back["w"]["dense"]["kernel"], back["epoch"]
""",
    "bytes": """\
back = flax.serialization.from_bytes(tree, flax.serialization.to_bytes(tree))
a, b, c = back["state"]["dense"]["kernel"], back["epoch"], back["state"]["dense"]["steps"]
d = flax.serialization.from_state_dict(w, flax.serialization.to_state_dict(w))["dense"]["kernel"]
""",
    "orbax": """\
with ocp.StandardCheckpointer() as checkpointer:
    checkpointer.save(folder + "/b", w)
    checkpointer.wait_until_finished()
    a = checkpointer.restore(folder + "/b", abstract)["dense"]["kernel"]
    b = checkpointer.restore(folder + "/b", target=w)["dense"]["steps"]
c = ocp.PyTreeCheckpointer().restore(folder + "/b", item=w)["dense"]["kernel"]
whole = ocp.PyTreeCheckpointer().restore(folder + "/b")
""",
    "a manager": """\
manager = ocp.CheckpointManager(folder + "/c", options=ocp.CheckpointManagerOptions(max_to_keep=2))
manager.save(3, args=ocp.args.StandardSave(w))
manager.wait_until_finished()
a = manager.restore(manager.latest_step(), args=ocp.args.StandardRestore(w))["dense"]["kernel"]
several = ocp.CheckpointManager(folder + "/d")
several.save(0, args=ocp.args.Composite(w=ocp.args.StandardSave(w), more=ocp.args.StandardSave({"x": w})))
several.wait_until_finished()
said = ocp.args.Composite(w=ocp.args.StandardRestore(abstract), more=ocp.args.StandardRestore({"x": w}))
back = several.restore(0, args=said)
b, c = back["w"]["dense"]["steps"], back.more["x"]["dense"]["kernel"]
""",
}


@pytest.mark.parametrize("text", PROGRAMS.values(), ids=PROGRAMS)
def test_what_comes_back(tmp_path: Path, text: str) -> None:
    text = f"{HEAD}folder = {str(tmp_path / 'kept')!r}\n{text}"
    scope: dict[str, Any] = {}
    exec(compile(text, "program.py", "exec"), scope)
    program = tmp_path / "program.py"
    program.write_text(text)
    result = interpret(program, (tmp_path,))
    assert not result.crashes
    assert not [m for m in result.diagnostics if m.is_certain]
    names = result.interpreter.importer.modules["__main__"].frame.variables
    compared = 0
    for name in "abcd":
        if name not in scope:
            continue
        claim, value = names[name], scope[name]
        compared += 1
        if isinstance(value, int):
            assert isinstance(claim, ScalarValue), claim
            assert claim.kinds == (int,)
        else:
            assert isinstance(claim, ArrayValue), claim
            assert (claim.aval.shape, claim.aval.dtype) == (value.shape, str(value.dtype))
            weak = isinstance(value, jax.Array) and value.aval.weak_type
            assert claim.aval.weak_type in (None, weak)
    assert compared > 1
    assert isinstance(names.get("whole", Unknown("")), Unknown)

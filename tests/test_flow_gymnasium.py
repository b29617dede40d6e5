"""Environments of gymnasium under its wrappers, and several at once: arrays as gymnasium gives them.

The table holds what gymnasium 1.3 gave, and where it is installed, it is asked again.
"""

from __future__ import annotations

import importlib.util
import warnings
from pathlib import Path
from typing import Any

import pytest
from flow_values import run

from arraytyping.checker.flow.start.program import interpret
from arraytyping.checker.flow.state.showing import show

HEAD = """
import gymnasium as gym, numpy as np
from gymnasium import wrappers as w
from gymnasium.vector import SyncVectorEnv

class Image(gym.Env):
    observation_space = gym.spaces.Box(0, 255, (10, 12, 3), np.uint8)
    action_space = gym.spaces.Box(-1, 1, (2,), np.float32)

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        return self.observation_space.sample(), {}

    def step(self, action):
        return self.observation_space.sample(), 1.5, False, False, {}

class Two(Image):
    observation_space = gym.spaces.Dict({"a": gym.spaces.Box(-1, 1, (3,), np.float32), "b": gym.spaces.Discrete(4)})
    action_space = gym.spaces.Discrete(3)

def gray():
    return w.GrayscaleObservation(Image())

def several(name, number):
    return SyncVectorEnv([lambda: gym.make(name)] * number)

def stepped(env):
    seen, _ = env.reset(seed=0)
    action = env.action_space.sample()
    seen, reward, *_ = env.step(action)
    return [seen, action, reward]
"""
TABLE = {
    'w.FlattenObservation(gym.make("CartPole-v1"))': "float32[4]|scalar int64|float",
    "w.FlattenObservation(Image())": "uint8[360]|float32[2]|float",
    'w.FrameStackObservation(gym.make("CartPole-v1"), 4)': "float32[4,4]|scalar int64|float",
    "w.FrameStackObservation(Image(), 3)": "uint8[3,10,12,3]|float32[2]|float",
    "w.GrayscaleObservation(Image())": "uint8[10,12]|float32[2]|float",
    "w.GrayscaleObservation(Image(), keep_dim=True)": "uint8[10,12,1]|float32[2]|float",
    "w.ResizeObservation(Image(), (6, 7))": "uint8[6,7,3]|float32[2]|float",
    "w.FrameStackObservation(w.ResizeObservation(gray(), (6, 7)), 4)": "uint8[4,6,7]|float32[2]|float",
    'w.NormalizeObservation(gym.make("Pendulum-v1"))': "float32[3]|float32[1]|scalar float64",
    "w.DtypeObservation(Image(), np.float32)": "float32[10,12,3]|float32[2]|float",
    "w.ReshapeObservation(Image(), (120, 3))": "uint8[120,3]|float32[2]|float",
    'w.ClipAction(gym.make("Pendulum-v1"))': "float32[3]|float32[1]|scalar float64",
    'w.RescaleAction(gym.make("Pendulum-v1"), -1.0, 1.0)': "float32[3]|float32[1]|scalar float64",
    "w.TransformObservation(Image(), lambda o: o / 255.0, None)": "float64[10,12,3]|float32[2]|float",
    'w.Autoreset(w.RecordEpisodeStatistics(gym.make("CartPole-v1")))': "float32[4]|scalar int64|float",
    "w.NormalizeReward(Image())": "uint8[10,12,3]|float32[2]|scalar float64",
    "w.TransformReward(Image(), lambda r: np.float32(r))": "uint8[10,12,3]|float32[2]|scalar float32",
    "w.ClipReward(Image(), -1.0, 1.0)": "uint8[10,12,3]|float32[2]|scalar float64",
    'SyncVectorEnv([lambda: gym.make("CartPole-v1")] * 3)': "float32[3,4]|int64[3]|float64[3]",
    "SyncVectorEnv([lambda: Image()] * 2)": "uint8[2,10,12,3]|float32[2,2]|float64[2]",
    "SyncVectorEnv([lambda: w.FrameStackObservation(Image(), 4)] * 2)": "uint8[2,4,10,12,3]|float32[2,2]|float64[2]",
    'gym.make_vec("Pendulum-v1", num_envs=4, vectorization_mode="sync")': "float32[4,3]|float32[4,1]|float64[4]",
    'gym.make_vec("CartPole-v1", num_envs=4)': "float32[4,4]|int64[4]|float32[4]",
    'w.vector.RecordEpisodeStatistics(several("Pendulum-v1", 3))': "float32[3,3]|float32[3,1]|float64[3]",
}
"""What is seen, what is done, and the reward."""


def described(value: Any) -> str:
    """A real value, as flow shows one."""
    import numpy as np

    if isinstance(value, np.ndarray):
        return f"{value.dtype}[{','.join(map(str, value.shape))}]"
    return f"scalar {value.dtype}" if isinstance(value, np.generic) else type(value).__name__


def shown(value: Any) -> str:
    """What flow knows of a value, "" if it is not known which it is."""
    text = show(value).removeprefix("the NumPy ").removeprefix("array ").replace(", ", ",")
    if text.startswith(("the Python ", "a Python ")):
        return text.split()[2]
    return "" if text.startswith(("?", "a number", "unknown")) else text


def test_wrappers(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(HEAD + "found = [\n" + "".join(f"    stepped({text}),\n" for text in TABLE) + "]\n")
    result = interpret(program, (tmp_path,))
    assert not result.crashes
    assert not [m for m in result.diagnostics if m.is_certain]
    variables = result.interpreter.importer.modules["__main__"].frame.variables
    found = [list(map(shown, parts.items)) for parts in variables["found"].items]
    known = 0
    for (text, expected), parts in zip(TABLE.items(), found, strict=True):
        for part, real in zip(parts, expected.split("|"), strict=True):
            assert part in ("", real), text
            known += part != ""
    assert known >= 62


def test_several_sorts_of_observations_at_once(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(HEAD + "seen, *_ = stepped(SyncVectorEnv([lambda: Two()] * 5))\na, b = seen['a'], seen['b']\n")
    variables = interpret(program, (tmp_path,)).interpreter.importer.modules["__main__"].frame.variables
    assert [shown(variables[name]) for name in "ab"] == ["float32[5,3]", "int64[5]"]


@pytest.mark.skipif(
    importlib.util.find_spec("gymnasium") is None or importlib.util.find_spec("cv2") is None,
    reason="gymnasium or OpenCV is not installed",
)
def test_the_table_is_that_of_gymnasium() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        variables = run(HEAD)
        made = {text: variables["stepped"](eval(text, variables)) for text in TABLE}
    assert {text: "|".join(map(described, parts)) for text, parts in made.items()} == TABLE

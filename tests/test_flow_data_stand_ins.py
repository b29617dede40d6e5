"""Stand-ins of libraries that read data: what they say of arrays, against the libraries where they are here."""

from __future__ import annotations

import importlib
import importlib.util
import runpy
from pathlib import Path
from typing import Any

import numpy as np
import PIL.Image
import pytest
from flow_values import difference
from test_flow_stand_ins import follow, shown

from arraytyping.checker.flow.sources.stand_ins import OWN_STAND_INS
from arraytyping.checker.flow.state.showing import show


def test_files_that_numpy_reads(tmp_path: Path) -> None:
    rows = tmp_path / "rows.csv"
    rows.write_text("1,2\n3,4\n")
    data = tmp_path / "data.bin"
    np.arange(6, dtype=np.uint16).tofile(data)
    text = f"""
        import numpy as np
        a = np.loadtxt({str(rows)!r}, delimiter=",")
        b = np.loadtxt({str(rows)!r}, np.float32, delimiter=",", ndmin=2)
        c = np.genfromtxt({str(rows)!r}, delimiter=",")
        d = np.genfromtxt({str(rows)!r}, delimiter=",", names=True)
        e = np.memmap({str(data)!r}, dtype=np.uint16, mode="r")
        f = np.memmap({str(data)!r}, dtype="uint16", mode="r", shape=(2, 3))
        g = np.fromfile({str(data)!r}, np.uint16).reshape(-1, 2)
        with open({str(data)!r}, "rb") as file:
            h = np.frombuffer(file.read(), np.uint8)
        text = open({str(rows)!r}).read()
        q = np.fromstring(text.replace("\\n", ","), np.float32, sep=",")
        i = np.load({str(data)!r}) if len(h) == 0 else None
        j = open({str(rows)!r}).read()
        k = [line.split(",") for line in open({str(rows)!r})]
        l = sorted(set(j))
        order = {{character: index for index, character in enumerate(l)}}
        n = jnp.array([order[character] for character in j])
        o = jnp.asarray([order[character] for character in j], dtype=jnp.int32)
        p = jnp.array([order[character] for character in j if character == "no"])
        m = jnp.zeros((len(l), 3))
        """
    assert (found := shown(tmp_path, text))[:9] == [
        "the NumPy array float64[...]", "the NumPy array float32[?, ?]", "the NumPy array float64[...]",
        "something else", "the NumPy array uint16[n1]", "the NumPy array uint16[2, 3]",
        "the NumPy array uint16[n2//2, 2]", "the NumPy array uint8[n3]",
        "the NumPy array ?[...] or something else or None",
    ]  # fmt: skip
    assert found[-4:] == ["?[n6]", "int32[n7]", "?[n8]", "the NumPy array float32[n4]"]
    compare(tmp_path, text)


def compare(directory: Path, text: str) -> None:
    """What flow knows of each variable describes what a run has."""
    _, names = follow(directory, text)
    real: dict[str, object] = {}
    exec(compile((directory / "train.py").read_text(), "train.py", "exec"), real)
    wrong = {n: difference(names[n], real[n]) for n in names if len(n) == 1}
    assert not {name: text for name, text in wrong.items() if text}


def test_the_public_names_of_tensorflow_datasets(tmp_path: Path) -> None:
    text = """
        import tensorflow_datasets.public_api as tfds
        from tensorflow_datasets import public_api
        a = next(iter(tfds.as_numpy(tfds.load("mnist", split="train").batch(8, drop_remainder=True))))["image"]
        b = public_api.builder("cifar10").info.splits["train"].num_examples
        """
    assert shown(tmp_path, text) == ["the NumPy array uint8[8, 28, 28, 1]", "the Python int 50000"]


def test_the_shape_of_an_array_of_a_file(tmp_path: Path) -> None:
    """A tuple of ints: what is made with one of them has as many axes as are said."""
    np.save(tmp_path / "x.npy", np.ones((3, 4), np.float16))
    text = f"""
        import numpy as np
        x = np.load({str(tmp_path / "x.npy")!r})
        a = np.zeros(x.shape[0])
        b = np.random.permutation(np.shape(x)[0])
        c = isinstance(x.shape, tuple)
        d = jnp.ones((x.shape[-1], 2))
        e = x.shape[1:]
        n, m = x.shape
        f = x.reshape(n, -1).astype(np.float32)
        """
    found = shown(tmp_path, text)
    assert found[:2] == ["the NumPy array float64[?]", "the NumPy array int64[?]"]
    assert (found[3], found[5]) == ("float32[?, 2]", "the NumPy array float32[n1, m2]")
    compare(tmp_path, text)


def test_frozen_dicts_of_arrays_of_files(tmp_path: Path) -> None:
    """What may be a scalar of NumPy is no instance of a class of the program or of a library's source."""
    np.savez(tmp_path / "x.npz", observations=np.ones((3, 4)), actions=np.ones((3, 2)))
    text = f"""
        import numpy as np
        from flax.core.frozen_dict import FrozenDict
        class Dataset(FrozenDict):
            def __init__(self, *args, **kwargs):
                super().__init__(*args, **kwargs)
                self.size = max(jax.tree_util.tree_leaves(jax.tree_util.tree_map(len, self._dict)))
            def sample(self, n):
                index = np.random.randint(self.size, size=n)
                return jax.tree_util.tree_map(lambda part: part[index], self._dict)
        file = np.load({str(tmp_path / "x.npz")!r})
        data = {{}}
        for key in ["observations", "actions"]:
            data[key] = file[key][...].astype(np.float32)
        batch = Dataset(data).sample(2)
        a = jnp.asarray(batch["observations"])
        b = isinstance(data["actions"], Dataset)
        c = batch["actions"]
        """
    assert shown(tmp_path, text)[:2] == ["float32[...]", "the Python bool False"]
    compare(tmp_path, text)


def test_archives_of_arrays(tmp_path: Path) -> None:
    """What `np.load` gives hangs on the file; a name may say whether it is an array or an archive."""
    one, several = tmp_path / "one.npy", tmp_path / "several.npz"
    np.save(one, np.ones((3, 4), np.float16))
    np.savez(several, x=np.ones((3, 4)), y=np.arange(3))
    text = f"""
        import numpy as np
        from collections.abc import Mapping
        text = open({str(several)!r}, "rb").read()
        path = {str(one)!r} if len(text) == 1 else {str(several)!r}
        a = np.load({str(several)!r})["x"].astype(np.float32)
        b = np.load({str(one)!r}).astype(np.int32)
        c = jnp.asarray(np.load({str(one)!r}), jnp.float32)
        with np.load({str(several)!r}) as file:
            d = {{name: file[name].astype(np.float32) for name in file.files}}
            e = {{name: item.astype(np.float32) for name, item in file.items()}}
            f = isinstance(file, np.lib.npyio.NpzFile)
            g = isinstance(file, Mapping)
            h = isinstance(file, np.ndarray)
            i = "x" in file
            j = len(file)
        k = isinstance(np.load(path), np.ndarray)
        l = [row.astype(np.float32) for row in np.load({str(one)!r})]
        m = np.load({str(one)!r}, allow_pickle=True).astype(np.float32)
        n = jnp.asarray(np.load(path), jnp.float32) if len(text) == 1 else 0
        o = np.load(path)["x"][...].astype(np.float32)
        with np.load(path) as file:
            p = file["y"].astype(np.float16)
        loaded = np.load(path)
        q = loaded["y"]
        (r,) = np.nonzero(p > 0)
        s = p[r]
        (t,) = np.where(p > 0)
        """
    found = shown(tmp_path, text)
    assert found[:3] == ["the NumPy array float32[...]", "the NumPy array int32[...]", "float32[...]"]
    assert found[-6:] == [
        "the NumPy array float32[...]", "the NumPy array float16[...]",
        "the NumPy array ?[...]",
        "the NumPy array int64[n4]", "the NumPy array float16[...]", "the NumPy array int64[n5]",
    ]  # fmt: skip
    compare(tmp_path, text)


def test_images(tmp_path: Path) -> None:
    image = tmp_path / "image.png"
    PIL.Image.new("RGB", (5, 4)).save(image)
    text = f"""
        import numpy as np
        from PIL import Image
        a = np.asarray(Image.open({str(image)!r}))
        b = np.array(Image.open({str(image)!r}).convert("RGB"))
        c = jnp.asarray(Image.open({str(image)!r}).convert("L").resize((6, 3)), jnp.float32) / 255
        d = np.array(Image.new("RGBA", (2, 3)))
        with Image.open({str(image)!r}) as opened:
            e = np.asarray(opened.convert("F").rotate(90))
        """
    assert shown(tmp_path, text) == [
        "the NumPy array ?[...]", "the NumPy array uint8[height4, width3, 3]", "float32[3, 6]",
        "the NumPy array uint8[3, 2, 4]", "the NumPy array float32[height10, width9]",
    ]  # fmt: skip
    compare(tmp_path, text)


def test_tables_and_files_of_arrays(tmp_path: Path) -> None:
    found = shown(
        tmp_path,
        """
        import pandas as pd, h5py, cv2, imageio.v3 as iio
        import numpy as np
        t = pd.read_csv("t.csv")
        a = t.drop(columns=["x"], inplace=True)
        b = t.to_numpy()
        c = t.values.astype(np.float32)
        d = jnp.asarray(t.to_numpy(dtype=np.float32))
        e = jnp.asarray(t["x"], jnp.float32)
        f = (t > 3) + 1
        n, m = t.shape
        with h5py.File("x.h5") as file:
            g = file["data"][:100]
            h = jnp.asarray(file["group"]["data"], jnp.float32)
        i = cv2.imread("x.png")[..., ::-1]
        j = cv2.imread("x.png", cv2.IMREAD_GRAYSCALE)
        k = iio.imread("x.png")
        """,
    )
    assert found[1:4] == [
        "the NumPy array ?[n1, columns2]", "the NumPy array float32[n3, columns4]", "float32[n5, columns6]",
    ]  # fmt: skip
    assert found[4] == "float32[n7]"
    assert found[6:11] == [
        "the NumPy array ?[...]", "float32[...]", "the NumPy array uint8[height10, width11, 3]",
        "the NumPy array uint8[height12, width13] or None", "the NumPy array ?[...]",
    ]  # fmt: skip


def test_data_sets_of_sklearn(tmp_path: Path) -> None:
    text = """
        import sklearn.datasets
        from sklearn.datasets import load_digits, make_moons, make_classification, make_blobs, make_regression
        from sklearn.model_selection import train_test_split
        a, b = load_digits(return_X_y=True)
        c, d = sklearn.datasets.load_iris().data, sklearn.datasets.load_iris()["target"]
        e, f = make_moons(30, noise=0.1)
        g, h = make_classification(20, n_features=8)
        i, j = make_blobs(12, 3, centers=2)
        k, l = make_regression(9, 5, n_targets=2)
        m, n, o, p = train_test_split(a, b, test_size=0.25)
        q = load_digits(n_class=3).images
        """
    found = shown(tmp_path, text)
    assert found[:4] == [
        "the NumPy array float64[1797, 64]", "the NumPy array int64[1797]", "the NumPy array float64[150, 4]",
        "the NumPy array int64[150]",
    ]  # fmt: skip
    assert found[12:] == [
        "the NumPy array float64[train1, 64]", "the NumPy array float64[test2, 64]", "the NumPy array int64[train1]",
        "the NumPy array int64[test2]", "the NumPy array float64[n3, 8, 8]",
    ]  # fmt: skip
    compare(tmp_path, text)


@pytest.mark.parametrize("name", ["iris", "wine", "breast_cancer", "digits", "diabetes", "linnerud"])
def test_the_data_sets_that_come_with_sklearn(tmp_path: Path, name: str) -> None:
    _, names = follow(tmp_path, f"import sklearn.datasets\nx, y = sklearn.datasets.load_{name}(return_X_y=True)\n")
    real = getattr(importlib.import_module("sklearn.datasets"), f"load_{name}")(return_X_y=True)
    for value, array in zip((names["x"], names["y"]), real):
        assert (value.shape, value.dtype) == (array.shape, str(array.dtype))


def test_published_data_sets(tmp_path: Path) -> None:
    found = shown(
        tmp_path,
        """
        import jax, numpy as np
        import tensorflow as tf, tensorflow_datasets as tfds
        from tensorflow import keras
        from torch.utils.data import DataLoader, default_collate
        from torchvision import transforms
        from torchvision.datasets import MNIST
        (a, b), (c, d) = keras.datasets.mnist.load_data()
        (_, e), _ = tf.keras.datasets.cifar10.load_data()
        whole = tfds.as_numpy(tfds.load("mnist", split="train", batch_size=-1))
        f, g = jnp.float32(whole["image"]) / 255.0, whole["label"]
        def prepare(sample):
            return {"image": tf.cast(sample["image"], tf.float32) / 255.0, "label": sample["label"]}
        data = tfds.load("cifar10", split="train").map(prepare).shuffle(9).batch(64, drop_remainder=True)
        for batch in data.as_numpy_iterator():
            h, i = jnp.asarray(batch["image"]), batch["label"]
        (train, _), info = tfds.load("mnist", split=["train", "test"], as_supervised=True, with_info=True)
        j = jnp.zeros((info.splits["test"].num_examples, info.features["label"].num_classes))
        for k, l in tfds.as_numpy(train.batch(32)):
            pass
        for m, n in tf.data.Dataset.from_tensor_slices((np.zeros((9, 3), "float32"), np.zeros(9, "int32"))).batch(2):
            o = jnp.asarray(m.numpy())
        p = MNIST("data", train=False).data.numpy()
        steps = transforms.Compose([transforms.ToTensor(), transforms.Normalize(0.1, 0.3)])
        for images, labels in DataLoader(MNIST("data", transform=steps), batch_size=32, drop_last=True):
            q, r = jnp.asarray(images.numpy()), labels.numpy()
        s = tfds.load("no_such", split="train")
        t = tfds.load("imagenet2012")["validation"].one["image"].numpy()
        """,
    )
    arrays = [text.removeprefix("the NumPy array ") for text in found if "[" in text]
    assert arrays == [
        "uint8[60000, 28, 28]", "uint8[60000]", "uint8[10000, 28, 28]", "uint8[10000]", "?[50000, 1]",
        "float32[60000, 28, 28, 1]", "int64[60000]", "float32[64, 32, 32, 3]", "int64[64]", "float32[10000, 10]",
        "uint8[batch1, 28, 28, 1]", "int64[batch1]", "float32[batch2, 3]", "uint8[10000, 28, 28]",
        "float32[32, 1, 28, 28]", "int64[32]", "uint8[?, ?, 3]",
    ]  # fmt: skip


def test_arrays_that_compiled_functions_are_given_are_tensors(tmp_path: Path) -> None:
    found = shown(
        tmp_path,
        """
        import jax, numpy as np, tensorflow as tf
        class Model:
            @tf.function(input_signature=[tf.TensorSpec(shape=[None, 3], dtype=tf.float32)])
            def signed(self, x):
                return tf.zeros(x.shape[1:] + [2])
            @tf.function
            def any(self, batch, k=2):
                return tf.zeros(batch["x"].shape + [k])
        a = Model().signed(np.ones((2, 3), np.float32)).numpy()
        b = Model().any({"x": np.ones((2, 3), np.float32)}).numpy()
        """,
    )
    assert found == ["the NumPy array float32[3, 2]", "the NumPy array float32[2, 3, 2]"]


def test_data_sets_of_texts_that_hold_images(tmp_path: Path) -> None:
    found = shown(
        tmp_path,
        """
        import jax, numpy as np
        import tensorflow as tf, tensorflow_datasets as tfds
        def parse(record):
            features = {"x": tf.io.FixedLenFeature([4], tf.float32), "n": tf.io.FixedLenFeature([], tf.int64)}
            parsed = tf.io.parse_single_example(record, features)
            return parsed["x"], parsed["n"]
        records = tf.data.TFRecordDataset(["a.tfrecord"]).map(parse).batch(3, drop_remainder=True)
        for a, b in records.as_numpy_iterator():
            c = jnp.asarray(a)
        files = tf.data.Dataset.list_files("*.tfrecord").interleave(tf.data.TFRecordDataset)
        named = tf.data.Dataset.from_tensor_slices(["a.tfrecord"]).flat_map(tf.data.TFRecordDataset)
        for d, e in tf.data.Dataset.sample_from_datasets([files.map(parse), named.map(parse)]).as_numpy_iterator():
            pass
        raw = tfds.load("imagenet2012", split="train", decoders={"image": tfds.decode.SkipDecoding()})
        built = tfds.builder("mnist").as_dataset(split="train", decoders={"image": tfds.decode.SkipDecoding()})
        other = tfds.load("mnist", split="train", decoders=tfds.decode.PartialDecoding({"image": True}))
        def crop(sample):
            return tf.io.decode_and_crop_jpeg(sample["image"], [0, 0, 8, 8], channels=3), sample["label"]
        for f, g in raw.map(crop).as_numpy_iterator():
            pass
        for one in built.as_numpy_iterator():
            h, i = one["image"], one["label"]
        for one in other.as_numpy_iterator():
            j = one["image"]
        """,
    )
    arrays = [text.removeprefix("the NumPy array ") for text in found if "[" in text or "something" in text]
    assert arrays == [
        "float32[3, 4]", "int64[3]", "float32[3, 4]", "float32[4]", "int64[]", "uint8[height1, width2, 3]", "int64[]",
        "something else", "int64[]", "something else",
    ]  # fmt: skip


def test_environments_and_vocabularies(tmp_path: Path) -> None:
    found = shown(
        tmp_path,
        """
        import jax, numpy as np, gymnasium as gym, tiktoken
        from transformers import AutoTokenizer
        env = gym.make("CartPole-v1")
        a = jnp.zeros((env.observation_space.shape[0], env.action_space.n))
        b, _ = env.reset(seed=0)
        c, *_ = env.step(env.action_space.sample())
        def make(name):
            return lambda: gym.wrappers.RecordEpisodeStatistics(gym.make(name))
        envs = gym.vector.SyncVectorEnv([make("HalfCheetah-v4") for _ in range(8)])
        d, _ = envs.reset(seed=1)
        _, e, f, *_ = envs.step(envs.action_space.sample())
        class Own(gym.Env):
            def __init__(self):
                self.observation_space = gym.spaces.Box(low=0, high=255, shape=(84, 84, 4), dtype=np.uint8)
            def reset(self, seed=None):
                super().reset(seed=seed)
                return self.observation_space.sample(), {}
        g, _ = Own().reset()
        h = Own().np_random
        i = gym.make("CartPole-v1", sutton_barto_reward=True)
        tokenizer = AutoTokenizer.from_pretrained("gpt2")
        j = tokenizer(["a"], return_tensors="np", padding="max_length", max_length=16, truncation=True).input_ids
        k = jax.nn.one_hot(j, len(tokenizer))
        l = jnp.zeros(tiktoken.get_encoding("gpt2").n_vocab)
        """,
    )
    arrays = [text.removeprefix("the NumPy array ") for text in found if "[" in text]
    assert arrays == [
        "float32[4, 2]", "float32[4]", "float32[4]", "float64[8, 17]", "float64[8]", "bool[8]", "uint8[84, 84, 4]",
        "int64[1, 16]", "float32[1, 16, vocab1]", "float32[50257]",
    ]  # fmt: skip


def test_rewards_of_environments(tmp_path: Path) -> None:
    found = shown(
        tmp_path,
        """
        import gymnasium as gym, numpy as np
        steps = [gym.make(name).step(0) for name in ("CartPole-v1", "Pendulum-v1", "LunarLander-v3")]
        a, b, c = (np.array([step[1]] * 3) for step in steps)
        d = float(steps[0][1])
        e = steps[0][1] + jnp.ones(3)
        f = np.stack([steps[0][1], steps[1][1]])
        g = jnp.asarray([steps[0][1]] * 2)
        """,
    )
    assert found[-7:] == [
        "the NumPy array float64[3]", "the NumPy array float64[3]", "the NumPy array ?[...]", "a Python float",
        "float32[3]", "the NumPy array float64[2]", "float32[2]",
    ]  # fmt: skip


def test_environments_that_the_program_registers(tmp_path: Path) -> None:
    """As `make` of Gymnasium 1 gives them: within wrappers, one of which counts the steps."""
    found = shown(
        tmp_path,
        """
        import gymnasium as gym, numpy as np
        from gymnasium.core import Env
        from gymnasium.envs.registration import register
        class Field(Env):
            def __init__(self, size=3, render_mode=None):
                self.size, self.goal = size, 5
                self.observation_space = gym.spaces.Box(0.0, 1.0, (size,), np.float32)
            def reset(self, *, seed=None, options=None):
                return np.zeros(self.size, np.float32), {}
            def step(self, action):
                return np.ones(self.size, np.float32), 1.0, False, False, {}
        register(id="Field-v0", entry_point=Field, max_episode_steps=5, kwargs={"size": 4})
        env = gym.make("Field-v0", max_episode_steps=7)
        a, _ = env.reset(seed=0)
        b, c, d, e, _ = env.step(0)
        f = jnp.zeros(env.observation_space.shape + (env.unwrapped.goal,))
        g = isinstance(env, Field)
        h = hasattr(env, "goal")
        """,
    )
    assert found[-8:] == [
        "the NumPy array float32[4]", "the NumPy array float32[4]", "the Python float 1.0", "the Python bool False",
        "a Python bool", "float32[4, 5]", "a Python bool", "a Python bool",
    ]  # fmt: skip


def test_environments_of_gym(tmp_path: Path) -> None:
    found = shown(
        tmp_path,
        """
        import gym
        env = gym.make("HalfCheetah-v3")
        env.seed(0)
        a = jnp.zeros((env.observation_space.shape[0], env.action_space.shape[0]))
        b = env.reset()
        c = jnp.ones(2 if isinstance(env.action_space, gym.spaces.Box) else 3)
        d = jnp.zeros(gym.make("Ant-v2").observation_space.shape + gym.make("Ant-v5").observation_space.shape)
        e = gym.make("HalfCheetah-v9")
        """,
    )
    arrays = [text for text in found if "[" in text]
    assert arrays == ["float32[17, 6]", "float32[2]", "float32[111, 105]"]


def test_data_sets_of_environments(tmp_path: Path) -> None:
    found = shown(
        tmp_path,
        """
        import d4rl, gym, numpy as np
        class Monitor(gym.Wrapper):
            pass
        env = Monitor(gym.make("walker2d-medium-replay-v2"))
        data = d4rl.qlearning_dataset(env)
        a = data["observations"]
        b = data["terminals"]
        c = data["rewards"][np.random.randint(len(data["rewards"]), size=256)]
        d = env.action_space.sample()
        e = gym.make("antmaze-umaze-v2")
        f = jnp.zeros(e.observation_space.sample().shape)
        g = e.reset()
        h = d4rl.qlearning_dataset(e)["next_observations"]
        i = d4rl.qlearning_dataset(gym.make("mine-v0"))["actions"]
        j = d4rl.get_normalized_score("hopper", 2.0)
        k = gym.make("walker2d-medium-v2").get_dataset()["rewards"][:-1]
        l = env.unwrapped.get_dataset()["terminals"].dtype
        m = gym.make("kitchen-complete-v0").get_dataset()["observations"]
        n = "timeouts" in env.unwrapped.get_dataset()
        o = jnp.zeros((gym.make("Pendulum-v1")._max_episode_steps, 3))
        """,
    )
    assert [text.removeprefix("the NumPy array ") for text in found if "[" in text] == [
        "float32[n1, 17]", "bool[n1]", "float32[256]", "float32[6]", "float32[29]", "float32[n2, 29]",
        "float32[...]", "float32[max(n4 - 1, 0)]", "?[n6, 60]", "float32[steps8, 3]",
    ]  # fmt: skip


def test_wrappers_of_the_program_around_environments(tmp_path: Path) -> None:
    found = shown(
        tmp_path,
        """
        import gym, numpy as np
        class Single(gym.ObservationWrapper):
            def __init__(self, env):
                super().__init__(env)
                self.observation_space = gym.spaces.Box(-1.0, 1.0, env.observation_space.shape)
            def observation(self, observation):
                return observation.astype(np.float32)
        class Twice(gym.ActionWrapper):
            def action(self, action):
                return action * 2
        env = Twice(Single(gym.make("HalfCheetah-v3")))
        a, reward, done, says = env.step(np.ones(6))
        b = env.reset()
        c = jnp.ones(env.observation_space.shape)
        space = gym.spaces.Dict(x=gym.spaces.Box(0, 1, (3,)), y=gym.spaces.Discrete(4))
        d = space.sample()["x"]
        env.render(mode="rgb_array", width=200)  # as gym before 0.26 has it
        e = jnp.ones((len(space), space["y"].n))
        """,
    )
    arrays = [text.removeprefix("the NumPy array ") for text in found if "[" in text]
    assert arrays == ["float32[17]", "float32[17]", "float32[17]", "float32[3]", "float32[2, 4]"]


def test_generators_of_environments(tmp_path: Path) -> None:
    found = shown(
        tmp_path,
        """
        import numpy as np
        from gym.utils import seeding
        from gymnasium.utils import seeding as newer
        generator, seed = seeding.np_random(3)
        if hasattr(generator, "integers"):
            a = generator.integers(10, size=32)
        else:
            a = generator.randint(10, size=32)
        b = np.ones((10, 4), np.float32)[a]
        c = newer.np_random(3)[0].uniform(size=(2, 3))
        d = generator.rand(3)
        """,
    )
    arrays = [text.removeprefix("the NumPy array ") for text in found if "[" in text]
    assert arrays == ["int64[32]", "float32[32, 4]", "float64[2, 3]"]


@pytest.mark.parametrize(
    ("reset", "step", "known"),
    [
        ("seen = env.reset()", "seen, reward, done, says = env.step(a)", ["float32[17]", "float32[17]"]),
        ("seen, says = env.reset()", "seen, reward, ended, cut, says = env.step(a)", ["float32[17]", "float32[17]"]),
        ("seen = env.reset()", "seen = env.step(a)", []),
    ],
)
def test_the_release_of_gym_is_that_which_the_program_is_written_for(
    tmp_path: Path, reset: str, step: str, known: list[str]
) -> None:
    found = shown(
        tmp_path,
        f"""
        import gym
        env = gym.make("HalfCheetah-v3")
        {reset}
        b = jnp.asarray(seen)
        def act(a):
            {step}
            return jnp.asarray(seen)
        c = act(0)
        """,
    )
    assert [text for text in found if text.startswith("float32")] == known


def test_the_pieces_of_a_text(tmp_path: Path) -> None:
    _, names = follow(
        tmp_path,
        """
        import numpy as np
        import tensorflow_datasets as tfds
        from sentencepiece import SentencePieceProcessor
        processor = SentencePieceProcessor()
        processor.Load("model")
        a = jnp.zeros((processor.GetPieceSize(), len(processor), 8))
        pieces = processor.EncodeAsIds(tfds.data_source("lm1b", split="test")[0]["text"])
        b = np.array(pieces, np.int32)
        c = np.array([[processor.bos_id()] for text in processor.encode(["one", "two"])], np.int32)
        d = processor.decode(pieces)
        e = processor.encode("one", out_type=str)
        """,
    )
    size = show(names["a"]).removeprefix("float32[").partition(",")[0]
    found = [show(names[name]) for name in "abcde"]
    assert found[0] == f"float32[{size}, {size}, 8]"
    assert found[1].startswith("the NumPy array int32[")
    assert found[2] == "the NumPy array int32[...]"  # an empty list has one axis
    assert [found[3], names["e"].element.kinds] == ["a Python str", (str,)]


def test_an_iterator_takes_its_state_back(tmp_path: Path) -> None:
    _, names = follow(
        tmp_path,
        """
        import grain.python as grain
        import orbax.checkpoint as ocp
        sampler = grain.SequentialSampler(num_records=8)
        operations = [grain.Batch(4, drop_remainder=True)]
        data = iter(grain.DataLoader(data_source=list(range(8)), sampler=sampler, operations=operations))
        manager = ocp.CheckpointManager("checkpoints")
        if manager.latest_step() is not None:
            restored = manager.restore(0, items={"state": jnp.ones(3), "data": data})
            state, data = restored["state"], restored["data"]
        a = next(data)
        """,
    )
    assert show(names["a"]) == "the NumPy array int64[4]"


def test_data_sets_of_the_catalog(tmp_path: Path) -> None:
    found = shown(
        tmp_path,
        """
        import tensorflow_datasets as tfds, tensorflow as tf
        builder = tfds.builder("imagenette/full-size-v2")
        data = builder.as_dataset(split="train").map(lambda d: (tf.image.resize(d["image"], (224, 224)), d["label"]))
        a, b = next(iter(data.batch(32, drop_remainder=True).as_numpy_iterator()))
        c = jnp.zeros(builder.info.features["label"].num_classes)
        d = tfds.as_numpy(tfds.load("beans", split="test"))
        e = [one["image"] for one in d][0]
        f = tfds.load("a_data_set_of_my_own", split="test")
        """,
    )
    arrays = [text.removeprefix("the NumPy array ") for text in found if "[" in text]
    assert arrays == ["float32[32, 224, 224, 3]", "int64[32]", "float32[10]", "uint8[500, 500, 3]"]


@pytest.mark.skipif(importlib.util.find_spec("tensorflow_datasets") is None, reason="tensorflow_datasets is missing")
@pytest.mark.parametrize(
    "name", ["beans", "caltech101", "dsprites", "imagenette", "iris", "malaria", "shapes3d", "voc"]
)
def test_the_features_are_those_of_the_catalog(name: str) -> None:
    folder = OWN_STAND_INS / "tensorflow_datasets"
    scope: dict[str, Any] = {}
    for kind in ("images", "records"):
        scope[f"OF_{kind.upper()}"] = runpy.run_path(str(folder / f"features_of_{kind}.py"))["FEATURES"]
    # Its imports are those of a stand-in, which are not found where the library itself is installed.
    lines = (folder / "published_features.py").read_text().splitlines()
    exec("\n".join(line for line in lines if not line.startswith("from ")), scope)
    features, _, classes = scope["published"](name)
    real = importlib.import_module("tensorflow_datasets").builder(name).info.features
    assert set(features) == set(real)
    for key, spec in features.items():
        if isinstance(spec, tuple):
            assert spec == (real[key].dtype.name, real[key].shape)
    if "label" in real:
        assert classes == real["label"].num_classes

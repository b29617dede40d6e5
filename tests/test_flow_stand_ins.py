"""Stand-ins: what a program can see of libraries that say it better than their source, and `arraytyping.facts`."""

from __future__ import annotations

import textwrap
from pathlib import Path
from typing import Any

import pytest

from arraytyping import facts
from arraytyping.checker.flow.libraries.registry import Registry
from arraytyping.checker.flow.sources.source_files import read_source
from arraytyping.checker.flow.sources.stand_ins import OWN_STAND_INS
from arraytyping.checker.flow.start.program import Result, interpret_from
from arraytyping.checker.flow.state.program_words import ARGUMENTS
from arraytyping.checker.flow.state.showing import show
from arraytyping.checker.flow.syntax.imports import Importer


def follow(directory: Path, text: str, *words: str, stand_ins: tuple[Path, ...] = ()) -> tuple[Result, dict[str, Any]]:
    """Follow a program with a command line; its variables."""
    program = directory / "train.py"
    program.write_text("import jax\nimport jax.numpy as jnp\n" + textwrap.dedent(text))
    importer = Importer((directory,), {}, stand_ins)
    kept = {ARGUMENTS: words} if words else {}
    result = interpret_from(
        lambda it: importer.load(it, "__main__", program, False, "__main__"), importer, program, kept=kept
    )
    assert not result.crashes, result.crashes
    return result, importer.modules["__main__"].frame.variables


def shown(directory: Path, text: str, *words: str, stand_ins: tuple[Path, ...] = ()) -> list[str]:
    """What is known of the variables whose names have one letter."""
    found, names = follow(directory, text, *words, stand_ins=stand_ins)
    assert not [m for m in found.diagnostics if m.is_certain], found.diagnostics
    return [show(value) for name, value in sorted(names.items()) if len(name) == 1]


def test_the_configuration_of_omegaconf(tmp_path: Path) -> None:
    (tmp_path / "c.yaml").write_text("model:\n  width: 5\nlr: 0.1\n")
    found = shown(
        tmp_path,
        """
        from omegaconf import OmegaConf, DictConfig
        cfg = OmegaConf.create({"model": {"width": 3}, "n": 2})
        cfg.model.depth = 4
        cfg["n"] += 1
        merged = OmegaConf.merge(cfg, {"model": {"width": 7}})
        a = jnp.ones((cfg.model.width, cfg.model.depth, cfg.n))
        b = jnp.ones((merged.model.width, merged["model"]["depth"]))
        plain = OmegaConf.to_container(cfg, resolve=True)
        c = jnp.ones(plain["model"]["width"])
        def make(width, depth): return jnp.ones((width, depth))
        d = make(**cfg.model)
        e = jnp.ones(len(cfg) + cfg.get("absent", 3))
        """,
    )
    assert found == ["float32[3, 4, 3]", "float32[7, 4]", "float32[3]", "float32[3, 4]", "float32[5]"]


def test_a_program_below_hydra(tmp_path: Path) -> None:
    pytest.importorskip("hydra")
    (tmp_path / "conf").mkdir()
    (tmp_path / "conf" / "main.yaml").write_text("width: 3\nbatch: ${width}\n")
    text = """
        import hydra
        @hydra.main(config_path="conf", config_name="main", version_base=None)
        def main(cfg):
            global x
            x = jnp.ones((cfg.batch, cfg["width"]))
        main()
        """
    assert shown(tmp_path, text) == ["float32[3, 3]"]
    assert shown(tmp_path, text, "width=8") == ["float32[8, 8]"]


def test_loops_that_show_their_progress(tmp_path: Path) -> None:
    found = shown(
        tmp_path,
        """
        from tqdm import tqdm, trange
        from tqdm.auto import tqdm as other
        x = jnp.ones(2)
        for i in tqdm(range(3)):
            x = jnp.concatenate([x, x])
        with trange(2, desc="a") as bar:
            for j in bar:
                x = x[1:]
                bar.set_postfix(loss=1)
        y = [k for k in other([1, 2])]
        """,
    )
    assert found[-2] == "float32[14]"


def test_what_is_printed_and_logged_stays_what_it_is(tmp_path: Path) -> None:
    text = """
        import csv, logging, pprint, uuid
        d = {"n": 4}
        pprint.PrettyPrinter(indent=2).pprint(d)
        handler = logging.StreamHandler()
        handler.setFormatter(logging.Formatter("%(message)s"))
        logging.getLogger("a").addHandler(handler)
        with open("log.csv", "w") as file:
            csv.DictWriter(file, fieldnames=list(d)).writerow(d)
        run = str(uuid.uuid4())
        x = jnp.ones(d.pop("n"))
        d = None
        class Lines:
            def __init__(self): self.lines = [1]
            def write(self, line): self.lines.append(line)
        lines = Lines()
        csv.writer(lines).writerow([1, 2])
        y = jnp.ones(len(lines.lines))
        """
    assert [a for a in shown(tmp_path, text) if "[" in a] == ["float32[4]", "float32[n1]"]


def test_the_compatible_names_of_tensorflow(tmp_path: Path) -> None:
    text = """
        import tensorflow.compat.v2 as tf
        import tensorflow.compat.v1 as tf1
        import tensorflow.io.gfile as gfile
        def first(ds): return next(iter(ds.as_numpy_iterator()))
        x = first(tf.data.Dataset.from_tensor_slices(tf.ones((8, 3), tf.float32)).batch(2, drop_remainder=True))
        y = tf1.zeros((2, 3)).numpy()
        with gfile.GFile("a.txt", "w") as file:
            file.write("a")
        z = jnp.asarray(x)
        """
    assert shown(tmp_path, text) == ["the NumPy array float32[2, 3]"] * 2 + ["float32[2, 3]"]


def test_the_configuration_of_ml_collections_with_its_flag(tmp_path: Path) -> None:
    (tmp_path / "configs").mkdir()
    (tmp_path / "configs" / "tiny.py").write_text(
        "import ml_collections\n"
        "def get_config(arg=None):\n"
        "    config = ml_collections.ConfigDict()\n"
        "    config.width = 4\n"
        "    config.model = ml_collections.ConfigDict(dict(depth=2))\n"
        "    config.batch = int(arg or 6)\n"
        "    return config\n"
    )
    text = """
        from absl import app, flags
        from ml_collections import config_flags
        FLAGS = flags.FLAGS
        config_flags.DEFINE_config_file("config", "configs/tiny.py")
        flags.DEFINE_integer("steps", 3, "")
        def main(argv):
            global x
            x = jnp.ones((FLAGS.config.width, FLAGS.config.model.depth, FLAGS.config.batch, FLAGS.steps))
        app.run(main)
        """
    assert shown(tmp_path, text) == ["float32[4, 2, 6, 3]"]
    words = ("--config=configs/tiny.py:9", "--config.model.depth=5", "--steps", "1")
    assert shown(tmp_path, text, *words) == ["float32[4, 5, 9, 1]"]


def test_command_lines_of_dataclasses_and_functions(tmp_path: Path) -> None:
    text = """
        import dataclasses, tyro, fire
        from typing import Annotated
        @dataclasses.dataclass
        class Model:
            width: int = 3
        @dataclasses.dataclass
        class Config:
            steps: int
            model: Model = dataclasses.field(default_factory=Model)
            bias: bool = True
            lr: Annotated[float, "rate"] = 0.1
        def main(config: Config, batch: int = 2):
            return jnp.ones((batch, config.model.width)), config.steps
        c = tyro.cli(Config)
        x, steps = main(c)
        n = steps
        """
    assert shown(tmp_path, text)[-1] == "float32[2, 3]"
    _, names = follow(tmp_path, text, "--steps", "7", "--model.width=5", "--no-bias")
    assert (show(names["x"]), names["n"], names["c"].attributes["bias"]) == ("float32[2, 5]", 7, False)
    text = """
        import fire
        def main(batch: int = 2, width: int = 3):
            global x
            x = jnp.ones((batch, width))
        if __name__ == "__main__":
            fire.Fire(main)
        """
    assert shown(tmp_path, text) == ["float32[2, 3]"]
    assert shown(tmp_path, text, "--batch=4") == ["float32[4, 3]"]


def test_command_lines_of_pyrallis(tmp_path: Path) -> None:
    text = """
        import pyrallis
        from dataclasses import dataclass
        @dataclass
        class Config:
            width: int = 3
            sizes: list = pyrallis.field(default=[4, 5], is_mutable=True)
        @pyrallis.wrap()
        def train(config: Config):
            return jnp.ones((config.width, *config.sizes))
        x = train()
        y = jnp.ones(pyrallis.parse(config_class=Config).width)
        """
    assert shown(tmp_path, text) == ["float32[3, 4, 5]", "float32[3]"]
    assert shown(tmp_path, text, "--width=7") == ["float32[7, 4, 5]", "float32[7]"]


def test_references_to_fields_of_configurations(tmp_path: Path) -> None:
    """What is set for one field holds for all that refer to the same, and for what was computed of it before."""
    text = """
        from ml_collections.config_dict import config_dict
        from ml_collections import ConfigDict, FieldReference
        config = config_dict.ConfigDict()
        width = FieldReference(3, field_type=int)
        config.a = width
        config.b = width
        config.c = width * 2
        config.d = ConfigDict({"e": 2})
        x = jnp.ones((config.a, config.b, config.c, config.d.e))
        config.b = 5
        y = jnp.ones((config.a, config["b"], config.c, config.to_dict()["a"], dict(config)["c"]))
        config.update({"a": 6, "d": {"e": 9}})
        z = jnp.ones((config.b, config.d.e, config.get("c")))
        """
    assert shown(tmp_path, text) == ["float32[3, 3, 6, 2]", "float32[5, 5, 10, 5, 10]", "float32[6, 9, 12]"]


def test_decorators_that_check_as_the_program_runs(tmp_path: Path) -> None:
    text = """
        import typeguard
        from beartype import beartype, BeartypeConf
        from jaxtyping import Array, Float, jaxtyped
        from typeguard import typechecked
        @jaxtyped(typechecker=typechecked)
        def a(x: Float[Array, "n"]) -> Float[Array, "n"]:
            return x * 2
        @typeguard.typechecked
        def b(x: Array) -> Array:
            return x + 1
        @beartype(conf=BeartypeConf())
        def c(x):
            return x.reshape(3, 1)
        @jaxtyped(typechecker=beartype)
        def d(x):
            return x.astype(jnp.int32)
        @typechecked
        class Model:
            def __call__(self, x: Array):
                return x[None]
        with jaxtyped("context"):
            x = Model()(d(c(b(a(jnp.ones(3))))))
        """
    assert shown(tmp_path, text)[-1] == "int32[1, 3, 1]"


def test_what_only_reads_changes_nothing(tmp_path: Path) -> None:
    found = shown(
        tmp_path,
        """
        import wandb
        import matplotlib.pyplot as plt
        losses = [jnp.ones(3)]
        config = {"n": 4}
        wandb.init(project="x", config=config)
        plt.plot(losses)
        fig, ax = plt.subplots()
        ax.bar(losses, config)
        a = losses[0]
        b = jnp.ones(config["n"])
        """,
    )
    assert found == ["float32[3]", "float32[4]"]


def test_the_configuration_of_a_run_of_wandb(tmp_path: Path) -> None:
    """It is what the run was begun with, in lists for tuples; with a sweep, or within another run, nothing is known."""
    found = shown(
        tmp_path,
        """
        import argparse, wandb
        parser = argparse.ArgumentParser()
        parser.add_argument("--n", type=int, default=6)
        run = wandb.init(config={"n": 4, "sizes": (2, 3), "nested": {"m": 5}})
        a = jnp.zeros([wandb.config["n"], wandb.config.n, run.config.nested["m"]])
        b = wandb.config.sizes
        wandb.config.update({"k": 7})
        wandb.config.z = 8
        c = jnp.zeros((wandb.config.k, wandb.config["z"], wandb.config.get("n")))
        d = dict(wandb.config)["n"]
        with wandb.init(config={"n": 9}) as other:
            e = jnp.zeros(other.config.n)
        wandb.finish()
        wandb.init(config=parser.parse_args())
        f = jnp.zeros(wandb.config.n)
        g = jnp.zeros(wandb.config.not_there)
        wandb.finish()
        def train():
            global h
            wandb.init(config={"n": 4})
            h = jnp.zeros(wandb.config.n)
        wandb.agent(wandb.sweep({}, project="p"), train)
        """,
    )
    assert found[-8:] == [
        "float32[4, 4, 5]", "a list", "float32[7, 8, 4]", "the Python int 4", "float32[...]", "float32[6]",
        "float32[...]", "float32[...]",
    ]  # fmt: skip


def test_a_stand_in_of_the_project(tmp_path: Path) -> None:
    place = tmp_path / "stand_ins"
    place.mkdir()
    (place / "ourdata.py").write_text(
        "from arraytyping import facts\n"
        "def load(split):\n"
        "    n = facts.size('n', 1)\n"
        "    return facts.numpy_array('uint8', (n, 28, 28)), facts.numpy_array('int64', (n,))\n"
        "def stream():\n"
        "    while True:\n"
        "        yield facts.array('float32', 'b 10')\n"
    )
    found = shown(
        tmp_path,
        """
        import ourdata
        x, y = ourdata.load("train")
        z = jnp.asarray(x).reshape(-1, 784)
        a = (jnp.asarray(y) == 0).sum()
        b = next(ourdata.stream()) @ jnp.ones((10, 2))
        """,
        stand_ins=(place,),
    )
    assert found[1].endswith(", 2]")
    assert found[4].endswith("784]")


def test_every_fact_has_a_handler_and_is_never_executed(tmp_path: Path) -> None:
    follow(tmp_path, "")  # by which the handlers are there
    registry = Registry()
    for name in facts.__all__:
        assert registry.find_name(f"arraytyping.facts.{name}") is not None, name
    with pytest.raises(NotImplementedError, match="never executed"):
        facts.array("float32")


@pytest.mark.parametrize("file", sorted(OWN_STAND_INS.rglob("*.py")), ids=lambda f: str(f.relative_to(OWN_STAND_INS)))
def test_a_stand_in_can_be_read_and_says_what_it_stands_for(file: Path) -> None:
    source, tree = read_source(file)
    assert tree.body
    assert source.startswith('"""')
    assert len(source.splitlines()) < 300


def test_what_is_logged_leaves_the_program(tmp_path: Path) -> None:
    """Configurations that were handed to a logger are known as before."""
    found = shown(
        tmp_path,
        """
        try:
            import wandb
            assert hasattr(wandb, "__version__")
        except (ImportError, AssertionError):
            wandb = None
        from torch.utils.tensorboard import SummaryWriter
        from tensorboardX import SummaryWriter as Other
        config = {"n": 3, "wandb": {"mode": "disabled"}}
        if wandb is not None:
            options = config.pop("wandb")
            wandb.init(**options, config=config)
        def make(n): return jnp.ones(n)
        a = make(**config)
        with wandb.init(project="p", config=config) as run:
            run.log({"a": a}, step=1)
            wandb.log({"a": a.mean()})
            wandb.run.summary["best"] = 3
        for writer in (SummaryWriter("runs"), Other("runs")):
            writer.add_scalar("a", a.mean(), 3)
        wandb.config.update(config)
        wandb.Table(columns=["a"], data=[[config]])
        b = make(**config)
        def train():
            global c
            c = make(wandb.init(config=config) and 5)
        wandb.agent(wandb.sweep({}, project="p"), train, count=3)
        """,
    )
    assert found == ["float32[3]", "float32[3]", "float32[5]"]

"""A configuration that a program must be given is taken from beside it, where one fits, and said with the findings."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping
from pathlib import Path

import pytest

from arraytyping.checker.flow.report.analysis import Analysis, analyze
from arraytyping.checker.settings import Settings

ABSL = """
    from absl import app, flags
    from ml_collections.config_flags import config_flags
    import jax.numpy as jnp

    FLAGS = flags.FLAGS
    config_flags.DEFINE_config_file("config", None, "The configuration.")
    flags.DEFINE_string("workdir", None, "Where to write.")
    flags.mark_flags_as_required(["config", "workdir"])

    def main(argv):
        config = FLAGS.config
        x = jnp.ones((config.batch, 4))
        if config.is_deep:
            y = jnp.tanh(x)
        else:
            y = jnp.exp(x)

    if __name__ == "__main__":
        app.run(main)
"""
CONFIG = """
    import ml_collections

    def get_config():
        config = ml_collections.ConfigDict()
        config.batch = {batch}
        config.is_deep = {is_deep}
        return config
"""
OTHER = """
    import ml_collections

    def get_config():
        return ml_collections.ConfigDict({"nothing": 1})
"""


def analyzed(directory: Path, files: Mapping[str, str], monkeypatch: pytest.MonkeyPatch, *words: str) -> Analysis:
    """What is found in `train.py`, beside which the other files lie."""
    for name, text in {"pyproject.toml": "", **files}.items():
        (directory / name).parent.mkdir(parents=True, exist_ok=True)
        (directory / name).write_text(textwrap.dedent(text))
    monkeypatch.chdir(directory)
    found = analyze([Path("train.py")], Settings(), arguments=words)
    assert not found.crashes, found.crashes
    return found


def bound(found: Analysis, line: str) -> str:
    """What the last expression of a line of `train.py` is claimed to be."""
    number = next(i for i, text in enumerate(Path("train.py").read_text().splitlines(), 1) if text.strip() == line)
    here = [e for e in found.claims.files["train.py"].expressions if e.line == number]
    return str(max(here, key=lambda e: e.end_column - e.column))


def test_each_configuration_that_fits_is_followed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = {
        "train.py": ABSL,
        "configs/deep.py": CONFIG.format(batch=8, is_deep=True),
        "configs/flat.py": CONFIG.format(batch=16, is_deep=False),
        "configs/other.py": OTHER,
    }
    found = analyzed(tmp_path, files, monkeypatch)
    assert not found.diagnostics
    assert bound(found, "x = jnp.ones((config.batch, 4))") == "float32[16, 4] | float32[8, 4]"
    assert bound(found, "y = jnp.tanh(x)") == "float32[8, 4]"
    (remark,) = [r for r in found.remarks if "configuration" in r]
    assert "--config=configs/flat.py and as with --config=configs/deep.py" in remark
    assert "configs/other" not in remark


def test_a_folder_that_leads_back_has_no_configurations_of_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So that each file is tried once, by whatever names it has."""
    (tmp_path / "package").symlink_to(".")
    files = {"train.py": ABSL} | {
        f"configs/{c}.py": CONFIG.format(batch=n, is_deep=True) for n, c in enumerate("abc", 2)
    }
    found = analyzed(tmp_path, files, monkeypatch)
    assert bound(found, "x = jnp.ones((config.batch, 4))") == "float32[2, 4] | float32[3, 4] | float32[4, 4]"
    assert not [r for r in found.remarks if "package" in r]


def test_a_configuration_that_does_not_fit_is_not_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = analyzed(tmp_path, {"train.py": ABSL, "configs/other.py": OTHER}, monkeypatch)
    assert not found.diagnostics
    assert bound(found, "x = jnp.ones((config.batch, 4))") == "float32[?, 4]"
    assert not [r for r in found.remarks if "configuration" in r]


def test_nothing_is_assumed_where_the_command_line_is_given(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = {"train.py": ABSL, "configs/a.py": CONFIG.format(batch=8, is_deep=True)}
    files["configs/b.py"] = CONFIG.format(batch=16, is_deep=False)
    found = analyzed(tmp_path, files, monkeypatch, "--config", "configs/b.py", "--workdir", "out")
    assert bound(found, "x = jnp.ones((config.batch, 4))") == "float32[16, 4]"
    assert not [r for r in found.remarks if "configuration" in r]


@pytest.mark.parametrize("suffix", ["yaml", "json", "toml"])
def test_an_argument_that_names_a_configuration(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, suffix: str) -> None:
    read = {
        "yaml": "yaml.safe_load(open(args.config))",
        "json": "json.load(open(args.config))",
        "toml": "tomllib.load(open(args.config, 'rb'))",
    }[suffix]
    text = {"yaml": "batch: 8\n", "json": '{"batch": 8}', "toml": "batch = 8\n"}[suffix]
    program = f"""
        import argparse, json, tomllib, yaml
        import jax.numpy as jnp

        parser = argparse.ArgumentParser()
        parser.add_argument("--config", required=True)
        parser.add_argument("--name", required=True)
        args = parser.parse_args()
        config = {read}
        x = jnp.ones((config["batch"], 4))
    """
    found = analyzed(tmp_path, {"train.py": program, f"configs/base.{suffix}": text}, monkeypatch)
    assert not found.diagnostics
    assert bound(found, 'x = jnp.ones((config["batch"], 4))') == "float32[8, 4]"


HYDRA = """
    import hydra
    import jax.numpy as jnp

    @hydra.main(version_base=None, config_path="config", config_name="config")
    def main(config):
        x = jnp.ones((config["alg"]["WIDTH"], config["SEED"]))

    if __name__ == "__main__":
        main()
"""


def test_a_group_of_hydra_that_must_be_chosen_from(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("hydra")
    files = {
        "train.py": HYDRA,
        "config/config.yaml": "SEED: 3\n",
        "config/alg/small.yaml": "WIDTH: 8\n",
        "config/unused/one.yaml": "A: 8\n",
    }
    found = analyzed(tmp_path, files, monkeypatch)
    assert not found.diagnostics
    assert bound(found, 'x = jnp.ones((config["alg"]["WIDTH"], config["SEED"]))') == "float32[8, 3]"
    assert any("+alg=small" in remark for remark in found.remarks)


@pytest.mark.parametrize("config", ["alg:\n  DEPTH: 2\n", "alg:\n  DEPTH: 2\n  WIDTH: 4\n", "defaults: [alg: large]\n"])
def test_a_group_of_hydra_that_may_be_chosen_from(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, config: str) -> None:
    pytest.importorskip("hydra")
    groups = {"config/alg/small.yaml": "WIDTH: 8\n", "config/alg/large.yaml": "WIDTH: 16\n"}
    program = HYDRA.replace("(config):\n", "(config):\n        config = omegaconf.OmegaConf.to_container(config)\n")
    program = program.replace("import hydra\n", "import hydra, omegaconf\n")
    files = {"train.py": program, "config/config.yaml": f"{config}SEED: 3\n", **groups}
    found = analyzed(tmp_path, files, monkeypatch)
    assert not found.diagnostics
    is_enough, is_chosen = "WIDTH" in config, "defaults" in config
    width = "4" if is_enough else "16" if is_chosen else "16, 3] | float32[8"
    assert bound(found, 'x = jnp.ones((config["alg"]["WIDTH"], config["SEED"]))') == f"float32[{width}, 3]"
    assert any("+alg=small" in remark for remark in found.remarks) == (not is_enough and not is_chosen)


def test_configurations_of_other_programs_are_not_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Those below the program's own folder come first, however like its name others are."""
    files = {"configs/own.py": CONFIG.format(batch=8, is_deep=True), "train.py": ABSL}
    (tmp_path / "train_configs").mkdir()
    (tmp_path / "train_configs/train.py").write_text(textwrap.dedent(CONFIG.format(batch=16, is_deep=True)))
    (tmp_path / "program/configs").mkdir(parents=True)
    (tmp_path / "program/configs/broken.py").symlink_to(tmp_path / "nowhere.py")
    found = analyzed(tmp_path / "program", files, monkeypatch)
    assert bound(found, "x = jnp.ones((config.batch, 4))") == "float32[8, 4]"


def test_a_default_that_lies_nowhere_must_be_given(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = {"train.py": ABSL.replace('"config", None', '"config", "default.py"')}
    files["configs/a.py"] = CONFIG.format(batch=8, is_deep=True)
    found = analyzed(tmp_path, files, monkeypatch)
    assert bound(found, "x = jnp.ones((config.batch, 4))") == "float32[8, 4]"
    assert [r for r in found.remarks if "--config=configs/a.py" in r]


def test_a_program_that_is_its_own_configuration(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    own = textwrap.dedent(ABSL) + textwrap.dedent(CONFIG.format(batch=8, is_deep=True)).replace("import ml_coll", "# ")
    program = "import ml_collections\n" + own
    files = {"train.py": program, "configs/a.py": CONFIG.format(batch=16, is_deep=True)}
    found = analyzed(tmp_path, files, monkeypatch)
    assert bound(found, "x = jnp.ones((config.batch, 4))") == "float32[8, 4]"


JAXLINE = """
    import jax, jax.numpy as jnp, sys
    from absl import app, flags
    from jaxline import base_config, experiment, platform, utils
    from ml_collections import config_dict

    def get_config():
        config = base_config.get_base_config()
        config.experiment_kwargs = config_dict.ConfigDict({"config": {"batch": 8}})
        return config

    class Experiment(experiment.AbstractExperiment):
        CHECKPOINT_ATTRS = {"params": "params"}

        def __init__(self, mode, init_rng, config):
            super().__init__(mode=mode, init_rng=init_rng)
            self.config = config
            self.w = jax.random.normal(init_rng, (4, 3))
            self.params = None

        def step(self, *, global_step, rng, writer):
            n = jax.pmap(lambda key, step: jax.random.normal(key, (5,)) * step)(rng, global_step)
            y = jnp.ones((self.config.batch, 4)) @ self.w
            if self.params is None:
                self.params = utils.bcast_local_devices({"w": self.w})
            return {"loss": y.mean()}

        def evaluate(self, *, global_step, rng, writer):
            z = jnp.ones((2, 4)) @ utils.get_first(self.params)["w"]
            return {"score": z.mean()}

    if __name__ == "__main__":
        flags.mark_flag_as_required("config")
        platform.main(Experiment, sys.argv[1:])
"""


def test_an_experiment_of_jaxline(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    base = "import ml_collections\ndef get_base_config():\n    return ml_collections.ConfigDict(dict(\n"
    base += "        random_seed=1, legacy_random_seed_behavior=False, training_steps=9, experiment_kwargs={}))\n"
    files = {"train.py": JAXLINE, "stand_ins/jaxline/base_config.py": base}
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "pyproject.toml").write_text("")
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(textwrap.dedent(text))
    monkeypatch.chdir(tmp_path)
    found = analyze([Path("train.py")], Settings(stand_ins=(tmp_path / "stand_ins",)))
    assert not found.crashes, found.crashes
    assert not found.diagnostics
    assert bound(found, "y = jnp.ones((self.config.batch, 4)) @ self.w") == "float32[8, 3]"
    assert bound(found, 'z = jnp.ones((2, 4)) @ utils.get_first(self.params)["w"]') == "float32[2, 3]"
    line = "n = jax.pmap(lambda key, step: jax.random.normal(key, (5,)) * step)(rng, global_step)"
    assert bound(found, line) == "float32[local_device_count, 5]"


@pytest.mark.parametrize(
    ("body", "mistakes"),
    [
        ("name = argv[1]", 0),
        ("argv.pop(0); name = argv[0]", 0),
        ("_, name = argv", 0),
        ("if len(argv) > 2: raise app.UsageError('too many')\n    name = argv[1]", 0),
        ("name = [][0]", 1),
        ("del argv; name = [][0]", 1),
        ("if len(argv) > 1: raise app.UsageError('too many')\n    name = [][0]", 1),
        ("name = argv[1]; y = jnp.ones(3) + jnp.ones(4)", 1),
    ],
)
def test_words_that_absl_leaves_to_the_program(
    body: str, mistakes: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A program that looks into them has to be given some, as one that reads `sys.argv`."""
    text = f"from absl import app\nimport jax.numpy as jnp\n\ndef main(argv):\n    {body}\n\napp.run(main)\n"
    found = analyzed(tmp_path, {"train.py": text}, monkeypatch)
    assert [m.is_certain for m in found.diagnostics] == [True] * mistakes


_PARSED = {
    "argparse": """
        import argparse
        parser = argparse.ArgumentParser()
        parser.add_argument("--data", default="")
        parser.add_argument("--width", type=int, default=4)
        args = parser.parse_args()
        data, width = args.data, args.width
        {refuses}
        x = jnp.ones(width)
        """,
    "absl": """
        from absl import app, flags
        FLAGS = flags.FLAGS
        flags.DEFINE_string("data", "", "")
        flags.DEFINE_integer("width", 4, "")
        def main(argv):
            data, width = FLAGS.data, FLAGS.width
            {refuses}
            x = jnp.ones(width)
        app.run(main)
        """,
    "click": """
        import click
        @click.command()
        @click.option("--data", default="")
        @click.option("--width", default=4)
        def main(data, width):
            {refuses}
            x = jnp.ones(width)
        main()
        """,
    "tyro": """
        import tyro
        def main(data: str = "", width: int = 4):
            {refuses}
            x = jnp.ones(width)
        tyro.cli(main)
        """,
    "dataclass": """
        import dataclasses, tyro
        @dataclasses.dataclass
        class Args:
            data: str = ""
            width: int = 4
        args = tyro.cli(Args)
        data, width = args.data, args.width
        {refuses}
        x = jnp.ones(width)
        """,
    "ml_collections": """
        from absl import app, flags
        from ml_collections import ConfigDict
        from ml_collections.config_flags import config_flags
        FLAGS = flags.FLAGS
        config_flags.DEFINE_config_dict("m", ConfigDict({{"inner": {{"data": ""}}, "width": 4}}))
        def main(argv):
            data, width = FLAGS.m.inner.data, FLAGS.m.width
            {refuses}
            x = jnp.ones(width)
        app.run(main)
        """,
}


@pytest.mark.parametrize("refuses", ['assert data != ""', 'if not data: raise ValueError("--data is required")'])
@pytest.mark.parametrize("parser", _PARSED)
def test_an_empty_text_that_the_program_refuses_has_to_be_given(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, parser: str, refuses: str
) -> None:
    text = "import jax.numpy as jnp\n" + textwrap.dedent(_PARSED[parser]).format(refuses=refuses)
    found = analyzed(tmp_path, {"train.py": text}, monkeypatch)
    assert not [m for m in found.diagnostics if m.is_certain]
    assert bound(found, "x = jnp.ones(width)").endswith("float32[4]")


def test_an_empty_text_that_the_program_takes_is_what_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = "import jax.numpy as jnp\n" + textwrap.dedent(_PARSED["argparse"]).format(refuses="width += len(data)")
    found = analyzed(tmp_path, {"train.py": text}, monkeypatch)
    assert bound(found, "x = jnp.ones(width)").endswith("float32[4]")

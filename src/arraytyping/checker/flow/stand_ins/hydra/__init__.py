"""`hydra`: the function below `main` gets the configuration that hydra composes of the files beside the program.

Source: https://hydra.cc/docs/tutorials/basic/your_first_app/config_file/.
"""

from omegaconf import DictConfig

from arraytyping import facts


def main(config_path=None, config_name=None, version_base=None):
    def decorate(function):
        def run(cfg_passthrough=None):
            if cfg_passthrough is not None:
                return function(cfg_passthrough)
            return function(DictConfig(facts.hydra_config(config_path, config_name)))

        return run

    return decorate


def initialize(config_path=None, job_name=None, version_base=None, **options):
    return facts.reads_only("hydra.initialize")


def initialize_config_dir(config_dir, job_name=None, version_base=None, **options):
    return facts.reads_only("hydra.initialize_config_dir")


def compose(config_name=None, overrides=[], **options):
    return facts.unknown("hydra.compose")

"""`tyro.extras`."""

from arraytyping import facts


def overridable_config_cli(configs, *, args=None, **options):
    return facts.unknown("one of several configurations")


def subcommand_cli_from_dict(subcommands, *, args=None, **options):
    for function in subcommands.values():
        facts.call_with_anything(function)
    return facts.unknown("what a subcommand gives")


def __getattr__(name):
    return facts.reads_only("tyro.extras")

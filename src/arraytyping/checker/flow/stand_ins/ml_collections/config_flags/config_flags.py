"""`ml_collections.config_flags`: a flag that names a file with a function `get_config`.

Source: https://ml-collections.readthedocs.io/en/latest/config_flags.html.
"""

from arraytyping import facts


def DEFINE_config_file(name, default=None, help_string="", flag_values=None, lock_config=True, **options):
    return facts.config_file(name, default)


def DEFINE_config_dict(name, config, help_string="", flag_values=None, lock_config=True, **options):
    return facts.config_value(name, config)


def get_config_filename(config_flag):
    return facts.text()

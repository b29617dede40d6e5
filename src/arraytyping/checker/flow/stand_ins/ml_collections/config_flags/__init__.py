"""`ml_collections.config_flags`: the package, whose names are those of its module of the same name."""

from ml_collections.config_flags.config_flags import DEFINE_config_dict, DEFINE_config_file, get_config_filename

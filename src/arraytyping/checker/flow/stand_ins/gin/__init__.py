"""`gin`: functions and classes whose arguments are bound in configurations.

Source: https://github.com/google/gin-config/blob/master/docs/index.md.
"""

from .config import (
    REQUIRED, add_config_file_search_path, bind_parameter, clear_config, config_is_locked, config_scope, config_str,
    configurable, constant, constants_from_enum, current_scope, current_scope_str, enter_interactive_mode,
    exit_interactive_mode, external_configurable, finalize, get_bindings, get_configurable, markdown,
    operative_config_str, parse_config, parse_config_file, parse_config_files_and_bindings, query_parameter, register,
    unlock_config,
)  # fmt: skip

"""Runs mypy in this process as its own command does, with our plugin, and makes the claims of the checked modules.

Whatever is private in mypy and has to do with a whole build is used here and nowhere else: `main.process_options`
and `build.build`, the options that they take, the build's graph and its table of types.
"""

from arraytyping_mypy.building.checking import AskFlow, Outcome, check
from arraytyping_mypy.building.options import is_option

__all__ = ["AskFlow", "Outcome", "check", "is_option"]

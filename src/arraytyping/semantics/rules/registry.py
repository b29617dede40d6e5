"""All families of rules: importing this module fills the table `RULES`, and `evaluate` applies a rule.

Every module of this package is found by itself, and enters its rules into the table.
"""

from importlib import import_module
from pkgutil import iter_modules

from arraytyping.semantics import rules
from arraytyping.semantics.rules.evaluation import Outcome, evaluate
from arraytyping.semantics.rules.table import RULES, Rule

__all__ = ["RULES", "Outcome", "Rule", "evaluate"]

for _module in iter_modules(rules.__path__):
    import_module(f"{rules.__name__}.{_module.name}")

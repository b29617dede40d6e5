"""The rules as they are read: `RULES` has all of them by name, and `evaluate` applies one.

A family of rules is imported when one of its rules is first asked for.
"""

from arraytyping.semantics.rules.evaluation import Outcome, evaluate
from arraytyping.semantics.rules.table import RULES, Rule

__all__ = ["RULES", "Outcome", "Rule", "evaluate"]

"""Abstract-evaluation rules: from abstract arguments to the abstract result, one rule for each operation.

Importing the package fills the table `RULES`; `evaluate` applies a rule.
"""

from arraytyping.rules import (
    attributes,
    contractions,
    creation,
    cumulative,
    dtype_functions,
    elementwise,
    indexing,
    operators,
    reductions,
    structural,
)
from arraytyping.rules.evaluation import Outcome, evaluate
from arraytyping.rules.table import RULES, Rule

FAMILIES = (
    attributes,
    contractions,
    creation,
    cumulative,
    dtype_functions,
    elementwise,
    indexing,
    operators,
    reductions,
    structural,
)
"""The modules that fill the table, one for each family of operations."""

__all__ = ["FAMILIES", "RULES", "Outcome", "Rule", "evaluate"]

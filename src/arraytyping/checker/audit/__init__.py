"""Audit: a program is run, every array that its expressions make is recorded, and the claims are compared with them.

The program's own source files are instrumented when they are imported: each expression hands its value to a recorder
and is otherwise as before.  Nothing here imports jax; its arrays are known by their types once the program has done so.

```python
run = run_program(Path("train.py"), ["--steps", "3"])
audit = compare(claims, run.observations)
print(audit.wrong, audit.statistics)
```
"""

from __future__ import annotations

from arraytyping.checker.audit.comparing import Audit, Statistics, WrongClaim, compare
from arraytyping.checker.audit.observations import ArrayObservation, ExpressionObservations, Observations
from arraytyping.checker.audit.running import Frame, ProgramRun, observe, run_module, run_program

__all__ = [
    "ArrayObservation",
    "Audit",
    "ExpressionObservations",
    "Frame",
    "Observations",
    "ProgramRun",
    "Statistics",
    "WrongClaim",
    "compare",
    "observe",
    "run_module",
    "run_program",
]

"""The runtime, whole: importing this makes primitives run on XLA and gives arrays their interface.

`arraytyping.numpy`, `arraytyping.lax` and the transformations are modules of their own; whoever exports one of them to
a program loads this first.
"""

from arraytyping.runtime import interface as interface
from arraytyping.runtime.transformations import shard_map_rules as shard_map_rules
from arraytyping.runtime.xla import execution as execution

from arraytyping.runtime import cut_primitives as cut_primitives  # isort: skip (it gives rules to the primitives above)

__all__: list[str] = []

"""What an array offers: attributes, operators, methods, conversions; importing this puts them on `Array`.

The class itself is `basearray`, which static tools import; what its methods compute comes from above.
"""

from arraytyping.runtime.interface import attributes, host, memory, methods, operators, reductions, text, updates

__all__ = ["attributes", "host", "memory", "methods", "operators", "reductions", "text", "updates"]

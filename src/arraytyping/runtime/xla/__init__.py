"""XLA underneath: everything that imports jaxlib; importing this package itself loads nothing.

Reading order: `jaxlib_api` (jaxlib's private interface, behind a small one of ours), then what is built on it.
"""

from __future__ import annotations

import os

# XLA reads this as it is loaded; without it each client reports its devices on stderr.  jax sets the same.
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "1")

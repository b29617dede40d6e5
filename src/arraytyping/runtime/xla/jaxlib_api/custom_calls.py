"""The computations that jaxlib brings beside XLA: LAPACK's factorizations, and sparse products, on the CPU.

They are targets of `stablehlo.custom_call` (`lapack_sgetrf_ffi`, ...).  FFTs need none of this: XLA has them.
XLA's table of targets is one for the process; jax enters the same functions there, before or after, which XLA allows.

Source: `jaxlib/lapack.py` and `jaxlib/cpu_sparse.py` of jaxlib 0.10.2.
"""

from __future__ import annotations

from functools import lru_cache

from arraytyping.runtime.xla.jaxlib_api.extension import require, xla

__all__ = ["register_custom_calls"]


@lru_cache(maxsize=1)
def register_custom_calls() -> frozenset[str]:
    """Make the CPU's custom calls known to XLA, once, and return their names.

    Raises:
        ImportError: if SciPy, whose LAPACK is called, is not installed.
        UnsupportedJaxlib: if jaxlib does not have them where they are looked for.
    """
    try:
        require("jaxlib.cpu._lapack", "initialize", "registrations").initialize()
    except ModuleNotFoundError as error:
        raise ImportError("linear algebra on the CPU calls SciPy's LAPACK: pip install scipy", name="scipy") from error
    names = set()
    for module in ("jaxlib.cpu._lapack", "jaxlib.cpu._sparse"):
        for name, function in require(module, "registrations").registrations().items():
            typed = name.endswith("_ffi") or module.endswith("_sparse")  # of XLA's two calling conventions
            xla.register_custom_call_target(name, function, "Host", int(typed), 0)
            names.add(name)
    return frozenset(names)

"""Writes docs/runtime-names.md: how many of JAX's public names the runtime has, module by module, and which it lacks.

    python tools/runtime_names.py [--check]

JAX is imported and asked; `--check` writes nothing, and exits with 1 if the page differs.
"""

from __future__ import annotations

import argparse
import importlib
import inspect
import sys
import warnings
from pathlib import Path
from typing import Any, Final

PAGE: Final = Path(__file__).resolve().parent.parent / "docs" / "runtime-names.md"
MODULES: Final = (
    "numpy", "numpy.linalg", "numpy.fft", "lax", "lax.linalg", "random", "nn", "nn.initializers", "scipy.special",
    "scipy.linalg", "scipy.stats", "scipy.signal", "scipy.fft", "scipy.integrate", "scipy.interpolate",
    "scipy.ndimage", "scipy.optimize", "scipy.cluster.vq", "scipy.spatial.transform", "scipy.sparse.linalg", "image",
    "ops", "tree", "tree_util",
)  # fmt: skip
"""The modules whose names are counted: a name without an underscore that is no module."""

REASONS: Final = {
    "lax": {
        "precv, psend, ragged_all_to_all, ragged_all_to_all_p": "exchanges that XLA's CPU does not have",
        "device_put_p": "a primitive: `device_put` within a program is a constraint",
        "AccuracyMode, Tolerance, DotAlgorithm": "choices among implementations of accelerators",
        "scaled_dot": "a kernel of accelerators",
        "after_all, after_all_p, create_token, create_token_p": "tokens are no values here: effects are in order by "
        "themselves",
        "rng_uniform, rng_uniform_p": "random numbers that depend on the platform",
        "approx_top_k_p, copy_p, eq_to_p, le_to_p, lt_to_p, select_and_scatter_p, split_p, squeeze_p, stack_p, "
        "stage_p, tile_p, unstack_p": "primitives: their functions are there, made of others",
    },
    "random": {"random_gamma_p": "a primitive: `gamma` is made of others"},
    "nn": {"get_scaled_dot_general_config, scaled_dot_general, scaled_matmul": "kernels of accelerators"},
    "tree_util": {"default_registry": "an object of jaxlib's; classes are registered by functions"},
}
"""Why names are not there, module by module."""

HEAD: Final = """\
# Names of the runtime

Which public names of JAX {version} the [runtime](runtime.md) has, under the same path with `arraytyping` in the place
of `jax`.  `python tools/runtime_names.py` writes this page.

| module | has | of | lacks |
|---|--:|--:|---|
"""


def public_names(module: Any) -> list[str]:
    """The names that a module offers."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return [n for n in dir(module) if not n.startswith("_") and not inspect.ismodule(getattr(module, n))]


def missing(module: str) -> tuple[list[str], list[str]]:
    """All names of a module of JAX, and those that the runtime's lacks."""
    names = public_names(importlib.import_module(f"jax.{module}"))
    try:
        ours: Any = importlib.import_module(f"arraytyping.{module}")
    except ModuleNotFoundError:
        ours = None
    return names, [n for n in names if not hasattr(ours, n)]


def page() -> str:
    """The whole page."""
    version = importlib.import_module("jax").__version__
    lines, has, of = [], 0, 0
    whys: list[str] = []
    for module in MODULES:
        names, lacking = missing(module)
        has, of = has + len(names) - len(lacking), of + len(names)
        what = ", ".join(f"`{n}`" for n in lacking)
        lines.append(f"| `{module}` | {len(names) - len(lacking)} | {len(names)} | {what} |")
        whys += _reasons(module, lacking)
    lines.append(f"| all | {has} | {of} | |")
    table = "\n".join(lines)
    return (
        HEAD.format(version=version) + f"{table}\n\n## Why\n\n| names | reason |\n|---|---|\n" + "\n".join(whys) + "\n"
    )


def _reasons(module: str, lacking: list[str]) -> list[str]:
    """Why a module lacks names.

    Raises:
        ValueError: for a name without a reason, and a reason without a name.
    """
    lines, given = [], []
    for names, reason in REASONS.get(module, {}).items():
        given += (found := names.split(", "))
        lines.append(f"| {', '.join(f'`{module}.{n}`' for n in found)} | {reason} |")
    if sorted(given) != sorted(lacking):
        raise ValueError(f"REASONS of {module}: {sorted(set(given) ^ set(lacking))} have no reason, or are there")
    return lines


def main(arguments: list[str] | None = None) -> int:
    """Write or check the page."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="write nothing; exit with 1 if the page differs")
    given = parser.parse_args(arguments)
    text = page()
    if given.check:
        is_same = PAGE.exists() and PAGE.read_text() == text
        if not is_same:
            print(f"{PAGE.name} is not what the runtime has; run python tools/runtime_names.py")
        return not is_same
    PAGE.write_text(text)
    print(next(line for line in text.splitlines() if line.startswith("| all")))
    return 0


if __name__ == "__main__":
    sys.exit(main())

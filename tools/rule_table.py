"""Writes docs/rules.md: for each public function of JAX whether a rule describes it, and if none does, why not.

It writes the numbers of rules in README.md as well.

    python tools/rule_table.py [--check]

The names are those of `checker/stubgen/jax_surface.txt`; `--check` writes nothing, and exits with 1 if one
of the files differs.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from arraytyping.checker.stubgen.surface import Declaration, read_surface
from arraytyping.semantics.rules import registry

ROOT: Final = Path(__file__).resolve().parent.parent
PAGE: Final = ROOT / "docs" / "rules.md"
README: Final = ROOT / "README.md"
MODULES: Final = (
    "numpy", "numpy.linalg", "numpy.fft", "lax", "lax.linalg", "nn", "random", "scipy.linalg", "scipy.signal",
    "scipy.special", "scipy.fft", "image", "tree",
)  # fmt: skip
"""The modules of which each function is listed."""

_FUNCTIONS: Final = "it takes a function, which a rule cannot call"
_VALUES: Final = "the shape depends on values"
_NO_ARRAY: Final = "it gives no array"
_FILES: Final = "it reads or writes data from outside"
_MESH: Final = "it takes part in a mesh of devices"
_TREE: Final = (
    "it takes a tree, which a rule cannot be given; flow follows it, and the plugin what it knows of the tree"
)
_CONFIGURED: Final = "which keys it makes the configuration says; the plugin and flow know"
WHY_NOT: Final[dict[str, str]] = {
    **dict.fromkeys((
        "numpy.apply_along_axis", "numpy.apply_over_axes", "numpy.frompyfunc", "numpy.fromfunction", "numpy.piecewise",
        "numpy.vectorize", "lax.associative_scan", "lax.cond", "lax.custom_linear_solve", "lax.custom_root",
        "lax.fori_loop", "lax.map", "lax.reduce", "lax.scan", "lax.switch", "lax.while_loop", "lax.composite",
        "lax.platform_dependent",
    ), _FUNCTIONS),
    **dict.fromkeys((
        "numpy.bincount", "numpy.compress", "numpy.extract", "numpy.histogram_bin_edges", "numpy.mask_indices",
        "numpy.roots", "numpy.trim_zeros",
    ), _VALUES),
    **dict.fromkeys((
        "numpy.array_repr", "numpy.array_str", "numpy.einsum_path", "numpy.get_printoptions", "numpy.iscomplexobj",
        "numpy.isrealobj", "numpy.isscalar", "numpy.iterable", "numpy.printoptions", "numpy.set_printoptions",
        "lax.conv_dimension_numbers", "lax.conv_general_permutations", "lax.conv_general_shape_tuple",
        "lax.conv_shape_tuple", "lax.conv_transpose_shape_tuple", "lax.create_token", "lax.after_all", "lax.dtype",
        "lax.padtype_to_pads", "lax.reduce_window_shape_tuple", "lax.shape_as_value", "lax.dce_sink",
        "nn.get_scaled_dot_general_config", "random.key_dtype", "random.key_impl", "scipy.linalg.cho_factor",
        "tree.static",
    ), _NO_ARRAY),
    **dict.fromkeys((
        "numpy.from_dlpack", "numpy.frombuffer", "numpy.fromfile", "numpy.fromiter", "numpy.fromstring", "numpy.load",
        "numpy.save", "numpy.savez",
    ), _FILES),
    **dict.fromkeys((
        "lax.all_gather", "lax.all_to_all", "lax.axis_index", "lax.axis_size", "lax.pbroadcast", "lax.pcast",
        "lax.pmax", "lax.pmean", "lax.pmin", "lax.ppermute", "lax.precv", "lax.psend", "lax.pshuffle", "lax.psum",
        "lax.psum_scatter", "lax.pswapaxes", "lax.ragged_all_to_all", "lax.with_sharding_constraint",
    ), _MESH),
    **dict.fromkeys((
        "tree.all", "tree.broadcast", "tree.flatten", "tree.flatten_with_path", "tree.leaves",
        "tree.leaves_with_path", "tree.map", "tree.map_with_path", "tree.reduce", "tree.reduce_associative",
        "tree.structure", "tree.transpose", "tree.unflatten",
    ), _TREE),
    **dict.fromkeys(("random.PRNGKey", "random.key", "random.wrap_key_data"), _CONFIGURED),
}  # fmt: skip
"""Why there is no rule, where there is a reason besides that none is written."""

NOT_WRITTEN: Final = "none is written yet; flow asks the installed jax"
HEAD: Final = """\
# Which functions have a rule

What a rule describes is known to the plugin for mypy as far as its arguments are, and to flow where jax cannot be asked
since something is not known.  Where there is none, flow asks the installed jax, and the plugin knows nothing, but for
what the reason says.  This page is written by `python tools/rule_table.py`.
"""


def functions(module: dict[str, Declaration]) -> list[str]:
    """The names of a module's functions, ufuncs among them."""
    kinds = ("ufunc", "jitted")
    return [n for n, d in module.items() if not n.startswith("_") and (d.kind == "function" or d.type in kinds)]


def page() -> str:
    """The text of the page."""
    surface = read_surface()
    lines = [line for name in MODULES for line in section(name, surface[f"jax.{name}"])]
    return "\n".join([HEAD, *lines, *distributions()])


def distributions() -> Iterator[str]:
    """The lines of `jax.scipy.stats`, which has a module for each distribution, and functions of samples."""
    names = [n.split(".")[2:] for n in registry.RULES if n.startswith("scipy.stats.")]
    found = sorted({n[0] for n in names if len(n) > 1})
    of_samples = sorted(n[0] for n in names if len(n) == 1)
    yield "## `jax.scipy.stats`\n"
    yield f"All functions of {len(found)} distributions have a rule: {', '.join(f'`{n}`' for n in found)}.\n"
    yield f"So have {', '.join(f'`{n}`' for n in of_samples)}.\n"


def section(name: str, module: dict[str, Declaration]) -> Iterator[str]:
    """The lines of one module."""
    names = functions(module)
    have = [n for n in names if f"{name}.{n}" in registry.RULES]
    yield f"## `jax.{name}`\n"
    yield f"{len(have)} of {len(names)} functions have a rule.\n"
    missing: dict[str, list[str]] = {}
    for n in names:
        if n not in have:
            missing.setdefault(WHY_NOT.get(f"{name}.{n}", NOT_WRITTEN), []).append(n)
    if not missing:
        return
    yield "| without a rule | why |"
    yield "|---|---|"
    for reason, without in sorted(missing.items()):
        yield f"| {', '.join(f'`{n}`' for n in without)} | {reason} |"
    yield ""


def stale() -> list[str]:
    """The names with a reason that have a rule, or that JAX does not have."""
    surface = read_surface()
    known = {f"{m}.{n}" for m in MODULES for n in surface[f"jax.{m}"]}
    return sorted(name for name in WHY_NOT if name in registry.RULES or name not in known)


def counted(text: str) -> str:
    """The README with the numbers of rules that there are now.

    Raises:
        ValueError: if its sentence on them is not found.
    """
    numbers = [sum(name.startswith(prefix) for name in registry.RULES) for prefix in ("numpy.", "lax.", "Array.")]
    sentence = re.compile(r"\d+ (functions\s+of\s+`jax\.numpy`,)\s+\d+ (of\s+`jax\.lax`\s+and)\s+\d+ (methods)")
    found = sentence.search(text)
    if found is None:
        raise ValueError("README.md has no sentence on the numbers of rules")
    words = " ".join(f"{number} {part}" for number, part in zip(numbers, found.groups()))
    return text.replace(found[0], words)


def main(arguments: list[str] | None = None) -> int:
    """Write or compare; the exit code."""
    parser = argparse.ArgumentParser(description="Which functions of JAX have a rule.")
    parser.add_argument("--check", action="store_true", help="write nothing; exit with 1 if the page differs")
    given = parser.parse_args(arguments)
    texts = {PAGE: page(), README: counted(README.read_text(encoding="utf-8"))}
    differing = [path for path, text in texts.items() if not path.exists() or path.read_text(encoding="utf-8") != text]
    if given.check:
        for path in differing:
            print(f"{path.name} differs: run `python tools/rule_table.py` and commit what it writes")
        return 1 if differing else 0
    for path in differing:
        path.write_text(texts[path], encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""mypy's stubtest holds the stubs of our own arrays against the runtime: names, parameters, kinds and defaults."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path
from typing import Final

from agreements import agreed, record
from checkers import ROOT, STUBS, environment
from kept_reports import question
from read_files import read_for
from shares import is_thorough

MODULES: Final = ("arraytyping.numpy", "arraytyping.lax", "arraytyping.basearray", "arraytyping.scalars")

ENCODING: Final = (
    r"arraytyping\.\S*\._",  # private
    r"arraytyping\.scalars\.(Is_\w+|UpperBound|LowerBound|Joining\d|NarrowInteger|BelowFloat|AsDType) ",
    r"arraytyping\.scalars\.(Array|SomeShape|O|J) ",
    r"arraytyping\.basearray\.(AnyShape|SomeShape|NoDType|NoShape|Nobody|NumPyLike|SupportsJAXArray|HasScalarType) ",
    r"arraytyping\.basearray\.(DTypeOf|D|S|HasKnownDType|KnownDType|UnknownDType|MixedList|MixedTuple) ",
    r"arraytyping\.basearray\.(ArrayLike|DTypeLike|DTypeOf\S*|Array\.aval) ",
)
"""The classes that the lattice is encoded in exist for checkers alone."""

LOOSE: Final = (
    # classes that are dtypes
    r"arraytyping\.scalars\.\S+ .*(metaclass differs|not present in stub|is inconsistent)",
    # declared as classes of anything
    r"arraytyping\.numpy\.(ufunc|dtype|finfo|iinfo|flexible|object_|generic)\b",
    r"arraytyping\.numpy\.\w+ variable differs from runtime type arraytyping\.numpy\.ufuncs\.ufunc",
    r"arraytyping\.numpy\.set_printoptions ",
    # enumerations and named tuples
    r"arraytyping\.lax\.DotDimensionNumbers is inconsistent",
    r"arraytyping\.lax\.\w+(\.\S+)? .*(__new__|stub does not have|not present in stub|is not a|metaclass)",
    # the modules in which the functions are written
    r"arraytyping\.lax\.\w+\.",
    r"arraytyping\.numpy\.\w+\.\w+ .*(__arg|is not a function)",
    r"arraytyping\.\w+\.\w+(\.\w+)* failed to find stubs",
    # an overload in which `dtype` is required
    r"arraytyping\.numpy\.(arange|array|eye|from_dlpack|linspace|geomspace|logspace|tri) .*parameter",
    r"arraytyping\.basearray\.Array\.\w+ .*(\"self\" differs|read-only at runtime|does not have \*)",
    r"arraytyping\.basearray\.Array\.__\w+__ ",
    r"\S+ variable differs from runtime type Literal",
)
"""Where the stub says less, or says it in another way."""

KNOWN: Final = (
    "arraytyping.basearray.Array.format is not present at runtime",
    "arraytyping.basearray.Array.traceback is not present at runtime",
    'arraytyping.lax.all_gather is inconsistent, runtime does not have parameter "to"',
    'arraytyping.lax.mul is inconsistent, runtime does not have parameter "out_dtype"',
    'arraytyping.lax.pswapaxes is inconsistent, runtime does not have parameter "axis_index_groups"',
    'arraytyping.lax.scan is inconsistent, runtime does not have parameter "_split_transpose"',
)
"""What JAX has, and so the stub, but the runtime has not."""


def _join_volumes(env: Path) -> None:
    """Put the functions of large modules back into one file: stubtest passes over what a stub imports."""
    (installed,) = env.glob("lib/*/site-packages/arraytyping-stubs")
    installed.unlink()
    shutil.copytree(STUBS / "arraytyping-stubs", installed)
    for module in ("numpy", "lax"):
        volumes = sorted((installed / module).glob("_from_*.pyi"))
        assert len(volumes) > 5
        own = installed / module / "__init__.pyi"
        lines = [line for line in own.read_text().splitlines() if f"from arraytyping.{module}._from_" not in line]
        text = [line for file in volumes for line in file.read_text().splitlines()]
        shared = dict.fromkeys(line for line in text if re.match(r"_\w+ = TypeVar|from (?!arraytyping\.numpy )", line))
        bodies = [line for line in text if not re.match(r"_\w+ = TypeVar|from |import ", line)]
        own.write_text("\n".join([*lines, *(line for line in shared if line not in lines), *bodies, ""]))
        for file in volumes:
            file.unlink()


def test_stubtest(tmp_path: Path) -> None:
    """Where it held before, and neither the runtime nor the stubs have changed, it holds."""
    if agreed(digest := _asked()) and not is_thorough():
        return
    env = environment(tmp_path / "environment", ["arraytyping-stubs"])
    _join_volumes(env)
    (tmp_path / "mypy.ini").write_text(
        "[mypy]\ndisable_error_code = overload-overlap, overload-cannot-match, override, misc, no-redef\n"
    )
    command = [
        str(env / "bin" / "python"),
        "-m",
        "mypy.stubtest",
        "--concise",
        "--mypy-config-file",
        "mypy.ini",
        *MODULES,
    ]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    lines = [line for line in done.stdout.splitlines() if line.startswith("arraytyping.")]
    assert len(lines) > 100, done.stdout + done.stderr
    expected = re.compile("|".join((*ENCODING, *LOOSE)))
    others = [line for line in lines if not expected.match(line)]
    assert sorted(others) == sorted(KNOWN)
    record(digest)


def _asked() -> str:
    """The digest of all sources but the checker's, which the runtime does without, and of the stubs."""
    source = ROOT / "src" / "arraytyping"
    files = [f for f in sorted(source.rglob("*.py")) if not f.is_relative_to(source / "checker")]
    names = [f.relative_to(source.parent).as_posix() for f in files]
    read = read_for(source.parent, names, ["arraytyping-stubs"])
    return question("mypy", read, ["stubtest"], Path(__file__))

"""The names of the classes that the plugin treats apart, as mypy spells them."""

from __future__ import annotations

import os
import sys
from functools import lru_cache
from typing import Final

ARRAY: Final = "jax._src.basearray.Array"
"""The class of JAX's arrays; `jax.Array` and `jax.numpy.ndarray` are aliases."""

OWN_ARRAY: Final = "arraytyping.basearray.Array"
"""The class of arraytyping's own arrays."""

ARRAYS: Final = frozenset({ARRAY, OWN_ARRAY})
"""The classes of arrays that are known."""

JIT_WRAPPED: Final = "jax._src.pjit.JitWrapped"
"""What `jax.jit` returns."""

OWN_JIT_WRAPPED: Final = "arraytyping.runtime.transformations.jit.JitWrapped"
"""What `arraytyping.jit` returns."""

JIT_CALLS: Final = frozenset({"jax._src.stages.Wrapped.__call__", f"{JIT_WRAPPED}.__call__"})
"""The methods that calls of jitted functions go to."""

JIT_WRAPPERS: Final = frozenset({JIT_WRAPPED, OWN_JIT_WRAPPED})
"""What a `jit` returns."""

SCALARS_MODULE: Final = "arraytyping.scalars"
"""Where the classes of the first type parameter live."""

STUB_SCALARS_MODULE: Final = "jax._src.numpy.scalar_types"
"""Where they live if our stubs of JAX are installed; JAX's own module of this name has no such classes."""

TREE_DEFINITION: Final = "arraytyping.semantics.tree_definitions.PyTreeDef"
"""The class of what `jax.tree.structure` gives, as the plugin has it."""

OPTIMIZERS_MODULE: Final = "arraytyping.semantics.optimizers"
"""Where the classes are that stand for those of Optax, of which mypy finds none."""

OWN_MODULES: Final = frozenset({SCALARS_MODULE, OPTIMIZERS_MODULE, TREE_DEFINITION.rpartition(".")[0]})
"""Where our classes are that the plugin may need."""

OPTIMIZER: Final = f"{OPTIMIZERS_MODULE}.GradientTransformation"
DEFAULT_OPTIMIZER: Final = f"{OPTIMIZERS_MODULE}.DefaultTransformation"
UNIFORM_OPTIMIZER: Final = f"{OPTIMIZERS_MODULE}.UniformTransformation"
INJECTED_FACTORY: Final = f"{OPTIMIZERS_MODULE}.InjectedFactory"
OPT_STATE: Final = f"{OPTIMIZERS_MODULE}.OptState"
SCHEDULE: Final = f"{OPTIMIZERS_MODULE}.Schedule"
OPTIMIZERS: Final = (DEFAULT_OPTIMIZER, UNIFORM_OPTIMIZER, OPTIMIZER)
"""The classes of optimizers, each with those of which more is known behind it."""
OPEN_CLASSES: Final = frozenset({TREE_DEFINITION, *OPTIMIZERS, INJECTED_FACTORY, OPT_STATE, SCHEDULE})
"""The classes of ours that stand for others, of which mypy knows nothing."""

TRAIN_STATE: Final = "flax.training.train_state.TrainState"
"""Flax's class of what changes in training: the step, the parameters, the state of the optimizer."""

SCALAR_META: Final = "jax._src.numpy.scalar_types._ScalarMeta"
"""The class of `jax.numpy.float32` and its kin at run time."""

UFUNC_CALLS: Final = frozenset({"jax.numpy.BinaryUfunc.__call__", "jax.numpy.ufunc.__call__"})
"""The methods that calls of NumPy-style ufuncs go to; the function's name is in the callee."""

STUB_UFUNC: Final = "jax.numpy._Ufunc_"
"""How the names of the ufuncs' classes begin in our stubs of JAX."""

_INSTALLED: Final = frozenset({"site-packages", "dist-packages", "typeshed"})
LIBRARIES: Final = frozenset(
    {"jax", "jaxlib", "numpy", "scipy", "ml_dtypes", "opt_einsum", "jaxtyping", "builtins", "typing", "arraytyping"}
)
"""Top-level packages in whose own sources nothing is computed: there is no program to check."""

_READING_BYSTANDERS: Final = frozenset({
    "matplotlib", "PIL", "absl", "rich", "typeguard", "yaml", "click", "tqdm", "pytest", "tyro",
})  # fmt: skip
BYSTANDERS: Final = _READING_BYSTANDERS | {
    "IPython", "mpl_toolkits", "matplotlib_inline", "prompt_toolkit", "pygments", "traitlets", "pyparsing",
    "wcwidth", "executing", "stack_data", "asttokens", "pure_eval", "packaging", "cycler", "decorator",
    "filelock", "jedi", "parso", "pexpect", "ptyprocess", "kiwisolver", "contourpy", "fontTools", "dateutil",
    "markdown_it", "mdurl", "attr", "attrs", "jinja2", "markupsafe", "requests", "urllib3", "certifi", "idna",
    "charset_normalizer", "fsspec", "humanize", "psutil", "msgpack", "pydantic", "pydantic_core",
    "annotated_types", "omegaconf", "hydra", "antlr4", "wandb", "pluggy", "iniconfig", "_pytest", "toolz",
    "cloudpickle", "simplejson", "aiofiles", "anyio", "docstring_parser", "opentelemetry", "coreweave_evaluations",
    "cryptography", "httpcore", "httpx", "h11", "platformdirs", "sniffio", "sentry_sdk", "git", "gitdb",
}  # fmt: skip
"""Packages that JAX and its libraries import where they are installed, hundreds of modules without arrays of JAX."""

_READING_NEIGHBOURS: Final = frozenset({
    "flax", "optax", "chex", "haiku", "equinox", "distrax", "diffrax", "einops", "beartype",
})  # fmt: skip
NEIGHBOURS: Final = _READING_NEIGHBOURS | {
    "orbax", "rlax", "lineax", "optimistix", "jmp", "brax", "mujoco", "gymnax", "gymnasium", "gym", "dm_env",
    "tensorflow_probability", "tensorflow", "etils", "tensorstore", "treescope", "torch", "pandas", "sklearn",
    "seaborn", "plotly", "sympy", "networkx",
}  # fmt: skip
"""Packages that programs of JAX's import, some of which know its arrays: nothing is computed in what is installed."""

CONTAINERS: Final = tuple(
    f"{name}."
    for name in (
        "builtins.list", "builtins.dict", "builtins.set", "collections.deque", "collections.defaultdict",
        "collections.OrderedDict", "typing.Sequence", "typing.MutableSequence", "typing.Mapping",
        "typing.MutableMapping", "typing.Iterable",
    )
)  # fmt: skip
"""How the names of methods begin that put something into a container, or hand it out."""

NUMBERS: Final = ("builtins.bool.", "builtins.int.", "builtins.float.", "builtins.complex.")
"""How the names of the methods of Python's numbers begin."""

READING: Final = LIBRARIES | sys.stdlib_module_names | _READING_BYSTANDERS | _READING_NEIGHBOURS | {
    "optree", "typing_extensions", "typer", "fire",
}  # fmt: skip
"""Packages that put nothing into containers of the program."""


def is_program(module: str, path: str) -> bool:
    """Whether a module is the user's, and no library's or stub."""
    return path.endswith((".py", ".ipynb", ".md")) and not is_library(module) and not is_installed(path)


def is_library(module: str) -> bool:
    """Whether a module, or anything in it by its full name, is of a package in whose sources nothing is computed."""
    return module.partition(".")[0] in LIBRARIES


def is_bystander(module: str, path: str) -> bool:
    """Whether a module is one of the packages without arrays, and none of the program with a name of theirs."""
    return module.partition(".")[0] in BYSTANDERS and not is_program(module, path)


def is_installed(path: str) -> bool:
    """Whether a file is one of a package that is installed, or of mypy's own stubs."""
    path = path.replace(os.altsep or os.sep, os.sep)
    folder, separator, name = path.rpartition(os.sep)
    return _is_for_packages(folder) if separator else name in _INSTALLED


@lru_cache(maxsize=4096)
def _is_for_packages(folder: str) -> bool:
    return not _INSTALLED.isdisjoint(folder.split(os.sep))  # noqa: PTH206

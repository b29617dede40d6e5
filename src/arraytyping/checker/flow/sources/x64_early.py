"""The files in which a program may make arrays before it switches x64, as at the top of a module that it imports first.

What such an array is the switch does not say.  The program is gone through in the order in which it runs, by names
alone, as far as its first switch: both sides of a condition, and each function once, when what may be it is called.
"""

from __future__ import annotations

import ast
import builtins
import sys
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Final

from arraytyping.checker.flow.sources.statements import statements

__all__ = ["early_files"]

_Function = ast.FunctionDef | ast.AsyncFunctionDef
_BUILTINS: Final = frozenset(vars(builtins))
_WITHOUT_ARRAYS: Final = sys.stdlib_module_names | {
    "numpy", "scipy", "pytest", "absl", "matplotlib", "optax", "tqdm", "click", "yaml", "rich", "einops", "pandas",
    "typing_extensions", "jaxtyping", "beartype", "typeguard", "chex", "ml_collections", "hydra", "omegaconf", "wandb",
}  # fmt: skip
"""Packages of which a call gives no array of JAX, unless a function of the program that it is given does."""
_MAKERS: Final = frozenset({
    "jit", "pmap", "vmap", "grad", "value_and_grad", "checkpoint", "remat", "jacfwd", "jacrev", "hessian", "custom_jvp",
    "custom_vjp", "named_call", "shard_map", "defjvp", "defvjp", "defjvps", "partial", "transform", "update", "read",
    "transform_with_state", "filter_jit", "filter_grad", "filter_value_and_grad", "filter_vmap", "field",
    "static_field", "module_update_wrapper", "dataclass", "NamedSharding", "PartitionSpec", "ShapeDtypeStruct",
    "devices", "local_devices", "device_count", "local_device_count", "process_index", "default_backend", "finfo",
    "iinfo", "dtype", "register_pytree_node", "register_pytree_node_class", "register_pytree_with_keys",
    "register_dataclass", "register_static", "register_pytree_with_keys_class", "compact", "nowrap", "wraps",
    "lru_cache", "cache", "contextmanager", "fixture",
})  # fmt: skip
"""Functions that make no arrays of JAX by themselves, and call nothing that they are given."""

Names = tuple[str, tuple[str, ...], int]
"""What is imported: a module, the names that are taken from it, and how many packages above."""


class _Switched(Exception):
    """The program has come to a place that switches x64."""


def early_files(
    modules: Iterable[tuple[str, str]],
    main: str,
    trees: Callable[[str], ast.Module],
    imported: Callable[[Names, str, str], Iterable[tuple[str, str]]],
    switches: Mapping[str, Collection[int]],
) -> set[str]:
    """The files in which arrays may be made before x64 is switched, of a program that loads these modules in turn.

    A module is its file and its name; `main` is the file that is run itself, if one is.  `imported` says which modules
    an import loads in a file that has a name, and `switches` in which lines of which files x64 is switched.
    """
    run = _Run(main, trees, imported, switches)
    try:
        for file, name in modules:
            run.load(file, name)
    except _Switched:
        pass
    return run.found


class _Run:
    """What has run so far."""

    def __init__(
        self,
        main: str,
        trees: Callable[[str], ast.Module],
        imported: Callable[[Names, str, str], Iterable[tuple[str, str]]],
        switches: Mapping[str, Collection[int]],
    ) -> None:
        self.main = main
        self.imported = imported
        self.switches = switches
        self.found: set[str] = set()
        self._trees = trees
        self._loaded: set[str] = set()
        self._functions: dict[str, list[tuple[_Function, _Reader]]] = {}
        self._bases: dict[str, set[str]] = {}
        self._called: set[_Function | str] = set()

    def load(self, file: str, name: str) -> None:
        """Run the body of a module that is imported for the first time."""
        if file in self._loaded:
            return
        self._loaded.add(file)
        package = name.rpartition(".")[0]
        if package:
            for inner in self.imported((package, (), 0), file, name):
                self.load(*inner)
        tree = self._trees(file)
        reader = _Reader(self, file, name, tree)
        for node in statements(tree):
            if isinstance(node, ast.ClassDef):
                bases = {_last(base) for base in node.bases if isinstance(base, ast.Name | ast.Attribute)}
                self._bases.setdefault(node.name, set()).update(bases)
                for one in node.body:
                    if isinstance(one, _Function) and one.name.startswith("__"):
                        self._functions.setdefault(node.name, []).append((one, reader))
            elif isinstance(node, _Function):
                self._functions.setdefault(node.name, []).append((node, reader))
        reader.run(tree.body)

    def call(self, name: str) -> None:
        """Run the functions of this name, each of them once; of a class those that make an instance."""
        if name in self._bases and name not in self._called:
            self._called.add(name)
            for base in self._bases[name]:
                self.call(base)
        for function, reader in self._functions.get(name, ()):
            if function not in self._called:
                self._called.add(function)
                reader.run(function.body)


class _Reader(ast.NodeVisitor):
    """Goes through what runs of a file."""

    def __init__(self, run: _Run, file: str, name: str, tree: ast.Module) -> None:
        self._run = run
        self._file = file
        self._name = name
        self._lines = run.switches.get(file, ())
        nodes = list(statements(tree))
        self._aliases: dict[str, str] = {}
        for node in nodes:
            if isinstance(node, ast.Import):
                self._aliases |= {a.asname or a.name.partition(".")[0]: a.name.partition(".")[0] for a in node.names}
            elif isinstance(node, ast.ImportFrom):
                head = "" if node.level else (node.module or "").partition(".")[0]
                self._aliases |= {a.asname or a.name: f"{head}.{a.name}" for a in node.names}
        self._own = {n.name for n in nodes if isinstance(n, _Function | ast.ClassDef)}

    def run(self, body: Iterable[ast.stmt]) -> None:
        """Run some statements of the file."""
        for statement in body:
            self.visit(statement)

    def visit(self, node: ast.AST) -> None:
        """Go through a node, and no further where it switches x64."""
        super().visit(node)
        if isinstance(node, ast.Call | ast.Assign) and node.lineno in self._lines:
            raise _Switched

    def visit_Import(self, node: ast.Import) -> None:
        for alias in node.names:
            self._import((alias.name, (), 0))

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        self._import((node.module or "", tuple(a.name for a in node.names), node.level))

    def _import(self, what: Names) -> None:
        for file, name in self._run.imported(what, self._file, self._name):
            self._run.load(file, name)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        self._define(node)

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> None:
        self._define(node)

    def _define(self, node: _Function) -> None:
        """What runs where a function is defined: its decorators, and the defaults of its parameters."""
        for decorator in node.decorator_list:
            self.visit(decorator)
            if isinstance(decorator, ast.Name | ast.Attribute):
                self._call(decorator, [])
        for default in (*node.args.defaults, *node.args.kw_defaults):
            if default is not None:
                self.visit(default)

    def visit_Lambda(self, node: ast.Lambda) -> None:
        pass  # what it does when it is called is looked at where it may be

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        if node.value is not None:
            self.visit(node.value)

    def visit_If(self, node: ast.If) -> None:
        test = ast.unparse(node.test)
        if test not in ("TYPE_CHECKING", "typing.TYPE_CHECKING"):
            is_asked = test in ("__name__ == '__main__'", "'__main__' == __name__")
            self.visit(node.test)
            if not is_asked or self._file == self._run.main:
                self.run(node.body)
        self.run(node.orelse)

    def visit_Call(self, node: ast.Call) -> None:
        arguments = [*node.args, *(keyword.value for keyword in node.keywords)]
        for argument in arguments:
            self.visit(argument)
        self._hand_on(keyword.value for keyword in node.keywords if keyword.arg == "default_factory")
        if isinstance(node.func, ast.Name | ast.Attribute):
            if isinstance(node.func, ast.Attribute):
                self.visit(node.func.value)
            self._call(node.func, arguments)
        elif isinstance(node.func, ast.Lambda):
            self.visit(node.func.body)
        else:
            self.visit(node.func)
            if isinstance(node.func, ast.Call):  # jax.vmap(f)(x): what the first call makes is called at once
                self._run.found.add(self._file)
                self._hand_on([*node.func.args, *(k.value for k in node.func.keywords)])

    def _call(self, function: ast.Name | ast.Attribute, arguments: list[ast.expr]) -> None:
        last = _last(function)
        root: ast.expr = function
        while isinstance(root, ast.Attribute):
            root = root.value
        if isinstance(function, ast.Name) and last in self._own:
            self._run.call(last)
            self._hand_on(arguments)
            return
        origin = self._aliases.get(root.id) if isinstance(root, ast.Name) else None
        if origin is None:  # a method of something, a builtin, or a variable of the program
            self._run.call(last)
            self._hand_on(arguments)
            if isinstance(function, ast.Name) and last not in _BUILTINS:
                self._run.found.add(self._file)
            return
        head, _, name = origin.partition(".")
        if isinstance(function, ast.Name) and name:
            last = name
        if not head or not self._is_elsewhere(head):
            self._run.call(last)
        elif last in _MAKERS:
            return
        elif head not in _WITHOUT_ARRAYS:
            self._run.found.add(self._file)
        self._hand_on(arguments)

    def _is_elsewhere(self, head: str) -> bool:
        """Whether a package is none of the program."""
        return not any(self._run.imported((head, (), 0), self._file, self._name))

    def _hand_on(self, arguments: Iterable[ast.expr]) -> None:
        """Functions that are arguments of a call may be called by it."""
        for argument in arguments:
            if isinstance(argument, ast.Lambda):
                self.visit(argument.body)
            elif isinstance(argument, ast.Name | ast.Attribute):
                name = _last(argument)
                self._run.call(self._aliases.get(name, name).rpartition(".")[2])


def _last(name: ast.Name | ast.Attribute) -> str:
    return name.id if isinstance(name, ast.Name) else name.attr

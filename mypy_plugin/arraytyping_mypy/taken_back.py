"""What the plugin changes in the libraries that are in memory, noted as they are read, to be taken back in a copy.

It is noted in the process itself, where each library is looked at once; a copy of the process, of which there may be
several, takes back what is noted.  Libraries do not change once mypy has analysed them.
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable
from typing import Any, Final

from mypy.build import BuildManager
from mypy.nodes import FuncDef, MypyFile, SymbolTable, SymbolTableNode, TypeInfo, Var
from mypy.types import AnyType, CallableType, Instance, TupleType, TypeOfAny, get_proper_type

from arraytyping_mypy.garbage import freeze
from arraytyping_mypy.names import ARRAY, BYSTANDERS, JIT_WRAPPED, SCALAR_META, is_program
from arraytyping_mypy.plain_types import plain_types
from arraytyping_mypy.result_classes import class_in

__all__ = ["TakenBack"]

_GENERIC: Final = (ARRAY, JIT_WRAPPED)
"""The classes to which the plugin gives type parameters."""
_WITHOUT_JAX: Final = BYSTANDERS | sys.stdlib_module_names | {"numpy", "typing_extensions", "ml_dtypes", "psutil"}
"""Packages in which nothing has a type of JAX's, so that they need not be looked at."""
_ARRAY: Final = ARRAY.encode()
_WRAPPER: Final = JIT_WRAPPED.encode()
_NUMPY: Final = "jax.numpy"


class TakenBack:
    """What is to be taken back in the libraries of one build, which need not be known before."""

    def __init__(self, manager: BuildManager | None) -> None:
        self._manager = manager
        self._thaws = -1
        """How often mypy had frozen all, and let it go again, when it was frozen here."""
        self._instances: list[Instance] = []
        self._looked_at: dict[str, tuple[MypyFile, int]] = {}
        self._classes: set[TypeInfo] = set()
        self._fields: list[dict[str, Any]] = []
        self._dtypes: list[Var] = []
        self._kept: list[tuple[SymbolTableNode, bytes, str]] = []
        """What mypy has taken out of its cache and not looked at yet: as plain mypy has it, and the module's path."""

    def manager(self, modules: dict[str, MypyFile]) -> BuildManager:
        """The build of these modules, and what it has read is noted: types of arrays are found in what is in memory.

        Nothing frozen is gone through, which is what was there before mypy knew the class of arrays (`hooks.py`).
        What is in memory by then is frozen, so that the next search goes through what is new alone.

        Raises:
            ValueError: if what mypy has taken out of its cache is not understood.
        """
        if self._manager is not None and self._manager.gc_freeze_cycles != self._thaws:
            self._instances.clear()  # all are found again
        classes = [info for name in _GENERIC if (info := class_in(modules, name)) is not None]
        found = gc.get_referrers(modules, *classes)
        self._instances += (one for one in found if isinstance(one, Instance) and one.type in classes)
        if self._manager is None:
            self._manager = next(one for one in found if isinstance(one, BuildManager))
        for name, tree in modules.items():
            count = len(tree.names)
            before = self._looked_at.get(name)
            if before is not None and before[0] is tree and before[1] == count:
                continue
            self._looked_at[name] = tree, count
            if name.partition(".")[0] not in _WITHOUT_JAX and not is_program(name, tree.path):
                self._look_at(tree.names, _path_of(name))
        freeze()
        self._thaws = self._manager.gc_freeze_cycles
        return self._manager

    def _look_at(self, names: SymbolTable, path: str) -> None:
        """Note what is to be changed in a module or class, in what it holds as bytes, as they are in mypy's cache, too.

        `path` is what the cache calls the module, if it is the one with the dtypes.
        """
        for symbol in names.values():
            node = symbol._node
            if node is None:
                data = symbol._node_bytes
                if not data or not (path or _ARRAY in data or _WRAPPER in data):
                    continue
                if (plain := plain_types(path, data)) != data:
                    self._kept.append((symbol, plain, path))
            elif isinstance(node, TypeInfo):
                self._look_at_class(node)
            elif path and isinstance(node, Var) and _is_dtype(node):
                self._dtypes.append(node)

    def _look_at_class(self, info: TypeInfo) -> None:
        if info not in self._classes:  # which other modules import
            self._classes.add(info)
            if info.metadata:
                _each_field(info.metadata, self._fields.append)
            self._look_at(info.names, "")

    def take_back(self, modules: dict[str, MypyFile]) -> None:
        """Make the libraries what they are without the plugin: for good, in a copy of the process alone."""
        classes = [info for name in _GENERIC if (info := class_in(modules, name)) is not None]
        for symbol, plain, path in self._kept:
            if symbol._node is None:
                symbol._node_bytes = plain
            elif isinstance(symbol._node, TypeInfo):  # looked at since
                self._look_at_class(symbol._node)
            elif path and isinstance(symbol._node, Var) and _is_dtype(symbol._node):
                self._dtypes.append(symbol._node)
        for one in self._instances:
            if one.type in classes:
                one.args = ()
        for info in classes:
            info.type_vars = []
            info.defn.type_vars = []
        for field in self._fields:
            field["args"] = []
        for variable in self._dtypes:
            variable.type = AnyType(TypeOfAny.explicit)
        array = class_in(modules, ARRAY)
        if array is not None:
            _without_pair(array)


def _path_of(module: str) -> str:
    return f"{module.replace('.', '/')}/__init__." if module == _NUMPY else ""


def _is_dtype(variable: Var) -> bool:
    declared = get_proper_type(variable.type)
    return isinstance(declared, Instance) and declared.type.fullname == SCALAR_META


def _each_field(noted: dict[str, Any], note: Callable[[dict[str, Any]], object]) -> None:
    """The generic types of fields, which a class that inherits from this one reads."""
    waiting: list[Any] = [noted]
    while waiting:
        one = waiting.pop()
        if isinstance(one, dict):
            if one.get("type_ref") in _GENERIC and one.get("args"):
                note(one)
            waiting.extend(one.values())
        elif isinstance(one, list):
            waiting.extend(one)


def _without_pair(array: TypeInfo) -> None:
    """`divmod(2, x)` is an array, as JAX says."""
    reflected = array.names.get("__rdivmod__")
    node = None if reflected is None else reflected.node
    if not isinstance(node, FuncDef) or not isinstance(node.type, CallableType):
        return
    if isinstance(get_proper_type(node.type.ret_type), TupleType):
        node.type = node.type.copy_modified(ret_type=Instance(array, []))

"""Which concrete callables may be called for real, and which concrete objects may be given to them.

Nothing of the program's choosing is executed: a function of a library is called only if it is one of those that are
known to do no more than to compute (`standard_functions`, `library_functions`), and it is given only what cannot make
it call another one.  A callable within a container, a partial function, an object or a closure counts as given.
"""

from __future__ import annotations

import collections
import enum
import functools
import sys
import types
import typing
import weakref
from typing import Any, Final

from arraytyping.checker.flow.real_calls.library_functions import (
    REFUSED_METHODS,
    LibraryFunctions,
    head_of,
    is_jax_like,
    is_outside,
)
from arraytyping.checker.flow.real_calls.standard_functions import DATA_CLASSES, FUNCTIONS, NOT_OF_DATA
from arraytyping.checker.flow.state.stateful import told_by

__all__ = ["may_be_base", "may_call", "may_enter", "may_enter_standard", "note_given"]

OWN: Final = "arraytyping.checker.flow"
_DATA: Final = (str, bytes, int, float, complex, bool, tuple, frozenset, range, slice)
_PLAIN: Final = frozenset({str, bytes, int, float, complex, bool, type(None), type(Ellipsis), range})
_METHODS: Final = (types.MethodDescriptorType, types.WrapperDescriptorType, types.ClassMethodDescriptorType)
_BUILTIN: Final = (types.BuiltinFunctionType, types.MethodWrapperType, types.ModuleType, *_METHODS)
_ABSTRACT: Final = frozenset({"typing", "typing_extensions", "abc", "collections.abc", "numbers", "_typing"})
_TREES: Final = frozenset({"PyTreeDef", "PyTreeRegistry"})
"""Classes of jaxlib whose methods only compute."""
_MOST_PARTS: Final = 10_000
"""An object of more parts is not looked through, and so not given to anybody."""

_libraries: Final = LibraryFunctions()


class _Standard:
    """The functions of Python's library that are called, by identity, and its classes of data."""

    def __init__(self) -> None:
        self._modules = -1
        self._pending = {m: names.split() for m, names in FUNCTIONS.items()}
        self._pending_data = {m: names.split() for m, names in DATA_CLASSES.items()}
        self._functions: dict[int, Any] = {}
        self._methods: set[tuple[type, str]] = set()
        self.data: set[type] = {type(None), type(Ellipsis), type(NotImplemented)}

    def refresh(self) -> None:
        """Find what is in modules that were imported since."""
        if len(sys.modules) == self._modules:
            return
        self._modules = len(sys.modules)
        for name in [m for m in self._pending if m in sys.modules]:
            module = sys.modules[name]
            for path in self._pending.pop(name):
                head, _, method = path.partition(".")
                found = getattr(module, head, None)
                if method and isinstance(found, type):
                    self._methods.add((found, method))
                    if isinstance(vars(found).get(method), staticmethod):  # which is a function by itself
                        found = getattr(found, method)
                        self._functions[id(found)] = found
                elif found is not None:
                    self._functions[id(found)] = found
        for name in [m for m in self._pending_data if m in sys.modules]:
            module = sys.modules[name]
            found_all = (getattr(module, n, None) for n in self._pending_data.pop(name))
            self.data.update(found for found in found_all if isinstance(found, type))

    def has(self, function: Any) -> bool:
        """Whether a function or class is one that is called."""
        self.refresh()
        return id(function) in self._functions

    def has_method(self, cls: type, name: str) -> bool:
        """Whether a method of a class, or of a base of it, is one that is called."""
        self.refresh()
        return any((base, name) in self._methods for base in cls.__mro__)


_standard: Final = _Standard()


def may_call(function: Any) -> bool:
    """Whether a function, class, method or object of a library may be called for real."""
    if isinstance(function, functools.partial):
        return may_call(function.func) and may_enter((function.args, dict(function.keywords)))
    if isinstance(function, type):
        return _may_make(function)
    owner = told_by(function, "__self__")
    if isinstance(function, types.MethodType):
        return _may_call_method(owner, function.__name__, function.__func__)
    if owner is not None and not isinstance(owner, types.ModuleType):
        return _may_call_method(owner, str(getattr(function, "__name__", "")), None)
    if isinstance(function, _METHODS):
        return _is_method_of_data(function.__objclass__, function.__name__) or _standard.has_method(
            function.__objclass__, function.__name__
        )
    if _standard.has(function):
        return True
    return _is_of_library(function)


def _is_method_of_data(cls: type, name: str) -> bool:
    return cls in _DATA and name not in NOT_OF_DATA


def _may_make(cls: type) -> bool:
    """Whether an instance of a class may be made."""
    if cls in _DATA or _standard.has(cls):
        return True
    module = _module(cls)
    if issubclass(cls, enum.Enum):
        return True  # a lookup, or a new enumeration of what it is given
    if issubclass(cls, BaseException) and (module == "builtins" or _is_plain_exception(cls, module)):
        return True
    if module == f"{OWN}.program" or head_of(module) == "ml_dtypes":
        return True
    if head_of(module) == "numpy":
        return False
    return _is_public_class(cls)


def _is_plain_exception(cls: type, module: str) -> bool:
    """Whether an exception of Python's own library is made as those of Python itself are, such as ArgumentTypeError."""
    own = [vars(base) for base in cls.__mro__ if _module(base) != "builtins"]
    return head_of(module) in sys.stdlib_module_names and not any(
        {"__init__", "__new__"} & names.keys() for names in own
    )


def _may_call_method(owner: Any, name: str, function: Any) -> bool:
    """Whether a method that is bound to an object or a class may be called."""
    cls = owner if isinstance(owner, type) else type(owner)
    if name in NOT_OF_DATA and name != "__init__":
        return False
    if _is_method_of_data(cls, name):
        return True
    if _standard.has_method(cls, name):
        return True
    module = _module(cls)
    if head_of(module) == "jaxlib":
        return cls.__name__ in _TREES and name not in REFUSED_METHODS and not name.startswith("_")
    if not is_jax_like(head_of(module)) and not module.startswith(f"{OWN}.program"):
        return function is not None and _module(cls).startswith(OWN)
    if name in REFUSED_METHODS or (name.startswith("_") and not name.endswith("__")):
        return False
    home = _module(function) if function is not None else module
    if home.startswith(OWN):
        return True
    if not is_jax_like(head_of(home)) or is_outside(home) or _libraries.is_refused(function):
        return False
    return _is_public_class(cls) and (isinstance(owner, type) or _holds_only_permitted(owner, set()))


def _is_public_class(cls: type) -> bool:
    """Whether a class of a library on jax has a public name, or a base of it has."""
    return any(
        _libraries.is_public(base) and is_jax_like(head_of(_module(base))) and not is_outside(_module(base))
        for base in cls.__mro__[:-1]
    ) and not _libraries.is_refused(cls)


def _is_of_library(function: Any) -> bool:
    """Whether a function or an object that can be called is a public one of a library on jax, or was made by one."""
    module = _module(function)
    if module.startswith(OWN):
        return True  # what stands for functions of the program
    cls = type(function)
    home = module if isinstance(function, types.FunctionType) or is_jax_like(head_of(module)) else _module(cls)
    if not is_jax_like(head_of(home)) or is_outside(home) or _libraries.is_refused(function):
        return False
    if _libraries.is_public(function) or id(function) in _given:
        return True
    if isinstance(function, types.FunctionType):
        return "<locals>" in function.__qualname__ and _cells_are_permitted(function, set())
    if head_of(_module(cls)) == "jaxlib":  # a jitted function: as what it wraps
        wrapped = getattr(function, "__wrapped__", None)
        return wrapped is not None and wrapped is not function and may_call(wrapped)
    return _is_public_class(cls) and _holds_only_permitted(_attributes(function), {id(function)})


def note_given(value: Any) -> None:
    """A library has given an object of its own that can be called: it may go back, although it is private."""
    if callable(value) and is_jax_like(
        head_of(_module(value if isinstance(value, types.FunctionType) else type(value)))
    ):
        _given[id(value)] = value


_given: Final[dict[int, Any]] = {}


def may_enter(value: Any) -> bool:
    """Whether a concrete object may be given to a function of a library on jax."""
    return type(value) in _PLAIN or _holds_only_permitted(value, set())


def may_enter_standard(value: Any) -> bool:
    """Whether a concrete object may be given to a function of Python's library: it is data through and through."""
    stack, seen = [value], set[int]()
    while stack:
        v = stack.pop()
        if type(v) in _PLAIN or id(v) in seen:
            continue
        seen.add(id(v))
        if len(seen) > _MOST_PARTS * 10:
            return False
        if (items := _items(v)) is not None:
            stack.extend(items)
        elif isinstance(v, slice):
            stack.extend((v.start, v.stop, v.step))
        elif isinstance(v, functools.partial) or not _is_data(v):
            return False
    return True


def _items(value: Any) -> list[Any] | None:
    """What a container of Python holds, keys included; None of anything else."""
    if isinstance(value, tuple | list | set | frozenset | collections.deque):
        return list(value)
    return [*value, *value.values()] if isinstance(value, dict) else None


def _is_data(value: Any) -> bool:
    """Whether an object is data of Python or NumPy, or one of its classes."""
    _standard.refresh()
    if isinstance(value, type):
        return value in _DATA or value in _standard.data or head_of(_module(value)) in ("numpy", "ml_dtypes")
    if isinstance(value, BaseException):
        return type(value).__module__ == "builtins"
    if any(base in _standard.data for base in type(value).__mro__):
        return True
    return head_of(type(value).__module__) in ("numpy", "ml_dtypes") and not callable(value)


def _holds_only_permitted(value: Any, seen: set[int]) -> bool:
    """Whether all that can be called in an object may be: what it is, and what it holds."""
    stack = [value]
    while stack:
        v = stack.pop()
        if type(v) in _PLAIN or id(v) in seen:
            continue
        seen.add(id(v))
        if len(seen) > _MOST_PARTS:
            return False
        if (items := _items(v)) is not None:
            stack.extend(items)
        elif isinstance(v, functools.partial):
            stack.extend((v.func, v.args, dict(v.keywords)))
        elif isinstance(v, weakref.ReferenceType):
            stack.append(v())
        elif isinstance(v, type):
            if not _is_harmless_class(v):
                return False
        elif isinstance(v, types.MethodType):
            if not _is_permitted_method(v):
                return False
            stack.append(v.__self__)
        elif isinstance(v, types.FunctionType):
            # Ours are callbacks, which interpret and do not execute.
            module = _module(v)
            if module.startswith(OWN):
                continue
            if not _is_of_library(v):
                return False
        elif isinstance(v, _BUILTIN) or not _is_instance_permitted(v):
            return False
        elif is_jax_like(head_of(_module(type(v)))) and not _is_whole(v):
            stack.extend(_attributes(v))
    return True


def _is_whole(value: Any) -> bool:
    """Whether what an object holds is the library's own business: it is named in public, or the library gave it."""
    if head_of(_module(type(value))) == "jaxlib" or _libraries.is_public(value) or id(value) in _given:
        return True
    return _is_extended_dtype(value)


def _is_extended_dtype(value: Any) -> bool:
    """Whether an object is the dtype of keys, or another that NumPy does not have."""
    kind, dtypes = getattr(value, "type", None), getattr(sys.modules.get("jax"), "dtypes", None)
    return isinstance(kind, type) and dtypes is not None and issubclass(kind, dtypes.extended)


def _is_permitted_method(method: types.MethodType) -> bool:
    cls = method.__self__ if isinstance(method.__self__, type) else type(method.__self__)
    home = _module(method.__func__)
    if home.startswith(OWN):
        return True
    if not is_jax_like(head_of(home)) or is_outside(home) or method.__name__ in REFUSED_METHODS:
        return False
    return _is_public_class(cls) or _module(cls).startswith(OWN)


def _is_instance_permitted(value: Any) -> bool:
    """Whether an object that is no function is data, or of a library on jax, or stands for the program's."""
    cls = type(value)
    module = _module(cls)
    if module.startswith(OWN) or head_of(module) in ("ml_dtypes", "optree"):
        return True
    if is_jax_like(head_of(module)):
        if not callable(value):
            return True
        if head_of(module) == "jaxlib":
            return _is_of_library(value)
        if is_outside(module):
            return False
        return id(value) in _given or _libraries.is_public(value) or _is_public_class(cls)
    return cls is object or _is_data(value) or isinstance(value, enum.Enum) or _is_typing(value)


def _is_typing(value: Any) -> bool:
    return _module(type(value)) in _ABSTRACT or isinstance(value, types.GenericAlias | types.UnionType)


def _is_harmless_class(cls: type) -> bool:
    """Whether a class may be given to a library, which may make an instance of it."""
    module = _module(cls)
    if cls is object or _is_data(cls) or cls in (list, dict, set, collections.OrderedDict, collections.deque):
        return True
    if module.startswith(OWN) or module in _ABSTRACT or cls is collections.defaultdict:
        return True
    if issubclass(cls, BaseException) and (module == "builtins" or _is_plain_exception(cls, module)):
        return True
    if issubclass(cls, enum.Enum):
        return True
    if issubclass(cls, tuple) and hasattr(cls, "_fields"):
        return True  # a named tuple: the program's, or a library's
    return is_jax_like(head_of(module)) and _is_public_class(cls)


def may_be_base(cls: type) -> bool:
    """Whether a real class for one of the program may derive from a class: what it makes is done then."""
    return cls is object or cls is typing.Generic or _module(cls) in _ABSTRACT or _may_make_base(cls)


def _may_make_base(cls: type) -> bool:
    return _module(cls).startswith(OWN) or (is_jax_like(head_of(_module(cls))) and _is_public_class(cls))


def _cells_are_permitted(function: types.FunctionType, seen: set[int]) -> bool:
    """Whether what a function closes over, and its defaults, may be called."""
    known = _cells.get(id(function))
    if known is not None and known[0] is function:
        return known[1]
    _cells[id(function)] = (function, True)  # a recursion through itself adds nothing
    held: list[Any] = [*(function.__defaults__ or ()), *(function.__kwdefaults__ or {}).values()]
    for cell in function.__closure__ or ():
        try:
            held.append(cell.cell_contents)
        except ValueError:  # not bound yet
            continue
    # What the library itself closes over, such as functions of its own private modules, is its business.
    found = all(_is_closed_over_safely(v, seen) for v in held)
    _cells[id(function)] = (function, found)
    return found


_cells: Final[dict[int, tuple[Any, bool]]] = {}


def _is_closed_over_safely(value: Any, seen: set[int]) -> bool:
    """As `_holds_only_permitted`, but private functions of the libraries themselves may be closed over."""
    if isinstance(value, functools.partial):
        return all(_is_closed_over_safely(v, seen) for v in (value.func, *value.args, *value.keywords.values()))
    if isinstance(value, tuple | list) and len(value) < _MOST_PARTS:
        return all(_is_closed_over_safely(v, seen) for v in value)
    if not callable(value):
        return True
    if isinstance(value, types.FunctionType) and is_jax_like(head_of(_module(value))):
        return not is_outside(_module(value)) and _cells_are_permitted(value, seen)
    if isinstance(value, types.BuiltinFunctionType | types.FunctionType | types.MethodType | type):
        is_scalar_type = isinstance(value, type) and head_of(_module(value)) in ("numpy", "builtins")
        return is_scalar_type or _standard.has(value) or _holds_only_permitted(value, seen)
    return is_jax_like(head_of(_module(type(value)))) or _holds_only_permitted(value, seen)


def _attributes(value: Any) -> list[Any]:
    """What an object of a library holds in attributes."""
    held = getattr(value, "__dict__", None)
    found = list(held.values()) if isinstance(held, dict) else []
    return [v for v in found if callable(v) or isinstance(v, tuple | list | dict)]


def _module(value: Any) -> str:
    module = getattr(value, "__module__", None)
    return module if isinstance(module, str) else ""

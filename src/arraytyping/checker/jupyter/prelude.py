"""The variables of a session as a program: what they are, not what they hold.

Arrays become dtype, weak type and shape, containers what is in them, functions and classes the statements that made
them, modules their names.  What is not understood is said to be unknown.
"""

from __future__ import annotations

import ast
import functools
import inspect
import keyword
import sys
import types
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from arraytyping.checker.jupyter.history import Definition, History, names_read
from arraytyping.checker.jupyter.leaves import FACTS, JAX, NUMPY, array_text, key_text, plain_text
from arraytyping.checker.jupyter.loaded_modules import LoadedModules
from arraytyping.checker.jupyter.unchanged import is_of_session
from arraytyping.checker.swallowed import swallow

__all__ = ["Block", "Prelude"]

_OURS: Final = "_arraytyping_"
_MOST_PARTS: Final = 3000
"""So many parts of values are described; the rest is unknown."""
_DEEPEST: Final = 24
_REFLECTING: Final = frozenset({"eval", "exec", "globals", "locals", "vars", "dir"})
"""Functions that may ask for any variable."""
_CONFIG: Final = {
    "jax_enable_x64": False,
    "jax_numpy_dtype_promotion": "standard",
    "jax_numpy_rank_promotion": "allow",
    "jax_default_prng_impl": "threefry2x32",
    "jax_disable_jit": False,
}
"""What of jax's configuration is said where it is not this."""


@dataclass(frozen=True, slots=True)
class Block:
    """Lines of the program that are those of a cell."""

    first: int
    last: int
    cell: int
    line: int
    """Where the first one stands in the cell."""


class Prelude:
    """Writes the statements that make the variables of a session."""

    def __init__(self, variables: Mapping[str, Any], history: History, modules: LoadedModules) -> None:
        loaded = [
            ("arraytyping.facts", FACTS),
            *((n, a) for n, a in (("jax", JAX), ("numpy", NUMPY)) if n in sys.modules),
        ]
        self.lines: list[str] = [f"import {name} as {alias}" for name, alias in loaded]
        self.blocks: list[Block] = []
        """What cells have defined."""
        self._variables = variables
        self._history = history
        self._modules = modules
        self._texts: dict[int, str] = {}
        self._kept: list[Any] = []
        """Whose ids are known stays alive."""
        self._under_way: set[int] = set()
        self._parts = 0
        self._defined: set[str] = set()
        self._asked_for: set[str] = set()
        self._uses_own_modules = False

    def write(self, nodes: Iterable[ast.AST]) -> None:
        """Describe the variables that these nodes may ask for, and those that the functions among them may."""
        self._write_config()
        done: dict[str, str] = {}
        self._asked_for = names_read([*nodes])
        self._ask_for_all()
        while left := sorted((self._asked_for & self._variables.keys()) - done.keys()):
            for name in left:
                done[name] = self._describe(self._variables[name])
            self._ask_for_all()
        if self._uses_own_modules:
            self._write_own_modules()
        self.lines += [f"{n} = {text}" for n, text in done.items() if n.isidentifier() and not keyword.iskeyword(n)]
        for name in sorted(self._defined - done.keys()):
            self.lines.append(f"{name} = {self._unknown('a variable')}" if name in self._variables else f"del {name}")

    def _ask_for_all(self) -> None:
        if self._asked_for & _REFLECTING:
            self._asked_for |= {n for n in self._variables if not n.startswith("_")}

    def _write_config(self) -> None:
        jax = sys.modules.get("jax")
        if jax is None:
            return
        for name, usual in _CONFIG.items():
            value = getattr(jax.config, name, usual)
            if value != usual:
                self.lines.append(f"{JAX}.config.update({name!r}, {value!r})")

    def _write_own_modules(self) -> None:
        """What the program has changed in its own modules."""
        for module in self._modules.own():
            for name, value in [*vars(module).items()]:
                if name.startswith("__") or isinstance(value, types.ModuleType | types.FunctionType | type):
                    continue
                self.lines.append(f"import {module.__name__} as {_OURS}module")
                text = self._describe(value)
                self.lines.append(f"{_OURS}module.{name} = {text}")

    # Values

    def _describe(self, value: Any, depth: int = 0) -> str:
        """An expression for a value; what has an identity is made once."""
        plain = plain_text(value)
        if plain is not None:
            return plain
        known = self._texts.get(id(value))
        if known is not None:
            return known
        self._parts += 1
        text = None
        if self._parts <= _MOST_PARTS and depth <= _DEEPEST and id(value) not in self._under_way:
            self._under_way.add(id(value))
            try:
                text = self._made(value, depth)
            except Exception as error:  # whatever class the value has
                swallow(error)
            self._under_way.discard(id(value))
        name = f"{_OURS}{len(self._texts)}"
        self.lines.append(f"{name} = {self._unknown(f'an object of {type(value).__name__}') if text is None else text}")
        self._texts[id(value)] = name
        self._kept.append(value)
        return name

    def _unknown(self, what: str) -> str:
        return f"{FACTS}.unknown({what!r})"

    def _made(self, value: Any, depth: int) -> str | None:
        kind = type(value)
        found = array_text(value)
        if found is not None:
            return found
        if issubclass(kind, types.ModuleType):
            return self._module(value)
        definition = self._history.find(value)
        if definition is not None:
            name = self._definition(definition, depth)
            self._write_rules(name, value, depth)
            return name
        if kind is list or kind is tuple or kind is set:
            return self._items(value, depth)
        if kind is dict:
            return self._dict(value, depth)
        if kind is functools.partial:
            return self._partial(value, depth)
        if kind is types.MethodType:
            return self._method(value, depth)
        return self._imported(value) or self._instance(value, depth)

    def _items(self, value: Any, depth: int) -> str:
        items = [self._describe(item, depth + 1) for item in value]
        if type(value) is list:
            return f"[{', '.join(items)}]"
        if type(value) is set:
            return f"{{{', '.join(items)}}}" if items else "set()"
        return f"({', '.join(items)}{',' if len(items) == 1 else ''})"

    def _dict(self, value: dict[Any, Any], depth: int) -> str | None:
        keys = [*map(key_text, value)]
        if None in keys:
            return None
        return f"{{{', '.join(f'{k}: {self._describe(v, depth + 1)}' for k, v in zip(keys, [*value.values()]))}}}"

    def _partial(self, value: functools.partial[Any], depth: int) -> str:
        parts = [self._describe(part, depth + 1) for part in (value.func, *value.args)]
        named = self._dict(value.keywords, depth)
        self.lines.append(f"import functools as {_OURS}functools")
        return f"{_OURS}functools.partial({', '.join(parts)}, **{named})"

    def _method(self, value: types.MethodType, depth: int) -> str | None:
        owner, name = value.__self__, value.__func__.__name__
        if inspect.getattr_static(owner, name, None) is not value.__func__:
            return None
        return f"{self._describe(owner, depth + 1)}.{name}"

    def _instance(self, value: Any, depth: int) -> str | None:
        """An instance of a class that is known, by its attributes."""
        cls = type(value)
        if self._history.find(cls) is None:
            is_data = hasattr(cls, "__dataclass_params__") or (issubclass(cls, tuple) and hasattr(cls, "_fields"))
            if not is_data or is_of_session(cls) or self._imported(cls) is None:
                return None
        if issubclass(cls, tuple):
            fields = getattr(cls, "_fields", ())
            if len(fields) != len(value) or cls.__new__.__module__ not in (None, f"namedtuple_{cls.__name__}"):
                return None
            made = self._describe(cls, depth + 1)
            return f"{made}({', '.join(f'{n}={self._describe(v, depth + 1)}' for n, v in zip(fields, value))})"
        if not _is_simple(cls):
            return None
        attributes = object.__getattribute__(value, "__dict__")
        if not all(n.isidentifier() for n in attributes):
            return None
        texts = {n: self._describe(v, depth + 1) for n, v in [*attributes.items()]}
        made = self._describe(cls, depth + 1)
        name = f"{_OURS}object{len(self._texts)}"
        self.lines.append(f"{name} = object.__new__({made})")
        self.lines += [f"object.__setattr__({name}, {n!r}, {text})" for n, text in texts.items()]
        return name

    # Functions, classes and modules

    def _definition(self, definition: Definition, depth: int) -> str:
        """The statements that made a function, after what the names in them were."""
        texts = {name: self._describe(used, depth + 1) for name, used in definition.used.items()}
        self.lines += [f"{name} = {text}" for name, text in texts.items()]
        for line, text_lines in definition.texts:
            first = len(self.lines) + 1
            self.lines += text_lines
            self.blocks.append(Block(first, len(self.lines), definition.cell, line))
        self._defined |= {definition.name, *definition.used}
        self._asked_for |= names_read(definition.statements)
        return definition.name

    def _write_rules(self, name: str, value: Any, depth: int) -> None:
        """Write the rules of derivatives that a function has been given since."""
        kind = type(value).__name__
        rules = {"custom_jvp": ("defjvp", "jvp"), "custom_vjp": ("defvjp", "fwd", "bwd")}.get(kind)
        if rules is None or not type(value).__module__.startswith("jax"):
            return
        functions = [getattr(value, rule, None) for rule in rules[1:]]
        if None not in functions:
            kept = f"{_OURS}ruled{len(self.lines)}"  # what describes the rules may bind the name anew
            self.lines.append(f"{kept} = {name}")
            texts = [self._describe(function, depth + 1) for function in functions]
            self.lines += [f"{kept}.{rules[0]}({', '.join(texts)})", f"{name} = {kept}"]

    def _imported(self, value: Any) -> str | None:
        """A function or a class of a module, if it is found there."""
        if is_of_session(value) or not callable(value):
            return None
        home, name = getattr(value, "__module__", None), getattr(value, "__qualname__", None)
        if not isinstance(home, str) or not isinstance(name, str) or not name.isidentifier():
            return None
        for place in (home, home.partition(".")[0]):
            module = sys.modules.get(place)
            if module is not None and vars(module).get(name) is value:
                text = self._module(module)
                return None if text is None else f"{text}.{name}"
        return None

    def _module(self, module: types.ModuleType) -> str | None:
        name = module.__name__
        if sys.modules.get(name) is not module or not self._modules.is_as_its_file(module):
            return None
        if not all(part.isidentifier() for part in name.split(".")):
            return None
        self._uses_own_modules |= self._modules.is_own(module)
        alias = f"{_OURS}in_{name.replace('.', '_')}"
        line = f"import {name} as {alias}"
        if line not in self.lines:
            self.lines.append(line)
        return alias


def _is_simple(cls: type) -> bool:
    """Whether instances of a class are what is in their `__dict__`."""
    for base in cls.__mro__[:-1]:
        if base.__module__ in ("typing", "abc", "collections.abc"):
            continue
        own = vars(base)
        if base.__basicsize__ > object.__basicsize__ + 16 or own.get("__slots__"):
            return False
        if isinstance(own.get("__getattribute__"), types.FunctionType):
            return False
    return "__dict__" in dir(cls)

"""What a stand-in says of a library: arrays, numbers and texts of which only the kind is known.

A stand-in is a short Python module that `arraytyping check` interprets in the place of a library's own, see
`docs/outside-facts.md`.  It is never executed, and neither are these functions: called by a program that runs, each
raises `NotImplementedError`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NoReturn

__all__ = [
    "array",
    "axes",
    "boolean",
    "call_meanwhile",
    "call_with_anything",
    "command_line",
    "config_file",
    "config_value",
    "data",
    "file_text",
    "filled_in",
    "has_imported",
    "hydra_config",
    "integer",
    "is_known",
    "is_meanwhile",
    "many",
    "named",
    "number",
    "numpy_array",
    "one_item",
    "one_of",
    "parameters",
    "parsed",
    "queued",
    "read_data",
    "reads_only",
    "restored",
    "rows",
    "size",
    "text",
    "unknown",
    "unpacked",
    "words",
]

Shape = str | Sequence[Any]
"""Sizes: as jaxtyping writes them (`"n 28 28 1"`, each name a size of its own in each call), or one by one."""


def array(dtype: str | None, shape: Shape | None = None, weak_type: bool = False) -> Any:
    """An array of JAX, strongly typed if it is not said otherwise; None is for what is not known."""
    _only_interpreted()


def numpy_array(dtype: str | None, shape: Shape | None = None) -> Any:
    """An array of NumPy; None is for what is not known."""
    _only_interpreted()


def size(name: str, minimum: int = 0) -> Any:
    """An int that is not known but the same wherever it goes, and at least so much."""
    _only_interpreted()


def integer() -> Any:
    """An int."""
    _only_interpreted()


def number(may_be_numpy: bool = False) -> Any:
    """A float; with `may_be_numpy` one of Python's or of NumPy's, it is not known which."""
    _only_interpreted()


def text() -> Any:
    """A string."""
    _only_interpreted()


def data() -> Any:
    """Bytes."""
    _only_interpreted()


def many(item: Any) -> Any:
    """A list of which only is known that each item is such a one."""
    _only_interpreted()


def axes(array: Any) -> int | None:
    """How many axes an array of NumPy has; None: it is not known."""
    _only_interpreted()


def rows(array: Any, number: Any) -> Any:
    """So many rows of an array, or of a list, it is not known which; the number may be unknown."""
    _only_interpreted()


def boolean() -> Any:
    """A bool that does not hang on the program's data."""
    _only_interpreted()


def one_of(*values: Any) -> Any:
    """Any of these values."""
    _only_interpreted()


def one_item(items: list[Any]) -> Any:
    """One of the items of a list, whichever; not known if there is none."""
    _only_interpreted()


def unknown(why: str) -> Any:
    """Something of which nothing is known; calling it may change whatever it is given."""
    _only_interpreted()


def reads_only(why: str) -> Any:
    """As `unknown`, but a call of it, or of what it gives, changes nothing that it is given."""
    _only_interpreted()


def parameters(target: Any) -> list[str] | None:
    """The names of the parameters of a function or class; None if they are not known, or any are taken."""
    _only_interpreted()


def filled_in(
    target: Any,
    fill: Callable[[list[str]], Any],
    left_out: Any,
    is_new: bool = False,
    methods: dict[str, Callable[..., Any]] | None = None,
) -> Any:
    """A function or class of which the library fills in arguments that are not given, or are `left_out`.

    `fill` is told the names of those that are given in a call, and gives others by name; where it gives something
    unknown, any may be filled in.  A class stays itself, or with `is_new` a class stands for it that derives from it
    and has these methods.
    """
    _only_interpreted()


def has_imported(packages: Sequence[str]) -> bool:
    """Whether the program has imported any of these packages, which are not its own."""
    _only_interpreted()


def restored(target: Any) -> Any:
    """What is restored from a checkpoint into `target`: its structure, dtypes and shapes; of None it is not known."""
    _only_interpreted()


def unpacked(method: str) -> Any:
    """Into how many names the program unpacks what calls of a method of this name give: each number once, in order."""
    _only_interpreted()


def call_with_anything(function: Callable[..., Any]) -> None:
    """A function that the library calls at some time, with arguments of which nothing is known."""
    _only_interpreted()


def call_meanwhile(function: Callable[..., Any]) -> None:
    """A function that a thread calls while the program goes on: it may have done all of it, a part, or nothing."""
    _only_interpreted()


def is_meanwhile() -> Any:
    """Whether this is done in such a thread."""
    _only_interpreted()


def is_known(value: Any) -> bool:
    """Whether it is known what a value is: a number, a text, or a container of such."""
    _only_interpreted()


def queued() -> list[Any]:
    """A list of which threads are known to change nothing but to append to it."""
    _only_interpreted()


def read_data(path: Any, format: str | None = None) -> Any:
    """What is in a YAML, TOML or JSON file of the project, as its name or one of `parsed`'s formats says.

    It gives dicts, lists, numbers and strings.
    """
    _only_interpreted()


def command_line(target: Any, default: Any = None, arguments: Any = None) -> Any:
    """What a function or a dataclass gives with the options of the command line, and else with its defaults."""
    _only_interpreted()


def words() -> list[str]:
    """The words of the command line, none if none is given."""
    _only_interpreted()


def file_text(path: Any) -> Any:
    """The text of a configuration of the project (YAML, TOML, JSON, INI, gin), and else a string."""
    _only_interpreted()


def parsed(format: str, source: Any) -> Any:
    """What a text, or an open file of the project, is as gin, ini, json, toml, yaml or omegaconf."""
    _only_interpreted()


def config_file(name: str, default: Any) -> Any:
    """What `get_config` gives in the file that the flag of this name says, and else the default."""
    _only_interpreted()


def config_value(name: str, value: Any) -> Any:
    """A flag that holds a configuration, changed as the command line says."""
    _only_interpreted()


def named(name: str) -> Any:
    """What a dotted name stands for, of the program or of a library."""
    _only_interpreted()


def hydra_config(config_path: Any, config_name: Any) -> Any:
    """The configuration that hydra composes, as a dict."""
    _only_interpreted()


def _only_interpreted() -> NoReturn:
    raise NotImplementedError("the functions of arraytyping.facts are for stand-ins, which are never executed")

"""Lattices of one's own: a description in TOML, JSON or a graph of networkx becomes a lattice, or is refused.

```toml
name = "floats"                  # how the system is called; by default as its file
title = "Floats only"            # optional
partial = false                  # whether two nodes may have no upper bound at all
[covers]                         # for each node those directly above it
float = ["bfloat16", "float16"]
bfloat16 = ["float32"]
float16 = ["float32"]
float32 = []
```

JSON has the same keys, or is what `networkx.node_link_data` gives of a directed graph.  A description is verified when
it is read: every two nodes have a least upper bound.  With `partial = true` they may also have none, as JAX's 4-bit
integers and float32, but never several minimal ones.  Short names such as `i16` stand for dtypes, `i*` for `int`.

Source: JEP 9407, https://docs.jax.dev/en/latest/jep/9407-type-promotion.html, for what makes a graph a promotion
system; https://networkx.org/documentation/stable/reference/readwrite/json_graph.html for node-link data.
"""

from __future__ import annotations

import difflib
import json
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Final, Protocol

from arraytyping.regular_files import read_regular_text
from arraytyping.scalars import DTYPES
from arraytyping.semantics.lattice import CycleError, Lattice, Violation
from arraytyping.semantics.promotion.dtype_names import UnknownDtypeError, parse_dtype
from arraytyping.semantics.promotion.jax import WEAK
from arraytyping.semantics.promotion.system import GraphSystem

__all__ = ["SUFFIXES", "DirectedGraph", "LatticeError", "OwnLattice", "from_graph", "from_mapping", "load"]

SUFFIXES: Final = (".toml", ".json")
"""How the names of files with a description end."""

_KEYS: Final = ("name", "title", "partial", "covers")
_MOST_SHOWN: Final = 6


class LatticeError(ValueError):
    """A description is no promotion lattice; `violations` are the pairs without a least upper bound, if that is why."""

    def __init__(self, message: str, violations: tuple[Violation, ...] = ()) -> None:
        super().__init__(message)
        self.violations = violations


class DirectedGraph(Protocol):
    """What is read of a `networkx.DiGraph`; its edges lead upwards."""

    @property
    def nodes(self) -> Iterable[Any]:
        """The nodes."""
        ...

    @property
    def edges(self) -> Iterable[Any]:
        """The edges: tuples that begin with two nodes."""
        ...

    def is_directed(self) -> bool:
        """Whether edges have a direction."""
        ...


@dataclass(frozen=True)
class OwnLattice:
    """A verified lattice; equal ones promote equally, whatever they are called."""

    name: str
    title: str
    lattice: Lattice
    is_partial: bool = False

    def __eq__(self, other: object) -> bool:
        return isinstance(other, OwnLattice) and self.lattice == other.lattice

    def __hash__(self) -> int:
        return hash(self.lattice)

    @cached_property
    def system(self) -> GraphSystem:
        """The lattice as a promotion system; those of its nodes that are called so are scalars."""
        return GraphSystem(self.name, self.lattice, title=self.title, source="its description", scalars=(*WEAK, "uint"))

    def fingerprint(self) -> dict[str, list[str]]:
        """What decides its answers, as JSON."""
        return {node: list(above) for node, above in self.lattice.covers.items()}

    def check_for_arrays(self) -> None:
        """See that every node is a dtype that arrays have, or a weak type.

        Raises:
            LatticeError: naming a node that is neither.
        """
        allowed = (*DTYPES, *WEAK)
        for node in self.lattice.elements:
            if node not in allowed:
                raise LatticeError(
                    f'node "{node}" is no dtype of an array: to check programs, nodes are dtypes such as "int8" and '
                    f'the weak types "int", "float" and "complex"{_hint(node, allowed)}'
                )


def load(file: Path) -> OwnLattice:
    """The lattice that a file describes.

    Raises:
        LatticeError: if it cannot be read or is no description of a lattice; the message does not name the file.
    """
    if file.suffix not in SUFFIXES:
        raise LatticeError(
            f'the description of a lattice is a file that ends in ".toml" or ".json", not in "{file.suffix}"'
        )
    try:
        text = read_regular_text(file)
        data = tomllib.loads(text) if file.suffix == ".toml" else json.loads(text)
    except OSError as error:
        raise LatticeError(f"cannot be read: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise LatticeError(f"is not UTF-8: byte {error.start} is no text") from None
    except (tomllib.TOMLDecodeError, json.JSONDecodeError) as error:
        raise LatticeError(f"is not valid {file.suffix[1:].upper()}: {error}") from None
    except RecursionError:
        raise LatticeError(f"is not valid {file.suffix[1:].upper()}: it is nested too deeply") from None
    return from_mapping(data, file.stem)


def from_mapping(data: Any, name: str = "own") -> OwnLattice:
    """The lattice of a description that is read already; `name` is for one without a name.

    Raises:
        LatticeError: if it is no description of a lattice.
    """
    if not isinstance(data, Mapping):
        raise LatticeError(f'a table with the key "covers" is expected, and {_json(data)} was given')
    if "nodes" in data and "covers" not in data:
        return _from_node_links(data, name)
    for key in data:
        if key not in _KEYS:
            raise LatticeError(
                f'there is no key "{key}": allowed are name, title, partial and covers{_hint(key, _KEYS)}'
            )
    for key in ("name", "title"):
        if not isinstance(data.get(key, ""), str):
            raise LatticeError(f"{key} = {_json(data[key])}: it must be a string")
    if not isinstance(partial := data.get("partial", False), bool):
        raise LatticeError(f"partial = {_json(partial)}: it must be true or false")
    name = data.get("name", name)
    return _verified(name, data.get("title", name), _covers(data), partial)


def from_graph(
    graph: DirectedGraph, name: str = "own", title: str | None = None, *, partial: bool = False
) -> OwnLattice:
    """The lattice of a directed graph as networkx has them; its edges lead upwards, and its nodes are strings.

    Raises:
        LatticeError: if it is no lattice.
    """
    if not graph.is_directed():
        raise LatticeError("the graph has no directions: a DiGraph is expected, with edges that lead upwards")
    return _of_edges(graph.nodes, graph.edges, name, title or name, partial)


def _from_node_links(data: Mapping[str, Any], name: str) -> OwnLattice:
    if data.get("directed") is not True:
        raise LatticeError('the graph has no directions: "directed": true is expected, with edges that lead upwards')
    about = data["graph"] if isinstance(data.get("graph"), dict) else {}
    partial = about.get("partial", False)
    if not isinstance(partial, bool):
        raise LatticeError(f"partial = {_json(partial)}: it must be true or false")
    try:
        nodes = [node["id"] for node in data["nodes"]]
        edges = [(edge["source"], edge["target"]) for edge in data.get("edges", data.get("links", []))]
    except (KeyError, TypeError):
        raise LatticeError('node-link data has nodes with an "id", and edges with "source" and "target"') from None
    name = str(about.get("name") or name)
    return _of_edges(nodes, edges, name, str(about.get("title", name)), partial)


def _of_edges(nodes: Iterable[Any], edges: Iterable[Any], name: str, title: str, partial: bool) -> OwnLattice:
    covers: dict[Any, list[Any]] = {node: [] for node in nodes}
    for a, b, *_ in edges:
        covers.setdefault(a, []).append(b)
        covers.setdefault(b, [])
    for node in covers:
        if not isinstance(node, str):
            raise LatticeError(f"node {node!r} is no string: nodes are the names of dtypes")
    return _verified(name, title, covers, partial)


def _covers(data: Mapping[str, Any]) -> dict[str, list[str]]:
    if "covers" not in data:
        raise LatticeError('the key "covers" is missing: for each node the nodes directly above it')
    covers = data["covers"]
    if not isinstance(covers, Mapping):
        raise LatticeError(f"covers = {_json(covers)}: it must be a table, with the nodes directly above each node")
    for node, above in covers.items():
        if not isinstance(above, list) or not all(isinstance(b, str) for b in above):
            raise LatticeError(f'covers of "{node}" is {_json(above)}: it must be a list of nodes, which may be empty')
    return dict(covers)


def _verified(name: str, title: str, covers: Mapping[str, Iterable[str]], partial: bool) -> OwnLattice:
    full: dict[str, tuple[str, ...]] = {}
    for node, above in covers.items():
        if (long := _full(node)) in full:
            raise LatticeError(f'node "{long}" is there twice; put all that lies directly above it in one list')
        full[long] = tuple(dict.fromkeys(map(_full, above)))
    if not full:
        raise LatticeError("a lattice needs at least one node, and none was given")
    for node, above in full.items():
        for b in above:
            if b not in full:
                hint = _hint(b, tuple(full))
                raise LatticeError(
                    f'"{b}" lies above "{node}", but is no node{hint or "; list it too, with [] above it"}'
                )
    try:
        lattice = Lattice(full)
    except CycleError as error:
        raise LatticeError(str(error)) from None
    violations = tuple(v for v in lattice.violations() if v.minimal or not partial)
    if violations:
        raise LatticeError(_refusal(violations), violations)
    return OwnLattice(name, title, lattice, partial)


def _full(name: str) -> str:
    """The full name of a dtype; a node that is none keeps its own, and so does one called `b`."""
    if not name[-1:].isdigit() and not name.endswith("*"):
        return name
    try:
        return parse_dtype(name)
    except UnknownDtypeError:
        return name


def _refusal(violations: tuple[Violation, ...]) -> str:
    shown = "; ".join(map(str, violations[:_MOST_SHOWN]))
    more = len(violations) - _MOST_SHOWN
    rest = f"; and {more} more pair{'' if more == 1 else 's'}" if more > 0 else ""
    unbounded = all(not v.minimal for v in violations)
    hint = "; add a node above them, or set partial = true to leave such pairs undefined" if unbounded else ""
    return f"is no lattice: {shown}{rest}{hint}"


def _hint(given: str, known: Iterable[str]) -> str:
    near = difflib.get_close_matches(given, list(known), 1)
    return f'; did you mean "{near[0]}"?' if near else ""


def _json(value: Any) -> str:
    try:
        return json.dumps(value, ensure_ascii=False)
    except TypeError:  # a date
        return str(value)

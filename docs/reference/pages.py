"""The pages of the public modules in the site, which `mkdocs build` asks for (`hooks` in mkdocs.yml).

The parameters that `@operation` names as arrays are shown as `ArrayLike`, and what JAX annotates with `Array` as a
result as `Array`; their annotations in the source are those of the bodies, which get arrays only.
"""

from __future__ import annotations

import inspect
import re
import typing
from collections.abc import Iterator, Sequence
from importlib import import_module
from types import ModuleType
from typing import Any, Final

import pdoc.doc
import pdoc.docstrings
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

from arraytyping import Array
from arraytyping.checker.stubgen.surface import Module, read_surface
from arraytyping.typing import ArrayLike

MODULES: Final = ("arraytyping", "arraytyping.typing", "arraytyping.numpy", "arraytyping.lax", "arraytyping.random")
"""What has a page."""
_TITLE: Final = re.compile(r"^#{1,6} (.*?) *$", re.MULTILINE)
_HOMES: Final = re.compile(r"\b(?:arraytyping\.(?:\w+\.)*|typing\.|collections\.abc\.)(?=[A-Z_]\w*)")


def prepare(name: str) -> ModuleType:
    """A module with all that it exports, also what it would load later, and its signatures made plain."""
    module = import_module(name)
    surface = read_surface().get(name.replace("arraytyping", "jax"), {})
    declared = getattr(module, "__all__", None)
    names = [n for n in (declared or dir(module)) if not n.startswith("_")]
    shown = []
    for n in names:
        try:
            value = getattr(module, n)
        except AttributeError as error:
            print(f"left out: {name}.{n}: {error}")
            continue
        ours = str(getattr(value, "__module__", getattr(type(value), "__module__", ""))).startswith("arraytyping")
        if isinstance(value, ModuleType) or not (declared or ours):
            continue
        setattr(module, n, signed(n, value, surface))
        shown.append(n)
    module.__dict__["__all__"] = shown
    return module


def signed(name: str, value: Any, surface: Module) -> Any:
    """What is shown for this object: of an operation, a function whose signature names `ArrayLike` and `Array`."""
    function = getattr(value, "_call", value)  # of a ufunc
    if not hasattr(function, "rule_name"):
        return value
    arrays = getattr(function, "arrays", ())
    signature = inspect.signature(
        function, eval_str=True, globals={**vars(inspect.getmodule(function)), **vars(typing)}
    )
    parameters = [_annotated(p, p.name in arrays) for p in signature.parameters.values()]
    known = surface.get(name)
    is_array = known is not None and (known.type == "ufunc" or getattr(known.signature, "result", "") == "Array")
    result = Array if is_array else _said(signature.return_annotation)

    def shown(*args: Any, **kwargs: Any) -> Any:
        return function(*args, **kwargs)

    shown.__name__ = shown.__qualname__ = name
    shown.__doc__, shown.__module__ = function.__doc__, function.__module__
    shown.__signature__ = signature.replace(parameters=parameters, return_annotation=result)  # type: ignore[attr-defined]
    return shown


def _annotated(parameter: inspect.Parameter, is_array: bool) -> inspect.Parameter:
    if not is_array:
        return parameter.replace(annotation=_said(parameter.annotation))
    optional: Any = ArrayLike | None
    return parameter.replace(annotation=optional if parameter.default is None else ArrayLike)


def _said(annotation: Any) -> Any:
    """An annotation, unless it says nothing."""
    return inspect.Parameter.empty if annotation is Any else annotation


def page_of(name: str) -> str:
    """The page of a module, as Markdown."""
    prepare(name)
    module = pdoc.doc.Module(import_module(name))
    return "\n".join([f"# {name}", "", _text(module), "", *_members(module.own_members, 2, "")])


def _members(members: Sequence[pdoc.doc.Doc[Any]], level: int, prefix: str) -> Iterator[str]:
    for member in sorted(members, key=lambda m: m.name):
        if member.name.startswith("_") or (prefix and not member.docstring.strip()):
            continue
        yield f"{'#' * level} {prefix}{member.name} {{ #{prefix}{member.name} }}"
        yield from ("", f"```python\n{_declared(member)}\n```", "", _text(member), "")
        if isinstance(member, pdoc.doc.Class) and not prefix:
            yield from _members(member.own_members, level + 1, f"{member.name}.")


def _declared(member: pdoc.doc.Doc[Any]) -> str:
    """What stands in the source in the place of a name: `def sin(x: ArrayLike, /) -> Array`."""
    if isinstance(member, pdoc.doc.Function):
        return _plain(f"def {member.name}{member.signature}")
    if isinstance(member, pdoc.doc.Class):
        return f"class {member.name}"
    annotation = member.annotation_str if isinstance(member, pdoc.doc.Variable) else ""
    return _plain(f"{member.name}{annotation}")


def _plain(declaration: str) -> str:
    """A declaration with the names of types as one writes them after `from arraytyping.typing import ArrayLike`."""
    return _HOMES.sub("", declaration).replace("~T", "T")


def _text(member: pdoc.doc.Doc[Any]) -> str:
    """A docstring, whose sections have titles."""
    return _TITLE.sub(r"**\1**", str(pdoc.docstrings.convert(member.docstring, "google", None))).strip()


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages to the site, as mkdocs asks its hooks to."""
    for name in MODULES:
        files.append(File.generated(config, f"reference/{name.rpartition('.')[2]}.md", content=page_of(name)))
    return files

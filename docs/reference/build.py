"""Writes the HTML reference of the public modules with pdoc: `python docs/reference/build.py [DIRECTORY]`.

The parameters that `@operation` names as arrays are shown as `ArrayLike`, and what JAX annotates with `Array` as a
result as `Array`; their annotations in the source are those of the bodies, which get arrays only.
"""

from __future__ import annotations

import argparse
import inspect
import typing
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any, Final

import pdoc
import pdoc.doc
import pdoc.render

from arraytyping import Array
from arraytyping.checker.stubgen.surface import Module, read_surface
from arraytyping.typing import ArrayLike

MODULES: Final = ("arraytyping", "arraytyping.typing", "arraytyping.numpy", "arraytyping.lax", "arraytyping.random")
"""What has a page."""


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


def build(directory: Path) -> None:
    """Write the pages."""
    for name in MODULES:
        prepare(name)
    pdoc.render.configure(docformat="markdown", show_source=False, search=True)
    pages = {name: pdoc.doc.Module(import_module(name)) for name in MODULES}
    for name, module in pages.items():
        path = directory / f"{name.replace('.', '/')}.html"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(pdoc.render.html_module(module, pages), encoding="utf-8")
    (directory / "index.html").write_text(pdoc.render.html_index(pages), encoding="utf-8")
    if search := pdoc.render.search_index(pages):
        (directory / "search.js").write_text(search, encoding="utf-8")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("directory", nargs="?", type=Path, default=Path("site"), help="where the pages go (site/)")
    asked: Path = parser.parse_args().directory
    build(asked)
    print(f"written: {asked / 'index.html'}")

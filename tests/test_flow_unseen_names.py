"""Modules that bind names of their own which their text does not show: that such a name is missing is not told."""

from __future__ import annotations

import textwrap
from pathlib import Path

import pytest

from arraytyping.checker.flow.report.analysis import analyze
from arraytyping.checker.settings import Settings

_WAYS = {
    "a class of modules": """
        import sys, types
        class _Names(types.ModuleType):
            @property
            def alpha(self):
                return 3
        sys.modules[__name__].__class__ = _Names
    """,
    "the module by its name": """
        import sys
        this = sys.modules[__name__]
        for name in ["alpha", "beta"]:
            setattr(this, name, 1)
    """,
    "another object in its place": """
        from sys import modules
        class _Names:
            def __getattr__(self, name):
                return 3
        modules[__name__] = _Names()
    """,
    "its dict": """
        def fill(names):
            names["alpha"] = 1
        fill(globals())
    """,
    "its import": """
        import importlib
        importlib.import_module(__name__).alpha = 1
    """,
    "the frame of the caller": """
        import inspect
        def export(function):
            inspect.currentframe().f_back.f_globals["alpha"] = function
            return function
        @export
        def beta(): pass
    """,
    "the names that a function sees": """
        def export(function):
            function.__globals__["alpha"] = function
            return function
        @export
        def beta(): pass
    """,
    "its submodules": """
        import importlib, pkgutil
        for _, found, _ in pkgutil.iter_modules(__path__):
            module = importlib.import_module(f"{__name__}.{found}")
            for name in dir(module):
                globals()[name] = getattr(module, name)
    """,
    "another module": """
        import filling
        filling.fill(__name__)
    """,
    "itself": "gamma = 1\n",
}
_FILLING = "import sys\ndef fill(name):\n    sys.modules[name].alpha = 1\n"
_MAIN = "from package import alpha\nimport package\nprint(alpha, package.alpha)\n"


@pytest.mark.parametrize("way", _WAYS)
def test_a_name_that_may_be_bound_unseen_is_not_missing(
    way: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is missing where nothing binds names so."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "package").mkdir()
    (tmp_path / "package" / "__init__.py").write_text(textwrap.dedent(_WAYS[way]))
    (tmp_path / "package" / "sub.py").write_text("alpha = 1\n")
    if way == "another module":
        (tmp_path / "filling.py").write_text(_FILLING)
    (tmp_path / "main.py").write_text(_MAIN)
    found = analyze([Path("main.py")], Settings())
    told = [message.message for message in found.diagnostics]
    missing = ["ImportError: cannot import name 'alpha' from 'package'"]
    missing.append("AttributeError: module 'package' has no attribute 'alpha'")
    assert told == (missing if way == "itself" else [])


def test_what_a_hook_wraps_when_it_is_imported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Under the hooks of jaxtyping and typeguard functions have `__wrapped__`: that it is missing is not told."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "library.py").write_text("def f():\n    return 1\n")
    (tmp_path / "main.py").write_text("from library import f\nf.__wrapped__()\nprint(hasattr(f, '__wrapped__'))\n")
    assert analyze([Path("main.py")], Settings()).diagnostics == []

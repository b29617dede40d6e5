"""Jaxprs as text that `parse_jaxpr` reads back.

Source: https://docs.jax.dev/en/latest/jaxpr.html; the grammar is in `docs/jaxprs.md`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from arraytyping.runtime.jaxpr.parameters import DEFAULTS, number_text, value_text
from arraytyping.runtime.jaxpr.syntax import Atom, ClosedJaxpr, Jaxpr, JaxprEqn, Literal, Var, short_aval

__all__ = ["eqn_text", "jaxpr_text"]

_WIDTH: Final = 100
_KEYWORDS: Final = frozenset(("in", "is", "if", "or", "as", "let"))


class Names:
    """Names for variables, `a`, `b`, ... in the order in which they are met."""

    def __init__(self) -> None:
        self.names: dict[Var, str] = {}

    def __call__(self, atom: Atom) -> str:
        """The name of a variable; a literal with its type."""
        if isinstance(atom, Literal):
            return f"{number_text(atom.val)}:{short_aval(atom.aval)}"
        if atom not in self.names:
            self.names[atom] = self._next()
        return self.names[atom]

    def _next(self) -> str:
        n = len(self.names)
        while True:
            text, m = "", n
            while m >= 0:
                text = chr(97 + m % 26) + text
                m = m // 26 - 1
            if text not in _KEYWORDS and text not in self.names.values():
                return text
            n += 1

    def binder(self, var: Var) -> str:
        """A variable where it is bound: with its type."""
        return f"{self(var)}:{short_aval(var.aval)}"


def _jaxprs(value: Any, indent: str, source: bool) -> str | None:
    """A parameter that is a jaxpr or a tuple of them; None for others."""
    if isinstance(value, ClosedJaxpr):
        return jaxpr_text(value.jaxpr, indent, source)
    if isinstance(value, tuple) and value and all(isinstance(v, ClosedJaxpr) for v in value):
        inner = f"\n{indent}  "
        items = [f"{inner}{jaxpr_text(v.jaxpr, indent + '  ', source)}" for v in value]
        return f"({','.join(items)}{',' if len(items) == 1 else ''}\n{indent})"
    return None


def _flat_text(value: Any) -> str:
    """A parameter as text, for comparing it with a default."""
    return "" if _jaxprs(value, "", False) is not None else value_text(value)


def _params_text(name: str, params: Mapping[str, Any], indent: str, source: bool) -> str:
    defaults = DEFAULTS.get(name, {})
    shown = [(k, v) for k, v in params.items() if k not in defaults or value_text(defaults[k]) != _flat_text(v)]
    if not shown:
        return ""
    shown.sort(key=lambda item: isinstance(item[1], ClosedJaxpr))  # short ones first
    nested = [_jaxprs(v, indent + "    ", source) for _, v in shown]
    if any(text is not None for text in nested):
        inner = f"\n{indent}    "
        lines = [f"{k}={text if text is not None else value_text(v)}" for (k, v), text in zip(shown, nested)]
        return f"[{inner}{inner.join(lines)}\n{indent}  ]"
    flat = f"[{' '.join(f'{k}={value_text(v)}' for k, v in shown)}]"
    if len(flat) + len(indent) <= _WIDTH:
        return flat
    inner = f"\n{indent}    "
    return f"[{inner}{inner.join(f'{k}={value_text(v)}' for k, v in shown)}\n{indent}  ]"


def eqn_text(eqn: JaxprEqn, names: Names | None = None, indent: str = "", source: bool = False) -> str:
    """One equation; with `source`, the line of the program that it stands for as a comment."""
    names = names or Names()
    operands = [names(v) for v in eqn.invars]
    params = _params_text(eqn.primitive.name, eqn.params, indent, source)
    binders = " ".join(map(names.binder, eqn.outvars)) or "_"
    text = f"{binders} = {eqn.primitive.name}{params}{''.join(f' {o}' for o in operands)}"
    return f"{text}  # {eqn.source}" if source and eqn.source else text


def jaxpr_text(jaxpr: Jaxpr, indent: str = "", source: bool = False, mark: JaxprEqn | None = None) -> str:
    """A whole jaxpr; `mark` is an equation that an arrow points at."""
    names = Names()
    consts, ins = (" ".join(map(names.binder, group)) for group in (jaxpr.constvars, jaxpr.invars))
    head = f"{{ lambda {consts}; {ins}. let"
    eqns = [
        f"{'--> ' if eqn is mark else '    '}{eqn_text(eqn, names, indent + '    ', source or eqn is mark)}"
        for eqn in jaxpr.eqns
    ]
    outs = f"({', '.join(map(names, jaxpr.outvars))}{',' if len(jaxpr.outvars) == 1 else ''})"
    if not eqns:
        return f"{head} in {outs} }}"
    lines = "".join(f"\n{indent}{eqn}" for eqn in eqns)
    return f"{head}{lines}\n{indent}  in {outs} }}"


setattr(JaxprEqn, "__repr__", eqn_text)  # noqa: B010 (methods that belong to this module)
for _name in ("__repr__", "__str__"):
    setattr(Jaxpr, _name, jaxpr_text)
    setattr(ClosedJaxpr, _name, lambda closed: jaxpr_text(closed.jaxpr))

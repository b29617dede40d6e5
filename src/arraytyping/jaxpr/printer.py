"""Jaxprs as text."""

from __future__ import annotations

from typing import Any

from arraytyping.jaxpr.syntax import ClosedJaxpr, Jaxpr, JaxprEqn, Literal, Var, short_aval

__all__ = ["eqn_text", "jaxpr_text"]


class _Names:
    def __init__(self) -> None:
        self.names: dict[Var, str] = {}

    def __call__(self, v: Any) -> str:
        if isinstance(v, Literal):
            return f"{v.val}:{short_aval(v.aval)}"
        if v not in self.names:
            n, text = len(self.names), ""
            while True:
                text = chr(97 + n % 26) + text
                n = n // 26 - 1
                if n < 0:
                    break
            self.names[v] = text
        return self.names[v]

    def binder(self, v: Var) -> str:
        return f"{self(v)}:{short_aval(v.aval)}"


def eqn_text(eqn: JaxprEqn, names: _Names | None = None, indent: str = "") -> str:
    """One equation."""
    names = names or _Names()
    ins = " ".join(names(v) for v in eqn.invars)
    outs = " ".join(names.binder(v) for v in eqn.outvars)
    params = " ".join(
        f"{k}={jaxpr_text(v.jaxpr, indent + '  ') if isinstance(v, ClosedJaxpr) else v}" for k, v in eqn.params.items()
    )
    return f"{outs} = {eqn.primitive.name}{f'[{params}]' if params else ''} {ins}"


def jaxpr_text(jaxpr: Jaxpr, indent: str = "") -> str:
    """A whole jaxpr."""
    names = _Names()
    consts = " ".join(map(names.binder, jaxpr.constvars))
    ins = " ".join(map(names.binder, jaxpr.invars))
    lines = [f"{{ lambda {consts} ; {ins} . let"]
    lines += [f"{indent}    {eqn_text(e, names, indent + '    ')}" for e in jaxpr.eqns]
    lines.append(f"{indent}  in ({', '.join(names(v) for v in jaxpr.outvars)}) }}")
    return "\n".join(lines)

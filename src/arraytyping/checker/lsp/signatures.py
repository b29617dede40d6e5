"""Signature help: the parameters of a call, each with what is known of the argument that is given to it here."""

from __future__ import annotations

from lsprotocol import types as lsp

from arraytyping.checker.claims import ExpressionClaims, position_of
from arraytyping.checker.lsp.calls import OpenCall, Parameter
from arraytyping.checker.lsp.documents import Found
from arraytyping.checker.lsp.hints import shown_claims

__all__ = ["signature_help"]


def signature_help(call: OpenCall, found: Found | None) -> lsp.SignatureHelp:
    """The signature of a call, with what was found in its text."""
    known = {} if found is None else found.known
    label = f"{call.name}("
    parameters = []
    for number, parameter in enumerate(call.parameters):
        text = _described(parameter, known.get(position_of(parameter.argument)) if parameter.argument else None)
        start = len((label := label + (", " if number else "")).encode("utf-16-le")) // 2
        label += text
        parameters.append(lsp.ParameterInformation((start, len(label.encode("utf-16-le")) // 2)))
    label += ")"
    if (result := _shown(known.get(position_of(call.node)))) is not None:
        label += f" -> {result}"
    signature = lsp.SignatureInformation(label, parameters=parameters, active_parameter=call.active)
    return lsp.SignatureHelp([signature], active_signature=0, active_parameter=call.active)


def _described(parameter: Parameter, e: ExpressionClaims | None) -> str:
    shown = _shown(e)
    return parameter.text if shown is None else f"{parameter.name}: {shown}"


def _shown(e: ExpressionClaims | None) -> str | None:
    if e is None or not all(c.item == () for c in e.claims):
        return None
    return shown_claims(e.claims) or None

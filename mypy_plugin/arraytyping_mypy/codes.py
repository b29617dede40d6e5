"""Our error codes, as mypy knows them: they can be disabled, ignored and configured like mypy's own."""

from __future__ import annotations

from typing import Final

from mypy.errorcodes import ErrorCode

from arraytyping.checker.flow_codes import CODES as FLOW_CODES
from arraytyping.checker.opt_in_codes import parent_of
from arraytyping.semantics.rules.errors import CODES

ERROR_CODES: Final[dict[str, ErrorCode]] = {}
"""mypy's object for each code of the rules, and for those that only flow reports."""
for _table in (CODES, FLOW_CODES):
    for _code, _description in _table.items():
        _parent = parent_of(_code)
        ERROR_CODES[_code] = ErrorCode(
            _code, _description, "Arrays", sub_code_of=None if _parent is None else ERROR_CODES[_parent]
        )

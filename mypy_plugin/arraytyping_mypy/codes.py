"""Our error codes, as mypy knows them: they can be disabled, ignored and configured like mypy's own."""

from __future__ import annotations

from typing import Final

from mypy.errorcodes import ErrorCode

from arraytyping.checker.flow.state.diagnostics import CODES as FLOW_CODES
from arraytyping.semantics.rules.errors import CODES

ERROR_CODES: Final[dict[str, ErrorCode]] = {
    code: ErrorCode(code, description, "Arrays") for table in (CODES, FLOW_CODES) for code, description in table.items()
}
"""mypy's object for each code of the rules, and for those that only flow reports."""

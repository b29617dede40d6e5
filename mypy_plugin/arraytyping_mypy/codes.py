"""Our error codes, as mypy knows them: they can be disabled, ignored and configured like mypy's own."""

from __future__ import annotations

from typing import Final

from mypy.errorcodes import ErrorCode

from arraytyping.rules.errors import CODES, Code

ERROR_CODES: Final[dict[Code, ErrorCode]] = {
    code: ErrorCode(code, description, "Arrays") for code, description in CODES.items()
}
"""mypy's object for each code of the rules."""

"""mypy's own errors: those that plain mypy would not give are dropped at their birth.

With type parameters on the class of arrays, and with variables that may be bound again, mypy compares and infers what
it does not without the plugin: `arg-type` for arrays whose types overlap, `var-annotated`, items of lists, overloads.
None of that is a mistake.  Two arrays that contradict each other, one of them annotated, are one, with our own code.
Of any other error plain mypy is asked, once for the whole program, and only if there is such an error.
"""

from __future__ import annotations

import re
from enum import Enum, auto
from functools import cached_property
from typing import TYPE_CHECKING, Final

from mypy.errorcodes import CALL_OVERLOAD, OPERATOR
from mypy.errors import ErrorInfo
from mypy.nodes import Context, Import, MypyFile
from mypy.plugin import CheckerPluginInterface

from arraytyping_mypy.checker import (
    checker_now,
    counts_ignored,
    ignore,
    ignoring_line,
    is_disabled,
    is_silent,
    module_tree,
    watch,
)  # fmt: skip
from arraytyping_mypy.codes import ERROR_CODES
from arraytyping_mypy.features.generic_classes import is_generic_itself
from arraytyping_mypy.refused_attributes import refused_attribute
from arraytyping_mypy.removed_names import member_at, removed_at
from arraytyping_mypy.sessions import Sessions

if TYPE_CHECKING:
    from arraytyping_mypy.disjoint import Comparison
    from arraytyping_mypy.plain import PlainErrors

__all__ = ["DroppedErrors"]

_NOT_OURS: Final = frozenset({
    "import", "import-not-found", "import-untyped", "syntax", "name-defined", "no-untyped-def", "no-untyped-call",
})  # fmt: skip
"""Codes of errors that hang on nothing that the plugin changes."""


_ATTRIBUTE: Final = r'" has no attribute "(\w+)"'


class _Fate(Enum):
    """What becomes of an error."""

    STAYS = auto()
    DROPPED = auto()
    """With its notes."""
    IGNORED = auto()
    """Hidden by a `# type: ignore`; whether that hides its notes, too, is mypy's to say."""


class DroppedErrors:
    """Filters the errors of a build."""

    def __init__(self, sessions: Sessions) -> None:
        self._sessions = sessions
        self._decided: tuple[str, ErrorInfo, _Fate] | None = None

    @cached_property
    def _plain(self) -> PlainErrors:
        return self._sessions.settings.plain_errors()

    def watch(self) -> None:
        """See the errors of the module under check from now on."""
        api = checker_now()
        if api is not None and watch(api, self.drops):
            self.__dict__.pop("_plain", None)

    def drops(self, file: str, info: ErrorInfo) -> bool:
        """Whether an error (or a note on one) is dropped; mypy asks twice for each."""
        last = self._decided
        if last is not None and last[1] is info:
            return last[2] is not _Fate.STAYS
        if info.severity == "note":
            if last is not None and last[2] is _Fate.DROPPED and _belongs(info, file, last):
                return True
            api = checker_now() if info.code is OPERATOR else None
            return api is not None and self._is_refused(api, file, info)
        fate = self._fate(file, info)
        self._decided = file, info, fate
        return fate is not _Fate.STAYS

    def _fate(self, file: str, info: ErrorInfo) -> _Fate:
        from arraytyping_mypy.disjoint import Comparison  # few modules have an error

        api = checker_now()
        code = info.code.code if info.code is not None else ""
        if info.blocker or api is None or code.startswith("array-") or code in _NOT_OURS:
            return _Fate.STAYS
        if is_silent(api, file) or is_disabled(api, info):
            return _Fate.STAYS
        line = ignoring_line(api, file, info)
        if line is not None and not counts_ignored(api):
            return _Fate.IGNORED
        if code == "call-arg" and self._was_overloaded(api, file, info):
            info.code, code = CALL_OVERLOAD, "call-overload"
        if info.code is OPERATOR and line is None and self._is_refused(api, file, info):
            return _Fate.DROPPED
        if code == "attr-defined" and line is None:
            self._name_of_yesterday(api, file, info)
        found = self._two_types(api, info, code)
        if found is None or found[0] is Comparison.OTHER or self._is_generic_without_us(api):
            if self._sessions.settings.shows_own_errors and self._plain.lacks(api, file, info.line, code, line):
                if line is None and code == "attr-defined" and self._is_missing(api, file, info):
                    return _Fate.STAYS
                return self._contradiction(api, file, info, code, found) if line is None else _Fate.DROPPED
            if line is None:
                return _Fate.STAYS
            ignore(api, file, info, line)
            return _Fate.IGNORED
        return self._contradiction(api, file, info, code, found)

    def _is_refused(self, api: CheckerPluginInterface, file: str, info: ErrorInfo) -> bool:
        """Whether we tell of an operator ourselves, in words that say more."""
        tree = module_tree(api)
        return tree.path == file and self._sessions.of(api).refused_operators.has(info)

    def _name_of_yesterday(self, api: CheckerPluginInterface, file: str, info: ErrorInfo) -> None:
        """Say of a name that jax has no more what stands for it, unless flow has done so."""
        tree, session = module_tree(api), self._sessions.of(api)
        sentence = removed_at(info.message, info.line, info.column, tree, session) if tree.path == file else None
        context = Context(info.line, info.column)
        context.end_line, context.end_column = info.end_line, info.end_column
        if sentence is None or session.handles(AttributeError, context):
            return
        if not session.flow_says("array-jax-version", context):
            info.code, info.message = ERROR_CODES["array-jax-version"], sentence

    def _is_missing(self, api: CheckerPluginInterface, file: str, info: ErrorInfo) -> bool:
        """Whether what only we know of certainly has no such attribute, which is told in our words then."""
        tree, session = module_tree(api), self._sessions.of(api)
        name = re.search(_ATTRIBUTE, info.message)
        if name is None or tree.path != file:
            return False
        place = member_at(info.line, info.column, name[1], tree)
        owner = None if place is None else session.stored(place.expr)
        refused = None if place is None else refused_attribute(place, owner, session)
        if refused is None or place is None or session.handles(AttributeError, place):
            return False
        if session.flow_says("array-call", place):
            return False
        info.message, info.code = refused[0], ERROR_CODES[refused[1]]
        return True

    def _was_overloaded(self, api: CheckerPluginInterface, file: str, info: ErrorInfo) -> bool:
        """Whether mypy calls this otherwise with all overloads of our stubs, of which one is left here."""
        if not self._sessions.settings.shows_own_errors or not self._plain.lacks(api, file, info.line, "call-arg"):
            return False
        return not self._plain.lacks(api, file, info.line, "call-overload")

    def _two_types(
        self, api: CheckerPluginInterface, info: ErrorInfo, code: str
    ) -> tuple[Comparison, re.Match[str]] | None:
        """The two types of arrays of which an error speaks, and how they compare; None if it speaks of others."""
        from arraytyping_mypy.disjoint import compare
        from arraytyping_mypy.two_types import TWO_TYPES

        pattern = TWO_TYPES.get(code)
        match = None if pattern is None or "Array[" not in info.message else pattern.fullmatch(info.message)
        if match is None or self._sessions.of(api).array is None:
            return None
        return compare(match["given"], match["expected"]), match

    def _is_generic_without_us(self, api: CheckerPluginInterface) -> bool:
        """Whether arrays may have type parameters without the plugin, too, and are printed alike."""
        array = self._sessions.of(api).array
        return array is None or is_generic_itself(array) or _imports(module_tree(api), "arraytyping")

    def _contradiction(
        self, api: CheckerPluginInterface, file: str, info: ErrorInfo, code: str,
        found: tuple[Comparison, re.Match[str]] | None,
    ) -> _Fate:  # fmt: skip
        """What becomes of an error that plain mypy does not give: it is told if the two types surely differ."""
        from arraytyping_mypy.disjoint import Comparison

        if found is None or found[0] is not Comparison.DISJOINT:
            return _Fate.DROPPED
        match = found[1]
        return _told(info, match) if self._is_certain(api, file, info, code, match) else _Fate.DROPPED

    def _is_certain(
        self, api: CheckerPluginInterface, file: str, info: ErrorInfo, code: str, match: re.Match[str]
    ) -> bool:
        from arraytyping_mypy.declared import is_declared

        if module_tree(api).path != file or not is_declared(api, info.line, info.column, code, match["expected"]):
            return False
        context = Context(info.line, info.column)
        context.end_line, context.end_column = info.end_line, info.end_column
        session = self._sessions.of(api)
        return not (session.handles(TypeError, context) or session.flow_says("array-annotation", context))


def _told(info: ErrorInfo, match: re.Match[str]) -> _Fate:
    """Tell a contradiction in our words."""
    from arraytyping_mypy.two_types import contradiction_sentence

    info.code, info.message = ERROR_CODES["array-annotation"], contradiction_sentence(match)
    return _Fate.STAYS


def _belongs(note: ErrorInfo, file: str, last: tuple[str, ErrorInfo, _Fate]) -> bool:
    """Whether a note belongs to the error that came last."""
    if note.parent_error is not None:
        return note.parent_error is last[1]
    return (file, note.line) == (last[0], last[1].line) and note.code in (None, last[1].code)


def _imports(tree: MypyFile, package: str) -> bool:
    """Whether a module imports something of this package."""
    names = [
        name
        for statement in tree.imports
        for name in ([i for i, _ in statement.ids] if isinstance(statement, Import) else [getattr(statement, "id", "")])
    ]
    return any(name.partition(".")[0] == package for name in names)

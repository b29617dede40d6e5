"""What `inspect.Signature.bind` gives: arguments by the names of the parameters, which a program may change.

Source: https://docs.python.org/3/library/inspect.html#inspect.BoundArguments.
"""


class BoundArguments:
    def __init__(self, arguments, parameters):
        self.arguments = arguments
        self._parameters = parameters

    @property
    def args(self):
        found = ()
        for name, kind, _, _ in self._parameters:
            if name not in self.arguments or kind in ("KEYWORD_ONLY", "VAR_KEYWORD"):
                break
            value = self.arguments[name]
            found += tuple(value) if kind == "VAR_POSITIONAL" else (value,)
        return found

    @property
    def kwargs(self):
        found = {}
        is_positional = True
        for name, kind, _, _ in self._parameters:
            is_positional = is_positional and name in self.arguments and kind not in ("KEYWORD_ONLY", "VAR_KEYWORD")
            if is_positional or name not in self.arguments:
                continue
            if kind == "VAR_KEYWORD":
                found.update(self.arguments[name])
            else:
                found[name] = self.arguments[name]
        return found

    def apply_defaults(self):
        made = {}
        for name, kind, has_default, default in self._parameters:
            if name in self.arguments:
                made[name] = self.arguments[name]
            elif has_default:
                made[name] = default
            elif kind == "VAR_POSITIONAL":
                made[name] = ()
            elif kind == "VAR_KEYWORD":
                made[name] = {}
        self.arguments = made

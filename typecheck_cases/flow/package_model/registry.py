"""A registry of named constructors, filled by decorators."""


class Registry:
    def __init__(self, kind):
        self.kind = kind
        self._entries = {}

    def register(self, name=None):
        def decorator(entry):
            key = name or entry.__name__.lower()
            if key in self._entries:
                raise ValueError(f"{self.kind} {key!r} is registered twice")
            self._entries[key] = entry
            return entry

        return decorator

    def __getitem__(self, name):
        try:
            return self._entries[name]
        except KeyError:
            known = ", ".join(sorted(self._entries))
            raise KeyError(f"unknown {self.kind} {name!r}; known: {known}") from None

    def build(self, name, *args, **kwargs):
        return self[name](*args, **kwargs)

    def __iter__(self):
        return iter(sorted(self._entries))


LAYERS = Registry("layer")
OPTIMISERS = Registry("optimiser")

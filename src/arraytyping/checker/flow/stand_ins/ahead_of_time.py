"""What `lower`, `trace` and `compile` make of a jitted function: it can be called with the arguments that are not static.

Source: https://docs.jax.dev/en/latest/aot.html.
"""

from arraytyping import facts


class _Stage:
    def __init__(self, function, given, static):
        self._function, self._given, self._static = function, given, static

    def as_text(self, dialect=None, **options):
        return facts.text()

    def __getattr__(self, name):
        return facts.reads_only("of a function that is compiled ahead of time, " + name)


class Compiled(_Stage):
    def __call__(self, *args, **kwargs):
        given = list(args)
        for at in self._static:
            given.insert(at, self._given[at])
        return self._function(*given, **kwargs)


class Lowered(_Stage):
    def compile(self, compiler_options=None, **options):
        return Compiled(self._function, self._given, self._static)


class Traced(_Stage):
    def lower(self, **options):
        return Lowered(self._function, self._given, self._static)

"""What is bound in configurations of `gin`, and what is known as configurable.

What is read from a configuration that is not known may bind any parameter: then what was bound before is not known
either, and what is bound later is known where no scope is open in which something else may be bound.
"""

import copy

from arraytyping import facts

STATE = {"is_open": False, "is_locked": False}
CONSTANTS = {}
SCOPES = [[]]
_BINDERS = ("dopamine", "flaxformer", "mesh_tensorflow", "seqio", "t5", "t5x", "tf_agents", "trax")
"""Libraries that parse configurations for the programs that import them."""
_REGISTRY = {}
_BY_LAST_NAME = {}
_BOUND = {}
_SINGLETONS = {}


class Required:
    """What stands for an argument that has to be bound."""


REQUIRED = Required()


class Configurable:
    def __init__(self, name, selector, wrapped, names):
        self.name = name
        self.selector = selector
        self.wrapped = wrapped
        self.wrapper = wrapped
        self.names = names

    def filled(self, given):
        """The arguments that are bound, by name; unknown if any may be."""
        if facts.has_imported(_BINDERS):
            return facts.unknown("a parameter that a library may have bound by gin")
        bound = bound_to(self.selector)
        if not facts.is_known(list(bound)):
            return facts.unknown("a parameter that may be bound by gin")
        if STATE["is_open"]:
            if self.names is None:
                return facts.unknown("a parameter that may be bound by gin")
            exactly = _BOUND.get(self.selector, {}).get("/".join(SCOPES[-1]), {})
            made = {}
            for name in self.names:
                if name in given:
                    continue
                if name in exactly:
                    made[name] = resolved(exactly[name])
                else:
                    made[name] = facts.unknown("a parameter that may be bound by gin")
            return made
        return {name: resolved(value) for name, value in bound.items() if name not in given}


class Reference:
    """A function or class that a configuration names, in scopes of its own, and maybe what it gives."""

    def __init__(self, scoped_selector, evaluate):
        *self.scopes, self.selector = scoped_selector.split("/")
        self.evaluate = evaluate
        self.found = registered(self.selector)

    def value(self):
        if self.found is None:
            return facts.unknown("what a configuration of gin refers to and is not known")
        function = scoped(self.found.wrapper, self.scopes)
        return function() if self.evaluate else function


def scoped(function, scopes):
    if not scopes:
        return function

    def in_scopes(*args, **kwargs):
        SCOPES.append(scopes)
        try:
            return function(*args, **kwargs)
        finally:
            SCOPES.pop()

    return in_scopes


def matching(known, selector):
    """The full names that end with a name."""
    if selector in known:
        return [selector]
    return [name for name in known if name.endswith("." + selector)]


def registered(selector):
    """What is configurable under a name, or the end of one; None if that is nothing, or more than one."""
    if selector in _REGISTRY:
        return _REGISTRY[selector]
    found = matching(_BY_LAST_NAME.get(selector.rpartition(".")[2], []), selector)
    return _REGISTRY[found[0]] if len(found) == 1 else None


def may_raise(error):
    if facts.boolean():
            raise error


def open_up():
    """Something is read that is not known."""
    STATE["is_open"] = True
    _BOUND.clear()


def forget_changes():
    """What nothing in the program calls may be called by another program, with other configurations."""
    open_up()
    STATE["is_locked"] = facts.boolean()


def register(configurable):
    _REGISTRY[configurable.selector] = configurable
    names = _BY_LAST_NAME.setdefault(configurable.selector.rpartition(".")[2], [])
    if configurable.selector not in names:
        names.append(configurable.selector)


def renamed_methods(cls, selector):
    """The configurable methods of a class that is registered, which go by its name as well from then on."""
    methods = {}
    for name, found in list(_REGISTRY.items()):
        member = getattr(cls, found.name, None)
        if _is_same(member, found.wrapper) or _is_same(member, found.wrapped):
            del _REGISTRY[name]
            _BY_LAST_NAME[name.rpartition(".")[2]].remove(name)
            found.selector = selector + "." + found.name
            register(found)
            methods[found.name] = found.wrapper
    return methods


def _is_same(one, other):
    """Whether it is certain."""
    return facts.is_known(one is other) and one is other


def configurable_of(function):
    """That of a function, a class or a name."""
    if isinstance(function, str):
        return registered(function)
    for found in _REGISTRY.values():
        if _is_same(function, found.wrapper) or _is_same(function, found.wrapped):
            return found
    return None


def bind(scope, selector, name, value):
    if STATE["is_locked"]:
        may_raise(RuntimeError("Attempted to modify locked Gin config."))
    found = registered(selector)
    if found is None:
        may_raise(ValueError("No configurable matching '" + selector + "'."))
    elif found.names is not None and name not in found.names:
        may_raise(ValueError("Configurable '" + selector + "' doesn't have a parameter named '" + name + "'."))
    else:
        _BOUND.setdefault(found.selector, {}).setdefault(scope, {})[name] = value


def bound_to(selector):
    """What is bound in the scopes that are open, the innermost last."""
    of_scopes = _BOUND.get(selector)
    if of_scopes is None:
        return {}
    if not facts.is_known(SCOPES[-1]):
        return facts.unknown("what is bound in a scope of gin that is not known")
    made = {}
    for i in range(len(SCOPES[-1]) + 1):
        made.update(of_scopes.get("/".join(SCOPES[-1][:i]), {}))
    return made


def bound_value(scope, selector, name):
    """The value that is bound to a parameter as it is written."""
    if facts.has_imported(_BINDERS):
        return facts.unknown("a parameter that a library may have bound by gin")
    found = registered(selector)
    values = {} if found is None else _BOUND.get(found.selector, {}).get(scope, {})
    if name in values:
        return values[name]
    may_raise(ValueError("no value bound for parameter '" + name + "'."))
    return facts.unknown("a parameter that is not bound by gin")


def resolved(value):
    """A copy of what is bound, in which references stand for what they refer to."""
    if isinstance(value, Reference):
        return value.value()
    if isinstance(value, list):
        return [resolved(item) for item in value]
    if isinstance(value, tuple):
        return tuple([resolved(item) for item in value])
    if isinstance(value, dict):
        return {resolved(key): resolved(item) for key, item in value.items()}
    return copy.deepcopy(value)


def singleton_value(key, constructor=None):
    if key not in _SINGLETONS:
        _SINGLETONS[key] = constructor()
    return _SINGLETONS[key]


def clear(clear_constants=False):
    STATE["is_locked"] = False
    STATE["is_open"] = False
    _BOUND.clear()
    _SINGLETONS.clear()
    if clear_constants:
        CONSTANTS.clear()
        CONSTANTS["gin.REQUIRED"] = REQUIRED

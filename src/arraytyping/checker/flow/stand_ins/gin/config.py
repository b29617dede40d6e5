"""`gin.config`: configurable functions and classes, scopes, constants, and what is bound.

Source: https://github.com/google/gin-config/blob/master/gin/config.py.
"""

from contextlib import contextmanager

from arraytyping import facts

from . import bindings as _bindings
from .bindings import CONSTANTS, REQUIRED, SCOPES, STATE, Configurable, singleton_value
from .parsing import (
    add_config_file_search_path, finalize, parse_config, parse_config_file, parse_config_files_and_bindings,
    parse_value, register_file_reader, register_finalize_hook,
)  # fmt: skip

_KNOWN = "what gin makes configurable"


# ---------------------------------------------------------------------- what is configurable


def _made(target, name, module, allowlist, denylist, is_new):
    if name is None:
        name = getattr(target, "__name__", None)
    if module is None and isinstance(name, str) and "." not in name:
        module = getattr(target, "__module__", None)
    if not facts.is_known([name, module, allowlist, denylist]) or not isinstance(name, str):
        return facts.unknown(_KNOWN)
    names = facts.parameters(target)
    if allowlist:
        names = list(allowlist)
    elif denylist and names is not None:
        names = [parameter for parameter in names if parameter not in denylist]
    made = Configurable(name, module + "." + name if module else name, target, names)
    methods = _bindings.renamed_methods(target, made.selector) if is_new and isinstance(target, type) else {}
    made.wrapper = facts.filled_in(target, made.filled, REQUIRED, is_new, methods)
    _bindings.register(made)
    return made.wrapper


def configurable(name_or_fn=None, module=None, allowlist=None, denylist=None, whitelist=None, blacklist=None):
    allowlist, denylist = allowlist or whitelist, denylist or blacklist
    if callable(name_or_fn):
        return _made(name_or_fn, None, module, allowlist, denylist, False)
    return lambda target: _made(target, name_or_fn, module, allowlist, denylist, False)


def external_configurable(fn_or_cls, name=None, module=None, allowlist=None, denylist=None, **options):
    return _made(fn_or_cls, name, module, allowlist, denylist, True)


def register(name_or_fn=None, module=None, allowlist=None, denylist=None):
    if callable(name_or_fn):
        _made(name_or_fn, None, module, allowlist, denylist, True)
        return name_or_fn

    def decorate(target):
        _made(target, name_or_fn, module, allowlist, denylist, True)
        return target

    return decorate


@register(module="gin")
def macro(value):
    return value


@register("constant", module="gin")
def _constant():
    return CONSTANTS[current_scope_str()]


@register(module="gin")
def singleton(constructor):
    return singleton_value(current_scope_str(), constructor)


def get_configurable(fn_or_cls_or_selector):
    scopes, found = current_scope(), fn_or_cls_or_selector
    if isinstance(found, str) and "/" in found:
        *scopes, found = found.split("/")
    known = _bindings.configurable_of(found)
    return facts.unknown(_KNOWN) if known is None else _bindings.scoped(known.wrapper, scopes)


# ---------------------------------------------------------------------- scopes and constants


def current_scope():
    return list(SCOPES[-1])


def current_scope_str():
    return "/".join(SCOPES[-1])


@contextmanager
def config_scope(name_or_scope):
    scope = []
    if isinstance(name_or_scope, list):
        scope = name_or_scope
    elif name_or_scope:
        scope = [*SCOPES[-1], *name_or_scope.split("/")]
    SCOPES.append(scope)
    try:
        yield scope
    finally:
        SCOPES.pop()


def constant(name, value):
    CONSTANTS[name] = value


constant("gin.REQUIRED", REQUIRED)


def constants_from_enum(cls=None, module=None):
    def decorate(cls, module=module):
        for value in cls:
            constant((module or cls.__module__) + "." + cls.__name__ + "." + value.name, value)
        return cls

    return decorate if cls is None else decorate(cls)


# ---------------------------------------------------------------------- what is bound


def _bound_key(binding_key):
    if isinstance(binding_key, (list, tuple)):
        return binding_key
    scope, _, selector = binding_key.rpartition("/")
    selector, _, name = selector.rpartition(".")
    return scope, selector, name


def bind_parameter(binding_key, value):
    if not facts.is_known(binding_key):
        return _bindings.open_up()
    scope, selector, name = _bound_key(binding_key)
    _bindings.bind(scope, selector, name, value)


def query_parameter(binding_key):
    if STATE["is_open"] or not facts.is_known(binding_key):
        return facts.unknown("a parameter that may be bound by gin")
    if isinstance(binding_key, str) and len(found := _bindings.matching(CONSTANTS, binding_key)) == 1:
        return CONSTANTS[found[0]]
    scope, selector, name = _bound_key(binding_key)
    return _bindings.bound_value(scope, selector, name)


def get_bindings(fn_or_cls_or_selector, resolve_references=True, inherit_scopes=True):
    known = _bindings.configurable_of(fn_or_cls_or_selector)
    if known is None or STATE["is_open"] or not resolve_references or not inherit_scopes:
        return facts.unknown("what is bound by gin")
    return known.filled([])


def clear_config(clear_constants=False):
    _bindings.clear(clear_constants)


def config_is_locked():
    return STATE["is_locked"]


@contextmanager
def unlock_config():
    before = STATE["is_locked"]
    STATE["is_locked"] = False
    yield
    STATE["is_locked"] = before


# ---------------------------------------------------------------------- texts


def config_str(max_line_length=80, continuation_indent=4):
    return facts.text()


operative_config_str = config_str


def markdown(string):
    return facts.text()


def enter_interactive_mode():
    return None


exit_interactive_mode = enter_interactive_mode


@contextmanager
def interactive_mode():
    yield

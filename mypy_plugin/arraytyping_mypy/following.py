"""What a function without annotations gives, by following its body for the types of a call.

mypy says `Any` of such a function, whatever it is given.  Here mypy checks a copy of it, whose parameters have the
types of the arguments, and what it returns is the result of the call.  A function that is declared to return just an
array is followed as well.  Only functions of the module under check are: of another one mypy may have no syntax tree.

It is bounded: by the depth of calls, by the different calls of a function, and by the expressions of a module.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Final

from mypy.nodes import (
    ArgKind,
    Block,
    CallExpr,
    Expression,
    FuncDef,
    FuncItem,
    LambdaExpr,
    MemberExpr,
    MypyFile,
    NameExpr,
    Node,
    OpExpr,
    TupleExpr,
    TypeInfo,
    Var,
)
from mypy.types import (
    AnyType,
    CallableType,
    Instance,
    TupleType,
    Type,
    TypedDictType,
    TypeOfAny,
    get_proper_type,
)

from arraytyping.checker.swallowed import swallow
from arraytyping_mypy.arguments import is_uncertain
from arraytyping_mypy.checker import (
    check_apart,
    functions_around,
    inside,
    is_tentative,
    known_types,
    truth,
)
from arraytyping_mypy.copies import Copy, can_be_copied, copy_function
from arraytyping_mypy.decided import decide, decided_conditions
from arraytyping_mypy.displays import refined
from arraytyping_mypy.features.chosen_calls import have_asked
from arraytyping_mypy.features.initializing import name_bases
from arraytyping_mypy.features.instances import exact_class, method
from arraytyping_mypy.features.options_of_argparse import of_option
from arraytyping_mypy.fixed_lists import opened
from arraytyping_mypy.followable import admits, definition_of
from arraytyping_mypy.generalize import generalize
from arraytyping_mypy.iterated import open_rounds
from arraytyping_mypy.kept_displays import keep_displays
from arraytyping_mypy.left_loops import is_left
from arraytyping_mypy.looked_up import is_field
from arraytyping_mypy.making import Making
from arraytyping_mypy.mistakes import Mistakes
from arraytyping_mypy.outgrown import has_outgrown
from arraytyping_mypy.own_names import jax_name
from arraytyping_mypy.parameters import bind
from arraytyping_mypy.provenance import CUSTOM, custom_function, is_traceable, without_definitions
from arraytyping_mypy.records import Differentiated, Followed, Tracing
from arraytyping_mypy.refined import annotates_arrays, refined_annotation
from arraytyping_mypy.returned import returned
from arraytyping_mypy.scripts import Script, script_of
from arraytyping_mypy.unrolled import Place, Rounds
from arraytyping_mypy.variants import by_any_key, key_of, merged, without_floats
from arraytyping_mypy.walk import children, inner_nodes

if TYPE_CHECKING:
    from arraytyping_mypy.session import Session

__all__ = ["Following"]

_SITES: Final = (CallExpr, MemberExpr, OpExpr)
"""What may call a function: a property and an operator too."""

DEPTH: Final = 16
"""How many calls deep functions are followed."""

COMPUTED_KEY: Final = "TypedDict key must be a string literal"
"""What mypy says of a key that is computed, where a dict is known by its keys."""

RECURSION: Final = 2
"""How often a function is followed within itself."""

VARIANTS: Final = 12
"""How many different calls of one function are followed."""

REWRITINGS: Final = 5
"""How often a function is checked anew since more of its loops can be written out."""

EXPRESSIONS: Final = 40_000
"""How many expressions of a module are looked at in all."""


class Following:
    """The functions of one module that were followed."""

    def __init__(self, session: Session, tree: MypyFile) -> None:
        self._session = session
        self._around: dict[FuncItem, tuple[FuncItem, ...]] = {}
        self._originals: dict[FuncItem, FuncItem] = {}
        self._copied: dict[FuncItem, dict[Expression, Type]] = {}
        self._pairs: dict[FuncItem, dict[Expression, Expression]] = {}
        self._can: dict[FuncItem, bool] = {}
        self._made: dict[object, tuple[Type | None, Followed]] = {}
        self._counts: dict[tuple[FuncItem, bool], int] = {}
        """How many calls of a function were followed, and of those that are given something unknown."""
        self._stack: list[tuple[object, Followed]] = []
        self._looked_at = 0
        self._running: list[FuncDef] = []
        self._lambdas: dict[LambdaExpr, FuncDef] = {}
        self._bound: dict[object, FuncDef] = {}
        """What stands for methods of instances, by the method and the instance's type."""
        self._methods: dict[FuncItem, tuple[FuncDef, Type]] = {}
        """The reverse: the method, and the instance."""
        self.making = Making(session)
        self._bodies: dict[FuncItem, Block] = {}
        """Of the functions in copies, which mypy must not check for itself."""
        self._all_calls: set[CallExpr] = set()
        self._calls: dict[Expression, Expression] = {}
        """The calls in copies, with those of which they are copies."""
        self.site: Expression | None = None
        """The call for which functions are followed now."""
        self.roots: dict[tuple[FuncItem, ...], Followed] = {}
        """What is followed from where mypy itself checks: by the functions around it."""
        self.mistakes = Mistakes(session)
        self._is_over = False
        """Whether mypy has seen all functions of the module, and what went wrong in them was told."""
        self.script: tuple[Script, Followed] | None = None
        """The top level of the module, where that was followed as a function."""
        self._note_functions(tree, ())

    @property
    def is_active(self) -> bool:
        """Whether a function is being followed."""
        return bool(self._stack)

    def _note_functions(self, tree: Node, around: tuple[FuncItem, ...]) -> None:
        stack = [tree]
        inner: list[FuncDef | LambdaExpr] = []
        while stack:
            node = stack.pop()
            if isinstance(node, CallExpr):
                self._all_calls.add(node)
            elif isinstance(node, FuncDef | LambdaExpr):
                self._around[node] = around
                inner.append(node)
                continue
            stack += inner_nodes(node)
        for function in inner:
            for part in children(function):
                self._note_functions(part, (*around, function))

    def knows(self, function: FuncDef) -> bool:
        """Whether a function is one of the module, or a copy of one."""
        return function in self._around

    def has(self, call: CallExpr) -> bool:
        """Whether a call stands in the module; mypy makes up others, for `functools.partial`."""
        return call in self._all_calls

    def original_call(self, call: CallExpr) -> Expression:
        """The call of the module of which this one is a copy, or itself."""
        return self._calls.get(call, call)

    def add(self, call: CallExpr, of: CallExpr) -> None:
        """Note a call that was made up in the place of one of the module."""
        self._all_calls.add(call)
        self._calls[call] = self._calls.get(of, of)

    def function(self, expression: Expression, t: Type) -> Type:
        """The type of a function that is an argument; a lambda's says which one it is."""
        p = get_proper_type(t)
        if isinstance(expression, NameExpr) and isinstance(expression.node, Var):
            value = self._session.bindings.only_value(expression.node)
            if isinstance(value, LambdaExpr) or (isinstance(value, MemberExpr) and isinstance(p, CallableType)):
                expression = value
        if isinstance(expression, TupleExpr) and isinstance(p, TupleType) and len(p.items) == len(expression.items):
            return p.copy_modified(items=[self.function(e, i) for e, i in zip(expression.items, p.items)])
        if isinstance(expression, MemberExpr) and isinstance(p, CallableType):
            bound = self._bound_method(expression)
            if bound is not None:
                return p.copy_modified(definition=bound, implicit=p.implicit or admits(p.ret_type))
        if isinstance(p, Instance) and jax_name(p.type.fullname) in CUSTOM:
            return custom_function(expression, self._session.bindings, self._session.api) or t
        if not isinstance(expression, LambdaExpr):
            if not is_traceable(expression, self._session.bindings):
                bare = without_definitions(t)
                t = bare if bare is t or not is_field(expression, self._session) else t
            t = of_option(expression, t, self._session)
            if isinstance(p, Instance) and p.args and is_uncertain(expression, self._session):
                return generalize(t)
            return refined(expression, self._session.grown.type_of(expression, t), self._session)
        if not isinstance(p, CallableType) or expression not in self._around:
            return t
        made = self._lambdas.get(expression)
        if made is None:
            made = FuncDef("<lambda>", expression.arguments, expression.body)
            made._fullname = "<lambda>"
            made.set_line(expression)
            self._lambdas[expression] = made
            self._around[made] = self._around[expression]
            self._originals[made] = self._originals.get(expression, expression)
            self._pairs[made] = self._pairs.get(expression, {})
        return p.copy_modified(definition=made, implicit=True, ret_type=_any())

    def _bound_method(self, expression: MemberExpr) -> FuncDef | None:
        """What stands for a method of an instance that is known, where it is handed on as a function."""
        owner = self._session.stored(expression.expr)
        info = exact_class(expression.expr, owner, self._session)
        function = None if info is None else method(info, expression.name, self._session)
        definition = None if function is None else function.definition
        if owner is None or not isinstance(definition, FuncDef) or definition not in self._around:
            return None
        if definition.is_property or definition.is_static or definition.is_class or definition.is_decorated:
            return None
        if self._session.bindings.rebindings(definition) or not definition.arguments:
            return None
        key = definition, key_of(owner)
        made = self._bound.get(key)
        if made is None:
            made = FuncDef(definition.name, definition.arguments[1:], definition.body)
            made._fullname = definition.fullname
            made.set_line(definition)
            self._bound[key] = made
            self._methods[made] = definition, owner
            self._around[made] = self._around[definition]
            self._originals[made] = self._originals.get(definition, definition)
        return made

    def original(self, function: FuncItem) -> FuncItem:
        """The function of the program that this one is a copy of, or itself."""
        return self._originals.get(function, function)

    def fails_at(self, site: CallExpr) -> bool:
        """Whether a mistake was met in a function that was followed for a call."""
        call = self._calls.get(site, site)
        waiting = [child for child, sites in self._here().sites.items() if call in sites]
        for child in waiting:  # which grows
            if child.mistakes:
                return True
            waiting += [inner for inner in child.sites if inner not in waiting]
        return False

    def result(
        self,
        function: CallableType,
        positional: Sequence[Type],
        named: Mapping[str, Type],
        tracing: Tracing | None = None,
    ) -> Type | None:
        """What a function gives for arguments of these types; None if that is not known."""
        definition = definition_of(function)
        found = None if definition is None else self._record(definition, positional, named, tracing)
        if found is None or found[0] is None:
            return None
        result = found[0] if self._stack else opened(found[0], self._session)
        if not annotates_arrays(function.ret_type):
            return result
        return refined_annotation(function.ret_type, result, self._session) or result

    def aside(self, function: CallableType, positional: Sequence[Type]) -> Type | None:
        """What a function gives for these types that is not called here, but may be later; None if not known."""
        definition = definition_of(function)
        found = None if definition is None else self._record(definition, positional, {}, is_noted=False)
        return None if found is None else found[0]

    def note_custom(self, call: CallExpr, what: Differentiated) -> None:
        """Note what happens to a call of a function with derivatives of its own where it is differentiated."""
        calls, here = self._here().custom, self._calls.get(call, call)
        calls[here] = what if calls.get(here, what) == what else None

    def arguments_of(self, call: CallExpr) -> list[Expression]:
        """The arguments of a call as they stand in the program."""
        original = self._calls.get(call, call)
        return original.args if isinstance(original, CallExpr) else []

    def assigned(
        self, definition: FuncDef, positional: Sequence[Type], named: Mapping[str, Type]
    ) -> Mapping[str, Type] | None:
        """What a method assigns to attributes that makes an instance; None if that is not known."""
        found = self._record(definition, positional, named)
        return None if found is None else found[1].assigned

    def _record(
        self,
        definition: FuncDef,
        positional: Sequence[Type],
        named: Mapping[str, Type],
        tracing: Tracing | None = None,
        *,
        is_noted: bool = True,
    ) -> tuple[Type | None, Followed] | None:
        """What a function was followed to, for arguments of these types; None if it cannot be followed."""
        if definition in self._methods:
            definition, owner = self._methods[definition]
            positional = [owner, *positional]
        if definition not in self._around or not self._is_allowed(definition):
            return None
        site = self.site
        types = bind(definition, positional, named, self._session)
        if types is None or any(map(has_outgrown, types)):
            self.cut_at(definition)
            return None
        original = self._originals.get(definition, definition)
        # What mypy meets in a lambda before that is followed is not to use up the calls that it gets.
        kind = original, any(isinstance(get_proper_type(t), AnyType) for t in types)
        if self._counts.get(kind, 0) >= VARIANTS // 2:
            types = [without_floats(t) for t in types]
        key = (definition, *map(key_of, types))
        found = self._made.get(key)
        if found is None:
            count = self._counts.get(kind, 0)
            is_running = any(key == k for k, _ in self._stack)
            is_running = is_running or sum(node.original is original for _, node in self._stack) > RECURSION
            if is_running or len(self._stack) >= DEPTH or count >= VARIANTS or self._looked_at > EXPRESSIONS:
                self.cut_at(definition)
                return None
            self._counts[kind] = count + 1
            found = self._follow(key, definition, original, types)
        self.site = site
        if not is_noted:
            return found
        here = self._here()
        if found[1] not in here.calls:
            here.calls.append(found[1])
        if self.site is not None:
            call = self._calls.get(self.site, self.site)
            here.met.add((original, call))
            sites = here.sites.setdefault(found[1], {})
            sites[call] = tracing if sites.get(call, tracing) == tracing else None
            if self._is_over and not self._stack and not is_tentative(self._session.api):
                self.mistakes.tell(here)
        return found

    def tell_mistakes(self) -> None:
        """Report what goes wrong in what was followed, now that mypy has seen all functions."""
        self._is_over = True
        for root in list(self.roots.values()):
            self.mistakes.tell(root)
        if self.script is not None:
            self.mistakes.tell(self.script[1])

    def follow_script(self, tree: MypyFile) -> None:
        """Follow the top level of the module, now that mypy has gone through it."""
        try:
            script = script_of(tree, self._session.mutations)
        except (ValueError, AssertionError, TypeError) as error:
            swallow(error)
            return
        if script is None:
            return
        for old, new in script.nodes:
            if isinstance(old, FuncItem) and isinstance(new, FuncItem):
                self._originals[new] = old
        self._around[script.function] = ()
        self._pairs[script.function] = {
            new: old for old, new in script.nodes if isinstance(old, Expression) and isinstance(new, Expression)
        }
        self.mistakes.note_copies(script.nodes)
        self._session.bindings.add(script.function)
        _, node = self._follow(script, script.function, script.original, [])
        if script in self._made:
            self.script = script, node

    def _here(self) -> Followed:
        """Where the call stands that is followed."""
        around = functions_around(self._session.api)
        if not self._stack:
            return self.roots.setdefault(tuple(around), Followed(None))
        here, running = self._stack[-1][1], self._running[-1]
        below = around[around.index(running) + 1 :] if running in around else []
        inside = tuple(self._originals.get(f, f) for f in below)
        return here.inner.setdefault(inside, Followed(None)) if inside else here

    def cut_at(self, definition: FuncItem) -> None:
        """Note that there is a call of a function that is not followed."""
        self._here().cut.setdefault(self._originals.get(definition, definition), set()).add(
            None if self.site is None else self._calls.get(self.site, self.site)
        )

    def _is_allowed(self, definition: FuncDef) -> bool:
        original = self._originals.get(definition, definition)
        if original not in self._can:
            self._can[original] = can_be_copied(definition)
        return self._can[original]

    def _follow(
        self, key: object, definition: FuncDef, original: FuncItem, types: list[Type]
    ) -> tuple[Type | None, Followed]:
        counts = dict(self._counts)
        made = self._written_out(key, definition, original, types)
        given = [by_any_key(t, self._session) for t in types] if made[1].computes_keys else types
        if all(a is b for a, b in zip(given, types)):
            return made
        self._counts = counts
        return self._written_out(key, definition, original, given)

    def _written_out(
        self, key: object, definition: FuncDef, original: FuncItem, types: list[Type]
    ) -> tuple[Type | None, Followed]:
        """What a function gives, with the loops in it written out that its arguments tell the items of."""
        counts = dict(self._counts)
        for leaves_loops in (True, False):
            rounds = dict[Place, Sequence[Type]]()
            for _ in range(REWRITINGS):
                made, known, more = self._check(key, definition, original, types, rounds, None, leaves_loops)
                if not more:
                    break
                self._counts = dict(counts)
                rounds |= more
            else:
                self.cut_at(definition)  # a slice of a list may be left, which is a tuple to mypy
                return None, made[1]
            if known is None:
                return made
            self._counts = dict(counts)
            made, straight, _ = self._check(key, definition, original, types, rounds, known, leaves_loops)
            if straight is not None:
                return made
        return made

    def _check(
        self,
        key: object,
        definition: FuncDef,
        original: FuncItem,
        types: list[Type],
        rounds: Rounds,
        decided: Mapping[int, bool] | None,
        leaves_loops: bool,
    ) -> tuple[tuple[Type | None, Followed], Mapping[int, bool] | None, Rounds]:
        """What a function gives, the conditions in it that its arguments decide, and more loops to be written out.

        Some loops are written out before, and some conditions decided, if this is not None.  The second is None where
        nothing is to be checked anew, or, if conditions are decided, where that does not tell when a loop is left.
        """
        session = self._session
        node = Followed(original, [(a.variable.name, t) for a, t in zip(definition.arguments, types)])
        replaced: dict[Expression, bool] = {}
        copy = self._copy(definition, original, rounds, decided, replaced)
        if copy is None:
            self.cut_at(definition)
        if copy is None or (decided is not None and not copy.is_straight):
            return (None, node), None, {}
        info = _class_of(types[0]) if definition.info and types and not definition.is_static else None
        if info is not None:
            name_bases(copy.function, definition, info)
        around = self._around[definition]
        signature = CallableType(
            types,
            [a.kind for a in definition.arguments],
            [None if a.pos_only else a.variable.name for a in definition.arguments],
            _any(),
            session.api.named_generic_type("builtins.function", []),
            name=definition.name,
            unpack_kwargs=any(
                a.kind is ArgKind.ARG_STAR2 and isinstance(t, TypedDictType)
                for a, t in zip(definition.arguments, types)
            ),
        )
        self.making.note(definition, copy.function)
        session.rebound_trees.begin(copy.function, types)
        maps = [self._copied[f] for f in around if f in self._copied]
        self._stack.append((key, node))
        self._running.append(copy.function)
        try:
            checked = check_apart(session.api, copy.function, signature, around, maps)
        finally:
            self._stack.pop()
            self._running.pop()
        self._copied[copy.function] = checked.types
        pairs = self._pairs[copy.function]
        node.decided = self._outcomes(definition, copy, replaced)
        node.types = merged(((old, checked.types[new]) for new, old in pairs.items() if new in checked.types))
        with known_types(session.api, [*maps, checked.types]), inside(session.api, [*around, copy.function]):
            if decided is None and checked.is_complete:
                more = open_rounds(copy, checked.types, session)
                more = {place: items for place, items in more.items() if leaves_loops or not is_left(place[0])}
                known = {} if more else decided_conditions(copy.function, checked.types, session)
                if more or known or copy.is_left:
                    return (None, node), known, more
            elif decided is None and copy.is_left:
                self.cut_at(definition)
                return (None, node), None, {}
            if checked.is_complete:
                node.computes_keys = any(p.message.startswith(COMPUTED_KEY) for p in checked.problems)
                if copy.is_left:
                    node.straight = copy.function, self.mistakes.copies(copy), checked.types
                node.mistakes = self.mistakes.of(checked.problems, [new for _, new in copy.nodes], checked.types)
                node.mistakes += self.mistakes.against_annotations(definition, types, copy, checked.types)
            self._stack.append((key, node))  # lists keep each of their items, whoever has called it first
            self._running.append(copy.function)
            try:
                made = returned(copy, checked.types, session), node
                node.assigned = self.making.assigned(definition, copy.function, types, checked.types)
            finally:
                self._stack.pop()
                self._running.pop()
        if checked.is_complete:
            self._made[key] = made
        else:
            self.cut_at(definition)
        return made, None if decided is None else decided, {}

    def _outcomes(
        self, definition: FuncDef, copy: Copy, replaced: Mapping[Expression, bool]
    ) -> Mapping[Expression, bool]:
        """How the conditions of the program came out that were decided in a copy, where each of its rounds agrees."""
        known = self._pairs.get(definition, {})
        found: dict[Expression, set[bool]] = {}
        for new, outcome in replaced.items():
            place = copy.places.get(new)
            if place is not None and isinstance(place[0], Expression):
                found.setdefault(known.get(place[0], place[0]), set()).add(outcome)
        return {test: outcomes.pop() for test, outcomes in found.items() if len(outcomes) == 1}

    def _copy(
        self,
        definition: FuncDef,
        original: FuncItem,
        rounds: Rounds,
        decided: Mapping[int, bool] | None,
        replaced: dict[Expression, bool],
    ) -> Copy | None:
        """A copy of a function, of which is noted what its parts are copies of."""
        held, api = definition.body, self._session.api
        definition.body = self._bodies.get(definition, held)
        settle = (
            None if decided is None else partial(decide, known=decided, truth=partial(truth, api), replaced=replaced)
        )
        try:
            copy = copy_function(definition, self._session.bindings, self._session.mutations, rounds, settle)
            keep_displays(copy.function, self._session)
            have_asked(copy.function, self._session)
            copied = copy.pairs
            self._looked_at += len(copied)
            self._session.grown.add_copy(copy.function)
            self._note_functions(copy.function, self._around[definition])
            known = self._pairs.get(definition, {})
            pairs = {new: known.get(old, old) for old, new in copied}
            self.mistakes.note_copies(copy.nodes)
            self._calls.update(
                (new, old) for new, old in pairs.items() if isinstance(new, CallExpr | MemberExpr | OpExpr)
            )
            for old, new in copy.functions:
                self._originals[new] = self._originals.get(old, old)
                self._pairs[new] = pairs
                if isinstance(new, FuncDef) and self._around[new][-1:] == (copy.function,):
                    self._bodies[new], new.body = new.body, Block([])
            return copy
        except (ValueError, AssertionError, TypeError) as error:
            swallow(error)
            self._can[original] = False
            return None
        finally:
            definition.body = held


def _class_of(t: Type) -> TypeInfo | None:
    """The class of an instance, which is its very class where it is the first argument of a method."""
    p = get_proper_type(t)
    p = p.partial_fallback if isinstance(p, TupleType) else p
    return p.type if isinstance(p, Instance) else None


def _any() -> AnyType:
    return AnyType(TypeOfAny.special_form)

"""Functions that take functions: they keep a signature by ParamSpec; what they change of a result is unknown.

A call that does not fit the function is not reported: JAX makes arrays of what is passed, and of an overloaded function
(`jit(jnp.sin)`) checkers keep nothing but the first overload, so an error would often be a false one.

These declarations say nothing of dtypes that a rule would have to say.  `vmap` adds a dimension, so of an array
only the dtype stays; `grad` gives what its first argument is, if that is an array.
"""

from __future__ import annotations

from typing import Final

__all__ = ["API", "CUSTOM_DERIVATIVES", "JITTED"]

JITTED: Final = '''\
"""What `jit` returns."""

from collections.abc import Callable
from typing import Any, Concatenate, Generic, ParamSpec, TypeVar, overload

from jax._src.basearray import Array

_P = ParamSpec("_P")
_D = TypeVar("_D")
_S = TypeVar("_S")
_Q = ParamSpec("_Q")
_R = TypeVar("_R", covariant=True)
_R2 = TypeVar("_R2")
_T = TypeVar("_T")

class _Nobody: ...

class JitWrapped(Generic[_P, _R]):
    """A jitted function: it is called as the function itself, and has methods to compile it ahead of time."""
    __wrapped__: Callable[_P, _R]
    __name__: str
    __qualname__: str
    @overload
    def __call__(self: JitWrapped[_P, _Nobody], *args: _P.args, **kwargs: _P.kwargs) -> Any: ...
    @overload  # ty makes a union of the results of overloads, and this one of that
    def __call__(self: JitWrapped[_P, Array[_D, _S]], *args: _P.args, **kwargs: _P.kwargs) -> Array[_D, _S]: ...
    @overload
    def __call__(self, *args: _P.args, **kwargs: _P.kwargs) -> _R: ...
    @overload  # JAX makes arrays of arguments; and of an overloaded function checkers keep but the first overload
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...
    @overload
    def __get__(self, instance: None, owner: Any = None, /) -> JitWrapped[_P, _R]: ...
    @overload
    def __get__(  # type: ignore[misc]  # a function of whose parameters nothing is known
        self: Callable[[_Nobody, _Nobody, _Nobody, _Nobody, _Nobody], Any], instance: object, owner: Any = None, /
    ) -> JitWrapped[..., Any]: ...
    @overload
    def __get__(
        self: Callable[Concatenate[_T, _Q], _R2], instance: _T, owner: Any = None, /
    ) -> JitWrapped[_Q, _R2]: ...
    @overload
    def __get__(self, instance: object, owner: Any = None, /) -> JitWrapped[_P, _R]: ...  # in a static method
    def lower(self, *args: Any, **kwargs: Any) -> Any: ...
    def trace(self, *args: Any, **kwargs: Any) -> Any: ...
    def eval_shape(self, *args: Any, **kwargs: Any) -> Any: ...
    def clear_cache(self) -> None: ...
    def _cache_size(self) -> int: ...

def __getattr__(name: str) -> Any: ...
'''

API: Final = '''\
"""The transformations."""

from collections.abc import Callable, Sequence
from typing import Any, Concatenate, Generic, Literal, ParamSpec, Protocol, TypeVar, overload

from {package}._src.basearray import Array, SomeShape
from {package}._src.pjit import JitWrapped

_P = ParamSpec("_P")
_R = TypeVar("_R")
_T = TypeVar("_T", bound=Any)  # unbound, a lambda's parameter would be an `object` for pyright
_A = TypeVar("_A")
_D = TypeVar("_D")
_S = TypeVar("_S")
_F = TypeVar("_F", bound=Callable[..., Any])
_ArrayT = TypeVar("_ArrayT", bound=Array[Any, Any])

class _Nobody: ...

class _Jit(Protocol):
    def __call__(self, fun: Callable[_P, _R], /) -> JitWrapped[_P, _R]: ...

class _SameSignature(Protocol):
    def __call__(self, fun: _F, /) -> _F: ...

@overload
def jit(
    fun: Callable[_P, _R],
    /,
    *,
    in_shardings: Any = ...,
    out_shardings: Any = ...,
    static_argnums: Any = None,
    static_argnames: Any = None,
    donate_argnums: Any = None,
    donate_argnames: Any = None,
    keep_unused: bool = False,
    device: Any = None,
    backend: str | None = None,
    inline: bool = False,
    compiler_options: dict[str, Any] | None = None,
) -> JitWrapped[_P, _R]: ...
@overload
def jit(
    *,
    in_shardings: Any = ...,
    out_shardings: Any = ...,
    static_argnums: Any = None,
    static_argnames: Any = None,
    donate_argnums: Any = None,
    donate_argnames: Any = None,
    keep_unused: bool = False,
    device: Any = None,
    backend: str | None = None,
    inline: bool = False,
    compiler_options: dict[str, Any] | None = None,
) -> _Jit: ...

@overload
def checkpoint(
    fun: _F,
    *,
    prevent_cse: Any = True,
    policy: Any = None,
    static_argnums: Any = ...,
    static_argnames: Any = ...,
    concrete: Any = ...,
) -> _F: ...
@overload
def checkpoint(
    *,
    prevent_cse: Any = True,
    policy: Any = None,
    static_argnums: Any = ...,
    static_argnames: Any = ...,
    concrete: Any = ...,
) -> _SameSignature: ...

remat = checkpoint

@overload
def vmap(
    fun: Callable[_P, _Nobody],
    in_axes: Any = 0,
    out_axes: Any = 0,
    axis_name: Any = None,
    axis_size: int | None = None,
    spmd_axis_name: Any = None,
    sum_match: bool = False,
) -> _Mapped[_P, Any]: ...
@overload
def vmap(
    fun: Callable[_P, _ArrayT],
    in_axes: Any = 0,
    out_axes: Any = 0,
    axis_name: Any = None,
    axis_size: int | None = None,
    spmd_axis_name: Any = None,
    sum_match: bool = False,
) -> _MappedToArray[_P, _ArrayT]: ...
@overload
def vmap(
    fun: Callable[_P, complex],
    in_axes: Any = 0,
    out_axes: Any = 0,
    axis_name: Any = None,
    axis_size: int | None = None,
    spmd_axis_name: Any = None,
    sum_match: bool = False,
) -> _Mapped[_P, Array[Any, SomeShape]]: ...
@overload
def vmap(
    fun: Callable[_P, tuple[Any, ...] | list[Any] | dict[Any, Any]],
    in_axes: Any = 0,
    out_axes: Any = 0,
    axis_name: Any = None,
    axis_size: int | None = None,
    spmd_axis_name: Any = None,
    sum_match: bool = False,
) -> _Mapped[_P, Any]: ...
@overload
def vmap(
    fun: Callable[_P, _R],
    in_axes: Any = 0,
    out_axes: Any = 0,
    axis_name: Any = None,
    axis_size: int | None = None,
    spmd_axis_name: Any = None,
    sum_match: bool = False,
) -> _Mapped[_P, _R]: ...

class _Mapped(Generic[_P, _R]):
    """What `vmap` returns."""
    @overload
    def __call__(self, *args: _P.args, **kwargs: _P.kwargs) -> _R: ...
    @overload
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class _MappedToArray(Generic[_P, _R]):
    """What `vmap` returns of a function whose result is an array: ty makes a union of those of overloads."""
    @overload
    def __call__(
        self: _MappedToArray[_P, Array[_D, Any]], *args: _P.args, **kwargs: _P.kwargs
    ) -> Array[_D, SomeShape]: ...
    @overload
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class _Gradient(Generic[_T, _P]):
    """What `grad` returns: of an array its dtype and shape, of anything else nothing is known."""
    @overload
    def __call__(self: _Gradient[_Nobody, _P], x: Any, /, *args: _P.args, **kwargs: _P.kwargs) -> Any: ...
    @overload
    def __call__(
        self: _Gradient[Array[_D, _S], _P], x: Array[_D, _S], /, *args: _P.args, **kwargs: _P.kwargs
    ) -> Array[_D, _S]: ...
    @overload
    def __call__(self, x: Any, /, *args: Any, **kwargs: Any) -> Any: ...

class _ValueAndGradient(Generic[_T, _P, _R]):
    """What `value_and_grad` returns."""
    @overload
    def __call__(
        self: _ValueAndGradient[_Nobody, _P, _R], x: Any, /, *args: _P.args, **kwargs: _P.kwargs
    ) -> tuple[_R, Any]: ...
    @overload
    def __call__(
        self: _ValueAndGradient[Array[_D, _S], _P, _R], x: Array[_D, _S], /, *args: _P.args, **kwargs: _P.kwargs
    ) -> tuple[_R, Array[_D, _S]]: ...
    @overload
    def __call__(self, x: Any, /, *args: Any, **kwargs: Any) -> tuple[_R, Any]: ...

@overload
def grad(
    fun: Callable[Concatenate[_T, _P], Any],
    argnums: Literal[0] = 0,
    has_aux: Literal[False] = False,
    holomorphic: bool = False,
    allow_int: bool = False,
    reduce_axes: Any = (),
) -> _Gradient[_T, _P]: ...
@overload
def grad(
    fun: Callable[Concatenate[_T, _P], Any],
    argnums: Literal[0] = 0,
    *,
    has_aux: bool,
    holomorphic: bool = False,
    allow_int: bool = False,
    reduce_axes: Any = (),
) -> Callable[Concatenate[_T, _P], Any]: ...
@overload
def grad(
    fun: Callable[_P, Any],
    argnums: int | Sequence[int],
    has_aux: bool = False,
    holomorphic: bool = False,
    allow_int: bool = False,
    reduce_axes: Any = (),
) -> Callable[_P, Any]: ...

@overload
def value_and_grad(
    fun: Callable[Concatenate[_T, _P], _R],
    argnums: Literal[0] = 0,
    has_aux: Literal[False] = False,
    holomorphic: bool = False,
    allow_int: bool = False,
    reduce_axes: Any = (),
) -> _ValueAndGradient[_T, _P, _R]: ...
@overload
def value_and_grad(
    fun: Callable[Concatenate[_T, _P], _R],
    argnums: Literal[0] = 0,
    *,
    has_aux: bool,
    holomorphic: bool = False,
    allow_int: bool = False,
    reduce_axes: Any = (),
) -> Callable[Concatenate[_T, _P], tuple[_R, Any]]: ...
@overload
def value_and_grad(
    fun: Callable[_P, _R],
    argnums: int | Sequence[int],
    has_aux: bool = False,
    holomorphic: bool = False,
    allow_int: bool = False,
    reduce_axes: Any = (),
) -> Callable[_P, tuple[_R, Any]]: ...

@overload
def vjp(
    fun: Callable[..., _R], *primals: Any, has_aux: Literal[False] = False, reduce_axes: Any = ()
) -> tuple[_R, Callable[..., Any]]: ...
@overload
def vjp(
    fun: Callable[..., tuple[_R, _A]], *primals: Any, has_aux: Literal[True], reduce_axes: Any = ()
) -> tuple[_R, Callable[..., Any], _A]: ...

def __getattr__(name: str) -> Any: ...
'''

CUSTOM_DERIVATIVES: Final = '''\
_F = TypeVar("_F", bound=Callable[..., Any])
_P = ParamSpec("_P")
_R = TypeVar("_R")

class custom_jvp(Generic[_P, _R]):
    """A function whose derivative is given by `defjvp`; it is called as the function itself."""
    def __init__(self, fun: Callable[_P, _R], nondiff_argnums: Any = (), nondiff_argnames: Any = ()) -> None: ...
    def __call__(self, *args: _P.args, **kwargs: _P.kwargs) -> _R: ...
    def defjvp(self, jvp: _F, symbolic_zeros: bool = False) -> _F: ...
    def defjvps(self, *jvps: Callable[..., Any] | None) -> None: ...
    def __getattr__(self, name: str) -> Any: ...

class custom_vjp(Generic[_P, _R]):
    """A function whose derivative is given by `defvjp`; it is called as the function itself."""
    def __init__(self, fun: Callable[_P, _R], nondiff_argnums: Any = (), nondiff_argnames: Any = ()) -> None: ...
    def __call__(self, *args: _P.args, **kwargs: _P.kwargs) -> _R: ...
    def defvjp(
        self, fwd: Callable[..., Any], bwd: Callable[..., Any], symbolic_zeros: bool = False, **kwargs: Any
    ) -> None: ...
    def __getattr__(self, name: str) -> Any: ...
'''

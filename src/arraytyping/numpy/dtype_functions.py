"""Functions of dtypes: what they are promoted to, what they can be cast to, their kinds and limits.

Source: https://docs.jax.dev/en/latest/jax.numpy.html; the answers are those of the rules of the same names.
"""

from __future__ import annotations

from typing import Any, Final

import ml_dtypes
import numpy as np

from arraytyping import config, scalars
from arraytyping.basearray import Array
from arraytyping.runtime.call_arguments import abstract, described
from arraytyping.runtime.core import raised
from arraytyping.runtime.np_dtypes import dtype_name_of, np_class, np_dtype
from arraytyping.scalars import NAMES
from arraytyping.semantics.avals import UNKNOWN, NumPyArray
from arraytyping.semantics.rules.context import Context
from arraytyping.semantics.rules.errors import RuleError
from arraytyping.user_warnings import warn_user

__all__ = ["can_cast", "finfo", "iinfo", "isdtype", "issubdtype", "promote_types", "result_type"]

can_cast: Final = np.can_cast


def _asked(name: str, *args: Any) -> Any:
    """What the rule says."""
    from arraytyping.semantics.rules.registry import RULES

    cx = Context(config.promotion())
    try:
        answer = RULES[f"numpy.{name}"].function(cx, *args)
    except RuleError as error:
        raise raised(error) from None
    warn_user(w.message for w in cx.warnings)
    return answer


def _given(value: Any) -> Any:
    """A dtype, or an array-like, as rules take it."""
    if not isinstance(value, Array | np.ndarray | np.generic | type | str) and hasattr(value, "dtype"):
        value = value.dtype
    if isinstance(value, Array | np.ndarray | np.generic):
        return abstract(value, False)
    return described(value)


def _to_numpy(answer: Any) -> np.dtype[Any]:
    return np_dtype(NAMES[answer])


def promote_types(a: Any, b: Any) -> np.dtype[Any]:
    """`jax.numpy.promote_types`: the dtype that two dtypes are promoted to.

    Raises:
        ValueError: if there is none.
        TypeError: for what is no dtype.
    """
    answer = _asked("promote_types", _given(a), _given(b))
    if answer is UNKNOWN:  # one of NumPy's other dtypes
        foreign = next(np.dtype(v) for v in (a, b) if dtype_name_of(np.dtype(v)) is None)
        raise ValueError(f"promote_types: {foreign} is no dtype of JAX; give one such as float32 or 'float32'")
    return _to_numpy(answer)


def result_type(*args: Any) -> np.dtype[Any]:
    """`jax.numpy.result_type`: the dtype that arrays, scalars and dtypes are promoted to.

    Raises:
        ValueError: if there is none, or nothing is given.
        TypeError: for what is neither an array-like nor a dtype.
    """
    extended = [a.dtype for a in args if hasattr(getattr(a, "dtype", None), "key_shape")]
    if extended and len(extended) == len(args) and len(set(extended)) == 1:
        return extended[0]  # type: ignore[no-any-return]
    if extended:
        raise ValueError(f"dtype={extended[0]} is not a valid dtype for JAX type promotion.")
    return _to_numpy(_asked("result_type", *map(_given, args)))


def _dtype_of(value: Any) -> Any:
    """A dtype-like as a name or a class; an array's own dtype."""
    value = _given(value)
    return value.dtype if isinstance(value, NumPyArray) or hasattr(value, "weak_type") else value


def issubdtype(arg1: Any, arg2: Any) -> bool:
    """`jax.numpy.issubdtype`: whether a dtype is at most another, or one of those that a class stands for.

    Raises:
        TypeError: for what is no dtype.
    """
    if _extended(arg1) or _extended(arg2):
        return _is_at_most(arg1, arg2)
    answer = UNKNOWN
    if not any(isinstance(a, type) and issubclass(a, np.generic) and a.__module__ == "numpy" for a in (arg1, arg2)):
        answer = _asked("issubdtype", _dtype_of(arg1), _dtype_of(arg2))
    if isinstance(answer, bool):
        return answer
    lower, upper = _class(arg1), _class(arg2)
    if issubclass(lower, np.generic) and not issubclass(upper, np.generic):  # one of NumPy's other dtypes
        upper = np_class(upper.__name__)
    return issubclass(lower, upper)


def _extended(value: Any) -> type | None:
    """The class of a dtype of ours that NumPy does not have, or of those dtypes, such as that of keys."""
    kind = value if isinstance(value, type) else getattr(value, "type", None)
    is_ours = isinstance(kind, type) and issubclass(kind, np.generic) and kind.__module__.startswith("arraytyping.")
    return kind if is_ours else None


def _is_at_most(arg1: Any, arg2: Any) -> bool:
    """`issubdtype` where one of both is an extended dtype, or a class of these."""
    lower = _extended(arg1)
    if lower is None:
        return False
    if not isinstance(arg2, type):
        return bool(arg1 == arg2)
    return issubclass(lower, np_class(arg2.__name__) if isinstance(arg2, scalars.ScalarType) else arg2)


def _class(value: Any) -> type:
    """A class of our hierarchy, or of NumPy's beyond it, for a dtype-like."""
    if isinstance(value, scalars.ScalarType):
        return value
    if isinstance(value, type) and issubclass(value, np.generic) and value.__name__ in scalars.ABSTRACT:
        return scalars.ABSTRACT[value.__name__]
    dtype = np.dtype(value)
    name = dtype_name_of(dtype)
    return dtype.type if name is None else scalars.SCALARS[name]


def isdtype(dtype: Any, kind: Any) -> bool:
    """`jax.numpy.isdtype`: whether a dtype is of a kind, such as `"real floating"`, is a dtype, or is one of several.

    Raises:
        TypeError, ValueError: for what is no dtype or kind.
    """
    kinds = tuple(map(_given, kind)) if isinstance(kind, tuple) else _given(kind)
    return bool(_asked("isdtype", _dtype_of(dtype), kinds) is True)


def _of(dtype: Any) -> np.dtype[Any]:
    # a class of scalars of NumPy has an attribute of that name too, which describes those of its instances
    found: np.dtype[Any] = np.dtype(dtype if isinstance(dtype, type) else getattr(dtype, "dtype", dtype))
    return found


def finfo(dtype: Any) -> Any:
    """`jax.numpy.finfo`: the limits of a floating dtype.

    Raises:
        ValueError: for another one.
        TypeError: for what is no dtype.
    """
    return ml_dtypes.finfo(_of(dtype))  # type: ignore[no-untyped-call]


def iinfo(dtype: Any) -> Any:
    """`jax.numpy.iinfo`: the limits of an integer dtype.

    Raises:
        ValueError: for another one.
        TypeError: for what is no dtype.
    """
    return ml_dtypes.iinfo(_of(dtype))  # type: ignore[no-untyped-call]

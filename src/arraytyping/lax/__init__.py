"""The operations that everything else is made of, under the names and signatures of `jax.lax`.

Each is a primitive or a few, on arrays of one dtype: nothing is promoted.  A primitive has an abstract-evaluation rule
(`rules`), derivatives, a transpose where it is linear, a batching rule, and a lowering to StableHLO (`xla.lowerings`).

Source: https://docs.jax.dev/en/latest/jax.lax.html.
"""

from arraytyping.lax import linalg as linalg
from arraytyping.runtime.core import Primitive as _Primitive
from arraytyping.runtime.lax import integers as _integers
from arraytyping.runtime.lax.names.computing import *  # noqa: F403
from arraytyping.runtime.lax.names.controlling import *  # noqa: F403
from arraytyping.runtime.lax.names.elementwise import *  # noqa: F403
from arraytyping.runtime.lax.names.placing import *  # noqa: F403
from arraytyping.runtime.platforms import platform_dependent as platform_dependent

and_p: _Primitive = _integers.bitwise_and_p
or_p: _Primitive = _integers.bitwise_or_p
xor_p: _Primitive = _integers.bitwise_xor_p
not_p: _Primitive = _integers.bitwise_not_p

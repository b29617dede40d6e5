"""What `jax_calls.py` calls functions with: variables of many sorts, and what a parameter of a name is tried with."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

__all__ = ["BY_NAME", "GENERAL", "HEAD", "OPTION", "SKIPPED", "TRUTHS"]

HEAD: Final = """\
# Variables of many sorts, and calls with them.
import functools
from typing import Any, reveal_type

import jax
import jax.flatten_util
import jax.image
import jax.numpy as jnp
import jax.ops
import jax.scipy as jsp
import jax.scipy.cluster.vq
import jax.scipy.fft
import jax.scipy.integrate
import jax.scipy.interpolate
import jax.scipy.ndimage
import jax.scipy.optimize
import jax.scipy.signal
import jax.scipy.sparse.linalg
import jax.scipy.spatial.transform
import jax.scipy.stats
import numpy as np
from jax import lax

key = jax.random.key(0)
old_key = jax.random.PRNGKey(0)
f0 = jnp.float32(1.5)
f1 = jnp.ones((3,), jnp.float32)
f2 = jnp.ones((3, 3), jnp.float32)
g2 = jnp.ones((2, 3), jnp.float32)
f3 = jnp.ones((2, 3, 3), jnp.float32)
h1 = jnp.ones((3,), jnp.bfloat16)
i0 = jnp.int32(1)
i1 = jnp.ones((3,), jnp.int32)
i2 = jnp.ones((3, 3), jnp.int32)
u1 = jnp.ones((3,), jnp.uint8)
b1 = jnp.ones((3,), jnp.bool_)
b2 = jnp.ones((3, 3), jnp.bool_)
c1 = jnp.ones((3,), jnp.complex64)
c2 = jnp.ones((3, 3), jnp.complex64)
w0 = jnp.asarray(2.0)
w1 = f1.astype(float) * 1
v0 = jnp.asarray(2)
x2: jax.Array = f2
any1: Any = f1
n0 = np.float32(1.5)
n1 = np.ones((3,), np.float32)
n2 = np.ones((3, 3), np.float64)
m1 = np.ones((3,), np.int64)
sds = jax.ShapeDtypeStruct((3,), jnp.float32)
"""

GENERAL: Final = (
    "f1", "f2", "i1", "f3", "f0", "2", "1.5", "n1", "n2", "i2", "b1", "c1", "h1", "u1", "w1", "w0", "x2", "any1", "g2",
    "[1.0, 2.0, 3.0]", "[[1, 2], [3, 4]]", "[f1, f1]", "(f1, i1)", "[f2, f2]", "(2, 3)", "True", "1j", "i0", "n0", "m1",
    "0", "c2", "b2", "v0", "None", "jnp.float32", "np.int64(2)", "[f1, 2.0]", "[n1, n1]", "(1, 2, 3)", "range(3)",
)  # fmt: skip
"""What is tried for any parameter, the usual first."""

SHAPES: Final = ("(2, 3)", "(3,)", "()", "3", "[2, 3]", "f2.shape", "(np.int64(2), 3)", "(3, 3)", "None")
AXES: Final = ("0", "-1", "1", "None", "(0, 1)", "(0,)", "[0]", "()", "np.int64(0)", "[0, 1]")
DTYPES: Final = (
    "jnp.float32", "'float32'", "np.float32", "float", "int", "bool", "f1.dtype", "np.dtype('int32')", "jnp.int32",
    "jnp.complex64", "complex", "None", "jnp.bfloat16", "jnp.bool_", "n1.dtype", "'bool'", "jnp.dtype('float32')",
)  # fmt: skip
TRUTHS: Final = ("True", "False", "np.bool_(True)")
FUNCTIONS: Final = (
    "lambda *args: args[0]", "jnp.sin", "jnp.add", "lambda x: (x, x)", "lambda c, x: (c, x)", "lambda x: x > 0",
    "lambda x: jnp.sum(x ** 2)", "functools.partial(jnp.sum, axis=0)",
)  # fmt: skip
TREES: Final = ("f1", "[f1, i1]", "{'a': f1, 'b': (i1, 2.0)}", "(f1, None)", "[1, 2]", "()")
TREEDEFS: Final = ("jax.tree.structure((f1, f1))", "jax.tree.structure([0, 0])", "jax.tree.structure(0)")

BY_NAME: Final[Mapping[str, Sequence[str]]] = {
    "shape": SHAPES,
    "new_sizes": SHAPES,
    "newshape": SHAPES,
    "dimensions": SHAPES,
    "out_shape": SHAPES,
    "shapes": SHAPES,
    "axis": AXES,
    "axes": AXES,
    "dims": SHAPES,
    "source": AXES,
    "destination": AXES,
    "axis1": AXES,
    "axis2": AXES,
    "dimension": AXES,
    "permutation": ("(1, 0)", "[1, 0]", "(0,)"),
    "k": ("0", "1", "-1", "2"),
    "dtype": DTYPES,
    "new_dtype": DTYPES,
    "preferred_element_type": DTYPES,
    "output_dtype": DTYPES,
    "type": DTYPES,
    "key": ("key", "old_key", "jax.random.split(key, 2)[0]"),
    "keys": ("key", "jax.random.split(key, 3)"),
    "fun": FUNCTIONS,
    "f": FUNCTIONS,
    "func": FUNCTIONS,
    "func1d": FUNCTIONS,
    "pyfunc": FUNCTIONS,
    "body_fun": FUNCTIONS,
    "cond_fun": FUNCTIONS,
    "true_fun": FUNCTIONS,
    "false_fun": FUNCTIONS,
    "computation": FUNCTIONS,
    "is_leaf": FUNCTIONS,
    "tree": TREES,
    "rest": TREES,
    "pytree": TREES,
    "trees": TREES,
    "treedef": TREEDEFS,
    "leaves": ("[f1, f1]", "(1, 2)"),
    "outer_treedef": TREEDEFS,
    "inner_treedef": TREEDEFS,
    "subscripts": ("'ij,jk->ik'", "'ii'", "'i,i'", "'ij'", "'...j,j'"),
    "num": ("5", "1", "0"),
    "N": ("3", "0"),
    "where": ("b1", "True", "b2", "None", "[True, False, True]", "np.ones(3, bool)"),
    "initial": ("0", "1.0", "f0", "None", "np.float32(1)"),
    "weights": ("f1", "n1", "None", "[1.0, 2.0, 3.0]", "f2"),
    "size": ("3", "2", "None", "np.int64(3)"),
    "length": ("3", "5", "None"),
    "n": ("3", "1", "None", "5"),
    "fill_value": ("0", "1.5", "None", "f0", "(0, 0)", "f1"),
    "precision": (
        "None",
        "'highest'",
        "lax.Precision.HIGHEST",
        "('high', 'highest')",
        "lax.DotAlgorithmPreset.F32_F32_F32",
    ),
    "mode": (
        "'constant'",
        "'edge'",
        "'full'",
        "'same'",
        "'valid'",
        "'clip'",
        "'wrap'",
        "'fill'",
        "'raise'",
        "'reflect'",
        "lambda *args: None",
        "'reduced'",
        "'r'",
        "'complete'",
        "jax.lax.GatherScatterMode.CLIP",
        "None",
    ),
    "method": (
        "'linear'",
        "'nearest'",
        "'lower'",
        "'cubic'",
        "'compare_all'",
        "'fft'",
        "'auto'",
        "'direct'",
        "'scan'",
        "'sort'",
        "'lanczos3'",
        "jax.image.ResizeMethod.LINEAR",
        "'eigh'",
        "'svd'",
        "'cholesky'",
    ),
    "indexing": ("'ij'", "'xy'"),
    "side": ("'left'", "'right'"),
    "order": ("None", "'C'", "'F'", "1", "2", "'fro'", "jnp.inf", "'K'"),
    "ord": ("None", "1", "2", "'fro'", "'nuc'", "jnp.inf", "-2"),
    "kind": ("None", "'stable'", "'quicksort'"),
    "norm": ("None", "'ortho'", "'forward'"),
    "UPLO": ("None", "'L'", "'U'"),
    "pad_width": ("1", "(1, 2)", "((1, 1), (0, 2))", "[(1, 1)]", "{0: 1}"),
    "repeats": ("2", "i1", "[1, 2, 3]", "n1"),
    "indices_or_sections": ("3", "[1, 2]", "(1,)", "i1", "m1", "1"),
    "reps": ("2", "(2, 3)", "[2]"),
    "shift": ("1", "(1, 0)", "-1", "i0", "[1]"),
    "bins": ("10", "3", "f1", "'auto'", "[0.0, 1.0, 2.0]", "(2, 3)"),
    "range": ("None", "(0.0, 2.0)", "[0, 1]", "f1", "((0, 1), (0, 2))"),
    "q": ("0.5", "f1", "[0.25, 0.75]", "n1", "2", "1"),
    "rotation": ("1", "-1"),
    "degree": ("2", "1"),
    "deg": ("1", "2"),
    "condlist": ("[b1, b1]", "[f1 > 0, b1]", "b2"),
    "choicelist": ("[f1, i1]", "[f1, f1]", "[1, 2]"),
    "funclist": ("[jnp.sin, 1.0]", "[0, 1, lambda x: x]"),
    "choices": ("[f1, i1, f1]", "f2", "[1, 2, 3]"),
    "object": ("f1", "[1, 2]", "(f1, i1)", "2", "n1", "[f1, [1.0, 2, 3]]"),
    "out_sharding": ("None",),
    "device": ("None", "jax.devices()[0]"),
    "out": ("None",),
    "copy": ("None", "True", "False"),
    "ndmin": ("0", "2"),
    "like": ("None",),
    "casting": ("'same_kind'",),
    "string": ("'1 2 3'",),
    "sep": ("' '",),
    "function": FUNCTIONS,
    "iterable": ("range(3)", "[1, 2]"),
    "signature": ("'(n),(n)->()'", "None"),
    "excluded": ("frozenset()", "{0}"),
    "mask": ("b1", "None", "b2"),
    "logits": ("f1", "f2", "f3"),
    "labels": ("f1", "i1"),
    "num_classes": ("3", "5"),
    "approximate": TRUTHS,
    "padding": ("'SAME'", "'VALID'", "((0, 0), (1, 1))", "[(0, 0)]"),
    "window_dimensions": ("(2, 2)", "(2,)", "[3]"),
    "window_strides": ("(1, 1)", "(1,)", "None"),
    "operands": ("(f1, i1)", "[f1, f1]", "f1"),
    "operand": ("f1", "f2", "i1", "f3"),
    "start_indices": ("(0,)", "(0, 0)", "[1, 1]", "i1", "(i0, 1)"),
    "limit_indices": ("(2,)", "(2, 2)", "[3, 3]"),
    "slice_sizes": ("(2,)", "(2, 2)", "[1, 1]"),
    "strides": ("None", "(1,)", "(1, 1)"),
    "broadcast_dimensions": ("(0,)", "(1,)", "(0, 1)", "()"),
    "dimension_numbers": ("(((1,), (0,)), ((), ()))", "(([0], [0]), ([], []))", "None", "('NHWC', 'HWIO', 'NHWC')"),
    "padding_config": ("[(1, 1, 0)]", "((1, 0, 0), (0, 1, 0))"),
    "padding_value": ("0.0", "f0", "0"),
    "xs": ("f1", "f2", "(f1, i1)", "None"),
    "init": ("0.0", "f0", "(f0, i0)", "f1"),
    "init_val": ("0.0", "f0", "f1", "(0, f1)"),
    "lower": ("0", "True", "False"),
    "upper": ("5", "3", "f0"),
    "branches": ("[jnp.sin, jnp.cos]", "(lambda x: x, jnp.sin)"),
    "pred": ("True", "f0 > 0", "i0", "b1"),
    "index": ("0", "i0", "1", "-1"),
    "which": ("b1", "i1"),
    "cases": ("f1", "f2", "i1"),
    "minval": ("0", "0.0", "f1", "-1.0"),
    "maxval": ("5", "1.0", "10", "f0"),
    "p": ("0.5", "f1", "None", "[0.2, 0.3, 0.5]"),
    "a": (
        "f1",
        "f2",
        "i1",
        "5",
        "2.0",
        "n1",
        "[1.0, 2.0]",
        "b1",
        "c1",
        "h1",
        "w1",
        "x2",
        "any1",
        "f3",
        "f0",
        "m1",
        "[f1, f1]",
    ),
    "x0": ("f1", "f2"),
    "args": ("()", "(f1,)"),
    "tol": ("1e-3", "None"),
    "options": ("None", "{'maxiter': 2}"),
    "b": GENERAL[:30],
    "c_and_lower": ("(f2, False)", "(f2, True)"),
    "cl": ("(f2, False)",),
    "lu_and_piv": ("jsp.linalg.lu_factor(f2)",),
    "num_segments": ("3", "None"),
    "segment_ids": ("i1", "m1", "[0, 1, 1]"),
    "coordinates": ("[f1, f1]", "[f2, f2]", "(f1,)"),
    "start": ("0", "0.0", "f1", "i0", "None", "[0.0, 1.0]"),
    "stop": ("5", "1.0", "f1", "None", "f0", "[1, 2]"),
    "step": ("1", "2", "0.5", "None"),
    "return_index": TRUTHS[:2],
    "arrays": ("[f1, f1]", "(f2, g2)", "f2", "[f1, n1]"),
    "tup": ("[f1, f1]", "(f1, i1)", "f2", "[f2, g2]", "[1.0, 2.0]"),
    "fill": ("0",),
    "batch_shape": SHAPES,
    "device_or_sharding": ("None",),
    "implementation": ("None", "'xla'"),
    "query": ("jnp.ones((2, 3, 4, 5))",),
    "value": ("jnp.ones((2, 3, 4, 5))", "f1", "1.0"),
    "is_causal": TRUTHS[:2],
    "nan": ("0.0", "1", "f0"),
    "posinf": ("None", "1.0"),
    "neginf": ("None", "1.0"),
    "impl": ("None", "'threefry2x32'", "'rbg'"),
    "seed": ("0", "i0", "np.int64(3)"),
    "data": ("1", "i0", "f1"),
    "target": ("f1",),
}
"""What a parameter of a name is tried with, before the rest."""

OPTION: Final = (
    "None",
    "True",
    "False",
    "0",
    "1",
    "2",
    "0.5",
    "-1",
    "f1",
    "(0, 1)",
    "i1",
    "f0",
    "[1, 2]",
    "b1",
    "n1",
    "'full'",
)
"""What any option is tried with besides."""

SKIPPED: Final = frozenset({
    "allow_f16_reductions", "array_garbage_collection_guard", "check_tracer_leaks", "checking_leaks",
    "clear_backends", "clear_caches", "debug_infs", "debug_key_reuse", "debug_nans", "default_device",
    "default_dtype_bits", "default_matmul_precision", "default_prng_impl", "disable_jit", "enable_checks",
    "enable_custom_prng", "enable_custom_vjp_by_custom_transpose", "enable_empty_arrays", "enable_x64",
    "explain_cache_misses", "ffi_call", "fromfile", "infeed", "jit", "legacy_prng_key", "live_arrays", "load",
    "log_compiles", "make_mesh", "make_user_context", "no_execution", "no_tracing", "numpy_dtype_promotion",
    "numpy_rank_promotion", "outfeed", "pmap", "print_environment_info", "register_dataclass", "register_pytree_node",
    "register_pytree_node_class", "register_pytree_with_keys", "register_pytree_with_keys_class", "register_static",
    "remove_size_one_mesh_axis_from_type", "save", "savez", "serialization", "set_mesh", "set_printoptions",
    "softmax_custom_jvp", "thread_guard", "threefry_partitionable", "transfer_guard",
    "transfer_guard_device_to_device", "transfer_guard_device_to_host", "transfer_guard_host_to_device",
})  # fmt: skip
"""What writes files, or changes what comes after."""

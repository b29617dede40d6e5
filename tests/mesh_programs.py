"""A program over 8 devices of the host, in two languages that differ in their imports alone.

    python tests/mesh_programs.py jax|arraytyping [CASE...]

prints as JSON what came of each case: the arrays, where they lie, or the class of the exception.  A case is a function
of this module whose name begins with `case_`; `jax`, `jnp`, `P`, ... are what the first argument says.
"""

from __future__ import annotations

import importlib
import json
import os
import sys
import warnings
from typing import Any

if __name__ == "__main__":
    NAME = sys.argv[1]
    if NAME == "jax":
        os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=8"
    else:
        os.environ["ARRAYTYPING_NUM_CPU_DEVICES"] = "8"
else:
    NAME = "arraytyping"

import numpy as np

jax: Any = importlib.import_module(NAME)
jnp: Any = importlib.import_module(f"{NAME}.numpy")
lax: Any = importlib.import_module(f"{NAME}.lax")
sharding: Any = importlib.import_module(f"{NAME}.sharding")
importlib.import_module(f"{NAME}.experimental")
P, Mesh, NamedSharding = sharding.PartitionSpec, sharding.Mesh, sharding.NamedSharding


def mesh_of(*shape: int) -> Any:
    """A mesh with the axes x, y, ... of the first devices."""
    count = int(np.prod(shape))
    return Mesh(np.array(jax.devices()[:count]).reshape(shape), tuple("xyz"[: len(shape)]))


def over(mesh: Any, *entries: Any) -> Any:
    """A sharding over a mesh."""
    return NamedSharding(mesh, P(*entries))


def numbers(*shape: int) -> Any:
    """An array of different numbers."""
    return jnp.sin(jnp.arange(float(np.prod(shape)))).reshape(shape)


def described(value: Any) -> Any:
    """A result as JSON: an array by its type, its values to rounding, and where it lies."""
    if isinstance(value, list | tuple):
        return list(map(described, value))
    if isinstance(value, dict):
        return {k: described(v) for k, v in value.items()}
    if isinstance(value, jax.Array):
        lies = value.sharding
        place = repr(lies) if value.committed else "free"
        values = np.asarray(value)
        wide = values.astype(np.float64) if values.dtype.kind not in "biuc" else values
        rounded = np.round(wide, 4) + 0.0
        shown = rounded.tolist() if rounded.dtype.kind != "c" else str(rounded.tolist())
        return [str(value.dtype), value.weak_type, list(value.shape), place, shown]
    if isinstance(value, str | int | float | bool) or value is None:
        return value
    return repr(value)


# --- devices ----------------------------------------------------------------------------------------------------------


def case_devices() -> Any:
    d = jax.devices()
    return [
        len(d),
        jax.device_count(),
        jax.local_device_count(),
        [x.id for x in jax.local_devices()],
        repr(d[3]),
        jax.process_count(),
        jax.process_index(),
    ]


def case_put_onto_a_device() -> Any:
    d = jax.devices()
    a = jax.device_put(jnp.arange(3.0), d[2])
    b = jax.device_put(a, d[5])
    return [a, b, a.devices(), a.device, [s.device.id for s in a.addressable_shards], jax.device_put(a, d[2])]


def case_computation_follows() -> Any:
    a = jax.device_put(jnp.arange(3.0), jax.devices()[2])
    f = jax.jit(lambda x, y: x * y + 1)
    return [
        a + 1,
        2 * a,
        jnp.sin(a),
        a @ a,
        a[1],
        a[:2],
        jnp.ones(3) + a,
        f(a, 2.0),
        f(a, jnp.ones(3)),
        a.sum(),
        a.at[1].set(7),
        jnp.stack([a, a]),
        jnp.concatenate([a, jnp.ones(2)]),
        -a,
        a > 1,
        a.astype("int32"),
        f(jnp.ones(3), 2.0),
    ]


def case_several_devices_at_once() -> Any:
    a = jax.device_put(jnp.arange(3.0), jax.devices()[2])
    return a + jax.device_put(a, jax.devices()[3])


def case_several_devices_in_jit() -> Any:
    a = jax.device_put(jnp.arange(3.0), jax.devices()[2])
    return jax.jit(lambda x: x["a"] + x["b"])({"a": a, "b": jax.device_put(a, jax.devices()[0])})


def case_default_device() -> Any:
    d = jax.devices()
    with jax.default_device(d[3]):
        a = jnp.arange(3.0)
        b = jnp.ones(2) + 1
        c = jnp.asarray(np.ones(2))
        e = jax.jit(lambda x: x + 1)(np.ones(2, "float32"))
        k = jax.random.uniform(jax.random.key(0), (2,))
        on = [x.devices() for x in (a, b, c, e, k)]
    return [
        on,
        a,
        (a + 1).devices(),
        (a + b[0]).devices(),
        jnp.ones(2).devices(),
        [x.committed for x in (a, b, c, e, k)],
    ]


def case_random_on_a_device() -> Any:
    key = jax.device_put(jax.random.PRNGKey(1), jax.devices()[4])
    return [jax.random.normal(key, (3,)), jax.random.split(key)]


def case_derivatives_on_a_device() -> Any:
    a = jax.device_put(jnp.arange(3.0), jax.devices()[2])
    loss = lambda x, y: (jnp.sin(x) * y).sum()  # noqa: E731
    return [
        jax.grad(loss)(a, jnp.ones(3)),
        jax.vmap(lambda v: v * 2)(a),
        jax.jit(jax.grad(loss))(a, 2.0),
        lax.scan(lambda c, v: (c + v, c), 0.0, a),
        lax.fori_loop(0, 3, lambda i, v: v * 2, a),
        jax.jacfwd(jnp.sin)(a),
    ]


def case_donated_elsewhere() -> Any:
    a = jax.device_put(jnp.arange(3.0), jax.devices()[2])
    b = jax.jit(lambda x: x + 1, donate_argnums=0)(a)
    return [b, a.is_deleted()]


# --- meshes and shardings ---------------------------------------------------------------------------------------------


def case_meshes() -> Any:
    m = mesh_of(4, 2)
    made = jax.make_mesh((2, 4), ("a", "b"), axis_types=(sharding.AxisType.Auto,) * 2)
    return [
        repr(m),
        str(m),
        dict(m.shape),
        m.size,
        m.axis_names,
        m.devices.shape,
        repr(made),
        m == mesh_of(4, 2),
        m == mesh_of(2, 4),
        hash(m) == hash(mesh_of(4, 2)),
        m.device_ids.tolist(),
        m.empty,
        repr(jax.make_mesh((2,), ("a",))),
    ]


def case_specs() -> Any:
    return [
        repr(P("x", None)),
        repr(P()),
        repr(P(("x", "y"), "z")),
        P("x") == P(("x",)),
        P("x") == P("x", None),
        len(P("x", None)),
        list(P("x", ("y", "z"))),
        repr(P("x") + P("y")),
        P("x", "y").index("y"),
        P("x")[0],
        hash(P("x")) == hash(P("x")),
    ]


def case_shardings() -> Any:
    m = mesh_of(4, 2)
    s = over(m, "x")
    return [
        repr(s),
        s == over(m, "x"),
        s == over(m, "x", None),
        s.is_equivalent_to(over(m, "x", None), 2),
        s.is_equivalent_to(over(m, "y"), 1),
        s.num_devices,
        s.is_fully_replicated,
        over(m).is_fully_replicated,
        s.shard_shape((8, 3)),
        over(m, ("y", "x"), None).shard_shape((16, 3)),
        s.is_fully_addressable,
        sorted((d.id, str(i)) for d, i in over(m, "y", "x").devices_indices_map((4, 8)).items()),
        s.memory_kind,
    ]


def case_arrays_over_meshes() -> Any:
    m = mesh_of(4, 2)
    found = []
    for entries in [
        ("x", "y"),
        ("y", "x"),
        ("x",),
        (None, "y"),
        ((),),
        (("x", "y"),),
        (("y", "x"),),
        (None, ("x", "y")),
    ]:
        a = jax.device_put(numbers(16, 8), over(m, *entries))
        shards = [
            (s.device.id, str(s.index), s.replica_id, s.data.shape, float(np.asarray(s.data)[0, 0]))
            for s in a.addressable_shards
        ]
        found.append(
            [a, shards, a.is_fully_replicated, a.is_fully_addressable, a.addressable_data(3), len(a.devices())]
        )
    return found


def case_dtypes_over_meshes() -> Any:
    m = mesh_of(4)
    kinds = ["bool", "int8", "uint16", "int32", "bfloat16", "float16", "float8_e4m3fn", "complex64"]
    return [jax.device_put(jnp.arange(8).astype(k), over(m, "x")) for k in kinds]


def case_text() -> Any:
    a = jax.device_put(jnp.arange(8.0).reshape(4, 2), over(mesh_of(4), "x"))
    return [repr(a), str(a), f"{a[0, 1]}", a.tolist(), float(a[1, 1]), repr(a.addressable_shards[1])]


def case_operators() -> Any:
    m = mesh_of(4, 2)
    a = jax.device_put(numbers(8, 4), over(m, "x", "y"))
    b = jax.device_put(numbers(8, 4), over(m, "x"))
    return [
        a + 1,
        a * b,
        a.T,
        a @ a.T,
        a.sum(0),
        a.sum(),
        a[0],
        a[2:4],
        a[:, 1],
        jnp.exp(a),
        -a,
        a > b,
        a.reshape(4, 8),
        a + jnp.ones((8, 4)),
        jnp.where(a > 0, a, 0),
        a.mean(1),
        jnp.sort(a, 0),
        a.at[0].add(1),
        a.astype("bfloat16"),
        jnp.concatenate([a, b]),
        a.argmax(1),
        a.ravel(),
    ]


def case_moving() -> Any:
    m, other = mesh_of(4, 2), mesh_of(8)
    a = jax.device_put(numbers(8, 8), over(m, "x", "y"))
    return [
        jax.device_put(a, over(m, "y")),
        jax.device_put(a, over(other, None, "x")),
        jax.device_put(a, jax.devices()[7]),
        jax.device_put(jax.device_put(a, jax.devices()[7]), over(m, "x")),
        jax.device_put(np.ones(8), over(m, "x")),
        jax.device_put({"a": np.ones(8), "b": 2.0}, {"a": over(m, "x"), "b": over(m)}),
    ]


def case_made_of_parts() -> Any:
    m = mesh_of(4, 2)
    whole = np.arange(32.0, dtype="float32").reshape(8, 4)
    a = jax.make_array_from_callback((8, 4), over(m, "x", "y"), lambda i: whole[i])
    b = jax.make_array_from_callback((8, 4), over(m, None, "y"), lambda i: whole[i])
    parts = [jax.device_put(jnp.full((2, 4), float(i)), d) for i, d in enumerate(jax.devices()[:4])]
    c = jax.make_array_from_single_device_arrays((8, 4), over(mesh_of(4), "x"), parts)
    return [a, b, c, a + b]


def case_set_mesh() -> Any:
    m = mesh_of(4, 2)
    with jax.set_mesh(m):
        a = jax.device_put(numbers(8), P("x"))
        b = jax.jit(lambda v: lax.with_sharding_constraint(v * 2, P("y")))(a)
        c = jax.jit(lambda v: v + 1, out_shardings=P("x"))(a)
    return [a, b, c]


def case_where_programs_run_in_a_mesh() -> Any:
    host, one = np.ones(3, "float32"), jnp.ones(3)
    elsewhere = jax.device_put(one, jax.devices()[2])
    with jax.set_mesh(mesh_of(4, 2)):
        found = [
            jnp.arange(3), jnp.asarray(host), jax.device_put(host), one + 1, jnp.sin(host), one[1], jnp.float32(3),
            jax.jit(lambda v: v * 2)(one), jax.jit(lambda: jnp.ones(2))(), jax.grad(lambda v: v.sum())(one),
            jax.random.normal(jax.random.key(0), (3,)), lax.scan(lambda c, v: (c + v, c), 0.0, one),
        ]  # fmt: skip
        try:
            found.append(elsewhere + 1)
        except ValueError:
            found.append("refused")
        cut = jax.jit(lambda v: v + 1, in_shardings=P("x"))
        found += [cut(np.ones(8, "float32")), jax.jit(lambda v: v + 1, out_shardings=P("y"))(np.ones(8, "float32"))]
    with jax.set_mesh(mesh_of(1)):
        found += [jnp.arange(3), jax.jit(lambda v: v + 1)(one)]
    return [*found, one + 1]


def case_copies() -> Any:
    import copy
    import pickle

    a = jax.device_put(jnp.arange(8.0), over(mesh_of(4), "x"))
    b = a.copy()
    c = pickle.loads(pickle.dumps(a))
    d = a + 0
    a.delete()
    return [b, np.asarray(c).tolist(), a.is_deleted(), np.asarray(copy.copy(d)).tolist(), jax.block_until_ready(b)]


def case_one_device_mesh() -> Any:
    m = mesh_of(1)
    a = jax.device_put(numbers(4), over(m, "x"))
    b = jax.shard_map(lambda v: lax.psum(v, "x"), mesh=m, in_specs=P("x"), out_specs=P())(a)
    return [a, a + 1, jax.jit(lambda v: v.sum())(a), np.asarray(b).round(4).tolist()]


def case_no_such_axis() -> Any:
    return over(mesh_of(4), "z")


def case_not_divisible() -> Any:
    return jax.device_put(jnp.arange(6.0), over(mesh_of(4), "x"))


def case_spec_too_long() -> Any:
    return jax.device_put(jnp.arange(8.0), over(mesh_of(4, 2), "x", "y"))


def case_no_mesh() -> Any:
    return jax.device_put(jnp.arange(8.0), P("x"))


def case_no_mesh_for_a_constraint() -> Any:
    return lax.with_sharding_constraint(jnp.arange(8.0), P("x"))


def case_too_few_devices() -> Any:
    return jax.make_mesh((16,), ("x",))


def case_names_and_sizes() -> Any:
    return Mesh(np.array(jax.devices()), ("x", "y"))


def case_too_few_parts() -> Any:
    parts = [jax.device_put(jnp.ones(2), d) for d in jax.devices()[:3]]
    return jax.make_array_from_single_device_arrays((8,), over(mesh_of(4), "x"), parts)


def case_parts_of_another_shape() -> Any:
    parts = [jax.device_put(jnp.ones(3), d) for d in jax.devices()[:4]]
    return jax.make_array_from_single_device_arrays((8,), over(mesh_of(4), "x"), parts)


def case_meshes_of_other_devices() -> Any:
    a = jax.device_put(jnp.arange(8.0), over(mesh_of(4), "x"))
    return a + jax.device_put(jnp.arange(8.0), over(mesh_of(8), "x"))


# --- jit --------------------------------------------------------------------------------------------------------------


def case_jit() -> Any:
    m = mesh_of(4, 2)
    a, b = jax.device_put(numbers(8, 4), over(m, "x", "y")), jax.device_put(numbers(4, 8), over(m, "y"))
    f = jax.jit(lambda x, y: (jnp.tanh(x @ y), {"sum": x.sum(0), "n": 3}))
    return [f(a, b), f(a, np.ones((4, 8), "float32")), f(numbers(8, 4), numbers(4, 8))]


def case_jit_derivatives() -> Any:
    m = mesh_of(4, 2)
    x = jax.device_put(numbers(8, 4), over(m, "x"))
    w = jax.device_put(numbers(4, 4), over(m, None, "y"))

    def loss(w: Any, x: Any) -> Any:
        return (jnp.tanh(x @ w) ** 2).mean()

    return [jax.jit(jax.value_and_grad(loss))(w, x), jax.grad(loss)(w, x), jax.jit(jax.vmap(lambda r: w @ r))(x)]


def case_in_and_out() -> Any:
    m = mesh_of(4, 2)
    f = jax.jit(lambda a, b: (a + b, a.sum()), in_shardings=(over(m, "x"), None), out_shardings=(over(m, "y"), None))
    g = jax.jit(lambda a, n: a * n, static_argnums=1, in_shardings=over(m, "x"), out_shardings=over(m, ("x", "y")))
    h = jax.jit(lambda t: t["a"] * 2, in_shardings=({"a": over(m, "y")},), out_shardings=over(m))
    return [
        f(np.arange(8.0, dtype="float32"), 1.0),
        g(numbers(8), 3),
        h({"a": numbers(8)}),
        jax.jit(lambda v: g(v, 2) + 1)(numbers(8)),
        jax.grad(lambda v: g(v, 2).sum())(numbers(8)),
    ]


def case_constraints() -> Any:
    m = mesh_of(4, 2)
    f = jax.jit(lambda a: lax.with_sharding_constraint(a * 2, over(m, "x", "y")))
    a = numbers(8, 4)
    t = lax.with_sharding_constraint({"a": a, "b": a[0]}, {"a": over(m, "x"), "b": over(m)})
    return [
        f(a),
        t,
        jax.grad(lambda v: f(v).sum())(a),
        jax.vmap(lambda r: lax.with_sharding_constraint(r, over(m, "y")))(a),
    ]


def case_donated_over_a_mesh() -> Any:
    a = jax.device_put(numbers(8), over(mesh_of(4), "x"))
    b = jax.jit(lambda v: v + 1, donate_argnums=0)(a)
    return [b, a.is_deleted()]


def case_control_flow_over_a_mesh() -> Any:
    a = jax.device_put(numbers(8, 4), over(mesh_of(4), "x"))
    return [
        np.asarray(v).round(3).tolist()
        for v in (
            lax.scan(lambda c, v: (c + v, c * v), jnp.zeros(4), a)[1],
            lax.fori_loop(0, 3, lambda i, v: v * 2, a),
            lax.cond(a.sum() > 0, lambda v: v, lambda v: -v, a),
            lax.while_loop(lambda v: v.sum() < 100, lambda v: v + 1, a),
            jax.random.normal(jax.random.key(0), (8,)) + a[:, 0],
        )
    ]


def case_sharding_of_the_argument() -> Any:
    m = mesh_of(4, 2)
    return jax.jit(lambda v: v, in_shardings=over(m, "y"))(jax.device_put(numbers(8), over(m, "x")))


def case_arguments_not_divisible() -> Any:
    return jax.jit(lambda v: v, in_shardings=over(mesh_of(4), "x"))(numbers(6))


def case_results_not_divisible() -> Any:
    return jax.jit(lambda v: v, out_shardings=over(mesh_of(4), "x"))(numbers(6))


def case_an_open_dimension_of_an_argument() -> Any:
    return jax.jit(lambda v: v, in_shardings=over(mesh_of(4), P.UNCONSTRAINED))(numbers(8))


def case_an_open_dimension_of_a_result() -> Any:
    return jax.jit(lambda v: v, out_shardings=over(mesh_of(4), P.UNCONSTRAINED))(numbers(8))


def case_a_constraint_of_nothing() -> Any:
    return lax.with_sharding_constraint(numbers(8), None)


def case_in_shardings_no_prefix() -> Any:
    m = mesh_of(4)
    return jax.jit(lambda v: v, in_shardings=(over(m), over(m)))(numbers(8))


# --- shard_map --------------------------------------------------------------------------------------------------------


def mapped(f: Any, mesh: Any, in_specs: Any, out_specs: Any, **options: Any) -> Any:
    """The function mapped over a mesh."""
    return jax.shard_map(f, mesh=mesh, in_specs=in_specs, out_specs=out_specs, **options)


def case_shard_map() -> Any:
    m = mesh_of(4, 2)
    a = numbers(8, 4)
    f = mapped(lambda v: v * 2 + v.sum(), m, P("x", "y"), P("x", "y"))
    g = mapped(
        lambda v, w: {"a": v @ w, "b": (v.sum()[None], 1.0)}, m, (P("x"), P()), {"a": P("x"), "b": (P("x"), P())}
    )
    return [
        f(a),
        jax.jit(f)(a),
        g(a, numbers(4, 3)),
        jax.jit(g)(jax.device_put(a, over(m, "x")), numbers(4, 3)),
        mapped(lambda v: v, m, P(None, ("y", "x")), P(("y", "x")))(numbers(2, 8)),
    ]


def collectives(v: Any) -> Any:
    """All of them, of an array of (2, 4) on each of 4 by 2 devices."""
    return [
        lax.psum(v, "x"),
        lax.psum(v, ("x", "y")),
        lax.pmean(v, "y"),
        lax.pmax(v, "x"),
        lax.pmin(v, ("y", "x")),
        lax.all_gather(v, "x"),
        lax.all_gather(v, "y", axis=1, tiled=True),
        lax.all_gather(v, ("x", "y")),
        lax.all_gather(v, ("y", "x"), axis=1, tiled=True),
        lax.ppermute(v, "x", [(0, 1), (1, 2), (2, 3), (3, 0)]),
        lax.ppermute(v, "y", [(0, 1)]),
        lax.all_to_all(v, "y", 0, 1),
        lax.all_to_all(v, "x", 1, 0),
        lax.all_to_all(v, "x", 1, 0, tiled=True),
        lax.all_to_all(v, "y", 0, 1, tiled=True),
        lax.psum_scatter(v, "y"),
        lax.psum_scatter(v, "x", scatter_dimension=1, tiled=True),
        lax.psum_scatter(jnp.concatenate([v] * 4), ("x", "y"), tiled=True),
        lax.axis_index("x") + v,
        lax.axis_index(("x", "y")) + v,
        lax.axis_index(("y", "x")) * v,
        lax.psum(1, "x") * v,
        lax.axis_size("y") * v,
        lax.axis_size(("x", "y")) * v,
        lax.pshuffle(v, "x", [3, 1, 0, 2]),
        lax.psum({"a": v > 0}, "x")["a"],
        lax.pmean(v.astype("bfloat16"), "x"),
        lax.psum(v.astype("int32"), "y"),
        lax.psum(v + 1j * v, "x").real,
        lax.pswapaxes(v, "y", 0),
    ]


def case_collectives() -> Any:
    m = mesh_of(4, 2)
    f = mapped(lambda v: [c.ravel()[None] for c in collectives(v)], m, P("x", "y"), P(("x", "y")), check_vma=False)
    return jax.jit(f)(numbers(8, 8))


def case_collectives_followed() -> Any:
    m = mesh_of(4, 2)
    f = mapped(lambda v: [c.ravel()[None] for c in collectives(v)], m, P("x", "y"), P(("x", "y")))
    return jax.jit(f)(numbers(8, 8))


def some_collectives(v: Any) -> Any:
    """Those that have derivatives."""
    return [
        lax.psum(v, "x") * v,
        lax.pmean(v, ("x", "y")) * v,
        lax.all_gather(v, "x"),
        lax.all_gather(v, "y", axis=1, tiled=True),
        lax.ppermute(v, "x", [(0, 1), (1, 2)]),
        lax.all_to_all(v, "x", 1, 0, tiled=True),
        lax.psum_scatter(v, "y"),
        lax.psum_scatter(v, "x", scatter_dimension=1, tiled=True),
        lax.axis_index("x") * v,
    ]


def case_derivatives_of_collectives() -> Any:
    m = mesh_of(4, 2)
    found = []
    for check in (False, True):
        f = mapped(
            lambda v: [c.ravel()[None] for c in some_collectives(v)], m, P("x", "y"), P(("x", "y")), check_vma=check
        )
        g = lambda v, f=f: sum((jnp.sin(o) * (i + 1)).sum() for i, o in enumerate(f(v)))  # noqa: E731
        a = numbers(8, 8)
        found += [jax.jit(jax.grad(g))(a), jax.jit(lambda a, g=g: jax.jvp(g, (a,), (a,))[1])(a)]
    return [np.asarray(v).round(3).tolist() for v in found]


def case_outer_derivatives() -> Any:
    m = mesh_of(4, 2)
    x, w = numbers(8, 4), numbers(4, 3)
    found = []
    for check in (False, True):
        f = mapped(lambda w, x: lax.pmean(jnp.tanh(x @ w).sum(), "x"), m, (P(), P("x")), P(), check_vma=check)
        g = mapped(lambda w, x: jnp.tanh(x @ w), m, (P(None, None), P("x", None)), P("x"), check_vma=check)
        found += [
            jax.grad(f, (0, 1))(w, x),
            jax.jit(jax.grad(lambda w, x, g=g: (g(w, x) ** 2).sum(), (0, 1)))(w, x),
            jax.vjp(g, w, x)[1](jnp.ones((8, 3))),
            jax.jvp(f, (w, x), (w, x)),
        ]
    return [[np.asarray(v).round(3).tolist() for v in (one if isinstance(one, tuple) else (one,))] for one in found]


def case_inner_derivatives() -> Any:
    m = mesh_of(4, 2)
    x, y, w = numbers(8, 4), numbers(8), numbers(4)

    def loss(w: Any, x: Any, y: Any) -> Any:
        return ((jnp.tanh(x @ w) - y) ** 2).mean()

    def step(w: Any, x: Any, y: Any) -> Any:
        value, gradient = jax.value_and_grad(loss)(w, x, y)
        return lax.pmean(value, "x"), w - 0.1 * lax.pmean(gradient, "x")

    def loop(w: Any, x: Any, y: Any) -> Any:
        return lax.scan(lambda w, _: (w - 0.1 * lax.pmean(jax.grad(loss)(w, x, y), "x"), None), w, None, length=3)[0]

    found = []
    for check in (False, True):
        for f in (step, loop):
            outs = mapped(f, m, (P(), P("x"), P("x")), P(), check_vma=check)(w, x, y)
            found.append([np.asarray(v).round(4).tolist() for v in (outs if isinstance(outs, tuple) else (outs,))])
    return found


def case_inner_derivatives_of_control_flow() -> Any:
    m = mesh_of(4, 2)
    x, w = numbers(8, 4), numbers(4)
    found = []
    for check in (False, True):

        def free(v: Any, check: bool = check) -> Any:
            return lax.pcast(v, "x", to="varying") if check else v

        def by_scan(w: Any, x: Any, free: Any = free) -> Any:
            return lax.scan(lambda c, r: (c + jnp.tanh(r @ w), None), free(jnp.float32(0)), x)[0]

        def by_cond(w: Any, x: Any, free: Any = free) -> Any:
            return lax.cond(w.sum() > 0, lambda: (x @ w).sum(), lambda: free(w.sum()))

        def by_jit(w: Any, x: Any) -> Any:
            return jax.jit(lambda w, x: jnp.sin(x @ w).sum())(w, x) * w.sum()

        def by_remat(w: Any, x: Any) -> Any:
            return jax.checkpoint(lambda w, x: jnp.sin(x @ w).sum())(w, x)

        def by_vmap(w: Any, x: Any) -> Any:
            return jax.vmap(lambda r: jnp.sin(r @ w))(x).sum()

        def by_relu(w: Any, x: Any) -> Any:
            return jax.nn.relu(x @ w).sum() + jax.nn.softmax(x @ w).max() + jax.nn.logsumexp(w)

        for f in (by_scan, by_cond, by_jit, by_remat, by_vmap, by_relu):
            g = mapped(lambda w, x, f=f: jax.grad(f)(w, x)[None], m, (P(), P("x")), P("x"), check_vma=check)
            found.append([f.__name__, np.asarray(jax.jit(g)(w, x)).round(4).tolist()])
    return found


def case_shard_map_batches() -> Any:
    m = mesh_of(4, 2)
    a = numbers(3, 8, 4)
    f = mapped(lambda v: lax.psum(v, "x") * v, m, P("x", "y"), P("x", "y"))
    g = mapped(lambda v: jax.vmap(lambda r: r - lax.pmean(r, "y"))(v), m, P("x", "y"), P("x", "y"))
    h = mapped(
        lambda v: jax.vmap(lambda r: lax.psum(r, "i") + lax.psum(r, ("i", "x")), axis_name="i")(v),
        m,
        P("x", "y"),
        P("x", "y"),
        check_vma=False,
    )
    return [
        jax.vmap(f)(a),
        jax.vmap(f, in_axes=1, out_axes=2)(numbers(8, 3, 4)),
        g(a[0]),
        h(a[0]),
        jax.vmap(jax.grad(lambda v: f(v).sum()))(a),
    ]


def case_shard_map_of_closures() -> Any:
    m = mesh_of(4)
    scale = jnp.arange(1.0, 3.0)
    f = mapped(lambda v: v * scale + jnp.ones(2), m, P("x"), P("x"))
    g = lambda s: mapped(lambda v: v * s, m, P("x"), P("x"))(numbers(8)).sum()  # noqa: E731
    return [f(numbers(8)), jax.grad(g)(2.0), jax.jit(g)(2.0), jax.vmap(g)(scale)]


def case_loops_of_the_library() -> Any:
    m = mesh_of(4)
    a = numbers(8)

    def draws(v: Any) -> Any:
        key = jax.random.fold_in(jax.random.key(0), lax.axis_index("x"))
        return jax.random.beta(key, 2.0 + v, 3.0)

    return [
        mapped(lambda v: jnp.histogram(v, bins=4)[0], m, P("x"), P("x"))(a),
        mapped(draws, m, P("x"), P("x"))(a),
        mapped(lambda v: lax.while_loop(lambda c: c.sum() < 9, lambda c: c + 1, v), m, P("x"), P("x"))(a),
        mapped(lambda v: lax.ppermute(v, ("x", "y"), [(0, 5), (5, 2)]), mesh_of(4, 2), P("x"), P("x"))(a),
    ]


def case_shard_map_decorates() -> Any:
    m = mesh_of(4)

    f = jax.jit(jax.shard_map(mesh=m, in_specs=P("x"), out_specs=P("x"))(lambda v: v + lax.axis_index("x")))
    with jax.set_mesh(m):
        g = jax.shard_map(lambda v: v * 2, in_specs=P("x"), out_specs=P("x"))(numbers(8))
    return [f(numbers(8)), g]


def case_replication_refused() -> Any:
    return mapped(lambda v: v, mesh_of(4), P("x"), P())(numbers(8))


def case_replication_by_psum() -> Any:
    m = mesh_of(4, 2)
    return mapped(lambda v: lax.psum(v, "x"), m, P("x", "y"), P(None, "x"))(numbers(8, 4))


def case_parts_not_divisible() -> Any:
    return mapped(lambda v: v, mesh_of(4), P("x"), P("x"))(numbers(6))


def case_in_spec_too_long() -> Any:
    return mapped(lambda v: v, mesh_of(4, 2), P("x", "y"), P("x"))(numbers(8))


def case_out_spec_too_long() -> Any:
    return mapped(lambda v: v.sum(), mesh_of(4), P("x"), P("x"))(numbers(8))


def case_specs_no_prefix() -> Any:
    return mapped(lambda v: v, mesh_of(4), (P("x"), P("x")), P("x"))(numbers(8))


def case_spec_of_another_mesh() -> Any:
    return mapped(lambda v: v, mesh_of(4), P("z"), P("x"))(numbers(8))


def case_no_mesh_to_map_over() -> Any:
    return jax.shard_map(lambda v: v, in_specs=P("x"), out_specs=P("x"))(numbers(8))


def case_carry_that_begins_to_differ() -> Any:
    return mapped(lambda v: lax.scan(lambda c, x: (c + x, c), 0.0, v)[1], mesh_of(4), P("x"), P("x"))(numbers(8))


def case_branches_that_differ() -> Any:
    f = lambda v: lax.cond(v[0] > 3, lambda: v, lambda: jnp.zeros(2))  # noqa: E731
    return mapped(f, mesh_of(4), P("x"), P("x"))(numbers(8))


# --- pmap -------------------------------------------------------------------------------------------------------------


def case_pmap() -> Any:
    a = numbers(8, 3)
    f = jax.pmap(lambda v: v - lax.pmean(v, "i"), axis_name="i")
    g = jax.pmap(lambda v, w, n: {"a": v * w * n, "b": v.sum()}, in_axes=(0, None, None), static_broadcasted_argnums=2)
    h = jax.pmap(lambda v, w: v + w, in_axes=(1, 0), out_axes=1)
    return [
        f(a),
        g(a[:4], jnp.ones(3), 2),
        h(numbers(3, 4), numbers(4, 3)),
        jax.pmap(lambda v, k: v * k)(a, k=a[:, 0]),
        jax.pmap(lambda v: jax.vmap(lambda r: r * lax.axis_index("i"))(v), axis_name="i")(numbers(2, 3, 2)),
        jax.pmap(lambda v: lax.psum(v, "i"), "i", out_axes=None)(a),
        jax.pmap(lambda t: t["x"] + t["y"][0])({"x": a, "y": (a,)}),
    ]


def case_pmap_derivatives() -> Any:
    a = numbers(4, 3)
    f = jax.pmap(lambda w, v: lax.pmean(jax.grad(lambda w: jnp.sin(w @ v))(w), "i"), "i", in_axes=(None, 0))
    g = lambda v: jax.pmap(lambda r: jnp.sin(r) * lax.psum(r.sum(), "i"), "i")(v).sum()  # noqa: E731
    return [
        f(jnp.ones(3), a),
        jax.grad(g)(a),
        jax.jit(jax.pmap(jnp.sin))(a),
        jax.vmap(jax.pmap(jnp.sin))(numbers(2, 4, 3)),
    ]


def case_groups() -> Any:
    a = numbers(8, 4, 2)
    found = []
    for groups in ([[0, 2, 4, 6], [1, 3, 5, 7]], np.array([[3, 0], [1, 2], [5, 4], [7, 6]])):
        given = {"axis_index_groups": groups}
        for f in (
            lambda v, g=given: lax.psum(v, "i", **g),
            lambda v, g=given: lax.pmean(v, "i", **g),
            lambda v, g=given: lax.all_gather(v, "i", axis=1, **g),
            lambda v, g=given: lax.all_gather(v, "i", axis=-1, tiled=True, **g),
            lambda v, g=given: lax.all_to_all(v, "i", 0, 1, tiled=True, **g),
            lambda v, g=given: lax.psum_scatter(v, "i", tiled=True, **g),
            lambda v, g=given: v * lax.psum(2.0, "i", **g),
        ):
            mean = lambda v, f=f: jnp.sin(jax.pmap(f, "i")(v)).mean()  # noqa: E731
            found += [jax.pmap(f, "i")(a).sum(0), jax.grad(mean)(a)[:2]]
        found += [jax.pmap(lambda v, g=given: lax.pmax(v, "i", **g), "i")(a)[0]]
        found += [jax.pmap(lambda v, g=given: lax.pmin(v, "i", **g), "i")(a)[0]]
    uneven = [[0, 1], [2, 3, 4, 5, 6, 7]]
    return [
        *(np.asarray(v).round(4).tolist() for v in found),
        jax.pmap(lambda v: lax.psum(v, "i", axis_index_groups=uneven), "i")(a[:, 0]),
        jax.pmap(lambda v: lax.psum_scatter(v, "i", axis_index_groups=[[0, 1, 2, 3], [4, 5, 6, 7]]), "i")(a),
    ]


def case_groups_without_some() -> Any:
    return jax.pmap(lambda v: lax.psum(v, "i", axis_index_groups=[[0, 1], [1, 2]]), "i")(numbers(8))


def case_pmap_sizes_differ() -> Any:
    return jax.pmap(lambda v, w: v, in_axes=(0, 0))(numbers(2), numbers(3))


def case_pmap_too_many() -> Any:
    return jax.pmap(lambda v: v)(numbers(9))


def case_pmap_nothing() -> Any:
    return jax.pmap(lambda v: v, in_axes=None)(numbers(8))


# --- shard_map over some axes, and within another ---------------------------------------------------------------------


def case_some_axes() -> Any:
    m = mesh_of(4, 2)
    a = jax.device_put(numbers(8, 4), over(m, "x", "y"))
    found = []
    for check in (True, False):
        f = mapped(
            lambda v: v * lax.psum(v.sum(), "x") + lax.axis_index("x"), m, P("x"), P("x"), axis_names={"x"},
            check_vma=check,
        )  # fmt: skip
        g = lambda v, f=f: jnp.sin(f(v)).sum()  # noqa: E731
        found += [jax.jit(f)(a), jax.jit(jax.grad(g))(a), jax.jit(jax.vmap(f))(jnp.stack([a, a * 2]))]
    return found


def case_collectives_of_some_axes() -> Any:
    a = jax.device_put(numbers(8, 4), over(mesh_of(4, 2), "x", "y"))
    run: Any = lambda f, out: jax.jit(mapped(f, mesh_of(4, 2), P("x"), out, axis_names={"x"}))(a)  # noqa: E731
    return [
        run(lambda v: lax.all_gather(v, "x", tiled=True), P("x")),
        run(lambda v: lax.ppermute(v, "x", [(0, 1), (1, 0)]), P("x")),
        run(lambda v: lax.all_to_all(v, "x", 1, 0, tiled=True), P("x")),
        run(lambda v: lax.psum_scatter(v, "x", scatter_dimension=1, tiled=True), P("x")),
        run(lambda v: lax.pmax(v, "x"), P()),
    ]


def case_constraint_along_the_others() -> Any:
    m = mesh_of(4, 2)
    with jax.set_mesh(m):
        f = mapped(lambda v: lax.with_sharding_constraint(v * 2, P(None, "y")), m, P("x"), P("x"), axis_names={"x"})
        return jax.jit(f)(numbers(8, 4))


def case_shard_map_within() -> Any:
    m = mesh_of(4, 2)
    a, w = numbers(8, 4), numbers(4) + 2
    found = []
    for check in (True, False):
        inner = lambda z, w: jnp.tanh(z * w) * lax.psum(z, "y") + lax.axis_index("x") + lax.psum(z, "x")  # noqa: E731

        def outer(v: Any, w: Any, check: bool = check, inner: Any = inner) -> Any:
            within = jax.shard_map(
                inner, in_specs=(P(None, "y"), P("y")), out_specs=P(None, "y"), axis_names={"y"}, check_vma=check
            )
            return within(v, w) * lax.psum(v.sum(), "x")

        h = mapped(outer, m, (P("x"), P()), P("x"), axis_names={"x"}, check_vma=check)
        loss = lambda v, w, h=h: jnp.sin(h(v, w)).sum()  # noqa: E731
        found += [jax.jit(h)(a, w), jax.jit(jax.vmap(h, (0, None)))(jnp.stack([a, a + 1]), w)]
        found += [] if check else [*jax.jit(jax.grad(loss, (0, 1)))(a, w)]  # of the other JAX makes no program
    return found


def case_specs_of_other_axes() -> Any:
    return mapped(lambda v: v, mesh_of(4, 2), P("y"), P("x"), axis_names={"x"})(numbers(8))


def case_axes_of_no_mesh() -> Any:
    return mapped(lambda v: v, mesh_of(4, 2), P("x"), P("x"), axis_names={"w"})(numbers(8))


def case_a_mesh_within() -> Any:
    m = mesh_of(4, 2)
    return jax.jit(
        mapped(lambda v: mapped(lambda z: z, m, P(), P(), axis_names={"y"})(v), m, P("x"), P("x"), axis_names={"x"})
    )(numbers(8))


def case_smap() -> Any:
    with jax.set_mesh(mesh_of(4, 2)):
        f = jax.smap(lambda v, w: (v * lax.psum(v, "x"), w), in_axes=(0, None), out_axes=(1, None), axis_name="x")
        g = jax.smap(
            lambda v: jax.smap(lambda z: z * lax.psum(z, "y"), in_axes=1, out_axes=1, axis_name="y")(v),
            in_axes=0, out_axes=0, axis_name="x",
        )  # fmt: skip
        return [jax.jit(f)(numbers(8, 4), 2.0), jax.jit(g)(numbers(8, 4))]


def case_a_batch_that_is_cut() -> Any:
    m = mesh_of(4, 2)
    a, w = jnp.stack([numbers(8, 4), numbers(8, 4) + 1]), numbers(4)
    found = []
    for check in (True, False):
        f = mapped(lambda v, w: jnp.tanh(v * w) * lax.psum(v.sum(), "x"), m, (P("x"), P()), P("x"), check_vma=check)
        h = jax.vmap(f, (0, None), spmd_axis_name="y")
        each = jax.vmap(jax.grad(lambda v, w, f=f: jnp.sin(f(v, w)).sum(), (0, 1)), (0, None), spmd_axis_name="y")
        loss = lambda v, w, h=h: jnp.sin(h(v, w)).sum()  # noqa: E731
        found += [jax.jit(h)(a, w), *jax.jit(jax.grad(loss, (0, 1)))(a, w), *jax.jit(each)(a, w)]
    c = jax.vmap(lambda v: lax.with_sharding_constraint(v, over(m, "x")), spmd_axis_name="y")
    return [*found, jax.jit(c)(a)]


def case_a_batch_that_is_cut_twice() -> Any:
    f = mapped(lambda v: v, mesh_of(4, 2), P("x"), P("x"))
    return jax.vmap(f, spmd_axis_name="x")(numbers(4, 8))


def case_types_and_abstract_meshes() -> Any:
    m = mesh_of(4, 2)
    seen: list[Any] = []

    def f(v: Any) -> Any:
        here = sharding.get_abstract_mesh()
        seen.extend([here.manual_axes, here.auto_axes, str(jax.typeof(v)), str(jax.typeof(lax.psum(v, "x")))])
        seen.append(sorted(jax.typeof(v).mat.varying))
        return lax.with_sharding_constraint(v, NamedSharding(here, P(None, "y")))

    a = numbers(8, 4)
    with jax.set_mesh(m):
        made = jax.jit(mapped(f, m.abstract_mesh, P("x"), P("x"), axis_names={"x"}))(a)
        seen.append(repr(sharding.get_abstract_mesh()))
    kinds = [jax.typeof(v) for v in (a, 2.0, 2, np.ones(3, "int8"))]
    plain = sharding.AbstractMesh((2, 3), ("a", "b"))
    return [
        made, seen, repr(sharding.get_abstract_mesh()), [str(k) for k in kinds], [repr(k) for k in kinds],
        repr(plain), plain.size, plain == sharding.AbstractMesh((2, 3), ("a", "b")), repr(m.abstract_mesh),
        kinds[0].ndim, str(kinds[3].dtype), NamedSharding(plain, P("b")).shard_shape((6,)),
    ]  # fmt: skip


def case_sums_in_specs() -> Any:
    p = P("x", unreduced={"y"})
    return [repr(p), repr(P(reduced={"z"})), p == P("x", unreduced={"y"}), p == P("x"), p.partitions, P("x") is P("x")]


def case_sums_along_two() -> Any:
    return P("x", unreduced={"x"})


# --- callbacks --------------------------------------------------------------------------------------------------------


def case_callbacks_of_whole_values() -> Any:
    m = mesh_of(4, 2)
    a = jax.device_put(numbers(8, 4), over(m, "x", "y"))
    like = jax.ShapeDtypeStruct((8, 4), "float32")
    seen: list[Any] = []

    def f(v: Any) -> Any:
        jax.debug.callback(lambda z: seen.append(z.shape), v * 2)
        made = jax.experimental.io_callback(lambda z: np.cos(z), like, v, ordered=True)
        return jax.pure_callback(lambda z: np.sin(z), like, v) * made

    made = jax.jit(f)(a)
    jax.effects_barrier()
    return [made, seen]


def case_callbacks_of_parts() -> Any:
    m = mesh_of(4, 2)
    a = numbers(8, 4)
    found: list[Any] = []
    for check in (True, False):
        seen: list[Any] = []

        def f(v: Any, seen: Any = seen) -> Any:
            jax.debug.callback(lambda z: seen.append([z.shape, round(float(np.asarray(z).sum()), 3)]), v)
            like = jax.ShapeDtypeStruct(v.shape, v.dtype)
            made = jax.pure_callback(lambda z: (np.sin(z), z), (like, like), v)
            return made[0] * jax.experimental.io_callback(lambda z: np.cos(z), like, made[1])

        made = jax.jit(mapped(f, m, P("x", "y"), P("x", "y"), check_vma=check))(a)
        jax.effects_barrier()
        found += [made, sorted(seen)]
    jax.pmap(lambda v: jax.debug.callback(lambda z: found.append(z.shape), v))(a)
    jax.effects_barrier()
    return found


def case_callbacks_in_order() -> Any:
    def f(v: Any) -> Any:
        jax.debug.callback(lambda z: None, v, ordered=True)
        return v

    return jax.jit(f)(jax.device_put(numbers(8), over(mesh_of(4), "x")))


def case_pmap_stages() -> Any:
    f = jax.pmap(lambda v, n: v * n - lax.pmean(v, "i"), "i", static_broadcasted_argnums=1)
    like = jax.ShapeDtypeStruct((8, 2), "float32")
    return [f.lower(like, 3).compile()(numbers(8, 2)), f.lower(like, 3).out_info.shape]


def case_pmap_stages_of_other_types() -> Any:
    return jax.pmap(lambda v: v).lower(numbers(8)).compile()(jnp.arange(8))


# --- explicit axes ----------------------------------------------------------------------------------------------------


def case_explicit_elementwise() -> Any:
    m = jax.make_mesh((2, 4), ("x", "y"))
    with jax.set_mesh(m):
        a = jax.device_put(numbers(8, 4), P("x", "y"))
        row, whole = jax.device_put(numbers(1, 4), P(None, "y")), numbers(8, 4)
        found = []
        calls: list[Any] = [
            lambda: a * 2, lambda: a + a, lambda: a * row, lambda: jnp.sin(a) + whole, lambda: a > 0, lambda: a**3,
            lambda: a.astype("int32"), lambda: jnp.where(a > 0, a, 0.0), lambda: jnp.clip(a, -1, 1), lambda: -a,
            lambda: jax.nn.relu(a), lambda: a * jnp.float32(3),
        ]  # fmt: skip
        for f in calls:
            for made in (f(), jax.jit(f)()):
                found += [str(jax.typeof(made)), repr(made.sharding.spec)]
        return [found, a * row, jax.jit(lambda v: v * 2 + 1)(a)]


def case_explicit_shapes() -> Any:
    m = jax.make_mesh((2, 4), ("x", "y"))
    with jax.set_mesh(m):
        a = jax.device_put(numbers(8, 4), P("x", "y"))
        b = jax.device_put(numbers(8, 4, 6), P("x", None, None))
        both = jax.device_put(numbers(16, 3), P(("x", "y"), None))
        found = []
        for f in (
            lambda: a.T, lambda: a.sum(), lambda: a.sum(0), lambda: a.max(1), lambda: a.mean(1, keepdims=True),
            lambda: jnp.argmax(a, 0), lambda: a[None], lambda: jnp.expand_dims(a, 1), lambda: jnp.squeeze(a[None], 0),
            lambda: a.reshape(2, 4, 4), lambda: b.reshape(8, 24), lambda: b.reshape(2, 4, 4, 6),
            lambda: both.reshape(2, 8, 3), lambda: both.reshape(16, 3, 1), lambda: jnp.broadcast_to(a, (3, 8, 4)),
            lambda: lax.slice_in_dim(a, 0, 4), lambda: lax.slice_in_dim(a, 0, 4, axis=1),
            lambda: jnp.concatenate([a, a]), lambda: jnp.stack([a, a], 1),
            lambda: jnp.flip(a, 0), lambda: jnp.cumsum(b, 1), lambda: jnp.sort(b, -1), lambda: jnp.pad(b, 2),
            lambda: jnp.swapaxes(b, 0, 2), lambda: lax.dynamic_slice(b, (0, 1, 1), (8, 2, 2)),
            lambda: jnp.moveaxis(b, 0, 1), lambda: b[:, 0],
            lambda: b[:, jnp.array([0, 2])], lambda: lax.bitcast_convert_type(a, "int32"),
        ):  # fmt: skip
            for g in (f, jax.jit(f)):
                try:
                    found.append(str(jax.typeof(g())))
                except Exception as error:
                    found.append(type(error).__name__)
        return [found, a.reshape(2, 4, 4), jnp.flip(a, 0), jnp.concatenate([a, a]), a.sum(0)]


def case_explicit_parts() -> Any:
    def seen_of(*functions: Any) -> list[Any]:
        """The type and the values of what functions give, called and jitted, or the class of what they raise."""
        found: list[Any] = []
        for f in functions:
            for g in (f, jax.jit(f)):
                try:
                    made = g()
                except Exception as error:
                    found.append("ValueError" if isinstance(error, ValueError) else type(error).__name__)
                else:
                    found += [str(jax.typeof(made)), made]
        return found

    def windows(a: Any, size: int, stride: int, how: Any, first: float = 0.0) -> Any:
        return lax.reduce_window(a, np.float32(first), how, (size, size), (stride, stride), "VALID")

    def squares(a: Any, b: Any) -> Any:
        return a + b * b

    def pairs(x: Any, y: Any) -> Any:
        return x[0] + y[0], x[1] * y[1]

    def both(a: Any) -> Any:
        return lax.reduce_window((a, a), (np.float32(0), np.float32(1)), pairs, (2, 2), (2, 2), "VALID")[1]

    specs = (P(), P("x"), P(None, "y"), P("x", "y"), P(("x", "y"), None))
    with jax.set_mesh(jax.make_mesh((2, 4), ("x", "y"))):
        found = []
        for a in [jax.device_put(numbers(8, 8), spec) for spec in specs]:
            found += seen_of(
                lambda a=a: a[:4], lambda a=a: a[::2], lambda a=a: a[::-1], lambda a=a: a[:, :4], lambda a=a: a[0:8],
                lambda a=a: a[1], lambda a=a: a[..., 0], lambda a=a: a[None, 4:],
            )  # fmt: skip
            found += seen_of(
                lambda a=a: a.at[0].set(0.0), lambda a=a: a.at[:, 0].add(1.0), lambda a=a: a.at[:4].set(0.0),
                lambda a=a: a.at[:].set(numbers(8, 8)), lambda a=a: a.at[jnp.array([0, 2])].mul(2.0),
                lambda a=a: a.at[None, 1].max(0.5), lambda a=a: a.at[jnp.array([0, 2])].apply(jnp.sin),
            )  # fmt: skip
            found += seen_of(
                lambda a=a: windows(a, 2, 2, squares), lambda a=a: windows(a, 2, 1, squares),
                lambda a=a: windows(a, 2, 2, lax.mul, 1.0), lambda a=a: both(a), lambda a=a: jnp.fft.fft(a).real,
                lambda a=a: jnp.fft.rfft(a).real, lambda a=a: jnp.fft.irfft(a, n=8),
            )  # fmt: skip
            found += seen_of(lambda a=a: jax.jit(lambda b: b[:4])(a), lambda a=a: jax.jit(lambda b: b[1])(a))
        return found


def case_explicit_products() -> Any:
    m = jax.make_mesh((2, 4), ("x", "y"))
    with jax.set_mesh(m):
        a, w = jax.device_put(numbers(8, 4), P("x", None)), jax.device_put(numbers(4, 16), P(None, "y"))
        batch = jax.device_put(numbers(8, 4, 4), P("x", None, "y"))
        f = jax.jit(lambda a, w: jnp.sum(jnp.tanh(a @ w) ** 2))
        out = jnp.einsum("ij,kj->ik", jax.reshard(a, P(None, "y")), jax.reshard(a, P(None, "y")), out_sharding=P("x"))
        grads = jax.grad(lambda a, w: jnp.einsum("ij,jk->ik", a, w, out_sharding=P("x", None)).sum(), (0, 1))(
            jax.reshard(a, P(None, "y")), jax.reshard(w, P("y", None))
        )
        return [
            a @ w, jax.jit(jnp.matmul)(a, w), f(a, w), jax.grad(f, (0, 1))(a, w), jax.jit(jax.grad(f, (0, 1)))(a, w),
            jnp.einsum("bij,bkj->bik", jax.reshard(batch, P("x")), jax.reshard(batch, P("x"))), out, grads,
            jnp.dot(a, jnp.ones((4, 2))), str(jax.typeof(out)),
        ]  # fmt: skip


def case_explicit_clashes() -> Any:
    m = jax.make_mesh((2, 4), ("x", "y"))
    found = []
    with jax.set_mesh(m):
        a, t = jax.device_put(numbers(8, 8), P("x", "y")), jax.device_put(numbers(8, 8), P("y", "x"))
        flat = jax.device_put(numbers(8), P("x"))
        for f in (
            lambda: a + t, lambda: a @ t,
            lambda: a @ a, lambda: a @ jax.reshard(a, P("y", "x")), lambda: a.reshape(4, 16),
            lambda: jnp.concatenate([a, t]), lambda: jnp.where(a > 0, a, t), lambda: jnp.cumsum(a, 0),
            lambda: jnp.sort(a, 0), lambda: lax.slice_in_dim(flat, 0, 3),
            lambda: a[jnp.array([0, 1])], lambda: flat[:, None] * flat,
            lambda: jax.reshard(a, None), lambda: lax.with_sharding_constraint(a, P("y")),
            lambda: lax.scan(lambda c, _: (jax.reshard(c, P()), None), a, None, length=1),
            lambda: jax.vmap(lambda u, v: u + v)(a, t), lambda: jax.vmap(lambda u, v: u + v, (0, None))(a, flat),
            lambda: jnp.linalg.cholesky(a), lambda: sharding.auto_axes(lambda v: v)(a),
            lambda: jnp.einsum("ij,jk->ik", a, a, out_sharding=P("z")), lambda: lax.cond(True, lambda: a, lambda: t),
        ):  # fmt: skip
            for g in (f, jax.jit(f)):
                try:
                    g()
                except (ValueError, TypeError, AssertionError) as error:
                    found.append("ValueError" if isinstance(error, ValueError) else type(error).__name__)
                except Exception as error:
                    found.append(f"{type(error).__name__}: {str(error)[:32]}")
                else:
                    found.append("nothing")
    return found


def case_explicit_and_auto_axes() -> Any:
    m = jax.make_mesh((2, 4), ("x", "y"))
    seen = []

    def f(v: Any) -> Any:
        seen.extend([str(jax.typeof(v)), repr(sharding.get_abstract_mesh().axis_types)])
        return jnp.sort(v @ v.T, 0)

    def g(v: Any) -> Any:
        seen.extend([str(jax.typeof(v)), repr(sharding.get_abstract_mesh().axis_types)])
        return v * 2

    with jax.set_mesh(m):
        a = jax.device_put(numbers(8, 4), P("x", "y"))
        made = [
            sharding.auto_axes(f, out_sharding=P("x", None))(a),
            jax.jit(sharding.auto_axes(f, out_sharding=P(None, "y")))(a),
            jax.jit(sharding.auto_axes(f))(a, out_sharding=P()),
            jax.grad(lambda v: sharding.auto_axes(lambda v: (v @ v.T) ** 2, out_sharding=P("x"))(v).sum())(a),
        ]
    with jax.set_mesh(Mesh(m.devices, m.axis_names)):
        b = jax.device_put(numbers(8, 4), P("x", "y"))
        made.append(jnp.array(jax.jit(sharding.explicit_axes(g, in_sharding=P("x", None)))(b)))
    return [*made[:4], np.asarray(made[4]).round(3).tolist(), seen]


def case_explicit_transformations() -> Any:
    m = jax.make_mesh((2, 4), ("x", "y"))
    with jax.set_mesh(m):
        a = jax.device_put(numbers(8, 4), P("x", "y"))
        return [
            jax.vmap(lambda r: r * r.sum())(jax.reshard(a, P("x"))), jax.vmap(lambda r: r * 2, 1, 1)(a),
            jax.jit(jax.vmap(lambda r, s: r @ s, (0, None)))(jax.reshard(a, P("x")), numbers(4, 3)),
            lax.scan(lambda c, v: (c + v, c * v), jax.reshard(numbers(4), P("y")), jax.reshard(a, P(None, "y"))),
            jax.jit(lambda v: lax.fori_loop(0, 3, lambda i, v: v * 2, v))(a),
            jax.grad(lambda v: (v**2).sum())(a), jax.grad(lambda v: v.sum())(a), jax.vjp(jnp.sin, a)[1](a),
            jax.jvp(jnp.sin, (a,), (a,)), jax.jit(jax.checkpoint(lambda v: jnp.sin(v) * v))(a),
            jax.grad(jax.jit(jax.checkpoint(lambda v: (jnp.sin(v) * v).sum())))(a),
            jax.jit(lambda v: lax.cond(v.sum() > 0, lambda v: v, lambda v: -v, v))(a),
            jax.jacfwd(lambda v: v * v)(jax.reshard(numbers(4), P())),
        ]  # fmt: skip


def case_explicit_shard_map() -> Any:
    m = jax.make_mesh((2, 4), ("x", "y"))
    with jax.set_mesh(m):
        a = jax.device_put(numbers(8, 4), P("x", "y"))
        double = jax.shard_map(lambda v: v * 2, out_specs=P("x", "y"))
        total = jax.shard_map(lambda v: lax.psum(v, "y"), out_specs=P("x"))
        return [
            double(a), jax.jit(double)(a), str(jax.typeof(double(a))), total(a), jax.grad(lambda v: double(v).sum())(a),
            jax.jit(lambda v: jax.typeof(total(v)).sharding.spec == P("x", None))(a),
        ]  # fmt: skip


def case_explicit_made() -> Any:
    m = jax.make_mesh((2, 4), ("x", "y"))
    with jax.set_mesh(m):
        a = jax.device_put(numbers(8, 4), P("x", "y"))
        key = jax.random.key(1)
        return [
            jnp.zeros((8, 4), out_sharding=P("x")), jnp.ones(8, out_sharding=P("x")),
            jnp.full((4, 4), 2, out_sharding=P("y")),
            jnp.arange(8, out_sharding=P("y")), jnp.array(np.ones((8, 2)), out_sharding=P("x")),
            jnp.zeros_like(a), jnp.reshape(a, (32,), out_sharding=P("x")), a.reshape(4, 8, out_sharding=P("y")),
            a.at[0].set(0.0, out_sharding=P("x", "y")), a.at[jnp.array([1, 2])].get(out_sharding=P(None, "y")),
            jax.random.normal(key, (8, 4), out_sharding=P("x")), jax.random.uniform(key, (8,), out_sharding=P("y")),
            jnp.repeat(a, 2, 0, out_sharding=P("x")), lax.broadcasted_iota("int32", (8, 4), 0, out_sharding=P("x")),
        ]  # fmt: skip


def case_explicit_axes_and_others() -> Any:
    m = jax.make_mesh((2, 4), ("x", "y"), axis_types=(sharding.AxisType.Explicit, sharding.AxisType.Auto))
    with jax.set_mesh(m):
        a = jax.device_put(numbers(8, 8), P("x", "y"))
        f = jax.jit(lambda v: (v @ v.T) * 2)
        kinds = [str(jax.typeof(v)) for v in (a, a * 2, a.T, a.sum(1), jax.reshard(a, P(None)))]
        return [kinds, np.asarray(f(jax.reshard(a, P()))).round(3).tolist(), str(jax.typeof(a).sharding.mesh)]


def case_explicit_types() -> Any:
    m = jax.make_mesh((2, 4), ("x", "y"))
    a = jax.device_put(numbers(8, 4), NamedSharding(m, P("x")))
    t = jax.typeof(a)
    like = jax.ShapeDtypeStruct((8, 4), "float32", sharding=NamedSharding(m, P("x", "y")))
    out = jax.eval_shape(lambda v: v.T, like)
    return [
        str(t), repr(t.sharding.spec), repr(t.sharding.mesh), out.shape, repr(out.sharding.spec), repr(a.sharding.spec),
        jax.jit(lambda v: v * 2).lower(like).compile()(jax.device_put(a, like.sharding)),
    ]  # fmt: skip


def case_described_with_a_sharding() -> Any:
    m = mesh_of(4, 2)
    like = jax.ShapeDtypeStruct((8, 4), "float32", sharding=over(m, "x"))
    a = jax.device_put(numbers(8, 4), over(m, "x"))
    other = like.update(shape=(4, 4), sharding=None)
    return [
        like.sharding == over(m, "x"), jax.ShapeDtypeStruct.like(a).sharding == over(m, "x"),
        like == jax.ShapeDtypeStruct((8, 4), "float32"),
        other.sharding, jax.jit(lambda v: (v * 2).sum()).lower(like).compile()(a), hash(like) == hash(like),
        jax.ShapeDtypeStruct.like(jnp.ones(3)).sharding,
    ]  # fmt: skip


def case_where_arguments_lie() -> Any:
    m = mesh_of(4, 2)
    like = jax.ShapeDtypeStruct((8, 4), "float32", sharding=over(m, "x"))
    f = jax.jit(lambda v, w: {"a": v * 2, "b": v.sum()}, out_shardings=over(m))
    here = jax.jit(lambda v: v * 2).lower(numbers(3)).compile()
    made = f.lower(like, w=numbers(3)).compile()
    given = jax.jit(lambda v: v * 2).lower(jax.device_put(numbers(8, 4), over(m, "x", "y"))).compile()
    return [
        str(made.input_shardings), {k: repr(v) for k, v in made.output_shardings.items()}, str(here.input_shardings),
        repr(here.output_shardings), str(given.input_shardings),
        given(jax.device_put(numbers(8, 4), over(m, "x", "y"))),
    ]  # fmt: skip


def case_described_with_a_long_sharding() -> Any:
    return jax.ShapeDtypeStruct((8,), "float32", sharding=over(mesh_of(4, 2), "x", "y"))


def case_described_with_no_sharding() -> Any:
    return jax.ShapeDtypeStruct((8,), "float32", sharding="x")


def case_pmap_donated() -> Any:
    f = jax.pmap(lambda v, w: v * 2 + w, donate_argnums=0)
    a, b, c = f(numbers(4, 2), numbers(4, 2)), numbers(4, 2), numbers(4, 2)
    first = np.asarray(f(a, c)).round(3).tolist()
    f(b, c)
    return [first, a.is_deleted(), b.is_deleted(), c.is_deleted()]


def case_pmap_donated_and_static() -> Any:
    return jax.pmap(lambda n, v: v * n, donate_argnums=0, static_broadcasted_argnums=0)(2, numbers(4))


def case_live_arrays() -> Any:
    before = len(jax.live_arrays())
    a = [jnp.arange(3.0) + i for i in range(3)]
    a.append(jax.device_put(numbers(8), over(mesh_of(4), "x")))
    here = {id(v.unsafe_buffer_pointer) and v.shape for v in jax.live_arrays()}
    kept = len(jax.live_arrays()) - before
    a[0].delete()
    return [kept >= 4, here >= {(3,), (8,)}, len(jax.live_arrays()) - before == kept - 1]


def case_prints_of_some_axes() -> Any:
    m = mesh_of(2, 2)
    seen: list[Any] = []

    def f(v: Any) -> Any:
        jax.debug.callback(lambda z: seen.append(np.asarray(z).round(3).tolist()), v)
        return v * 2

    g = jax.jit(mapped(f, m, P("x"), P("x"), axis_names={"x"}))
    made = [g(numbers(4, 2)), g(jax.device_put(numbers(4, 2), over(m, "x", "y")))]
    jax.effects_barrier()
    return [made, sorted(seen)]


CASES = {name.removeprefix("case_"): function for name, function in list(globals().items()) if name.startswith("case_")}


def main(wanted: list[str]) -> None:
    """Run cases, and print what came of them."""
    warnings.simplefilter("ignore")
    found = {}
    for name, function in CASES.items():
        if wanted and name not in wanted:
            continue
        try:
            found[name] = {"value": described(function())}
        except Exception as error:
            kind = next(c for c in type(error).__mro__ if c.__module__ == "builtins")
            found[name] = {"error": kind.__name__, "text": str(error)}
    print(json.dumps({"cases": found, "has_jax": "jax" in sys.modules}))


if __name__ == "__main__":
    main(sys.argv[2:])

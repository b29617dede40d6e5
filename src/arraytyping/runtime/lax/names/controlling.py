"""Names of `jax.lax` for control flow, mapped axes, and what is said to compilers."""

from arraytyping.runtime.lax.barriers import (
    optimization_barrier as optimization_barrier,
    optimization_barrier_p as optimization_barrier_p,
)
from arraytyping.runtime.lax.collectives import (
    axis_index as axis_index,
    axis_index_p as axis_index_p,
    axis_size as axis_size,
    pmax as pmax,
    pmax_p as pmax_p,
    pmean as pmean,
    pmin as pmin,
    pmin_p as pmin_p,
    psum as psum,
    psum_p as psum_p,
)
from arraytyping.runtime.lax.composites import composite as composite
from arraytyping.runtime.lax.constraints import (
    sharding_constraint_p as sharding_constraint_p,
    with_sharding_constraint as with_sharding_constraint,
)
from arraytyping.runtime.lax.control_flow import (
    associative_scan as associative_scan,
    cond as cond,
    cond_p as cond_p,
    custom_linear_solve as custom_linear_solve,
    custom_root as custom_root,
    fori_loop as fori_loop,
    linear_solve_p as linear_solve_p,
    map as map,
    scan as scan,
    scan_p as scan_p,
    switch as switch,
    while_loop as while_loop,
    while_p as while_p,
)
from arraytyping.runtime.lax.exchanges import (
    all_gather as all_gather,
    all_gather_p as all_gather_p,
    ppermute as ppermute,
    ppermute_p as ppermute_p,
    pswapaxes as pswapaxes,
)
from arraytyping.runtime.lax.scattering_collectives import (
    all_to_all as all_to_all,
    all_to_all_p as all_to_all_p,
    pbroadcast as pbroadcast,
    pshuffle as pshuffle,
    psum_scatter as psum_scatter,
)
from arraytyping.runtime.lax.sinks import dce_sink as dce_sink, dce_sink_p as dce_sink_p
from arraytyping.runtime.lax.varying import pcast as pcast

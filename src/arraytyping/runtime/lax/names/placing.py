"""Names of `jax.lax` that make arrays, and put their elements elsewhere."""

from arraytyping.runtime.lax.creation import iota_p as iota_p
from arraytyping.runtime.lax.cutting import (
    concatenate as concatenate,
    index_in_dim as index_in_dim,
    pad as pad,
    rev as rev,
    slice as slice,
    slice_in_dim as slice_in_dim,
    split as split,
    stack as stack,
    unstack as unstack,
)
from arraytyping.runtime.lax.dtype_arguments import dtype as dtype
from arraytyping.runtime.lax.dynamic_slicing import (
    dynamic_index_in_dim as dynamic_index_in_dim,
    dynamic_slice as dynamic_slice,
    dynamic_slice_in_dim as dynamic_slice_in_dim,
    dynamic_slice_p as dynamic_slice_p,
    dynamic_update_index_in_dim as dynamic_update_index_in_dim,
    dynamic_update_slice as dynamic_update_slice,
    dynamic_update_slice_in_dim as dynamic_update_slice_in_dim,
    dynamic_update_slice_p as dynamic_update_slice_p,
)
from arraytyping.runtime.lax.gathering import (
    GatherDimensionNumbers as GatherDimensionNumbers,
    GatherScatterMode as GatherScatterMode,
    gather as gather,
    gather_p as gather_p,
)
from arraytyping.runtime.lax.index_taking import index_take as index_take, shape_as_value as shape_as_value
from arraytyping.runtime.lax.scatter_apply import scatter_apply as scatter_apply
from arraytyping.runtime.lax.scatter_functions import (
    scatter as scatter,
    scatter_add as scatter_add,
    scatter_max as scatter_max,
    scatter_min as scatter_min,
    scatter_mul as scatter_mul,
    scatter_sub as scatter_sub,
)
from arraytyping.runtime.lax.scattering import (
    ScatterDimensionNumbers as ScatterDimensionNumbers,
    scatter_add_p as scatter_add_p,
    scatter_max_p as scatter_max_p,
    scatter_min_p as scatter_min_p,
    scatter_mul_p as scatter_mul_p,
    scatter_p as scatter_p,
    scatter_sub_p as scatter_sub_p,
)
from arraytyping.runtime.lax.shaping import (
    broadcast as broadcast,
    broadcast_in_dim as broadcast_in_dim,
    broadcast_like as broadcast_like,
    broadcast_shapes as broadcast_shapes,
    broadcast_to_rank as broadcast_to_rank,
    collapse as collapse,
    expand_dims as expand_dims,
    reshape as reshape,
    squeeze as squeeze,
    tile as tile,
    transpose as transpose,
)
from arraytyping.runtime.lax.slicing import (
    concatenate_p as concatenate_p,
    pad_p as pad_p,
    rev_p as rev_p,
    slice_p as slice_p,
)
from arraytyping.runtime.lax.structure import (
    broadcast_in_dim_p as broadcast_in_dim_p,
    reshape_p as reshape_p,
    transpose_p as transpose_p,
)

"""Names of `jax.lax` that contract, reduce, sort and transform."""

from arraytyping.runtime.lax.aggregates import (
    reduce_and as reduce_and,
    reduce_and_p as reduce_and_p,
    reduce_or as reduce_or,
    reduce_or_p as reduce_or_p,
    reduce_prod as reduce_prod,
    reduce_prod_p as reduce_prod_p,
    reduce_sum as reduce_sum,
    reduce_xor as reduce_xor,
    reduce_xor_p as reduce_xor_p,
)
from arraytyping.runtime.lax.approximate import approx_max_k as approx_max_k, approx_min_k as approx_min_k
from arraytyping.runtime.lax.contractions import (
    DotDimensionNumbers as DotDimensionNumbers,
    batch_matmul as batch_matmul,
    dot as dot,
    dot_general as dot_general,
    dot_general_p as dot_general_p,
)
from arraytyping.runtime.lax.convolution_functions import (
    conv as conv,
    conv_dimension_numbers as conv_dimension_numbers,
    conv_general_dilated as conv_general_dilated,
    conv_general_dilated_patches as conv_general_dilated_patches,
    conv_transpose as conv_transpose,
    conv_with_general_padding as conv_with_general_padding,
)
from arraytyping.runtime.lax.convolution_shapes import (
    conv_general_permutations as conv_general_permutations,
    conv_general_shape_tuple as conv_general_shape_tuple,
    conv_shape_tuple as conv_shape_tuple,
    conv_transpose_shape_tuple as conv_transpose_shape_tuple,
    padtype_to_pads as padtype_to_pads,
    reduce_window_shape_tuple as reduce_window_shape_tuple,
)
from arraytyping.runtime.lax.convolutions import (
    ConvDimensionNumbers as ConvDimensionNumbers,
    ConvGeneralDilatedDimensionNumbers as ConvGeneralDilatedDimensionNumbers,
    conv_general_dilated_p as conv_general_dilated_p,
)
from arraytyping.runtime.lax.cumulative import (
    cumlogsumexp as cumlogsumexp,
    cumlogsumexp_p as cumlogsumexp_p,
    cummax as cummax,
    cummax_p as cummax_p,
    cummin as cummin,
    cummin_p as cummin_p,
    cumprod as cumprod,
    cumprod_p as cumprod_p,
    cumsum as cumsum,
    cumsum_p as cumsum_p,
)
from arraytyping.runtime.lax.filling import (
    broadcasted_iota as broadcasted_iota,
    convert_element_type as convert_element_type,
    empty as empty,
    full as full,
    full_like as full_like,
    iota as iota,
)
from arraytyping.runtime.lax.folding import reduce as reduce, reduce_p as reduce_p
from arraytyping.runtime.lax.fourier import FftType as FftType, fft as fft, fft_p as fft_p
from arraytyping.runtime.lax.precisions import (
    DotAlgorithmPreset as DotAlgorithmPreset,
    Precision as Precision,
    PrecisionLike as PrecisionLike,
)
from arraytyping.runtime.lax.ragged_dimensions import (
    RaggedDotDimensionNumbers as RaggedDotDimensionNumbers,
    ragged_dot_general as ragged_dot_general,
)
from arraytyping.runtime.lax.ragged_products import ragged_dot as ragged_dot
from arraytyping.runtime.lax.reductions import reduce_sum_p as reduce_sum_p
from arraytyping.runtime.lax.sorting import (
    sort as sort,
    sort_key_val as sort_key_val,
    sort_p as sort_p,
    top_k as top_k,
    top_k_p as top_k_p,
)
from arraytyping.runtime.lax.unshared_convolutions import conv_general_dilated_local as conv_general_dilated_local
from arraytyping.runtime.lax.window_functions import reduce_window as reduce_window
from arraytyping.runtime.lax.windows import (
    reduce_window_max_p as reduce_window_max_p,
    reduce_window_min_p as reduce_window_min_p,
    reduce_window_p as reduce_window_p,
    reduce_window_sum_p as reduce_window_sum_p,
    select_and_gather_add_p as select_and_gather_add_p,
    select_and_scatter_add_p as select_and_scatter_add_p,
)

"""The operations that everything else is made of, under the names and signatures of `jax.lax`.

Each is a primitive or a few, on arrays of one dtype: nothing is promoted.  A primitive has an abstract-evaluation rule
(`rules`), derivatives, a transpose where it is linear, a batching rule, and a lowering to StableHLO (`xla.lowerings`).

Source: https://docs.jax.dev/en/latest/jax.lax.html.
"""

from arraytyping.lax import linalg as linalg
from arraytyping.runtime.core import Primitive as _Primitive
from arraytyping.runtime.lax import integers as _integers
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
from arraytyping.runtime.lax.arithmetic import (
    add as add,
    add_p as add_p,
    div as div,
    div_p as div_p,
    integer_pow_p as integer_pow_p,
    mul as mul,
    mul_p as mul_p,
    neg as neg,
    neg_p as neg_p,
    square_p as square_p,
    sub as sub,
    sub_p as sub_p,
)
from arraytyping.runtime.lax.barriers import (
    optimization_barrier as optimization_barrier,
    optimization_barrier_p as optimization_barrier_p,
)
from arraytyping.runtime.lax.bitcasting import (
    bitcast_convert_type as bitcast_convert_type,
    bitcast_convert_type_p as bitcast_convert_type_p,
)
from arraytyping.runtime.lax.choices import (
    clamp as clamp,
    clamp_p as clamp_p,
    select as select,
    select_n as select_n,
    select_n_p as select_n_p,
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
from arraytyping.runtime.lax.comparisons import (
    eq as eq,
    eq_p as eq_p,
    ge as ge,
    ge_p as ge_p,
    gt as gt,
    gt_p as gt_p,
    is_finite as is_finite,
    is_finite_p as is_finite_p,
    le as le,
    le_p as le_p,
    lt as lt,
    lt_p as lt_p,
    max as max,
    max_p as max_p,
    min as min,
    min_p as min_p,
    ne as ne,
    ne_p as ne_p,
    nextafter as nextafter,
    nextafter_p as nextafter_p,
)
from arraytyping.runtime.lax.complex_numbers import (
    complex as complex,
    complex_p as complex_p,
    conj as conj,
    conj_p as conj_p,
    imag as imag,
    imag_p as imag_p,
    real as real,
    real_p as real_p,
)
from arraytyping.runtime.lax.contractions import (
    DotDimensionNumbers as DotDimensionNumbers,
    batch_matmul as batch_matmul,
    dot as dot,
    dot_general as dot_general,
    dot_general_p as dot_general_p,
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
from arraytyping.runtime.lax.converting import convert_element_type_p as convert_element_type_p
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
from arraytyping.runtime.lax.creation import iota_p as iota_p
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
from arraytyping.runtime.lax.elementary import (
    acos as acos,
    acos_p as acos_p,
    acosh as acosh,
    acosh_p as acosh_p,
    asin as asin,
    asin_p as asin_p,
    asinh as asinh,
    asinh_p as asinh_p,
    atan as atan,
    atan2 as atan2,
    atan2_p as atan2_p,
    atan_p as atan_p,
    atanh as atanh,
    atanh_p as atanh_p,
    cbrt as cbrt,
    cbrt_p as cbrt_p,
    cos as cos,
    cos_p as cos_p,
    cosh as cosh,
    cosh_p as cosh_p,
    exp as exp,
    exp2 as exp2,
    exp2_p as exp2_p,
    exp_p as exp_p,
    expm1 as expm1,
    expm1_p as expm1_p,
    log as log,
    log1p as log1p,
    log1p_p as log1p_p,
    log_p as log_p,
    logistic as logistic,
    logistic_p as logistic_p,
    rsqrt as rsqrt,
    rsqrt_p as rsqrt_p,
    sin as sin,
    sin_p as sin_p,
    sinh as sinh,
    sinh_p as sinh_p,
    sqrt as sqrt,
    sqrt_p as sqrt_p,
    tan as tan,
    tan_p as tan_p,
    tanh as tanh,
    tanh_p as tanh_p,
)
from arraytyping.runtime.lax.exchanges import (
    all_gather as all_gather,
    all_gather_p as all_gather_p,
    ppermute as ppermute,
    ppermute_p as ppermute_p,
    pswapaxes as pswapaxes,
)
from arraytyping.runtime.lax.extremes import (
    argmax as argmax,
    argmax_p as argmax_p,
    argmin as argmin,
    argmin_p as argmin_p,
    reduce_max as reduce_max,
    reduce_max_p as reduce_max_p,
    reduce_min as reduce_min,
    reduce_min_p as reduce_min_p,
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
from arraytyping.runtime.lax.gathering import (
    GatherDimensionNumbers as GatherDimensionNumbers,
    GatherScatterMode as GatherScatterMode,
    gather as gather,
    gather_p as gather_p,
)
from arraytyping.runtime.lax.gradients import (
    stage as stage,
    stop_gradient as stop_gradient,
    stop_gradient_p as stop_gradient_p,
)
from arraytyping.runtime.lax.incomplete_beta import (
    betainc as betainc,
    regularized_incomplete_beta_p as regularized_incomplete_beta_p,
)
from arraytyping.runtime.lax.incomplete_gamma import (
    igamma as igamma,
    igamma_grad_a as igamma_grad_a,
    igamma_grad_a_p as igamma_grad_a_p,
    igamma_p as igamma_p,
    igammac as igammac,
    igammac_p as igammac_p,
    random_gamma_grad as random_gamma_grad,
)
from arraytyping.runtime.lax.index_taking import index_take as index_take, shape_as_value as shape_as_value
from arraytyping.runtime.lax.integers import (
    abs as abs,
    abs_p as abs_p,
    bitwise_and as bitwise_and,
    bitwise_not as bitwise_not,
    bitwise_or as bitwise_or,
    bitwise_xor as bitwise_xor,
    ceil as ceil,
    ceil_p as ceil_p,
    clz as clz,
    clz_p as clz_p,
    floor as floor,
    floor_p as floor_p,
    population_count as population_count,
    population_count_p as population_count_p,
    rem as rem,
    rem_p as rem_p,
    round as round,
    round_p as round_p,
    shift_left as shift_left,
    shift_left_p as shift_left_p,
    shift_right_arithmetic as shift_right_arithmetic,
    shift_right_arithmetic_p as shift_right_arithmetic_p,
    shift_right_logical as shift_right_logical,
    shift_right_logical_p as shift_right_logical_p,
    sign as sign,
    sign_p as sign_p,
)
from arraytyping.runtime.lax.mulhi import mulhi as mulhi, mulhi_p as mulhi_p
from arraytyping.runtime.lax.powers import (
    integer_pow as integer_pow,
    pow as pow,
    pow_p as pow_p,
    reciprocal as reciprocal,
    square as square,
)
from arraytyping.runtime.lax.precisions import (
    DotAlgorithmPreset as DotAlgorithmPreset,
    Precision as Precision,
    PrecisionLike as PrecisionLike,
)
from arraytyping.runtime.lax.ragged_products import ragged_dot as ragged_dot
from arraytyping.runtime.lax.random_bits import (
    RandomAlgorithm as RandomAlgorithm,
    rng_bit_generator as rng_bit_generator,
    rng_bit_generator_p as rng_bit_generator_p,
)
from arraytyping.runtime.lax.reduced_precision import (
    reduce_precision as reduce_precision,
    reduce_precision_p as reduce_precision_p,
)
from arraytyping.runtime.lax.reductions import reduce_sum_p as reduce_sum_p
from arraytyping.runtime.lax.rounding import RoundingMethod as RoundingMethod
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
from arraytyping.runtime.lax.scattering_collectives import (
    all_to_all as all_to_all,
    pbroadcast as pbroadcast,
    pshuffle as pshuffle,
    psum_scatter as psum_scatter,
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
from arraytyping.runtime.lax.sorting import (
    sort as sort,
    sort_key_val as sort_key_val,
    sort_p as sort_p,
    top_k as top_k,
    top_k_p as top_k_p,
)
from arraytyping.runtime.lax.special import (
    bessel_i0e as bessel_i0e,
    bessel_i0e_p as bessel_i0e_p,
    bessel_i1e as bessel_i1e,
    bessel_i1e_p as bessel_i1e_p,
    digamma as digamma,
    digamma_p as digamma_p,
    erf as erf,
    erf_inv as erf_inv,
    erf_inv_p as erf_inv_p,
    erf_p as erf_p,
    erfc as erfc,
    erfc_p as erfc_p,
    lgamma as lgamma,
    lgamma_p as lgamma_p,
    polygamma_p as polygamma_p,
)
from arraytyping.runtime.lax.structure import (
    broadcast_in_dim_p as broadcast_in_dim_p,
    reshape_p as reshape_p,
    transpose_p as transpose_p,
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
from arraytyping.runtime.lax.zeta import polygamma as polygamma, zeta as zeta, zeta_p as zeta_p
from arraytyping.runtime.platforms import platform_dependent as platform_dependent

and_p: _Primitive = _integers.bitwise_and_p
or_p: _Primitive = _integers.bitwise_or_p
xor_p: _Primitive = _integers.bitwise_xor_p
not_p: _Primitive = _integers.bitwise_not_p

"""The operations that everything else is made of, under the names and signatures of `jax.lax`.

Each is a primitive or a few, on arrays of one dtype: nothing is promoted.  A primitive has an abstract-evaluation rule
(`rules`), derivatives, a transpose where it is linear, a batching rule, and a lowering to StableHLO (`xla.lowerings`).

Source: https://docs.jax.dev/en/latest/jax.lax.html.
"""

from arraytyping.lax import linalg as linalg
from arraytyping.runtime.lax.aggregates import (
    reduce_and as reduce_and,
)
from arraytyping.runtime.lax.aggregates import (
    reduce_and_p as reduce_and_p,
)
from arraytyping.runtime.lax.aggregates import (
    reduce_or as reduce_or,
)
from arraytyping.runtime.lax.aggregates import (
    reduce_or_p as reduce_or_p,
)
from arraytyping.runtime.lax.aggregates import (
    reduce_prod as reduce_prod,
)
from arraytyping.runtime.lax.aggregates import (
    reduce_prod_p as reduce_prod_p,
)
from arraytyping.runtime.lax.aggregates import (
    reduce_sum as reduce_sum,
)
from arraytyping.runtime.lax.aggregates import (
    reduce_xor as reduce_xor,
)
from arraytyping.runtime.lax.aggregates import (
    reduce_xor_p as reduce_xor_p,
)
from arraytyping.runtime.lax.arithmetic import (
    add as add,
)
from arraytyping.runtime.lax.arithmetic import (
    add_p as add_p,
)
from arraytyping.runtime.lax.arithmetic import (
    div as div,
)
from arraytyping.runtime.lax.arithmetic import (
    div_p as div_p,
)
from arraytyping.runtime.lax.arithmetic import (
    mul as mul,
)
from arraytyping.runtime.lax.arithmetic import (
    mul_p as mul_p,
)
from arraytyping.runtime.lax.arithmetic import (
    neg as neg,
)
from arraytyping.runtime.lax.arithmetic import (
    neg_p as neg_p,
)
from arraytyping.runtime.lax.arithmetic import (
    sub as sub,
)
from arraytyping.runtime.lax.arithmetic import (
    sub_p as sub_p,
)
from arraytyping.runtime.lax.bitcasting import (
    bitcast_convert_type as bitcast_convert_type,
)
from arraytyping.runtime.lax.bitcasting import (
    bitcast_convert_type_p as bitcast_convert_type_p,
)
from arraytyping.runtime.lax.choices import (
    clamp as clamp,
)
from arraytyping.runtime.lax.choices import (
    clamp_p as clamp_p,
)
from arraytyping.runtime.lax.choices import (
    select as select,
)
from arraytyping.runtime.lax.choices import (
    select_n as select_n,
)
from arraytyping.runtime.lax.choices import (
    select_n_p as select_n_p,
)
from arraytyping.runtime.lax.collectives import (
    axis_index as axis_index,
)
from arraytyping.runtime.lax.collectives import (
    axis_index_p as axis_index_p,
)
from arraytyping.runtime.lax.collectives import (
    axis_size as axis_size,
)
from arraytyping.runtime.lax.collectives import (
    pmax as pmax,
)
from arraytyping.runtime.lax.collectives import (
    pmax_p as pmax_p,
)
from arraytyping.runtime.lax.collectives import (
    pmean as pmean,
)
from arraytyping.runtime.lax.collectives import (
    pmin as pmin,
)
from arraytyping.runtime.lax.collectives import (
    pmin_p as pmin_p,
)
from arraytyping.runtime.lax.collectives import (
    psum as psum,
)
from arraytyping.runtime.lax.collectives import (
    psum_p as psum_p,
)
from arraytyping.runtime.lax.comparisons import (
    eq as eq,
)
from arraytyping.runtime.lax.comparisons import (
    eq_p as eq_p,
)
from arraytyping.runtime.lax.comparisons import (
    ge as ge,
)
from arraytyping.runtime.lax.comparisons import (
    ge_p as ge_p,
)
from arraytyping.runtime.lax.comparisons import (
    gt as gt,
)
from arraytyping.runtime.lax.comparisons import (
    gt_p as gt_p,
)
from arraytyping.runtime.lax.comparisons import (
    is_finite as is_finite,
)
from arraytyping.runtime.lax.comparisons import (
    is_finite_p as is_finite_p,
)
from arraytyping.runtime.lax.comparisons import (
    le as le,
)
from arraytyping.runtime.lax.comparisons import (
    le_p as le_p,
)
from arraytyping.runtime.lax.comparisons import (
    lt as lt,
)
from arraytyping.runtime.lax.comparisons import (
    lt_p as lt_p,
)
from arraytyping.runtime.lax.comparisons import (
    max as max,
)
from arraytyping.runtime.lax.comparisons import (
    max_p as max_p,
)
from arraytyping.runtime.lax.comparisons import (
    min as min,
)
from arraytyping.runtime.lax.comparisons import (
    min_p as min_p,
)
from arraytyping.runtime.lax.comparisons import (
    ne as ne,
)
from arraytyping.runtime.lax.comparisons import (
    ne_p as ne_p,
)
from arraytyping.runtime.lax.comparisons import (
    nextafter as nextafter,
)
from arraytyping.runtime.lax.comparisons import (
    nextafter_p as nextafter_p,
)
from arraytyping.runtime.lax.complex_numbers import (
    complex as complex,
)
from arraytyping.runtime.lax.complex_numbers import (
    complex_p as complex_p,
)
from arraytyping.runtime.lax.complex_numbers import (
    conj as conj,
)
from arraytyping.runtime.lax.complex_numbers import (
    conj_p as conj_p,
)
from arraytyping.runtime.lax.complex_numbers import (
    imag as imag,
)
from arraytyping.runtime.lax.complex_numbers import (
    imag_p as imag_p,
)
from arraytyping.runtime.lax.complex_numbers import (
    real as real,
)
from arraytyping.runtime.lax.complex_numbers import (
    real_p as real_p,
)
from arraytyping.runtime.lax.contractions import (
    DotDimensionNumbers as DotDimensionNumbers,
)
from arraytyping.runtime.lax.contractions import (
    batch_matmul as batch_matmul,
)
from arraytyping.runtime.lax.contractions import (
    dot as dot,
)
from arraytyping.runtime.lax.contractions import (
    dot_general as dot_general,
)
from arraytyping.runtime.lax.contractions import (
    dot_general_p as dot_general_p,
)
from arraytyping.runtime.lax.control_flow import (
    associative_scan as associative_scan,
)
from arraytyping.runtime.lax.control_flow import (
    cond as cond,
)
from arraytyping.runtime.lax.control_flow import (
    cond_p as cond_p,
)
from arraytyping.runtime.lax.control_flow import (
    fori_loop as fori_loop,
)
from arraytyping.runtime.lax.control_flow import (
    map as map,
)
from arraytyping.runtime.lax.control_flow import (
    scan as scan,
)
from arraytyping.runtime.lax.control_flow import (
    scan_p as scan_p,
)
from arraytyping.runtime.lax.control_flow import (
    switch as switch,
)
from arraytyping.runtime.lax.control_flow import (
    while_loop as while_loop,
)
from arraytyping.runtime.lax.control_flow import (
    while_p as while_p,
)
from arraytyping.runtime.lax.converting import convert_element_type_p as convert_element_type_p
from arraytyping.runtime.lax.convolution_functions import (
    conv as conv,
)
from arraytyping.runtime.lax.convolution_functions import (
    conv_dimension_numbers as conv_dimension_numbers,
)
from arraytyping.runtime.lax.convolution_functions import (
    conv_general_dilated as conv_general_dilated,
)
from arraytyping.runtime.lax.convolution_functions import (
    conv_general_dilated_patches as conv_general_dilated_patches,
)
from arraytyping.runtime.lax.convolution_functions import (
    conv_transpose as conv_transpose,
)
from arraytyping.runtime.lax.convolution_functions import (
    conv_with_general_padding as conv_with_general_padding,
)
from arraytyping.runtime.lax.convolutions import (
    ConvDimensionNumbers as ConvDimensionNumbers,
)
from arraytyping.runtime.lax.convolutions import (
    conv_general_dilated_p as conv_general_dilated_p,
)
from arraytyping.runtime.lax.creation import iota_p as iota_p
from arraytyping.runtime.lax.cumulative import (
    cumlogsumexp as cumlogsumexp,
)
from arraytyping.runtime.lax.cumulative import (
    cumlogsumexp_p as cumlogsumexp_p,
)
from arraytyping.runtime.lax.cumulative import (
    cummax as cummax,
)
from arraytyping.runtime.lax.cumulative import (
    cummax_p as cummax_p,
)
from arraytyping.runtime.lax.cumulative import (
    cummin as cummin,
)
from arraytyping.runtime.lax.cumulative import (
    cummin_p as cummin_p,
)
from arraytyping.runtime.lax.cumulative import (
    cumprod as cumprod,
)
from arraytyping.runtime.lax.cumulative import (
    cumprod_p as cumprod_p,
)
from arraytyping.runtime.lax.cumulative import (
    cumsum as cumsum,
)
from arraytyping.runtime.lax.cumulative import (
    cumsum_p as cumsum_p,
)
from arraytyping.runtime.lax.cutting import (
    concatenate as concatenate,
)
from arraytyping.runtime.lax.cutting import (
    index_in_dim as index_in_dim,
)
from arraytyping.runtime.lax.cutting import (
    pad as pad,
)
from arraytyping.runtime.lax.cutting import (
    rev as rev,
)
from arraytyping.runtime.lax.cutting import (
    slice as slice,
)
from arraytyping.runtime.lax.cutting import (
    slice_in_dim as slice_in_dim,
)
from arraytyping.runtime.lax.cutting import (
    split as split,
)
from arraytyping.runtime.lax.cutting import (
    stack as stack,
)
from arraytyping.runtime.lax.cutting import (
    unstack as unstack,
)
from arraytyping.runtime.lax.dynamic_slicing import (
    dynamic_index_in_dim as dynamic_index_in_dim,
)
from arraytyping.runtime.lax.dynamic_slicing import (
    dynamic_slice as dynamic_slice,
)
from arraytyping.runtime.lax.dynamic_slicing import (
    dynamic_slice_in_dim as dynamic_slice_in_dim,
)
from arraytyping.runtime.lax.dynamic_slicing import (
    dynamic_slice_p as dynamic_slice_p,
)
from arraytyping.runtime.lax.dynamic_slicing import (
    dynamic_update_index_in_dim as dynamic_update_index_in_dim,
)
from arraytyping.runtime.lax.dynamic_slicing import (
    dynamic_update_slice as dynamic_update_slice,
)
from arraytyping.runtime.lax.dynamic_slicing import (
    dynamic_update_slice_in_dim as dynamic_update_slice_in_dim,
)
from arraytyping.runtime.lax.dynamic_slicing import (
    dynamic_update_slice_p as dynamic_update_slice_p,
)
from arraytyping.runtime.lax.elementary import (
    acos as acos,
)
from arraytyping.runtime.lax.elementary import (
    acos_p as acos_p,
)
from arraytyping.runtime.lax.elementary import (
    acosh as acosh,
)
from arraytyping.runtime.lax.elementary import (
    acosh_p as acosh_p,
)
from arraytyping.runtime.lax.elementary import (
    asin as asin,
)
from arraytyping.runtime.lax.elementary import (
    asin_p as asin_p,
)
from arraytyping.runtime.lax.elementary import (
    asinh as asinh,
)
from arraytyping.runtime.lax.elementary import (
    asinh_p as asinh_p,
)
from arraytyping.runtime.lax.elementary import (
    atan as atan,
)
from arraytyping.runtime.lax.elementary import (
    atan2 as atan2,
)
from arraytyping.runtime.lax.elementary import (
    atan2_p as atan2_p,
)
from arraytyping.runtime.lax.elementary import (
    atan_p as atan_p,
)
from arraytyping.runtime.lax.elementary import (
    atanh as atanh,
)
from arraytyping.runtime.lax.elementary import (
    atanh_p as atanh_p,
)
from arraytyping.runtime.lax.elementary import (
    cbrt as cbrt,
)
from arraytyping.runtime.lax.elementary import (
    cbrt_p as cbrt_p,
)
from arraytyping.runtime.lax.elementary import (
    cos as cos,
)
from arraytyping.runtime.lax.elementary import (
    cos_p as cos_p,
)
from arraytyping.runtime.lax.elementary import (
    cosh as cosh,
)
from arraytyping.runtime.lax.elementary import (
    cosh_p as cosh_p,
)
from arraytyping.runtime.lax.elementary import (
    exp as exp,
)
from arraytyping.runtime.lax.elementary import (
    exp2 as exp2,
)
from arraytyping.runtime.lax.elementary import (
    exp2_p as exp2_p,
)
from arraytyping.runtime.lax.elementary import (
    exp_p as exp_p,
)
from arraytyping.runtime.lax.elementary import (
    expm1 as expm1,
)
from arraytyping.runtime.lax.elementary import (
    expm1_p as expm1_p,
)
from arraytyping.runtime.lax.elementary import (
    log as log,
)
from arraytyping.runtime.lax.elementary import (
    log1p as log1p,
)
from arraytyping.runtime.lax.elementary import (
    log1p_p as log1p_p,
)
from arraytyping.runtime.lax.elementary import (
    log_p as log_p,
)
from arraytyping.runtime.lax.elementary import (
    logistic as logistic,
)
from arraytyping.runtime.lax.elementary import (
    logistic_p as logistic_p,
)
from arraytyping.runtime.lax.elementary import (
    rsqrt as rsqrt,
)
from arraytyping.runtime.lax.elementary import (
    rsqrt_p as rsqrt_p,
)
from arraytyping.runtime.lax.elementary import (
    sin as sin,
)
from arraytyping.runtime.lax.elementary import (
    sin_p as sin_p,
)
from arraytyping.runtime.lax.elementary import (
    sinh as sinh,
)
from arraytyping.runtime.lax.elementary import (
    sinh_p as sinh_p,
)
from arraytyping.runtime.lax.elementary import (
    sqrt as sqrt,
)
from arraytyping.runtime.lax.elementary import (
    sqrt_p as sqrt_p,
)
from arraytyping.runtime.lax.elementary import (
    tan as tan,
)
from arraytyping.runtime.lax.elementary import (
    tan_p as tan_p,
)
from arraytyping.runtime.lax.elementary import (
    tanh as tanh,
)
from arraytyping.runtime.lax.elementary import (
    tanh_p as tanh_p,
)
from arraytyping.runtime.lax.exchanges import (
    all_gather as all_gather,
)
from arraytyping.runtime.lax.exchanges import (
    all_gather_p as all_gather_p,
)
from arraytyping.runtime.lax.exchanges import (
    ppermute as ppermute,
)
from arraytyping.runtime.lax.exchanges import (
    ppermute_p as ppermute_p,
)
from arraytyping.runtime.lax.exchanges import (
    pswapaxes as pswapaxes,
)
from arraytyping.runtime.lax.extremes import (
    argmax as argmax,
)
from arraytyping.runtime.lax.extremes import (
    argmax_p as argmax_p,
)
from arraytyping.runtime.lax.extremes import (
    argmin as argmin,
)
from arraytyping.runtime.lax.extremes import (
    argmin_p as argmin_p,
)
from arraytyping.runtime.lax.extremes import (
    reduce_max as reduce_max,
)
from arraytyping.runtime.lax.extremes import (
    reduce_max_p as reduce_max_p,
)
from arraytyping.runtime.lax.extremes import (
    reduce_min as reduce_min,
)
from arraytyping.runtime.lax.extremes import (
    reduce_min_p as reduce_min_p,
)
from arraytyping.runtime.lax.filling import (
    broadcasted_iota as broadcasted_iota,
)
from arraytyping.runtime.lax.filling import (
    convert_element_type as convert_element_type,
)
from arraytyping.runtime.lax.filling import (
    empty as empty,
)
from arraytyping.runtime.lax.filling import (
    full as full,
)
from arraytyping.runtime.lax.filling import (
    full_like as full_like,
)
from arraytyping.runtime.lax.filling import (
    iota as iota,
)
from arraytyping.runtime.lax.fourier import FftType as FftType
from arraytyping.runtime.lax.fourier import fft as fft
from arraytyping.runtime.lax.fourier import fft_p as fft_p
from arraytyping.runtime.lax.gathering import (
    GatherDimensionNumbers as GatherDimensionNumbers,
)
from arraytyping.runtime.lax.gathering import (
    GatherScatterMode as GatherScatterMode,
)
from arraytyping.runtime.lax.gathering import (
    gather as gather,
)
from arraytyping.runtime.lax.gathering import (
    gather_p as gather_p,
)
from arraytyping.runtime.lax.gradients import (
    stage as stage,
)
from arraytyping.runtime.lax.gradients import (
    stop_gradient as stop_gradient,
)
from arraytyping.runtime.lax.gradients import (
    stop_gradient_p as stop_gradient_p,
)
from arraytyping.runtime.lax.integers import (
    abs as abs,
)
from arraytyping.runtime.lax.integers import (
    abs_p as abs_p,
)
from arraytyping.runtime.lax.integers import (
    bitwise_and as bitwise_and,
)
from arraytyping.runtime.lax.integers import (
    bitwise_not as bitwise_not,
)
from arraytyping.runtime.lax.integers import (
    bitwise_or as bitwise_or,
)
from arraytyping.runtime.lax.integers import (
    bitwise_xor as bitwise_xor,
)
from arraytyping.runtime.lax.integers import (
    ceil as ceil,
)
from arraytyping.runtime.lax.integers import (
    ceil_p as ceil_p,
)
from arraytyping.runtime.lax.integers import (
    clz as clz,
)
from arraytyping.runtime.lax.integers import (
    clz_p as clz_p,
)
from arraytyping.runtime.lax.integers import (
    floor as floor,
)
from arraytyping.runtime.lax.integers import (
    floor_p as floor_p,
)
from arraytyping.runtime.lax.integers import (
    population_count as population_count,
)
from arraytyping.runtime.lax.integers import (
    population_count_p as population_count_p,
)
from arraytyping.runtime.lax.integers import (
    rem as rem,
)
from arraytyping.runtime.lax.integers import (
    rem_p as rem_p,
)
from arraytyping.runtime.lax.integers import (
    round as round,
)
from arraytyping.runtime.lax.integers import (
    round_p as round_p,
)
from arraytyping.runtime.lax.integers import (
    shift_left as shift_left,
)
from arraytyping.runtime.lax.integers import (
    shift_left_p as shift_left_p,
)
from arraytyping.runtime.lax.integers import (
    shift_right_arithmetic as shift_right_arithmetic,
)
from arraytyping.runtime.lax.integers import (
    shift_right_arithmetic_p as shift_right_arithmetic_p,
)
from arraytyping.runtime.lax.integers import (
    shift_right_logical as shift_right_logical,
)
from arraytyping.runtime.lax.integers import (
    shift_right_logical_p as shift_right_logical_p,
)
from arraytyping.runtime.lax.integers import (
    sign as sign,
)
from arraytyping.runtime.lax.integers import (
    sign_p as sign_p,
)
from arraytyping.runtime.lax.mulhi import mulhi as mulhi
from arraytyping.runtime.lax.mulhi import mulhi_p as mulhi_p
from arraytyping.runtime.lax.powers import (
    integer_pow as integer_pow,
)
from arraytyping.runtime.lax.powers import (
    integer_pow_p as integer_pow_p,
)
from arraytyping.runtime.lax.powers import (
    pow as pow,
)
from arraytyping.runtime.lax.powers import (
    pow_p as pow_p,
)
from arraytyping.runtime.lax.powers import (
    reciprocal as reciprocal,
)
from arraytyping.runtime.lax.powers import (
    square as square,
)
from arraytyping.runtime.lax.powers import (
    square_p as square_p,
)
from arraytyping.runtime.lax.precisions import DotAlgorithmPreset as DotAlgorithmPreset
from arraytyping.runtime.lax.precisions import Precision as Precision
from arraytyping.runtime.lax.reduced_precision import (
    reduce_precision as reduce_precision,
)
from arraytyping.runtime.lax.reduced_precision import (
    reduce_precision_p as reduce_precision_p,
)
from arraytyping.runtime.lax.rounding import RoundingMethod as RoundingMethod
from arraytyping.runtime.lax.scatter_apply import scatter_apply as scatter_apply
from arraytyping.runtime.lax.scatter_functions import (
    scatter as scatter,
)
from arraytyping.runtime.lax.scatter_functions import (
    scatter_add as scatter_add,
)
from arraytyping.runtime.lax.scatter_functions import (
    scatter_max as scatter_max,
)
from arraytyping.runtime.lax.scatter_functions import (
    scatter_min as scatter_min,
)
from arraytyping.runtime.lax.scatter_functions import (
    scatter_mul as scatter_mul,
)
from arraytyping.runtime.lax.scatter_functions import (
    scatter_sub as scatter_sub,
)
from arraytyping.runtime.lax.scattering import (
    ScatterDimensionNumbers as ScatterDimensionNumbers,
)
from arraytyping.runtime.lax.scattering import (
    scatter_add_p as scatter_add_p,
)
from arraytyping.runtime.lax.scattering import (
    scatter_max_p as scatter_max_p,
)
from arraytyping.runtime.lax.scattering import (
    scatter_min_p as scatter_min_p,
)
from arraytyping.runtime.lax.scattering import (
    scatter_mul_p as scatter_mul_p,
)
from arraytyping.runtime.lax.scattering import (
    scatter_p as scatter_p,
)
from arraytyping.runtime.lax.scattering import (
    scatter_sub_p as scatter_sub_p,
)
from arraytyping.runtime.lax.shaping import (
    broadcast as broadcast,
)
from arraytyping.runtime.lax.shaping import (
    broadcast_in_dim as broadcast_in_dim,
)
from arraytyping.runtime.lax.shaping import (
    broadcast_like as broadcast_like,
)
from arraytyping.runtime.lax.shaping import (
    broadcast_shapes as broadcast_shapes,
)
from arraytyping.runtime.lax.shaping import (
    broadcast_to_rank as broadcast_to_rank,
)
from arraytyping.runtime.lax.shaping import (
    collapse as collapse,
)
from arraytyping.runtime.lax.shaping import (
    expand_dims as expand_dims,
)
from arraytyping.runtime.lax.shaping import (
    reshape as reshape,
)
from arraytyping.runtime.lax.shaping import (
    squeeze as squeeze,
)
from arraytyping.runtime.lax.shaping import (
    tile as tile,
)
from arraytyping.runtime.lax.shaping import (
    transpose as transpose,
)
from arraytyping.runtime.lax.slicing import (
    concatenate_p as concatenate_p,
)
from arraytyping.runtime.lax.slicing import (
    pad_p as pad_p,
)
from arraytyping.runtime.lax.slicing import (
    rev_p as rev_p,
)
from arraytyping.runtime.lax.slicing import (
    slice_p as slice_p,
)
from arraytyping.runtime.lax.sorting import (
    sort as sort,
)
from arraytyping.runtime.lax.sorting import (
    sort_key_val as sort_key_val,
)
from arraytyping.runtime.lax.sorting import (
    sort_p as sort_p,
)
from arraytyping.runtime.lax.sorting import (
    top_k as top_k,
)
from arraytyping.runtime.lax.sorting import (
    top_k_p as top_k_p,
)
from arraytyping.runtime.lax.special import (
    bessel_i0e as bessel_i0e,
)
from arraytyping.runtime.lax.special import (
    bessel_i0e_p as bessel_i0e_p,
)
from arraytyping.runtime.lax.special import (
    bessel_i1e as bessel_i1e,
)
from arraytyping.runtime.lax.special import (
    bessel_i1e_p as bessel_i1e_p,
)
from arraytyping.runtime.lax.special import (
    digamma as digamma,
)
from arraytyping.runtime.lax.special import (
    digamma_p as digamma_p,
)
from arraytyping.runtime.lax.special import (
    erf as erf,
)
from arraytyping.runtime.lax.special import (
    erf_inv as erf_inv,
)
from arraytyping.runtime.lax.special import (
    erf_inv_p as erf_inv_p,
)
from arraytyping.runtime.lax.special import (
    erf_p as erf_p,
)
from arraytyping.runtime.lax.special import (
    erfc as erfc,
)
from arraytyping.runtime.lax.special import (
    erfc_p as erfc_p,
)
from arraytyping.runtime.lax.special import (
    lgamma as lgamma,
)
from arraytyping.runtime.lax.special import (
    lgamma_p as lgamma_p,
)
from arraytyping.runtime.lax.special import (
    polygamma_p as polygamma_p,
)
from arraytyping.runtime.lax.window_functions import reduce_window as reduce_window
from arraytyping.runtime.lax.windows import (
    reduce_window_max_p as reduce_window_max_p,
)
from arraytyping.runtime.lax.windows import (
    reduce_window_min_p as reduce_window_min_p,
)
from arraytyping.runtime.lax.windows import (
    reduce_window_p as reduce_window_p,
)
from arraytyping.runtime.lax.windows import (
    reduce_window_sum_p as reduce_window_sum_p,
)
from arraytyping.runtime.lax.windows import (
    select_and_gather_add_p as select_and_gather_add_p,
)
from arraytyping.runtime.lax.windows import (
    select_and_scatter_add_p as select_and_scatter_add_p,
)
from arraytyping.runtime.lax.zeta import polygamma as polygamma
from arraytyping.runtime.lax.zeta import zeta as zeta
from arraytyping.runtime.lax.zeta import zeta_p as zeta_p

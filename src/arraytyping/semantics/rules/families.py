"""Which family of rules has which rules; written by `python tools/rule_families.py`."""

from typing import Final

__all__ = ["FAMILIES"]

FAMILIES: Final[dict[str, tuple[str, ...]]] = {
    "arg_reductions": (
        "Array.argmax", "Array.argmin", "numpy.argmax", "numpy.argmin", "numpy.nanargmax", "numpy.nanargmin",
    ),
    "attributes": (
        "Array.T", "Array.__len__", "Array.at", "Array.dtype", "Array.item", "Array.itemsize", "Array.mT",
        "Array.nbytes", "Array.ndim", "Array.shape", "Array.size", "Array.tolist", "Array.weak_type", "numpy.ndim",
        "numpy.shape", "numpy.size",
    ),
    "averages": (
        "numpy.average",
    ),
    "binary": (
        "numpy.add", "numpy.arctan2", "numpy.atan2", "numpy.bitwise_and", "numpy.bitwise_left_shift",
        "numpy.bitwise_or", "numpy.bitwise_right_shift", "numpy.bitwise_xor", "numpy.copysign", "numpy.divide",
        "numpy.divmod", "numpy.equal", "numpy.float_power", "numpy.floor_divide", "numpy.fmax", "numpy.fmin",
        "numpy.fmod", "numpy.gcd", "numpy.greater", "numpy.greater_equal", "numpy.heaviside", "numpy.hypot",
        "numpy.isclose", "numpy.lcm", "numpy.ldexp", "numpy.left_shift", "numpy.less", "numpy.less_equal",
        "numpy.logaddexp", "numpy.logaddexp2", "numpy.logical_and", "numpy.logical_or", "numpy.logical_xor",
        "numpy.maximum", "numpy.minimum", "numpy.mod", "numpy.multiply", "numpy.nextafter", "numpy.not_equal",
        "numpy.remainder", "numpy.right_shift", "numpy.subtract", "numpy.true_divide",
    ),
    "choices": (
        "Array.clip", "numpy.clip", "numpy.nan_to_num", "numpy.select", "numpy.where",
    ),
    "contractions": (
        "Array.dot", "numpy.dot", "numpy.inner", "numpy.linalg.matmul", "numpy.linalg.tensordot", "numpy.linalg.vecdot",
        "numpy.matmul", "numpy.matvec", "numpy.tensordot", "numpy.vdot", "numpy.vecdot", "numpy.vecmat",
    ),
    "conversion": (
        "Array.astype", "Array.copy", "Array.view", "numpy.array", "numpy.asarray", "numpy.astype", "numpy.bfloat16",
        "numpy.bool", "numpy.bool_", "numpy.cdouble", "numpy.complex128", "numpy.complex64", "numpy.complex_",
        "numpy.copy", "numpy.csingle", "numpy.double", "numpy.float16", "numpy.float32", "numpy.float4_e2m1fn",
        "numpy.float64", "numpy.float6_e2m3fn", "numpy.float6_e3m2fn", "numpy.float8_e3m4", "numpy.float8_e4m3",
        "numpy.float8_e4m3b11fnuz", "numpy.float8_e4m3fn", "numpy.float8_e4m3fnuz", "numpy.float8_e5m2",
        "numpy.float8_e5m2fnuz", "numpy.float8_e8m0fnu", "numpy.float_", "numpy.int1", "numpy.int16", "numpy.int2",
        "numpy.int32", "numpy.int4", "numpy.int64", "numpy.int8", "numpy.int_", "numpy.single", "numpy.uint",
        "numpy.uint1", "numpy.uint16", "numpy.uint2", "numpy.uint32", "numpy.uint4", "numpy.uint64", "numpy.uint8",
    ),
    "covariances": (
        "numpy.corrcoef", "numpy.cov",
    ),
    "creation": (
        "numpy.empty", "numpy.empty_like", "numpy.eye", "numpy.full", "numpy.full_like", "numpy.identity", "numpy.ones",
        "numpy.ones_like", "numpy.tri", "numpy.zeros", "numpy.zeros_like",
    ),
    "cumulative": (
        "Array.cumprod", "Array.cumsum", "numpy.cumprod", "numpy.cumsum", "numpy.cumulative_prod",
        "numpy.cumulative_sum", "numpy.nancumprod", "numpy.nancumsum",
    ),
    "diagonals": (
        "numpy.diag", "numpy.diagflat", "numpy.tril", "numpy.triu",
    ),
    "differences": (
        "numpy.diff",
    ),
    "dtype_functions": (
        "numpy.can_cast", "numpy.dtype", "numpy.isdtype", "numpy.issubdtype", "numpy.promote_types",
        "numpy.result_type",
    ),
    "einsum": (
        "numpy.einsum",
    ),
    "equality": (
        "numpy.allclose", "numpy.array_equal", "numpy.array_equiv",
    ),
    "fft": (
        "numpy.fft.fft", "numpy.fft.fft2", "numpy.fft.fftfreq", "numpy.fft.fftn", "numpy.fft.fftshift",
        "numpy.fft.hfft", "numpy.fft.ifft", "numpy.fft.ifft2", "numpy.fft.ifftn", "numpy.fft.ifftshift",
        "numpy.fft.ihfft", "numpy.fft.irfft", "numpy.fft.irfft2", "numpy.fft.irfftn", "numpy.fft.rfft",
        "numpy.fft.rfft2", "numpy.fft.rfftfreq", "numpy.fft.rfftn",
    ),
    "gradients": (
        "numpy.ediff1d", "numpy.gradient", "numpy.unwrap",
    ),
    "grids": (
        "numpy.indices", "numpy.meshgrid", "numpy.vander",
    ),
    "histograms": (
        "numpy.histogram", "numpy.histogram2d", "numpy.histogramdd",
    ),
    "images": (
        "image.resize", "image.scale_and_translate",
    ),
    "index_arrays": (
        "numpy.diag_indices", "numpy.diag_indices_from", "numpy.ix_", "numpy.tril_indices", "numpy.tril_indices_from",
        "numpy.triu_indices", "numpy.triu_indices_from",
    ),
    "indexing": (
        "Array.__getitem__",
    ),
    "joining": (
        "numpy.append", "numpy.block", "numpy.column_stack", "numpy.concat", "numpy.concatenate", "numpy.dstack",
        "numpy.hstack", "numpy.stack", "numpy.vstack",
    ),
    "lax_binary": (
        "lax.add", "lax.atan2", "lax.betainc", "lax.bitwise_and", "lax.bitwise_or", "lax.bitwise_xor", "lax.complex",
        "lax.div", "lax.eq", "lax.ge", "lax.gt", "lax.igamma", "lax.igamma_grad_a", "lax.igammac", "lax.le", "lax.lt",
        "lax.max", "lax.min", "lax.mul", "lax.mulhi", "lax.ne", "lax.nextafter", "lax.polygamma", "lax.pow", "lax.rem",
        "lax.shift_left", "lax.shift_right_arithmetic", "lax.shift_right_logical", "lax.sub", "lax.zeta",
    ),
    "lax_choices": (
        "lax.clamp", "lax.select", "lax.select_n",
    ),
    "lax_contractions": (
        "lax.batch_matmul", "lax.dot", "lax.dot_general", "lax.ragged_dot",
    ),
    "lax_conversion": (
        "lax.bitcast_convert_type", "lax.convert_element_type",
    ),
    "lax_convolutions": (
        "lax.conv", "lax.conv_general_dilated", "lax.conv_with_general_padding",
    ),
    "lax_creation": (
        "lax.broadcasted_iota", "lax.full", "lax.full_like", "lax.iota",
    ),
    "lax_dynamic_slicing": (
        "lax.dynamic_index_in_dim", "lax.dynamic_slice", "lax.dynamic_slice_in_dim", "lax.dynamic_update_index_in_dim",
        "lax.dynamic_update_slice", "lax.dynamic_update_slice_in_dim",
    ),
    "lax_fft": (
        "lax.fft",
    ),
    "lax_gather": (
        "lax.gather",
    ),
    "lax_joining": (
        "lax.concatenate", "lax.split", "lax.stack", "lax.unstack",
    ),
    "lax_linalg": (
        "lax.linalg.cholesky", "lax.linalg.eig", "lax.linalg.eigh", "lax.linalg.lu", "lax.linalg.qr", "lax.linalg.svd",
        "lax.linalg.triangular_solve",
    ),
    "lax_matrix_forms": (
        "lax.linalg.hessenberg", "lax.linalg.householder_product", "lax.linalg.ormqr", "lax.linalg.schur",
        "lax.linalg.tridiagonal", "lax.linalg.tridiagonal_solve",
    ),
    "lax_matrix_updates": (
        "lax.linalg.cholesky_update", "lax.linalg.qdwh", "lax.linalg.symmetric_product",
    ),
    "lax_permuting": (
        "lax.rev", "lax.transpose",
    ),
    "lax_pivots": (
        "lax.linalg.lu_pivots_to_permutation",
    ),
    "lax_random": (
        "lax.rng_bit_generator",
    ),
    "lax_reductions": (
        "lax.argmax", "lax.argmin", "lax.cumlogsumexp", "lax.cummax", "lax.cummin", "lax.cumprod", "lax.cumsum",
        "lax.reduce_and", "lax.reduce_max", "lax.reduce_min", "lax.reduce_or", "lax.reduce_prod", "lax.reduce_sum",
        "lax.reduce_xor",
    ),
    "lax_scatter": (
        "lax.scatter", "lax.scatter_add", "lax.scatter_apply", "lax.scatter_max", "lax.scatter_min", "lax.scatter_mul",
        "lax.scatter_sub",
    ),
    "lax_shapes": (
        "lax.broadcast", "lax.broadcast_in_dim", "lax.broadcast_like", "lax.broadcast_shapes", "lax.broadcast_to_rank",
        "lax.collapse", "lax.empty", "lax.expand_dims", "lax.reshape", "lax.squeeze", "lax.tile",
    ),
    "lax_slicing": (
        "lax.index_in_dim", "lax.pad", "lax.slice", "lax.slice_in_dim",
    ),
    "lax_sorting": (
        "lax.sort", "lax.sort_key_val", "lax.top_k",
    ),
    "lax_unary": (
        "lax.abs", "lax.acos", "lax.acosh", "lax.asin", "lax.asinh", "lax.atan", "lax.atanh", "lax.bessel_i0e",
        "lax.bessel_i1e", "lax.bitwise_not", "lax.cbrt", "lax.ceil", "lax.clz", "lax.conj", "lax.cos", "lax.cosh",
        "lax.digamma", "lax.erf", "lax.erf_inv", "lax.erfc", "lax.exp", "lax.exp2", "lax.expm1", "lax.floor",
        "lax.imag", "lax.integer_pow", "lax.is_finite", "lax.lgamma", "lax.log", "lax.log1p", "lax.logistic", "lax.neg",
        "lax.population_count", "lax.real", "lax.reciprocal", "lax.reduce_precision", "lax.round", "lax.rsqrt",
        "lax.sign", "lax.sin", "lax.sinh", "lax.sqrt", "lax.square", "lax.stage", "lax.stop_gradient", "lax.tan",
        "lax.tanh",
    ),
    "lax_windows": (
        "lax.reduce_window",
    ),
    "linalg": (
        "numpy.linalg.cholesky", "numpy.linalg.det", "numpy.linalg.diagonal", "numpy.linalg.eigh",
        "numpy.linalg.eigvalsh", "numpy.linalg.inv", "numpy.linalg.matrix_power", "numpy.linalg.matrix_rank",
        "numpy.linalg.pinv", "numpy.linalg.qr", "numpy.linalg.slogdet", "numpy.linalg.solve", "numpy.linalg.svd",
        "numpy.linalg.svdvals",
    ),
    "linalg_solutions": (
        "numpy.linalg.cond", "numpy.linalg.eig", "numpy.linalg.eigvals", "numpy.linalg.lstsq", "numpy.linalg.multi_dot",
        "numpy.linalg.tensorinv", "numpy.linalg.tensorsolve",
    ),
    "means": (
        "Array.mean", "numpy.mean", "numpy.nanmean",
    ),
    "nn_activations": (
        "nn.celu", "nn.elu", "nn.gelu", "nn.glu", "nn.hard_sigmoid", "nn.hard_silu", "nn.hard_swish", "nn.hard_tanh",
        "nn.identity", "nn.leaky_relu", "nn.log_sigmoid", "nn.mish", "nn.relu", "nn.relu6", "nn.selu", "nn.sigmoid",
        "nn.silu", "nn.soft_sign", "nn.softplus", "nn.sparse_plus", "nn.sparse_sigmoid", "nn.squareplus", "nn.swish",
        "nn.tanh",
    ),
    "nn_attention": (
        "nn.dot_product_attention", "nn.log1mexp", "nn.logmeanexp",
    ),
    "nn_normalizing": (
        "nn.log_softmax", "nn.logsumexp", "nn.one_hot", "nn.softmax", "nn.standardize", "scipy.special.logsumexp",
    ),
    "norms": (
        "numpy.linalg.matrix_norm", "numpy.linalg.norm", "numpy.linalg.vector_norm",
    ),
    "numbering": (
        "numpy.ravel_multi_index", "numpy.unravel_index",
    ),
    "operators": (
        "Array.__abs__", "Array.__add__", "Array.__and__", "Array.__divmod__", "Array.__eq__", "Array.__floordiv__",
        "Array.__ge__", "Array.__gt__", "Array.__invert__", "Array.__le__", "Array.__lshift__", "Array.__lt__",
        "Array.__matmul__", "Array.__mod__", "Array.__mul__", "Array.__ne__", "Array.__neg__", "Array.__or__",
        "Array.__pos__", "Array.__pow__", "Array.__radd__", "Array.__rand__", "Array.__rdivmod__",
        "Array.__rfloordiv__", "Array.__rlshift__", "Array.__rmatmul__", "Array.__rmod__", "Array.__rmul__",
        "Array.__ror__", "Array.__rpow__", "Array.__rrshift__", "Array.__rshift__", "Array.__rsub__",
        "Array.__rtruediv__", "Array.__rxor__", "Array.__sub__", "Array.__truediv__", "Array.__xor__",
    ),
    "packing": (
        "numpy.packbits", "numpy.unpackbits",
    ),
    "padding": (
        "numpy.pad",
    ),
    "partitions": (
        "numpy.argpartition", "numpy.lexsort", "numpy.partition", "numpy.sort_complex",
    ),
    "permuting": (
        "Array.swapaxes", "Array.transpose", "numpy.flip", "numpy.fliplr", "numpy.flipud",
        "numpy.linalg.matrix_transpose", "numpy.matrix_transpose", "numpy.moveaxis", "numpy.permute_dims", "numpy.roll",
        "numpy.rollaxis", "numpy.rot90", "numpy.swapaxes", "numpy.transpose",
    ),
    "placing": (
        "numpy.choose", "numpy.fill_diagonal", "numpy.place", "numpy.put", "numpy.put_along_axis",
    ),
    "polynomials": (
        "numpy.poly", "numpy.polyadd", "numpy.polyder", "numpy.polydiv", "numpy.polyfit", "numpy.polyint",
        "numpy.polymul", "numpy.polysub", "numpy.polyval",
    ),
    "power": (
        "numpy.pow", "numpy.power",
    ),
    "products": (
        "numpy.cross", "numpy.kron", "numpy.linalg.cross", "numpy.linalg.outer", "numpy.outer",
    ),
    "quantiles": (
        "numpy.median", "numpy.nanmedian", "numpy.nanpercentile", "numpy.nanquantile", "numpy.percentile",
        "numpy.quantile",
    ),
    "random_counts": (
        "random.binomial", "random.geometric", "random.multinomial", "random.poisson",
    ),
    "random_distributions": (
        "random.ball", "random.beta", "random.chisquare", "random.dirichlet", "random.double_sided_maxwell", "random.f",
        "random.gamma", "random.generalized_normal", "random.loggamma", "random.lognormal", "random.maxwell",
        "random.multivariate_normal", "random.orthogonal", "random.pareto", "random.rayleigh", "random.t",
        "random.triangular", "random.wald", "random.weibull_min",
    ),
    "random_draws": (
        "random.categorical", "random.choice", "random.permutation",
    ),
    "random_functions": (
        "random.bernoulli", "random.bits", "random.cauchy", "random.clone", "random.exponential", "random.fold_in",
        "random.gumbel", "random.key_data", "random.laplace", "random.logistic", "random.normal", "random.rademacher",
        "random.randint", "random.split", "random.truncated_normal", "random.uniform",
    ),
    "ranges": (
        "numpy.arange", "numpy.geomspace", "numpy.linspace", "numpy.logspace",
    ),
    "reductions": (
        "Array.all", "Array.any", "Array.max", "Array.min", "Array.prod", "Array.ptp", "Array.sum", "numpy.all",
        "numpy.amax", "numpy.amin", "numpy.any", "numpy.count_nonzero", "numpy.max", "numpy.min", "numpy.nanmax",
        "numpy.nanmin", "numpy.nanprod", "numpy.nansum", "numpy.prod", "numpy.ptp", "numpy.sum",
    ),
    "reshaping": (
        "Array.flatten", "Array.ravel", "Array.reshape", "Array.squeeze", "numpy.atleast_1d", "numpy.atleast_2d",
        "numpy.atleast_3d", "numpy.expand_dims", "numpy.ravel", "numpy.reshape", "numpy.resize", "numpy.squeeze",
    ),
    "rounding": (
        "Array.__round__", "Array.round", "numpy.around", "numpy.round",
    ),
    "sampling": (
        "numpy.convolve", "numpy.correlate", "numpy.interp", "numpy.trapezoid",
    ),
    "scipy_binomials": (
        "scipy.linalg.invhilbert", "scipy.linalg.invpascal", "scipy.linalg.pascal",
    ),
    "scipy_factorizations": (
        "scipy.linalg.expm", "scipy.linalg.lu", "scipy.linalg.lu_factor", "scipy.linalg.polar", "scipy.linalg.qr",
    ),
    "scipy_fft": (
        "scipy.fft.dct", "scipy.fft.dctn", "scipy.fft.idct", "scipy.fft.idctn",
    ),
    "scipy_linalg": (
        "scipy.linalg.block_diag", "scipy.linalg.cho_solve", "scipy.linalg.cholesky", "scipy.linalg.det",
        "scipy.linalg.eigh", "scipy.linalg.inv", "scipy.linalg.lu_solve", "scipy.linalg.solve",
        "scipy.linalg.solve_triangular", "scipy.linalg.svd",
    ),
    "scipy_matrices": (
        "scipy.linalg.circulant", "scipy.linalg.companion", "scipy.linalg.convolution_matrix", "scipy.linalg.dft",
        "scipy.linalg.fiedler", "scipy.linalg.fiedler_companion", "scipy.linalg.hadamard", "scipy.linalg.hankel",
        "scipy.linalg.helmert", "scipy.linalg.hilbert", "scipy.linalg.leslie", "scipy.linalg.toeplitz",
    ),
    "scipy_matrix_equations": (
        "scipy.linalg.eigh_tridiagonal", "scipy.linalg.qr_multiply", "scipy.linalg.solve_sylvester",
    ),
    "scipy_matrix_functions": (
        "scipy.linalg.expm_frechet", "scipy.linalg.funm", "scipy.linalg.hessenberg", "scipy.linalg.rsf2csf",
        "scipy.linalg.schur", "scipy.linalg.sqrtm",
    ),
    "scipy_signal": (
        "scipy.signal.convolve", "scipy.signal.convolve2d", "scipy.signal.correlate", "scipy.signal.correlate2d",
        "scipy.signal.fftconvolve",
    ),
    "searching": (
        "Array.nonzero", "Array.searchsorted", "numpy.argwhere", "numpy.digitize", "numpy.flatnonzero", "numpy.isin",
        "numpy.nonzero", "numpy.searchsorted", "numpy.unique",
    ),
    "selecting": (
        "Array.diagonal", "Array.take", "numpy.delete", "numpy.diagonal", "numpy.insert", "numpy.take",
        "numpy.take_along_axis",
    ),
    "set_operations": (
        "numpy.intersect1d", "numpy.setdiff1d", "numpy.setxor1d", "numpy.union1d", "numpy.unique_all",
        "numpy.unique_counts", "numpy.unique_inverse", "numpy.unique_values",
    ),
    "sorting": (
        "Array.argsort", "Array.sort", "numpy.argsort", "numpy.sort",
    ),
    "special": (
        "scipy.special.bessel_jn", "scipy.special.beta", "scipy.special.betainc", "scipy.special.betaln",
        "scipy.special.boxcox", "scipy.special.boxcox1p", "scipy.special.comb", "scipy.special.dawsn",
        "scipy.special.digamma", "scipy.special.entr", "scipy.special.erf", "scipy.special.erfc", "scipy.special.erfcx",
        "scipy.special.erfinv", "scipy.special.exp1", "scipy.special.expi", "scipy.special.expit", "scipy.special.expn",
        "scipy.special.factorial", "scipy.special.fresnel", "scipy.special.gamma", "scipy.special.gammainc",
        "scipy.special.gammaincc", "scipy.special.gammaln", "scipy.special.gammasgn", "scipy.special.hyp1f1",
        "scipy.special.hyp2f1", "scipy.special.i0", "scipy.special.i0e", "scipy.special.i1", "scipy.special.i1e",
        "scipy.special.kl_div", "scipy.special.log_ndtr", "scipy.special.log_softmax", "scipy.special.loggamma",
        "scipy.special.logit", "scipy.special.multigammaln", "scipy.special.ndtr", "scipy.special.ndtri",
        "scipy.special.owens_t", "scipy.special.poch", "scipy.special.polygamma", "scipy.special.rel_entr",
        "scipy.special.sici", "scipy.special.softmax", "scipy.special.spence", "scipy.special.wofz",
        "scipy.special.xlog1py", "scipy.special.xlogy", "scipy.special.zeta",
    ),
    "splitting": (
        "Array.__iter__", "numpy.array_split", "numpy.dsplit", "numpy.hsplit", "numpy.split", "numpy.unstack",
        "numpy.vsplit",
    ),
    "stats_of_counts": (
        "scipy.stats.bernoulli.cdf", "scipy.stats.bernoulli.logpmf", "scipy.stats.bernoulli.pmf",
        "scipy.stats.bernoulli.ppf", "scipy.stats.betabinom.logpmf", "scipy.stats.betabinom.pmf",
        "scipy.stats.binom.logpmf", "scipy.stats.binom.pmf", "scipy.stats.geom.logpmf", "scipy.stats.geom.pmf",
        "scipy.stats.nbinom.logpmf", "scipy.stats.nbinom.pmf", "scipy.stats.poisson.cdf", "scipy.stats.poisson.logpmf",
        "scipy.stats.poisson.pmf",
    ),
    "stats_of_intervals": (
        "scipy.stats.beta.cdf", "scipy.stats.beta.logcdf", "scipy.stats.beta.logpdf", "scipy.stats.beta.logsf",
        "scipy.stats.beta.pdf", "scipy.stats.beta.sf", "scipy.stats.chi2.cdf", "scipy.stats.chi2.logcdf",
        "scipy.stats.chi2.logpdf", "scipy.stats.chi2.logsf", "scipy.stats.chi2.pdf", "scipy.stats.chi2.sf",
        "scipy.stats.expon.cdf", "scipy.stats.expon.logcdf", "scipy.stats.expon.logpdf", "scipy.stats.expon.logsf",
        "scipy.stats.expon.pdf", "scipy.stats.expon.ppf", "scipy.stats.expon.sf", "scipy.stats.gamma.cdf",
        "scipy.stats.gamma.logcdf", "scipy.stats.gamma.logpdf", "scipy.stats.gamma.logsf", "scipy.stats.gamma.pdf",
        "scipy.stats.gamma.sf", "scipy.stats.pareto.cdf", "scipy.stats.pareto.logcdf", "scipy.stats.pareto.logpdf",
        "scipy.stats.pareto.logsf", "scipy.stats.pareto.pdf", "scipy.stats.pareto.ppf", "scipy.stats.pareto.sf",
        "scipy.stats.uniform.cdf", "scipy.stats.uniform.logpdf", "scipy.stats.uniform.pdf", "scipy.stats.uniform.ppf",
        "scipy.stats.vonmises.logpdf", "scipy.stats.vonmises.pdf", "scipy.stats.wrapcauchy.logpdf",
        "scipy.stats.wrapcauchy.pdf",
    ),
    "stats_of_samples": (
        "scipy.stats.mode", "scipy.stats.rankdata", "scipy.stats.sem",
    ),
    "stats_of_the_line": (
        "scipy.stats.cauchy.cdf", "scipy.stats.cauchy.isf", "scipy.stats.cauchy.logcdf", "scipy.stats.cauchy.logpdf",
        "scipy.stats.cauchy.logsf", "scipy.stats.cauchy.pdf", "scipy.stats.cauchy.ppf", "scipy.stats.cauchy.sf",
        "scipy.stats.gennorm.cdf", "scipy.stats.gennorm.logpdf", "scipy.stats.gennorm.pdf", "scipy.stats.gumbel_l.cdf",
        "scipy.stats.gumbel_l.logcdf", "scipy.stats.gumbel_l.logpdf", "scipy.stats.gumbel_l.logsf",
        "scipy.stats.gumbel_l.pdf", "scipy.stats.gumbel_l.ppf", "scipy.stats.gumbel_l.sf", "scipy.stats.gumbel_r.cdf",
        "scipy.stats.gumbel_r.logcdf", "scipy.stats.gumbel_r.logpdf", "scipy.stats.gumbel_r.logsf",
        "scipy.stats.gumbel_r.pdf", "scipy.stats.gumbel_r.ppf", "scipy.stats.gumbel_r.sf", "scipy.stats.laplace.cdf",
        "scipy.stats.laplace.logpdf", "scipy.stats.laplace.pdf", "scipy.stats.logistic.cdf", "scipy.stats.logistic.isf",
        "scipy.stats.logistic.logpdf", "scipy.stats.logistic.pdf", "scipy.stats.logistic.ppf",
        "scipy.stats.logistic.sf", "scipy.stats.norm.cdf", "scipy.stats.norm.logcdf", "scipy.stats.norm.logpdf",
        "scipy.stats.norm.logsf", "scipy.stats.norm.pdf", "scipy.stats.norm.ppf", "scipy.stats.norm.sf",
        "scipy.stats.t.logpdf", "scipy.stats.t.pdf",
    ),
    "stretching": (
        "Array.repeat", "numpy.broadcast_arrays", "numpy.broadcast_shapes", "numpy.broadcast_to", "numpy.repeat",
        "numpy.tile",
    ),
    "traces": (
        "Array.trace", "numpy.linalg.trace", "numpy.trace",
    ),
    "unary": (
        "Array.conj", "Array.conjugate", "Array.imag", "Array.real", "numpy.abs", "numpy.absolute", "numpy.acos",
        "numpy.acosh", "numpy.angle", "numpy.arccos", "numpy.arccosh", "numpy.arcsin", "numpy.arcsinh", "numpy.arctan",
        "numpy.arctanh", "numpy.asin", "numpy.asinh", "numpy.atan", "numpy.atanh", "numpy.bitwise_count",
        "numpy.bitwise_invert", "numpy.bitwise_not", "numpy.cbrt", "numpy.ceil", "numpy.conj", "numpy.conjugate",
        "numpy.cos", "numpy.cosh", "numpy.deg2rad", "numpy.degrees", "numpy.exp", "numpy.exp2", "numpy.expm1",
        "numpy.fabs", "numpy.floor", "numpy.frexp", "numpy.i0", "numpy.imag", "numpy.invert", "numpy.iscomplex",
        "numpy.isfinite", "numpy.isinf", "numpy.isnan", "numpy.isneginf", "numpy.isposinf", "numpy.isreal", "numpy.log",
        "numpy.log10", "numpy.log1p", "numpy.log2", "numpy.logical_not", "numpy.modf", "numpy.negative",
        "numpy.positive", "numpy.rad2deg", "numpy.radians", "numpy.real", "numpy.reciprocal", "numpy.rint",
        "numpy.sign", "numpy.signbit", "numpy.sin", "numpy.sinc", "numpy.sinh", "numpy.spacing", "numpy.sqrt",
        "numpy.square", "numpy.tan", "numpy.tanh", "numpy.trunc",
    ),
    "updates": (
        "Array.at.add", "Array.at.apply", "Array.at.divide", "Array.at.get", "Array.at.max", "Array.at.min",
        "Array.at.mul", "Array.at.multiply", "Array.at.power", "Array.at.set", "Array.at.subtract",
    ),
    "variances": (
        "Array.std", "Array.var", "numpy.nanstd", "numpy.nanvar", "numpy.std", "numpy.var",
    ),
    "window_shapes": (
        "numpy.bartlett", "numpy.blackman", "numpy.hamming", "numpy.hanning", "numpy.kaiser",
    ),
}  # fmt: skip

"""Which functions of Python's own library are called for real, one by one: those that only compute.

What is not here is unknown.  Left out on purpose is what calls what it is given (`operator.call`, `map`), makes code
or classes (`types.new_class`, `typing.ForwardRef`), reads the machine (`datetime.now`, `os.path.exists`), takes time
that no bound is known for (`hashlib.scrypt`, `difflib`), gives a result far larger than its arguments
(`zlib.decompress`), or makes an object that changes (hashes, with their `update`).  `Class.method` names a method; a
class by itself is the making of an instance.
"""

from __future__ import annotations

from typing import Final

__all__ = ["DATA_CLASSES", "FUNCTIONS", "NOT_OF_DATA"]

FUNCTIONS: Final[dict[str, str]] = {
    "builtins": "abs ascii bin chr divmod format hash hex len oct ord pow repr round str.maketrans bytes.maketrans",
    "math": """acos acosh asin asinh atan atan2 atanh cbrt ceil comb copysign cos cosh degrees dist erf erfc exp exp2
        expm1 fabs factorial floor fma fmod frexp fsum gamma gcd hypot isclose isfinite isinf isnan isqrt lcm ldexp
        lgamma log log10 log1p log2 modf nextafter perm pow prod radians remainder sin sinh sqrt sumprod tan tanh trunc
        ulp""",
    "cmath": """acos acosh asin asinh atan atanh cos cosh exp isclose isfinite isinf isnan log log10 phase polar rect
        sin sinh sqrt tan tanh""",
    "operator": """abs add and_ concat contains eq floordiv ge getitem gt iadd iand iconcat ifloordiv ilshift imatmul
        imod imul index inv invert ior ipow irshift is_ is_not isub itruediv ixor le lshift lt matmul mod mul ne neg
        not_ or_ pos pow rshift sub truediv truth xor""",
    "string": "capwords",
    "textwrap": "dedent",
    "keyword": "iskeyword issoftkeyword",
    "unicodedata": """bidirectional category combining decimal decomposition digit east_asian_width lookup mirrored
        name normalize numeric""",
    "fractions": "Fraction Fraction.limit_denominator Fraction.as_integer_ratio Fraction.from_float",
    "decimal": """Decimal Decimal.as_tuple Decimal.compare Decimal.copy_abs Decimal.copy_negate Decimal.is_finite
        Decimal.is_infinite Decimal.is_nan Decimal.is_signed Decimal.is_zero Decimal.normalize Decimal.quantize
        Decimal.sqrt""",
    "statistics": """mean median median_low median_high mode multimode stdev pstdev variance pvariance fmean
        geometric_mean harmonic_mean correlation covariance""",
    "re": """compile escape findall finditer fullmatch match search split sub subn Pattern.findall Pattern.finditer
        Pattern.fullmatch Pattern.match Pattern.search Pattern.split Pattern.sub Pattern.subn Match.end Match.group
        Match.groupdict Match.groups Match.span Match.start Match.__getitem__""",
    "struct": "calcsize pack unpack",
    "base64": """b16decode b16encode b32decode b32encode b64decode b64encode standard_b64decode standard_b64encode
        urlsafe_b64decode urlsafe_b64encode""",
    "binascii": "a2b_base64 a2b_hex b2a_base64 b2a_hex crc32 hexlify unhexlify",
    "zlib": "adler32 crc32",
    "posixpath": "basename commonprefix dirname isabs join normcase normpath split splitdrive splitext",
    "ntpath": "basename commonprefix dirname isabs join normcase normpath split splitdrive splitext",
    "datetime": """date datetime time timedelta timezone date.isoformat date.isocalendar date.isoweekday date.replace
        date.toordinal date.weekday date.fromisoformat date.fromordinal datetime.isoformat datetime.date datetime.time
        datetime.replace datetime.weekday datetime.isoweekday datetime.fromisoformat datetime.combine
        timedelta.total_seconds time.isoformat time.replace timezone.utcoffset""",
    "calendar": "isleap leapdays monthrange timegm weekday",
    "colorsys": "hls_to_rgb hsv_to_rgb rgb_to_hls rgb_to_hsv rgb_to_yiq yiq_to_rgb",
    "html": "escape unescape",
    "urllib.parse": "parse_qs parse_qsl quote quote_plus unquote unquote_plus urlencode urljoin urlparse urlsplit",
    "json": "dumps loads",
    "ast": "literal_eval parse",
    "shlex": "quote split",
    "bisect": "bisect bisect_left bisect_right insort insort_left insort_right",
    "itertools": "",
    "copy": "copy deepcopy",
    "dataclasses": "fields is_dataclass",
    "inspect": "cleandoc isabstract isbuiltin isclass isfunction ismethod ismodule",
    "typing": "get_args get_origin is_typeddict",
    "pathlib": """Path PurePath PurePosixPath PureWindowsPath PurePath.as_posix PurePath.is_absolute
        PurePath.is_relative_to PurePath.joinpath PurePath.relative_to PurePath.with_name
        PurePath.with_stem PurePath.with_suffix PurePath.__truediv__ PurePath.__rtruediv__""",
    "enum": "auto",
    "types": "MappingProxyType",
}
"""The functions, methods and classes that are called, by module."""

DATA_CLASSES: Final[dict[str, str]] = {
    "builtins": "bool int float complex str bytes tuple frozenset range slice NoneType ellipsis NotImplementedType",
    "ast": "AST",
    "fractions": "Fraction",
    "decimal": "Decimal Context",
    "datetime": "date datetime time timedelta timezone",
    "re": "Pattern Match",
    "pathlib": "PurePath",
    "enum": "Enum auto",
    "types": "MappingProxyType GenericAlias UnionType",
    "typing": "TypeVar ParamSpec TypeVarTuple",
    "inspect": "Signature Parameter",
    "dataclasses": "Field",
    "string": "Template",
}
"""Classes whose instances are data: they may be given to functions that are called."""

NOT_OF_DATA: Final = frozenset({
    "__reduce__", "__reduce_ex__", "__new__", "__init__", "__init_subclass__", "__subclasshook__", "__class_getitem__",
    "__getattribute__", "__getattr__", "__setattr__", "__delattr__", "__dir__", "__sizeof__", "__setstate__",
    "__getstate__", "__subclasses__", "__prepare__", "__instancecheck__", "__subclasscheck__", "__del__",
})  # fmt: skip
"""Methods that every object has and that no program calls for a value."""

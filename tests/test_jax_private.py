"""What flow uses of jax that jax promises nothing about: one test for each thing, so that a release tells.

All of it is named in `arraytyping.checker.flow.engines.jax_private`; the first test holds that, the others call it.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jax
import jax.export
import jax.numpy as jnp
import pytest

from arraytyping.checker.flow.engines import jax_private, own_lattice
from arraytyping.checker.flow.engines.jax import JaxEngine

SOURCES = (Path(__file__).parent.parent / "src", Path(__file__).parent.parent / "mypy_plugin")
PRIVATE = re.compile(r"jax\._src(\.|$)")


def broken(what: str) -> str:
    """The sentence with which a test fails."""
    return f"jax {jax.__version__} broke {what}"


def _imports(path: Path) -> list[str]:
    """The private modules that a module imports, or looks for among those that are loaded."""
    text = path.read_text(encoding="utf-8")
    found: list[str] = []
    for node in ast.walk(ast.parse(text)) if "jax._src" in text else ():
        if isinstance(node, ast.ImportFrom):
            found.append(node.module or "")
        elif isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
        elif isinstance(node, ast.Call) and ast.unparse(node.func) in ("sys.modules.get", "importlib.import_module"):
            found += [a.value for a in node.args if isinstance(a, ast.Constant) and isinstance(a.value, str)]
        elif isinstance(node, ast.Subscript) and ast.unparse(node.value) == "sys.modules":
            found += [ast.unparse(node.slice).strip("'\"")]
    return [name for name in found if PRIVATE.match(name)]


def test_private_modules_are_imported_in_one_place_only() -> None:
    places = {path.name for source in SOURCES for path in source.rglob("*.py") if _imports(path)}
    assert places == {"jax_private.py"}


@pytest.mark.parametrize(
    "source",
    [
        "from jax._src import core",
        "import jax._src.core",
        "import sys\ncore = sys.modules.get('jax._src.core')",
        "import sys\ncore = sys.modules['jax._src.core']",
    ],
)
def test_each_way_to_a_private_module_is_seen(source: str, tmp_path: Path) -> None:
    (tmp_path / "m.py").write_text(source)
    assert len(_imports(tmp_path / "m.py")) == 1


def test_array_kinds() -> None:
    seen: list[object] = []
    jax.jit(lambda x: seen.append(x))(1.0)
    kinds = jax_private.array_kinds()
    assert isinstance(jnp.ones(1), kinds), broken("jax._src.array.ArrayImpl")
    assert isinstance(seen[0], kinds), broken("jax._src.core.Tracer")


def test_axis_sizes() -> None:
    seen: list[dict[object, int]] = []

    def mapped(x: jax.Array) -> jax.Array:
        seen.append(dict(jax_private.axis_sizes()))
        return x

    jax.vmap(mapped, axis_name="i")(jnp.ones(3))
    assert seen == [{"i": 3}], broken("jax._src.core.get_axis_env().axis_sizes")
    assert not jax_private.axis_sizes()


@pytest.mark.parametrize("dtype", ["float16", "float32", "int8"])
def test_sums_of_symbols(dtype: str) -> None:
    (size,) = jax.export.symbolic_shape("n")
    lax: Any = jax.lax

    def sums(x: jax.Array) -> list[jax.Array]:
        return [lax.pmean(x, "i"), jnp.asarray(lax.psum(2, "i")), x / lax.psum(1, "i")]

    def mapped(x: jax.Array) -> list[jax.Array]:
        with jax_private.named_axis("i", size), jax_private.sums_of_symbols():
            return sums(x)

    found = jax.eval_shape(mapped, jnp.ones(3, dtype))
    expected = jax.eval_shape(jax.vmap(sums, axis_name="i"), jnp.ones((4, 3), dtype))
    assert [(a.dtype, a.weak_type) for a in found] == [(a.dtype, a.weak_type) for a in expected], broken(
        "jax._src.lax.parallel.lax"
    )


def test_weak_arrays() -> None:
    made = jax_private.convert_element_type(jnp.ones(2, "bfloat16"), jnp.dtype("float32"), weak_type=True)
    assert (str(made.dtype), made.weak_type) == ("float32", True), broken("jax._src.lax.lax._convert_element_type")


def test_inconclusive_comparisons() -> None:
    (n,) = jax.export.symbolic_shape("n")
    with pytest.raises(jax_private.INCONCLUSIVE):
        bool(n > 3)


def test_references() -> None:
    assert {"shape", "dtype"} <= set(dir(jax_private.REF)), broken("jax._src.core.Ref")


def test_traces() -> None:
    outermost = jax_private.current_trace()
    assert not jax_private.is_of_jaxpr(outermost), broken("jax._src.core.trace_ctx")
    trace = jax_private.new_trace()
    assert jax_private.is_of_jaxpr(trace), broken("jax._src.interpreters.partial_eval.DynamicJaxprTrace")
    with jax_private.in_trace(trace):
        assert jax_private.current_trace() is trace, broken("jax._src.core.set_current_trace")
        tracer = jnp.sin(1.0)
    assert jax_private.current_trace() is outermost
    assert jax_private.trace_of(tracer) is trace, broken("jax._src.core.Tracer._trace")
    assert jax_private.trace_of(jnp.ones(1)) is None


def test_traces_inside_of_traces() -> None:
    seen: list[bool] = []

    def inner(x: jax.Array) -> jax.Array:
        trace = jax_private.current_trace()
        while trace is not None and not (is_staged := jax_private.is_of_jaxpr(trace)):
            trace = jax_private.parent_of(trace)
        seen.append(trace is not None and is_staged)
        return x

    jax.jit(jax.grad(inner))(1.0)
    jax.grad(inner)(1.0)
    assert seen == [True, False], broken("the parents of traces: parent_trace")


def test_what_tracers_are_tracers_of() -> None:
    seen: list[object] = []
    x, rows = jnp.float32(1.0), jnp.ones((3, 2))

    def keep(v: jax.Array, what: Callable[[object], object]) -> jax.Array:
        seen.append(what(v))
        return v

    jax.jvp(lambda v: keep(v, jax_private.primal_of), (x,), (x,))
    jax.vmap(lambda v: keep(v, jax_private.value_of))(rows)
    assert seen[0] is x, broken("JVPTracer.primal")
    assert getattr(seen[1], "shape", None) == (3, 2), broken("BatchTracer.val")
    assert jax_private.primal_of(x) is None
    assert jax_private.value_of(x) is None


def test_devices_can_be_pretended() -> None:
    before = len(jax.devices())
    assert jax_private.is_started(), broken("xla_bridge.backends_are_initialized")
    try:
        jax_private.pretend_devices(4)
        assert len(jax.devices()) == 4, broken("api.clear_backends, or jax_num_cpu_devices")
        assert jax_private.mesh_in_force() is None, broken("jax.sharding.get_abstract_mesh")
    finally:
        jax_private.pretend_devices(before)
    assert float(jnp.ones(3).sum()) == 3


def test_promotion_can_be_replaced() -> None:
    assert own_lattice.can_promote_otherwise(JaxEngine()), broken("jax._src.dtypes._least_upper_bound")
    dtypes = jax_private.dtypes
    assert dtypes._dtype_and_weaktype(1.0) == (jnp.dtype("float32"), True), broken(
        "jax._src.dtypes._dtype_and_weaktype"
    )
    assert issubclass(dtypes.TypePromotionError, ValueError), broken("jax._src.dtypes.TypePromotionError")


def test_trace() -> None:
    seen: list[jax.Array] = []

    def asked(x: jax.Array, y: jax.Array) -> None:
        seen.extend((x, x + y))
        with pytest.raises(jax.errors.TracerBoolConversionError) as refused:
            bool(y > 0)
        seen.append(refused.value)  # type: ignore[arg-type]

    struct: Callable[..., object] = jax.ShapeDtypeStruct
    jax_private.trace(asked, [struct((3,), jnp.bfloat16), struct((), jnp.float32, weak_type=True)])
    assert isinstance(seen[0], jax.core.Tracer), broken("DynamicJaxprTrace.new_arg")
    assert [(v.shape, str(v.dtype)) for v in seen[:2]] == [((3,), "bfloat16")] * 2, broken("shaped_abstractify")
    assert "tracers[1]" in str(seen[2]), broken("the names of arguments in DebugInfo")


def test_a_trace_is_within_those_around() -> None:
    parents: list[object] = []

    def inner() -> None:
        parents.append(jax_private.parent_of(jax_private.current_trace()))

    def outer(x: jax.Array) -> jax.Array:
        parents.append(jax_private.current_trace())
        jax_private.trace(inner, [])
        return x

    jax.eval_shape(outer, 1.0)
    assert parents[0] is parents[1], broken("DynamicJaxprTrace.parent_trace")


def test_without_tracebacks() -> None:
    seen: list[object] = []

    def asked(x: jax.Array) -> None:
        seen.append(jax_private._lines.current().traceback)

    with jax_private.without_tracebacks():
        jax_private.trace(asked, [jax.eval_shape(lambda: 1.0)])
        with pytest.raises(TypeError) as refused:
            jnp.zeros(2) + jnp.zeros(3)
    assert seen == [jax_private._NOWHERE], broken("source_info_util._source_info_context")
    assert not getattr(refused.value, "__notes__", []), broken("traceback_util._is_under_reraiser")
    with pytest.raises(TypeError) as refused:
        jnp.zeros(2) + jnp.zeros(3)
    assert refused.value.__notes__, "they are filtered again afterwards"


def test_of_which_argument_a_tracer_comes_is_looked_for_in_functions_of_the_program_alone() -> None:
    said: list[str] = []

    def read(x: jax.Array) -> jax.Array:
        with pytest.raises(jax.errors.ConcretizationTypeError) as refused:
            float(x)
        said.append(str(refused.value))
        return x

    def asked(x: jax.Array) -> None:
        read(x + 1)
        jax.jit(read)(x)

    with jax_private.without_tracebacks():
        jax_private.trace(asked, [jax.eval_shape(lambda: 1.0)])
    assert "while tracing" not in said[0], broken("DynamicJaxprTracer._origin_msg")
    assert "the argument x" in said[1], broken("DynamicJaxprTracer._origin_msg")
    jax_private.trace(asked, [jax.eval_shape(lambda: 1.0)])
    assert "while tracing" in said[2], "it is said again afterwards"


def test_key_implementation() -> None:
    for name, shape in (("threefry2x32", (2,)), ("rbg", (4,))):
        dtype = jax.random.key(0, impl=name).dtype
        assert jax_private.key_implementation(dtype) == (name, shape), broken("the implementation of a key's dtype")


def test_an_opaque_array_passes_through_transformations() -> None:
    """What stands for a result of which only dtype and shape are known is mapped, differentiated and staged."""
    key = jax.random.key(0).dtype

    def noise(weak_type: bool = False) -> jax.Array:
        drawn: jax.Array = jax_private.opaque((3,), jnp.dtype("float32"), weak_type)
        return drawn

    def loss(w: jax.Array, x: jax.Array) -> jax.Array:
        carry, found = jax.lax.scan(jax.checkpoint(lambda c, y: (c * w + noise(), noise() * c)), x, jnp.ones((5, 3)))
        result: jax.Array = (
            jax.lax.cond(carry.sum() > 0, lambda: noise().sum() * w.sum(), lambda: w.mean()) + found.sum()
        )
        return result

    seen: list[tuple[str, tuple[int, ...], bool]] = []

    def asked(x: jax.Array) -> None:
        for made in (noise(), noise(weak_type=True), jax_private.opaque((2,), key, False)):
            seen.append((str(made.dtype), made.shape, made.aval.weak_type))

    said = broken("primitives without operands")
    jax_private.trace(asked, [jax.eval_shape(lambda: 1.0)])
    assert seen == [("float32", (3,), False), ("float32", (3,), True), ("key<fry>", (2,), False)], said
    mapped = jax.vmap(jax.hessian(loss), in_axes=(None, 0))
    assert jax.eval_shape(mapped, jnp.ones(3), jnp.ones((7, 3))).shape == (7, 3, 3), said
    assert jax.linear_transpose(lambda v: v * noise(), jnp.ones(3))(jnp.ones(3))[0].shape == (3,), said
    outside = jax_private.opaque((2,), key, False)
    assert (outside.dtype, outside.shape) == (key, (2,)), said
    assert noise(weak_type=True).weak_type, said

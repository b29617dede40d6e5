"""Whether a program makes keys of JAX's default implementation."""

from __future__ import annotations

from pathlib import Path

import pytest

from arraytyping.checker.flow.sources.x64_switches import switches_in

SWITCHES = (
    'jax.config.update("jax_default_prng_impl", "rbg")',
    'os.environ["JAX_DEFAULT_PRNG_IMPL"] = "rbg"',
    "with jax.default_prng_impl('rbg'): pass",
    'jax.config.update("jax_enable_custom_prng", True)',
)


def test_a_program_that_says_nothing_of_keys(tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text("import jax\nkey = jax.random.key(0)\n")
    assert switches_in([tmp_path], {}).has_default_keys
    assert not switches_in([tmp_path], {"JAX_DEFAULT_PRNG_IMPL": "rbg"}).has_default_keys


@pytest.mark.parametrize("switch", SWITCHES)
def test_a_switch_in_a_module_that_is_imported(switch: str, tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text("import setup_keys\nimport jax\nkey = jax.random.key(0)\n")
    (tmp_path / "setup_keys.py").write_text(f"import jax, os\n{switch}\n")
    assert not switches_in([tmp_path / "train.py"], {}).has_default_keys

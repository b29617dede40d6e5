"""Shapes of convolutions and windows as functions of shapes: `conv_shape_tuple`, `padtype_to_pads` and their kin.

Source: `jax/_src/lax/convolution.py`, `jax/_src/lax/windowed_reductions.py` of jax 0.10.2.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from arraytyping.semantics.rules.shapes.convolutions import transposed_pads

__all__ = [
    "conv_general_permutations", "conv_general_shape_tuple", "conv_shape_tuple", "conv_transpose_shape_tuple",
    "padtype_to_pads", "reduce_window_shape_tuple",
]  # fmt: skip

Pads = Sequence[tuple[int, int]]

_LETTERS: Final = (("N", "C"), ("O", "I"), ("N", "C"))


def _steps(size: int, window: int, stride: int) -> int:
    """How often a window fits."""
    return 0 if size < window else (size - window) // stride + 1


def padtype_to_pads(
    in_shape: Sequence[int], window_shape: Sequence[int], window_strides: Sequence[int], padding: Any
) -> list[tuple[int, int]]:
    """`jax.lax.padtype_to_pads`: the widths before and after each dimension that "SAME" or "VALID" means.

    Raises:
        RuntimeError: for another word.
        TypeError: for what is no word.
    """
    name = padding if isinstance(padding, str) else getattr(padding, "name", None)
    if name is None:
        raise TypeError(f"Unknown padding type: {padding}.")
    name = name.upper()
    if name not in ("SAME", "SAME_LOWER", "VALID"):
        raise RuntimeError(f"Unrecognized padding type: expected 'VALID', 'SAME', or 'SAME_LOWER', got {padding}.")
    if name == "VALID":
        return [(0, 0)] * len(in_shape)
    widths = [
        max((-(-size // stride) - 1) * stride + window - size, 0)
        for size, window, stride in zip(map(int, in_shape), map(int, window_shape), map(int, window_strides))
    ]
    less = [(w // 2, w - w // 2) for w in widths]
    return less if name == "SAME" else [(b, a) for a, b in less]


def conv_shape_tuple(
    lhs_shape: Sequence[int], rhs_shape: Sequence[int], strides: Sequence[int], pads: Any, batch_group_count: int = 1
) -> tuple[int, ...]:
    """`jax.lax.conv_shape_tuple`: the shape of a convolution of arrays in the order of NCHW and OIHW.

    Raises:
        TypeError: for another number of pairs of widths than of dimensions.
        ValueError: if a negative width is greater than a dimension.
    """
    spatial = [int(n) for n in lhs_shape[2:]]
    widths: Pads = padtype_to_pads(spatial, rhs_shape[2:], strides, pads) if isinstance(pads, str) else pads
    if len(widths) != len(spatial):
        raise TypeError(f"Wrong number of explicit pads for convolution: expected {len(spatial)}, got {len(widths)}.")
    padded = [size + int(low) + int(high) for size, (low, high) in zip(spatial, widths)]
    if any(size < 0 for size in padded):
        raise ValueError(
            "Negative padding is larger than the size of the corresponding dimension: got padding="
            f"{widths} for lhs_shape[2:]={tuple(spatial)}"
        )
    out = (_steps(size, int(window), int(stride)) for size, window, stride in zip(padded, rhs_shape[2:], strides))
    return (int(lhs_shape[0]) // batch_group_count, int(rhs_shape[0]), *out)


def conv_general_permutations(dimension_numbers: Sequence[str]) -> tuple[tuple[int, ...], ...]:
    """`jax.lax.conv_general_permutations`: where batch, channels and space stand, by words such as "NHWC".

    Raises:
        TypeError: if a word lacks one of its letters or has one twice, and if the words differ in the others.
    """
    for i, (word, letters) in enumerate(zip(dimension_numbers, _LETTERS)):
        first, second = letters
        if not word.count(first) == word.count(second) == 1:
            raise TypeError(
                f"convolution dimension_numbers[{i}] must contain the characters '{first}' and '{second}' exactly "
                f"once, got {word}."
            )
        if len(word) != len(set(word)):
            raise TypeError(f"convolution dimension_numbers[{i}] cannot have duplicate characters, got {word}.")
    of_space = [set(word) - set(letters) for word, letters in zip(dimension_numbers, _LETTERS)]
    if not of_space[0] == of_space[1] == of_space[2]:
        raise TypeError(
            "convolution dimension_numbers elements must each have the same set of spatial characters, got "
            f"{dimension_numbers}."
        )
    order = [c for c in dimension_numbers[1] if c not in _LETTERS[1]]
    return tuple(tuple(word.index(c) for c in (*letters, *order)) for word, letters in zip(dimension_numbers, _LETTERS))


def _placed(shape: Sequence[int], permutation: Sequence[int]) -> tuple[int, ...]:
    """The shape in the order of a word, of one in canonical order."""
    return tuple(shape[permutation.index(i)] for i in range(len(shape)))


def conv_general_shape_tuple(
    lhs_shape: Sequence[int], rhs_shape: Sequence[int], window_strides: Sequence[int], padding: Any,
    dimension_numbers: Sequence[str],
) -> tuple[int, ...]:  # fmt: skip
    """`jax.lax.conv_general_shape_tuple`: the shape of a convolution of arrays in any order."""
    lhs, rhs, out = conv_general_permutations(dimension_numbers)
    shape = conv_shape_tuple([lhs_shape[i] for i in lhs], [rhs_shape[i] for i in rhs], window_strides, padding)
    return _placed(shape, out)


def conv_transpose_shape_tuple(
    lhs_shape: Sequence[int], rhs_shape: Sequence[int], window_strides: Sequence[int], padding: Any,
    dimension_numbers: Sequence[str],
) -> tuple[int, ...]:  # fmt: skip
    """`jax.lax.conv_transpose_shape_tuple`: the shape of a transposed convolution of arrays in any order.

    Raises:
        ValueError: for another number of pairs of widths than of dimensions, and for an unknown word.
    """
    lhs, rhs, out = conv_general_permutations(dimension_numbers)
    sizes, windows = [lhs_shape[i] for i in lhs], [rhs_shape[i] for i in rhs]
    widths: Pads = (
        [transposed_pads(k, s, padding) for k, s in zip(windows[2:], window_strides)]
        if isinstance(padding, str)
        else padding
    )
    if len(widths) != len(sizes) - 2:
        raise ValueError(
            f"Wrong number of explicit pads for convolution: expected {len(sizes) - 2}, got {len(widths)}."
        )
    space = [
        (size - 1) * stride - window + 2 + sum(pads)
        for size, window, stride, pads in zip(sizes[2:], windows[2:], window_strides, widths)
    ]
    return _placed((sizes[0], windows[0], *space), out)


def reduce_window_shape_tuple(
    operand_shape: Sequence[int], window_dimensions: Sequence[int], window_strides: Sequence[int], padding: Pads,
    base_dilation: Sequence[int] | None = None, window_dilation: Sequence[int] | None = None,
) -> tuple[int, ...]:  # fmt: skip
    """`jax.lax.reduce_window_shape_tuple`: how often a window fits along each dimension."""

    def spread(sizes: Sequence[int], holes: Sequence[int] | None) -> list[int]:
        each = [1] * len(sizes) if holes is None else holes
        return [0 if n == 0 else 1 + hole * (n - 1) for n, hole in zip(sizes, each)]

    padded = [n + low + high for n, (low, high) in zip(spread(operand_shape, base_dilation), padding)]
    return tuple(map(_steps, padded, spread(window_dimensions, window_dilation), window_strides))

"""`tree` (dm-tree): structures of mappings, lists and tuples; everything else is a leaf, None and dataclasses too.

Source: https://tree.readthedocs.io.
"""

import jax


def is_nested(structure):
    return isinstance(structure, (dict, list, tuple))


def _is_leaf(value):
    return not is_nested(value)


def _plain(path):
    """A path as the keys, indices and names in it."""
    found = []
    for key in path:
        for name in ("key", "idx", "name"):
            if hasattr(key, name):
                found.append(getattr(key, name))
                break
    return tuple(found)


def flatten(structure):
    return jax.tree.leaves(structure, is_leaf=_is_leaf)


def flatten_with_path(structure):
    return [(_plain(path), leaf) for path, leaf in jax.tree_util.tree_leaves_with_path(structure, is_leaf=_is_leaf)]


def unflatten_as(structure, flat_sequence):
    return jax.tree.unflatten(jax.tree.structure(structure, is_leaf=_is_leaf), flat_sequence)


def map_structure(func, *structures, check_types=True):
    return jax.tree.map(func, *structures, is_leaf=_is_leaf)


def map_structure_with_path(func, *structures, check_types=True):
    return jax.tree_util.tree_map_with_path(
        lambda path, *leaves: func(_plain(path), *leaves), *structures, is_leaf=_is_leaf
    )


def flatten_up_to(shallow_structure, input_structure, check_types=True):
    found = []
    jax.tree.map(lambda _, item: found.append(item), shallow_structure, input_structure, is_leaf=_is_leaf)
    return found


def map_structure_up_to(shallow_structure, func, *structures, check_types=True):
    return jax.tree.map(lambda _, *items: func(*items), shallow_structure, *structures, is_leaf=_is_leaf)


def assert_same_structure(a, b, check_types=True):
    return None

"""Rotations and cameras: small fixed sizes."""

import jax
import jax.numpy as jnp


def rotation(axis, angle):
    x, y, z = axis  # mistake: x, y = axis [error]
    k = jnp.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])  # mistake: k = jnp.array([[0, -z, y], [z, 0, -x], [-y, x]]) [array-shape]
    return jnp.eye(3) + jnp.sin(angle) * k + (1 - jnp.cos(angle)) * k @ k


def normals(triangles):
    a, b, c = jnp.moveaxis(triangles, 1, 0)  # mistake: a, b, c = triangles [error]
    return jnp.cross(b - a, c - a)


def homogeneous(points):
    ones = jnp.ones((*points.shape[:-1], 1))
    return jnp.concatenate([points, ones], axis=-1)


def project(camera, points):
    out = jnp.einsum("ij,...j->...i", camera, homogeneous(points))  # mistake: out = jnp.einsum("ij,...j->...i", camera, points) [array-shape]
    return out[..., :2] / out[..., 2:]  # mistake: return out[..., :2] / out[..., 0] [array-shape]


triangles = jax.random.normal(jax.random.key(0), (5, 3, 3))
turned = triangles @ rotation(jnp.array([0.0, 0.0, 1.0]), 0.3).T
image = project(jnp.eye(3, 4), turned)
print(image.shape, normals(turned)[0])

"""Render a signed-distance scene by sphere tracing (vmap of vmap over pixels) and print it as characters."""
import functools
import jax
import jax.numpy as jnp

PALETTE = " .:-=+*#%@"


def norm(v, axis=-1, keepdims=False, eps=0.0):
    return jnp.sqrt((v * v).sum(axis, keepdims=keepdims) + eps)


def normalize(v):
    return v / norm(v, keepdims=True)


# --- scene -------------------------------------------------------------------
# An object is a function from a point (3,) to (distance, material).

def sphere(center, radius, material):
    center = jnp.array(center)
    return lambda p: (norm(p - center, eps=1e-9) - radius, material)


def box(center, half, material, rounding=0.1):
    center, half = jnp.array(center), jnp.array(half)
    def sdf(p):
        q = jnp.abs(p - center) - half + rounding
        outside = norm(jnp.maximum(q, 0.0), eps=1e-9)
        return outside + jnp.minimum(q.max(), 0.0) - rounding, material
    return sdf


def floor(height, material):
    def sdf(p):
        checker = (jnp.floor(p[0]) + jnp.floor(p[2])).astype(int) % 2
        return p[1] - height, material + checker
    return sdf


def union(*objects):
    def sdf(p):
        dists, mats = zip(*[o(p) for o in objects])
        dists = jnp.stack(dists)
        i = jnp.argmin(dists)
        return dists[i], jnp.array(mats)[i]
    return sdf


def twist(obj, amount):
    def sdf(p):
        c, s = jnp.cos(amount * p[1]), jnp.sin(amount * p[1])
        d, m = obj(jnp.array([c * p[0] - s * p[2], p[1], s * p[0] + c * p[2]]))
        return 0.7 * d, m
    return sdf


# --- rendering ---------------------------------------------------------------

def raymarch(scene, origin, direction, max_dist=20.0, steps=32):
    def body(_, t):
        d, _m = scene(origin + t * direction)
        return jnp.where(t < max_dist, t + d, t)
    t = jax.lax.fori_loop(0, steps, body, 0.0)
    return t, t < max_dist


def soft_shadow(scene, p, light, hardness=8.0):
    def body(carry, _):
        t, shade = carry
        d, _m = scene(p + t * light)
        return (t + jnp.clip(d, 0.05, 0.5), jnp.minimum(shade, hardness * d / t)), None
    (_, shade), _ = jax.lax.scan(body, (0.1, 1.0), None, length=12)
    return jnp.clip(shade, 0, 1)


def shade_pixel(scene, colors, light, origin, direction):
    t, hit = raymarch(scene, origin, direction)
    p = origin + t * direction
    normal, material = jax.grad(scene, has_aux=True)(p)
    diffuse = jnp.maximum(normalize(normal) @ light, 0.0) * soft_shadow(scene, p, light)
    half = normalize(light - direction)
    specular = jnp.maximum(normal @ half, 0.0) ** 32
    color = colors[material] * (0.15 + 0.85 * diffuse) + 0.3 * specular
    sky = jnp.array([0.3, 0.4, 0.6]) * (1 - jnp.maximum(direction[1], 0))
    return jnp.where(hit, color, sky)


def camera_rays(width, height, eye, target, fov=0.5):
    forward = normalize(jnp.array(target) - eye)
    right = normalize(jnp.cross(forward, jnp.array([0.0, 1.0, 0.0])))
    up = jnp.cross(right, forward)
    x = jnp.linspace(-fov, fov, width)
    y = jnp.linspace(fov, -fov, height) * (2 * height / width)
    pixel = lambda x, y: normalize(forward + x * right + y * up)
    return jax.vmap(jax.vmap(pixel, (0, None)), (None, 0))(x, y)


@functools.partial(jax.jit, static_argnums=(0, 1))
def render(width, height, eye, light):
    scene = union(
        sphere((-0.9, 0.0, 0.0), 0.8, 0),
        twist(box((0.0, 0.2, 0.0), (0.4, 1.0, 0.4), 1), 1.5),
        sphere((1.2, -0.3, 0.6), 0.5, 2),
        floor(-0.8, 3),
    )
    colors = jnp.array([[0.9, 0.3, 0.3], [0.3, 0.9, 0.4], [0.4, 0.5, 1.0], [0.9, 0.9, 0.9], [0.2, 0.2, 0.2]])
    rays = camera_rays(width, height, eye, (0.0, 0.0, 0.0))
    shade = functools.partial(shade_pixel, scene, colors, normalize(light))
    linear = jax.vmap(jax.vmap(shade, in_axes=(None, 0)), in_axes=(None, 0))(eye, rays)
    return jnp.clip(linear, 0, 1) ** (1 / 2.2)


width, height = 44, 18
image = render(width, height, jnp.array([0.5, 1.5, 5.0]), jnp.array([1.0, 1.5, 1.0]))
grey = image @ jnp.array([0.3, 0.6, 0.1])
index = jnp.round(grey * (len(PALETTE) - 1)).astype(jnp.uint8)
for row in index.tolist():
    print("".join(PALETTE[i] for i in row).rstrip())
print(image.shape, "mean colour", image.mean(axis=(0, 1)).round(2))

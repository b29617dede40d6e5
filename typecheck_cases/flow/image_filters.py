"""Classical image processing with convolutions: blur, Sobel edges, bilateral filter, pooling and deconvolution."""

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax


def test_card(size=32):
    """An RGB uint8 image with a disc, stripes and a gradient."""
    y, x = np.mgrid[:size, :size]
    img = np.zeros((size, size, 3), np.uint8)
    img[..., 0] = 255 * ((x - size / 2) ** 2 + (y - size / 2) ** 2 < (size / 4) ** 2)
    img[..., 1] = np.where((x // 4) % 2, 180, 40)
    img[..., 2] = np.linspace(0, 255, size).astype(np.uint8)
    return img


def to_float(img):
    return jnp.asarray(img, jnp.float32) / 255


def to_uint8(img):
    return jnp.clip(jnp.round(img * 255), 0, 255).astype(jnp.uint8)


def gaussian_kernel(sigma, radius=None):
    radius = radius or int(3 * sigma + 0.5)
    t = np.arange(-radius, radius + 1)
    k = np.exp(-0.5 * (t / sigma) ** 2)
    return (k / k.sum()).astype(np.float32)


def filter2d(img, kernel, *, stride=1, dilation=1, mode="edge"):
    """The same 2-D kernel on every channel of an HWC image, as a depthwise convolution."""
    channels = img.shape[-1]
    kh, kw = ((k - 1) * dilation + 1 for k in kernel.shape)
    pad = [(kh // 2, kh // 2), (kw // 2, kw // 2), (0, 0)]
    x = jnp.pad(img, pad, mode=mode)[None]
    w = jnp.broadcast_to(kernel[:, :, None, None], (*kernel.shape, 1, channels))
    out = lax.conv_general_dilated(
        x,
        w.astype(x.dtype),
        window_strides=(stride, stride),
        padding="VALID",
        rhs_dilation=(dilation,) * 2,
        dimension_numbers=("NHWC", "HWIO", "NHWC"),
        feature_group_count=channels,
    )
    return out[0]


def blur(img, sigma):
    k = gaussian_kernel(sigma)
    return filter2d(filter2d(img, k[:, None]), k[None, :])


def luminance(img):
    return jnp.tensordot(img, jnp.array([0.299, 0.587, 0.114]), axes=1)


def sobel(gray):
    gx = np.outer([1, 2, 1], [-1, 0, 1]).astype(np.float32)
    dx, dy = (filter2d(gray[..., None], k)[..., 0] for k in (gx, gx.T))
    return jnp.hypot(dx, dy), jnp.arctan2(dy, dx)


def non_max_suppression(mag, angle):
    """Keep the pixels that are maximal across the edge."""
    sector = jnp.round(angle / (jnp.pi / 4)).astype(jnp.int32) % 4
    shifts = [(0, 1), (1, 1), (1, 0), (1, -1)]
    p = jnp.pad(mag, 1)
    h, w = mag.shape
    neighbours = jnp.stack([
        jnp.maximum(
            lax.dynamic_slice(p, (1 + dy, 1 + dx), (h, w)),
            lax.dynamic_slice(p, (1 - dy, 1 - dx), (h, w)),
        )
        for dy, dx in shifts
    ])
    across = jnp.take_along_axis(neighbours, sector[None], axis=0).squeeze(0)
    return jnp.where(mag >= across, mag, 0)


def patches(img, radius):
    size = 2 * radius + 1
    padded = jnp.pad(img, ((radius, radius), (radius, radius), (0, 0)), mode="reflect")
    out = lax.conv_general_dilated_patches(
        padded[None], (size, size), (1, 1), "VALID", dimension_numbers=("NHWC", "HWIO", "NHWC")
    )
    h, w, c = img.shape
    return out.reshape(h, w, c, size * size)


def bilateral(img, sigma_space=1.5, sigma_range=0.2, radius=2):
    t = jnp.arange(-radius, radius + 1)
    spatial = jnp.exp(-(t[:, None] ** 2 + t[None, :] ** 2) / (2 * sigma_space**2)).ravel()
    p = patches(img, radius)
    dist2 = jnp.sum((p - img[..., None]) ** 2, axis=2, keepdims=True)
    weight = spatial * jnp.exp(-dist2 / (2 * sigma_range**2))
    return jnp.sum(weight * p, axis=-1) / weight.sum(axis=-1)


def max_pool(img, k=2):
    return lax.reduce_window(img, -jnp.inf, lax.max, (k, k, 1), (k, k, 1), "VALID")


def equalize(gray8):
    hist = jnp.bincount(gray8.ravel(), length=256)
    cdf = jnp.cumsum(hist) / gray8.size
    return (255 * cdf[gray8]).astype(jnp.uint8)


def richardson_lucy(blurred, psf, num_iter=10):
    x = jnp.full_like(blurred, 0.5)
    for _ in range(num_iter):
        ratio = blurred / (filter2d(x, psf) + 1e-6)
        x = x * filter2d(ratio, psf[::-1, ::-1])
    return x


def psnr(a, b):
    return -10 * jnp.log10(jnp.mean((a - b) ** 2))


@jax.jit
def pipeline(image8, key):
    img = to_float(image8)
    noisy = jnp.clip(img + 0.08 * jax.random.normal(key, img.shape), 0, 1)
    smooth = {"gaussian": blur(noisy, 0.8), "bilateral": bilateral(noisy)}
    edges = non_max_suppression(*sobel(luminance(img)))
    k = gaussian_kernel(1.0)
    psf = jnp.outer(k, k)
    soft = filter2d(img, psf)
    results = {
        "noisy": psnr(noisy, img),
        **{name: psnr(s, img) for name, s in smooth.items()},
        "blurred": psnr(soft, img),
        "deblurred": psnr(richardson_lucy(soft, psf), img),
    }
    return results, edges > 0.5, to_uint8(max_pool(smooth["bilateral"], 4)), equalize(to_uint8(luminance(img)))


if __name__ == "__main__":
    image = test_card()
    scores, edges, thumb, flat = pipeline(image, jax.random.key(0))
    for name, value in sorted(scores.items(), key=lambda kv: -float(kv[1])):
        print(f"{name:>10}: {value:5.1f} dB")
    print("edge pixels", int(edges.sum()), "thumbnail", thumb.shape, thumb.dtype, "mean grey", flat.mean().round(1))

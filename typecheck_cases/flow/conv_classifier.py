"""A residual convolutional network on synthetic images of bars, with running batch statistics."""

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

SIZE = 12
DIMENSION_NUMBERS = ("NHWC", "HWIO", "NHWC")


def make_images(rng, n):
    """Horizontal, vertical or diagonal bars on noise, uint8 as from an image file."""
    images = rng.integers(0, 80, size=(n, SIZE, SIZE), dtype=np.uint8)
    labels = rng.integers(0, 3, size=n)
    for i, label in enumerate(labels):
        at = rng.integers(2, SIZE - 2)
        if label == 0:
            images[i, at, :] = 255
        elif label == 1:
            images[i, :, at] = 255
        else:
            images[i][np.diag_indices(SIZE)] = 255
    return images[..., np.newaxis], labels.astype(np.int32)


def augment(rng, images):
    padded = np.pad(images, ((0, 0), (1, 1), (1, 1), (0, 0)), mode="edge")
    dy, dx = rng.integers(0, 3, size=2)
    out = padded[:, dy : dy + SIZE, dx : dx + SIZE]
    if rng.random() < 0.5:
        out = out[:, ::-1]
    return out


def conv_init(rng, k, c_in, c_out):
    w = rng.normal(scale=np.sqrt(2 / (k * k * c_in)), size=(k, k, c_in, c_out))
    return jnp.asarray(w, dtype=jnp.float32)


def conv(x, w, stride=1):
    return lax.conv_general_dilated(x, w, (stride, stride), "SAME", dimension_numbers=DIMENSION_NUMBERS)


def batch_norm(x, params, stats, train, decay=0.9):
    if train:
        mean, var = x.mean((0, 1, 2)), x.var((0, 1, 2))
        stats = {
            "mean": decay * stats["mean"] + (1 - decay) * mean,
            "var": decay * stats["var"] + (1 - decay) * var,
        }
    else:
        mean, var = stats["mean"], stats["var"]
    y = (x - mean) / jnp.sqrt(var + 1e-5)
    return y * params["gamma"] + params["beta"], stats


def max_pool(x, window=2):
    return lax.reduce_window(x, -jnp.inf, lax.max, (1, window, window, 1), (1, window, window, 1), "VALID")


def init(rng, widths=(8, 16), n_classes=3):
    params, stats = {}, {}
    c_in = 1
    for i, c in enumerate(widths):
        name = f"block{i}"
        params[name] = {
            "conv1": conv_init(rng, 3, c_in, c),
            "conv2": conv_init(rng, 3, c, c),
            "skip": conv_init(rng, 1, c_in, c),
            "bn": {"gamma": jnp.ones(c), "beta": jnp.zeros(c)},
        }
        stats[name] = {"mean": jnp.zeros(c), "var": jnp.ones(c)}
        c_in = c
    head = rng.standard_normal((c_in, n_classes)).astype(np.float32)
    params["head"] = {"w": 0.1 * jnp.array(head), "b": jnp.zeros(n_classes)}
    return params, stats


def apply(params, stats, images, train):
    x = images.astype(jnp.float32) / 255.0
    new_stats = {}
    for name in sorted(stats):
        p = params[name]
        h = conv(x, p["conv1"])
        h, new_stats[name] = batch_norm(h, p["bn"], stats[name], train)
        h = conv(jax.nn.relu(h), p["conv2"])
        x = max_pool(jax.nn.relu(h + conv(x, p["skip"])))
    features = x.mean(axis=(1, 2))
    return features @ params["head"]["w"] + params["head"]["b"], new_stats


def loss_fn(params, stats, images, labels, smoothing=0.05):
    logits, stats = apply(params, stats, images, True)
    n_classes = logits.shape[-1]
    targets = jax.nn.one_hot(labels, n_classes) * (1 - smoothing) + smoothing / n_classes
    loss = -(targets * jax.nn.log_softmax(logits)).sum(-1).mean()
    return loss, (stats, (logits.argmax(-1) == labels).mean())


@jax.jit
def train_step(params, stats, images, labels):
    (loss, (stats, acc)), grads = jax.value_and_grad(loss_fn, has_aux=True)(params, stats, images, labels)
    norm = jnp.sqrt(sum(jnp.sum(g * g) for g in jax.tree.leaves(grads)))
    clip = jnp.minimum(1.0, 1.0 / (norm + 1e-6))
    params = jax.tree.map(lambda p, g: p - 0.2 * clip * g, params, grads)
    return params, stats, loss, acc


@jax.jit
def evaluate(params, stats, images, labels):
    logits, _ = apply(params, stats, images, train=False)
    return jnp.sum(logits.argmax(-1) == labels)


def main():
    rng = np.random.default_rng(0)
    images, labels = make_images(rng, 96)
    test_images, test_labels = make_images(rng, 32)
    params, stats = init(rng)
    for epoch in range(3):
        order = rng.permutation(len(images))
        losses, accs = [], []
        for idx in np.split(order, 4):
            batch = augment(rng, images[idx])
            params, stats, loss, acc = train_step(params, stats, batch, labels[idx])
            losses.append(loss)
            accs.append(acc)
        print(f"epoch {epoch}: loss {np.mean(losses):.3f}, accuracy {np.mean(accs):.2f}")
    correct = sum(int(evaluate(params, stats, test_images[i : i + 16], test_labels[i : i + 16])) for i in (0, 16))
    print(f"test: {correct}/{len(test_labels)} correct")


if __name__ == "__main__":
    main()

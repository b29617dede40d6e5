"""k-means clustering with counts, labels and an inertia."""

import numpy as np


def distances(points, centres):
    difference = points[:, None, :] - centres[None, :, :]
    return np.sqrt((difference**2).sum(axis=-1))


def assign(points, centres):
    return np.argmin(distances(points, centres), axis=1)


def update(points, labels, k):
    return np.stack([points[labels == j].mean(axis=0) for j in range(k)])


def run(points, k, rounds):
    centres = points[:k]
    for _ in range(rounds):
        labels = assign(points, centres)
        centres = update(points, labels, k)
    return centres, labels


rng = np.random.RandomState(3)
blobs = [rng.randn(20, 2) + offset for offset in (0.0, 5.0, 10.0)]
points = np.concatenate(blobs).astype(np.float32)
centres, labels = run(points[::-1], 3, 4)
counts = np.bincount(labels, minlength=3)
share = counts / counts.sum()
inertia = np.min(distances(points, centres), axis=1).sum()
order = np.argsort(centres[:, 0])
ranked = centres[order]
spread = np.array([np.std(points[labels == j]) for j in range(3)])
print(share, float(inertia), ranked.shape, spread)

"""Missing values and outliers: boolean masks, selections, ranks and quantiles."""

import numpy as np


def standardise(values):
    return (values - np.nanmean(values)) / np.nanstd(values)


def ranks(values):
    order = values.argsort()
    return order.argsort() + 1


readings = np.array([1.0, 2.5, np.nan, 4.0, 100.0, 3.5, np.nan, 2.0], dtype=np.float32)
missing = np.isnan(readings)
present = readings[~missing]
low, high = np.percentile(present, np.array([5, 95]))
inside = (present >= low) & (present <= high)
kept = present[inside]
filled = np.where(missing, np.nanmedian(readings), readings)
capped = np.clip(filled, None, 10.0)
scores = standardise(capped)
labels = np.select([scores < -0.5, scores > 0.5], [-1, 1], default=0)
any_missing = missing.any()
number = missing.sum()
fraction = number / missing.size
position = ranks(filled)
fractional = position / len(position)
weights = np.where(labels == 0, 1.0, 0.5)
weighted = (capped * weights).sum() / weights.sum()
indices = np.nonzero(labels)[0]
chosen = np.take(capped, indices)
both = np.vstack([capped, fractional])
largest = both.max(axis=1)
if any_missing:
    summary = np.array([kept.mean(), weighted, fraction])
else:
    summary = np.zeros(3)
print(chosen.shape, largest, summary)

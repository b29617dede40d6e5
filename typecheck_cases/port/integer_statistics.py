"""Integers of several widths: sums, products, means, divisions, remainders, bits."""

import numpy as np

days = np.array([31, 28, 31, 30, 31, 30], dtype=np.int16)
visits = np.array([12, 7, 30, 22, 9, 41])
weights = np.array([1, 2, 3, 4, 5, 6], dtype=np.uint8)
codes = np.array([3, 200, 15, 7, 90, 1], np.uint32)

total = visits.sum()
per_day = visits / days
whole = visits // days
rest = visits % days
average = np.average(visits, weights=weights)
mean_days = days.mean()
median = np.median(visits)
variance = days.var()
product = np.prod(weights)
small_sum = weights.sum()
running = np.cumsum(weights)
mixed = weights + days
wide = codes + days
signed = codes - visits
halves = days / weights
roots = np.sqrt(weights)
root_of_days = np.sqrt(days)
power = weights**2
scaled = days * 1.5
scaled_float = days * np.float32(1.5)
with_floats = visits * np.ones(6, np.float32)
shifted = codes >> 2
flags = codes & 1
is_odd = flags == 1
number_odd = np.count_nonzero(is_odd)
share_odd = is_odd.mean()
unique, counts = np.unique(visits % 4, return_counts=True)
places = np.searchsorted(np.sort(visits), np.array([10, 20]))
bins = np.digitize(visits, np.array([10, 20, 30]))
quotient, remainder = np.divmod(visits, 7)
largest = np.argmax(visits)
table = np.outer(weights, days)
norm = np.linalg.norm(days)
correlation = np.corrcoef(visits, days)
print(int(total), float(median), unique.shape, counts.shape, places, table.dtype, number_odd >= 0)

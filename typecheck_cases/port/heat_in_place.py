"""Heat in a rod, computed in place as NumPy allows, and sorting in place."""

import numpy as np


def initial(n):
    u = np.zeros(n)
    middle = np.arange(n) * 1.0
    return u + np.sin(middle)


n = 16
u = initial(n)
flux = u[1:] - u[:-1]
scaled = 0.5 * flux
u += 1
u *= np.float32(2)
total = u.sum()
ranked = u + 0
ranked.sort()
smallest = ranked[0]
number = np.arange(n)
number = number + 1
ratio = u / number
u[0] = 0.0
u[1:-1] += scaled[1:] - scaled[:-1]
np.add(u, 1.0, out=u)
inner = u[1:-1]
print(float(total), float(smallest), inner.shape)

"""Half, single and double precision, Python scalars and NumPy scalars together."""

import numpy as np

single = np.linspace(0, 1, 5, dtype=np.float32)
half = single.astype(np.float16)
double = single.astype(np.float64)
counter = np.arange(5)
tiny = np.arange(5, dtype=np.int8)

a = single * 2
b = single * np.sqrt(2.0)
c = single * np.float64(2.0)
d = single + double
e = half * single
f = half + counter
g = single * counter
h = tiny / 3
i = tiny / tiny.max()
j = tiny * 0.1
k = half * 0.1
l = half.mean()
m = half.sum() / 5
n = np.exp(tiny)
o = np.exp(single + 1j)
p = np.array(3.0) * single
q = np.full(3, 2.0) * single[:3]
r = np.where(single > 0.5, single, 0.0)
s = np.hypot(single, tiny)
t = np.arctan2(half, tiny)
u = single.astype(float)
v = counter.astype("float32") / counter.size
w = np.dot(single, counter)
x = np.einsum("i,i->", single, counter)
y = np.interp(np.array([0.1, 0.2]), single, single)
z = np.polyval(np.array([1.0, 2.0]), single)
mask = tiny > 2
aa = mask * single
bb = mask + mask
cc = mask.sum() + tiny
dd = ~mask
ee = -tiny
ff = np.float32(1) / np.int32(3)
gg = np.int8(100) + counter
hh = np.mean(tiny, dtype=np.float32)
ii = np.sum(tiny, dtype=np.int16)
print(a.dtype, b.dtype, o.shape, float(w), dd.any())

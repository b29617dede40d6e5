"""Programs that want to keep what follows them busy for ever, fill its memory, or make it die.

Each is what somebody could put into a pull request.  A checker may know nothing of them, but has to end, in bounds, and
must not call them checked if it did not follow them.
"""

from __future__ import annotations

from typing import Final

__all__ = ["HOSTILE"]

HOSTILE: Final = {
    "a regular expression that takes for ever": """
import re
re.match(r"(a+)+$", "a" * 60 + "b")
""",
    "a password that is stretched": """
import hashlib
hashlib.pbkdf2_hmac("sha512", b"a", b"b", 10**9)
""",
    "a fraction of a thousand million digits": """
from fractions import Fraction
x = Fraction("1e1000000000")
""",
    "a number that is not in a range": "x = 1.5 in range(10**12)\n",
    "a convolution of long arrays": """
import numpy as np
x = np.convolve(np.ones(200_000), np.ones(200_000))
""",
    "a large power": "x = 7 ** (10**9) % 10\n",
    "a power of a power": "x = pow(3, 10**8)\ny = str(x)\n",
    "a factorial": "import math\nx = math.factorial(10**7)\n",
    "all combinations": """
import itertools
x = sum(1 for _ in itertools.permutations(range(15)))
""",
    "an iterator without end": "import itertools\nx = list(itertools.count())\n",
    "a loop without end": "while True:\n    pass\n",
    "nested loops": """
n = 0
for a in range(10**6):
    for b in range(10**6):
        n += a * b
""",
    "a shared tuple at an undecided branch": """
import os
t = (0,)
for _ in range(40):
    t = (t, t)
if os.environ.get("A"):
    u = t
else:
    u = (t, 1)
v = (u, u)
""",
    "a window of a hundred million": "import numpy as np\nx = np.hanning(10**8)\n",
    "a text that doubles": """
s = "a"
for _ in range(60):
    s = f"{s}{s}"
""",
    "a list that doubles": """
s = [1]
for _ in range(60):
    s.extend(s)
""",
    "a list that is multiplied": "s = [0] * 10**11\nt = b'a' * 10**11\nu = 'a' * 10**11\n",
    "a table of all numbers": "x = {i: [i] * 100 for i in range(10**9)}\n",
    "a wide format": "x = '%1000000000d' % 1\ny = f'{1:1000000000}'\nz = '{:>999999999}'.format(1)\n",
    "a zip bomb": "import zlib\nx = zlib.decompress(zlib.compress(bytes(10**9)))\n",
    "an array of many sizes": "import jax.numpy as jnp\nx = jnp.ones((10**9, 10**9)) + 1\ny = x.reshape(-1)\n",
    "many arrays at once": "import numpy as np\nx = [np.zeros(10**8) for _ in range(1000)]\n",
    "a recursion without end": """
def f(n):
    return f(n + 1) + 1
f(0)
""",
    "a recursion through __getattr__": """
class A:
    def __getattr__(self, name):
        return getattr(self, name + "x")
A().a
""",
    "a list in itself": "x = []\nx.append(x)\ny = repr(x)\nz = x == x\nimport copy\nw = copy.deepcopy(x)\n",
    "a deep expression": "x = " + "-" * 5_000 + "1\n",
    "a long sum": "x = " + " + ".join(["1"] * 20_000) + "\n",
    "deep parentheses": "x = " + "(" * 150 + "1" + ")" * 150 + "\n",
    "a long chain of attributes": "x = 1\ny = x" + ".real" * 5_000 + "\n",
    "many blocks": "".join(" " * i + "if x:\n" for i in range(99)) + " " * 99 + "pass\n",
    "a class of classes": """
c = object
for i in range(3000):
    c = type("C", (c,), {})
c()
""",
    "a crash of the interpreter": """
import sys
sys.setrecursionlimit(10**9)
def f():
    f()
f()
""",
    "a signal to itself": "import os, signal\nos.kill(os.getpid(), signal.SIGKILL)\n",
    "the end of the process": "import os\nos._exit(0)\n",
    "an abort": "import os\nos.abort()\n",
    "a crash in C": "import ctypes\nctypes.string_at(0)\nimport faulthandler\nfaulthandler._sigsegv()\n",
    "a lock that nobody opens": "import threading\na = threading.Lock()\na.acquire()\na.acquire()\n",
    "a long sleep": "import time\ntime.sleep(10**6)\n",
    "input": "x = input()\nimport sys\ny = sys.stdin.read()\n",
}
"""The programs by what they do."""

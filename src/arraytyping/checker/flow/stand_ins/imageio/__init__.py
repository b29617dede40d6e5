"""`imageio`: what is read is an array, of axes and a dtype that the file has.

Source: https://imageio.readthedocs.io.
"""

from imageio import v2, v3
from imageio.v2 import imread, imwrite

from arraytyping import facts


def __getattr__(name):
    return facts.reads_only("imageio." + name)

"""`tensorflow_addons`: what augments images is known.

Source: https://www.tensorflow.org/addons.
"""

from arraytyping import facts


def __getattr__(name):
    return facts.reads_only("tensorflow_addons." + name)

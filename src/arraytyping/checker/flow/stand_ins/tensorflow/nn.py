"""`tensorflow.nn`: functions of each element.

Source: https://www.tensorflow.org/api_docs/python/tf/nn.
"""

from tensorflow.math import identity, sigmoid, tanh

from arraytyping import facts


def softmax(logits, axis=None, name=None):
    return identity(logits)


def relu(features, name=None):
    return identity(features)


log_softmax = softmax
relu6 = elu = selu = softplus = softsign = swish = silu = gelu = relu


def l2_normalize(x, axis=None, epsilon=1e-12, name=None):
    return identity(x)


def __getattr__(name):
    return facts.reads_only("tensorflow.nn." + name)

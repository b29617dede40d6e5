"""A Flax model with batch statistics, which are another collection than the parameters."""

import flax.linen as nn
import jax
import jax.numpy as jnp


class Net(nn.Module):
    classes: int = 3

    def setup(self):
        self.conv = nn.Conv(4, (3, 3))
        self.norm = nn.BatchNorm(momentum=0.9)
        self.head = nn.Dense(self.classes)

    def __call__(self, images, train):
        x = nn.relu(self.norm(self.conv(images), use_running_average=not train))
        x = nn.avg_pool(x, (2, 2), strides=(2, 2))
        return self.head(x.reshape((x.shape[0], -1)))


net = Net()
images = jnp.ones((2, 4, 4, 1))
variables = net.init(jax.random.key(0), images, train=False)


def loss(params, stats, images, labels):
    both = {"params": params, "batch_stats": stats}
    out, new = net.apply(both, images, train=True, mutable=["batch_stats"])  # mistake: out, new = net.apply(both, images, True, False, mutable=["batch_stats"]) [call]
    picked = jax.nn.log_softmax(out)[jnp.arange(2), labels]
    return -picked.mean(), new["batch_stats"]


grad = jax.grad(loss, has_aux=True)
grads, stats = grad(variables["params"], variables["batch_stats"], images, jnp.array([0, 2]))  # mistake: grads, stats = grad(variables["params"], variables["stats"], images, jnp.array([0, 2])) [call]
print(jax.tree.map(jnp.shape, grads), stats["norm"]["mean"])

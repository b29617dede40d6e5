"""Graph attention with segment sums on padded batches of random geometric graphs."""

import functools
from collections.abc import Iterator
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np


class Graph(NamedTuple):
    """Several graphs in one, as jraph has it; the last graph is padding."""

    nodes: np.ndarray
    senders: np.ndarray
    receivers: np.ndarray
    edge_features: np.ndarray
    graph_index: np.ndarray
    n_graphs: int


def random_graph(rng, radius=0.45):
    n = int(rng.integers(5, 9))
    position = rng.random((n, 2))
    difference = position[:, None, :] - position[None, :, :]
    distance = np.sqrt((difference**2).sum(-1))
    senders, receivers = np.nonzero((distance < radius) & ~np.eye(n, dtype=bool))
    triangles = np.trace(np.linalg.matrix_power((distance < radius).astype(int) - np.eye(n, dtype=int), 3)) / 6
    return position, senders, receivers, distance[senders, receivers], float(triangles)


def batch_graphs(graphs, max_nodes, max_edges):
    """Concatenates graphs, shifting the indices, and pads to fixed sizes."""
    counts = np.array([len(g[0]) for g in graphs])
    offsets = np.concatenate([[0], np.cumsum(counts)[:-1]])
    nodes = np.concatenate([g[0] for g in graphs])
    senders = np.concatenate([g[1] + o for g, o in zip(graphs, offsets)])
    receivers = np.concatenate([g[2] + o for g, o in zip(graphs, offsets)])
    lengths = np.concatenate([g[3] for g in graphs])
    graph_index = np.repeat(np.arange(len(graphs)), counts)
    n_pad, e_pad = max_nodes - len(nodes), max_edges - len(senders)
    if n_pad < 1 or e_pad < 0:
        raise ValueError(f"batch needs {len(nodes)} nodes and {len(senders)} edges")
    batch = Graph(
        nodes=np.pad(nodes, ((0, n_pad), (0, 0))).astype(np.float32),
        senders=np.pad(senders, (0, e_pad), constant_values=max_nodes - 1).astype(np.int32),
        receivers=np.pad(receivers, (0, e_pad), constant_values=max_nodes - 1).astype(np.int32),
        edge_features=np.pad(lengths, (0, e_pad)).astype(np.float32)[:, None],
        graph_index=np.pad(graph_index, (0, n_pad), constant_values=len(graphs)).astype(np.int32),
        n_graphs=len(graphs) + 1,
    )
    targets = np.array([g[4] for g in graphs] + [0.0], dtype=np.float32)
    return batch, np.log1p(targets)


def loader(seed, n_batches, batch_size) -> Iterator[tuple[Graph, np.ndarray]]:
    rng = np.random.default_rng(seed)
    for _ in range(n_batches):
        yield batch_graphs([random_graph(rng) for _ in range(batch_size)], 10 * batch_size, 56 * batch_size)


def segment_softmax(logits, segments, n_segments):
    biggest = jax.ops.segment_max(logits, segments, n_segments)
    shifted = jnp.exp(logits - jax.lax.stop_gradient(biggest)[segments])
    normaliser = jax.ops.segment_sum(shifted, segments, n_segments)
    return shifted / (normaliser[segments] + 1e-9)


def attention_layer(p, h, g):
    n_nodes = h.shape[0]
    n_heads, d_head = p["a"].shape
    z = (h @ p["w"]).reshape(n_nodes, n_heads, d_head)
    edges = (g.edge_features @ p["w_edge"]).reshape(-1, n_heads, d_head)
    pair = jax.nn.leaky_relu(z[g.senders] + z[g.receivers] + edges)
    scores = jnp.einsum("ehd,hd->eh", pair, p["a"])
    weights = segment_softmax(scores, g.receivers, n_nodes)
    messages = weights[..., None] * (z[g.senders] + edges)
    gathered = jax.ops.segment_sum(messages, g.receivers, num_segments=n_nodes)
    degree = jax.ops.segment_sum(jnp.ones_like(g.senders, dtype=h.dtype), g.receivers, n_nodes)
    update = jnp.concatenate([h, gathered.reshape(n_nodes, n_heads * d_head), degree[:, None]], axis=1)
    return jax.nn.relu(update @ p["w_update"])


def predict(params, g):
    h = g.nodes @ params["embed"]
    for p in params["layers"]:
        h = h + attention_layer(p, h, g)
    pooled = jax.ops.segment_sum(h, g.graph_index, g.n_graphs)
    return jnp.squeeze(pooled @ params["readout"], axis=1)


def init(key, n_features=2, d=16, n_heads=2, n_layers=2):
    def dense(key, *shape):
        return jax.random.normal(key, shape) * shape[0] ** -0.5

    k_embed, k_out, k_layers = jax.random.split(key, 3)
    layers = []
    for k in jax.random.split(k_layers, n_layers):
        k1, k2, k3, k4 = jax.random.split(k, 4)
        layer = dict(w=dense(k1, d, d), w_edge=dense(k2, 1, d), a=dense(k3, n_heads, d // n_heads))
        layers.append(layer | {"w_update": dense(k4, 2 * d + 1, d) * 0.5})
    return {"embed": dense(k_embed, n_features, d), "layers": layers, "readout": dense(k_out, d, 1) * 0.1}


def loss_fn(params, arrays, targets, n_graphs):
    g = Graph(*arrays, n_graphs)
    errors = predict(params, g) - targets
    is_real = jnp.arange(n_graphs) < n_graphs - 1
    return jnp.sum(jnp.where(is_real, errors**2, 0)) / is_real.sum()


@functools.partial(jax.jit, static_argnums=(4,))
def step(params, momentum, arrays, targets, n_graphs):
    loss, grads = jax.value_and_grad(loss_fn)(params, arrays, targets, n_graphs)
    momentum = jax.tree.map(lambda m, g: 0.9 * m + jnp.clip(g, -1, 1), momentum, grads)
    return jax.tree.map(lambda p, m: p - 3e-3 * m, params, momentum), momentum, loss


def main():
    params = init(jax.random.PRNGKey(0))
    momentum = jax.tree.map(lambda p: jnp.zeros(p.shape, p.dtype), params)
    best, patience = float("inf"), 3
    for i, (graph, targets) in enumerate(loader(0, 15, batch_size=4)):
        params, momentum, loss = step(params, momentum, tuple(graph[:-1]), targets, graph.n_graphs)
        if loss < best:
            best, patience = float(loss), 3
        else:
            patience -= 1
        if patience == 0:
            print(f"stopping early at batch {i}")
            break
    print(f"best loss {best:.3f}, {graph.nodes.shape[0]} padded nodes, {len(graph.senders)} padded edges")


main()

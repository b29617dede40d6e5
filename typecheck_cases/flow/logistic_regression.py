"""Multinomial logistic regression on synthetic tabular data prepared with NumPy."""

import collections

import jax
import jax.numpy as jnp
import numpy as np

Split = collections.namedtuple("Split", ["features", "labels"])

N_CLASSES = 3
COLOURS = ["red", "green", "blue", "black"]


def make_table(n_rows, seed):
    rng = np.random.default_rng(seed)
    age = rng.integers(18, 90, size=n_rows)
    income = np.exp(rng.normal(10, 0.5, size=n_rows))
    colour = rng.choice(COLOURS, size=n_rows)
    height = rng.normal(1.75, 0.1, size=n_rows)
    height[rng.random(n_rows) < 0.1] = np.nan
    score = 0.05 * age + 0.3 * (colour == "red") - 2.0 * (income > 25_000) + rng.normal(0, 0.3, n_rows)
    label = np.digitize(score, np.quantile(score, [1 / 3, 2 / 3]))
    return {"age": age, "income": income, "colour": colour, "height": height}, label


def encode(table):
    """Numeric columns are imputed and logged where skewed; text becomes one-hot columns."""
    columns = []
    for name, column in table.items():
        match column.dtype.kind:
            case "U":
                vocabulary, codes = np.unique(column, return_inverse=True)
                columns.append(np.eye(len(vocabulary))[codes])
            case "i" | "u":
                columns.append(column.astype(np.float64)[:, None])
            case "f":
                missing = np.isnan(column)
                filled = np.where(missing, np.nanmedian(column), column)
                if name == "income":
                    filled = np.log1p(filled)
                columns.append(filled[:, None])
                if missing.any():
                    columns.append(missing[:, None].astype(np.float64))
            case other:
                raise TypeError(f"column {name} has an unsupported kind {other!r}")
    return np.hstack(columns)


def split_and_scale(features, labels, test_fraction=0.25, seed=3):
    n = features.shape[0]
    order = np.random.default_rng(seed).permutation(n)
    n_test = int(n * test_fraction)
    test_idx, train_idx = order[:n_test], order[n_test:]
    mu = features[train_idx].mean(0, keepdims=True)
    sigma = features[train_idx].std(0, keepdims=True) + 1e-6
    scaled = ((features - mu) / sigma).astype(np.float32)
    return Split(scaled[train_idx], labels[train_idx]), Split(scaled[test_idx], labels[test_idx])


def predict_logits(params, x):
    w, b = params
    return jnp.dot(x, w) + b


def objective(params, x, y, l2):
    logits = predict_logits(params, x)
    targets = jax.nn.one_hot(y, N_CLASSES)
    log_likelihood = jnp.sum(targets * (logits - jax.nn.logsumexp(logits, axis=1, keepdims=True)), axis=1)
    return -log_likelihood.mean() + 0.5 * l2 * jnp.vdot(params[0], params[0])


@jax.jit
def gradient_descent_step(params, x, y, l2, step_size):
    value, grads = jax.value_and_grad(objective)(params, x, y, l2)
    grad_norm = jnp.sqrt(sum(jnp.vdot(g, g) for g in grads))
    new_params = tuple(p - step_size * g for p, g in zip(params, grads))
    return new_params, value, grad_norm


def fit(train, l2, max_steps=60, tolerance=1e-2):
    n_features = train.features.shape[1]
    params = (jnp.zeros((n_features, N_CLASSES)), jnp.zeros(N_CLASSES))
    for step in range(max_steps):
        params, value, grad_norm = gradient_descent_step(params, train.features, train.labels, l2, 0.8)
        if grad_norm < tolerance:
            print(f"  converged after {step} steps")
            break
    else:
        print(f"  stopped at {max_steps} steps, gradient norm {grad_norm:.3f}")
    return params, value


def classification_report(params, split):
    probabilities = np.asarray(jax.nn.softmax(predict_logits(params, split.features), axis=-1))
    predicted = probabilities.argmax(axis=1)
    recalls = []
    for c in range(N_CLASSES):
        mask = split.labels == c
        recalls.append((predicted[mask] == c).mean())
    brier = ((probabilities - np.eye(N_CLASSES)[split.labels]) ** 2).sum(axis=1).mean()
    return {"accuracy": (predicted == split.labels).mean(), "macro_recall": np.mean(recalls), "brier": brier}


table, label = make_table(400, seed=0)
features = encode(table)
print("design matrix", features.shape, features.dtype)
train, test = split_and_scale(features, label)

best = None
for l2 in [0.0, 1e-2, 1e-1]:
    params, train_loss = fit(train, l2)
    report = classification_report(params, test)
    print(f"l2={l2:g} loss={train_loss:.3f} " + " ".join(f"{k}={v:.3f}" for k, v in report.items()))
    if best is None or report["accuracy"] > best[0]:
        best = report["accuracy"], l2, params

_, best_l2, (weights, bias) = best
top = np.argsort(-np.abs(np.asarray(weights)).sum(axis=1))[:3]
print("best l2", best_l2, "most important columns", top.tolist(), "bias", bias.shape)

"""A monorepo: time and memory of `arraytyping check` over hundreds of scripts, and of planning over ten thousand.

`python benchmarks/monorepo.py` generates 300 scripts that share a package, and prints CPU time, time of the clock and
the memory of the largest process: cold (nothing is kept), warm (nothing has changed), with one script changed, and with
one function of a shared module changed; for each layer alone and for both, and with one and two entry points at a time.

`--planning 10000` generates so many scripts and prints what planning costs: finding the files and the entry points,
looking each up in the cache (all of them kept), and dividing them among eight machines; nothing is followed.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

MODULES = 12
"""Modules of the shared package, each of which every twelfth script imports, with the next one."""
_SHARED = """\
\"\"\"Layers of family {n}.\"\"\"

import jax
import jax.numpy as jnp


def init(key, sizes):
    keys = jax.random.split(key, len(sizes) - 1)
    return [(jax.random.normal(k, (m, n)) / {n}, jnp.zeros(n)) for k, m, n in zip(keys, sizes[:-1], sizes[1:])]


def apply(params, x):
    for w, b in params[:-1]:
        x = jnp.tanh(x @ w + b)
    w, b = params[-1]
    return x @ w + b


def normalize(x, eps=1e-{n}):
    mean = jnp.mean(x, axis=-1, keepdims=True)
    variance = jnp.var(x, axis=-1, keepdims=True)
    return (x - mean) * jax.lax.rsqrt(variance + eps)
"""
_SCRIPTS = (
    """\
import jax
import jax.numpy as jnp

from shared.layers_{a} import apply, init
from shared.layers_{b} import normalize

BATCH, WIDTH = {batch}, {width}


def loss(params, x, y):
    return jnp.mean((apply(params, normalize(x)) - y) ** 2)


@jax.jit
def step(params, x, y):
    value, grads = jax.value_and_grad(loss)(params, x, y)
    return jax.tree.map(lambda p, g: p - 0.1 * g, params, grads), value


def main():
    key = jax.random.key({i})
    params = init(key, [WIDTH, 2 * WIDTH, {classes}])
    x, y = jnp.ones((BATCH, WIDTH)), jnp.zeros((BATCH, {classes}))
    for _ in range(3):
        params, value = step(params, x, y)
    print(value)


if __name__ == "__main__":
    main()
""",
    """\
import jax
import jax.numpy as jnp

from shared.layers_{a} import normalize


def attention(q, k, v):
    scores = jnp.einsum("bqd,bkd->bqk", q, k) / jnp.sqrt({width}.0)
    return jnp.einsum("bqk,bkd->bqd", jax.nn.softmax(scores, axis=-1), v)


def block(x, w):
    y = normalize(x)
    q, k, v = jnp.split(y @ w, 3, axis=-1)
    return x + attention(q, k, v)


def main():
    first, second = jax.random.split(jax.random.key({i}))
    x = jax.random.normal(first, ({batch}, {classes}, {width}))
    w = jax.random.normal(second, ({width}, 3 * {width}))
    out = jax.jit(block)(x, w)
    per_head = out.reshape({batch}, {classes}, 4, {width} // 4).transpose(0, 2, 1, 3)
    print(per_head.mean())


if __name__ == "__main__":
    main()
""",
    """\
import jax
import jax.numpy as jnp
import numpy as np

from shared.layers_{b} import apply, init


def rollout(params, state, steps):
    def one(carry, t):
        after = jnp.tanh(apply(params, carry)) + 0.01 * t
        return after, jnp.sum(after ** 2, axis=-1)

    return jax.lax.scan(one, state, jnp.arange(steps, dtype=jnp.float32))


def main():
    params = init(jax.random.key({i}), [{width}, {width}])
    data = np.linspace(0.0, 1.0, {batch} * {width}).reshape({batch}, {width})
    final, energies = jax.vmap(lambda s: rollout(params, s, {classes}))(jnp.asarray(data))
    covariance = jnp.cov(final, rowvar=False)
    values = jnp.linalg.eigvalsh(covariance)
    print(values[-1], energies.max(axis=1))


if __name__ == "__main__":
    main()
""",
)


def generate(directory: Path, scripts: int) -> None:
    """A repository with so many scripts, in folders of fifty, and the package that they share."""
    shared = directory / "shared"
    shared.mkdir(parents=True)
    (directory / "pyproject.toml").write_text("[project]\nname = 'everything'\nversion = '1'\n")
    (shared / "__init__.py").write_text("")
    for n in range(MODULES):
        (shared / f"layers_{n}.py").write_text(_SHARED.format(n=n + 1))
    for i in range(scripts):
        folder = directory / "scripts" / f"team_{i // 50:03}"
        folder.mkdir(parents=True, exist_ok=True)
        text = _SCRIPTS[i % len(_SCRIPTS)].format(
            i=i,
            a=i // 3 % MODULES,
            b=(i // 3 + 1) % MODULES,
            batch=8 + i % 29,
            width=4 * (3 + i % 31),
            classes=2 + i % 13,
        )
        (folder / f"run_{i:05}.py").write_text(text)


def change_script(directory: Path, tag: int) -> None:
    """Change one script."""
    file = directory / "scripts" / "team_000" / "run_00007.py"
    file.write_text(
        file.read_text().replace("def main():\n", f"def main():\n    extra_{tag} = jnp.ones({tag + 3})\n", 1)
    )


def change_shared(directory: Path, tag: int) -> None:
    """Change one function of a shared module."""
    file = directory / "shared" / "layers_5.py"
    file.write_text(
        file.read_text().replace("    mean = jnp.mean(", f"    extra_{tag} = x + {tag}\n    mean = jnp.mean(", 1)
    )


def checked(directory: Path, options: Sequence[str]) -> tuple[float, float, float]:
    """CPU seconds, those of the clock, and megabytes of the largest process of one check."""
    code = (
        "import json, resource, subprocess, sys, time\n"
        "began = time.monotonic()\n"
        "done = subprocess.run(sys.argv[1:], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)\n"
        "used = resource.getrusage(resource.RUSAGE_CHILDREN)\n"
        "print(json.dumps([used.ru_utime + used.ru_stime, time.monotonic() - began, used.ru_maxrss / 1024,"
        " done.returncode, done.stdout]))\n"
    )
    command = [sys.executable, "-m", "arraytyping", "check", ".", *options]
    done = subprocess.run(
        [sys.executable, "-c", code, *command], cwd=directory, capture_output=True, text=True, check=True
    )
    cpu, wall, memory, status, said = json.loads(done.stdout)
    if status not in (0, 1) or "not checked" in said.lower():
        raise SystemExit(f"the check ended with {status}:\n{said}")
    return cpu, wall, memory


def forget(directory: Path) -> None:
    """Remove what was kept."""
    subprocess.run(["rm", "-rf", ".arraytyping_cache", ".mypy_cache"], cwd=directory, check=True)


LAYERS = {"flow": ["--no-types"], "types": ["--no-flow"], "both": []}


def table(scripts: int, layers: Sequence[str], jobs: Sequence[str]) -> None:
    """Print the table of a repository with so many scripts."""
    print(f"{scripts} scripts, {MODULES} shared modules")
    print(f"{'':28} {'CPU':>8} {'clock':>8} {'memory':>9}")
    with tempfile.TemporaryDirectory() as temporary:
        directory = Path(temporary, "repository")
        generate(directory, scripts)
        tag = 0
        for layer in layers:
            for number in jobs if layer != "types" else jobs[:1]:
                options = [*LAYERS[layer], "-j", number]
                forget(directory)
                for what in ("cold", "warm", "one script changed", "a shared function changed"):
                    tag += 1
                    if what == "one script changed":
                        change_script(directory, tag)
                    elif what.startswith("a shared"):
                        change_shared(directory, tag)
                    cpu, wall, memory = checked(directory, options)
                    name = f"{layer} -j {number}" if layer != "types" else layer
                    print(f"{name:>12}  {what:26} {cpu:6.2f} s {wall:6.2f} s {memory:5.0f} MB", flush=True)


_PLANNING = """\
import json, resource, sys, time
from pathlib import Path
from arraytyping.checker.flow.report.analysis import analyze
from arraytyping.checker.flow.report.cache import ReportCache
from arraytyping.checker.flow.report.shares import Shard, Share, divided
from arraytyping.checker.flow.sources.entry_points import find_entry_points
from arraytyping.checker.flow.sources.project import Project
from arraytyping.checker.flow.start.kept_report import Report
from arraytyping.checker.settings import Settings

KINDS = 3
settings = Settings()

def timed(what, function):
    cpu, wall = time.process_time(), time.monotonic()
    found = function()
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"{what:44} {time.process_time() - cpu:6.2f} s {time.monotonic() - wall:6.2f} s {memory:5.0f} MB", flush=True)
    return found

project = timed("reading and parsing the files", lambda: Project([Path()]))
entries, _ = timed("finding the entry points", lambda: find_entry_points(project))
for count in (8, 64):
    timed(f"dividing them among {count} machines", lambda: Share.of(project, entries, Shard(1, count), {}))

if sys.argv[1] == "fill":  # what stands for the reports: those of three scripts, under the names of all
    from arraytyping.checker.flow.start.starting import start
    cache = ReportCache.of(settings)
    texts = [json.dumps(start(e, project.shown, settings, None, frozenset()).to_json()) for e in entries[:KINDS]]
    for number, entry in enumerate(entries):
        model = entries[number % KINDS]
        text = texts[number % KINDS].replace(model.path.name, entry.path.name)
        text = text.replace(model.path.parent.name, entry.path.parent.name)
        cache.store(Report.from_json(entry, json.loads(text)), project.shown, None, ())
    analyze([Path()], settings, cache=ReportCache.of(settings))  # which follows what is left over
else:
    cache = ReportCache.of(settings)
    found = timed("looking each up in the cache", lambda: [cache.find(e, project.shown, None, ()) for e in entries])
    assert None not in found, f"{found.count(None)} of {len(found)} are not in the cache"
    del found, project
    cache = ReportCache.of(settings)
    timed("all of it, with joining what was found", lambda: analyze([Path()], settings, cache=cache))
    print(f"{cache.reused} of {len(entries)} entry points from the cache")
"""


def planning(scripts: int) -> None:
    """Print what it costs to plan over so many scripts, of which nothing is followed but three."""
    print(f"planning over {scripts} scripts")
    print(f"{'':44} {'CPU':>8} {'clock':>8} {'memory':>8}")
    with tempfile.TemporaryDirectory() as temporary:
        directory = Path(temporary, "repository")
        generate(directory, scripts)
        environment = {**os.environ, "JAX_PLATFORMS": "cpu"}
        for what in ("fill", "plan"):
            subprocess.run(
                [sys.executable, "-c", _PLANNING, what],
                cwd=directory,
                env=environment,
                check=True,
                stdout=subprocess.DEVNULL if what == "fill" else None,
            )


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--scripts", type=int, default=300)
    parser.add_argument("--layers", nargs="+", choices=sorted(LAYERS), default=list(LAYERS))
    parser.add_argument("--jobs", nargs="+", default=["1", "2"])
    parser.add_argument("--keep", type=Path, help="generate the repository there, and check nothing")
    parser.add_argument("--planning", type=int, metavar="SCRIPTS", help="plan over so many, and follow none")
    given = parser.parse_args()
    if given.planning is not None:
        planning(given.planning)
    elif given.keep is not None:
        generate(given.keep, given.scripts)
    else:
        table(given.scripts, given.layers, given.jobs)


if __name__ == "__main__":
    main()

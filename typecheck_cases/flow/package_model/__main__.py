"""Command line of the package: trains one model per optimiser and compares them."""

import argparse
import sys

from . import Config, fit
from .registry import LAYERS, OPTIMISERS


def main(argv=None):
    parser = argparse.ArgumentParser(prog="package_model")
    parser.add_argument("overrides", nargs="*", help="such as optim.steps=50 model.activation=relu")
    parser.add_argument("--compare", action=argparse.BooleanOptionalAction, default=True)
    args = parser.parse_args(argv)
    config = Config().override(args.overrides)
    print("layers:", *LAYERS, "| optimisers:", *OPTIMISERS)

    names = list(OPTIMISERS) if args.compare else [config.optim.name]
    results = {}
    for name in names:
        lr = 0.1 if name == "sgd" else config.optim.learning_rate
        variant = config.override([f"optim.name={name}", f"optim.learning_rate={lr}"])
        _, results[name] = fit(variant)
    for name, metrics in sorted(results.items(), key=lambda item: float(item[1]["loss"])):
        print(f"{name}: test " + ", ".join(f"{k} {v:.3f}" for k, v in metrics.items()))
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""What hydra keeps of its run."""

from arraytyping import facts

HydraConfig = facts.reads_only("HydraConfig")

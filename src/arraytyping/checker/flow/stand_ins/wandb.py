"""`wandb`: what is logged leaves the program; a configuration may come back changed, by a sweep.

Source: https://docs.wandb.ai/ref/python/.
"""

from arraytyping import facts

__version__ = facts.text()
config = facts.reads_only("wandb.config")
run = facts.reads_only("wandb.run")
summary = facts.reads_only("wandb.summary")


class Run:
    def __init__(self):
        self.config = facts.reads_only("wandb.config")
        self.summary = facts.reads_only("wandb.summary")
        self.id = facts.text()
        self.name = facts.text()
        self.dir = facts.text()

    def __enter__(self):
        return self

    def __exit__(self, *error):
        return False

    def log(self, *args, **options):
        return None

    finish = log

    def __getattr__(self, name):
        return facts.reads_only("an attribute of a run of wandb")


def init(*args, **options):
    return Run()


def log(*args, **options):
    return None


finish = save = alert = log


def login(*args, **options):
    return facts.boolean()


def sweep(*args, **options):
    return facts.text()


def agent(sweep_id, function=None, entity=None, project=None, count=None, **options):
    if function is not None:
        function()


def __getattr__(name):
    return facts.reads_only("wandb." + name)

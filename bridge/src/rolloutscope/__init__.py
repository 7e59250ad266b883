"""Publishes a running RL training job to Rolloutscope and lets it be steered.

import rolloutscope

with rolloutscope.attach("my run", folder="runs/mine") as run:
    for batch in data:
        with run.step(planned=64) as step:
            for prompt in batch:
                with step.group(prompt.id, planned=8) as group:
                    rollout = group.rollout()
                    rollout.tokens(ids, pieces, log_probs=log_probs)
                    rollout.close(reward=reward)
"""

__version__ = "0.1.0"

from .run import Run, Sampling, attach
from .server.ws_server import ServerOptions
from .steering.controls import Controls
from .steering.latches import ForkRequest, Wires
from .step import Group, Node, Rollout, Step

__all__ = [
    "Controls",
    "ForkRequest",
    "Group",
    "Node",
    "Rollout",
    "Run",
    "Sampling",
    "ServerOptions",
    "Step",
    "Wires",
    "attach",
]

"""A real training loop in plain Python that publishes itself and can be steered.

    python bridge/examples/plain_loop.py --dir runs/words

Attach to it with Rolloutscope. Started again with the same folder, it goes on from its last checkpoint.
"""

from __future__ import annotations

import argparse
import logging
import random
import signal
import sys
import time
from pathlib import Path
from statistics import fmean, pstdev

from plain_policy import VOCABULARY, Policy, Sample, Task, make_tasks, reward_of

import rolloutscope
from rolloutscope import ForkRequest, Group, Node, Rollout, Run, Sampling, ServerOptions, Step, Wires

WIRES = Wires(
    boundary=True,
    tokens=True,
    launches=True,
    freezes=True,
    budgets=True,
    totals=True,
    skips=True,
    stops=True,
    forks=True,
    train_forks=True,
)
TEMPERATURE = 1.0
PROMPTS_A_STEP = 6
ROLLOUTS = 8
SLOTS = 24
EVALUATE_EVERY = 10
RATE = 2.0


class Running:
    """A rollout that is being sampled; it begins with the tokens that it shares with its parent."""

    def __init__(self, task: Task, rollout: Rollout, said: list[int], temperature: float, baseline: bool) -> None:
        self.task = task
        self.rollout = rollout
        self.node: Node = rollout.node()
        self.said = said
        self.samples: list[Sample] = []
        self.temperature = temperature
        self.baseline = baseline
        self.reward: float | None = None

    def advance(self, policy: Policy, rng: random.Random) -> bool:
        """Samples one token. True: the rollout has ended by itself."""
        sample = policy.sample(self.task, self.said, self.temperature, rng)
        self.said.append(sample.token)
        self.samples.append(sample)
        alternatives = list(zip(VOCABULARY, sample.probabilities, strict=True))
        self.rollout.tokens(
            [sample.token],
            [VOCABULARY[sample.token]],
            log_probs=[sample.log_prob],
            entropies=[sample.entropy],
            alternatives=[alternatives],
        )
        over = len(self.said) >= self.task.most_tokens
        if sample.token != VOCABULARY.index(".") and not over:
            return False
        self.reward = reward_of(self.task, self.said)
        stopped = sample.token == VOCABULARY.index(".")
        self.rollout.close(reward=self.reward, success=self.reward == 1, ending="finished" if stopped else "truncated")
        return True


class Loop:
    """Plans, samples token by token, credits by the group's mean, updates."""

    def __init__(self, run: Run, policy: Policy, done: int, pace: float, seed: int) -> None:
        self.run = run
        self.policy = policy
        self.done = done
        self.pace = pace
        self.rng = random.Random(seed * 1_000_003 + done)
        self.train = {task.id: task for task in make_tasks(12, "train", 1)}
        self.held_out = make_tasks(8, "held-out", 2)
        self.running: list[Running] = []
        self.ended: list[Running] = []
        self.groups: dict[str, Group] = {}
        self.held: dict[str, Running] = {}
        for task in [*self.train.values(), *self.held_out]:
            run.prompt(
                task.id,
                text=task.word,
                reference=task.word[::-1],
                split="train" if task.split == "train" else "heldOut",
                length=len(task.word),
                difficulty="long" if len(task.word) > 11 else "short",
            )

    def step(self) -> float:
        """One step. Returns the mean reward of its rollouts."""
        run, controls = self.run, self.run.controls
        number = self.done + 1
        names = list(self.train)
        drawn = [names[(PROMPTS_A_STEP * (number - 1) + i) % len(names)] for i in range(PROMPTS_A_STEP)]
        planned = controls.plan(dict.fromkeys(drawn, ROLLOUTS), number)
        step = run.step(number, planned=sum(planned.values()), policy_version=self.policy.version)
        step.phase("plan")
        decision = run.decision(
            "allocate",
            "uniform",
            f"{sum(planned.values())} rollouts over {len(planned)} prompts, {ROLLOUTS} each unless a person set them.",
            subject_type="prompt",
            subjects=list(planned),
            inputs={"uniform": [ROLLOUTS] * len(planned)},
            outcome={"rollouts": list(planned.values())},
        )
        groups = {prompt: step.group(prompt, planned=count, decision=decision) for prompt, count in planned.items()}
        self.groups.update({group.id: group for group in groups.values()})
        step.phase("generate")
        self.ended = [running for running in self.ended if running.rollout.use == "probe"][-100:]
        self.generate(groups, dict(planned), decision, step)
        step.phase("train")
        rewards, norm = self.update(step, list(groups.values()))
        if number % EVALUATE_EVERY == 0:
            step.phase("evaluate")
            self.evaluate(number)
        step.metric("stepSeconds", step.seconds)
        step.metric("gradientNorm", norm)
        if step.seconds > 0:
            step.metric("throughput", step.tokens / step.seconds)
        step.close(policy_version=self.policy.version, updates=1)
        self.done = number
        self.forget(number)
        return fmean(rewards) if rewards else 0.0

    def generate(self, groups: dict[str, Group], left: dict[str, int], decision: str, step: Step) -> None:
        controls = self.run.controls
        while True:
            controls.between_tokens()
            for fork in controls.forks():
                self.fork(fork)
            for prompt, group in groups.items():
                if controls.group_stopped(group.id):
                    left[prompt] = 0
                while left[prompt] > 0 and len(self.running) < SLOTS and controls.may_launch(prompt):
                    left[prompt] -= 1
                    rollout = group.rollout(decision=decision)
                    self.begin(Running(self.train[prompt], rollout, [], TEMPERATURE, True))
            moved = self.round()
            of_step = [running for running in self.running if running.rollout.use == "train"]
            if not of_step and not any(left.values()):
                return
            if moved:
                time.sleep(self.pace)
            else:
                controls.wait()

    def begin(self, running: Running) -> None:
        self.running.append(running)
        self.held[running.node.id] = running

    def round(self) -> int:
        """One token for every rollout that may go on. Returns how many moved."""
        controls = self.run.controls
        moved = 0
        for running in list(self.running):
            decision = controls.stopped(running.rollout.id)
            if decision is not None:
                running.rollout.close(ending="stopped", reason="person", decision=decision)
            elif controls.freezes(running.task.id, running.node.id):
                continue
            else:
                moved += 1
                if not running.advance(self.policy, self.rng):
                    continue
                self.ended.append(running)
            self.running.remove(running)
        return moved

    def fork(self, fork: ForkRequest) -> None:
        parent = self.held.get(fork.node)
        group = None if parent is None else self.groups.get(parent.rollout.group.id)
        if parent is None or group is None:
            self.run.controls.refuse(fork, "The tokens of that node are held no longer.")
            return
        if fork.use == "train" and group.closed:
            self.run.controls.refuse(fork, f"{group.id} was closed before the fork could begin.")
            return
        shared = len(parent.said) - len(parent.samples)
        for identity in fork.rollouts:
            rollout = group.rollout(
                rollout=identity,
                parent=parent.node,
                at=fork.at,
                use=fork.use,
                baseline=fork.baseline,
                decision=fork.decision,
            )
            said = parent.said[: shared + fork.at]
            self.begin(Running(parent.task, rollout, said, fork.temperature or TEMPERATURE, fork.baseline))

    def update(self, step: Step, groups: list[Group]) -> tuple[list[float], float]:
        """Credits every group by its mean and standard deviation and updates the policy once."""
        batch: list[tuple[list[Sample], float]] = []
        rewards: list[float] = []
        zero = 0
        for group in groups:
            of_group = [
                running for running in self.ended if running.rollout.group is group and running.rollout.use == "train"
            ]
            baseline = [running.reward for running in of_group if running.baseline and running.reward is not None]
            spread = pstdev(baseline) if len(baseline) > 1 else 0.0
            rewards += baseline
            group.close(used=spread > 0)
            if spread == 0:
                zero += 1
                continue
            middle = fmean(baseline)
            for running in of_group:
                advantage = ((running.reward or 0.0) - middle) / spread
                running.rollout.credit("group-mean", advantage=advantage)
                batch.append((running.samples, advantage))
        norm = self.policy.update(batch, RATE) if batch else 0.0
        entropies = [sample.entropy for running in self.ended for sample in running.samples]
        step.metric("entropy", fmean(entropies) if entropies else 0.0)
        step.metric("effectiveBatch", len(batch))
        step.metric("zeroGradientGroups", zero)
        if rewards:
            step.metric("reward", fmean(rewards), unit="share")
        return rewards, norm

    def evaluate(self, step: int) -> None:
        """Four samples of every held-out word with the weights of now."""
        problems: dict[str, tuple[int, int]] = {}
        for task in self.held_out:
            right = 0
            for _ in range(4):
                said: list[int] = []
                while len(said) < task.most_tokens and (not said or VOCABULARY[said[-1]] != "."):
                    said.append(self.policy.sample(task, said, TEMPERATURE, self.rng).token)
                right += reward_of(task, said) == 1
            problems[task.id] = (4, right)
        self.run.evaluation("held-out words", problems, step=step, policy_version=self.policy.version)

    def forget(self, step: int) -> None:
        """Of steps long past nothing is forked any more."""
        kept = {name for name, group in self.groups.items() if group.step.number > step - 4}
        self.groups = {name: group for name, group in self.groups.items() if name in kept}
        self.held = {node: running for node, running in self.held.items() if running.rollout.group.id in kept}


def main() -> None:
    parser = argparse.ArgumentParser(description="Trains a small policy and publishes the run.")
    parser.add_argument("--dir", type=Path, default=Path("runs/words"), help="folder of the run")
    parser.add_argument("--steps", type=int, default=0, help="last step; 0: until it is ended")
    parser.add_argument("--pace", type=float, default=0.03, help="seconds between two rounds of tokens")
    parser.add_argument("--port", type=int, default=0, help="0: any free one")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    logging.getLogger("rolloutscope.websockets").setLevel(logging.CRITICAL)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    options.dir.mkdir(parents=True, exist_ok=True)
    checkpoint = options.dir / "checkpoint.json"
    policy, done = Policy.load(checkpoint)
    with rolloutscope.attach(
        "words backwards",
        folder=options.dir / "journal",
        framework="plain Python",
        device="one CPU core",
        success_threshold=1.0,
        sampling=Sampling(temperature=TEMPERATURE),
        config={"rollouts": ROLLOUTS, "prompts": PROMPTS_A_STEP, "rate": RATE, "pace": options.pace},
        wires=WIRES,
        server=ServerOptions(port=options.port),
    ) as run:
        print(f"Attach to {run.address}", flush=True)
        loop = Loop(run, policy, done, options.pace, options.seed)
        while options.steps == 0 or loop.done < options.steps:
            reward = loop.step()
            print(f"step {loop.done}: mean reward {reward:.3f}", flush=True)
            try:
                policy.save(checkpoint, loop.done)
            except OSError as error:
                print(f"no checkpoint: {error}", flush=True)
            run.controls.boundary()


if __name__ == "__main__":
    main()

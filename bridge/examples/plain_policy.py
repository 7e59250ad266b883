"""A small real policy in plain Python, and the task it learns: say the letters of a word backwards, then stop.

The policy is a linear softmax over features of the position; it is trained by REINFORCE with group baselines (GRPO
without clipping): the gradient of the log-probability of every sampled token, weighted by the rollout's advantage.
"""

from __future__ import annotations

import json
import math
import random
from dataclasses import dataclass, field
from pathlib import Path

LETTERS = "abcd"
STOP = len(LETTERS)
VOCABULARY = [*LETTERS, "."]
FEATURES = 4 * (len(LETTERS) + 1)


@dataclass(frozen=True)
class Task:
    """A word to be said backwards."""

    id: str
    word: str
    split: str

    @property
    def answer(self) -> list[int]:
        return [LETTERS.index(letter) for letter in reversed(self.word)] + [STOP]

    @property
    def most_tokens(self) -> int:
        return len(self.word) + 4


def make_tasks(count: int, split: str, seed: int) -> list[Task]:
    """Words of 8 to 14 letters, no two neighbours alike; the same for the same seed."""
    rng = random.Random(seed)
    tasks = []
    for number in range(count):
        word = rng.choice(LETTERS)
        for _ in range(7 + number % 7):
            word += rng.choice([letter for letter in LETTERS if letter != word[-1]])
        tasks.append(Task(f"{split}-{number + 1:02d}", word, split))
    return tasks


def reward_of(task: Task, said: list[int]) -> float:
    """Share of the places of the answer that are right; what is said beyond it counts against it."""
    answer = task.answer
    right = sum(a == b for a, b in zip(said, answer, strict=False))
    return right / max(len(answer), len(said))


@dataclass
class Sample:
    """One token as it was sampled."""

    token: int
    log_prob: float
    entropy: float
    probabilities: list[float]
    features: list[int]


@dataclass
class Policy:
    """Weights by feature and token; `version` counts the updates."""

    weights: list[list[float]] = field(default_factory=lambda: [[0.0] * len(VOCABULARY) for _ in range(FEATURES)])
    version: int = 0

    def features(self, task: Task, said: list[int]) -> list[int]:
        """Which features are on: the letter at the mirrored place, the one after it, the same place, the last token."""
        size = len(LETTERS) + 1
        place = len(said)
        word = task.word
        mirrored = len(word) - 1 - place
        letters = (
            word[mirrored] if mirrored >= 0 else None,
            word[mirrored - 1] if mirrored >= 1 else None,
            word[place] if place < len(word) else None,
        )
        on = [LETTERS.index(letter) if letter is not None else len(LETTERS) for letter in letters]
        on.append(said[-1] if said else len(LETTERS))
        return [size * i + value for i, value in enumerate(on)]

    def sample(self, task: Task, said: list[int], temperature: float, rng: random.Random) -> Sample:
        features = self.features(task, said)
        logits = [sum(self.weights[f][token] for f in features) / temperature for token in range(len(VOCABULARY))]
        top = max(logits)
        powers = [math.exp(logit - top) for logit in logits]
        total = sum(powers)
        shares = [power / total for power in powers]
        token = rng.choices(range(len(shares)), shares)[0]
        entropy = -sum(share * math.log(share) for share in shares if share > 0)
        return Sample(token, min(0.0, math.log(shares[token])), max(0.0, entropy), shares, features)

    def update(self, rollouts: list[tuple[list[Sample], float]], rate: float) -> float:
        """One step up the policy gradient of (samples, advantage) pairs. Returns the gradient's norm."""
        gradient = [[0.0] * len(VOCABULARY) for _ in range(FEATURES)]
        tokens = sum(len(samples) for samples, _ in rollouts) or 1
        for samples, advantage in rollouts:
            for sample in samples:
                for feature in sample.features:
                    row = gradient[feature]
                    for token, share in enumerate(sample.probabilities):
                        row[token] += advantage * ((token == sample.token) - share) / tokens
        for row, step in zip(self.weights, gradient, strict=True):
            for token, value in enumerate(step):
                row[token] += rate * value
        self.version += 1
        return math.sqrt(sum(value * value for row in gradient for value in row))

    def save(self, path: Path, step: int) -> None:
        """In one move, so that a crash leaves the last whole checkpoint. Raises OSError."""
        new = path.with_suffix(".new")
        new.write_text(json.dumps({"step": step, "version": self.version, "weights": self.weights}))
        new.replace(path)

    @classmethod
    def load(cls, path: Path) -> tuple[Policy, int]:
        """The policy of a checkpoint and the step it was made after; a new one where there is none."""
        if not path.exists():
            return cls(), 0
        held = json.loads(path.read_text())
        return cls(held["weights"], held["version"]), held["step"]

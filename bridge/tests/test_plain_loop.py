"""The example trains a real policy: it learns, with its run published and without anybody looking."""

from __future__ import annotations

import math
import random
import re
import subprocess
import sys
from pathlib import Path
from statistics import fmean

from plain_policy import STOP, Policy, Task, reward_of

EXAMPLES = Path(__file__).parents[1] / "examples"


def _run(folder: Path, steps: int) -> list[float]:
    command = [sys.executable, str(EXAMPLES / "plain_loop.py"), "--dir", str(folder), "--pace", "0"]
    ended = subprocess.run([*command, "--steps", str(steps)], capture_output=True, text=True, check=False, timeout=120)
    assert ended.returncode == 0, ended.stderr
    return [float(reward) for reward in re.findall(r"mean reward ([\d.]+)", ended.stdout)]


def test_it_learns_and_goes_on_from_its_checkpoint(tmp_path: Path) -> None:
    first = _run(tmp_path, 40)
    assert len(first) == 40
    assert fmean(first[:5]) < 0.4
    assert fmean(first[-5:]) > fmean(first[:5]) + 0.3
    second = _run(tmp_path, 45)
    assert len(second) == 5
    assert fmean(second) > fmean(first[:5]) + 0.3


def test_the_update_is_the_gradient_of_the_log_probability() -> None:
    policy, rng = Policy(), random.Random(3)
    task = Task("t", "abc", "train")
    sample = policy.sample(task, [], 1.0, rng)

    def log_prob(feature: int, token: int, by: float) -> float:
        policy.weights[feature][token] += by
        seen = policy.sample(task, [], 1.0, rng).probabilities[sample.token]
        policy.weights[feature][token] -= by
        return float(math.log(seen))

    feature = sample.features[0]
    expected = [(log_prob(feature, token, 1e-6) - log_prob(feature, token, -1e-6)) / 2e-6 for token in range(5)]
    policy.update([([sample], 1.0)], 1.0)
    for got, wanted in zip(policy.weights[feature], expected, strict=True):
        assert abs(got - wanted) < 1e-6


def test_the_reward_is_the_share_of_right_places() -> None:
    task = Task("t", "abc", "train")
    assert reward_of(task, [2, 1, 0, STOP]) == 1
    assert reward_of(task, [2, 1, 0]) == 0.75
    assert reward_of(task, [2, 1, 0, 0, 0, 0]) == 0.5

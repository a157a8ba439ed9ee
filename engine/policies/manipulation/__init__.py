"""Policies for Manipulation, from the plainest to the strongest."""

from __future__ import annotations

from engine.policies.manipulation.holding import Careful, Knocker
from engine.policies.manipulation.planner import Planner
from engine.policies.manipulation.simple import Faulty, Greedy, Random

__all__ = [
    "Careful",
    "Faulty",
    "Greedy",
    "Knocker",
    "Planner",
    "Random",
]

"""Policies for the gin family, from the plainest to the strongest."""

from __future__ import annotations

from engine.policies.gin.simple import Faulty, Random, Simple
from engine.policies.gin.strong import Strong

__all__ = [
    "Faulty",
    "Random",
    "Simple",
    "Strong",
]

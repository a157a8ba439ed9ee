"""Built-in bots: policies that see an observation and nothing else.

A policy keeps nothing between decisions; whatever it leaves to chance comes from the ``words`` of
that decision (:func:`engine.seeds.bot_key`), so a game can be played again from its seed.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

from engine.errors import BadInput
from engine.events import Command
from engine.policies import gin, manipulation
from engine.seeds import Words
from engine.variant import Variant


class Policy(Protocol):
    """The function that chooses for a seat, as a value with a name."""

    name: str
    """Word for the command line and for tournament files."""
    summary: str
    """One line for people."""

    def choose(self, observation: Any, words: Words) -> Command:
        """Return the command to play; called only for the seat on turn."""


_GIN: tuple[Policy, ...] = (gin.Random(), gin.Simple(), gin.Strong(), gin.Faulty())

POLICIES: Mapping[str, tuple[Policy, ...]] = {
    "manipulation": (
        manipulation.Random(),
        manipulation.Greedy(),
        manipulation.Careful(),
        manipulation.Knocker(),
        manipulation.Planner(),
        manipulation.Faulty(),
    ),
    "gin": _GIN,
    "hollywood-gin": _GIN,
    "oklahoma-gin": _GIN,
}
"""The policies of each variant, by its key."""


def find_policy(variant: Variant, name: str) -> Policy:
    """Return the policy of a variant with a name.

    :raises BadInput: naming the policies there are.
    """
    policies = POLICIES[variant.key]
    for policy in policies:
        if policy.name == name:
            return policy
    known = ", ".join(policy.name for policy in policies)
    raise BadInput(f"bot {name!r} is unknown in {variant.name}; known are: {known}")

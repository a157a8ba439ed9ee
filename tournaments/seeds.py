"""What a tournament leaves to chance, all from its secret seed ``T``."""

from __future__ import annotations

from hmac import digest

from engine.seeds import Words


def pairing_words(tournament_seed: bytes, phase: int) -> Words:
    """Return the random words of a phase's pairings; phases count from 1."""
    label = b"meldboard/pairing/1" + phase.to_bytes(4, "big")
    return Words(digest(tournament_seed, label, "sha256"))


def lots(tournament_seed: bytes, phase: int, count: int) -> list[int]:
    """Return a lot of 1 … ``count`` for each entrant in order of entry; the lower lot wins."""
    words = Words(digest(tournament_seed, b"meldboard/lots/1" + phase.to_bytes(4, "big"), "sha256"))
    drawn = list(range(1, count + 1))
    for i in range(count - 1, 0, -1):
        j = words.below(i + 1)
        drawn[i], drawn[j] = drawn[j], drawn[i]
    return drawn

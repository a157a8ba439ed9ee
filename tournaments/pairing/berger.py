"""The Berger tables: everybody meets everybody at tables of two (FIDE handbook C.05, annex 1)."""

from __future__ import annotations

from tournaments.pairing.packing import Rounds


def berger(entrants: int, cycles: int = 1) -> Rounds:
    """Return the rounds of so many cycles; numbers from 0, the first of a pair takes seat 0.

    In every second cycle the seats are exchanged. With an odd number of entrants one rests in each
    round. The numbers of a round are those of the round before moved on by half the field, while
    the last number stays and changes its seat each time.

    >>> berger(4)
    [[(0, 3), (1, 2)], [(3, 2), (0, 1)], [(1, 3), (2, 0)]]
    """
    size = entrants + entrants % 2
    last, circle = size - 1, size - 1
    rounds: Rounds = []
    for cycle in range(cycles):
        for number in range(circle):
            shift = number * (size // 2) % circle
            first = (shift, last) if number % 2 == 0 else (last, shift)
            others = (
                ((i + shift) % circle, (circle - i + shift) % circle) for i in range(1, size // 2)
            )
            pairs = [first, *others]
            if entrants < size:
                pairs = pairs[1:]
            rounds.append([(b, a) for a, b in pairs] if cycle % 2 else list(pairs))
    return rounds

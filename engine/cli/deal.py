"""``meldboard deal``: how a seed deals."""

from __future__ import annotations

import argparse

from engine import knobs, seeds
from engine.cards import in_order
from engine.errors import BadInput
from engine.record import dumps
from engine.variant import seat_count
from engine.variants import find_variant


def run(args: argparse.Namespace) -> int:
    """Print the deck of a deal and, with a dealer, what everybody gets."""
    variant = find_variant(args.variant)
    if args.seats not in variant.seats:
        raise BadInput(f"--seats must be {seat_count(variant)}")
    if not 1 <= args.deal < 1 << 32:
        raise BadInput(f"--deal is 1 to {2**32 - 1}, not {args.deal}")
    if args.dealer is not None and args.dealer not in range(args.seats):
        raise BadInput(f"--dealer must be a seat, 0 to {args.seats - 1}")
    rules = knobs.parse(variant.rules, knobs.settings_from_text(args.rules))
    deck = seeds.shuffled(args.seed, args.deal, variant.pack(args.seats))
    answer: dict[str, object] = {
        "deck": deck,
        "first_dealer": seeds.first_dealer(args.seed, args.seats),
    }
    if args.dealer is not None:
        order = [(args.dealer + step) % args.seats for step in range(1, args.seats + 1)]
        layout = variant.lay_out(rules, order, args.seats, deck)
        answer["hands"] = [in_order(hand) for hand in layout.hands]
        answer["pile"] = layout.pile
        if layout.upcard is not None:
            answer["upcard"] = layout.upcard
    print(dumps(answer))
    return 0

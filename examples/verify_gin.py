"""Follow every card of a game of the gin family (RULES.md, part B), for verify_record.py.

Each deal is derived from the seed, and whoever lays, discards or shows a card must hold it then.
Whether a decision was allowed and what it scored is not judged here.
"""

from collections import Counter
from itertools import chain

from verify_record import HAND_ORDER, PACK, below, need, same, shuffled

FORMS = {
    "deal_started": ["deal", "dealer", "upcard"],
    "upcard_taken": [],
    "upcard_refused": [],
    "drew_stock": [],
    "drew_discard": [],
    "discarded": ["card"],
    "knocked": ["deadwood", "discard", "gin", "melds"],
    "faulted": ["reason"],
    "forfeited": ["reason"],
    "deal_ended": ["deal", "ending", "hands", "laid_off", "melds", "points", "scores", "winners"],
}


def judge(seed, rules, seats):
    """Follow the cards through each event that is sent."""
    need(seats == 2, "gin is played by two")
    number, dealer, gone = 0, below(seed, b"meldboard/dealer/1")(2), set()
    while True:
        kind, seat, data = yield
        if kind == "game_ended":
            continue
        need(kind in FORMS and sorted(data) == FORMS[kind], "not the fields of such an event")
        acts = kind not in ("deal_started", "deal_ended")
        need(seat in (0, 1) if acts else seat is None, "not who can have done this")
        if kind == "deal_started":
            number, refusals = number + 1, 0
            dealer = dealer if number == 1 else data["dealer"]
            deck = shuffled(seed, number, PACK)
            same(data, {"deal": number, "dealer": dealer, "upcard": deck[20]})
            hands = {1 - dealer: deck[0:20:2], dealer: deck[1:20:2]}
            discards, stock = [deck[20]], deck[21:]
        elif kind in ("upcard_taken", "drew_discard"):
            hands[seat].append(discards.pop())
        elif kind == "drew_stock":
            hands[seat].append(stock.pop(0))
        elif kind == "upcard_refused":
            refusals += 1
            if refusals == 2:
                hands[1 - dealer].append(stock.pop(0))  # G2.2, without an event
        elif kind in ("discarded", "knocked"):
            card = data["card" if kind == "discarded" else "discard"]
            if kind == "discarded" or card is not None:
                need(card in hands[seat], f"seat {seat} does not hold {card}")
                hands[seat].remove(card)
                discards.append(card)
            if kind == "knocked":
                holds(hands[seat], chain(*data["melds"], data["deadwood"]), exactly=True)
        elif kind == "forfeited":
            gone.add(seat)
        elif kind == "deal_ended":
            shown = [None if s in gone else sorted(hands[s], key=HAND_ORDER.index) for s in (0, 1)]
            same(data["hands"], shown)
            melds = [melds or [] for melds in data["melds"]]
            for s in {0, 1} - gone:
                holds(hands[s], chain(*melds[s]))
            holds(hands[0] + hands[1], chain(*melds[0], *melds[1], data["laid_off"]))


def holds(hand, cards, exactly=False):
    """Refuse the record unless a hand holds all of the cards, or is exactly these."""
    hand, cards = Counter(hand), Counter(cards)
    need(not cards - hand and (not exactly or cards == hand), f"{[*cards - hand]} are not held")

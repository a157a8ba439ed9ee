"""Play a game of Manipulation again from the rules alone (RULES.md, part A), for verify_record.py.

Every deal, decision and score is judged, and what follows of itself must stand to the letter.
"""

from collections import Counter
from itertools import chain

from verify_record import HAND_ORDER, PACK, below, need, same, shuffled

RANKS, SUITS = "A23456789TJQK", "cdhs"
WORTH = {card: min(RANKS.index(card[0]) + 1, 10) for card in PACK} | {"*": 25}  # M7.1
RUNS = [(RANKS + "A")[low:high] for low in range(12) for high in range(low + 3, 15)]  # M4.4
MELDS = {tuple(r + s for r in run) for run in RUNS if "23456789TJQKA" not in run for s in SUITS}
MELDS |= {tuple(r + s for s in by) for r in RANKS for by in (SUITS, "cdh", "cds", "chs", "dhs")}
FAULTS = [{"reason": word} for word in ("timeout", "illegal", "crashed", "unreachable")]
LEAVES = [{"reason": word} for word in ("resigned", "withdrawn", "no_show")]
KNOBS = {"dealer": ["left", "winner"], "deal_bonus_to": ["others", "all"], "knock_limit": range(51)}
KNOBS |= {"hand_size": range(5, 16), "target": range(10, 1001), "max_faults": range(1, 21)}
KNOBS |= {"final_lap_knock": [False, True], "length": ["target"], "deals": [None]}
KNOBS |= dict.fromkeys(("undercut_bonus", "out_bonus", "target_bonus", "deal_bonus"), range(501))


def judge(seed, rules, seats):
    """Judge each event that is sent, from the first deal to the end of the game."""
    by_deals = {"length": ["deals"], "deals": range(1, 101)} if rules["deals"] else {}
    need(rules.keys() == KNOBS.keys() and 2 <= seats <= 5, "these are not rules of Manipulation")
    for knob, values in (KNOBS | by_deals).items():
        need(repr(rules[knob]) in map(repr, values), f"{knob} may not be {rules[knob]}")
    totals, won, faults, none = [0] * seats, [0] * seats, [0] * seats, [0] * seats
    hands, pile, tableau, turn, drawn, lap = dict.fromkeys(range(seats)), [], [], None, 0, None
    dealer = below(seed, b"meldboard/dealer/1")(seats)
    must = [("deal_started", None, {"deal": 1, "dealer": dealer})]
    while True:
        kind, seat, data = event = yield
        more = lap is None and drawn < 3 and len(pile) > 0  # M3.4, M8.8
        if must:
            same(event, must.pop(0))
        elif kind == "forfeited":
            need(seat in hands and data in LEAVES, "nobody forfeits like this (M10.2)")
        elif kind == "game_ended":
            same(data, {"bonuses": none, "ending": "aborted", "totals": totals, "winners": []})
        else:
            may = {"drew": more and data == {}, "melded": drawn < 3, "passed": not more}
            may["faulted"] = data in FAULTS
            need(seat == turn and may.get(kind), f"seat {turn} is on turn and may not do this (M3)")
        ending = None
        if kind == "deal_started":
            deal, turn, lap, tableau = data["deal"], dealer, None, []
            order, deck = after(dealer, hands), [*PACK, "*"] * (1 if seats == 2 else 2)
            pile, dealt = shuffled(seed, deal, deck), rules["hand_size"] * len(order)
            hands = {other: pile[i : dealt : len(order)] for i, other in enumerate(order)}
            pile = pile[dealt:]
        elif kind == "drew":
            hands[seat].append(pile.pop(0))
            drawn += 1
        elif kind == "faulted":
            faults[seat] += 1
            must = [("drew", seat, {})] * (min(3 - drawn, len(pile)) if more else 0)
            must += [("passed", seat, {"knock": False})]
            if faults[seat] == rules["max_faults"]:
                must = [("forfeited", seat, {"reason": "faults"})]
        elif kind == "forfeited":
            del hands[seat]
            ending = "forfeit" if len(hands) == 1 else None
        elif kind in ("melded", "passed"):
            laid = {"tableau": data["tableau"]} if kind == "melded" else {}
            if laid:
                hands[seat], tableau = lay(hands[seat], tableau, **laid), data["tableau"]
            same(data, laid | {"knock": data["knock"] is True})
            if data["knock"]:
                need(lap is None or rules["final_lap_knock"], "no knock in the final lap (M8.8)")
                held = points(hands[seat])
                need(0 < held <= rules["knock_limit"], f"no knock with {held} points (M7.2, M7.3)")
            ending = "knock" if data["knock"] else None if hands[seat] else "out"
        if not ending and (kind in ("deal_started", "melded", "passed") or turn not in hands):
            if lap is not None:
                lap = [other for other in lap[1:] if other in hands]
            elif not pile:
                lap = after(turn, hands)  # M8.8
            ending = "exhausted" if lap == [] else None
            turn, drawn = (lap or after(turn, hands))[0], 0
            if lap is None:
                hands[turn].append(pile.pop(0))
                drawn = 1
        if ending:
            result = score_deal(hands, rules, ending, seat, seats)
            must = [("deal_ended", None, {"deal": deal, "ending": ending} | result)]
            totals = [*map(sum, zip(totals, result["scores"], strict=True))]
            won = [deals + (other in result["winners"]) for other, deals in enumerate(won)]
            reached = rules["length"] == "target" and max(totals) >= rules["target"]
            if ending == "forfeit" or reached or deal == (rules["deals"] or 200):
                how = "forfeit" if ending == "forfeit" else "target" if reached else "deals"
                must.append(("game_ended", None, score_game(totals, won, hands, rules, how)))
            else:
                left = rules["dealer"] == "left"
                dealer = next(s for s in after(dealer, hands) if left or s in result["winners"])
                must.append(("deal_started", None, {"deal": deal + 1, "dealer": dealer}))


def after(seat, hands):
    """Return the seats in play from the left of one round to itself."""
    return sorted(hands, key=lambda other: (other - seat - 1) % 5)


def points(hand):
    """Return what a hand counts (M7.1)."""
    return sum(map(WORTH.get, hand))


def lay(hand, before, tableau):
    """Return what is left of a hand that lays the tableau out anew (M4-M6)."""
    for meld in tableau:
        names = tuple(card.removeprefix("*") for card in meld)
        need(type(meld) is list and names in MELDS, f"{meld} is no meld (M4)")
    was, now = (Counter(chain.from_iterable(melds)) for melds in (before, tableau))
    for card in was:
        kept = card in PACK or now[card] >= was[card] or now[card[1:]]
        need(kept, f"{card} may not be renamed (M6.4)")
    was, now = (Counter(c if c in PACK else "*" for c in cards.elements()) for cards in (was, now))
    need(now != was and not was - now, "a card left the tableau, or none came (M5.1, M5.2)")
    need(not now - was - Counter(hand), f"{[*(now - was - Counter(hand))]} are not in the hand")
    return list((Counter(hand) - (now - was)).elements())


def score_deal(hands, rules, ending, last, seats):
    """Return what a deal's end lays open and scores (M8); ``last`` is who acted last."""
    held = {seat: points(hand) for seat, hand in sorted(hands.items())}
    low = min(held.values())
    winners = [seat for seat in held if held[seat] == low and ending != "forfeit"]
    if ending == "knock" and winners != [last]:
        winners = [seat for seat in winners if seat != last]  # M8.5
    score = sum(held.values()) - low * len(held) + rules["out_bonus"] * (ending == "out")
    score += rules["undercut_bonus"] * (ending == "knock" and last not in winners)
    shown = {seat: sorted(hand, key=HAND_ORDER.index) for seat, hand in hands.items()}
    result = {"hands": [*map(shown.get, range(seats))], "points": [*map(held.get, range(seats))]}
    return result | {"scores": [score * (s in winners) for s in range(seats)], "winners": winners}


def score_game(totals, won, hands, rules, how):
    """Return how a game comes out (M9); who forfeited gets no bonus and cannot win (M10.2)."""
    bonuses = [0] * len(totals)
    for seat in hands if how != "forfeit" else ():
        there = how == "target" and totals[seat] >= rules["target"]
        each = 0 if there and rules["deal_bonus_to"] == "others" else rules["deal_bonus"]
        bonuses[seat] = rules["target_bonus"] * there + each * won[seat]
    totals = [*map(sum, zip(totals, bonuses, strict=True))]
    best = max(totals[seat] for seat in hands)
    winners = [seat for seat in sorted(hands) if totals[seat] == best]
    return {"bonuses": bonuses, "ending": how, "totals": totals, "winners": winners}

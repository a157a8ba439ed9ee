"""Check records of card games with Python alone: python3 verify_record.py GAME.jsonl|FOLDER...

Written from RULES.md, it shares nothing with the program that played. Of every game: chain, seed,
deals, and that whoever shows a card holds it; of Manipulation every decision and score as well.
"""

import argparse
import json
import sys
from collections import Counter
from hashlib import sha256
from hmac import digest
from itertools import chain, count, takewhile
from pathlib import Path
from struct import pack, unpack

RANKS, SUITS = "A23456789TJQK", "cdhs"
PACK = [rank + suit for suit in SUITS for rank in RANKS]  # unshuffled
WORTH = {card: min(RANKS.index(card[0]) + 1, 10) for card in PACK} | {"*": 25}  # M7.1
RUNS = [RANKS, *((RANKS + "A")[i : i + n] for n in range(3, 13) for i in range(15 - n))]  # M4.4
MELDS = {tuple(rank + suit for rank in run) for run in RUNS for suit in SUITS}
MELDS |= {tuple(r + s for s in by) for r in RANKS for by in (SUITS, "cdh", "cds", "chs", "dhs")}
FIELDS = {"drew": [], "melded": ["knock", "tableau"], "passed": ["knock"]}
ALL = "dealer deals length max_faults target undercut_bonus"
GIN = f"{ALL} big_gin box_bonus game_bonus gin_bonus shutout"
OWN = "deal_bonus deal_bonus_to final_lap_knock hand_size knock_limit out_bonus target_bonus"
KNOBS = {"manipulation": f"{ALL} {OWN}", "gin": f"{GIN} game_winner knock_limit"}
KNOBS["oklahoma-gin"] = f"{GIN} ace extra_boxes game_winner spade_doubles"
KNOBS["hollywood-gin"] = f"{GIN} knock_limit"
STARTED = ["commitment", "rules", "rules_version", "seats", "variant"]
canonical = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode


def need(true, complaint):
    """Refuse the record unless something is true."""
    if not true:
        raise AssertionError(complaint)


def same(found, right):
    """Refuse the record unless it says just what is right."""
    need(canonical(found) == canonical(right), f"{canonical(found)} should be {canonical(right)}")


def draws(seed, use):
    """Return what draws a number below n, for one use of the seed."""
    key = digest(seed, use, "sha256")
    words = (w for i in count() for w in unpack(">8I", digest(key, pack(">I", i), "sha256")))
    return lambda n: next(word for word in words if word < 2**32 - 2**32 % n) % n


def dealt(seed, number, deck, order, size):
    """Return the hands that the seats get in this order from the shuffled deck, and the pile."""
    below, end = draws(seed, b"meldboard/deal/1" + pack(">I", number)), size * len(order)
    for i in range(len(deck) - 1, 0, -1):
        j = below(i + 1)
        deck[i], deck[j] = deck[j], deck[i]
    return {seat: deck[i : end : len(order)] for i, seat in enumerate(order)}, deck[end:]


def shown(hands, seats):
    """Return the hands as they are laid open when a deal ends."""
    order = [rank + suit for rank in RANKS for suit in SUITS] + ["*"]
    return [sorted(hands[s], key=order.index) if s in hands else None for s in seats]


def without(hand, cards):
    """Return a hand less some cards, which it must hold."""
    hand, cards = Counter(hand), Counter(cards)
    need(not cards - hand, f"{[*(cards - hand)]} not held")
    return [*(hand - cards).elements()]


def gin(events, seed, rules, dealer, seats):
    """Follow the cards of a game of the gin family."""
    for kind, seat, data in takewhile(lambda event: event[0] != "game_ended", events):
        if kind == "deal_started":
            dealer = dealer if data["deal"] == 1 else data["dealer"]
            hands, pile = dealt(seed, data["deal"], PACK[:], [1 - dealer, dealer], 10)
            discards = [pile.pop(0)]
            same([data["dealer"], data["upcard"]], [dealer, *discards])
        elif kind in ("upcard_taken", "drew_discard"):
            hands[seat].append(discards.pop())
        elif kind == "drew_stock" or (kind == "upcard_refused" and seat == dealer):  # G2.2
            hands[seat if kind == "drew_stock" else 1 - dealer].append(pile.pop(0))
        elif kind in ("discarded", "knocked"):
            laid = [card for card in (data.get("card"), data.get("discard")) if card is not None]
            hands[seat], discards = without(hands[seat], laid), discards + laid
            if kind == "knocked":
                left = without(hands[seat], chain(*data["melds"], data["deadwood"]))
                need(not left, f"{left} not shown")
        elif kind == "forfeited":
            del hands[seat]
        elif kind == "deal_ended":
            same(data["hands"], shown(hands, seats))
            left = [without(hand, chain(*data["melds"][seat])) for seat, hand in hands.items()]
            without(chain(*left), data["laid_off"])
        else:
            need(kind in ("faulted", "upcard_refused"), f"{kind} is no event of gin")


def manipulation(events, seed, rules, dealer, seats):
    """Judge each decision and score of a game of Manipulation."""
    hands, totals, won, faults, bonuses = [*seats], *([0 for _ in seats] for _ in "1234")
    for number in count(1):
        same(next(events), ["deal_started", None, {"deal": number, "dealer": dealer}])
        queue = order = sorted(hands, key=lambda seat: (seat - dealer - 1) % 5)
        deck = [*PACK, "*"] * (1 if len(seats) == 2 else 2)
        hands, pile = dealt(seed, number, deck, order, rules["hand_size"])
        tableau, ending, must = [], None, []
        while not ending:
            turn, drawn, lap = queue[0], 1, not pile
            hands[turn], pile = hands[turn] + pile[:1], pile[1:]
            while turn in hands and not ending:
                kind, seat, data = event = next(events)
                more = min(3 - drawn, len(pile))  # M3.4, M8.8
                if must:
                    same(event, must.pop(0))
                elif kind == "game_ended":
                    right = {"ending": "aborted", "totals": totals, "winners": []}
                    return same(data, right | {"bonuses": bonuses})
                elif kind == "forfeited":
                    need(data["reason"] != "faults", f"seat {seat} has fewer faults (M10.2)")
                else:
                    may = {"drew": more, "melded": drawn < 3, "passed": not more, "faulted": True}
                    need(may.get(kind), f"{kind} is not open now (M3)")
                    same(seat, turn)
                same([*data], FIELDS.get(kind, ["reason"]))  # of faults and forfeits
                if kind == "drew":
                    hands[turn], pile, drawn = hands[turn] + pile[:1], pile[1:], drawn + 1
                elif kind == "faulted":
                    faults[seat] += 1
                    must = [*[("drew", seat, {})] * more, ("passed", seat, {"knock": False})]
                    if faults[seat] == rules["max_faults"]:
                        must = [("forfeited", seat, {"reason": "faults"})]
                elif kind == "forfeited":
                    del hands[seat]
                    ending = "forfeit" if len(hands) == 1 else None
                else:
                    if kind == "melded":
                        hands[turn] = lay(hands[turn], tableau, data["tableau"])
                        tableau = data["tableau"]
                    held = sum(map(WORTH.get, hands[turn]))
                    ending = None if hands[turn] else "out"
                    if data["knock"] is not False:
                        may = data["knock"] is True and (not lap or rules["final_lap_knock"])
                        may = may and 0 < held <= rules["knock_limit"]
                        need(may, f"no knock with {held} points (M7, M8.8)")
                        ending = "knock"
                    break
            queue = [seat for seat in queue[1:] + queue[: not lap] if seat in hands]
            ending = ending or (None if queue else "exhausted")
        held = {seat: sum(map(WORTH.get, hand)) for seat, hand in sorted(hands.items())}
        low = min(held.values())
        winners = [seat for seat in held if held[seat] == low and ending != "forfeit"]
        if ending == "knock" and winners != [turn]:
            winners = [seat for seat in winners if seat != turn]  # M8.5
        score = sum(held.values()) - low * len(held) + rules["out_bonus"] * (ending == "out")
        score += rules["undercut_bonus"] * (ending == "knock" and winners != [turn])
        scores = [score * (seat in winners) for seat in seats]
        right = {"deal": number, "ending": ending, "hands": shown(hands, seats), "winners": winners}
        right |= {"points": [*map(held.get, seats)], "scores": scores}
        same(next(events), ["deal_ended", None, right])
        totals = [*map(sum, zip(totals, scores, strict=True))]
        won = [deals + (seat in winners) for seat, deals in enumerate(won)]
        reached = rules["length"] == "target" and max(totals) >= rules["target"]
        if ending == "forfeit" or reached or number == (rules["deals"] or 200):
            break
        heirs = hands if rules["dealer"] == "left" else winners
        dealer = next(seat for seat in order if seat in heirs)
    for seat in hands if ending != "forfeit" else ():
        there = reached and totals[seat] >= rules["target"]
        each = 0 if there and rules["deal_bonus_to"] == "others" else rules["deal_bonus"]
        bonuses[seat] = rules["target_bonus"] * there + each * won[seat]
    totals = [*map(sum, zip(totals, bonuses, strict=True))]
    winners = [s for s in sorted(hands) if totals[s] == max(totals[other] for other in hands)]
    how = "forfeit" if ending == "forfeit" else "target" if reached else "deals"
    right = {"bonuses": bonuses, "ending": how, "totals": totals, "winners": winners}
    same(next(events), ["game_ended", None, right])


def lay(hand, before, after):
    """Return what is left of a hand that lays the tableau out anew (M4-M6)."""
    for meld in after:
        need(tuple(card[-2:] for card in meld) in MELDS, f"{meld} is no meld (M4)")
    was, now = (Counter(chain.from_iterable(melds)) for melds in (before, after))
    lost = [c for c in was if c not in PACK and now[c] < was[c] and not now[c[1:]]]
    need(not lost, f"{lost} may not be renamed (M6.4)")
    was, now = (Counter(c if c in PACK else "*" for c in cards.elements()) for cards in (was, now))
    need(was <= now != was, "a card left the tableau, or none came (M5.1, M5.2)")
    return without(hand, now - was)


def chained(lines, done):
    """Yield the events of lines that are chained; add each line to those done before."""
    prev = "0" * 64
    for seq, line in enumerate(lines, 1):
        done.append(line)
        event = json.loads(line, parse_float=int)
        form = {"game": json.loads(done[0])["game"], "prev": prev, "seq": seq, "v": 1}
        true = len(event) == 8 and type(event["data"]) is dict and line == canonical(event | form)
        need(true, "the line is not canonical, or not chained to the one before")
        prev = sha256(line.encode()).hexdigest()
        yield event["type"], event["seat"], event["data"]


def check(record, done):
    """Check a record, adding to the lines done; return its game and head."""
    *lines, end, rest = record.decode().split("\n")
    events, seed = chained(lines, done), bytes.fromhex(json.loads(lines[-1])["data"]["seed"])
    kind, _, start = next(events)
    same([kind, start["commitment"], [*start]], ["game_started", sha256(seed).hexdigest(), STARTED])
    wrong = {*start["rules"]} ^ {*KNOBS.get(start["variant"], "").split()}
    need(not wrong, f"{sorted(wrong)}: no knobs of {start['variant']}, or left out")
    dealer = draws(seed, b"meldboard/dealer/1")(len(start["seats"]))
    judge = manipulation if start["variant"] == "manipulation" else gin
    judge(events, seed, start["rules"], dealer, range(len(start["seats"])))
    same([*events], [("seed_revealed", None, {"seed": seed.hex()})])
    head = sha256(lines[-1].encode()).hexdigest()
    same([end, rest], [canonical({"head": head}), ""])
    return f"{json.loads(lines[0])['game']} {head}"


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.partition(":")[0])
    parser.add_argument("records", nargs="+", metavar="GAME.jsonl|FOLDER", type=Path)
    parser.add_argument("--heads", metavar="heads.txt", type=Path, help="heads published before")
    chosen, false = parser.parse_args(), 0
    heads = chosen.heads and chosen.heads.read_text().splitlines()
    for path in chain(*(sorted(p.glob("*.jsonl")) if p.is_dir() else [p] for p in chosen.records)):
        done = []
        try:
            found = check(path.read_bytes(), done)
            need(heads is None or found in heads, "this is not the head in the list")
            print(f"{path}: ok, {len(done)} events, head {found.split()[1]}")
        except Exception as error:
            clear = isinstance(error, (AssertionError, OSError))
            print(f"{path}: line {len(done)}: {error if clear else 'not a line of a whole record'}")
            false += 1
    sys.exit(false > 0)

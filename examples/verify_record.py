"""Check records of card games with Python alone: python3 verify_record.py GAME.jsonl|FOLDER...

Python 3.10 or newer is enough. A second opinion: it is written from the rules (RULES.md) and shares
nothing with the program that played. This file checks of every game the form of each line, the
chain of hashes, and the seed that line 1 commits to. A file beside it for each kind of game goes
through the events with the cards that follow from that seed. The head that is printed must be the
one that was published when the game was over; --heads heads.txt compares it with such a list.
"""

import argparse
import json
import re
import sys
from datetime import datetime
from hashlib import sha256
from hmac import digest
from importlib import import_module
from itertools import chain, count
from pathlib import Path
from struct import pack, unpack

PACK = [rank + suit for suit in "cdhs" for rank in "A23456789TJQK"]  # unshuffled
HAND_ORDER = [rank + suit for rank in "A23456789TJQK" for suit in "cdhs"] + ["*"]
JUDGES = {"manipulation": "verify_manipulation", "gin": "verify_gin"}
JUDGES |= {"hollywood-gin": "verify_gin", "oklahoma-gin": "verify_gin"}

REFUSALS = (ValueError, LookupError, TypeError, AttributeError, RecursionError)

canonical = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode


def need(true, complaint):
    """Refuse the record unless something is true."""
    if not true:
        raise ValueError(complaint)


def same(found, right):
    """Refuse the record unless it says just what is right."""
    need(canonical(found) == canonical(right), f"{canonical(found)} should be {canonical(right)}")


def below(seed, use):
    """Return what draws a number below n, for one use of the seed."""
    key = digest(seed, use, "sha256")
    words = (w for i in count() for w in unpack(">8I", digest(key, pack(">I", i), "sha256")))
    return lambda n: next(word for word in words if word < 2**32 - 2**32 % n) % n


def shuffled(seed, deal, cards):
    """Return the cards of a deal in the order in which they are dealt."""
    draw, cards = below(seed, b"meldboard/deal/1" + pack(">I", deal)), list(cards)
    for i in range(len(cards) - 1, 0, -1):
        j = draw(i + 1)
        cards[i], cards[j] = cards[j], cards[i]
    return cards


def check(data):
    """Check a record; yield each line's game and hash when all is right up to there."""
    head, (*lines, last, rest) = "0" * 64, data.decode().split("\n")
    need(len(lines) > 2, "a record has lines of events and a line with the head")
    game, start = (json.loads(lines[0])[key] for key in ("game", "data"))
    need(re.fullmatch("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", game), "game is no uuid")
    seed, seats = bytes.fromhex(json.loads(lines[-1])["data"]["seed"]), start["seats"]
    need(
        len(seed) == 32 and type(seats) is list, "the last line has no seed, or the first no seats"
    )
    ids = all(seat.isprintable() and 1 <= len(seat) <= 100 for seat in seats)
    need(ids and len(set(seats)) == len(seats), "seats are the ids of different players")
    fixed = {"commitment": sha256(seed).hexdigest(), "rules_version": 1, "seats": seats}
    fixed |= {"rules": start["rules"], "variant": start["variant"]}
    judge = import_module(JUDGES[start["variant"]]).judge(seed, start["rules"], len(seats))
    next(judge)
    for seq, text in enumerate(lines, 1):
        event = json.loads(text, parse_float=int, parse_constant=int)  # int() refuses those
        need(event["prev"] == head, "prev is not the hash of the line before")
        form = event | {"game": game, "prev": head, "seq": seq, "v": 1}
        need(len(event) == 8 and canonical(form) == text, "the line has not the right form")
        at, kind, seat = event["at"], event["type"], event["seat"]
        need(seat is None or type(seat) is int, "seat is a number or null")
        time = datetime.strptime(at, "%Y-%m-%dT%H:%M:%S.%fZ").isoformat("T", "microseconds")
        need(time + "Z" == at, "at is no time in UTC")
        need(
            (kind == "game_ended") == (seq == len(lines) - 1), "the game ends just before the seed"
        )
        if seq == 1:
            same([kind, seat, event["data"]], ["game_started", None, fixed])
        elif seq < len(lines):
            judge.send((kind, seat, event["data"]))
        else:
            same([kind, seat, event["data"]], ["seed_revealed", None, {"seed": seed.hex()}])
        head = sha256(text.encode()).hexdigest()
        yield game, head
    need([last, rest] == [canonical({"head": head}), ""], "the head is not the last line's hash")


def main():
    """Say of each record whether it is true, and exit with 1 if any is not."""
    parser = argparse.ArgumentParser(description=__doc__.partition(":")[0])
    parser.add_argument("records", nargs="+", metavar="GAME.jsonl|FOLDER", type=Path)
    parser.add_argument("--heads", metavar="heads.txt", type=Path, help="heads published before")
    chosen = parser.parse_args()
    published = {}
    if chosen.heads:
        published = dict(re.findall(r"^(\S+) ([0-9a-f]{64})$", chosen.heads.read_text(), re.M))
        published or parser.error(f"{chosen.heads} has no line of a game and its head")
    false = 0
    folders = [sorted(path.glob("*.jsonl")) if path.is_dir() else [path] for path in chosen.records]
    for path in chain(*folders):
        line = 0
        try:
            for game, head in check(path.read_bytes()):
                line, end = line + 1, (game, head)
            need(not published or end in published.items(), "this is not the head in the list")
            print(f"{path}: ok, {line} events, head {head}")
        except (*REFUSALS, OSError) as error:
            false += 1
            clear = isinstance(error, (ValueError, OSError))
            print(f"{path}: line {line + 1}: {error if clear else f'no such record: {error!r}'}")
    sys.exit(false > 0)


if __name__ == "__main__":
    main()

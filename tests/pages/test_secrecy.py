"""Two games that differ only in cards nobody may see have pages of the same bytes."""

from __future__ import annotations

import re
from hashlib import sha256

import pytest
from django.test import Client
from django.urls import reverse

from engine.variants import find_variant
from games import folds, selectors
from games.models import Game, Player, Seed
from games.services.bots import bots_play, builtin_bot
from games.services.games import game_create

pytestmark = pytest.mark.django_db

TOKEN = re.compile(rb'name="csrfmiddlewaretoken" value="\w+"')


@pytest.fixture
def mid_game() -> Game:
    """A game in which two bots have played and a person is on turn."""
    person = Player.objects.create(kind=Player.Kind.PERSON, name="Ann")
    bots = [builtin_bot(policy="greedy", number=number) for number in (1, 2)]
    for number in range(20):
        seed = sha256(b"secrecy%d" % number).digest()
        game = game_create(
            variant=find_variant("manipulation"), rules={}, players=[person, *bots], seed=seed
        )
        bots_play(game_id=game.pk, seq=game.seq)
        game.refresh_from_db()
        if game.seq > 4:
            return game
    raise AssertionError("bots never played")


def routes(game: Game) -> list[str]:
    address = reverse("game", args=[game.pk])
    paths = [address, f"{address}frames/0/", f"{address}frames/1/", f"{address}deals/1/"]
    paths += [
        f"{address}0123abcd/frames/1/",
        f"{address}?step=0",
        f"{address}?seq=2",
        f"{address}record.jsonl",
    ]
    paths += ["/", "/games/", "/leaderboards/manipulation/"]
    return paths + [reverse("player", args=[seat.player_id]) for seat in game.seats.all()]


def test_pages_of_a_running_game_are_the_same_whatever_is_hidden(
    client: Client, mid_game: Game
) -> None:
    paths = routes(mid_game)
    one = [TOKEN.sub(b"", client.get(path).content) for path in paths]
    Seed.objects.filter(pk=mid_game.seed_id).update(value=bytes(32))
    selectors._replays.clear()
    folds._cache.clear()
    two = [TOKEN.sub(b"", client.get(path).content) for path in paths]
    for path, a, b in zip(paths, one, two, strict=True):
        assert a == b, path


def test_no_hidden_card_stands_in_the_page_of_a_running_game(
    client: Client, mid_game: Game
) -> None:
    """Nothing but the tableau, what was played, and the narration of it is a card."""
    state = folds.load(mid_game).state
    laid = {card[-2:] for meld in state.deal.tableau for card in meld}
    text = client.get(reverse("game", args=[mid_game.pk])).content.decode()
    ranks = {"ace": "A", "10": "T", "jack": "J", "queen": "Q", "king": "K"}
    named = re.findall(r"(\w+) of (clubs|diamonds|hearts|spades)", text)
    assert {ranks.get(rank, rank) + suit[0] for rank, suit in named} == laid
    assert bytes(mid_game.seed.value).hex() not in text and mid_game.head not in text

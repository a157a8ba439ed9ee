"""Two games that differ only in cards nobody may see have pages of the same bytes."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from django.urls import reverse

from games import folds, selectors
from games.models import Game, Seed

pytestmark = pytest.mark.django_db

TOKEN = re.compile(rb'name="csrfmiddlewaretoken" value="\w+"')


def routes(game: Game) -> list[str]:
    address = reverse("game", args=[game.pk])
    paths = [address, f"{address}frames/0/", f"{address}frames/1/", f"{address}deals/1/"]
    paths += [
        f"{address}0123abcd/frames/1/",
        f"{address}?step=0",
        f"{address}?seq=2",
        f"{address}record.jsonl",
        f"{address}table.svg",
        f"{address}table.svg?step=1&as=0",
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

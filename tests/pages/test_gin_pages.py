"""Replays of the gin family: every step, the score columns, the knock card, and secrecy."""

from __future__ import annotations

import gzip
import re
from collections.abc import Callable
from hashlib import sha256
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from engine.gin.melds import faces
from engine.variants import find_variant
from games import folds, selectors
from games.models import Game, Player, Seed
from games.pages.stage import drawing_version
from games.pages.verdicts import verdicts_of
from games.selectors import game_replay
from games.services.bots import bots_play, builtin_bot
from games.services.games import game_create
from games.templatetags.meldboard import card_words
from tests.pages.checks import check_html, check_page
from tests.pages.test_secrecy import TOKEN
from tests.tournaments.running import work

pytestmark = pytest.mark.django_db

SHORT = {"length": "deals", "deals": 2}


@pytest.fixture
def gin(db: None) -> Callable[..., Game]:
    """Make a sealed game of two bots."""

    def make(key: str, tag: str = "gin", **rules: Any) -> Game:
        bots = [builtin_bot(policy=name, number=9) for name in ("strong", "simple")]
        seed = sha256(tag.encode()).digest()
        game = game_create(variant=find_variant(key), rules=rules, players=bots, seed=seed)
        work()
        game.refresh_from_db()
        assert game.is_sealed
        return game

    return make


@pytest.mark.parametrize("key", ["gin", "hollywood-gin", "oklahoma-gin"])
def test_every_step_can_be_shown(client: Client, gin: Callable[..., Game], key: str) -> None:
    game = gin(key, **SHORT)
    replay = game_replay(game)
    for step in range(len(replay.steps)):
        response = client.get(reverse("game", args=[game.pk]), {"step": step})
        page = check_page(response)
        text = response.content.decode()
        deal = replay.state(step).deal
        open_ = [*deal.discards, *faces(deal.hands[0]), *faces(deal.hands[1])]
        assert {f"k{card}" for card in open_} <= set(page.ids)
        assert f'data-step="{step}"' in text and "in stock" in text
        frame = client.get(f"{reverse('game', args=[game.pk])}{drawing_version()}/frames/{step}/")
        check_html(frame.content.decode())
        assert len(gzip.compress(frame.content, 9)) < 3 * 1024
    assert "Deadwood left in hand" in text and "taken from the discard pile" in text
    assert ("Score columns" in text) is (key == "hollywood-gin")
    assert ("knock card" in text) is (key == "oklahoma-gin")


def test_less_deadwood_is_better_for_every_seat(client: Client, gin: Callable[..., Game]) -> None:
    """Whoever missed nothing is compared in the same way as the others."""
    game = gin("gin", "less", **SHORT)
    shares = verdicts_of(game, game_replay(game)).shares
    assert any(share.missed for share in shares) and not all(share.missed for share in shares)
    assert all(share.percent is None for share in shares)
    text = client.get(reverse("game", args=[game.pk])).content.decode()
    assert "0 missed" in text


def test_columns_of_a_whole_game(client: Client, gin: Callable[..., Game]) -> None:
    game = gin("hollywood-gin", target=40)
    text = client.get(reverse("game", args=[game.pk])).content.decode()
    columns = game_replay(game).states[-1].sheet.columns
    table = text[text.index('<table class="c-score">') :]
    table = table[: table.index("</table>")]
    assert table.count("closed") == 3
    shown = [int(n) for n in re.findall(r'<td class="u-num">(\d+)', table)]
    assert shown == [column.points[seat] for seat in (0, 1) for column in columns]
    assert table.count("shut out") == sum(0 in column.points for column in columns)


def test_an_oklahoma_deal_with_a_spade(client: Client, gin: Callable[..., Game]) -> None:
    game = gin("oklahoma-gin")
    replay = game_replay(game)
    for steps in replay.deals:
        upcard = replay.state(steps[0]).deal.upcard
        text = client.get(reverse("game", args=[game.pk]), {"step": steps[0]}).content.decode()
        assert ("score × 2" in text) is (upcard[1] == "s")
        limit = replay.state(steps[0]).rules.limit(upcard)
        assert f'knock with <strong class="u-num">{limit}</strong> or less' in text
        assert f'aria-label="{card_words(upcard)}"' in text


@pytest.mark.parametrize("eyes", ["public", "0", "1"])
def test_a_view_shows_what_its_eyes_see(
    client: Client, gin: Callable[..., Game], eyes: str
) -> None:
    """Own cards at every step, and of the others only what everybody saw."""
    game = gin("gin", "views", length="deals", deals=1)
    replay = game_replay(game)
    for step in range(len(replay.steps)):
        state = replay.state(step)
        deal = state.deal
        own = {card for s in (0, 1) if str(s) == eyes for card in faces(deal.hands[s])}
        open_ = {*deal.discards, *faces(deal.seen[0]), *faces(deal.seen[1]), deal.upcard}
        address = f"{reverse('game', args=[game.pk])}?step={step}&as={eyes}"
        text = client.get(address).content.decode()
        assert own <= named(text) <= own | open_, step


def named(text: str) -> set[str]:
    """The cards that stand in a page."""
    ranks = {"ace": "A", "10": "T", "jack": "J", "queen": "Q", "king": "K"}
    found = re.findall(r"(\w+) of (clubs|diamonds|hearts|spades)", text)
    return {ranks.get(rank, rank) + suit[0] for rank, suit in found}


@pytest.fixture
def mid_game(db: None) -> Game:
    """A game in which a bot has discarded and a person is on turn."""
    person = Player.objects.create(kind=Player.Kind.PERSON, name="Ann")
    for number in range(40):
        seed = sha256(b"gin secrecy%d" % number).digest()
        players = [person, builtin_bot(policy="simple", number=1)]
        game = game_create(variant=find_variant("gin"), rules={}, players=players, seed=seed)
        bots_play(game_id=game.pk, seq=game.seq)
        game.refresh_from_db()
        if game.seq > 3:
            return game
    raise AssertionError("the bot never took an upcard")


def paths(game: Game) -> list[str]:
    address = reverse("game", args=[game.pk])
    return [address, f"{address}frames/0/", f"{address}frames/1/", f"{address}deals/1/"]


def test_a_running_game_hides_its_hands(client: Client, mid_game: Game) -> None:
    """The pages are the same whatever is hidden, and only cards that all saw stand in them."""
    state = folds.load(mid_game).state
    one = [TOKEN.sub(b"", client.get(path).content) for path in paths(mid_game)]
    seen = {*state.deal.discards, *faces(state.deal.seen[0]), *faces(state.deal.seen[1])}
    assert named(one[0].decode()) <= seen | {state.deal.upcard}
    assert "Hidden cards" in one[0].decode() and "Cards left in hand" in one[0].decode()
    Seed.objects.filter(pk=mid_game.seed_id).update(value=bytes(32))
    selectors._replays.clear()
    folds._cache.clear()
    two = [TOKEN.sub(b"", client.get(path).content) for path in paths(mid_game)]
    assert one == two

"""The replay's page, its fragments, the list of games, the record."""

from __future__ import annotations

import gzip
import re

import pytest
from django.test import Client
from django.urls import reverse

from engine.variants import find_variant
from engine.verify import verify
from games.models import Game
from games.pages.stage import drawing_version
from games.pages.verdicts import verdicts_of
from games.selectors import game_replay
from games.services.bots import bots_play, builtin_bot
from games.services.games import game_create
from tests.pages.checks import check_html, check_page
from tournaments.models import Tournament

pytestmark = pytest.mark.django_db


def test_every_step_can_be_shown(client: Client, sealed: Game) -> None:
    replay = game_replay(sealed)
    for step in range(len(replay.steps)):
        response = client.get(reverse("game", args=[sealed.pk]), {"step": step})
        page = check_page(response)
        text = response.content.decode()
        shown = [card.id for meld in replay.board(step).melds for card in meld.cards]
        assert set(shown) <= set(page.ids)
        assert f'data-step="{step}"' in text
        assert (
            f'<progress id="bar" aria-hidden="true" value="{step}" max="{len(replay.steps) - 1}">'
            in text
        )
        if step:
            assert text.count('aria-current="step"') == 1
    assert response.content.count(b"c-seatbox ") + response.content.count(b'"c-seatbox"') == 3


def test_without_a_step_a_game_is_shown_where_it_stands(client: Client, sealed: Game) -> None:
    address = reverse("game", args=[sealed.pk])
    last = len(game_replay(sealed).steps) - 1
    assert f'data-step="{last}"' in client.get(address).content.decode()
    seq = game_replay(sealed).steps[1].last
    assert 'data-step="1"' in client.get(address, {"seq": seq}).content.decode()


@pytest.mark.parametrize(
    "query", ["step=99999", "step=-1", "step=x", "step=", "step=1e3", "step=²"]
)
def test_an_unknown_step_names_those_there_are(client: Client, sealed: Game, query: str) -> None:
    response = client.get(f"{reverse('game', args=[sealed.pk])}?{query}")
    check_page(response, 404)
    last = len(game_replay(sealed).steps) - 1
    assert f"steps are 0 to {last}" in response.content.decode()


def test_an_unknown_event_game_deal_and_frame(client: Client, sealed: Game) -> None:
    address = reverse("game", args=[sealed.pk])
    for path, right in (
        (f"{address}?seq=0", f"events are 1 to {sealed.seq}"),
        (f"{address}?seq=x", f"events are 1 to {sealed.seq}"),
        (f"{address}frames/9999/", "steps are 0 to"),
        (f"{address}deals/0/", "deals are 1 to 2"),
        ("/games/01900000-0000-7000-8000-000000000000/", "There is no game"),
    ):
        response = client.get(path)
        check_page(response, 404)
        assert right in response.content.decode()


def test_a_frame_is_the_part_of_the_page_that_changes(client: Client, sealed: Game) -> None:
    address = reverse("game", args=[sealed.pk])
    page = client.get(address, {"step": 3}).content.decode()
    frame = client.get(f"{address}{drawing_version()}/frames/3/")
    check_html(frame.content.decode())
    stage = re.search(r'<div id="stage".*?\n</div>\n', frame.content.decode(), re.S)
    assert stage is not None and stage[0] in page
    parts = re.findall(r'id="(\w+)" data-part', frame.content.decode())
    assert (
        parts == ["stage", "verdict", "transport", "cursor", "picture"]
        and 'id="seats"' in frame.content.decode()
    )
    assert len(gzip.compress(frame.content, 9)) < 3 * 1024


def test_frames_of_a_sealed_game_may_be_kept_under_their_version_only(
    client: Client, sealed: Game
) -> None:
    address = reverse("game", args=[sealed.pk])
    for kind in ("frames/1/", "deals/1/"):
        kept = client.get(f"{address}{drawing_version()}/{kind}")
        assert kept["Cache-Control"] == "public, max-age=31536000, immutable"
        assert kept.headers.get("Vary", "") in ("", "Accept-Encoding") and not kept.cookies
        for other in ("", "0000aaaa/"):
            response = client.get(f"{address}{other}{kind}")
            assert response["Cache-Control"] == "private, no-store"
            assert response.content == kept.content


def test_a_mistake_is_shown_against_the_best_play(client: Client, sealed: Game) -> None:
    address = reverse("game", args=[sealed.pk])
    verdicts = verdicts_of(sealed, game_replay(sealed))
    worst = verdicts.biggest[0]
    assert worst.badge == "??" and worst == max(verdicts.mistakes, key=lambda v: v.missed)
    response = client.get(address, {"step": worst.step})
    page = check_page(response)
    text = response.content.decode()
    assert f"Blunder: {worst.missed} missed" in text
    assert f"?step={worst.step}&show=best" in page.links
    assert text.count("<em>??</em>") + text.count("<em>?</em>") >= 1
    steps = [verdict.step for verdict in verdicts.mistakes]
    for key, other in (("m", 1), ("Shift+M", -1)):
        near = steps.index(worst.step) + other
        if 0 <= near < len(steps):
            assert re.search(
                rf'aria-keyshortcuts="{key.replace("+", ".")}" href="\?step={steps[near]}"', text
            )

    response = client.get(address, {"step": worst.step, "show": "best"})
    check_page(response)
    text = response.content.decode()
    assert "data-better" in text and "Best play</b>" in text and "Show what was played" in text
    frame = client.get(f"{address}{drawing_version()}/frames/{worst.step}/best/")
    check_html(frame.content.decode())
    assert frame["Cache-Control"] == "public, max-age=31536000, immutable"
    stage = re.search(r'<div id="stage".*?\n</div>\n', frame.content.decode(), re.S)
    assert stage is not None and stage[0] in text


def test_a_film_is_the_frames_of_a_deal(client: Client, sealed: Game) -> None:
    address = f"{reverse('game', args=[sealed.pk])}{drawing_version()}/"
    replay = game_replay(sealed)
    for number, steps in enumerate(replay.deals, 1):
        response = client.get(f"{address}films/{number}/")
        assert response["Cache-Control"] == "public, max-age=31536000, immutable"
        film = response.json()
        assert list(film) == [str(step) for step in steps]
        for step in (steps[0], steps[-1]):
            assert film[str(step)] == client.get(f"{address}frames/{step}/").content.decode()
    assert len(gzip.compress(response.content, 9)) < 20 * 1024
    check_page(client.get(f"{address}films/9/"), 404)


def test_a_view_shows_only_the_hands_it_sees(client: Client, sealed: Game) -> None:
    address = reverse("game", args=[sealed.pk])
    replay = game_replay(sealed)
    step = next(s for s in replay.deals[0][1:-1] if replay.turn(s).seat == 1)
    hands = {seat: replay.hand(step, seat) for seat in range(3)}

    def shown(view: str) -> list[str]:
        response = client.get(address, {"step": step, "as": view})
        page = check_page(response)
        links = [link for link in page.links if link.startswith("?step=")]
        assert links and all(link.endswith(f"&as={view}") for link in links)
        text = response.content.decode()
        boxes = re.findall(r'<li class="c-seatbox.*?</li>', text, re.S)
        return [seat for seat, box in enumerate(boxes) if 'class="c-cards"' in box]

    every = [seat for seat in range(3) if hands[seat]]
    assert shown("public") == []
    for seat in every:
        assert shown(str(seat)) == [seat]
    text = client.get(address, {"step": step, "as": "0"}).content.decode()
    assert "This hand is not shown in this view." in text and "Cards left in hand" in text
    assert not re.search(r"\d+ → \d+ points?", text)
    text = client.get(address, {"step": step, "as": "1"}).content.decode()
    assert "This hand is not shown" not in text
    response = client.get(address, {"as": "7"})
    check_page(response, 404)
    assert "views are open, public, 0, 1, 2" in response.content.decode()


def test_the_end_of_a_deal_lays_hands_open_for_everybody(client: Client, sealed: Game) -> None:
    step = game_replay(sealed).deals[0][-1]
    query = {"step": step, "as": "public"}
    text = client.get(reverse("game", args=[sealed.pk]), query).content.decode()
    assert text.count('title="Points in hand"') >= 2


def test_a_game_in_words(client: Client, sealed: Game) -> None:
    response = client.get(reverse("game-narration", args=[sealed.pk]))
    assert response["Content-Type"] == "text/plain; charset=utf-8"
    lines = response.content.decode().splitlines()
    assert lines[0] == "Manipulation: Greedy 9, Random 9, Faulty 9"
    assert sum(line.startswith("Deal ") for line in lines) == 2
    steps = [int(line[:4]) for line in lines if line[:4].strip().isdigit()]
    assert steps == list(range(len(game_replay(sealed).steps)))


def test_where_nothing_was_missed_there_is_no_better_play(client: Client, sealed: Game) -> None:
    address = reverse("game", args=[sealed.pk])
    verdicts = verdicts_of(sealed, game_replay(sealed))
    best = next(verdict for verdict in verdicts.by_step.values() if not verdict.missed)
    text = client.get(address, {"step": best.step}).content.decode()
    assert "Nothing missed" in text and "show=best" not in text
    for step in (0, best.step):
        response = client.get(address, {"step": step, "show": "best"})
        check_page(response, 404)
        assert "no better play is known" in response.content.decode()


def test_a_game_waits_for_its_analysis(client: Client, sealed: Game) -> None:
    address = reverse("game", args=[sealed.pk])
    Game.objects.filter(pk=sealed.pk).update(analysed=False)
    sealed.analyses.filter(deal=2).delete()
    text = client.get(address).content.decode()
    assert "Analysing, deal 2 of 2" in text and f'hx-get="{address}analysis/"' in text
    assert "Biggest misses" not in text
    waiting = client.get(f"{address}analysis/")
    check_html(waiting.content.decode())
    assert "Analysing, deal 2 of 2" in waiting.content.decode()
    kept = client.get(f"{address}{drawing_version()}/frames/1/")
    assert kept["Cache-Control"] == "private, no-store"
    Game.objects.filter(pk=sealed.pk).update(analysed=True)
    assert client.get(f"{address}analysis/")["HX-Refresh"] == "true"


def test_a_deal_has_its_grid_and_chart(client: Client, sealed: Game) -> None:
    response = client.get(f"{reverse('game', args=[sealed.pk])}deals/1/")
    page = check_html(response.content.decode())
    assert {"deal", "chart"} <= set(page.ids)
    steps = {link for link in page.links if link.startswith("?step=")}
    first, second = game_replay(sealed).deals
    assert steps == {f"?step={step}" for step in (*first, second[0])}


def test_a_sealed_game_shows_seed_head_and_record(client: Client, sealed: Game) -> None:
    text = client.get(reverse("game", args=[sealed.pk])).content.decode()
    assert bytes(sealed.seed.value).hex() in text and sealed.head in text
    record = client.get(reverse("game-record", args=[sealed.pk]))
    assert record["Content-Disposition"].endswith('.jsonl"')
    assert len(verify(record.content, head=sealed.head).entries) == sealed.seq


def test_the_page_of_a_game_leads_to_its_tournament(client: Client, ended: Tournament) -> None:
    game = Game.objects.first()
    assert game is not None
    page = check_page(client.get(reverse("game", args=[game.pk])))
    assert any(link.startswith(f"/tournaments/{ended.slug}/?tab=rounds") for link in page.links)


def test_a_running_game_shows_counts_and_no_record(client: Client, running: Tournament) -> None:
    game = Game.objects.filter(status=Game.Status.RUNNING).first()
    assert game is not None
    response = client.get(reverse("game", args=[game.pk]))
    text = response.content.decode()
    check_page(response)
    assert "Running" in text and "Cards left in hand" in text
    assert "Hands are shown when the game is over" in text or "The cards are dealt" in text
    assert reverse("game-record", args=[game.pk]) not in text
    refused = client.get(reverse("game-record", args=[game.pk]))
    check_page(refused, 409)
    assert "not sealed yet" in refused.content.decode()


def test_a_deal_that_has_only_been_dealt_has_no_turn_yet(client: Client, db: None) -> None:
    bots = [builtin_bot(policy="greedy", number=number) for number in (1, 2, 3)]
    rules = {"length": "deals", "deals": 2}
    game = game_create(variant=find_variant("manipulation"), rules=rules, players=bots)
    bots_play(game_id=game.pk, seq=game.seq)
    game.refresh_from_db()
    assert (game.status, game.deal) == (Game.Status.RUNNING, 2)
    response = client.get(reverse("game", args=[game.pk]))
    check_page(response)
    text = response.content.decode()
    assert 'data-place="Deal 2, before the first turn"' in text and "0 turns" in text
    ended = game_replay(game).deals[0][-1]
    text = client.get(reverse("game", args=[game.pk]), {"step": ended}).content.decode()
    assert text.count('title="Points in hand"') == 3  # the end of a deal lays its hands open


def test_a_game_of_a_shared_seed_is_hidden_until_it_is_sealed(
    client: Client, running: Tournament
) -> None:
    game = Game.objects.filter(status=Game.Status.RUNNING).first()
    assert game is not None
    Game.objects.filter(pk=game.pk).update(shared_seed=True)
    address = reverse("game", args=[game.pk])
    for path in (address, f"{address}frames/0/", f"{address}deals/1/", f"{address}record.jsonl"):
        assert client.get(path).status_code == 404
    for path in (
        "/",
        "/games/",
        f"/tournaments/{running.slug}/",
        f"/tournaments/{running.slug}/?tab=rounds",
    ):
        assert address not in client.get(path).content.decode()


def test_the_list_of_games(client: Client, sealed: Game, django_assert_num_queries) -> None:
    with django_assert_num_queries(3):
        page = check_page(client.get(reverse("games")))
    assert reverse("game", args=[sealed.pk]) in page.links


def test_queries_do_not_grow_with_steps(
    client: Client, sealed: Game, django_assert_max_num_queries
) -> None:
    address = reverse("game", args=[sealed.pk])
    for most in (6, 5):  # the first look reads the log
        with django_assert_max_num_queries(most):
            client.get(address)
    with django_assert_max_num_queries(4):
        client.get(f"{address}{drawing_version()}/frames/2/")


def test_the_look_is_kept_without_a_script(ended: Tournament) -> None:
    client = Client(enforce_csrf_checks=True)
    assert client.post(reverse("look"), {"theme": "dark"}).status_code == 403
    text = client.get("/games/").content.decode()
    assert 'data-theme="auto" data-deck="2"' in text
    token = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', text)
    assert token is not None
    form = {"csrfmiddlewaretoken": token[1], "next": "/games/?page=1", "theme": "dark"}
    response = client.post(reverse("look"), form)
    assert (response.status_code, response["Location"]) == (302, "/games/?page=1")
    client.post(reverse("look"), form | {"deck": "4", "theme": "dark"})
    assert 'data-theme="dark" data-deck="4"' in client.get("/games/").content.decode()
    away = client.post(reverse("look"), form | {"next": "https://elsewhere.example/"})
    assert away["Location"] == "/"
    assert client.get(reverse("look")).status_code == 405

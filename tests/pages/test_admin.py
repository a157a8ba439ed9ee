"""The admin: it says what its lists are, hides secrets, and edits nothing that services write."""

from __future__ import annotations

import pytest
from django.apps import apps
from django.contrib import admin
from django.test import Client
from django.urls import reverse

from games.admin import ReadOnlyAdmin
from games.models import Game, Player, User
from tests.tournaments.running import small_spec, work
from tournaments.models import Tournament
from tournaments.services.access import invitation_make
from tournaments.services.tournaments import tournament_create, tournament_start

pytestmark = pytest.mark.django_db

OURS = [
    model for model in admin.site._registry if model._meta.app_label in ("games", "tournaments")
]
READ_ONLY = [model for model in OURS if isinstance(admin.site._registry[model], ReadOnlyAdmin)]


def at(model: type, what: str, *args: object) -> str:
    return reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_{what}", args=args)


def test_lists_say_what_they_are(admin_client: Client, ended: Tournament) -> None:
    index = admin_client.get("/admin/").content.decode()
    assert "Meldboard, for its operators" in index and "Django administration" not in index
    for model in OURS:
        shown = admin.site._registry[model]
        text = admin_client.get(at(model, "changelist")).content.decode()
        if model is not User:
            assert shown.title and f"<h1>{shown.title}</h1>" in text, model
        if shown.search_fields and model is not User:
            assert shown.search_help_text in text
    logs = [
        model
        for app in ("games", "tournaments")
        for model in apps.get_app_config(app).get_models()
        if model.__name__ == "Event"
    ]
    assert len(logs) == 2 and not set(logs) & set(OURS), "logs have no page of their own"


def test_nothing_that_services_write_can_be_edited(admin_client: Client, ended: Tournament) -> None:
    assert len(READ_ONLY) >= 8
    for model in READ_ONLY:
        assert admin_client.get(at(model, "add")).status_code == 403
        row = admin.site._registry[model].get_queryset(None).first()
        if row is None:
            continue
        before = model.objects.filter(pk=row.pk).values().get()
        assert admin_client.get(at(model, "change", row.pk)).status_code == 200
        changed = admin_client.post(at(model, "change", row.pk), {"name": "x", "status": "open"})
        assert changed.status_code == 403
        deleted = admin_client.post(at(model, "delete", row.pk), {"post": "yes"})
        assert deleted.status_code == 403
        assert model.objects.filter(pk=row.pk).values().get() == before


def test_of_players_only_name_and_owner_change(admin_client: Client) -> None:
    player = Player.objects.create(kind=Player.Kind.PERSON, name="Bob")
    path = at(Player, "change", player.pk)
    given = {"name": "Robert", "owner": "", "kind": "bot", "policy": "greedy"}
    assert admin_client.post(path, given).status_code == 302
    player.refresh_from_db()
    assert (player.name, player.kind, player.policy) == ("Robert", "person", "")
    assert admin_client.get(at(Player, "add")).status_code == 403
    assert admin_client.post(at(Player, "delete", player.pk), {"post": "yes"}).status_code == 403


def test_private_games_are_there_and_secrets_are_not(admin_client: Client) -> None:
    of = tournament_create(spec=small_spec(access="private"))
    word = invitation_make(tournament_id=of.pk)
    tournament_start(tournament_id=of.pk)
    work(6)
    game = Game.objects.filter(status=Game.Status.RUNNING).first() or Game.objects.first()
    assert game is not None
    assert str(game.pk) in admin_client.get(at(Game, "changelist")).content.decode()
    page = admin_client.get(at(Tournament, "change", of.pk)).content.decode()
    page += admin_client.get(at(Game, "change", game.pk)).content.decode()
    assert of.commitment in page
    for secret in (word, bytes(of.seed).hex(), str(bytes(of.seed))):
        assert secret not in page
    if game.status == Game.Status.RUNNING:
        assert bytes(game.seed.value).hex() not in page

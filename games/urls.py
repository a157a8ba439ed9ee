"""Pages of the games app."""

from __future__ import annotations

from django.urls import URLPattern, URLResolver, include, path

from games.pages import accounts, embeds, lists, views

fragments = [
    path("frames/<int:step>/", views.frame),
    path("frames/<int:step>/best/", views.frame, {"show": "best"}),
    path("films/<int:deal>/", views.film),
    path("deals/<int:deal>/", views.deal),
]
"""What the script of a replay fetches, below :func:`games.pages.stage.frames_at`."""

urlpatterns: list[URLPattern | URLResolver] = [
    path("accounts/register/", accounts.register, name="register"),
    path("look/", views.look, name="look"),
    path("games/", lists.games, name="games"),
    path("games/rows/", lists.rows, name="games-rows"),
    path("games/<uuid:game_id>/", views.game, name="game"),
    path("embed/games/<uuid:game_id>/", embeds.replay, name="embed-game"),
    path("games/<uuid:game_id>/record.jsonl", views.record, name="game-record"),
    path("games/<uuid:game_id>/table.svg", views.table, name="game-table"),
    path("games/<uuid:game_id>/stream/", views.stream, name="game-stream"),
    path("games/<uuid:game_id>/narration.txt", views.narration, name="game-narration"),
    path("games/<uuid:game_id>/analysis/", views.analysis, name="game-analysis"),
    path("games/<uuid:game_id>/", include(fragments)),
    path("games/<uuid:game_id>/<slug:version>/", include(fragments)),
]

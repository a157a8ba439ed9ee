"""Pages of the games app."""

from __future__ import annotations

from django.urls import URLPattern, path

from games.pages import views

urlpatterns: list[URLPattern] = [
    path("look/", views.look, name="look"),
    path("games/", views.games, name="games"),
    path("games/<uuid:game_id>/", views.game, name="game"),
    path("games/<uuid:game_id>/record.jsonl", views.record, name="game-record"),
    path("games/<uuid:game_id>/analysis/", views.analysis, name="game-analysis"),
    path("games/<uuid:game_id>/frames/<int:step>/", views.frame, name="frame"),
    path(
        "games/<uuid:game_id>/frames/<int:step>/best/",
        views.frame,
        {"show": "best"},
        name="better-frame",
    ),
    path("games/<uuid:game_id>/deals/<int:deal>/", views.deal, name="deal"),
    path("games/<uuid:game_id>/<slug:version>/frames/<int:step>/", views.frame, name="kept-frame"),
    path(
        "games/<uuid:game_id>/<slug:version>/frames/<int:step>/best/",
        views.frame,
        {"show": "best"},
        name="kept-better-frame",
    ),
    path("games/<uuid:game_id>/<slug:version>/deals/<int:deal>/", views.deal, name="kept-deal"),
]

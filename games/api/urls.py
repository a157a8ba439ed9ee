"""API routes of the games app."""

from __future__ import annotations

from django.urls import path

from games.api import views

urlpatterns = [
    path("games/", views.GameListApi.as_view(), name="api-games"),
    path("games/<uuid:game_id>/", views.GameApi.as_view(), name="api-game"),
    path("games/<uuid:game_id>/log/", views.GameLogApi.as_view(), name="api-game-log"),
    path("games/<uuid:game_id>/record/", views.GameRecordApi.as_view(), name="api-game-record"),
    path("players/<uuid:player_id>/", views.PlayerApi.as_view(), name="api-player"),
]

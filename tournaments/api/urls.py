"""API routes of the tournaments app."""

from __future__ import annotations

from django.urls import path

from tournaments.api import acts, views

urlpatterns = [
    path("tournaments/", views.TournamentListApi.as_view(), name="api-tournaments"),
    path("tournaments/<slug:slug>/", views.TournamentApi.as_view(), name="api-tournament"),
    path("tournaments/<slug:slug>/standings/", views.StandingsApi.as_view(), name="api-standings"),
    path(
        "tournaments/<slug:slug>/games/",
        views.TournamentGamesApi.as_view(),
        name="api-tournament-games",
    ),
    path(
        "tournaments/<slug:slug>/log/", views.TournamentLogApi.as_view(), name="api-tournament-log"
    ),
    path("tournaments/<slug:slug>/entrants/", views.EntrantsApi.as_view(), name="api-entrants"),
    path("tournaments/<slug:slug>/template/", views.TemplateApi.as_view(), name="api-template"),
    *acts.urlpatterns,
    path("snapshots/", views.SnapshotListApi.as_view(), name="api-snapshots"),
    path("leaderboards/", views.LeaderboardListApi.as_view(), name="api-leaderboards"),
    path("leaderboards/<str:variant>/", views.LeaderboardApi.as_view(), name="api-leaderboard"),
]

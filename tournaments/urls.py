"""Pages of the tournaments app."""

from __future__ import annotations

from django.urls import URLPattern, path

from tournaments.pages import (
    acts,
    crumbs,
    embeds,
    entering,
    home,
    leaderboards,
    lists,
    players,
    publishing,
    remarks,
    search,
    views,
    wizard,
)

__all__ = ["crumbs", "remarks", "urlpatterns"]  # receivers are connected by being imported

urlpatterns: list[URLPattern] = [
    path("", home.home, name="home"),
    path("table/", home.table, name="home-table"),
    path("table/stream/", home.table_stream, name="home-stream"),
    path("search/", search.search, name="search"),
    path("tournaments/", lists.tournaments, name="tournaments"),
    path("rows/tournaments/", lists.rows, name="tournaments-rows"),
    path("tournaments/new/", wizard.new, name="tournament-new"),
    path("tournaments/new/file/", wizard.file, name="tournament-file"),
    path("tournaments/drafts/<int:number>/delete/", wizard.delete, name="draft-delete"),
    path("tournaments/drafts/<int:number>/<slug:step>/", wizard.draft, name="draft"),
    path("tournaments/drafts/<int:number>/<slug:step>/ahead/", wizard.draft_ahead),
    path("tournaments/<slug:slug>/", views.tournament, name="tournament"),
    path("tournaments/<slug:slug>/organise/", acts.organise, name="organise"),
    path("tournaments/<slug:slug>/organise/<slug:part>/", acts.organise, name="organise-part"),
    path("tournaments/<slug:slug>/organise-live/", acts.live, name="organise-live"),
    path("tournaments/<slug:slug>/enter/", entering.enter, name="tournament-enter"),
    path("tournaments/<slug:slug>/leave/", entering.leave, name="tournament-leave"),
    path("tournaments/<slug:slug>/edit/", wizard.edit, name="tournament-edit"),
    path("tournaments/<slug:slug>/edit/<slug:step>/", wizard.edit, name="tournament-edit-step"),
    path("tournaments/<slug:slug>/edit/<slug:step>/ahead/", wizard.edit_ahead),
    path("tournaments/<slug:slug>/progress/", views.progress, name="tournament-progress"),
    path("tournaments/<slug:slug>/parts/<slug:tab>/", views.part, name="tournament-part"),
    path("tournaments/<slug:slug>/stream/", views.stream, name="tournament-stream"),
    path("tournaments/<slug:slug>/side/", views.side, name="tournament-side"),
    path("tournaments/<slug:slug>/invitation/<str:word>/", entering.invitation, name="invitation"),
    path(
        "tournaments/<slug:slug>/games/<int:number>/", views.numbered_game, name="tournament-game"
    ),
    path("leaderboards/", leaderboards.leaderboards, name="leaderboards"),
    path("leaderboards/<slug:variant>/", leaderboards.leaderboard, name="leaderboard"),
    path("players/<uuid:player_id>/", players.player, name="player"),
    path("players/<uuid:player_id>/opponents/", players.player_versus, name="player-opponents"),
    path("embed/leaderboards/<slug:variant>/", embeds.leaderboard, name="embed-leaderboard"),
    path("embed/tournaments/<slug:slug>/", embeds.standings, name="embed-standings"),
    *publishing.urlpatterns,
]

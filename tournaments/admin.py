"""The admin of the tournaments app; logs and projections can be read there, never written."""

from __future__ import annotations

from django.contrib import admin
from django.utils.html import format_html_join
from django.utils.safestring import SafeString

from games.admin import DueAdmin, ReadOnlyAdmin
from tournaments.models import Due, Rating, Refit, Snapshot, Tournament


@admin.register(Tournament)
class TournamentAdmin(ReadOnlyAdmin):
    """Tournaments with their logs; neither the seed nor the word of an invitation is shown."""

    title = "Tournaments and their logs"
    list_display = ("name", "slug", "variant", "status", "practice", "created_at")
    list_filter = ("status", "variant")
    search_fields = ("name", "slug")
    search_help_text = "Part of a name or of an address"
    exclude = ("seed", "invitation")
    readonly_fields = ("log",)

    @admin.display(description="Log")
    def log(self, tournament: Tournament) -> SafeString:
        """Show the lines of the log, as they stand."""
        bodies = tournament.events.order_by("seq").values_list("body")
        return format_html_join("", "<code>{}</code><br>", bodies)


@admin.register(Due)
class TournamentDueAdmin(DueAdmin):
    """What is due for tournaments."""

    list_display = ("__str__", "tournament", "number", "due_at", "attempts", "parked_at", "error")


@admin.register(Rating)
class RatingAdmin(ReadOnlyAdmin):
    """Ratings as last computed."""

    title = "Ratings that follow every game, as last computed"
    list_display = ("player", "variant", "mu", "sigma", "ordinal", "games", "wins")
    list_filter = ("variant",)


@admin.register(Refit)
class RefitAdmin(ReadOnlyAdmin):
    """Which fits of strengths are stored, and of when."""

    title = "Fits of strengths, which leaderboards show"
    list_display = ("variant", "seats", "days", "as_of", "games", "deal_sets")
    list_filter = ("variant",)


@admin.register(Snapshot)
class SnapshotAdmin(ReadOnlyAdmin):
    """What was published on which day."""

    title = "Snapshots: what was published on which day, unchangeable"
    list_display = ("__str__", "taken_at", "sha256")
    list_filter = ("kind", "variant")

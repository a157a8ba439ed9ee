"""The admin of the tournaments app; logs and projections can be read there, never written."""

from __future__ import annotations

from django.contrib import admin
from django.utils.html import format_html_join
from django.utils.safestring import SafeString

from games.admin import DueAdmin, ReadOnlyAdmin
from tournaments.models import Due, Rating, Refit, Snapshot, Tournament


@admin.register(Tournament)
class TournamentAdmin(ReadOnlyAdmin):
    """Tournaments with their logs; the seed is never shown."""

    list_display = ("name", "slug", "variant", "status", "practice", "created_at")
    list_filter = ("status", "variant")
    search_fields = ("name", "slug")
    exclude = ("seed",)
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

    list_display = ("player", "variant", "mu", "sigma", "ordinal", "games", "wins")
    list_filter = ("variant",)


@admin.register(Refit)
class RefitAdmin(ReadOnlyAdmin):
    """Which fits of strengths are stored, and of when."""

    list_display = ("variant", "seats", "days", "as_of", "games", "deal_sets")
    list_filter = ("variant",)


@admin.register(Snapshot)
class SnapshotAdmin(ReadOnlyAdmin):
    """What was published on which day."""

    list_display = ("__str__", "taken_at", "sha256")
    list_filter = ("kind", "variant")

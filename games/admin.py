"""The admin of the games app. Games, logs and results can be read there, never written."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.contrib.auth.admin import UserAdmin
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils.html import format_html_join
from django.utils.safestring import SafeString

from games.models import Due, Game, Player, Result, User

admin.site.site_header = admin.site.site_title = "Meldboard, for its operators"
admin.site.index_title = "What is stored; tournaments are organised on their own pages"
admin.site.register(User, UserAdmin)


class TitledAdmin(admin.ModelAdmin[Any]):
    """Rows whose list says what they are."""

    title = ""

    def changelist_view(
        self, request: HttpRequest, extra_context: dict[str, str] | None = None
    ) -> HttpResponse:
        return super().changelist_view(request, {"title": self.title, **(extra_context or {})})


class ReadOnlyAdmin(TitledAdmin):
    """Rows that only services write."""

    def has_add_permission(self, request: HttpRequest, *args: Any) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


class DueAdmin(ReadOnlyAdmin):
    """Due rows; a parked one can be tried again."""

    title = "Work that is due; what failed three times is parked and can be tried again"
    list_filter = ("kind", "parked_at")
    ordering = ("due_at",)
    actions = ("try_again",)

    @admin.action(description="Try parked rows again")
    def try_again(self, request: HttpRequest, rows: QuerySet[Any]) -> None:
        """Give parked rows their attempts back; the sweeper takes them up."""
        count = rows.exclude(parked_at=None).update(parked_at=None, attempts=0, lease_until=None)
        self.message_user(request, f"{count} rows will be tried again.")


@admin.register(Player)
class PlayerAdmin(TitledAdmin):
    """Players. What results say of them stays: only their name and owner can be changed."""

    title = "People and bots; only names and owners can be changed"
    list_display = ("name", "kind", "policy", "owner", "created_at")
    list_filter = ("kind",)
    search_fields = ("name",)
    search_help_text = "Part of a name"
    readonly_fields = ("id", "kind", "policy", "created_at")

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


@admin.register(Game)
class GameAdmin(ReadOnlyAdmin):
    """Games with the lines of their logs; no line of a running game holds a secret.

    Games of a board that other tables still play are not shown.
    """

    title = "Games and their logs, but those of a board that other tables still play"
    list_display = ("id", "variant", "status", "access", "seq", "deal", "started_at")
    list_filter = ("status", "variant")
    exclude = ("seed",)
    readonly_fields = ("log",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Game]:
        return Game.objects.settled()

    @admin.display(description="Log")
    def log(self, game: Game) -> SafeString:
        """Show the lines of the log, as they stand."""
        bodies = game.events.order_by("seq").values_list("body")
        return format_html_join("", "<code>{}</code><br>", bodies)


@admin.register(Due)
class GameDueAdmin(DueAdmin):
    """What is due for games."""

    list_display = ("__str__", "game", "seq", "due_at", "attempts", "parked_at", "error")


@admin.register(Result)
class ResultAdmin(ReadOnlyAdmin):
    """How games came out, but those of a board that other tables still play."""

    title = "How games came out, but those of a board that other tables still play"
    list_display = ("game", "ending", "totals", "ranks", "deals")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Result]:
        return Result.objects.filter(game__in=Game.objects.settled())

"""People as players."""

from __future__ import annotations

from django.db import transaction

from games.models import Player, User

NAME_LENGTH = 40


@transaction.atomic
def player_of(user: User) -> Player:
    """Return the player that a user is, made on the first call.

    Its name is the user's, with a number behind it if somebody else has that name.
    """
    User.objects.select_for_update(no_key=True).get(pk=user.pk)
    found = Player.objects.filter(owner=user, kind=Player.Kind.PERSON).order_by("pk").first()
    if found is not None:
        return found
    base = user.get_username()[:NAME_LENGTH]
    name, number = base, 1
    while Player.objects.filter(name__iexact=name).exists():
        number += 1
        name = f"{base[: NAME_LENGTH - len(str(number)) - 1]} {number}"
    return Player.objects.create(kind=Player.Kind.PERSON, name=name, owner=user)

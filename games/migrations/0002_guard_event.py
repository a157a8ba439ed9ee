"""Make the event log append-only and chained, in the database itself."""

from __future__ import annotations

from django.db import migrations

from games.log import DROP_GUARD_FUNCTIONS_SQL, GUARD_FUNCTIONS_SQL, guard_sql


class Migration(migrations.Migration):
    dependencies = (("games", "0001_initial"),)

    operations = (
        migrations.RunSQL(GUARD_FUNCTIONS_SQL, DROP_GUARD_FUNCTIONS_SQL),
        migrations.RunSQL(guard_sql("games_event", "game"), migrations.RunSQL.noop),
    )

"""Make the tournaments' log append-only and chained, in the database itself."""

from __future__ import annotations

from django.db import migrations

from games.public import guard_sql


class Migration(migrations.Migration):
    dependencies = (("tournaments", "0001_initial"), ("games", "0002_guard_event"))

    operations = (
        migrations.RunSQL(guard_sql("tournaments_event", "tournament"), migrations.RunSQL.noop),
    )

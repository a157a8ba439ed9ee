from __future__ import annotations

from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0008_rating_histories"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AlterModelOptions(name="draft", options={"ordering": ("-updated_at",)}),
        migrations.RemoveConstraint(model_name="draft", name="tournaments_draft_once"),
        migrations.AddConstraint(
            model_name="draft",
            constraint=models.UniqueConstraint(
                fields=("user", "tournament"), name="tournaments_draft_once"
            ),
        ),
    ]

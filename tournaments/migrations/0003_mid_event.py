"""Byes, cuts, late entries, pauses, penalties and what comes before points in the standings."""

from __future__ import annotations

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0002_guard_event"),
    ]

    operations = [
        migrations.RemoveField(
            model_name="phase",
            name="lots",
        ),
        migrations.AddField(
            model_name="phase",
            name="bye_points",
            field=models.JSONField(default=dict),
        ),
        migrations.AddField(
            model_name="phase",
            name="top",
            field=models.PositiveIntegerField(default=0),
        ),
        migrations.AddField(
            model_name="standing",
            name="bye_decided",
            field=models.JSONField(default=list),
        ),
        migrations.AddField(
            model_name="standing",
            name="byes",
            field=models.PositiveIntegerField(default=0),
        ),
        migrations.AddField(
            model_name="standing",
            name="gone",
            field=models.CharField(
                blank=True,
                choices=[
                    ("playing", "Playing"),
                    ("withdrawn", "Withdrawn"),
                    ("disqualified", "Disqualified"),
                ],
                max_length=12,
            ),
        ),
        migrations.AddField(
            model_name="standing",
            name="merit",
            field=models.CharField(blank=True, max_length=40),
        ),
        migrations.AddField(
            model_name="standing",
            name="penalty",
            field=models.CharField(default="0", max_length=40),
        ),
        migrations.AddField(
            model_name="tournament",
            name="late_entry",
            field=models.PositiveSmallIntegerField(default=0),
        ),
        migrations.AddField(
            model_name="tournament",
            name="paused",
            field=models.BooleanField(default=False),
        ),
        migrations.AlterField(
            model_name="entrant",
            name="status",
            field=models.CharField(
                choices=[
                    ("playing", "Playing"),
                    ("withdrawn", "Withdrawn"),
                    ("disqualified", "Disqualified"),
                ],
                default="playing",
                max_length=12,
            ),
        ),
        migrations.CreateModel(
            name="Bye",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("allocated", "bye"),
                            ("requested", "requested bye"),
                            ("forfeit_win", "forfeit win"),
                            ("forfeit_loss", "forfeit loss"),
                            ("zero", "absent"),
                        ],
                        max_length=12,
                    ),
                ),
                (
                    "entrant",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="byes",
                        to="tournaments.entrant",
                    ),
                ),
                (
                    "round",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="byes",
                        to="tournaments.round",
                    ),
                ),
            ],
            options={
                "ordering": ("pk",),
                "constraints": [
                    models.UniqueConstraint(
                        fields=("round", "entrant"), name="tournaments_bye_once"
                    )
                ],
            },
        ),
    ]

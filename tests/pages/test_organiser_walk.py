"""A new organiser in a browser: run a two-phase event, correct a result, publish, read the log."""

from __future__ import annotations

from typing import Any

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect

from tests.tournaments.running import work
from tournaments.models import Tournament

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


FILE = """
name = "Cup"
rules = {length = "deals", deals = 1}
schedule = {rounds = "hand"}
phases = [{format = "swiss", table_size = 2, rounds = 1}, {format = "final", top = 3}]
"""


def test_a_new_organiser_runs_an_event(open_page) -> None:
    page: Page = open_page("/tournaments/new/")
    page.get_by_role("link", name="Register").click()
    page.get_by_label("Name").fill("ann")
    for field in page.locator("[type=password]").all():
        field.fill("a long word indeed")
    page.get_by_role("button", name="Register").click()
    page.get_by_role("link", name="the text of a file").click()
    page.locator("textarea").fill(FILE)
    page.get_by_role("button", name="Check and review").click()
    page.get_by_role("button", name="Create the tournament").click()
    expect(page.get_by_role("heading", name="Organise Cup")).to_be_visible()

    def go(name: str) -> None:
        page.get_by_role("navigation", name="Parts of").get_by_role("link", name=name).click()

    def act(title: str, sure: bool = False, **given: Any) -> None:
        panel = page.locator(".c-act").filter(
            has=page.get_by_role("heading", name=title, exact=True)
        )
        if given and panel.get_attribute("open") is None:
            panel.get_by_role("heading").click()
        for label, value in given.items():
            field = panel.get_by_label(label.replace("_", " "))
            if field.evaluate("(e) => e.tagName") == "SELECT":
                field.select_option(value)
            else:
                field.fill(value)
        panel.get_by_role("button", name=title).click()
        if sure:
            expect(page.get_by_role("heading", name=f"{title}?")).to_be_visible()
            page.get_by_role("button", name=title).click()
        expect(page.get_by_role("status").filter(has_text="Done")).to_be_visible()

    go("Entries")
    act("Enter bots", Bot="greedy", How_many="6")
    go("Rounds")
    act("Start now", sure=True)
    for number in range(2):
        act("Open the next round")
        work()
        if not number:
            go("Corrections")
            page.get_by_role("link", name="Choose game 1").click()
            act("Correct a result", Scores="7 5", Reason="misread")
            act("Give a penalty", Entrant="Greedy 1", Points="1/2", Reason="was late")
            go("Rounds")
    go("Rounds")
    act("Finish the tournament", sure=True)
    work()
    cup = Tournament.objects.get()
    assert cup.status == Tournament.Status.ENDED
    go("Publish")
    act("Publish as of today")
    go("Log")
    told = page.locator(".c-log")
    for step in (
        "Published for good: the standings as",
        "and the leaderboard as",
        "The tournament ended.",
        "Phase 2 is closed with",
        "was corrected to 1. ",
        "loses 1/2 points in phase 1: was late. (by ann)",
    ):
        expect(told).to_contain_text(step)
    page.get_by_role("link", name="Next", exact=True).click()
    expect(page.locator(".c-log")).to_contain_text("Created as a swiss, then final")
    page.goto(f"{reverse('tournament', args=[cup.slug])}?phase=1")
    expect(page.locator(".c-standings tbody tr")).to_have_count(6)

"""The organiser's Rounds page follows by itself, and lets a form that is filled in alone."""

from __future__ import annotations

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from games.models import User
from tests.pages.chromium import sign_in
from tests.tournaments.organising import event
from tests.tournaments.running import work
from tournaments.services.running import round_open, tournament_finish
from tournaments.services.tournaments import tournament_start

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_rounds_follow_and_a_form_stays_as_it_is_filled_in(open_page) -> None:
    ann, co = (User.objects.create_user(name, password="x") for name in ("ann", "co"))
    cup = event(ann, co)
    page = open_page("/")
    sign_in(page, ann)
    page.goto(reverse("organise-part", args=[cup.slug, "rounds"]))
    next_ = page.get_by_role("region", name="What is next")
    expect(next_).to_contain_text("It starts when you start it.")
    page.locator("#act-cancel h2").click()
    reason = page.locator("#act-cancel").get_by_label("Reason")
    reason.fill("a storm is co")
    tournament_start(tournament_id=cup.pk)
    expect(page.locator("#state")).to_contain_text("Live")
    expect(next_).to_contain_text("waits for you to open it")
    expect(page.get_by_role("button", name="Open the next round")).to_be_visible()
    expect(page.get_by_role("button", name="Start now")).to_have_count(0)
    expect(reason).to_be_focused()
    page.keyboard.type("ming")
    for number in range(3):
        round_open(tournament_id=cup.pk)
        work()
        expect(page.locator("#progress .is-done")).to_have_count(number + 1)
    expect(reason).to_have_value("a storm is coming")
    expect(page.locator("#act-cancel")).to_have_attribute("open", "")
    expect(page.get_by_role("button", name="Finish the tournament")).to_be_visible()
    expect(next_).to_contain_text("It ends when you finish it")
    tournament_finish(tournament_id=cup.pk)
    work()
    expect(page.locator("#state")).to_contain_text("Finished")
    expect(page.locator("#part")).to_contain_text("There is nothing to be done here now.")
    expect(page.get_by_role("link", name="Change what it is")).to_have_count(0)
    assert page.locator("[hx-get]").count() == 0

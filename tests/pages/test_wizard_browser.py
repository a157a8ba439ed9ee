"""The wizard in Chromium: without JavaScript, by keyboard, and what a refusal does to focus."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse
from playwright.sync_api import Page, expect

from games.models import User
from tests.pages.chromium import sign_in
from tests.tournaments.running import work
from tournaments.models import Draft, Tournament
from tournaments.services.drafts import draft_keep

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def ann(db: None) -> User:
    return User.objects.create_user("ann")


def onwards(page: Page, title: str) -> None:
    """Take the next step."""
    page.locator(".c-form-foot").get_by_role("button", name="Next").click()
    expect(page.locator("[aria-current=step]")).to_have_text(title)


def test_a_two_phase_event_without_javascript(open_page, ann: User) -> None:
    page: Page = open_page("/", java_script_enabled=False, width=390)
    sign_in(page, ann)
    page.goto(reverse("tournaments"))
    page.get_by_role("link", name="New tournament").click()
    page.get_by_label("Name").fill("Spring cup")
    onwards(page, "Rules")
    expect(page.get_by_label("Deals", exact=True)).to_be_hidden()
    page.get_by_label("Length").select_option("deals")
    page.get_by_label("Deals", exact=True).fill("1")
    onwards(page, "Players")
    page.get_by_label("Greedy").fill("5")
    page.get_by_label("Random").fill("3")
    onwards(page, "Format")
    first = page.get_by_role("group", name="Phase 1")
    expect(first.get_by_label("Meetings")).to_be_hidden()
    first.get_by_label("Rounds").fill("2")
    page.get_by_role("button", name="Add a phase").click()
    second = page.get_by_role("group", name="Phase 2")
    expect(second.get_by_label("Take the best")).to_have_value("4")
    expect(first.get_by_label("Rounds")).to_have_value("2")
    first.get_by_label("Rounds").press("Enter")  # goes on, and removes no phase
    expect(page.locator("[aria-current=step]")).to_have_text("Schedule")
    onwards(page, "Review")
    expect(page.get_by_role("table", name="With 8 entrants")).to_contain_text("Together")
    page.get_by_role("link", name="Change Players").click()
    page.get_by_label("Random").fill("4")
    page.get_by_role("button", name="Review").click()
    expect(page.get_by_role("table", name="With 9 entrants")).to_be_visible()
    page.get_by_role("button", name="Create the tournament").click()
    tournament = Tournament.objects.get()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Organise Spring cup")
    assert [phase.top for phase in tournament.phases.all()] == [0, 4]
    assert tournament.entrants.count() == 9 and not Draft.objects.exists()
    page.get_by_role("link", name="Change what it is").click()
    page.get_by_role("link", name="Change Schedule").click()
    page.get_by_label("Rounds start").select_option("interval")
    page.get_by_label("Minutes between rounds").fill("5")
    page.get_by_role("button", name="Review").click()
    expect(page.get_by_text("start 5 minutes after the last one is over")).to_be_visible()
    page.get_by_role("button", name="Save the changes").click()
    expect(page.get_by_role("status")).to_contain_text("is changed")
    tournament.refresh_from_db()
    assert tournament.minutes == 5
    work()


def test_a_refusal_takes_the_focus_and_leads_to_its_field(open_page, ann: User) -> None:
    client = Client()
    client.force_login(ann)
    steps = client.post(reverse("tournament-new"), {"name": "Cup", "variant": "manipulation"})
    page: Page = open_page("/")
    sign_in(page, ann)
    page.goto(steps["Location"])
    page.get_by_label("Knock limit").fill("99")
    page.get_by_label("Hand size").fill("7")
    page.get_by_role("button", name="Next").click()
    alert = page.get_by_role("alert")
    expect(alert).to_contain_text("must be a whole number 0 to 50")
    expect(alert).to_be_focused()
    page.keyboard.press("Tab")
    expect(alert.get_by_role("link")).to_be_focused()
    page.keyboard.press("Enter")
    field = page.get_by_label("Knock limit")
    expect(field).to_have_attribute("aria-invalid", "true")
    told = (field.get_attribute("aria-describedby") or "").split()
    assert page.locator(f"#{told[-1]}").inner_text().startswith("knock_limit=99")
    expect(field).to_have_value("99")
    expect(page.get_by_label("Hand size")).to_have_value("7")
    field.fill("9")
    field.press("Enter")
    expect(page.locator("[aria-current=step]")).to_have_text("Players")
    assert Draft.objects.get().data["rules"] == {"knock_limit": 9, "hand_size": 7}


def test_what_it_will_take_follows_as_one_types(open_page, ann: User) -> None:
    said = {
        "name": "Cup",
        "variant": "manipulation",
        "rules": {},
        "access": "public",
        "entrants": [{"bot": "greedy", "count": 6}],
        "entry": {},
        "phases": [{"format": "swiss", "table_size": 3, "rounds": 2}],
        "schedule": {},
    }
    draft = draft_keep(user=ann, said=said)
    page: Page = open_page("/")
    sign_in(page, ann)
    page.goto(reverse("draft", args=[draft.pk, "players"]))
    expect(page.get_by_role("table", name="With 6 entrants")).to_be_visible()
    page.get_by_label("Random").fill("3")
    expect(page.get_by_role("table", name="With 9 entrants")).to_contain_text("Together")
    page.get_by_label("Greedy").fill("-1")
    expect(page.locator("#foreseen")).to_contain_text("must be a whole number 1 to 10000, not -1")
    expect(page.get_by_label("Greedy")).to_be_focused()
    expect(page.get_by_label("Random")).to_have_value("3")
    page.get_by_label("Greedy").fill("4")
    table = page.get_by_role("region", name="With 7 entrants")
    assert table.evaluate("(e) => e.scrollWidth - e.clientWidth") <= 0
    draft.refresh_from_db()
    assert draft.data["entrants"] == said["entrants"], "nothing is kept before it is sent"

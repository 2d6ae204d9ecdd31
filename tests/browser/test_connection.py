from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from urllib.parse import urlsplit

from page_setting import ANA, BEN, EVERYONE, MEI, SEED, Open
from playwright.sync_api import Page, expect
from scripted_bot import ScriptedBot
from workspace_client import UNHURRIED, Slack

from bot.workspace.seed import Command, Member, Room, Seed
from bot.workspace.server import Workspace

MIRA = Member("U0MIRA", "mira", "Mira Novak", about="New here")
BENJAMIN = replace(BEN, real_name="Benjamin Okafor")
CHANGED = replace(
    SEED,
    people=(ANA, BENJAMIN, MIRA),
    channels=(*SEED.channels, Room("C0NEWS", "news", (*EVERYONE, MIRA.id))),
    commands=(Command("/library", "", "Opening hours"),),
    examples=(replace(SEED.examples[0], text="What is new?"),),
    bot_name="Vera",
)


def test_a_bot_that_is_not_there_is_missed_until_it_comes(
    page: Page, workspace: Workspace, slack: Slack
) -> None:
    missing = page.get_by_text("Vouch is not connected.")
    expect(missing).to_be_visible()
    bot = ScriptedBot(workspace)
    bot.connect()
    expect(missing).to_be_hidden()
    bot.close()
    expect(missing).to_be_visible()


def test_a_workspace_that_stops_says_so_and_comes_back_by_itself(
    page: Page, workspace: Workspace, slack: Slack
) -> None:
    slack.says("U0BEN", "C0GENERAL", "Before")
    field = page.get_by_label("Message #general")
    field.fill("Half a sent")
    workspace.stop()
    gone = page.get_by_text("The local workspace is not running. Start it again")
    expect(gone).to_be_visible()
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert").first).to_contain_text("did not get an answer")
    expect(field).to_have_value("Half a sent")
    workspace.start()
    expect(gone).to_be_hidden()
    expect(page.get_by_role("alert").first).to_be_empty()
    slack.says("U0BEN", "C0GENERAL", "After")
    expect(page.get_by_role("article", name="Ben Okafor").last).to_contain_text("After")
    expect(page.get_by_role("main")).to_contain_text("Before")
    page.keyboard.press("Enter")
    expect(page.get_by_role("article", name="Ana Silva")).to_contain_text("Half a sent")


def test_people_and_channels_of_another_start_show_without_a_reload(
    page: Page, workspace: Workspace, slack: Slack, tmp_path: Path
) -> None:
    slack.says("U0BEN", "C0GENERAL", "Hello")
    rooms, main = page.get_by_role("navigation"), page.get_by_role("main")
    expect(main.get_by_role("article", name="Ben Okafor")).to_be_visible()
    with another_start(workspace, CHANGED, tmp_path):
        expect(main.get_by_role("article", name="Benjamin Okafor")).to_be_visible()
        expect(rooms.get_by_role("button", name="news")).to_be_visible()
        expect(rooms.get_by_role("button", name="Vera")).to_be_visible()
        expect(main.get_by_role("button", name="Ana Silva asks")).to_contain_text("What is new?")
        page.get_by_label("Message #general").press_sequentially("/l")
        expect(page.get_by_role("option", name="/library")).to_be_visible()
        rooms.get_by_role("button", name="You are").click()
        expect(page.get_by_role("option", name="Mira Novak")).to_be_visible()


def test_who_is_gone_after_another_start_becomes_somebody_who_is_there(
    open_page: Open, workspace: Workspace, tmp_path: Path
) -> None:
    page = open_page("U0BEN/C0GENERAL")
    rooms = page.get_by_role("navigation")
    expect(rooms.get_by_role("button", name="You are Ben Okafor")).to_be_visible()
    with another_start(workspace, replace(SEED, people=(ANA, MEI)), tmp_path) as other:
        expect(rooms.get_by_role("button", name="You are Ana Silva")).to_be_visible()
        expect(page.get_by_role("status").filter(has_text="not running")).to_have_count(0)
        Slack(other.url).says("U0MEI", "C0GENERAL", "Heard")
        expect(page.get_by_role("main").get_by_role("article")).to_contain_text("Heard")


def test_what_is_being_written_into_a_message_stays_through_a_restart(
    page: Page, workspace: Workspace, slack: Slack
) -> None:
    slack.says("U0ANA", "C0GENERAL", "Helo")
    message = page.get_by_role("main").get_by_role("article", name="Ana Silva")
    message.hover()
    message.get_by_role("button", name="Edit message").click()
    field = message.get_by_role("textbox", name="Edit message")
    field.fill("Hello")
    workspace.stop()
    gone = page.get_by_text("The local workspace is not running.")
    expect(gone).to_be_visible()
    workspace.start()
    expect(gone).to_be_hidden()
    slack.says("U0BEN", "C0GENERAL", "Back")
    expect(page.get_by_role("main")).to_contain_text("Back")
    expect(field).to_have_value("Hello")


@contextmanager
def another_start(workspace: Workspace, seed: Seed, folder: Path) -> Iterator[Workspace]:
    """The program is started again at the same address, after its people file was edited."""
    workspace.stop()
    options = replace(UNHURRIED, path=folder / "workspace.db")
    with Workspace(seed, port=urlsplit(workspace.url).port or 0, options=options) as other:
        yield other

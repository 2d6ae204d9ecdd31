from playwright.sync_api import Page, expect
from scripted_bot import ScriptedBot
from workspace_client import Slack

from bot.workspace.server import Workspace


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
    gone = page.get_by_text("The local workspace is not running; start it with make run")
    expect(gone).to_be_visible()
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert").first).to_contain_text("did not get an answer")
    expect(field).to_have_value("Half a sent")

    workspace.start()
    expect(gone).to_be_hidden()
    slack.says("U0BEN", "C0GENERAL", "After")

    expect(page.get_by_role("article", name="Ben Okafor").last).to_contain_text("After")
    expect(page.get_by_role("main")).to_contain_text("Before")
    page.keyboard.press("Enter")
    expect(page.get_by_role("article", name="Ana Silva")).to_contain_text("Half a sent")

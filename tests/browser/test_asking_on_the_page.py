import re

from page_setting import QUESTION, Open
from playwright.sync_api import FilePayload, Page, expect
from scripted_bot import ScriptedBot
from workspace_client import Slack


def asks(page: Page, text: str, field: str = "Message #general") -> None:
    page.get_by_label(field, exact=True).fill(text)
    page.keyboard.press("Enter")


def test_a_newcomer_clicks_an_example_reads_the_reply_and_is_a_click_from_the_others(
    page: Page, bot: ScriptedBot
) -> None:
    page.get_by_role("button", name="Ana Silva asks in #cs-undergraduates").click()
    thread = page.get_by_role("complementary", name="Thread")
    expect(thread).to_contain_text("A failed examination may be repeated twice.")
    expect(thread).to_contain_text("Ana's faculty has its own rule.")
    expect(page.get_by_role("heading", level=1)).to_have_text("cs-undergraduates")
    expect(page.get_by_role("main").get_by_role("button", name="1 reply")).to_be_visible()
    page.get_by_role("button", name="Example questions").click()
    expect(page.get_by_role("button", name="Ana Silva asks")).to_be_focused()


def test_an_example_in_a_direct_message_is_asked_as_somebody_else(
    page: Page, bot: ScriptedBot
) -> None:
    page.get_by_role("button", name="Ben Okafor asks in a direct message").click()
    main = page.get_by_role("main")
    expect(main).to_contain_text("A failed examination may be repeated twice.")
    expect(main).to_contain_text("Nobody else reads this.")
    expect(page.get_by_role("navigation")).to_contain_text(re.compile("You are\\s+Ben Okafor"))
    expect(page.get_by_role("complementary", name="Thread")).to_be_hidden()


def test_in_the_direct_message_everybody_is_offered_questions_of_their_own(
    page: Page, bot: ScriptedBot
) -> None:
    rooms = page.get_by_role("navigation")
    own = page.get_by_role("list", name="Questions that you could ask")
    rooms.get_by_role("button", name="Vouch").click()
    expect(own.get_by_role("button")).to_have_text(["Who marks my project?"])
    rooms.get_by_role("button", name="You are").click()
    page.get_by_role("option", name="Ben Okafor").click()
    rooms.get_by_role("button", name="Vouch").click()
    expect(own.get_by_role("button")).to_have_text(["When is my viva?", "Where is it?"])
    own.get_by_role("button", name="When is my viva?").click()
    expect(page.get_by_role("main")).to_contain_text("A failed examination may be repeated twice.")
    rooms.get_by_role("button", name="You are").click()
    page.get_by_role("option", name="Mei Tanaka").click()
    rooms.get_by_role("button", name="Vouch").click()
    expect(page.get_by_role("main")).to_contain_text("Ask Vouch anything here.")
    expect(own).to_have_count(0)


def test_a_focused_example_stays_so_while_something_is_said_elsewhere(
    page: Page, bot: ScriptedBot, slack: Slack
) -> None:
    example = page.get_by_role("button", name="Ana Silva asks")
    example.focus()
    slack.says("U0ANA", "C0CS", f"@Vouch {QUESTION}")
    room = page.get_by_role("navigation").get_by_role("button", name="cs-undergraduates")
    expect(room).to_have_accessible_name(re.compile("unread"))
    expect(example).to_be_focused()


def test_switching_to_another_person_shows_their_rooms_and_a_link_to_it_works(
    page: Page, open_page: Open
) -> None:
    rooms = page.get_by_role("navigation")
    expect(rooms.get_by_role("button", name="cs-undergraduates")).to_be_visible()
    rooms.get_by_role("button", name="You are").click()
    page.get_by_role("option", name="Mei Tanaka").click()
    expect(rooms.get_by_role("button", name="exam-board")).to_be_visible()
    expect(rooms.get_by_role("button", name="cs-undergraduates")).to_have_count(0)
    rooms.get_by_role("button", name="exam-board").click()
    expect(page).to_have_url(re.compile("#U0MEI/C0BOARD$"))
    again = open_page("U0MEI/C0BOARD")
    expect(again.get_by_role("heading", level=1)).to_have_text("exam-board")
    page.go_back()
    expect(page.get_by_role("heading", level=1)).to_have_text("general")


def test_a_room_that_is_clicked_can_be_written_in_at_once(page: Page, bot: ScriptedBot) -> None:
    rooms, main = page.get_by_role("navigation"), page.get_by_role("main")
    rooms.get_by_role("button", name="Vouch").click()
    expect(main).to_contain_text("administrators can look it up in the audit")
    expect(page.get_by_label("Message Vouch")).to_be_focused()
    expect(page).to_have_title("Vouch – Greenfield University")
    expect(page).to_have_url(re.compile(r"#U0ANA/D\w+$"))
    rooms.get_by_role("button", name="general").click()
    expect(page.get_by_label("Message #general")).to_be_focused()


def test_back_after_becoming_somebody_else_leads_to_where_one_was(page: Page) -> None:
    rooms, heading = page.get_by_role("navigation"), page.get_by_role("heading", level=1)
    rooms.get_by_role("button", name="cs-undergraduates").click()
    rooms.get_by_role("button", name="You are").click()
    page.get_by_role("option", name="Mei Tanaka").click()
    expect(page).to_have_url(re.compile("#U0MEI/C0GENERAL$"))
    page.go_back()
    expect(heading).to_have_text("cs-undergraduates")
    expect(rooms.get_by_role("button", name="You are")).to_contain_text("Ana Silva")


def test_what_others_write_comes_by_itself_and_is_counted_elsewhere(
    page: Page, slack: Slack
) -> None:
    main, rooms = page.get_by_role("main"), page.get_by_role("navigation")
    slack.says("U0BEN", "C0GENERAL", "Hello *everyone*, and @Ana Silva")
    expect(main.get_by_role("article", name="Ben Okafor")).to_contain_text("and @Ana Silva")
    expect(main.locator("strong", has_text="everyone")).to_be_visible()
    expect(page.get_by_role("log")).to_contain_text("Ben Okafor: Hello")
    channel = slack.direct("U0BEN", "U0ANA")
    slack.says("U0BEN", channel, "And hello to you alone")
    expect(rooms.get_by_role("button", name="Ben Okafor")).to_contain_text("1 unread")
    rooms.get_by_role("button", name="Ben Okafor").click()
    expect(main).to_contain_text("And hello to you alone")
    expect(rooms).not_to_contain_text("unread")


def test_a_thread_is_opened_answered_and_counted(page: Page, slack: Slack) -> None:
    ts = slack.says("U0BEN", "C0GENERAL", "Where is the form?")
    article = page.get_by_role("main").get_by_role("article", name="Ben Okafor")
    article.hover()
    article.get_by_role("button", name="Reply in thread").click()
    thread = page.get_by_role("complementary", name="Thread")
    expect(thread.get_by_label("Reply in the thread")).to_be_focused()
    asks(page, "On the intranet", "Reply in the thread")
    slack.says("U0BEN", "C0GENERAL", "Thank you", thread=ts)
    expect(thread).to_contain_text("On the intranet")
    expect(thread).to_contain_text("Thank you")
    expect(article.get_by_role("button", name="2 replies")).to_be_visible()
    expect(page.get_by_role("main")).not_to_contain_text("On the intranet")
    page.reload()
    expect(thread).to_contain_text("On the intranet")
    thread.get_by_role("button", name="Close thread").click()
    expect(thread).to_be_hidden()


def test_a_slash_command_is_completed_and_its_answer_is_for_one_person(
    page: Page, bot: ScriptedBot
) -> None:
    field = page.get_by_label("Message #general")
    field.press_sequentially("/as")
    expect(page.get_by_role("option", name="/ask [question]")).to_be_visible()
    page.keyboard.press("Tab")
    expect(field).to_have_value("/ask ")
    field.press_sequentially(QUESTION)
    page.keyboard.press("Enter")
    expect(page.get_by_role("main")).to_contain_text("Only visible to you")
    expect(page.get_by_role("main")).to_contain_text("I'll answer in our direct message.")
    assert bot.commands == [f"/ask {QUESTION}"]


def test_what_cannot_be_sent_stays_in_the_field_with_the_reason(page: Page) -> None:
    asks(page, "/nonsense at all")
    expect(page.get_by_role("alert").filter(has_text="not a valid command")).to_be_visible()
    expect(page.get_by_label("Message #general")).to_have_value("/nonsense at all")
    asks(page, " /home is full")  # behind a space it is no command
    expect(page.get_by_role("article", name="Ana Silva")).to_contain_text("/home is full")


def test_an_own_message_is_corrected_and_taken_back(page: Page) -> None:
    asks(page, "Helo & goodbye")
    article = page.get_by_role("article", name="Ana Silva")
    article.hover()
    article.get_by_role("button", name="Edit message").click()
    page.get_by_role("textbox", name="Edit message").fill("Hello & goodbye")
    page.keyboard.press("Enter")
    expect(article).to_contain_text("Hello & goodbye (edited)")
    article.hover()
    article.get_by_role("button", name="Delete message").click()
    page.get_by_role("dialog").get_by_role("button", name="Delete").click()
    expect(article).to_have_count(0)


def test_what_the_bot_is_doing_is_told_until_it_has_spoken(page: Page, bot: ScriptedBot) -> None:
    status = page.get_by_role("main").get_by_role("status")
    asks(page, "A question to nobody")
    ts = page.get_by_role("main").get_by_role("article").get_attribute("data-key")
    assert ts
    bot.web.assistant_threads_setStatus(
        channel_id="C0GENERAL", thread_ts=ts, status="is reading the documents…"
    )
    expect(status).to_have_text("Vouch is reading the documents…")
    bot.web.chat_postMessage(channel="C0GENERAL", thread_ts=ts, text="Done")
    expect(status).to_have_text("")


def test_what_the_bot_is_doing_is_told_in_a_direct_message_that_has_no_thread(
    open_page: Open, bot: ScriptedBot, slack: Slack
) -> None:
    direct = slack.direct("U0ANA")
    page = open_page(f"U0ANA/{direct}")
    ts = str(bot.web.chat_postMessage(channel=direct, text="Reading the documents…")["ts"])
    for status in ("is reading the documents…", ""):
        bot.web.assistant_threads_setStatus(channel_id=direct, thread_ts=ts, status=status)
        shown = status and f"Vouch {status}"
        expect(page.get_by_role("main").get_by_role("status")).to_have_text(shown)


def test_a_file_goes_with_the_question_and_alone(page: Page, slack: Slack) -> None:
    plan: FilePayload = {
        "name": "plan.md",
        "mimeType": "text/markdown",
        "buffer": b"# Plan\n\nRow.",
    }
    page.locator("input[type=file]").first.set_input_files([plan])
    main = page.get_by_role("main")
    expect(main).to_contain_text("With it: plan.md")
    asks(page, "@Vouch what is planned?")
    expect(main.get_by_role("article").last).to_contain_text("plan.md")
    expect(main).not_to_contain_text("With it: plan.md")
    dropped = """() => {
      const all = new DataTransfer();
      all.items.add(new File(["# Plan"], "plan.md"));
      return all;
    }"""
    transfer = page.evaluate_handle(dropped)
    page.dispatch_event("main .composer", "drop", {"dataTransfer": transfer})
    expect(main).to_contain_text("With it: plan.md")
    page.get_by_role("button", name="Send").first.click()
    expect(main.get_by_role("article")).to_have_count(2)
    said = slack.messages("C0GENERAL", "U0ANA")
    assert [file["name"] for message in said for file in message["files"]] == ["plan.md"] * 2

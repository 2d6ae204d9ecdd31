"""What is shown where an administrator gives files to be read as documents."""

import json
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace

from bot.slack.blocks.elements import (
    Block,
    Message,
    View,
    actions,
    bullets,
    button,
    in_line,
    labelled,
    line,
    marked,
    note,
    preformatted,
    rich,
    section,
    small,
    spoken,
    words,
)
from bot.slack.blocks.forms import MOST_OF_GROUP, form, form_field, select
from bot.slack.exchange import AttachedFile, files_in
from bot.slack.given_files import MOST_GIVEN, GivenFiles, option_of
from bot.wording import reading_in as wording
from bot.wording.documents import who
from retrieval.metadata.access import Audience

READ_IN = "read_in"
READERS = "readers"
AudienceChoices = Mapping[str, Mapping[str, Audience]]
"""Who may be chosen, by group and label."""


def choose(files: Sequence[AttachedFile]) -> Message:
    """Answer whoever wants a file read in: who may read it is to be said first."""
    said = wording.CHOOSE_FIRST
    press = button(wording.CHOOSE, READ_IN, _packed(files), primary=True)
    return Message(spoken(said), (section(said), actions(press)))


def files_of(value: str) -> tuple[AttachedFile, ...]:
    return files_in(json.loads(value))


def _packed(files: Sequence[AttachedFile]) -> str:
    """Pack as many as a button takes: one more than is read at once, so that it is named."""
    shown = [replace(each, name=_printed(each.name)) for each in files[: MOST_GIVEN + 1]]
    return json.dumps([asdict(each) for each in shown], ensure_ascii=False)


def _printed(name: str) -> str:
    """A name without what a button's value would have to spell out; its own is looked up again."""
    return "".join(each if each.isprintable() else "\ufffd" for each in name)


def nothing_to_read(refused: Sequence[str]) -> Message:
    """Say that nothing in a message is read in; `refused`: as `readers_form` has it."""
    said = wording.NO_FILES
    return Message(spoken(said), (section(said), *_refused(refused)))


def _refused(names: Sequence[str]) -> list[Block]:
    return [small(in_line(f"{wording.NOT_READ_IN} {each}", 600)) for each in names]


def readers_form(
    channel: str, files: Sequence[AttachedFile], refused: Sequence[str], offered: AudienceChoices
) -> View:
    """Ask who may read them; `refused`: names with why they are not read in."""
    groups = {
        group: {option_of(each): label for label, each in of.items()}
        for group, of in offered.items()
    }
    more = [group for group, of in groups.items() if len(of) > MOST_OF_GROUP]
    left_out = wording.TOO_MANY_VALUES.format(facets=", ".join(more))
    blocks: list[Block] = [
        rich(bullets([line(words(in_line(each.name, 300))) for each in files])),
        *_refused(refused),
        form_field(READERS, wording.WHO_READS, select(groups, wording.SELECT)),
        note(wording.WHO_READS_HINT),
        *([small(in_line(left_out, 600))] if more else []),
    ]
    return form(wording.TITLE, READ_IN, f"{channel}:{_packed(files)}", blocks, wording.SEND)


def became(given: GivenFiles) -> Message:
    said = [
        (each.name, each.why or wording.read_in(each.passages, who(each.readers)))
        for each in given.outcomes
    ]
    shown = [labelled(in_line(name, 300), in_line(what, 900)) for name, what in said]
    stand = [
        shlex.join(["vouch", "ingest", "--remove", str(each.path)])
        for each in given.outcomes
        if not each.why
    ]
    back = [line(words(wording.TAKE_BACK)), preformatted("\n".join(stand))] if stand else []
    aloud = "\n".join([wording.OUTCOMES, *(f"{name} {what}" for name, what in said)])
    return Message(
        spoken(aloud), marked(given.mark, [section(wording.OUTCOMES), rich(bullets(shown), *back)])
    )

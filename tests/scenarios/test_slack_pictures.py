"""Somebody looks behind a reply and sees the cited lines on their page."""

import io
import urllib.request
from collections.abc import Iterator
from typing import Any

import pytest
from PIL import Image
from reportlab.pdfgen.canvas import Canvas
from slack_people import Somebody
from slack_reading import words
from slack_scene import Reply, Scene, opened
from vouch_home import Home, write

from retrieval.rendering.drawing import MARKER

LATE = "How late may I hand in coursework, and what does it cost me?"
KEYS = "what does a lost key of the boat house cost?"
SENTENCE = "A lost key of the boat house costs forty euros."


@pytest.fixture(scope="module")
def scene(university: Home, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Scene]:
    folder = tmp_path_factory.mktemp("pictures")
    docs = write(folder / "docs", {"swans.md": "Nobody feeds the swans."})
    canvas = Canvas(str(docs / "boat-house.pdf"))
    canvas.setTitle("Boat house")
    canvas.drawString(72, 700, "The boat house is open from May.")
    canvas.showPage()
    canvas.drawString(72, 640, SENTENCE)
    canvas.drawString(72, 620, "Ask the warden for another one.")
    canvas.save()
    with opened(university, folder, VOUCH_SLACK_PICTURES="true") as scene:
        scene.home.ingest(docs)
        yield scene


def pictures(scene: Scene, who: Somebody, reply: Reply) -> list[dict[str, Any]]:
    """What the evidence shows once more than words stand in it."""
    with scene.slack.page(who.user) as page:
        scene.clicks(who, reply, "evidence")
        said = page.next("view")["view"]
        shown = page.next("view")["view"]
    assert all(claim.text in words(said) for claim in reply.record.claims)
    assert all(claim.text in words(shown) for claim in reply.record.claims)
    return [block for block in shown["blocks"] if block["type"] == "image"]


def image_of(scene: Scene, who: Somebody, block: dict[str, Any]) -> Image.Image:
    file_id = block["slack_file"]["id"]
    url = f"{scene.workspace.url}/page/files/{file_id}?as={who.user}"
    with urllib.request.urlopen(url) as response:  # noqa: S310 - the workspace's own
        return Image.open(io.BytesIO(response.read())).convert("RGB")


def is_marked(image: Image.Image) -> bool:
    return MARKER in {colour for _, colour in image.getcolors(1 << 24) or []}


def test_the_cited_lines_of_a_text_are_shown_with_their_place(scene: Scene) -> None:
    ana = scene.somebody("ana")
    reply = scene.reply_to(scene.writes(ana, LATE))
    shown = pictures(scene, ana, reply)
    cited = reply.record.claims[0].citations[0]
    assert shown[0]["alt_text"] == " ".join(cited.quote.split())
    assert "lines 21-22 (Late coursework)" in shown[0]["title"]["text"]
    assert is_marked(image_of(scene, ana, shown[0]))


def test_of_a_pdf_the_page_is_shown_where_the_words_stand(scene: Scene) -> None:
    ana = scene.somebody("ana")
    reply = scene.reply_to(scene.writes(ana, KEYS))
    [shown] = pictures(scene, ana, reply)
    assert shown["alt_text"] == SENTENCE
    assert "page 2" in shown["title"]["text"]
    assert is_marked(image_of(scene, ana, shown))

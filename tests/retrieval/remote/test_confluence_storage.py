"""Of a page of Confluence that is read which its own authors wrote in it for all who see it."""

import pytest
from confluence_site import own_words

from retrieval.errors import UnreadableDocument
from retrieval.parsing.html import parse
from retrieval.remote.confluence import as_html


def body_of(storage: str) -> str:
    return " ".join(own_words(as_html(["Pay"], storage).decode()).split())


def macro(name: str, body: str, **parameters: str) -> str:
    stated = "".join(
        f'<ac:parameter ac:name="{key}">{value}</ac:parameter>' for key, value in parameters.items()
    )
    return f'<ac:structured-macro ac:name="{name}">{stated}{body}</ac:structured-macro>'


def rich(text: str) -> str:
    return f"<ac:rich-text-body>{text}</ac:rich-text-body>"


WORDS = "<ac:link-body>a <b>b</b></ac:link-body>"


def link(kind: str, names: str, name: str, words: str = "") -> str:
    return f'<ac:link><ri:{kind} ri:{names}="{name}"/>{words}</ac:link>'


@pytest.mark.parametrize(
    ("storage", "body"),
    [
        ("<h1>Pay &amp; leave&nbsp;&rsquo;26</h1>", "<h3>Pay &amp; leave ’26</h3>"),
        ('<td class="x">A &lt; b</td>', '<td class="x">A &lt; b</td>'),
        ('<td rowspan="2">A</td>', '<td rowspan="2">A</td>'),
        (
            macro("info", rich("<p>Ask.</p>"), title="Note"),
            "<div><p><strong>Note</strong></p> <p>Ask.</p> </div>",
        ),
        (
            macro("code", "<ac:plain-text-body><![CDATA[a < b]]></ac:plain-text-body>", lang="py"),
            "<div><pre>a &lt; b</pre> </div>",
        ),
        (f"<p>It is {macro('status', '', title='OPEN', colour='G')}.</p>", "<p>It is OPEN.</p>"),
        (f"<p>See {link('page', 'content-title', 'Fees')}.</p>", "<p>See Fees.</p>"),
        (f"<p>{link('attachment', 'filename', 'fees.pdf')}</p>", "<p>fees.pdf</p>"),
        (
            f"<p>{link('page', 'content-title', 'Fees', WORDS)}</p>",
            "<p>a <b>b</b></p>",
        ),
        ('<p>By <time datetime="2026-05-01"/>.</p>', "<p>By 2026-05-01.</p>"),
        (
            "<p>An <ac:inline-comment-marker>old</ac:inline-comment-marker> rule</p>",
            "<p>An old rule</p>",
        ),
        (
            "<ac:task-list><ac:task><ac:task-id>1</ac:task-id><ac:task-body>Sign</ac:task-body>"
            "</ac:task></ac:task-list>",
            "<ul><li>Sign</li> </ul>",
        ),
        ("<!-- for HR --><script>x()</script><style>p{}</style>", ""),
        ('<p style="display: none">Not seen</p>', '<p style="display: none">Not seen</p>'),
    ],
)
def test_what_people_wrote_is_read_as_they_see_it(storage: str, body: str) -> None:
    assert body_of(storage) == body


@pytest.mark.parametrize(
    "storage",
    [
        macro("include", link("page", "content-title", "Secret")),
        macro("include", "", page="Secret"),
        macro("show-if", rich("<p>Secret</p>"), group="hr-team"),
        macro("excerpt", rich("<p>Secret</p>"), hidden="true"),
        macro("html", "<ac:plain-text-body><![CDATA[<p>Secret</p>]]></ac:plain-text-body>"),
        macro("info", macro("show-if", rich("<p>Secret</p>"))),
        '<meta name="audience" content="Secret"/>',
        "<ac:placeholder>Secret</ac:placeholder>",
        "<ac:unheard-of>Secret</ac:unheard-of>",
        '<ac:image ac:alt="Secret"><ri:attachment ri:filename="Secret"/></ac:image>',
    ],
)
def test_what_comes_from_elsewhere_or_not_for_all_who_see_it_is_left_out(storage: str) -> None:
    assert "Secret" not in body_of(storage)


@pytest.mark.parametrize(
    "storage",
    [
        f"<p>The fee is {macro('jira', '', key='A-1')} euros.</p>",
        f"<p>Ask {link('user', 'account-id', '1')}.</p>",
    ],
)
def test_within_a_sentence_it_is_said_that_something_stands_there(storage: str) -> None:
    assert "[unknown value]" in body_of(storage)


@pytest.mark.parametrize(
    "storage",
    [
        *("<p>Not closed", "<x:y>A</x:y>", "</body><body>", "<p>" * 5_000),
        *(
            "<p>" * 5_000 + "</p>" * 5_000,
            "<p>&#0;</p>",
            '<!DOCTYPE x [<!ENTITY a "b">]><p>&a;</p>',
        ),
    ],
)
def test_a_page_in_another_form_is_not_read(storage: str) -> None:
    with pytest.raises(UnreadableDocument, match="form in which Confluence"):
        as_html(["Pay"], storage)


@pytest.mark.parametrize(
    "storage",
    [
        f"<h2>{macro('anchor', '', to='x')}Annual leave</h2>",
        f"<p>{macro('toc', '')}You have 25 days.</p>",
    ],
)
def test_what_shows_nothing_of_its_own_is_not_said_to_stand_there(storage: str) -> None:
    assert "[" not in body_of(storage)


def test_code_and_words_that_look_like_references_stay_as_they_are() -> None:
    code = "<ac:plain-text-body><![CDATA[a&nbsp;b &copy; <![CDATA[ &x; ]]></ac:plain-text-body>"
    shown = body_of(f"<p>Q&unheard;A &copy;</p>{macro('code', code)}<p>&eacute;</p>")
    assert "<p>Q&amp;unheard;A ©</p>" in shown
    assert "<pre>a&amp;nbsp;b &amp;copy; &lt;![CDATA[ &amp;x; </pre>" in shown
    assert "<p>é</p>" in shown


def test_a_page_may_be_deep_wide_and_long() -> None:
    deep, wide, text = 1_900, 20_000, "x" * 11_000_000
    begins = '<ac:structured-macro ac:name="expand">'
    assert "x" in body_of(f"{begins * deep}x{'</ac:structured-macro>' * deep}")
    assert body_of(f"<p>a {macro('jira', '') * wide}</p>").count("[unknown value]") == wide
    assert text in body_of(f"<p>{text}</p>")


def test_the_tree_leads_to_what_is_read_and_its_titles_are_text() -> None:
    parsed = parse(as_html(["<b>HR", "Pay & leave"], "<h1>Part time</h1><p>Pay comes in May.</p>"))
    assert parsed.title == "Pay & leave"
    assert parsed.fragments[-1].section_path == ("<b>HR › Pay & leave", "Part time")

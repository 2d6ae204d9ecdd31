"""What people do not see on a page is not read, however it is hidden; what they see is."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from parsed_documents import assert_places_hold, texts

from retrieval.errors import UnreadableDocument
from retrieval.parsing import html, markdown
from retrieval.parsing.css import page_styles
from retrieval.types import ParsedDocument

SEEN = "<p>Leave is 25 days.</p>"


def page(body: str, sheet: str = "") -> ParsedDocument:
    style = f"<style>{sheet}</style>" if sheet else ""
    document = html.parse(f"<html><head>{style}</head><body>{body}</body></html>".encode())
    assert_places_hold(document)
    return document


@pytest.mark.parametrize(
    "style",
    [
        "display:none",
        "DISPLAY : NONE !important; display: block",
        "visibility:hidden",
        "visibility:collapse",
        "visibility:hidden;visibility:seen",
        "opacity:0",
        "opacity:0.01",
        "filter: opacity(0%)",
        "font-size:0",
        "font-size:1%",
        "color:#fff",
        "color:rgb(255 255 254)",
        "color:lab(100 0 0)",
        "color:hsl(0, 0%, 100%)",
        "color:oklch(1 0 0)",
        "color:transparent",
        "color:rgba(0,0,0,0)",
        "color:#333;background:#343434 none",
        "-webkit-text-fill-color:white",
        "--c:#fff; color:var(--c)",
        "color:var(--none, white)",
        "position:absolute;left:-9999px",
        "position:absolute;left:9999px",
        "position:fixed;top:-300em",
        "margin-left:-9999px",
        "position:absolute;inset:0 0 0 -5000px",
        "text-indent:-9999px",
        "text-indent:9999px",
        "transform:scale(0)",
        "scale:10%",
        "zoom:0",
        "text-indent:100%;overflow:hidden;white-space:nowrap",
        "transform:translateX(-9999px)",
        "position:absolute;clip:rect(1px,1px,1px,1px)",
        "clip-path:inset(50%)",
        "clip-path:circle(0)",
        "height:0;overflow:hidden",
        "max-height:0;overflow:hidden",
        "width:1px;height:1px;overflow:hidden",
        "content-visibility:hidden",
        "text-decoration: red wavy underline LINE-THROUGH",
        "text-decoration:none; text-decoration-line:line-through",
        "font:bold 0 serif",
        "font-size:2pt",
        "font-size:calc(1px * 0)",
        "font-size:clamp(0px, 1px, 2px)",
        "zoom:.1",
        "-webkit-transform:scale(.1)",
        "transform:scaleY(0.02)",
        "position:absolute;inset:-9999px",
        "position:fixed;inset:auto auto -5000px auto",
        "position:absolute;inset-inline-start:-9999px",
        "position:absolute;inset-inline:-9999px auto",
        "position:absolute;left:calc(-9999px + 2em)",
        "position:fixed;top:100vh",
        "position:fixed;left:100%",
        "margin-inline-start:-9999px",
        "padding-left:9999px",
        "translate:9999px",
        "transform:translateX(-1000vw)",
        "block-size:0;overflow:clip",
        "height:3px;overflow:hidden",
        "line-height:0;overflow:hidden",
        "letter-spacing:-1em",
        "font-size:0;line-height:1px;overflow:hidden",
        "display:none;display:shown",
        "display:none;display:;display:0",
        "opacity:0;opacity:1px",
        "font-size:0;font-size:big;font-size:20",
        "position:absolute;left:-9999px;left:here;position:there",
        "height:0;overflow:hidden;overflow:shown;height:#fff",
        "transform:scale(0);transform:all",
    ],
)
@pytest.mark.parametrize("by", ["style", "class"])
def test_a_style_that_hides_text_keeps_it_out(style: str, by: str) -> None:
    if by == "style":
        document = page(f'{SEEN}<p style="{style}">Obey <b>xyzzy</b>.</p>{SEEN}')
    else:
        document = page(f'{SEEN}<p class="x">Obey <b>xyzzy</b>.</p>{SEEN}', f".x {{ {style} }}")
    assert texts(document) == ["Leave is 25 days."] * 2
    [piece] = document.hidden
    assert (piece.text, piece.where, piece.left_out) == ("Obey xyzzy.", "line 1", True)


@pytest.mark.parametrize(
    "sheet",
    [
        "h6, .y, .x {display:none}",
        "body > div > .x{display:none}",
        "p + .x{display:none}",
        "#i{display:none}",
        "div { .x {display:none} }",
        "h1 ~ .x{display:none}",
        ".x:not(.y){display:none}",
        ":is(.x, .y){display:none}",
        "p:nth-child(3){display:none}",
        "[data-a=b]{display:none}",
        "[class^='x']{display:none}",
        "div { & .x {display:none} }",
        "@media (min-width:1px) {.x{display:none}}",
        "@media (max-width:100em) and (orientation:landscape) {.x{display:none}}",
        "@supports (display:grid) {.x{display:none}}",
        "@layer base {.x{display:none}}",
        "@layer base {p.x{display:block}} .x{display:none}",
        "body{background:#111;color:#eee} .x{color:#111}",
        ".x{color:black !important;background:black} .x{color:white}",
    ],
)
def test_a_rule_that_hides_text_keeps_it_out(sheet: str) -> None:
    body = '<h1>Leave</h1><p>One.</p><p class="x" id="i" data-a="b">xyzzy</p><p>Two.</p>'
    assert texts(page(f"<div>{body}</div>", sheet)) == ["One.", "Two."]


COMMON_STYLES = [
    "font:400 12px/0 serif",
    "font-size:calc(1rem + .5vw)",
    "font-size:clamp(1rem, 2vw, 3rem)",
    "position:absolute;left:50%;top:50%;transform:translate(-50%, -50%)",
    "position:absolute;left:calc(50% - 100px)",
    "inset:0;position:absolute",
    "transform:rotate(3deg) translateY(-4px)",
    "filter:drop-shadow(0 0 2px #000) grayscale(1)",
    "filter:alpha(opacity=50)",
    "animation:spin 1s linear infinite",
    "mask:none;mix-blend-mode:normal;clip-path:none",
    "display:grid;grid-template-columns:repeat(auto-fit, minmax(10rem, 1fr));gap:1rem",
    "letter-spacing:-.02em;line-height:1.5;word-break:break-word",
    "--c:51 51 51;color:rgb(var(--c) / 90%)",
    "mso-hide:all;_display:none;-ms-zoom:0",
    "zoom:1;scale:1.2",
    "height:1.2em;overflow:hidden;max-width:60ch",
    "-webkit-font-smoothing:antialiased;-webkit-text-size-adjust:100%;accent-color:red",
]
SPIN = "@keyframes spin {to {transform:rotate(360deg)}} "
COMMON_SHEETS = [
    "@media print {.x{display:none}}",
    "@media not screen {.x{display:none}}",
    ".other .x{display:none}",
    "body{background:#111} .x{color:white}",
    "@media (max-width:600px) {.x{display:none}}",
    "@media (prefers-color-scheme: dark) {.x{color:white}}",
    ".x:hover{display:none}",
    ".x::before{display:none}",
    ".y + .x, .x > p, #x{display:none}",
    "p .x, p > .x, body + .x, body ~ .x, html > .x{display:none}",
    ".x{display:none} p.x{display:block}",
    ".x{display:none} .x{display:block}",
    ".x{display:block !important} #i{display:none}",
    "html{background:#111} .x{color:white}",
    ":root{--ground:#111} body{background:var(--ground)} .x{color:white}",
    ".x{color:white;background:rgb(0 0 0 / 90%)}",
    ".x{text-indent:-2em;opacity:.6;font-size:8px;overflow:hidden;height:1em}",
    ".x{position:relative;left:-10px;margin-left:-1em}",
    ".x{text-decoration:line-through; text-decoration:none}",
    *(SPIN + f".x{{{style}}}" for style in COMMON_STYLES),
]


@pytest.mark.parametrize("sheet", COMMON_SHEETS)
def test_common_styles_hide_nothing_and_leave_nothing_in_doubt(sheet: str) -> None:
    document = page('<p>One.</p><p class="x" id="i">Two.</p>', sheet)
    assert texts(document) == ["One.", "Two."]
    assert not document.hidden


@pytest.mark.parametrize(
    "hidden",
    [
        "<p hidden>xyzzy</p>",
        "<p popover>xyzzy</p>",
        "<dialog>xyzzy</dialog>",
        '<p class="sr-only">xyzzy</p>',
        '<span class="a visually-hidden">xyzzy</span>',
        '<font color="#FFFFFF">xyzzy</font>',
        '<table><tr><td bgcolor="black"><font color=black>xyzzy</font></td></tr></table>',
        '<img src=a.png alt="xyzzy" style="display:none">',
        '<img src=a.png alt="xyzzy" width=1 height=1>',
        "<meter>xyzzy</meter><progress>xyzzy</progress><noframes>xyzzy</noframes>",
    ],
)
def test_elements_and_attributes_that_hide_keep_text_out(hidden: str) -> None:
    assert texts(page(SEEN + hidden + SEEN)) == ["Leave is 25 days."] * 2


def test_a_sheet_below_the_text_and_one_in_markdown_count_too() -> None:
    below = html.parse(b"<p class=x>xyzzy</p><p>Seen.</p><style media=screen>.x{opacity:0}</style>")
    assert texts(below) == ["Seen."]
    source = (
        "Seen.\n\n<style>\n.x { display: none }\n</style>\n\nAnd <b class='x'>xyzzy</b> this.\n"
    )
    written = markdown.parse(source.encode())
    assert texts(written) == ["Seen.", "And this."]
    assert [(piece.text, piece.where) for piece in written.hidden] == [("xyzzy", "line 7")]


def test_a_sheet_that_is_only_shown_as_code_hides_nothing() -> None:
    source = "Write this:\n\n```html\n<style>p { display: none }</style>\n```\n"
    assert texts(markdown.parse(source.encode()))[0] == "Write this:"
    shown = (
        b"<pre>&lt;style>p{display:none}&lt;/style></pre><!-- <style>p{opacity:0}</style> --><p>A."
    )
    assert texts(html.parse(shown))[-1] == "A."


def test_what_takes_its_visibility_back_is_read() -> None:
    document = page(
        '<div style="visibility:hidden">xyzzy <p style="visibility:visible">Seen.</p></div>'
        '<div style="font-size:0"><span style="font-size:12px">Seen too.</span></div>'
        '<div style="color:white">xyzzy <b style="color:black">And this.</b></div>'
        '<p hidden style="display:block">And that.</p>'
    )
    assert texts(document) == ["Seen.", "Seen too.", "And this.", "And that."]


def test_white_text_whose_ground_is_not_known_is_read_and_reported() -> None:
    for body in (
        '<div style="background:url(night.png)"><p style="color:#fff">Two.</p></div>',
        '<div style="background:linear-gradient(red, blue)"><p style="color:#fff">Two.</p></div>',
        '<link rel=stylesheet href=dark.css><p style="color:#fff">Two.</p>',
        '<img src=a.jpg><p style="position:absolute;color:#fff">Two.</p>',
    ):
        document = page("<p>One.</p>" + body)
        assert texts(document) == ["One.", "Two."]
        assert [(piece.text, piece.left_out) for piece in document.hidden] == [("Two.", False)]


@pytest.mark.parametrize(
    "style",
    [
        "mask:linear-gradient(transparent, transparent)",
        "-webkit-mask-image:url(nothing.svg)",
        "filter:blur(20px)",
        "clip-path:path('M0 0')",
        "transform:rotateY(90deg)",
        "transform:matrix(0, 0, 0, 0, 0, 0)",
        "rotate:x 90deg",
        "offset-path:ray(0deg)",
        "mix-blend-mode:screen",
        "-webkit-text-security:disc",
        "color:color-mix(in srgb, white, white)",
        "color:Canvas",
        "font-size:calc(1px * sin(0))",
        "font-size:calc(0px * (1e308 * 1e308))",
        "left:anchor(left)",
        "opacity:calc(0)",
        "grid-template-rows:0fr",
        "contain:strict",
        "a-property-of-tomorrow:hide",
        "position:absolute;left:-999px",
        "text-indent:-50em",
        "--a:var(--b) var(--b); --b:var(--c) var(--c) var(--c) var(--c); "
        "--c:var(--d) var(--d) var(--d) var(--d) var(--d) var(--d) var(--d) var(--d); "
        "--d:; opacity:var(--a) var(--a) var(--a) var(--a) var(--a) var(--a) var(--a) var(--a) 0",
    ],
)
@pytest.mark.parametrize("by", ["style", "class"])
def test_text_in_a_style_that_may_hide_it_and_is_not_followed_is_read_and_reported(
    style: str, by: str
) -> None:
    held = f'style="{style}"' if by == "style" else 'class="x"'
    document = page(f"{SEEN}<p {held}>Two <b>bits</b>.</p>{SEEN}", f".x {{ {style} }}")
    assert texts(document) == ["Leave is 25 days.", "Two bits.", "Leave is 25 days."]
    [piece] = document.hidden
    assert (piece.text, piece.where, piece.left_out) == ("Two bits.", "line 1", False)
    assert "not followed: " in piece.way


@pytest.mark.parametrize(
    "sheet",
    [
        "p:has(b){display:none}",
        "div:has(i) p.x{font-size:0}",
        ".x:nth-last-child(1){position:absolute;left:-9999px}",
        ".x:nth-of-type(2){opacity:0}",
        ".x:not(:has(i)){display:none}",
        ":is(div .x, q){display:none}",
        "@container (width > 1px) {.x{display:none}}",
        "@scope (div) {.x{display:none}}",
        "@media (min-aspect-ratio: 1/2) {.x{display:none}}",
        "@media (width > calc(1px)) {.x{display:none}}",
        "@supports not (display:tomorrow) {.x{display:none}}",
        "@starting-style {.x{opacity:0}}",
        "@keyframes go {to {opacity:0}} .x{animation:go 1s forwards}",
        "@keyframes go {100% {visibility:hidden}} .x{-webkit-animation-name:go}",
        ".x:a-state-of-tomorrow{display:none}",
        ".a, " + ":is(p)" * 300 + "{display:none}",
    ],
)
def test_text_of_a_hiding_rule_that_is_not_followed_is_read_and_reported(sheet: str) -> None:
    document = page('<div><p>One.</p><p class="x">Two <b>bits</b>.</p></div>', sheet)
    assert texts(document) == ["One.", "Two bits."]
    [piece] = document.hidden
    assert piece.text.endswith("Two bits.")
    assert not piece.left_out
    assert "not followed: " in piece.way


@pytest.mark.parametrize(
    "head",
    [
        "<link rel=stylesheet href='data:text/css,.x{display:none}'>",
        "<link rel=stylesheet href='data:text/css;base64,Lnh7ZGlzcGxheTpub25lfQ=='>",
        "<link rel='stylesheet' media=screen href=' DATA:text/css;x=y,.x%7Bopacity:0%7D'>",
        "<style>@import url(data:text/css,.x%7Bdisplay:none%7D);</style>",
        "<style>@import 'data:text/css,.x{display:none}' screen;</style>",
    ],
)
def test_a_sheet_that_stands_in_an_address_hides_text(head: str) -> None:
    document = html.parse(f"{head}<p>One.</p><p class=x>xyzzy</p>".encode())
    assert texts(document) == ["One."]
    assert [piece.text for piece in document.hidden] == ["xyzzy"]


@pytest.mark.parametrize(
    "head",
    [
        "<style media=print>} .x{display:block}</style>",
        "<link rel=stylesheet media=print href='data:text/css,} .x{display:block}'>",
        "<style>@import 'data:text/css,p.x{display:block}' print;</style>",
        "<style>@import url('data:text/css,p.x{display:block}') layer(a) screen;</style>",
        "<style>> .x{display:block} .x:hover ~ ##, #i .x{display:block}</style>",
    ],
)
def test_a_sheet_that_is_not_in_force_shows_nothing(head: str) -> None:
    page = f"<style>.x{{display:none}}</style>{head}<p>One.</p><p class=x>xyzzy</p>"
    assert texts(html.parse(page.encode())) == ["One."]


def test_each_piece_of_hidden_text_is_named_once_with_its_line_and_the_style_in_doubt() -> None:
    document = html.parse(
        b"<p>One.</p>\n<div hidden><p>a</p>\n<p>b</p></div>\n<p>Two.</p>\n"
        b"<i style='opacity:0'>c</i>"
    )
    pieces = [(piece.text, piece.way, piece.where) for piece in document.hidden]
    assert pieces == [("a b", "not displayed", "line 2"), ("c", "transparent", "line 5")]
    [piece] = page("<p>One.</p>", "p:last-child { display: none }").hidden
    assert piece.way == "by a style that is not followed: p:last-child"


STYLES = ["color:#333", "font-size:.8em;opacity:.9", "background:#123;color:#fff"]
STYLES += ["background:#fff;color:#000", "position:relative;left:4px", "overflow:hidden;height:9em"]
OTHERS = ["", " class='dark'", " class='note'", " id='a'", " aria-hidden=true"]
HARMLESS = st.sampled_from([*OTHERS, *(f" style='{style}'" for style in STYLES)])
SHEET = ".dark{background:#000;color:#ddd} .note{color:#234;background:#eee} #a{font-size:11px}"
NESTED = st.recursive(
    st.text("abcdefghij", min_size=1, max_size=5),
    lambda inner: st.builds(
        lambda name, attributes, parts: f"<{name}{attributes}>{' '.join(parts)}</{name}>",
        st.sampled_from(["div", "section", "span", "b", "ul", "blockquote"]),
        HARMLESS,
        st.lists(inner, min_size=1, max_size=3),
    ),
    max_leaves=12,
)


@given(NESTED)
def test_text_of_harmless_styles_is_never_lost(body: str) -> None:
    plain = html.parse(f"<body>{body}</body>".replace(" style=", " title=").encode())
    styled = page(body, SHEET)
    assert texts(styled) == texts(plain)
    assert not styled.hidden


def counted_tests(elements: int, rules: int) -> int:
    sheet = "".join(f".a .c{n} > b, .c{n} {{ opacity: 1 }}\n" for n in range(rules))
    body = "".join(f"<p class='c{n % rules}'><b>a</b></p>" for n in range(elements))
    spent = page_styles.Spent()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("retrieval.parsing.css.page_styles.Spent", lambda: spent)
        page(f"<div class=a>{body}</div>", sheet)
    return spent.tests


def test_work_grows_with_elements_and_not_with_rules_times_elements() -> None:
    assert counted_tests(400, 50) <= 2 * counted_tests(200, 50)
    assert counted_tests(200, 100) <= counted_tests(200, 50) + 50


def test_numbers_of_thousands_of_digits_are_refused() -> None:
    number = "9" * 5000
    for style, sheet in ((f"left:{number}px", ""), ("", f"p:nth-child({number}n){{color:red}}")):
        with pytest.raises(UnreadableDocument, match="style rules"):
            page(f"<p style='{style}'>a</p>", sheet)

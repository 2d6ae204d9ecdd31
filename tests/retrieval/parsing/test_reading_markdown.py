import datetime
from textwrap import dedent

import pytest
from parsed_documents import assert_places_hold, kinds, quotes, sentences, texts
from stating import whose

from retrieval.errors import BadMetadata, UnreadableDocument
from retrieval.parsing.markdown import parse
from retrieval.types import FragmentKind, ParsedDocument

ITEM, PARAGRAPH, ROW = FragmentKind.LIST_ITEM, FragmentKind.PARAGRAPH, FragmentKind.TABLE_ROW


def parsed(text: str) -> ParsedDocument:
    document = parse(dedent(text).encode())
    assert_places_hold(document)
    return document


def test_a_sentence_keeps_its_markup_in_the_source_and_loses_it_in_the_text() -> None:
    document = parsed('Ask **Ana Silva**. Then [mail `it`](mailto:x@example.org "now") to *us*!\n')
    assert texts(document) == ["Ask Ana Silva.", "Then mail it to us!"]
    assert quotes(document) == [
        "Ask **Ana Silva**.",
        'Then [mail `it`](mailto:x@example.org "now") to *us*!',
    ]
    around_two = parsed("_One is here. Two is there._\n")
    assert quotes(around_two) == ["_One is here.", "Two is there._"]


def test_a_paragraph_over_several_lines_knows_the_lines_of_each_sentence() -> None:
    document = parsed("First line\ngoes on. Second\none. Third.\n\nFourth &amp; last.\n")
    assert [(s.text, s.line_start, s.line_end) for s in sentences(document)] == [
        ("First line goes on.", 1, 2),
        ("Second one.", 2, 3),
        ("Third.", 3, 3),
        ("Fourth & last.", 5, 5),
    ]


def test_carriage_returns_and_a_byte_order_mark_do_not_move_places() -> None:
    document = parse(b"\xef\xbb\xbf# Caf\xc3\xa9\r\n\r\nUne *id\xc3\xa9e*.\r\nTwo lines.\r\n")
    assert_places_hold(document)
    assert document.title == "Café"
    assert quotes(document) == ["Une *idée*.", "Two lines."]
    assert [s.line_start for s in sentences(document)] == [3, 4]


def test_front_matter_is_kept_as_values_and_never_read_as_text() -> None:
    document = parsed(
        """\
        ---
        title: Leave policy
        effective: 2025-08-01
        draft: no
        tags: [secret]
        ---
        # Leave policy

        ## Annual leave

        You earn it.
        """
    )
    assert document.title == "Leave policy"
    front_matter = {each.key: each.value for each in document.stated}
    assert front_matter["effective"] == datetime.date(2025, 8, 1)
    assert front_matter["draft"] is False
    assert texts(document) == ["You earn it."]
    assert document.fragments[0].section_path == ("Annual leave",)
    assert sentences(document)[0].line_start == 11


@pytest.mark.parametrize(
    ("block", "why"),
    [
        *(("title: [", ""), ("- a\n- b", ""), ("just words", ""), ("? {}: 1", "")),
        *(("level: university\nlevel: department", ""), ("title: A\nlevel: [x", "in line 3")),
    ],
)
def test_front_matter_that_is_no_mapping_is_refused_with_its_line(block: str, why: str) -> None:
    with pytest.raises(UnreadableDocument, match=f"front matter.*{why}"):
        parse(f"---\n{block}\n---\nText.\n".encode())


def test_a_page_that_only_redirects_has_no_fragments() -> None:
    document = parsed("---\ntitle: Old\nredirect_to: /new/\n---\n")
    assert document.fragments == ()


def test_sections_follow_the_headings_above_without_their_attributes() -> None:
    document = parsed(
        """\
        # The Handbook

        Intro.

        ## Set *up* {#set-up .wide}

        A.

        #### Deep

        B.

        Handover
        --------

        C.
        """
    )
    assert document.title == "The Handbook"
    assert [fragment.section_path for fragment in document.fragments] == [
        (),
        ("Set up",),
        ("Set up", "Deep"),
        ("Handover",),
    ]


def test_top_headings_stay_when_there_are_several() -> None:
    document = parsed("---\ntitle: Book\n---\n# One\n\nA.\n\n# Two\n\nB.\n")
    assert [fragment.section_path for fragment in document.fragments] == [("One",), ("Two",)]


def test_a_list_item_is_one_sentence_without_its_nested_items() -> None:
    document = parsed(
        """\
        - First. It has **two** sentences.
          1. Nested one
             goes on
        - [x] Done
        - [ ] To be *done*

          A further paragraph. With two sentences.
        """
    )
    assert kinds(document) == [
        (ITEM, "First. It has two sentences."),
        (ITEM, "Nested one goes on"),
        (ITEM, "☑ Done"),
        (ITEM, "☐ To be done"),
        (PARAGRAPH, "A further paragraph. With two sentences."),
    ]
    assert quotes(document)[2:4] == ["[x] Done", "[ ] To be *done*"]
    assert len(document.fragments[4].sentences) == 2


def test_a_table_row_carries_its_column_names_and_skips_empty_cells() -> None:
    document = parsed(
        """\
        | Direct reports | Expectation | **Hours** |
        |---|:-:|---|
        | 5 | 50% | 16-20 `hours` |
        | 6 or \\| more | | [24](x) |
        """
    )
    assert kinds(document) == [
        (ROW, "Direct reports: 5; Expectation: 50%; Hours: 16-20 hours"),
        (ROW, "Direct reports: 6 or | more; Hours: 24"),
    ]
    assert quotes(document)[0] == "| 5 | 50% | 16-20 `hours` |"
    assert sentences(document)[1].line_start == 4


def test_liquid_tags_read_as_on_the_published_page() -> None:
    document = parsed(
        """\
        ---
        title: T
        ---
        Ask in {% slack_channel "people-ops" %} or {%- slack_channel '#dev' "the dev team" -%}.
        See [travel]({% page "/travel and leave/faq/#how" %}) and {% page "/tools/google-drive/" %}.
        {% include "low-system.html" %}

        {% comment %}
        Hidden words.
        {% endcomment %}{{ site.name }}

        {% raw %}Write {% page "x" %} so.{% endraw %}

        [ref]: {% page "/somewhere/" %}

        A [link][ref].
        """
    )
    assert texts(document) == [
        "Ask in #people-ops or the dev team.",
        "See travel and google drive.",
        'Write {% page "x" %} so.',
        "A link.",
    ]
    assert quotes(document)[0].startswith('Ask in {% slack_channel "people-ops" %}')


@pytest.mark.parametrize(
    "value",
    [
        *("{{< param fee >}}", "{{% param fee %}}", "{{{fee}}}", "<fee>", "<Fee></Fee>"),
        *('<Var name="fee" />', '{{< figure "x" >}}{{< param fee />}}'),
    ],
)
def test_a_value_that_a_site_fills_in_is_said_to_be_unknown(value: str) -> None:
    said = "The fee is [unknown value] EUR a day."
    assert texts(parsed(f"The fee is {value} EUR a day.\n")) == [said]
    assert texts(parsed(f"Pay.\n\n{value}\n\n[a]({{{{< ref x >}}}}) b\n")) == ["Pay.", "a b"]


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("{{< note >}}\nTake care.\n{{< /note >}}\n", "Take care."),
        ("Take {{< mark >}}care{{< /mark >}} of it.\n", "Take care of it."),
        ('Ask {{< tooltip text="the desk" id="d" >}} first.\n', "Ask the desk first."),
        ('Take <Tip of="x">care</Tip> <a id="y"></a><kbd>of</kbd> <Icon x="y" />it.\n', None),
        ('Take <Anchor id="x" />care of<br>it.\n', None),
        ("Take `cp <care>` of it.\n", "Take cp <care> of it."),
    ],
)
def test_what_holds_words_or_is_a_mark_stands_for_no_value(source: str, said: str | None) -> None:
    assert texts(parsed(source)) == [said or "Take care of it."]


def test_code_of_a_file_without_front_matter_is_no_template() -> None:
    document = parsed(
        "Set it:\n\n```yaml\nkey: ${{ secrets.KEY }}\n```\n\nOr `{{ value }}`. {{ gone }}\n"
    )
    assert texts(document) == ["Set it:", "key: ${{ secrets.KEY }}", "Or {{ value }}."]


def test_what_nobody_sees_is_not_read() -> None:
    document = parsed(
        """\
        * TOC
        {:toc}

        [[toc]]

        Seen. <!-- hidden --> <span hidden>hidden</span> ~~struck out~~ still.
        {: .hidden}

        <script>hidden()</script>
        <style>
        .hidden { color: red }
        </style>

        <div style="display: none">

        Hidden *Markdown*.

        </div>

        [Link](https://example.org){:target="_blank"} seen.

        [hidden]: https://example.org/hidden
        """
    )
    assert texts(document) == ["Seen.", "still.", "Link seen."]


def test_html_in_markdown_is_read_with_the_right_lines() -> None:
    document = parsed(
        """\
        ## Office

        <table>
          <tr><th>Place</th><td>1800 F St<br/>Washington</td></tr>
        </table>

        <details markdown="block">
        <summary>More</summary>

        - An **item**
        </details>

        <dl><dt>Term</dt><dd>Its meaning.</dd></dl>
        """
    )
    assert kinds(document) == [
        (ROW, "Place: 1800 F St Washington"),
        (PARAGRAPH, "More"),
        (ITEM, "An item"),
        (ITEM, "Term"),
        (ITEM, "Its meaning."),
    ]
    assert [s.line_start for s in sentences(document)] == [4, 8, 10, 13, 13]


def test_each_line_of_a_code_block_is_read() -> None:
    document = parsed(
        "Run:\n\n    git clone x\n\n    make  all\n\n- Item\n\n  ```sh\n  ls\n  ```\n"
    )
    assert texts(document) == ["Run:", "git clone x", "make all", "Item", "ls"]


def test_abbreviations_decimals_addresses_and_names_do_not_end_sentences() -> None:
    text = (
        "See e.g. Dr. Lee at a.b@example.gov or https://x.gov/a.b?c=1. It costs $3.50 in the "
        "U.S. market. Yahoo! is a name. Use v1.2.3 of it."
    )
    assert texts(parsed(text)) == [
        "See e.g. Dr. Lee at a.b@example.gov or https://x.gov/a.b?c=1.",
        "It costs $3.50 in the U.S. market.",
        "Yahoo! is a name.",
        "Use v1.2.3 of it.",
    ]


@pytest.mark.parametrize(
    "source",
    [
        "\n---\naudience: {departments: [hr]}\n---\nSecret.\n",
        "---\ntitle: Pay\naudience:\n  departments: [hr]\nSecret, and never closed.\n",
        "---\r\nvalid_to: soon\r\nOld.\r\n",
    ],
)
def test_a_restriction_that_is_not_read_as_one_leaves_the_document_out(source: str) -> None:
    with pytest.raises(BadMetadata, match="its first lines"):
        whose(parse(source.encode()))


@pytest.mark.parametrize(
    "source",
    [
        "| Document | Owner | Distribution |\n| --- | --- | --- |\n| Pay scales | HR | HR only |\n",
        "| Title | Version | Access |\n| --- | --- | --- |\n| Pay | new | Board only |\n",
        "| Larkfield | Pay bands | HR only |\n| --- | --- | --- |\n| A | B | C |\n",
        "| Paper | Pay bands |\n| --- | --- |\n| Distribution | HR only |\n",
    ],
)
def test_a_mark_in_a_table_is_a_mark(source: str) -> None:
    with pytest.raises(BadMetadata, match="its first lines"):
        whose(parse(source.encode()))


def test_a_rule_above_a_line_with_a_colon_is_still_a_rule() -> None:
    assert texts(parse(b"---\n\nNote: bring a pen.\n")) == ["Note: bring a pen."]


AS_SITES_WRITE = """\
import Limits from './_limits.mdx'

# Lab

!!! danger "Chemicals"

    Nobody enters the lab alone.

    - Wear goggles.

=== "Turin"

    The lab closes at 17:00.

=== "Bilbao"

    - It closes at 19:30.

:::warning[Prints]

A print costs 30 cents.[^1]

:::

<TabItem value="win" label="Windows">
    Use the portal.
</TabItem>

```{note} Doors
Doors lock at ten.
```

> [!tip]- Keys
> Ask the porter, see [[Porters#Desk|the desk]].

%% To be told: %%
The desk is ==open== %%not%%till {props.hour}, till %%LATE%%.

You may claim <%= limit %> EUR, or {{ site.limit }} EUR.

It is {% if closed %}not {% endif %}open on Mondays.

{{ content }}

- [x] Sign the list.

```
=== "kept" {{ as.it }} %% stands %%
```

[^1]: Staff pay nothing.
"""


def test_what_only_sites_read_is_no_text_and_conditions_stand_where_they_hold() -> None:
    document = parsed(AS_SITES_WRITE)
    assert_places_hold(document)
    assert texts(document) == [
        "Chemicals",
        "Nobody enters the lab alone.",
        "Wear goggles.",
        "Turin: The lab closes at 17:00.",
        "Bilbao: It closes at 19:30.",
        "Prints",
        "A print costs 30 cents (Staff pay nothing).",
        "Windows: Use the portal.",
        "Doors",
        "Doors lock at ten.",
        "Keys",
        "Ask the porter, see the desk.",
        "The desk is open till [unknown value], till [unknown value].",
        "You may claim [unknown value] EUR, or [unknown value] EUR.",
        "It is [on an unknown condition: not ]open on Mondays.",
        "☑ Sign the list.",
        '=== "kept" {{ as.it }} %% stands %%',
        "Staff pay nothing.",
    ]


def test_blocks_that_a_site_may_leave_out_say_so_sentence_by_sentence() -> None:
    document = parse(
        b"---\ntitle: Desk\n---\nAlways.\n\n{% if site.closed %}\nIt is closed. It opens in "
        b"May.\n\n- Call us.\n\n| Day | Till |\n|---|---|\n| Mon | 5 |\n{% else %}\n{% if x %}\n"
        b"It is open.\n{% endif %}\n{% endif %}\n\nAfter.\n\n{% raw %}\n{% if a %}\n{% endraw %}\n"
        b"Last.\n"
    )
    mark = "[on an unknown condition: "
    assert texts(document) == [
        "Always.",
        *(f"{mark}It is closed.]", f"{mark}It opens in May.]", f"{mark}Call us.]"),
        *(f"{mark}Day: Mon; Till: 5]", f"{mark}It is open.]"),
        *("After.", "{% if a %}", "Last."),
    ]
    row = next(each for each in sentences(document) if each.cells)
    assert [row.text[each.start : each.end] for each in row.cells] == ["Mon", "5"]


RUBY = {
    "<% if y == 2025 %>It is 9 EUR. Or 8.<% else %>It is 5 EUR.<% end %> Ask.": (
        "{It is 9 EUR.}|{Or 8.}|{It is 5 EUR.}|Ask."
    ),
    "<% if a -%>\nFree.\n\n<% b.each do |c| %>\n- One.\n<% end %>\n\nTwo.\n<% end -%>\n\nThree.": (
        "{Free.}|{One.}|{Two.}|Three."
    ),
    "It is <% unless a %>not <% end %>open, <%= b %>.": "It is {not }open, [unknown value].",
    "|Kind|Sum|\n|---|---|\n<% a.each do |k| %>|<%= k.b %>|<%= k.c %>|\n<% end %>": "Kind; Sum",
}


@pytest.mark.parametrize("written", RUBY)
def test_conditions_of_templates_in_ruby_are_not_known_either(written: str) -> None:
    told = RUBY[written].replace("{", "[on an unknown condition: ").replace("}", "]")
    assert texts(parse(written.encode())) == told.split("|")


def test_notes_in_brackets_are_told_where_the_rows_refer_to_each_of_them() -> None:
    rows = "| Item | Fee (2) |\n|---|---|\n| Camera | 120 EUR (1) |\n| Tripod | (5) |\n\n"
    noted = parsed(rows + "(1) With prior approval.\n\n(2) A day.\n\nThe end.\n")
    assert texts(noted)[:2] == [
        "Item: Camera; Fee (2): 120 EUR (1) (2: A day) (1: With prior approval)",
        "Item: Tripod; Fee (2): (5) (2: A day)",
    ]
    clauses = parsed(rows + "(1) Members pay.\n\n(2) Guests pay.\n\n(3) All clean.\n")
    assert texts(clauses)[:2] == [
        "Item: Camera; Fee (2): 120 EUR (1)",
        "Item: Tripod; Fee (2): (5)",
    ]


PLAIN = {
    "To save, use the\nexport function of the menu. It costs 5 EUR.\nOnly for members.": (
        "To save, use the export function of the menu.|It costs 5 EUR.|Only for members."
    ),
    "<script>\nexport default {\n data: 1\n}\n</script>\n\nThe fee is {fee}.\n\nPay it.": (
        "The fee is {fee}.|Pay it."
    ),
    "Seen.\n\n<!--\n\nexport const a = true\n-->\nThe fee.": "Seen.|The fee.",
    'Press ++ctrl+c++ in C++.{ .kbd }\n\n--8<-- "a.md"\n\n*[API]: Interface\n\nUse {a=b}.': (
        "Press ctrl+c in C++.|Use {a=b}."
    ),
    ":material-lock:{ .lg } Locked.{ .b }\n\n|A|B|\n|-|-|\n|x|:material-check:|": (
        "Locked.|A: x; B: check"
    ),
    "It is 5[^a]. Or 6.^[For us. Or you.]\n\n[^a]: Staff. Not\n    in May.\n\n    Pay.": (
        "It is 5 (Staff; Not in May; Pay).|Or 6 (For us; Or you).|Staff.|Not in May.|Pay."
    ),
    '{% tab title="Staff" %}\n\n- 5\n\n{% endtab %}\n\n{{< tab "Guest" >}} 9 {{< /tab >}}\n\nAll': (
        "Staff: 5|Guest: 9|All"
    ),
    '{{% alert title="Winter" %}}\nNo parking.\n{{% /alert %}}': "Winter|No parking.",
    "Text.\n\nexport const a = {\n b: 1\n}\n\nIt is {a}.": "Text.|It is [unknown value].",
    "<BR>\n\n```\nimport a from 'b'\n```\n\nimport {a} from b\n\nIt is {a}.": (
        "import a from 'b'|import {a} from b|It is {a}."
    ),
    "Use %%time. Fees: 5.\n\n## Rules\n\nNobody may enter.\n\nUse %%bash for shell.": (
        "Use %%time.|Fees: 5.|Nobody may enter.|Use %%bash for shell."
    ),
    "Members get 10%% off, all 5%% off.\n\nStudents get 20 %% off, or 30 %% off.": (
        "Members get 10%% off, all 5%% off.|Students get 20 %% off, or 30 %% off."
    ),
    "Seen.\n\n%%\r\nNot seen.\n\nNor this.\n%%\r\n\nSeen too.": "Seen.|Seen too.",
    "!!! Do not enter after 5 pm\n\n??? Unclear who pays\n\n!!! note\n\nBring a pen.": (
        "!!! Do not enter after 5 pm|??? Unclear who pays|Bring a pen."
    ),
    "!!! Only members\n\n    Enter.": "Only members|Enter.",
    "It is 5 EUR[^1], or 3[^2].\n\n<!--\n[^1]: For members\n-->\n\n[^2]: Staff\n\n[^2]: Nobody": (
        "It is 5 EUR[^1], or 3 (Staff).|Staff|Nobody"
    ),
    "```foo``` is %% not %%the command.\n\nIt is ==right==.": "foo is the command.|It is right.",
    '=== "Turin"\n\n    It closes at 5.\n\n    - Knock.\n\n      Wait.\n\n    It has 9 rooms.': (
        "Turin: It closes at 5.|Turin: Knock.|Turin: Wait.|Turin: It has 9 rooms."
    ),
}


def test_front_matter_in_toml_is_none_of_the_text_and_counts_as_any_other() -> None:
    document = parse(b'+++\ntitle = "Parking"\naudience = ["staff"]\n+++\n\nSeen.\n')
    assert (document.title, texts(document)) == ("Parking", ["Seen."])
    assert ("audience", ["staff"]) in [(each.key, each.value) for each in document.stated]
    with pytest.raises(BadMetadata, match="not TOML"):
        parse(b"+++\naudience: staff\n+++\n\nSeen.\n")


@pytest.mark.parametrize("written", PLAIN)
def test_plain_words_that_look_like_a_dialect_are_read(written: str) -> None:
    assert texts(parsed(written)) == PLAIN[written].split("|")


GRID = "+-------+------+\n| Item  | Days |\n+=======+======+\n| *Book* | 14   |\n+-------+------+\n"
SIMPLE = "  Item      Days\n  -------  -----\n  Laptop      14\n  Camera       7\n"


def test_tables_that_are_drawn_as_pandoc_reads_them_are_tables() -> None:
    document = parse(f"Loans.\n\n{GRID}\n{SIMPLE}\nAsk first.\n".encode())
    assert texts(document) == [
        *("Loans.", "Item: Book; Days: 14"),
        *("Item: Laptop; Days: 14", "Item: Camera; Days: 7", "Ask first."),
    ]
    assert quotes(document)[1:3] == ["| *Book* | 14   |", "Laptop      14"]


@pytest.mark.parametrize(
    "text",
    [
        f"```\n{GRID}```\n",
        f"Loans:\n{GRID}",
        "Two words\n---- ----\nand no row of two\n",
        "Rooms\n-----\n\nOpen.\n",
    ],
)
def test_what_is_no_drawn_table_stays_what_it_is(text: str) -> None:
    assert FragmentKind.TABLE_ROW not in {kind for kind, _ in kinds(parse(text.encode()))}


ON = "[on an unknown condition: "


@pytest.mark.parametrize(
    ("written", "told"),
    [
        (
            "{{#if a}}\nIt is 9.\n{{else}}\nIt is 5.\n{{/if}}\n\nAsk.",
            [f"{ON}It is 9.]", f"{ON}It is 5.]", "Ask."],
        ),
        ("It is {{#if a}}9{{else}}5{{/if}} days.", [f"It is {ON}9; else: 5] days."]),
        ("{{^a}}It is 4.{{/a}} Ask.", [f"{ON}It is 4.]", "Ask."]),
        ("{{#each a}}\nIt is 4.\n{{/each}}\n\nAsk.", ["It is 4.", "Ask."]),
        *(
            (f"{begun}\nIt is 4.\n{end}\n\nAsk.", [f"{ON}It is 4.]", f"{ON}Ask.]"])
            for begun, end in (("{{#if a}}", "{{/each}}"), ("{% if a %}", "<% end %>"))
        ),
        (
            "{{#if a}}\n{{#each b}}\nIt is 4.\n{{/each}}\nIt is 5.\n{{/if}}\n\nAsk.",
            [f"{ON}It is 4.]", f"{ON}It is 5.]", "Ask."],
        ),
        ("It is {{#if a}}4{{/each}} days.", [f"It is {ON}4 days."]),
        ("{{#include a.md}}\n\n{% if b %}It is 4.{% endif %} Ask.", [f"{ON}It is 4.]", "Ask."]),
        ('It is {{ "now" | date: "%Y" }}.', ["It is [unknown value]."]),
        ("It is {{ 'so' }}.", ["It is so."]),
        ("It is {{ elsewhere }}.", ["It is [unknown value]."]),
        # Boxes and elements that hold Markdown.
        (
            '::: {.note title="Late"}\nIt is 4.\n:::\n\n::: {.x}\nIt is 5.\n:::\n',
            ["Late", "It is 4.", "It is 5."],
        ),
        (":::{note} Late\n:class: x\n:open:\nIt is 4.\n:::\n", ["Late", "It is 4."]),
        ("```{note} Late\n:class: x\nIt is 4.\n```\n", ["Late", "It is 4."]),
        ("```{note}\nIt is:\n:smile: 4.\n```\n", ["It is:", "smile: 4."]),
        ('<div markdown="1">\n**It** is 4.\n</div>\n', ["It is 4."]),
        ("<div>\n**It** is 4.\n</div>\n", ["**It** is 4."]),
        # Notes of Obsidian that are shown within others.
        ("See ![[Leave]] and ![[map.png|30]] too.", ["See [unknown value] and too."]),
        ("Ask.\n\n![[Leave]]\n", ["Ask."]),
    ],
)
def test_what_sites_write_is_read_as_they_show_it(written: str, told: list[str]) -> None:
    assert texts(parsed(written)) == told

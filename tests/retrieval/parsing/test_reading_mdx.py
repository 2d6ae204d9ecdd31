"""Components of MDX hold Markdown; nothing of them is run, and what they decide is not known."""

import pytest
from parsed_documents import assert_places_hold, texts

from retrieval.parsing.markdown import parse

ON = "[on an unknown condition: "
WRITTEN = {
    "<Callout>\n  The desk closes at **16:00**.\n</Callout>": "The desk closes at 16:00.",
    "<Steps>\n### First\nDo it.\n### Then\nRest.\n</Steps>": "Do it.|Rest.",
    '<Card title="Deadline" description="By 1 May." />': "Deadline: By 1 May.",
    '<Q title="Is it free?">Yes, for 14 days.</Q>': "Is it free?|Yes, for 14 days.",
    '<Steps><Step title="First">Do it.</Step><Step title="Then">Rest.</Step></Steps>': (
        "First|Do it.|Then|Rest."
    ),
    '<Abbr title="Human Resources">HR</Abbr> decides.': "HR decides.",
    'Ask <Abbr title="Human Resources">HR</Abbr>': "Ask HR",
    "<Box>\n    <Accordion title={'How long?'}>\n        - Within:\n          - 5 days\n"
    "    </Accordion>\n</Box>\nEnd.": "How long?|Within:|5 days|End.",
    "1. One\n\n   <Note>\n   Kept.\n   </Note>\n\n2. Two": "One|Kept.|Two",
    "{props.isPro && <p>It is 5. Or 6.</p>}\n\nIt is 9.": f"{ON}It is 5.]|{ON}Or 6.]|It is 9.",
    "{a ? (\n<p>It is 5.</p>\n) : (\n<p>It is 6.</p>\n)}": f"{ON}It is 5.]|{ON}It is 6.]",
    '<IfPlan plan="pro">\n\nIt is 5.\n\n</IfPlan>\n\nIt is 9.': f"{ON}It is 5.]|It is 9.",
    "<Rate>45 EUR</Rate> a day, <B>or {x}</B>.": "45 EUR a day, or [unknown value].",
    "<A/>\n\nIt is {1 + 2}, {'so'}, {`5`}, {f(x)}, $x^{2}$.": (
        "It is [unknown value], so, 5, [unknown value], $x^{2}$."
    ),
    "<A/>\n\nAsk @team-{aix,arm}.": "Ask @team-{aix,arm}.",
    "<A/>\n\n<p style={{display: 'none'}}>Not seen.</p>\n\nSeen.": "Seen.",
    "export function A() {\n  return (\n    <Card>\n      x\n    </Card>\n  )\n}\n\nSeen.": "Seen.",
    "<A/>\n\n```jsx\n<Card title='x'>\n  {y}\n```\n": "<Card title='x'>|{y}",
}


@pytest.mark.parametrize("written", WRITTEN)
def test_components_are_read_as_people_see_them(written: str) -> None:
    document = parse(f"<Seen/>\n\n{written}\n".encode())
    assert_places_hold(document)
    assert texts(document) == WRITTEN[written].split("|")

"""How a caption begins where nothing but its words says that it is one."""

import re

CAPTION = re.compile(
    r"(?:figure|fig\.|table|chart|exhibit|plate|listing) ?(?:\d{1,3}|[A-Z])(?:[.-]\d{1,3}){0,2}"
    r"(?:[.:]| [\u2013\u2014-])(?=\s|$)",
    re.IGNORECASE,
)
"""Such as "Figure 3:" or "Table 2.1."; "Table 2 shows" begins a sentence."""

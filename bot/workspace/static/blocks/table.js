import { h } from "../dom.js";
import { richText } from "../text/rich_text.js";

// The first row is the heading, as Slack shows it.
export function table(block) {
  const columns = block.column_settings ?? [];
  const cell = (tag) => (one, at) => {
    const props = { dir: "auto", class: columns[at]?.is_wrapped && "wrapped" };
    return h(tag, props, one.type === "rich_text" ? richText(one) : (one.text ?? ""));
  };
  const [first = [], ...rest] = block.rows ?? [];
  const body = rest.map((row) => h("tr", {}, row.map(cell("td"))));
  return h(
    "div",
    { class: "table", tabindex: "0", role: "region", "aria-label": "Table" },
    h("table", {}, h("thead", {}, h("tr", {}, first.map(cell("th")))), h("tbody", {}, body)),
  );
}

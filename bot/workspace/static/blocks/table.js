import { h } from "../dom.js";
import { richText } from "../text/rich_text.js";

// The first row is the heading, as Slack shows it.
export function table(block, names) {
  const columns = block.column_settings ?? [];
  const cell = (tag) => (one, at) => {
    const settings = columns[at] ?? {};
    const kind = [`align-${settings.align ?? "left"}`, settings.is_wrapped && "wrapped"];
    return h(tag, { dir: "auto", class: kind.filter(Boolean).join(" ") }, cellContent(one, names));
  };
  const [first = [], ...rest] = block.rows ?? [];
  const body = rest.map((row) => h("tr", {}, row.map(cell("td"))));
  return h(
    "div",
    { class: "table", tabindex: "0", role: "region", "aria-label": "Table" },
    h("table", {}, h("thead", {}, h("tr", {}, first.map(cell("th")))), h("tbody", {}, body)),
  );
}

function cellContent(cell, names) {
  if (cell.type === "rich_text") return richText(cell, names);
  if (cell.type === "raw_number") return cell.text ?? String(cell.value);
  return cell.text ?? "";
}

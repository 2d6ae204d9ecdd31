// An input block of a modal: a labelled element whose value is read at submission.
import { h } from "../dom.js";
import { withEmoji } from "../text/emoji.js";
import { element } from "./elements.js";

export function inputBlock(block, around) {
  const spec = { ...block.element, dispatch_action: block.dispatch_action };
  const { node: field, read } = element(spec, around, block.block_id, true);
  const id = `input-${block.block_id}`;
  const grouped = field.matches("[role=radiogroup], [role=group]");
  const label = h(
    grouped ? "span" : "label",
    { class: "label", id: `${id}-label`, ...(!grouped && { for: id }) },
    withEmoji(block.label?.text ?? ""),
    block.optional && h("small", {}, " (optional)"),
  );
  const hint =
    block.hint && h("small", { id: `${id}-hint`, class: "hint" }, withEmoji(block.hint.text));
  const error = h("p", { id: `${id}-error`, class: "error", role: "alert" });
  field.id = id;
  field.setAttribute("aria-describedby", `${id}-hint ${id}-error`);
  if (grouped) field.setAttribute("aria-labelledby", `${id}-label`);
  const show = (words) => {
    error.textContent = words ?? "";
    field.setAttribute("aria-invalid", String(Boolean(words)));
  };
  around.inputs?.push({ block: block.block_id, action: spec.action_id, field, read, show });
  return h("div", {}, label, field, hint, error);
}

// Elements in which something is chosen or written: {node, read}.
import { h } from "../dom.js";
import { withEmoji } from "../text/emoji.js";
import { textNode } from "../text/text_object.js";

const words = (text) => withEmoji(text?.text ?? "");

export function textField(spec, { act }) {
  const props = {
    class: "field",
    placeholder: words(spec.placeholder),
    value: spec.initial_value ?? "",
    maxlength: spec.max_length,
    dir: "auto",
  };
  const node = spec.multiline
    ? h("textarea", { ...props, rows: "4" })
    : h("input", { ...props, type: "text" });
  node.addEventListener("change", () => act({ value: node.value }));
  return { node, read: () => ({ type: spec.type, value: node.value || null }) };
}

export function conversationsSelect(spec, { channels }) {
  const node = h(
    "select",
    { class: "field" },
    h("option", { value: "" }, words(spec.placeholder) || "Select a conversation"),
    channels.map((one) => h("option", { value: one.id }, `#${one.name}`)),
  );
  node.value = spec.initial_conversation ?? "";
  return { node, read: () => ({ type: spec.type, selected_conversation: node.value || null }) };
}

export function staticSelect(spec) {
  const option = (one) => h("option", { value: one.value }, words(one.text));
  const node = h(
    "select",
    { class: "field" },
    h("option", { value: "" }, words(spec.placeholder)),
    spec.option_groups.map((group) =>
      h("optgroup", { label: words(group.label) }, group.options.map(option)),
    ),
  );
  const chosen = () =>
    spec.option_groups.flatMap((group) => group.options).find((one) => one.value === node.value);
  return { node, read: () => ({ type: spec.type, selected_option: chosen() ?? null }) };
}

export function dateField(spec) {
  const node = h("input", { class: "field", type: "date", value: spec.initial_date ?? "" });
  return { node, read: () => ({ type: spec.type, selected_date: node.value || null }) };
}

export function checkboxes(spec, around) {
  const initial = new Set((spec.initial_options ?? []).map((one) => one.value));
  const { node, boxes } = choices("checkbox", spec, around, (option) => initial.has(option.value));
  const ticked = () => spec.options.filter((_, at) => boxes[at].checked);
  return { node, read: () => ({ type: spec.type, selected_options: ticked() }) };
}

export function radioButtons(spec, around) {
  const initial = spec.initial_option?.value;
  const { node, boxes } = choices("radio", spec, around, (option) => option.value === initial);
  const chosen = () => spec.options.find((_, at) => boxes[at].checked) ?? null;
  return { node, read: () => ({ type: spec.type, selected_option: chosen() }) };
}

function choices(type, spec, { names, key }, isChosen) {
  const name = `${type} ${key} ${crypto.randomUUID()}`; // radio buttons of one name are one group
  const boxes = spec.options.map((option) => {
    const box = h("input", { type, name });
    box.checked = isChosen(option);
    return box;
  });
  const labels = spec.options.map((option, at) =>
    h("label", { class: "choice" }, boxes[at], textNode(option.text, names)),
  );
  const role = type === "radio" ? "radiogroup" : "group";
  return { node: h("div", { class: "choices", role }, labels), boxes };
}

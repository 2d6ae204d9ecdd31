// Interactive elements. Each is {node, read}: `read` gives what stands chosen in it, as
// Slack's payloads and view states have it; what is only pressed has no `read`.
import { h } from "../dom.js";
import { icon } from "../icons.js";
import { withEmoji } from "../text/emoji.js";
import { WORDS } from "../words.js";
import {
  checkboxes,
  conversationsSelect,
  dateField,
  radioButtons,
  staticSelect,
  textField,
} from "./fields.js";

// `block` is the id of the block around it; `alone` says that it stands in an input block,
// where a choice is told at submission and not at once.
export function element(spec, around, block, alone = false) {
  const draw = ELEMENTS[spec?.type];
  if (!draw)
    return { node: h("span", { class: "block-unsupported" }, WORDS.unsupported(spec?.type)) };
  const base = { block_id: block, action_id: spec.action_id, type: spec.type };
  const key = `${block} ${spec.action_id}`;
  const act = async (more) => {
    if (!alone || spec.dispatch_action) await around.act({ ...base, ...more });
  };
  const drawn = draw(spec, { ...around, act, key });
  drawn.node.dataset.focus ??= key;
  return drawn;
}

const ELEMENTS = {
  button,
  feedback_buttons: feedbackButtons,
  conversations_select: conversationsSelect,
  checkboxes,
  radio_buttons: radioButtons,
  static_select: staticSelect,
  datepicker: dateField,
  plain_text_input: textField,
};

function button(spec, { act }) {
  const label = withEmoji(spec.text?.text ?? "");
  const kinds = ["button", spec.style && `button-${spec.style}`].filter(Boolean).join(" ");
  const node = h("button", { class: kinds, type: "button" }, label);
  return { node: pressed(node, act) };
}

// Busy until the server has taken the click, so that an impatient second press is none.
function pressed(node, act) {
  node.addEventListener("click", async () => {
    if (node.getAttribute("aria-busy") === "true") return;
    node.setAttribute("aria-busy", "true");
    await act();
    node.removeAttribute("aria-busy");
  });
  return node;
}

function feedbackButtons(spec, { act, rated, rate, key }) {
  const show = () => {
    for (const [side, node] of Object.entries(both))
      node.setAttribute("aria-pressed", String(rated(key) === side));
  };
  const one = (side, drawing) => {
    const { text, value, accessibility_label: label } = spec[`${side}_button`] ?? {};
    const props = {
      class: "icon-button",
      type: "button",
      title: text?.text,
      "aria-label": label || text?.text,
      dataset: { focus: `${key} ${side}` },
    };
    return pressed(h("button", props, icon(drawing)), () => {
      rate(key, side);
      show();
      return act({ value });
    });
  };
  const both = { positive: one("positive", "thumb_up"), negative: one("negative", "thumb_down") };
  show();
  const group = { class: "feedback", role: "group", "aria-label": "Feedback" };
  return { node: h("span", group, Object.values(both)) };
}

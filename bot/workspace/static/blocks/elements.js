// Interactive elements. Each is {node, read}: `read` gives what stands chosen in it, as
// Slack's payloads and view states have it; what is only pressed has no `read`.
import { h, safeUrl } from "../dom.js";
import { icon } from "../icons.js";
import { withEmoji } from "../text/emoji.js";
import { WORDS } from "../words.js";
import { confirmed } from "./confirm.js";
import {
  checkboxes,
  conversationsSelect,
  dateField,
  radioButtons,
  select,
  textField,
  usersSelect,
} from "./fields.js";
import { menu } from "./menu.js";

// `block` is the id of the block around it; `alone` says that it stands in an input block,
// where a choice is told at submission and not at once.
export function element(spec, around, block, alone = false) {
  const draw = ELEMENTS[spec?.type];
  if (!draw)
    return { node: h("span", { class: "block-unsupported" }, WORDS.unsupported(spec?.type)) };
  const base = { block_id: block, action_id: spec.action_id, type: spec.type };
  const key = `${block} ${spec.action_id}`;
  const act = async (more) => {
    if (alone && !spec.dispatch_action) return;
    if (!spec.confirm || (await confirmed(spec.confirm, around.names))) {
      await around.act({ ...base, ...more });
    }
  };
  const drawn = draw(spec, { ...around, act, key });
  drawn.node.dataset.focus ??= key;
  if (drawn.read && !alone)
    around.inputs?.push({ block, action: spec.action_id, read: drawn.read });
  return drawn;
}

const ELEMENTS = {
  button,
  icon_button: iconButton,
  feedback_buttons: feedbackButtons,
  overflow,
  static_select: select,
  users_select: usersSelect,
  conversations_select: conversationsSelect,
  checkboxes,
  radio_buttons: radioButtons,
  datepicker: dateField,
  plain_text_input: textField,
  email_text_input: textField,
  number_input: textField,
  url_text_input: textField,
};

export const valueOf = (spec) => (spec.value === undefined ? {} : { value: spec.value });

function button(spec, { act }) {
  const label = withEmoji(spec.text?.text ?? "");
  const props = {
    class: ["button", spec.style && `button-${spec.style}`].filter(Boolean).join(" "),
    "aria-label": spec.accessibility_label,
  };
  const address = spec.url && safeUrl(spec.url);
  if (address) {
    const open = { href: address, target: "_blank", rel: "noopener noreferrer" };
    return { node: h("a", { ...props, ...open, onclick: () => act(valueOf(spec)) }, label) };
  }
  return {
    node: pressed(h("button", { ...props, type: "button" }, label), () => act(valueOf(spec))),
  };
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

function iconButton(spec, { act, names }) {
  if (spec.visible_to_user_ids && !spec.visible_to_user_ids.includes(names.me)) {
    return { node: h("span", { hidden: true }) };
  }
  const label = spec.accessibility_label || spec.text?.text;
  const props = { class: "icon-button", type: "button", "aria-label": label, title: label };
  return { node: pressed(h("button", props, icon("trash")), () => act(valueOf(spec))) };
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

function overflow(spec, { act }) {
  const choices = (spec.options ?? []).map((option) => ({
    label: withEmoji(option.text?.text ?? ""),
    url: option.url && safeUrl(option.url),
    choose: () => act({ selected_option: option }),
  }));
  return { node: menu("More actions", choices) };
}

// One message: who, when, what, and what can be done with it.
import { h } from "../dom.js";
import { icon } from "../icons.js";
import { blocksOf } from "../blocks/blocks.js";
import { confirmed } from "./confirm.js";
import { folded } from "../blocks/folding.js";
import { clock, fullTime } from "../text/dates.js";
import { mrkdwn, unescaped } from "../text/mrkdwn.js";
import { channelsOf, nameOf } from "../store.js";
import { WORDS } from "../words.js";
import { appBadge, avatar } from "./person.js";

export const namesOf = (state) => ({
  me: state.as,
  user: (id) => (state.people.has(id) ? nameOf(state, id) : null),
  channel: (id) => state.channels.get(id)?.name ?? id,
});

// `pane` is where it stands: {place: "room" | "thread", store, session, openThread?}.
// `compact` leaves out who and when, as the message before tells it; `replies` counts its
// thread, of which `last` is the latest.
export function messageNode({ message, compact, replies, last }, pane) {
  const { state } = pane.store;
  const author = authorOf(state, message);
  const body = h("div", { class: "body" }, content(message, pane));
  const classes = ["message", compact && "compact", message.ephemeral && "ephemeral"];
  return h(
    "article",
    {
      class: classes.filter(Boolean).join(" "),
      tabindex: "-1",
      "aria-label": `${author.real_name || author.name}, ${clock(message.ts)}`,
    },
    compact
      ? h("time", { class: "gutter", "aria-hidden": "true" }, clock(message.ts))
      : avatar(author, "medium"),
    h(
      "div",
      { class: "message-main" },
      message.ephemeral && h("p", { class: "only-you" }, icon("lock"), WORDS.ephemeral),
      !compact && heading(message, author),
      body,
      replies > 0 && pane.openThread && repliesButton(message, replies, last, pane),
    ),
    tools(message, body, pane),
  );
}

function authorOf(state, message) {
  const person = state.people.get(message.user);
  if (person) return person;
  if (message.subtype === "tombstone")
    return { id: "", name: WORDS.nobody, real_name: WORDS.nobody };
  const bot = message.bot_id || message.user === state.bot.id;
  const name = message.username || (bot ? state.bot.name : message.user || "Workspace");
  return { id: message.user ?? "", name, real_name: name, is_bot: Boolean(bot) };
}

const heading = (message, author) =>
  h(
    "p",
    { class: "author" },
    h("strong", { dir: "auto" }, author.real_name || author.name),
    appBadge(author),
    h("time", { title: fullTime(message.ts) }, clock(message.ts)),
  );

function content(message, pane) {
  const { state } = pane.store;
  const names = namesOf(state);
  const edited = message.edited && h("small", { class: "edited" }, "(edited)");
  if (message.blocks?.length)
    return [blocksOf(message.blocks, surroundings(message, pane, names)), edited];
  const text = message.text ?? "";
  return [
    folded(
      h("div", { class: "text", dir: "auto" }, mrkdwn(text, names), edited && " ", edited),
      text,
    ),
    message.previews?.map((one) => preview(one, message, pane)),
    message.files?.map((file) => h("p", { class: "file" }, icon("clip"), file.name)),
  ];
}

// What everyone here may see of an address; whoever opens it is shown their own in a dialog.
function preview(one, message, pane) {
  const { place, session, store } = pane;
  const { attributes, fields } = one.entity_payload ?? {};
  if (!attributes) {
    const around = surroundings(message, pane, namesOf(store.state));
    return h("div", { class: "preview" }, blocksOf(one.blocks, around));
  }
  return h(
    "div",
    { class: "preview" },
    h(
      "button",
      {
        class: "plain",
        type: "button",
        onclick: () => session.openPreview(place, message.ts, one.app_unfurl_url),
      },
      h("strong", { dir: "auto" }, attributes.title.text),
    ),
    h("p", { dir: "auto" }, fields?.description?.value ?? ""),
  );
}

function surroundings(message, { place, store, session }, names) {
  const ratedKey = (key) => [store.state.as, store.state.channel, message.ts, key].join(" ");
  return {
    names,
    channels: channelsOf(store.state),
    act: (action) => session.act(place, { message_ts: message.ts }, action),
    rated: (key) => store.state.rated.get(ratedKey(key)),
    rate: (key, side) => session.rate(ratedKey(key), side),
  };
}

function repliesButton(message, replies, last, pane) {
  const words = replies === 1 ? "1 reply" : `${replies} replies`;
  return h(
    "button",
    {
      class: "plain replies",
      type: "button",
      dataset: { focus: `${message.ts} replies` },
      onclick: () => pane.openThread(message.ts),
    },
    avatar(authorOf(pane.store.state, last), "small"),
    h("strong", {}, words),
    h("small", {}, `last at ${clock(last.ts)}`),
  );
}

function tools(message, body, pane) {
  const mine = message.user === pane.store.state.as && !message.bot_id && !message.ephemeral;
  const one = (label, drawing, onclick) =>
    h(
      "button",
      {
        class: "icon-button",
        type: "button",
        "aria-label": label,
        title: label,
        onclick,
        dataset: { focus: `${message.ts} ${label}` },
      },
      icon(drawing),
    );
  const thread = pane.openThread && !message.ephemeral;
  const shortcuts = message.ephemeral
    ? []
    : pane.store.state.shortcuts.filter((each) => each.about_message);
  const unwanted = message.bot_id && !message.ephemeral;
  if (!thread && !mine && !unwanted && !shortcuts.length) return null;
  return h(
    "div",
    { class: "tools", role: "group", "aria-label": "Message actions" },
    thread && one("Reply in thread", "reply", () => pane.openThread(message.ts)),
    shortcuts.map((each) =>
      one(each.name, "spark", () => pane.session.shortcut(each.id, pane.place, message.ts)),
    ),
    unwanted &&
      one("React with :x:", "close", () => pane.session.react(pane.place, message.ts, "x")),
    mine && one("Edit message", "edit", () => startEditing(message, body, pane)),
    mine && one("Delete message", "trash", () => askAndRemove(message, pane)),
  );
}

async function askAndRemove(message, { place, session }) {
  if (await confirmed(WORDS.deleteTitle, WORDS.deleteText, "Delete"))
    session.remove(place, message.ts);
}

function startEditing(message, body, { place, session, store }) {
  const names = namesOf(store.state);
  const readable = message.text
    .replace(/<@([^>|]+)(?:\|[^>]*)?>/g, (_, id) => `@${names.user(id) ?? id}`)
    .replace(/<#[^>|]+\|([^>]*)>/g, "#$1")
    .replace(/<([a-z]+:[^>|]+)(?:\|[^>]*)?>/g, "$1");
  const field = h("textarea", {
    class: "field",
    rows: "3",
    "aria-label": "Edit message",
    dir: "auto",
    value: unescaped(readable),
  });
  const before = [...body.childNodes];
  const stop = () => body.replaceChildren(...before);
  const save = async () => {
    const answer = await session.edit(place, message.ts, field.value);
    if (answer.ok) stop();
  };
  field.addEventListener("keydown", (event) => {
    if (event.key === "Escape") {
      event.stopPropagation();
      stop();
    }
    if (event.key === "Enter" && !event.shiftKey && !event.isComposing) {
      event.preventDefault();
      save();
    }
  });
  body.replaceChildren(
    field,
    h(
      "div",
      { class: "controls" },
      h("button", { class: "button", type: "button", onclick: stop }, "Cancel"),
      h("button", { class: "button button-primary", type: "button", onclick: save }, "Save"),
    ),
  );
  field.focus();
}

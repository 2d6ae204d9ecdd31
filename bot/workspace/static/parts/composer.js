// A message field with its suggestions, what went wrong, and what the bot is doing.
import { fill, h } from "../dom.js";
import { icon } from "../icons.js";
import { placeKey } from "../events.js";
import { roomOf, titleOf } from "../store.js";
import { WORDS } from "../words.js";
import { completion } from "./completion.js";

const TALLEST_PX = 220;

export function composer(place, { store, session }) {
  const thread = () => (place === "thread" ? store.state.thread : "");
  const field = h("textarea", {
    class: "composer-field",
    rows: "1",
    dir: "auto",
    id: `${place}-field`,
    "aria-describedby": `${place}-keys`,
  });
  const send = h(
    "button",
    { class: "send", type: "button", "aria-label": "Send", title: "Send" },
    icon("send"),
  );
  const files = h("input", {
    type: "file",
    multiple: true,
    hidden: true,
  });
  const attach = h(
    "button",
    { class: "attach", type: "button", "aria-label": WORDS.attach, title: WORDS.attach },
    icon("clip"),
  );
  const attached = h("p", { class: "note", "aria-live": "polite" });
  const offered = completion(field, store, `${place}-suggestions`);
  const fault = h("p", { class: "error", role: "alert" });
  const status = h("p", { class: "status", role: "status" });
  const note = h("p", { class: "note" });
  const node = h(
    "div",
    { class: "composer" },
    offered.list,
    h("div", { class: "composer-box" }, attach, files, field, send),
    attached,
    h("p", { class: "unseen", id: `${place}-keys` }, WORDS.keys),
    fault,
    note,
    status,
  );
  keepDrafts(field, store, thread);
  const showAttached = () => {
    const names = [...files.files].map((file) => file.name);
    attached.textContent = names.length ? WORDS.attached(names) : "";
  };
  const say = async (text) => {
    const { as, channel } = store.state;
    const chosen = await Promise.all([...files.files].map(encoded));
    files.value = "";
    showAttached();
    return session.say(place, text, thread(), { as, channel, files: chosen });
  };
  const submit = () => submitted(field, files.files.length > 0, say);
  attach.addEventListener("click", () => files.click());
  files.addEventListener("change", showAttached);
  node.addEventListener("dragover", (event) => event.preventDefault());
  node.addEventListener("drop", (event) => {
    if (!event.dataTransfer.files.length) return;
    event.preventDefault();
    files.files = event.dataTransfer.files;
    showAttached();
  });
  send.addEventListener("click", submit);
  field.addEventListener("input", () => fit(field));
  field.addEventListener("keydown", (event) => {
    if (event.isComposing) return;
    const taken = offered.keydown(event);
    const sends = !taken && event.key === "Enter" && !event.shiftKey;
    if (taken || sends) event.preventDefault();
    if (taken) event.stopPropagation();
    if (sends) submit();
  });
  showLines(place, store, { fault, status, note, field });
  return { node, field };
}

async function submitted(field, withFiles, say) {
  const text = field.value.trimEnd(); // a space in front of a slash makes it no command
  if (!text.trim() && !withFiles) return;
  field.value = "";
  fit(field);
  const answer = await say(text);
  if (!answer.ok && !field.value) field.value = text;
  fit(field);
}

// A file as the server takes it: its name, and its bytes as base64.
async function encoded(file) {
  const url = await new Promise((resolve) => {
    const reader = new FileReader();
    reader.onload = () => resolve(reader.result);
    reader.readAsDataURL(file);
  });
  return { name: file.name, content: url.slice(url.indexOf(",") + 1) };
}

function fit(field) {
  field.style.height = "";
  const wanted = field.scrollHeight; // 0 while the field is not shown
  if (wanted) field.style.height = `${Math.min(wanted, TALLEST_PX)}px`;
}

// What was begun in one room or as one person stands there again on the way back.
function keepDrafts(field, store, thread) {
  const drafts = new Map();
  let here = "";
  store.watch(
    (state) => [state.as, state.channel, state.thread],
    (state) => {
      const next = [state.as, state.channel, thread()].join(" ");
      if (next === here) return;
      drafts.set(here, field.value);
      field.value = drafts.get(next) ?? "";
      here = next;
      fit(field);
    },
  );
}

function showLines(place, store, { fault, status, note, field }) {
  store.watch(
    (state) => [state.faults],
    (state) => {
      fault.textContent = state.faults[place];
    },
  );
  store.watch(
    (state) => [state.note, state.thread, state.channel],
    (state) => {
      const belongs =
        state.note?.channel === state.channel && (place === "thread") === Boolean(state.thread);
      note.textContent = belongs ? state.note.text : "";
    },
  );
  store.watch(
    (state) => [state.rooms, state.channel, state.people],
    (state) => {
      const words = place === "thread" ? WORDS.threadComposer : WORDS.composer(roomWords(state));
      field.placeholder = words;
      field.setAttribute("aria-label", words);
    },
  );
  store.watch(
    (state) => [state.statuses, state.channel, state.thread],
    (state) => fill(status, doings(state, place)),
  );
}

function roomWords(state) {
  const room = roomOf(state);
  if (!room) return "";
  return room.is_im ? titleOf(state, room) : `#${titleOf(state, room)}`;
}

// "Vouch is reading the documents…". The room also tells of its threads but the open one,
// which tells of itself.
function doings(state, place) {
  const within = (key, start) => `${key} `.startsWith(`${start} `);
  const open = placeKey(state.channel, state.thread);
  const inThread = (key) => state.thread !== "" && within(key, open);
  const belongs =
    place === "thread" ? inThread : (key) => within(key, state.channel) && !inThread(key);
  const busy = [...state.statuses].filter(([key]) => belongs(key)).map(([, text]) => text);
  const words = [...new Set(busy)].map((text) => `${state.bot.name} ${text}`).join(" ");
  return words ? [h("span", { class: "pulse", "aria-hidden": "true" }), words] : [];
}

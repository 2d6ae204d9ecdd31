// The messages of a room or a thread, day by day.
import { h, keyed } from "../dom.js";
import { dayOf } from "../text/dates.js";
import { messageNode } from "./message.js";

const SAME_BREATH_S = 300; // messages of one person this close together share a heading
const NEAR_END_PX = 80;

export const isReply = (message) => Boolean(message.thread_ts) && message.thread_ts !== message.ts;

export const roots = (messages) =>
  messages.filter((one) => !isReply(one) || one.subtype === "thread_broadcast");

export const threadOf = (messages, thread) =>
  messages.filter((one) => one.ts === thread || one.thread_ts === thread);

// Shows them, and keeps the newest in view for whoever was reading there already.
export function showMessages(list, newest, shown, pane, { toEnd = false } = {}) {
  const { state } = pane.store;
  const names = `${state.as} ${state.edition}`;
  keyed(list, entries(shown, [...state.messages.values()]), {
    key: (entry) => entry.day ?? entry.message.ts,
    signature: (entry) => JSON.stringify([entry, names]),
    build: (entry) => (entry.day ? dayLine(entry.day) : messageNode(entry, pane)),
  });
  if (toEnd || newest.isRead()) newest.show();
}

// Whether the newest message is being read. More messages, or a field below that takes more
// room, take nobody away from it, in whatever order a browser tells of them: only scrolling up
// does.
export function newestOf(list, scroller) {
  let read = true;
  let top = 0;
  const isNear = () =>
    scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight < NEAR_END_PX;
  const isRead = () => {
    if (scroller.scrollTop < top || isNear()) read = isNear();
    top = scroller.scrollTop;
    return read;
  };
  scroller.addEventListener("scroll", isRead);
  new ResizeObserver(() => {
    if (isRead()) scroller.scrollTop = scroller.scrollHeight;
  }).observe(scroller);
  // To the end, but of a message longer than the window to its beginning.
  const show = () => {
    scroller.scrollTop = scroller.scrollHeight;
    const last = list.lastElementChild?.getBoundingClientRect();
    const hidden = scroller.getBoundingClientRect().top - (last?.top ?? Infinity);
    if (hidden > 0) scroller.scrollTop -= hidden;
    top = scroller.scrollTop;
    read = hidden <= 0;
  };
  return { isRead, show };
}

function entries(shown, all) {
  const replies = new Map();
  for (const one of all) {
    if (isReply(one)) replies.set(one.thread_ts, [...(replies.get(one.thread_ts) ?? []), one]);
  }
  return shown.flatMap((message, at) => {
    const before = shown[at - 1];
    const day = dayOf(message.ts);
    const newDay = !before || dayOf(before.ts) !== day;
    const own = replies.get(message.ts) ?? [];
    const entry = {
      message,
      compact: !newDay && inOneBreath(before, message),
      replies: own.length,
      last: own.at(-1) && { user: own.at(-1).user, bot_id: own.at(-1).bot_id, ts: own.at(-1).ts },
    };
    return newDay ? [{ day }, entry] : [entry];
  });
}

const inOneBreath = (before, message) =>
  before.user === message.user &&
  !before.ephemeral === !message.ephemeral &&
  Number(message.ts) - Number(before.ts) < SAME_BREATH_S;

const dayLine = (day) => h("div", { class: "day", role: "separator" }, h("span", {}, day));

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
export function showMessages(list, scroller, shown, pane, { toEnd = false } = {}) {
  const atEnd = scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight < NEAR_END_PX;
  const { state } = pane.store;
  const names = `${state.as} ${state.edition}`;
  keyed(list, entries(shown, [...state.messages.values()]), {
    key: (entry) => entry.day ?? entry.message.ts,
    signature: (entry) => JSON.stringify([entry, names]),
    build: (entry) => (entry.day ? dayLine(entry.day) : messageNode(entry, pane)),
  });
  if (toEnd || atEnd) scrollToNewest(list, scroller);
}

// To the end, but of a message longer than the window to its beginning.
function scrollToNewest(list, scroller) {
  scroller.scrollTop = scroller.scrollHeight;
  const newest = list.lastElementChild?.getBoundingClientRect();
  const hidden = scroller.getBoundingClientRect().top - (newest?.top ?? Infinity);
  if (hidden > 0) scroller.scrollTop -= hidden;
}

// Whoever reads the newest still does once the field below takes more room. Until the change of
// size is told, a scroll is judged by the larger height: it may have come before or after.
export function keepNewest(scroller) {
  let height = scroller.clientHeight;
  let atEnd = true;
  scroller.addEventListener("scroll", () => {
    const shown = Math.max(height, scroller.clientHeight);
    atEnd = scroller.scrollHeight - scroller.scrollTop - shown < NEAR_END_PX;
  });
  new ResizeObserver(() => {
    height = scroller.clientHeight;
    if (atEnd) scroller.scrollTop = scroller.scrollHeight;
  }).observe(scroller);
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

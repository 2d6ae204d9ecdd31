// The pane of one thread: its first message, the replies, and a field for more.
import { fill, h } from "../dom.js";
import { icon } from "../icons.js";
import { roomOf, titleOf } from "../store.js";
import { WORDS } from "../words.js";
import { composer } from "./composer.js";
import { isReply, newestOf, showMessages, threadOf } from "./messages.js";

export function thread(root, { store, session }) {
  const where = h("small", { dir: "auto" });
  const close = h(
    "button",
    {
      class: "icon-button",
      type: "button",
      "aria-label": "Close thread",
      title: "Close thread",
      onclick: () => session.openThread(""),
    },
    icon("close"),
  );
  const list = h("div", { class: "messages" });
  const empty = h("p", { class: "beginning", hidden: true }, WORDS.noThread);
  const scroller = h(
    "section",
    { class: "scroller", tabindex: "0", "aria-label": "Messages of the thread" },
    empty,
    list,
  );
  const { node, field } = composer("thread", { store, session });
  fill(
    root,
    h(
      "header",
      { class: "room-header" },
      h("div", { class: "titles" }, h("h2", {}, "Thread"), where),
      close,
    ),
    scroller,
    node,
  );

  openAndClose(root, field, store);
  const newest = newestOf(list, scroller);
  store.watch(
    (state) => [state.rooms, state.channel, state.people],
    (state) => {
      const room = roomOf(state);
      where.textContent = room ? `${room.is_im ? "" : "#"}${titleOf(state, room)}` : "";
    },
  );
  const pane = { place: "thread", store, session };
  let shownBefore = "";
  let count = 0;
  store.watch(
    (state) => [state.messages, state.thread, state.people],
    (state) => {
      const shown = state.thread ? threadOf([...state.messages.values()], state.thread) : [];
      empty.hidden = shown.length > 0;
      const mine = shown.length > count && isReply(shown.at(-1)) && shown.at(-1).user === state.as;
      const toEnd = mine || state.thread !== shownBefore;
      [shownBefore, count] = [state.thread, shown.length];
      showMessages(list, newest, shown, pane, { toEnd });
    },
  );
}

// Whoever opens a thread can write in it at once, and is back where they were when it closes,
// unless they have gone elsewhere meanwhile.
function openAndClose(root, field, store) {
  let from = null;
  store.watch(
    (state) => [state.thread],
    ({ thread: ts }) => {
      const wasHidden = root.hidden;
      const focused = document.activeElement;
      const elsewhere = focused !== document.body && !root.contains(focused);
      root.hidden = !ts;
      if (ts) {
        if (wasHidden) from = focused;
        if (from !== document.body) field.focus({ preventScroll: true });
      } else if (!wasHidden && !elsewhere) {
        const back =
          from?.isConnected && from !== document.body
            ? from
            : document.getElementById("room-field");
        back?.focus({ preventScroll: true });
      }
    },
  );
}

// The open room: its heading, what is said there, and the field to say more.
import { fill, h } from "../dom.js";
import { icon } from "../icons.js";
import { nameOf, roomOf, titleOf } from "../store.js";
import { WORDS } from "../words.js";
import { composer } from "./composer.js";
import { home, showsHome, tabs } from "./home.js";
import { newestOf, roots, showMessages } from "./messages.js";
import { avatar } from "./person.js";
import { ownQuestions, welcome } from "./welcome.js";

export function room(root, { store, session, choosers, drawer }) {
  const title = h("h1", { dir: "auto" });
  const topic = h("p", { class: "topic", dir: "auto" });
  const me = h("button", { class: "me", type: "button", onclick: choosers.person });
  const menu = h(
    "button",
    {
      class: "icon-button menu-button",
      type: "button",
      "aria-label": "Rooms",
      "aria-controls": "sidebar",
      onclick: drawer.open,
    },
    icon("menu"),
  );
  const opening = h("div", { class: "opening" });
  const list = h("div", { class: "messages" });
  const scroller = h(
    "section",
    { class: "scroller", tabindex: "0", "aria-label": "Messages" },
    opening,
    list,
  );
  const { node, field } = composer("room", { store, session });
  fill(
    root,
    h(
      "header",
      { class: "room-header" },
      menu,
      h("div", { class: "titles" }, title, topic),
      tabs(store, session),
      me,
    ),
    scroller,
    home(store, session),
    node,
  );
  store.watch(
    (state) => [showsHome(state)],
    (state) => {
      scroller.hidden = showsHome(state);
      node.hidden = showsHome(state);
    },
  );

  store.watch(
    (state) => [
      state.rooms,
      state.channel,
      state.as,
      state.people,
      state.channels,
      state.bot.id,
    ],
    (state) => {
      fill(title, heading(state));
      topic.textContent = state.channels.get(state.channel)?.topic ?? "";
      fill(
        me,
        avatar(state.people.get(state.as)),
        h("span", { class: "unseen" }, `${WORDS.youAre} ${nameOf(state, state.as)}`),
      );
    },
  );
  // What somebody has focused there stays while other rooms change.
  store.watch(
    (state) => [
      state.ready,
      state.channel,
      roomOf(state)?.name,
      roomOf(state)?.with,
      state.as,
      state.people,
      state.channels,
      state.examples,
      state.questions,
      state.prompts,
      state.opens,
      state.bot.id,
    ],
    (state) => fill(opening, state.ready && beginning(state, session)),
  );
  const newest = newestOf(list, scroller);
  showAll(list, newest, {
    place: "room",
    store,
    session,
    openThread: (ts) => session.openThread(ts),
  });
  const showOpening = async () => {
    await session.openOpening();
    scroller.scrollTop = 0;
    opening.querySelector("button")?.focus({ preventScroll: true });
  };
  return { field, showOpening };
}

function showAll(list, newest, pane) {
  let place = "";
  let count = 0;
  pane.store.watch(
    (state) => [state.messages, state.people],
    (state) => {
      const shown = roots([...state.messages.values()]);
      const here = `${state.as} ${state.channel}`;
      const mine = shown.length > count && shown.at(-1)?.user === state.as;
      const toEnd = mine || here !== place || count === 0;
      [place, count] = [here, shown.length];
      showMessages(list, newest, shown, pane, { toEnd });
    },
  );
}

function heading(state) {
  const room = roomOf(state);
  if (!room) return [];
  const sign = room.is_im
    ? avatar(state.people.get(room.with), "small")
    : icon(state.channels.get(room.id)?.is_private ? "lock" : "hash");
  return [sign, h("span", {}, titleOf(state, room))];
}

function beginning(state, session) {
  const room = roomOf(state);
  if (!room) return null;
  if (room.id === state.opens.channel && state.examples.length) return welcome(state, session);
  const name = titleOf(state, room);
  if (room.is_im && room.with === state.bot.id) {
    return [h("p", { class: "beginning" }, WORDS.emptyBot(name)), ownQuestions(state, session)];
  }
  const words = room.is_im ? WORDS.emptyDirect(name) : WORDS.emptyChannel(name, state.bot.name);
  return h("p", { class: "beginning" }, words);
}

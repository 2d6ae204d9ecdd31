// Puts the page together.
import { keepAddress, parse } from "./address.js";
import { announcer } from "./parts/announcer.js";
import { banner } from "./parts/banner.js";
import { choosersOf } from "./parts/chooser.js";
import { drawerOf } from "./parts/drawer.js";
import { modals } from "./parts/modal.js";
import { room } from "./parts/room.js";
import { sidebar } from "./parts/sidebar.js";
import { signedLinks } from "./parts/signed_links.js";
import { thread } from "./parts/thread.js";
import { Session } from "./session.js";
import { EMPTY, roomOf, Store, titleOf } from "./store.js";

const START_AGAIN_MS = 1000;
const part = (id) => document.getElementById(id);

const store = new Store(EMPTY);
const session = new Session(store, announcer(part("announcer")));
const drawer = drawerOf(part("sidebar"), part("shade"));
const choosers = choosersOf({ store, session, drawer, enter });
const around = { store, session, drawer, choosers, enter };

banner(part("banner"), store);
const { field, showOpening } = room(part("room"), around);
sidebar(part("sidebar"), { ...around, showOpening });
thread(part("thread"), around);
modals(around);
keepAddress(store, session);
signedLinks(store);

store.watch(
  (state) => [state.rooms, state.channel, state.people, state.team],
  (state) => {
    const unread = state.rooms.some((one) => one.unread) ? "* " : "";
    const open = roomOf(state);
    document.title = `${unread}${open ? `${titleOf(state, open)} – ` : ""}${state.team.name || "Vouch"}`;
  },
);

// Who has chosen a room writes there next; on a touch screen that would call up its keyboard.
// The focus goes before the messages come: what is typed at once is not lost.
async function enter(room) {
  drawer.close();
  const channel = room.with ? await session.directWith(room.with) : room.id;
  if (!channel) return;
  session.openRoom(channel);
  if (!matchMedia("(pointer: coarse)").matches) field.focus();
}

document.querySelector(".skip").addEventListener("click", (event) => {
  event.preventDefault();
  field.focus();
});

document.addEventListener("keydown", (event) => {
  if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "k") {
    event.preventDefault();
    if (!document.querySelector("dialog[open]")) choosers.room();
  }
  if (event.key !== "Escape" || event.defaultPrevented || document.querySelector("dialog[open]"))
    return;
  if (drawer.isOpen()) drawer.close();
  else if (store.state.thread) session.openThread("");
});

// Until the workspace first answers, ask again: it may still be starting.
async function start() {
  await session.go(parse(location.hash));
  if (!store.state.ready) setTimeout(start, START_AGAIN_MS);
}

start();

import { fill, focusOn, h, walkWithArrows } from "../dom.js";
import { icon } from "../icons.js";
import { nameOf, titleOf } from "../store.js";
import { WORDS } from "../words.js";
import { aboutOf, avatar } from "./person.js";

export function sidebar(root, { store, session, choosers, drawer, enter, showOpening }) {
  const lists = h("div", { class: "rooms" });
  const shortcuts = h("div", {});
  const team = h("strong", { dir: "auto" });
  const workspaces = h("nav", { class: "workspaces", "aria-label": WORDS.workspaces });
  const you = h("button", {
    class: "you",
    type: "button",
    "aria-haspopup": "dialog",
    onclick: choosers.person,
  });
  fill(
    root,
    workspaces,
    h("header", {}, team, h("small", {}, "local workspace")),
    you,
    h(
      "button",
      { class: "jump", type: "button", onclick: choosers.room, "aria-keyshortcuts": "Control+K" },
      icon("search"),
      "Jump to…",
      h("kbd", {}, "Ctrl K"),
    ),
    h(
      "button",
      {
        class: "jump",
        type: "button",
        onclick: () => {
          drawer.close();
          showOpening();
        },
      },
      icon("spark"),
      WORDS.examples,
    ),
    shortcuts,
    lists,
    h("footer", {}, WORDS.footnote),
  );
  walkWithArrows(lists, "button");
  const offered = (each) =>
    h(
      "button",
      { class: "jump", type: "button", onclick: () => session.shortcut(each.id) },
      icon("send"),
      each.name,
    );
  store.watch(
    (state) => [state.shortcuts],
    (state) =>
      fill(
        shortcuts,
        state.shortcuts.filter((each) => !each.about_message).map((each) => offered(each)),
      ),
  );
  store.watch(
    (state) => [state.team, state.workspaces],
    (state) => {
      team.textContent = state.team.name;
      fill(workspaces, state.workspaces.length > 1 ? choices(state) : []);
    },
  );
  store.watch(
    (state) => [state.as, state.people],
    (state) => fill(you, youAre(state)),
  );
  store.watch(
    (state) => [state.rooms, state.channel, state.bot, state.people],
    (state) => {
      const focus = lists.contains(document.activeElement) && document.activeElement.dataset.focus;
      fill(lists, groups(state, enter));
      if (focus) focusOn(lists, focus);
    },
  );
}

function choices({ workspaces }) {
  const one = ({ name, path }) =>
    h("a", { href: path, "aria-current": path === location.pathname && "page", dir: "auto" }, name);
  return [h("div", {}, workspaces.map(one)), h("small", {}, WORDS.apart)];
}

function youAre(state) {
  const me = state.people.get(state.as);
  return [
    avatar(me, "large"),
    h(
      "span",
      { class: "you-words" },
      h("small", {}, `${WORDS.youAre} `),
      h("strong", { dir: "auto" }, nameOf(state, state.as)),
      aboutOf(me),
    ),
    icon("down"),
  ];
}

function groups(state, enter) {
  const channels = state.rooms.filter((room) => !room.is_im);
  return [
    group(state, "Channels", channels, enter),
    group(state, "Direct messages", directs(state), enter),
  ];
}

// The bot's direct message is listed before anybody has opened it.
function directs(state) {
  const open = state.rooms.filter((room) => room.is_im);
  const bot = state.bot.id;
  if (!bot || open.some((room) => room.with === bot)) return open;
  return [{ id: "", is_im: true, with: bot, unread: 0 }, ...open];
}

function group(state, title, rooms, enter) {
  const id = `group-${title.split(" ")[0].toLowerCase()}`;
  const items = rooms.map((room) => h("li", {}, roomButton(state, room, enter)));
  return [h("h2", { id }, title), h("ul", { "aria-labelledby": id }, items)];
}

function roomButton(state, room, enter) {
  const here = room.id !== "" && room.id === state.channel;
  const unread = room.unread > 0 && !here;
  return h(
    "button",
    {
      type: "button",
      class: unread ? "room-link unread" : "room-link",
      "aria-current": here && "page",
      tabindex: here || !state.channel ? "0" : "-1",
      dataset: { focus: room.id || room.with },
      onclick: () => enter(room),
    },
    sign(state, room),
    h("span", { class: "room-name", dir: "auto" }, titleOf(state, room)),
    unread &&
      h("span", { class: "count" }, String(room.unread), h("span", { class: "unseen" }, " unread")),
  );
}

function sign(state, room) {
  if (!room.is_im) return icon(state.channels.get(room.id)?.is_private ? "lock" : "hash");
  const isBot = room.with === state.bot.id;
  const away = isBot && !state.bot.connected;
  return h(
    "span",
    { class: away ? "presence away" : "presence" },
    avatar(state.people.get(room.with) ?? { ...state.bot, is_bot: isBot }, "small"),
    away && h("span", { class: "unseen" }, "not connected: "),
  );
}

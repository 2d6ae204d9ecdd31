// A list to pick from by typing, arrow keys or pointer, as a dialog: people to act as, and
// rooms to go to (Ctrl or Cmd + K).
import { fill, h } from "../dom.js";
import { icon } from "../icons.js";
import { nameOf, roomOf, titleOf } from "../store.js";
import { WORDS } from "../words.js";
import { aboutOf, avatar } from "./person.js";

export function choosersOf({ store, session, drawer, enter }) {
  return {
    person: () =>
      choose({
        title: WORDS.actAs,
        kind: "people",
        items: people(store.state),
        current: store.state.as,
        pick: (item) => {
          drawer.close();
          session.actAs(item.id);
        },
      }),
    room: () =>
      choose({
        title: WORDS.jump,
        kind: "rooms",
        items: rooms(store.state),
        current: currentRoom(store.state),
        pick: enter,
      }),
  };
}

const people = (state) =>
  [...state.people.values()]
    .filter((one) => !one.is_bot)
    .map((one) => ({
      id: one.id,
      name: one.real_name || one.name,
      about: one.about,
      picture: avatar(one, "large"),
    }));

function rooms(state) {
  const channels = state.rooms
    .filter((room) => !room.is_im)
    .map((room) => ({
      id: room.id,
      name: titleOf(state, room),
      about: state.channels.get(room.id)?.topic,
      picture: icon(state.channels.get(room.id)?.is_private ? "lock" : "hash"),
    }));
  const others = [...state.people.values()].filter((one) => one.id !== state.as);
  const botFirst = others.sort((a, b) => Number(b.is_bot) - Number(a.is_bot));
  const directs = botFirst.map((one) => ({
    id: withId(one.id),
    with: one.id,
    name: nameOf(state, one.id),
    about: one.about,
    picture: avatar(one),
  }));
  return [...channels, ...directs];
}

const withId = (person) => `with ${person}`;

function currentRoom(state) {
  const room = roomOf(state);
  return room?.is_im ? withId(room.with) : room?.id;
}

function choose({ title, kind, items, current, pick }) {
  let shown = items;
  let at = Math.max(
    items.findIndex((item) => item.id === current),
    0,
  );
  const list = h("ul", { id: "choices", role: "listbox", "aria-label": title });
  const field = h("input", {
    class: "field",
    type: "text",
    role: "combobox",
    "aria-expanded": "true",
    "aria-controls": "choices",
    "aria-label": title,
    placeholder: title,
    autocomplete: "off",
    spellcheck: "false",
  });
  const dialog = h(
    "dialog",
    { class: `chooser chooser-${kind}`, "aria-label": title },
    field,
    list,
  );
  const take = (item) => {
    dialog.close();
    if (item) pick(item);
  };
  const show = () => {
    fill(
      list,
      shown.length
        ? shown.map((item, n) => option(item, n, { at, current, take }))
        : h("li", { class: "nothing" }, WORDS.nothingFound),
    );
    if (shown.length) field.setAttribute("aria-activedescendant", `choice-${at}`);
    list.children[at]?.scrollIntoView({ block: "nearest" });
  };
  field.addEventListener("input", () => {
    const sought = field.value.trim().toLocaleLowerCase();
    shown = items.filter((item) =>
      `${item.name} ${item.about ?? ""}`.toLocaleLowerCase().includes(sought),
    );
    at = 0;
    show();
  });
  field.addEventListener("keydown", (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === "Enter") take(shown[at]);
    else if (!step || !shown.length) return;
    event.preventDefault();
    if (step) {
      at = (at + step + shown.length) % shown.length;
      show();
    }
  });
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) dialog.close();
  });
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  show();
  dialog.showModal();
}

function option(item, n, { at, current, take }) {
  return h(
    "li",
    {
      id: `choice-${n}`,
      role: "option",
      "aria-selected": String(n === at),
      class: item.id === current ? "current" : null,
      onclick: () => take(item),
    },
    item.picture,
    h(
      "span",
      {},
      h("strong", { dir: "auto" }, item.name),
      aboutOf(item),
    ),
    item.id === current && icon("check"),
  );
}

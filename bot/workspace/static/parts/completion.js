// Suggestions while someone types: /commands at the beginning, @people and #channels
// anywhere.
import { fill, h } from "../dom.js";
import { icon } from "../icons.js";
import { nameOf, roomOf } from "../store.js";
import { avatar } from "./person.js";

const MOST = 8;
const STARTED = /(?:^|\s)([@#])([^\s@#]*(?: [^\s@#]*)?)$/;

// What could stand at the cursor: {from, items: [{insert, name, about, picture}]}.
export function suggestions(state, text, cursor) {
  const typed = text.slice(0, cursor);
  const command = /^\/\S*$/.exec(typed);
  if (command) return { from: 0, items: commands(state, command[0]) };
  const started = STARTED.exec(typed);
  if (!started) return { from: 0, items: [] };
  const [, sign, begun] = started;
  const items = (sign === "@" ? people(state) : channels(state)).filter(
    (item) => begins(item.name, begun) || begins(item.handle, begun),
  );
  return { from: cursor - begun.length - 1, items: items.slice(0, MOST) };
}

const begins = (name, begun) => {
  const [whole, part] = [name.toLocaleLowerCase(), begun.toLocaleLowerCase()];
  return whole.startsWith(part) || whole.split(/\s+/).some((word) => word.startsWith(part));
};

const commands = (state, begun) =>
  state.commands
    .filter((one) => one.command.startsWith(begun))
    .map((one) => ({
      insert: `${one.command} `,
      name: `${one.command} ${one.usage ?? ""}`.trim(),
      about: one.about,
      picture: h("span", { class: "slash", "aria-hidden": "true" }, "/"),
    }));

function people(state) {
  const room = roomOf(state);
  const here = new Set([
    ...(room?.members ?? []),
    ...(state.channels.get(room?.id)?.members ?? []),
    state.bot.id,
  ]);
  const bot = state.people.get(state.bot.id) ?? {
    ...state.bot,
    real_name: state.bot.name,
    is_bot: true,
  };
  const others = [...state.people.values()].filter(
    (one) => here.has(one.id) && !one.is_bot && one.id !== state.as,
  );
  return [bot, ...others].map((one) => {
    const name = state.people.has(one.id) ? nameOf(state, one.id) : one.name;
    return {
      insert: `@${name} `,
      name,
      handle: one.name ?? "",
      about: one.about,
      picture: avatar(one),
    };
  });
}

const channels = (state) =>
  [...state.channels.values()]
    .filter((one) => state.rooms.some((room) => room.id === one.id))
    .map((one) => ({
      insert: `#${one.name} `,
      name: one.name,
      handle: one.name,
      about: one.topic,
      picture: icon(one.is_private ? "lock" : "hash"),
    }));

// Hangs the list onto a message field. `keydown` says whether it took the key for itself.
export function completion(field, store, id) {
  const list = h("ul", {
    id,
    class: "suggestions",
    role: "listbox",
    "aria-label": "Suggestions",
    hidden: true,
  });
  let found = { from: 0, items: [] };
  let at = 0;
  field.setAttribute("aria-autocomplete", "list");
  field.setAttribute("aria-haspopup", "listbox");
  field.setAttribute("aria-controls", id);
  const show = () => {
    const open = found.items.length > 0;
    list.hidden = !open;
    if (open) field.setAttribute("aria-activedescendant", `${id}-${at}`);
    else field.removeAttribute("aria-activedescendant");
    fill(
      list,
      found.items.map((item, n) => suggestion(item, `${id}-${n}`, n === at, take)),
    );
    list.children[at]?.scrollIntoView({ block: "nearest" });
  };
  const close = () => {
    found = { from: 0, items: [] };
    show();
  };
  const take = (item) => {
    field.setRangeText(item.insert, found.from, field.selectionStart, "end");
    close();
    field.focus();
    field.dispatchEvent(new Event("input"));
  };
  const look = () => {
    found = suggestions(store.state, field.value, field.selectionStart);
    const exact = found.items.length === 1 && found.items[0].insert === field.value;
    if (exact) found.items = [];
    at = 0;
    show();
  };
  const keydown = (event) => {
    if (list.hidden) return false;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) at = (at + step + found.items.length) % found.items.length;
    else if (event.key === "Enter" || event.key === "Tab") {
      take(found.items[at]);
      return true;
    } else if (event.key !== "Escape") return false;
    if (step) show();
    else close();
    return true;
  };
  field.addEventListener("input", look);
  field.addEventListener("blur", close);
  return { list, keydown };
}

const suggestion = (item, id, chosen, take) =>
  h(
    "li",
    {
      id,
      role: "option",
      "aria-selected": String(chosen),
      onpointerdown: (event) => {
        event.preventDefault();
        take(item);
      },
    },
    item.picture,
    h("strong", { dir: "auto" }, item.name),
    item.about && h("small", { dir: "auto" }, item.about),
  );

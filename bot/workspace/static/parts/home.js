// The direct message with the bot has two tabs, as Slack has: what was said, and the bot's Home.
import { fill, h } from "../dom.js";
import { blocksOf } from "../blocks/blocks.js";
import { channelsOf, roomOf } from "../store.js";
import { WORDS } from "../words.js";
import { namesOf } from "./message.js";
import { valuesOf } from "./modal.js";

const TABS = { messages: "Messages", home: "Home" };

const isWithBot = (state) => roomOf(state)?.with === state.bot.id;

export const showsHome = (state) => isWithBot(state) && state.tab === "home";

export function tabs(store, session) {
  const node = h("div", { class: "tabs", role: "group", "aria-label": WORDS.tabs });
  store.watch(
    (state) => [isWithBot(state), state.tab],
    (state) => {
      const one = ([tab, words]) =>
        h(
          "button",
          {
            class: "button",
            type: "button",
            "aria-pressed": String(state.tab === tab),
            onclick: () => session.openTab(tab),
          },
          words,
        );
      fill(node, isWithBot(state) ? Object.entries(TABS).map(one) : []);
    },
  );
  return node;
}

export function home(store, session) {
  const node = h("section", { class: "scroller home", tabindex: "0", "aria-label": TABS.home });
  store.watch(
    (state) => [state.home, state.people, state.rooms],
    (state) => fill(node, state.home ? drawn(state, session) : h("p", {}, WORDS.emptyHome)),
  );
  store.watch(
    (state) => [showsHome(state)],
    (state) => {
      node.hidden = !showsHome(state);
    },
  );
  return node;
}

function drawn(state, session) {
  const inputs = [];
  return blocksOf(state.home.blocks, {
    names: namesOf(state),
    channels: channelsOf(state),
    inputs,
    act: (action) =>
      session.act("room", { view_id: state.home.id, values: valuesOf(inputs) }, action),
    rated: () => undefined,
    rate: () => {},
  });
}

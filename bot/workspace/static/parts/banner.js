import { fill, h } from "../dom.js";
import { icon } from "../icons.js";
import { WORDS } from "../words.js";

export function banner(root, store) {
  store.watch(
    (state) => [state.gone, state.bot.connected, state.ready],
    ({ gone, bot, ready }) => {
      const words = gone ? WORDS.gone : ready && !bot.connected ? WORDS.noBot(bot.name) : "";
      root.className = gone ? "banner banner-gone" : "banner";
      fill(root, words && [icon("warning"), h("span", {}, words)]);
    },
  );
}

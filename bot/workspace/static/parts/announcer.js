// Tells a screen reader of what others say: who, and the message's own plain text.
import { h } from "../dom.js";
import { nameOf } from "../store.js";
import { unescaped } from "../text/mrkdwn.js";
import { withEmoji } from "../text/emoji.js";

const KEPT = 10;
const LONGEST = 600;

export function announcer(root) {
  return (state, { channel, message }) => {
    if (message.user === state.as && !message.ephemeral) return;
    const bot = message.bot_id || message.user === state.bot.id;
    const who = bot ? state.bot.name : nameOf(state, message.user);
    const where = channel === state.channel ? "" : " in another room";
    const text = withEmoji(
      unescaped((message.text ?? "").replace(/<[^>|]*\|([^>]*)>|<([^>]*)>/g, "$1$2")),
    );
    root.append(h("p", {}, `${who}${where}: ${text.slice(0, LONGEST)}`));
    while (root.children.length > KEPT) root.firstChild.remove();
  };
}

import { h } from "../dom.js";
import { withEmoji } from "./emoji.js";
import { mrkdwn } from "./mrkdwn.js";

// Block Kit's text object, {type: "mrkdwn" | "plain_text", text}, as a node.
export function textNode(text, names) {
  if (!text) return null;
  const inside =
    text.type === "mrkdwn"
      ? mrkdwn(text.text, names)
      : [text.emoji === false ? text.text : withEmoji(text.text)];
  return h("div", { class: "text", dir: "auto" }, inside);
}

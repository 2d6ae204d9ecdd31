// Long text is folded, as Slack folds it, so that one message does not push away the rest.
import { h } from "../dom.js";

const MOST_CHARACTERS = 1200;
const MOST_LINES = 16;

export function folded(node, source) {
  const long = source.length > MOST_CHARACTERS || source.split("\n").length > MOST_LINES;
  if (!long) return node;
  node.classList.add("folded");
  const button = h(
    "button",
    { class: "plain more", type: "button", "aria-expanded": "false" },
    "Show more",
  );
  button.addEventListener("click", () => {
    const open = !node.classList.toggle("folded");
    button.textContent = open ? "Show less" : "Show more";
    button.setAttribute("aria-expanded", String(open));
  });
  return h("div", {}, node, button);
}

import { h } from "../dom.js";
import { icon } from "../icons.js";

const HUES = [14, 214, 276, 338, 36, 128, 192, 236, 306, 356, 56, 92]; // degrees

// A disc of a person's own colour with their initials; the bot wears a tick. It only
// decorates: the name always stands beside it.
export function avatar(person, size = "") {
  const kind = ["avatar", size && `avatar-${size}`, person?.is_bot && "avatar-bot"];
  const node = h(
    "span",
    { class: kind.filter(Boolean).join(" "), "aria-hidden": "true" },
    person?.is_bot ? icon("check") : initials(person),
  );
  node.style.setProperty("--hue", HUES[(person?.hue ?? 0) % HUES.length]);
  return node;
}

function initials(person) {
  const words = (person?.real_name || person?.name || "?").trim().split(/\s+/);
  const first = [...words[0]][0];
  return (words.length > 1 ? first + [...words.at(-1)][0] : first).toUpperCase();
}

// Wraps between its points where they fit on a line, not before a point or at a hyphen.
export function aboutOf({ about } = {}) {
  if (!about) return null;
  const points = about.split(" · ").map((one, at, all) => (at < all.length - 1 ? `${one} ·` : one));
  const parts = points.map((one) => [h("span", { class: "point" }, one), " "]);
  return h("small", { dir: "auto" }, parts);
}

export const appBadge = (person) => person?.is_bot && h("span", { class: "badge" }, "APP");

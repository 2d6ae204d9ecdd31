import { h } from "../dom.js";
import { icon } from "../icons.js";

// A disc of a person's own colour with their initials; the bot wears a tick. It only
// decorates: the name always stands beside it.
export function avatar(person, size = "") {
  const kind = [
    "avatar",
    size && `avatar-${size}`,
    person?.is_bot ? "avatar-bot" : `hue-${person?.hue ?? 0}`,
  ];
  return h(
    "span",
    { class: kind.filter(Boolean).join(" "), "aria-hidden": "true" },
    person?.is_bot ? icon("check") : initials(person),
  );
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

import { h } from "../dom.js";
import { icon } from "../icons.js";
import { WORDS } from "../words.js";

const SIGNS = {
  pending: () => h("span", { class: "task-due", "aria-hidden": "true" }),
  in_progress: () => h("span", { class: "pulse", "aria-hidden": "true" }),
  complete: () => icon("check"),
  error: () => icon("warning"),
};

// Steps of some work under what it is about.
export function plan({ title, tasks }) {
  const items = (tasks ?? []).map((task) =>
    h(
      "li",
      { class: `task task-${task.status}` },
      h("span", { class: "task-sign" }, SIGNS[task.status]?.()),
      h("span", { dir: "auto" }, task.title, h("span", { class: "unseen" }, WORDS.task(task.status))),
    ),
  );
  return h("div", {}, h("p", { class: "plan-title", dir: "auto" }, title), h("ul", {}, items));
}

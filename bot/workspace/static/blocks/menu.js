// A button that opens a short list of choices under it.
import { h, walkWithArrows } from "../dom.js";
import { icon } from "../icons.js";

export function menu(label, choices) {
  const list = h("div", { class: "menu", role: "menu", hidden: true });
  const button = h(
    "button",
    {
      class: "icon-button",
      type: "button",
      "aria-haspopup": "menu",
      "aria-expanded": "false",
      "aria-label": label,
      title: label,
    },
    icon("dots"),
  );
  const show = (open) => {
    list.hidden = !open;
    button.setAttribute("aria-expanded", String(open));
    if (open) list.firstElementChild?.focus();
  };
  const items = choices.map(({ label: words, url, choose }) => {
    const props = {
      role: "menuitem",
      tabindex: "-1",
      onclick: () => {
        show(false);
        button.focus();
        choose();
      },
    };
    return url
      ? h("a", { ...props, href: url, target: "_blank", rel: "noopener noreferrer" }, words)
      : h("button", { ...props, type: "button" }, words);
  });
  list.append(...items);
  walkWithArrows(list, "[role=menuitem]");
  button.addEventListener("click", () => show(list.hidden));
  const node = h("span", { class: "menu-anchor" }, button, list);
  node.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || list.hidden) return;
    event.stopPropagation();
    show(false);
    button.focus();
  });
  node.addEventListener("focusout", (event) => {
    if (!node.contains(event.relatedTarget)) show(false);
  });
  return node;
}

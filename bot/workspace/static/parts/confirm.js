// Asks before something is lost; resolves to whether it may be.
import { h } from "../dom.js";

export function confirmed(title, text, yes) {
  return new Promise((resolve) => {
    const dialog = h(
      "dialog",
      { class: "dialog dialog-small", "aria-labelledby": "confirm-title" },
      h(
        "form",
        { method: "dialog" },
        h("h2", { id: "confirm-title" }, title),
        h("p", {}, text),
        h(
          "footer",
          {},
          h("button", { class: "button", value: "no" }, "Cancel"),
          h("button", { class: "button button-danger", value: "yes" }, yes),
        ),
      ),
    );
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve(dialog.returnValue === "yes");
    });
    document.body.append(dialog);
    dialog.showModal();
  });
}

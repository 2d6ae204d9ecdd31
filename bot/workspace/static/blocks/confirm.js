// Asks before something happens; resolves to whether it may.
import { h } from "../dom.js";
import { textNode } from "../text/text_object.js";

export function confirmed(spec, names) {
  return new Promise((resolve) => {
    const style = spec.style === "danger" ? "button button-danger" : "button button-primary";
    const dialog = h(
      "dialog",
      { class: "dialog dialog-small", "aria-labelledby": "confirm-title" },
      h(
        "form",
        { method: "dialog" },
        h("h2", { id: "confirm-title" }, spec.title?.text ?? ""),
        textNode(spec.text, names),
        h(
          "footer",
          {},
          h("button", { class: "button", value: "no" }, spec.deny?.text ?? "Cancel"),
          h("button", { class: style, value: "yes" }, spec.confirm?.text ?? "Yes"),
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

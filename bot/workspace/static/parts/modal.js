// The modal that the bot has opened; the topmost where it has pushed several.
import { fill, h } from "../dom.js";
import { icon } from "../icons.js";
import { blocksOf } from "../blocks/blocks.js";
import { withEmoji } from "../text/emoji.js";
import { channelsOf } from "../store.js";
import { namesOf } from "./message.js";

export function modals({ store, session }) {
  const dialog = h("dialog", { class: "dialog", "aria-labelledby": "modal-title" });
  document.body.append(dialog);
  let inputs = [];
  const fault = h("p", { class: "error", role: "alert" });
  const top = () => store.state.views.at(-1);
  dialog.addEventListener("cancel", (event) => {
    event.preventDefault();
    if (top()) session.close(top().id);
  });
  let drawn = null;
  store.watch(
    (state) => [state.views],
    () => {
      const view = top();
      if (!view) {
        drawn = null;
        return void dialog.close();
      }
      const same = drawn?.id === view.id;
      const blocks = same ? view.blocks.map((block) => remembered(block, inputs)) : view.blocks;
      drawn = view;
      inputs = [];
      const kept = same && placeIn(dialog);
      fill(dialog, body({ ...view, blocks }, inputs, { store, session, fault }));
      if (!dialog.open) dialog.showModal();
      if (kept) kept();
      return undefined;
    },
  );
  store.watch(
    (state) => [state.faults],
    ({ faults }) => {
      fault.textContent = faults.view;
    },
  );
}

// A modal that the bot updates stays where the reader was.
function placeIn(dialog) {
  const scrolled = dialog.querySelector(".dialog-body")?.scrollTop ?? 0;
  const focused = dialog.contains(document.activeElement);
  return () => {
    const place = dialog.querySelector(".dialog-body");
    place.scrollTop = scrolled;
    if (focused && !dialog.contains(document.activeElement)) place.focus({ preventScroll: true });
  };
}

function body(view, inputs, { store, session, fault }) {
  const { as } = store.state;
  const around = {
    names: namesOf(store.state),
    channels: channelsOf(store.state),
    inputs,
    act: (action) => session.act("view", { view_id: view.id, values: valuesOf(inputs) }, action),
    rated: () => undefined,
    rate: () => {},
    fileUrl: (id) => `page/files/${encodeURIComponent(id)}?as=${encodeURIComponent(as)}`,
  };
  const close = () => session.close(view.id);
  const submit = h("button", { class: "button button-primary" }, view.submit?.text ?? "Submit");
  const form = h(
    "form",
    { novalidate: true, dataset: { view: view.id } },
    h(
      "header",
      {},
      h("h2", { id: "modal-title", dir: "auto" }, withEmoji(view.title?.text ?? "")),
      h(
        "button",
        { class: "icon-button", type: "button", "aria-label": "Close", onclick: close },
        icon("close"),
      ),
    ),
    h(
      "div",
      { class: "dialog-body", tabindex: "0", role: "region", "aria-labelledby": "modal-title" },
      blocksOf(view.blocks ?? [], around),
    ),
    fault,
    h(
      "footer",
      {},
      h(
        "button",
        { class: "button", type: "button", onclick: close },
        view.close?.text ?? (view.submit ? "Cancel" : "Close"),
      ),
      view.submit && submit,
    ),
  );
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (!view.submit || submit.disabled) return;
    submit.disabled = true;
    complain(inputs, await session.submit(view.id, valuesOf(inputs)));
    submit.disabled = false;
  });
  return form;
}

function complain(inputs, errors) {
  for (const one of inputs) one.show?.(errors[one.block]);
  const first = inputs.find((one) => errors[one.block])?.field;
  (first?.matches("input, textarea, select") ? first : first?.querySelector("input"))?.focus();
}

export function valuesOf(inputs) {
  const values = {};
  for (const { block, action, read } of inputs) {
    if (read) values[block] = { ...values[block], [action]: read() };
  }
  return values;
}

const INITIAL = {
  value: "initial_value",
  selected_option: "initial_option",
  selected_options: "initial_options",
  selected_conversation: "initial_conversation",
  selected_date: "initial_date",
};

// A view that is updated while someone fills it in keeps what they wrote in the same fields.
function remembered(block, inputs) {
  const spec = block.element;
  const input = inputs.find(
    (one) => one.block === block.block_id && one.action === spec?.action_id,
  );
  if (!spec || !input?.read) return block;
  const kept = Object.entries(input.read())
    .filter(([name, value]) => INITIAL[name] && value !== null && value.length !== 0)
    .map(([name, value]) => [INITIAL[name], value]);
  return { ...block, element: { ...spec, ...Object.fromEntries(kept) } };
}

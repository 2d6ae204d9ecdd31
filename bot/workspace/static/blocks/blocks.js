// Block Kit as nodes, as far as the app uses it, faithful enough to judge a reply by. `around` is what the blocks stand
// in: {names, channels, act(action), rated, rate, inputs, fileUrl(id)}. What is not known here is shown
// as such: a reply that looks fine must not owe it to a block left out.
import { h } from "../dom.js";
import { richText } from "../text/rich_text.js";
import { textNode } from "../text/text_object.js";
import { withEmoji } from "../text/emoji.js";
import { WORDS } from "../words.js";
import { element } from "./elements.js";
import { inputBlock } from "./inputs.js";
import { folded } from "./folding.js";
import { plan } from "./plan.js";
import { table } from "./table.js";

export const blocksOf = (blocks, around) => blocks.map((block) => blockNode(block, around));

function blockNode(block, around) {
  const draw = BLOCKS[block?.type];
  const node = draw ? draw(block, around) : unsupported(block?.type);
  node.classList.add("block", `block-${draw ? block.type : "unsupported"}`);
  return node;
}

const BLOCKS = {
  section(block, around) {
    const { names } = around;
    const text = textNode(block.text, names);
    const shown = text && folded(text, block.text.text);
    const accessory =
      block.accessory &&
      h("div", { class: "accessory" }, element(block.accessory, around, block.block_id).node);
    return h("div", {}, h("div", { class: "section-text" }, shown), accessory);
  },

  header: (block) => h("h3", { dir: "auto" }, withEmoji(block.text?.text ?? "")),

  divider: () => h("hr"),

  context: (block, around) =>
    h(
      "div",
      {},
      (block.elements ?? []).map((one) => textNode(one, around.names)),
    ),

  actions: controls,

  context_actions: controls,

  rich_text: (block) => h("div", { class: "text" }, richText(block)),

  table,

  plan,

  image: (block, around) => {
    const title = block.title && h("figcaption", { dir: "auto" }, withEmoji(block.title.text));
    return h("figure", {}, title, imageNode(block, around));
  },

  input: inputBlock,
};

function controls(block, around) {
  const nodes = (block.elements ?? []).map((one) => element(one, around, block.block_id).node);
  return h("div", { class: "controls" }, nodes);
}

function imageNode(image, { fileUrl }) {
  const alt = image.alt_text ?? "";
  const missing = () => h("span", { class: "image-missing" }, WORDS.imageMissing(alt));
  if (!image.slack_file || !fileUrl) return missing();
  const node = h("img", {
    class: "image",
    src: fileUrl(image.slack_file.id),
    alt,
    loading: "lazy",
    referrerpolicy: "no-referrer",
    onerror: () => node.replaceWith(missing()),
  });
  return node;
}

function unsupported(kind) {
  return h("div", { role: "note" }, WORDS.unsupported(kind ?? "?"));
}

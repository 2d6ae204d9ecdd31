// Block Kit as nodes, faithful enough to judge a reply by. `around` is what the blocks stand
// in: {names, people, act(action), origin, rated, rate, inputs, fileUrl(id)}. What is not known here is
// shown as such: a reply that looks fine must not owe it to a block left out.
import { h } from "../dom.js";
import { markdown } from "../text/markdown.js";
import { richText } from "../text/rich_text.js";
import { textNode } from "../text/text_object.js";
import { withEmoji } from "../text/emoji.js";
import { WORDS } from "../words.js";
import { element } from "./elements.js";
import { inputBlock } from "./inputs.js";
import { folded } from "./folding.js";
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
    const shown = text && !block.expand ? folded(text, block.text.text) : text;
    const fields =
      block.fields &&
      h(
        "div",
        { class: "fields" },
        block.fields.map((field) => textNode(field, names)),
      );
    const accessory =
      block.accessory &&
      h("div", { class: "accessory" }, element(block.accessory, around, block.block_id).node);
    return h("div", {}, h("div", { class: "section-text" }, shown, fields), accessory);
  },

  header: (block) => h("h3", { dir: "auto" }, withEmoji(block.text?.text ?? "")),

  divider: () => h("hr"),

  context: (block, around) =>
    h(
      "div",
      {},
      (block.elements ?? []).map((one) =>
        one.type === "image"
          ? imageNode(one, "context-image", around)
          : textNode(one, around.names),
      ),
    ),

  actions: controls,

  context_actions: controls,

  markdown: (block) =>
    folded(h("div", { class: "text" }, markdown(block.text ?? "")), block.text ?? ""),

  rich_text: (block, { names }) => h("div", { class: "text" }, richText(block, names)),

  table: (block, { names }) => table(block, names),

  image: (block, around) => {
    const title = block.title && h("figcaption", { dir: "auto" }, withEmoji(block.title.text));
    return h("figure", {}, title, imageNode(block, "image", around));
  },

  input: inputBlock,
};

function controls(block, around) {
  const nodes = (block.elements ?? []).map((one) => element(one, around, block.block_id).node);
  return h("div", { class: "controls" }, nodes);
}

function imageNode(image, kind, { fileUrl }) {
  const alt = image.alt_text ?? "";
  const file = image.slack_file?.id;
  const source = file && fileUrl ? fileUrl(file) : (image.image_url ?? image.slack_file?.url);
  const missing = () => h("span", { class: "image-missing" }, WORDS.imageMissing(alt));
  if (!source || !/^(https?:|data:image\/|page\/files\/)/.test(source)) return missing();
  const node = h("img", {
    class: kind,
    src: source,
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

// Slack's rich_text block: sections, lists, quotes and preformatted text of styled pieces.
import { h, link } from "../dom.js";
import { emoji } from "./emoji.js";
import { emojiNode } from "./mrkdwn.js";

const STYLES = { bold: "strong", italic: "em", code: "code" };
const MARKERS = { bullet: "ul", ordered: "ol" };

export const richText = (block) => (block.elements ?? []).map(partNode);

function partNode(part) {
  const inside = () => (part.elements ?? []).map(pieceNode);
  if (part.type === "rich_text_preformatted") return h("pre", {}, inside());
  if (part.type === "rich_text_quote") return h("blockquote", { dir: "auto" }, inside());
  if (part.type === "rich_text_list") return list(part);
  return h("p", { dir: "auto" }, inside());
}

function list(part) {
  const props = { class: `indent-${part.indent ?? 0}` };
  if (part.style === "ordered" && part.offset) props.start = part.offset + 1;
  const items = (part.elements ?? []).map((item) =>
    h("li", { dir: "auto" }, (item.elements ?? []).map(pieceNode)),
  );
  return h(MARKERS[part.style] ?? "ul", props, items);
}

function pieceNode(piece) {
  const bare = PIECES[piece.type]?.(piece) ?? `[${piece.type}]`;
  return Object.entries(STYLES)
    .filter(([style]) => piece.style?.[style])
    .reduce((inside, [, tag]) => h(tag, {}, inside), bare);
}

const PIECES = {
  text: (piece) => piece.text,
  link: (piece) => link(piece.url, piece.text || piece.url),
  emoji: (piece) => {
    const sign = emoji(piece.name);
    return sign ? emojiNode(piece.name, sign) : `:${piece.name}:`;
  },
};
